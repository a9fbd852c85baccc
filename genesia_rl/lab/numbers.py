"""The numbers of a game that may be changed to make it fairer, and data folders in which they are.

A game names them in the file `numbers.toml` of its package, by rules that each stand for many numbers:

    [[numbers]]
    file = "data/pieces.toml"     # of the game's package
    list = "piece"                # for every [[piece]]; left out: for the file as a whole
    path = "effects.n"            # which number of it; of a list of tables that of every one
    low = 0
    high = 12                     # what it may become ...
    farthest = 3                  # ... and how many steps from what the file says; 0: as far as that goes
    step = 1
    plainness = 1.0               # what a step costs: how much is lost that was plain before
    set = "relics"                # the set of items or offers of which the entry's `number` is one
    helps = 1                     # more of it helps (1) or harms (-1) whoever has it; 0: who knows
    moves = ["edge"]              # goals of the whole game that it is for
    where = { source = ["own"] }  # only of entries that say so
    with = { do = ["coins"] }     # only of such tables of the entry's list
    below = "cap"                 # never greater than the number beside it under this key, if there is one
    above = "n"                   # never less than that one: the two rules keep both numbers apart
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from genesia_rl.core.data import data_of, whole_text
from genesia_rl.core.edit import Place, replaced, value_at
from genesia_rl.core.errors import DataError
from genesia_rl.core.files import replace_text
from genesia_rl.core.lab import ItemSet, Lab, OfferSet, lab_of, numbers_file, package_folder
from genesia_rl.core.reading import is_int, parse_toml, read_table, read_text
from genesia_rl.core.registry import game_info

#: What a goal is about: an item or offer by its set and number, or a goal of the whole game and 0.
Subject = tuple[str, int]
#: A value for each number.
Values = tuple[int, ...]
WIDEST = 60


class Rule(BaseModel):
    """One `[[numbers]]` of a game's file: many numbers at once."""

    model_config = ConfigDict(extra="forbid")
    file: str
    list: str = ""
    path: str
    low: int
    high: int
    farthest: int = Field(0, ge=0)
    step: int = Field(1, ge=1)
    plainness: float = Field(1.0, ge=0)
    set: str = ""
    helps: int = Field(0, ge=-1, le=1)
    moves: tuple[str, ...] = ()
    below: str = ""
    above: str = ""
    where: dict[str, tuple[Any, ...]] = {}
    having: dict[str, tuple[Any, ...]] = Field({}, alias="with")


class Number(NamedTuple):
    """A number that may be changed."""

    file: str  # its name in a data folder
    place: Place
    name: str  # in words
    value: int  # what it is
    low: int
    high: int
    step: int
    plainness: float
    subject: Subject | None  # whose number it is
    helps: int
    moves: tuple[str, ...]

    def price(self, value: int) -> float:
        """What it costs in plainness to have another value."""
        return self.plainness * abs(value - self.value) / self.step

    def is_for(self, subject: Subject) -> bool:
        """May it be changed for the sake of a goal about this?"""
        return self.subject == subject or (subject[1] == 0 and subject[0] in self.moves)


