"""A network of `networks.py` as a torch module, and what all that learn share: choices, steps, seeds."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.players.common import View, narrowed
from genesia_rl.players.networks import INCREMENTAL, Architecture, forward, initial_weights, scaled
from genesia_rl.players.ops_torch import Frozen, TorchLayout, TorchOps

#: Added to the logits of illegal actions.
NEVER = -1e8
__all__ = ["AtTable", "Frozen", "Network", "TorchLayout", "adam", "descend", "log_probabilities", "seed_all"]


def device_of(name: str) -> torch.device:
    """Where torch learns; a CUDA device that is asked for must be there."""
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise ConfigError(
            "learner.device = 'cuda': torch finds no CUDA device here, allowed are cpu and auto"
        )
    return torch.device("cuda" if there and name != "cpu" else "cpu")


class Network(nn.Module):
    """The weights as parameters, on the device where they learn. Copies to play with are the processor's."""

    def __init__(
        self,
        architecture: Architecture,
        layout: Any,
        seed: int = 0,
        device: torch.device | str = "cpu",
    ) -> None:
        super().__init__()
        self.architecture, self.layout, self.device = architecture, layout, torch.device(device)
        self.placed = layout.on(self.device) if isinstance(layout, TorchLayout) else layout
        made = initial_weights(architecture, layout, np.random.default_rng(seed))
        self.weights = nn.ParameterDict({name: nn.Parameter(self.tensor(w)) for name, w in made.items()})

    def tensor(self, array: npt.NDArray[Any]) -> Tensor:
        """An array where the network learns; on a processor it is not copied."""
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device)

    def forward(self, seen: Tensor, traits: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Logits of the layout's actions, and values."""
        return forward(TorchOps, self.architecture, self.placed, self.scaled(), seen, traits)

    def scaled(self) -> dict[str, Any]:
        """The weights as the forward pass wants them."""
        return scaled(dict(self.weights.items()), self.layout, self.tensor)

    def frozen(self) -> Frozen:
        """The network as it is now, to choose with."""
        return Frozen(self.architecture, self.layout, self.numpy_weights())

    def numpy_weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """Copies of all weights."""
        return {name: w.detach().cpu().numpy().copy() for name, w in self.weights.items()}

    def put_weights(self, weights: dict[str, Any]) -> None:
        """Take over weights of the same architecture."""
        with torch.no_grad():
            for name, w in self.weights.items():
                w.copy_(torch.as_tensor(weights[name]))


class AtTable:
    """A network for several numbers of players as it is read with one of them: the same weights, some of their rows."""

    def __init__(self, whole: Network, layout: TorchLayout, view: View) -> None:
        self.whole, self.architecture, self.layout, self.view = whole, whole.architecture, layout, view
        self.weights, self.parameters = whole.weights, whole.parameters  # what learns is the whole

    def scaled(self) -> dict[str, Any]:
        """The weights as the forward pass wants them; gradients lead back to the whole."""
        whole = self.whole
        read = narrowed(dict(whole.weights.items()), self.view, whole.tensor)
        return scaled(read, self.layout, whole.tensor)

    def numpy_weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """Copies of all weights that are read."""
        return narrowed(self.whole.numpy_weights(), self.view)

    def frozen(self) -> Frozen:
        """The network as it is now, to choose with."""
        return Frozen(self.architecture, self.layout, self.numpy_weights())


def log_probabilities(logits: Tensor, legal: Tensor) -> Tensor:
    """Log probabilities of the legal actions; of the others next to nothing."""
    return logits.masked_fill(~legal, NEVER).log_softmax(1)


def adam(network: Network, rate: float) -> torch.optim.Adam:
    """The optimiser of all that learn here."""
    fused = network.architecture.kind == INCREMENTAL  # many small steps: each in one pass over the weights
    return torch.optim.Adam(network.parameters(), rate, eps=1e-5, fused=fused)


def set_rate(optimizer: torch.optim.Optimizer, rate: float) -> None:
    """Another learning rate."""
    for group in optimizer.param_groups:
        group["lr"] = rate


def descend(
    network: Network,
    optimizer: torch.optim.Optimizer,
    loss: Tensor,
    longest: float,
    what: str,
    only: str = "",
) -> None:
    """One step down the gradient, which is cut to a length.

    Only weights whose names begin with `only` learn. A step that would spoil the network is refused.
    """
    optimizer.zero_grad()
    loss.backward()
    step_down(network, optimizer, float(loss.detach()), longest, what, only)


def step_down(
    network: Network | AtTable,
    optimizer: torch.optim.Optimizer,
    loss: float,
    longest: float,
    what: str,
    only: str = "",
) -> None:
    """The same once the gradients are there."""
    for name, weight in network.weights.items():
        if not name.startswith(only):
            weight.grad = None
    norm = nn.utils.clip_grad_norm_(network.parameters(), longest)
    if not (np.isfinite(loss) and torch.isfinite(norm)):
        raise DataError(
            f"{what}: loss = {loss}, gradient = {float(norm)}, allowed are finite numbers: "
            "what is learned from holds others, or the learning rate is too high"
        )
    optimizer.step()


def seed_all(seed: int) -> None:
    """Seed the streams that torch, NumPy and Python keep for all."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
