"""The board of the browser: what is chosen by mouse, keyboard and in two clicks, and what stays as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from window_tools import DESKTOP, open_browser

from genesia_rl.core.scene import Area, Card, Decision, Option, Piece, Scene, Seat, Shape, Zone, as_json
from genesia_rl.studio.palette import page_text
from genesia_rl.studio.replay import one_module

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>board</title><link rel="icon" href="data:,">
<style>%s</style><main id="table"></main><script type="module">%s
window.chosen = [];
window.show = (scene, more) => drawScene(document.querySelector("#table"), scene,
  { onChoose: (action) => window.chosen.push(action), ...more });
</script></html>"""


def _area(key: str, place: int) -> Area:
    return Area(
        key, Shape("rect", (10.0 + 60 * place, 10.0, 50.0, 50.0)), title=f"area {key}", words="what it is"
    )


def _option(action: int, *keys: str, ask: bool = False) -> Option:
    return Option(action, f"act:{action}", f"word {action}", keys=keys, ask=ask)


SCENE = Scene(
    "none", "None", 0, (260.0, 80.0), (Seat(0, "<b>Ann</b>"), Seat(1, "Bob")),
    areas=(*(_area(key, place) for place, key in enumerate("abcd")),),
    pieces=(Piece("p", (35.0, 35.0), "a", 0, count=3),),
    zones=(Zone("hand", "Hand", (Card("x", "Card x"), Card("y", "Card y")), beside=True),),
    decision=Decision(0, "turn", "what now?", (
        _option(1, "a", "b"), _option(2, "a", "c"), _option(3, "a"), _option(4, "d"), _option(5, "x", ask=True),
        _option(6, "b", "c"), _option(7),
    )),
)  # fmt: skip


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page with nothing but a board."""
    path: Path = tmp_path_factory.mktemp("board") / "board.html"
    style = page_text("palette.css") + page_text("board.css")
    path.write_text(PAGE % (style, one_module("board.js")), encoding="utf-8")
    made = open_browser(DESKTOP)
    made.get(path.as_uri())
    yield made
    made.quit()


def show(browser: Any, scene: Scene = SCENE, **more: Any) -> None:
    browser.execute_script(
        f"window.chosen.length = 0; show({json.dumps(as_json(scene))}, {json.dumps(more)})"
    )


def click(browser: Any, key: str) -> None:
    browser.find_element("css selector", f'[data-key="{key}"]').click()


def found(browser: Any, selector: str) -> list[Any]:
    """What is there, as text."""
    return [element.text for element in browser.find_elements("css selector", selector)]


def chosen(browser: Any) -> list[int]:
    return list(browser.execute_script("return window.chosen"))


def test_a_thing_with_one_option_takes_it_at_once(browser: Any) -> None:
    show(browser)
    click(browser, "d")
    assert chosen(browser) == [4] and not found(browser, "dialog")


def test_a_way_is_chosen_by_its_beginning_and_its_end(browser: Any) -> None:
    show(browser)
    click(browser, "p")  # who clicks a piece means where it stands
    assert chosen(browser) == [] and len(found(browser, '.picked[data-key="a"]')) == 1
    assert found(browser, "dialog button") == ["word 3", "word 1", "word 2"]
    click(browser, "c")
    assert chosen(browser) == [2] and not found(browser, "dialog, .picked, .glow")


def test_what_was_picked_up_can_be_put_down(browser: Any) -> None:
    show(browser)
    click(browser, "p")
    click(browser, "p")
    assert chosen(browser) == [] and not found(browser, "dialog, .picked")
    click(browser, "p")
    browser.find_element("css selector", "dialog button").click()
    assert chosen(browser) == [3]


def test_a_thing_at_which_several_ways_end_asks_which(browser: Any) -> None:
    show(browser)
    click(browser, "c")
    assert found(browser, "dialog button") == ["word 2", "word 6"]
    browser.find_elements("css selector", "dialog button")[1].click()
    assert chosen(browser) == [6]


def test_what_cannot_be_meant_lightly_is_asked_first(browser: Any) -> None:
    show(browser)
    click(browser, "x")
    assert chosen(browser) == [] and found(browser, "dialog button") == ["word 5"]
    browser.find_element("css selector", "dialog button").click()
    assert chosen(browser) == [5]


def test_the_keyboard_takes_what_has_the_focus_and_leaves_by_escape(browser: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    show(browser)
    browser.find_element("css selector", '[data-key="d"]').send_keys(Keys.ENTER)
    assert chosen(browser) == [4]
    browser.find_element("css selector", '[data-key="a"]').send_keys(" ")
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert chosen(browser) == [4] and not found(browser, "dialog, .picked")
    stops = browser.execute_script(
        "return [...document.querySelectorAll('[tabindex]')].map((e) => e.dataset.key)"
    )
    assert stops == ["a", "b", "c", "d", "x"]


def test_every_option_has_a_button_and_nothing_can_be_chosen_without_a_chooser(browser: Any) -> None:
    show(browser)
    assert found(browser, ".part-decision button") == [f"word {action}" for action in range(1, 8)]
    show(browser, onChoose=None)
    assert browser.find_elements("css selector", ".part-decision button:enabled, .open") == []


def test_names_are_text_and_never_markup(browser: Any) -> None:
    show(browser)
    assert "<b>Ann</b>" in found(browser, ".part-seats li")[0]


def test_a_piece_that_moves_stays_the_same_element_and_marks_follow(browser: Any) -> None:
    show(browser)
    browser.execute_script("window.before = document.querySelector('[data-key=p]').parentNode")
    show(
        browser,
        replace(SCENE, pieces=(Piece("p", (95.0, 35.0), "b", 0, count=3),)),
        marked=["b"],
        heat={"c": 0.5},
    )
    same, place = browser.execute_script(
        "const now = document.querySelector('[data-key=p]').parentNode;"
        "return [now === window.before, now.style.transform]"
    )
    assert same and place == "translate(95px, 35px)"
    assert browser.execute_script(
        "return [...document.querySelectorAll('.area.marked')].map((e) => e.dataset.key)"
    ) == ["b"]
    assert len(browser.find_elements("css selector", '[data-key="c"] .heat')) == 1
    assert [entry["message"] for entry in browser.get_log("browser")] == []
