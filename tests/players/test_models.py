"""The models that come with the package: small, described, playable without a path, and better than chance."""

from __future__ import annotations

from pathlib import Path

import pytest

from experiments import models
from genesia_rl.core.mind import mind_of
from genesia_rl.core.registry import game_names, make_game, offers
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.matches.together import compared
from genesia_rl.players.codes import make_player
from genesia_rl.players.ladder import ladders
from genesia_rl.players.learned import LearnedPlayer, load_model, model_name, models_of

FILES = [(name, path) for name in game_names() for path in sorted(models_of(name).glob("*.npz"))]
CONTESTS = [(name, path) for name, path in FILES if path.name != models.SOLO]
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
        assert (f"{100 * found['first']:.1f} %" if "first" in found else f"{found['score']:.1f}") in page


@pytest.mark.parametrize("path", models.pages(), ids=lambda path: str(path.parent.name))
def test_the_tables_of_a_page_are_made_from_the_cards(path: Path) -> None:
    assert models.page(path) == path.read_text(encoding="utf-8"), "run python -m experiments.models"


@pytest.mark.parametrize("path", models.pages(), ids=lambda path: str(path.parent.name))
def test_the_levels_of_a_ladder_are_on_the_page(path: Path) -> None:
    held, text = ladders(path.parent.name), path.read_text(encoding="utf-8")
    for players, levels in held.items():
        assert f"{players} players" in text
        for level in levels[1:]:
            assert level.won is not None and f"`{level.agent}` {100 * level.won:.1f} %" in text
    if held:
        head, _, *rows = models.levels(path.parent).splitlines()
        assert len([row for row in rows if row.split("|")[1].strip().isdigit()]) == max(
            map(len, held.values())
        )
        assert {row.count("|") for row in rows} == {head.count("|")}


def test_what_is_uploaded_is_a_card_as_the_hub_reads_it(tmp_path: Path) -> None:
    """By the hub's own package: licence, library, tags, and every figure of every model; no link leads out."""
    folders = models.to_hub(tmp_path)
    hub = pytest.importorskip("huggingface_hub")
    assert [folder.name for folder in folders] == sorted({name for name, _ in FILES})
    for folder in folders:
        files = sorted(path.name for path in folder.glob("*.npz"))
        assert files == sorted(path.name for path in models_of(folder.name).glob("*.npz"))
        card = hub.ModelCard.load(folder / "README.md")
        assert (card.data.license, card.data.library_name) == ("mit", "genesia-rl")
        assert {"reinforcement-learning", folder.name} <= set(card.data.tags) and card.data.metrics
        held = [load_model(folder / name).header["card"]["strength"] for name in files]
        assert len(card.data.eval_results) == sum(map(len, held))
        shares = [100 * found["first"] for one in held for found in one.values() if "first" in found]
        told = [one.metric_value for one in card.data.eval_results if one.metric_type == "first_places"]
        assert [round(share, 1) for share in shares] == told
        assert "](../" not in card.content


@pytest.mark.parametrize("name", sorted({name for name, _ in FILES}))
def test_every_model_has_a_column_and_every_member_of_its_panel_a_row(name: str) -> None:
    own = [path for given, path in CONTESTS if given == name]
    head, _, *rows = models.models(models_of(name)).splitlines()
    assert head.count("p.npz`") == len(own)
    panel = ["random", *(mind_of(name).characters if offers(name, "mind") else ())]
    told = [line.split("|")[1].strip() for line in rows]
    assert [row for row in told if row.startswith("against ")] == [f"against `{code}`" for code in panel]
    asked = {share for path in own for share in load_model(path).header["card"].get("exploitability", {})}
    assert sum("best response" in row for row in told) == len(asked)


@pytest.mark.parametrize("use_torch", [False, None])
@pytest.mark.parametrize(
    ("name", "path"), CONTESTS[:2], ids=lambda held: held if isinstance(held, str) else held.stem
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
    first = next(iter(mind_of(name).characters))
    if not game.is_contest:
        assert compared(name, "ppo", first, game.num_seats, 100).ahead.interval()[0] > 0
        return
    rival = make_player(first, name)
    found = evaluate(make_player("ppo", name), [rival], game, 600)
    assert found.interval()[0] > 1 / game.num_seats
