"""What an arena, a laboratory and a trainer may count, change and vary in a game.

A game keeps it in its part `lab`, as `LAB`; of a game without that part, `lab_of` gives what follows from its
results, which is enough for matches, an arena and the question who is better off by going first.

- A *measure* is what is counted in a finished game: one record, read off by replaying its actions.
- An *intervention* is done to a game though its rules do not offer it; it is a record too, one a game.
- A *habit* is what an agent does not do by its own choice: bits, for each seat. Its kernel narrows the legal set
  before anybody is asked, so that every player keeps to it.
- A *variation* are configurations that look alike and differ in what is dealt.
- *Items* are things of which one seat holds each; *offers* are dealt to seats by chance and kept by choice.
- *Numbers* of a game's data files may be changed to make it fairer: which, and how far, says its `numbers.toml`.

Functions that count are given the finished games as `matches.games.Games`: columns by name, `[game, ...]` each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import NotOffered
from genesia_rl.core.facts import Facts
from genesia_rl.core.registry import make_game, offers, part_of

Array = npt.NDArray[Any]
Fields = Mapping[str, Any]
Games = Any
Cell = tuple[int, ...]

#: The series of games in which a policy plays itself by the rules: every laboratory has it.
NATURAL = "natural"
#: Where a game names the numbers that may be changed, in its package; it needs nothing else of a laboratory.
NUMBERS = "numbers.toml"
#: The intervention of a game that offers none. Every intervention has the seed of what it draws.
NO_INTERVENTION = np.dtype([("seed", np.uint64)])
#: Of the fields that every measure has: the axis that goes by seat.
BY_SEAT = {"parts": 0, "totals": 0, "ranks": 0, "order": 1}


class MatchKernels(NamedTuple):
    """The compiled functions of core/loops/matches.py, filled with a game's rules and its laboratory.

    `which[i]` is the configuration of game i, as a place in `tables`; `interventions` has a record for each game.
    """

    begin_rows: Callable[..., None]  # (states, tables, which, seeds, interventions)
    # (states, tables, which, rows, actions, interventions, log)
    play_rows: Callable[..., int]
    # (states, tables, which, rows, habits, keys, copies, actions)
    habit_rows: Callable[..., int]
    # (states, tables, which, seeds, interventions, log, parts, totals, ranks, measures)
    measure_rows: Callable[..., None]


class Stages(NamedTuple):
    """The parts of a game that have a turn order each: `Stages("act", ("I", "II"))`.

    A game of one stage has no word for it.
    """

    word: str = ""
    names: tuple[str, ...] = ("",)

    def __len__(self) -> int:
        return len(self.names)

    def label(self, stage: int) -> str:
        """`act I`; nothing where there is one stage."""
        return f"{self.word} {self.names[stage]}".strip()

    def after(self, text: str, stage: int, link: str = "in") -> str:
        """`first in act I`; the text itself where there is one stage."""
        return f"{text} {link} {self.label(stage)}" if self.word else text

    def cell(self, stage: int, before: str = "") -> dict[str, str]:
        """The cell of a table's row: `{"act": "I"}`; none where there is one stage."""
        return {f"{before}{self.word}": self.names[stage]} if self.word else {}


class Variation(NamedTuple):
    """Configurations that differ in what is dealt and look alike otherwise: a game's is played in all of them.

    In each of some stages a game has one of some choices, each made of some of the `parts`; a cell has a place in
    the choices for each stage.
    """

    name: str  # of what varies, in the plural
    meaning: str
    parts: tuple[str, ...]
    choices: Callable[[int], tuple[tuple[str, ...], ...]]  # players -> what a stage may have
    cells: Callable[[int, int], tuple[Cell, ...]]  # (players, wanted) -> at most so many cells, balanced
    fields: Callable[[int, Cell], dict[str, Any]]  # (players, cell) -> fields of the configuration
    fixed_by: tuple[str, ...] = ()  # fields that already say what would vary
    stages: Stages = Stages()

    def refuses(self, fields: Fields) -> bool:
        """Does a configuration say already what would vary?"""
        return any(fields.get(name) is not None for name in self.fixed_by)

    def names(self, players: int) -> tuple[str, ...]:
        """The choices as reports write them."""
        return tuple("+".join(parts) for parts in self.choices(players))


class Change(NamedTuple):
    """What a whole series of games may be played with: a habit of everybody, or a field of the intervention.

    A field that takes numbers (up to `most`) takes one for each place in the first turn order.
    """

    meaning: str
    habit: int = 0
    field: str = ""
    most: int = 0  # 0: yes or no

    @property
    def is_list(self) -> bool:
        """Does it take a number for each place?"""
        return self.most > 0


class Without(NamedTuple):
    """What an agent may go without: a habit, or a field of the intervention that goes by seat."""

    meaning: str
    habit: int = 0
    field: str = ""
    exists: Callable[[Fields], bool] = lambda fields: True  # in a configuration with these fields


class Arm(NamedTuple):
    """A series of games that the laboratory plays besides the natural one."""

    share: float  # of the number of natural games
    changes: Mapping[str, Any] = {}
    fields: Callable[[Fields], dict[str, Any]] = lambda fields: {}  # more fields of the configuration


