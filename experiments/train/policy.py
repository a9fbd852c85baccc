"""The policy of MaskablePPO: a network of `networks.py` as a torch module, and a plain masked choice.

stable-baselines3's own masked distribution validates its arguments and goes over the 832 logits a dozen
times. Here a choice is one log-softmax over the actions that the board has.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import Tensor, nn

from agents.networks import Architecture, forward, initial_weights, scaled
from agents.ops_torch import Frozen, TorchLayout, TorchOps
from genesia_rl.errors import DataError

#: Added to the logits of illegal actions.
NEVER = -1e8
__all__ = ["Frozen", "LeaguePolicy", "Network", "TorchLayout", "log_probabilities", "refuse_non_finite"]


class Network(nn.Module):
    """The weights as parameters."""

    def __init__(self, architecture: Architecture, layout: TorchLayout, seed: int = 0) -> None:
        super().__init__()
        self.architecture, self.layout = architecture, layout
        made = initial_weights(architecture, layout, np.random.default_rng(seed))
        self.weights = nn.ParameterDict({name: nn.Parameter(torch.from_numpy(w)) for name, w in made.items()})

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Logits of the board's actions, and values."""
        return forward(TorchOps, self.architecture, self.layout, self.scaled(), seen)

    def scaled(self) -> dict[str, Any]:
        """The weights as the forward pass wants them."""
        return scaled(dict(self.weights.items()), self.layout, torch.from_numpy)

    def numpy_weights(self) -> dict[str, npt.NDArray[np.float32]]:
        """Copies of all weights."""
        return {name: w.detach().numpy().copy() for name, w in self.weights.items()}

    def put_weights(self, weights: dict[str, Any]) -> None:
        """Take over weights of the same architecture."""
        with torch.no_grad():
            for name, w in self.weights.items():
                w.copy_(torch.as_tensor(weights[name]))


def refuse_non_finite(what: str, loss: Tensor, norm: Tensor) -> None:
    """Stop before a step that would spoil the network."""
    if not (torch.isfinite(loss) and torch.isfinite(norm)):
        raise DataError(
            f"{what}: loss = {float(loss.detach())}, gradient = {float(norm)}, allowed are finite numbers: "
            "what is learned from holds others, or the learning rate is too high"
        )


def log_probabilities(logits: Tensor, legal: Tensor) -> Tensor:
    """Log probabilities of the legal actions; of the others next to nothing."""
    return logits.masked_fill(~legal, NEVER).log_softmax(1)


class LeaguePolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy around a `Network`; observations are bytes and masks cover the board's actions."""

    def __init__(self, *args: Any, network: Network, **kwargs: Any) -> None:
        self._given = (network,)  # a module may not be held before the base class is made
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        (self.network,) = self._given
        self.optimizer = self.optimizer_class(  # type: ignore[call-arg]
            self.network.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )

    def evaluate_rows(self, seen: Tensor, action: Tensor, legal: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log probabilities of the actions taken (columns), and entropies."""
        logits, value = self.network(seen)
        log_p = log_probabilities(logits, legal)
        entropy = -(log_p.exp() * log_p).sum(1)
        return value, log_p.gather(1, action[:, None])[:, 0], entropy

    def _columns(self, masks: Any) -> npt.NDArray[np.bool_]:
        return np.asarray(masks).astype(bool)[:, self.network.layout.actions]

    def forward(self, obs: Tensor, deterministic: bool = False, action_masks: Any = None) -> Any:
        """Actions, values and log probabilities, in MaskablePPO's own way: masks of all actions."""
        logits, value = self.network(obs.to(torch.int8))
        legal = self._columns(action_masks)
        log_p = log_probabilities(logits, torch.from_numpy(legal))
        column = log_p.argmax(1) if deterministic else torch.multinomial(log_p.exp(), 1)[:, 0]
        return self.network.layout.columns[column], value, log_p.gather(1, column[:, None])[:, 0]

    def _predict(self, observation: Any, deterministic: bool = False, action_masks: Any = None) -> Tensor:
        actions: Tensor = self(observation, deterministic, action_masks)[0]
        return actions

    def predict_values(self, obs: Any) -> Tensor:
        """Values only."""
        values: Tensor = self.network(obs.to(torch.int8))[1]
        return values
