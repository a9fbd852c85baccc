"""The live games of one server: who may see and do what, new games, and games that are taken up again.

There is one key for whoever started the server, the *host*, and one for every seat of every game, made from the
secret of the folder, so that they hold when the server is started again. The host plays for all people of a game, one
after the other; a seat's key is for somebody else's browser.
"""

from __future__ import annotations

import hmac
import re
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.game import Game
from genesia_rl.core.info import GameInfo, Option, fields_of
from genesia_rl.core.registry import game_info, game_names, make_game
from genesia_rl.core.trace import game_name, game_of
from genesia_rl.players.codes import codes_of
from genesia_rl.players.ladder import ladders
from genesia_rl.studio.live import PERSON, LiveGame, reveals, seated, usual_agent
from genesia_rl.studio.saved import Folder, new_trace, seating_of, with_seating
from genesia_rl.studio.view import view_of

#: Levels have a list of their own; the others are for the command line.
UNLISTED = ("level", "mixed", "sb3", "drawn")
MOST_OPEN = 32  # games at once
MOST_LISTED = 50
MOST_TEXT = 2_000  # of an option
MOST_BUDGET = 100_000  # of an agent that a browser names: simulations, or milliseconds
CODE = re.compile(r"[a-z0-9_]{1,40}(?::([0-9]{1,6})(?:ms)?)?")


class Lobby:
    """All live games of a folder."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._secret = folder.secret()
        self._open: dict[str, Future[LiveGame]] = {}
        self._waiting: dict[str, str] = {}
        self._lock = threading.Lock()
        self.host_key = self._key("host")

    # ---- keys

    def _key(self, what: str) -> str:
        return hmac.new(self._secret, what.encode(), "sha256").hexdigest()[:32]

    def seat_key(self, name: str, seat: int) -> str:
        """The key of a seat."""
        return self._key(f"{name}/{seat}")

    def is_host(self, key: str) -> bool:
        """Is this the key of whoever started the server?"""
        return hmac.compare_digest(key.encode(), self.host_key.encode())

    def seats(self, key: str, name: str, live: LiveGame) -> tuple[int, ...]:
        """The seats that a key plays in a game."""
        people = live.seating.people
        if self.is_host(key):
            return people
        return tuple(
            seat for seat in people if hmac.compare_digest(key.encode(), self.seat_key(name, seat).encode())
        )

    def has_key(self, key: str, name: str) -> bool:
        """Is this a key of the game? Asked before the game is opened, so of every seat that there may be."""
        return self.is_host(key) or any(
            hmac.compare_digest(key.encode(), self.seat_key(name, seat).encode()) for seat in range(16)
        )

    # ---- games

    def create(
        self,
        game: Game,
        who: Sequence[str],
        names: Sequence[str] = (),
        seed: int | None = None,
        trace: Mapping[str, Any] | None = None,
    ) -> str:
        """Begin a game, dealt from the seed or after the steps of a trace; returns its name at once."""
        seating = seated(game, who, names)
        drawn = secrets.randbits(63) if seed is None else seed

        def begun() -> tuple[Game, dict[str, Any]]:
            return game, with_seating(new_trace(game, drawn) if trace is None else trace, seating)

        with self._lock:
            name = self.folder.new_name(game.name, self._open)
            self._start(name, begun)
        return name

    def branch(self, live: LiveGame, step: int) -> str:
        """A new game that goes on from a step of one that is over, with the same who played it."""
        with live.changed:
            if not live.over:
                raise ConfigError("the game goes on: playing on from it would show what is to come")
            if not 0 <= step < live.steps:
                raise ConfigError(f"step = {step}, allowed are 0..{live.steps - 1}")
            trace = {key: value for key, value in live.trace.items() if key != "result"}
        trace["steps"] = trace["steps"][:step]
        return self.create(live.game, live.seating.who, live.seating.names, trace=trace)

    def live(self, name: str) -> Future[LiveGame]:
        """A game, taken up from the disk if it is not open."""
        with self._lock:
            if name not in self._open:
                trace = self.folder.read(name)
                self._start(name, lambda: (game_of(trace), trace))
            return self._open[name]

    def word_of_waiting(self, name: str) -> str:
        """Why a game is not there yet."""
        return self._waiting.get(name, "loading")

    def _start(self, name: str, begun: Callable[[], tuple[Game, dict[str, Any]]]) -> None:
        """Open a game in the background, as its code may have to be compiled, and let its agents play."""
        if len(self._open) >= MOST_OPEN:
            raise ConfigError(
                f"{len(self._open)} games are open, allowed are {MOST_OPEN}: start the server anew"
            )
        future: Future[LiveGame] = Future()
        self._open[name] = future

        def work() -> None:
            try:
                live = self._opened(name, *begun())
            except Exception as error:  # whatever is wrong with a file or a game: the server goes on
                future.set_exception(ConfigError(f"game {name}: cannot be opened: {error}"))
                return
            future.set_result(live)
            live.run_agents()

        threading.Thread(target=work, daemon=True, name=name).start()

    def _opened(self, name: str, game: Game, trace: dict[str, Any]) -> LiveGame:
        from genesia_rl.core.warmup import is_compiled  # compiled code: not before a game is opened

        if not is_compiled(game):
            self._waiting[name] = f"compiling {game.name} for this machine: this takes up to a minute, once"
        live = LiveGame(
            game, seating_of(trace, game), trace, lambda changed: self.folder.write(name, changed)
        )
        warm(live)
        self.folder.write(name, live)
        return live

    def close(self) -> None:
        """Let no agent decide any more."""
        for future in list(self._open.values()):
            if future.done() and future.exception() is None:
                future.result().close()

    def listing(self) -> list[dict[str, Any]]:
        """The games of the folder, the last played first."""
        return [{"name": name, **self._summary(name)} for name in self.folder.names()[:MOST_LISTED]]

    def _summary(self, name: str) -> dict[str, Any]:
        try:
            trace = self.folder.read(name)
            play = trace.get("play") or {}
            return {
                "title": game_info(game_name(trace)).title,
                "names": play.get("names", []),
                "step": len(trace["steps"]),
                "over": "result" in trace,
            }
        except (GenesiaError, OSError) as error:
            return {"title": f"cannot be read: {error}", "names": [], "step": 0, "over": True}

    def invitations(self, name: str, live: LiveGame) -> dict[str, str]:
        """The key of every person's seat: for the host to hand out."""
        return {str(seat): self.seat_key(name, seat) for seat in live.seating.people}