class Trait(NamedTuple):
    """What a game is like, in a number, and a purpose for which one would want much of it (or little: -1)."""

    name: str
    value: Callable[[Games], Array]  # [game]
    purpose: str  # "longest"
    sign: int = 1  # 1: most of it is best, -1: least, 0: nearest to none
    never_below_0: bool = True


class Item(NamedTuple):
    """A thing with a number: its name, cells of its row in a table, a mark behind its name in plots."""

    number: int
    name: str
    cells: Mapping[str, Any] = {}
    mark: str = ""
    data: Any = None  # whatever the game looks at


class Words(NamedTuple):
    """What is done with an item: taken, used, not used; what is said of one that hardly anybody uses, and of whoever
    took it because it liked it."""

    kept: str = "kept"
    used: str = "used"
    unused: str = "unused"
    idle: str = "never worth using"
    chosen: str = "chosen"


class ItemSet(NamedTuple):
    """Things of which one seat holds each. `[game, item]` for each count, items by number up to `most`."""

    name: str  # of the part and of its table: "relics"
    one: str  # "relic"
    most: int
    load: Callable[[Fields], Mapping[int, Item]]
    holder: Callable[[Games], Array]  # the seat that holds it, -1 if nobody
    dealt: Callable[[Games], Array]  # could somebody have got it?
    used: Callable[[Games], Array]  # was it used?
    alike: int  # how many a seat holds of those that one holds in place of one another
    chance: str = NATURAL  # the arm in which who holds what is chance
    free: str = NATURAL  # the arm in which everybody takes what it likes
    pick: Callable[[Games], Array] | None = None  # as which of its `picks` it was taken, -1 if not
    picks: int = 0
    #: can the first be used whenever the second can?
    could_replace: Callable[[Item, Item], bool] | None = None
    blind: str = ""  # the change with which who holds what is chance
    idle_is_mute: bool = (
        False  # does it do nothing unless it is used, so that who never uses it knows nothing of it?
    )
    words: Words = Words()
    about: str = ""


class OfferSet(NamedTuple):
    """Things that are dealt to seats by chance, of which they keep what they like."""

    name: str  # of the part and of its table: "contracts"
    one: str  # "contract"
    most: int
    load: Callable[[Fields], Mapping[int, Item]]
    dealt: Callable[[Games], Array]  # [game, seat, item]
    kept: Callable[[Games], Array]  # [game, seat, item]
    points: Callable[[Games], Array]  # [game, seat]: what the kept ones bring in
    exist: Callable[[Fields], bool] = lambda fields: True  # in a configuration with these fields


class Lab(NamedTuple):
    """All that can be examined in a game besides its results.

    Interventions have a field `seed`; the fields of `by_seat` are those of the measure that every measure does not
    have, each with its axis that goes by seat. `about` are paragraphs of the report by the part they begin.
    """

    matches: MatchKernels
    measure: np.dtype[Any]
    by_seat: Mapping[str, int] = {}
    stages: Stages = Stages()
    #: in a configuration with these fields (players among them), would a difference between seats be a mistake?
    seats_alike: Callable[[Fields], bool] = lambda fields: False
    interventions: np.dtype[Any] = NO_INTERVENTION
    changes: Mapping[str, Change] = {}
    without: Mapping[str, Without] = {}
    arms: Mapping[str, Arm] = {}
    choosing: str = ""  # the arm in which it is chance who chooses its place first: `choosers` of the measure
    variation: Variation | None = None
    traits: tuple[Trait, ...] = ()
    items: tuple[ItemSet, ...] = ()
    offers: tuple[OfferSet, ...] = ()
    about: Mapping[str, str] = {}

    def seat_axis(self, field: str) -> int | None:
        """The axis of a measure's field that goes by seat, if one does."""
        return BY_SEAT.get(field, self.by_seat.get(field))


def measure_dtype(
    seats: int, parts: int, stages: int = 1, more: Sequence[tuple[Any, ...]] = ()
) -> np.dtype[Any]:
    """What every measure has, for so many seats, score parts and stages; then `more` fields.

    Ranks are how many rank before a seat; an order lists the seats of a stage.
    """
    return np.dtype(
        [
            ("parts", np.int32, (seats, max(1, parts))),
            ("totals", np.int32, (seats,)),
            ("ranks", np.int8, (seats,)),
            ("steps", np.int32),
            ("order", np.int8, (stages, seats)),
            *more,
        ],
        align=True,
    )


@cache
def lab_of(name: str) -> Lab:
    """The laboratory of a game; of a game that has none, what follows from its results."""
    if offers(name, "lab"):
        return cast("Lab", part_of(name, "lab", "laboratory").LAB)
    matches = part_of(name, "compiled", "matches").MATCHES
    return plain_lab(make_game(name).facts, matches)


def plain_lab(facts: Facts, matches: MatchKernels) -> Lab:
    """What can be examined in any game."""
    more = facts.extra_results
    return Lab(matches, measure_dtype(facts.most_seats, len(facts.score_parts), more=more))


def package_folder(name: str) -> Path:
    """The folder of a game's package."""
    return Path(part_of(name, "info", "description").__file__).parent


def numbers_file(name: str) -> Path:
    """The file in which a game names the numbers that may be changed."""
    found = package_folder(name) / NUMBERS
    if not found.is_file():
        raise NotOffered(f"game {name!r} offers no numbers to tune")
    return found
