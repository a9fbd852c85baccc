"""Explicit positions (PROTOCOL 4): checked against the rules, then written into a state.

A position file is `{"config": {...}, "position": {...}}`. `copied` may be left out: then no clan is a marker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from genesia_rl.core.bits import put
from genesia_rl.core.errors import PositionError, TraceError
from genesia_rl.core.reading import is_int, nearest, shown
from genesia_rl.games.genesia.config import AGE_NAMES, Config
from genesia_rl.games.genesia.data.board import Board, homeland
from genesia_rl.games.genesia.data.cards import Data
from genesia_rl.games.genesia.data.decks import objective_pool
from genesia_rl.games.genesia.names import AGES, CITIES, CLANS, HAND, PHASES, POSITION_PHASES
from genesia_rl.games.genesia.state import States
from genesia_rl.games.genesia.tables import Tables
from genesia_rl.games.genesia.text.deal import check_order, check_packs, put_packs

KEYS = ("age", "phase", "turn_order", "coins", "hands", "clans", "cities", "inventions", "copied", "progress",
        "conquests", "objectives", "packs")  # fmt: skip
OPTIONAL = ("copied",)
MAX_COINS = 1_000_000
MAX_POINTS = 10_000

Map = dict[int, list[int]]


def _refuse(where: str, value: object, allowed: str) -> NoReturn:
    raise PositionError(f"position: {where} = {shown(value)}, allowed {allowed}")


def put_position(
    config: Config,
    data: Data,
    board: Board,
    tables: Tables,
    states: States,
    i: int,
    position: Mapping[str, Any],
) -> dict[str, Any]:
    """Write a position into a state; the phase is about to begin, nobody has been asked yet.

    Returns the position with what it left out.
    """
    _check_keys(position)
    n = config.seats
    age, phase = _check_time(config, position)
    position = {"copied": [[] for _ in range(n)], **position}
    order = _as_position_error(check_order, "turn_order", position["turn_order"], config)
    coins = _numbers("coins", position["coins"], n, MAX_COINS)
    hands = _check_hands(position["hands"], data, age, n)
    inventions = _check_inventions(position["inventions"], data, age, n, hands)
    copied = _check_copied(position["copied"], inventions)
    clans, cities = _check_map(position, board, [len(own) for own in copied])
    progress = _check_progress(position["progress"], age, n)
    conquests = _numbers("conquests", position["conquests"], n, MAX_POINTS)
    kept = _check_objectives(position["objectives"], config, data)
    later = range(age, AGES)
    packs = _as_position_error(check_packs, "packs", position["packs"], config, data, later, tables)

    states[i] = tables[0]["start"]
    s = states[i]
    s["age"], s["phase"] = age - 1, PHASES.index(phase)
    s["order"][:n], s["coins"][:n], s["kept"][:n], s["conquests"][:n] = order, coins, kept, conquests
    _put_map(s, clans, cities)
    for seat in range(n):
        put(s["hand"][seat], *hands[seat])
        put(s["inventions"][seat], *inventions[seat])
        put(s["marked"][seat], *copied[seat])
        s["clan_supply"][seat] -= len(copied[seat])
        s["progress"][seat, : age - 1] = progress[seat]
    _put_played(s, inventions, copied)
    put_packs(s, later, packs)
    return position


def _as_position_error(check: Any, *arguments: Any) -> Any:
    """The checks that positions share with deals, as errors of a position."""
    try:
        return check(*arguments)
    except TraceError as error:
        raise PositionError(f"position: {error}") from None


def _check_keys(position: object) -> None:
    if not isinstance(position, Mapping):
        raise PositionError(
            f"position = {shown(position)}, allowed an object with the keys {', '.join(KEYS)}"
        )
    for key in position:
        if key not in KEYS:
            _refuse(f"unknown key {key!r}", position[key], ", ".join(KEYS) + nearest(key, KEYS))
    for key in KEYS:
        if key not in position and key not in OPTIONAL:
            raise PositionError(f"position: the key {key} is missing, allowed {', '.join(KEYS)}")


def _check_time(config: Config, position: Mapping[str, Any]) -> tuple[int, str]:
    age, phase = position["age"], position["phase"]
    if not is_int(age, 1, AGES):
        _refuse("age", age, f"an integer 1..{AGES}")
    phases = tuple(p for p in POSITION_PHASES if not (config.is_solo and p == "attack"))
    if phase not in phases:
        _refuse("phase", phase, " or ".join(phases))
    return age, phase


def _numbers(where: str, value: object, size: int, most: int) -> list[int]:
    if isinstance(value, list) and len(value) == size and all(is_int(x, 0, most) for x in value):
        return value
    _refuse(where, value, f"{size} integers 0..{most}, by seat")


def _lists(where: str, value: object, seats: int) -> list[list[Any]]:
    if isinstance(value, list) and len(value) == seats and all(isinstance(x, list) for x in value):
        return value
    _refuse(where, value, f"{seats} lists, by seat")


# ---------------------------------------------------------------- cards


def _check_hands(value: object, data: Data, age: int, seats: int) -> list[list[int]]:
    hands = _lists("hands", value, seats)
    for seat, hand in enumerate(hands):
        if len(hand) > HAND:
            _refuse(f"hand of seat {seat}", hand, f"at most {HAND} cards")
        for card in hand:
            if not is_int(card, 1, 99) or card not in data.cards:
                _refuse(f"card in the hand of seat {seat}", card, "the number of a card")
            if data.cards[card].age != age:
                _refuse(f"card in the hand of seat {seat}", card, f"cards of Age {AGE_NAMES[age - 1]}")
    _check_once([card for hand in hands for card in hand])
    return hands


def _check_once(cards: list[int]) -> None:
    for card, times in Counter(cards).items():
        if times > 1:
            raise PositionError(f"position: card {card} is in {times} places, allowed is one")


def _check_inventions(
    value: object, data: Data, age: int, seats: int, hands: list[list[int]]
) -> list[list[int]]:
    """Several seats may have one Invention, as copies exist; but it is not in a hand as well."""
    inventions = _lists("inventions", value, seats)
    for seat, own in enumerate(inventions):
        where = f"Invention of seat {seat}"
        for card in own:
            if not is_int(card, 1, 99) or card not in data.cards or not data.cards[card].invention:
                _refuse(where, card, "the number of an Invention")
            if data.cards[card].age > age:
                _refuse(where, card, f"Inventions of Age {AGE_NAMES[age - 1]} or earlier")
        _check_once(own)
    played = {card for own in inventions for card in own}
    _check_once([*played, *(card for hand in hands for card in hand)])
    return inventions


def _check_copied(value: object, inventions: list[list[int]]) -> list[list[int]]:
    """RULES 7: those of a seat's Inventions that are marked with one of its clans."""
    copied = _lists("copied", value, len(inventions))
    for seat, own in enumerate(copied):
        for card in own:
            if isinstance(card, bool) or card not in inventions[seat] or own.count(card) > 1:
                allowed = f"its Inventions {shown(inventions[seat])}, each once"
                _refuse(f"card copied by seat {seat}", card, allowed)
    return copied


