"""Games as files, of every registered game: what is recorded replays, what was changed is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from env_tools import EVERY, SMALLEST, game_of

from genesia_rl.core.errors import ConfigError, GenesiaError, TraceError
from genesia_rl.core.registry import game_names, make_game
from genesia_rl.core.trace import (
    begin,
    numbered_traces,
    read_position,
    read_traces,
    record,
    to_line,
    trace_format,
    verify,
)
from genesia_rl.core.trace import (
    game_of as game_of_trace,
)
from genesia_rl.players.codes import make_player
from genesia_rl.players.random import RandomPlayer

Trace = dict[str, Any]
ANY = {"config": {}, "format": trace_format(game_names()[0])}


@pytest.fixture(scope="module", params=SMALLEST)
def trace(request: pytest.FixtureRequest) -> Trace:
    """A game of every registered one, with legal sets and states."""
    return record(game_of(request.param), RandomPlayer(), 4, legal=True, with_states=True)


# ---------------------------------------------------------------- recording and replaying


@pytest.mark.parametrize("variant", EVERY)
def test_what_is_recorded_replays_without_a_difference(variant: str) -> None:
    game = game_of(variant)
    for seed in range(2):
        made = record(game, RandomPlayer(), seed, legal=seed != 1, with_states=seed != 0)
        verdict = verify(json.loads(to_line(made)))
        assert verdict.differences == []
        assert verdict.decisions == len(made["steps"]) > 0


def test_a_recording_needs_a_seed_or_a_position() -> None:
    with pytest.raises(TraceError, match="neither seed nor position"):
        record(make_game(), RandomPlayer())


def test_a_recording_needs_one_player_for_all_seats_or_one_for_each() -> None:
    with pytest.raises(ConfigError, match="players: 3 of them, allowed is 1 for all or 2"):
        record(make_game(), [RandomPlayer()] * 3, 1)


def test_a_trace_has_the_keys_of_the_protocol_in_its_order(trace: Trace) -> None:
    assert list(trace) == ["format", "config", "seed", "deal", "steps", "result"]
    assert trace["format"] in {trace_format(name) for name in game_names()} and trace["seed"] == 4


def test_steps_hold_legal_sets_and_states_as_they_were_asked_for() -> None:
    plain, legal, both, states = (
        record(make_game(), RandomPlayer(), 2, None, *flags)["steps"][5]
        for flags in ((False, False), (True, False), (True, True), (False, True))
    )
    assert len(plain) == 3 and legal[:3] == plain and both[:4] == legal
    assert legal[3] == sorted(legal[3]) and plain[2] in legal[3]
    assert states[:3] == plain and states[3] is None and states[4] == both[4]


def test_no_step_is_forced(trace: Trace) -> None:
    assert min(len(step[3]) for step in trace["steps"]) >= 2


def test_a_deal_replays_without_the_seed(trace: Trace) -> None:
    other = {**trace, "seed": 99}
    assert verify(other).differences == []
    del other["seed"]
    assert verify(other).differences == []


# ---------------------------------------------------------------- random play is one thing


@pytest.mark.parametrize("variant", EVERY)
def test_the_recorder_plays_the_games_of_the_compiled_random_player(variant: str) -> None:
    game = game_of(variant)
    seeds = np.array([0, 1, 12345, (1 << 63) - 1], np.uint64)
    results = np.zeros(len(seeds), game.facts.result_dtype)
    game.kernels.play_random(game.new_states(), 0, game.tables, seeds, results)
    for seed, row in zip(seeds.tolist(), results, strict=True):
        made = record(game, RandomPlayer(), seed)
        states = begin(game, made)
        for step in made["steps"]:
            game.step(states, 0, game.parse_action(step[2]))
        scores = game.scores(states, 0)
        assert row["totals"][: game.num_seats].tolist() == scores.totals.tolist()
        assert row["ranks"][: game.num_seats].tolist() == scores.ranks.tolist()
        assert row["steps"] == len(made["steps"])
        assert sorted(row["order"][: game.num_seats].tolist()) == list(range(game.num_seats))


@pytest.mark.parametrize("name", game_names())
def test_an_unknown_player_is_named_with_the_known_ones(name: str) -> None:
    with pytest.raises(GenesiaError, match="agent 'nobody': unknown, allowed are random"):
        make_player("nobody", name)


# ---------------------------------------------------------------- what was changed is found


def middle(t: Trace) -> int:
    """A step in the middle of the game."""
    return len(t["steps"]) // 2


def _other_seat(t: Trace) -> None:
    t["steps"][middle(t)][0] = 77


def _other_kind(t: Trace) -> None:
    t["steps"][middle(t)][1] = "nothing"


def _no_action(t: Trace) -> None:
    t["steps"][middle(t)][2] = "jump:3"


def _smaller_legal_set(t: Trace) -> None:
    t["steps"][middle(t)][3].pop()


def _unsorted_legal_set(t: Trace) -> None:
    t["steps"][middle(t)][3].reverse()


def _other_state(t: Trace) -> None:
    state = t["steps"][-1][4]
    state[next(iter(state))] = "changed"


def _short_step(t: Trace) -> None:
    step = t["steps"][middle(t)]
    del step[2:]


def _step_too_many(t: Trace) -> None:
    t["steps"].append(t["steps"][-1][:3])


def _step_missing(t: Trace) -> None:
    t["steps"].pop()


def _other_result(t: Trace) -> None:
    t["result"]["score"][1] += 1


def _other_winners(t: Trace) -> None:
    t["result"]["winners"] = []


def _no_result(t: Trace) -> None:
    t["result"] = 7


MIDDLE, END = "middle", "end"
CORRUPTIONS: dict[str, tuple[Callable[[Trace], None], str, str | None]] = {
    "a seat": (_other_seat, "seat", MIDDLE),
    "a kind": (_other_kind, "kind", MIDDLE),
    "no action at all": (_no_action, "action", MIDDLE),
    "a legal set": (_smaller_legal_set, "legal set", MIDDLE),
    "the order of a legal set": (_unsorted_legal_set, "legal set", MIDDLE),
    "a state": (_other_state, "", END),
    "a step that is none": (_short_step, "form of the step", MIDDLE),
    "a step too many": (_step_too_many, "decision", END),
    "a step that is missing": (_step_missing, "end of the game", END),
    "a score": (_other_result, "score", None),
    "winners": (_other_winners, "winners", None),
    "no result": (_no_result, "form of the result", None),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corrupted_trace_is_found_where_it_was_corrupted(trace: Trace, name: str) -> None:
    change, what, where = CORRUPTIONS[name]
    other = copy.deepcopy(trace)
    change(other)
    first = verify(other).differences[0]
    assert first.what == what or (not what and first.theirs == "changed")
    if where == END:
        assert first.step is not None and first.step >= len(trace["steps"]) - 1
    else:
        assert first.step == (middle(trace) if where else None)


def test_a_difference_comes_with_the_decisions_before_it_and_the_position(trace: Trace) -> None:
    other, at = copy.deepcopy(trace), middle(trace)
    other["steps"][at][4] = "empty"
    *before, drawn = verify(other).differences[0].context
    assert [line.split(":")[0] for line in before] == [f"step {n}" for n in range(at - 5, at)]
    game = game_of_trace(trace)
    states = begin(game, trace)
    for step in trace["steps"][:at]:
        game.step(states, 0, game.parse_action(step[2]))
    assert drawn == game.draw(states, 0)


def test_a_difference_that_leaves_the_action_legal_does_not_end_the_replay(trace: Trace) -> None:
    other = copy.deepcopy(trace)
    for number in (1, 2, middle(trace)):
        other["steps"][number][3] = []
    verdict = verify(other)
    assert [d.step for d in verdict.differences] == [1, 2, middle(trace)]
    assert verdict.decisions == len(trace["steps"])


def test_a_trace_without_a_result_may_stop_in_the_middle(trace: Trace) -> None:
    part = {**trace, "steps": trace["steps"][: middle(trace)]}
    del part["result"]
    verdict = verify(part)
    assert verdict.differences == [] and verdict.decisions == middle(trace)


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
    as_before = other == trace or (place == "seat" and value == trace["steps"][3][0])
    kept = as_before and value is not True  # which Python takes for 1
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
        ("{", "is not JSON"),
        ("7", "format = 7"),
        ('{"format": "chess/1"}', "format = 'chess/1', allowed is "),
        (json.dumps({**ANY, "config": None}), "config = None"),
        (json.dumps(ANY), "neither of deal and position"),
        (json.dumps({**ANY, "deal": {}, "position": {}}), "both of deal and position"),
        (json.dumps({**ANY, "deal": {}}), "steps = None, allowed is a list"),
    ],
)
def test_a_line_that_is_no_trace_is_refused_with_its_number(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n" + line + "\n", encoding="utf-8")
    with pytest.raises(TraceError) as caught:
        list(read_traces(path))
    assert "line 2" in str(caught.value) and reason in str(caught.value)


def test_an_unknown_format_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"format": "chess/1"}', encoding="utf-8")
    with pytest.raises(TraceError) as caught:
        list(read_traces(path))
    assert all(trace_format(name) in str(caught.value) for name in game_names())


def test_a_file_that_is_not_text_or_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with pytest.raises(TraceError, match="cannot be read"):
        list(read_traces(path))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(TraceError, match="not UTF-8"):
        list(read_traces(path))


def test_a_position_file_holds_a_configuration_and_a_position(tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps({"config": {"players": 2}, "position": {"a": [1]}}), encoding="utf-8")
    assert read_position(path) == ({"players": 2}, {"a": [1]})


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


def test_the_game_of_a_trace_is_made_from_its_format_and_its_configuration(trace: Trace) -> None:
    game = game_of_trace(trace)
    assert trace["format"] == trace_format(game.name) and game.config_dict() == trace["config"]
    assert game.deal_dict(begin(game, {**trace, "steps": []}), 0) == trace["deal"]


def test_a_configuration_that_lacks_a_field_is_refused_by_its_name(trace: Trace) -> None:
    """Or what the writer played with would be taken for what we play with if nothing is said."""
    for name, value in trace["config"].items():
        if value is None:
            continue
        left = {key: held for key, held in trace["config"].items() if key != name}
        for config, words in ((left, "is missing"), ({**left, name: None}, "= null")):
            with pytest.raises(TraceError, match=f"{name} {words}, allowed is a configuration with every"):
                verify({**trace, "config": config})
