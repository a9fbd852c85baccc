"""Levels: what the files say, who plays them, and how a ladder is built."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import game_names, make_game
from genesia_rl.matches import ladder as building
from genesia_rl.matches.ladder import (
    ALL,
    GOAL,
    NAMES,
    WITHIN,
    Trial,
    build,
    extended,
    place,
    scripted,
    write_ladder,
)
from genesia_rl.players import ladder as module
from genesia_rl.players.codes import codes_of, make_player
from genesia_rl.players.ladder import Level, LevelPlayer, commands_of, forget, ladders, level_of

LADDERS = [(name, players) for name in game_names() for players in ladders(name)]


@pytest.mark.parametrize(("name", "players"), LADDERS)
def test_every_level_can_play_and_begins_where_the_one_below_ends(name: str, players: int) -> None:
    """Of a ladder that says how it was made every step is about as long as is wanted; those before were not looked for
    again."""
    game, levels, made = (
        make_game(name, players=players),
        ladders(name)[players],
        commands_of(name).get(players),
    )
    assert levels[0].agent == "random" and levels[0].won is None
    assert len({level.name for level in levels}) == len({level.agent for level in levels}) == len(levels)
    for number, level in enumerate(levels, 1):
        assert level_of(game, str(number)) == level_of(game, level.name) == level
        make_player(level.agent, name)
        if number > 1:
            assert level.won is not None and level.low is not None and level.high is not None
            assert level.low <= level.won <= level.high and level.games >= 100
            assert not made or abs(level.won - GOAL) <= WITHIN or level.low <= GOAL <= level.high


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


@pytest.mark.parametrize("name", game_names())
def test_who_mixes_a_better_agent_in_is_the_scripted_player_else(name: str) -> None:
    game = make_game(name)
    states = game.new_states(3)
    for row in range(3):
        game.reset(states, row, row)
    decisions = DecisionBatch(game, states, np.arange(3), np.arange(3, dtype=np.uint64))
    scripted_one, better = next(code for code in codes_of(name) if code != "random"), "mcts:2"
    codes = (f"mixed:0:{better}", scripted_one, f"mixed:100:{better}", better, f"mixed:50:{better}")
    actions = {code: make_player(code, name).act_batch(decisions) for code in codes}
    assert (actions[f"mixed:0:{better}"] == actions[scripted_one]).all()
    assert (actions[f"mixed:100:{better}"] == actions[better]).all()
    half = actions[f"mixed:50:{better}"]
    assert ((half == actions[better]) | (half == actions[scripted_one])).all()


@pytest.mark.parametrize(
    "code", ["", "random", "sb3:x.zip", "ppo:x.npz", "agents/own_agent.py:Grasping", "level:2"]
)
def test_only_agents_of_the_game_are_mixed_in(code: str) -> None:
    """A ladder or a trace may name no file and no code of somebody's own."""
    with pytest.raises(ConfigError, match=r"mixed with .*allowed are .*mcts:N, ppo"):
        make_player(f"mixed:50:{code}", game_names()[0])


@pytest.mark.parametrize("percent", ["", "101", "-1", "x", "1.5"])
def test_other_shares_are_refused(percent: str) -> None:
    with pytest.raises(ConfigError, match="allowed"):
        make_player(f"mixed:{percent}", game_names()[0])


def test_levels_that_are_not_there_are_refused_with_those_that_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = make_game(game_names()[0], players=2)
    monkeypatch.setattr(module, "models_of", lambda name: tmp_path / name)
    forget()
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
        assert commands_of(game.name) == {2: "genesia ladder --players 2", 3: "again"}
        assert "mixed:9" in LevelPlayer("novice").fingerprint(game)
        (tmp_path / game.name / module.FILE).write_text("[[players2]]\nnonsense = 1\n")
        forget()
        with pytest.raises(DataError, match="allowed is what genesia ladder writes"):
            ladders(game.name)
        (tmp_path / game.name / module.FILE).write_text("[commands]\nnobody = 1\n")
        forget()
        with pytest.raises(DataError, match="allowed is what genesia ladder writes"):
            commands_of(game.name)
    finally:
        forget()


