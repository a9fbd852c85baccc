"""Every compiled invariant is broken by a damage of its own, and named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from damage_tools import add, check_damages, flip, put

from genesia_rl.games.gentes.names import PLACES, S_SETTLE
from genesia_rl.games.gentes.tables import set_of


def card_in_two_places(s: Any, t: Any) -> bool:
    """A card of the display is in a hand as well."""
    shown = [int(card) for card in s["display"] if card]
    s["hand"][0] |= set_of(shown[:1])
    return bool(shown)


def unseen_card_lost(s: Any, t: Any) -> bool:
    """A card of the decks is said to be seen."""
    if s["stage"] <= S_SETTLE or not s["unseen"]:
        return False
    s["unseen"] &= s["unseen"] - np.uint64(1)
    return True


def half_a_swap(s: Any, t: Any) -> bool:
    """A type was given away, and nobody swaps."""
    s["given"] = 1
    return not s["exchange"]


@pytest.mark.slow
def test_every_damage_is_named() -> None:
    damages = {
        1: card_in_two_places, 2: unseen_card_lost, 3: flip("scored", 0, 60),
        4: lambda s, t: s["recruit"].__setitem__(0, s["recruit"][1]), 5: put("tiles", 0, 99),
        6: put("coins", 0, -1), 7: put("citizens", (0, 0), 99),
        8: put("tokens", 0, np.uint64((1 << PLACES) - 1)), 9: add("virtual", (0, 0)), 10: add("symbols", 0),
        11: flip("taken", None, 63), 12: half_a_swap,
        13: put("round", None, 0), 14: put("coins", 3, 1),
    }  # fmt: skip
    check_damages("gentes", {"players": 3}, damages)
