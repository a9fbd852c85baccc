"""`train`, `evaluate`, `export`: learning agents. The work is in `experiments/train`, loaded when needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from genesia_rl.cli.numbers import integer, real
from genesia_rl.cli.output import note, progress
from genesia_rl.errors import GenesiaError

#: What is missing -> the extra that brings it.
NEEDS = {
    "torch": "train", "stable_baselines3": "train", "sb3_contrib": "train", "pydantic": "train",
    "pyarrow": "data", "scipy": "lab", "matplotlib": "lab", "ray": "ray",
}  # fmt: skip

Preset = Annotated[str | None, typer.Option(metavar="NAME", help="quick, standard (default) or long.")]
Config = Annotated[str | None, typer.Option(metavar="FILE", help="Settings as TOML, over the preset.")]
TrainPlayers = Annotated[
    int | None, typer.Option(parser=integer(2, 5), metavar="N", help="Number of players.", show_default=False)
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
RunSeed = Annotated[int | None, typer.Option(parser=integer(0), metavar="SEED", show_default=False)]
Out = Annotated[str | None, typer.Option(metavar="FOLDER", help="Where the run is kept.")]
Resume = Annotated[str | None, typer.Option(metavar="FOLDER", help="Go on with the run in this folder.")]
Warm = Annotated[
    str | None, typer.Option(metavar="FILE", help="Begin from a model (.npz) or clone a data set (.parquet).")
]
Agent = Annotated[str, typer.Option(metavar="CODE", help="The agent that is measured.")]
Against = Annotated[str, typer.Option(metavar="CODES", help="One code for all others, or one for each.")]
Players = Annotated[int, typer.Option(parser=integer(2, 5), metavar="N", help="Number of players.")]
Games = Annotated[
    int, typer.Option(parser=integer(1), metavar="K", help="Games; every deal is played from every seat.")
]
Seed = Annotated[int, typer.Option(parser=integer(0), metavar="SEED")]
DealtLots = Annotated[
    str, typer.Option("--lots", metavar="LOTS", help="game: the default lots; all: of all combinations.")
]
Agents = Annotated[str, typer.Option(metavar="CODES", help="Agents between commas; they change seats.")]
File = Annotated[str, typer.Option("--out", metavar="FILE", help="The Parquet file to write.")]


def add_to(app: typer.Typer) -> None:
    """The commands of this module."""
    app.command()(train)
    app.command()(evaluate)
    app.command()(export)


@contextmanager
def loading(command: str) -> Iterator[None]:
    """Says which extra is missing, if one is."""
    try:
        yield
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name in ("experiments", "agents"):
            raise GenesiaError(
                f"genesia {command} needs the folder {name} of the repository: run it from a checkout"
            ) from None
        if name not in NEEDS:
            raise
        raise GenesiaError(
            f'genesia {command} needs {name}: pip install "genesia-rl[{NEEDS[name]}]"'
        ) from None


def train(
    preset: Preset = None,
    config: Config = None,
    players: TrainPlayers = None,
    minutes: Minutes = None,
    updates: Updates = None,
    seed: RunSeed = None,
    out: Out = None,
    resume: Resume = None,
    warm_start: Warm = None,
) -> None:
    """Train a network by self-play in a league. Ctrl-C finishes the update and saves; --resume goes on."""
    with loading("train"):
        from experiments.train.start import resumed, started
    given: dict[str, Any] = {"minutes": minutes, "updates": updates, "seed": seed}
    given = {name: value for name, value in given.items() if value is not None}
    if minutes is not None and updates is not None:
        raise GenesiaError("--minutes with --updates: allowed is one of them")
    if resume is not None:
        others = {"--preset": preset, "--config": config, "--players": players, "--seed": seed,
                  "--out": out, "--warm-start": warm_start}  # fmt: skip
        refused = [flag for flag, value in others.items() if value is not None]
        if refused:
            raise GenesiaError(f"{refused[0]} with --resume: allowed are --minutes and --updates")
        run = resumed(resume, given)
    else:
        overrides: dict[str, Any] = {"run": given}
        if players is not None:
            overrides["game"] = {"players": players}
        with loading("train"):
            run = started(preset or "standard", config, overrides, out, warm_start)
    run.work()


def evaluate(
    agent: Agent,
    against: Against,
    players: Players = 2,
    games: Games = 1000,
    seed: Seed = 0,
    lots: DealtLots = "game",
) -> None:
    """Measure an agent: the share of first places (ties share) with a 95 % interval, seats balanced."""
    with loading("evaluate"):
        from experiments.train.evaluate import evaluate_codes
    with progress("games", games) as advance:
        found = evaluate_codes(agent, against, players, games, seed, advance, lots)
    print(found.text(agent, against))


def export(
    agents: Agents,
    out: File,
    players: Players = 2,
    games: Games = 1000,
    seed: Seed = 0,
    lots: DealtLots = "game",
) -> None:
    """Play games between agents and write every decision to a Parquet file."""
    with loading("export"):
        from experiments.train.dataset import export_games
    with progress("games", games) as advance:
        rows = export_games(agents, players, games, Path(out), seed, advance, lots)
    note(f"{rows:,} decisions of {games:,} games: {out}")
