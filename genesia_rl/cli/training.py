"""`train`, `evaluate`, `ladder`, `export`: learning agents. The work is done by modules that are loaded when needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from genesia_rl.cli.help import FILES, LEARNING, MEASURING, OUTPUT, PROCESSES, THE_GAME
from genesia_rl.cli.numbers import games as games_number
from genesia_rl.cli.numbers import integer, real
from genesia_rl.cli.options import FLAG, GameName
from genesia_rl.cli.output import AsJson, note, print_json, progress
from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.reading import shown
from genesia_rl.core.registry import default_game, game_info, make_game

#: What is missing -> the extra that brings it.
NEEDS = {
    "torch": "train", "pydantic": "train", "pyarrow": "data", "scipy": "lab", "matplotlib": "lab",
    "ray": "ray", "minari": "minari", "wandb": "wandb", "tensorboard": "tensorboard",
}  # fmt: skip

Preset = Annotated[str | None, typer.Option(metavar="NAME", help="quick, standard (default) or long.")]
Config = Annotated[str | None, typer.Option(metavar="FILE", help="Settings as TOML, over the preset.")]
TrainGame = Annotated[
    str | None,
    typer.Option(
        FLAG,
        metavar="NAME",
        help="Which game; else that of the file.",
        show_default=False,
        rich_help_panel=THE_GAME,
    ),
]
Method = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="ppo (default), or expert: learn what a search finds.", show_default=False
    ),
]
Varied = Annotated[
    bool | None,
    typer.Option(
        "--varied/--no-varied", help="Do games differ in what the game lets vary?", show_default=False
    ),
]
Minutes = Annotated[
    float | None, typer.Option(parser=real(0.01, 100_000), metavar="M", help="How long.", show_default=False)
]
Updates = Annotated[
    int | None,
    typer.Option(
        parser=integer(1), metavar="U", help="End after so many updates instead.", show_default=False
    ),
]
Decisions = Annotated[
    int | None,
    typer.Option(
        parser=integer(1), metavar="D", help="End after so many of the learner's decisions instead.",
        show_default=False,
    ),
]  # fmt: skip
RunSeed = Annotated[
    int | None,
    typer.Option(
        parser=integer(0), metavar="SEED", help="Of all chance; else that of the preset.", show_default=False
    ),
]
Out = Annotated[
    str | None, typer.Option(metavar="FOLDER", help="Where the run is kept.", rich_help_panel=OUTPUT)
]
Resume = Annotated[str | None, typer.Option(metavar="FOLDER", help="Go on with the run in this folder.")]
Warm = Annotated[
    str | None, typer.Option(metavar="FILE", help="Begin from a model (.npz) or clone a data set (.parquet).")
]
Logs = Annotated[
    str | None,
    typer.Option(
        "--log", metavar="LIST", show_default=False,
        help="Who is told of every update: csv, tensorboard, wandb; csv and tensorboard (if installed) by default.",
    ),
]  # fmt: skip
Backend = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Who plays the games: local, or ray.",
        show_default=False,
        rich_help_panel=PROCESSES,
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        help="Of a Ray cluster; `auto` finds one. Without it a Ray on this machine.",
        show_default=False,
        rich_help_panel=PROCESSES,
    ),
]
Actors = Annotated[
    int | None,
    typer.Option(
        parser=integer(1),
        metavar="N",
        help="Of Ray, a core each; all cores of the cluster by default.",
        show_default=False,
        rich_help_panel=PROCESSES,
    ),
]
Device = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Where torch learns: cpu, cuda or auto.",
        show_default=False,
        rich_help_panel=PROCESSES,
    ),
]
Agent = Annotated[str, typer.Option(metavar="CODE", help="The agent that is measured.")]
Against = Annotated[str, typer.Option(metavar="CODES", help="One code for all others, or one for each.")]
Players = Annotated[
    int | None,
    typer.Option(
        parser=integer(1), metavar="N", help="Number of players; else the least.", show_default=False
    ),
]
Tables = Annotated[
    str | None,
    typer.Option(
        "--players",
        metavar="N",
        help="Number of players; else the least. 2,3,4: one network for all of these.",
        show_default=False,
    ),
]
Games = Annotated[
    int, typer.Option(parser=games_number(), metavar="K", help="Games; every deal is played from every seat.")
]
Seed = Annotated[int, typer.Option(parser=integer(0), metavar="SEED", help="Another seed deals other games.")]
AllVaried = Annotated[
    bool, typer.Option("--varied/--no-varied", help="Over all that the game lets vary, in turn.")
]
Top = Annotated[
    str | None,
    typer.Option(metavar="CODES", help="Better agents, upwards: more levels on the ladder that there is."),
]
Agents = Annotated[str, typer.Option(metavar="CODES", help="Agents between commas; they change seats.")]
File = Annotated[
    str,
    typer.Option(
        "--out",
        metavar="FILE",
        help="The Parquet file, or the folder NAME-v0 of a Minari data set.",
        rich_help_panel=OUTPUT,
    ),
]
FORMATS = ("parquet", "minari")
Form = Annotated[str, typer.Option("--format", metavar="NAME", help="parquet, or minari: an episode a seat.")]


def add_to(app: typer.Typer, game: str) -> None:
    """The commands of this module."""

    def add(command: Callable[..., Any], group: str, *examples: str) -> None:
        app.command(epilog="\n".join(examples), rich_help_panel=group)(command)

    add(
        train, LEARNING, "genesia train --preset quick --players 2 --minutes 2 --out runs/first",
        "genesia train --resume runs/first --minutes 10",
        "genesia train --backend ray --address HEAD:6379 --minutes 60",
    )  # fmt: skip
    add(evaluate, MEASURING, "genesia evaluate --agent greedy --against random --games 200")
    add(ladder, LEARNING, "genesia ladder --players 2 --games 400")
    add(export, FILES, "genesia export --agents greedy,random --games 100 --out decisions.parquet")


@contextmanager
def loading(command: str) -> Iterator[None]:
    """Says which extra is missing, if one is."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in NEEDS:
            raise
        raise GenesiaError(
            f'genesia {command} needs {name}: pip install "genesia-rl[{NEEDS[name]}]"'
        ) from None


