"""The functions that a game's module offers to users of PettingZoo: `env` and `raw_env`."""

from __future__ import annotations

from functools import partial
from typing import Any

from genesia_rl.envs import aec


def doors(game: str) -> tuple[Any, Any]:
    """`env` and `raw_env` of a game."""
    return partial(aec.env, game), partial(aec.raw_env, game)
