"""Games of a network wholly in compiled calls, as `genesia selfplay --policy` plays them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from genesia_rl.cli.app import run
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import game_info, game_names, make_game
from genesia_rl.matches.selfplay import play, players_of
from genesia_rl.players.learned import model_name, models_of, save_model
from genesia_rl.players.networks import Architecture, Layout, initial_weights


def model_of(path: Path, kind: str) -> str:
    """The code of a network with weights as at the start."""
    game, architecture = make_game(), Architecture(kind, 16, 8, 4, 1, 8)
    weights = initial_weights(architecture, Layout(game), np.random.default_rng(0))
    save_model(path, architecture, game, weights, {})
    return f"ppo:{path}"


def test_a_network_plays_whole_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, game = model_of(tmp_path / "m.npz", "incremental"), make_game()
    one, other = (play(game, 20, 7, threads, policy=code) for threads in (1, 2))
    assert (one.results == other.results).all() and one.decisions == other.decisions > 20
    assert (one.results != play(game, 20, 7).results).any()
    players = str(game.num_seats)
    assert run(["selfplay", "--games", "20", "--players", players, "--policy", code]) == 0
    assert "games a second" in capsys.readouterr().out


def test_without_a_number_of_players_a_network_plays_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, game = model_of(tmp_path / "m.npz", "incremental"), make_game()
    assert players_of(game.name, code) == [game.num_seats]
    assert run(["selfplay", "--games", "20", "--policy", code]) == 0
    assert set(re.findall(r" (\d players) ", capsys.readouterr().out)) == {f"{game.num_seats} players"}


@pytest.mark.parametrize("name", game_names())
def test_without_a_path_the_models_that_ship_play(name: str) -> None:
    shipped = {int(path.stem.removesuffix("p")) for path in models_of(name).glob("*p.npz")}
    every = list(game_info(name).all_players)
    assert players_of(name, "random") == every
    assert players_of(name, "ppo") == [number for number in every if number in shipped or not shipped]


def test_a_model_that_ships_plays_whole_games_without_a_path() -> None:
    name = next(name for name in game_names() if any(models_of(name).glob("*p.npz")))
    number = players_of(name, "ppo")[0]
    game = make_game(name, players=number)
    path = models_of(name) / model_name(game)
    found = play(game, 5, 7, 1, policy="ppo")
    assert (found.results == play(game, 5, 7, 1, policy=f"ppo:{path}").results).all()
    assert (found.results == play(game, 5, 7, 1, policy="drawn:1").results).all(), "which draws as it learned"
    assert (found.results != play(game, 5, 7, 1, policy="drawn:100").results).any()
    assert players_of(name, "drawn:0.5") == players_of(name, "ppo")


def test_who_cannot_play_in_compiled_games_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="policy 'dice': allowed are random, ppo, ppo:PATH and drawn:T"):
        play(make_game(), 1, policy="dice")
    code = model_of(tmp_path / "m.npz", "flat")
    with pytest.raises(
        ConfigError, match=r"is a network of kind 'flat', allowed in compiled games are .*incremental"
    ):
        play(make_game(), 1, policy=code)
