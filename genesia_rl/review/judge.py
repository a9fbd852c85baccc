"""Reviewing a game: for each decision the better choice, what was lost, and how sure that is.

Three steps, each in worlds of its own, so that what was chosen for looking good is not measured where it did:

1. The agent says which choices it would consider (opinions.py); the one that was taken is among them.
2. *Looking*: these are played out in a few worlds, the better half in more, until one is left: the better choice.
3. *Measuring*: that one, the one taken, the agent's own first choice and one drawn at random are played out in fresh
   worlds, the same for all of them. A loss is the mean difference between the better choice and the one taken.

A decision is a mistake if the interval of what it lost of the victory excludes none, or if that of what it lost in
points does while it seems to have gained nothing of the victory. The intervals hold for the whole game together: their
level is chosen so that of those that exclude none no more than 5 % are expected to be of decisions that lost nothing
(Benjamini and Hochberg; as intervals, Benjamini and Yekutieli 2005).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core import chance
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game, States
from genesia_rl.core.scene import EVERYTHING, scene_of
from genesia_rl.review.estimates import difference, estimate, game_level, is_mistake, kept, p_of, share, total
from genesia_rl.review.opinions import opinion, resolved, who_plays_out
from genesia_rl.review.playing import CHANCE, LEAD, NOTHING, WORTH, Playouts, Question, worth_of
from genesia_rl.stats.estimate import Estimate, unknown
from genesia_rl.studio.frames import positions
from genesia_rl.studio.live import learns

Array = npt.NDArray[Any]
Tell = Callable[[str, int, int], None]  # (what is done, how much of it, of how much)

CONSIDERED = 8  # choices that are looked at, if the agent prefers them to the others
LOOK = 4  # worlds in the first round of looking
ROUND = 8  # worlds in a round of measuring
ROUND_AGREED = 4  # and where the better choice is the one that was taken
LEAST = 2  # worlds where time is up before measuring begins: the fewest that have an interval
START = 64  # more worlds for the first position, from which luck is counted
LOOKING = 0.35  # of the time
_LOOKING, _MEASURING, _REVEALED, _DRAWN = 1, 2, 3, 4  # streams of worlds


class Settings(NamedTuple):
    """Who reviews, and at what cost: for some seconds, or in so many worlds a decision whatever that takes."""

    agent: str
    seconds: float = 45.0
    playouts: int | None = None
    seed: int = 0
    threads: int = 2


class Choice(NamedTuple):
    """A legal action: the share that the agent gives it, and where it was looked at, its lead there."""

    action: int
    share: float
    points: float | None = None  # the lead


UNKNOWN = unknown()


@dataclass
class Decision:
    """A decision of the game and what was found out about it. Losses are those of the seat that decided."""

    step: int
    seat: int
    kind: str
    chapters: tuple[str, ...]
    states: States
    taken: int
    words: str
    choices: list[Choice]
    agents: int  # the agent's own first choice
    better: int = NOTHING
    better_words: str = ""
    revealing: bool = False  # did the seat learn something by what it did?
    #: [world, choice, CHANCE LEAD or WORTH, seat]; the choices are taken, better, agents, drawn
    measured: list[Array] = field(default_factory=list)
    revealed: list[Array] = field(default_factory=list)  # [world, CHANCE LEAD or WORTH, seat]
    lost: Estimate = UNKNOWN  # points
    lost_chances: Estimate = UNKNOWN  # of the victory
    lost_worth: float = 0.0
    chances: tuple[Estimate, ...] = ()  # of every seat, by what the deciding seat knows, before the decision
    after: tuple[Estimate, ...] = ()  # and after it
    came_out: tuple[Estimate, ...] = ()  # how the chances moved by what was revealed then
    mistake: bool = False

    @property
    def agreed(self) -> bool:
        """Is the better choice the one that was taken?"""
        return self.better == self.taken


TAKEN, BETTER, AGENTS, DRAWN = range(4)


class Sum(NamedTuple):
    """Some decisions together: losses are means over them.

    They do not add up: who goes on in a way that the agent holds for wrong could have left it at every decision, and
    each is charged with all of it. `accuracy` is the share of what random choices would have lost that was kept.
    """

    decisions: int
    mistakes: int
    lost: Estimate
    lost_chances: Estimate
    accuracy: Estimate


@dataclass
class Review:
    """All that was found out about a game."""

    game: Game
    settings: Settings
    decisions: list[Decision]
    level: float  # of the intervals of losses
    worlds: int  # in which a loss was measured, at least
    playouts: int
    seconds: float
    luck: tuple[Estimate, ...] = ()  # by seat; empty if the game was not finished
    luck_points: tuple[Estimate, ...] = ()

    @property
    def mistakes(self) -> list[Decision]:
        """The worst first."""
        found = [decision for decision in self.decisions if decision.mistake]
        return sorted(found, key=lambda decision: -decision.lost_worth)

    def by(self, key: Callable[[Decision], Any]) -> dict[Any, Sum]:
        """Decisions that have something in common, together."""
        groups: dict[Any, list[Decision]] = {}
        for decision in self.decisions:
            groups.setdefault(key(decision), []).append(decision)
        return {name: together(group) for name, group in groups.items()}


# ---------------------------------------------------------------- the whole of it


def review(game: Game, trace: Mapping[str, Any], settings: Settings, tell: Tell | None = None) -> Review:
    """Review a recorded game."""
    _check(settings)
    begun = time.perf_counter()
    said = tell or (lambda what, done, of: None)
    player = resolved(game, settings.agent)
    decisions, last = _decisions(game, trace, player, settings, said)
    plays = Playouts(game, who_plays_out(game, player), settings.threads)
    if decisions:
        _warm(plays, decisions[-1], settings.seed)
    clock = _Clock(settings)
    _look(plays, decisions, settings, clock, said)
    _words(game, decisions)
    _measure(plays, decisions, last, settings, clock, said)
    level = _judge(game, decisions)
    compared = [sum(map(len, found.measured)) for found in decisions if not found.agreed]
    worlds = min(compared, default=0)
    made = Review(game, settings, decisions, level, worlds, plays.played, time.perf_counter() - begun)
    if decisions and game.is_over(last, 0):
        made.luck, made.luck_points = _luck(game, decisions, last)
    return made


def _check(settings: Settings) -> None:
    if not 0 < settings.seconds < math.inf:
        raise ConfigError(f"seconds = {settings.seconds!r}, allowed is a number above 0")
    if settings.playouts is not None and not 2 <= settings.playouts <= 100_000:
        raise ConfigError(f"playouts = {settings.playouts!r}, allowed are 2..100000")
    if not 1 <= settings.threads <= 64:
        raise ConfigError(f"threads = {settings.threads!r}, allowed are 1..64")


class _Clock:
    """How long one may go on."""

    def __init__(self, settings: Settings) -> None:
        self._begun, self._seconds = time.perf_counter(), settings.seconds
        self._free = settings.playouts is not None

    def left(self, part: float, next_takes: float = 0.0) -> bool:
        """Is there time for what takes so long, within this part of all the time?"""
        return self._free or time.perf_counter() - self._begun + next_takes <= part * self._seconds


def _decisions(
    game: Game, trace: Mapping[str, Any], player: Any, settings: Settings, said: Tell
) -> tuple[list[Decision], States]:
    """The decisions of a trace with what the agent says of them, and the last position."""
    found: list[Decision] = []
    rng = np.random.default_rng(settings.seed)
    for states, action in positions(game, trace):
        last = states.copy()
        if action is None:
            break
        seat = game.seat(states, 0)
        shares = opinion(game, player, last, settings.seed)
        choices = sorted((Choice(a, part) for a, part in shares.items()), key=lambda c: -c.share)
        decision = Decision(
            step=len(found), seat=seat, kind=game.kind(states, 0),
            chapters=scene_of(game, states, 0, EVERYTHING).chapters, states=last, taken=action,
            words=game.describe(action, states, 0), choices=choices, agents=choices[0].action,
        )  # fmt: skip
        after = last.copy()
        game.step(after, 0, action)
        decision.revealing = learns(game, last, action, after, seat, rng)
        found.append(decision)
        said("reading", len(found), len(trace["steps"]))
    return found, last


def _warm(plays: Playouts, decision: Decision, seed: int) -> None:
    """Compile or load whatever is needed, before time is counted."""
    plays.answer([Question(decision.states, decision.seat, np.array([[decision.taken]]), seed)])
    plays.played = 0


def _key(seed: int, step: int, stream: int) -> int:
    """The worlds of a decision, by what they are for."""
    own = chance.keys(np.array([seed % (1 << 64)], np.uint64), np.array([4 * step + stream]))
    return int(own[0])


# ---------------------------------------------------------------- looking


def _look(plays: Playouts, decisions: list[Decision], settings: Settings, clock: _Clock, said: Tell) -> None:
    """Halve the choices that are considered until one is left, the best so far where time is up.

    Where time is limited one world comes first, which says how many there is time for.
    """
    looks = [_Look(d, _considered(d), _key(settings.seed, d.step, _LOOKING)) for d in decisions]
    most = LOOK if settings.playouts is None else max(1, settings.playouts // 8)
    sizes = [1, most - 1] if settings.playouts is None else [most]
    first, took = 0, 0.0
    while waiting := [look for look in looks if len(look.alive) > 1]:
        size = sizes.pop(0)
        if first and not clock.left(LOOKING, size * took):
            break
        begun = time.perf_counter()
        asked = [look.question(first, size) for look in waiting]
        answers = plays.answer(asked, _counted(said, "looking", len(asked)))
        for look, found in zip(waiting, answers, strict=True):
            look.add(found)
            if not sizes:
                look.halve()
        first, took = first + size, (time.perf_counter() - begun) / (size if sizes else 2 * size)
        if not sizes:
            most *= 2
            sizes = [most]
    for look in looks:
        look.close()


class _Look:
    """The choices of a decision that are still looked at, and what was seen of all of them."""

    def __init__(self, decision: Decision, alive: list[int], key: int) -> None:
        self.decision, self.alive, self._key = decision, alive, key
        self._sums = {action: np.zeros(3) for action in alive}
        self._worlds = dict.fromkeys(alive, 0)

    def question(self, first: int, worlds: int) -> Question:
        """All that are left, in so many more worlds."""
        d = self.decision
        return Question(d.states, d.seat, np.tile(self.alive, (worlds, 1)), self._key, first)

    def add(self, found: Array) -> None:
        """What came out."""
        for place, action in enumerate(self.alive):
            self._sums[action] += found[:, place, :, self.decision.seat].sum(axis=0)
            self._worlds[action] += len(found)
        # those that are left were in the same worlds
        self.alive.sort(key=lambda action: -float(self._sums[action][WORTH]))

    def halve(self) -> None:
        """Leave the better half."""
        self.alive = self.alive[: -(-len(self.alive) // 2)]

    def close(self) -> None:
        """Tell the decision which is the best, and the points of those that were looked at."""
        self.decision.better = self.alive[0]
        points = {a: float(self._sums[a][LEAD]) / worlds for a, worlds in self._worlds.items() if worlds}
        self.decision.choices = [c._replace(points=points.get(c.action)) for c in self.decision.choices]


def _considered(decision: Decision) -> list[int]:
    """What is looked at: what the agent likes best, and what was taken."""
    best = [choice.action for choice in decision.choices[:CONSIDERED]]
    return best if decision.taken in best else [*best[:-1], decision.taken]


def _counted(said: Tell, what: str, of: int) -> Callable[[int], None]:
    done = 0

    def tell(number: int) -> None:
        nonlocal done
        done += number
        said(what, done, of)

    return tell


def _words(game: Game, decisions: list[Decision]) -> None:
    for d in decisions:
        d.better_words = game.describe(d.better, d.states, 0)


# ---------------------------------------------------------------- measuring


def _measure(
    plays: Playouts, decisions: list[Decision], last: States, settings: Settings, clock: _Clock, said: Tell
) -> None:
    """Rounds of fresh worlds for every decision, as long as there is time or as many as are wanted."""
    after = [*(d.states for d in decisions[1:]), last]
    done, took, late = 0, 0.0, not clock.left(1.0)
    while decisions and (done == 0 or (clock.left(1.0, took) and not late)):
        if settings.playouts is not None and done >= settings.playouts:
            break
        begun = time.perf_counter()
        size = ROUND if settings.playouts is None else min(ROUND, settings.playouts - done)
        size = LEAST if late else size
        asked = [_question(d, done, size, settings.seed) for d in decisions]
        hidden = [d for d in decisions if d.revealing]
        asked += [_after(d, after[d.step], done, size, settings.seed) for d in hidden]
        answers = plays.answer(asked, _counted(said, "measuring", len(asked)))
        for d, question, found in zip(decisions, asked, answers, strict=False):
            d.measured.append(_arms(d, question, found))
        for d, found in zip(hidden, answers[len(decisions) :], strict=True):
            d.revealed.append(found[:, 0])
        done += size
        took = time.perf_counter() - begun


def _question(decision: Decision, done: int, size: int, seed: int) -> Question:
    """The choices that are compared, each once, and one that is drawn in each world."""
    first = done
    if decision.agreed:  # nothing is to be compared: its own worlds are as good in smaller number
        size = max(2, size * ROUND_AGREED // ROUND)
        first = done * ROUND_AGREED // ROUND if done else 0
    if decision.step == 0:
        first, size = first * (START // ROUND), size * (START // ROUND)
    key = _key(seed, decision.step, _MEASURING)
    legal = np.array([choice.action for choice in decision.choices])
    numbers = np.arange(first, first + size)
    drawn = chance.keys(np.full(size, _key(seed, decision.step, _DRAWN), np.uint64), numbers)
    picked = legal[(drawn >> np.uint64(33)).astype(np.int64) % len(legal)]
    same = np.tile(_compared(decision), (size, 1))
    return Question(decision.states, decision.seat, np.column_stack([same, picked]), key, first)


def _compared(decision: Decision) -> list[int]:
    return list(dict.fromkeys((decision.taken, decision.better, decision.agents)))


def _arms(decision: Decision, question: Question, found: Array) -> Array:
    """[world, TAKEN BETTER AGENTS DRAWN, ...]: what was played once stands wherever it is meant."""
    compared = _compared(decision)
    places = [compared.index(action) for action in (decision.taken, decision.better, decision.agents)]
    return np.asarray(found[:, [*places, len(compared)]])


def _after(decision: Decision, states: States, done: int, size: int, seed: int) -> Question:
    """The position after the decision, by what the seat knows then."""
    key = _key(seed, decision.step, _REVEALED)
    return Question(states, decision.seat, np.full((size, 1), NOTHING), key, done)


# ---------------------------------------------------------------- judging


def _judge(game: Game, decisions: list[Decision]) -> float:
    """Estimates for every decision, and which were mistakes; returns the level of the losses' intervals."""
    values = {d.step: np.concatenate(d.measured) for d in decisions}
    measures = (CHANCE, LEAD) if game.is_contest else (LEAD,)
    asked = [(d, what) for d in decisions if not d.agreed for what in measures]
    level = game_level(np.array([p_of(_loss(values[d.step], d, what)) for d, what in asked]))
    for d in decisions:
        found = values[d.step]
        d.lost = _agreed_or(d, estimate(_loss(found, d, LEAD), level))
        d.lost_chances = _agreed_or(d, _within_1(estimate(_loss(found, d, CHANCE), level)))
        d.lost_worth = float(_loss(found, d, WORTH).mean())
        d.mistake = is_mistake(d.lost_chances, d.lost)
        what = CHANCE if game.is_contest else LEAD
        figure = share if game.is_contest else estimate
        d.chances = tuple(figure(found[:, AGENTS, what, seat]) for seat in range(game.num_seats))
        d.after = tuple(figure(found[:, TAKEN, what, seat]) for seat in range(game.num_seats))
        if d.revealed:
            now = np.concatenate(d.revealed)[:, what]
            d.came_out = tuple(
                difference(now[:, seat], found[:, TAKEN, what, seat]) for seat in range(game.num_seats)
            )
    return level


