"""The forward pass of networks.py on torch tensors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional as F

from genesia_rl.core.game import Game
from genesia_rl.players.networks import Architecture, Layout, forward, scaled


@contextmanager
def one_thread() -> Iterator[None]:
    """Torch on one thread: for small networks more of them wait for one another on a machine that is in use."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class TorchOps:
    """What the forward pass needs, on tensors."""

    linear = staticmethod(F.linear)
    relu = staticmethod(F.relu)

    @staticmethod
    def floats(x: Tensor) -> Tensor:
        """As 32-bit floats; bytes are brought into order before they grow."""
        return x.contiguous().float()

    @staticmethod
    def concat(xs: list[Tensor]) -> Tensor:
        """Side by side along the last axis."""
        return torch.cat(xs, -1)

    @staticmethod
    def permute(x: Tensor, *axes: int) -> Tensor:
        """Other axes first."""
        return x.permute(axes)

    @staticmethod
    def largest(x: Tensor) -> Tensor:
        """The maximum over tokens."""
        return x.amax(0)

    @staticmethod
    def take(x: Tensor, places: Tensor) -> Tensor:
        """Some of the tokens."""
        return x.index_select(0, places)


class TorchLayout(Layout):
    """A layout whose places are tensors."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.heads = [head._replace(things=tuple(map(_tensor, head.things))) for head in self.heads]

    def on(self, device: torch.device) -> TorchLayout:
        """The same with its places on a device."""
        if device.type == "cpu":
            return self
        found = copy(self)
        found.heads = [
            head._replace(things=tuple(None if held is None else held.to(device) for held in head.things))
            for head in self.heads
        ]
        return found


def _tensor(places: npt.NDArray[np.int64] | None) -> Tensor | None:
    return None if places is None else torch.from_numpy(np.ascontiguousarray(places))


class Frozen:
    """A network that only chooses: its weights are scaled once."""

    def __init__(self, architecture: Architecture, layout: TorchLayout, weights: dict[str, Any]) -> None:
        self.architecture, self.layout = architecture, layout
        with torch.no_grad():
            held = {name: torch.as_tensor(w) for name, w in weights.items()}
            self.weights = scaled(held, layout, torch.from_numpy)

    @torch.inference_mode()
    def __call__(
        self, seen: npt.NDArray[np.int8], traits: npt.NDArray[np.int8] | None = None
    ) -> tuple[Tensor, Tensor]:
        """Logits of the layout's actions, and values."""
        given = None if traits is None else torch.from_numpy(traits)
        return forward(TorchOps, self.architecture, self.layout, self.weights, torch.from_numpy(seen), given)
