"""The league of a network that is kept up to date: whole games in compiled calls, and PPO from their traces.

An update plays `num_games` games to their end, all of them with the network as it is: no game is under way between
two updates, so that a checkpoint keeps none. The newest self learns on every seat on which it sits.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from genesia_rl.core import chance
from genesia_rl.core.game import Game
from genesia_rl.core.incremental import LESSONS, Trace
from genesia_rl.core.mind import mind_of
from genesia_rl.core.registry import offers
from genesia_rl.envs.single import seating
from genesia_rl.learn.league import SELF, Clock, NetworkPlayer, Pool, rotation_of
from genesia_rl.learn.policy import Frozen, Network, adam, seed_all, set_rate
from genesia_rl.learn.ppo import PARTS
from genesia_rl.learn.settings import LearnerSettings, Settings
from genesia_rl.learn.sparse import Judged, Segments, SparseLearner, returns
from genesia_rl.learn.teacher import Cloner, Rows
from genesia_rl.matches.together import joint_of
from genesia_rl.players.incremental import Games, Played
from genesia_rl.players.networks import INCREMENTAL, Layout

Array = npt.NDArray[Any]
CLONE_PARTS = ("clone_loss", "value_loss", "hits")


def playable(game: Game, code: str) -> bool:
    """Can compiled games seat this player?"""
    characters = mind_of(game.name).characters if offers(game.name, "mind") else {}
    return code == "random" or code in characters


def in_whole_games(settings: Settings, game: Game) -> bool:
    """Can the run's league be played in compiled games? Else its games are played side by side, as any network's."""
    if settings.network.kind != INCREMENTAL:
        return False
    return all(playable(game, code) for code in settings.league.scripted or ())


def seeds_of(seed: int, stream: int, first: int, count: int) -> npt.NDArray[np.uint64]:
    """Seeds of games number `first` on, of one of a run's streams of games."""
    start = np.random.SeedSequence([seed, stream]).generate_state(1, np.uint64)
    return np.asarray(chance.keys(np.repeat(start, count), np.arange(first, first + count)))


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


