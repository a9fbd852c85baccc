"""The contract: what environments, players, trainers and laboratories may ask of a game, and all they may.

A game lives in a folder of its own under `genesia_rl/games`, offers one `Game` per configuration and
one line in `registry.py`. Nothing outside its folder knows it by name.

**Facts** (facts.py) hold for every configuration and size all records; attributes of a `Game` say what holds for
this one: the number of seats and of actions, the pieces of an observation, teams, whether the result is a
contest or one joint score.

**States** are arrays of records, and every function takes an array and a place in it. Every record
has the same header: `seat` (the seat to act, -1 when the game is over), `kind` (which question
it is asked), `over`, `num_legal` (the number of legal actions, at least two when somebody is asked),
`steps` (decisions taken) and `legal` (the legal set as bits). Decisions with one legal action are never
asked. A copy is `into[j] = states[i]`; a hash is the record's bytes.

**Tables** are arrays of records too: one configuration each. A game has one; a batch may hold several.

**Kernels** are compiled functions of fixed signature (`Kernels`) for whoever counts microseconds, made from the
game's rules by the loops of `core/loops`. They check no types: states, tables and buffers must be exactly of
the dtypes named here, actions and seats integers (int64), seeds uint64. Nothing that is handed to them is checked,
and a wrong place is memory of somebody else: the methods check, for whoever is no compiled loop.

**For people** there are methods: texts of actions, traces, positions, drawings, a consistency check.

**Numbering.** States, traces and positions use absolute seats and actions. What an agent sees and does
is in its own numbering, in which its seat is 0: `to_view` and `from_view` translate.

**Chance** is in the deal: dice and later draws are a hidden stream that it holds. After `reset` a game is
deterministic; `resample` draws anew what a seat cannot know.

What a game may offer besides stands in parts of its folder that other tools ask the registry for: `info` (words and
options), `variants` (configurations that use every rule), `mind` (scripted players, what a search should know), `lab`
(what a laboratory counts and may change).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ActionError, ConfigError, StateError
from genesia_rl.core.facts import Facts
from genesia_rl.core.guard import MOST_BYTES, guard, place, seat_of, whole
from genesia_rl.core.pieces import Head, Piece, TokenSet, split
from genesia_rl.core.reading import shown

States = npt.NDArray[np.void]
Tables = npt.NDArray[np.void]
Bytes = npt.NDArray[np.int8]
#: The least and the greatest value of a field, both allowed: numbers, or arrays that fit its shape. Of words of 64 bits
#: the second are the bits that may be set.
Bounds = tuple[Any, Any]


class Kernels(NamedTuple):
    """The compiled functions of a game. `tables` is the game's `tables`; outputs come last.

    `step` and `step_view` return False, and do nothing, when the action is not legal. `results` are of
    the dtypes of the facts, as are `games` (rows) and `settings`; `rows` are the places to work on, and a
    `mask` or `observation` of several rows has a row for each game.
    """

    deal: Callable[..., None]  # (states, i, tables, seed)
    start: Callable[..., None]  # (states, i, tables)
    reset: Callable[..., None]  # (states, i, tables, seed)
    step: Callable[..., bool]  # (states, i, tables, action)
    view: Callable[..., None]  # (states, i, tables, seat, mask, observation)
    step_view: Callable[..., bool]  # (states, i, tables, action, mask, observation)
    put_mask: Callable[..., None]  # (states, i, mask)
    scores: Callable[..., None]  # (states, i, tables, parts, totals, ranks)
    rewards: Callable[..., None]  # (settings, totals, ranks, out)
    potentials: Callable[..., None]  # (settings, public totals, out)
    resample: Callable[..., None]  # (states, i, into, j, tables, seat, seed)
    clone: Callable[..., None]  # (states, i, into, j)
    clone_often: Callable[..., None]  # (states, i, into, j, times)
    play_random: Callable[..., int]  # (states, i, tables, seeds, results)
    play_random_observed: Callable[..., int]  # (states, i, tables, seeds, results, mask, observation)
    # (states, tables, games, rows, settings, mask, observation, final_observation, results)
    start_rows: Callable[..., None]
    # (states, tables, games, rows, actions, settings, mask, observation, final_observation, results)
    step_rows: Callable[..., int]
    check_rows: Callable[..., int]  # (states, tables, games, rows, actions)
    open_step: Callable[..., None]  # (games)
    random_rows: Callable[..., None]  # (states, rows, streams, tables, which, actions)
    view_rows: Callable[..., None]  # (states, rows, tables, which, mask, observation)


class Scores(NamedTuple):
    """The score of a game as it is: parts by seat, totals, and for each seat how many rank before it."""

    parts: npt.NDArray[np.int32]
    totals: npt.NDArray[np.int32]
    ranks: npt.NDArray[np.int8]


class Game(ABC):
    """One game in one configuration."""

    # ---- the same in every configuration
    facts: Facts
    state_dtype: np.dtype[Any]
    kernels: Kernels

    # ---- of this one
    num_seats: int
    num_actions: int
    pieces: tuple[Piece, ...]  # every named part of the observation
    groups: tuple[Piece, ...]  # the same bytes as few arrays
    token_sets: tuple[TokenSet, ...] = ()  # things of which the observation speaks; the first is the board
    heads: tuple[Head, ...]  # every action that may be legal, by how a network scores it
    observation_size: int
    is_contest: bool
    teams: tuple[int, ...]  # the team of each seat; without teams each seat is its own
    tables: Tables
    #: what each field of a state may hold behind the header; without it no state is taken from bytes (bounds.py)
    bounds: Mapping[str, Bounds] = {}

    @property
    def name(self) -> str:
        """The game's name in the registry."""
        return self.facts.name

    @property
    def version(self) -> int:
        """Raised whenever the same seed and actions could give another result."""
        return self.facts.version

    @property
    def score_parts(self) -> tuple[str, ...]:
        """What a total is made of."""
        return self.facts.score_parts

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of decisions."""
        return self.facts.kinds

    @property
    def max_decisions(self) -> int:
        """No game takes more."""
        return self.facts.max_decisions

    def __init_subclass__(cls, **given: Any) -> None:
        """The methods of every game check what they are handed (guard.py); compiled functions do not."""
        super().__init_subclass__(**given)
        guard(cls)

    # ---- playing, in absolute numbering
    def new_states(self, num: int = 1) -> States:
        """Records for so many games; each must be reset before it is used."""
        number = whole("num", num)
        if not 0 <= number * self.state_dtype.itemsize <= MOST_BYTES:
            most = MOST_BYTES // self.state_dtype.itemsize
            raise StateError(f"num = {shown(number)}, allowed is a number of games 0..{most}")
        return np.zeros(number, self.state_dtype)

    def reset(self, states: States, i: int, seed: int) -> None:
        """A new game, dealt from the seed (any integer; taken modulo 2**64)."""
        at = place(self, states, i, write=True)
        self.kernels.reset(states, at, self.tables, np.uint64(whole("seed", seed) % (1 << 64)))

    def step(self, states: States, i: int, action: int) -> None:
        """Take a legal action; anything else is refused with a reason, and nothing is changed."""
        at, number = place(self, states, i, write=True), whole("action", action, ActionError)
        if not 0 <= number < self.num_actions or not self.kernels.step(states, at, self.tables, number):
            raise ActionError(self.why_illegal(states, at, number))

    def legal_actions(self, states: States, i: int) -> list[int]:
        """The legal actions in ascending order; none when the game is over."""
        actions = []
        for number, word in enumerate(states[place(self, states, i)]["legal"].tolist()):
            while word:
                actions.append(number * 64 + (word & -word).bit_length() - 1)
                word &= word - 1
        return actions

    def seat(self, states: States, i: int) -> int:
        """The seat to act, -1 when the game is over."""
        return int(states[place(self, states, i)]["seat"])

    def kind(self, states: States, i: int) -> str:
        """The kind of the decision that is being asked."""
        return self.kinds[int(states[place(self, states, i)]["kind"])]

    def is_over(self, states: States, i: int) -> bool:
        """Is the game over?"""
        return bool(states[place(self, states, i)]["over"])

    def clone(self, states: States, i: int = 0) -> States:
        """A copy of one game, in an array of its own."""
        at = place(self, states, i)
        return states[at : at + 1].copy()

    def scores(self, states: States, i: int) -> Scores:
        """The score as it is now."""
        at = place(self, states, i, begun=True)
        parts, totals, ranks = self.new_scores()
        self.kernels.scores(states, at, self.tables, parts, totals, ranks)
        n = self.num_seats
        return Scores(parts[:n, : len(self.score_parts)], totals[:n], ranks[:n])

    def new_scores(self) -> Scores:
        """Arrays for the kernel `scores` to fill, of all the seats that a configuration may have."""
        most, columns = self.facts.most_seats, self.facts.part_columns
        return Scores(np.zeros((most, columns), np.int32), np.zeros(most, np.int32), np.zeros(most, np.int8))

    def public_totals(self, states: States, i: int) -> npt.NDArray[np.int32]:
        """The totals as they are, without what is secret."""
        scores = self.scores(states, i)
        secret = [self.score_parts.index(part) for part in self.facts.secret_parts]
        return np.asarray(scores.totals - scores.parts[:, secret].sum(axis=1), np.int32)

    def returns(self, states: States, i: int, reward: str = "win") -> npt.NDArray[np.float32]:
        """The payoff of a finished game by seat (rewards.py has the formulas)."""
        from genesia_rl.core.rewards import make_settings  # compiled code: only when it is needed

        at = place(self, states, i, begun=True)
        found, out = self.new_scores(), np.zeros(self.facts.most_seats, np.float32)
        self.kernels.scores(states, at, self.tables, *found)
        self.kernels.rewards(make_settings(self, reward), found.totals, found.ranks, out)
        return out[: self.num_seats]

    def resample_hidden(self, states: States, i: int, seat: int, rng: np.random.Generator) -> States:
        """A game, in an array of its own, that the seat cannot tell from this one."""
        at, who, into = place(self, states, i, begun=True), seat_of(self, seat), self.new_states()
        if not isinstance(rng, np.random.Generator):
            raise StateError(f"rng = {shown(rng)}, allowed is a generator (numpy.random.default_rng)")
        self.kernels.resample(states, at, into, 0, self.tables, who, rng.integers(1 << 64, dtype=np.uint64))
        return into

    # ---- what an agent sees, in its own numbering
    def view(self, states: States, i: int, seat: int) -> tuple[Bytes, Bytes]:
        """Mask and observation of a seat."""
        at, who = place(self, states, i, begun=True), seat_of(self, seat)
        mask, observation = np.zeros(self.num_actions, np.int8), np.zeros(self.observation_size, np.int8)
        self.kernels.view(states, at, self.tables, who, mask, observation)
        return mask, observation

    def named(self, observation: Bytes) -> dict[str, Bytes]:
        """The pieces of an observation (or of a batch of them) by name: views into it, not copies."""
        return split(self._observed(observation), self.pieces)

    def grouped(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The groups of an observation (or of a batch of them) by name: views into it, not copies."""
        return split(self._observed(observation), self.groups)

    def _observed(self, observation: npt.NDArray[Any]) -> npt.NDArray[Any]:
        shape = getattr(observation, "shape", None)
        if not shape or shape[-1] != self.observation_size:
            raise StateError(
                f"observation of shape {shape}, allowed are {self.observation_size} numbers in the last axis"
            )
        return observation

    def observation_scale(self) -> npt.NDArray[np.float32]:
        """What each byte is divided by when an observation is normalised."""
        scale = np.ones(self.observation_size, np.float32)
        for piece in self.pieces:
            scale[piece.start : piece.stop] = piece.scale
        return scale

    def variations(self, fields: Sequence[Mapping[str, Any]]) -> Tables:
        """Tables of this configuration with other fields, a record each, for batches of several.

        They must differ in nothing that sizes observations or actions.
        """
        if not fields or not all(isinstance(changed, Mapping) for changed in fields):
            raise ConfigError(f"variations = {shown(fields)}, allowed is a list of tables of fields")
        made = [self.with_fields(**changed) for changed in fields]
        for game in made:
            if (game.num_seats, game.pieces) != (self.num_seats, self.pieces):
                raise ConfigError(
                    f"variation {game.config_dict()}: other observations than those of {self.config_dict()}, "
                    "allowed in one batch are configurations that look alike"
                )
        return np.concatenate([game.tables for game in made])

    def with_fields(self, **fields: Any) -> Game:
        """The same configuration with some fields changed."""
        from genesia_rl.core.registry import make_game

        return make_game(self.name, **{**self.config_dict(), **fields})

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
            return f"action {shown(action)}: the game is over, no action is allowed"
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
