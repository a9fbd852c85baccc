"""A game to be played decision by decision."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .asking import Decision
from .config import check_deal, random_deal, resolve_config
from .data import load_data
from .flow import whole_game
from .positions import check_position, full_position, random_position
from .scoring import final_result
from .state import state_of_deal, state_of_position

__all__ = ["Game", "IllegalAction", "check_position", "random_deal", "random_position", "resolve_config"]


class IllegalAction(ValueError):
    """The action is not in the legal set of the decision, or the game is over."""


class Game:
    """One game, from a deal or from a position. `decision` is None when the game is over.

    `start` is the deal or the position as a trace writes it, under its key.
    """

    def __init__(
        self,
        config: Mapping[str, Any] | None,
        deal: Mapping[str, Any] | None = None,
        position: Mapping[str, Any] | None = None,
        folder: str | Path | None = None,
    ) -> None:
        data = load_data(folder)
        self.config = resolve_config(config, data)
        if (deal is None) == (position is None):
            raise ValueError("a game begins from a deal or from a position: give exactly one of them")
        self.start: dict[str, dict[str, Any]]
        if deal is not None:
            self._refuse(check_deal(self.config, deal, data))
            self.start = {"deal": {"first": deal["first"], "dice": list(deal["dice"])}}
            self.state = state_of_deal(self.config, deal, data)
        else:
            assert position is not None
            self._refuse(check_position(self.config, position, data))
            self.start = {"position": full_position(position)}
            self.state = state_of_position(self.config, self.start["position"], data)
        self._course = whole_game(self.state)
        self.decision: Decision | None = None
        self._advance(None)

    @staticmethod
    def _refuse(problems: list[str]) -> None:
        if problems:
            raise ValueError("; ".join(problems))

    def _advance(self, answer: str | None) -> None:
        try:
            self.decision = next(self._course) if answer is None else self._course.send(answer)
        except StopIteration:
            self.decision = None

    def act(self, text: str) -> None:
        """Answer the decision with an action, written as in PROTOCOL 1."""
        if self.decision is None:
            raise IllegalAction("the game is over")
        if text not in self.decision.legal:
            raise IllegalAction(f"{text} is not legal for {self.decision}")
        self._advance(text)

    @property
    def over(self) -> bool:
        return self.decision is None

    def states(self) -> dict[str, Any]:
        """Cells, supplies and roll as a trace shows them before a decision (PROTOCOL 3)."""
        return self.state.picture()

    def scores(self) -> dict[str, Any]:
        """The result as it would be if the game ended now (RULES 6: it is defined for every position)."""
        return final_result(self.state)

    def result(self) -> dict[str, Any]:
        """The result in the form of PROTOCOL 3; only when the game is over."""
        if not self.over:
            raise ValueError("the game is not over")
        return final_result(self.state)
