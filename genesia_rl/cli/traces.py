"""`record`, `verify`, `show` and `replay`: games as files (PROTOCOL 3 and 4).

What is recorded is of the game that was named; what game a file is of stands in the file.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from genesia_rl.cli.help import FILES, OUTPUT
from genesia_rl.cli.numbers import games as games_number
from genesia_rl.cli.numbers import integer
from genesia_rl.cli.options import GameName, configured, takes_config
from genesia_rl.cli.output import (
    AsJson,
    announce_compiling,
    compile_clock,
    note,
    print_json,
    progress,
    writing,
)
from genesia_rl.core.errors import GenesiaError, TraceError
from genesia_rl.core.files import replace_text, replacing
from genesia_rl.core.game import Game, States
from genesia_rl.core.plain import plain
from genesia_rl.core.registry import default_game, game_info
from genesia_rl.core.scene import Scene, scene_of, tell
from genesia_rl.core.trace import Verdict, begin, game_of, numbered_traces, read_position, to_line
from genesia_rl.core.trace import record as record_game
from genesia_rl.core.trace import verify as verify_trace
from genesia_rl.players.codes import make_players
from genesia_rl.studio.ansi import ansi_of
from genesia_rl.studio.picture import png_of
from genesia_rl.studio.replay import replay_page
from genesia_rl.studio.svg import svg_of

MAX_SEED = (1 << 63) - 1
PLAYING = ("start", "reset", "step", "scores")
REPLAYING = ("start", "step", "scores")
GAMES_KEPT = 64
DIFFERENCES = 1

Out = Annotated[
    str,
    typer.Option(
        "--out", "-o", metavar="FILE", help="Where to write; - is standard output.", rich_help_panel=OUTPUT
    ),
]
Number = Annotated[int, typer.Option(parser=games_number(), metavar="N", help="How many games.")]
Seed = Annotated[
    int,
    typer.Option(
        parser=integer(0, MAX_SEED), metavar="SEED", help="Game i, counted from 0, has seed SEED + i."
    ),
]

Policy = Annotated[
    str,
    typer.Option(
        metavar="CODES", help="Who plays: a player's code (random, greedy, mcts:50, ...) or one a seat."
    ),
]
Legal = Annotated[bool, typer.Option("--legal", help="Write every legal set.", rich_help_panel=OUTPUT)]
WithStates = Annotated[
    bool,
    typer.Option("--states", help="Write the position before every decision.", rich_help_panel=OUTPUT),
]
_OVERRIDE = "options given besides it override its"
ConfigFile = Annotated[
    str | None, typer.Option(metavar="FILE", help=f"A configuration, TOML or JSON; {_OVERRIDE} fields.")
]
PositionFile = Annotated[
    str | None, typer.Option(metavar="FILE", help=f"Begin from a position; {_OVERRIDE} configuration.")
]
Traces = Annotated[list[Path], typer.Argument(metavar="FILE", help="Files of traces, by anybody.")]
Trace = Annotated[Path, typer.Argument(metavar="FILE", help="A file of traces.")]
Which = Annotated[
    int, typer.Option("--game", parser=integer(), metavar="N", help="Which game of the file, counted from 0.")
]
Step = Annotated[
    int | None,
    typer.Option(parser=integer(), metavar="N", help="Which decision, counted from 0; the last by default."),
]
Seat = Annotated[
    int | None,
    typer.Option("--seat", parser=integer(), metavar="N", help="Show what this seat sees; else everything."),
]
SvgFile = Annotated[
    Path | None,
    typer.Option("--svg", metavar="OUT", help="Write the position as a picture.", rich_help_panel=OUTPUT),
]
PngFile = Annotated[
    Path | None,
    typer.Option("--png", metavar="OUT", help="Write the position as pixels.", rich_help_panel=OUTPUT),
]
Dark = Annotated[bool, typer.Option("--dark", help="Pictures in dark colours.", rich_help_panel=OUTPUT)]
PageFile = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="PAGE", help="Where to write; FILE with the ending .html by default."
    ),
]


def add_to(app: typer.Typer, game: str) -> None:
    """The commands of this module."""

    def add(command: Callable[..., Any], *examples: str) -> None:
        app.command(epilog="\n".join(examples), rich_help_panel=FILES)(command)

    add(takes_config(record, game), "genesia record --players 3 --games 20 --seed 7 --out games.jsonl")
    add(verify, "genesia verify games.jsonl")
    add(
        show, "genesia show games.jsonl --game 3 --step 40",
        "genesia show games.jsonl --step 40 --seat 1 --svg position.svg",
    )  # fmt: skip
    add(replay, "genesia replay games.jsonl --game 3 --out game.html")


# ---------------------------------------------------------------- record


def record(
    out: Out,
    fields: dict[str, Any],
    game: GameName = default_game(),
    games: Number = 1,
    seed: Seed = 0,
    policy: Policy = "random",
    legal: Legal = False,
    states: WithStates = False,
    config: ConfigFile = None,
    position: PositionFile = None,
) -> None:
    """Play games and write them as traces. The same command writes the same bytes everywhere."""
    players = make_players(policy, game)  # a wrong name is told before anything is loaded
    if seed + games - 1 > MAX_SEED:
        raise GenesiaError(f"seed = {seed} with {games} games, allowed are seeds up to {MAX_SEED}")
    engine, start = _game_to_record(game, fields, config, position)
    announce_compiling(engine, *PLAYING)
    if start is not None:
        engine.put_position(engine.new_states(), 0, start)  # a wrong one is told before the file is begun
    begun, decisions = time.perf_counter(), 0
    with compile_clock() as compiling, writing(out) as file, progress("recording", games) as advance:
        for number in range(seed, seed + games):
            trace = record_game(engine, players, number, start, legal, states)
            file.write(to_line(trace))
            decisions += len(trace["steps"])
            advance(1)
    spent = time.perf_counter() - begun - sum(compiling)
    note(f"{number_of(games, 'game')}, {number_of(decisions, 'decision')} written to "
         f"{'standard output' if out == '-' else out} in {spent:.1f} s")  # fmt: skip


def _game_to_record(
    game: str, fields: dict[str, Any], config: str | None, position: str | None
) -> tuple[Game, dict[str, Any] | None]:
    if config is not None and position is not None:
        raise GenesiaError(f"--config {config}: not allowed besides --position, which holds a configuration")
    if config is not None:
        return configured(game, fields, game_info(game).read_config(config), config), None
    if position is not None:
        base, start = read_position(position)
        return configured(game, fields, base, position), start
    return configured(game, fields), None


# ---------------------------------------------------------------- verify


class Games:
    """The games of equal configurations are made once: tables cost more than replaying."""

    def __init__(self) -> None:
        self._games: dict[str, Game] = {}

    def of(self, trace: dict[str, Any], where: str) -> Game:
        """The game of a trace; an error names the line."""
        key = json.dumps([trace["format"], trace["config"]], sort_keys=True)
        if key not in self._games:
            if len(self._games) >= GAMES_KEPT:
                self._games.clear()
            try:
                self._games[key] = game_of(trace)
            except GenesiaError as error:
                raise TraceError(f"{where}: config: {error}") from None
            if len(self._games) == 1:
                announce_compiling(self._games[key], *REPLAYING)
        return self._games[key]


def verify(files: Traces, as_json: AsJson = False) -> int:
    """Replay traces and compare whatever they say. The exit code is 1 if anything differs."""
    games = decisions = differences = 0
    known, first, told = Games(), True, list[dict[str, Any]]()
    with progress("verifying", _lines(files)) as advance:
        for where, number, trace in _all(files):
            verdict = verify_trace(trace, known.of(trace, where))
            if verdict.differences and first and not as_json:
                print(_explain(where, number, verdict))
                first = False
            told += [
                {"where": where, "game": number, "difference": str(each)} for each in verdict.differences
            ]
            games, decisions = games + 1, decisions + verdict.decisions
            differences += len(verdict.differences)
            advance(1)
    if as_json:
        print_json(
            {"games": games, "decisions": decisions, "num_differences": differences, "differences": told}
        )
    else:
        counts = ((games, "game"), (decisions, "decision"), (differences, "difference"))
        print(", ".join(number_of(number, what) for number, what in counts))
    return DIFFERENCES if differences else 0


def _lines(files: list[Path]) -> int:
    """How many lines there are to read, for the progress bar. A pipe is not counted: it can be read once."""
    total = 0
    for path in filter(Path.is_file, files):
        with open(path, "rb") as file:
            total += sum(1 for _ in file)
    return total


def _all(files: list[Path]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    for path in files:
        numbers = count()
        for line, trace in numbered_traces(path):
            yield f"{path}, line {line}", next(numbers), trace


def _explain(where: str, number: int, verdict: Verdict) -> str:
    """The first difference of a trace, with what came before it and the position it is in."""
    difference = verdict.differences[0]
    *before, drawn = difference.context or [""]
    lines = [f"{where} (game {number}): {difference}"]
    if before:
        lines += ["", "the decisions before it:", *(f"  {line}" for line in before)]
    if drawn:
        lines += ["", "the position:", *(f"  {line}".rstrip() for line in drawn.splitlines())]
    return "\n".join([*lines, ""])


# ---------------------------------------------------------------- show


def show(
    file: Trace,
    number: Which = 0,
    step: Step = None,
    svg: SvgFile = None,
    png: PngFile = None,
    seat: Seat = None,
    dark: Dark = False,
    as_json: AsJson = False,
) -> None:
    """Print or draw a position of a recorded game.

    It is the one before a decision, with what was decided; after the last decision the result follows.
    """
    where, trace = trace_in(file, number)
    engine = Games().of(trace, where)
    steps = trace["steps"]
    wanted = _wanted(where, steps, step)
    states = begin(engine, trace)
    for place in range(wanted):
        _take(engine, states, steps[place], f"{where}, step {place}")
    if svg is not None or png is not None:
        _draw(engine, states, seat, "dark" if dark else "light", svg, png)
        return
    if as_json:
        print_json(_as_dict(engine, states, trace, wanted, seat, where))
        return
    print(
        engine.draw(states, 0) if seat is None else ansi_of(_scene(engine, states, seat), sys.stdout.isatty())
    )
    if not steps:
        return
    action = _parsed(engine, states, steps[wanted], f"{where}, step {wanted}")
    print(f"\nstep {wanted} of 0..{len(steps) - 1}: {_taken(engine, states, action, seat)}")
    engine.step(states, 0, action)
    if engine.is_over(states, 0):
        print("the game is over:")
        for key, value in engine.result_dict(states, 0).items():
            print(f"  {key:<15} {json.dumps(value)}")


def _as_dict(
    game: Game, states: States, trace: dict[str, Any], step: int, eyes: int | None, where: str
) -> dict[str, Any]:
    """A position and what was decided, for programs; with a seat's eyes nothing that it may not know."""
    found: dict[str, Any] = {
        "game": game.name,
        "config": trace["config"],
        "step": step,
        "steps": len(trace["steps"]),
    }
    if eyes is not None:
        _scene(game, states, eyes)  # a seat that is not there is refused
        mask, observation = game.view(states, 0, eyes)
        found |= {"eyes": eyes, "observation": plain(game.named(observation))}
        found |= {"legal": np.flatnonzero(mask).tolist()}
    else:
        found |= {"state": game.state_dict(states, 0), "legal": game.texts(game.legal_actions(states, 0))}
    if trace["steps"]:
        action = _parsed(game, states, trace["steps"][step], f"{where}, step {step}")
        seat, kind, words = game.seat(states, 0), game.kind(states, 0), _taken(game, states, action, eyes)
        found |= {"seat": seat, "kind": kind, "words": words}
        found |= {"action": game.action_text(action)} if eyes is None else {}
        game.step(states, 0, action)
    return found | {"result": game.result_dict(states, 0) if game.is_over(states, 0) else None}


