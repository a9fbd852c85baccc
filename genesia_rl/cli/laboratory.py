"""`arena` and `balance`: many games, and what they say. The work is in `experiments`, loaded when needed."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from genesia_rl.cli.numbers import integer, real
from genesia_rl.cli.options import GAME, takes_config
from genesia_rl.cli.output import announce_compiling, console, note, progress
from genesia_rl.cli.training import loading
from genesia_rl.errors import ConfigError
from genesia_rl.registry import handbook

Agents = Annotated[
    str | None,
    typer.Option(
        metavar="CODES", help="Agents between commas; `greedy!war` goes without war.", show_default=False
    ),
]
Games = Annotated[int, typer.Option(parser=integer(1), metavar="K", help="At least so many games.")]
MostGames = Annotated[
    int, typer.Option("--games", parser=integer(1), metavar="K", help="The most games to play.")
]
Deals = Annotated[int, typer.Option("--games", parser=integer(10), metavar="K", help="Games under each.")]
Seed = Annotated[int, typer.Option(parser=integer(0), metavar="SEED")]
Out = Annotated[
    str | None, typer.Option(metavar="DIR", help="Where games and report are kept.", show_default=False)
]
Format = Annotated[
    str, typer.Option("--format", metavar="NAME", help="all, mirror, or one-against (copies of the second).")
]
AllLots = Annotated[bool, typer.Option("--all-lots", help="All combinations of colour lots in turn.")]
Covariates = Annotated[
    str | None, typer.Option(metavar="NAMES", help="Also fitted: place, lots.", show_default=False)
]
Shard = Annotated[
    str | None,
    typer.Option(metavar="I/N", help="Play only this part; `merge` joins them.", show_default=False),
]
Backend = Annotated[str, typer.Option(metavar="NAME", help="processes, serial or ray.")]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Of a Ray cluster; `auto` finds one.", show_default=False),
]
Workers = Annotated[
    int | None,
    typer.Option(parser=integer(1), metavar="N", help="Processes; all cores by default.", show_default=False),
]
Folders = Annotated[
    list[str], typer.Argument(metavar="DIR...", help="Folders of the parts.", show_default=False)
]
MergedOut = Annotated[str, typer.Option("--out", metavar="DIR", help="The folder to write.")]
By = Annotated[float, typer.Option(parser=real(0.001, 0.9), metavar="SHARE", help="Of first places.")]
Alpha = Annotated[
    float, typer.Option(parser=real(0.0001, 0.49), metavar="P", help="Chance of `better` though it is equal.")
]
Beta = Annotated[
    float, typer.Option(parser=real(0.0001, 0.49), metavar="P", help="Chance of `not better` though it is.")
]
Policies = Annotated[
    str, typer.Option("--policy", metavar="CODES", help="Who plays; several between commas are a ladder.")
]
PlayersList = Annotated[str, typer.Option("--players", metavar="N,...", help="Numbers of players.")]
GamesList = Annotated[
    str, typer.Option("--games", metavar="K,...", help="Games of self-play: one number, or one a policy.")
]
Parts = Annotated[
    str,
    typer.Option(metavar="NAMES", help="Parts of the report: first, lots, cards, objectives, restricted."),
]
Config = Annotated[
    str | None, typer.Option(metavar="FILE", help="The game's configuration as TOML.", show_default=False)
]
Data = Annotated[
    str | None,
    typer.Option(metavar="FOLDER", help="Cards, objectives or boards of your own.", show_default=False),
]
ConfigA = Annotated[str, typer.Option("--a", metavar="FILE", help="The first configuration, as TOML.")]
ConfigB = Annotated[str, typer.Option("--b", metavar="FILE", help="The second one.")]


def add_to(app: typer.Typer) -> None:
    """The commands of this module."""
    arenas = typer.Typer(rich_markup_mode=None)
    arenas.callback(invoke_without_command=True)(takes_config(arena))
    arenas.command("merge")(merge_arena)
    arenas.command("duel")(takes_config(duel))
    app.add_typer(arenas, name="arena")
    lab = typer.Typer(rich_markup_mode=None)
    lab.callback(invoke_without_command=True)(balance)
    lab.command("diff")(diff)
    lab.command("merge")(merge_balance)
    app.add_typer(lab, name="balance")


def warm_up(series: Any) -> None:
    """Compile before processes are started, which would all compile the same; say so if it takes long."""
    announce_compiling(series.game(0), "begin_rows", "play_rows", "measure_rows")
    series.warm_up()


def command_line() -> str:
    """What was typed, for the report."""
    return shlex.join(["genesia", *sys.argv[1:]])


def arena(
    context: typer.Context,
    fields: Mapping[str, Any],
    agents: Agents = None,
    games: Games = 1000,
    seed: Seed = 0,
    out: Out = None,
    format: Format = "all",
    all_lots: AllLots = False,
    covariates: Covariates = None,
    shard: Shard = None,
    backend: Backend = "processes",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Which agent is stronger? Every deal in all seatings; ratings, pairs and points with intervals.

    The same command goes on with a run that was stopped.
    """
    if context.invoked_subcommand is not None:
        return
    if agents is None:
        raise ConfigError("--agents is missing, allowed are codes between commas: --agents greedy,random")
    with loading("arena"):
        from experiments.arena import command
        from experiments.matches.progress import share
    options = command.Options(agents, games, seed, out, format, all_lots, covariates, dict(fields))
    series, folder = command.prepared(options)
    warm_up(series)
    how: dict[str, Any] = {"part": shard, "backend": backend, "address": address, "workers": workers}
    with progress("games", share(series.games, shard)) as advance:
        complete = command.play(series, folder, advance, **how)
    if not complete:
        note(f"{folder}: games of other parts are missing; genesia arena merge joins all parts and reports")
        return
    command.report(series, folder, {"command": command_line()}, covariates).print(console())
    note(f"report: {folder / 'report.html'}")


