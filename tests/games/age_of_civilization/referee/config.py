"""The configuration (RULES 3) and the deal (RULES 4, PROTOCOL 3)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from .data import Data, load_data

Config = dict[str, Any]
DEFAULTS: Config = {
    "players": 2,
    "innovation": False,
    "changing_world": False,
    "draft": False,
    "track": "random",
}
TRACKS = ("random", "first_game")
DEAL_KEYS = ("first", "track", "wonders", "deck", "specials", "events", "packs")
PACK = 7  # cards dealt to a seat in a draft
HAND = 5  # cards of a pack that a seat keeps
EVENTS = 3  # tokens on the last cards of the track
SOLO_PLAGUE = 4  # RULES 4: the fifth card, counted from 0
LAST_ROUND = 6


class ConfigError(ValueError):
    """A configuration that breaks a constraint of RULES 3."""


def _need(condition: bool, field: str, value: Any, allowed: str) -> None:
    if not condition:
        raise ConfigError(f"{field} = {value!r}: allowed {allowed}")


def whole(value: Any, low: int, high: int) -> bool:
    """Is it a whole number low..high?"""
    # AMBIGUOUS: nothing is said of true and false, or of 2.0, in the place of a number; they are refused.
    return type(value) is int and low <= value <= high


def resolve_config(partial: Mapping[str, Any] | None = None) -> Config:
    """All five fields of RULES 3, defaults filled in; unknown fields are refused."""
    given = {} if partial is None else partial
    _need(isinstance(given, Mapping), "config", given, "an object")
    for field in given:
        _need(field in DEFAULTS, field, given[field], f"only the fields {', '.join(DEFAULTS)}")
    # AMBIGUOUS: nothing is said of null in a field; it is no allowed value, so it is refused.
    config = {**DEFAULTS, **given}
    _need(whole(config["players"], 1, 4), "players", config["players"], "1..4")
    for field in ("innovation", "changing_world", "draft"):
        _need(type(config[field]) is bool, field, config[field], "true or false")
    _need(config["track"] in TRACKS, "track", config["track"], " or ".join(TRACKS))
    if config["players"] == 1:
        for field in ("changing_world", "draft", "track"):
            value, default = config[field], DEFAULTS[field]
            _need(value == default, field, value, f"only {default!r} with players = 1")
    return config


def is_solo(config: Mapping[str, Any]) -> bool:
    return bool(config["players"] == 1)


def civilizations_of(config: Mapping[str, Any], data: Data) -> list[int]:
    """The civilizations that the game is played with, ascending."""
    removed = data.solo_removed if is_solo(config) else ()
    return [c for c in data.civilizations if c not in removed]


def deck_size(config: Mapping[str, Any]) -> int:
    """PROTOCOL 3: exactly the cards that can come into play."""
    if config["draft"]:
        return 0
    return 10 if is_solo(config) else 5 + 3 * int(config["players"])


def market_sizes(config: Mapping[str, Any]) -> tuple[int, int]:
    """RULES 4: the wonder market and the special market."""
    return 3 + config["players"], 1 + config["players"] if config["innovation"] else 0


# -------------------------------------------------------------------- the deal


def random_track(config: Mapping[str, Any], rng: random.Random, data: Data) -> list[str]:
    if config["track"] == "first_game":
        return list(data.first_game)
    names = list(data.cards)
    rng.shuffle(names)
    if is_solo(config):
        plague = next(name for name in names if data.cards[name].plague)
        names.remove(plague)
        names.insert(SOLO_PLAGUE, plague)
    return names


def random_deal(
    config: Mapping[str, Any] | None, rng: random.Random, data: Data | None = None
) -> dict[str, Any]:
    """A deal in the form of PROTOCOL 3."""
    data = data or load_data()
    config = resolve_config(config)
    players = config["players"]
    wonders, specials = market_sizes(config)
    civilizations = civilizations_of(config, data)
    rng.shuffle(civilizations)
    packs = None
    if config["draft"]:
        packs = [civilizations[PACK * seat : PACK * (seat + 1)] for seat in range(players)]
    return {
        "first": rng.randrange(players),
        "track": random_track(config, rng, data),
        "wonders": rng.sample(list(data.wonders), wonders),
        "deck": civilizations[: deck_size(config)],
        "specials": rng.sample(data.specials, specials) if config["innovation"] else None,
        "events": rng.sample(list(data.events), EVENTS) if config["changing_world"] else None,
        "packs": packs,
    }


def keys_problems(name: str, value: Any, needed: Iterable[str], more: Iterable[str] = ()) -> list[str]:
    """Is it an object with all the needed keys, perhaps with `more`, and no others?"""
    needed, more = tuple(needed), tuple(more)
    allowed = ", ".join((*needed, *more))
    if not isinstance(value, Mapping):
        return [f"{name} {value!r} is no object with the keys {allowed}"]
    problems = [f"{name}: unknown key {key}; allowed {allowed}" for key in value if key not in needed + more]
    return problems + [f"{name}: the key {key} is missing" for key in needed if key not in value]


def numbers_problems(key: str, value: Any, high: int, length: int | None = None) -> list[str]:
    """Is it a list of different numbers 1..high, with that length if one is given?"""
    if not isinstance(value, list):
        return [f"{key} = {value!r} is no list of numbers 1..{high}"]
    wrong = [item for item in value if not whole(item, 1, high)]
    if wrong:
        return [f"{key} = {value!r}: {item!r} is no number 1..{high}" for item in wrong]
    problems = []
    twice = sorted(item for item, times in Counter(value).items() if times > 1)
    if twice:
        problems.append(f"{key} = {value!r}: {twice} is there more than once")
    if length is not None and len(value) != length:
        problems.append(f"{key} = {value!r}: {len(value)} numbers, not {length}")
    return problems


def track_problems(config: Mapping[str, Any], track: Any, data: Data) -> list[str]:
    """RULES 3 and 4: an order of the eight cards that the configuration allows."""
    names = list(data.cards)
    known = isinstance(track, list) and all(isinstance(name, str) for name in track)
    if not known or sorted(track) != sorted(names):
        return [f"track = {track!r} is no order of the cards {', '.join(names)}"]
    if config["track"] == "first_game" and track != list(data.first_game):
        return [f"track = {track!r}: with track = first_game it is {list(data.first_game)}"]
    if is_solo(config) and not data.cards[track[SOLO_PLAGUE]].plague:
        return [f"track = {track!r}: in solo the Plague is the fifth card"]
    return []


def events_problems(config: Mapping[str, Any], events: Any, data: Data) -> list[str]:
    if not config["changing_world"]:
        return [] if events is None else [f"events = {events!r}: only null without changing_world"]
    return numbers_problems("events", events, len(data.events), EVENTS)


def removed_problems(config: Mapping[str, Any], key: str, value: list[int], data: Data) -> list[str]:
    gone = sorted(set(value) - set(civilizations_of(config, data)))
    return [f"{key}: the civilizations {gone} are removed in solo"] if gone else []


def check_deal(config: Mapping[str, Any] | None, deal: Any, data: Data | None = None) -> list[str]:
    """What is wrong with a deal; an empty list if nothing is."""
    data = data or load_data()
    config = resolve_config(config)
    # AMBIGUOUS: unknown keys are said to be refused in a position only; they are refused in a deal too.
    problems = keys_problems("deal", deal, DEAL_KEYS)
    if problems:
        return problems
    players = config["players"]
    if not whole(deal["first"], 0, players - 1):
        problems.append(f"first = {deal['first']!r} is no seat 0..{players - 1}")
    problems += track_problems(config, deal["track"], data)
    wonders, specials = market_sizes(config)
    problems += numbers_problems("wonders", deal["wonders"], len(data.wonders), wonders)
    in_deck = numbers_problems("deck", deal["deck"], len(data.civilizations), deck_size(config))
    problems += in_deck or removed_problems(config, "deck", deal["deck"], data)
    if config["innovation"]:
        problems += numbers_problems("specials", deal["specials"], len(data.specials), specials)
    elif deal["specials"] is not None:
        problems.append(f"specials = {deal['specials']!r}: only null without innovation")
    problems += events_problems(config, deal["events"], data)
    packs = deal["packs"]
    if not config["draft"]:
        if packs is not None:
            problems.append(f"packs = {packs!r}: only null without draft")
    elif not isinstance(packs, list) or len(packs) != players:
        problems.append(f"packs = {packs!r}: not a list of {players} packs")
    else:
        found = [p for pack in packs for p in numbers_problems("packs", pack, len(data.civilizations), PACK)]
        every = [] if found else [card for pack in packs for card in pack]
        problems += found or numbers_problems("packs", every, len(data.civilizations))
    return problems