def _given(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def _elsewhere(backend: str | None, address: str | None, actors: int | None) -> dict[str, Any]:
    """Who plays; of a cluster that is left nothing is kept."""
    given = _given(backend=backend, address=address, number=actors)
    if backend == "local":
        given |= {"address": address, "number": actors}
    return {"actors": given} if given else {}


def _tables(text: str | None) -> dict[str, Any]:
    """`2,3,4`: the numbers of players that one network learns; a single one says so too."""
    if text is None:
        return {}
    if not all(part.strip().isdecimal() and 0 < int(part) < 100 for part in text.split(",")):
        raise GenesiaError(f"--players: {shown(text)}, allowed are numbers from 1 on, between commas")
    first, *others = sorted(map(int, text.split(",")))
    return {"players": first, "also": others}


def train(
    game: TrainGame = None,
    preset: Preset = None,
    config: Config = None,
    players: Tables = None,
    method: Method = None,
    varied: Varied = None,
    minutes: Minutes = None,
    updates: Updates = None,
    decisions: Decisions = None,
    seed: RunSeed = None,
    out: Out = None,
    resume: Resume = None,
    warm_start: Warm = None,
    log: Logs = None,
    backend: Backend = None,
    address: Address = None,
    actors: Actors = None,
    device: Device = None,
) -> None:
    """Train a network by self-play in a league. Ctrl-C finishes the update and saves; --resume goes on."""
    with loading("train"):
        from genesia_rl.learn.start import resumed, started
    lasting = _given(minutes=minutes, updates=updates, decisions=decisions)
    if len(lasting) > 1:
        raise GenesiaError(f"{' with '.join(f'--{name}' for name in lasting)}: allowed is one of them")
    if log is not None:
        with loading("train"):
            from genesia_rl.learn.log import checked_logs
        lasting["log"] = checked_logs(log.split(","))
    elsewhere = _elsewhere(backend, address, actors) | ({"learner": {"device": device}} if device else {})
    if resume is not None:
        others = {
            FLAG: game, "--preset": preset, "--config": config, "--players": players,
            "--method": method, "--varied": varied, "--seed": seed, "--out": out, "--warm-start": warm_start,
        }  # fmt: skip
        if refused := _given(**others):
            raise GenesiaError(
                f"{next(iter(refused))} with --resume: allowed are --minutes, --updates, --decisions, --log, "
                "--backend, --address, --actors and --device"
            )
        run = resumed(resume, lasting, elsewhere)
    else:
        tables = {
            "game": _given(name=game, varied=varied) | _tables(players),
            "learner": _given(method=method),
            "run": lasting | _given(seed=seed),
            **elsewhere,
        }
        with loading("train"):
            run = started(preset or "standard", config, tables, out, warm_start)
    run.work()


def evaluate(
    agent: Agent,
    against: Against,
    game: GameName = default_game(),
    players: Players = None,
    games: Games = 1000,
    seed: Seed = 0,
    varied: AllVaried = False,
    as_json: AsJson = False,
) -> None:
    """Measure an agent: how often it is first, with a 95 % interval.

    Every deal is played from every seat; who shares a first place has its part of it. Where all play together (a
    solo mode): what it comes to, and what the other does with the same deals.
    """
    with loading("evaluate"):
        from genesia_rl.matches.evaluate import evaluate_codes
        from genesia_rl.matches.together import compared
    number = players or game_info(game).players[0]
    is_contest = make_game(game, players=number).is_contest
    if varied and not is_contest:
        raise GenesiaError("--varied: allowed where all play together is --no-varied")
    found: Any
    with progress("games", games) as advance:
        if is_contest:
            found = evaluate_codes(game, agent, against, number, games, seed, advance, varied)
        else:
            found = compared(game, agent, against, number, games, seed, advance)
    if as_json:
        told = {"game": game, "players": number, "agent": agent, "against": against, "seed": seed}
        print_json(told | found.to_dict())
    else:
        print(found.text(agent, against))


def ladder(
    game: GameName = default_game(),
    players: Players = None,
    games: Games = 400,
    top: Top = None,
    seed: Seed = 0,
) -> None:
    """Build the ladder of a game's levels, kept beside the models.

    Each level ends before the one below in about 60 of a hundred games, measured in fresh games. `--top` goes on
    upwards from the scripted player.
    """
    with loading("ladder"):
        from genesia_rl.matches.ladder import build, extended, write_ladder
        from genesia_rl.players.ladder import commands_of, ladders
    number = players or game_info(game).players[0]
    engine = make_game(game, players=number)
    known = ladders(game).get(number, ())

    def tell(level: Any) -> None:
        won = "" if level.won is None else f"won {level.won} ({level.low}-{level.high}) of {level.games}"
        print(f"{level.name:<16} {level.agent:<12} {won}", flush=True)

    if top and not known:
        raise GenesiaError(
            f"top = {top}: {game} has no ladder for {number} players yet, allowed is to build one first"
        )
    levels = (
        extended(engine, known, top.split(","), games, seed, tell)
        if top
        else build(engine, games, seed, tell)
    )
    named = f" --top {top}" if top else ""
    command = f"genesia ladder --game {game} --players {number} --games {games} --seed {seed}{named}"
    if top and number in commands_of(game):
        command = f"{commands_of(game)[number]} && {command}"
    write_ladder(engine, levels, command)


def export(
    agents: Agents,
    out: File,
    game: GameName = default_game(),
    players: Players = None,
    games: Games = 1000,
    seed: Seed = 0,
    varied: AllVaried = False,
    form: Form = FORMATS[0],
) -> None:
    """Play games between agents; write every decision as a data set. It is a Parquet file, or one of Minari."""
    if form not in FORMATS:
        raise GenesiaError(f"--format {form!r}, allowed are {' and '.join(FORMATS)}")
    with loading("export"):
        if form == "minari":
            from genesia_rl.learn.episodes import export_episodes as write
        else:
            from genesia_rl.learn.dataset import export_games as write
    number = players or game_info(game).players[0]
    with progress("games", games) as advance:
        rows = write(game, agents, number, games, Path(out), seed, advance, varied)
    note(f"{rows:,} decisions of {games:,} games: {out}")