def merge_arena(folders: Folders, out: MergedOut, covariates: Covariates = None) -> None:
    """Join the parts of --shard i/n: the same games and figures, bit for bit, as of one run."""
    with loading("arena"):
        from experiments.arena import command
    found = command.merged([Path(folder) for folder in folders], Path(out), covariates)
    found.print(console())
    note(f"report: {Path(out) / 'report.html'}")


def duel(
    fields: Mapping[str, Any],
    agents: Agents = None,
    by: By = 0.05,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    games: MostGames = 10_000,
    seed: Seed = 0,
    out: Out = None,
    all_lots: AllLots = False,
    backend: Backend = "processes",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Does the first agent win so much more often than the second? Stops as soon as that is sure enough."""
    if agents is None:
        raise ConfigError("--agents is missing, allowed are two codes: --agents mcts:50,greedy")
    with loading("arena duel"):
        from experiments.arena import command
    options = command.Options(agents, games, seed, out, "one-against", all_lots, None, dict(fields), True)
    series, folder = command.prepared(options)
    warm_up(series)
    how: dict[str, Any] = {"backend": backend, "address": address, "workers": workers}
    with progress("games, at most", series.games) as advance:
        answer = command.duel(series, folder, by, alpha, beta, advance, **how)
    print(command.answer_text(series, answer, by, alpha, beta))


def balance(
    context: typer.Context,
    policy: Policies = "greedy",
    players: PlayersList = "2",
    games: GamesList = "10000",
    parts: Parts = "first,lots,cards,objectives,restricted",
    seed: Seed = 0,
    out: Out = None,
    config: Config = None,
    data: Data = None,
    shard: Shard = None,
    backend: Backend = "processes",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """Is the game fair? The first player, lots, cards, objectives, what each part of it is worth.

    The same command goes on with a run that was stopped.
    """
    if context.invoked_subcommand is not None:
        return
    fields = dict(handbook(GAME).read_config(config)) if config else {}
    if data is not None:
        fields["data"] = data
    with loading("balance"):
        from experiments.balance import command
        from experiments.matches.progress import share
    study = command.study(policy, players, games, parts, seed, out, fields)
    for by_arm in study.arms.values():
        warm_up(next(iter(by_arm.values())))
    how: dict[str, Any] = {"part": shard, "backend": backend, "address": address, "workers": workers}
    with progress("games", share(study.games, shard)) as advance:
        complete = command.play(study, advance, **how)
    if not complete:
        note(f"{study.out}: games of other parts are missing; genesia balance merge joins all parts")
        return
    command.report(study, {"command": command_line(), "seed": seed}).print(console())
    note(f"report: {study.out / 'report.html'}")


def merge_balance(folders: Folders, out: MergedOut) -> None:
    """Join the parts of --shard i/n; the command without --shard then reports on the joined folder."""
    with loading("balance"):
        from experiments.balance import command
    command.merged([Path(folder) for folder in folders], Path(out))
    note(f"{out}: joined; genesia balance --out {out} with the options of the parts makes the report")


def diff(
    a: ConfigA,
    b: ConfigB,
    games: Deals = 10_000,
    seed: Seed = 0,
    out: Out = None,
    backend: Backend = "processes",
    address: Address = None,
    workers: Workers = None,
) -> None:
    """What does a change do? Two configurations on the same deals, compared deal by deal."""
    with loading("balance diff"):
        from experiments.balance import command
    how: dict[str, Any] = {"backend": backend, "address": address, "workers": workers}
    with progress("games", 2 * games) as advance:
        report, folder = command.difference(
            a, b, games, seed, out, {"command": command_line()}, advance, **how
        )
    report.print(console())
    note(f"report: {folder / 'report.html'}")
