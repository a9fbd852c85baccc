"""The contract: what environments, arena and trainers may ask of a game, and all they may ask.

A game lives in a folder of its own under `genesia_rl/games`, offers one `Game` per configuration and
one line in `registry.py`. Nothing outside its folder knows it by name.

**Facts** are attributes: the name, the version (raised whenever the same seed and actions could give
another result), the number of seats and of actions, the dtype of a state, the pieces of an observation,
the greatest number of decisions a game may take, whether the result is a contest or one joint score.

**States** are arrays of records, and every function takes an array and a place in it. Every record
has the same header: `seat` (the seat to act, -1 when the game is over), `kind` (which question
it is asked), `over`, `options` (the number of legal actions, at least two when somebody is asked),
`steps` (decisions taken) and `legal` (the legal set as bits). Decisions with one legal action are never
asked. A copy is `into[j] = states[i]`; a hash is the record's bytes.

**Entries** are compiled functions of fixed signature (`Entries`) for whoever counts microseconds. They
check no types: states, tables and buffers must be exactly of the dtypes named here, actions and
seats integers (int64), seeds uint64.

**For people** there are methods: texts of actions, traces, positions, drawings, a consistency check.

**Numbering.** States, traces and positions use absolute seats and actions. What an agent sees and does
is in its own numbering, in which its seat is 0: `to_view` and `from_view` translate.

**Chance** is in the deal. After `reset` a game is deterministic; `resample` draws anew what a seat
cannot see.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from genesia_rl.errors import ActionError

States = npt.NDArray[np.void]
Bytes = npt.NDArray[np.int8]


class Piece(NamedTuple):
    """A named part of the observation: where it lies, its shape, its bounds, and what it says."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    says: str

    @property
    def stop(self) -> int:
        """The first byte after the piece."""
        return self.start + int(np.prod(self.shape))


class Entries(NamedTuple):
    """The compiled functions of a game. `tables` is the game's `tables`; outputs come last.

    `step` and `step_view` return False, and do nothing, when the action is not legal. `results` are of
    dtype RESULT, `games` of ROW, `settings` of rewards.SETTINGS; `rows` are the places to work on, and a
    `mask` or `observation` of several rows has a row for each game.
    """

    deal: Callable[..., None]  # (states, i, tables, seed)
    start: Callable[..., None]  # (states, i, tables)
    reset: Callable[..., None]  # (states, i, tables, seed)
    step: Callable[..., bool]  # (states, i, tables, action)
    view: Callable[..., None]  # (states, i, tables, seat, mask, observation)
    step_view: Callable[..., bool]  # (states, i, tables, action, mask, observation)
    put_mask: Callable[..., None]  # (states, i, mask)
    scores: Callable[..., None]  # (states, i, tables, parts, totals, places)
    resample: Callable[..., None]  # (states, i, into, j, tables, seat, seed)
    clone: Callable[..., None]  # (states, i, into, j)
    clone_often: Callable[..., None]  # (states, i, into, j, times)
    play_random: Callable[..., int]  # (states, i, tables, seeds, results)
    play_random_observed: Callable[..., int]  # (states, i, tables, seeds, results, mask, observation)
    # (states, tables, games, rows, settings, mask, observation, final_observation, results)
    start_rows: Callable[..., None]
    # (states, tables, games, rows, actions, settings, mask, observation, final_observation, results)
    step_rows: Callable[..., int]
    check_rows: Callable[..., int]  # (states, tables, rows, actions)
    open_step: Callable[..., None]  # (games)
    random_rows: Callable[..., None]  # (states, rows, streams, tables, actions)


#: What counts without a bound (coins, points) is divided by this when an observation is normalised.
COUNT_SCALE = 32.0

MAX_SEATS = 5
MAX_PARTS = 4

#: One row a finished game: the parts of every seat's score, the totals, how many rank before each
#: seat, the first turn order, and the number of decisions.
RESULT = np.dtype(
    [
        ("parts", np.int32, (MAX_SEATS, MAX_PARTS)),
        ("totals", np.int32, (MAX_SEATS,)),
        ("places", np.int8, (MAX_SEATS,)),
        ("order", np.int8, (MAX_SEATS,)),
        ("steps", np.int32),
    ],
    align=True,
)


#: Who plays a seat of a row: the learner, the compiled random player, or (from 1 on) an opponent that
#: is asked in batches.
LEARNER, RANDOM_PLAYER = -1, 0
#: How the learner's seat changes from game to game.
SEATINGS = ("fixed", "rotate", "random")
SEAT_FIXED, SEAT_ROTATING, SEAT_RANDOM = range(len(SEATINGS))

