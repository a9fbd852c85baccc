"""The league of a network that is kept up to date: whole games in compiled calls, and PPO from their traces.

An update plays `num_games` games to their end, all of them with the network as it is: no game is under way between
two updates, so that a checkpoint keeps none. The newest self learns on every seat on which it sits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from genesia_rl.core import chance
from genesia_rl.core.errors import StateError
from genesia_rl.core.game import Game
from genesia_rl.core.incremental import LESSONS, Trace
from genesia_rl.envs.single import seating
from genesia_rl.learn.league import SELF, Clock, NetworkPlayer, Pool, rotation_of
from genesia_rl.learn.members import can_teach, compiled_network, playable
from genesia_rl.learn.policy import Network, adam, seed_all, set_rate
from genesia_rl.learn.ppo import PARTS
from genesia_rl.learn.settings import LearnerSettings, Settings
from genesia_rl.learn.sparse import Judged, Segments, SparseLearner, returns
from genesia_rl.learn.teacher import Cloner, Rows
from genesia_rl.matches.together import joint_of
from genesia_rl.players.incremental import Games, Played, widest
from genesia_rl.players.networks import INCREMENTAL, Layout

Array = npt.NDArray[Any]
CLONE_PARTS = ("clone_loss", "value_loss", "hits")


def in_whole_games(settings: Settings, game: Game) -> bool:
    """Can the run's league be played in compiled games? Else its games are played side by side, as any network's."""
    if settings.network.kind != INCREMENTAL:
        return False
    return all(playable(game, code) for code in settings.league.scripted or ())


def seeds_of(seed: int, stream: int, numbers: Array) -> npt.NDArray[np.uint64]:
    """Seeds of the games of these numbers, of one of a run's streams of games."""
    start = np.random.SeedSequence([seed, stream]).generate_state(1, np.uint64)
    return np.asarray(chance.keys(np.repeat(start, len(numbers)), numbers))


def margins(played: Played, game: Game, scale: float) -> Array:
    """`[game, seat]`: each seat's total less the mean of the others', in units of `scale`."""
    totals = played.results["totals"].astype(np.float32)[:, : game.num_seats]
    others = (totals.sum(1, keepdims=True) - totals) / (game.num_seats - 1)
    return np.asarray((totals - others) / scale)


def pay_margins(played: Played, game: Game, weight: float, scale: float) -> None:
    """Pay the final margin to each learner's last decision."""
    rows = played.trace.rows
    last = np.flatnonzero(rows["last"])
    paid = margins(played, game, scale)[rows["game"][last], rows["learner"][last]]
    rows["reward"][last] += weight * paid


def without_traits(played: Played) -> Played:
    """For a learner that reads none, though others at its table do."""
    nothing = np.zeros((len(played.trace.traits), 0), np.int8)
    return played._replace(trace=played.trace._replace(traits=nothing))


class Drawn(NamedTuple):
    """Games that are to be played, an entry each, whoever plays them."""

    numbers: Array
    own: Array  # the learner's seat, and who sits on the others as places of the pool
    others: Array
    seeds: Array
    seated: Array  # of every seat: whom compiled games ask
    learns: Array
    which: Array

    def part(self, some: slice) -> Drawn:
        """Some of them."""
        return Drawn(*(held[some] for held in self))


