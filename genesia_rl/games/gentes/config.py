"""The configuration of a game (RULES 2): frozen settings, resolved and checked once.

    Config.make(players=3, first_game=True)

`None` stands for a field's default. What comes out is resolved: every default is written out, and a
resolved configuration, as a trace holds it, is accepted again. An error is one line that names the
field, its value and what is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from genesia_rl.core import reading
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.reading import given_fields, is_int, own_folder, refuse_field
from genesia_rl.games.gentes.data.box import load_box
from genesia_rl.games.gentes.data.reading import FILES
from genesia_rl.games.gentes.names import (
    BOXED,
    BOXED_FIRST_GAME,
    DRAFT_EACH,
    ERAS,
    MAX_SEATS,
    SOLO,
    SOLO_DRAFT,
)

Fields = Mapping[str, object]

#: The fields of RULES 2, in its order; `data` is ours and comes last.
RULE_FIELDS = ("players", "first_game", "advanced")
FIELDS = (*RULE_FIELDS, "data")


@dataclass(frozen=True, slots=True)
class Config:
    """RULES 2: the settings of a game, resolved; built by `make` or `from_dict`, which check them."""

    players: int
    first_game: bool
    advanced: bool
    data: str | None  # a folder with data files of one's own

    @classmethod
    def make(cls, **fields: object) -> Config:
        """RULES 2: a configuration from the fields that are not at their default."""
        return cls.from_dict(fields)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, object]) -> Config:
        """RULES 2: a configuration from a table, for example that of a file or of a trace."""
        fields = given_fields(mapping, FIELDS)
        found = cls(
            players=_players(fields),
            first_game=_flag(fields, "first_game"),
            advanced=_flag(fields, "advanced"),
            data=_data(fields),
        )
        if found.first_game and found.is_solo:
            refuse_field("first_game", True, f"false with players = {SOLO}")
        if found.first_game and found.advanced:
            refuse_field("advanced", True, "false with first_game = true")
        return found

    @property
    def is_solo(self) -> bool:
        """RULES 10: one player."""
        return self.players == SOLO

    @property
    def is_small(self) -> bool:
        """RULES 2: the side of the board for one and two players, with marks and cards that are boxed."""
        return self.players <= 2

    @property
    def num_draft(self) -> int:
        """RULES 3: how many cards are laid open for the first hands."""
        if self.first_game:
            return 0
        return SOLO_DRAFT if self.is_solo else DRAFT_EACH * self.players

    @property
    def boxed(self) -> tuple[int, ...]:
        """RULES 3: how many cards of each era go to the box unseen."""
        if not self.is_small:
            return (0,) * ERAS
        return (BOXED_FIRST_GAME if self.first_game else BOXED, *[BOXED] * (ERAS - 1))

    def to_dict(self) -> dict[str, object]:
        """RULES 2: the resolved fields as a trace writes them; `data` only if it is a folder of one's own."""
        fields = {name: getattr(self, name) for name in RULE_FIELDS}
        return fields if self.data is None else fields | {"data": self.data}


# ---------------------------------------------------------------- reading fields


def _players(fields: Fields) -> int:
    value = fields.get("players", 2)
    if not is_int(value, SOLO, MAX_SEATS):
        refuse_field("players", value, f"2..{MAX_SEATS}, or {SOLO} for the solo game")
    return value


def _flag(fields: Fields, name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        refuse_field(name, value, "true or false")
    return value


def _data(fields: Fields) -> str | None:
    """RULES 12: a folder with data of one's own; all that the game will use of it is checked here and now."""
    folder = own_folder(fields, FILES)
    if folder is None:
        return None
    load_box(folder)
    return folder


# ---------------------------------------------------------------- files


def read_fields(path: str | Path) -> dict[str, object]:
    """RULES 2: the known fields that a configuration file sets: JSON if it is called so, else TOML."""
    return reading.read_fields(path, FIELDS, FILES)


def load_config(path: str | Path) -> Config:
    """RULES 2: a configuration file."""
    fields = read_fields(path)
    try:
        return Config.from_dict(fields)
    except ConfigError as error:
        raise ConfigError(f"{Path(path)}: {error}") from error
