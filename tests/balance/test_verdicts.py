"""What is said of cards of which there are few games."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")

from experiments.balance.cards import FALSE_ALARMS, Held, Picked, verdicts
from experiments.balance.figures import Figures
from genesia_rl.games.genesia.data import load_data
from genesia_rl.games.genesia.names import MAX_CARD

CARD, OTHER = 39, 40


class Alike:
    """Games of two players, each a block of its own."""

    def by_block(self, values: np.ndarray) -> np.ndarray:
        return values


def held_by_winners(games: int) -> Held:
    """One card whose holder won all games; of another, half of them."""
    held = Held()
    won = np.zeros((games, MAX_CARD + 1))
    won[:, CARD] = 1.0
    won[::2, OTHER] = 1.0
    seen = np.zeros(won.shape)
    seen[:, [CARD, OTHER]] = 1.0
    ahead = np.stack([2 * won - 1, 40 * won], axis=2)
    put(held.effects, ahead, np.repeat(seen[..., None], 2, axis=2))
    put(held.won, won, seen)
    return held


def put(figures: Figures, values: np.ndarray, counted: np.ndarray) -> None:
    figures.add(Alike(), values, counted)  # type: ignore[arg-type]


@pytest.mark.parametrize(("games", "found"), [(2, False), (4, False), (40, True)])
def test_a_card_that_won_its_few_games_is_not_overpowered(games: int, found: bool) -> None:
    judged = verdicts(load_data(), held_by_winners(games), Picked())
    assert sorted(judged) == ([CARD, OTHER] if found else [])  # few games are not judged at all
    if found:
        assert judged[CARD].overpowered <= FALSE_ALARMS < judged[OTHER].overpowered