class WholeGames:
    """Games of one learner, whose opponents are drawn from a pool."""

    def __init__(self, settings: Settings, game: Game, layout: Layout, pool: Pool, clock: Clock) -> None:
        g, scripted = settings.game, settings.league.scripted or []
        self.pool, self.clock, self.settings, self.game = pool, clock, settings, game
        self.networks = {k: NetworkPlayer() for k in range(len(pool.names)) if k == SELF or k > pool.scripted}
        self.rotation = rotation_of(settings, game)
        self.num_games, self.now, self.games_played = settings.learner.num_games, 0, 0
        self.joint: list[float] = []  # where all play together: the scores since somebody has read them
        self.how, self.seat = seating(g.seat, game)
        characters = [code for code in scripted if code != "random"]
        self.games = Games(
            game, settings.network.architecture(), layout, characters, self.rotation.tables,
            settings.learner.threads or 1, reward=g.reward, scale=g.scale, shaping=g.shaping,
            gamma=settings.learner.gamma,
        )  # fmt: skip
        self.workers = ThreadPoolExecutor(settings.learner.threads or 1)
        networks = list(self.networks)
        sat = {place: k for k, place in enumerate(networks)}
        plans = [len(networks) + characters.index(c) if c in characters else -1 for c in scripted]
        rest = len(networks) + len(characters)  # behind them: the random player
        self.sat_as = np.array(
            [
                sat[k] if k in sat else rest if plans[k - 1] < 0 else plans[k - 1]
                for k in range(len(pool.names))
            ],
            np.int16,
        )

    def begin(self) -> None:
        """There is nothing to begin: an update's games are its own."""

    def seats(self, first: int) -> Array:
        """The learner's seat in games number `first` on."""
        numbers = np.arange(first, first + self.num_games)
        if self.how == "rotate":
            return np.asarray(numbers % self.game.num_seats)
        if self.how == "random":
            return np.asarray(self.pool.rng.integers(self.game.num_seats, size=self.num_games))
        return np.full(self.num_games, self.seat)

    def lineups(self) -> tuple[Array, Array, Array]:
        """Places of the pool on every seat, and behind it the learner's seat and the others' places."""
        n, seats = self.num_games, self.game.num_seats
        found = np.zeros((n, self.game.facts.most_seats), np.int64)
        if not self.game.is_contest:
            return found, np.zeros(n, np.int64), np.zeros((n, 0), np.int64)
        own, others = self.seats(self.games_played), self.pool.draw(n, seats - 1)
        for k in range(seats - 1):
            found[np.arange(n), (own + k + 1) % seats] = others[:, k]
        return found, own, others

    def play(self, newest: dict[str, Array]) -> Played:
        """The games of one update; rates the opponents."""
        start, first = self.clock.now(), self.games_played
        lineup, own, others = self.lineups()
        weights = [newest if k == SELF else player.weights or newest for k, player in self.networks.items()]
        seeds = seeds_of(self.settings.run.seed, 17, first, self.num_games)
        which = self.rotation.order[np.arange(first, first + self.num_games) % len(self.rotation.order)]
        learns = (lineup == SELF).astype(np.int8)
        played = self.games.play(self.games.nets(weights), seeds, self.sat_as[lineup], learns, which)
        if self.settings.game.margin:
            pay_margins(played, self.game, self.settings.game.margin, float(self.games.settings[0]["scale"]))
        self._end(played, own, others)
        self.clock.add("games", start)
        return played

    def _end(self, played: Played, own: Array, others: Array) -> None:
        """Count the games of an update, and what came of them."""
        if not self.game.is_contest:
            self.joint += joint_of(played.results["totals"], self.game.num_seats).tolist()
        self._rate(played, own, others)
        self.games_played += self.num_games
        self.now += 1

    def _rate(self, played: Played, own: Array, others: Array) -> None:
        """Who came before whom."""
        ranks, seats = played.results["ranks"].astype(np.int64), self.game.num_seats
        for k in range(others.shape[1]):
            rows = np.arange(len(own))
            ahead = np.sign(ranks[rows, (own + k + 1) % seats] - ranks[rows, own])
            for place, sign in zip(others[:, k].tolist(), ahead.tolist(), strict=True):
                self.pool.note(place, 0.5 + 0.5 * sign, self.now)

    def state(self) -> dict[str, Array]:
        """Everything that the next update's games depend on, beside the pool."""
        return {"counts": np.array([self.now, self.games_played])}

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from what was kept."""
        self.now, self.games_played = map(int, state["counts"])


class TracePPO:
    """PPO from whole games."""

    def __init__(
        self, settings: LearnerSettings, env: WholeGames, network: Network, clock: Clock, seed: int
    ) -> None:
        self.settings, self.env, self.network, self.clock = settings, env, network, clock
        seed_all(seed)
        self.rng = np.random.default_rng([seed, 3])
        self.optimizer = adam(network, settings.learning_rate)
        self.learner = SparseLearner(network, env.workers, settings.grad_norm)
        self.decisions = 0
        self.played: Played | None = None

    def newest(self) -> Frozen:
        """The network as it is now."""
        frozen = self.network.frozen()
        self.env.networks[SELF].frozen = frozen
        return frozen

    def play(self) -> None:
        """Play one update's games."""
        self.played = self.env.play(self.network.numpy_weights())
        self.decisions += len(self.played.trace.rows)

    def learn(self, left: float, value_only: bool = False) -> dict[str, float]:
        """Learn from the update's games; `left` is the share of the run that is still to come."""
        assert self.played is not None
        start, s, trace = self.clock.now(), self.settings, self.played.trace
        rate = s.learning_rate * (s.final_rate + (1 - s.final_rate) * max(0.0, min(1.0, left)))
        set_rate(self.optimizer, rate)
        advantage = returns(trace, s.gamma, s.gae_lambda)
        steps = np.array([*self._steps(trace, advantage, value_only)]).reshape(-1, len(PARTS))
        found = dict(zip(PARTS, (steps.sum(0) / max(1, len(steps))).tolist(), strict=True))
        variance = float((trace.rows["value"] + advantage).var())
        explained = 1 - float(advantage.var()) / variance if variance else float("nan")
        self.played = None
        self.clock.add("learner", start)
        return found | {"explained": explained, "rate": rate}

    def _steps(self, trace: Trace, advantage: Array, value_only: bool) -> Iterator[Array]:
        """The parts of the loss in each minibatch of each epoch, until the policy has moved too far."""
        segments = Segments(trace)
        old = np.ascontiguousarray(trace.rows["log_p"])
        goal = trace.rows["value"] + advantage
        for _ in range(self.settings.epochs):
            for halves in segments.minibatches(self.settings.minibatch, self.rng):
                rows = np.concatenate(halves)
                mean, spread = float(advantage[rows].mean()), float(advantage[rows].std()) + 1e-8
                gain = (advantage - mean) / spread
                loss = _PPOLoss(self.settings, old, gain, goal, len(rows), value_only)
                only = "value" if value_only else ""
                parts = self.learner.step(
                    self.optimizer,
                    trace,
                    halves,
                    loss,
                    "learner",
                    only,
                    lambda parts: self._too_far(parts[3]),
                )
                yield parts
                if self._too_far(parts[3]):
                    return

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
        s, (old, gain, goal) = (
            self.s,
            (torch.from_numpy(held[rows]) for held in (self.old, self.gain, self.goal)),
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
        seeds = seeds_of(s.run.seed, 19, first, count)
        which = self.rotation.order[np.arange(first, first + count) % len(self.rotation.order)]
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
        value_loss = (of.value - torch.from_numpy(self.goal[rows])).square().sum() / self.count
        hits = (of.log_p.detach() >= of.best).sum() / self.count
        parts = np.array([float(x.detach()) for x in (clone_loss, value_loss, hits)])
        return clone_loss + 0.5 * value_loss, parts
