"""Every compiled invariant is broken by a damage of its own, and named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from damage_tools import add, check_damages, flip, put

from genesia_rl.core.bits import members
from genesia_rl.core.bits import put as put_bits
from genesia_rl.games.genesia.names import MAX_CARD


def two_in_a_region(s: Any, t: Any) -> bool:
    """The second seat gets a city where the first one stands, in the open."""
    here = set(members(s["occupied"][0])) & set(members(t["outer"])) - set(members(s["occupied"][1]))
    if not here:
        return False
    put_bits(s["city_regions"][1], min(here))
    put_bits(s["occupied"][1], min(here))
    s["city_supply"][1] -= 1
    return True


def card_in_two_hands(s: Any, t: Any) -> bool:
    """A card of the first hand is in the second as well."""
    hand = members(s["hand"][0])
    put_bits(s["hand"][1], *hand[:1])
    return bool(hand)


def card_that_was_not_dealt(s: Any, t: Any) -> None:
    """A card from the box."""
    dealt = set(s["packs"].flat)
    put_bits(s["hand"][0], next(card for card in range(1, MAX_CARD + 1) if card not in dealt))


def card_lost(s: Any, t: Any) -> bool:
    """The first hand is gone."""
    had = s["hand"][0].any()
    s["hand"][0] = 0
    return bool(had)


@pytest.mark.slow
def test_every_damage_is_named() -> None:
    damages = {
        1: put("clans", (0, 3), np.int8(-1)), 2: add("clan_supply", 0), 3: add("city_supply", 0),
        4: flip("clan_regions", (0, 0), 2), 5: put("coins", 0, -1), 6: two_in_a_region,
        7: flip("marked", (0, 1), 40), 8: card_in_two_hands, 9: card_that_was_not_dealt, 10: card_lost,
        11: lambda s, t: s["order"].__setitem__(0, s["order"][1]), 12: put("coins", 4, 3),
    }  # fmt: skip
    check_damages("genesia", {"players": 3}, damages)
