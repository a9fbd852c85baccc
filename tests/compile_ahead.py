"""Compile what the tests of some games need, each thing once: `python tests/compile_ahead.py GAME ...`.

Two processes that meet the same function at the same time would both compile it. So before the tests are shared out
among several processes, each game is compiled by one of them (conftest.py).
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from genesia_rl.cli.app import run
from genesia_rl.core.registry import game_names, make_game
from genesia_rl.core.warmup import is_compiled

#: Functions from the end of what is done below: where they are on disk, all of it is.
LAST = ("reset", "choose_rows", "grow", "play_networks", "measure_rows")


def commands(game: str, folder: Path) -> list[str]:
    """What uses all that a game has compiled: kernels, players, searches, networks, the laboratory."""
    return [
        f"warmup --game {game}",
        f"evaluate --game {game} --agent mcts:2 --against greedy --games 2",
        f"train --game {game} --preset quick --minutes 0.01 --out {folder}/{game}",
        f"selfplay --game {game} --games 2",
        f"balance --game {game} --policy greedy,random --games 40 --backend serial --out {folder}/{game}-lab",
    ]


def main(games: Sequence[str]) -> None:
    """Compile; what a command says or refuses is of no interest here, the tests will tell."""
    with tempfile.TemporaryDirectory() as folder:
        for game in games:
            for command in commands(game, Path(folder)):
                told = io.StringIO()
                with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
                    run(command.split())


def uncompiled() -> list[str]:
    """The games of which something is missing on disk."""
    return [name for name in game_names() if not is_compiled(make_game(name), *LAST)]


if __name__ == "__main__":
    os.chdir(tempfile.gettempdir())
    main(sys.argv[1:])
