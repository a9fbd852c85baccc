"""Spaces, and an observation in the form that was asked for: flat or in groups, int8 or float."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game

FORMS = ("flat", "dict")
Array = npt.NDArray[Any]


class LegalDiscrete(spaces.Discrete):
    """The actions of a game; `sample()` without a mask draws a legal one of the present decision.

    In every other respect an ordinary `Discrete`. Drawing from all numbers would almost never be legal.
    """

    def __init__(self, num_actions: int, legal: Callable[[], Array] | None = None) -> None:
        super().__init__(num_actions)
        self._legal = legal

    def sample(self, mask: Array | None = None, probability: Array | None = None) -> np.int64:
        """A random action: of the mask's, or of those that are legal now."""
        if mask is None and probability is None and self._legal is not None:
            mask = np.ascontiguousarray(self._legal(), np.int8)
        return super().sample(mask, probability)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied without the environment that it asks; that one binds itself again."""
        return LegalDiscrete, (int(self.n),)


class ObservationForm:
    """What an environment hands out as the observation, made from the flat int8 buffer."""

    def __init__(self, game: Game, form: str = "flat", normalise: bool = False) -> None:
        if form not in FORMS:
            raise ConfigError(f"observation = {form!r}, allowed are {', '.join(FORMS)}")
        if not isinstance(normalise, bool):
            raise ConfigError(f"normalise = {normalise!r}, allowed are True and False")
        self.game = game
        self.form = form
        self.normalise = normalise
        self.is_plain = form == "flat" and not normalise
        self._scale = game.observation_scale()
        self.space = self._space()

    def _bounds(self) -> tuple[Array, Array]:
        low, high = np.zeros((2, self.game.observation_size), np.int8)
        for piece in self.game.pieces:
            low[piece.start : piece.stop], high[piece.start : piece.stop] = piece.low, piece.high
        return (low / self._scale, high / self._scale) if self.normalise else (low, high)

    def _space(self) -> spaces.Space[Any]:
        low, high = self._bounds()
        kind: Any = np.float32 if self.normalise else np.int8
        if self.form == "flat":
            return spaces.Box(low.astype(kind), high.astype(kind), dtype=kind)
        lows, highs = self.game.grouped(low.astype(kind)), self.game.grouped(high.astype(kind))
        return spaces.Dict({name: spaces.Box(lows[name], highs[name], dtype=kind) for name in lows})

    def __call__(self, flat: Array) -> Any:
        """The observation (or a batch of them) in this form; groups are views."""
        made = flat / self._scale if self.normalise else flat
        return made if self.form == "flat" else self.game.grouped(made)
