"""`play`: a game at a table in the browser, or in the terminal."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from genesia_rl.cli.help import PLAYING, PROCESSES
from genesia_rl.cli.numbers import integer
from genesia_rl.cli.options import GameName, configured, takes_config
from genesia_rl.cli.output import note
from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.game import Game
from genesia_rl.core.registry import default_game
from genesia_rl.core.trace import game_of
from genesia_rl.players.codes import fetches, runs_code
from genesia_rl.studio.live import PERSON, usual_agent
from genesia_rl.studio.lobby import Lobby
from genesia_rl.studio.saved import Folder, first_trace, seating_of, usual_folder

PORT = 8642
LOOPBACK = "127.0.0.1"

File = Annotated[Path | None, typer.Argument(metavar="FILE", help="A recorded game to play on from.")]
Step = Annotated[
    int | None,
    typer.Option(
        parser=integer(0), metavar="N", help="Play on before this decision of FILE; the end by default."
    ),
]
Seats = Annotated[
    str | None,
    typer.Option(
        metavar="WHO,...", help=f"Who sits where: {PERSON}, or the code of an agent (random, mcts:200)."
    ),
]
Names = Annotated[str | None, typer.Option(metavar="NAME,...", help="How they are called.")]
Seed = Annotated[
    int | None, typer.Option(parser=integer(0, (1 << 63) - 1), metavar="SEED", help="The seed of the deal.")
]
Where = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where games are kept, one file each.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the game that was played last.")]
Host = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Where to listen; 0.0.0.0 lets others on the network play.",
        rich_help_panel=PROCESSES,
    ),
]
Port = Annotated[
    int | None,
    typer.Option(
        parser=integer(0, 65535),
        metavar="PORT",
        help=f"{PORT}, or another if that is taken.",
        rich_help_panel=PROCESSES,
    ),
]
Open = Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")]
Terminal = Annotated[bool, typer.Option("--terminal", help="Play here and not in the browser.")]


def add_to(app: typer.Typer, game: str) -> None:
    """The command of this module."""
    examples = "genesia play --players 3 --seats person,greedy,random\ngenesia play --resume"
    app.command(epilog=examples, rich_help_panel=PLAYING)(takes_config(play, game))


def play(
    fields: dict[str, Any],
    game: GameName = default_game(),
    file: File = None,
    step: Step = None,
    seats: Seats = None,
    names: Names = None,
    seed: Seed = None,
    folder: Where = None,
    resume: Resume = False,
    host: Host = LOOPBACK,
    port: Port = None,
    open: Open = True,
    terminal: Terminal = False,
) -> None:
    """Play against agents or with other people, in the browser. Every decision is kept on the disk."""
    lobby = Lobby(Folder(folder or usual_folder()))
    if resume:
        name = _last(lobby)
    elif file is not None:
        name = _taken_up(lobby, file, step, seats, names)
    else:
        engine = configured(game, fields)
        name = lobby.create(engine, _seats(engine, seats), _listed(names), seed)
    if terminal:
        _in_terminal(lobby, name)
    else:
        _in_browser(lobby, name, host, port, open)


def _last(lobby: Lobby) -> str:
    """The game that was played last."""
    names = lobby.folder.names()
    if not names:
        raise GenesiaError(f"{lobby.folder.path}: holds no game to go on with")
    lobby.live(names[0])
    return names[0]


def _taken_up(lobby: Lobby, file: Path, step: int | None, seats: str | None, names: str | None) -> str:
    """A new game that begins with the decisions of a recorded one."""
    trace = first_trace(file)
    engine = game_of(trace)
    if step is not None:
        if step > len(trace["steps"]):
            raise GenesiaError(f"{file}: step = {step}, allowed are 0..{len(trace['steps'])}")
        trace = {key: value for key, value in trace.items() if key != "result"} | {
            "steps": trace["steps"][:step]
        }
    trace = _without_foreign_code(trace, file, seats)
    sat = seating_of(trace, engine)
    who = _seats(engine, seats) if seats is not None or "play" not in trace else sat.who
    return lobby.create(engine, who, _listed(names) or sat.names, trace=trace)


def _without_foreign_code(trace: dict[str, Any], file: Path, seats: str | None) -> dict[str, Any]:
    """The trace, whose agents are not loaded where others are named; it may name none that run code of
    their own or come from the network."""
    play = trace.get("play")
    if not isinstance(play, dict):
        return trace
    if seats is not None:
        return {**trace, "play": {**play, "seats": []}}
    for code in play.get("seats") or ():
        if isinstance(code, str) and runs_code(code):
            raise GenesiaError(
                f"{file}: agent {code!r} runs code of its own, allowed is to name it by --seats"
            )
        if isinstance(code, str) and fetches(code):
            raise GenesiaError(
                f"{file}: agent {code!r} comes from the network, allowed is to name it by --seats"
            )
    return trace


def _seats(game: Game, seats: str | None) -> Sequence[str]:
    """Who sits where: a person on the first seat against agents, or where all win together a person on all."""
    if seats is not None:
        return _listed(seats)
    others = usual_agent(game.name) if game.is_contest else PERSON
    return [PERSON, *[others] * (game.num_seats - 1)]


def _listed(text: str | None) -> list[str]:
    return [] if text is None else [part.strip() for part in text.split(",")]


# ---------------------------------------------------------------- showing it


def _in_terminal(lobby: Lobby, name: str) -> None:
    from genesia_rl.studio.terminal import play_in_terminal

    future = lobby.live(name)
    if not future.done():
        note(f"{name}: {lobby.word_of_waiting(name)}")
    play_in_terminal(future.result())
    lobby.close()
    note(f"the game is kept in {lobby.folder.file(name)}")


def _in_browser(lobby: Lobby, name: str, host: str, port: int | None, open: bool) -> None:
    from genesia_rl.studio.server import Server

    server = _listening(lobby, host, port, Server)
    url = server.url(f"k={lobby.host_key}&g={name}")
    print(f"play at {url}", flush=True)
    if host != LOOPBACK:
        note(
            "whoever can reach this machine and has the address of a seat plays it; the menu shows the addresses"
        )
    note("end with Ctrl-C; nothing is lost: genesia play --resume goes on")
    if open:
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
    try:
        server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        note(f"the game is kept in {lobby.folder.file(name)}")
    finally:
        server.close()


def _listening(lobby: Lobby, host: str, port: int | None, make: Any) -> Any:
    """The server at the port that was asked for; at the usual one, or another if that is taken."""
    try:
        return make(lobby, host, PORT if port is None else port)
    except OSError as error:
        if port is not None:
            raise ConfigError(f"port {port} at {host}: {error.strerror or error}") from None
        return make(lobby, host, 0)
