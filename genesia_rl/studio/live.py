"""A game that people and agents are playing now: who sits where, what was decided, and what may be taken back.

`LiveGame` is the only one who changes its game. Everybody who shows it waits for its next `version`. A thread of
its own lets the agents decide, one move after the other, `pace` seconds apart. What is decided is on the disk before
anybody is told of it (saved.py), so that whoever is ended in between loses nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from genesia_rl.core.errors import ActionError, ConfigError, GenesiaError
from genesia_rl.core.game import Game, States
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import offers
from genesia_rl.core.scene import BYSTANDER, EVERYTHING, tell
from genesia_rl.core.trace import begin
from genesia_rl.players.codes import make_player, scripted_of

PERSON = "person"  # who sits on a seat: this, or the code of an agent
MOST_PACE = 10.0
NAME_LENGTH = 24
#: Other games that a seat could not tell from this one, in which an action is tried to see what it reveals.
TRIALS = 24

Save = Callable[["LiveGame"], None]


class Seating(NamedTuple):
    """Who sits where, and how they are called."""

    who: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, who in enumerate(self.who) if who == PERSON)


def seated(game: Game, who: Sequence[str], names: Sequence[str] = ()) -> Seating:
    """The seating of a game: one for every seat, each a person or the code of an agent."""
    if len(who) != game.num_seats:
        raise ConfigError(f"seats: {len(who)} of them ({', '.join(who)}), allowed are {game.num_seats}")
    for code in who:
        if code != PERSON:
            make_player(code, game.name)  # a wrong code is told before anybody sits down
    given = [*names, *[""] * len(who)]
    return Seating(tuple(who), tuple(_name(given[seat], code, seat) for seat, code in enumerate(who)))


def _name(name: str, code: str, seat: int) -> str:
    called = " ".join(str(name).split())[:NAME_LENGTH]
    return called or (f"Player {seat + 1}" if code == PERSON else code)


def usual_agent(game: str) -> str:
    """Who sits down where nobody is named: the first scripted player of a game, or one who does anything."""
    return next(iter(scripted_of(game)), "random")


def usual_hint(game: str) -> str:
    """Who is asked for a hint."""
    return "mcts:200" if offers(game, "mind") else "random"


class LiveGame:
    """A game, its seats and its way so far."""

    def __init__(
        self, game: Game, seating: Seating, trace: dict[str, Any], save: Save, pace: float = 0.7
    ) -> None:
        """A game of a trace, after the steps that it has; `save` is called after every change."""
        self.game, self.seating, self.trace, self._save = game, seating, trace, save
        self.changed = threading.Condition(threading.RLock())
        self.version = 0  # of all that is shown
        self._move = 0  # of the game
        self.pace = pace
        self.trouble = ""  # why an agent could not decide
        self._open = True
        self._undo: tuple[int, bool] = (-1, False)  # (move, may the last decision be taken back)
        self._last = monotonic()
        self.history: list[States] = []  # before every decision
        self.log: list[dict[int, str]] = []  # every decision in words, by whose eyes read it
        steps, trace["steps"] = trace["steps"], []
        self.states = begin(game, trace)
        for step in steps:
            self._take(game.parse_action(step[2]))

    # ---- where it stands

    @property
    def steps(self) -> int:
        """How many decisions were taken."""
        return len(self.history)

    @property
    def seat(self) -> int:
        """The seat to act, -1 when the game is over."""
        return self.game.seat(self.states, 0)

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.game.is_over(self.states, 0)

    @property
    def waits_for_agent(self) -> bool:
        """Is it an agent's turn?"""
        return not self.over and self.seating.who[self.seat] != PERSON

    def moments(self) -> list[tuple[States, int | None]]:
        """Every position so far with the action that was taken in it, the last one with none."""
        with self.changed:
            taken = [self.game.parse_action(step[2]) for step in self.trace["steps"]]
            return list(zip([*self.history, self.states.copy()], [*taken, None], strict=True))

    # ---- what people do

    def act(self, seat: int, action: int, step: int) -> None:
        """A person decides; `step` says which decision is meant, so that one that arrives twice is taken once."""
        with self.changed:
            self._check_turn(seat, step)
            if action not in self.game.legal_actions(self.states, 0):
                raise ActionError(self.game.why_illegal(self.states, 0, action))
            self._take(action)
            self._done()

    def may_undo(self, seat: int) -> bool:
        """May the seat take back the last decision? It was its own, and nobody has learned anything by it."""
        with self.changed:
            if not self.history or self._last_seat() != seat or self.seating.who[seat] != PERSON:
                return False
            if self._undo[0] != self._move:
                action = self.game.parse_action(self.trace["steps"][-1][2])
                self._undo = self._move, not reveals(self.game, self._as_known(seat), action)
            return self._undo[1]

    def _as_known(self, seat: int) -> States:
        """The position before the last decision with all that the seat does not know drawn anew: whether it may
        take back must not tell it anything."""
        return self.game.resample_hidden(self.history[-1], 0, seat, np.random.default_rng(self.steps))

    def undo(self, seat: int, step: int) -> None:
        """Take back the last decision."""
        with self.changed:
            self._check_step(step)
            if not self.may_undo(seat):
                raise ActionError(
                    f"undo by seat {seat}: allowed until something is revealed or another seat decides"
                )
            self.states = self.history.pop()
            self.trace["steps"].pop()
            self.trace.pop("result", None)
            self.log.pop()
            self._done()

    def hint(self, seat: int, step: int, code: str | None = None) -> int:
        """What an agent would do in the place of a person."""
        with self.changed:
            self._check_turn(seat, step)
            states = self.states.copy()
        return self._chosen(code or usual_hint(self.game.name), states)

    def set_pace(self, seconds: float) -> None:
        """How long an agent's move stands before the next."""
        if not 0 <= seconds <= MOST_PACE:
            raise ConfigError(f"pace = {seconds!r}, allowed are 0..{MOST_PACE} seconds")
        with self.changed:
            self.pace = float(seconds)
            self._tell()

    def _check_step(self, step: int) -> None:
        if step != self.steps:
            raise ActionError(f"step {step}: the game has gone on, allowed is {self.steps}")

    def _check_turn(self, seat: int, step: int) -> None:
        self._check_step(step)
        if self.over:
            raise ActionError("the game is over, nothing is to be decided")
        if seat != self.seat or self.seating.who[seat] != PERSON:
            raise ActionError(f"seat {seat}: it is the turn of seat {self.seat}")

    def _last_seat(self) -> int:
        return int(self.trace["steps"][-1][0])

    # ---- what agents do

    def run_agents(self) -> None:
        """Let the agents decide whenever it is their turn, until the game is closed: work for a thread."""
        while True:
            with self.changed:
                self.changed.wait_for(lambda: not self._open or (self.waits_for_agent and not self.trouble))
                if not self._open:
                    return
                move, seat, states = self._move, self.seat, self.states.copy()
            action = self._decided(self.seating.who[seat], states)
            with self.changed:
                self._wait_for_pace()
                if self._open and self._move == move and action is not None:
                    self._take(action)
                    self._done()

    def _decided(self, code: str, states: States) -> int | None:
        """The action of an agent; None, and the trouble told, if it fails."""
        try:
            return self._chosen(code, states)
        except (GenesiaError, ModuleNotFoundError, OSError) as error:
            with self.changed:
                self.trouble = f"{code} cannot decide: {error}"
                self._tell()
            return None

    def _chosen(self, code: str, states: States) -> int:
        decision = DecisionBatch.one(self.game, states, 0, int(self.trace.get("seed", 0)))
        chosen = make_player(code, self.game.name).act(decision)
        return self.game.from_view(self.game.seat(states, 0), chosen)

    def _wait_for_pace(self) -> None:
        """Until the last move has stood long enough; somebody may change the pace meanwhile."""
        while self._open and (left := self._last + self.pace - monotonic()) > 0:
            self.changed.wait(left)

    def close(self) -> None:
        """Let nobody decide any more."""
        with self.changed:
            self._open = False
            self.changed.notify_all()

    # ---- what both do

    def _take(self, action: int) -> None:
        game, states = self.game, self.states
        eyes = (EVERYTHING, BYSTANDER, *range(game.num_seats))
        self.log.append({who: tell(game, states, 0, action, who) for who in eyes})
        self.history.append(states.copy())
        self.trace["steps"].append([game.seat(states, 0), game.kind(states, 0), game.action_text(action)])
        game.step(states, 0, action)
        if game.is_over(states, 0):
            self.trace["result"] = game.result_dict(states, 0)

    def _done(self) -> None:
        self._save(self)
        self._last = monotonic()
        self._move += 1
        self._tell()

    def _tell(self) -> None:
        self.version += 1
        self.changed.notify_all()