def _taken(game: Game, states: States, action: int, eyes: int | None) -> str:
    """What was decided, as a seat may know it, or as it is."""
    if eyes is not None:
        return tell(game, states, 0, action, eyes)
    words = game.describe(action, states, 0)
    return f"seat {game.seat(states, 0)} takes {game.action_text(action)}: {words}"


def _scene(game: Game, states: States, seat: int | None) -> Scene:
    """The position as a seat sees it, or as it is."""
    if seat is not None and not 0 <= seat < game.num_seats:
        raise GenesiaError(f"seat = {seat}, allowed are 0..{game.num_seats - 1}")
    return scene_of(game, states, 0, seat)


def _draw(
    game: Game, states: States, seat: int | None, theme: str, svg: Path | None, png: Path | None
) -> None:
    """The position as files."""
    picture = svg_of(_scene(game, states, seat), theme)
    if svg is not None:
        replace_text(svg, picture)
    if png is not None:
        pixels = png_of(picture)
        with replacing(png, "wb", durable=False) as file:
            file.write(pixels)


def replay(file: Trace, number: Which = 0, out: PageFile = None) -> None:
    """Write a game as one page: step by step, with every seat's eyes. The page needs no network."""
    where, trace = trace_in(file, number)
    engine = Games().of(trace, where)
    path = out or file.with_suffix(".html")
    try:
        page = replay_page(engine, trace)
    except GenesiaError as error:
        raise TraceError(f"{where}: {error}") from None
    replace_text(path, page)
    note(f"{number_of(len(trace['steps']), 'decision')} written to {path}, {len(page.encode()) // 1000} kB")


