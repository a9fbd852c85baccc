"""The configuration of a game (RULES 3 and 10): frozen settings, resolved and checked once.

    Config.make(players=3, promos=True)

`None` stands for a field's default. What comes out is resolved: every default is written out, and a
resolved configuration, as a trace holds it, is accepted again. An error is one line that names the
field, its value and what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from genesia_rl.core import reading
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.reading import given_fields, is_int, nearest, own_folder, refuse_field, shown
from genesia_rl.games.genesia.data.board import board_for
from genesia_rl.games.genesia.data.cards import LOT_SIZE, SOLO_LOTS, Card, load_data
from genesia_rl.games.genesia.data.reading import DATA_FILES
from genesia_rl.games.genesia.names import (
    AGES,
    COLOURS,
    MAX_CARD,
    MAX_OBJECTIVE,
    MAX_SEATS,
    OBJECTIVE_POOLS,
    SOLO_LEVELS,
)

Lots = tuple[tuple[str, ...], ...]
Decks = tuple[tuple[int, ...], ...]
Teams = tuple[tuple[int, ...], ...]
Fields = Mapping[str, object]
T = TypeVar("T")

# The fields of RULES 3, in its order; `data` is ours and comes last.
RULE_FIELDS = (
    "players", "lots", "decks", "promos", "objectives", "extra_objectives", "objective_pool",
    "attack_recruiting", "teams", "solo_level",
)  # fmt: skip
FIELDS = (*RULE_FIELDS, "data")

SOLO_PLAYERS = 1
SOLO_TRIBES = 2
AGE_NAMES = ("I", "II", "III")


@dataclass(frozen=True, slots=True)
class Config:
    """RULES 3: the settings of a game, resolved; built by `make` or `from_dict`, which check them."""

    players: int
    lots: Lots | None  # of each Age; None with decks
    decks: Decks | None  # of each Age
    promos: bool
    objectives: bool
    extra_objectives: bool | tuple[int, ...]  # true for both black ones, or their numbers as they were given
    objective_pool: str
    attack_recruiting: bool
    teams: Teams | None
    solo_level: str
    data: str | None  # a custom data folder

    @classmethod
    def make(cls, **fields: object) -> Config:
        """RULES 3: a configuration from the fields that are not at their default."""
        return cls.from_dict(fields)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, object]) -> Config:
        """RULES 3: a configuration from a table, for example that of a file or of a trace."""
        fields = given_fields(mapping, FIELDS)
        players = _players(fields)
        data = _data(fields, SOLO_TRIBES if players == SOLO_PLAYERS else players)
        return _solo(fields, data) if players == SOLO_PLAYERS else _competition(fields, players, data)

    @property
    def is_solo(self) -> bool:
        """RULES 10: one player leads two tribes."""
        return self.players == SOLO_PLAYERS

    @property
    def seats(self) -> int:
        """RULES 1 and 10: the places at the table; in solo each tribe has one."""
        return SOLO_TRIBES if self.is_solo else self.players

    @property
    def continents(self) -> int:
        """RULES 2: every seat has its continent."""
        return self.seats

    def to_dict(self) -> dict[str, object]:
        """PROTOCOL 3: the resolved fields as a trace writes them; `data` only if it is a custom folder."""
        fields = {name: _json(getattr(self, name)) for name in RULE_FIELDS}
        return fields if self.data is None else fields | {"data": self.data}


def _json(value: object) -> object:
    """Tuples as the lists that JSON knows."""
    return [_json(item) for item in value] if isinstance(value, tuple) else value


# ---------------------------------------------------------------- reading fields


def _players(fields: Fields) -> int:
    value = fields.get("players", 2)
    if not is_int(value, SOLO_PLAYERS, MAX_SEATS):
        refuse_field("players", value, f"2..{MAX_SEATS}, or {SOLO_PLAYERS} for the solo mode")
    return value


def _flag(fields: Fields, name: str, default: bool) -> bool:
    value = fields.get(name, default)
    if not isinstance(value, bool):
        refuse_field(name, value, "true or false")
    return value


def _word_of(fields: Fields, name: str, words: tuple[str, ...]) -> str:
    """One of some words, the first of which is the default."""
    value = fields.get(name, words[0])
    if not isinstance(value, str) or value not in words:
        refuse_field(name, value, ", ".join(words) + nearest(value, words))
    return value


def _solo_level(fields: Fields) -> str:
    return _word_of(fields, "solo_level", SOLO_LEVELS)


def _data(fields: Fields, continents: int) -> str | None:
    """RULES 12: a custom data folder; all that the game will use of it is checked here and now."""
    folder = own_folder(fields, DATA_FILES)
    if folder is None:
        return None
    load_data(folder)
    board_for(folder, continents)
    return folder


def _lists(field: str, value: object, allowed: str) -> list[list[object]]:
    """A list of lists; a text is a sequence too, but never meant as one here."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, list | tuple) for item in value):
        refuse_field(field, value, allowed)
    return [list(item) for item in value]


