"""Explicit positions (PROTOCOL 4): checked against the rules, then written into a state.

A position file is `{"config": {...}, "position": {...}}`. A position is the beginning of an Apogee, of a Decline or of
the final scoring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from genesia_rl.core.errors import PositionError
from genesia_rl.core.reading import is_int, nearest
from genesia_rl.games.gentes.config import Config
from genesia_rl.games.gentes.names import (
    CARDS,
    CITIES,
    CONDITIONS,
    ERAS,
    MAX_POINTS,
    NUM_TYPES,
    ROUNDS,
    ROUNDS_OF_ERA,
    S_BEGIN,
    S_DECLINE,
    S_FINAL,
    SLOTS,
    TYPES,
)
from genesia_rl.games.gentes.state import States
from genesia_rl.games.gentes.tables import Tables, set_of
from genesia_rl.games.gentes.text.checks import Checker

PHASES = {"apogee": S_BEGIN, "decline": S_DECLINE, "scoring": S_FINAL}
NEEDED = ("round", "phase")
BY_SEAT = ("coins", "temple", "oracle", "singles", "doubles", "locks")
OPTIONAL = (
    "first", "next_first", *BY_SEAT, "citizens", "hands", "played", "cities", "homes", "recruit", "display", "deck",
    "discard", "later", "marked", "marked_type", "bonus", "points",
)  # fmt: skip
FIRST_PARTS = 3  # parts of a score before the final scoring

Position = dict[str, Any]


def put_position(
    config: Config, tables: Tables, states: States, i: int, position: Mapping[str, Any]
) -> Position:
    """Write a position into a state; what follows from it, the rules work out.

    Returns the position with all that it may leave out.
    """
    whole = check_position(config, position)
    states[i] = tables[0]["start"]
    s, n = states[i], config.players
    s["round"], s["first"] = whole["round"], whole["first"]
    s["era"] = era_of(whole) - 1
    s["next_first"] = 0 if whole["next_first"] is None else whole["next_first"] + 1
    s["stage"] = PHASES[whole["phase"]]
    s["seat"] = s["first"]
    for name in (*BY_SEAT, "citizens"):
        s[name][:n] = whole[name]
    s["points"][:n, :FIRST_PARTS] = whole["points"]
    for seat in range(n):
        s["hand"][seat] = set_of(whole["hands"][seat])
        s["played"][seat] = set_of(whole["played"][seat])
        s["tokens"][seat] = set_of(_tokens(whole, seat))
    s["recruit"] = [TYPES.index(name) for name in whole["recruit"]]
    s["display"][: len(whole["display"])] = whole["display"]
    s["discard"] = set_of(whole["discard"])
    s["marked"] = set_of(whole["marked"])
    s["marked_type"] = 0 if whole["marked_type"] is None else TYPES.index(whole["marked_type"]) + 1
    for place, condition in enumerate(CONDITIONS):
        seats = whole["bonus"][condition]
        s["bonus"][place][: len(seats)] = [seat + 1 for seat in seats]
    _put_decks(s, tables, whole)
    return whole


def _tokens(whole: Position, seat: int) -> list[int]:
    """The places where a seat has tokens, numbered as in a state."""
    cities = [int(place) for place, owner in whole["cities"].items() if owner == seat]
    return cities + [CITIES + int(place) for place, owner in whole["homes"].items() if owner == seat]


def _put_decks(s: Any, tables: Tables, whole: Position) -> None:
    """The decks, each at its place; none of their cards is boxed unseen."""
    start = tables[0]["era_start"]
    decks = [[]] * (era_of(whole) - 1) + [whole["deck"], *whole["later"]]
    for era, deck in enumerate(decks):
        s["deck"][start[era] : start[era] + len(deck)] = deck
    s["unseen"] = set_of(card for deck in decks for card in deck)
    s["next"] = start[s["era"]]
    s["boxed"] = 0


# ---------------------------------------------------------------- checking


def era_of(whole: Position) -> int:
    """The era of a position's round, from 1 on."""
    return int((whole["round"] - 1) // ROUNDS_OF_ERA + 1)


def check_position(config: Config, position: Mapping[str, Any]) -> Position:
    """PROTOCOL 4: a whole position, or a refusal with the reason."""
    check = Checker(config, "position", PositionError)
    check.keys(position, NEEDED, OPTIONAL)
    check.number("round", position["round"], 1, ROUNDS)
    _check_phase(check, position)
    whole = {**_defaults(config, era_of(dict(position))), **position}
    check.number("first", whole["first"], 0, config.players - 1)
    _check_next_first(check, whole)
    _check_numbers(check, whole)
    _check_tracks(check, whole)
    _check_citizens(check, whole)
    _check_tokens(check, whole)
    check.recruit(whole["recruit"])
    _check_cards(check, whole)
    _check_marks(check, whole)
    _check_bonus(check, whole)
    return {name: whole[name] for name in (*NEEDED, *OPTIONAL)}


def _defaults(config: Config, era: int) -> Position:
    """PROTOCOL 4: what a position may leave out."""
    n = config.players
    return {
        "first": 0,
        "next_first": None,
        **{name: [0] * n for name in BY_SEAT},
        "citizens": [[0] * NUM_TYPES for _ in range(n)],
        "hands": [[] for _ in range(n)],
        "played": [[] for _ in range(n)],
        "cities": {},
        "homes": {},
        "recruit": list(TYPES),
        "display": [],
        "deck": [],
        "discard": [],
        "later": [[] for _ in range(ERAS - era)],
        "marked": [],
        "marked_type": None,
        "bonus": {condition: [] for condition in CONDITIONS},
        "points": [[0] * FIRST_PARTS for _ in range(n)],
    }


def _check_phase(check: Checker, position: Mapping[str, Any]) -> None:
    phase = position["phase"]
    if not isinstance(phase, str) or phase not in PHASES:
        check.refuse("phase", phase, ", ".join(PHASES) + nearest(phase, PHASES))
    if phase == "scoring" and position["round"] != ROUNDS:
        check.refuse("phase", phase, f"scoring in round {ROUNDS} only")


def _check_next_first(check: Checker, whole: Position) -> None:
    value = whole["next_first"]
    if value is None:
        return
    check.number("next_first", value, 0, check.config.players - 1)
    if whole["phase"] != "decline":
        check.refuse("next_first", value, "null but in the decline")


def _check_numbers(check: Checker, whole: Position) -> None:
    """Coins, points and cubes."""
    n, slots = check.config.players, check.box.board.game["cube_slots"]
    check.numbers("coins", whole["coins"], n, 0, MAX_POINTS)
    for name in ("temple", "oracle"):
        check.numbers(name, whole[name], n, 0, slots)
    for seat, points in enumerate(check.by_seat("points", whole["points"])):
        check.numbers(f"points[{seat}]", points, FIRST_PARTS, 0, MAX_POINTS)


def _check_tracks(check: Checker, whole: Position) -> None:
    """No more locks than there are, and all within the track."""
    n, track = check.config.players, check.box.board.track
    spaces = track["spaces"]
    for name, most in (("singles", spaces), ("doubles", spaces), ("locks", track["locks"])):
        check.numbers(name, whole[name], n, 0, most)
    for seat in range(n):
        used = [whole[name][seat] for name in ("singles", "doubles", "locks")]
        if sum(used) > spaces:
            check.refuse(f"singles, doubles, locks of seat {seat}", used, f"{spaces} spaces together")


def _check_citizens(check: Checker, whole: Position) -> None:
    """RULES 4: a pair of opposite types within its room."""
    board = check.box.board
    for seat, value in enumerate(check.by_seat("citizens", whole["citizens"])):
        found = check.numbers(f"citizens[{seat}]", value, NUM_TYPES, 0, board.room)
        for a, b in board.pairs:
            if found[TYPES.index(a)] + found[TYPES.index(b)] > board.room:
                check.refuse(f"citizens[{seat}]", value, f"{a} and {b} together at most {board.room}")


def _check_tokens(check: Checker, whole: Position) -> None:
    """Places of this side of the board, and no seat with more tokens than it has."""
    board, n = check.box.board, check.config.players
    homes = [str(home.number) for home in board.homes if board.symbols(home, n)]
    for name, places in (("cities", [str(k) for k in range(1, CITIES + 1)]), ("homes", homes)):
        found = whole[name]
        if not isinstance(found, Mapping):
            check.refuse(name, found, "a table of places and seats")
        for place, seat in found.items():
            if place not in places:
                check.refuse(name, place, f"the places {', '.join(places)}")
            check.number(f"{name}[{place}]", seat, 0, n - 1)
    most = board.game["tokens"]
    for seat in range(n):
        number = len(_tokens(whole, seat))
        if number > most:
            check.refuse("cities and homes", f"{number} tokens of seat {seat}", f"at most {most}")


# ---------------------------------------------------------------- cards


def _check_cards(check: Checker, whole: Position) -> None:
    """PROTOCOL 4: known cards, none in two places, none of a later era, decks and display of their own."""
    era = era_of(whole)
    so_far = [card.number for card in check.box.cards if card.era <= era]
    for name in ("hands", "played"):
        for seat, value in enumerate(check.by_seat(name, whole[name])):
            check.cards(f"{name}[{seat}]", value, so_far)
    check.cards("discard", whole["discard"], so_far)
    for name in ("display", "deck"):
        check.cards(name, whole[name], check.box.era(era))
    later = whole["later"]
    if not isinstance(later, list) or len(later) != ERAS - era:
        check.refuse("later", later, f"a list of {ERAS - era} decks")
    for place, deck in enumerate(later):
        check.cards(f"later[{place}]", deck, check.box.era(era + place + 1))
    _check_display(check, whole)
    seen: dict[int, str] = {}
    for where, card in _all_cards(whole):
        if card in seen:
            check.refuse(where, card, f"no card that is in {seen[card]} as well")
        seen[card] = where


def _check_display(check: Checker, whole: Position) -> None:
    """The display is full unless the deck is empty."""
    size = len(whole["display"])
    if size > SLOTS or (size < SLOTS and whole["deck"]):
        check.refuse("display", whole["display"], f"{SLOTS} cards, or fewer when the deck is empty")


def _all_cards(whole: Position) -> Iterator[tuple[str, int]]:
    """Every card with where it is."""
    for name in ("hands", "played", "later"):
        for place, cards in enumerate(whole[name]):
            yield from ((f"{name}[{place}]", card) for card in cards)
    for name in ("display", "deck", "discard"):
        yield from ((name, card) for card in whole[name])


def _check_marks(check: Checker, whole: Position) -> None:
    """Cards of the display in the decline of one or two players; a type in that of the solo game."""
    config, in_decline = check.config, whole["phase"] == "decline"
    marked = check.cards("marked", whole["marked"], range(1, CARDS + 1))
    for card in marked:
        if card not in whole["display"]:
            check.refuse("marked", card, "cards of the display")
    if marked and not (in_decline and config.is_small):
        check.refuse("marked", marked, "[] but in the decline with one or two players")
    kind = whole["marked_type"]
    if kind is None:
        return
    if not isinstance(kind, str) or kind not in TYPES:
        check.refuse("marked_type", kind, f"null or one of {', '.join(TYPES)}" + nearest(kind, TYPES))
    if not (in_decline and config.is_solo):
        check.refuse("marked_type", kind, "null but in the decline of the solo game")


def _check_bonus(check: Checker, whole: Position) -> None:
    """All three lists, each with different seats."""
    found = whole["bonus"]
    if not isinstance(found, Mapping) or sorted(map(str, found)) != sorted(CONDITIONS):
        check.refuse("bonus", found, f"a table of {', '.join(CONDITIONS)}")
    for condition in CONDITIONS:
        seats = found[condition]
        good = isinstance(seats, list) and all(is_int(seat, 0, check.config.players - 1) for seat in seats)
        if not good or len(set(seats)) < len(seats):
            check.refuse(f"bonus.{condition}", seats, "different seats")