# ---------------------------------------------------------------- building one

STEPS = pytest.mark.parametrize("scale", [9.0, 20.0, 60.0, 150.0])


class World:
    """A world in which skill is known: whoever thinks more is better, `ppo` 60 more than the scripted player."""

    def __init__(self, scale: float, noise: float = 0.5, seed: int = 1) -> None:
        self.scale, self.noise, self.rng, self.seeds = scale, noise, np.random.default_rng(seed), list[int]()

    def skill(self, agent: str) -> float:
        kind, _, argument = agent.partition(":")
        share, _, better = argument.partition(":")
        skills = {"random": 0.0, "ppo": 160.0, "builder": 90.0}
        return skills[kind] if kind in skills else 100 + 0.6 * float(share) if better else float(share)

    def __call__(self, game: object, agent: str, below: str, games: int, seed: int, name: str = "") -> Level:
        self.seeds.append(seed)
        true = 1 / (1 + np.exp((self.skill(below) - self.skill(agent)) / self.scale))
        won = float(np.clip(true + self.rng.normal(0, self.noise) / np.sqrt(games), 0, 1))
        return Level(name, agent, won, max(0.0, won - 0.05), min(1.0, won + 0.05), games)


@STEPS
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_step_wins_about_what_is_wanted(
    scale: float, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the scripted player and on to a better one, in two levels or in forty; in fresh games each time."""
    world = World(scale, seed=seed)
    monkeypatch.setattr(building, "measured", world)
    game, told = make_game(game_names()[0]), list[Level]()
    lower = build(game, 300, 0, told.append)
    levels = extended(game, lower, ("ppo",), 300, 0, told.append)
    assert levels[0].agent == "random" and lower[-1].agent == scripted(ALL) and levels[-1].agent == "ppo"
    assert [level.name for level in levels[: len(NAMES)]] == list(NAMES[: len(levels)])
    assert levels[: len(lower)] == lower and set(levels) <= set(told)
    skills = [world.skill(level.agent) for level in levels]
    assert skills == sorted(skills)
    near = [abs((level.won or 0) - GOAL) <= WITHIN for level in levels[1:]]
    assert np.mean(near) >= 0.95
    assert len(set(world.seeds)) == len(world.seeds)


def test_a_last_step_that_is_too_short_is_joined_or_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game(game_names()[0])
    for scale in np.linspace(15, 40, 26):
        monkeypatch.setattr(building, "measured", World(float(scale), noise=0.0))
        levels = build(game, 50, 0)
        assert all(abs((level.won or 0) - GOAL) <= WITHIN for level in levels[1:]), scale


def test_an_agent_that_is_not_far_above_is_one_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "measured", World(200.0, noise=0.0))
    game = make_game(game_names()[0])
    lower = build(game, 50, 0)
    levels = extended(game, lower, ("builder", "ppo"), 50, 0)
    assert [level.agent for level in levels[len(lower) :]] == ["builder", "ppo"]


def test_the_next_place_follows_from_what_was_tried() -> None:
    assert place(10, [], GOAL, 7) == 17
    assert place(95, [], GOAL, 7) == ALL
    assert place(10, [Trial(50, 0.69)], GOAL, 7) == 30, "half the log odds, half the way"
    assert place(10, [Trial(20, 0.5)], GOAL, 7) == 30, "no farther than twice what was tried"
    assert place(10, [Trial(20, 0.4)], GOAL, 7) == 30
    assert place(0, [Trial(10, 0.98), Trial(2, 0.56)], GOAL, 7) == 3, "what is near the goal says more"


def test_who_ends_before_half_of_the_others_is_even() -> None:
    """With more than two players it is not the first place alone that counts."""
    game = make_game(game_names()[0], players=3)
    found = building.measured(game, "random", "random", 60, 3, "twin")
    assert found.won == pytest.approx(0.5, abs=1e-3) and found.games == 60 and found.name == "twin"
    assert found.low is not None and found.high is not None and found.low < 0.5 < found.high