class WholeGames:
    """Games of one learner, whose opponents are drawn from a pool."""

    def __init__(self, settings: Settings, game: Game, layout: Layout, pool: Pool, clock: Clock) -> None:
        g, scripted = settings.game, settings.league.scripted or []
        self.pool, self.clock, self.settings, self.game = pool, clock, settings, game
        self.networks = {k: NetworkPlayer() for k in range(len(pool.names)) if k == SELF or k > pool.scripted}
        self.rotation = rotation_of(settings, game)
        self.num_games, self.now, self.games_played = settings.learner.num_games, 0, 0
        self.given, self.open = (
            0,
            np.zeros(0, np.int64),
        )  # the next new number; numbers to be played before it
        self.told: dict[str, Any] = {}  # of the last update's games, for the log
        self.joint: list[float] = []  # where all play together: the scores since somebody has read them
        self.how, self.seat = seating(g.seat, game)
        characters = [code for code in scripted if can_teach(game, code)]
        known = {k: compiled_network(game, code) for k, code in enumerate(scripted, 1)}
        #: Networks of files, by place: they stay as they are.
        self.models = {k: found.model for k, found in known.items() if found is not None}
        #: Of places whose networks do not draw as they learned: 0 takes its likeliest actions.
        self.temperatures = {k: found.temperature for k, found in known.items() if found is not None}
        shapes = [settings.network.architecture(), *(model.architecture for model in self.models.values())]
        self.games = Games(
            game, widest(shapes), layout, characters, self.rotation.tables,
            settings.learner.threads or 1, reward=g.reward, scale=g.scale, shaping=g.shaping,
            gamma=settings.learner.gamma,
        )  # fmt: skip
        self.workers = ThreadPoolExecutor(
            settings.learner.threads or 1, initializer=torch.set_num_threads, initargs=(1,)
        )  # else each of them has a team of torch's threads of its own
        self.sat_as = self._numbers(scripted, characters)

    def _numbers(self, scripted: list[str], characters: list[str]) -> Array:
        """What each place of the pool is called by compiled games: networks, then plans, then the random player."""
        networks = [*self.networks, *self.models]
        found = np.full(len(self.pool.names), len(networks) + len(characters), np.int16)
        for number, place in enumerate(networks):
            found[place] = number
        for place, code in enumerate(scripted, 1):
            if code in characters:
                found[place] = len(networks) + characters.index(code)
        return found

    def gather(self) -> None:
        """Nobody has to come: the games are played here."""

    def begin(self) -> None:
        """There is nothing to begin: an update's games are its own."""

    def take_numbers(self, count: int) -> Array:
        """Numbers of the next games: those that were left open, then new ones."""
        left, self.open = self.open[:count], self.open[count:]
        new = np.arange(self.given, self.given + count - len(left))
        self.given += len(new)
        return np.concatenate([left, new])

    def seats(self, numbers: Array) -> Array:
        """The learner's seat in the games of these numbers."""
        if self.how == "rotate":
            return np.asarray(numbers % self.game.num_seats)
        if self.how == "random":
            return np.asarray(self.pool.rng.integers(self.game.num_seats, size=len(numbers)))
        return np.full(len(numbers), self.seat)

    def lineups(self, numbers: Array) -> tuple[Array, Array, Array]:
        """Places of the pool on every seat, and behind it the learner's seat and the others' places."""
        n, seats = len(numbers), self.game.num_seats
        found = np.zeros((n, self.game.facts.most_seats), np.int64)
        if not self.game.is_contest:
            return found, np.zeros(n, np.int64), np.zeros((n, 0), np.int64)
        own, others = self.seats(numbers), self.pool.draw(n, seats - 1)
        for k in range(seats - 1):
            found[np.arange(n), (own + k + 1) % seats] = others[:, k]
        return found, own, others

    def drawn(self, numbers: Array) -> Drawn:
        """The games of these numbers, with opponents drawn for them."""
        lineup, own, others = self.lineups(numbers)
        seeds = seeds_of(self.settings.run.seed, 17, numbers)
        which = self.rotation.order[numbers % len(self.rotation.order)]
        learns = (lineup == SELF).astype(np.int8)
        return Drawn(numbers, own, others, seeds, self.sat_as[lineup], learns, which)

    def by_number(self) -> dict[int, float]:
        """The temperatures of networks as compiled games count these."""
        places = enumerate((*self.networks, *self.models))
        return {k: self.temperatures[place] for k, place in places if place in self.temperatures}

    def play(self, newest: dict[str, Array]) -> Played:
        """The games of one update; rates the opponents."""
        start = self.clock.now()
        games = self.drawn(self.take_numbers(self.num_games))
        weights = [newest if k == SELF else player.weights or newest for k, player in self.networks.items()]
        weights += [model.weights for model in self.models.values()]
        nets = self.games.nets(weights, self.by_number())
        played = self.games.play(nets, games.seeds, games.seated, games.learns, games.which)
        played = self.finish(played, games, np.full(self.num_games, self.now))
        self.clock.add("games", start)
        return played

    def finish(self, played: Played, games: Drawn, begun: Array) -> Played:
        """Pay and rate games that are over; `begun` are the updates with whose weights each was played."""
        if not self.settings.network.traits:
            played = without_traits(played)
        if self.settings.game.margin:
            pay_margins(played, self.game, self.settings.game.margin, float(self.games.settings[0]["scale"]))
        self._end(played, games.own, games.others, begun)
        return played

    def _end(self, played: Played, own: Array, others: Array, begun: Array) -> None:
        """Count the games of an update, and what came of them."""
        if not self.game.is_contest:
            self.joint += joint_of(played.results["totals"], self.game.num_seats).tolist()
        self._rate(played, own, others, begun)
        self.games_played += len(begun)
        self.now += 1

    def _rate(self, played: Played, own: Array, others: Array, begun: Array) -> None:
        """Who came before whom."""
        ranks, seats = played.results["ranks"].astype(np.int64), self.game.num_seats
        for k in range(others.shape[1]):
            rows = np.arange(len(own))
            ahead = np.sign(ranks[rows, (own + k + 1) % seats] - ranks[rows, own])
            noted = zip(others[:, k].tolist(), ahead.tolist(), begun.tolist(), strict=True)
            for place, sign, then in noted:
                self.pool.note(place, 0.5 + 0.5 * sign, then)

    def state(self) -> dict[str, Array]:
        """Everything that the next update's games depend on, beside the pool."""
        return {"counts": np.array([self.now, self.games_played])} | self.left_open()

    def left_open(self) -> dict[str, Array]:
        """The numbers of games that were drawn and never finished, where there are any."""
        return {"open": self.open} if len(self.open) else {}

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from what was kept."""
        self.now, self.games_played = map(int, state["counts"])
        self.open = state.get("open", np.zeros(0, np.int64)).copy()
        self.given = self.games_played + len(self.open)
        if len(self.open) and not 0 <= self.open.min() <= self.open.max() < self.given:
            raise StateError(f"open names game {self.open.max()}, allowed are 0..{self.given - 1}")


class Seated(Protocol):
    """Games with one number of players, and the network as it is read there."""

    env: Any
    network: Any


class TracePPO:
    """PPO from whole games, with one number of players or several in turn."""

    def __init__(
        self, settings: LearnerSettings, tables: Sequence[Seated], network: Network, clock: Clock, seed: int
    ) -> None:
        self.settings, self.tables, self.network, self.clock = settings, tables, network, clock
        seed_all(seed)
        self.rng = np.random.default_rng([seed, 3])
        self.optimizer = adam(network, settings.learning_rate)
        self.learners = [
            SparseLearner(table.network, table.env.workers, settings.grad_norm) for table in tables
        ]
        self.decisions = 0
        self.played: list[Played] = []

    def newest(self) -> None:
        """The network as it is now sits at all tables."""
        for table in self.tables:
            table.env.networks[SELF].frozen = table.network.frozen()

    def play(self) -> None:
        """Play one update's games."""
        self.played = [table.env.play(table.network.numpy_weights()) for table in self.tables]
        self.decisions += sum(len(played.trace.rows) for played in self.played)

    def learn(self, left: float, value_only: bool = False) -> dict[str, float]:
        """Learn from the update's games; `left` is the share of the run that is still to come."""
        start, s, traces = self.clock.now(), self.settings, [played.trace for played in self.played]
        rate = s.rate(left)
        set_rate(self.optimizer, rate)
        advantages = [returns(trace, s.gamma, s.gae_lambda) for trace in traces]
        steps = np.array([*self._steps(traces, advantages, value_only)]).reshape(-1, len(PARTS))
        found = dict(zip(PARTS, (steps.sum(0) / max(1, len(steps))).tolist(), strict=True))
        advantage = np.concatenate(advantages)
        variance = float((np.concatenate([trace.rows["value"] for trace in traces]) + advantage).var())
        explained = 1 - float(advantage.var()) / variance if variance else float("nan")
        self.played = []
        self.clock.add("learner", start)
        return found | {"explained": explained, "rate": rate}

    def _steps(self, traces: list[Trace], advantages: list[Array], value_only: bool) -> Iterator[Array]:
        """The parts of the loss in each minibatch of each epoch, until the policy has moved too far."""
        segments, only = [*map(Segments, traces)], "value" if value_only else ""
        old = [np.ascontiguousarray(trace.rows["log_p"]) for trace in traces]
        goal = [trace.rows["value"] + own for trace, own in zip(traces, advantages, strict=True)]
        for _ in range(self.settings.epochs):
            for k, halves in self._minibatches(segments):
                rows, advantage = np.concatenate(halves), advantages[k]
                mean, spread = float(advantage[rows].mean()), float(advantage[rows].std()) + 1e-8
                gain = (advantage - mean) / spread
                loss = _PPOLoss(self.settings, old[k], gain, goal[k], len(rows), value_only)
                parts = self.learners[k].step(
                    self.optimizer, traces[k], halves, loss, "learner", only,
                    lambda parts: self._too_far(parts[3]),
                )  # fmt: skip
                yield parts
                if self._too_far(parts[3]):
                    return

    def _minibatches(self, segments: list[Segments]) -> Iterator[tuple[int, list[Array]]]:
        """All decisions once: from which table, and which. Those of several tables come mixed."""
        made = [
            (k, halves)
            for k, own in enumerate(segments)
            for halves in own.minibatches(self.settings.minibatch, self.rng)
        ]
        if len(segments) > 1:  # those of one table come in an order of their own already
            made = [made[place] for place in self.rng.permutation(len(made))]
        return iter(made)

    def _too_far(self, kl: float) -> bool:
        """Has the policy left its decisions so far behind that nothing more is to be learned from them?"""
        most = self.settings.target_kl
        return most is not None and kl > 1.5 * most


