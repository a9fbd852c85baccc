"""The models that come with the package: small, described, playable without a path, and strong."""

from __future__ import annotations

import pytest
from env_tools import game_of

from agents.learned import MODELS, LearnedAgent, load_model
from agents.registry import make_agent
from experiments.train.evaluate import evaluate

FILES = sorted(MODELS.glob("*.npz"))
MOST_BYTES = 5_000_000


def test_there_is_a_model_for_every_number_of_players() -> None:
    assert [load_model(path).players for path in FILES] == [2, 3, 4, 5]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_model_is_small_and_has_a_card(path) -> None:  # type: ignore[no-untyped-def]
    model = load_model(path)
    card = model.header["card"]
    assert path.stat().st_size <= MOST_BYTES
    assert card["command"].startswith("genesia train") and card["minutes"] > 0
    assert card["settings"]["run"]["seed"] == 0
    assert {"random", "greedy", "warlord"} <= set(card["strength"])
    page = (MODELS / "README.md").read_text(encoding="utf-8")
    assert path.name in page and card["command"] in page
    for found in card["strength"].values():
        assert f"{100 * found['first']:.1f} %" in page


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("use_torch", [False, None])
def test_a_model_without_a_path_wins_against_random_play(players: int, use_torch: bool | None) -> None:
    agent = LearnedAgent(use_torch=use_torch)
    found = evaluate(agent, [make_agent("random")], game_of(f"players{players}"), 30)
    assert found.rate > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_model_is_stronger_than_greedy_with_all_lots(players: int) -> None:
    game = game_of(f"players{players}")
    found = evaluate(make_agent("ppo"), [make_agent("greedy")], game, 200, lots="all")
    assert found.interval()[0] > 1 / players
