"""`arena` and `balance`: many games, and what they say. The work is done by modules that are loaded when needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from genesia_rl.cli.help import MEASURING, OUTPUT, PROCESSES, THE_GAME, Program
from genesia_rl.cli.numbers import games as games_number
from genesia_rl.cli.numbers import integer, real
from genesia_rl.cli.options import GameName, takes_config
from genesia_rl.cli.output import (
    AsJson,
    announce_compiling,
    console,
    facts_of_run,
    note,
    print_json,
    progress,
)
from genesia_rl.cli.training import loading
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import default_game, game_info

Agents = Annotated[
    str | None,
    typer.Option(
        metavar="CODES", help="Agents between commas; `CODE!WHAT` goes without something.", show_default=False
    ),
]
Games = Annotated[int, typer.Option(parser=games_number(), metavar="K", help="At least so many games.")]
MostGames = Annotated[
    int, typer.Option("--games", parser=games_number(), metavar="K", help="The most games to play.")
]
Deals = Annotated[
    int, typer.Option("--games", parser=games_number(10), metavar="K", help="Games under each configuration.")
]
Seed = Annotated[int, typer.Option(parser=integer(0), metavar="SEED", help="Another seed deals other games.")]
Out = Annotated[
    str | None,
    typer.Option(
        metavar="DIR",
        help="Where games and report are kept; else in a folder of runs.",
        show_default=False,
        rich_help_panel=OUTPUT,
    ),
]
Format = Annotated[
    str, typer.Option("--format", metavar="NAME", help="all, mirror, or one-against (copies of the second).")
]
Varied = Annotated[bool, typer.Option("--varied", help="Over all that the game lets vary, in turn.")]
Covariates = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES", help="Also fitted: place, and what the game lets vary.", show_default=False
    ),
]
Shard = Annotated[
    str | None,
    typer.Option(
        metavar="I/N",
        help="Play only this part; `merge` joins them.",
        show_default=False,
        rich_help_panel=PROCESSES,
    ),
]
Backend = Annotated[
    str, typer.Option(metavar="NAME", help="processes, serial or ray.", rich_help_panel=PROCESSES)
]
Address = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        help="Of a Ray cluster; `auto` finds one.",
        show_default=False,
        rich_help_panel=PROCESSES,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        parser=integer(1),
        metavar="N",
        help="Processes; all cores by default.",
        show_default=False,
        rich_help_panel=PROCESSES,
    ),
]
Folders = Annotated[
    list[str], typer.Argument(metavar="DIR...", help="Folders of the parts.", show_default=False)
]
MergedOut = Annotated[str, typer.Option("--out", metavar="DIR", help="The folder to write.")]
By = Annotated[
    float,
    typer.Option(parser=real(0.001, 0.9), metavar="SHARE", help="By how much, as a share of first places."),
]
Alpha = Annotated[
    float,
    typer.Option(
        parser=real(0.0001, 0.49), metavar="P", help="Chance of the answer `better` though it is equal."
    ),
]
Beta = Annotated[
    float,
    typer.Option(
        parser=real(0.0001, 0.49), metavar="P", help="Chance of the answer `not better` though it is."
    ),
]
Policies = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="CODES",
        help="Who plays; several between commas are a ladder.",
        show_default=False,
    ),
]
Judges = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="CODES",
        help="Who plays both, several between commas one after another; else whom the files name.",
        show_default=False,
    ),
]
PlayersList = Annotated[
    str | None,
    typer.Option(
        "--players", metavar="N,...", help="Numbers of players; else the least.", show_default=False
    ),
]
GamesList = Annotated[
    str, typer.Option("--games", metavar="K,...", help="Games of self-play: one number, or one a policy.")
]
Parts = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES", help="Parts of the report; else all that the game has.", show_default=False
    ),
]
Config = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="The game's configuration as TOML.",
        show_default=False,
        rich_help_panel=THE_GAME,
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER",
        help="Data of your own, if the game takes it.",
        show_default=False,
        rich_help_panel=THE_GAME,
    ),
]
ConfigA = Annotated[str, typer.Option("--a", metavar="FILE", help="The first configuration, as TOML.")]
ConfigB = Annotated[str, typer.Option("--b", metavar="FILE", help="The second one.")]
Goals = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="The goals, as TOML; else the usual ones.", show_default=False),
]
GoalLines = Annotated[
    list[str] | None,
    typer.Option(
        "--goal",
        metavar="LINE",
        help="One more, or another, like game.edge=0.02; may stand often.",
        show_default=False,
    ),
]
TrialGames = Annotated[
    str,
    typer.Option(
        "--games",
        metavar="K,...",
        help="A round, of each configuration and arm: one number, or one a policy.",
    ),
]
Rounds = Annotated[int, typer.Option(parser=integer(1), metavar="K", help="Rounds of mending, at most.")]
Back = Annotated[
    int,
    typer.Option(
        parser=integer(0), metavar="K",
        help="Rounds in which what is not needed is taken back, at most.",
    ),
]  # fmt: skip
Tries = Annotated[
    int, typer.Option(parser=integer(1), metavar="K", help="Changes tried for each thing in a round.")
]
Price = Annotated[
    float,
    typer.Option(parser=real(0.0, 100.0), metavar="X", help="Points that a unit of plainness is worth."),
]
Doubt = Annotated[
    float,
    typer.Option(parser=real(0.0001, 0.49), metavar="P", help="Chance of a change though all goals are met."),
]
VerdictTimes = Annotated[
    float,
    typer.Option(
        "--verdict", parser=real(0.1, 1000.0), metavar="X", help="Times as many games for the verdict."
    ),
]


def add_to(app: typer.Typer, game: str) -> None:
    """The commands of this module."""
    arenas = Program()
    arenas.callback(invoke_without_command=True)(takes_config(arena, game))
    arenas.command("duel", epilog="genesia arena duel --agents greedy,random --by 0.2 --games 200")(
        takes_config(duel, game)
    )
    arenas.command("merge", epilog="genesia arena merge part1 part2 --out runs/whole")(merge_arena)
    app.add_typer(
        arenas, name="arena", rich_help_panel=MEASURING,
        epilog="genesia arena --agents greedy,random --games 60 --out runs/league",
    )  # fmt: skip
    lab = Program()
    lab.callback(invoke_without_command=True)(balance)
    lab.command("diff", epilog="genesia balance diff --a before.toml --b after.toml --games 1000")(diff)
    lab.command("tune", epilog="genesia balance tune --policy greedy --games 400 --rounds 2")(tune)
    lab.command("merge", epilog="genesia balance merge part1 part2 --out runs/whole")(merge_balance)
    app.add_typer(
        lab, name="balance", rich_help_panel=MEASURING,
        epilog="genesia balance --policy greedy --players 2 --games 100 --out runs/balance",
    )  # fmt: skip


def warm_up(series: Any) -> None:
    """Compile before processes are started, which would all compile the same; say so if it takes long."""
    announce_compiling(series.game, "begin_rows", "play_rows", "measure_rows")
    series.warm_up()


def show_report(report: Any, folder: Path, as_json: bool) -> None:
    """The report in the terminal or for other programs, and where the page is."""
    if as_json:
        print_json({**report.to_dict(), "page": str(folder / "report.html")})
    else:
        report.print(console())
    note(f"report: {folder / 'report.html'}")


def arena(
    context: typer.Context,
    fields: Mapping[str, Any],
    game: GameName = default_game(),
    agents: Agents = None,
    games: Games = 1000,
    seed: Seed = 0,
    out: Out = None,
    format: Format = "all",
    varied: Varied = False,
    covariates: Covariates = None,
    shard: Shard = None,
    backend: Backend = "processes",
    address: Address = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Rate agents: which is stronger, and how sure is that.

    Every deal is played in all seatings; ratings, pairs and points have intervals. The same command goes on
    with a run that was stopped.
    """
    if context.invoked_subcommand is not None:
        return
    if agents is None:
        raise ConfigError("--agents is missing, allowed are codes between commas: --agents greedy,random")
    with loading("arena"):
        from genesia_rl.arena import command
        from genesia_rl.matches.progress import share
    options = command.Options(game, agents, games, seed, out, format, varied, covariates, dict(fields))
    series, folder = command.prepared(options)
    warm_up(series)
    how: dict[str, Any] = {"part": shard, "backend": backend, "address": address, "workers": workers}
    with progress("games", share(series.games, shard)) as advance:
        complete = command.play(series, folder, advance, **how)
    if not complete:
        note(f"{folder}: games of other parts are missing; genesia arena merge joins all parts and reports")
        return
    show_report(command.report(series, folder, facts_of_run(), covariates), folder, as_json)


