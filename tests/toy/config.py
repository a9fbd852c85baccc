"""The configuration of Pig, and its records: a state, and the tables that compiled code reads."""

from pathlib import Path

import numpy as np

from genesia_rl.core.reading import DataFiles, check_keys, take_int
from genesia_rl.core.records import records_of, tables_dtype

MOST_SEATS, DICE, HOLD = 4, 240, 0
DEFAULTS = {"players": 2, "target": 40, "sides": 6}
LIMITS = {"players": (2, MOST_SEATS), "target": (10, 100), "sides": (4, 12)}
DATA = DataFiles(Path(__file__).parent / "data", ("pig.toml",))
STATE = records_of(
    (
        ("seat", np.int8, "public", ()),
        ("kind", np.int8, "public", ()),
        ("over", np.int8, "public", ()),
        ("num_legal", np.int16, "public", ()),
        ("steps", np.int32, "public", ()),
        ("legal", np.uint64, "public", (1,)),
        ("first", np.int8, "public", ()),  # the seat of the first turn
        ("player", np.int8, "public", ()),  # whose turn it is
        ("turn", np.int16, "public", ()),  # what the turn has brought so far
        ("points", np.int16, "public", (MOST_SEATS,)),
        ("used", np.int16, "public", ()),  # dice that have been thrown
        ("dice", np.int8, "hidden", (DICE,)),  # all that will be thrown
    )
)
TABLES = tables_dtype(STATE, [(name, np.int64, ()) for name in (*LIMITS, "later")])


def read_later(folder: str | None) -> int:
    """What the data file says, that of a folder laid over ours."""
    where, table = str(DATA.path(folder, "pig.toml")), DATA.table(folder, "pig.toml")
    check_keys(where, table, ("later",))
    return take_int(where, table, "later", 0, 100)
