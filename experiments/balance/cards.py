"""What each card is worth.

Under a policy's own drafts those who know a card's worth hold it: win rates then speak of its holders as
much as of the card. Where all cards are kept at random, who holds a card is chance, and the difference
between its holder and the others *in the same game* is what holding it does (instead of another card of the
Age), by that policy's play.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from experiments.balance.figures import OFTEN, Figures, visible
from experiments.matches.games import NOBODY, Games
from experiments.stats.estimate import Estimate
from experiments.stats.multiple import benjamini_hochberg, holm
from genesia_rl.games.genesia.data import Card, Data
from genesia_rl.games.genesia.names import HAND, MAX_CARD

Array = npt.NDArray[Any]
NUMBERS = range(1, MAX_CARD + 1)

#: A card is overpowered if holding it wins by more than this share oftener than holding another.
TOO_MUCH = 0.05
#: A card is dominated if holding the other wins by more than this share oftener, and it is worth less than
#: the cards that it is held in place of.
TOO_LITTLE = 0.03
#: A card is never worth playing if it is played less often than this by those who hold it.
HARDLY_EVER = 0.05
FALSE_ALARMS = 0.05
#: A card that was held in fewer games is not judged: what the tests suppose of means does not hold yet.
JUDGED = 30
WON, POINTS = range(2)


def of_holder(values: Array, holder: Array) -> Array:
    """[game, card]: what the holder has (of `[game, seat]`), 0 where nobody holds the card."""
    found = np.take_along_axis(values, np.maximum(holder, 0).astype(np.int64), axis=1)
    return np.asarray(np.where(holder == NOBODY, 0.0, found))


class Held:
    """What holding a card goes with: won and points, against the others in the same game."""

    def __init__(self) -> None:
        self.effects = Figures(MAX_CARD + 1, 2)
        self.won = Figures(MAX_CARD + 1, shares=True)
        self.seats = 0

    def add(self, games: Games) -> None:
        """Some more games."""
        holder, n = games.holder, games.seats
        self.seats = n
        won = of_holder(games.won, holder)
        ahead = won - (1 - won) / (n - 1)  # the others share what is left of the first place
        effects = np.stack([ahead, of_holder(games.margin, holder)], axis=2)
        held = holder != NOBODY
        self.effects.add(games, effects, held[..., None])
        self.won.add(games, won, held)

    def effect(self, card: int, outcome: int) -> Estimate:
        """The causal effect, if who held it was chance."""
        return self.effects.get(card, outcome)


class Picked:
    """How often a card is kept when it is offered as the first, second, ... pick; played; discarded."""

    def __init__(self) -> None:
        self.rates = Figures(MAX_CARD + 1, HAND, shares=True)
        self.kept = Figures(MAX_CARD + 1, shares=True)
        self.played = Figures(MAX_CARD + 1, shares=True)

    def add(self, games: Games) -> None:
        """Some more games."""
        pick, number = games.pick[..., None], np.arange(HAND)
        cut = games.dealt_cards & (games.holder == NOBODY)
        offered = (pick >= number) | cut[..., None]
        self.rates.add(games, (pick == number).astype(np.float64), offered)
        held = games.holder != NOBODY
        self.kept.add(games, held.astype(np.float64), games.dealt_cards)
        self.played.add(games, games.is_played.astype(np.float64), held)


class Verdict(NamedTuple):
    """What is said of a card: p values are corrected for asking about all cards."""

    number: int
    differs: float  # wins of the holder
    overpowered: float
    never: bool
    dominated_by: int  # 0: by none


def verdicts(data: Data, held: Held, picked: Picked) -> dict[int, Verdict]:
    """For every card that was held often enough."""
    seen = _seen(held)
    differs = benjamini_hochberg(np.array([held.effect(n, WON).p() for n in seen]))
    too_much = benjamini_hochberg(np.array([_above(held.effect(n, WON), TOO_MUCH) for n in seen]))
    never = benjamini_hochberg(np.array([_hardly_ever(picked.played.get(n)) for n in seen]))
    better = _dominated(data, held, seen)
    return {
        number: Verdict(number, float(p), float(much), bool(idle <= FALSE_ALARMS), better.get(number, 0))
        for number, p, much, idle in zip(seen, differs, too_much, never, strict=True)
    }


def _seen(held: Held) -> list[int]:
    """The cards that are judged."""
    return [number for number in NUMBERS if held.effect(number, WON).blocks >= JUDGED]


def _hardly_ever(played: Estimate) -> float:
    """How probable it is to be played so seldom if it is played as often as `HARDLY_EVER`: exactly."""
    if not played.games:
        return math.nan
    return float(stats.binom.cdf(round(played.value * played.games), played.games, HARDLY_EVER))


def _above(estimate: Estimate, null: float) -> float:
    """How probable so great a value is if the true one is `null`."""
    two_sided = estimate.p(null)
    return two_sided / 2 if estimate.value > null else 1 - two_sided / 2


def could_replace(other: Card, card: Card) -> bool:
    """Can the other card be played whenever this one can, for no more coins?"""
    same = other.age == card.age and other.timing == card.timing
    return same and set(card.icons) <= set(other.icons) and other.cost <= card.cost


def _dominated(data: Data, held: Held, seen: list[int]) -> dict[int, int]:
    """Cards of no use for which another would be better in every phase, for no more coins; the best of those.

    Both must be beyond chance, that the other wins so much oftener and that the card is worth less than
    nothing: the greater of the two p values is that of both.
    """
    pairs = [(a, b) for a in seen for b in seen if a != b and could_replace(data.cards[b], data.cards[a])]
    kept = HAND * held.seats  # in an Age
    differences = [_difference(held.effect(b, WON), held.effect(a, WON), kept) for a, b in pairs]
    useless = [1 - _above(held.effect(a, WON), 0.0) for a, _ in pairs]
    p = holm(np.array([max(_chance(*difference), bad)
                       for difference, bad in zip(differences, useless, strict=True)]))  # fmt: skip
    found: dict[int, tuple[float, int]] = {}
    for (card, other), value, (more, _) in zip(pairs, p, differences, strict=True):
        if value <= FALSE_ALARMS and more > found.get(card, (0.0, 0))[0]:
            found[card] = more, other
    return {card: other for card, (_, other) in found.items()}


def _difference(better: Estimate, worse: Estimate, kept: int) -> tuple[float, float]:
    """(the difference of two cards, its standard error).

    Two cards of an Age are oftener in different hands than in one, and what one hand is ahead another is
    behind: in a game the effects of all `kept` cards add up to nothing, so that two of them are correlated
    by no less than -1 / (kept - 1). The error takes them to be in the same games, where that counts most.
    """
    error = math.sqrt(better.se**2 + worse.se**2 + 2 * better.se * worse.se / (kept - 1))
    return better.value - worse.value, error


def _chance(more: float, error: float) -> float:
    """How probable so great a difference is if it is `TOO_LITTLE`."""
    return float(stats.norm.sf((more - TOO_LITTLE) / error)) if error > 0 else 1.0


class Reach(NamedTuple):
    """What a card must be like to be flagged four times in five, however few others are."""

    games: int  # of the card in the middle
    overpowered: float  # its holder wins at least so much oftener
    plays: float  # it is played at most so often
    dominated: float  # holding the other wins at least so much oftener


def reach(data: Data, held: Held, picked: Picked) -> Reach | None:
    """Of the card that was held in as many games as most; None if none was judged.

    The corrections ask most of a card that alone is out of the ordinary: a share of `FALSE_ALARMS` for each.
    """
    seen = _seen(held)
    if not seen:
        return None
    by_games = sorted(seen, key=lambda n: held.effect(n, WON).games)
    one = held.effect(by_games[len(seen) // 2], WON)
    each = FALSE_ALARMS / len(seen)
    pairs = sum(could_replace(data.cards[b], data.cards[a]) for a in seen for b in seen if a != b)
    _, error = _difference(one, one, HAND * held.seats)
    plays = sorted(picked.played.get(n).games for n in seen)[len(seen) // 2]
    return Reach(one.games, TOO_MUCH + visible(one.se, each), _plays(plays, each),
                 TOO_LITTLE + visible(error, FALSE_ALARMS / max(1, pairs)))  # fmt: skip


def _plays(games: int, level: float) -> float:
    """How often a card may be played for the test to call it hardly ever played; nan if no card may."""
    most = int(stats.binom.ppf(level, games, HARDLY_EVER)) - 1  # plays that are few enough
    return float(stats.beta.ppf(1 - OFTEN, most + 1, games - most)) if most >= 0 else math.nan