#: What a batch keeps about each of its games, beside the state. `seed` is the game's own; the next
#: game of the row has the seed mixed from it, so that a row plays the same games in every batch. `length`
#: counts the learner's decisions: the steps of an environment (where it plays all seats, all of them).
ROW = np.dtype(
    [
        ("seed", np.uint64),
        ("stream", np.uint64),
        ("seat", np.int8),
        ("kind", np.int8),
        ("learner", np.int8),
        ("done", np.int8),
        ("order", np.int8, (MAX_SEATS,)),
        ("controller", np.int16, (MAX_SEATS,)),
        ("lineup", np.int16, (MAX_SEATS,)),
        ("length", np.int32),
        ("episode", np.int64),
        ("reward", np.float32, (MAX_SEATS,)),
        ("sum", np.float32, (MAX_SEATS,)),
        ("potential", np.float32, (MAX_SEATS,)),
        ("scratch_parts", np.int32, (MAX_SEATS, MAX_PARTS)),
        ("scratch_totals", np.int32, (MAX_SEATS,)),
        # of the game that has just ended, while `done` is set
        ("final_reward", np.float32, (MAX_SEATS,)),
        ("final_sum", np.float32, (MAX_SEATS,)),
        ("final_length", np.int32),
        ("final_learner", np.int8),
        ("final_seed", np.uint64),
    ],
    align=True,
)


class Scores(NamedTuple):
    """The score of a game as it is: parts by seat, totals, and for each seat how many rank before it."""

    parts: npt.NDArray[np.int32]
    totals: npt.NDArray[np.int32]
    places: npt.NDArray[np.int8]


class Option(NamedTuple):
    """A part of a game's configuration as a command line takes it."""

    flag: str  # `--players`, or `--promos/--no-promos`
    type: type[int] | type[bool] | type[str]
    metavar: str
    says: str
    fields: Callable[[Any], dict[str, Any]]  # what was typed -> the fields that it sets; None is the default


class Handbook(NamedTuple):
    """What people may ask about a game before it is made: no kernel is loaded for it.

    Topics are what a game's pages speak of ("card", ...), each with numbered entries; `folder` is a
    folder of the user's own data, or None.
    """

    options: tuple[Option, ...]
    read_config: Callable[[str], dict[str, Any]]  # file -> the fields it sets
    full: Callable[[int], dict[str, Any]]  # players -> the configuration with every rule switched on
    topics: tuple[str, ...]
    numbers: Callable[[str, str | None], tuple[int, ...]]  # (topic, folder) -> its numbers
    explain: Callable[[str, int, str | None], str]  # (topic, number, folder) -> in words


def split(observation: npt.NDArray[Any], pieces: Iterable[Piece]) -> dict[str, npt.NDArray[Any]]:
    """Pieces of one observation or of a batch of them, by name: views, not copies."""
    batch = observation.shape[:-1]
    return {p.name: observation[..., p.start : p.stop].reshape(*batch, *p.shape) for p in pieces}


