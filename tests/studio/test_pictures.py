"""Pictures: well formed, of known colours that can be told apart, the same bytes for the same scene."""

from __future__ import annotations

import re
import sys
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from scene_tools import GAMES, position, positions

import genesia_rl
from genesia_rl.core.errors import NotOffered
from genesia_rl.core.registry import default_game, game_names, make_game
from genesia_rl.core.scene import BYSTANDER, EVERYTHING, Shape, scene_of
from genesia_rl.envs.registration import title_of
from genesia_rl.studio.ansi import ansi_of, board_lines, inside
from genesia_rl.studio.palette import THEMES, colours, forms, seat_forms, tones
from genesia_rl.studio.picture import pixels_of, png_of
from genesia_rl.studio.svg import svg_of

SVG = "{http://www.w3.org/2000/svg}"
MOST_SVG = 200_000


# ---------------------------------------------------------------- SVG


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_is_well_formed_and_of_the_palette(name: str) -> None:
    for game, states in positions(name, 2):
        for theme in THEMES:
            text = svg_of(scene_of(game, states), theme)
            root = ElementTree.fromstring(text)
            assert root.tag == f"{SVG}svg" and len(text) < MOST_SVG
            assert set(re.findall(r"#[0-9a-f]{6}", text)) <= set(colours(theme).values())
            assert not re.search(r"href|url\(|<style|<script", text)


def test_the_same_scene_gives_the_same_picture_and_marks_show() -> None:
    game = make_game()
    scene = scene_of(game, position(game, np.random.default_rng(1)))
    assert svg_of(scene) == svg_of(scene) != svg_of(scene, "dark")
    key = next(area.key for area in scene.areas if not area.passive)
    assert svg_of(scene, marked={key}).count(colours("light")["mark"]) == 1


def test_what_is_written_cannot_break_out_of_the_picture() -> None:
    from dataclasses import replace

    game = make_game("toy")
    scene = scene_of(game, position(game, np.random.default_rng(1)))
    nasty = replace(scene, title='<b a="1">&', seats=tuple(replace(s, name="<i>&") for s in scene.seats))
    texts = [element.text or "" for element in ElementTree.fromstring(svg_of(nasty)).iter(f"{SVG}text")]
    assert any('<b a="1">&' in text for text in texts) and "<i>&" in texts


# ---------------------------------------------------------------- pixels


@pytest.mark.parametrize("name", GAMES)
def test_the_frames_of_a_game_are_of_one_size_and_not_empty(name: str) -> None:
    game, rng = make_game(name), np.random.default_rng(3)
    frames = [pixels_of(scene_of(game, position(game, rng, to_end=end), 0, eyes))
              for end, eyes in ((False, EVERYTHING), (False, BYSTANDER), (True, 0))]  # fmt: skip
    assert len({frame.shape for frame in frames}) == 1
    assert all(frame.dtype == np.uint8 and frame.ndim == 3 and len(np.unique(frame)) > 20 for frame in frames)
    assert not np.array_equal(frames[0], frames[2])


def test_text_is_drawn() -> None:
    """Without a font nothing would be: the words of a position have dark pixels of their own."""
    game = make_game("toy")
    svg = svg_of(scene_of(game, position(game, np.random.default_rng(1))))
    assert png_of(svg) != png_of(re.sub(r"<text.*?</text>", "", svg))
    assert png_of(svg).startswith(b"\x89PNG")


def test_without_the_extra_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(NotOffered, match=r'pip install "genesia-rl\[picture\]"'):
        png_of("<svg/>")


def test_environments_give_frames(capsys: pytest.CaptureFixture[str]) -> None:
    gym: Any = gymnasium.make(f"{title_of(default_game())}-v0", render_mode="rgb_array")
    gym.reset(seed=1)
    first = gym.render()
    gym.step(gym.action_space.sample())
    assert first.shape == gym.render().shape and not np.array_equal(first, gym.render())
    aec = genesia_rl.make(players=2, render_mode="rgb_array")
    aec.reset(seed=1)
    assert aec.render().shape[2] == 3
    told = genesia_rl.make(players=2, render_mode="ansi")
    told.reset(seed=1)
    assert "\x1b[" in told.render() and "Player B" in told.render()
    human = genesia_rl.make(players=2, render_mode="human")
    human.reset(seed=1)
    assert human.render() is None and "Player B" in capsys.readouterr().out


@pytest.mark.parametrize("game", game_names())
def test_a_person_is_shown_a_position_with_the_eyes_of_the_seat_to_act(
    capsys: pytest.CaptureFixture[str], game: str
) -> None:
    env = genesia_rl.make(game, render_mode="human")
    env.reset(seed=1)
    core = env.unwrapped
    env.render()
    told, own = capsys.readouterr().out, core.game.seat(core._states, 0)
    assert told == f"{ansi_of(scene_of(core.game, core._states, 0, own), colour=False)}\n"
    while env.agents and not core.game.is_over(core._states, 0):
        mask = env.last()[0]["action_mask"]
        env.step(int(np.flatnonzero(mask)[0]))
    capsys.readouterr()
    env.render()
    everything = scene_of(core.game, core._states, 0, EVERYTHING)
    assert capsys.readouterr().out == f"{ansi_of(everything, colour=False)}\n", "nothing is hidden any more"


