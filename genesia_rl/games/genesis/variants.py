"""Configurations that together use every field of RULES 3: what generic tests play (genesia_rl.testing)."""

from __future__ import annotations

from typing import Any

#: A crooked board with two rooms at the start; with two players the river cuts the right one off.
_ISLANDS = ["..V...", ".PV.P.", "..VV..", "V..V.."]
#: The largest board there is, with a few reliefs.
_LARGEST = ["." * 16] * 5 + ["..V....P........"] * 2 + ["." * 16] * 9

#: name -> the fields that are not at their default
VARIANTS: dict[str, dict[str, Any]] = {
    **{f"players{n}": {"players": n} for n in range(2, 5)},
    "first_player2": {"players": 2, "first_player": 1},
    "first_player4": {"players": 4, "first_player": 3},
    "tiles1": {"players": 2, "tiles": 1},
    "tiles2": {"players": 3, "tiles": 2},
    "tiles5": {"players": 4, "tiles": 5},
    "tiles16": {"players": 2, "tiles": 16},
    "tiles40": {"players": 3, "tiles": 40, "first_player": 0},
    "river2": {"players": 2, "board": {"rows": _ISLANDS, "river": [3, 3, 4, 3]}},
    "river3": {"players": 3, "tiles": 4, "board": {"rows": _ISLANDS, "river": [3, 3, 4, 3]}},
    "smallest2": {"players": 2, "board": {"rows": ["..", ".V"]}},
    "small3": {"players": 3, "tiles": 1, "board": {"rows": ["...", ".P.", "..."]}},
    "narrow2": {"players": 2, "tiles": 3, "board": {"rows": ["." * 16, "..V" * 5 + "."], "river": None}},
    "largest2": {"players": 2, "tiles": 40, "board": {"rows": _LARGEST, "river": [16] * 15 + [8]}},
    "largest4": {"players": 4, "board": {"rows": _LARGEST}},
}
