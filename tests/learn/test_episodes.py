"""Decisions as a Minari data set: Minari reads it, and it says the same as the Parquet file of the same games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from cli_tools import Capture, genesia, mistake

from genesia_rl.core import registry
from genesia_rl.core.errors import DataError
from genesia_rl.core.registry import make_game, register_game

minari = pytest.importorskip("minari")
pytest.importorskip("pyarrow")
GAMES = 6


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    """A small game."""
    register_game("toy", "toy")
    yield
    del registry._GAMES["toy"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same games in both forms."""
    from genesia_rl.learn.dataset import export_games
    from genesia_rl.learn.episodes import export_episodes

    found = tmp_path_factory.mktemp("data") / "toy"
    steps = export_episodes("toy", "random", 3, GAMES, found / "random-v0", seed=4)
    assert steps == export_games("toy", "random", 3, GAMES, found / "random.parquet", seed=4)
    return found


def test_minari_loads_it_by_its_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(folder.parent))
    held = minari.load_dataset("toy/random-v0")
    assert held.total_episodes == 3 * GAMES and held.spec.dataset_id == "toy/random-v0"
    assert "toy/random-v0" in minari.list_local_datasets()
    mine = held.filter_episodes(lambda episode: episode.infos["seat"][0, 0] == 1)
    assert mine.total_episodes == GAMES
    assert len(held.sample_episodes(2)) == 2
    env = held.recover_environment()
    assert env.observation_space == held.observation_space and env.action_space == held.action_space
    assert env.unwrapped.game.num_seats == 3


def test_every_episode_is_one_seat_of_one_game_with_its_masks(folder: Path) -> None:
    game = make_game("toy", players=3)
    for episode in minari.MinariDataset(folder / "random-v0" / "data"):
        steps = len(episode)
        assert episode.observations.shape == (steps + 1, game.observation_size)
        assert held_by(episode.observations, game)
        mask = episode.infos["action_mask"]
        assert mask.shape == (steps + 1, game.num_actions) and not mask[-1].any()
        assert mask[np.arange(steps), episode.actions].all()
        for name in ("seat", "game", "decision", "margin"):
            assert episode.infos[name].shape == (steps + 1, 1)
        assert episode.infos["decision"][:, 0].tolist() == [*range(steps + 1)]
        assert (
            episode.terminations.tolist() == [False] * (steps - 1) + [True] and not episode.truncations.any()
        )
        assert not episode.rewards[:-1].any() and episode.rewards[-1] != 0


def held_by(observations: np.ndarray, game: object) -> bool:
    """Are all of them in the space that environments have?"""
    from genesia_rl.envs.spaces import ObservationForm

    space = ObservationForm(game).space  # type: ignore[arg-type]
    return all(space.contains(seen.astype(np.int8)) for seen in observations)


def test_read_back_it_is_what_the_parquet_file_holds(folder: Path) -> None:
    from genesia_rl.learn.dataset import DataSet
    from genesia_rl.learn.episodes import read_episodes

    game = make_game("toy", players=3)
    parts = list(read_episodes(folder / "random-v0", game))
    ours = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    data = DataSet(folder / "random.parquet", game)
    groups = [data.read(group) for group in range(data.num_chunks)]
    theirs = {name: np.concatenate([group[name] for group in groups]) for name in groups[0]}
    assert set(ours) == set(theirs)
    orders = [np.lexsort((held["decision"], held["seat"], held["game"])) for held in (ours, theirs)]
    for name in ours:
        assert np.array_equal(ours[name][orders[0]], theirs[name][orders[1]]), name


def test_a_data_set_of_another_game_is_refused(folder: Path, tmp_path: Path) -> None:
    from genesia_rl.learn.episodes import read_episodes

    with pytest.raises(DataError, match="players = 3, allowed in this game is 2"):
        next(read_episodes(folder / "random-v0", make_game("toy", players=2)))
    with pytest.raises(DataError, match="no data set of Minari"):
        next(read_episodes(tmp_path, make_game("toy", players=3)))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "metadata.json").write_text(json.dumps({"data_format": "arrow"}))
    with pytest.raises(DataError, match="no data set of Minari"):
        next(read_episodes(tmp_path, make_game("toy", players=3)))


def test_the_command_writes_it_and_refuses_a_name_that_minari_would(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    export = ["export", "--game", "toy", "--agents", "random", "--games", "2", "--format", "minari", "--out"]
    assert genesia(capsys, *export, "toy/small-v1")[0] == 0
    assert minari.MinariDataset("toy/small-v1/data").total_episodes == 4
    assert [path.name for path in Path("toy").iterdir()] == ["small-v1"]
    assert "exists, allowed is another --out" in mistake(capsys, *export, "toy/small-v1")
    assert "allowed for Minari is a folder whose name ends in a version" in mistake(
        capsys, *export, "toy/small"
    )
    assert "'csv', allowed are parquet and minari" in mistake(
        capsys, *[word if word != "minari" else "csv" for word in export], "a"
    )
