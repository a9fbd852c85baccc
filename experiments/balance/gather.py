"""From the tables of the arms to figures: each arm is read once, shard by shard."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.balance.arms import Condition
from experiments.balance.cards import Held, Picked
from experiments.balance.first import Choosing, FirstPlayer
from experiments.balance.lots import Lots
from experiments.balance.objectives import Objectives
from experiments.balance.restricted import Restricted
from experiments.matches.games import Games
from experiments.matches.series import Series
from experiments.shards.store import Store


class Found:
    """All that was found out about one condition; None where it was not asked for."""

    def __init__(self, condition: Condition) -> None:
        self.condition = condition
        self.games: dict[str, int] = {}
        self.first: FirstPlayer | None = None
        self.choosing: Choosing | None = None
        self.lots: Lots | None = None
        self.objectives: Objectives | None = None
        self.picked: Picked | None = None
        self.held: Held | None = None
        self.chosen: Held | None = None  # under the policy's own drafts
        self.restricted: dict[str, Restricted] = {}


def parts_of(store: Store) -> Iterator[Games]:
    """The games of a store, a shard at a time."""
    for table in store.iter("games"):
        yield Games(table)


def gather(condition: Condition, arms: dict[str, tuple[Series, Store]], parts: tuple[str, ...]) -> Found:
    """Read the arms of a condition."""
    found = Found(condition)
    for arm, (series, store) in arms.items():
        _gather_arm(found, arm, series, store, parts)
    return found


def _gather_arm(found: Found, arm: str, series: Series, store: Store, parts: tuple[str, ...]) -> None:
    """Every part of the report that this arm serves."""
    analyses = _analyses(found, arm, series, parts)
    found.games[arm] = 0
    for games in parts_of(store):
        found.games[arm] += len(games)
        for analysis in analyses:
            analysis.add(games)


Analysis = FirstPlayer | Choosing | Lots | Objectives | Held | Picked | Restricted


def _analyses(found: Found, arm: str, series: Series, parts: tuple[str, ...]) -> list[Analysis]:
    """What is to be gathered from an arm."""
    players = found.condition.players
    if arm == "choosing":
        found.choosing = Choosing(players)
        return [found.choosing]
    if arm == "blind":
        found.held = Held()
        return [found.held]
    if arm == "promos":
        found.picked, found.chosen = Picked(), Held()
        return [found.picked, found.chosen]
    if arm.startswith("no-"):
        found.restricted[arm.removeprefix("no-")] = Restricted()
        return [found.restricted[arm.removeprefix("no-")]]
    wanted: list[Analysis] = []
    if "first" in parts:
        wanted.append(found_first := FirstPlayer(players))
        found.first = found_first
    if "lots" in parts and series.lots:
        wanted.append(found_lots := Lots(players, series.cells))
        found.lots = found_lots
    if "objectives" in parts and series.fields.get("objectives", True):
        wanted.append(found_objectives := Objectives())
        found.objectives = found_objectives
    return wanted
