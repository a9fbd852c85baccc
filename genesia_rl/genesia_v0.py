"""Genesia for PettingZoo: `from genesia_rl import genesia_v0; env = genesia_v0.env(players=4)`.

The page of the environment is `genesia_rl/games/genesia/README.md`.
"""

from genesia_rl.envs.doors import doors

env, raw_env = doors("genesia")

__all__ = ["env", "raw_env"]
