"""Set-up, rounds, events, wars, the Plague (RULES 4, 5 and 9)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from games.age_of_civilization.playing import Playing, alone, dealt, game_of, start

from genesia_rl.games.age_of_civilization.data.box import load_box
from genesia_rl.games.age_of_civilization.tables import members

SEEDS = range(40)


def deal(seed: int, **config: Any) -> dict[str, Any]:
    play = Playing(game_of(**config))
    play.game.kernels.deal(play.states, 0, play.game.tables, np.uint64(seed))
    return play.game.deal_dict(play.states, 0)


# ---------------------------------------------------------------- set-up


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_dealt(players: int) -> None:
    for seed in SEEDS:
        found = deal(seed, players=players, innovation=True, changing_world=True)
        assert sorted(found["track"]) == sorted(card.name for card in load_box().board.cards)
        assert len(set(found["wonders"])) == 3 + players and set(found["wonders"]) <= set(range(1, 16))
        assert len(set(found["deck"])) == 5 + 3 * players and set(found["deck"]) <= set(range(1, 49))
        assert len(set(found["specials"])) == 1 + players and set(found["specials"]) <= set(range(1, 10))
        assert len(set(found["events"])) == 3 and set(found["events"]) <= set(range(1, 10))
        assert found["packs"] is None and 0 <= found["first"] < players


def test_without_variants_there_are_no_special_cards_events_and_packs() -> None:
    found = deal(1)
    assert found["specials"] is None and found["events"] is None and found["packs"] is None


def test_everything_is_drawn_alike_often() -> None:
    """2,000 deals: no card is far from its expectation (5 standard deviations)."""
    games, firsts = 2_000, Counter[object]()
    counts: dict[str, Counter[Any]] = {
        key: Counter() for key in ("track", "wonders", "deck", "specials", "events")
    }
    for seed in range(games):
        found = deal(seed, players=3, innovation=True, changing_world=True)
        firsts[found["first"]] += 1
        counts["track"][found["track"][0]] += 1
        for key in ("wonders", "deck", "specials", "events"):
            counts[key].update(found[key])
    near(firsts, 3, games)
    near(counts["track"], 8, games)
    for key, kinds, number in (("wonders", 15, 6), ("deck", 48, 14), ("specials", 9, 4), ("events", 9, 3)):
        near(counts[key], kinds, games * number)


def near(counts: Counter[Any], kinds: int, total: int) -> None:
    expected = total / kinds
    assert len(counts) == kinds
    assert all(abs(number - expected) < 5 * expected**0.5 for number in counts.values()), counts


def test_seats_begin_with_three_coins_and_nothing_else() -> None:
    for players in (1, 2, 4):
        state = dealt(5, players=players).state
        assert state["coins"] == [3] * players and state["points"] == state["workers"] == [0] * players
        assert state["civilizations"] == [[]] * players and state["main"] == [None] * players
        assert len(state["market"]) == 5 and set(state["market"].values()) == {0}


def test_the_track_of_the_first_game() -> None:
    for seed in range(5):
        order = ["hunt", "fish", "farm", "trade", "culture", "plague", "construction", "conquest"]
        assert deal(seed, track="first_game")["track"] == order


# ---------------------------------------------------------------- rounds


def test_the_token_goes_counter_clockwise() -> None:
    """R9: the last of a round is the first of the next."""
    play = dealt(2, players=3)
    first = play.state["first"]
    for rnd in range(2, 7):
        play.until(rnd)
        assert play.state["first"] == (first - rnd + 1) % 3
        assert play.asked is not None and play.asked[0] == play.state["first"]


@pytest.mark.parametrize("rnd", range(1, 7))
def test_three_cards_are_open_and_the_permanent_one(rnd: int) -> None:
    main = [46, 29] if rnd > 1 else [None, None]
    market = [] if rnd > 1 else [[46, 0], [29, 0]]
    play = start(
        rnd=rnd, main=main, market=market, coins=[30, 30], open=["hunt", "fish", "farm"], workers=[4, 4]
    )
    if rnd == 1:
        play.do("rise:46")
    assert play.acts == {"wonder", "research", "enslavement", "hunt", "fish", "farm"}


def test_after_round_6_the_game_is_over_without_an_end_of_the_round() -> None:
    play = start(rnd=6, open=["hunt"]).do("rest", "rest")
    assert play.is_over and play.state["round"] == 6 and play.state["first"] == 0


# ---------------------------------------------------------------- war and Plague

WAR = ["hunt", "fish", "farm", "culture", "trade", "plague", "conquest", "construction"]
NO_WAR = ["hunt", "fish", "farm", "trade", "culture", "plague", "conquest", "construction"]


def after_round_2(track: list[str], players: int = 2, **changes: Any) -> Playing:
    """At the end of round 2 the fifth card of the track is opened."""
    given = {"workers": [2] * players, "coins": [0] * players, **changes}
    play = start(players, rnd=2, track=track, **given)
    play.do(*["rest"] * players)
    assert play.state["round"] == 3
    return play


def test_in_a_war_the_weakest_sacrifice_a_worker() -> None:
    assert after_round_2(WAR, technologies=[[7], []]).state["workers"] == [3, 2]
    assert after_round_2(WAR, technologies=[[], [7]]).state["workers"] == [2, 3]
    assert after_round_2(NO_WAR, technologies=[[7], []]).state["workers"] == [3, 3]


def test_ties_are_weakest_also_when_all_are_equal() -> None:
    assert after_round_2(WAR).state["workers"] == [2, 2]
    assert after_round_2(WAR, 3, technologies=[[7], [], []]).state["workers"] == [3, 2, 2]


def test_who_has_no_worker_sacrifices_none() -> None:
    play = start(rnd=2, track=WAR, main=[46, 29], workers=[0, 4], coins=[0, 0])
    play.states[0]["workers"][0] = 0
    assert play.do("rest").state["workers"] == [0, 3]


def test_a_card_with_a_war_that_lies_open_from_the_beginning_brings_none() -> None:
    track = ["trade", "conquest", "construction", "hunt", "fish", "farm", "culture", "plague"]
    play = start(rnd=2, track=track, workers=[2, 2], main=[46, 29]).do("rest", "rest")
    assert play.state["workers"] == [3, 3]


def test_war_gains_are_counted_before_anybody_sacrifices() -> None:
    """Parthia is strongest in the moment of the war, and gains before the weakest lose."""
    play = after_round_2(WAR, main=[48, 20])
    assert play.state["points"] == [0, 0] and play.state["coins"] == [2, 3]
    assert play.state["workers"] == [2, 3]


def test_the_plague_costs_everybody_a_worker() -> None:
    track = ["hunt", "fish", "farm", "trade", "plague", "culture", "conquest", "construction"]
    play = after_round_2(track, 3, main=[22, 46, 29], wonders=[[7], [], []])
    assert play.state["workers"] == [2, 2, 2]  # neither Polynesia nor the Great Wall helps


# ---------------------------------------------------------------- events


def event(number: int, players: int = 3, **changes: Any) -> Playing:
    """An event on the sixth card, which is opened at the end of round 3: no war, no Plague."""
    track = ["conquest", "construction", "trade", "plague", "farm", "hunt", "fish", "culture"]
    others = [k for k in (9, 3, 6, 1) if k != number][:2]
    config = {"changing_world": True}
    given = {"coins": [5] * players, "workers": [3] * players, "main": [16, 29, 44, 12][:players], **changes}
    play = start(players, config, rnd=3, track=track, events=[number, *others], **given)
    before = play.copy()
    for _ in range(players):
        play.act("enslavement").do("end")  # two coins and a worker less for each
    assert play.state["round"] == 4 and before.state["round"] == 3
    return play


def changes_of(play: Playing, coins: int = 7, workers: int = 2) -> tuple[list[int], list[int], list[int]]:
    """What the event has changed: coins, points, workers."""
    state = play.state
    return [c - coins for c in state["coins"]], state["points"], [w - workers for w in state["workers"]]


NONE = [0, 0, 0]


def test_birth_peak_and_earthquake() -> None:
    assert changes_of(event(1)) == (NONE, NONE, [1, 1, 1])
    assert changes_of(event(7)) == (NONE, NONE, [-1, -1, -1])


def test_great_harvest_counts_workers() -> None:
    assert changes_of(event(2)) == ([2, 2, 2], NONE, NONE)


def test_great_debate_is_for_those_with_most_technologies_ties_included() -> None:
    assert changes_of(event(3, technologies=[[1], [1, 4], []]))[1] == [0, 2, 0]
    assert changes_of(event(3, technologies=[[1, 7], [1, 4], []]))[1] == [2, 2, 0]
    assert changes_of(event(3))[1] == [2, 2, 2]  # R8: also at zero


def test_rats_and_what_one_does_not_have() -> None:
    assert changes_of(event(4)) == ([-3, -3, -3], NONE, NONE)
    assert event(4, coins=[0, 5, 5]).state["coins"] == [0, 4, 4]


def test_corruption_is_for_the_richest() -> None:
    assert changes_of(event(5, coins=[6, 5, 6]))[0] == [1 - 3, 0, 1 - 3]


def test_celebration_is_for_those_with_most_wonders() -> None:
    assert changes_of(event(6, wonders=[[1], [], [2, 3]]))[1] == [0, 0, 2]


def test_barbarians_are_for_those_with_least_force() -> None:
    assert changes_of(event(8, technologies=[[7], [], []]))[0] == [0, -3, -3]


def test_nothing_happens() -> None:
    assert changes_of(event(9)) == (NONE, NONE, NONE)


def test_events_come_when_their_card_is_opened_and_before_its_war() -> None:
    """Birth Peak on the eighth card, a war: the worker is gained, then the weakest lose one."""
    track = ["hunt", "fish", "farm", "plague", "culture", "trade", "construction", "conquest"]
    play = start(2, {"changing_world": True}, rnd=5, track=track, events=[9, 3, 1], technologies=[[7], []],
                 workers=[3, 3], main=[29, 44])  # fmt: skip
    play.act("enslavement").do("end").act("enslavement").do("end")
    assert play.state["workers"] == [3, 2]


def test_civilizations_on_the_table_are_in_one_place() -> None:
    play = dealt(1, players=4)
    assert len(members(int(play.states[0]["market"]))) == 5
    alone().check()
