"""The first page: a game played by hand.

play = genesia_rl.start("NAME", players=3, seed=7)
play.legal                the legal actions, as texts
play.do(play.legal[0])    take one
print(play)               the position
"""

from __future__ import annotations

from typing import Any

import numpy as np

from genesia_rl.core.errors import ActionError
from genesia_rl.core.game import Game, States
from genesia_rl.core.player import DecisionBatch, Player


class Play:
    """One game and where it stands."""

    def __init__(self, game: Game, seed: int | None = None) -> None:
        drawn = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self.game = game
        self.seed = drawn if seed is None else seed
        self.states: States = game.new_states()
        game.reset(self.states, 0, self.seed)

    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.game.is_over(self.states, 0)

    @property
    def seat(self) -> int:
        """The seat to act, -1 when the game is over."""
        return self.game.seat(self.states, 0)

    @property
    def kind(self) -> str:
        """What it is asked."""
        return self.game.kind(self.states, 0)

    @property
    def legal(self) -> list[str]:
        """The legal actions as texts."""
        return self.game.texts(self.game.legal_actions(self.states, 0))

    @property
    def words(self) -> dict[str, str]:
        """The legal actions, each with what it is in words."""
        actions = {self.game.action_text(a): a for a in self.game.legal_actions(self.states, 0)}
        return {text: self.game.describe(actions[text], self.states, 0) for text in self.legal}

    def do(self, action: str) -> Play:
        """Take a legal action; anything else is refused with a reason, and nothing is changed."""
        if self.over:
            raise ActionError(f"action {action!r}: the game is over, no action is allowed")
        self.game.step(self.states, 0, self.game.parse_action(action))
        return self

    def ask(self, player: Player) -> str:
        """What a player would do, as a text."""
        chosen = player.act(DecisionBatch.one(self.game, self.states, 0, self.seed))
        return self.game.action_text(self.game.from_view(self.seat, chosen))

    @property
    def scores(self) -> list[int]:
        """The totals as they stand, by seat."""
        return [int(total) for total in self.game.scores(self.states, 0).totals]

    @property
    def result(self) -> dict[str, Any]:
        """The result of a finished game."""
        if not self.over:
            raise ActionError("result: the game goes on, allowed is to ask when it is over")
        return self.game.result_dict(self.states, 0)

    def __str__(self) -> str:
        return self.game.draw(self.states, 0)
