"""What a game is to be like, and how far it is from that: goals, and the questions that they ask of its games.

A file of goals has a table for each set of items or offers, and one for the whole game:

    [relics]
    advantage = 0.05       # whoever holds one wins by no more than this oftener than the others, held by chance
    used = 0.05            # each is used in at least so many of the games in which it is held
    kept = [0.05, 0.95]    # each is kept in so many of the deals that offer it; one number is the least
    [game]
    edge = 0.02            # the first player is no farther from an even share
    assaults = [10, 20]    # and whatever the laboratory counts in a game lies within
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.lab import NATURAL, Fields, ItemSet, Lab, OfferSet
from genesia_rl.core.reading import nearest, parse_toml, read_text
from genesia_rl.lab import items as item_sets
from genesia_rl.lab.arms import Condition
from genesia_rl.lab.numbers import Subject, sets_of
from genesia_rl.lab.offers import keeps
from genesia_rl.lab.traits import EDGE, traits_of
from genesia_rl.matches.games import Games
from genesia_rl.stats.estimate import Estimate

Array = npt.NDArray[Any]
GAME = "game"
ADVANTAGE, USED, KEPT = "advantage", "used", "kept"
POINT = 0.01  # of a share: the unit of what is too much or too little
#: What is asked for if nobody says it.
MOST_ADVANTAGE, LEAST_USED, LEAST_KEPT, MOST_EDGE = 0.05, 0.05, 0.05, 0.02


class Goal(NamedTuple):
    """A figure, for every item or offer of a set or once for the game, that is to lie within two values."""

    what: str  # advantage, used, kept, or the name of a trait
    set: str  # of which set; `game` of none
    low: float
    high: float
    unit: float  # so much beyond counts as one
    arm: str  # the games that answer it

    @property
    def is_share(self) -> bool:
        """Does the figure lie within 0 and 1?"""
        return self.what in (USED, KEPT)

    def told(self) -> str:
        """In words."""
        scale, end = (1.0, "") if self.unit != POINT else (100.0, " %")
        if self.low == -self.high:
            limits = f"within {scale * self.high:g}{end} of none"
        elif math.isinf(self.low):
            limits = f"at most {scale * self.high:g}{end}"
        elif math.isinf(self.high):
            limits = f"at least {scale * self.low:g}{end}"
        else:
            limits = f"{scale * self.low:g} to {scale * self.high:g}{end}"
        return f"{self.what}{'' if self.set == GAME else f' of {self.set}'}: {limits}"


class Question(NamedTuple):
    """A goal asked of one thing, under one policy and number of players."""

    goal: Goal
    subject: Subject
    name: str  # of the subject
    level: Condition

    def beyond(self, value: Any) -> Any:
        """How far values are beyond the goal, in its units; 0 within."""
        over = np.maximum(value - self.goal.high, self.goal.low - value)
        return np.maximum(over, 0.0) / self.goal.unit

    def side(self, value: float) -> int:
        """1 if it is too much, -1 if it is too little, else 0."""
        return int(value > self.goal.high) - int(value < self.goal.low)

    def is_missed(self, found: Estimate) -> bool:
        """Does the whole interval lie beyond the goal?"""
        return self.is_judged(found) and (found.low > self.goal.high or found.high < self.goal.low)

    def is_judged(self, found: Estimate) -> bool:
        """Are there games enough?"""
        return found.blocks >= item_sets.JUDGED and not math.isnan(found.se)

    def p(self, found: Estimate) -> float:
        """How probable a figure so far beyond the goal is if the truth is just within; nan without games."""
        if not self.is_judged(found):
            return math.nan
        side = self.side(found.value)
        if side == 0:
            return 1.0
        limit = self.goal.high if side > 0 else self.goal.low
        return _tail_of_share(found, limit) if self.goal.is_share else _tail(found, limit)


def _tail(found: Estimate, limit: float) -> float:
    """One tail of Student's distribution."""
    return found.p(limit) / 2


def _tail_of_share(found: Estimate, limit: float) -> float:
    """One tail with the error that the limit itself would have, as Wilson's interval has it."""
    trials = found.value * (1 - found.value) / found.se**2 if found.se > 0 else found.blocks
    error = math.sqrt(limit * (1 - limit) / trials)
    return float(special.ndtr(-abs(found.value - limit) / error)) if error > 0 else 0.0


# ---------------------------------------------------------------- what is counted


def column(goal: Goal, lab: Lab, games: Games) -> tuple[Array, Array]:
    """[game, thing]: the goal's figure, and whether (or how often) the game counts."""
    if goal.set == GAME:
        trait = next(trait for trait in traits_of(lab) if trait.name == goal.what)
        values = np.asarray(trait.value(games), np.float64)[:, None]
        return values, np.ones_like(values)
    held = set_of(lab, goal.set)
    if isinstance(held, OfferSet):
        return keeps(held, games)
    counted: dict[str, Callable[[ItemSet, Games], tuple[Array, Array]]] = {
        ADVANTAGE: item_sets.advantage, USED: item_sets.used, KEPT: item_sets.kept
    }  # fmt: skip
    return counted[goal.what](held, games)


