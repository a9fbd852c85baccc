"""The configuration (RULES 2) and the deal (RULES 3 and PROTOCOL 3)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from .data import TYPES, Data, load_data

FIELDS = ("players", "first_game", "advanced")
DEAL_KEYS = ("first", "recruit", "draft", "decks")
ERAS = (1, 2, 3)


class ConfigError(ValueError):
    """A configuration that breaks a constraint of RULES 2."""


def _need(condition: bool, field: str, value: Any, allowed: str) -> None:
    if not condition:
        raise ConfigError(f"{field} = {value!r}: allowed {allowed}")


def whole(value: Any, low: int, high: int) -> bool:
    """Is it a whole number low..high? true, false and 2.0 are not (RULES 2: the type matters)."""
    return type(value) is int and low <= value <= high


def resolve_config(partial: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """All three fields of RULES 2, defaults filled in; every other field, type or combination is refused."""
    given = {} if partial is None else partial
    _need(isinstance(given, Mapping), "config", given, "an object")
    for field in given:
        _need(field in FIELDS, str(field), given[field], f"only the fields {', '.join(FIELDS)}")
    # AMBIGUOUS: nothing is said of null in a field; it is another type and refused.
    config: dict[str, Any] = {"players": 2, "first_game": False, "advanced": False, **given}
    _need(whole(config["players"], 1, 4), "players", config["players"], "1, 2, 3, 4")
    for field in ("first_game", "advanced"):
        _need(type(config[field]) is bool, field, config[field], "true or false")
    solo = config["players"] == 1
    _need(not (solo and config["first_game"]), "first_game", True, "false in the solo game (players = 1)")
    both = config["first_game"] and config["advanced"]
    _need(not both, "advanced", True, "false with first_game [R2]")
    return config


# -------------------------------------------------------------------- the deal


def draft_size(config: Mapping[str, Any]) -> int:
    """RULES 3, step 3: 3n cards, six in the solo game; none with `first_game`."""
    if config["first_game"]:
        return 0
    return 6 if config["players"] == 1 else 3 * int(config["players"])


def random_deal(
    config: Mapping[str, Any] | None, rng: random.Random, data: Data | None = None
) -> dict[str, Any]:
    """A deal in the form of PROTOCOL 3."""
    data = data or load_data()
    config = resolve_config(config)
    first = rng.randrange(config["players"])
    recruit = rng.sample(TYPES, len(TYPES))
    draft = rng.sample(data.era_cards(1), draft_size(config))
    decks = [rng.sample(data.era_cards(era), len(data.era_cards(era))) for era in ERAS]
    return {"first": first, "recruit": recruit, "draft": draft, "decks": decks}


def is_permutation(value: Any, of: list[Any]) -> bool:
    return isinstance(value, list) and len(value) == len(of) and all(value.count(item) == 1 for item in of)


def check_deal(
    config: Mapping[str, Any] | None, deal: Mapping[str, Any], data: Data | None = None
) -> list[str]:
    """What is wrong with a deal; an empty list if nothing is."""
    data = data or load_data()
    config = resolve_config(config)
    if not isinstance(deal, Mapping):
        return [f"deal = {deal!r}: no object with the keys {', '.join(DEAL_KEYS)}"]
    # AMBIGUOUS: unknown keys are said to be refused in a position only; they are refused in a deal too.
    problems = [f"{key} = {deal[key]!r}: unknown; keys: {', '.join(DEAL_KEYS)}" for key in deal
                if key not in DEAL_KEYS]  # fmt: skip
    problems += [f"{key}: is missing" for key in DEAL_KEYS if key not in deal]
    if problems:
        return problems
    n = config["players"]
    if not whole(deal["first"], 0, n - 1):
        problems.append(f"first = {deal['first']!r}: allowed a seat 0..{n - 1}")
    if not is_permutation(deal["recruit"], list(TYPES)):
        problems.append(f"recruit = {deal['recruit']!r}: allowed the six types, each once")
    # AMBIGUOUS: "first_game: none": the key is there, with an empty list.
    draft, size, era_one = deal["draft"], draft_size(config), data.era_cards(1)
    good = isinstance(draft, list) and len(draft) == size and all(type(card) is int for card in draft)
    if not good or len(set(draft)) != size or not set(draft) <= set(era_one):
        problems.append(f"draft = {draft!r}: allowed {size} different cards of Era I")
    decks = deal["decks"]
    if not isinstance(decks, list) or len(decks) != len(ERAS):
        return [*problems, f"decks = {decks!r}: allowed three lists"]
    for era, deck in zip(ERAS, decks, strict=True):
        whole_numbers = isinstance(deck, list) and all(type(card) is int for card in deck)
        if not whole_numbers or not is_permutation(deck, data.era_cards(era)):
            problems.append(f"decks[{era - 1}] = {deck!r}: allowed all cards of Era {era}, each once")
    return problems
