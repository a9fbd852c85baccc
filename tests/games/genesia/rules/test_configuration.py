"""RULES 3: what the fields of a configuration change in play (refusals: test_config.py)."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Play, dealt, fight, start

COLOURS = ["blue", "yellow", "green", "red", "violet"]


def packs(play: Play, age: int) -> list[int]:
    """All the cards that were dealt for an Age, in order of number."""
    n = play.game.num_seats
    return sorted(int(c) for c in play.state["packs"][age - 1][:n].ravel() if c)


def lot(play: Play, age: int, colour: str) -> list[int]:
    """The numbers of a lot."""
    return [c.number for c in play.game.data.cards.values() if c.age == age and c.lot == colour]


def test_two_players_are_the_default() -> None:
    """RULES 3: players."""
    assert dealt().game.num_seats == 2


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_first_n_colours_are_in_play_by_default(players: int) -> None:
    """RULES 3: lots, n colours of 6 cards each, for each Age."""
    game = dealt(players=players)
    for age in (1, 2, 3):
        expected = [c for colour in COLOURS[:players] for c in lot(game, age, colour)]
        assert packs(game, age) == sorted(expected) and len(expected) == 6 * players


def test_the_lots_may_differ_from_age_to_age() -> None:
    """RULES 3: lots."""
    lots = [["violet", "red"], ["blue", "green"], ["green", "yellow"]]
    game = dealt(lots=lots)
    for age, colours in enumerate(lots, 1):
        assert packs(game, age) == sorted(c for colour in colours for c in lot(game, age, colour))


def test_explicit_decks_replace_the_lots() -> None:
    """RULES 3: decks, exactly 6n card numbers for each Age; promo cards may simply be listed."""
    decks = [[*range(1, 12), 91], [*range(31, 42), 95], [*range(61, 72), 99]]
    game = dealt(decks=decks)
    assert [packs(game, age) for age in (1, 2, 3)] == decks
    assert game.game.config_dict()["lots"] is None


def test_with_promos_the_deck_is_shuffled_and_cut_back_to_6n_cards() -> None:
    """RULES 3: promos. In many deals every promo card comes up, and each of the 12 others stays out."""
    dealt_cards = []
    for seed in range(60):
        cards = packs(dealt(seed, promos=True), 1)
        assert len(set(cards)) == 12 and set(cards) <= {*range(1, 13), 91, 92, 93}
        dealt_cards.append(set(cards))
    assert set.union(*dealt_cards) == {*range(1, 13), 91, 92, 93}
    assert set.intersection(*dealt_cards) == set()


def test_without_promos_no_promo_card_is_dealt() -> None:
    """RULES 3: promos is false by default."""
    assert all(packs(dealt(seed), 1) == list(range(1, 13)) for seed in range(10))


def test_without_objectives_nobody_chooses_one_and_nobody_scores_one() -> None:
    """RULES 3: objectives."""
    game = dealt(3, objectives=False)
    assert game.kind == "draft"
    result = game.finish()
    assert result["objective"] == [0, 0] and result["objective_kept"] == [None, None]


def test_objectives_are_in_play_by_default() -> None:
    """RULES 3: objectives."""
    assert dealt().kind == "objective"


def test_extra_objectives_bring_the_two_black_ones_into_the_pool() -> None:
    """RULES 3: extra_objectives. With blue and yellow the pool is 1..4, or 1..4, 11 and 12."""
    found: dict[bool, set[int]] = {False: set(), True: set()}
    for extra, numbers in found.items():
        for seed in range(40):
            state = dealt(seed, extra_objectives=extra).state
            numbers |= {int(number) for number in state["dealt"][:2].ravel()}
    assert found == {False: {1, 2, 3, 4}, True: {1, 2, 3, 4, 11, 12}}


def pool(**config: Any) -> set[int]:
    """The objectives that are dealt in many deals."""
    states = [dealt(seed, **config).state for seed in range(60)]
    return {int(number) for state in states for number in state["dealt"][:2].ravel() if number}


def test_a_list_of_extra_objectives_brings_in_these_black_ones_alone() -> None:
    """RULES 3: extra_objectives, a list of their numbers, which stays as it is given."""
    assert pool(extra_objectives=[12]) == {1, 2, 3, 4, 12}
    assert pool(extra_objectives=[12, 11]) == {1, 2, 3, 4, 11, 12}
    assert dealt(extra_objectives=[12, 11]).game.config_dict()["extra_objectives"] == [12, 11]


def test_the_objective_pool_may_be_that_of_all_colours() -> None:
    """RULES 3, 4.4, R11: those of all five colours, and the black ones of extra_objectives."""
    assert pool(objective_pool="all") == set(range(1, 11))
    assert pool(objective_pool="all", extra_objectives=[11]) == set(range(1, 12))


def test_attack_recruiting_lets_clans_be_recruited_in_ones_own_assault_turn() -> None:
    """RULES 3: attack_recruiting. A third clan, recruited in the city, makes 2 against 2 an assault."""
    fields: dict[str, Any] = {"coins": [5, 0], "cities": {1: 0}, "attack_recruiting": True}
    game = fight(2, 2, **fields)
    assert game.legal() == ["end", "region:0", "region:1"]
    game.do("region:1")
    assert game.coins == [3, 0] and game.legal() == ["edge:1-4", "region:0", "region:1"]


def test_attack_recruiting_follows_the_rules_of_growth() -> None:
    """RULES 3: under the Growth rules: in Age I only in the homeland, for 2 coins, from supply."""
    fields: dict[str, Any] = {"coins": [5, 0], "cities": {1: 0}, "attack_recruiting": True, "age": 1}
    assert fight(2, 2, **fields).legal() == ["end", "region:0"]
    assert fight(2, 2, hands=[[20], []], **(fields | {"coins": [1, 0]})).legal() == ["discard:20", "end"]


def test_attack_recruiting_is_off_by_default() -> None:
    """RULES 3: attack_recruiting."""
    game = fight(2, 2, hands=[[61], []], coins=[5, 0])
    assert game.legal() == ["discard:61", "end"]


def test_nothing_is_recruited_in_an_assault_turn_of_somebody_else() -> None:
    """RULES 3: in one's own assault turns; the defender has coins and is asked for cards only."""
    game = fight(3, 1, hands=[[], [81]], coins=[0, 9], attack_recruiting=True)
    assert game.asked == (1, "defence") and game.legal() == ["card:81", "end"]


def test_the_solo_mode_is_configured_by_one_player_and_a_level() -> None:
    """RULES 3: solo resolves objectives to false and lots to blue and yellow."""
    config = dealt(players=1, solo_level="expert").game.config_dict()
    assert config == {
        "players": 1, "lots": [["blue", "yellow"]] * 3, "decks": None, "promos": False,
        "objectives": False, "extra_objectives": False, "objective_pool": "lots",
        "attack_recruiting": False, "teams": None, "solo_level": "expert",
    }  # fmt: skip


def test_teams_are_lists_of_seats_and_decide_who_wins() -> None:
    """RULES 3: teams. Seats 0 and 2 have 15 and 1 points, seat 1 has 2: the better lowest total wins."""
    clans = {57: {0: 1}, 17: {1: 1}, 18: {1: 1}, 33: {2: 1}}
    fields: dict[str, Any] = {"players": 3, "age": 3, "phase": "end", "clans": clans}
    assert start(**fields).finish()["winners"] == [0]
    assert start(teams=[[0, 2], [1]], **fields).finish()["winners"] == [1]
