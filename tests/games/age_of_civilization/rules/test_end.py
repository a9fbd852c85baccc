"""The end of the game and the solo mode (RULES 10 and 12)."""

from __future__ import annotations

from typing import Any

import pytest
from games.age_of_civilization.playing import Playing, alone, dealt, start

SOLO_TRACK = ["hunt", "fish", "farm", "trade", "plague", "culture", "construction", "conquest"]


def ended(**changes: Any) -> dict[str, Any]:
    """The result if nobody does anything but end its last turn."""
    given = {"workers": [1, 1], "coins": [0, 0], "main": [29, 44], **changes}
    play = start(rnd=6, **given)
    while not play.is_over:
        play.do("rest" if "rest" in play.legal else "end")
    return play.result


# ---------------------------------------------------------------- the score


def test_the_score_has_three_parts() -> None:
    result = ended(points=[4, 0], wonders=[[1], []], main=[12, 44], technologies=[[1, 4], []])
    assert (result["course"], result["wonders"], result["legacy"]) == ([4, 1], [4, 0], [2, 0])
    assert result["score"] == [10, 1] and result["winners"] == [0]


def test_points_of_the_end_are_counted_before_any_are_added() -> None:
    """Taj Mahal counts points of the course alone."""
    result = ended(points=[4, 0], wonders=[[1, 10], []], main=[32, 44])
    assert result["wonders"][0] == 4 + 0


def test_ties_are_broken_by_workers_then_coins_then_shared() -> None:
    points = [0, 0]  # Tiwanaku and the Olmecs rest for a point each
    assert ended(points=points, workers=[2, 1])["winners"] == [0]
    assert ended(points=points, workers=[1, 2], coins=[9, 0])["winners"] == [1]
    assert ended(points=points, coins=[1, 0])["winners"] == [0]
    assert ended(points=points)["winners"] == [0, 1]
    assert ended(points=[1, 0], workers=[1, 4], coins=[0, 50])["winners"] == [0]


def test_ranks_say_how_many_are_better() -> None:
    play = start(4, rnd=6, points=[3, 9, 3, 1], main=[46, 29, 32, 44])
    assert play.game.scores(play.states, 0).ranks.tolist() == [1, 0, 1, 3]


def test_the_result_has_workers_and_coins() -> None:
    result = ended(workers=[2, 1], coins=[5, 0])
    assert result["workers"] == [3, 2] and result["coins"] == [7, 2]


# ---------------------------------------------------------------- solo


def solo(rnd: int = 3, **changes: Any) -> Playing:
    given = {"track": SOLO_TRACK, "main": [46], "civilizations": [[46]], **changes}
    return start(1, rnd=rnd, **given)


def test_the_deal_of_the_solo_mode() -> None:
    for seed in range(30):
        play = dealt(seed, players=1)
        deal = play.game.deal_dict(play.states, 0)
        assert deal["track"][4] == "plague" and deal["first"] == 0
        assert len(deal["deck"]) == 10 and not set(deal["deck"]) & {30, 28, 31, 10, 21, 25, 15}
        assert len(deal["wonders"]) == 4
        assert (
            len(
                {
                    dealt(s, players=1).game.deal_dict(dealt(s, players=1).states, 0)["track"][0]
                    for s in range(9)
                }
            )
            > 3
        )


def test_solo_with_innovation_has_two_special_cards() -> None:
    play = dealt(1, players=1, innovation=True)
    assert len(play.state["special_market"]) == 2


def test_in_solo_nothing_is_put_on_the_market_when_a_card_is_taken() -> None:
    play = solo(market=[[1, 0], [2, 1]], deck=[5, 6]).do("annex:1")
    assert play.state["market"] == {"2": 1}


def test_at_the_end_of_a_round_coins_are_put_on_all_cards_and_one_is_drawn() -> None:
    play = solo(market=[[1, 0], [2, 1]], deck=[5, 6]).do("pass", "rest")
    assert play.state["market"] == {"1": 1, "2": 2, "5": 0}
    assert play.do("pass", "rest").state["market"] == {"1": 2, "2": 3, "5": 1, "6": 0}


