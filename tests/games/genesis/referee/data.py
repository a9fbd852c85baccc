"""The data files (RULES 10): the standard board and the pieces, read from TOML files in a folder."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .board import grid_problem

TERRAINS = ("forest", "savannah", "mountain", "wetland")
JOKER = "J"
# How a face of a die and the terrain of a tile are written in traces (PROTOCOL 3).
LETTER = {"forest": "F", "savannah": "S", "mountain": "M", "wetland": "W", "joker": JOKER}
TERRAIN = {letter: name for name, letter in LETTER.items() if letter != JOKER}
MOST_TILES = 40
ENVIRONMENT = "GENESIS_DATA"


class DataError(ValueError):
    """A data file that does not obey RULES 10."""


@dataclass(frozen=True)
class Data:
    """The standard board, the number of tiles of each terrain a seat has, and the faces of the two dice."""

    rows: tuple[str, ...]
    river: tuple[int, ...] | None
    tiles: int
    dice: tuple[tuple[str, ...], ...]  # two, six letters each


def data_folder(folder: str | Path | None = None) -> Path:
    """The folder given, else the one in the environment, else the package's own data folder."""
    if folder is not None:
        return Path(folder)
    if os.environ.get(ENVIRONMENT):
        return Path(os.environ[ENVIRONMENT])
    own = Path(__file__).resolve().parents[4] / "genesia_rl" / "games" / "genesis" / "data"
    if not own.is_dir():
        raise FileNotFoundError(f"no folder {own}: give the data folder, or set {ENVIRONMENT}")
    return own


def load_data(folder: str | Path | None = None) -> Data:
    return _load(str(data_folder(folder)))


@lru_cache(maxsize=8)
def _load(folder: str) -> Data:
    board, pieces = _read(Path(folder) / "board.toml"), _read(Path(folder) / "pieces.toml")
    rows, river = board.get("rows"), board.get("river")
    problem = grid_problem(rows, river)
    _need(problem is None, "board.toml", *(problem or ("", None, "")))
    tiles, dice = pieces.get("tiles"), pieces.get("dice")
    _need(type(tiles) is int and 1 <= tiles <= MOST_TILES, "pieces.toml", "tiles", tiles, f"1..{MOST_TILES}")
    # check_data.py: every terrain and the joker are on both dice.
    good = isinstance(dice, list) and [_is_die(die) for die in dice] == [True, True]
    _need(good, "pieces.toml", "dice", dice, f"two lists of six faces, with each of {', '.join(LETTER)}")
    return Data(
        rows=tuple(board["rows"]),
        river=None if river is None else tuple(river),
        tiles=pieces["tiles"],
        dice=tuple(tuple(LETTER[face] for face in die) for die in pieces["dice"]),
    )


def _is_die(faces: Any) -> bool:
    return isinstance(faces, list) and len(faces) == 6 and {str(face) for face in faces} == set(LETTER)


def _read(path: Path) -> dict[str, Any]:
    with open(path, "rb") as file:
        return tomllib.load(file)


def _need(condition: bool, file: str, key: str, value: Any, allowed: str) -> None:
    if not condition:
        raise DataError(f"{file}: {key} = {value!r}: allowed {allowed}")
