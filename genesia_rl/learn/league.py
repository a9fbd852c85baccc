"""The pool of opponents, prioritised fictitious play, and the games that the learner plays against them.

Opponents sit on fixed places of a `LearnerBatch`: the newest self first, then players by their codes, then
former selves whose weights are replaced in time. A member's rating is the share of games in which the
learner finished ahead of it (a tie counts half), over the last games. Where all play together, as in a solo
mode, the learner leads all seats and there is no pool.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import StateError
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch, Player, ask
from genesia_rl.core.registry import make_game
from genesia_rl.envs.single import seating
from genesia_rl.learn import checkpoint
from genesia_rl.learn.fitting import varied_fields
from genesia_rl.learn.policy import Frozen
from genesia_rl.learn.settings import LeagueSettings, Settings
from genesia_rl.learn.varied import Rotation
from genesia_rl.matches.together import joint_of
from genesia_rl.players.networks import draw
from genesia_rl.vector.batch import Batch, LearnerBatch
from genesia_rl.vector.restoring import check_batch

Array = npt.NDArray[Any]
SELF = 0
BATCH_ARRAYS = ("states", "games", "mask", "observation", "final_observation", "results")


def pfsp(rates: Array, power: float, floor: float) -> npt.NDArray[np.float64]:
    """How likely each member is drawn: the better it does against the learner, the likelier."""
    weights = np.maximum((1 - np.asarray(rates, np.float64)) ** power, floor)
    if not weights.sum():
        weights = np.ones(len(weights))
    return np.asarray(weights / weights.sum())


class Clock:
    """Where the time goes: seconds by name, of the clock on the wall or of the processor."""

    def __init__(self, kind: str = "wall") -> None:
        self.seconds: dict[str, float] = {}
        self.kind = kind

    def now(self) -> float:
        """Seconds, from whenever."""
        return time.process_time() if self.kind == "processor" else time.perf_counter()

    def count(self, name: str, seconds: float) -> None:
        """Count some time to a name."""
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds

    def add(self, name: str, start: float) -> float:
        """Count the time since `start` to a name; returns the time now."""
        now = self.now()
        self.count(name, now - start)
        return now


class NetworkPlayer(Player):
    """A network that draws from its policy; the chance comes from what the player is shown."""

    name, version = "network", 1

    def __init__(self, frozen: Frozen | None = None) -> None:
        self.frozen = frozen
        self.weights: dict[str, Array] | None = None  # of a former self, as a checkpoint keeps them

    def act_batch(self, decisions: DecisionBatch) -> Array:
        """An action for each row."""
        assert self.frozen is not None
        logits, _ = self.frozen(decisions.observation)
        actions = self.frozen.layout.actions
        legal = decisions.mask[:, actions] != 0
        return np.asarray(actions[draw(logits.numpy(), legal, decisions.uniform())])


class TimedBatch(LearnerBatch):
    """A batch that counts the time of its opponents."""

    def __init__(self, clock: Clock, *given: Any, **options: Any) -> None:
        self.clock = clock
        super().__init__(*given, **options)

    def _ask(self, who: Array, rows: Array) -> Array:
        return ask(self.opponents, who, self.decisions(rows), self._count)

    def _count(self, place: int, rows: int, seconds: float) -> None:
        self.clock.count("opponents", seconds)


class Pool:
    """Who may sit opposite the learner, with ratings, and who does."""

    def __init__(self, settings: LeagueSettings, seed: int) -> None:
        self.settings, scripted = settings, settings.scripted or []
        self.scripted = len(scripted)
        self.former = range(1 + self.scripted, 1 + self.scripted + settings.snapshots)
        self.exploiting = range(self.former.stop, self.former.stop + settings.exploiters)
        self.names = ["self", *scripted, *("" for _ in (*self.former, *self.exploiting))]
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

    def add_snapshot(self, update: int, now: int) -> int | None:
        """A new former self, rated as equal; returns its place."""
        return self._add(f"update{update}", self.former, now) if self.former else None

    def add_exploiter(self, number: int, now: int) -> int:
        """A new former exploiter; there is always a place for it."""
        return self._add(f"exploiter{number}", self.exploiting, now)

    def _add(self, name: str, places: range, now: int) -> int:
        """Take the free one of these places, or that of the member that is beaten most."""
        place = max(places, key=lambda k: (not self.names[k], self.rate[k], -self.born[k]))
        self.names[place] = name
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
    return make_game(settings.game.name, players=settings.game.players, **settings.game.config)


def rotation_of(settings: Settings, game: Game) -> Rotation:
    """The variations that the run's games are dealt with."""
    return Rotation(game, varied_fields(settings), settings.run.seed)


def batch_state(batch: Batch, rotation: Rotation) -> dict[str, Array]:
    """All arrays that a batch's next step depends on."""
    return {name: getattr(batch, name) for name in BATCH_ARRAYS} | {"turn": rotation.turn}


def put_batch_state(batch: Batch, rotation: Rotation, state: dict[str, Array]) -> None:
    """Let a batch go on from there, if that is what a batch can be; nothing is taken over before."""
    turn = int(state["turn"][0])
    if turn < 0:
        raise StateError(f"turn = {turn}, allowed is a number from 0 on")
    opponents = len(batch.opponents) if isinstance(batch, LearnerBatch) else 0
    check_batch(batch.game, state, len(batch.tables), opponents, "games", batch.tables)
    for name, held in batch_state(batch, rotation).items():
        checkpoint.put(held, state[name])


