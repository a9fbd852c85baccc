"""Golden games, counts and the signature of every game: what the rules did when they were last agreed upon.

A failure means that a rule has changed. If that was meant, write the files anew (tests/golden/make.py) and
name the rule in the commit; if not, the first difference shows where to look.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from golden import (
    POSITION,
    Trace,
    folder_of,
    our_games,
    perft_rows,
    perft_setup,
    perft_start,
    read_golden,
    signature_file,
    stem_of,
    trace_files,
)
from golden.second import second_of

from genesia_rl.core import trace
from genesia_rl.core.registry import make_game, variants
from genesia_rl.testing.perft import divide, perft
from genesia_rl.testing.signature import signature

GAMES = our_games()
DEEP = 250_000
REFEREE = 3_000

NEW = "if a rule was meant to change: python -m golden.make {} {}, and the commit says which rule and why"


class File(NamedTuple):
    """A file of golden games, and whose it is."""

    game: str
    path: Path


class Row(NamedTuple):
    """A row of a game's perft table."""

    game: str
    name: str
    depth: int
    sequences: int


FILES = [File(game, path) for game in GAMES for path in trace_files(game)]
DEALT = [file for file in FILES if not file.path.name.startswith(POSITION)]
ROWS = [Row(game, *row) for game in GAMES for row in perft_rows(game)]


def named(item: File | Row) -> str:
    """What a test is called after a file or a row."""
    where = stem_of(item.path) if isinstance(item, File) else f"{item.name}-{item.depth}"
    return f"{item.game}-{where}"


def rows(least: int, most: int) -> list[Row]:
    """The rows of the tables with so many sequences."""
    return [row for row in ROWS if least < row.sequences <= most]


@cache
def golden(path: Path) -> list[Trace]:
    """The games of a file."""
    return list(read_golden(path))


def games_of(game: str) -> list[Trace]:
    """The games of all files of a game."""
    return [written for path in trace_files(game) for written in golden(path)]


# ---------------------------------------------------------------- games


@pytest.mark.parametrize("file", FILES, ids=named)
def test_the_engine_replays_golden_games_without_a_difference(file: File) -> None:
    for number, written in enumerate(golden(file.path)):
        found = trace.verify(written).differences
        assert not found, f"{file.path.name}, game {number}: {found[0]}\n{NEW.format(file.game, 'games')}"


@pytest.mark.parametrize("file", FILES, ids=named)
def test_the_referee_replays_golden_games_without_a_difference(file: File) -> None:
    for number, written in enumerate(golden(file.path)):
        assert second_of(file.game).verify(written) == [], f"{file.path.name}, game {number}"


@pytest.mark.parametrize("file", DEALT, ids=named)
def test_the_seed_of_a_golden_game_still_deals_it(file: File) -> None:
    for written in golden(file.path):
        game = trace.game_of(written)
        states = game.new_states()
        game.reset(states, 0, written["seed"])
        assert game.deal_dict(states, 0) == written["deal"]


@pytest.mark.parametrize("game", GAMES)
def test_a_changed_golden_game_is_noticed(game: str) -> None:
    written = max(games_of(game)[:4], key=lambda written: len(written["steps"]))
    middle = len(written["steps"]) // 2
    steps = list(written["steps"])
    steps[middle] = [*steps[middle][:3], steps[middle][3][:-1], steps[middle][4]]
    assert trace.verify({**written, "steps": steps}).differences[-1].what == "legal set"


@pytest.mark.parametrize("game", GAMES)
def test_every_variant_has_golden_games_with_legal_sets_and_states(game: str) -> None:
    assert {stem_of(path) for path in trace_files(game)} >= set(variants(game))
    assert {written["format"] for written in games_of(game)} == {trace.trace_format(game)}
    assert all(len(s) == 5 and s[3] and s[4] for written in games_of(game) for s in written["steps"])


@pytest.mark.parametrize("game", GAMES)
def test_golden_games_begin_from_each_kind_of_position(game: str) -> None:
    found = {stem_of(path) for path in trace_files(game) if path.name.startswith(POSITION)}
    assert found == {POSITION + kind for kind in second_of(game).kinds} != set()


@pytest.mark.parametrize("game", GAMES)
def test_golden_games_ask_every_kind_of_decision(game: str) -> None:
    asked = {step[1] for written in games_of(game) for step in written["steps"]}
    assert asked == set(make_game(game).kinds) - {"none"}


@pytest.mark.parametrize("game", GAMES)
def test_golden_files_are_small(game: str) -> None:
    assert sum(path.stat().st_size for path in folder_of(game).rglob("*") if path.is_file()) < 1_500_000


# ---------------------------------------------------------------- perft


def check_count(row: Row) -> None:
    """The engine counts as the table says; otherwise the counts by first action are shown."""
    game, states = perft_start(row.game, row.name)
    found = perft(game, states, 0, row.depth)
    if found != row.sequences:
        by_action = "\n".join(f"  {text}: {n}" for text, n in divide(game, states, 0, row.depth).items())
        pytest.fail(f"{row.name} to depth {row.depth}: {found}, not {row.sequences}; by first action\n"
                    f"{by_action}\n{NEW.format(row.game, 'perft')}")  # fmt: skip


@pytest.mark.parametrize("row", rows(0, DEEP), ids=named)
def test_perft_counts_as_the_table_says(row: Row) -> None:
    check_count(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", rows(DEEP, 1 << 60), ids=named)
def test_deep_perft_counts_as_the_table_says(row: Row) -> None:
    check_count(row)


@pytest.mark.parametrize("row", rows(0, REFEREE), ids=named)
def test_the_referee_counts_as_the_table_says(row: Row) -> None:
    assert second_of(row.game).perft(*perft_setup(row.game, row.name), row.depth) == row.sequences


@pytest.mark.parametrize("game", GAMES)
def test_every_perft_table_counts_deals_and_positions(game: str) -> None:
    names = {row.name for row in ROWS if row.game == game}
    assert names & set(variants(game)) and names - set(variants(game))


@pytest.mark.parametrize("game", GAMES)
def test_perft_divides_by_the_first_action_and_counts_nothing_beyond_the_end(game: str) -> None:
    made, states = perft_start(game, list(perft_rows(game))[-1][0])
    assert perft(made, states, 0, 0) == 1
    assert perft(made, states, 0, 1) == len(made.legal_actions(states, 0))
    assert sum(divide(made, states, 0, 3).values()) == perft(made, states, 0, 3)
    while not made.is_over(states, 0):
        made.step(states, 0, made.legal_actions(states, 0)[0])
    assert [perft(made, states, 0, depth) for depth in (0, 1, 2)] == [1, 0, 0]


# ---------------------------------------------------------------- the signature


@pytest.mark.parametrize("game", GAMES)
def test_the_signature_is_the_one_written_down(game: str) -> None:
    name, written = signature_file(game).read_text().split()
    assert (name, signature(game)) == (game, written), NEW.format(game, "signature")
