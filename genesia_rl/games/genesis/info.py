"""Genesis's page for the command line: its options, its configuration files, its terrains.

Nothing here loads a kernel, so that help is printed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.info import GameInfo, Option
from genesia_rl.games.genesis.config import read_fields
from genesia_rl.games.genesis.data.board import read_board
from genesia_rl.games.genesis.data.pieces import board_of, load_data, pieces_of
from genesia_rl.games.genesis.data.reading import DATA_FILES
from genesia_rl.games.genesis.names import MAX_SEATS, MAX_TILES, MIN_SEATS, STANDARD, TERRAINS
from genesia_rl.games.genesis.text.words import terrain_text

TOPICS = ("terrain",)


def _plain(field: str) -> Callable[[Any], dict[str, Any]]:
    """An option that is its field."""
    return lambda value: {field: value}


def _board(text: str) -> dict[str, Any]:
    """RULES 3: a board file gives its rows and its river; `standard` goes back to the default."""
    if text == STANDARD:
        return {"board": None}
    try:
        board = read_board(text)
    except DataError as error:
        raise ConfigError(str(error)) from error
    return {"board": {"rows": list(board.rows), "river": None if board.river is None else list(board.river)}}


OPTIONS = (
    Option("--players", int, "N", f"Number of players: {MIN_SEATS}..{MAX_SEATS}.", _plain("players")),
    Option("--tiles", int, "N", f"Tiles of each terrain that a seat has: 1..{MAX_TILES}.", _plain("tiles")),
    Option("--first-player", int, "SEAT", "The seat that takes the first turn; left out, chance decides.",
           _plain("first_player")),
    Option("--board", str, "FILE", f"A board file of your own, or {STANDARD}.", _board),
    Option("--data", str, "FOLDER", "A folder with a board.toml or pieces.toml of your own.", _plain("data")),
)  # fmt: skip


def full(players: int) -> dict[str, Any]:
    """There is no rule to be switched on: the game for so many players."""
    return {"players": players}


def numbers(topic: str, folder: str | None = None) -> tuple[int, ...]:
    """The numbers of the terrains."""
    return tuple(range(len(TERRAINS)))


def explain(topic: str, number: int, folder: str | None = None) -> str:
    """A terrain in words."""
    if number not in numbers(topic, folder):
        raise ConfigError(f"{topic} {number}: unknown, allowed are 0..{len(TERRAINS) - 1}")
    return terrain_text(number, load_data(folder).pieces)


def readers(folder: str) -> Iterator[Callable[[], object]]:
    """What reads the files of a folder, each by itself."""
    yield partial(board_of, folder)
    yield partial(pieces_of, folder)


INFO = GameInfo(
    title="Genesis",
    players=(MIN_SEATS, MAX_SEATS),
    options=OPTIONS,
    read_config=read_fields,
    full=full,
    topics=TOPICS,
    numbers=numbers,
    explain=explain,
    data=DATA_FILES,
    readers=readers,
)
