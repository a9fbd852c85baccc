"""What a picture shows: everything that can be done, each thing once, and nothing that its eyes may not know."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scene_tools import GAMES, position, positions

from genesia_rl.core.errors import ActionError
from genesia_rl.core.game import Game, States
from genesia_rl.core.registry import game_names, make_game, variants
from genesia_rl.core.scene import (
    BYSTANDER,
    EVERYTHING,
    Area,
    Decision,
    Option,
    Piece,
    Row,
    Scene,
    Seat,
    Shape,
    Table,
    as_json,
    check_scene,
    scene_of,
    tell,
)
from genesia_rl.studio.palette import forms, tones


def bare(scene: Scene) -> str:
    """The bytes that a page would get."""
    return json.dumps(as_json(scene), sort_keys=True, allow_nan=False)


# ---------------------------------------------------------------- every game, many positions


@pytest.mark.parametrize("name", GAMES)
def test_a_scene_is_sound_and_offers_every_legal_action_once(name: str) -> None:
    for game, states in positions(name, 4):
        scene = scene_of(game, states)
        where = f"{game.config_dict()}, decision {int(states[0]['steps'])}"
        assert check_scene(scene) == [], where
        offered = [option.action for option in scene.decision.options] if scene.decision else []
        assert offered == game.legal_actions(states, 0), where
        assert (scene.decision is None) == scene.over == game.is_over(states, 0)
        assert scene.seats[-1].seat == game.num_seats - 1 and scene.chapters


@pytest.mark.parametrize("name", GAMES)
def test_options_can_be_told_apart_by_their_words(name: str) -> None:
    for game, states in positions(name, 4, seed=2):
        decision = scene_of(game, states).decision
        told = [(option.group, option.word) for option in decision.options] if decision else []
        assert len(set(told)) == len(told) and all(word.strip() for _, word in told), (
            game.config_dict(),
            told,
        )


@pytest.mark.parametrize("name", GAMES)
def test_all_that_is_drawn_has_a_tone_and_a_form_that_the_page_knows(name: str) -> None:
    for game, states in positions(name, 3, seed=3):
        scene = scene_of(game, states)
        cards = [card for zone in scene.zones for card in zone.cards]
        drawn = {area.tone for area in scene.areas} | {piece.tone for piece in scene.pieces}
        drawn |= {card.tone for card in cards}
        assert drawn <= set(tones()), game.config_dict()
        width, height = scene.size
        assert all(0 <= piece.at[0] <= width and 0 <= piece.at[1] <= height for piece in scene.pieces)
        assert {piece.form for piece in scene.pieces} <= {"", *forms(), *(form for form, _ in scene.symbols)}


@pytest.mark.parametrize("name", GAMES)
def test_only_who_decides_and_who_sees_everything_see_the_options(name: str) -> None:
    for game, states in positions(name, 2, seed=4):
        if game.is_over(states, 0):
            continue
        asked = game.seat(states, 0)
        for eyes in (EVERYTHING, BYSTANDER, *range(game.num_seats)):
            decision = scene_of(game, states, 0, eyes).decision
            assert decision is not None and decision.seat == asked and decision.question
            assert bool(decision.options) == (eyes in (asked, EVERYTHING))


def leaks(game: Game, states: States, rng: np.random.Generator) -> None:
    """In a game that the seat cannot tell from this one it sees the same bytes; a finished game hides nothing."""
    if game.is_over(states, 0):
        return
    for seat in range(game.num_seats):
        other = game.resample_hidden(states, 0, seat, rng)
        assert bare(scene_of(game, states, 0, seat)) == bare(scene_of(game, other, 0, seat)), (
            game.config_dict()
        )
        if game.seat(states, 0) == seat:
            action = game.legal_actions(states, 0)[0]
            assert tell(game, states, 0, action, seat) == tell(game, other, 0, action, seat)


@pytest.mark.parametrize("name", GAMES)
def test_a_scene_shows_nothing_that_its_eyes_may_not_know(name: str) -> None:
    rng = np.random.default_rng(5)
    for game, states in positions(name, 3, seed=5):
        leaks(game, states, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(GAMES) - set(game_names())))
def test_a_thousand_scenes_show_nothing_that_their_eyes_may_not_know(name: str) -> None:
    """Of the games that are in no list; test_secrets.py has those that are."""
    rng, configs = np.random.default_rng(6), list(variants(name).values())
    for config in configs:
        game = make_game(name, **config)
        for _ in range(-(-1_000 // len(configs))):
            leaks(game, position(game, rng), rng)


@pytest.mark.parametrize("name", GAMES)
def test_a_finished_game_shows_everybody_the_final_score(name: str) -> None:
    for game, states in positions(name, 1):
        totals = game.scores(states, 0).totals.tolist()
        for eyes in (EVERYTHING, BYSTANDER, 0):
            scene = scene_of(game, states, 0, eyes)
            assert [seat.score for seat in scene.seats] == totals
            winners = [seat.name for seat in scene.seats if seat.rank == 0]
            assert all(name in scene.outcome for name in (winners if game.is_contest else [str(min(totals))]))


def test_every_thing_keeps_its_key_while_a_game_goes_on() -> None:
    """The board of a game is the same areas at every step: a page would else build it anew."""
    for name in GAMES:
        game, rng = make_game(name), np.random.default_rng(7)
        states = game.new_states()
        boards: list[list[str]] = []
        game.reset(states, 0, 1)
        while not game.is_over(states, 0) and len(boards) < 30:
            keys = [area.key for area in scene_of(game, states).areas]
            boards.append([key for key in keys if not key.startswith("way:")])  # of a move that is under way
            legal = game.legal_actions(states, 0)
            game.step(states, 0, legal[int(rng.integers(len(legal)))])
        assert all(board == boards[0] for board in boards), name


# ---------------------------------------------------------------- eyes, and a game without a scene


@pytest.mark.parametrize("eyes", [2, -3, 99])
def test_eyes_that_nobody_has_are_refused(eyes: int) -> None:
    game = make_game("toy")
    states = game.new_states()
    game.reset(states, 0, 1)
    with pytest.raises(ActionError, match=f"eyes {eyes}: nobody's, allowed are 0..1, -1"):
        scene_of(game, states, 0, eyes)


def test_a_game_without_a_scene_gets_a_plain_one() -> None:
    game = make_game("toy", players=3)
    states = game.new_states()
    game.reset(states, 0, 1)
    scene = scene_of(game, states, 0, None)
    assert [area.title for area in scene.areas] == ["Seat 0", "Seat 1", "Seat 2"]
    assert scene.decision and [option.word for option in scene.decision.options] == [
        "hold the die",
        "roll the die",
    ]
    assert [row.label for row in scene.tables[0].rows] == [piece.name for piece in game.pieces]
    assert scene_of(game, states, 0, BYSTANDER).tables == ()


# ---------------------------------------------------------------- the form of it


GOOD = Scene(
    "none", "None", EVERYTHING, (10.0, 10.0), (Seat(0, "A"),),
    areas=(Area("a", Shape("circle", (1.0, 2.0, 3.0))),),
    pieces=(Piece("p", (1.0, 2.0), "a", 0),),
    decision=Decision(0, "turn", "what?", (Option(0, "go", "go", keys=("a", "p")),)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"areas": GOOD.areas * 2}, "key 'a': 2 times"),
        ({"pieces": (Piece("p", (0.0, 0.0), "b"),)}, "area 'b' is not there"),
        ({"pieces": (Piece("p", (0.0, 0.0), form="cube"),)}, "form 'cube', allowed are"),
        ({"areas": (Area("a", Shape("blob")),)}, "form 'blob', allowed are"),
        ({"tables": (Table("t", "T", ("x",), (Row(("1", "2"), 0),)),)}, "row ('1', '2') for columns ('x',)"),
        ({"pieces": ()}, "option 'go': key 'p' is not there"),
    ],
)
def test_what_is_wrong_with_a_scene_is_told(changed: dict[str, object], said: str) -> None:
    assert check_scene(GOOD) == []
    found = check_scene(replace(GOOD, **changed))  # type: ignore[arg-type]
    assert len(found) == 1 and said in found[0]


def test_json_leaves_out_what_is_at_its_default() -> None:
    assert as_json(GOOD.areas[0]) == {"key": "a", "shape": {"form": "circle", "numbers": [1, 2, 3]}}
    assert as_json(GOOD)["pieces"] == [{"key": "p", "at": [1, 2], "area": "a", "seat": 0}]
