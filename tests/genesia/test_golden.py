"""Golden games, counts and the signature: what the rules did when they were last agreed upon.

A failure means that a rule has changed. If that was meant, write the files anew (tests/golden/make.py) and
name the rule in the commit; if not, the first difference shows where to look.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from golden import FOLDER, SIGNATURE, Trace, perft_rows, perft_setup, perft_start, read_golden, trace_files
from referee.play import Game as RefereeGame
from referee.traces import verify_trace

from genesia_rl import trace
from genesia_rl.registry import make_game
from genesia_rl.testing import variants
from genesia_rl.testing.perft import divide, perft
from genesia_rl.testing.signature import signature

FILES = trace_files()
DEEP = 250_000
REFEREE = 3_000

KINDS = set(make_game().kinds) - {"none"}

NEW = "if a rule was meant to change: python -m golden.make {}, and the commit says which rule and why"


@cache
def golden(path: Path) -> list[Trace]:
    """The games of a file."""
    return list(read_golden(path))


def every_game() -> list[Trace]:
    """The games of all files."""
    return [game for path in FILES for game in golden(path)]


# ---------------------------------------------------------------- games


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_engine_replays_golden_games_without_a_difference(path: Path) -> None:
    for number, game in enumerate(golden(path)):
        found = trace.verify(game).differences
        assert not found, f"{path.name}, game {number}: {found[0]}\n{NEW.format('games')}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_referee_replays_golden_games_without_a_difference(path: Path) -> None:
    for number, game in enumerate(golden(path)):
        assert verify_trace(game) == [], f"{path.name}, game {number}"


@pytest.mark.parametrize("path", [p for p in FILES if p.name[:8] != "position"], ids=lambda path: path.name)
def test_the_seed_of_a_golden_game_still_deals_it(path: Path) -> None:
    for written in golden(path):
        game = trace.game_of(written)
        states = game.new_states()
        game.reset(states, 0, written["seed"])
        assert game.deal_dict(states, 0) == written["deal"]


def test_a_changed_golden_game_is_noticed() -> None:
    game = golden(FILES[0])[0]
    step = game["steps"][20]
    changed = [*game["steps"][:20], [*step[:3], step[3][:-1], step[4]], *game["steps"][21:]]
    (found,) = trace.verify({**game, "steps": changed}).differences
    assert found.what == "legal set"


def test_every_variant_has_golden_games_with_legal_sets_and_states() -> None:
    assert {path.name.removesuffix(".jsonl.gz") for path in FILES} >= set(variants())
    assert all(len(step) == 5 and step[3] and step[4] for game in every_game() for step in game["steps"])


def test_golden_games_ask_every_kind_of_decision() -> None:
    asked = Counter(step[1] for game in every_game() for step in game["steps"])
    assert set(asked) == KINDS


def test_golden_files_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 3_000_000


# ---------------------------------------------------------------- perft


def check_count(name: str, depth: int, count: int) -> None:
    """The engine counts as the table says; otherwise the counts by first action are shown."""
    game, states = perft_start(name)
    found = perft(game, states, 0, depth)
    if found != count:
        by_action = "\n".join(f"  {text}: {n}" for text, n in divide(game, states, 0, depth).items())
        pytest.fail(f"{name} to depth {depth}: {found}, not {count}; by first action\n{by_action}\n"
                    + NEW.format("perft"))  # fmt: skip


def rows(least: int, most: int) -> list[tuple[str, int, int]]:
    """The rows of the table with so many sequences."""
    return [row for row in perft_rows() if least < row[2] <= most]


@pytest.mark.parametrize(("name", "depth", "count"), rows(0, DEEP))
def test_perft_counts_as_the_table_says(name: str, depth: int, count: int) -> None:
    check_count(name, depth, count)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "count"), rows(DEEP, 1 << 60))
def test_deep_perft_counts_as_the_table_says(name: str, depth: int, count: int) -> None:
    check_count(name, depth, count)


@pytest.mark.parametrize(("name", "depth", "count"), rows(0, REFEREE))
def test_the_referee_counts_as_the_table_says(name: str, depth: int, count: int) -> None:
    assert referee_perft(name, (), depth) == count


def referee_perft(name: str, path: tuple[str, ...], depth: int) -> int:
    """The same count by the referee, who cannot copy a game and plays each sequence from its beginning."""
    config, start = perft_setup(name)
    referee = RefereeGame(config, **start)
    for text in path:
        referee.act(text)
    if referee.decision is None:
        return 0
    legal = referee.decision.legal
    if depth == 1:
        return len(legal)
    return sum(referee_perft(name, (*path, text), depth - 1) for text in legal)


def test_perft_divides_by_the_first_action_and_counts_nothing_beyond_the_end() -> None:
    game, states = perft_start("end-age3")
    assert perft(game, states, 0, 0) == 1
    assert perft(game, states, 0, 1) == len(game.legal_actions(states, 0))
    assert sum(divide(game, states, 0, 3).values()) == perft(game, states, 0, 3)
    while not game.is_over(states, 0):
        game.step(states, 0, game.legal_actions(states, 0)[0])
    assert [perft(game, states, 0, depth) for depth in (0, 1, 2)] == [1, 0, 0]


# ---------------------------------------------------------------- the signature


def test_the_signature_is_the_one_written_down() -> None:
    name, written = SIGNATURE.read_text().split()
    assert signature(name) == written, NEW.format("signature")
