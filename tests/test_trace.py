"""Games as files: what is recorded replays, what was changed is found, and random play is one thing."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genesia_rl import rng
from genesia_rl.contract import RESULT
from genesia_rl.errors import GenesiaError, TraceError
from genesia_rl.policy import RandomPolicy, make_policy, mix
from genesia_rl.registry import make_game
from genesia_rl.trace import (
    begin,
    game_of,
    numbered_traces,
    read_position,
    read_traces,
    record,
    to_line,
    verify,
)

Trace = dict[str, Any]

MODES: dict[str, dict[str, Any]] = {
    **{f"{n} players": {"players": n} for n in (2, 3, 4, 5)},
    **{f"solo, {level}": {"players": 1, "solo_level": level} for level in ("beginner", "expert", "heroic")},
    "promos": {"players": 3, "promos": True},
    "extra objectives": {"players": 2, "extra_objectives": True},
    "no objectives": {"players": 2, "objectives": False},
    "attack recruiting": {"players": 2, "attack_recruiting": True},
    "teams": {"players": 4, "teams": [[0, 2], [1, 3]]},
    "lots that change": {"lots": [["red", "violet"], ["green", "blue"], ["yellow", "red"]]},
    "decks": {"decks": [[*range(1, 7), *range(13, 18), 91], [*range(31, 43)], [*range(61, 72), 98]]},
}

POSITION: Trace = {
    "age": 3,
    "phase": "growth",
    "turn_order": [1, 0],
    "coins": [9, 14],
    "hands": [[61, 64, 80], [67, 72, 83, 81]],
    "clans": {"0": [4, 1], "1": [2, 0], "16": [0, 3], "20": [0, 5], "23": [3, 0]},
    "cities": {"1": [0], "20": [1]},
    "inventions": [[5], [9]],
    "progress": [[3, 4], [2, 6]],
    "conquests": [1, 0],
    "objectives": [3, None],
    "packs": [],
}


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A game of three with legal sets and states."""
    return record(make_game(players=3), RandomPolicy(4), 4, legal=True, with_states=True)


# ---------------------------------------------------------------- recording and replaying


@pytest.mark.parametrize("name", MODES)
def test_what_is_recorded_replays_without_a_difference(name: str) -> None:
    game = make_game(**MODES[name])
    for seed in range(3):
        made = record(game, RandomPolicy(seed), seed, legal=seed != 1, with_states=seed != 2)
        verdict = verify(json.loads(to_line(made)))
        assert verdict.differences == []
        assert verdict.decisions == len(made["steps"]) > 20


@pytest.mark.parametrize("name", [name for name in MODES if MODES[name].get("players", 2) <= 2])
def test_a_position_of_two_seats_is_recorded_and_replays(name: str) -> None:
    fields = MODES[name]
    position = copy.deepcopy(POSITION)
    if "lots" in fields or "decks" in fields or not fields.get("objectives", fields.get("players") != 1):
        position["objectives"] = [None, None]
    made = record(make_game(**fields), RandomPolicy(1), 1, position)
    assert made["position"] == position and "deal" not in made
    assert verify(json.loads(to_line(made))).differences == []


def test_a_position_needs_no_seed() -> None:
    made = record(make_game(), RandomPolicy(1), None, POSITION)
    assert "seed" not in made and verify(made).differences == []


def test_a_recording_needs_a_seed_or_a_position() -> None:
    with pytest.raises(TraceError, match="neither seed nor position"):
        record(make_game(), RandomPolicy(1))


def test_a_trace_has_the_keys_of_the_protocol_in_its_order(trace: Trace) -> None:
    assert list(trace) == ["format", "config", "seed", "deal", "steps", "result"]
    assert trace["format"] == "genesia-trace/1" and trace["seed"] == 4
    assert list(trace["config"]) == [
        "players", "lots", "decks", "promos", "objectives", "extra_objectives", "attack_recruiting",
        "teams", "solo_level",
    ]  # fmt: skip
    assert list(trace["deal"]) == ["turn_order", "objectives", "packs"]
    assert list(trace["result"]) == [
        "progress", "radiance", "conquest", "objective", "objective_kept", "score", "winners",
    ]  # fmt: skip


def test_steps_hold_legal_sets_and_states_as_they_were_asked_for() -> None:
    game = make_game()
    plain, legal, both, states = (
        record(game, RandomPolicy(2), 2, None, *flags)["steps"][5]
        for flags in ((False, False), (True, False), (True, True), (False, True))
    )
    assert len(plain) == 3 and legal[:3] == plain and both[:4] == legal
    assert legal[3] == sorted(legal[3]) and plain[2] in legal[3]
    assert states[:3] == plain and states[3] is None and states[4] == both[4]
    assert list(both[4]) == ["coins", "clans", "cities"]


def test_no_step_is_forced(trace: Trace) -> None:
    assert min(len(step[3]) for step in trace["steps"]) >= 2


