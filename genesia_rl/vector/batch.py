"""Batches of games on arrays that the caller owns; one compiled call steps them all.

A row is a game. At any time it waits for one seat: `seat[i]` is to act, `mask[i]` and `observation[i]`
are what it may do and sees, in its own numbering. Finished games are paid and begin anew in the same
step (`done[i]`); their last observations and results are handed over. Nothing is allocated by a step,
and the GIL is free while it runs.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import RLock
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ActionError, ConfigError, PlayerError
from genesia_rl.core.facts import LEARNER, RANDOM_PLAYER, SEATINGS
from genesia_rl.core.game import Game, Tables
from genesia_rl.core.player import DecisionBatch, Player, ask
from genesia_rl.core.reading import is_int, shown
from genesia_rl.core.rewards import make_settings
from genesia_rl.players.codes import make_player

Array = npt.NDArray[Any]
MOST_GAMES, MOST_THREADS = 10_000_000, 1_024


def mix_seeds(seed: int, num: int) -> npt.NDArray[np.uint64]:
    """A seed for each row: row i's does not depend on how many rows there are."""
    rows = [int(np.random.SeedSequence([seed, i]).generate_state(1, np.uint64)[0]) for i in range(num)]
    return np.array(rows, np.uint64)


class Batch:
    """N games, all seats played by the caller.

    `tables` (`Game.variations`) are several configurations that look alike; `next_table[i]` says with which of
    them row i's next game is dealt, and may be changed at any time. By default all rows have the game's own.

    `reward[i, k]` is what seat k of game i got in this step, for all seats; who trains an agent must
    pair an agent's action with the rewards of *its* seat up to its own next decision or the end, never
    with the next row's observation, which is usually another seat's.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        reward: str = "win",
        scale: float | None = None,
        shaping: float = 0.0,
        gamma: float = 1.0,
        threads: int = 1,
        mask: Array | None = None,
        observation: Array | None = None,
        tables: Tables | None = None,
    ) -> None:
        for name, value, most in (("num_games", num_games, MOST_GAMES), ("threads", threads, MOST_THREADS)):
            if not is_int(value, 1, most):
                raise ConfigError(f"{name} = {shown(value)}, allowed is a number 1..{most}")
        self.game = game
        self.num_games = num_games
        self.tables = game.tables if tables is None else tables
        self.states = game.new_states(num_games)
        self.games = np.zeros(num_games, game.facts.row_dtype)
        self.games["controller"] = self.games["lineup"] = LEARNER
        self.settings = make_settings(game, reward, scale, shaping, gamma)
        self.mask = self._buffer("mask", mask, (num_games, game.num_actions))
        self.observation = self._buffer("observation", observation, (num_games, game.observation_size))
        self.final_observation = np.zeros((num_games, game.num_seats, game.observation_size), np.int8)
        self.results = np.zeros(num_games, game.facts.result_dtype)
        self._rows = np.arange(num_games)
        self.threads = threads
        self._chunks = np.array_split(self._rows, threads)
        self._open()

    def _open(self) -> None:
        """What belongs to this process: threads, and the lock by which one thread at a time plays."""
        self._lock = RLock()
        self._process = os.getpid()
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Two threads that step one batch would both write to its states: the second is refused."""
        if self._process != os.getpid():  # a fork has the pool of its parent, and none of its threads
            self._open()
        if not self._lock.acquire(blocking=False):
            raise ConfigError(
                "batch: another thread is playing in it, allowed is one at a time, or a batch for each"
            )
        try:
            yield
        finally:
            self._lock.release()

    # ---- copies: the threads stay where they are, a copy makes its own
    def __getstate__(self) -> dict[str, Any]:
        return {
            name: held for name, held in self.__dict__.items() if name not in ("_lock", "_pool", "_process")
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._open()

    def __copy__(self) -> Self:
        """A copy shares no arrays: what is played in one is not played in the other."""
        return copy.deepcopy(self)

    @staticmethod
    def _buffer(name: str, given: Array | None, shape: tuple[int, ...]) -> Array:
        """The caller's own array, or a new one."""
        if given is None:
            return np.zeros(shape, np.int8)
        if not isinstance(given, np.ndarray):
            raise ConfigError(f"{name} = {shown(given)}, allowed is an int8 array of shape {shape}")
        good = given.flags.c_contiguous and given.flags.writeable
        if given.shape != shape or given.dtype != np.int8 or not good:
            raise ConfigError(
                f"{name} = an array of shape {given.shape} and type {given.dtype}, allowed is a contiguous "
                f"writable int8 array of shape {shape}"
            )
        return given

    # ---- what is known of every row; views, not copies
    @property
    def seat(self) -> Array:
        """The seat to act."""
        return self.games["seat"]

    @property
    def kind(self) -> Array:
        """The kind of its decision, as a place in `game.kinds`."""
        return self.games["kind"]

    @property
    def reward(self) -> Array:
        """What each seat got in this step."""
        return self.games["reward"][:, : self.game.num_seats]

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Has the row's game ended in this step? (Another one has begun.)"""
        return self.games["done"].view(np.bool_)

    @property
    def seeds(self) -> Array:
        """The seed of the row's present game."""
        return self.games["seed"]

    @property
    def table(self) -> Array:
        """With which of the batch's tables the row's present game was dealt; it cannot be written."""
        held = self.games["table"]
        held.flags.writeable = False
        return held

    @property
    def next_table(self) -> Array:
        """With which of them its next game will be dealt."""
        return self.games["next_table"]

    # ---- playing
    def reset(self, seed: int | Sequence[int] | Array = 0) -> None:
        """Begin all games anew; from one seed for the batch, or from the seed of each game."""
        seeds = self._seeds_of(seed)
        with self._alone():
            self._check_tables()
            for name in ("done", "reward", "episode"):
                self.games[name] = 0
            self.games["seed"] = seeds
            self._run(self._start)

    def _seeds_of(self, seed: Any) -> Array:
        """A seed for each game."""
        if isinstance(seed, int | np.integer) and not isinstance(seed, bool):
            return mix_seeds(int(seed) % (1 << 64), self.num_games)
        try:
            given = np.asarray(seed)
        except (ValueError, OverflowError):
            given = np.zeros(0)
        if given.shape != (self.num_games,) or given.dtype.kind not in "iu":
            raise ConfigError(
                f"seed = {shown(seed)}, allowed is a number, or {self.num_games} of them, one a game"
            )
        return given.astype(np.uint64)

    def _check_tables(self) -> None:
        """`next_table` is the caller's to write; compiled code takes it as it is."""
        coming, last = self.next_table, len(self.tables) - 1
        if coming.any() and not 0 <= coming.min() <= coming.max() <= last:
            row = int(((coming < 0) | (coming > last)).argmax())
            raise ConfigError(f"next_table[{row}] = {coming[row]}, allowed is 0..{last}")

    def step(self, actions: Sequence[int] | Array) -> None:
        """Take one action in every game, each in the numbering of the seat to act.

        If one of them is not legal nothing is done at all: the last step's rewards stay as well.
        """
        with self._alone():
            checked = self._checked(self._rows, actions)
            self.game.kernels.open_step(self.games)
            self._take(self._rows, checked)

    def step_rows(self, rows: Array, actions: Sequence[int] | Array) -> None:
        """Take one action in some of the games; rewards are added up until the next `open_step`."""
        rows = self._rows_of(rows)
        with self._alone():
            self._take(rows, self._checked(rows, actions))

    def _rows_of(self, rows: Any) -> Array:
        """Different games, as compiled code takes them."""
        given = np.asarray(rows)
        if given.ndim != 1 or given.dtype.kind not in ("iu" if len(given) else "iuf"):
            raise ActionError(f"games {shown(rows)}, allowed are numbers of 0..{self.num_games - 1}")
        found = np.ascontiguousarray(given, np.int64)
        if len(np.unique(found)) < len(found) or not ((found >= 0) & (found < self.num_games)).all():
            raise ActionError(f"games {shown(rows)}, allowed are different ones of 0..{self.num_games - 1}")
        return found

    def _checked(self, rows: Array, actions: Sequence[int] | Array) -> Array:
        """The actions as the compiled code takes them: one legal integer for each row."""
        try:
            given = np.asarray(actions)
        except (ValueError, OverflowError):  # rows of unequal length, numbers beyond all bits
            raise ActionError(f"actions {shown(actions)}, allowed are integers") from None
        self._check_tables()
        if given.shape != rows.shape:
            raise ActionError(f"actions of shape {given.shape}, allowed is one for each of {len(rows)} games")
        if given.dtype.kind not in "iu":
            raise ActionError(f"actions of type {given.dtype}, allowed are integers")
        checked = np.ascontiguousarray(given, np.int64)
        bad = self.game.kernels.check_rows(self.states, self.tables, self.games, rows, checked)
        if bad >= 0:
            self._refuse(int(rows[bad]), int(given[bad]))
        return checked

    def _take(self, rows: Array, actions: Array) -> None:
        if self._pool is None or len(rows) < 2 * len(self._chunks):
            self._step(rows, actions)
            return
        parts = np.array_split(np.arange(len(rows)), len(self._chunks))
        list(self._pool.map(lambda part: self._step(rows[part], actions[part]), parts))

    def _run(self, work: Any) -> None:
        if self._pool is None:
            work(self._rows)
        else:
            list(self._pool.map(work, self._chunks))

    def _outputs(self) -> tuple[Array, ...]:
        return self.settings, self.mask, self.observation, self.final_observation, self.results

    def _start(self, rows: Array) -> None:
        game = self.game
        game.kernels.start_rows(self.states, self.tables, self.games, rows, *self._outputs())

    def _step(self, rows: Array, actions: Array) -> None:
        game = self.game
        game.kernels.step_rows(self.states, self.tables, self.games, rows, actions, *self._outputs())

    def _refuse(self, row: int, action: int) -> None:
        seat = self.game.seat(self.states, row)
        if 0 <= action < self.game.num_actions:
            action = self.game.from_view(seat, action)
        raise ActionError(f"game {row}: " + self.game.why_illegal(self.states, row, action))

    def decisions(self, rows: Array | None = None) -> DecisionBatch:
        """What the seats to act are shown, for players; of some rows or of all."""
        rows = self._rows if rows is None else self._rows_of(rows)
        return DecisionBatch(
            self.game, self.states, rows, self.games["seed"][rows], self.observation[rows], self.mask[rows],
            self.tables, self.table[rows],
        )  # fmt: skip

    def random_actions(self, streams: npt.NDArray[np.uint64]) -> Array:
        """A random legal action for every game, from a stream of random numbers each, which goes on."""
        good = isinstance(streams, np.ndarray) and streams.flags.c_contiguous and streams.flags.writeable
        if not good or streams.shape != (self.num_games,) or streams.dtype != np.uint64:
            raise ConfigError(f"streams = {shown(streams)}, allowed is an array of {self.num_games} uint64")
        if not self.states["num_legal"].all():
            raise ActionError("games that have not begun ask nobody, allowed is to ask after reset()")
        actions = np.zeros(self.num_games, np.int64)
        self.game.kernels.random_rows(
            self.states, self._rows, streams, self.tables, self.table.copy(), actions
        )
        return actions

    def close(self) -> None:
        """Let the threads go."""
        if self._pool is not None:
            self._pool.shutdown()


class LearnerBatch(Batch):
    """N games with one learner each; every row waits for the learner.

    `opponents` are players or codes of players (`"greedy"`), asked in batches; `"random"` is played in the
    compiled code. `lineup[i]` names the opponents
    of game i as places in `opponents`, for the learner's left neighbour first; it may be changed at any time
    and holds from the row's next game on. By default opponents are spread evenly over rows and seats. Without
    opponents the learner plays all seats, as in a solo mode.
    """

    def __init__(
        self,
        game: Game,
        num_games: int,
        opponents: Sequence[Player | str] = ("random",),
        seating: str = "rotate",
        learner_seat: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(game, num_games, **options)
        if seating not in SEATINGS:
            raise ConfigError(f"seating = {seating!r}, allowed are {', '.join(SEATINGS)}")
        if not is_int(learner_seat, 0, game.num_seats - 1):
            raise ConfigError(f"learner_seat = {shown(learner_seat)}, allowed is 0..{game.num_seats - 1}")
        self.settings[0]["seating"] = SEATINGS.index(seating)
        self.opponents = tuple(_opponent(given, game) for given in opponents)
        self._codes = _codes(self.opponents)
        self._first_learner = learner_seat
        if self.opponents:
            spread = np.arange(num_games)[:, None] + np.arange(game.num_seats - 1)
            self.set_lineup(self._rows, spread % len(self.opponents))

    @property
    def learner(self) -> Array:
        """The learner's seat in each game."""
        return self.games["learner"]

    @property
    def learner_reward(self) -> Array:
        """What the learner got in this step, up to its next decision; of a finished game, its last."""
        who = np.where(self.done, self.games["final_learner"], self.games["learner"])
        return np.asarray(self.games["reward"][self._rows, who])

    @property
    def final_learner_observation(self) -> Array:
        """The last observation of the learner, of the rows that are `done`."""
        return np.asarray(self.final_observation[self._rows, self.games["final_learner"]])

    def set_lineup(self, rows: Array, lineup: Array) -> None:
        """Choose the opponents of some games, from their next game on."""
        lineup = np.asarray(lineup)
        if lineup.dtype.kind not in "iu":
            raise ConfigError(f"lineup = {shown(lineup)}, allowed are places 0..{len(self.opponents) - 1}")
        if lineup.size and not 0 <= lineup.min() <= lineup.max() < len(self.opponents):
            raise ConfigError(f"lineup = {lineup.tolist()}, allowed are places 0..{len(self.opponents) - 1}")
        self.games["lineup"][rows, 1 : self.game.num_seats] = self._codes[lineup]

    def reset(self, seed: int | Sequence[int] | Array = 0) -> None:
        """Begin all games anew and play on to the learner's first decisions."""
        seats = self.game.num_seats
        offset = self._rows if self.settings[0]["seating"] else 0
        before_first = -1 if self.settings[0]["seating"] == SEATINGS.index("rotate") else 0
        seeds = self._seeds_of(seed)
        with self._alone():
            self.games["learner"] = (self._first_learner + offset + before_first) % seats
            super().reset(seeds)
            self._ask_opponents()

    def step(self, actions: Sequence[int] | Array) -> None:
        """The learner's action in every game; all others answer until it is to act again."""
        with self._alone():
            super().step(actions)
            self._ask_opponents()

    def _ask_opponents(self) -> None:
        """While games wait for an opponent, ask each opponent once for all of its games."""
        if len(self.opponents) == int((self._codes == RANDOM_PLAYER).sum()):
            return
        while True:
            waiting = self.games["controller"][self._rows, self.games["seat"]]
            codes = np.unique(waiting[waiting > 0])
            if not len(codes):
                return
            rows = np.flatnonzero(waiting > 0)
            actions = self._ask(waiting[rows] - 1, rows)
            for code in codes:  # one after the other, in the order of the opponents
                mine = waiting[rows] == code
                try:
                    self.step_rows(rows[mine], actions[mine])
                except ActionError as error:  # not the learner's doing
                    raise PlayerError(f"opponent {code - 1}: {error}") from error

    def _ask(self, who: Array, rows: Array) -> Array:
        """The actions of the opponents that the rows wait for."""
        return ask(self.opponents, who, self.decisions(rows))


def _opponent(given: Any, game: Game) -> Any:
    """An opponent as it was given, codes of players resolved."""
    if isinstance(given, str):
        return given if given == "random" else make_player(given, game.name)
    if not isinstance(given, Player):
        raise ConfigError(
            f"opponent {given!r}: allowed are codes of players, and objects of the class Player"
        )
    return given


def _codes(opponents: tuple[Any, ...]) -> Array:
    """The controller of each opponent: 0 for the compiled random player, else its place + 1."""
    codes = [RANDOM_PLAYER if isinstance(opponent, str) else place + 1
             for place, opponent in enumerate(opponents)]  # fmt: skip
    return np.array(codes, np.int16)
