"""Networks from what a game declares: what they read, which actions they score from what, and what is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from env_tools import FEW, game_of

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.pieces import Head, Piece, TokenSet
from genesia_rl.players.networks import (
    Architecture,
    Layout,
    forward,
    initial_weights,
    kinds_for,
    richest_of,
    scaled,
    weight_shapes,
)
from genesia_rl.players.ops import NumpyOps

#: A board of 3 cells, with a plane of numbers and one of names; 2 cards with an unused plane; something besides.
PIECES = (
    Piece("before", 0, (2,), 0, 4, "counts"),
    Piece("cell_number", 2, (3,), 0, 2, "a number on each cell"),
    Piece("cell_owner", 5, (3,), 0, 2, "whose it is", words=2),
    Piece("card_idle", 8, (2,), 0, 1, "nothing here", used=False),
    Piece("card_owner", 10, (2,), 0, 3, "who holds it", words=3),
    Piece("card_age", 12, (2,), 0, 5, "how old"),
    Piece("after", 14, (1,), 0, 127, "points"),
)
CELLS = TokenSet("cells", 2, 2, 3, np.array([[0, 1], [1, 0]]))
CARDS = TokenSet("cards", 8, 3, 2)
HEADS = (
    Head("pass", np.array([0])),
    Head("play", np.array([1, 2]), "cards", np.arange(2)),
    Head("take", np.array([3, 5, 7]), "cells", np.arange(3)),
    Head("give", np.array([4, 6]), "cells", np.array([2, 0])),
    Head("move", np.array([8, 9]), "cells", np.array([[0, 1], [1, 0]])),
)


def declared(**changed: Any) -> Any:
    """A game that is nothing but declarations."""
    scale = np.ones(15, np.float32)
    for piece in PIECES:
        scale[piece.start : piece.stop] = piece.scale
    game = {"name": "declared", "pieces": PIECES, "token_sets": (CELLS, CARDS), "heads": HEADS}
    return SimpleNamespace(**{**game, "observation_scale": lambda: scale, **changed})


def outcome(kind: str, game: Any, observations: Any) -> tuple[Any, Any]:
    """Logits and values with weights that tell every input apart."""
    architecture, layout = Architecture(kind, 32, 16, 8, 1), Layout(game)
    made, rng = initial_weights(architecture, layout, np.random.default_rng(0)), np.random.default_rng(1)
    weights = {name: rng.normal(0, 0.5, w.shape).astype(np.float32) for name, w in made.items()}
    return forward(NumpyOps, architecture, layout, scaled(weights, layout), observations)


def test_inputs_are_numbers_in_their_order_and_then_a_place_for_each_word() -> None:
    layout = Layout(declared())
    assert layout.rest == [(0, 2, 0), (14, 15, 0), (12, 14, 0), (10, 12, 1), (10, 12, 2), (10, 12, 3)]
    assert np.allclose(layout.rest_scale, [1 / 4, 1 / 4, 1 / 32, 1 / 5, 1 / 5, *[1] * 6])
    assert layout.planes == [(0, 1, 0), (1, 2, 1), (1, 2, 2)]
    assert np.allclose(layout.plane_scale, [1 / 2, 1, 1])
    assert layout.near.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]], "whoever is alone hears nothing"


@pytest.mark.parametrize("kind", ["flat", "regions", "graph", "incremental"])
def test_names_are_told_apart_and_what_is_unused_is_not_read(kind: str) -> None:
    seen = np.zeros((6, 15), np.int8)
    seen[1, 8:10] = 1
    for row, owner in ((2, 1), (3, 2)):
        seen[row, 5] = owner
    for row, owner in ((4, 1), (5, 3)):
        seen[row, 10] = owner
    logits, values = outcome(kind, declared(), seen)
    assert logits.shape == (6, 10) and values.shape == (6,)
    assert np.array_equal(logits[0], logits[1])
    different = {tuple(np.round(row, 5)) for row in logits[[0, 2, 3, 4, 5]]}
    assert len(different) == 5


def test_actions_are_scored_from_the_things_they_stand_for() -> None:
    shapes = weight_shapes(Architecture("graph", 8, 4, 5, 1), Layout(declared()))
    assert shapes["pass"] == (1, 8) and shapes["play"] == (2, 8), "cards are no tokens of the board"
    assert shapes["take_ask"] == shapes["give_ask"] == (4, 8) and "take" not in shapes
    assert shapes["move_from"] == shapes["move_to"] == (5, 4) and shapes["move_ask"] == (5, 8)
    assert Layout(declared()).actions.tolist() == [0, 1, 2, 3, 5, 7, 4, 6, 8, 9]
    assert set(weight_shapes(Architecture("flat", 8), Layout(declared()))) == {
        name + end for name in ("rest", "joint", "value1", "value2", "logits") for end in ("", "_b")
    }


def test_a_network_needs_what_it_is_made_of() -> None:
    bare = declared(token_sets=(), heads=(Head("all", np.arange(10)),))
    edgeless = declared(token_sets=(CELLS._replace(edges=None), CARDS))
    assert kinds_for(bare) == ("flat", "incremental") and richest_of(bare) == "flat"
    assert kinds_for(edgeless) == ("flat", "regions", "incremental") and richest_of(edgeless) == "regions"
    seen = np.ones((2, 15), np.int8)
    assert outcome("flat", bare, seen)[0].shape == outcome("regions", edgeless, seen)[0].shape == (2, 10)
    with pytest.raises(
        ConfigError, match="'graph': declared declares no edges between its tokens, allowed are flat"
    ):
        outcome("graph", edgeless, seen)
    with pytest.raises(ConfigError, match="'regions': declared declares no tokens, allowed are flat"):
        outcome("regions", bare, seen)
    with pytest.raises(ConfigError, match="head 'joint': is a name of the network's own"):
        weight_shapes(Architecture("graph"), Layout(declared(heads=(Head("joint", np.arange(10)),))))


def test_a_board_may_be_all_there_is() -> None:
    game = declared(pieces=PIECES[1:3], token_sets=(CELLS,), heads=(Head("all", np.arange(10)),))
    for kind in kinds_for(game):
        assert outcome(kind, game, np.ones((2, 15), np.int8))[0].shape == (2, 10)


@pytest.mark.parametrize("variant", FEW)
def test_every_byte_that_is_used_is_read_once(variant: str) -> None:
    game = game_of(variant)
    layout = Layout(game)
    numbers = np.zeros(game.observation_size, np.int64)
    for item in [*layout.rest, *layout.board_bytes]:
        numbers[item.start : item.stop] += not item.word
    expected = np.zeros(game.observation_size, np.int64)
    for piece in game.pieces:
        expected[piece.start : piece.stop] = piece.used and not piece.words
    assert (numbers == expected).all()
    assert len(np.unique(layout.actions)) == len(layout.actions) <= game.num_actions


def test_inputs_and_actions_share_weights_with_their_like() -> None:
    layout = Layout(declared())
    numbers = layout.plane_of.tolist()
    cells, owners, rest = numbers[:3], numbers[3:9], numbers[9:]
    assert len(set(cells)) == 1 and owners == [owners[0]] * 3 + [owners[3]] * 3 and owners[0] != owners[3]
    assert rest[0] == rest[1] != rest[2] and rest[3] == rest[4] and len(set(rest[5:])) == 3
    assert layout.ends_of[:3].tolist() == [[0, 0]] * 3, "these stand for no cell"
    assert layout.ends_of[3:].tolist() == [[1, 0], [2, 0], [3, 0], [6, 0], [4, 0], [7, 11], [8, 10]]
    shapes = weight_shapes(Architecture("incremental", 8, joint=6), layout)
    assert shapes["first"] == (len(layout.input_scale), 8) and shapes["ends"] == (12, 6)
    assert shapes["planes"] == (max(numbers) + 1, 8) and shapes["logits"] == (10, 6)
