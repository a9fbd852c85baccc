"""`review`: what an agent thinks of every decision of a recorded game, as a page, a table or data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from genesia_rl.cli.help import FILES
from genesia_rl.cli.numbers import integer, real
from genesia_rl.cli.output import announce_compiling, console, note, progress
from genesia_rl.cli.traces import Games, PageFile, Trace, Which, number_of, trace_in
from genesia_rl.cli.training import loading
from genesia_rl.core.errors import TraceError
from genesia_rl.core.files import replace_text
from genesia_rl.core.scene import EVERYTHING, scene_of
from genesia_rl.core.trace import begin
from genesia_rl.players.scripted import ScriptedPlayer
from genesia_rl.studio.replay import replay_page

if TYPE_CHECKING:
    from genesia_rl.review.judge import Review

SECONDS = 45.0
MOST_SHOWN = 10  # mistakes in the table

Agent = Annotated[
    str | None,
    typer.Option(
        metavar="CODE",
        help="Who judges; by default the network of the package, or the first scripted player.",
        show_default=False,
    ),
]
Seconds = Annotated[
    float,
    typer.Option(parser=real(0.1, 86_400), metavar="S", help="How long it may take, without compiling."),
]
Playouts = Annotated[
    int | None,
    typer.Option(
        parser=integer(2, 100_000), metavar="N", show_default=False,
        help="Worlds for every decision, whatever that takes: the same bytes everywhere.",
    ),
]  # fmt: skip
Seed = Annotated[int, typer.Option(parser=integer(0), metavar="SEED", help="Of the imagined worlds.")]
Threads = Annotated[int, typer.Option(parser=integer(1, 64), metavar="N", help="Threads.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print all that was found as JSON in place of tables.")]


def add_to(app: typer.Typer, game: str) -> None:
    """The command of this module."""
    app.command(epilog="genesia review games.jsonl --out review.html", rich_help_panel=FILES)(review)


def review(
    file: Trace,
    number: Which = 0,
    agent: Agent = None,
    seconds: Seconds = SECONDS,
    playouts: Playouts = None,
    seed: Seed = 0,
    threads: Threads = 2,
    out: PageFile = None,
    as_json: AsJson = False,
) -> None:
    """Judge every decision of a game: mistakes, better choices, luck. The page is one as `replay` writes."""
    with loading("review"):
        from genesia_rl.review import judge, layer, opinions
    where, trace = trace_in(file, number)
    engine = Games().of(trace, where)
    code = agent or opinions.usual_reviewer(engine)
    plays = opinions.who_plays_out(engine, opinions.resolved(engine, code))  # a wrong code is told at once
    announce_compiling(engine, "play_rows", *(["choose_rows"] if isinstance(plays, ScriptedPlayer) else []))
    settings = judge.Settings(code, seconds, playouts, seed, threads)
    try:
        with progress("reviewing", 1000) as advance:
            found = judge.review(engine, trace, settings, _shown(advance))
        page = replay_page(engine, trace, layer.layer_of(found))
    except TraceError as error:
        raise TraceError(f"{where}: {error}") from None
    path = out or file.with_suffix(".html")
    replace_text(path, page)
    if as_json:
        print(json.dumps(layer.as_data(found), indent=1))
    else:
        names = [seat.name for seat in scene_of(engine, begin(engine, trace), 0, EVERYTHING).seats]
        _print(found, names)
    note(
        f"{number_of(len(found.decisions), 'decision')} reviewed by {code} in {found.seconds:.1f} s, "
        f"{found.playouts:,} games played out; written to {path}, {len(page.encode()) // 1000} kB"
    )


def _shown(advance: Any) -> Any:
    """Steps of the work as parts of a bar: reading, looking, then rounds of measuring."""
    at = {"reading": 0.0, "looking": 0.0, "measuring": 0.0}

    def tell(what: str, done: int, of: int) -> None:
        part = int(330 * done / max(1, of))
        if part > at[what]:
            advance(int(part - at[what]))
            at[what] = part

    return tell


# ---------------------------------------------------------------- tables


def _print(found: Review, names: list[str]) -> None:
    from genesia_rl.review.layer import luck_of, sums_of

    sums = sums_of(found)
    chances = found.game.is_contest
    scale, unit = (100.0, " %") if chances else (1.0, "")
    table = Table(
        "",
        "decisions",
        "mistakes",
        *(["victory lost each"] if chances else []),
        "points lost each",
        "accuracy",
    )
    for (seat, part), total in [*sums["seat"].items(), *sums["chapter"].items()]:
        victory = [total.lost_chances.text(100.0, " %")] if chances else []
        lost, accuracy = total.lost.text(1.0, "", 2), total.accuracy.text(100.0, " %", 0)
        name = f"{names[seat]}{f', {part}' if part else ''}"
        table.add_row(name, str(total.decisions), str(total.mistakes), *victory, lost, accuracy)
    console().print(table)
    for seat, luck in enumerate(luck_of(found)):
        print(f"luck of {names[seat]}: {luck.text(scale, unit, 0 if chances else 1)}")
    if not found.mistakes:
        print("no mistake can be told")
        return
    worst = Table("step", "", *(["victory lost"] if chances else []), "points lost", "taken", "better")
    for d in found.mistakes[:MOST_SHOWN]:
        of_victory = [d.lost_chances.text(100.0, " %", 0)] if chances else []
        worst.add_row(str(d.step), names[d.seat], *of_victory, d.lost.text(), d.words, d.better_words)
    print(f"{number_of(len(found.mistakes), 'mistake')}, the largest first:")
    console().print(worst)
