"""What the fields of a state may hold (core/bounds.py): a state that comes from bytes is held to it.

What belongs to a seat is zero for seats that are not in the game; how fields go together, `check.py` knows.
"""

from __future__ import annotations

from genesia_rl.core.bounds import ALL_BITS, of_seats, set_of
from genesia_rl.core.game import Bounds
from genesia_rl.games.gentes import names
from genesia_rl.games.gentes.actions import NUM_ACTIONS
from genesia_rl.games.gentes.config import Config
from genesia_rl.games.gentes.state import STATE

MOST = 1_000_000  # coins and points
MOST_COUNTED = 30_000  # in fields of 16 bits
#: Sets of places in which there is no city.
HOMES = (0, set_of(names.PLACES)[1] & ~set_of(names.CITIES)[1])


def state_bounds(config: Config) -> dict[str, Bounds]:
    """The bounds of every field behind the header."""
    return {**_course(config), **_turn(), **_seats(config)}


def _course(config: Config) -> dict[str, Bounds]:
    """Rounds, the display, the decks."""
    seat, cards = (0, config.players), set_of(names.CARDS)
    return {
        "round": (1, names.ROUNDS), "scoring": (0, 1), "era": (0, names.ERAS - 1),
        "first": (0, config.players - 1), "next_first": seat, "stage": (0, len(names.STAGES) - 1),
        "errand": (0, len(names.ERRANDS) - 1), "turn": (0, names.MAX_SEATS * names.NUM_TYPES),
        "used_homes": HOMES, "taken": set_of(names.TILES),
        "display": (0, names.CARDS), "marked": cards, "discard": cards, "recruit": (0, names.NUM_TYPES - 1),
        "marked_type": (0, names.NUM_TYPES), "open": cards, "deck": (0, names.CARDS),
        "next": (0, names.CARDS), "gone": cards, "boxed": (0, names.CARDS), "unseen": cards, "bonus": seat,
    }  # fmt: skip


def _turn() -> dict[str, Bounds]:
    """What belongs to a turn under way."""
    hours = (0, 2 * names.MAX_SPACES)
    return {
        "source": (0, NUM_ACTIONS), "act": (0, names.NUM_ACTS), "amount": (0, names.MAX_COST),
        "hours": hours, "symbol": (0, names.ANY_SYMBOL), "chosen_cards": set_of(names.CARDS),
        "chosen_homes": HOMES, "chosen_does": (0, (1 << len(names.LASTING)) - 1),
        "row": (0, 2), "recruited": (0, (1 << names.NUM_TYPES) - 1), "taken_shown": (0, names.SLOTS),
        "last_slot": (0, names.SLOTS), "taken_piled": (0, names.SLOTS), "card": (0, names.CARDS),
        "gain_row": (0, names.MAX_GAINS), "left": (0, 127), "slots": (0, names.SLOTS),
        "due": (0, MOST_COUNTED), "lifted": (0, names.PLACES), "exchange": (0, 2),
        "given": (0, names.NUM_TYPES), "region": (0, names.NUM_REGIONS),
    }  # fmt: skip


def _seats(config: Config) -> dict[str, Bounds]:
    """What the seats have; strengths and symbols are numbers of a byte each, which `check.py` counts anew."""
    cards, counted, spaces = set_of(names.CARDS), (-MOST_COUNTED, MOST_COUNTED), (0, names.MAX_SPACES)
    return of_seats(STATE, config.players, names.MAX_SEATS, {
        "coins": (0, MOST), "points": (-MOST, MOST), "temple": (0, 127), "oracle": (0, 127),
        "citizens": (0, 127), "hand": cards, "played": cards, "scored": cards, "tokens": set_of(names.PLACES),
        "tiles": spaces, "singles": spaces, "doubles": spaces, "locks": spaces, "used_cards": cards,
        "virtual": counted, "discount": counted, "saving": counted, "bringing": counted,
        "hand_more": counted, "strength": (0, ALL_BITS), "symbols": (0, ALL_BITS),
    })  # fmt: skip