def set_of(lab: Lab, name: str) -> ItemSet | OfferSet:
    """A set by its name."""
    return next(one for one in sets_of(lab) if one.name == name)


def things_of(goal: Goal, lab: Lab, fields: Fields) -> list[tuple[int, str]]:
    """The numbers and names of all that a goal is asked of."""
    if goal.set == GAME:
        return [(0, goal.what)]
    return [(number, f"{number} {item.name}") for number, item in set_of(lab, goal.set).load(fields).items()]


def questions_of(
    goals: Sequence[Goal], levels: Sequence[Condition], lab: Lab, fields: Fields
) -> tuple[Question, ...]:
    """Every goal of every thing at every level, level by level and goal by goal."""
    return tuple(
        Question(goal, (goal.what if goal.set == GAME else goal.set, number), name, level)
        for level in levels
        for goal in goals
        for number, name in things_of(goal, lab, {**fields, "players": level.players})
    )


# ---------------------------------------------------------------- reading goals


def goals_of(
    lab: Lab, fields: Fields, file: str | None = None, lines: Sequence[str] = ()
) -> tuple[Goal, ...]:
    """The goals of a file, without one those that every game has; and of lines like `relics.used = 0.1`."""
    held = _usual(lab, fields) if file is None else parse_toml(file, read_text(Path(file)))
    for line in lines:
        _merge(held, _line(line))
    found = tuple(_goals(lab, held))
    if not found:
        raise ConfigError("goals: none, allowed is at least one")
    return found


def _line(line: str) -> dict[str, Any]:
    try:
        return tomllib.loads(line)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"goal {line!r}: {error}, allowed is a line like game.edge = 0.02") from None


def _merge(held: dict[str, Any], more: Mapping[str, Any]) -> None:
    for name, table in more.items():
        if not isinstance(table, dict):
            raise ConfigError(f"goal {name} = {table!r}, allowed is a line like game.edge = 0.02")
        held[name] = {**held.get(name, {}), **table}


def _usual(lab: Lab, fields: Fields) -> dict[str, Any]:
    """What is asked of every game that has it."""
    found: dict[str, Any] = {
        items.name: {ADVANTAGE: MOST_ADVANTAGE, USED: LEAST_USED} for items in lab.items
    } | {offers.name: {KEPT: LEAST_KEPT} for offers in lab.offers if offers.exist(fields)}
    return {**found, GAME: {"edge": MOST_EDGE}}


def _goals(lab: Lab, held: Mapping[str, Any]) -> Iterator[Goal]:
    sets = [one.name for one in sets_of(lab)]
    for name, table in held.items():
        if name not in (*sets, GAME):
            allowed = ", ".join((*sets, GAME))
            raise ConfigError(f"goals: {name!r}: unknown, allowed are {allowed}{nearest(name, sets)}")
        if not isinstance(table, dict):
            raise ConfigError(f"goals: {name} = {table!r}, allowed is a table of goals")
        for what, value in table.items():
            yield _of_game(lab, what, value) if name == GAME else _of_set(set_of(lab, name), what, value)


def _of_set(held: ItemSet | OfferSet, what: str, value: Any) -> Goal:
    """Of items an advantage, a use, a rate of being kept; of offers the last only."""
    arms = {KEPT: NATURAL} if isinstance(held, OfferSet) else {
        ADVANTAGE: held.chance, USED: held.free, KEPT: held.free
    }  # fmt: skip
    where = f"goals: {held.name}.{what}"
    if what not in arms:
        raise ConfigError(f"{where}: unknown, allowed are {', '.join(arms)}")
    if what == ADVANTAGE:
        low, high = -math.inf, _number(where, value)
    else:
        low, high = _limits(where, value if isinstance(value, list) else [value, math.inf])
    return Goal(what, held.name, low, high, POINT, arms[what])


def _of_game(lab: Lab, what: str, value: Any) -> Goal:
    """The first player's edge, or what is counted in a game."""
    where = f"goals: {GAME}.{what}"
    if what == "edge":
        most = _number(where, value)
        return Goal(EDGE.name, GAME, -most, most, POINT, NATURAL)
    known = [trait.name for trait in traits_of(lab)]
    if what not in known:
        allowed = ", ".join(("edge", *known))
        raise ConfigError(f"{where}: unknown, allowed are {allowed}{nearest(what, known)}")
    low, high = _limits(where, value)
    return Goal(what, GAME, low, high, max(abs(low), abs(high)) / 100, NATURAL)


def _number(where: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise ConfigError(f"{where} = {value!r}, allowed is a number from 0 on")
    return float(value)


def _limits(where: str, value: Any) -> tuple[float, float]:
    numbers = isinstance(value, list) and all(
        isinstance(part, int | float) and not isinstance(part, bool) for part in value
    )
    if not numbers or len(value) != 2 or not value[0] < value[1]:
        raise ConfigError(f"{where} = {value!r}, allowed are two numbers, the lower first")
    return float(value[0]), float(value[1])
