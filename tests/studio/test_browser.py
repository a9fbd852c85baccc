"""The page in a real Chromium: whole games by mouse and by keyboard, at desktop and at phone width."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selenium.common.exceptions import StaleElementReferenceException
from window_tools import DESKTOP, PHONE, Window, find_chromium, open_browser

from genesia_rl.core.registry import default_game, game_names
from genesia_rl.studio import server as server_module
from genesia_rl.studio.live import PERSON, usual_agent
from genesia_rl.studio.lobby import Lobby
from genesia_rl.studio.saved import Folder
from genesia_rl.studio.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.window]
GAMES = game_names()
SIZES = {"desktop": DESKTOP, "phone": PHONE}
MOST_SECONDS_A_CLICK = 0.1
#: What a person with a keyboard must always be able to do, and one who sees little to read.
CONTRAST = (
    "color-contrast",
    "label",
    "button-name",
    "aria-required-attr",
    "tabindex",
    "aria-valid-attr-value",
)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test clicks faster than people."""
    monkeypatch.setattr(server_module, "RATE", 1_000.0)
    monkeypatch.setattr(server_module, "BURST", 1_000.0)


@pytest.fixture(scope="module", params=SIZES)
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A browser of each size."""
    find_chromium()
    made = open_browser(SIZES[request.param])
    yield made
    made.quit()


@pytest.fixture(scope="module")
def wide() -> Iterator[Any]:
    """A browser on a desktop."""
    find_chromium()
    made = open_browser(DESKTOP)
    yield made
    made.quit()


def opened(browser: Any, server: Server, lobby: Lobby, name: str) -> Window:
    """The page of a game for the host."""
    return Window(browser, server.url(f"k={lobby.host_key}&g={name}"))


def check_quiet(window: Window, server: Server) -> None:
    """Nothing was complained of, and nobody else was asked for anything."""
    assert window.complaints() == []
    elsewhere = [
        url for url in window.requests() if not url.startswith((server.url("")[:-2], "data:", "about:"))
    ]
    assert elsewhere == []


def check_width(window: Window) -> None:
    """Nothing sticks out at the side."""
    wide, room = window.browser.execute_script(
        "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    )
    assert wide <= room


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_clicked_through(
    game: str, browser: Any, server: Server, lobby: Lobby, begin: Any
) -> None:
    """On the board and in the hand where things can be chosen there, and by the buttons."""
    name, live = begin(game, [PERSON, "random"], seed=12)
    window, rng, on_board = opened(browser, server, lobby, name), np.random.default_rng(1), 0
    while not (drawn := window.wait_for_turn())["over"]:
        number = int(rng.integers(1_000))
        if rng.random() < 0.6 and window.click_thing(number):
            on_board += 1
        else:
            window.click_option(number)
        window.wait_for_step(drawn["step"])
    assert live.over and on_board > 5
    check_width(window)
    check_quiet(window, server)
    assert "over" in window.browser.find_element("id", "turn").text


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_the_keyboard(
    game: str, browser: Any, server: Server, lobby: Lobby, begin: Any
) -> None:
    """Tab to a thing of the board or arrows to a button, and Enter."""
    name, live = begin(game, [PERSON, "random"], seed=13)
    window, rng = opened(browser, server, lobby, name), np.random.default_rng(2)
    while not (drawn := window.wait_for_turn())["over"]:
        window.press("1", *["\ue015"] * int(rng.integers(3)), "\ue007")  # arrows down, Enter
        window.wait_for_step(drawn["step"])
    assert live.over
    check_quiet(window, server)


def test_the_board_is_reached_by_tab_and_taken_by_enter(
    wide: Any, server: Server, lobby: Lobby, begin: Any
) -> None:
    game = GAMES[-1]
    name, live = begin(game, [PERSON, PERSON], seed=3)
    window = opened(wide, server, lobby, name)
    window.wait_for_turn()
    for _ in range(40):
        drawn = window.wait_for_turn()
        if wide.find_elements("css selector", "[data-key].open"):
            break
        window.press("1", "\ue007")
        window.wait_for_step(drawn["step"])
    for _ in range(60):
        window.press("\ue004")  # Tab
        if wide.execute_script("return document.activeElement.matches('[data-key].open')"):
            break
    drawn = window.drawn()
    window.press("\ue007")
    which = wide.find_elements("css selector", "dialog.which button")
    if which:
        window.press("\ue007")
    window.wait_for_step(drawn["step"])
    assert live.steps == drawn["step"] + 1


# ---------------------------------------------------------------- people


def test_several_people_at_one_browser_have_a_curtain_between_them(
    wide: Any, server: Server, lobby: Lobby, begin: Any
) -> None:
    """Until the one who is asked lifts it, the page holds what lies open, and nobody's hand."""
    name, live = begin(default_game(), [PERSON, PERSON], seed=5)
    window = opened(wide, server, lobby, name)
    for step in range(6):
        window.wait_for(lambda: wide.find_elements("id", "lift"), "the curtain falls")
        assert wide.execute_script("return window.studio.eyes") == -2
        assert "options" not in wide.execute_script("return window.studio.told.scene.decision")
        seat = live.seat
        while live.seat == seat and not live.over:
            drawn = window.wait_for_turn()
            assert drawn["eyes"] == seat
            window.click_option(step)
            window.wait_for_step(drawn["step"])
    check_quiet(window, server)


