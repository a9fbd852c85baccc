"""`bench` and `warmup`: how fast the engine is, and how long it takes to become so."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from genesia_rl.cli.help import MACHINE, OUTPUT
from genesia_rl.cli.numbers import real
from genesia_rl.cli.options import GameName
from genesia_rl.cli.output import announce_compiling, console, note, side_by_side
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import default_game, game_info, make_game

if TYPE_CHECKING:
    from genesia_rl.bench.engine import Figure

LETTERS = 13, 21  # of a terminal that the names of rows take, and each column
RATES = ("kernel", "kernel_observed", "learned_selfplay", "guided_search")
ENGINE = (*RATES, "python_step", "clone")
AsJson = Annotated[
    bool, typer.Option("--json", help="One object a line on standard output.", rich_help_panel=OUTPUT)
]
Players = Annotated[
    str | None,
    typer.Option(metavar="LIST", help="Numbers of players, all by default; 1 is solo.", show_default=False),
]
Seconds = Annotated[
    float, typer.Option(parser=real(0.001, 600), metavar="S", help="Time spent on each figure.")
]
Starts = Annotated[bool, typer.Option(help="Measure the starts too: the cold one compiles anew.")]
Envs = Annotated[bool, typer.Option(help="Measure the environments too, for two players or the first given.")]
Subproc = Annotated[
    bool, typer.Option("--subproc", help="Also a SubprocVecEnv of 16 environments (slow to start).")
]
Search = Annotated[
    bool, typer.Option("--search", help="Also a tree search with a network inside (compiled first).")
]
TITLES = {
    "kernel": "whole games in the kernel",
    "kernel_observed": "the same, mask and observation written",
    "learned_selfplay": "the same, a network draws every action",
    "guided_search": "a tree search with a network inside",
    "python_step": "one decision called from Python",
    "clone": "copy of a state in the kernel",
    "aec_floor": "an AEC environment that does nothing",
    "aec_raw": "PettingZoo, raw",
    "aec_env": "PettingZoo, with all checks",
    "learner_batch": "batch of one learner each, random opponents",
    "sb3_vec": "the same as an SB3 VecEnv, with masks",
    "sb3_subproc": "SB3's SubprocVecEnv of 16, with masks",
    "start_cold": "cold start: import, compile",
    "start_warm": "warm start: import, first step",
}


def add_to(app: typer.Typer, game: str) -> None:
    """The commands of this module."""
    app.command(epilog="genesia bench --players 2 --seconds 1", rich_help_panel=MACHINE)(bench)
    app.command(epilog="genesia warmup", rich_help_panel=MACHINE)(warmup)


def parse_players(game: str, text: str | None) -> list[int]:
    """Numbers of players between commas, each one that the game allows; without any, all."""
    known = list(game_info(game).all_players)
    if text is None:
        return known
    numbers = []
    for item in text.split(","):
        if not (item.strip().isascii() and item.strip().isdigit()):
            example = ",".join(map(str, known))
            raise ConfigError(f"players = {text!r}, allowed are numbers between commas such as {example}")
        numbers.append(int(item))
        make_game(game, players=numbers[-1])
    return list(dict.fromkeys(numbers))


def bench(
    game: GameName = default_game(),
    as_json: AsJson = False,
    players: Players = None,
    seconds: Seconds = 0.6,
    starts: Starts = True,
    envs: Envs = True,
    subproc: Subproc = False,
    search: Search = False,
) -> None:
    """Measure the speed of legal play with all rules on. Let nothing else run meanwhile."""
    from genesia_rl.bench import engine as measuring

    numbers = parse_players(game, players)
    announce_compiling(make_game(game, players=numbers[0]))
    on = ", ".join(f"{key} {value}" for key, value in measuring.machine().items())
    if as_json:
        note(on)
    else:
        print(on)
    done = []
    for figure in measuring.figures(game, numbers, seconds, starts, envs, subproc, search):
        done.append(figure)
        if as_json:
            print(json.dumps(_rounded(figure)), flush=True)
        else:
            note(_line(figure))
    if not as_json:
        _print_tables(done)


def _rounded(figure: Figure) -> dict[str, object]:
    """Four digits: more would pretend a precision that no run repeats."""
    return {
        key: float(f"{value:.4g}") if isinstance(value, float) else value
        for key, value in figure.to_dict().items()
    }


def _line(figure: Figure) -> str:
    return f"  {TITLES[figure.name]}, {who(figure.players)}, threads {figure.threads}: {_shown(figure)}"


def who(players: int) -> str:
    """A number of players in words."""
    return "solo" if players == 1 else f"{players} players"


def _shown(figure: Figure) -> str:
    if figure.games_per_s is not None:
        return f"{figure.value / 1e6:.2f} M decisions/s, {figure.games_per_s:,.0f} games/s"
    if figure.unit.endswith("/s"):
        return f"{figure.value:,.0f} {figure.unit}"
    return f"{figure.value:.3g} {figure.unit}"


def _print_tables(figures: Sequence[Figure]) -> None:
    """One table with a row for each number of players, then what does not depend on it."""
    engine = [f for f in figures if f.name in ENGINE]
    by_players = sorted({f.players for f in engine})
    columns = list(dict.fromkeys((f.name, f.threads) for f in engine))
    out = console()
    for part in side_by_side(columns, *LETTERS, out.width):
        table = Table("", *(_heading(name, threads) for name, threads in part))
        for players in by_players:
            table.add_row(who(players), *(_cell(figures, name, players, threads) for name, threads in part))
        out.print(table)
    for figure in figures:
        if figure.name not in ENGINE:
            of = "" if figure.unit == "s" else f", {who(figure.players)}"
            print(f"{TITLES[figure.name]}{of}: {_shown(figure)}")


def _heading(name: str, threads: int) -> str:
    rates = name in RATES
    return f"{name}\n{threads} thread{'' if threads == 1 else 's'}" if rates else f"{name}\n"


def _cell(figures: Iterable[Figure], name: str, players: int, threads: int) -> str:
    figure = next(f for f in figures if (f.name, f.players, f.threads) == (name, players, threads))
    if figure.games_per_s is not None:
        return f"{figure.value / 1e6:.2f} M/s\n{figure.games_per_s:,.0f} games/s"
    if figure.unit.endswith("/s"):
        return f"{figure.value:,.0f}\n{figure.unit}"
    return f"{figure.value:.3g} {figure.unit}"


def warmup(game: GameName = default_game()) -> None:
    """Compile everything ahead, so that nothing waits for it later."""
    from genesia_rl.core.warmup import folder_of, is_compiled, warm_up

    start, engine = time.perf_counter(), make_game(game)
    compiled = is_compiled(engine)
    announce_compiling(engine)
    slow = [(name, spent) for name, spent in warm_up(engine) if spent > 0.5]
    for name, spent in slow:
        print(f"  {name:<22}{spent:6.1f} s")
    done = "loaded, compiled before" if compiled else "compiled"
    folder = folder_of(engine)
    where = f"in {folder}" if folder else "nowhere: no folder can be written to, so every process compiles"
    print(f"{game}: {done}, in {time.perf_counter() - start:.1f} s; kept {where}")
