"""`selfplay`: games by the thousand, how fast, who won and how."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import typer
from rich.table import Table

from genesia_rl.cli.help import PLAYING
from genesia_rl.cli.numbers import integer
from genesia_rl.cli.options import GameName
from genesia_rl.cli.output import announce_compiling, console, progress, side_by_side
from genesia_rl.cli.speed import Players, parse_players, who
from genesia_rl.cli.traces import Number, Seed
from genesia_rl.core.game import Game
from genesia_rl.core.registry import default_game, game_info, make_game
from genesia_rl.matches.selfplay import (
    Played,
    Summary,
    play,
    players_of,
    shares_by_order,
    shares_by_seat,
    summary,
)
from genesia_rl.stats.shares import Share

Threads = Annotated[
    int, typer.Option(parser=integer(1, 64), metavar="N", help="Threads; the games do not depend on it.")
]

Policy = Annotated[
    str,
    typer.Option(
        metavar="CODE", help="Who plays: random, ppo (the model that ships), ppo:PATH or drawn:T[@PATH]."
    ),
]

LETTERS = 34, 19  # of a terminal that the names of rows take, and each number of players
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


class Session(NamedTuple):
    """The games of one number of players."""

    players: int
    game: Game
    played: Played
    summary: Summary


def add_to(app: typer.Typer, game: str) -> None:
    """The command of this module."""
    app.command(epilog="genesia selfplay --games 2000 --players 2,3", rich_help_panel=PLAYING)(selfplay)


def selfplay(
    game: GameName = default_game(),
    games: Number = 20_000,
    players: Players = None,
    seed: Seed = 0,
    threads: Threads = 2,
    policy: Policy = "random",
) -> None:
    """Play games by the thousand; print the speed, who won and how.

    They are played wholly in compiled calls, for each number of players.
    """
    numbers = players_of(game, policy) if players is None else parse_players(game, players)
    sessions = [_session(game, number, games, seed, threads, policy) for number in numbers]
    out = console()
    contests = [session for session in sessions if session.game.is_contest]
    for part in side_by_side(sessions, *LETTERS, out.width):
        out.print(_speed_table(list(part), threads, policy))
    for part in side_by_side(sessions, *LETTERS, out.width):
        out.print(_score_table(list(part)))
    for part in side_by_side(contests, *LETTERS, out.width):
        out.print(_win_table(list(part), game_info(game).order))


def _session(name: str, players: int, games: int, seed: int, threads: int, policy: str) -> Session:
    game = make_game(name, players=players)
    announce_compiling(game, "play_random" if policy == "random" else "play_networks")
    play(game, 1, policy=policy)  # load the compiled code before the clock starts
    with progress(who(players), games) as advance:
        played = play(game, games, seed, threads, advance, policy)
    return Session(players, game, played, summary(game, played.results))


def _table(title: str, sessions: list[Session]) -> Table:
    """A column for each number of players."""
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("", no_wrap=True)
    for session in sessions:
        table.add_column(who(session.players), justify="right", no_wrap=True)
    return table


def _speed_table(sessions: list[Session], threads: int, policy: str) -> Table:
    table = _table(f"Speed, {threads} thread{'' if threads == 1 else 's'}, {policy} play", sessions)
    rate = [session.played.seconds for session in sessions]
    table.add_row("games", *(f"{len(s.played.results):,}" for s in sessions))
    table.add_row("seconds", *(f"{seconds:.2f}" for seconds in rate))
    table.add_row("games a second", *(f"{len(s.played.results) / s.played.seconds:,.0f}" for s in sessions))
    table.add_row("million decisions a second",
                  *(f"{s.played.decisions / s.played.seconds / 1e6:.2f}" for s in sessions))  # fmt: skip
    table.add_row("decisions a game", *(f"{s.summary.decisions:.1f}" for s in sessions))
    return table


def _score_table(sessions: list[Session]) -> Table:
    table = _table("Scores", sessions)
    table.add_row("score, mean", *(f"{s.summary.score:.2f}" for s in sessions))
    table.add_row("score, standard deviation", *(f"{s.summary.deviation:.2f}" for s in sessions))
    for place, part in enumerate(sessions[0].game.score_parts):
        table.add_row(f"  {part}, mean", *(f"{s.summary.parts[place]:.2f}" for s in sessions))
    joint = "" if all(session.game.is_contest for session in sessions) else " or solo"
    table.add_row(f"winner's{joint} score, mean", *(f"{s.summary.best:.2f}" for s in sessions))
    table.add_row("shared victories", *(f"{100 * s.summary.shared:.2f} %" for s in sessions))
    return table


def _win_table(sessions: list[Session], in_order: str) -> Table:
    """By seat all should be equal; by turn order they need not be."""
    table = _table("Share of wins in percent, 95 % interval", sessions)
    most = max(session.game.num_seats for session in sessions)
    by_seat = [shares_by_seat(s.played.results, s.game.num_seats) for s in sessions]
    by_order = [shares_by_order(s.played.results, s.game.num_seats) for s in sessions]
    for seat in range(most):
        table.add_row(f"seat {seat}", *(_share(shares, seat) for shares in by_seat))
    table.add_section()
    for place in range(most):
        table.add_row(f"{ORDINALS[place]} {in_order}", *(_share(shares, place) for shares in by_order))
    return table


def _share(shares: list[Share], place: int) -> str:
    if place >= len(shares):
        return ""
    share = shares[place]
    return f"{100 * share.value:.1f} ({100 * share.low:.1f}-{100 * share.high:.1f})"
