"""Trained networks as agents: the same with and without torch, from files that are checked."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from env_tools import FEW, game_of

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game
from genesia_rl.core.mind import mind_of
from genesia_rl.core.registry import default_game, make_game
from genesia_rl.players.codes import make_player
from genesia_rl.players.learned import LearnedPlayer, load_model, save_model, write_model
from genesia_rl.players.networks import Architecture, Layout, draw, initial_weights, kinds_for
from genesia_rl.vector import Batch
from genesia_rl.vector.batch import mix_seeds


def model_of(path: Path, game: Game, kind: str) -> str:
    """A file with large random weights, so that differences show."""
    architecture, rng = Architecture(kind, 24, 12, 6, 2), np.random.default_rng(game.num_seats)
    weights = initial_weights(architecture, Layout(game), rng)
    weights = {
        name: w + rng.normal(0, 0.2, w.shape).astype(np.float32) / max(1, w.shape[-1]) ** 0.5
        for name, w in weights.items()
    }
    save_model(path, architecture, game, weights, {"by": "a test"})
    return str(path)


def some_positions(game: Game, games: int = 40, steps: int = 80) -> Batch:
    """Positions from the middle of random games."""
    batch = Batch(game, games)
    batch.reset(game.num_seats)
    streams = mix_seeds(9, games)
    for _ in range(steps):
        batch.step(batch.random_actions(streams))
    return batch


@pytest.mark.parametrize("variant", FEW)
def test_numpy_and_torch_agree(tmp_path: Path, variant: str) -> None:
    pytest.importorskip("torch")
    game = game_of(variant)
    decisions = some_positions(game).decisions()
    legal = decisions.mask != 0
    for kind in kinds_for(game):
        path = model_of(tmp_path / f"{kind}.npz", game, kind)
        plain, fast = LearnedPlayer(path, use_torch=False), LearnedPlayer(path, use_torch=True)
        one, other = plain.logits(decisions), fast.logits(decisions)
        assert np.isfinite(one[legal]).all(), "every legal action has a logit"
        assert np.abs(one[legal] - other[legal]).max() < 1e-4
        values = [player.judge(decisions)[1] for player in (plain, fast)]
        assert np.abs(values[0] - values[1]).max() < 1e-4
        actions = plain.act_batch(decisions)
        assert (actions == fast.act_batch(decisions)).all() and legal[np.arange(len(legal)), actions].all()


def test_choices_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    game = make_game(players=2)
    path = model_of(tmp_path / "m.npz", game, kinds_for(game)[-1])
    decisions = some_positions(game).decisions()
    agent = LearnedPlayer(path, temperature=1, use_torch=False)
    together = agent.act_batch(decisions)
    alone = [agent.act_batch(decisions.part(np.array([k])))[0] for k in range(len(decisions))]
    assert together.tolist() == alone and (decisions.mask[np.arange(len(decisions)), together] != 0).all()
    assert (pickle.loads(pickle.dumps(agent)).act_batch(decisions) == together).all()


def test_a_drawing_network_is_a_player_of_its_own(tmp_path: Path) -> None:
    game = make_game(players=2)
    path = model_of(tmp_path / "m.npz", game, "flat")
    model = load_model(path)
    write_model(
        path, model.header, {name: 3 * w for name, w in model.weights.items()}
    )  # it means what it says
    decisions = some_positions(game).decisions()
    sure, cold, learned, hot = (
        make_player(code) for code in (f"ppo:{path}", *(f"drawn:{t}@{path}" for t in ("0.01", "1", "100")))
    )
    assert cold.name == f"drawn:0.01@{path}" and make_player("drawn:0.50").name == "drawn:0.5"
    assert learned.fingerprint(game) == sure.fingerprint(game), "that of the file"
    chosen = [player.act_batch(decisions) for player in (sure, cold, learned, hot)]
    alike = [float((chosen[0] == other).mean()) for other in chosen[1:]]
    assert alike[0] > alike[1] > alike[2], "the hotter, the less often what is likeliest"
    assert (LearnedPlayer(path, temperature=1).act_batch(decisions) == chosen[2]).all()
    for wrong in ("drawn:0", "drawn:101", "drawn:nan", "drawn:warm", "drawn:1@", f"drawn:@{path}"):
        with pytest.raises(ConfigError, match=r"allowed is drawn:T\[@PATH\] with a temperature T 0.01..100"):
            make_player(wrong)
    with pytest.raises(ConfigError, match="agent 'drawn': allowed is drawn"):
        make_player("drawn")


def test_draws_follow_the_probabilities() -> None:
    logits = np.tile(np.log([[0.5, 0.2, 0.3, 9.0]]), (20_000, 1)).astype(np.float32)
    legal = np.tile([[True, True, True, False]], (20_000, 1))
    drawn = draw(logits, legal, np.random.default_rng(0).random(20_000))
    assert np.abs(np.bincount(drawn, minlength=4) / 20_000 - [0.5, 0.2, 0.3, 0]).max() < 0.02
    ends = draw(logits[:2], legal[:2], np.array([0.0, 1 - 2**-53]))
    assert ends.tolist() == [0, 2], "also at the ends a legal one"


def test_files_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    two, decisions = make_game(players=2), some_positions(make_game(players=3), 2, 3).decisions()
    with pytest.raises(DataError, match=r"m\.npz: no such file, allowed is a model"):
        make_player(f"ppo:{path}")
    path.write_bytes(b"nonsense")
    with pytest.raises(DataError, match=r"m\.npz: not a model"):
        make_player(f"ppo:{path}")
    np.savez(path, a=np.zeros(3))
    with pytest.raises(DataError, match="header missing"):
        make_player(f"ppo:{path}")
    model_of(path, two, "flat")
    with pytest.raises(DataError, match="players = 2, allowed in this game is 3"):
        make_player(f"ppo:{path}").act_batch(decisions)
    model = load_model(path)
    save_model(path, model.architecture, two, model.weights | {"joint": np.zeros((3, 3))}, {})
    with pytest.raises(DataError, match=r"weight joint has the shape \(3, 3\), allowed is \(24, 24\)"):
        make_player(f"ppo:{path}").act_batch(some_positions(two, 2, 3).decisions())


def test_a_model_of_another_game_is_refused(tmp_path: Path) -> None:
    game, path = make_game(), tmp_path / "m.npz"
    model = load_model(model_of(path, game, "flat"))
    write_model(path, {**model.header, "game": "solitaire"}, model.weights)
    with pytest.raises(DataError, match=f"game = 'solitaire', allowed in this game is '{game.name}'"):
        LearnedPlayer(str(path)).net(game)


def test_a_model_in_half_precision_chooses_nearly_the_same(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from genesia_rl.learn.ship import changed, halved

    game = make_game()
    path = Path(model_of(tmp_path / "m.npz", game, "flat"))
    model, goal = halved(path, tmp_path / "ships" / "m.npz"), tmp_path / "ships" / "m.npz"
    assert goal.stat().st_size < 0.6 * path.stat().st_size
    kept = load_model(goal)
    assert kept.header == model.header and all(w.dtype == np.float32 for w in kept.weights.values())
    different, choices = changed(path, goal, game, games=8, steps=40)
    assert choices == 320 and different < 16


def test_codes() -> None:
    with pytest.raises(ConfigError, match=r"agent 'ppo:': allowed is ppo\[:PATH\]"):
        make_player("ppo:")
    code = next(iter(mind_of(default_game()).characters))
    with pytest.raises(ConfigError, match=f"agent '{code}:1': allowed is {code}"):
        make_player(f"{code}:1")
    assert make_player("ppo").name == "ppo", "which model it takes is decided by the game"
