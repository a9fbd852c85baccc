"""Actions, decisions and traces as PROTOCOL says."""

from __future__ import annotations

import json

import numpy as np
import pytest
from games.age_of_civilization.playing import alone, dealt, game_of, random_states, start

from genesia_rl.core import trace
from genesia_rl.core.errors import ActionError, TraceError
from genesia_rl.games.age_of_civilization.actions import NUM_ACTIONS, action_text, parse_action
from genesia_rl.games.age_of_civilization.names import ACTIONS, KINDS
from genesia_rl.games.age_of_civilization.variants import VARIANTS
from genesia_rl.players.random import RandomPlayer


def test_257_actions_in_the_order_of_the_table() -> None:
    texts = [action_text(action) for action in range(NUM_ACTIONS)]
    expected = ["end", "rest", "pass"]
    for verb, objects in (("rise", 48), ("annex", 48), ("card", 48)):
        expected += [f"{verb}:{k}" for k in range(1, objects + 1)]
    expected += [f"act:{name}" for name in ACTIONS]
    for verb, objects in (("special", 9), ("tech", 27), ("wonder", 15)):
        expected += [f"{verb}:{k}" for k in range(1, objects + 1)]
    expected += ["main", *(f"heritage:{k}" for k in range(1, 49))]
    assert texts == expected and len(texts) == 257
    assert [parse_action(text) for text in texts] == list(range(257))


@pytest.mark.parametrize(
    "text", ["", "rise", "rise:0", "rise:49", "rise:1x", "end:1", "act:1", "act:war", "tech:28", "wonder:16",
             "special:10", "heritage:49", "main:1", "Rise:1", " rise:1", "rise:01", "rise:-1", "none"]
)  # fmt: skip
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ActionError, match="allowed"):
        parse_action(text)


def test_every_kind_of_decision_is_asked_in_random_games() -> None:
    found = set()
    for config in ({"players": 2, "draft": True}, {"players": 3}, {"players": 4, "innovation": True}):
        for seed in range(60):
            for states, _ in random_states(game_of(**config), seed):
                found.add(KINDS[int(states[0]["kind"])])
    assert found == set(KINDS)


def test_a_decision_with_one_legal_action_is_never_asked() -> None:
    for name in ("players2", "solo", "all4"):
        for states, action in random_states(game_of(**VARIANTS[name]), 3):
            assert action < 0 or states[0]["num_legal"] >= 2


def test_no_game_asks_1000_questions_and_no_turn_40() -> None:
    for config in VARIANTS.values():
        for seed in range(3):
            assert sum(1 for _ in random_states(game_of(**config), seed)) < 200


def test_the_kinds_and_what_is_legal_in_them() -> None:
    play = start(market=[[1, 0], [2, 0]])
    assert play.asked == (0, "civilization")
    assert alone().asked == (0, "action")
    assert alone().act("research").asked == (0, "technology")
    assert alone(wonder_market=[1, 2]).act("wonder").asked == (0, "wonder")
    assert alone(6, open=["construction"]).act("construction").asked == (0, "grant")
    assert alone(21, market=[[1, 0], [2, 0]]).do("pass", "rest").asked == (0, "turn_end")


def test_traces_can_be_written_and_replayed() -> None:
    for name, config in VARIANTS.items():
        game = game_of(**config)
        written = trace.record(game, RandomPlayer(), seed=5, legal=True, with_states=True)
        assert json.loads(trace.to_line(written)) == written
        assert set(written["config"]) == {"players", "innovation", "changing_world", "draft", "track"}, name
        verdict = trace.verify(written, game)
        assert verdict.differences == [] and verdict.decisions == len(written["steps"])


def test_the_state_of_a_trace_has_all_of_protocol_3() -> None:
    keys = ["round", "first", "coins", "points", "workers", "idle", "force", "main", "civilizations", "technologies",
            "special_cards", "wonders", "market", "wonder_market", "special_market"]  # fmt: skip
    assert list(dealt(1, players=3).state) == keys


def test_the_result_has_all_of_protocol_3() -> None:
    keys = ["course", "wonders", "legacy", "score", "workers", "coins", "winners"]
    assert list(dealt(1).finish().result) == keys
    assert list(dealt(1, players=1).finish().result) == [*keys, "achievements"]


def test_a_seed_deals_the_same_game_everywhere() -> None:
    game = game_of(players=4, draft=True, innovation=True, changing_world=True)
    states = game.new_states(3)
    game.reset(states, 0, 11)
    game.reset(states, 2, 11)
    assert states[0].tobytes() == states[2].tobytes()


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("first", 2, "deal.first"),
        ("track", ["hunt"] * 8, "deal.track"),
        ("wonders", [1, 2, 3, 4], "5 numbers 1..15"),
        ("wonders", [1, 2, 3, 4, 4], "every number once"),
        ("deck", [1, 2, 3], "11 numbers 1..48"),
        ("deck", [*range(1, 11), 49], "1..48"),
        ("specials", [1, 2, 3], "null without innovation"),
        ("events", [1, 2, 3], "null without changing_world"),
        ("packs", [[1] * 7] * 2, "null without draft"),
        ("zzz", 1, "unknown key"),
    ],
)
def test_deals_that_cannot_be_are_refused(key: str, value: object, words: str) -> None:
    game = game_of(players=2)
    states = game.new_states()
    game.reset(states, 0, 1)
    deal = game.deal_dict(states, 0)
    with pytest.raises(TraceError, match=words):
        game.put_deal(states, 0, {**deal, key: value})
    del deal["deck"]
    with pytest.raises(TraceError, match="deck is missing"):
        game.put_deal(states, 0, deal)


def test_deals_of_the_variants_are_checked() -> None:
    game = game_of(players=2, draft=True, innovation=True, changing_world=True)
    states = game.new_states()
    game.reset(states, 0, 1)
    deal = game.deal_dict(states, 0)
    for key, value in (
        ("deck", [1]), ("specials", None), ("events", None), ("packs", None), ("packs", [[1, 2, 3, 4, 5, 6, 7]] * 2),
        ("packs", [[1, 2, 3, 4, 5, 6]] * 2),
    ):  # fmt: skip
        with pytest.raises(TraceError, match="allowed"):
            game.put_deal(states, 0, {**deal, key: value})


def test_removed_civilizations_are_in_no_deck_of_the_solo_mode() -> None:
    game = game_of(players=1)
    states = game.new_states()
    game.reset(states, 0, 1)
    deal = game.deal_dict(states, 0)
    with pytest.raises(TraceError, match="removed in the solo mode"):
        game.put_deal(states, 0, {**deal, "deck": [30, *range(1, 10)]})
    track = deal["track"]
    with pytest.raises(TraceError, match="fifth"):
        game.put_deal(states, 0, {**deal, "track": [track[4], *track[:4], *track[5:]]})


def test_illegal_actions_are_refused_with_what_is_allowed() -> None:
    play = alone()
    before = play.states.tobytes()
    with pytest.raises(ActionError, match="allowed are act:"):
        play.do("rise:1")
    assert play.states.tobytes() == before


def test_actions_in_words() -> None:
    game = alone().game
    for action in range(NUM_ACTIONS):
        assert game.describe(action)
    assert np.all([game.describe(parse_action("rise:1")) == "let Egypt rise"])