def _ages(field: str, value: object, allowed: str) -> list[tuple[str, list[object]]]:
    """One list for each Age, with the words that name it in an error."""
    lists = _lists(field, value, f"{AGES} lists, one for each Age, of {allowed}")
    if len(lists) != AGES:
        refuse_field(field, value, f"{AGES} lists, one for each Age, of {allowed}")
    return [(f"{field} of Age {age}", item) for age, item in zip(AGE_NAMES, lists, strict=True)]


# ---------------------------------------------------------------- cards in play


def _lots(fields: Fields, players: int) -> Lots:
    """RULES 3: n different colours in each Age, by default the first n."""
    if "lots" not in fields:
        return (COLOURS[:players],) * AGES
    allowed = f"{players} different colours of {', '.join(COLOURS)}"
    return tuple(_colours(*age, players, allowed) for age in _ages("lots", fields["lots"], allowed))


def _colours(field: str, items: list[object], players: int, allowed: str) -> tuple[str, ...]:
    colours = [item for item in items if isinstance(item, str) and item in COLOURS]
    unknown = [item for item in items if item not in colours]
    if unknown:
        refuse_field(field, items, allowed + nearest(unknown[0], COLOURS))
    if len(colours) != players or len(set(colours)) != players:
        refuse_field(field, items, allowed)
    return tuple(colours)


def _decks(fields: Fields, players: int, data: str | None) -> Decks | None:
    """RULES 3: exactly 6n different cards of the Age, for each Age; promo cards may be among them."""
    if "decks" not in fields:
        return None
    if "lots" in fields:
        refuse_field("lots", fields["lots"], "none together with decks")
    if _flag(fields, "promos", False):
        refuse_field("promos", True, "false together with decks, where promo cards may be listed")
    size, cards = LOT_SIZE * players, load_data(data).cards
    ages = _ages("decks", fields["decks"], f"{size} card numbers")
    return tuple(_deck(field, items, size, age, cards) for age, (field, items) in enumerate(ages, 1))


def _deck(field: str, items: list[object], size: int, age: int, cards: dict[int, Card]) -> tuple[int, ...]:
    numbers: list[int] = []
    for item in items:
        if not is_int(item, 1, MAX_CARD):
            refuse_field(field, item, f"card numbers 1..{MAX_CARD}")
        if cards[item].age != age:
            of_age = AGE_NAMES[cards[item].age - 1]
            refuse_field(field, item, f"cards of Age {AGE_NAMES[age - 1]}; this one is of Age {of_age}")
        if item in numbers:
            refuse_field(field, item, "each card once")
        numbers.append(item)
    if len(numbers) != size:
        raise ConfigError(f"{field} = {shown(numbers)}: {len(numbers)} cards, allowed exactly {size}")
    return tuple(numbers)


# ---------------------------------------------------------------- objectives in play


def _extra_objectives(fields: Fields, data: str | None) -> bool | tuple[int, ...]:
    """RULES 3: no black objectives, both, or a list that names some of them."""
    value = fields.get("extra_objectives", False)
    if isinstance(value, bool):
        return value
    black = [o.number for o in load_data(data).objectives.values() if o.lot == "black"]
    allowed = f"true, false, or a list of one or more different black objectives, {shown(black)}"
    if not isinstance(value, list | tuple) or not value or len(set(map(str, value))) < len(value):
        refuse_field("extra_objectives", value, allowed)
    for number in value:
        if not is_int(number, 1, MAX_OBJECTIVE) or number not in black:
            refuse_field("extra_objectives", value, allowed)
    return tuple(value)


def _check_no_objectives(config: Config) -> None:
    """RULES 3: without objectives nothing is said about them."""
    if config.extra_objectives is not False:
        refuse_field("extra_objectives", _json(config.extra_objectives), "false without objectives")
    if config.objective_pool != OBJECTIVE_POOLS[0]:
        refuse_field("objective_pool", config.objective_pool, f"{OBJECTIVE_POOLS[0]} without objectives")


# ---------------------------------------------------------------- who plays


def _teams(fields: Fields, players: int) -> Teams | None:
    """RULES 3: every seat in one team, and at least two teams."""
    if "teams" not in fields:
        return None
    value = fields["teams"]
    allowed = f"at least two lists that together hold each of the seats 0..{players - 1} once"
    teams = _lists("teams", value, allowed)
    seats = [seat for team in teams for seat in team if is_int(seat, 0, players - 1)]
    is_partition = len(seats) == sum(map(len, teams)) and sorted(seats) == list(range(players))
    if not is_partition or len(teams) < 2 or not all(teams):
        refuse_field("teams", value, allowed)
    members = iter(seats)
    return tuple(tuple(next(members) for _ in team) for team in teams)


