"""A replay: the film holds every picture, the page is small and needs nothing, and a browser plays it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli_tools import genesia, mistake
from scene_tools import GAMES
from window_tools import DESKTOP, PHONE, open_browser

from genesia_rl.core.errors import TraceError
from genesia_rl.core.registry import default_game, game_info, make_game
from genesia_rl.core.scene import EVERYTHING, as_json, scene_of
from genesia_rl.core.trace import begin, record
from genesia_rl.players.codes import make_players
from genesia_rl.studio.frames import difference, film, patched
from genesia_rl.studio.replay import replay_page

MOST_PAGE = 400_000


def recorded(name: str, **config: Any) -> tuple[Any, dict[str, Any]]:
    """A game of random players."""
    game = make_game(name, **config)
    return game, record(game, make_players("random", name), 3)


# ---------------------------------------------------------------- the film


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (1, 1), (1, True), ({"a": 1}, {"a": 2, "b": 3}), ({"a": 1, "b": 2}, {"b": 2}), ([1, 2, 3], [1, 4]), ([], [1]),
        ([{"key": "a"}, {"key": "b", "n": 1}], [{"key": "b", "n": 2}, {"key": "c"}]), ([{"key": "a"}], []),
        (None, {"a": 1}), ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}, 4]}), ([{"key": "a"}], [1]),
    ],
)  # fmt: skip
def test_a_difference_turns_the_old_into_the_new(old: Any, new: Any) -> None:
    change = difference(old, new)
    assert repr(patched(old, json.loads(json.dumps(change)))) == repr(new)
    assert (change is None) == (repr(old) == repr(new))


@pytest.mark.parametrize("name", GAMES)
def test_a_film_holds_what_every_pair_of_eyes_sees_at_every_step(name: str) -> None:
    game, trace = recorded(name)
    shown = json.loads(json.dumps(film(game, trace)))
    assert shown["eyes"] == [EVERYTHING, *range(game.num_seats)]
    whole: Any = None
    states = begin(game, trace)
    for number in range(len(trace["steps"]) + 1):
        whole = patched(whole, shown["reels"][0]["scenes"][number])
        for eyes, reel in zip(shown["eyes"], shown["reels"], strict=True):
            seen = whole if eyes == EVERYTHING else patched(whole, reel["scenes"][number])
            wanted = as_json(scene_of(game, states, 0, eyes))
            wanted.get("decision", {}).pop("options", None)
            assert seen == json.loads(json.dumps(wanted)), (number, eyes)
        if number < len(trace["steps"]):
            game.step(states, 0, game.parse_action(trace["steps"][number][2]))
    assert all(len(reel["log"]) == len(reel["chosen"]) == len(trace["steps"]) for reel in shown["reels"])


def test_a_step_that_is_not_legal_is_named() -> None:
    game, trace = recorded("toy")
    trace["steps"][2][2] = "jump"
    with pytest.raises(TraceError, match="step 2: action 'jump'"):
        film(game, trace)


# ---------------------------------------------------------------- the page


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_a_page_is_small_and_points_nowhere(name: str) -> None:
    players = game_info(name).players[1]
    game, trace = recorded(name, **game_info(name).full(players))
    page = replay_page(game, trace)
    assert len(page.encode()) < MOST_PAGE and page == replay_page(game, trace)
    assert set(re.findall(r"https?://[^\s\"'`<>]+", page)) <= {"http://www.w3.org/2000/svg"}
    packed = re.search(r'id="film">(.*?)</script>', page)
    assert packed and json.loads(gzip.decompress(base64.b64decode(packed[1])))["steps"] == len(trace["steps"])
    assert "import " not in page.partition('type="module">')[2] and "{script}" not in page


def test_the_command_writes_the_page_and_pictures(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert genesia(capsys, "record", "-o", "a.jsonl")[0] == 0
    assert genesia(capsys, "replay", "a.jsonl")[0] == 0 and Path("a.html").stat().st_size < MOST_PAGE
    assert genesia(capsys, "show", "a.jsonl", "--step", "20", "--svg", "a.svg", "--png", "a.png")[0] == 0
    assert Path("a.svg").read_text().startswith("<svg") and Path("a.png").read_bytes().startswith(b"\x89PNG")
    assert genesia(capsys, "show", "a.jsonl", "--step", "20", "--svg", "b.svg", "--dark")[0] == 0
    assert Path("a.svg").read_text() != Path("b.svg").read_text()
    told = genesia(capsys, "show", "a.jsonl", "--step", "20", "--seat", "1")[1]
    assert told != genesia(capsys, "show", "a.jsonl", "--step", "20", "--seat", "0")[1]
    assert "seat = 2, allowed are 0..1" in mistake(capsys, "show", "a.jsonl", "--seat", "2")


# ---------------------------------------------------------------- in a browser

LOOK = """
const part = (name) => document.querySelector(`[data-part="${name}"]`);
return {step: Number(part("scrub").value), areas: document.querySelectorAll(".areas > g").length,
        cards: [...document.querySelectorAll(".zone h3")].map((zone) => zone.textContent),
        wide: document.documentElement.scrollWidth - innerWidth};
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """The address of a replay, and what it is of."""
    game, trace = recorded(default_game(), players=3)
    path = tmp_path_factory.mktemp("replay") / "game.html"
    path.write_text(replay_page(game, trace), encoding="utf-8")
    return path.as_uri(), trace


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A Chromium of either size."""
    made = open_browser(request.param)
    yield made
    made.quit()


def complaints_of_axe(browser: Any) -> list[str]:
    """What axe-core finds wrong: contrast, labels, the order of headings, what the keyboard cannot reach."""
    axe = Path(pytest.importorskip("axe_core_python").__file__).parent / "axe.min.js"
    browser.execute_script(axe.read_text(encoding="utf-8"))
    found = browser.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done)"
    )
    return [f"{rule['id']}: {node['html'][:200]}" for rule in found["violations"] for node in rule["nodes"]]


def test_a_browser_steps_through_the_game_by_keyboard(browser: Any, page: tuple[str, dict[str, Any]]) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import WebDriverWait

    address, trace = page
    last = len(trace["steps"])

    def press(key: str, times: int = 1) -> dict[str, Any]:
        ActionChains(browser, duration=0).send_keys(key * times).perform()
        found: dict[str, Any] = browser.execute_script(LOOK)
        return found

    browser.get(address)
    WebDriverWait(browser, 60).until(
        lambda b: b.execute_script("return document.querySelector('.areas > g') !== null")
    )
    assert press(Keys.ARROW_RIGHT, 3)["step"] == 3
    assert press(Keys.ARROW_LEFT)["step"] == 2
    chapter = press(Keys.ARROW_DOWN)
    assert chapter["step"] > 2 and press(Keys.ARROW_UP)["step"] < chapter["step"]
    assert press(Keys.END)["step"] == last and press(Keys.HOME)["step"] == 0
    later = press(Keys.PAGE_DOWN)
    assert later["step"] > 0 and later["areas"] > 50 and later["wide"] <= 0
    hands = [
        len([card for card in look["cards"] if "Hand of" in card]) for look in (press("e") for _ in range(4))
    ]
    assert max(hands[:3]) <= 1, "a seat sees its own hand only"
    press(" ")
    WebDriverWait(browser, 60).until(lambda b: b.execute_script(LOOK)["step"] > later["step"])
    press(" ")
    assert browser.execute_script("return document.documentElement.dataset.theme ?? ''") == ""
    press("d")
    assert browser.execute_script("return document.documentElement.dataset.theme") == "dark"
    assert complaints_of_axe(browser) == []
    logs = [entry["message"] for entry in browser.get_log("browser")]
    assert logs == []
    asked = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = {m["params"]["request"]["url"] for m in asked if m["method"] == "Network.requestWillBeSent"}
    assert all(url.startswith(("file:", "data:")) for url in sent), sent
