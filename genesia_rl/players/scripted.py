"""`greedy` and the other characters of a game's mind: a plan each, and one compiled call for all of their games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game, States
from genesia_rl.core.mind import Mind, Plan, mind_of
from genesia_rl.core.player import DecisionBatch, Player


class Room(NamedTuple):
    """What a character needs for one game: its plan, a state to try actions on, room for actions and scores."""

    game: Game
    mind: Mind
    plan: Plan
    scratch: States
    actions: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]


class Thinker(Player):
    """What scripted players and searches share: the room that a game needs, made once."""

    def __init__(self, weights: Mapping[str, Any] | None = None) -> None:
        self._weights = weights
        self._rooms: dict[int, Room] = {}

    def weights_for(self, mind: Mind, game: Game) -> Mapping[str, Any]:
        """The weights of the plan."""
        raise NotImplementedError

    def room(self, game: Game) -> Room:
        """What is needed for a game."""
        if id(game) not in self._rooms:
            mind = mind_of(game.name)
            weights = self.weights_for(mind, game) if self._weights is None else self._weights
            actions, scores = np.zeros(mind.most_actions, np.int64), np.zeros(mind.most_actions)
            plan = mind.make_plan(game, weights)
            self._rooms[id(game)] = Room(game, mind, plan, game.new_states(), actions, scores)
        return self._rooms[id(game)]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_rooms": {}}


class ScriptedPlayer(Thinker):
    """The mind of a game with the weights of one character."""

    version = 2

    def __init__(self, name: str, weights: Mapping[str, Any] | None = None) -> None:
        super().__init__(weights)
        self.name = name

    def weights_for(self, mind: Mind, game: Game) -> Mapping[str, Any]:
        """Those of the character."""
        if self.name not in mind.characters:
            known = ", ".join(mind.characters) or "none"
            raise ConfigError(f"agent {self.name!r}: no character of {game.name}, allowed are {known}")
        return mind.weights()[self.name]

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """The best action by the heuristic, one decision ahead."""
        room = self.room(decisions.game)
        chosen = np.zeros(len(decisions), np.int64)
        assert room.mind.kernels is not None
        room.mind.kernels.choose_rows(
            decisions.states, decisions.rows, decisions.tables, decisions.which, room.plan, room.scratch,
            decisions.rng_key, room.actions, room.scores, chosen,
        )  # fmt: skip
        return chosen

    def scores(self, decision: DecisionBatch) -> dict[int, float]:
        """For one game: every legal action, absolute, with its score in points."""
        room = self.room(decision.game)
        assert room.mind.kernels is not None
        number = room.mind.kernels.score_row(
            decision.states, int(decision.rows[0]), decision.tables_of(0), room.plan, room.scratch, room.actions,
            room.scores,
        )  # fmt: skip
        pairs = zip(room.actions[:number].tolist(), room.scores[:number].tolist(), strict=True)
        return dict(pairs)