# ---------------------------------------------------------------- what an action reveals


def reveals(game: Game, states: States, action: int) -> bool:
    """Does anybody learn by the action what he could not know before?

    It is tried in other games that a seat cannot tell from this one: where it leads to another sight, the seat has
    learned something. Where another seat's secrets make it impossible, it tells nothing but these.
    """
    rng = np.random.default_rng(int(states[0]["steps"]))
    after = _after(game, states, action)
    return any(learns(game, states, action, after, seat, rng) for seat in range(game.num_seats))


def learns(
    game: Game, states: States, action: int, after: States, seat: int, rng: np.random.Generator
) -> bool:
    """Does the seat see something by the action that it would not have seen in another game that looks the same?"""
    seen = sight(game, after, seat)
    for _ in range(TRIALS):
        other = game.resample_hidden(states, 0, seat, rng)
        if action in game.legal_actions(other, 0) and sight(game, _after(game, other, action), seat) != seen:
            return True
    return False


def _after(game: Game, states: States, action: int) -> States:
    copy = states.copy()
    game.step(copy, 0, action)
    return copy


def sight(game: Game, states: States, seat: int) -> bytes:
    """All that a seat sees: its view, what it may do, and who is asked for what."""
    mask, observation = game.view(states, 0, seat)
    asked = b"over" if game.is_over(states, 0) else f"{game.seat(states, 0)} {game.kind(states, 0)}".encode()
    return asked + mask.tobytes() + observation.tobytes()
