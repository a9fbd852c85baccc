"""What every state must fulfil (RULES 1): to be called after any move, in tests and while debugging.

Written as a recount of the map, so that the sets and supplies that the rules keep in step are compared
with something else than themselves.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.bits import members
from genesia_rl.games.genesia.config import Config
from genesia_rl.games.genesia.data.board import Board, homeland
from genesia_rl.games.genesia.names import CITIES, CLANS, HAND, K_NONE


def check_state(config: Config, board: Board, s: np.void) -> list[str]:
    """Everything that is inconsistent, in words."""
    found: list[str] = []
    for seat in range(config.seats):
        found += _check_seat(s, seat)
    found += _check_presence(config, board, s)
    found += _check_header(config, s)
    if sorted(s["order"][: config.seats].tolist()) != list(range(config.seats)):
        found.append(f"turn order {s['order'].tolist()} is no permutation of the seats")
    return found


def _crossing(s: np.void, seat: int) -> int:
    """The region that a clan of the seat is crossing, or -1."""
    under_way = s["move_clans"] > 0 and s["mover"] == seat and s["move_at"] != s["move_from"]
    return int(s["move_at"]) if under_way else -1


def _check_seat(s: np.void, seat: int) -> list[str]:
    found = []
    clans = s["clans"][seat].astype(int)
    if (clans < 0).any():
        found.append(f"seat {seat} has negative clans in region {int(np.argmin(clans))}")
    marked = set(members(s["marked"][seat]))
    if clans.sum() + int(s["clan_supply"][seat]) + len(marked) != CLANS:
        found.append(
            f"seat {seat} has {clans.sum()} clans on the map, {s['clan_supply'][seat]} in supply and "
            f"{len(marked)} on Inventions"
        )
    if not marked <= set(members(s["inventions"][seat])) - set(members(s["played"][seat])):
        found.append(f"seat {seat} marks {sorted(marked)}, which are not all Inventions that it has copied")
    cities = members(s["city_regions"][seat])
    if len(cities) + int(s["city_supply"][seat]) != CITIES:
        found.append(
            f"seat {seat} has {len(cities)} cities on the map and {s['city_supply'][seat]} in supply"
        )
    standing = set(np.flatnonzero(clans).tolist()) - {_crossing(s, seat)}
    if set(members(s["clan_regions"][seat])) != standing:
        found.append(f"seat {seat}: the set of regions with clans is wrong")
    if set(members(s["occupied"][seat])) != standing | set(cities):
        found.append(f"seat {seat}: the set of occupied regions is wrong")
    for name in ("coins", "clan_supply", "city_supply", "free_moves", "price_left", "conquests"):
        if s[name][seat] < 0:
            found.append(f"seat {seat}: {name} is {s[name][seat]}")
    if len(members(s["hand"][seat])) > HAND:
        found.append(f"seat {seat} holds {len(members(s['hand'][seat]))} cards")
    return found


def _check_presence(config: Config, board: Board, s: np.void) -> list[str]:
    homelands = {homeland(seat) for seat in range(board.continents)}
    occupied = [set(members(s["occupied"][seat])) for seat in range(config.seats)]
    found = []
    for region in range(len(board.values)):
        present = [seat for seat in range(config.seats) if region in occupied[seat]]
        if len(present) > 1 and region not in homelands:
            found.append(f"region {region} is occupied by the seats {present}")
    hands = [card for seat in range(config.seats) for card in members(s["hand"][seat])]
    if len(set(hands)) < len(hands):
        found.append("a card is in two hands")
    return found


def _check_header(config: Config, s: np.void) -> list[str]:
    legal = sum(int(word).bit_count() for word in s["legal"])
    if s["over"]:
        return (
            [] if legal == 0 and s["kind"] == K_NONE and s["seat"] == -1 else ["the game is over, yet asks"]
        )
    found = []
    if legal != s["num_legal"] or legal < 2:
        found.append(f"{legal} legal actions, {s['options']} of them counted, at least 2 are asked for")
    if not 0 <= s["seat"] < config.seats:
        found.append(f"seat {s['seat']} is asked")
    return found
