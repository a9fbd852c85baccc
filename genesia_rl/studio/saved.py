"""Live games on the disk: a folder with one trace a game, as PROTOCOL 3 writes them, finished or not.

Beside what every trace has, `play` says who sits where; other readers pass it over. The folder holds one secret,
from which the keys of its games are made (lobby.py).
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import TraceError
from genesia_rl.core.files import replacing
from genesia_rl.core.game import Game
from genesia_rl.core.trace import numbered_traces, to_line, trace_format
from genesia_rl.studio.live import PERSON, LiveGame, Seating, seated

SECRET = "secret"
SUFFIX = ".jsonl"
#: What a live game is called: its file without the suffix.
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}")


def usual_folder() -> Path:
    """Where live games are kept if nothing else is said."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path("~/.local/share").expanduser())
    return Path(home) / "genesia_rl" / "live"


class Folder:
    """A folder of live games."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)

    def secret(self) -> bytes:
        """Random bytes that this folder keeps to itself; made once."""
        file = self.path / SECRET
        if not file.exists():
            with replacing(file, "wb") as out:
                os.chmod(out.name, 0o600)
                out.write(secrets.token_bytes(32))
        return file.read_bytes()

    def file(self, name: str) -> Path:
        """The file of a game; a name that could lead elsewhere is refused."""
        if not NAME.fullmatch(name):
            raise TraceError(f"game {name[:80]!r}: no such name, allowed are letters, digits, - and _")
        return self.path / f"{name}{SUFFIX}"

    def names(self) -> list[str]:
        """All games, the last played first."""
        files = [file for file in self.path.glob(f"*{SUFFIX}") if NAME.fullmatch(file.stem)]
        return [file.stem for file in sorted(files, key=lambda file: -file.stat().st_mtime)]

    def new_name(self, game: str, others: Iterable[str] = ()) -> str:
        """A name that no game has, here or among the others."""
        taken = {*self.names(), *others}
        number = len(taken) + 1
        while f"{game}-{number}" in taken:
            number += 1
        return f"{game}-{number}"

    def write(self, name: str, live: LiveGame) -> None:
        """The game as it stands, in one step."""
        with replacing(self.file(name)) as out:
            out.write(to_line(with_seating(live.trace, live.seating)))

    def read(self, name: str) -> dict[str, Any]:
        """The trace of a game."""
        return first_trace(self.file(name))


def first_trace(path: str | Path) -> dict[str, Any]:
    """The first game of a file."""
    for _, trace in numbered_traces(path):
        return trace
    raise TraceError(f"{path}: holds no game")


def with_seating(trace: Mapping[str, Any], seating: Seating) -> dict[str, Any]:
    """A trace that says who sits where; the result stays last."""
    result = {"result": trace["result"]} if "result" in trace else {}
    kept = {key: value for key, value in trace.items() if key not in ("play", "result")}
    return {**kept, "play": {"seats": list(seating.who), "names": list(seating.names)}, **result}


def new_trace(game: Game, seed: int) -> dict[str, Any]:
    """A game that was dealt from a seed, before its first decision."""
    states = game.new_states()
    game.reset(states, 0, seed)
    deal = game.deal_dict(states, 0)
    head = {"format": trace_format(game.name), "config": game.config_dict(), "seed": seed}
    return {**head, "deal": deal, "steps": []}


def seating_of(trace: Mapping[str, Any], game: Game) -> Seating:
    """Who sits where in a trace; people, if it does not say."""
    play = trace.get("play")
    found = play if isinstance(play, dict) else {}
    who, names = found.get("seats"), found.get("names")
    texts = isinstance(who, list) and all(isinstance(code, str) for code in who)
    return seated(
        game, who if texts and who else [PERSON] * game.num_seats, names if isinstance(names, list) else []
    )