class _PPOLoss:
    """PPO's loss over some of the rows of a minibatch of `count`."""

    def __init__(
        self, settings: LearnerSettings, old: Array, gain: Array, goal: Array, count: int, value_only: bool
    ) -> None:
        self.s, self.old, self.gain, self.goal = settings, old, gain, goal
        self.count, self.value_only = count, value_only

    def __call__(self, of: Judged, rows: Array) -> tuple[Tensor, Array]:
        s, device = self.s, of.log_p.device
        old, gain, goal = (
            torch.from_numpy(held[rows]).to(device) for held in (self.old, self.gain, self.goal)
        )
        change = of.log_p - old
        ratio = change.exp()
        policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - s.clip, 1 + s.clip) * gain).sum() / self.count
        value_loss = (of.value - goal).square().sum() / self.count
        spread = of.entropy.sum() / self.count
        loss = s.value * value_loss
        if not self.value_only:
            loss = loss + policy_loss - s.entropy * spread
        with torch.no_grad():
            kl = (ratio - 1 - change).sum() / self.count
            clipped = ((ratio - 1).abs() > s.clip).sum() / self.count
        return loss, np.array([float(x.detach()) for x in (policy_loss, value_loss, spread, kl, clipped)])


# ---------------------------------------------------------------- lessons