class Game(ABC):
    """One game in one configuration."""

    # ---- facts
    name: str
    version: int
    num_seats: int
    num_actions: int
    state_dtype: np.dtype[Any]
    pieces: tuple[Piece, ...]  # every named part of the observation
    groups: tuple[Piece, ...]  # the same bytes as few arrays, for networks
    observation_size: int
    max_decisions: int
    is_contest: bool
    teams: tuple[int, ...]  # the team of each seat; without teams each seat is its own
    score_parts: tuple[str, ...]
    secret_parts: tuple[str, ...]  # those of them that only their own seat knows before the end
    kinds: tuple[str, ...]
    tables: npt.NDArray[np.void]
    entries: Entries

    # ---- playing, in absolute numbering
    def new_states(self, num: int = 1) -> States:
        """Records for so many games; each must be reset before it is used."""
        return np.zeros(num, self.state_dtype)

    def reset(self, states: States, i: int, seed: int) -> None:
        """A new game, dealt from the seed (any integer; taken modulo 2**64)."""
        self.entries.reset(states, int(i), self.tables, np.uint64(int(seed) % (1 << 64)))

    def step(self, states: States, i: int, action: int) -> None:
        """Take a legal action; anything else is refused with a reason, and nothing is changed."""
        if not self.entries.step(states, int(i), self.tables, int(action)):
            raise ActionError(self.why_illegal(states, i, int(action)))

    def legal_actions(self, states: States, i: int) -> list[int]:
        """The legal actions in ascending order; none when the game is over."""
        actions = []
        for place, word in enumerate(states[i]["legal"].tolist()):
            while word:
                actions.append(place * 64 + (word & -word).bit_length() - 1)
                word &= word - 1
        return actions

    def seat(self, states: States, i: int) -> int:
        """The seat to act, -1 when the game is over."""
        return int(states[i]["seat"])

    def kind(self, states: States, i: int) -> str:
        """The kind of the decision that is being asked."""
        return self.kinds[int(states[i]["kind"])]

    def is_over(self, states: States, i: int) -> bool:
        """Is the game over?"""
        return bool(states[i]["over"])

    def clone(self, states: States, i: int = 0) -> States:
        """A copy of one game, in an array of its own."""
        return states[i : i + 1].copy()

    def scores(self, states: States, i: int) -> Scores:
        """The score as it is now."""
        parts = np.zeros((MAX_SEATS, MAX_PARTS), np.int32)
        totals, places = np.zeros(MAX_SEATS, np.int32), np.zeros(MAX_SEATS, np.int8)
        self.entries.scores(states, int(i), self.tables, parts, totals, places)
        n = self.num_seats
        return Scores(parts[:n], totals[:n], places[:n])

    def public_totals(self, states: States, i: int) -> npt.NDArray[np.int32]:
        """The totals as they are, without what is secret."""
        scores = self.scores(states, i)
        secret = [self.score_parts.index(part) for part in self.secret_parts]
        return np.asarray(scores.totals - scores.parts[:, secret].sum(axis=1), np.int32)

    def returns(self, states: States, i: int, reward: str = "win") -> npt.NDArray[np.float32]:
        """The payoff of a finished game by seat (rewards.py has the formulas)."""
        from genesia_rl.rewards import make_settings, rewards_of  # compiled code: only when it is needed

        scores = self.scores(states, i)
        out = np.zeros(MAX_SEATS, np.float32)
        totals, places = np.zeros(MAX_SEATS, np.int32), np.zeros(MAX_SEATS, np.int8)
        totals[: self.num_seats], places[: self.num_seats] = scores.totals, scores.places
        rewards_of(make_settings(self, reward), totals, places, out)
        return out[: self.num_seats]

    def resample_hidden(self, states: States, i: int, seat: int, rng: np.random.Generator) -> States:
        """A game, in an array of its own, that the seat cannot tell from this one."""
        if not 0 <= seat < self.num_seats:
            raise ActionError(f"seat {seat!r}: no such seat, allowed are 0..{self.num_seats - 1}")
        into = self.new_states()
        self.entries.resample(
            states, int(i), into, 0, self.tables, int(seat), rng.integers(1 << 64, dtype=np.uint64)
        )
        return into

    # ---- what an agent sees, in its own numbering
    def view(self, states: States, i: int, seat: int) -> tuple[Bytes, Bytes]:
        """Mask and observation of a seat."""
        mask, observation = np.zeros(self.num_actions, np.int8), np.zeros(self.observation_size, np.int8)
        self.entries.view(states, int(i), self.tables, int(seat), mask, observation)
        return mask, observation

    def named(self, observation: Bytes) -> dict[str, Bytes]:
        """The pieces of an observation (or of a batch of them) by name: views into it, not copies."""
        return split(observation, self.pieces)

    def grouped(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The groups of an observation (or of a batch of them) by name: views into it, not copies."""
        return split(observation, self.groups)

    def observation_scale(self) -> npt.NDArray[np.float32]:
        """What each byte is divided by when an observation is normalised."""
        scale = np.ones(self.observation_size, np.float32)
        for piece in self.pieces:
            scale[piece.start : piece.stop] = COUNT_SCALE if piece.high >= 127 else piece.high
        return scale

    # a game never changes once it is made
    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    # ---- for people
    @abstractmethod
    def to_view(self, seat: int, action: int) -> int:
        """An absolute action in the seat's numbering."""

    @abstractmethod
    def from_view(self, seat: int, action: int) -> int:
        """An action in the seat's numbering as an absolute one."""

    @abstractmethod
    def action_text(self, action: int) -> str:
        """An action as traces write it."""

    @abstractmethod
    def parse_action(self, text: str) -> int:
        """The action of a text; `ActionError` if it is none."""

    @abstractmethod
    def describe(self, action: int, states: States | None = None, i: int = 0) -> str:
        """An action in words."""

    @abstractmethod
    def config_dict(self) -> dict[str, Any]:
        """The configuration, resolved, as traces write it."""

    @abstractmethod
    def deal_dict(self, states: States, i: int) -> dict[str, Any]:
        """What chance has dealt, as traces write it; valid right after a reset."""

    @abstractmethod
    def put_deal(self, states: States, i: int, deal: Mapping[str, Any]) -> None:
        """Begin a game from a deal as traces write it."""

    @abstractmethod
    def put_position(self, states: States, i: int, position: Mapping[str, Any]) -> dict[str, Any]:
        """Begin a game from an explicit position; `PositionError` if it breaks a rule.

        Returns the position with all that it may leave out, as traces write it."""

    @abstractmethod
    def state_dict(self, states: States, i: int) -> dict[str, Any]:
        """The position's public part, as traces write it."""

    @abstractmethod
    def result_dict(self, states: States, i: int) -> dict[str, Any]:
        """The result, as traces write it."""

    @abstractmethod
    def draw(self, states: States, i: int) -> str:
        """The position as readable text."""

    @abstractmethod
    def check_state(self, states: States, i: int) -> list[str]:
        """What is inconsistent about a state: nothing, unless there is a bug."""

    def why_illegal(self, states: States, i: int, action: int) -> str:
        """The message for an action that is not legal now."""
        if self.is_over(states, i):
            return f"action {action}: the game is over, no action is allowed"
        legal = ", ".join(self.texts(self.legal_actions(states, i)))
        try:
            text = self.action_text(action)
        except ActionError as error:
            return f"{error}; for the decision {self.kind(states, i)!r} allowed are {legal}"
        return (
            f"action {text} of seat {self.seat(states, i)}: not legal for the decision "
            f"{self.kind(states, i)!r}, allowed are {legal}"
        )

    def texts(self, actions: Iterable[int]) -> list[str]:
        """Actions as texts, sorted as text."""
        return sorted(map(self.action_text, actions))
