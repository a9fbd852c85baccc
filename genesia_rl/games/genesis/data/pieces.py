"""The pieces (RULES 2 and 10): the names of the species, how many tiles there are, and the dice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from genesia_rl.core.reading import Table, check_keys, is_int, nearest, read_table, refuse
from genesia_rl.games.genesis.data.board import Board, check_board
from genesia_rl.games.genesis.data.reading import BOARD_FILE, DATA_FILES, PIECES_FILE, check_source
from genesia_rl.games.genesis.names import DICE, FACES, MAX_SEATS, MAX_TILES, SIDES

KEYS = ("species", "tiles", "dice", "source")

Die = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pieces:
    """RULES 2: the species by seat, the tiles of each terrain of a seat, the faces of both dice."""

    species: tuple[str, ...]
    tiles: int
    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True)
class Data:
    """RULES 10: what the two data files say."""

    board: Board
    pieces: Pieces


def check_pieces(where: str, table: Table) -> Pieces:
    """RULES 10: the pieces of a file."""
    check_keys(where, table, KEYS)
    check_source(where, table)
    species = _check_species(where, table["species"])
    tiles = table["tiles"]
    if not is_int(tiles, 1, MAX_TILES):
        refuse(where, "tiles", tiles, f"1..{MAX_TILES}")
    return Pieces(species, tiles, _check_dice(where, table["dice"]))


def _check_species(where: str, value: object) -> tuple[str, ...]:
    allowed = f"{MAX_SEATS} different names"
    if not isinstance(value, list) or len(value) != MAX_SEATS:
        refuse(where, "species", value, allowed)
    if not all(isinstance(name, str) and name for name in value) or len(set(value)) < MAX_SEATS:
        refuse(where, "species", value, allowed)
    return tuple(value)


def _check_dice(where: str, value: object) -> tuple[Die, ...]:
    if not isinstance(value, list) or len(value) != DICE:
        refuse(where, "dice", value, f"two lists of {SIDES} faces")
    return tuple(_check_die(where, f"dice[{number}]", die) for number, die in enumerate(value))


def _check_die(where: str, key: str, value: object) -> Die:
    """RULES 2: every face is there at least once."""
    if not isinstance(value, list) or len(value) != SIDES:
        refuse(where, key, value, f"a list of {SIDES} faces")
    for place, face in enumerate(value):
        if face not in FACES:
            refuse(where, f"{key}[{place}]", face, ", ".join(FACES) + nearest(face, FACES))
    for face in FACES:
        if face not in value:
            refuse(where, key, value, f"at least one face {face}")
    return tuple(value)


@cache
def load_data(folder: str | None = None) -> Data:
    """RULES 10: the standard board and the pieces: ours, or those of a folder of one's own."""
    board, pieces = DATA_FILES.path(folder, BOARD_FILE), DATA_FILES.path(folder, PIECES_FILE)
    return Data(
        check_board(str(board), read_table(board), standard=True),
        check_pieces(str(pieces), read_table(pieces)),
    )
