"""Engine and referee agree on cards that nobody has seen: random effects of every kind on every card.

So what RULES 8 says of each word, count, need and moment is compared in all combinations, whatever the cards of the box
happen to use.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from games.age_of_civilization.data_maker import random_folder
from games.age_of_civilization.referee.traces import mode_of, record_random

from genesia_rl.core import trace
from genesia_rl.core.registry import make_game

NAME = "age_of_civilization"
GAMES = 12  # for each set of cards: half of them from positions


def compare(folder: Path, seed: int) -> int:
    """The engine replays what the referee plays with the cards of a folder; how many decisions there were."""
    random_folder(folder, seed)
    decisions = 0
    for number in range(GAMES):
        mode = mode_of(seed * GAMES + number, "mixed")
        written = record_random(mode, seed * GAMES + number, bool(number % 2), folder=str(folder))
        game = make_game(NAME, **written["config"], data=str(folder))
        verdict = trace.verify(json.loads(json.dumps(written)), game)
        assert not verdict.differences, f"{mode}, cards {seed}, game {number}: {verdict.differences[0]}"
        decisions += verdict.decisions
    return decisions


@pytest.mark.parametrize("seed", range(4))
def test_engine_and_referee_agree_on_cards_that_nobody_has_seen(tmp_path: Path, seed: int) -> None:
    assert compare(tmp_path, seed) > GAMES * 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4, 44))
def test_engine_and_referee_agree_on_many_cards_that_nobody_has_seen(tmp_path: Path, seed: int) -> None:
    assert compare(tmp_path, seed) > GAMES * 10