def merge_arena(
    folders: Folders, out: MergedOut, covariates: Covariates = None, as_json: AsJson = False
) -> None:
    """Join the parts of --shard I/N and report. Games and figures are, bit for bit, those of one run."""
    with loading("arena"):
        from genesia_rl.arena import command
    found = command.merged([Path(folder) for folder in folders], Path(out), facts_of_run(), covariates)
    show_report(found, Path(out), as_json)


def duel(
    fields: Mapping[str, Any],
    game: GameName = default_game(),
    agents: Agents = None,
    by: By = 0.05,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    games: MostGames = 10_000,
    seed: Seed = 0,
    out: Out = None,
    varied: Varied = False,
    backend: Backend = "processes",
    address: Address = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Test whether the first agent beats the second by so much. It stops as soon as that is sure enough."""
    if agents is None:
        raise ConfigError("--agents is missing, allowed are two codes: --agents mcts:50,greedy")
    with loading("arena duel"):
        from genesia_rl.arena import command
    options = command.Options(game, agents, games, seed, out, "one-against", varied, None, dict(fields), True)
    series, folder = command.prepared(options)
    warm_up(series)
    how: dict[str, Any] = {"backend": backend, "address": address, "workers": workers}
    with progress("games, at most", series.games) as advance:
        answer = command.duel(series, folder, by, alpha, beta, advance, **how)
    if as_json:
        print_json(command.answer_dict(series, answer, by, alpha, beta))
    else:
        console().print(command.answer_text(series, answer, by, alpha, beta))


def balance(
    context: typer.Context,
    game: GameName = default_game(),
    policy: Policies = None,
    players: PlayersList = None,
    games: GamesList = "10000",
    parts: Parts = None,
    seed: Seed = 0,
    out: Out = None,
    config: Config = None,
    data: Data = None,
    shard: Shard = None,
    backend: Backend = "processes",
    address: Address = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Measure how fair the game is, and what its things are worth.

    It looks at the first player, at what varies, at the worth of things, and at what one may go without. The
    same command goes on with a run that was stopped.
    """
    if context.invoked_subcommand is not None:
        return
    fields = dict(game_info(game).read_config(config)) if config else {}
    if data is not None:
        fields["data"] = data
    with loading("balance"):
        from genesia_rl.lab import command
        from genesia_rl.matches.progress import share
    study = command.study(game, policy, players, games, parts, seed, out, fields)
    for by_arm in study.arms.values():
        warm_up(next(iter(by_arm.values())))
    how: dict[str, Any] = {"part": shard, "backend": backend, "address": address, "workers": workers}
    with progress("games", share(study.games, shard)) as advance:
        complete = command.play(study, advance, **how)
    if not complete:
        note(f"{study.out}: games of other parts are missing; genesia balance merge joins all parts")
        return
    show_report(command.report(study, {**facts_of_run(), "seed": seed}), study.out, as_json)


def merge_balance(folders: Folders, out: MergedOut) -> None:
    """Join the parts of --shard I/N. The command without --shard then reports on the joined folder."""
    with loading("balance"):
        from genesia_rl.lab import command
    command.merged([Path(folder) for folder in folders], Path(out))
    note(f"{out}: joined; genesia balance --out {out} with the options of the parts makes the report")


def diff(
    a: ConfigA,
    b: ConfigB,
    game: GameName = default_game(),
    policy: Judges = None,
    games: Deals = 10_000,
    seed: Seed = 0,
    out: Out = None,
    backend: Backend = "processes",
    address: Address = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Compare two configurations on the same deals: what a change does.

    What differs is told first. Several policies judge a change better than one: none plays everything.
    """
    with loading("balance diff"):
        from genesia_rl.lab import command
    how: dict[str, Any] = {"backend": backend, "address": address, "workers": workers}
    policies = 1 if policy is None else len(command.policies_of(policy, game))
    with progress("games", 2 * games * policies) as advance:
        report, folder = command.difference(
            game, a, b, policy, games, seed, out, facts_of_run(), advance, **how
        )
    show_report(report, folder, as_json)


def tune(
    game: GameName = default_game(),
    policy: Policies = None,
    players: PlayersList = None,
    games: TrialGames = "4000",
    goals: Goals = None,
    goal: GoalLines = None,
    rounds: Rounds = 8,
    tries: Tries = 4,
    back: Back = 2,
    price: Price = 0.3,
    alpha: Doubt = 0.05,
    verdict: VerdictTimes = 4.0,
    seed: Seed = 0,
    out: Out = None,
    config: Config = None,
    data: Data = None,
    backend: Backend = "processes",
    address: Address = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Find numbers to change so that the game reaches its goals.

    It looks at all levels of skill at once. It writes a report, and a data folder if a change stands on fresh
    deals. The same command goes on where it was stopped.
    """
    fields = dict(game_info(game).read_config(config)) if config else {}
    if data is not None:
        fields["data"] = data
    with loading("balance tune"):
        from genesia_rl.lab import tune_command as command
        from genesia_rl.lab.tune import Plan
    plan = Plan(rounds=rounds, tries=tries, back=back, price=price, alpha=alpha, verdict=verdict)
    task = command.task(game, policy, players, games, goals, goal or (), plan, seed, out, fields)
    how: dict[str, Any] = {"backend": backend, "address": address, "workers": workers}
    with progress("games, at most", task.most_games) as advance:
        found = command.run(task, advance, warm_up, **how)
    show_report(command.report(task, found, {**facts_of_run(), "seed": seed}), task.out, as_json)
    if found.stands:
        note(f"data: {task.out / command.DATA}")
