"""Agents that are no part of this package, by name: `package.module:Class`, `file.py:Class`, and those that installed
packages declare as entry points of the group `genesia_rl.agents` (`NAME = "package.module:Class"`).

A class is a `Player` (core/player.py) that is made without arguments. Whoever names it has its code run, so what was
written by others (traces, run folders) names none of them to be loaded. Whatever such an agent raises is one line with
its name; the traceback is in a file. What it answers is checked: one legal integer for each decision.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

import genesia_rl
from genesia_rl.core.errors import ConfigError, PlayerError
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch, Player

GROUP = "genesia_rl.agents"
FILE = ".py"
#: How they are written, for the list of what is allowed.
USAGES = ("package.module:Class", "file.py:Class")


def is_own(code: str) -> bool:
    """Is it written like a class of somebody's module or file?"""
    where, colon, name = code.rpartition(":")
    return bool(colon) and name.isidentifier() and (where.endswith(FILE) or _is_module(where))


def _is_module(where: str) -> bool:
    return all(part.isidentifier() for part in where.split("."))


def base_name(code: str) -> str:
    """The code without the folders before a file: the same wherever the file is."""
    where, colon, name = code.rpartition(":")
    return f"{Path(where).name}{colon}{name}" if where.endswith(FILE) else code


@cache
def declared() -> dict[str, EntryPoint]:
    """The agents that installed packages declare, by name."""
    return {point.name: point for point in entry_points(group=GROUP)}


def player(code: str) -> Player:
    """The player of a class; made once, and once more when its file has changed."""
    where = code.rpartition(":")[0]
    return _made_once(code, version_of(Path(where)) if where.endswith(FILE) else "")


@lru_cache(maxsize=64)
def _made_once(code: str, version: str) -> Player:
    return OwnPlayer(code)


def version_of(file: Path) -> str:
    """Which file it is, and as it was written last; empty if it is not there."""
    try:
        about = file.stat()
    except OSError:
        return ""
    return f"{file.resolve()} {about.st_mtime_ns} {about.st_size}"


class AgentNotFound(ConfigError):
    """There is no such module, file or class."""


