"""Lots from game to game: all that they decide is what is dealt, and every choice of colours comes as often."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import make_game
from genesia_rl.learn.varied import Rotation
from genesia_rl.matches.evaluate import MOST
from genesia_rl.matches.variations import fields_of
from genesia_rl.players.codes import make_player
from genesia_rl.vector.batch import Batch

#: What lots decide.
DEALT = ("deck_size", "deck", "pool_size", "pool")
NUMBER = {2: 100, 3: 100, 4: 125, 5: 1}


class Ahead(Player):
    """Plays by chance, and complains if the tables that it is shown do not have the cards that were dealt."""

    def act_batch(self, decisions: DecisionBatch) -> Any:
        for k, row in enumerate(decisions.rows.tolist()):
            deck = set(decisions.tables_of(k)["deck"].ravel().tolist())
            assert set(decisions.states[row]["packs"].ravel().tolist()) <= deck | {0}
        return make_player("random").act_batch(decisions)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_only_the_deal_differs(players: int) -> None:
    game = make_game("genesia", players=players, promos=True)
    fields = fields_of("genesia", players, MOST)
    assert len(fields) == NUMBER[players]
    tables = game.variations(fields)
    for changed, held in zip(fields[:4], tables, strict=False):
        whole = game.with_fields(**changed).tables[0]
        for name in tables.dtype.names or ():
            assert (held[name] == whole[name]).all(), name
            if name not in DEALT:
                assert (held[name] == game.tables[0][name]).all(), name


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_combination_stands_in_every_age_as_often(players: int) -> None:
    lots = [fields["lots"] for fields in fields_of("genesia", players, MOST)]
    for age in range(3):
        found = [tuple(triple[age]) for triple in lots]
        assert len({found.count(colours) for colours in found}) == 1


def test_whoever_looks_ahead_is_told_of_the_decks() -> None:
    game = make_game("genesia", players=2)
    rotation = Rotation(game, fields_of("genesia", 2, MOST))
    batch, player = Batch(game, 12, tables=rotation.tables), Ahead()
    rotation.begin(batch, 5)
    for _ in range(300):
        rotation.step(batch, player.act_batch(batch.decisions()))
    assert len(np.unique(batch.table)) > 6


def test_lots_bring_no_objectives_into_a_game_without_them() -> None:
    game = make_game("genesia", players=2, objectives=False)
    tables = game.variations(fields_of("genesia", 2, MOST))
    assert not tables["pool_size"].any() and not game.tables["pool_size"].any()


def test_decks_that_are_given_leave_nothing_to_vary() -> None:
    with pytest.raises(ConfigError, match=r"all lots together with .* allowed is one of them"):
        fields_of("genesia", 2, MOST, {"decks": [[1, 2], [31], [61]]})
