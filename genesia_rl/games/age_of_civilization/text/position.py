"""Explicit positions (PROTOCOL 4): checked against the rules, then written into a state.

A position file is `{"config": {...}, "position": {...}}`. A position is the start of a seat's turn, before step 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from genesia_rl.core.errors import PositionError
from genesia_rl.core.reading import is_int
from genesia_rl.games.age_of_civilization.config import Config
from genesia_rl.games.age_of_civilization.names import (
    CIVILIZATIONS,
    G_INHERITED,
    G_MAIN,
    G_TECHNOLOGY,
    G_WONDER,
    MAX_CIVILIZATIONS,
    MAX_WORKERS,
    PICKS,
    ROUNDS,
    S_CIVILIZATION,
    SPECIALS,
    TECHNOLOGIES,
    WONDERS,
)
from genesia_rl.games.age_of_civilization.state import States
from genesia_rl.games.age_of_civilization.tables import Tables, set_of
from genesia_rl.games.age_of_civilization.text.checks import Checker

NEEDED = (
    "round", "first", "seat", "track", "coins", "points", "workers", "main", "civilizations", "technologies",
    "wonders", "market",
)  # fmt: skip
OPTIONAL = ("deck", "wonder_market", "special_market", "special_cards", "events", "hands")
MOST = 99  # coins, points, and coins on a card

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
    for name in ("coins", "points", "workers"):
        s[name][:n] = whole[name]
    s["round"], s["first"], s["seat"] = whole["round"], whole["first"], whole["seat"]
    s["turn"] = (whole["seat"] - whole["first"]) % n
    s["stage"], s["pick"] = S_CIVILIZATION, PICKS
    s["track"] = Checker(config, "position", PositionError).track(whole["track"])
    s["events"] = whole["events"] or 0
    for seat in range(n):
        s["own"][seat, G_MAIN] = set_of([whole["main"][seat]] if whole["main"][seat] else [])
        s["own"][seat, G_INHERITED] = set_of(whole["civilizations"][seat])
        s["own"][seat, G_TECHNOLOGY] = set_of(whole["technologies"][seat])
        s["own"][seat, G_WONDER] = set_of(whole["wonders"][seat])
        s["special"][seat] = whole["special_cards"][seat] or 0
        s["hand"][seat] = set_of(whole["hands"][seat])
    s["market"] = set_of(card for card, _ in whole["market"])
    for card, coins in whole["market"]:
        s["card_coins"][card - 1] = coins
    s["wonder_market"] = set_of(whole["wonder_market"])
    s["special_market"] = set_of(whole["special_market"])
    s["deck_size"] = len(whole["deck"])
    s["deck"][: len(whole["deck"])] = whole["deck"]
    return whole


# ---------------------------------------------------------------- checking


def check_position(config: Config, position: Mapping[str, Any]) -> Position:
    """PROTOCOL 4: a whole position, or a refusal with the reason."""
    check = Checker(config, "position", PositionError)
    check.keys(position, NEEDED, OPTIONAL)
    whole = {**_defaults(config), **position}
    check.number("round", whole["round"], 1, ROUNDS)
    for name in ("first", "seat"):
        check.number(name, whole[name], 0, config.players - 1)
    check.track(whole["track"])
    for name, most in (("coins", MOST), ("points", MOST), ("workers", MAX_WORKERS)):
        for seat, value in enumerate(check.by_seat(name, whole[name])):
            check.number(f"{name}[{seat}]", value, 0, most)
    _check_specials(check, whole)
    check.events(whole["events"])
    _check_market(check, whole["market"])
    _check_deck(check, whole["deck"])
    _check_hands(check, whole["hands"])
    _check_seats(check, whole)
    _check_places(check, whole)
    _check_market_size(check, whole)
    return {name: whole[name] for name in (*NEEDED, *OPTIONAL)}


def _defaults(config: Config) -> Position:
    """PROTOCOL 4: what a position may leave out."""
    n = config.players
    return {
        "deck": [],
        "wonder_market": [],
        "special_market": [],
        "special_cards": [None] * n,
        "events": None,
        "hands": [[] for _ in range(n)],
    }


def _check_specials(check: Checker, whole: Position) -> None:
    """RULES 9: only with innovation."""
    check.numbers("special_market", whole["special_market"], SPECIALS)
    for seat, number in enumerate(check.by_seat("special_cards", whole["special_cards"])):
        if number is not None and not is_int(number, 1, SPECIALS):
            check.refuse(f"special_cards[{seat}]", number, f"1..{SPECIALS}, or null")
    if not check.config.innovation:
        if whole["special_market"]:
            check.refuse("special_market", whole["special_market"], "[] without innovation")
        if any(whole["special_cards"]):
            check.refuse("special_cards", whole["special_cards"], "null for every seat without innovation")


def _check_market(check: Checker, value: object) -> None:
    """PROTOCOL 4: [civilization, coins on it]."""
    if not isinstance(value, list):
        check.refuse("market", value, "a list of [civilization, coins]")
    for place, item in enumerate(value):
        if not isinstance(item, list) or len(item) != 2:
            check.refuse(f"market[{place}]", item, "[civilization, coins]")
        check.number(f"market[{place}][1]", item[1], 0, MOST)
    check.numbers("market", [item[0] for item in value], CIVILIZATIONS, absent=check.removed())


def _check_deck(check: Checker, value: object) -> None:
    check.numbers("deck", value, CIVILIZATIONS, absent=check.removed())
    if check.config.draft and value:
        check.refuse("deck", value, "[] with draft")


def _check_hands(check: Checker, value: object) -> None:
    for seat, hand in enumerate(check.by_seat("hands", value)):
        cards = check.numbers(f"hands[{seat}]", hand, CIVILIZATIONS)
        if cards and not check.config.draft:
            check.refuse(f"hands[{seat}]", cards, "[] without draft")
        if len(cards) > PICKS:
            check.refuse(f"hands[{seat}]", cards, f"at most {PICKS} cards")


# ---------------------------------------------------------------- what the seats have


def turns_had(config: Config, whole: Position, seat: int) -> int:
    """PROTOCOL 4: how many turns a seat has had."""
    n, first = config.players, whole["first"]
    return int(whole["round"] - 1 + ((seat - first) % n < (whole["seat"] - first) % n))


def _check_seats(check: Checker, whole: Position) -> None:
    for name in ("main", "civilizations", "technologies", "wonders"):
        check.by_seat(name, whole[name])
    for seat in range(check.config.players):
        _check_civilizations(check, whole, seat)
        _check_technologies(check, whole, seat)
        check.numbers(f"wonders[{seat}]", whole["wonders"][seat], WONDERS)
    check.numbers("wonder_market", whole["wonder_market"], WONDERS)


def _check_civilizations(check: Checker, whole: Position, seat: int) -> None:
    """RULES 6: at most three, no more than turns, at least one after the first; the main one is among them."""
    where, value = f"civilizations[{seat}]", whole["civilizations"][seat]
    cards = check.numbers(where, value, CIVILIZATIONS, absent=check.removed())
    turns = turns_had(check.config, whole, seat)
    least, most = min(1, turns), min(MAX_CIVILIZATIONS, turns)
    if not least <= len(cards) <= most:
        check.refuse(where, value, f"{least}..{most} civilizations after {turns} turns")
    main = whole["main"][seat]
    if main is None and cards:
        check.refuse(f"main[{seat}]", main, f"one of {cards}")
    if main is not None and (not is_int(main, 1, CIVILIZATIONS) or main not in cards):
        allowed = f"one of {cards}" if cards else "null without civilizations"
        check.refuse(f"main[{seat}]", main, allowed)


def _check_technologies(check: Checker, whole: Position, seat: int) -> None:
    """RULES 9: on the seat's card, each with a prerequisite."""
    where, value = f"technologies[{seat}]", whole["technologies"][seat]
    found = check.numbers(where, value, TECHNOLOGIES)
    card = check.box.card_of(whole["special_cards"][seat] or 0)
    for place, number in enumerate(found):
        if number not in card:
            check.refuse(f"{where}[{place}]", number, f"what is on the seat's card: {sorted(card)}")
        needed = check.box.prerequisites(number) & card
        if needed and not needed.intersection(found):
            check.refuse(f"{where}[{place}]", number, f"only with one of {sorted(needed)}")


def _check_places(check: Checker, whole: Position) -> None:
    """PROTOCOL 4: nothing is in two places."""
    civilizations = [card for card, _ in whole["market"]] + whole["deck"]
    for name in ("civilizations", "hands"):
        civilizations += [card for cards in whole[name] for card in cards]
    wonders = whole["wonder_market"] + [card for cards in whole["wonders"] for card in cards]
    specials = whole["special_market"] + [card for card in whole["special_cards"] if card]
    for what, cards in (("civilization", civilizations), ("wonder", wonders), ("special card", specials)):
        for card, times in Counter(cards).items():
            if times > 1:
                raise PositionError(f"position: {what} {card} is in {times} places, allowed is one")


def _check_market_size(check: Checker, whole: Position) -> None:
    """PROTOCOL 4: a card for every seat that must let a civilization rise."""
    without = [seat for seat in range(check.config.players) if not whole["civilizations"][seat]]
    if len(whole["market"]) < len(without) and not all(whole["hands"][seat] for seat in without):
        check.refuse(
            "market", whole["market"], f"at least {len(without)} cards, one for each seat without any"
        )