def final_margins(batch: Batch, rows: Array) -> Array:
    """Of games that have just ended, each seat's total less the mean of the others', in units of `scale`."""
    seats = batch.game.num_seats
    totals = batch.results["totals"][rows, :seats].astype(np.float32)
    others = (totals.sum(1, keepdims=True) - totals) / (seats - 1)
    return np.asarray((totals - others) / batch.settings[0]["scale"])


class LeagueEnv:
    """Games of one learner, whose opponents are drawn from a pool.

    A lineup holds from a row's next game on, so the pool chooses one game ahead: `playing` are the
    opponents of the present game, `coming` those of the next, `begun` is when the present one began.
    """

    def __init__(self, settings: Settings, game: Game, pool: Pool, clock: Clock) -> None:
        self.pool, self.clock, self.margin = pool, clock, settings.game.margin
        self.seed, self.num_games = settings.run.seed, settings.learner.num_games
        self.networks = {k: NetworkPlayer() for k in range(len(pool.names)) if k == SELF or k > pool.scripted}
        players = [self.networks.get(k, name) for k, name in enumerate(pool.names)]
        g, (how, seat) = settings.game, seating(settings.game.seat, game)
        self.others = game.num_seats - 1
        if not game.is_contest:
            players, how, seat, self.others = [], "fixed", 0, 0
        self.rotation = rotation_of(settings, game)
        self.batch = TimedBatch(
            clock, game, self.num_games, players, seating=how, learner_seat=seat, reward=g.reward,
            scale=g.scale, shaping=g.shaping, gamma=settings.learner.gamma, tables=self.rotation.tables,
        )  # fmt: skip
        self.now, self.games_played = 0, 0
        self.joint: list[float] = []  # where all play together: the scores since somebody has read them
        self.told: dict[str, Any] = {}  # nothing but what every run tells
        self.begun = np.zeros(self.num_games, np.int64)
        self.playing = self.coming = np.zeros((self.num_games, self.others), np.int64)

    def gather(self) -> None:
        """Nobody has to come: the games are played here."""

    def begin(self) -> None:
        """Draw opponents and begin all games."""
        rows = np.arange(self.num_games)
        self.playing, self.coming = (self.pool.draw(self.num_games, self.others) for _ in range(2))
        self._seat(rows, self.playing)
        self.rotation.begin(self.batch, self.seed)
        self._seat(rows, self.coming)

    def _seat(self, rows: Array, lineup: Array) -> None:
        """Who plays in the next games of some rows."""
        if self.others:
            self.batch.set_lineup(rows, lineup)

    def advance(self, actions: Array) -> tuple[Array, Array]:
        """One decision of every learner; rewards, and which games have ended."""
        batch, start = self.batch, self.clock.now()
        before = self.clock.seconds.get("opponents", 0.0)
        self.rotation.step(batch, actions)
        reward, done = batch.learner_reward, batch.done.copy()
        if done.any():
            reward = self._finish(np.flatnonzero(done), reward)
        self.clock.add("environment", start + self.clock.seconds.get("opponents", 0.0) - before)
        self.now += 1
        return reward, done

    def _finish(self, rows: Array, reward: Array) -> Array:
        """Rate the opponents of finished games and draw those of the games after the next."""
        batch, seats = self.batch, self.batch.game.num_seats
        learner = batch.games["final_learner"][rows].astype(np.int64)
        for row, seat in zip(rows.tolist(), learner.tolist(), strict=True):
            ranks = batch.results["ranks"][row]
            for k, place in enumerate(self.playing[row].tolist()):
                other = ranks[(seat + k + 1) % seats]
                point = 0.5 + 0.5 * float(np.sign(int(other) - int(ranks[seat])))
                self.pool.note(place, point, int(self.begun[row]))
        if not batch.game.is_contest:
            self.joint += joint_of(batch.results["totals"][rows], seats).tolist()
        self.games_played += len(rows)
        self.playing[rows], self.begun[rows] = self.coming[rows], self.now
        self.coming[rows] = self.pool.draw(len(rows), self.others)
        self._seat(rows, self.coming[rows])
        if self.margin:
            reward = reward.copy()
            reward[rows] += self.margin * final_margins(batch, rows)[np.arange(len(rows)), learner]
        return reward

    # ---- what a checkpoint keeps
    def state(self) -> dict[str, Array]:
        """Everything that the next step depends on."""
        kept = batch_state(self.batch, self.rotation)
        counts = np.array([self.now, self.games_played])
        return kept | {"playing": self.playing, "coming": self.coming, "begun": self.begun, "counts": counts}

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from what was kept."""
        for name in ("playing", "coming"):
            places = state[name]
            if places.size and not (0 <= places.min() <= places.max() < len(self.pool.names)):
                raise StateError(
                    f"{name} names a place {places.max()}, allowed are 0..{len(self.pool.names) - 1}"
                )
        put_batch_state(self.batch, self.rotation, state)
        self.playing, self.coming = state["playing"].copy(), state["coming"].copy()
        self.begun = state["begun"].copy()
        self.now, self.games_played = map(int, state["counts"])