def test_a_solo_trace_has_a_solo_score_and_no_winner() -> None:
    made = record(make_game(players=1), RandomPolicy(3), 3)
    assert made["deal"]["objectives"] is None
    result = made["result"]
    assert result["winners"] == [] and result["objective_kept"] == [None, None]
    assert result["solo_score"] == min(result["score"])


def test_a_deal_replays_without_the_seed(trace: Trace) -> None:
    other = {**trace, "seed": 99}
    assert verify(other).differences == []
    del other["seed"]
    assert verify(other).differences == []


# ---------------------------------------------------------------- random play is one thing


@pytest.mark.parametrize("value", [0, 1, 77, (1 << 63) + 5, (1 << 64) - 1])
def test_the_plain_stream_is_the_compiled_one(value: int) -> None:
    assert mix(value) == int(rng.mix(np.uint64(value)))


@pytest.mark.parametrize("name", MODES)
def test_the_recorder_plays_the_games_of_the_compiled_random_player(name: str) -> None:
    game = make_game(**MODES[name])
    seeds = np.array([0, 1, 12345, (1 << 63) - 1], np.uint64)
    results = np.zeros(len(seeds), RESULT)
    game.entries.play_random(game.new_states(), 0, game.tables, seeds, results)
    for seed, row in zip(seeds.tolist(), results, strict=True):
        made = record(game, RandomPolicy(seed), seed)
        assert row["totals"][: game.num_seats].tolist() == made["result"]["score"]
        assert row["steps"] == len(made["steps"])
        assert row["order"][: game.num_seats].tolist() == made["deal"]["turn_order"]


def test_an_unknown_policy_is_named_with_the_known_ones() -> None:
    with pytest.raises(GenesiaError, match="agent 'nobody': unknown, allowed are random, greedy"):
        make_policy("nobody", 1)


def test_agents_play_games_that_are_recorded() -> None:
    game = make_game("genesia", players=3)
    trace = record(game, make_policy("greedy,random,settler", 3), 3)
    assert trace == record(game, make_policy("greedy,random,settler", 3), 3)
    assert verify(trace).differences == []
    with pytest.raises(GenesiaError, match="2 agents, allowed is 1 for all or 3"):
        record(game, make_policy("greedy,random", 3), 3)


# ---------------------------------------------------------------- what was changed is found


def _other_seat(t: Trace) -> None:
    t["steps"][30][0] = (t["steps"][30][0] + 1) % 3


def _other_kind(t: Trace) -> None:
    t["steps"][30][1] = "leap_to"


def _illegal_action(t: Trace) -> None:
    t["steps"][30][2] = "region:57"


def _no_action(t: Trace) -> None:
    t["steps"][30][2] = "jump:3"


def _smaller_legal_set(t: Trace) -> None:
    t["steps"][30][3].pop()


def _unsorted_legal_set(t: Trace) -> None:
    t["steps"][30][3].reverse()


def _other_coins(t: Trace) -> None:
    t["steps"][30][4]["coins"][0] += 1


def _other_clans(t: Trace) -> None:
    t["steps"][-1][4]["clans"]["0"] = [1, 2, 3]


def _other_cities(t: Trace) -> None:
    t["steps"][-1][4]["cities"]["57"] = [2]


def _no_state(t: Trace) -> None:
    t["steps"][30][4] = "empty"


def _short_step(t: Trace) -> None:
    t["steps"][30] = [0, "growth"]


def _step_too_many(t: Trace) -> None:
    t["steps"].append([0, "growth", "end"])


def _step_missing(t: Trace) -> None:
    t["steps"].pop()


def _other_score(t: Trace) -> None:
    t["result"]["score"][1] += 1


def _other_progress(t: Trace) -> None:
    t["result"]["progress"][2][0] += 1


def _other_winners(t: Trace) -> None:
    t["result"]["winners"] = []


def _no_result(t: Trace) -> None:
    t["result"] = 7


def _card_dealt_twice(t: Trace) -> None:
    packs = t["deal"]["packs"][0]
    packs[0][0] = packs[1][0]


