"""A position as readable text: the map, the seats, their cards, and what is being asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.bits import members
from genesia_rl.games.genesia.data.board import centre, inland, seven, twelve
from genesia_rl.games.genesia.names import PHASES, STANCES, STEP_STANCE
from genesia_rl.games.genesia.state import States

if TYPE_CHECKING:
    from genesia_rl.games.genesia.game import GenesiaGame

LETTERS = "ABCDE"
AGE_WORDS = ("I", "II", "III")


def draw(game: GenesiaGame, states: States, i: int) -> str:
    """The whole position; seats are the letters A, B, ..., a number is clans and `*` a city."""
    s = states[i]
    lines = [_headline(game, s), ""]
    for seat in range(game.config.continents):
        lines += _continent(game, s, seat)
    lines += _island(game, s)
    lines += [_seat_line(game, s, seat) for seat in range(game.num_seats)]
    if not s["over"]:
        legal = game.texts(game.legal_actions(states, i))
        lines += [
            "",
            f"{LETTERS[s['seat']]} (seat {s['seat']}) decides: {game.kind(states, i)}",
            "  " + " ".join(legal),
        ]
    return "\n".join(lines)


def _headline(game: GenesiaGame, s: np.void) -> str:
    order = " ".join(LETTERS[seat] for seat in s["order"][: game.num_seats])
    return f"Age {AGE_WORDS[s['age']]}, {PHASES[s['phase']]}; turn order {order}; decision {s['steps']}"


def _cell(game: GenesiaGame, s: np.void, region: int) -> str:
    """`17:B3*`: region 17 holds three clans and a city of B."""
    held = []
    for seat in range(game.num_seats):
        clans = int(s["clans"][seat, region])
        city = "*" if region in members(s["city_regions"][seat]) else ""
        if clans or city:
            held.append(f"{LETTERS[seat]}{clans or ''}{city}")
    return f"{region}:{'+'.join(held) or '.'}"


def _row(game: GenesiaGame, s: np.void, title: str, regions: list[int]) -> str:
    return f"  {title:<9}" + "".join(f"{_cell(game, s, region):<12}" for region in regions).rstrip()


def _continent(game: GenesiaGame, s: np.void, seat: int) -> list[str]:
    lines = [f"continent of {LETTERS[seat]}", _row(game, s, "homeland", [inland(seat, 1, 0) - 1])]
    for value in range(1, 6):
        lines.append(_row(game, s, f"ring {value}", [inland(seat, value, column) for column in range(3)]))
    return lines


def _island(game: GenesiaGame, s: np.void) -> list[str]:
    n = game.config.continents
    return [
        "inner island",
        _row(game, s, "sevens", [seven(k, n) for k in range(2 * n)]),
        _row(game, s, "twelves", [twelve(k, n) for k in range(n)]),
        _row(game, s, "centre", [centre(n)]),
        "",
    ]


def _seat_line(game: GenesiaGame, s: np.void, seat: int) -> str:
    hand = " ".join(map(str, members(s["hand"][seat]))) or "-"
    inventions = " ".join(map(str, members(s["inventions"][seat]))) or "-"
    progress = "+".join(map(str, s["progress"][seat].tolist()))
    line = (
        f"{LETTERS[seat]}: {s['coins'][seat]} coins, supply {s['clan_supply'][seat]} clans "
        f"{s['city_supply'][seat]} cities, hand {hand}, Inventions {inventions}, progress {progress}, "
        f"{s['conquests'][seat]} conquests"
    )
    if s["kept"][seat]:
        line += f", objective {s['kept'][seat]}"
    if marked := members(s["marked"][seat]):
        line += f", clans on {' '.join(map(str, marked))}"
    if s["free_moves"][seat]:
        line += f", {s['free_moves'][seat]} free moves"
    if s["attack_step"] != STEP_STANCE and s["stance"][seat]:
        line += f", {STANCES[s['stance'][seat]]}"
    if s["spent"][seat]:
        line += ", spent"
    return line
