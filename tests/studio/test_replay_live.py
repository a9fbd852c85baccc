"""A replay at the table: what a seat has seen of a game that goes on, all of one that is over, and playing on."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from window_tools import DESKTOP, Window, open_browser

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import known_games
from genesia_rl.core.scene import BYSTANDER, EVERYTHING, as_json, scene_of
from genesia_rl.core.trace import game_of
from genesia_rl.studio import server as module
from genesia_rl.studio.frames import film_seen, patched
from genesia_rl.studio.live import PERSON, LiveGame
from genesia_rl.studio.lobby import Lobby
from genesia_rl.studio.server import Refused, Server, packed

GAMES = tuple(known_games())


def played(live: LiveGame, decisions: int, seed: int = 1) -> None:
    """People decide anything, so many times."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        if live.over:
            return
        legal = live.game.legal_actions(live.states, 0)
        live.act(live.seat, legal[int(rng.integers(len(legal)))], live.steps)


def finished(live: LiveGame) -> None:
    """Until it is over."""
    with live.changed:
        assert live.changed.wait_for(lambda: live.over, timeout=120)


@pytest.mark.parametrize("name", GAMES)
def test_a_film_of_a_seat_holds_what_it_saw_and_nothing_else(name: str, begin: Any) -> None:
    """The bytes are the same when all that the seat could not know at each step is drawn anew."""
    _, live = begin(name, [PERSON, PERSON])
    played(live, 14)
    rng = np.random.default_rng(2)
    for eyes in (0, 1):
        moments = live.moments()
        shown = json.loads(packed(film_seen(live.game, moments, eyes)))
        assert shown["eyes"] == [eyes] and "config" not in shown and "seed" not in shown
        assert shown["steps"] == live.steps == len(shown["reels"][0]["log"])
        last: Any = None
        for (states, _), change in zip(moments, shown["reels"][0]["scenes"], strict=True):
            last = patched(last, change)
            wanted = as_json(scene_of(live.game, states, 0, eyes))
            wanted.get("decision", {}).pop("options", None)
            assert last == json.loads(json.dumps(wanted))
        other = []
        for states, action in moments:
            # an own decision is known; another's is told by what it leads to, which is drawn with it
            known = action is not None and live.game.seat(states, 0) == eyes
            drawn = live.game.resample_hidden(states, 0, eyes, rng)
            other.append((drawn if known or action is None else states, action))
        assert packed(film_seen(live.game, other, eyes)) == packed(film_seen(live.game, moments, eyes))


def test_only_the_own_seat_is_shown_before_the_end(server: Server, lobby: Lobby, begin: Any) -> None:
    from genesia_rl.studio.server import page_files

    name, live = begin("toy", [PERSON, PERSON])
    played(live, 3)
    handler = _asking(server, lobby.seat_key(name, 1))
    assert handler._film(live, name, 1)["film"]["eyes"] == [1]
    assert handler._film(live, name, BYSTANDER)["film"]["eyes"] == [BYSTANDER]
    for eyes in (0, EVERYTHING, 7):
        with pytest.raises(Refused, match=f"seat {eyes}: is not yours"):
            handler._film(live, name, eyes)
    page = page_files()["/replay.html"].decode()
    assert "replay_live.js" in page and "{" not in page and 'id="film"' not in page


def _asking(server: Server, key: str) -> Any:
    """One connection's side of the server, with this key."""
    handler = module.Handler.__new__(module.Handler)
    handler.server, handler.headers = server, {"X-Key": key}  # type: ignore[assignment]
    return handler


@pytest.mark.parametrize("name", GAMES)
def test_a_finished_game_is_shown_wholly_and_goes_on_from_any_step(
    name: str, server: Server, lobby: Lobby, begin: Any
) -> None:
    played_name, live = begin(name, ["random", "random"])
    finished(live)
    told = _asking(server, lobby.host_key)._film(live, played_name, 0)
    assert told["film"]["eyes"] == [EVERYTHING, 0, 1] and told["branch"]
    assert not _asking(server, lobby.seat_key(played_name, 0))._film(live, played_name, 0)["branch"]
    step = live.steps // 2
    made = lobby.branch(live, step)
    again = lobby.live(made).result(timeout=600)
    again.set_pace(0.0)
    finished(again)
    kept = lobby.folder.read(made)
    assert (
        kept["steps"][:step] == live.trace["steps"][:step]
        and kept["play"] == lobby.folder.read(played_name)["play"]
    )
    assert game_of(kept).config_dict() == live.game.config_dict() and "result" not in kept["play"]
    for wrong in (-1, live.steps):
        with pytest.raises(ConfigError, match=f"step = {wrong}, allowed are 0..{live.steps - 1}"):
            lobby.branch(live, wrong)


def test_nobody_plays_on_from_a_game_that_goes_on(lobby: Lobby, begin: Any) -> None:
    _, live = begin("toy", [PERSON, PERSON])
    played(live, 2)
    with pytest.raises(ConfigError, match="would show what is to come"):
        lobby.branch(live, 1)


@pytest.mark.slow
@pytest.mark.window
def test_the_menu_leads_to_the_replay_and_the_replay_to_a_new_game(
    server: Server, lobby: Lobby, begin: Any
) -> None:
    browser = open_browser(DESKTOP)
    try:
        name, live = begin("toy", [PERSON, PERSON], target=20)
        played(live, 4)
        window = Window(browser, server.url(f"k={lobby.host_key}&g={name}"))
        window.wait_for_turn()
        assert "as you have seen it" in _watched(browser, window)
        assert browser.find_elements("css selector", "[data-act=branch]")[0].is_displayed() is False
        played(live, 400)
        window = Window(browser, server.url(f"k={lobby.host_key}&g={name}"))
        window.drawn()
        assert "play on from any step" in _watched(browser, window)
        assert (
            int(browser.execute_script("return document.querySelector('[data-part=scrub]').value"))
            == live.steps
        )
        browser.find_element("css selector", "[data-act=back]").click()
        browser.find_element("css selector", "[data-act=branch]").click()
        window.wait_for(lambda: "replay.html" not in browser.current_url, "the new game")
        assert window.drawn()["step"] == live.steps - 1 and len(lobby.folder.names()) == 2
        assert window.complaints() == []
    finally:
        browser.quit()


def _watched(browser: Any, window: Window) -> str:
    """Open the menu and follow its link, in this window; what stood beside the link."""
    browser.find_element("id", "more").click()
    link = window.wait_for(lambda: browser.find_elements("id", "watch"), "the menu")[0]
    words = str(link.find_element("xpath", "..").text)
    browser.get(link.get_attribute("href"))
    window.wait_for(lambda: browser.find_elements("css selector", ".areas > g"), "the replay is drawn")
    return words