def test_two_browsers_a_reload_and_a_server_that_is_killed_lose_nothing(
    wide: Any, lobby: Lobby, server: Server, begin: Any
) -> None:
    name, live = begin(default_game(), [PERSON, PERSON], seed=6)
    other = open_browser(PHONE)
    try:
        addresses = [server.url(f"k={lobby.seat_key(name, seat)}&g={name}") for seat in range(2)]
        windows = [Window(wide, addresses[0]), Window(other, addresses[1])]
        for step in range(5):
            window = windows[live.seat]
            assert window.wait_for_turn()["step"] == step
            window.click_option(0)
            window.wait_for_step(step)
        windows[0].browser.refresh()
        assert windows[0].drawn()["step"] == 5
        server.shutdown()
        server.close()
        again = Server(Lobby(Folder(lobby.folder.path)), port=server.port)
        import threading

        threading.Thread(target=again.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        window = windows[live.seat]
        window.wait_for(lambda: _acts(window), "the page has found the new server")
        assert again.lobby.live(name).result(timeout=60).steps == 6
        again.shutdown()
        again.close()
    finally:
        other.quit()


def _acts(window: Window) -> bool:
    """Choose until the page, which is drawn anew when it has found the server, has come so far."""
    if int(window.drawn()["step"]) < 6 and window.has_options():
        with suppress(StaleElementReferenceException):
            window.click_option(0)
    time.sleep(0.3)
    return int(window.drawn()["step"]) == 6


# ---------------------------------------------------------------- what else a person does


def test_a_turn_is_taken_back_and_a_hint_is_shown(
    wide: Any, server: Server, lobby: Lobby, begin: Any
) -> None:
    name, live = begin(GAMES[1], [PERSON, "random"], seed=4)  # one that hides nothing but dice
    window = opened(wide, server, lobby, name)
    drawn = window.wait_for_turn()
    window.click_option(0)
    window.wait_for_step(drawn["step"])
    window.wait_for(
        lambda: not wide.find_element("id", "undo").get_attribute("disabled"), "it may be taken back"
    )
    wide.find_element("id", "undo").click()
    window.wait_for(lambda: window.drawn()["step"] == drawn["step"], "it was taken back")
    window.press("h")
    window.wait_for(lambda: wide.find_elements("css selector", "button.hinted"), "the hint is shown")
    assert live.steps == drawn["step"]


def test_a_new_game_is_begun_from_the_menu(wide: Any, server: Server, lobby: Lobby, begin: Any) -> None:
    for game in GAMES:
        _, live = begin(game, [PERSON, PERSON])
        live.hint(live.seat, 0, usual_agent(game))  # what has to be compiled is
    for number, game in enumerate(GAMES):
        window = Window(wide, server.url(f"k={lobby.host_key}"))
        form = window.wait_for(lambda: wide.find_elements("id", "new"), "the menu")[0]
        form.find_element("css selector", f"#new-game option[value='{game}']").click()
        form.find_element("css selector", "[name=players] option[value='3']").click()
        wide.find_element("css selector", "[data-name='0']").send_keys("Zoë <b>")
        form.find_element("css selector", "button.main").click()
        window.wait_for_turn()
        assert wide.execute_script("return window.studio.told.names[0]") == "Zoë <b>"
        assert len(lobby.folder.names()) == len(GAMES) + number + 1
        check_quiet(window, server)


def test_nonsense_in_the_menu_is_answered_with_the_reason(wide: Any, server: Server, lobby: Lobby) -> None:
    window = Window(wide, server.url(f"k={lobby.host_key}"))
    form = window.wait_for(lambda: wide.find_elements("id", "new"), "the menu")[0]
    wide.execute_script("document.querySelector('#new details').open = true")
    field = form.find_element("css selector", "#new [data-option]:is(input)")
    field.send_keys("-77")
    form.find_element("css selector", "button.main").click()
    wrong = window.wait_for(
        lambda: wide.find_elements("css selector", "#new [role=alert]:not([hidden])"), "the reason"
    )
    assert "allowed" in wrong[0].text


def test_an_address_without_a_key_or_with_a_wrong_one_says_so(wide: Any, server: Server, begin: Any) -> None:
    name, _ = begin(default_game(), [PERSON, PERSON])
    for fragment, words in (("", "has no key"), (f"k=wrong&g={name}", "key: none of this game")):
        window = Window(wide, server.url(fragment))
        window.wait_for_word(words)


# ---------------------------------------------------------------- how fast, how well it reads


def test_a_click_is_answered_and_the_first_board_is_there_soon(
    wide: Any, server: Server, lobby: Lobby, begin: Any
) -> None:
    """From the click to the new board, the median of twenty; a machine that does much else may take thrice as long."""
    name, _ = begin(default_game(), [PERSON, PERSON], seed=8)
    window = opened(wide, server, lobby, name)
    window.wait_for_turn()
    start = time.perf_counter()
    wide.refresh()
    window.wait_for_turn()
    took = time.perf_counter() - start
    assert took < 3 * 2.0
    script = """
    const done = arguments[0], now = window.studio, step = now.told.step, start = performance.now();
    const drawn = () => now.eyes < 0 || now.told && now.told.step > step;
    const look = () => drawn() ? done(performance.now() - start) : setTimeout(look, 1);
    document.querySelector(".part-decision button[data-action]").click();
    look();
    """
    times = []
    for _ in range(20):
        window.wait_for_turn()
        times.append(wide.execute_async_script(script) / 1000)
    print(f"the board is there in {took:.2f} seconds, clicks answered in {sorted(times)}")
    assert float(np.median(times)) < 3 * MOST_SECONDS_A_CLICK, times


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing(size: str, dark: bool, server: Server, lobby: Lobby, begin: Any) -> None:
    """Contrast, labels, roles, the order of focus: on the board of every game, in the menu, before the curtain."""
    axe = Path(pytest.importorskip("axe_core_python").__file__).parent / "axe.min.js"
    find_chromium()
    browser = open_browser(SIZES[size], dark)
    try:
        for game in GAMES:
            name, _ = begin(game, [PERSON, "random"], seed=9)
            window = opened(browser, server, lobby, name)
            for _ in range(8):
                drawn = window.wait_for_turn()
                window.click_option(1)
                window.wait_for_step(drawn["step"])
            window.wait_for_turn()
            check_axe(browser, axe, f"{game}, {size}")
            browser.find_element("id", "more").click()
            window.wait_for(lambda: browser.find_elements("css selector", "dialog.sheet[open]"), "the menu")
            check_axe(browser, axe, f"the menu of {game}, {size}")
    finally:
        browser.quit()


def check_axe(browser: Any, axe: Path, where: str) -> None:
    """What axe-core says of the page."""
    browser.execute_script(axe.read_text(encoding="utf-8"))
    found = browser.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done)"
    )
    said = [
        f"{where}: {rule['id']}: {node['html'][:200]} {str(node['any'] or node['all'] or node['none'])[:300]}"
        for rule in found["violations"]
        for node in rule["nodes"][:3]
    ]
    assert not said, "\n".join(said)
