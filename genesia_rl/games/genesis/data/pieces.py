"""The pieces (RULES 2 and 10): the names of the species, how many tiles there are, and the dice."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from genesia_rl.core.mistakes import each, noted
from genesia_rl.core.reading import Table, check_keys, is_int, nearest, read_text, refuse
from genesia_rl.games.genesis.data.board import Board, check_board, with_counts
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
    check_source(where, table, KEYS)
    species = _check_species(where, table["species"])
    return Pieces(species, _check_tiles(where, table), _check_dice(where, table["dice"]))


@noted(1)
def _check_tiles(where: str, table: Table) -> int:
    tiles = table["tiles"]
    if not is_int(tiles, 1, MAX_TILES):
        refuse(where, "tiles", tiles, f"1..{MAX_TILES}")
    return tiles


@noted(())
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
    return each(lambda held: _check_die(where, f"dice[{held[0]}]", held[1]), enumerate(value))


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


def board_of(folder: str | None) -> Board:
    """RULES 10: the standard board, that of a folder of one's own laid over ours."""
    where, own = str(DATA_FILES.path(folder, BOARD_FILE)), DATA_FILES.own(folder, BOARD_FILE)
    return check_board(where, with_counts(DATA_FILES.table(folder, BOARD_FILE), own or {}), standard=True)


def pieces_of(folder: str | None) -> Pieces:
    """RULES 10: the pieces, those of a folder of one's own laid over ours."""
    where = str(DATA_FILES.path(folder, PIECES_FILE))
    return check_pieces(where, DATA_FILES.table(folder, PIECES_FILE))


@lru_cache(maxsize=16)
def _read(folder: str | None, texts: tuple[str, ...]) -> Data:
    """Remembered by whole texts, so a file that was edited meanwhile is read anew."""
    return Data(board_of(folder), pieces_of(folder))


def load_data(folder: str | None = None) -> Data:
    """RULES 10: the standard board and the pieces, those of a folder of one's own laid over ours."""
    return _read(folder, tuple(read_text(DATA_FILES.path(folder, name)) for name in DATA_FILES.names))
