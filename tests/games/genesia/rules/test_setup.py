"""RULES 4: the setup."""

from __future__ import annotations

from itertools import permutations

from games.genesia.positions import Play, dealt

SEEDS = range(60)


def objectives(play: Play) -> list[list[int]]:
    """The two objectives dealt to each seat."""
    n = play.game.num_seats
    return [[int(number) for number in pair] for pair in play.state["dealt"][:n]]


def first_packs(play: Play, age: int) -> tuple[int, ...]:
    """The pack that is dealt to seat 0 for an Age."""
    return tuple(int(card) for card in play.state["packs"][age - 1][0])


def test_the_turn_order_of_age_one_is_a_random_permutation() -> None:
    """RULES 4.1. Sixty deals bring all six orders of three players."""
    orders = {tuple(dealt(seed, players=3).order) for seed in SEEDS}
    assert orders == set(permutations(range(3)))


def test_the_map_is_empty_and_nobody_has_coins() -> None:
    """RULES 4.2: 30 clans and 20 cities in supply, nothing on the map, 0 coins."""
    game = dealt(players=4)
    assert game.public == {"coins": [0] * 4, "supply": [30] * 4, "clans": {}, "cities": {}}
    assert game.clan_supply == [30] * 4 and game.city_supply == [20] * 4


def test_the_deck_of_each_age_is_shuffled() -> None:
    """RULES 4.3. The packs of one seat differ from deal to deal, in every Age."""
    for age in (1, 2, 3):
        assert len({frozenset(first_packs(dealt(seed), age)) for seed in SEEDS}) > 30


def test_every_card_of_the_lots_is_in_one_pack() -> None:
    """RULES 4.3: the deck is its lots, all of it is dealt."""
    game = dealt(5)
    cards = sorted(int(c) for c in game.state["packs"][1][:2].ravel())
    assert cards == [31, 32, 33, 34, 35, 36, 37, 39, 40, 41, 42, 45]


def test_two_different_objectives_are_dealt_to_each_player() -> None:
    """RULES 4.4. With five players the ten of the colours are all dealt, each once."""
    for seed in SEEDS:
        found = objectives(dealt(seed, players=5))
        assert sorted(number for pair in found for number in pair) == list(range(1, 11))


def test_the_objectives_are_dealt_at_random() -> None:
    """RULES 4.4. Every number of the pool comes to seat 0 in some deal."""
    assert {number for seed in SEEDS for number in objectives(dealt(seed, players=3))[0]} == set(range(1, 7))


def test_the_pool_has_every_colour_that_some_age_uses() -> None:
    """RULES 4.4: any Age's lots. Green comes in Age III only."""
    lots = [["blue", "red"], ["red", "blue"], ["green", "red"]]
    found = {number for seed in SEEDS for pair in objectives(dealt(seed, lots=lots)) for number in pair}
    assert found == {1, 2, 5, 6, 7, 8}


def test_with_explicit_decks_the_pool_has_every_colour_with_a_card_in_them() -> None:
    """RULES 4.4. One green card (13) is enough; the promo card 91 brings nothing."""
    decks = [[*range(1, 10), 12, 13, 91], [*range(31, 38), *range(39, 43), 45], [*range(61, 73)]]
    found = {number for seed in SEEDS for pair in objectives(dealt(seed, decks=decks)) for number in pair}
    assert found == {1, 2, 3, 4, 5, 6}


def test_each_keeps_one_of_the_two() -> None:
    """RULES 4.4 and PROTOCOL 2: objective, each seat in turn order, of the two dealt."""
    game = dealt(8, players=3)
    pairs, order = objectives(game), game.order
    kept: list[int | None] = [None, None, None]
    for seat in order:
        assert game.asked == (seat, "objective")
        assert game.legal() == sorted(f"objective:{number}" for number in pairs[seat])
        game.do(f"objective:{max(pairs[seat])}")
        kept[seat] = max(pairs[seat])
    assert game.kind == "draft"
    assert game.finish()["objective_kept"] == kept


def test_the_objectives_of_a_game_are_no_longer_random_after_the_deal() -> None:
    """RULES 4: the same seed deals the same game."""
    assert dealt(11, players=3).states.tobytes() == dealt(11, players=3).states.tobytes()
