"""From the tables of the arms to figures: each arm is read once, shard by shard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from genesia_rl.core.lab import NATURAL, Lab
from genesia_rl.lab.arms import FIRST, WITHOUT, Condition
from genesia_rl.lab.first import Choosing, FirstPlayer
from genesia_rl.lab.items import Held, Picked
from genesia_rl.lab.offers import Offers
from genesia_rl.lab.restricted import Restricted
from genesia_rl.lab.traits import Course
from genesia_rl.lab.varied import Varied
from genesia_rl.matches.games import Games
from genesia_rl.matches.series import Series
from genesia_rl.shards.store import Store

Analysis = FirstPlayer | Choosing | Course | Varied | Offers | Held | Picked | Restricted


class Found:
    """All that was found out about one condition; None, or nothing, where it was not asked for."""

    def __init__(self, condition: Condition, lab: Lab) -> None:
        self.condition = condition
        self.lab = lab
        self.games: dict[str, int] = {}
        self.first: FirstPlayer | None = None
        self.choosing: Choosing | None = None
        self.course: Course | None = None  # what games are like
        self.varied: Varied | None = None
        self.picked: dict[str, Picked] = {}  # by set of items, like the next two
        self.held: dict[str, Held] = {}  # who holds what is chance
        self.chosen: dict[str, Held] = {}  # everybody takes what it likes
        self.offers: dict[str, Offers] = {}
        self.restricted: dict[str, Restricted] = {}


def parts_of(store: Store, lab: Lab) -> Iterator[Games]:
    """The games of a store, a shard at a time."""
    for table in store.iter("games"):
        yield Games(table, lab)


def gather(
    condition: Condition, arms: Mapping[str, tuple[Series, Store]], parts: tuple[str, ...], lab: Lab
) -> Found:
    """Read the arms of a condition."""
    found = Found(condition, lab)
    for arm, (series, store) in arms.items():
        _gather_arm(found, arm, series, store, parts)
    return found


def _gather_arm(found: Found, arm: str, series: Series, store: Store, parts: tuple[str, ...]) -> None:
    """Every part of the report that this arm serves."""
    analyses = _analyses(found, arm, series, parts)
    found.games[arm] = 0
    for games in parts_of(store, found.lab):
        found.games[arm] += len(games)
        for analysis in analyses:
            analysis.add(games)


def _analyses(found: Found, arm: str, series: Series, parts: tuple[str, ...]) -> list[Analysis]:
    """What is to be gathered from an arm."""
    if arm.startswith(WITHOUT):
        what = arm.removeprefix(WITHOUT)
        found.restricted[what] = Restricted()
        return [found.restricted[what]]
    return [*_of_the_course(found, arm, series, parts), *_of_things(found, arm, series.fields, parts)]


def _of_the_course(found: Found, arm: str, series: Series, parts: tuple[str, ...]) -> Iterator[Analysis]:
    """The first player, the right to choose a place, and what varies."""
    lab, players = found.lab, found.condition.players
    if FIRST in parts and arm == lab.choosing:
        found.choosing = Choosing(players, lab)
        yield found.choosing
    if FIRST in parts and arm == NATURAL:
        found.first = FirstPlayer(players, lab)
        yield found.first
    if arm == NATURAL and (FIRST if lab.variation is None else lab.variation.name) in parts:
        found.course = Course(lab)
        yield found.course
    if arm == NATURAL and lab.variation is not None and lab.variation.name in parts and series.varied:
        found.varied = Varied(players, lab.variation, series.cells, lab)
        yield found.varied


def _of_things(
    found: Found, arm: str, fields: Mapping[str, Any], parts: tuple[str, ...]
) -> Iterator[Analysis]:
    """What is held, and what is dealt and kept."""
    for items in found.lab.items:
        if items.name in parts and arm == items.chance:
            found.held[items.name] = Held(items)
            yield found.held[items.name]
        if items.name in parts and arm == items.free:
            found.picked[items.name], found.chosen[items.name] = Picked(items), Held(items)
            yield found.picked[items.name]
            yield found.chosen[items.name]
    for offers in found.lab.offers:
        if offers.name in parts and arm == NATURAL and offers.exist(fields):
            found.offers[offers.name] = Offers(offers)
            yield found.offers[offers.name]
