"""A deal as traces write it (PROTOCOL 3): the seat of the first turn, and the rolls of all turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from genesia_rl.core.errors import TraceError
from genesia_rl.core.reading import is_int, nearest, shown
from genesia_rl.games.genesis.config import Config
from genesia_rl.games.genesis.state import States
from genesia_rl.games.genesis.tables import Tables
from genesia_rl.games.genesis.text.words import ROLLS, ROLLS_ALLOWED, roll_text

KEYS = ("first", "dice")


def deal_dict(state: np.void) -> dict[str, Any]:
    """What chance has dealt."""
    return {"first": int(state["first"]), "dice": dice_list(state)}


def dice_list(state: np.void) -> list[str]:
    """PROTOCOL 3: the rolls of all turns as text."""
    return [roll_text(roll) for roll in state["dice"][: state["num_rolls"]].tolist()]


def put_deal(config: Config, tables: Tables, states: States, i: int, deal: Mapping[str, Any]) -> None:
    """Write a deal into a state; nobody has been asked yet."""
    _check_keys(deal)
    first, dice = _check_first(deal["first"], config), deal["dice"]
    number = int(tables[0]["num_used"])
    if not isinstance(dice, list) or len(dice) != number:
        raise TraceError(f"deal.dice = {shown(dice)}, allowed {number} rolls, one for each cell in use")
    for place, roll in enumerate(dice):
        if roll not in ROLLS:
            raise TraceError(f"deal.dice[{place}] = {shown(roll)}, allowed {ROLLS_ALLOWED}")
    states[i] = tables[0]["start"]
    states[i]["first"] = first
    put_rolls(states[i], dice)


def put_rolls(state: np.void, dice: Sequence[str]) -> None:
    """Write rolls into a state."""
    state["num_rolls"] = len(dice)
    state["dice"][: len(dice)] = [ROLLS.index(roll) for roll in dice]


def _check_keys(deal: object) -> None:
    if not isinstance(deal, Mapping):
        raise TraceError(f"deal = {shown(deal)}, allowed an object with the keys {', '.join(KEYS)}")
    for key in deal:
        if key not in KEYS:
            raise TraceError(f"deal: unknown key {key!r}, allowed {', '.join(KEYS)}{nearest(key, KEYS)}")
    for key in KEYS:
        if key not in deal:
            raise TraceError(f"deal: the key {key} is missing, allowed {', '.join(KEYS)}")


def _check_first(value: object, config: Config) -> int:
    """PROTOCOL 3: the seat that the configuration names, if it names one."""
    if config.first_player is not None and not is_int(value, config.first_player, config.first_player):
        raise TraceError(f"deal.first = {shown(value)}, allowed {config.first_player}, the first_player")
    if not is_int(value, 0, config.players - 1):
        raise TraceError(f"deal.first = {shown(value)}, allowed 0..{config.players - 1}")
    return value
