"""The picture agrees with the rules: tracks, citizens, what cards lack, and what options point at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from games.gentes.playing import game_of

from genesia_rl.core.game import States
from genesia_rl.core.scene import Card, Option, Scene, scene_of
from genesia_rl.games.gentes.game import GentesGame, make
from genesia_rl.games.gentes.names import REGIONS
from genesia_rl.games.gentes.rules.needs import missing
from genesia_rl.games.gentes.rules.seats import free_spaces
from genesia_rl.games.gentes.tables import members

#: Amounts and answers that no thing stands for.
WITHOUT_KEYS = ("pay", "double", "amount", "hire", "end")


def positions(players: int, games: int = 1) -> Iterator[tuple[GentesGame, States]]:
    """Every position of so many random games."""
    game, rng = make(players=players), np.random.default_rng(players)
    for seed in range(games):
        states = game.new_states()
        game.reset(states, 0, seed)
        while not game.is_over(states, 0):
            yield game, states
            legal = game.legal_actions(states, 0)
            game.step(states, 0, legal[int(rng.integers(len(legal)))])


def on(scene: Scene, prefix: str) -> list[str]:
    """The areas whose keys begin so, once for each piece on them."""
    return [piece.area for piece in scene.pieces if piece.area.startswith(prefix)]


@pytest.mark.parametrize("players", [1, 4])
def test_tracks_and_citizens_are_those_of_the_position(players: int) -> None:
    for game, states in positions(players):
        s, scene = states[0], scene_of(game, states)
        for seat in range(players):
            filled = on(scene, f"space:{seat}:")
            assert len(filled) == len(set(filled)) == 12 - free_spaces(s, game.tables[0], seat)
            standing = on(scene, f"room:{seat}:")
            assert len(standing) == len(set(standing)) == s["citizens"][seat].sum()


@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_card_in_hand_says_what_its_seat_lacks(players: int) -> None:
    seen = set()
    for game, states in positions(players):
        s, found = states[0], cards_of(scene_of(game, states))
        for seat in range(players):
            for number in members(s["hand"][seat]):
                lacks = missing(s, game.tables[0], seat, number) > 0
                assert found[f"card:{number}"].note.startswith("Lacks") == lacks
                seen.add(bool(lacks))
    assert seen == {True, False}


def cards_of(scene: Scene) -> dict[str, Card]:
    """All cards by key."""
    return {card.key: card for zone in scene.zones for card in zone.cards}


@pytest.mark.parametrize("players", [1, 2, 3])
def test_every_option_but_an_amount_points_at_something(players: int) -> None:
    for game, states in positions(players):
        for option in options_of(scene_of(game, states)):
            assert bool(option.keys) != option.text.startswith(WITHOUT_KEYS), option


def options_of(scene: Scene) -> tuple[Option, ...]:
    """What can be chosen."""
    return scene.decision.options if scene.decision else ()


def test_words_count_in_singular_and_plural() -> None:
    game = game_of(players=2)
    assert game.describe(game.parse_action("tax:1")) == "collect 4 coins for 1 hourglass"
    assert (
        game.describe(game.parse_action("tile:16")) == "take tile 16, chronicler for 1 coin and 2 hourglasses"
    )
    assert game.describe(game.parse_action("double:1")) == "1 space holds two hourglasses"
    assert game.describe(game.parse_action("double:0")) == "0 spaces hold two hourglasses"
    assert game.describe(game.parse_action("amount:1")) == "pay 1 temple cube among the cubes"


def test_a_reward_points_at_the_own_cities_that_give_it() -> None:
    asked = 0
    for game, states in positions(2, 6):
        s = states[0]
        if game.kind(states, 0) != "reward":
            continue
        asked += 1
        for option in options_of(scene_of(game, states)):
            cities = [game.box.city(int(key.removeprefix("city:"))) for key in option.keys]
            assert all(city.number in members(s["tokens"][s["seat"]]) for city in cities)
            given = {(city.region, f"gain:{city.reward}") for city in cities}
            assert given == {(REGIONS[s["region"]], option.text)}
    assert asked