class OwnPlayer(Player):
    """An agent of somebody's own, known by the code that it was asked for with; `target` is where its class stands."""

    def __init__(self, code: str, target: str | None = None) -> None:
        self.name, self._target = code, _found(target or code)
        self._load()

    def _load(self) -> None:
        where, _, name = self._target.rpartition(":")
        with self._telling("cannot be loaded"):
            module = _module(where, self.name)
            made = _made(module, name, self.name)
        self._player, self.version = made, made.version
        self._digest = _digest(type(made))

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "_target": self._target}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._load()

    def reset(self, seed: int = 0) -> None:
        """A new match begins."""
        with self._telling("cannot begin a match"):
            self._player.reset(seed)

    def fingerprint(self, game: Game) -> str:
        """What it says itself, and a digest of the file in which its class stands: changed code is another agent."""
        with self._telling("has no fingerprint"):
            return f"{self._digest} {self._player.fingerprint(game)}".strip()

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """What it answers, if that is one legal action for each decision."""
        with self._telling("cannot decide", decisions):
            answer = np.asarray(self._player.act_batch(decisions))
        return self._checked(answer, decisions)

    def _checked(self, actions: npt.NDArray[Any], decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        n, game = len(decisions), decisions.game
        if actions.shape != (n,) or actions.dtype.kind not in "iu":
            raise PlayerError(
                f"agent {self.name}: answers {one_line(repr(actions))}, allowed is an integer for each of "
                f"{n} decisions"
            )
        inside = (actions >= 0) & (actions < game.num_actions)
        legal = inside & (decisions.mask[np.arange(n), np.where(inside, actions, 0)] != 0)
        if not legal.all():
            self._refuse(int(np.argmin(legal)), actions, decisions)
        return actions.astype(np.int64)

    def _refuse(self, k: int, actions: Any, decisions: DecisionBatch) -> None:
        game, row, seat, action = (
            decisions.game,
            int(decisions.rows[k]),
            int(decisions.seats[k]),
            int(actions[k]),
        )
        if 0 <= action < game.num_actions:
            action = game.from_view(seat, action)
        why = game.why_illegal(decisions.states, row, action)
        raise PlayerError(f"agent {self.name}, seat {seat} of the game with seed {decisions.seeds[k]}: {why}")

    @contextmanager
    def _telling(self, what: str, decisions: DecisionBatch | None = None) -> Iterator[None]:
        """Whatever is raised becomes one line; the rest is in a file."""
        try:
            yield
        except AgentNotFound:
            raise
        except (Exception, SystemExit) as error:
            words, kept = one_line(f"{type(error).__name__}: {error}"), self._kept(error, decisions)
            raise PlayerError(f"agent {self.name} {what}: {words}; {kept}") from error

    def _kept(self, error: BaseException, decisions: DecisionBatch | None) -> str:
        """Where the traceback is."""
        on = f"Python {platform.python_version()}, {platform.platform()}"
        lines = [f"agent {self.name} ({self._target})", f"genesia_rl {genesia_rl.__version__}, {on}"]
        if decisions is not None:
            game = decisions.game
            lines += [f"game {game.name} {game.config_dict()}",
                      f"decisions of the games with seeds {decisions.seeds.tolist()}",
                      f"after so many decisions: {decisions.steps.tolist()}"]  # fmt: skip
        text = "\n".join([*lines, "", "".join(traceback.format_exception(error))])
        try:
            number, path = tempfile.mkstemp(prefix="genesia-agent-", suffix=".txt")
            with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
        except OSError as trouble:
            return f"the traceback could not be written: {trouble.strerror or trouble}"
        return f"the traceback is in {path}"


def one_line(text: str) -> str:
    """What was raised or answered, not longer than a line."""
    words = " ".join(text.split())
    return words if len(words) <= 200 else words[:197] + "..."


# ---------------------------------------------------------------- finding the class


def _found(target: str) -> str:
    """A file by its full path, so that it is found from every folder and process."""
    where, _, name = target.rpartition(":")
    return f"{Path(where).resolve()}:{name}" if where.endswith(FILE) else target


def _module(where: str, code: str) -> ModuleType:
    return _of_file(Path(where), code) if where.endswith(FILE) else _of_name(where, code)


def _of_name(where: str, code: str) -> ModuleType:
    """A module that Python finds, or one in the present folder."""
    _look_in(Path.cwd())
    try:
        return import_module(where)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if where != missing and not where.startswith(f"{missing}."):
            raise  # of what it imports itself
        raise AgentNotFound(
            f"agent {code!r}: no module {missing!r}, allowed is one that is installed or stands in {Path.cwd()}"
        ) from None


def _of_file(path: Path, code: str) -> ModuleType:
    """The module of a file, which may import what stands beside it; anew when the file has changed."""
    if not path.is_file():
        raise AgentNotFound(f"agent {code!r}: no file {path}, allowed is a Python file")
    name = f"genesia_agent_{hashlib.blake2b(version_of(path).encode(), digest_size=8).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    _look_in(path.parent)
    sys.modules[name] = module  # whatever pickles or inspects a class looks for its module there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _look_in(folder: Path) -> None:
    """Modules of a folder are found, after all that are installed."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _made(module: ModuleType, name: str, code: str) -> Player:
    """The player of a class of the module, or a player that stands there already."""
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, Player):
        return found()
    if isinstance(found, Player):
        return found
    players = [key for key, held in vars(module).items() if _is_player(held, module)]
    is_what = f"a {type(found).__name__}" if hasattr(module, name) else "not there"
    allowed = ", ".join(players) or "a subclass of genesia_rl.Player"
    raise AgentNotFound(f"agent {code!r}: {name} is {is_what}, allowed is {allowed}")


def _is_player(held: Any, module: ModuleType) -> bool:
    is_class = isinstance(held, type) and issubclass(held, Player) and held.__module__ == module.__name__
    return is_class or isinstance(held, Player)


def _digest(kind: type) -> str:
    """Of the file in which a class stands; empty where there is none."""
    try:
        file = inspect.getsourcefile(kind)
        return hashlib.blake2b(Path(file or "").read_bytes(), digest_size=8).hexdigest()
    except (OSError, TypeError):
        return ""
