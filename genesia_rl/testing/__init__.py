"""Tests that ship with the package and hold any registered game to the contract.

    check_game   conformance: is what a game says of itself true?
    perft        how many sequences of decisions there are, to a depth
    signature    one number over every state of a fixed set of games
    strategies   games for hypothesis: a configuration, a seed, and which legal action each time

They know games through `genesia_rl.contract` and `genesia_rl.registry` alone. Only `strategies` needs
hypothesis, and only it imports it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast


def variants(game_name: str = "genesia") -> dict[str, dict[str, Any]]:
    """Configurations that together use everything a game has: every number of seats, every option.

    A game keeps them as `VARIANTS` in the module `variants` of its folder.
    """
    module = import_module(f"genesia_rl.games.{game_name}.variants")
    return cast("dict[str, dict[str, Any]]", module.VARIANTS)