def _competition(fields: Fields, players: int, data: str | None) -> Config:
    """RULES 3: a game of two to five players."""
    decks = _decks(fields, players, data)
    config = Config(
        players=players,
        lots=_lots(fields, players) if decks is None else None,
        decks=decks,
        promos=_flag(fields, "promos", False),
        objectives=_flag(fields, "objectives", True),
        extra_objectives=_extra_objectives(fields, data),
        objective_pool=_word_of(fields, "objective_pool", OBJECTIVE_POOLS),
        attack_recruiting=_flag(fields, "attack_recruiting", False),
        teams=_teams(fields, players),
        solo_level=_solo_level(fields),
        data=data,
    )
    if not config.objectives:
        _check_no_objectives(config)
    return config


def _solo(fields: Fields, data: str | None) -> Config:
    """RULES 3 and 10: solo takes a level; all else is at its default or already resolved."""
    lots = (SOLO_LOTS,) * AGES
    if "lots" in fields and _tuples(fields["lots"]) != lots:
        refuse_field(
            "lots", fields["lots"], f"{' and '.join(SOLO_LOTS)} in every Age of the solo mode, or none"
        )
    for name in ("decks", "teams"):
        if name in fields:
            refuse_field(name, fields[name], "none in the solo mode")
    for name in ("promos", "extra_objectives", "attack_recruiting"):
        if fields.get(name, False) is not False:
            refuse_field(name, fields[name], "false in the solo mode")
    if _word_of(fields, "objective_pool", OBJECTIVE_POOLS) != OBJECTIVE_POOLS[0]:
        refuse_field("objective_pool", fields["objective_pool"], f"{OBJECTIVE_POOLS[0]} in the solo mode")
    _flag(fields, "objectives", True)  # must be a flag, but there are no objectives either way
    return Config(
        players=SOLO_PLAYERS,
        lots=lots,
        decks=None,
        promos=False,
        objectives=False,
        extra_objectives=False,
        objective_pool=OBJECTIVE_POOLS[0],
        attack_recruiting=False,
        teams=None,
        solo_level=_solo_level(fields),
        data=data,
    )


def _tuples(value: object) -> object:
    """Lists as tuples, at any depth, so that both compare alike."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list | tuple) else value


# ---------------------------------------------------------------- files and command lines


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


def _parse_groups(field: str, text: str, allowed: str, parse_item: Callable[[str], T]) -> list[tuple[T, ...]]:
    """Groups between slashes, items between commas, blanks round them ignored."""
    try:
        return [tuple(parse_item(item.strip()) for item in group.split(",")) for group in text.split("/")]
    except ValueError:
        refuse_field(field, text, allowed)


def _number(item: str) -> int:
    """A plain number: Python's own idea of one would take underscores and signs too."""
    if not (item.isascii() and item.isdigit()):
        raise ValueError(item)
    return int(item)


def _word(item: str) -> str:
    if not item:
        raise ValueError(item)
    return item


def parse_teams(text: str) -> Teams:
    """RULES 3: teams as a command line writes them: `0,1/2,3`."""
    return tuple(_parse_groups("teams", text, "seats such as 0,1/2,3", _number))


def parse_lots(text: str) -> Lots:
    """RULES 3: lots as a command line writes them: `blue,red/green,red/blue,violet`, or one group for all."""
    allowed = "colours such as blue,red, or three groups such as blue,red/green,red/blue,violet"
    groups = _parse_groups("lots", text, allowed, _word)
    if len(groups) not in (1, AGES):
        refuse_field("lots", text, allowed)
    return tuple(groups * AGES if len(groups) == 1 else groups)


def parse_extra_objectives(text: str) -> bool | tuple[int, ...]:
    """RULES 3: black objectives as a command line writes them: `both`, or their numbers, `11` or `11,12`."""
    if text.strip().lower() == "both":
        return True
    allowed = "both, or numbers such as 11 or 11,12"
    groups = _parse_groups("extra_objectives", text, allowed, _number)
    if len(groups) != 1:
        refuse_field("extra_objectives", text, allowed)
    return groups[0]


def parse_decks(text: str) -> Decks:
    """RULES 3: decks as a command line writes them: three lists of card numbers, `1,2/31,32/61,62`."""
    allowed = "three lists of card numbers such as 1,2/31,32/61,62"
    groups = _parse_groups("decks", text, allowed, _number)
    if len(groups) != AGES:
        refuse_field("decks", text, allowed)
    return tuple(groups)
