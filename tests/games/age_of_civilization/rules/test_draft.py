"""The draft of civilizations (RULES 9)."""

from __future__ import annotations

import pytest
from games.age_of_civilization.playing import Playing, dealt, start

from genesia_rl.games.age_of_civilization.tables import members

DRAFT = {"draft": True}


def drafted(players: int, seed: int = 1) -> tuple[Playing, list[list[int]], list[list[int]]]:
    """A game after the draft in which everybody keeps the lowest card; the packs, and what was kept by seat."""
    play = dealt(seed, players=players, draft=True)
    packs = play.game.deal_dict(play.states, 0)["packs"]
    kept: list[list[int]] = [[] for _ in range(players)]
    while play.asked is not None and play.asked[1] == "draft":
        card = min(play.objects("card"), key=int)
        kept[play.asked[0]].append(int(card))
        play.do(f"card:{card}")
    return play, packs, kept


@pytest.mark.parametrize("players", [2, 3, 4])
def test_five_picks_of_packs_that_pass_to_the_left(players: int) -> None:
    play, packs, kept = drafted(players)
    held = [sorted(pack) for pack in packs]
    expected: list[list[int]] = [[] for _ in range(players)]
    for _ in range(5):
        for seat in range(players):
            expected[seat].append(held[seat].pop(0))
        held = [held[(seat - 1) % players] for seat in range(players)]
    assert kept == expected
    assert sorted(map(int, play.state["market"])) == sorted(card for pack in held for card in pack)
    assert len(play.state["market"]) == 2 * players and set(play.state["market"].values()) == {0}


def test_packs_have_seven_different_cards_each() -> None:
    for seed in range(20):
        packs = dealt(seed, players=4, draft=True).game.deal_dict(
            dealt(seed, players=4, draft=True).states, 0
        )["packs"]
        cards = [card for pack in packs for card in pack]
        assert [len(pack) for pack in packs] == [7] * 4 and len(set(cards)) == 28


def test_the_seat_with_the_token_picks_first_and_packs_pass_when_all_have_picked() -> None:
    play = dealt(4, players=3, draft=True)
    first = play.state["first"]
    sizes = []
    for k in range(15):
        assert play.asked == ((first + k) % 3, "draft")
        sizes.append(len(play.legal))
        play.do(sorted(play.legal)[0])
    assert sizes == [7] * 3 + [6] * 3 + [5] * 3 + [4] * 3 + [3] * 3
    assert play.asked == (first, "civilization")


def test_during_the_draft_the_market_is_empty() -> None:
    play = dealt(4, players=3, draft=True)
    assert play.state["market"] == {} and play.game.deal_dict(play.states, 0)["deck"] == []


def test_cards_of_the_market_and_of_the_own_hand_may_be_taken() -> None:
    play, _, kept = drafted(3)
    seat = play.asked[0] if play.asked else -1
    cards = {*map(str, kept[seat]), *play.state["market"]}
    assert play.objects("rise") == cards and play.objects("annex") == set()
    play.do(f"rise:{kept[seat][0]}")
    assert members(int(play.states[0]["hand"][seat])) == sorted(kept[seat][1:])
    assert len(play.state["market"]) == 6


def test_nothing_is_drawn_and_no_coins_are_put_on_the_market() -> None:
    play = start(config=DRAFT, market=[[1, 0], [2, 0]], hands=[[5, 6], [7]]).do("annex:1")
    assert play.state["market"] == {"2": 0}


def test_the_bonus_is_two_coins_but_for_the_first_civilization() -> None:
    later = start(config=DRAFT, market=[[1, 3]], hands=[[5, 6], [7]], coins=[0, 0])
    assert later.copy().do("rise:5").has("coins") == 2
    assert later.copy().do("annex:6").has("coins") == 2
    assert later.copy().do("annex:1").has("coins") == 5
    first = start(rnd=1, config=DRAFT, market=[[1, 3]], hands=[[5, 6], [7]], coins=[0, 0])
    assert first.copy().do("rise:5").has("coins") == 0
    assert first.copy().do("rise:1").has("coins") == 3


def test_carthage_and_iberia_use_the_bonus_of_the_draft() -> None:
    play = start(config=DRAFT, hands=[[10, 15], [7]], coins=[0, 0])
    assert play.copy().do("rise:10").has("coins") == 6
    iberia = play.copy().do("rise:15")
    assert iberia.asked == (0, "technology") and iberia.do("tech:1").asked == (0, "action")


def test_hands_are_never_refilled() -> None:
    play = start(config=DRAFT, hands=[[5, 6], [7]]).do("annex:5")
    assert members(int(play.states[0]["hand"][0])) == [6]
