"""PROTOCOL 3: how a game is written down (reading and comparing: test_trace.py)."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from env_tools import Told
from games.genesia.positions import dealt, game_of, position, start

from genesia_rl.core.errors import TraceError
from genesia_rl.core.game import Game, States
from genesia_rl.core.trace import read_traces, record, verify


def chooser(seed: int) -> Told:
    """Somebody who does anything that is legal."""
    rng = random.Random(seed)

    def choose(game: Game, states: States) -> int:
        return rng.choice(game.legal_actions(states, 0))

    return Told(choose)


def trace(seed: int = 1, legal: bool = True, with_states: bool = True, **config: Any) -> dict[str, Any]:
    """A random game, written down."""
    return record(game_of(**config), chooser(seed), seed=seed, legal=legal, with_states=with_states)


def test_a_trace_has_these_fields() -> None:
    """PROTOCOL 3."""
    found = trace(players=3)
    assert list(found) == ["format", "config", "seed", "deal", "steps", "result"]
    assert found["format"] == "genesia-trace/2" and found["seed"] == 1
    assert list(found["deal"]) == ["turn_order", "objectives", "packs"]
    assert list(found["result"]) == [
        "progress", "radiance", "conquest", "objective", "objective_kept", "score", "winners",
    ]  # fmt: skip


def test_the_config_has_every_field_resolved() -> None:
    """PROTOCOL 3: every field of RULES 3; lots is three lists of colours."""
    assert trace(players=3)["config"] == {
        "players": 3, "lots": [["blue", "yellow", "green"]] * 3, "decks": None, "promos": False,
        "objectives": True, "extra_objectives": False, "objective_pool": "lots",
        "attack_recruiting": False, "teams": None, "solo_level": "beginner",
    }  # fmt: skip


def test_the_deal_has_objectives_by_seat_and_packs_by_age_and_seat() -> None:
    """PROTOCOL 3: packs[age][s] is the pack seat s holds first; objectives are null without objectives."""
    found = trace(players=3)
    deal = found["deal"]
    assert [len(pair) for pair in deal["objectives"]] == [2, 2, 2]
    assert [[len(pack) for pack in age] for age in deal["packs"]] == [[6] * 3] * 3
    first = next(step for step in found["steps"] if step[1] == "draft")
    assert first[0] == deal["turn_order"][0]
    assert first[3] == sorted(f"card:{c}" for c in deal["packs"][0][first[0]])
    assert trace(objectives=False)["deal"]["objectives"] is None


def test_the_turn_order_is_that_of_age_one() -> None:
    """PROTOCOL 3."""
    assert trace(4, players=4)["deal"]["turn_order"] == dealt(4, players=4).order


def test_the_packs_of_a_solo_deal_are_the_hands() -> None:
    """PROTOCOL 3: solo, the dealt hands; steps say the tribe; the result adds solo_score."""
    found = trace(players=1)
    assert [[len(pack) for pack in age] for age in found["deal"]["packs"]] == [[5, 5], [5, 5], [4, 4]]
    assert found["deal"]["objectives"] is None
    assert {step[0] for step in found["steps"]} == {0, 1}
    assert list(found["result"])[-1] == "solo_score"


@pytest.mark.parametrize(("legal", "with_states", "length"), [(False, False, 3), (True, False, 4),
                                                              (False, True, 5), (True, True, 5)])  # fmt: skip
def test_a_step_is_seat_kind_action_and_then_legal_set_and_state(
    legal: bool, with_states: bool, length: int
) -> None:
    """PROTOCOL 3: a fourth item, null when only states are written, and a fifth."""
    for step in trace(legal=legal, with_states=with_states)["steps"]:
        assert len(step) == length
        if length > 3:
            assert (step[3] is None) is not legal


def test_legal_sets_are_sorted_as_text_and_have_at_least_two_actions() -> None:
    """PROTOCOL 3: all legal actions as text, sorted as text; forced decisions leave no step."""
    for step in trace(2, players=3)["steps"]:
        assert step[3] == sorted(step[3]) and len(step[3]) >= 2 and step[2] in step[3]


def test_states_are_those_before_the_decision_with_only_non_empty_regions() -> None:
    """PROTOCOL 3: coins, clans in supply, clans by seat, cities as seats."""
    made = position(game_of(), coins=[2, 0], cities={16: [0, 1]}, clans={4: {0: 2}, 5: [0, 0]})
    found = record(game_of(), chooser(1), position=made, with_states=True)
    assert found["steps"][0][4] == {
        "coins": [2, 0], "supply": [28, 30], "clans": {"4": [2, 0]}, "cities": {"16": [0, 1]}
    }  # fmt: skip


@pytest.mark.parametrize(
    "config", [{}, {"players": 5, "promos": True}, {"players": 1}, {"attack_recruiting": True}]
)
def test_deal_and_steps_reproduce_the_game_without_the_seed(config: dict[str, Any]) -> None:
    """PROTOCOL 3: through JSON, legal sets, states and result compared."""
    found = json.loads(json.dumps(trace(3, **config)))
    del found["seed"]
    verdict = verify(found)
    assert verdict.differences == [] and verdict.decisions == len(found["steps"])


def test_a_trace_that_is_wrong_is_found_out() -> None:
    """PROTOCOL 3: every legal set and every result is compared."""
    found = json.loads(json.dumps(trace(3)))
    found["result"]["score"][0] += 1
    assert len(verify(found).differences) == 1
    found["steps"][9][3].append("war")
    assert len(verify(found).differences) == 2


def test_the_same_config_and_seed_give_the_same_trace() -> None:
    """PROTOCOL 3."""
    assert trace(5, players=3) == trace(5, players=3)
    assert trace(5, players=3) != trace(6, players=3)


def test_a_trace_from_a_position_has_the_position_instead_of_the_deal() -> None:
    """PROTOCOL 4: the seed is optional."""
    made = position(game_of(), age=3, phase="attack", clans={1: {0: 3}, 4: {1: 1}})
    found = record(game_of(), chooser(1), position=made, legal=True, with_states=True)
    assert list(found) == ["format", "config", "position", "steps", "result"]
    assert found["position"] == made
    assert verify(json.loads(json.dumps(found))).differences == []


def test_progress_in_the_result_is_by_seat_and_age() -> None:
    """PROTOCOL 3: [[I, II, III] for each seat]."""
    result = start(age=3, phase="end", progress=[[1, 2], [3, 4]], inventions=[[61], []]).result
    assert result["progress"] == [[1, 2, 3], [3, 4, 0]]


def test_a_trace_of_the_first_revision_is_refused_by_its_name(tmp_path: Path) -> None:
    """PROTOCOL 3: a trace of another format is refused by that name, not replayed."""
    old = tmp_path / "old.jsonl"
    old.write_text(json.dumps({**trace(players=3), "format": "genesia-trace/1"}) + "\n", encoding="utf-8")
    with pytest.raises(TraceError, match=r"line 1: format = 'genesia-trace/1', allowed is .*genesia-trace/2"):
        list(read_traces(old))


def test_the_supply_of_a_state_lacks_the_markers() -> None:
    """PROTOCOL 3: clans in supply; here seat 1 has marked a copied Invention."""
    made = position(game_of(), hands=[[2], []], inventions=[[1], [1]], copied=[[], [1]], clans={0: {0: 1}})
    found = record(game_of(), chooser(1), position=made, with_states=True)
    assert found["steps"][0][4]["supply"] == [29, 29]


def test_winners_are_ascending_and_all_members_of_the_best_team() -> None:
    """PROTOCOL 3."""
    fields: dict[str, Any] = {"players": 3, "age": 3, "phase": "end", "teams": [[2, 0], [1]]}
    assert start(progress=[[3, 0], [1, 0], [9, 0]], **fields).result["winners"] == [0, 2]
