"""Levels: what the files say, who plays them, and how a ladder is built."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import game_names, make_game
from genesia_rl.matches import ladder as building
from genesia_rl.matches.ladder import GOAL, NAMES, build, extended, next_share, write_ladder
from genesia_rl.players import ladder as module
from genesia_rl.players.codes import codes_of, make_player
from genesia_rl.players.ladder import Level, LevelPlayer, ladders, level_of

LADDERS = [(name, players) for name in game_names() for players in ladders(name)]


@pytest.mark.parametrize(("name", "players"), LADDERS)
def test_every_level_can_play_and_begins_where_the_one_below_ends(name: str, players: int) -> None:
    """The measured share of each step has an interval that holds what is wanted, or says honestly that it does not."""
    game, levels = make_game(name, players=players), ladders(name)[players]
    assert levels[0].agent == "random" and levels[0].won is None
    assert len({level.name for level in levels}) == len({level.agent for level in levels}) == len(levels)
    for number, level in enumerate(levels, 1):
        assert level_of(game, str(number)) == level_of(game, level.name) == level
        make_player(level.agent, name)
        if number > 1:
            assert level.won is not None and level.low is not None and level.high is not None
            assert level.low <= level.won <= level.high and level.games >= 100


@pytest.mark.parametrize("name", game_names())
def test_who_never_thinks_does_anything_and_who_always_does_is_the_scripted_player(name: str) -> None:
    game = make_game(name)
    states = game.new_states(40)
    for row in range(40):
        game.reset(states, row, row)
    decisions = DecisionBatch(game, states, np.arange(40), np.arange(40))
    scripted = next(code for code in codes_of(name) if code != "random")
    actions = {code: make_player(code, name).act_batch(decisions) for code in
               ("mixed:0", "random", "mixed:100", scripted, "mixed:50")}  # fmt: skip
    assert (actions["mixed:0"] == actions["random"]).all()
    assert (actions["mixed:100"] == actions[scripted]).all()
    half = (actions["mixed:50"] == actions["random"]) | (actions["mixed:50"] == actions[scripted])
    assert half.all()


@pytest.mark.parametrize("percent", ["", "101", "-1", "x", "1.5"])
def test_other_shares_are_refused(percent: str) -> None:
    with pytest.raises(ConfigError, match="allowed"):
        make_player(f"mixed:{percent}", game_names()[0])


def test_levels_that_are_not_there_are_refused_with_those_that_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game(game_names()[0], players=2)
    monkeypatch.setattr(module, "models_of", lambda name: tmp_path / name)
    ladders.cache_clear()
    try:
        with pytest.raises(ConfigError, match=r"level '1' of .* for 2 seats: allowed is no level"):
            level_of(game, "1")
        levels = (Level("beginner", "random"), Level("novice", "mixed:9", 0.6, 0.5, 0.7, 100))
        write_ladder(game, levels, "genesia ladder --players 2")
        assert ladders(game.name) == {2: levels}
        with pytest.raises(
            ConfigError, match=r"level 'novize'.*1..2, beginner, novice \(did you mean novice\?\)"
        ):
            level_of(game, "novize")
        write_ladder(make_game(game.name, players=3), levels[:1], "again")
        assert ladders(game.name) == {2: levels, 3: levels[:1]}
        assert "mixed:9" in LevelPlayer("novice").fingerprint(game)
        (tmp_path / game.name / module.FILE).write_text("[[players2]]\nnonsense = 1\n")
        ladders.cache_clear()
        with pytest.raises(DataError, match="allowed is what genesia ladder writes"):
            ladders(game.name)
    finally:
        ladders.cache_clear()


def test_a_step_is_looked_for_by_halving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a world in which whoever thinks more wins more: the share that wins what is wanted is found."""

    def wins(game: object, agent: str, below: str, games: int, seed: int, name: str = "") -> Level:
        own, other = (int(code.partition(":")[2] or 0) for code in (agent, below))
        return Level(name, agent, min(1.0, 0.5 + (own - other) / 200), 0.0, 1.0, games)

    monkeypatch.setattr(building, "measured", wins)
    game = make_game(game_names()[0])
    assert abs(next_share(game, "mixed:10", 10, 50, 0) - 30) <= 4
    levels = extended(game, build(game, 50, 0), ("mcts:5",), 50, 0)
    assert [level.name for level in levels] == list(NAMES[: len(levels)])
    assert levels[-1].agent == "mcts:5" and levels[-2].agent == "mixed:100"
    assert all(abs((level.won or 0) - GOAL) <= 0.04 for level in levels[1:-2])
