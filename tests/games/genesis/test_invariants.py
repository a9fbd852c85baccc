"""Every compiled invariant is broken by a damage of its own, and named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from damage_tools import add, check_damages, flip, put


def another_zone(s: Any, t: Any) -> bool:
    """A tile that is said to belong to the zone of the last cell."""
    cells = np.flatnonzero(s["tile"])
    if len(cells):
        s["zone"][cells[0]] = 255
    return len(cells) > 0


def larger_herd(s: Any, t: Any) -> bool:
    """A herd that is said to be larger than it is."""
    cells = np.flatnonzero(s["tile"])
    if len(cells):
        s["herd_tiles"][cells[0]] += 1
    return len(cells) > 0


@pytest.mark.slow
def test_every_damage_is_named() -> None:
    damages = {
        1: add("supply", (0, 0)), 2: add("free_cells"), 3: add("middles"), 4: another_zone, 5: larger_herd,
        6: flip("herds", (0, 3), 63), 7: add("largest", 0), 8: add("points", (0, 0)), 9: put("over", None, 1),
        10: lambda s, t: s.__setitem__("pending", 0 if s["pending"] else 1), 11: put("turn", None, -1),
        12: put("points", (3, 0), 1),
    }  # fmt: skip
    check_damages("genesis", {"players": 3}, damages)