def warm(live: LiveGame) -> None:
    """Compile or load whatever a click needs, before there is one."""
    if live.over:
        return
    game, copy = live.game, live.states.copy()
    reveals(game, copy, game.legal_actions(copy, 0)[0])
    view_of(live, live.seat)


# ---------------------------------------------------------------- what a browser may ask for


def offers_of(game: str) -> dict[str, Any]:
    """A game as the page offers it: its options and who may play."""
    info = game_info(game)
    return {
        "name": game,
        "title": info.title,
        "players": list(info.all_players),
        "options": [_offered(option) for option in _options(info).values() if option.name != "players"],
        "agents": [usage for code, (usage, *_) in codes_of(game).items() if code not in UNLISTED],
        "levels": {players: [level.name for level in levels] for players, levels in ladders(game).items()},
        "usual": usual_agent(game),
    }


def _offered(option: Option) -> dict[str, str]:
    return {
        "name": option.name,
        "type": option.type.__name__,
        "metavar": option.metavar,
        "help": option.help,
    }


def _options(info: GameInfo) -> dict[str, Option]:
    """The options that a page may set: none that reads a file of this machine."""
    return {option.name: option for option in info.options if option.metavar not in ("FILE", "FOLDER")}


def configured(name: str, given: Mapping[str, Any]) -> Game:
    """The game of the options that a page has sent."""
    if name not in game_names():
        raise ConfigError(f"game {name[:80]!r}: unknown, allowed are {', '.join(game_names())}")
    options = _options(game_info(name))
    chosen: dict[str, Any] = {}
    for key, value in given.items():
        if key not in options:
            raise ConfigError(f"option {key[:80]!r}: unknown, allowed are {', '.join(options)}")
        if value not in (None, ""):
            chosen[key] = _read(options[key], value)
    return make_game(name, **fields_of(options, chosen))


def _read(option: Option, value: Any) -> Any:
    """A value of the type of its option."""
    if option.type is str and isinstance(value, str) and len(value) <= MOST_TEXT:
        return value
    if option.type is bool and isinstance(value, bool):
        return value
    if option.type is int and isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ConfigError(f"option {option.name} = {str(value)[:80]!r}, allowed is {option.help}")


def allowed_code(code: Any) -> str:
    """The code of an agent that a page may name: none that reads a file of this machine, none that never ends."""
    match = CODE.fullmatch(code) if isinstance(code, str) else None
    if match is None or int(match[1] or 0) > MOST_BUDGET:
        raise ConfigError(
            f"agent {str(code)[:80]!r}: allowed here are {PERSON} and agents with a budget up to {MOST_BUDGET}"
        )
    return str(code)
