"""The models that come with the package: small, described, playable without a path, and better than chance."""

from __future__ import annotations

from pathlib import Path

import pytest

from genesia_rl.core.mind import mind_of
from genesia_rl.core.registry import game_names, make_game, offers
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.codes import make_player
from genesia_rl.players.learned import LearnedPlayer, load_model, model_name, models_of

FILES = [(name, path) for name in game_names() for path in sorted(models_of(name).glob("*.npz"))]
MOST_BYTES = 3_000_000


@pytest.mark.parametrize(
    ("name", "path"), FILES, ids=lambda held: held if isinstance(held, str) else held.stem
)
def test_a_model_is_small_and_has_a_card(name: str, path: Path) -> None:
    model = load_model(path)
    card = model.header["card"]
    assert path.stat().st_size <= MOST_BYTES
    assert model.header["game"] == name and path.stem == f"{model.players}p"
    assert card["command"].startswith("genesia train") and card["minutes"] > 0
    assert "random" in card["strength"]
    page = (path.parent / "README.md").read_text(encoding="utf-8")
    assert path.name in page and card["command"] in page
    for found in card["strength"].values():
        assert f"{100 * found['first']:.1f} %" in page


@pytest.mark.parametrize("use_torch", [False, None])
@pytest.mark.parametrize(
    ("name", "path"), FILES[:2], ids=lambda held: held if isinstance(held, str) else held.stem
)
def test_a_model_without_a_path_wins_against_random_play(
    name: str, path: Path, use_torch: bool | None
) -> None:
    game = make_game(name, players=load_model(path).players)
    assert model_name(game) == path.name
    found = evaluate(LearnedPlayer(use_torch=use_torch), [make_player("random", name)], game, 30)
    assert found.rate > 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "path"), FILES, ids=lambda held: held if isinstance(held, str) else held.stem
)
def test_a_model_is_stronger_than_the_first_character(name: str, path: Path) -> None:
    if not offers(name, "mind") or not mind_of(name).characters:
        pytest.skip(f"{name} has no characters")
    game = make_game(name, players=load_model(path).players)
    rival = make_player(next(iter(mind_of(name).characters)), name)
    found = evaluate(make_player("ppo", name), [rival], game, 200)
    assert found.interval()[0] > 1 / game.num_seats
