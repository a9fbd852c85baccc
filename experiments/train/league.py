"""The pool of opponents, prioritised fictitious play, and the environment that plays against them.

Opponents sit on fixed places of a `LearnerBatch`: the newest self first, then scripted agents, then
former selves whose weights are replaced in time. A member's rating is the share of games in which the
learner finished ahead of it (a tie counts half), over the last games.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.networks import draw
from agents.registry import make_agent
from experiments.train import checkpoint
from experiments.train.deals import Deals, DealtBatch, DealtLearnerBatch
from experiments.train.policy import Frozen
from experiments.train.settings import LeagueSettings, Settings
from genesia_rl.contract import Game
from genesia_rl.envs.single import seating
from genesia_rl.registry import make_game
from genesia_rl.seen import Player, Seen
from genesia_rl.vector import Batch
from genesia_rl.vector.sb3 import SB3Batch

Array = npt.NDArray[Any]
GAME = "genesia"
SELF = 0
BATCH_ARRAYS = ("states", "games", "mask", "observation", "final_observation", "results", "lots", "turn")


def pfsp(rates: Array, power: float, floor: float) -> npt.NDArray[np.float64]:
    """How likely each member is drawn: the better it does against the learner, the likelier."""
    weights = np.maximum((1 - np.asarray(rates, np.float64)) ** power, floor)
    if not weights.sum():
        weights = np.ones(len(weights))
    return np.asarray(weights / weights.sum())


class Clock:
    """Where the time goes: seconds by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def add(self, name: str, start: float) -> float:
        """Count the time since `start` to a name; returns the time now."""
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - start
        return now


class NetworkPlayer(Player):
    """A network that draws from its policy; the chance comes from what the player is shown."""

    name, version = "network", 1
    asks_only_what_is_seen = True  # deals.py

    def __init__(self, frozen: Frozen | None = None) -> None:
        self.frozen = frozen
        self.weights: dict[str, Array] | None = None  # of a former self, as a checkpoint keeps them

    def act_batch(self, seen: Seen) -> Array:
        """An action for each row."""
        assert self.frozen is not None
        logits, _ = self.frozen(seen.observation)
        actions = self.frozen.layout.actions
        return np.asarray(actions[draw(logits.numpy(), seen.mask[:, actions] != 0, seen.uniform())])


class Timed(Player):
    """A player whose time is counted."""

    def __init__(self, player: Player, clock: Clock) -> None:
        self.player, self.clock, self.name = player, clock, player.name

    def act_batch(self, seen: Seen) -> Array:
        """The player's actions."""
        start = time.perf_counter()
        actions = self.player.act_batch(seen)
        self.clock.add("opponents", start)
        return actions


class Pool:
    """Who may sit opposite the learner, with ratings, and who does."""

    def __init__(self, settings: LeagueSettings, seed: int) -> None:
        self.settings = settings
        self.scripted = len(settings.scripted)
        self.names = ["self", *settings.scripted, *("" for _ in range(settings.snapshots))]
        size = len(self.names)
        self.rate, self.games = np.full(size, 0.5), np.zeros(size, np.int64)
        self.born = np.zeros(size, np.int64)
        self.rng = np.random.default_rng([seed, 7])

    def members(self) -> Array:
        """Places that are taken, without the newest self."""
        return np.array([k for k, name in enumerate(self.names) if name and k != SELF], np.int64)

    def weights(self) -> npt.NDArray[np.float64]:
        """How likely each place is drawn for a seat."""
        found, members = np.zeros(len(self.names)), self.members()
        share = self.settings.self_share if len(members) else 1.0
        found[SELF] = share
        if len(members):
            found[members] = (1 - share) * pfsp(self.rate[members], self.settings.power, self.settings.floor)
        return found

    def draw(self, rows: int, seats: int) -> Array:
        """The opponents of so many games."""
        lineup = self.rng.choice(len(self.names), (rows, seats), p=self.weights())
        alike = self.rng.random(rows) < self.settings.alike
        lineup[alike] = lineup[alike, :1]
        return np.asarray(lineup)

    def note(self, place: int, point: float, begun: int) -> None:
        """The learner was ahead of a member (1), behind (0) or equal, in a game that began at `begun`."""
        if begun < self.born[place]:  # against the predecessor
            return
        self.games[place] += 1
        self.rate[place] += (point - self.rate[place]) / min(self.games[place] + 1, self.settings.memory)

    def place_for_snapshot(self) -> int | None:
        """A free place, or that of the former self that is beaten most."""
        places = range(1 + self.scripted, len(self.names))
        if not places:
            return None
        return max(places, key=lambda k: (not self.names[k], self.rate[k], -self.born[k]))

    def add_snapshot(self, update: int, now: int) -> int | None:
        """A new former self, rated as equal; returns its place."""
        place = self.place_for_snapshot()
        if place is not None:
            self.names[place] = f"update{update}"
            self.rate[place], self.games[place], self.born[place] = 0.5, 0, now
        return place

    def state(self) -> dict[str, Any]:
        """All that must be kept."""
        return {
            "names": self.names, "rate": self.rate.tolist(), "games": self.games.tolist(),
            "born": self.born.tolist(), "rng": self.rng.bit_generator.state,
        }  # fmt: skip

    def put_state(self, state: dict[str, Any]) -> None:
        """Go on from what was kept."""
        self.names = list(state["names"])
        self.rate, self.games = np.array(state["rate"]), np.array(state["games"], np.int64)
        self.born = np.array(state["born"], np.int64)
        self.rng.bit_generator.state = state["rng"]


