"""The agent of one's own that stands in `agents` as an example: it is short, honest, and plays every game."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from env_tools import FEW, FEW_CONTESTS, game_of, positions

from genesia_rl.core.player import DecisionBatch
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.random import RandomPlayer

FILE = Path(__file__).resolve().parents[2] / "agents" / "own_agent.py"


def example() -> Any:
    """The player of the file."""
    spec = spec_from_file_location("own_agent", FILE)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Grasping()


def test_it_is_twenty_lines() -> None:
    text = FILE.read_text(encoding="utf-8")
    body = text[text.index("class Grasping") :]
    assert len([line for line in body.splitlines() if line.strip()]) <= 20


@pytest.mark.parametrize("variant", FEW)
def test_it_knows_nothing_that_its_seat_does_not_know(variant: str) -> None:
    game, player, rng = game_of(variant), example(), np.random.default_rng(3)
    for number, states in enumerate(positions(game, games=2, of_each=3)):
        if game.is_over(states, 0):
            continue
        action = player.act(DecisionBatch.one(game, states, 0, seed=number))
        other = game.resample_hidden(states, 0, game.seat(states, 0), rng)
        assert player.act(DecisionBatch.one(game, other, 0, seed=number)) == action


@pytest.mark.parametrize("variant", FEW_CONTESTS[:1])
def test_it_beats_random_play(variant: str) -> None:
    assert evaluate(example(), [RandomPlayer()], game_of(variant), 20).rate > 0.5
