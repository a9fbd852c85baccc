"""What Python and numpy hold, in words of JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np


def plain(held: Any) -> Any:
    """The same in words of JSON: numbers of numpy as numbers, what is no finite number as nothing."""
    if isinstance(held, Mapping):
        return {str(name): plain(value) for name, value in held.items()}
    if isinstance(held, np.ndarray | list | tuple):
        return [plain(value) for value in held]
    if isinstance(held, np.generic):
        return plain(held.item())
    if isinstance(held, float) and not math.isfinite(held):
        return None
    return held if held is None or isinstance(held, bool | int | float | str) else str(held)
