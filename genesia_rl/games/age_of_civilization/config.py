"""The configuration of a game (RULES 3): frozen settings, resolved and checked once.

    Config.make(players=3, draft=True)

`None` stands for a field's default. What comes out is resolved: every default is written out, and a
resolved configuration, as a trace holds it, is accepted again. An error is one line that names the
field, its value and what is allowed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from genesia_rl.core import reading
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.reading import given_fields, is_int, nearest, own_folder, refuse_field
from genesia_rl.games.age_of_civilization.data.box import load_box
from genesia_rl.games.age_of_civilization.data.reading import FILES
from genesia_rl.games.age_of_civilization.names import (
    EVENT_CARDS,
    MARKET,
    MAX_CIVILIZATIONS,
    MAX_SEATS,
    SOLO,
    SOLO_DECK,
    TRACKS,
)

Fields = Mapping[str, object]

#: The fields of RULES 3, in its order; `data` is ours and comes last.
RULE_FIELDS = ("players", "innovation", "changing_world", "draft", "track")
FIELDS = (*RULE_FIELDS, "data")
#: RULES 3: what the solo mode takes.
SOLO_FIELDS: dict[str, object] = {"changing_world": False, "draft": False, "track": "random"}


@dataclass(frozen=True, slots=True)
class Config:
    """RULES 3: the settings of a game, resolved; built by `make` or `from_dict`, which check them."""

    players: int
    innovation: bool
    changing_world: bool
    draft: bool
    track: str
    data: str | None  # a folder with data files of one's own

    @classmethod
    def make(cls, **fields: object) -> Config:
        """RULES 3: a configuration from the fields that are not at their default."""
        return cls.from_dict(fields)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, object]) -> Config:
        """RULES 3: a configuration from a table, for example that of a file or of a trace."""
        fields = given_fields(mapping, FIELDS)
        found = cls(
            players=_players(fields),
            innovation=_flag(fields, "innovation"),
            changing_world=_flag(fields, "changing_world"),
            draft=_flag(fields, "draft"),
            track=_track(fields),
            data=_data(fields),
        )
        if found.is_solo:
            _check_solo(found)
        return found

    @property
    def is_solo(self) -> bool:
        """RULES 12: one player."""
        return self.players == SOLO

    @property
    def refills(self) -> bool:
        """RULES 6: whenever a civilization is taken, coins are put on the market and a card is drawn."""
        return not self.is_solo and not self.draft

    @property
    def num_wonders(self) -> int:
        """RULES 4: how many wonders the market has."""
        return 3 + self.players

    @property
    def num_specials(self) -> int:
        """RULES 4: how many special cards the special market has."""
        return 1 + self.players if self.innovation else 0

    @property
    def num_events(self) -> int:
        """RULES 4: how many event tokens lie on the track."""
        return EVENT_CARDS if self.changing_world else 0

    @property
    def num_deck(self) -> int:
        """PROTOCOL 3: how many cards of the deck can come into play, the first market included."""
        if self.draft:
            return 0
        return SOLO_DECK if self.is_solo else MARKET + MAX_CIVILIZATIONS * self.players

    def to_dict(self) -> dict[str, object]:
        """RULES 3: the resolved fields as a trace writes them; `data` only if it is a folder of one's own."""
        fields = {name: getattr(self, name) for name in RULE_FIELDS}
        return fields if self.data is None else fields | {"data": self.data}


# ---------------------------------------------------------------- reading fields


def _players(fields: Fields) -> int:
    value = fields.get("players", 2)
    if not is_int(value, SOLO, MAX_SEATS):
        refuse_field("players", value, f"2..{MAX_SEATS}, or {SOLO} for the solo mode")
    return value


def _flag(fields: Fields, name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        refuse_field(name, value, "true or false")
    return value


def _track(fields: Fields) -> str:
    value = fields.get("track", TRACKS[0])
    if not isinstance(value, str) or value not in TRACKS:
        refuse_field("track", value, " or ".join(TRACKS) + nearest(value, TRACKS))
    return value


def _check_solo(config: Config) -> None:
    """RULES 3: what the solo mode does not take."""
    for name, allowed in SOLO_FIELDS.items():
        value = getattr(config, name)
        if value != allowed:
            refuse_field(name, value, f"{json.dumps(allowed)} with players = {SOLO}")


def _data(fields: Fields) -> str | None:
    """RULES 14: a folder with data of one's own; all that the game will use of it is checked here and now."""
    folder = own_folder(fields, FILES)
    if folder is None:
        return None
    load_box(folder)
    return folder


# ---------------------------------------------------------------- files


def read_fields(path: str | Path) -> dict[str, object]:
    """RULES 3: the known fields that a configuration file sets: JSON if it is called so, else TOML."""
    return reading.read_fields(path, FIELDS, FILES)


def load_config(path: str | Path) -> Config:
    """RULES 3: a configuration file."""
    fields = read_fields(path)
    try:
        return Config.from_dict(fields)
    except ConfigError as error:
        raise ConfigError(f"{Path(path)}: {error}") from error
