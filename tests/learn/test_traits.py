"""Traits of actions: what a game's mind says of each is what a network reads, and what it begins with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

from env_tools import FEW, game_of, random_action

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.mind import mind_of
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import game_names, make_game, register_game
from genesia_rl.learn.policy import Network, TorchLayout
from genesia_rl.learn.presets import make_settings, merged
from genesia_rl.learn.start import started
from genesia_rl.learn.whole import WholeGames
from genesia_rl.players.incremental import seen_traits
from genesia_rl.players.learned import LearnedPlayer, save_model
from genesia_rl.players.networks import INCREMENTAL, TRAITS, Architecture, Layout, weight_shapes
from genesia_rl.players.scripted import ScriptedPlayer
from genesia_rl.vector.batch import Batch

ARCHITECTURE = Architecture(INCREMENTAL, 16, joint=8, traits=True)
BLIND = Architecture(INCREMENTAL, 16, joint=8)
TELLING = [name for name in game_names() if mind_of(name).traits]
POSITIONS = [variant for variant in FEW if game_of(variant).name in TELLING]
GAMES = 20


@pytest.mark.parametrize("name", game_names())
def test_only_networks_of_games_with_traits_have_weights_for_them(name: str) -> None:
    game = make_game(name)
    shapes = weight_shapes(ARCHITECTURE, Layout(game))
    assert all((weight in shapes) == bool(mind_of(name).traits) for weight in TRAITS)
    if mind_of(name).traits:
        assert shapes["traits"][0] == len(mind_of(name).traits)
    assert not {*weight_shapes(BLIND, Layout(game))} & {*TRAITS}, "nor a network that does not read them"


@pytest.mark.parametrize("kind", ["flat", "graph"])
def test_only_networks_that_are_kept_up_to_date_read_traits(kind: str) -> None:
    with pytest.raises(ConfigError, match=f"network traits = True, allowed is false with kind = '{kind}'"):
        Architecture(kind, traits=True)
    with pytest.raises(ConfigError, match="network traits = 1, allowed is true or false"):
        Architecture(INCREMENTAL, traits=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("variant", POSITIONS)
def test_legal_actions_have_traits_and_no_others(variant: str) -> None:
    game = game_of(variant)
    layout, batch = Layout(game), Batch(game, GAMES)
    batch.reset(4)
    seen = np.zeros(len(layout.traits), np.bool_)
    before = batch.states.copy()
    for _ in range(60):
        found = seen_traits(batch.decisions(), layout)
        legal = batch.mask[:, layout.actions] != 0
        assert not found[~legal].any(), "what is not legal has none"
        seen |= (found != 0).any((0, 1))
        before = batch.states.copy()
        again = seen_traits(batch.decisions(), layout)
        assert np.array_equal(found, again) and (before == batch.states).all(), (
            "nothing is changed by looking"
        )
        batch.step(ScriptedPlayer(next(iter(mind_of(game.name).characters))).act_batch(batch.decisions()))
    lacking = [name for name, was in zip(mind_of(game.name).traits, seen, strict=True) if not was]
    assert len(lacking) <= 3, f"traits that are never there: {lacking}"


@pytest.mark.parametrize("variant", POSITIONS)
def test_traits_do_not_depend_on_what_is_hidden(variant: str) -> None:
    game = game_of(variant)
    layout, batch = Layout(game), Batch(game, GAMES)
    batch.reset(6)
    rng = np.random.default_rng(0)
    for _ in range(40):
        decisions = batch.decisions()
        found = seen_traits(decisions, layout)
        for i in range(GAMES):
            other = game.resample_hidden(batch.states, i, game.seat(batch.states, i), rng)
            imagined = DecisionBatch(game, other, np.zeros(1, np.int64), decisions.seeds[:1])
            assert np.array_equal(seen_traits(imagined, layout)[0], found[i])
        batch.step([random_action(mask, rng) for mask in decisions.mask])


@pytest.mark.parametrize("variant", POSITIONS)
def test_a_network_that_has_learned_nothing_plays_as_the_first_character(
    variant: str, tmp_path: Path
) -> None:
    game = game_of(variant)
    made = Network(ARCHITECTURE, TorchLayout(game), 0).numpy_weights()
    weights = {name: w if name == "traits_own" else 0 * w for name, w in made.items()}
    save_model(tmp_path / "m.npz", ARCHITECTURE, game, weights, {})
    player, batch = LearnedPlayer(str(tmp_path / "m.npz")), Batch(game, GAMES)
    character = ScriptedPlayer(next(iter(mind_of(game.name).characters)))
    batch.reset(2)
    for _ in range(30):
        decisions = batch.decisions()
        chosen = player.act_batch(decisions)
        for k in range(GAMES):
            scores = character.scores(decisions.part(np.array([k])))
            seat = int(decisions.seats[k])
            assert scores[game.from_view(seat, int(chosen[k]))] >= max(scores.values()) - 1 / 64
        batch.step(chosen)


@pytest.mark.parametrize("name", TELLING)
@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"league": {"scripted": ["mcts:4"]}}, "'mcts:4': a network that reads traits"),
        ({"teacher": {"agent": "mcts:4", "updates": 1}}, "'mcts:4': a network that reads traits"),
        ({"teacher": {"data": "moves.parquet"}}, "no data set has traits"),
    ],
)
def test_where_nobody_can_be_asked_they_are_not_read(name: str, tables: dict[str, Any], said: str) -> None:
    given = merged({"game": {"name": name}}, tables)
    assert make_settings("quick", overrides=given).network.traits is False
    assert make_settings("quick", overrides={"game": {"name": name}}).network.traits is True
    with pytest.raises(ConfigError, match=f"{said}.*allowed with network.traits = false"):
        make_settings("quick", overrides=merged(given, {"network": {"traits": True}}))


def test_a_game_that_says_none_has_none_to_read() -> None:
    register_game("toy", "toy", listed=False)
    with pytest.raises(ConfigError, match=r"network.traits = true, allowed .* in toy is false"):
        make_settings("quick", overrides={"game": {"name": "toy"}, "network": {"traits": True}})


def test_a_game_without_a_mind_has_none() -> None:
    register_game("toy", "toy", listed=False)
    assert len(Layout(make_game("toy")).traits) == 0


# ---------------------------------------------------------------- with and without


def kept(folder: Path, architecture: Architecture) -> str:
    """The file of a network that has learned nothing, of the default game."""
    game, path = make_game(), folder / f"traits-{architecture.traits}.npz"
    save_model(path, architecture, game, Network(architecture, TorchLayout(game), 3).numpy_weights(), {})
    return str(path)


def small(folder: Path, **more: Any) -> dict[str, Any]:
    """Settings of a run that is over at once."""
    few = {
        "learner": {"num_games": 4, "epochs": 1, "threads": 1, "minibatch": 64},
        "run": {"updates": 1, "measure": 0, "seed": 1}, "network": {"width": 16, "joint": 8},
        "teacher": {"share": 0.0},
    }  # fmt: skip
    return merged(few, more)


def test_a_model_that_reads_none_plays_on_as_it_did_and_learns_to_read(tmp_path: Path) -> None:
    blind = kept(tmp_path, BLIND)
    run = started("quick", overrides=small(tmp_path), out=str(tmp_path / "run"), warm_start=blind)
    assert run.settings.network.traits is True
    run.save_model("before.npz")
    players = LearnedPlayer(blind), LearnedPlayer(str(tmp_path / "run" / "before.npz"))
    batch = Batch(make_game(), GAMES)
    batch.reset(8)
    for _ in range(20):
        first, second = (player.judge(batch.decisions()) for player in players)
        assert all(np.allclose(a, b, atol=1e-5) for a, b in zip(first, second, strict=True))
        batch.step(players[0].act_batch(batch.decisions()))
    before = run.network.numpy_weights()["traits_own"].copy()
    run.step()
    assert (run.network.numpy_weights()["traits_own"] != before).any()
    asked = small(tmp_path, network={"traits": False})
    as_it_was = started("quick", overrides=asked, out=str(tmp_path / "blind"), warm_start=blind)
    assert as_it_was.settings.network.traits is False


@pytest.mark.parametrize("reads", [False, True])
def test_who_reads_traits_and_who_does_not_may_sit_at_one_table(reads: bool, tmp_path: Path) -> None:
    other = kept(tmp_path, BLIND if reads else ARCHITECTURE)
    league = {"scripted": [f"ppo:{other}"], "self_share": 0.0}
    asked = small(tmp_path, league=league, network={"traits": reads})
    run = started("quick", overrides=asked, out=str(tmp_path / "run"))
    assert isinstance(run.env, WholeGames)
    played = run.env.play(run.network.numpy_weights())
    columns = len(mind_of(make_game().name).traits)
    assert run.env.games.architecture.traits and played.trace.traits.shape[1] == columns * reads
    run.step()
    assert run.learner.decisions > 0
