"""Gymnasium's registry: filled when the package is imported.

Gymnasium 1.4 loads no plugins by itself; versions that do find `register` through the entry point.
"""

from __future__ import annotations

from gymnasium.envs.registration import register as add
from gymnasium.envs.registration import registry

#: id -> where the environment is, and the arguments it always gets.
ENVIRONMENTS = {
    "Genesia-v0": ("genesia_rl.envs.single:GameGym", {"game": "genesia"}),
    "GenesiaSolo-v0": ("genesia_rl.envs.single:JointGym", {"game": "genesia", "solo_level": "beginner"}),
}


def register() -> None:
    """Make the environments known by their ids; the checker of illegal orders stays on."""
    for name, (where, arguments) in ENVIRONMENTS.items():
        if name not in registry:
            add(
                name,
                entry_point=where,
                vector_entry_point="genesia_rl.vector.gym:make_vector",
                kwargs=arguments,
                disable_env_checker=True,
            )
