"""Trained networks as agents: the same with and without torch, from files that are checked."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from agents.learned import LearnedAgent, load_model, save_model
from agents.networks import Architecture, Layout, draw, initial_weights
from agents.registry import make_agent
from genesia_rl.errors import ConfigError, DataError
from genesia_rl.registry import make_game
from genesia_rl.vector import Batch
from genesia_rl.vector.batch import mix_seeds

KINDS = ("flat", "regions", "graph")


def model_of(path: Path, players: int, kind: str) -> str:
    """A file with large random weights, so that differences show."""
    game, architecture = make_game("genesia", players=players), Architecture(kind, 24, 12, 6, 2)
    rng = np.random.default_rng(players)
    weights = initial_weights(architecture, Layout(game), rng)
    weights = {
        name: w + rng.normal(0, 0.2, w.shape).astype(np.float32) / w.shape[-1] ** 0.5
        for name, w in weights.items()
    }
    save_model(path, architecture, game, weights, {"by": "a test"})
    return str(path)


def some_positions(players: int, games: int = 40, steps: int = 80) -> Batch:
    """Positions from the middle of random games."""
    batch = Batch(make_game("genesia", players=players), games)
    batch.reset(players)
    streams = mix_seeds(9, games)
    for _ in range(steps):
        batch.step(batch.random_actions(streams))
    return batch


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", [2, 5])
def test_numpy_and_torch_agree(tmp_path: Path, players: int, kind: str) -> None:
    pytest.importorskip("torch")
    path = model_of(tmp_path / "m.npz", players, kind)
    seen = some_positions(players).seen()
    plain, fast = LearnedAgent(path, use_torch=False), LearnedAgent(path, use_torch=True)
    legal = seen.mask != 0
    one, other = plain.logits(seen), fast.logits(seen)
    assert np.isfinite(one[legal]).all(), "every legal action has a logit"
    assert np.abs(one[legal] - other[legal]).max() < 1e-4
    values = plain.net(seen.game)(seen.observation)[1], fast.net(seen.game)(seen.observation)[1]
    assert np.abs(values[0] - values[1]).max() < 1e-4
    actions = plain.act_batch(seen)
    assert (actions == fast.act_batch(seen)).all() and legal[np.arange(len(seen)), actions].all()


def test_choices_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    path = model_of(tmp_path / "m.npz", 2, "graph")
    seen = some_positions(2).seen()
    agent = LearnedAgent(path, greedy=False, use_torch=False)
    together = agent.act_batch(seen)
    alone = [agent.act_batch(seen.part(np.array([k])))[0] for k in range(len(seen))]
    assert together.tolist() == alone and (seen.mask[np.arange(len(seen)), together] != 0).all()
    assert (pickle.loads(pickle.dumps(agent)).act_batch(seen) == together).all()


def test_draws_follow_the_probabilities() -> None:
    logits = np.tile(np.log([[0.5, 0.2, 0.3, 9.0]]), (20_000, 1)).astype(np.float32)
    legal = np.tile([[True, True, True, False]], (20_000, 1))
    drawn = draw(logits, legal, np.random.default_rng(0).random(20_000))
    assert np.abs(np.bincount(drawn, minlength=4) / 20_000 - [0.5, 0.2, 0.3, 0]).max() < 0.02
    ends = draw(logits[:2], legal[:2], np.array([0.0, 1 - 2**-53]))
    assert ends.tolist() == [0, 2], "also at the ends a legal one"


def test_files_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    seen = some_positions(3, 2, 3).seen()
    with pytest.raises(DataError, match=r"m\.npz: no such file, allowed is a model"):
        make_agent(f"ppo:{path}")
    path.write_bytes(b"nonsense")
    with pytest.raises(DataError, match=r"m\.npz: not a model"):
        make_agent(f"ppo:{path}")
    np.savez(path, a=np.zeros(3))
    with pytest.raises(DataError, match="header missing"):
        make_agent(f"ppo:{path}")
    model_of(path, 2, "flat")
    with pytest.raises(DataError, match="players = 2, allowed in this game is 3"):
        make_agent(f"ppo:{path}").act_batch(seen)
    model, game = load_model(path), make_game("genesia", players=2)
    save_model(path, model.architecture, game, model.weights | {"joint": np.zeros((3, 3))}, {})
    with pytest.raises(DataError, match=r"weight joint has the shape \(3, 3\), allowed is \(24, 24\)"):
        make_agent(f"ppo:{path}").act_batch(some_positions(2, 2, 3).seen())


def test_codes() -> None:
    with pytest.raises(ConfigError, match=r"agent 'ppo:': allowed is ppo\[:PATH\]"):
        make_agent("ppo:")
    with pytest.raises(ConfigError, match="agent 'greedy:1': allowed is greedy"):
        make_agent("greedy:1")
    assert make_agent("ppo").name == "ppo", "which model it takes is decided by the game"