@pytest.mark.parametrize(
    ("rnd", "techs", "points"), [(1, [], 2), (2, [], 0), (2, [7], 2), (4, [7, 8], 2), (5, [7, 8], 0)]
)
def test_strongest_compares_with_the_virtual_opponent(rnd: int, techs: list[int], points: int) -> None:
    changes: dict[str, Any] = {"technologies": [techs], "track": CONQUEST_OPEN[rnd]}
    if rnd == 1:
        changes |= {"main": [None], "civilizations": [[]], "market": [[46, 0]]}
    play = solo(rnd, **changes)
    assert play.act("conquest").has("points") == points


def _with_conquest(place: int) -> list[str]:
    rest = [card for card in SOLO_TRACK if card not in ("conquest", "plague")]
    order = [*rest[:4], "plague", *rest[4:]]
    order.insert(place if place < 4 else place + 1, "conquest")
    order.remove("plague")
    order.insert(4, "plague")
    return order


CONQUEST_OPEN = {rnd: _with_conquest(rnd - 1 if rnd != 5 else 5) for rnd in range(1, 7)}


def test_a_war_compares_with_the_virtual_opponent_of_the_new_round() -> None:
    """At the end of round 3: force 3 ties with the virtual opponent's and is weakest, 4 is not."""
    track = ["hunt", "fish", "farm", "culture", "plague", "trade", "construction", "conquest"]
    for techs, workers in (([7, 8], 2), ([7, 8, 9], 3)):
        play = solo(3, track=track, technologies=[techs], workers=[2]).do("rest")
        assert play.state["round"] == 4 and play.has("workers") == workers


def test_a_war_ends_with_a_sacrifice_only_for_those_who_are_not_stronger() -> None:
    play = solo(3, track=["hunt", "fish", "farm", "culture", "plague", "trade", "construction", "conquest"],
                technologies=[[7]], workers=[2]).do("rest")  # fmt: skip
    assert play.has("workers") == 2


def test_others_and_forbid_do_nothing_in_solo() -> None:
    play = solo(
        3, track=["hunt", "fish", "trade", "farm", "plague", "culture", "construction", "conquest"], coins=[0]
    )
    assert play.act("trade").state["coins"] == [2]


@pytest.mark.parametrize(
    ("changes", "achievements"),
    [
        ({"points": [19]}, []),
        ({"points": [24]}, [1]),
        ({"points": [24], "technologies": [[1]]}, [1]),
        ({"points": [25]}, [1, 2, 6]),
        ({"points": [25], "technologies": [[1]]}, [1, 2]),
        ({"points": [30], "technologies": [[1]]}, [1, 2, 3]),
        ({"points": [34], "technologies": [[1]]}, [1, 2, 3]),
        ({"points": [35], "technologies": [[1]]}, [1, 2, 3, 4]),
        ({"points": [25], "technologies": [[1, 2, 3, 4, 5, 6, 7, 8, 9]], "coins": [0]}, [1, 2, 5]),
        ({"points": [10], "technologies": [[1]], "wonders": [[1, 3, 7, 9]]}, [1, 2, 7]),
        (
            {"points": [25], "technologies": [[7, 8, 9]], "civilizations": [[32, 20, 5]], "main": [32]},
            [1, 2, 8],
        ),
        ({"points": [25], "technologies": [[7, 8]], "civilizations": [[32, 20, 5]], "main": [32]}, [1, 2]),
    ],
)
def test_achievements(changes: dict[str, Any], achievements: list[int]) -> None:
    given = {"main": [32], "civilizations": [[32]], "workers": [0], **changes}
    play = solo(6, **given)
    while not play.is_over:
        play.do("end" if "end" in play.legal else "rest")
    result = play.result
    assert result["winners"] == [] and result["achievements"] == achievements, result


def test_the_virtual_opponent_has_five_at_the_end() -> None:
    """R17: the Terracotta Army needs a force of five."""
    for techs, points in (([7, 8], 0), ([7, 8, 9], 5)):
        play = solo(6, technologies=[techs], wonders=[[14]])
        assert play.game.scores(play.states, 0).parts[0, 1] == points


def test_alone_is_a_contest_and_solo_is_not() -> None:
    assert alone().game.is_contest and not solo().game.is_contest
