"""What the tests of the window share: live games in a folder of their own, and a server that listens for one test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from genesia_rl.core.registry import make_game, register_game
from genesia_rl.studio.live import LiveGame
from genesia_rl.studio.lobby import Lobby
from genesia_rl.studio.saved import Folder
from genesia_rl.studio.server import Server

register_game("toy", "toy", listed=False)  # the shortest game: it has no scene of its own

PATIENCE = 600.0  # seconds: the first game of a machine is compiled


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    """An empty folder of games."""
    made = Lobby(Folder(tmp_path / "live"))
    yield made
    made.close()


@pytest.fixture
def server(lobby: Lobby) -> Iterator[Server]:
    """A server of that folder, on a free port of this machine."""
    made = Server(lobby)
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.close()


Begin = Callable[..., tuple[str, LiveGame]]


@pytest.fixture
def begin(lobby: Lobby) -> Begin:
    """Begins a game and waits until it is there: its name, and the game."""

    def begun(game: str, seats: Sequence[str], seed: int = 7, **config: Any) -> tuple[str, LiveGame]:
        name = lobby.create(make_game(game, **config), seats, seed=seed)
        live = lobby.live(name).result(timeout=PATIENCE)
        live.set_pace(0.0)
        return name, live

    return begun