class Numbers:
    """All numbers of a game, and the files in which they stand."""

    def __init__(self, game: str, data: str | None = None) -> None:
        self.game, self.data = game, data
        self.texts: dict[str, str] = {}
        self.all: tuple[Number, ...] = tuple(self._read())

    def __len__(self) -> int:
        return len(self.all)

    @property
    def start(self) -> Values:
        """What they are."""
        return tuple(number.value for number in self.all)

    def price(self, values: Values) -> float:
        """What other values cost in plainness."""
        return sum(number.price(value) for number, value in zip(self.all, values, strict=True))

    def changes(self, values: Values) -> list[tuple[Number, int]]:
        """The numbers that are others, and what they are then."""
        pairs = zip(self.all, values, strict=True)
        return [(number, value) for number, value in pairs if value != number.value]

    def write(self, folder: Path, values: Values) -> str:
        """A data folder with these values: the files of the given one, and those of ours that change."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(data_of(self.game).folder(self.data).glob("*.toml")) if self.data else ():
            shutil.copyfile(path, folder / path.name)
        changed: dict[str, dict[Place, int]] = {}
        for number, value in self.changes(values):
            changed.setdefault(number.file, {})[number.place] = value
        for file, held in changed.items() or ([] if self.data else [(next(iter(self.texts)), {})]):
            replace_text(folder / file, replaced(file, self.texts[file], held))
        return str(folder)

    # ------------------------------------------------------------ reading

    def _read(self) -> Iterator[Number]:
        path = numbers_file(self.game)
        rules = read_table(path).get("numbers")
        if not isinstance(rules, list) or not rules:
            raise DataError(f"{path}: numbers = {rules!r}, allowed is a list of [[numbers]] tables")
        seen: set[tuple[str, Place]] = set()
        for place, given in enumerate(rules, 1):
            rule = _rule(f"{path}: numbers {place}", given)
            found = list(self._numbers(rule))
            if not found and self.data is None:
                raise DataError(
                    f"{path}: numbers {place}: path = {rule.path!r}, allowed is where numbers are"
                )
            if twice := [number.name for number in found if (number.file, number.place) in seen]:
                raise DataError(
                    f"{path}: numbers {place}: {twice[0]} once more, allowed is every number once"
                )
            seen |= {(number.file, number.place) for number in found}
            yield from found

    def _numbers(self, rule: Rule) -> Iterator[Number]:
        """Every number for which a rule stands."""
        name = Path(rule.file).name
        table = parse_toml(name, self._text(rule.file))
        for base, entry in _entries(table, rule.list):
            if _says(entry, rule.where):
                for place in _places(entry, tuple(rule.path.split(".")), rule.having):
                    yield _number(rule, name, (*base, *place), entry, place)

    def _text(self, file: str) -> str:
        """A data file as it is: of the given folder where that has it."""
        name, files = Path(file).name, game_info(self.game).data
        if files is not None:
            return self.texts.setdefault(name, whole_text(files, self.data, name))
        return self.texts.setdefault(name, read_text(package_folder(self.game) / file))


def _rule(where: str, given: object) -> Rule:
    try:
        return Rule.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        keys = ", ".join(field.alias or key for key, field in Rule.model_fields.items())
        if first["type"] == "extra_forbidden":
            raise DataError(f"{where}: {name}: unknown key, allowed are {keys}") from None
        raise DataError(f"{where}: {name}: {first['msg']} (keys: {keys})") from None


def _entries(table: Mapping[str, Any], name: str) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """The tables of a list, each with its place; the whole file without one."""
    if not name:
        yield (), table
        return
    for place, entry in enumerate(table.get(name, ())):
        yield (name, place), entry


def _says(table: Any, wanted: Mapping[str, Sequence[Any]]) -> bool:
    """Has a table one of the wanted values under each key, which may lead deeper by dots?"""
    return all(value_at(table, tuple(key.split("."))) in held for key, held in wanted.items())


def _places(table: Any, keys: tuple[str, ...], having: Mapping[str, Sequence[Any]]) -> Iterator[Place]:
    """Where the whole numbers are to which the keys lead, through every entry of a list."""
    value = value_at(table, keys[:1])
    if len(keys) == 1:
        if is_int(value, -(10**9), 10**9) and _says(table, having):
            yield keys
        return
    each = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
    for number, below in each:
        first: Place = keys[:1] if number is None else (keys[0], number)
        yield from ((*first, *rest) for rest in _places(below, keys[1:], having))


def _number(rule: Rule, file: str, place: Place, entry: Mapping[str, Any], within: Place) -> Number:
    """One number with its bounds; what it is now is always within them. `within` is its place in the entry."""
    value = value_at(entry, within)
    reach = rule.farthest * rule.step if rule.farthest else 10**9
    low, high = max(rule.low, value - reach), min(rule.high, value + reach)
    for key, is_least in ((rule.above, True), (rule.below, False)):
        beside = value_at(entry, (*within[:-1], key)) if key else None
        if is_int(beside, -(10**9), 10**9):  # they part the room between them: both may change in one folder
            middle = (value + beside) // 2
            low, high = (max(low, middle), high) if is_least else (low, min(high, middle))
    subject = (rule.set, int(entry["number"])) if rule.set else None
    return Number(
        file, place, _name(within, entry, rule), value, min(low, value), max(high, value),
        rule.step, rule.plainness, subject, rule.helps, rule.moves,
    )  # fmt: skip


def _name(place: Place, entry: Mapping[str, Any], rule: Rule) -> str:
    """`39 Builders: effects 2 (coins) n`."""
    words = [str(key + 1) if isinstance(key, int) else key for key in place]
    above = value_at(entry, place[:-1]) if rule.list else None
    if len(place) > 1 and isinstance(above, dict):
        words.insert(-1, f"({' '.join(held for held in above.values() if isinstance(held, str))})")
    which = [str(entry[key]) for key in ("number", "name") if key in entry] if rule.list else []
    return f"{' '.join(which)}: {' '.join(words)}" if which else " ".join(words)


def sets_of(lab: Lab) -> tuple[ItemSet | OfferSet, ...]:
    """All items and offers of a laboratory."""
    return (*lab.items, *lab.offers)


def check_sets(numbers: Numbers) -> None:
    """Numbers are of sets that the game's laboratory knows, if it knows any."""
    known = [one.name for one in sets_of(lab_of(numbers.game))]
    for number in numbers.all:
        if known and number.subject is not None and number.subject[0] not in known:
            raise DataError(f"{number.name}: set = {number.subject[0]!r}, allowed are {', '.join(known)}")
