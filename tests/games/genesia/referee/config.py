"""The configuration (RULES 3), the decks and the deal (RULES 4, 10)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any

from .data import SOLO_REMOVED, Data, load_data
from .meaning import COLOURS
from .shapes import shape_problems

AGES = (1, 2, 3)
SOLO_LEVELS = tuple(SOLO_REMOVED)
POOLS = ("lots", "all")
DEFAULTS: dict[str, Any] = {
    "players": 2,
    "lots": None,
    "decks": None,
    "promos": False,
    "objectives": True,
    "extra_objectives": False,
    "objective_pool": "lots",
    "attack_recruiting": False,
    "teams": None,
    "solo_level": "beginner",
}


class ConfigError(ValueError):
    """A configuration that breaks a constraint of RULES 3."""


def _need(condition: bool, field: str, value: Any, allowed: str) -> None:
    if not condition:
        raise ConfigError(f"{field} = {value!r}: allowed {allowed}")


def is_solo(config: Mapping[str, Any]) -> bool:
    return bool(config["players"] == 1)


def seats_of(config: Mapping[str, Any]) -> int:
    """The number of seats; in the solo mode the two tribes."""
    return 2 if is_solo(config) else config["players"]


def resolve_config(partial: Mapping[str, Any] | None = None, data: Data | None = None) -> dict[str, Any]:
    """Every field of RULES 3, defaults filled in; null means the default, an unknown field is refused."""
    config = dict(DEFAULTS)
    for field, value in (partial or {}).items():
        _need(field in DEFAULTS, field, value, f"no such field, but {', '.join(DEFAULTS)}")
        config[field] = DEFAULTS[field] if value is None else value
    players = config["players"]
    _need(type(players) is int and 1 <= players <= 5, "players", players, "1..5")
    for field in ("promos", "objectives", "attack_recruiting"):
        _need(type(config[field]) is bool, field, config[field], "true, false")
    for field, words in (("solo_level", SOLO_LEVELS), ("objective_pool", POOLS)):
        _need(config[field] in words, field, config[field], ", ".join(words))
    data = data or load_data()
    _check_extra(config["extra_objectives"], data)
    if players == 1:
        return _resolve_solo(config)
    _resolve_decks(config, players, data)
    if config["teams"] is not None:
        _check_teams(config["teams"], players)
    _check_objectives(config, players, data)
    return config


def _resolve_solo(config: dict[str, Any]) -> dict[str, Any]:
    """RULES 3: objectives resolve to false, lots to blue and yellow; all else is at its default."""
    # AMBIGUOUS: `lots` and `objectives` may stand at their default or as they resolve: a trace has the latter.
    lots = [["blue", "yellow"] for _ in AGES]
    _need(config["lots"] in (None, lots), "lots", config["lots"], "none in the solo mode")
    for field in ("decks", "promos", "extra_objectives", "objective_pool", "attack_recruiting", "teams"):
        _need(config[field] == DEFAULTS[field], field, config[field], f"{DEFAULTS[field]} in the solo mode")
    return {**config, "lots": lots, "objectives": False}


def _several(value: Any, kind: type, allowed: Iterable[Any]) -> bool:
    """Is it a list of different values, each of them of the kind and allowed?"""
    if not isinstance(value, list | tuple) or any(type(x) is not kind for x in value):
        return False
    return len(set(value)) == len(value) and set(value) <= set(allowed)


def _resolve_decks(config: dict[str, Any], players: int, data: Data) -> None:
    decks, lots = config["decks"], config["lots"]
    if decks is None:
        lots = [list(COLOURS[:players]) for _ in AGES] if lots is None else lots
        allowed = f"three lists of {players} different colours of {', '.join(COLOURS)}"
        _need(isinstance(lots, list | tuple) and len(lots) == 3, "lots", lots, allowed)
        for lot in lots:
            _need(_several(lot, str, COLOURS) and len(lot) == players, "lots", lots, allowed)
        config["lots"] = [list(lot) for lot in lots]
        return
    _need(lots is None, "lots", lots, "none when decks are given")
    _need(not config["promos"], "promos", True, "false when decks are given")
    _need(isinstance(decks, list | tuple) and len(decks) == 3, "decks", decks, "three lists of card numbers")
    for age, deck in zip(AGES, decks, strict=True):
        good = _several(deck, int, data.age_cards(age)) and len(deck) == 6 * players
        _need(good, "decks", deck, f"{6 * players} different card numbers of Age {age}")
    config["decks"] = [list(deck) for deck in decks]


def _check_teams(teams: Any, players: int) -> None:
    good = isinstance(teams, list | tuple) and len(teams) >= 2
    good = good and all(team and _several(team, int, range(players)) for team in teams)
    good = good and sorted(seat for team in teams for seat in team) == list(range(players))
    _need(good, "teams", teams, f"at least two teams that hold each seat 0..{players - 1} once")


def _check_extra(extra: Any, data: Data) -> None:
    black = data.objectives_of({"black"})
    good = type(extra) is bool or (_several(extra, int, black) and len(extra) > 0)
    _need(good, "extra_objectives", extra, f"true, false, or a list of different ones of {black}")


def _check_objectives(config: Mapping[str, Any], players: int, data: Data) -> None:
    """The fields about objectives agree, and there are two for each player (RULES 4.4)."""
    extra = config["extra_objectives"]
    if not config["objectives"]:
        _need(extra is False, "extra_objectives", extra, "false when objectives are not in play")
        pool = config["objective_pool"]
        _need(pool == "lots", "objective_pool", pool, "lots when objectives are not in play")
        return
    pool = objective_pool(config, data)
    _need(len(pool) >= 2 * players, "objective_pool", pool, f"at least {2 * players} objectives")


# -------------------------------------------------------------------- decks and objectives


def deck(config: Mapping[str, Any], age: int, data: Data) -> list[int]:
    """Every card that may be in the Age's deck. With promos it is longer than the deck (RULES 3)."""
    if is_solo(config):
        both = data.deck_of(age, "blue") + data.deck_of(age, "yellow")
        return [c for c in both if c not in SOLO_REMOVED[config["solo_level"]][age]]
    if config["decks"] is not None:
        return list(config["decks"][age - 1])
    cards = [c for lot in config["lots"][age - 1] for c in data.deck_of(age, lot)]
    return cards + (data.deck_of(age, "promo") if config["promos"] else [])


