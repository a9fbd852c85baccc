"""What `greedy` and the characters share: a plan each, and one compiled call for all of their games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.heuristic import entries
from agents.heuristic.choose import MOST_ACTIONS
from agents.heuristic.plan import Plan, characters, make_plan
from genesia_rl.contract import Game, States
from genesia_rl.errors import ConfigError
from genesia_rl.games.genesia.game import GenesiaGame
from genesia_rl.seen import Player, Seen


class ScriptedAgent(Player):
    """The heuristic with the weights of one character."""

    version = 2

    def __init__(self, name: str = "greedy", weights: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self._weights = characters()[name] if weights is None else weights
        self._plans: dict[int, tuple[Game, Plan, States]] = {}

    def plan(self, game: Game) -> tuple[Plan, States]:
        """The plan for a game, and a state to try actions on."""
        if id(game) not in self._plans:
            if not isinstance(game, GenesiaGame):
                raise ConfigError(f"game {game.name!r}: {self.name} plays genesia only")
            self._plans[id(game)] = game, make_plan(game, self._weights), game.new_states()
        return self._plans[id(game)][1:]

    def act_batch(self, seen: Seen) -> npt.NDArray[np.int64]:
        """The best action by the heuristic, one decision ahead."""
        plan, scratch = self.plan(seen.game)
        actions = np.zeros(len(seen), np.int64)
        entries.choose_rows(seen.states, seen.rows, seen.game.tables, plan, scratch, seen.salt, actions)
        return actions

    def scores(self, seen: Seen) -> dict[int, float]:
        """For one game: every legal action, absolute, with its score in points."""
        plan, scratch = self.plan(seen.game)
        actions, found = np.zeros(MOST_ACTIONS, np.int64), np.zeros(MOST_ACTIONS)
        number = entries.score_row(
            seen.states, int(seen.rows[0]), seen.game.tables, plan, scratch, actions, found
        )
        return dict(zip(actions[:number].tolist(), found[:number].tolist(), strict=True))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_plans": {}}
