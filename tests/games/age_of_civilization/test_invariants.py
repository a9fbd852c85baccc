"""Every compiled invariant is broken by a damage of its own, and named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from damage_tools import add, check_damages, flip, put

from genesia_rl.games.age_of_civilization.names import CIVILIZATIONS, G_INHERITED, G_MAIN
from genesia_rl.games.age_of_civilization.tables import members, set_of


def not_dealt(s: Any, t: Any) -> None:
    """A civilization from the box is in the market."""
    dealt = set(s["deck"].tolist())
    s["market"] |= set_of([next(k for k in range(1, CIVILIZATIONS + 1) if k not in dealt)])


def lost_special(s: Any, t: Any) -> bool:
    """A special card is gone."""
    cards = members(s["special_market"])
    s["special_market"] = set_of(cards[1:])
    return bool(cards)


def coin_beside_the_market(s: Any, t: Any) -> None:
    """A coin lies on a civilization that is not for sale."""
    market = members(s["market"])
    s["card_coins"][next(k for k in range(CIVILIZATIONS) if k + 1 not in market)] = 1


def no_main_civilization(s: Any, t: Any) -> bool:
    """The main civilization is forgotten."""
    s["own"][0, G_MAIN] = 0
    return bool(s["own"][0, G_INHERITED])


def another_turn(s: Any, t: Any) -> None:
    """It is said to be the next seat's turn."""
    s["turn"] = (s["turn"] + 1) % t["seats"]


@pytest.mark.slow
def test_every_damage_is_named() -> None:
    damages = {
        1: not_dealt, 2: flip("wonder_market"), 3: lost_special, 4: coin_beside_the_market, 5: put("coins", 0, -1),
        6: put("placed", None, np.int8(9)), 7: no_main_civilization, 8: flip("unlocked", 0, 5), 9: flip("flags", 0),
        10: flip("open"), 11: another_turn, 12: flip("full"), 13: add("gains", (0, 0)), 14: put("coins", 3, 1),
    }  # fmt: skip
    check_damages("age_of_civilization", {"players": 3, "innovation": True}, damages)