def _check_progress(value: object, age: int, seats: int) -> list[list[int]]:
    progress = _lists("progress", value, seats)
    for seat, points in enumerate(progress):
        _numbers(f"progress of seat {seat}", points, age - 1, MAX_POINTS)
    return progress


def _check_objectives(value: object, config: Config, data: Data) -> list[int]:
    """The kept numbers by seat, 0 for null."""
    pool = objective_pool(config, data) if config.objectives else ()
    allowed = f"null or one of {list(pool)} by seat, each kept once" if pool else "null by seat"
    if not isinstance(value, list) or len(value) != config.seats:
        _refuse("objectives", value, allowed)
    kept = [number for number in value if number is not None]
    if any(not is_int(number, 1, 99) or number not in pool for number in kept) or len(set(kept)) < len(kept):
        _refuse("objectives", value, allowed)
    return [number or 0 for number in value]


# ---------------------------------------------------------------- the map


def _regions(where: str, value: object, board: Board) -> dict[int, Any]:
    if not isinstance(value, Mapping):
        _refuse(where, value, "an object from regions to lists")
    last = len(board.values) - 1
    found = {}
    for key, entry in value.items():
        if not isinstance(key, str) or not key.isdecimal() or int(key) > last or str(int(key)) != key:
            _refuse(f"region in {where}", key, f'"0".."{last}"')
        found[int(key)] = entry
    return found


def _check_map(position: Mapping[str, Any], board: Board, markers: list[int]) -> tuple[Map, Map]:
    """Clans and cities by region; `markers` are the clans of each seat that mark Inventions."""
    seats = len(markers)
    clans: Map = {}
    for region, by_seat in _regions("clans", position["clans"], board).items():
        clans[region] = _numbers(f"clans in region {region}", by_seat, seats, CLANS)
    cities: Map = {}
    for region, owners in _regions("cities", position["cities"], board).items():
        good = isinstance(owners, list) and all(is_int(seat, 0, seats - 1) for seat in owners)
        if not good or len(set(owners)) < len(owners):
            _refuse(f"cities in region {region}", owners, f"different seats 0..{seats - 1}")
        cities[region] = owners
    for seat in range(seats):
        on_map = sum(by_seat[seat] for by_seat in clans.values())
        _check_pieces("clans", seat, "on the map and as markers", on_map + markers[seat], CLANS)
        built = sum(seat in owners for owners in cities.values())
        _check_pieces("cities", seat, "on the map", built, CITIES)
    _check_presence(clans, cities, {homeland(seat) for seat in range(board.continents)}, seats)
    return clans, cities


def _check_pieces(what: str, seat: int, where: str, number: int, most: int) -> None:
    if number > most:
        _refuse(f"{what} of seat {seat} {where}", number, f"at most {most}")


def _check_presence(clans: Map, cities: Map, homelands: set[int], seats: int) -> None:
    """RULES 1: only homelands can be occupied by several players at once."""
    for region in sorted({*clans, *cities} - homelands):
        by_seat = clans.get(region, [0] * seats)
        present = [seat for seat in range(seats) if by_seat[seat] or seat in cities.get(region, [])]
        if len(present) > 1:
            raise PositionError(
                f"position: region {region} is occupied by seats {present}, allowed is one outside homelands"
            )


def _put_map(s: np.void, clans: Map, cities: Map) -> None:
    for region, by_seat in clans.items():
        for seat, number in enumerate(by_seat):
            if number:
                s["clans"][seat, region] = number
                s["clan_supply"][seat] -= number
                put(s["clan_regions"][seat], region)
                put(s["occupied"][seat], region)
    for region, owners in cities.items():
        for seat in owners:
            s["city_supply"][seat] -= 1
            put(s["city_regions"][seat], region)
            put(s["occupied"][seat], region)


def _put_played(s: np.void, inventions: list[list[int]], copied: list[list[int]]) -> None:
    """Of the seats with an unmarked Invention the first counts as having played it, the others as copiers."""
    seen: set[int] = set()
    for seat, own in enumerate(inventions):
        played = set(own) - set(copied[seat]) - seen
        put(s["played"][seat], *played)
        seen |= played
