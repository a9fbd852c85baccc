"""What a forward pass (networks.py) is made of, on NumPy arrays; `ops_torch.py` is the same on tensors."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


class NumpyOps:
    """What the forward pass needs, on arrays."""

    @staticmethod
    def floats(x: Array) -> Array:
        """As 32-bit floats."""
        return np.ascontiguousarray(x, np.float32)

    @staticmethod
    def linear(x: Array, w: Array, b: Array) -> Array:
        """x W' + b over the last axis, as one matrix product."""
        flat = x.reshape(prod(x.shape[:-1]), x.shape[-1]) @ w.T
        return np.asarray((flat + b).reshape(*x.shape[:-1], w.shape[0]))

    @staticmethod
    def relu(x: Array) -> Array:
        """The positive part."""
        return np.maximum(x, 0, out=x)

    @staticmethod
    def concat(xs: list[Array]) -> Array:
        """Side by side along the last axis."""
        return np.concatenate(xs, -1)

    @staticmethod
    def permute(x: Array, *axes: int) -> Array:
        """Other axes first."""
        return x.transpose(axes)

    @staticmethod
    def largest(x: Array) -> Array:
        """The maximum over tokens."""
        return np.asarray(x.max(0))

    @staticmethod
    def take(x: Array, places: Array) -> Array:
        """Some of the tokens."""
        return x[places]