def _loss(found: Array, decision: Decision, what: int) -> Array:
    """[world]: what the decision lost there."""
    own = found[:, :, what, decision.seat]
    return np.asarray(own[:, BETTER] - own[:, TAKEN])


def _within_1(found: Estimate) -> Estimate:
    """Nobody can lose more than the whole victory."""
    return found._replace(low=max(-1.0, found.low), high=min(1.0, found.high))


def _agreed_or(decision: Decision, found: Estimate) -> Estimate:
    """Whoever did what is best has lost nothing."""
    return Estimate(0.0, 0.0, 0.0, 0.0, found.blocks, found.games) if decision.agreed else found


# ---------------------------------------------------------------- sums


def together(decisions: Sequence[Decision]) -> Sum:
    """Some decisions together."""
    chances, points, worth = (
        [np.concatenate(d.measured)[:, :, what, d.seat] for d in decisions] for what in (CHANCE, LEAD, WORTH)
    )
    return Sum(
        decisions=len(decisions),
        mistakes=sum(d.mistake for d in decisions),
        lost=total([(found[:, BETTER] - found[:, TAKEN]) / len(points) for found in points]),
        lost_chances=total([(found[:, BETTER] - found[:, TAKEN]) / len(points) for found in chances]),
        accuracy=kept(
            [found[:, BETTER] - found[:, TAKEN] for found in worth],
            [found[:, BETTER] - found[:, DRAWN] for found in worth],
        ),
    )


def _luck(game: Game, decisions: list[Decision], last: States) -> tuple[tuple[Estimate, ...], ...]:
    """What the result leaves when the chances at the start and the effects of all decisions are taken off.

    The effect of a decision is that of what was done against what the agent would have done, in the same worlds: it
    varies little, so that what is left is known well although each is known badly.
    """
    result = worth_of(game, last)[0]
    found: list[tuple[Estimate, ...]] = []
    for what in (CHANCE, LEAD):
        by_seat = []
        for seat in range(game.num_seats):
            values = [np.concatenate(d.measured)[:, :, what, seat] for d in decisions]
            parts = [values[0][:, AGENTS], *(v[:, TAKEN] - v[:, AGENTS] for v in values)]
            explained = total(parts)
            value = float(result[what, seat])
            low, high = value - explained.high, value - explained.low
            rest = value - explained.value
            by_seat.append(Estimate(rest, low, high, explained.se, explained.blocks, 1))
        found.append(tuple(by_seat))
    return found[0], found[1]
