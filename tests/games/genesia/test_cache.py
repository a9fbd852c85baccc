"""The cache of Genesia's compiled code is never stale, whatever file of the game was edited."""

from __future__ import annotations

from pathlib import Path

import pytest
from copies import copied, edit, run

DEAL = """
import numpy as np
from genesia_rl.core.registry import make_game
game = make_game("genesia", players=2)
states = game.new_states()
game.kernels.deal(states, 0, game.tables, np.uint64(7))
print(game.deal_dict(states, 0)["packs"][0])
"""

SCORES = """
from genesia_rl.core.registry import make_game
game = make_game("genesia", players=2)
states = game.new_states()
states[0]["occupied"][0, 0] = 1 << 16  # seat 0 in the homeland of seat 1
print(game.scores(states, 0).totals.tolist())
"""


def test_an_edited_rule_is_never_stale(tmp_path: Path) -> None:
    package, cache = copied(tmp_path), str(tmp_path / "cache")
    first = run(package, DEAL, GENESIA_RL_CACHE=cache)
    setup = package / "games/genesia/rules/setup.py"
    edit(setup, "= deck[seat * size + place]", "= deck[seat * size + size - 1 - place]")
    packs = [pack[::-1] for pack in eval(first)]
    assert run(package, DEAL, GENESIA_RL_CACHE=cache) == str(packs)


@pytest.mark.slow
def test_an_edited_constant_that_is_imported_is_never_stale(tmp_path: Path) -> None:
    package, cache = copied(tmp_path), str(tmp_path / "cache")
    assert run(package, SCORES, GENESIA_RL_CACHE=cache) == "[2, 0]"
    edit(package / "games/genesia/names.py", "RADIANCE_POINTS = 2\n", "RADIANCE_POINTS = 3\n")
    assert run(package, SCORES, GENESIA_RL_CACHE=cache) == "[3, 0]"
