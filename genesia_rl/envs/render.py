"""What an environment shows: text in colour, or the picture of the position as pixels, of which films are made."""

from __future__ import annotations

import sys
from typing import Any

from genesia_rl.core.errors import ArgumentError
from genesia_rl.core.game import Game, States
from genesia_rl.core.scene import scene_of

MODES = ("ansi", "human", "rgb_array")
ALLOWED = ", ".join(MODES)


def check_mode(mode: str | None) -> None:
    """One of the modes, or None."""
    if mode is not None and mode not in MODES:
        raise ArgumentError(f"render_mode = {mode!r}, allowed are None, {ALLOWED}")


def rendered(game: Game, states: States, i: int, mode: str, eyes: int) -> Any:
    """The position as these eyes see it: text (`ansi`), an array (`rgb_array`), or printed (`human`)."""
    scene = scene_of(game, states, i, eyes)
    if mode == "rgb_array":
        from genesia_rl.studio.picture import pixels_of  # only whoever makes films needs what it imports

        return pixels_of(scene)
    from genesia_rl.studio.ansi import ansi_of

    if mode == "ansi":
        return ansi_of(scene)
    print(ansi_of(scene, colour=sys.stdout.isatty()))
    return None
