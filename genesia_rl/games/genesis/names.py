"""The glossary: the words of the rules as constants, and the sizes of everything.

Each vocabulary is a tuple of the words in `RULES.md` or `PROTOCOL.md`; the constants beside it are
the places of the words in that tuple. Compiled code uses the constants, people read the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np


def _numbered(words: Sequence[str]) -> Iterator[Any]:
    """The places of the words, as 64-bit numbers.

    Compiled code would make a version of a function for every literal integer it is called with, but
    for a NumPy number it makes one.
    """
    return map(np.int64, range(len(words)))


# ---------------------------------------------------------------- sizes (RULES 2 and 3)
MIN_SEATS, MAX_SEATS = 2, 4
MIN_SIDE, MAX_SIDE = 2, 16
MAX_CELLS = MAX_SIDE * MAX_SIDE
MAX_TILES = 40
MAX_NEIGHBOURS = 4
ROOM = 3  # cells of a connected group of free cells, and tiles of the smallest zone that scores
WORD = 64
CELL_WORDS = MAX_CELLS // WORD

# ---------------------------------------------------------------- tiles and dice (RULES 1 and 2)
TERRAINS = ("forest", "savannah", "mountain", "wetland")
NUM_TERRAINS = len(TERRAINS)

FACES = (*TERRAINS, "joker")
NUM_FACES = len(FACES)
JOKER = np.int64(NUM_TERRAINS)  # the other faces have the numbers of their terrains
NO_FACE = np.int64(-1)
FACE_LETTERS = "FSMWJ"
DICE, SIDES = 2, 6
DIE_PAIRS = SIDES * SIDES

# ---------------------------------------------------------------- the board (RULES 3)
TAKES_TILE, VOLCANO, PIT = ".VP"
MARKS = (TAKES_TILE, VOLCANO, PIT)
STANDARD = "standard"
BOTH_BANKS = 3  # from so many players on the river means nothing

# ---------------------------------------------------------------- decisions (PROTOCOL 2)
KINDS = ("none", "first", "second", "cell")
K_NONE, K_FIRST, K_SECOND, K_CELL = _numbered(KINDS)

# ---------------------------------------------------------------- the score (RULES 6)
SCORE_PARTS = TERRAINS
BEST, SECOND_BEST = 4, 2  # of a zone, for its largest and its second largest herd; both for several largest
