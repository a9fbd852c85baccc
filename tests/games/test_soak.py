"""Some random games of every mode of every game, looked at by compiled code; `genesia soak` plays millions."""

from __future__ import annotations

import pytest

from genesia_rl.core.invariants import invariants_of
from genesia_rl.core.registry import game_names, variants
from genesia_rl.testing.soak import Soak


@pytest.mark.slow
@pytest.mark.parametrize("game", game_names())
def test_all_holds_in_some_games_of_every_mode(game: str) -> None:
    soak = Soak(game, 4 * len(variants(game)), every=8, workers=1)
    list(soak.run())
    assert soak.done == 4 * len(variants(game)) and soak.total("thorough") > 0
    assert not soak.kept, "\n".join(map(str, soak.kept))


@pytest.mark.parametrize("game", game_names())
def test_every_game_declares_its_invariants(game: str) -> None:
    assert len(invariants_of(game)) >= 5
