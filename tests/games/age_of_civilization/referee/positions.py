"""Positions (PROTOCOL 4): what makes one valid, and random ones, dense and varied."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .config import (
    EVENTS,
    HAND,
    LAST_ROUND,
    civilizations_of,
    events_problems,
    keys_problems,
    random_track,
    removed_problems,
    resolve_config,
    track_problems,
    whole,
)
from .data import Data, load_data
from .state import MOST_WORKERS
from .technologies import on_card, reachable
from .turn import MOST_CIVILIZATIONS

NEEDED = (
    "round",
    "first",
    "seat",
    "track",
    "coins",
    "points",
    "workers",
    "main",
    "civilizations",
    "technologies",
    "wonders",
    "market",
)
MOST_COINS = MOST_POINTS = 99

# -------------------------------------------------------------------- the form


def defaults(players: int) -> dict[str, Any]:
    """The keys that may be left out."""
    # AMBIGUOUS: for special_cards and hands PROTOCOL 4 shows patterns: nobody has any.
    return {
        "deck": [],
        "wonder_market": [],
        "special_market": [],
        "special_cards": [None] * players,
        "events": None,
        "hands": [[] for _ in range(players)],
    }


def full_position(config: Mapping[str, Any], position: Mapping[str, Any]) -> dict[str, Any]:
    """With the keys that were left out."""
    return {**position, **{k: v for k, v in defaults(config["players"]).items() if k not in position}}


def turns_had(players: int, position: Mapping[str, Any]) -> list[int]:
    """By seat: seats from `first` clockwise up to before `seat` have had their turn in this round."""
    first, now = position["first"], position["seat"]
    done = {(first + i) % players for i in range((now - first) % players)}
    return [position["round"] - 1 + (seat in done) for seat in range(players)]


# -------------------------------------------------------------------- valid positions


def check_position(config: Mapping[str, Any] | None, position: Any, data: Data | None = None) -> list[str]:
    """What is wrong with a position; an empty list if nothing is."""
    data = data or load_data()
    config = resolve_config(config)
    players = config["players"]
    problems = keys_problems("position", position, NEEDED, defaults(players))
    if problems:
        return problems
    full = full_position(config, position)
    problems = _range_problems(players, full, data)
    if problems:
        return problems
    problems += track_problems(config, full["track"], data)
    problems += events_problems(config, full["events"], data)
    problems += _place_problems(config, full, data)
    problems += _variant_problems(config, full)
    problems += _civilization_problems(players, full)
    problems += _technology_problems(players, full, data)
    return problems


def _range_problems(players: int, full: Mapping[str, Any], data: Data) -> list[str]:
    """The shape of everything but the track and the events, and numbers outside their range."""
    civilization, wonder = (1, len(data.civilizations)), (1, len(data.wonders))
    special = (1, len(data.specials))
    problems = []
    for key, low, high in (("round", 1, LAST_ROUND), ("first", 0, players - 1), ("seat", 0, players - 1)):
        if not whole(full[key], low, high):
            problems.append(f"{key} = {full[key]!r}: allowed {low}..{high}")

    def by_seat(key: str) -> list[Any]:
        if isinstance(full[key], list) and len(full[key]) == players:
            return list(enumerate(full[key]))
        problems.append(f"{key} = {full[key]!r}: allowed a list of {players} entries, one for each seat")
        return []

    def numbers(key: str, value: Any, low: int, high: int) -> None:
        if not isinstance(value, list):
            problems.append(f"{key} = {value!r}: allowed a list")
            return
        for item in value:
            if not whole(item, low, high):
                problems.append(f"{key} = {value!r}: {item!r} is not {low}..{high}")

    for key, high in (("coins", MOST_COINS), ("points", MOST_POINTS), ("workers", MOST_WORKERS)):
        for seat, value in by_seat(key):
            if not whole(value, 0, high):
                problems.append(f"{key}[{seat}] = {value!r}: allowed 0..{high}")
    for key, (low, high) in (("main", civilization), ("special_cards", special)):
        for seat, value in by_seat(key):
            if value is not None and not whole(value, low, high):
                problems.append(f"{key}[{seat}] = {value!r}: allowed {low}..{high} or null")
    technology = (1, len(data.technologies))
    owned = (("civilizations", civilization), ("technologies", technology), ("wonders", wonder))
    for key, (low, high) in (*owned, ("hands", civilization)):
        for seat, value in by_seat(key):
            numbers(f"{key}[{seat}]", value, low, high)
    for key, (low, high) in (("deck", civilization), ("wonder_market", wonder), ("special_market", special)):
        numbers(key, full[key], low, high)
    market = full["market"]
    if not isinstance(market, list):
        return [*problems, f"market = {market!r}: allowed a list of [civilization, coins]"]
    for entry in market:
        fine = isinstance(entry, list) and len(entry) == 2 and whole(entry[0], *civilization)
        if not fine or not whole(entry[1], 0, MOST_COINS):
            problems.append(f"market: {entry!r}: allowed [1..{civilization[1]}, 0..{MOST_COINS}]")
    return problems


def _place_problems(config: Mapping[str, Any], full: Mapping[str, Any], data: Data) -> list[str]:
    """A card in two places; civilizations that are not in the game."""

    def flat(key: str) -> list[Any]:
        return [item for items in full[key] for item in items]

    civilizations = [card for card, _ in full["market"]] + full["deck"]
    civilizations += flat("civilizations") + flat("hands")
    wonders = full["wonder_market"] + flat("wonders")
    specials = full["special_market"] + [special for special in full["special_cards"] if special is not None]
    problems = []
    for what, cards in (("civilization", civilizations), ("wonder", wonders), ("special card", specials)):
        twice = sorted(card for card, times in Counter(cards).items() if times > 1)
        problems += [f"{what} {card} is in two places" for card in twice]
    return problems + removed_problems(config, "position", civilizations, data)


def _variant_problems(config: Mapping[str, Any], full: Mapping[str, Any]) -> list[str]:
    problems = []
    # AMBIGUOUS: "special cards without innovation": both in the special market and with the seats.
    if not config["innovation"]:
        if full["special_market"]:
            problems.append(f"special_market = {full['special_market']}: only [] without innovation")
        if any(special is not None for special in full["special_cards"]):
            problems.append(f"special_cards = {full['special_cards']}: only null without innovation")
    if config["draft"]:
        if full["deck"]:
            problems.append(f"deck = {full['deck']}: only [] with draft")
        for seat, hand in enumerate(full["hands"]):
            if len(hand) > HAND:
                problems.append(f"hands[{seat}] = {hand}: more than {HAND} cards")
    elif any(full["hands"]):
        problems.append(f"hands = {full['hands']}: only empty hands without draft")
    return problems


def _civilization_problems(players: int, full: Mapping[str, Any]) -> list[str]:
    problems = []
    without = []
    for seat, turns in enumerate(turns_had(players, full)):
        own, main = full["civilizations"][seat], full["main"][seat]
        most = min(MOST_CIVILIZATIONS, turns)
        if len(own) > most:
            problems.append(f"civilizations[{seat}] = {own}: at most {most} after {turns} turns")
        if not own and turns > 0:
            problems.append(f"civilizations[{seat}] = []: at least one after {turns} turns")
        if not own:
            without.append(seat)
        if (main is None) != (not own) or (main is not None and main not in own):
            problems.append(f"main[{seat}] = {main}: allowed one of {own}, null if the seat has none")
    market = len(full["market"])
    if market < len(without) and not all(full["hands"][seat] for seat in without):
        problems.append(f"market: {market} cards, but the seats {without} have no civilization")
    return problems


def _technology_problems(players: int, full: Mapping[str, Any], data: Data) -> list[str]:
    problems = []
    for seat in range(players):
        own = full["technologies"][seat]
        card = on_card(data, full["special_cards"][seat])
        for technology, times in sorted(Counter(own).items()):
            where = f"technologies[{seat}]: {technology}"
            if times > 1:
                problems.append(f"{where} is listed twice")
            if technology not in card:
                problems.append(f"{where} is not on the seat's card {card}")
            elif not reachable(data, technology, own):
                problems.append(f"{where} lacks a prerequisite")
    return problems


# -------------------------------------------------------------------- random positions


def random_position(
    config: Mapping[str, Any] | None, rng: random.Random, data: Data | None = None
) -> dict[str, Any]:
    """A valid position of any round: poor to rich, markets and decks from empty to large."""
    data = data or load_data()
    config = resolve_config(config)
    players = config["players"]
    full: dict[str, Any] = {
        "round": rng.choice([1, 2, 2, 3, 3, 4, 4, 5, 5, 6]),
        "first": rng.randrange(players),
        "seat": rng.randrange(players),
        "track": random_track(config, rng, data),
    }
    turns = turns_had(players, full)
    full["coins"] = _amounts(players, rng, [0, 1, 3, 7, 15, 40, MOST_COINS])
    full["points"] = _amounts(players, rng, [0, 2, 8, 20, 35, MOST_POINTS])
    full["workers"] = _amounts(players, rng, [0, 1, 2, MOST_WORKERS])
    civilizations = civilizations_of(config, data)
    rng.shuffle(civilizations)
    own = []
    for had in turns:
        number = rng.randint(1, min(MOST_CIVILIZATIONS, had)) if had else 0
        own.append([civilizations.pop() for _ in range(number)])
    full["main"] = [rng.choice(cards) if cards else None for cards in own]
    full["civilizations"] = [sorted(cards) for cards in own]
    specials = rng.sample(data.specials, len(data.specials)) if config["innovation"] else []
    cards = [specials.pop() if specials and rng.random() < 0.6 else None for _ in range(players)]
    style = rng.choice([(0, 0), (0, 4), (0, 9), (6, 9), (9, 9)])
    full["technologies"] = [random_technologies(data, card, rng.randint(*style), rng) for card in cards]
    wonders = rng.sample(list(data.wonders), len(data.wonders))
    most = rng.choice([0, 1, 2, 4])
    full["wonders"] = [sorted(wonders.pop() for _ in range(rng.randint(0, most)) if wonders) for _ in turns]
    hands: list[list[int]] = [[] for _ in turns]
    if config["draft"]:
        size = rng.choice([1, 3, HAND])
        hands = [[civilizations.pop() for _ in range(rng.randint(0, size))] for _ in turns]
    without = [seat for seat, cards in enumerate(own) if not cards]
    low = 0 if all(hands[seat] for seat in without) else len(without)
    market = rng.choice([low, max(low, 1), max(low, 5), max(low, 12)])
    most = rng.choice([0, 0, 2, 6, MOST_COINS])
    full["market"] = [[civilizations.pop(), rng.randint(0, most)] for _ in range(market)]
    deck = 0 if config["draft"] else rng.choice([0, 1, 5, 12])
    full["deck"] = [civilizations.pop() for _ in range(deck)]
    full["wonder_market"] = sorted(wonders[: rng.choice([0, 1, 4, 7])])
    full["special_market"] = sorted(specials[: rng.choice([0, 1, 3, 9])])
    full["special_cards"] = cards
    full["events"] = rng.sample(list(data.events), EVENTS) if config["changing_world"] else None
    full["hands"] = hands
    if rng.random() < 0.3:  # what stands at its default may be left out
        return {k: v for k, v in full.items() if v != defaults(players).get(k, ...)}
    return full


def _amounts(players: int, rng: random.Random, tops: list[int]) -> list[int]:
    """Sometimes all the same, so that seats are tied."""
    top = rng.choice(tops)
    if rng.random() < 0.2:
        return [rng.randint(0, top)] * players
    return [rng.randint(0, top) for _ in range(players)]


def random_technologies(data: Data, special: int | None, number: int, rng: random.Random) -> list[int]:
    """So many of the seat's card, gained one after the other."""
    own: list[int] = []
    for _ in range(number):
        options = [t for t in on_card(data, special) if t not in own and reachable(data, t, own)]
        own.append(rng.choice(options))
    return sorted(own)
