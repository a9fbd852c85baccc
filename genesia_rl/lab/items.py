"""What each of some things is worth that seats hold.

Where everybody takes what it likes, those who know a thing's worth hold it: win rates then speak of its holders
as much as of the thing. Where all are taken at random, who holds one is chance, and the difference between its
holder and the others *in the same game* is what holding it does (instead of another one alike), by that
policy's play.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from genesia_rl.core.lab import Item, ItemSet
from genesia_rl.lab.figures import OFTEN, Figures, visible
from genesia_rl.matches.games import NOBODY, Games
from genesia_rl.stats.estimate import Estimate
from genesia_rl.stats.multiple import benjamini_hochberg, holm

Array = npt.NDArray[Any]
Named = Mapping[int, Item]

#: An item is overpowered if holding it wins by more than this share oftener than holding another.
TOO_MUCH = 0.05
#: An item is dominated if holding the other wins by more than this share oftener, and it is worth less than
#: those that it is held in place of.
TOO_LITTLE = 0.03
#: An item is never worth using if it is used less often than this by those who hold it.
HARDLY_EVER = 0.05
FALSE_ALARMS = 0.05
#: An item that does nothing unless it is used is not judged if it is used less often than this: 0 % when rounded.
MUTE = 0.005
#: An item that was held in fewer games is not judged: what the tests suppose of means does not hold yet.
JUDGED = 30
WON, POINTS = range(2)


def numbers_of(items: ItemSet) -> range:
    """Of all things that there may be."""
    return range(1, items.most + 1)


def of_holder(values: Array, holder: Array) -> Array:
    """[game, item]: what the holder has (of `[game, seat]`), 0 where nobody holds it."""
    found = np.take_along_axis(values, np.maximum(holder, 0).astype(np.int64), axis=1)
    return np.asarray(np.where(holder == NOBODY, 0.0, found))


def advantage(items: ItemSet, games: Games) -> tuple[Array, Array]:
    """[game, item]: by how much oftener the holder is first than the others of the same game; is it held?"""
    holder = items.holder(games)
    won = of_holder(games.won, holder)
    return won - (1 - won) / (games.seats - 1), holder != NOBODY  # the others share what is left


def kept(items: ItemSet, games: Games) -> tuple[Array, Array]:
    """[game, item]: was it kept? could it have been?"""
    return (items.holder(games) != NOBODY).astype(np.float64), items.dealt(games)


def used(items: ItemSet, games: Games) -> tuple[Array, Array]:
    """[game, item]: was it used? was it held?"""
    return items.used(games).astype(np.float64), items.holder(games) != NOBODY


class Held:
    """What holding an item goes with: won and points, against the others in the same game."""

    def __init__(self, items: ItemSet) -> None:
        self.items = items
        self.effects = Figures(items.most + 1, 2)
        self.won = Figures(items.most + 1, shares=True)
        self.seats = 0

    def add(self, games: Games) -> None:
        """Some more games."""
        holder = self.items.holder(games)
        self.seats = games.seats
        ahead, held = advantage(self.items, games)
        effects = np.stack([ahead, of_holder(games.margin, holder)], axis=2)
        self.effects.add(games, effects, held[..., None])
        self.won.add(games, of_holder(games.won, holder), held)

    def effect(self, item: int, outcome: int) -> Estimate:
        """The causal effect, if who held it was chance."""
        return self.effects.get(item, outcome)

    @property
    def alike(self) -> int:
        """How many of one kind are held in a game."""
        return self.items.alike * self.seats


class Picked:
    """How often an item is taken when it can be, as the first, second, ... pick; how often it is used."""

    def __init__(self, items: ItemSet) -> None:
        self.items = items
        self.rates = Figures(items.most + 1, max(1, items.picks), shares=True)
        self.kept = Figures(items.most + 1, shares=True)
        self.used = Figures(items.most + 1, shares=True)

    def add(self, games: Games) -> None:
        """Some more games."""
        held, dealt = kept(self.items, games)
        self.kept.add(games, held, dealt)
        self.used.add(games, *used(self.items, games))
        if self.items.pick is not None:
            pick, number = self.items.pick(games)[..., None], np.arange(self.items.picks)
            offered = (pick >= number) | (dealt & (held == 0))[..., None]
            self.rates.add(games, (pick == number).astype(np.float64), offered)


class Verdict(NamedTuple):
    """What is said of an item: p values are corrected for asking about all of them."""

    number: int
    differs: float  # wins of the holder
    overpowered: float
    never: bool
    dominated_by: int  # 0: by none


def verdicts(named: Named, held: Held, picked: Picked) -> dict[int, Verdict]:
    """For every item that was held often enough."""
    seen = _seen(held, picked)
    differs = benjamini_hochberg(np.array([held.effect(n, WON).p() for n in seen]))
    too_much = benjamini_hochberg(np.array([_above(held.effect(n, WON), TOO_MUCH) for n in seen]))
    never = benjamini_hochberg(np.array([_hardly_ever(picked.used.get(n)) for n in seen]))
    better = _dominated(named, held, seen)
    return {
        number: Verdict(number, float(p), float(much), bool(idle <= FALSE_ALARMS), better.get(number, 0))
        for number, p, much, idle in zip(seen, differs, too_much, never, strict=True)
    }


def is_mute(items: ItemSet, used: Estimate) -> bool:
    """Does who hardly ever uses an item tell nothing of it, and was it used so seldom?"""
    return items.idle_is_mute and used.games > 0 and used.value < MUTE


def mute(held: Held, picked: Picked) -> list[int]:
    """The items of which nothing can be said, as the policy does not use them."""
    return [number for number in _known(held) if is_mute(held.items, picked.used.get(number))]


def _known(held: Held) -> list[int]:
    """The items that were held often enough."""
    return [number for number in numbers_of(held.items) if held.effect(number, WON).blocks >= JUDGED]


def _seen(held: Held, picked: Picked) -> list[int]:
    """The items that are judged."""
    without = mute(held, picked)
    return [number for number in _known(held) if number not in without]


def _hardly_ever(used: Estimate) -> float:
    """How probable it is to be used so seldom if it is used as often as `HARDLY_EVER`: exactly."""
    if not used.games:
        return math.nan
    return float(stats.binom.cdf(round(used.value * used.games), used.games, HARDLY_EVER))


def _above(estimate: Estimate, null: float) -> float:
    """How probable so great a value is if the true one is `null`."""
    two_sided = estimate.p(null)
    return two_sided / 2 if estimate.value > null else 1 - two_sided / 2


def _pairs(named: Named, held: Held, seen: list[int]) -> list[tuple[int, int]]:
    """An item, and another that could replace it."""
    could_replace = held.items.could_replace
    if could_replace is None:
        return []
    return [(a, b) for a in seen for b in seen if a != b and could_replace(named[b], named[a])]


def _dominated(named: Named, held: Held, seen: list[int]) -> dict[int, int]:
    """Items of no use that another could replace and would be better; the best of those.

    Both must be beyond chance, that the other wins so much oftener and that the item is worth less than
    nothing: the greater of the two p values is that of both.
    """
    pairs = _pairs(named, held, seen)
    differences = [_difference(held.effect(b, WON), held.effect(a, WON), held.alike) for a, b in pairs]
    useless = [1 - _above(held.effect(a, WON), 0.0) for a, _ in pairs]
    p = holm(np.array([max(_chance(*difference), bad)
                       for difference, bad in zip(differences, useless, strict=True)]))  # fmt: skip
    found: dict[int, tuple[float, int]] = {}
    for (item, other), value, (more, _) in zip(pairs, p, differences, strict=True):
        if value <= FALSE_ALARMS and more > found.get(item, (0.0, 0))[0]:
            found[item] = more, other
    return {item: other for item, (_, other) in found.items()}


def _difference(better: Estimate, worse: Estimate, alike: int) -> tuple[float, float]:
    """(the difference of two items, its standard error).

    Two items of a kind are oftener in different hands than in one, and what one hand is ahead another is
    behind: in a game the effects of all that are `alike` add up to nothing, so that two of them are correlated
    by no less than -1 / (alike - 1). The error takes them to be in the same games, where that counts most.
    """
    error = math.sqrt(better.se**2 + worse.se**2 + 2 * better.se * worse.se / (alike - 1))
    return better.value - worse.value, error


def _chance(more: float, error: float) -> float:
    """How probable so great a difference is if it is `TOO_LITTLE`."""
    return float(stats.norm.sf((more - TOO_LITTLE) / error)) if error > 0 else 1.0


class Reach(NamedTuple):
    """What an item must be like to be flagged four times in five, however few others are."""

    games: int  # of the item in the middle
    overpowered: float  # its holder wins at least so much oftener
    uses: float  # it is used at most so often
    dominated: float  # holding the other wins at least so much oftener


def reach(named: Named, held: Held, picked: Picked) -> Reach | None:
    """Of the item that was held in as many games as most; None if none was judged.

    The corrections ask most of one that alone is out of the ordinary: a share of `FALSE_ALARMS` for each.
    """
    seen = _seen(held, picked)
    if not seen:
        return None
    by_games = sorted(seen, key=lambda n: held.effect(n, WON).games)
    one = held.effect(by_games[len(seen) // 2], WON)
    each = FALSE_ALARMS / len(seen)
    pairs = len(_pairs(named, held, seen))
    _, error = _difference(one, one, held.alike)
    uses = sorted(picked.used.get(n).games for n in seen)[len(seen) // 2]
    return Reach(one.games, TOO_MUCH + visible(one.se, each), _uses(uses, each),
                 TOO_LITTLE + visible(error, FALSE_ALARMS / max(1, pairs)))  # fmt: skip


def _uses(games: int, level: float) -> float:
    """How often an item may be used for the test to call it hardly ever used; nan if none may."""
    most = int(stats.binom.ppf(level, games, HARDLY_EVER)) - 1  # uses that are few enough
    return float(stats.beta.ppf(1 - OFTEN, most + 1, games - most)) if most >= 0 else math.nan
