"""What the fields of a state may hold (core/bounds.py): a state that comes from bytes is held to it.

What belongs to a seat is zero for seats that are not in the game; how fields go together, `check.py` knows.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.bounds import of_seats, set_of
from genesia_rl.core.game import Bounds
from genesia_rl.games.age_of_civilization import names
from genesia_rl.games.age_of_civilization.config import Config
from genesia_rl.games.age_of_civilization.state import STATE

MOST = 1_000_000  # coins and points
MOST_COUNTED = 30_000  # in fields of 16 bits
#: The abilities of each group.
GROUPS = np.array(
    [set_of(size)[1] for size in (names.CIVILIZATIONS, names.CIVILIZATIONS, names.TECHNOLOGIES, names.WONDERS)],
    np.uint64,
)  # fmt: skip


def state_bounds(config: Config) -> dict[str, Bounds]:
    """The bounds of every field behind the header."""
    return {**_course(config), **_turn(), **_seats(config)}


def _course(config: Config) -> dict[str, Bounds]:
    """Rounds, the track, the markets."""
    last, acts, cards = config.players - 1, set_of(names.NUM_ACTS), set_of(names.CIVILIZATIONS)
    return {
        "round": (1, names.ROUNDS), "first": (0, last), "turn": (0, last),
        "stage": (0, len(names.STAGES) - 1), "track": (0, names.CARDS - 1), "events": (0, names.EVENTS),
        "open": acts, "open_later": acts, "market": cards, "card_coins": (0, MOST_COUNTED),
        "wonder_market": set_of(names.WONDERS), "special_market": set_of(names.SPECIALS),
        "deck_size": (0, names.CIVILIZATIONS), "drawn": (0, names.CIVILIZATIONS),
        "deck": (0, names.CIVILIZATIONS), "pick": (0, names.PICKS), "left_over": cards,
    }  # fmt: skip


def _turn() -> dict[str, Bounds]:
    """What belongs to a turn under way."""
    groups, workers = (0, GROUPS), (0, names.MAX_WORKERS)
    action, tech = (0, names.NUM_ACTS), (0, names.TECHNOLOGIES)
    return {
        "placed": workers, "bonus": (0, MOST), "acted": (0, 1), "used": workers, "red": workers,
        "full": set_of(names.NUM_ACTS), "action": action, "by": (0, len(names.WAYS) - 1), "tech": tech,
        "action_row": (0, names.MAX_ROWS - 1), "noted": groups, "space_action": action, "space_tech": tech,
        "granting": groups, "ability": (0, names.ABILITIES), "row": (0, names.MAX_ROWS - 1),
        "left": (0, MOST_COUNTED), "done": groups, "gains": (0, 0),
    }  # fmt: skip


def _seats(config: Config) -> dict[str, Bounds]:
    """What the seats have."""
    cards, lanes = set_of(names.CIVILIZATIONS), set_of(names.NUM_LANES)
    return of_seats(STATE, config.players, names.MAX_SEATS, {
        "coins": (0, MOST), "points": (0, MOST), "workers": (0, names.MAX_WORKERS), "own": (0, GROUPS),
        "special": (0, names.SPECIALS), "unlocked": set_of(names.TECHNOLOGIES),
        "sums": (-MOST_COUNTED, MOST_COUNTED), "flags": lanes, "live": lanes,
        "hand": cards, "sights": cards, "picks": (0, names.CIVILIZATIONS),
    })  # fmt: skip
