"""The configuration of a game (RULES 3): frozen settings, resolved and checked once.

    Config.make(players=3, tiles=16)

`None` stands for a field's default. What comes out is resolved: every default is written out, and a
resolved configuration, as a trace holds it, is accepted again. An error is one line that names the
field, its value and what is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from genesia_rl.core import reading
from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.reading import given_fields, is_int, nearest, own_folder, refuse_field
from genesia_rl.games.genesis.data.board import Board, check_river, check_rows, has_room
from genesia_rl.games.genesis.data.pieces import load_data
from genesia_rl.games.genesis.data.reading import DATA_FILES
from genesia_rl.games.genesis.names import MAX_SEATS, MAX_TILES, MIN_SEATS, STANDARD

Fields = Mapping[str, object]

#: The fields of RULES 3, in its order; `data` is ours and comes last.
RULE_FIELDS = ("players", "tiles", "first_player", "board")
FIELDS = (*RULE_FIELDS, "data")
BOARD_KEYS = ("rows", "river")
BOARD_ALLOWED = f'"{STANDARD}", or an object with rows and, if there is one, river'


@dataclass(frozen=True)
class Config:
    """RULES 3: the settings of a game, resolved; built by `make` or `from_dict`, which check them."""

    players: int
    tiles: int
    first_player: int | None  # None: chance decides
    own_board: Board | None  # None: the standard board
    data: str | None  # a folder with data files of one's own

    @classmethod
    def make(cls, **fields: object) -> Config:
        """RULES 3: a configuration from the fields that are not at their default."""
        return cls.from_dict(fields)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, object]) -> Config:
        """RULES 3: a configuration from a table, for example that of a file or of a trace."""
        fields = given_fields(mapping, FIELDS)
        data = _data(fields)
        players = _number(fields, "players", MIN_SEATS, MIN_SEATS, MAX_SEATS)
        tiles = _number(fields, "tiles", load_data(data).pieces.tiles, 1, MAX_TILES)
        return cls(players, tiles, _first_player(fields, players), _own_board(fields, players), data)

    @cached_property
    def board(self) -> Board:
        """RULES 3: the board that is played on."""
        return self.own_board or load_data(self.data).board

    def to_dict(self) -> dict[str, object]:
        """RULES 3: the resolved fields as a trace writes them; `data` only if it is a folder of one's own."""
        fields: dict[str, object] = {
            "players": self.players,
            "tiles": self.tiles,
            "first_player": self.first_player,
            "board": STANDARD if self.own_board is None else _board_dict(self.own_board),
        }
        return fields if self.data is None else fields | {"data": self.data}


def _board_dict(board: Board) -> dict[str, object]:
    """RULES 3: a board of one's own has both keys."""
    return {"rows": list(board.rows), "river": None if board.river is None else list(board.river)}


# ---------------------------------------------------------------- reading fields


def _number(fields: Fields, name: str, default: int, low: int, high: int) -> int:
    value = fields.get(name, default)
    if not is_int(value, low, high):
        refuse_field(name, value, f"{low}..{high}")
    return value


def _first_player(fields: Fields, players: int) -> int | None:
    """RULES 3: None lets chance decide."""
    value = fields.get("first_player")
    if value is not None and not is_int(value, 0, players - 1):
        refuse_field("first_player", value, f"0..{players - 1}, or null: chance decides")
    return value


def _data(fields: Fields) -> str | None:
    """RULES 10: a folder with data of one's own; all that the game will use of it is checked here and now."""
    folder = own_folder(fields, DATA_FILES)
    if folder is None:
        return None
    load_data(folder)
    return folder


def _own_board(fields: Fields, players: int) -> Board | None:
    """RULES 3: a board of one's own, even if it is the standard one, or None for `"standard"`."""
    value = fields.get("board", STANDARD)
    if value == STANDARD:
        return None
    if not isinstance(value, Mapping):
        refuse_field("board", value, BOARD_ALLOWED + nearest(value, (STANDARD,)))
    board = _read_board(value)
    if not has_room(board, board.in_use(players)):
        refuse_field(
            "board", dict(value), f"a board with some three connected cells in use by {players} players"
        )
    return board


def _read_board(table: Mapping[str, object]) -> Board:
    """RULES 3: `rows` and `river`; other keys are refused."""
    for key in table:
        if key not in BOARD_KEYS:
            refuse_field(f"board: unknown key {key!r}", table[key], "rows, river" + nearest(key, BOARD_KEYS))
    if "rows" not in table:
        raise ConfigError("board: the key rows is missing, allowed rows, river")
    try:
        rows = check_rows("board", table["rows"])
        return Board(rows, check_river("board", table.get("river"), rows))
    except DataError as error:
        raise ConfigError(str(error)) from None


# ---------------------------------------------------------------- files


def read_fields(path: str | Path) -> dict[str, object]:
    """RULES 3: the known fields that a configuration file sets: JSON if it is called so, else TOML."""
    return reading.read_fields(path, FIELDS, DATA_FILES)


def load_config(path: str | Path) -> Config:
    """RULES 3: a configuration file."""
    fields = read_fields(path)
    try:
        return Config.from_dict(fields)
    except ConfigError as error:
        raise ConfigError(f"{Path(path)}: {error}") from error
