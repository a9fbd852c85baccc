"""`bench` and `warmup`: how fast the engine is, and how long it takes to become so."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from genesia_rl.cli.numbers import real
from genesia_rl.cli.options import GAME
from genesia_rl.cli.output import announce_compiling, console, note
from genesia_rl.errors import ConfigError
from genesia_rl.registry import make_game

if TYPE_CHECKING:
    from genesia_rl.bench import Figure

ALL_PLAYERS = "1,2,3,4,5"
ENGINE = ("kernel", "kernel_observed", "python_step", "clone")
AsJson = Annotated[bool, typer.Option("--json", help="One object a line on standard output.")]
Players = Annotated[str, typer.Option(metavar="LIST", help="Numbers of players; 1 is solo.")]
Seconds = Annotated[
    float, typer.Option(parser=real(0.001, 600), metavar="S", help="Time spent on each figure.")
]
Starts = Annotated[bool, typer.Option(help="Measure the starts too: the cold one compiles anew.")]
Envs = Annotated[bool, typer.Option(help="Measure the environments too, for two players or the first given.")]
Subproc = Annotated[
    bool, typer.Option("--subproc", help="Also a SubprocVecEnv of 16 environments (slow to start).")
]
TITLES = {
    "kernel": "whole games in the kernel",
    "kernel_observed": "the same, mask and observation written",
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


def add_to(app: typer.Typer) -> None:
    """The commands of this module."""
    app.command()(bench)
    app.command()(warmup)


def parse_players(text: str) -> list[int]:
    """Numbers of players between commas, each a number that the game allows."""
    numbers = []
    for item in text.split(","):
        if not (item.strip().isascii() and item.strip().isdigit()):
            raise ConfigError(f"players = {text!r}, allowed are numbers between commas such as {ALL_PLAYERS}")
        numbers.append(int(item))
        make_game(GAME, players=numbers[-1])
    return list(dict.fromkeys(numbers))


def bench(
    as_json: AsJson = False,
    players: Players = ALL_PLAYERS,
    seconds: Seconds = 0.6,
    starts: Starts = True,
    envs: Envs = True,
    subproc: Subproc = False,
) -> None:
    """Measure the speed of random legal play with all rules on. Let nothing else run meanwhile."""
    from genesia_rl import bench as measuring

    numbers = parse_players(players)
    announce_compiling(make_game(GAME, players=numbers[0]))
    on = ", ".join(f"{key} {value}" for key, value in measuring.machine().items())
    if as_json:
        note(on)
    else:
        print(on)
    done = []
    for figure in measuring.figures(GAME, numbers, seconds, starts, envs, subproc):
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
    return f"  {TITLES[figure.name]}, {_who(figure.players)}, threads {figure.threads}: {_shown(figure)}"


def _who(players: int) -> str:
    return "solo" if players == 1 else f"{players} players"


def _shown(figure: Figure) -> str:
    if figure.games_per_s is not None:
        return f"{figure.value / 1e6:.2f} M decisions/s, {figure.games_per_s:,.0f} games/s"
    if figure.unit == "decisions/s":
        return f"{figure.value:,.0f} decisions/s"
    return f"{figure.value:.3g} {figure.unit}"


def _print_tables(figures: Sequence[Figure]) -> None:
    """One table with a row for each number of players, then what does not depend on it."""
    engine = [f for f in figures if f.name in ENGINE]
    by_players = sorted({f.players for f in engine})
    columns = list(dict.fromkeys((f.name, f.threads) for f in engine))
    table = Table("", *(_heading(name, threads) for name, threads in columns))
    for players in by_players:
        table.add_row(_who(players), *(_cell(figures, name, players, threads) for name, threads in columns))
    console().print(table)
    for figure in figures:
        if figure.name not in ENGINE:
            who = "" if figure.unit == "s" else f", {_who(figure.players)}"
            print(f"{TITLES[figure.name]}{who}: {_shown(figure)}")


def _heading(name: str, threads: int) -> str:
    rates = name.startswith("kernel")
    return f"{name}\n{threads} thread{'' if threads == 1 else 's'}" if rates else f"{name}\n"


def _cell(figures: Iterable[Figure], name: str, players: int, threads: int) -> str:
    figure = next(f for f in figures if (f.name, f.players, f.threads) == (name, players, threads))
    if figure.unit == "decisions/s":
        return f"{figure.value / 1e6:.2f} M/s\n{figure.games_per_s or 0:,.0f} games/s"
    return f"{figure.value:.3g} {figure.unit}"


def warmup() -> None:
    """Compile everything ahead, so that nothing has to wait for it later."""
    from genesia_rl import jit
    from genesia_rl.warmup import is_compiled, warm_up

    start, game = time.perf_counter(), make_game(GAME)
    compiled = is_compiled(game)
    announce_compiling(game)
    slow = [(name, spent) for name, spent in warm_up(game) if spent > 0.5]
    for name, spent in slow:
        print(f"  {name:<22}{spent:6.1f} s")
    done = "loaded, compiled before" if compiled else "compiled"
    where = (
        f"in {jit.CACHE}" if jit.CACHE else "nowhere: no folder can be written to, so every process compiles"
    )
    print(f"{GAME}: {done}, in {time.perf_counter() - start:.1f} s; kept {where}")
