"""The state of a game: one structured record, every field explained, nothing else anywhere.

A batch is an array of records, a copy is one assignment, a hash is the record's bytes. The first axis
of whatever belongs to the seats is the absolute seat. Fields that are not in use are zero, and a zone or
herd is called by its lowest cell, so that equal situations have equal bytes. Who may know a field is
its third entry: `public` everybody, `hidden` nobody, or not all of it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genesia_rl.core.records import Field, records_of
from genesia_rl.games.genesis.actions import LEGAL_WORDS
from genesia_rl.games.genesis.names import CELL_WORDS, MAX_CELLS, MAX_SEATS, NUM_TERRAINS

U64 = np.uint64
_CELLS = (MAX_CELLS,)
_TERRAINS = (NUM_TERRAINS,)
_SEAT_TERRAINS = (MAX_SEATS, NUM_TERRAINS)

#: name, type, who may know it, shape. What each means stands above its group.
FIELDS: tuple[Field, ...] = (
    # The header that every game of the contract begins with: the seat to act (-1 when over), the kind
    # of its decision, whether the game is over, the number of legal actions, the decisions taken so
    # far (forced ones do not count), and the legal set of the decision as bits.
    ("seat", np.int8, "public", ()),
    ("kind", np.int8, "public", ()),
    ("over", np.int8, "public", ()),
    ("num_legal", np.int16, "public", ()),
    ("steps", np.int32, "public", ()),
    ("legal", U64, "public", (LEGAL_WORDS,)),
    # The seat of the first turn, and the number of this turn, which is the place of its roll in `dice`.
    ("first", np.int8, "public", ()),
    ("turn", np.int16, "public", ()),
    # How far the turn is: 1 + the face of the die that is left (0: none), 1 + the terrain that is chosen
    # and not yet placed (0: none).
    ("left", np.int8, "public", ()),
    ("pending", np.int8, "public", ()),
    # Free cells: how many there are, and how many of them have two free neighbours or more. Each of
    # these is the middle of three connected ones: there is room while there is one (RULES 1).
    ("free_cells", np.int16, "public", ()),
    ("middles", np.int16, "public", ()),
    # The free cells as the bits of their actions: the legal set of `cell`.
    ("free", U64, "public", (LEGAL_WORDS,)),
    # Tiles that are not on the board yet.
    ("supply", np.int8, "public", _SEAT_TERRAINS),
    # The score (RULES 6), kept by terrain: the size of the terrain's largest zone, how many zones have it,
    # and its multiplier (0 if it is too small to score); what all zones give to a seat if each counts
    # once; and what the largest gives more if it counts twice or three times (0 if several are the
    # largest).
    ("largest", np.int16, "public", _TERRAINS),
    ("ties", np.int16, "public", _TERRAINS),
    ("times", np.int8, "public", _TERRAINS),
    ("points", np.int16, "public", _SEAT_TERRAINS),
    ("twice_more", np.int8, "public", _SEAT_TERRAINS),
    ("thrice_more", np.int8, "public", _SEAT_TERRAINS),
    # The lowest cell of every herd, by terrain.
    ("herds", U64, "public", (NUM_TERRAINS, CELL_WORDS)),
    # The board by cell. A tile is the bit of its terrain and, four higher, that of its seat; 0 is
    # none. Every tile knows the lowest cell and the number of tiles of its zone and of its herd; a cell
    # without a tile has its own number and 0.
    ("tile", np.uint8, "public", _CELLS),
    ("zone", np.uint8, "public", _CELLS),
    ("zone_tiles", np.uint8, "public", _CELLS),
    ("herd", np.uint8, "public", _CELLS),
    ("herd_tiles", np.uint8, "public", _CELLS),
    # The rolls of all turns, and how many: 5 x the face of the first die + that of the second. Public up
    # to this turn.
    ("num_rolls", np.int16, "public", ()),
    ("dice", np.int8, "hidden", _CELLS),
)


RECORDS = records_of(FIELDS)
STATE = RECORDS.narrow

States = npt.NDArray[np.void]
