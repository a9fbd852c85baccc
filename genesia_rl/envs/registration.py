"""Environments by name: Gymnasium's ids, PettingZoo's registry where there is one, and a module for each game.

Filled when the package is imported; nothing is compiled or loaded for that. A game `some_game` is
`gymnasium.make("SomeGame-v0")` (and `"SomeGameSolo-v0"` if it has a solo mode), `from genesia_rl import some_game_v0`
as PettingZoo's own environments are, and `pettingzoo.make("aec", "SomeGame-v0")`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

from gymnasium.envs.registration import register as add
from gymnasium.envs.registration import registry

from genesia_rl.core.registry import game_info, game_names

VERSION = "v0"


def title_of(game: str) -> str:
    """`some_game` as identifiers of environments have it: `SomeGame`."""
    return "".join(word.capitalize() for word in game.split("_"))


def ids() -> dict[str, dict[str, Any]]:
    """Gymnasium's ids, and the arguments that each environment always gets."""
    found: dict[str, dict[str, Any]] = {}
    for game in game_names():
        found[f"{title_of(game)}-{VERSION}"] = {"game": game}
        solo = game_info(game).solo
        if solo is not None:
            found[f"{title_of(game)}Solo-{VERSION}"] = {"game": game, "players": 1, **solo}
    return found


def register() -> None:
    """Make all environments known by their names; the checker of illegal orders stays on."""
    for name, arguments in ids().items():
        if name not in registry:
            add(
                name,
                entry_point="genesia_rl.envs.single:GameGym",
                vector_entry_point="genesia_rl.vector.gym:GameVector",
                kwargs=arguments,
                disable_env_checker=True,
            )
    for game in game_names():
        module_of(game)
        _tell_pettingzoo(game)


def _tell_pettingzoo(game: str) -> None:
    """PettingZoo has a registry from 1.27 on."""
    import pettingzoo

    name = f"{title_of(game)}-{VERSION}"
    if hasattr(pettingzoo, "register") and name not in pettingzoo.aec_registry:
        pettingzoo.register("aec", name, entry_point=partial(_env, game))


def _env(game: str, **options: Any) -> Any:
    from genesia_rl.envs import aec

    return aec.env(game, **options)


def _raw_env(game: str, **options: Any) -> Any:
    from genesia_rl.envs import aec

    return aec.raw_env(game, **options)


def _named(make: Callable[..., Any], game: str, name: str, text: str) -> Callable[..., Any]:
    """A function as `help` shows it: what it makes, and which options it takes."""

    def made(**options: Any) -> Any:
        return make(game, **options)

    fields = ", ".join(option.name for option in game_info(game).options)
    made.__name__ = made.__qualname__ = name
    made.__module__ = f"genesia_rl.{game}_{VERSION}"
    made.__doc__ = (
        f"{text}\n\nOptions of the game are the fields of its configuration (as the program's: {fields}).\n"
        "Options of the environment are reward, scale, shaping, gamma, observation, normalise, max_cycles and "
        "render_mode.\n"
    )
    return made


def module_of(game: str) -> ModuleType:
    """The module `genesia_rl.NAME_v0` of a game, with `env` and `raw_env`."""
    name = f"genesia_rl.{game}_{VERSION}"
    if name not in sys.modules:
        module = ModuleType(name, f"{title_of(game)} for PettingZoo: `env`, and `raw_env` without checks.")
        makers = {
            "env": _named(
                _env, game, "env", f"{title_of(game)} as a PettingZoo environment with all checks."
            ),
            "raw_env": _named(_raw_env, game, "raw_env", f"{title_of(game)} without PettingZoo's checks."),
        }
        module.__dict__.update(makers, __all__=list(makers))
        sys.modules[name] = module
    return sys.modules[name]