def pack_size(config: Mapping[str, Any], age: int) -> int:
    """6 cards to draft from; in the solo mode the dealt hand: 5 cards, 4 in Age III (RULES 10)."""
    if is_solo(config):
        return 4 if age == 3 else 5
    return 6


def objective_pool(config: Mapping[str, Any], data: Data) -> list[int]:
    """RULES 4.4."""
    if not config["objectives"]:
        return []
    if config["objective_pool"] == "all":
        colours = set(COLOURS)
    elif config["decks"] is not None:
        colours = {data.cards[number].lot for cards in config["decks"] for number in cards} & set(COLOURS)
    else:
        colours = {colour for lots in config["lots"] for colour in lots}
    extra = config["extra_objectives"]
    black = data.objectives_of({"black"} if extra else ()) if type(extra) is bool else extra
    return sorted([*data.objectives_of(colours), *black])


# -------------------------------------------------------------------- the deal


def random_packs(config: Mapping[str, Any], age: int, rng: random.Random, data: Data) -> list[list[int]]:
    """The Age's deck shuffled, cut back (promos) and dealt into packs, one a seat."""
    n, size = seats_of(config), pack_size(config, age)
    cards = deck(config, age, data)
    rng.shuffle(cards)
    return [cards[size * s : size * (s + 1)] for s in range(n)]


def random_deal(config: Mapping[str, Any], rng: random.Random, data: Data | None = None) -> dict[str, Any]:
    """A deal in the form of PROTOCOL 3."""
    data = data or load_data()
    config = resolve_config(config, data)
    n = seats_of(config)
    order = list(range(n))
    rng.shuffle(order)
    objectives = None
    if config["objectives"]:
        pool = objective_pool(config, data)
        rng.shuffle(pool)
        objectives = [pool[2 * s : 2 * s + 2] for s in range(n)]
    packs = [random_packs(config, age, rng, data) for age in AGES]
    return {"turn_order": order, "objectives": objectives, "packs": packs}


def packs_problems(config: Mapping[str, Any], age: int, packs: Any, data: Data) -> list[str]:
    """What is wrong with the packs of one Age."""
    n, size = seats_of(config), pack_size(config, age)
    if len(packs) != n or any(len(pack) != size for pack in packs):
        return [f"packs of Age {age}: not {n} packs of {size} cards"]
    cards = [c for pack in packs for c in pack]
    if len(set(cards)) != len(cards):
        return [f"packs of Age {age}: a card is there twice"]
    strangers = set(cards) - set(deck(config, age, data))
    return [f"packs of Age {age}: cards {sorted(strangers)} do not belong to the deck"] if strangers else []


def check_deal(config: Mapping[str, Any], deal: Mapping[str, Any], data: Data | None = None) -> list[str]:
    """What is wrong with a deal; an empty list if nothing is."""
    data = data or load_data()
    n = seats_of(config)
    problems = shape_problems(deal, {"turn_order": 1, "packs": 3})
    if deal.get("objectives") is not None:
        problems += shape_problems(deal, {"objectives": 2})
    if problems:
        return problems
    if sorted(deal["turn_order"]) != list(range(n)):
        problems.append(f"turn_order {deal['turn_order']} is no permutation of the seats")
    if config["objectives"]:
        pairs = deal["objectives"] or []
        dealt = [o for pair in pairs for o in pair]
        if [len(pair) for pair in pairs] != [2] * n or len(set(dealt)) != 2 * n:
            problems.append(f"objectives {deal['objectives']}: not two different ones a seat")
        if not set(dealt) <= set(objective_pool(config, data)):
            problems.append(f"objectives {deal['objectives']}: not all in the pool")
    elif deal.get("objectives") is not None:
        problems.append("objectives are dealt although none are in play")
    if len(deal["packs"]) != 3:
        return [*problems, "packs: not three Ages"]
    for age in AGES:
        problems += packs_problems(config, age, deal["packs"][age - 1], data)
    return problems
