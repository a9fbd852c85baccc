"""Traces of Genesia: every mode replays, a position too, and what was changed of its states is found."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from games.genesia.modes import MODES, POSITION

from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.registry import make_game
from genesia_rl.core.trace import record, to_line, verify
from genesia_rl.players.codes import make_players
from genesia_rl.players.random import RandomPlayer

Trace = dict[str, Any]


@pytest.fixture(scope="module")
def trace() -> Trace:
    """A game of three with legal sets and states."""
    return record(make_game("genesia", players=3), RandomPlayer(), 4, legal=True, with_states=True)


@pytest.mark.parametrize("name", MODES)
def test_what_is_recorded_replays_without_a_difference(name: str) -> None:
    game = make_game("genesia", **MODES[name])
    for seed in range(3):
        made = record(game, RandomPlayer(), seed, legal=seed != 1, with_states=seed != 2)
        verdict = verify(json.loads(to_line(made)))
        assert verdict.differences == []
        assert verdict.decisions == len(made["steps"]) > 20


@pytest.mark.parametrize("name", [name for name in MODES if MODES[name].get("players", 2) <= 2])
def test_a_position_of_two_seats_is_recorded_and_replays(name: str) -> None:
    fields = MODES[name]
    position = copy.deepcopy(POSITION)
    if "lots" in fields or "decks" in fields or not fields.get("objectives", fields.get("players") != 1):
        position["objectives"] = [None, None]
    made = record(make_game("genesia", **fields), RandomPlayer(), 1, position)
    assert made["position"] == position and "deal" not in made
    assert verify(json.loads(to_line(made))).differences == []


def test_a_position_needs_no_seed() -> None:
    made = record(make_game("genesia"), RandomPlayer(), None, POSITION)
    assert "seed" not in made and verify(made).differences == []


def test_a_trace_has_the_keys_of_the_protocol_in_its_order(trace: Trace) -> None:
    assert list(trace) == ["format", "config", "seed", "deal", "steps", "result"]
    assert trace["format"] == "genesia-trace/2" and trace["seed"] == 4
    assert list(trace["config"]) == [
        "players", "lots", "decks", "promos", "objectives", "extra_objectives", "objective_pool",
        "attack_recruiting", "teams", "solo_level",
    ]  # fmt: skip
    assert list(trace["deal"]) == ["turn_order", "objectives", "packs"]
    assert list(trace["result"]) == [
        "progress", "radiance", "conquest", "objective", "objective_kept", "score", "winners",
    ]  # fmt: skip


def test_a_solo_trace_has_a_solo_score_and_no_winner() -> None:
    made = record(make_game("genesia", players=1), RandomPlayer(), 3)
    assert made["deal"]["objectives"] is None
    result = made["result"]
    assert result["winners"] == [] and result["objective_kept"] == [None, None]
    assert result["solo_score"] == min(result["score"])


@pytest.mark.parametrize("name", MODES)
def test_the_recorder_plays_the_games_of_the_compiled_random_player(name: str) -> None:
    game = make_game("genesia", **MODES[name])
    seeds = np.array([0, 1, 12345, (1 << 63) - 1], np.uint64)
    results = np.zeros(len(seeds), game.facts.result_dtype)
    game.kernels.play_random(game.new_states(), 0, game.tables, seeds, results)
    for seed, row in zip(seeds.tolist(), results, strict=True):
        made = record(game, RandomPlayer(), seed)
        assert row["totals"][: game.num_seats].tolist() == made["result"]["score"]
        assert row["steps"] == len(made["steps"])
        assert row["order"][: game.num_seats].tolist() == made["deal"]["turn_order"]


def test_players_of_the_game_play_games_that_are_recorded() -> None:
    game = make_game("genesia", players=3)
    trace = record(game, make_players("greedy,random,settler", "genesia"), 3)
    assert trace == record(game, make_players("greedy,random,settler", "genesia"), 3)
    assert verify(trace).differences == []
    with pytest.raises(GenesiaError, match="players: 2 of them, allowed is 1 for all or 3"):
        record(game, make_players("greedy,random", "genesia"), 3)


# ---------------------------------------------------------------- what was changed is found


def _other_coins(t: Trace) -> None:
    t["steps"][30][4]["coins"][0] += 1


def _other_clans(t: Trace) -> None:
    t["steps"][-1][4]["clans"]["0"] = [1, 2, 3]


def _other_cities(t: Trace) -> None:
    t["steps"][-1][4]["cities"]["57"] = [2]


def _other_progress(t: Trace) -> None:
    t["result"]["progress"][2][0] += 1


def _card_dealt_twice(t: Trace) -> None:
    packs = t["deal"]["packs"][0]
    packs[0][0] = packs[1][0]


CORRUPTIONS: dict[str, tuple[Callable[[Trace], None], str, int | None]] = {
    "coins": (_other_coins, "coins", 30),
    "clans": (_other_clans, "clans", -1),
    "cities": (_other_cities, "cities", -1),
    "progress": (_other_progress, "progress", None),
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