class TraceLessons:
    """Whole games in which a scripted player is asked in every decision."""

    total: int | None = None

    def __init__(self, settings: Settings, game: Game, layout: Layout) -> None:
        t, g = settings.teacher, settings.game
        assert t.asked is not None
        self.settings, self.game, self.finished = settings, game, 0
        self.rotation = rotation_of(settings, game)
        self.rng = np.random.default_rng([settings.run.seed, 11])
        self.games = Games(
            game, settings.network.architecture(), layout, [t.asked], self.rotation.tables,
            settings.learner.threads or 1, reward=g.reward, scale=g.scale, shaping=g.shaping,
            gamma=settings.learner.gamma,
        )  # fmt: skip
        self.told = np.array([(0, t.mix)], LESSONS)

    def chunk(self, weights: dict[str, Array]) -> Trace:
        """`num_games` games; in place of rewards rows have what they came to."""
        s, first, count = self.settings, self.finished, self.settings.teacher.num_games
        lineup = np.zeros((count, self.game.facts.most_seats), np.int16)
        numbers = np.arange(first, first + count)
        seeds, which = (
            seeds_of(s.run.seed, 19, numbers),
            self.rotation.order[numbers % len(self.rotation.order)],
        )
        nets, learns = self.games.nets([weights]), np.ones(lineup.shape, np.int8)
        played = self.games.play(nets, seeds, lineup, learns, which, self.told)
        if s.game.margin:
            pay_margins(played, self.game, s.game.margin, float(self.games.settings[0]["scale"]))
        self.finished += count
        return played.trace

    def state(self) -> dict[str, Array]:
        """What a checkpoint keeps."""
        return {"finished": np.array(self.finished)}

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from there."""
        self.finished = int(state["finished"])


class TraceCloner(Cloner):
    """Learns from traces of lessons; from rows of a data set as any network does."""

    def __init__(self, network: Network, settings: Settings, workers: ThreadPoolExecutor) -> None:
        super().__init__(network, settings.teacher, settings.run.seed)
        self.gamma = settings.learner.gamma
        self.learner = SparseLearner(network, workers, 1.0)

    def learn(self, rows: Rows | Trace, rate: float = 1.0) -> dict[str, float]:
        """Some passes over a chunk, with a share of the learning rate; the means of loss and hits."""
        if not isinstance(rows, Trace):
            return super().learn(rows, rate)
        set_rate(self.optimizer, self.settings.learning_rate * rate)
        goal, segments = returns(rows, self.gamma, 1.0), Segments(rows)
        seed = int(torch.randint(2**31, (1,), generator=self.generator))
        rng, sums, passes = np.random.default_rng(seed), np.zeros(len(CLONE_PARTS)), 0
        for _ in range(self.settings.epochs):
            for halves in segments.minibatches(self.settings.minibatch, rng):
                loss = CloneLoss(goal, sum(map(len, halves)))
                sums += self.learner.step(self.optimizer, rows, halves, loss, "lessons")
                passes += 1
        return dict(zip(CLONE_PARTS, (sums / passes).tolist(), strict=True))


class CloneLoss:
    """How unlikely the teacher's choices are, and how wrong the values, in a minibatch of `count`."""

    def __init__(self, goal: Array, count: int) -> None:
        self.goal, self.count = goal, count

    def __call__(self, of: Judged, rows: Array) -> tuple[Tensor, Array]:
        clone_loss = -of.log_p.sum() / self.count
        goal = torch.from_numpy(self.goal[rows]).to(of.value.device)
        value_loss = (of.value - goal).square().sum() / self.count
        hits = (of.log_p.detach() >= of.best).sum() / self.count
        parts = np.array([float(x.detach()) for x in (clone_loss, value_loss, hits)])
        return clone_loss + 0.5 * value_loss, parts