# ---------------------------------------------------------------- text


@pytest.mark.parametrize("name", GAMES)
def test_a_board_fits_into_a_terminal(name: str) -> None:
    for game, states in positions(name, 1):
        scene = scene_of(game, states)
        plain, coloured = ansi_of(scene, colour=False), ansi_of(scene)
        assert "\x1b" not in plain and max(map(len, board_lines(scene, False, 80))) <= 80
        assert all(seat.name in plain for seat in scene.seats)
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured).split() == plain.split()


def test_shapes_are_filled_where_they_are() -> None:
    x, y = np.array([[1.0, 5.0]]), np.array([[1.0, 5.0]])
    triangle = Shape("polygon", (0.0, 0.0, 4.0, 0.0, 0.0, 4.0))
    for shape in (triangle, Shape("circle", (0.0, 0.0, 2.0)), Shape("rect", (0.0, 0.0, 2.0, 2.0))):
        assert inside(shape, x, y).tolist() == [[True, False]]


# ---------------------------------------------------------------- colours

#: How eyes without one kind of cones see linear RGB (Machado, Oliveira and Fernandes 2009, full severity).
VISIONS = {
    "usual": "1 0 0  0 1 0  0 0 1",
    "protan": "0.152286 1.052583 -0.204868  0.114503 0.786281 0.099216  -0.003882 -0.048116 1.051998",
    "deutan": "0.367322 0.860646 -0.227968  0.280085 0.672501 0.047413  -0.011820 0.042940 0.968881",
    "tritan": "1.255528 -0.076749 -0.178779  -0.078411 0.930809 0.147602  0.004733 0.691367 0.303900",
}
#: From linear RGB to OKLab, whose distances are those that eyes see.
TO_LMS = "0.4122215 0.5363325 0.0514460  0.2119035 0.6806996 0.1073970  0.0883025 0.2817188 0.6299787"
TO_LAB = "0.2104543 0.7936178 -0.0040720  1.9779985 -2.4285922 0.4505937  0.0259040 0.7827718 -0.8086758"
#: The other tones, `dark`, `alarm` and `ink`, are those of small things, on which nothing stands.
GROUNDS = (*(tone for tone in tones() if tone not in ("dark", "alarm", "ink")), "ground", "sheet")
APART = 0.09  # in OKLab; beside the colour every seat has a form and a letter


def linear(colour: str) -> Any:
    """A colour as linear RGB."""
    value = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def matrix(text: str) -> Any:
    """Three rows of three numbers."""
    return np.array(text.split(), float).reshape(3, 3)


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2."""
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read(theme: str) -> None:
    colour = colours(theme)
    pairs = [("ink", tone) for tone in GROUNDS]
    pairs += [("faint", "ground"), ("faint", "sheet"), ("faint", "plain"), ("accent-ink", "accent")]
    pairs += [("seat-ink", f"seat{seat}") for seat in range(len(seat_forms()))]
    ratios = {pair: contrast(colour[pair[0]], colour[pair[1]]) for pair in pairs}
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("theme", THEMES)
def test_pieces_and_marks_stand_out_from_every_ground(theme: str) -> None:
    colour = colours(theme)
    things = ["mark", *(f"seat{seat}" for seat in range(len(seat_forms())))]
    weak = {(a, b): contrast(colour[a], colour[b]) for a in things for b in GROUNDS}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < 3.0} == {}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("vision", VISIONS)
def test_seats_can_be_told_apart_by_eyes_that_confuse_colours(theme: str, vision: str) -> None:
    def seen(seat: int) -> Any:
        rgb = np.clip(matrix(VISIONS[vision]) @ linear(colours(theme)[f"seat{seat}"]), 0.0, 1.0)
        return matrix(TO_LAB) @ np.cbrt(matrix(TO_LMS) @ rgb)

    apart = {
        (a, b): float(np.linalg.norm(seen(a) - seen(b))) for a, b in combinations(range(len(seat_forms())), 2)
    }
    assert min(apart.values()) >= APART, apart


def test_the_page_and_python_know_the_same_forms_and_themes() -> None:
    assert set(seat_forms()) < set(forms()) and len(set(seat_forms())) == 5
    assert set(colours("light")) == set(colours("dark")) and len(tones()) > 12
    page = Path(genesia_rl.__file__).parent / "studio" / "page"
    assert sum(path.stat().st_size for path in page.iterdir()) <= 100_000
