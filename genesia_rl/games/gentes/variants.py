"""Configurations that together use every field of RULES 2: what generic tests play (genesia_rl.testing)."""

from __future__ import annotations

from typing import Any

#: name -> the fields that are not at their default
VARIANTS: dict[str, dict[str, Any]] = {
    **{f"players{n}": {"players": n} for n in range(2, 5)},
    "solo": {"players": 1},
    "solo_advanced": {"players": 1, "advanced": True},
    **{f"first_game{n}": {"players": n, "first_game": True} for n in range(2, 5)},
    **{f"advanced{n}": {"players": n, "advanced": True} for n in range(2, 5)},
}