def trace_in(file: Path, game: int) -> tuple[str, dict[str, Any]]:
    """A game of a file, and where it stands."""
    found = 0
    for where, number, trace in _all([file]):
        if number == game:
            return where, trace
        found += 1
    allowed = f"0..{found - 1}" if found else "none: the file holds no game"
    raise TraceError(f"{file}: game = {game}, allowed {allowed}")


def _wanted(where: str, steps: list[Any], step: int | None) -> int:
    if step is None:
        return max(0, len(steps) - 1)
    if not 0 <= step < len(steps):
        allowed = f"0..{len(steps) - 1}" if steps else "none: the game has no decisions"
        raise TraceError(f"{where}: step = {step}, allowed {allowed}")
    return step


def _parsed(game: Game, states: States, step: Any, where: str) -> int:
    """The action of a step, which must be legal."""
    if not isinstance(step, list) or len(step) < 3:
        raise TraceError(f"{where}: {json.dumps(step)}, allowed is [seat, kind, action, ...]")
    try:
        action = game.parse_action(step[2])
        if action not in game.legal_actions(states, 0):
            raise TraceError(game.why_illegal(states, 0, action))
    except GenesiaError as error:
        raise TraceError(f"{where}: {error}; genesia verify says more") from None
    return action


def _take(game: Game, states: States, step: Any, where: str) -> None:
    game.step(states, 0, _parsed(game, states, step, where))


def number_of(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