CORRUPTIONS: dict[str, tuple[Callable[[Trace], None], str, int | None]] = {
    "a seat": (_other_seat, "seat", 30),
    "a kind": (_other_kind, "kind", 30),
    "an illegal action": (_illegal_action, "action", 30),
    "no action at all": (_no_action, "action", 30),
    "a legal set": (_smaller_legal_set, "legal set", 30),
    "the order of a legal set": (_unsorted_legal_set, "legal set", 30),
    "coins": (_other_coins, "coins", 30),
    "clans": (_other_clans, "clans", -1),
    "cities": (_other_cities, "cities", -1),
    "no state": (_no_state, "coins", 30),
    "a step that is none": (_short_step, "form of the step", 30),
    "a step too many": (_step_too_many, "decision", -1),
    "a step that is missing": (_step_missing, "end of the game", -1),
    "a score": (_other_score, "score", None),
    "progress": (_other_progress, "progress", None),
    "winners": (_other_winners, "winners", None),
    "no result": (_no_result, "form of the result", None),
    "a deal": (_card_dealt_twice, "beginning", 0),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corrupted_trace_is_found_where_it_was_corrupted(trace: Trace, name: str) -> None:
    change, what, step = CORRUPTIONS[name]
    other = copy.deepcopy(trace)
    change(other)
    first = verify(other).differences[0]
    assert first.what == what
    if step == -1:
        assert first.step is not None and first.step >= len(trace["steps"]) - 1
    else:
        assert first.step == step


def test_a_difference_comes_with_the_decisions_before_it_and_the_position(trace: Trace) -> None:
    other = copy.deepcopy(trace)
    other["steps"][30][4]["coins"][0] = 77
    *before, drawn = verify(other).differences[0].context
    assert [line.split(":")[0] for line in before] == [f"step {n}" for n in range(25, 30)]
    assert drawn.startswith("Age I") and "decides" in drawn


def test_a_difference_that_leaves_the_action_legal_does_not_end_the_replay(trace: Trace) -> None:
    other = copy.deepcopy(trace)
    for number in (10, 20, 30):
        other["steps"][number][3] = []
    verdict = verify(other)
    assert [d.step for d in verdict.differences] == [10, 20, 30]
    assert verdict.decisions == len(trace["steps"])


def test_a_trace_without_a_result_may_stop_in_the_middle(trace: Trace) -> None:
    part = {**trace, "steps": trace["steps"][:50]}
    del part["result"]
    verdict = verify(part)
    assert verdict.differences == [] and verdict.decisions == 50


NONSENSE: list[Any] = [None, 7, -1, "x", [], {}, [[]], True, 1.5]


@pytest.mark.parametrize("value", NONSENSE, ids=repr)
@pytest.mark.parametrize(
    "place", ["deal", "steps", "result", "step", "seat", "kind", "action", "legal", "state"]
)
def test_nonsense_in_a_trace_is_a_difference_and_never_a_crash(trace: Trace, place: str, value: Any) -> None:
    other = copy.deepcopy(trace)
    inside = {"seat": 0, "kind": 1, "action": 2, "legal": 3, "state": 4}
    if place == "step":
        other["steps"][3] = value
    elif place == "steps":
        other["steps"] = [value]
    elif place in inside:
        other["steps"][3][inside[place]] = value
    else:
        other[place] = value
    same = place in ("legal", "state", "result") and value is None  # null: not written
    kept = other == trace or (place == "seat" and value == trace["steps"][3][0])
    empty = place == "result" and value == {}
    assert bool(verify(other).differences) is not (same or kept or empty)


# ---------------------------------------------------------------- files


def test_lines_are_counted_from_one_and_empty_ones_passed_over(tmp_path: Path, trace: Trace) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n" + to_line(trace) + "\n\n" + to_line(trace), encoding="utf-8")
    assert [line for line, _ in numbered_traces(path)] == [2, 5]
    assert list(read_traces(path)) == [trace, trace]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "is no JSON"),
        ("7", "format = 7"),
        ('{"format": "chess/1"}', "format = 'chess/1', allowed is genesia-trace/1"),
        ('{"format": "genesia-trace/1"}', "config = None"),
        ('{"format": "genesia-trace/1", "config": {}}', "neither of deal and position"),
        (
            '{"format": "genesia-trace/1", "config": {}, "deal": {}, "position": {}}',
            "both of deal and position",
        ),
        ('{"format": "genesia-trace/1", "config": {}, "deal": {}}', "steps = None, allowed is a list"),
    ],
)
def test_a_line_that_is_no_trace_is_refused_with_its_number(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n" + line + "\n", encoding="utf-8")
    with pytest.raises(TraceError) as caught:
        list(read_traces(path))
    assert "line 2" in str(caught.value) and reason in str(caught.value)


def test_a_file_that_is_not_text_or_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with pytest.raises(TraceError, match="cannot be read"):
        list(read_traces(path))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(TraceError, match="not UTF-8"):
        list(read_traces(path))


def test_a_position_file_holds_a_configuration_and_a_position(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps({"config": {"players": 2}, "position": POSITION}), encoding="utf-8")
    assert read_position(path) == ({"players": 2}, POSITION)


OTHER_FORMS = [
    "",
    "[]",
    "{}",
    '{"config": {}}',
    '{"config": {}, "position": []}',
    '{"config": 1, "position": {}}',
    '{"config": {}, "position": {}, "seed": 1}',
]


@pytest.mark.parametrize("text", OTHER_FORMS)
def test_a_position_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "position.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TraceError, match=r"position\.json"):
        read_position(path)


def test_the_game_of_a_trace_is_made_from_its_configuration(trace: Trace) -> None:
    game = game_of(trace)
    assert game.config_dict() == trace["config"]
    assert game.deal_dict(begin(game, {**trace, "steps": []}), 0)["packs"] == trace["deal"]["packs"]