def game_of(settings: Settings) -> Game:
    """The game that is trained on."""
    return make_game(GAME, players=settings.game.players, **settings.game.config)


def deals_of(settings: Settings, game: Game) -> Deals:
    """The lots that the run's games are dealt with."""
    return Deals(game, settings.game.lots == "rotate", settings.run.seed)


def batch_state(batch: DealtBatch) -> dict[str, Array]:
    """All arrays of a batch that its next step depends on."""
    return {name: getattr(batch, name) for name in BATCH_ARRAYS}


def put_batch_state(batch: DealtBatch, state: dict[str, Array]) -> None:
    """Let a batch go on from there."""
    for name in BATCH_ARRAYS:
        checkpoint.put(getattr(batch, name), state[name])
    batch.put_turn()


def final_margins(batch: Batch, rows: Array) -> Array:
    """Of games that have just ended, each seat's total less the mean of the others', in units of `scale`."""
    seats = batch.game.num_seats
    totals = batch.results["totals"][rows, :seats].astype(np.float32)
    others = (totals.sum(1, keepdims=True) - totals) / (seats - 1)
    return np.asarray((totals - others) / batch.settings[0]["scale"])


class LeagueEnv(SB3Batch):
    """The native VecEnv, its opponents drawn from a pool.

    A lineup holds from a row's next game on, so the pool chooses one game ahead: `playing` are the
    opponents of the present game, `coming` those of the next, `begun` is when the present one began.
    """

    batch: DealtLearnerBatch

    def __init__(self, settings: Settings, game: Game, pool: Pool, clock: Clock) -> None:
        self.pool, self.clock, self.settings = pool, clock, settings
        self.networks = {k: NetworkPlayer() for k in range(len(pool.names)) if k == SELF or k > pool.scripted}
        players = [
            self.networks[k] if k in self.networks else make_agent(name) for k, name in enumerate(pool.names)
        ]
        g, number = settings.game, settings.learner.num_games
        super().__init__(number, game, g.seat, seed=settings.run.seed)
        how, seat = seating(g.seat, game)
        self.batch = DealtLearnerBatch(  # instead of that of SB3Batch, whose games all have the same lots
            deals_of(settings, game), number, [Timed(player, clock) for player in players], seating=how,
            learner_seat=seat, reward=g.reward, scale=g.scale, shaping=g.shaping,
            gamma=settings.learner.gamma,
        )  # fmt: skip
        self.others = game.num_seats - 1
        self.now, self.games_played = 0, 0
        self.begun = np.zeros(self.num_envs, np.int64)
        self.playing = self.coming = np.zeros((self.num_envs, self.others), np.int64)

    def begin(self) -> None:
        """Draw opponents and begin all games."""
        rows = np.arange(self.num_envs)
        self.playing, self.coming = (self.pool.draw(self.num_envs, self.others) for _ in range(2))
        self.batch.set_lineup(rows, self.playing)
        self.batch.reset(self._seed)
        self.batch.set_lineup(rows, self.coming)

    def reset(self) -> Any:
        """The same, as environments do it."""
        self.begin()
        self.reset_infos = [{} for _ in range(self.num_envs)]
        return self.batch.observation.copy()

    def advance(self, actions: Array) -> tuple[Array, Array]:
        """One decision of every learner; rewards, and which games have ended."""
        batch, start = self.batch, time.perf_counter()
        before = self.clock.seconds.get("opponents", 0.0)
        batch.step(actions)
        reward, done = batch.learner_reward, batch.done.copy()
        if done.any():
            reward = self._finish(np.flatnonzero(done), reward)
        self.clock.add("environment", start + self.clock.seconds.get("opponents", 0.0) - before)
        self.now += 1
        return reward, done

    def _finish(self, rows: Array, reward: Array) -> Array:
        """Rate the opponents of finished games and draw those of the games after the next."""
        batch, seats = self.batch, self.others + 1
        learner = batch.games["final_learner"][rows].astype(np.int64)
        for row, seat in zip(rows.tolist(), learner.tolist(), strict=True):
            totals = batch.results["places"][row]
            for k, place in enumerate(self.playing[row].tolist()):
                other = totals[(seat + k + 1) % seats]
                point = 0.5 + 0.5 * float(np.sign(int(other) - int(totals[seat])))
                self.pool.note(place, point, int(self.begun[row]))
        self.games_played += len(rows)
        self.playing[rows], self.begun[rows] = self.coming[rows], self.now
        self.coming[rows] = self.pool.draw(len(rows), self.others)
        batch.set_lineup(rows, self.coming[rows])
        if self.settings.game.margin:
            reward = reward.copy()
            margins = final_margins(batch, rows)[np.arange(len(rows)), learner]
            reward[rows] += self.settings.game.margin * margins
        return reward

    # ---- what a checkpoint keeps
    def state(self) -> dict[str, Array]:
        """Everything that the next step depends on."""
        kept = batch_state(self.batch)
        counts = np.array([self.now, self.games_played])
        return kept | {"playing": self.playing, "coming": self.coming, "begun": self.begun, "counts": counts}

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from what was kept."""
        put_batch_state(self.batch, state)
        self.playing, self.coming = state["playing"].copy(), state["coming"].copy()
        self.begun = state["begun"].copy()
        self.now, self.games_played = map(int, state["counts"])
