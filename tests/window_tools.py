"""A real Chromium for the tests of the page, and how a person moves in it: by mouse and by keyboard."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from typing import Any

import pytest

WAIT = 60.0
DESKTOP, PHONE = (1280, 800), (390, 844)
#: What the page has on the screen: the step that is drawn, and whether this browser is asked.
DRAWN = """
const now = window.studio, told = now && now.told;
if (!told || now.busy) return null;
return {step: told.step, over: told.over, seat: told.seat, eyes: now.eyes,
        asked: !told.over && now.eyes >= 0 && told.seat === now.eyes};
"""

#: A point of the window at which a click meets this thing and nothing that lies above it.
SPOT = """
const thing = arguments[0];
thing.scrollIntoView({block: "center", inline: "center"});
const box = thing.getBoundingClientRect();
for (const grain of [2, 5, 9, 17]) {
  for (let i = 1; i < grain; i++) for (let j = 1; j < grain; j++) {
    const x = box.left + box.width * i / grain, y = box.top + box.height * j / grain;
    if (thing.contains(document.elementFromPoint(x, y))) return [x, y];
  }
}
return null;
"""


def find_chromium() -> tuple[str, str]:
    """The browser and its driver; without them the test is skipped, but not in CI."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        reason = "no Chromium with its driver on this machine: apt-get install chromium chromium-driver"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return browser, driver


def open_browser(size: tuple[int, int], dark: bool = False) -> Any:
    """A headless Chromium of a size; of a phone's it believes that it is one."""
    webdriver = pytest.importorskip("selenium.webdriver")
    browser, driver = find_chromium()
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
    made.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    made.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme, still]})
    return made


#: The buttons of a decision.
OPTIONS = ".part-decision button[data-action]"


class Window:
    """One page of a game, and somebody before it."""

    def __init__(self, browser: Any, url: str) -> None:
        self.browser = browser
        browser.get("about:blank")  # an address that differs behind # only would not be loaded
        self.complaints(), self.requests()  # those of the page before
        browser.get(url)

    def drawn(self) -> dict[str, Any]:
        """What is on the screen, once there is something."""
        found: dict[str, Any] = self.wait_for(lambda: self.browser.execute_script(DRAWN), "the game is drawn")
        return found

    def wait_for_word(self, words: str) -> None:
        """Until the page says this."""
        self.wait_for(lambda: words in self.word(), f"the page says {words!r}")

    def wait_for(self, look: Callable[[], Any], what: str) -> Any:
        """What `look` finds, as soon as it finds something."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            found = look()
            if found:
                return found
            time.sleep(0.01)
        raise AssertionError(f"not within {WAIT:.0f} seconds: {what}; the page says {self.word()!r}")

    def wait_for_turn(self) -> dict[str, Any]:
        """Until this browser is asked, or the game is over."""

        def look() -> dict[str, Any] | None:
            self.lift_curtain()
            found = self.browser.execute_script(DRAWN)
            return found if found and (found["asked"] or found["over"]) else None

        found: dict[str, Any] = self.wait_for(look, "somebody here is asked")
        return found

    def lift_curtain(self) -> None:
        """Whoever is asked sits down."""
        self.browser.execute_script("document.getElementById('lift')?.click()")

    def word(self) -> str:
        """What the page says above everything."""
        return str(self.browser.execute_script("return document.getElementById('word')?.textContent ?? ''"))

    def wait_for_step(self, step: int) -> None:
        """Until a decision after this one is drawn."""
        self.wait_for(lambda: self._is_past(step), f"the game goes on after decision {step}")

    def _is_past(self, step: int) -> bool:
        found = self.browser.execute_script(DRAWN)
        return bool(found) and (found["step"] > step or found["eyes"] < 0)

    # ---- the mouse

    def has_options(self) -> bool:
        """Is there a button to choose by?"""
        return bool(self.browser.find_elements("css selector", OPTIONS))

    def click_option(self, number: int) -> None:
        """A click on one of the buttons, where a finger would hit it."""
        buttons = self.browser.find_elements("css selector", OPTIONS)
        button = buttons[number % len(buttons)]
        self.click(button)

    def click(self, element: Any) -> None:
        """Scroll there and click where the thing itself is on top, as a person would."""
        spot = self.browser.execute_script(SPOT, element)
        assert spot, f"nowhere to be clicked: {element.get_attribute('outerHTML')[:300]}"
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            event = {"type": kind, "x": spot[0], "y": spot[1], "button": "left", "clickCount": 1}
            self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def click_thing(self, number: int) -> bool:
        """A click on one of the things of the board or the hand that can be chosen; False if there is none."""
        things = self.browser.find_elements("css selector", "[data-key].open")
        if not things:
            return False
        self.click(things[number % len(things)])
        which = self.browser.find_elements("css selector", "dialog.which button")
        if which:
            self.click(which[number % len(which)])
        return True

    # ---- the keyboard

    def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        from selenium.webdriver.common.action_chains import ActionChains

        actions = ActionChains(self.browser, duration=0)
        for key in keys:
            actions.send_keys(key)
        actions.perform()

    # ---- what went wrong

    def complaints(self) -> list[str]:
        """Errors and warnings of the console."""
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def requests(self) -> list[str]:
        """The addresses that were asked for."""
        import json

        found = []
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found
