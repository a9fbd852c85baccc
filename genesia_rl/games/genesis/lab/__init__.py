"""What is counted, changed and asked in Genesis.

measure.py        one record of figures a game: turns, tiles, jokers, the first roll
interventions.py  fewer tiles by place, or none of a terrain
habits.py         who never places one tile, never two, never uses a joker
compiled.py       the compiled loops of core/loops, filled with all that
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from genesia_rl.core.lab import Array, Change, Fields, Games, Item, Lab, OfferSet, Trait, Without
from genesia_rl.games.genesis.lab.compiled import MATCHES
from genesia_rl.games.genesis.lab.habits import NEVER_ONE, NEVER_TWO, NO_JOKER
from genesia_rl.games.genesis.lab.interventions import INTERVENTION
from genesia_rl.games.genesis.lab.measure import BY_SEAT, MEASURE, ROLLS
from genesia_rl.games.genesis.names import FACES, MAX_TILES, TERRAINS

NUMBERS = np.arange(len(ROLLS) + 1)


def largest(games: Games) -> Array:
    """[game]: tiles of the largest zone."""
    return np.asarray(games["largest"])


def left_over(games: Games) -> Array:
    """[game]: free cells at the end."""
    return np.asarray(games["left_over"])


def single_turns(games: Games) -> Array:
    """[game]: turns in which one tile was placed."""
    return np.asarray((2 * games["turns"] - games["tiles"]).sum(axis=1))


def load(fields: Fields) -> Mapping[int, Item]:
    """The rolls that differ."""
    return {k + 1: Item(k + 1, f"{FACES[a]} + {FACES[b]}") for k, (a, b) in enumerate(ROLLS)}


def rolled(games: Games) -> Array:
    """[game, seat, roll]: in the seat's first turn."""
    return np.asarray((games["first_roll"][..., None] == NUMBERS) & (NUMBERS > 0))


def two_placed(games: Games) -> Array:
    """[game, seat, roll]: and two tiles were placed then."""
    return np.asarray(rolled(games) & (games["first_tiles"] == 2)[..., None])


def points(games: Games) -> Array:
    """[game, seat]: a roll brings in whatever the seat scores."""
    return np.asarray(games["totals"])


LAB = Lab(
    matches=MATCHES,
    measure=MEASURE,
    by_seat=BY_SEAT,
    seats_alike=lambda fields: True,  # no seat has a side of the board
    interventions=INTERVENTION,
    changes={
        "fewer_tiles": Change(
            "fewer tiles of each terrain by place in the first turn order",
            field="fewer_tiles",
            most=MAX_TILES,
        ),
    },
    without={
        "one": Without("never places one tile where two are allowed", habit=NEVER_ONE),
        "two": Without("never places a second tile", habit=NEVER_TWO),
        "joker": Without("never places two tiles by the freedom of a joker", habit=NO_JOKER),
        **{terrain: Without(f"has no tile of {terrain}", field=f"without_{terrain}") for terrain in TERRAINS},
    },
    traits=(
        Trait("largest zone", largest, "largest zone"),
        Trait("free cells left", left_over, "fullest board", -1),
        Trait("turns of one tile", single_turns, "most turns of one tile"),
    ),
    offers=(OfferSet("rolls", "first roll", len(ROLLS), load, rolled, two_placed, points),),
    about={
        "first": "Who takes the first turn is drawn by lot, so differences between places are what going first does.",
        "rolls": (
            "Dealt: the win share of who rolls this in the first turn, less the even share; dice are chance. Kept: of "
            "those who placed two tiles in that turn, by choice. Points are those of the whole game."
        ),
    },
)
