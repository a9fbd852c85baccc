"""Every registered game keeps the contract in every variant, and the check notices when one does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from genesia_rl.core.game import Game, States
from genesia_rl.core.pieces import Head, TokenSet
from genesia_rl.core.registry import game_names, make_game, variants
from genesia_rl.testing.check_game import ContractBroken, check_game
from genesia_rl.testing.signature import game_signature

EVERY = [(name, variant) for name in game_names() for variant in variants(name)]


@pytest.mark.parametrize(("name", "variant"), EVERY)
def test_the_game_keeps_the_contract(name: str, variant: str) -> None:
    check_game(make_game(name, **variants(name)[variant]), seeds=(7,), thorough=11)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "variant"), EVERY)
def test_the_game_keeps_the_contract_in_every_other_state(name: str, variant: str) -> None:
    check_game(make_game(name, **variants(name)[variant]), seeds=(20,), thorough=2)


def spoilt(game: Game, **methods: Any) -> Game:
    """The game with some methods replaced."""
    for name, method in methods.items():
        setattr(game, name, method)
    return game


def test_a_clone_that_is_no_copy_is_noticed() -> None:
    with pytest.raises(ContractBroken, match="a copy shares nothing"):
        check_game(spoilt(make_game(), clone=lambda states, i=0: states[i : i + 1]))


def test_texts_that_are_not_unique_are_noticed() -> None:
    with pytest.raises(ContractBroken, match="different texts"):
        game = make_game()
        check_game(spoilt(game, action_text=lambda action: "end", parse_action=lambda text: 0))


def test_a_resampled_game_that_looks_different_is_noticed() -> None:
    def another(states: States, i: int, seat: int, rng: np.random.Generator) -> States:
        other = game.new_states()
        game.reset(other, 0, int(rng.integers(1 << 32)))
        return other

    game = make_game()
    with pytest.raises(ContractBroken, match="cannot tell the resampled game"):
        check_game(spoilt(game, resample_hidden=another))


def test_heads_and_token_sets_that_lead_nowhere_are_noticed() -> None:
    game = make_game()
    one, *rest = game.heads
    things = np.zeros(len(one.actions), np.int64)
    board = game.token_sets[0]
    broken: list[tuple[str, dict[str, Any]]] = [
        ("an action belongs to one head", {"heads": (one, one, *rest)}),
        ("has tokens and things, or none", {"heads": (one._replace(tokens=None, things=things), *rest)}),
        ("is a token set", {"heads": (Head(one.name, one.actions, "no such set", things), *rest)}),
        ("every legal action belongs to a head", {"heads": (one._replace(actions=one.actions[:1]),)}),
        ("lies within the observation", {"token_sets": (board._replace(start=game.observation_size), )}),
        ("are 0..", {"token_sets": (TokenSet(board.name, 0, 1, 1, np.array([[0, 1]])),)}),
    ]  # fmt: skip
    for reason, fields in broken:
        with pytest.raises(ContractBroken, match=reason):
            check_game(spoilt(make_game(), **fields), seeds=(1,))


def test_the_signature_of_a_game_depends_on_its_seed_and_is_the_same_twice() -> None:
    game = make_game()
    first = game_signature(game, "default", 5)
    assert game_signature(make_game(), "default", 5) == first
    assert game_signature(game, "default", 6) != first
