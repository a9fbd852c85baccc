"""A review on the page of the replay: small, whole, and silent until one has chosen."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import genesia, mistake
from scene_tools import GAMES
from window_tools import DESKTOP, PHONE, open_browser

from genesia_rl.core.registry import game_info, make_game
from genesia_rl.core.trace import record, to_line
from genesia_rl.players.codes import make_players
from genesia_rl.review import judge
from genesia_rl.review.judge import Settings, review
from genesia_rl.review.layer import as_data, layer_of
from genesia_rl.review.playing import Question
from genesia_rl.studio.palette import page_text
from genesia_rl.studio.replay import MODULES, STYLES, replay_page

MOST_PAGE, MOST_GAME = 100_000, 400_000


def planted() -> tuple[Any, dict[str, Any]]:
    """Pig in which a seat that could win by holding throws again, and another game goes on from there."""
    game = make_game("toy", sides=4)
    dice = [3, 3, 1, 3, 4, 1, *[2, 3, 4, 1] * 60][:240]
    position = {"player": 0, "points": [38, 38], "dice": dice}
    steps = [[0, "turn", "roll"], [0, "turn", "roll"], [1, "turn", "hold"]]
    return game, {"format": "toy-trace/1", "config": game.config_dict(), "position": position, "steps": steps}


@pytest.fixture(scope="module")
def made() -> tuple[Any, dict[str, Any]]:
    """A reviewed game and its layer."""
    game, trace = planted()
    found = review(game, trace, Settings("random", playouts=96, threads=2))
    return found, layer_of(found)


def film_in(page: str) -> Any:
    """What the page has packed."""
    packed = re.search(r'id="film">(.*?)</script>', page)
    assert packed
    return json.loads(gzip.decompress(base64.b64decode(packed[1])))


def test_the_page_without_its_game_is_small() -> None:
    assert sum(len(page_text(name)) for name in (*STYLES, *MODULES, "replay.html")) < MOST_PAGE


def test_the_layer_says_of_every_decision_what_may_be_chosen_and_what_was_found(made: Any) -> None:
    found, layer = made
    assert len(layer["steps"]) == len(found.decisions) == 3 and layer["contest"]
    for step, decision in zip(layer["steps"], found.decisions, strict=True):
        options = [layer["options"][place] for place in step["o"]]
        assert {option["action"] for option in options} == {0, 1}
        assert (
            options[step["t"]]["action"] == decision.taken and options[step["b"]]["action"] == decision.better
        )
        assert sum(step["p"]) == 100 and len(step["s"]) == len(step["a"]) == 2
    marks = [step.get("m") for step in layer["steps"]]
    assert sorted(filter(None, marks)) == list(range(1, len(found.mistakes) + 1)) and found.mistakes
    whole = layer["sums"][0]["rows"]
    assert [row[0] for row in whole] == [0, 1] and sum(row[2] for row in whole) == 3


def test_data_hold_numbers_in_their_own_units(made: Any) -> None:
    found, _ = made
    data = json.loads(json.dumps(as_data(found)))
    first = data["decisions"][0]
    assert (first["taken"], first["better"], first["mistake"]) == ("roll", "hold", found.decisions[0].mistake)
    assert 0 <= first["chances"][0]["value"] <= 1 and data["luck_points"] and len(data["sums"]["seat"]) == 2


def test_the_page_is_that_of_the_replay_with_a_layer(made: Any) -> None:
    found, layer = made
    _, trace = planted()
    plain, more = replay_page(found.game, trace), replay_page(found.game, trace, layer)
    assert "review" not in film_in(plain) and film_in(more)["review"] == json.loads(json.dumps(layer))
    assert set(re.findall(r"https?://[^\s\"'`<>]+", more)) <= {"http://www.w3.org/2000/svg"}


def test_the_command_prints_tables_or_data_and_writes_the_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, trace = planted()
    Path("a.jsonl").write_text(to_line(trace), encoding="utf-8")
    code, out, err = genesia(capsys, "review", "a.jsonl", "--agent", "random", "--playouts", "96")
    assert code == 0, err
    assert "accuracy" in out and "hold the die" in out and "reviewed by random" in err
    assert "review" in film_in(Path("a.html").read_text(encoding="utf-8"))
    code, out, _ = genesia(capsys, "review", "a.jsonl", "--playouts", "4", "--json", "-o", "b.html")
    assert code == 0 and len(json.loads(out)["decisions"]) == 3 and Path("b.html").exists()
    assert "agent 'nobody': unknown" in mistake(capsys, "review", "a.jsonl", "--agent", "nobody")
    assert "allowed an integer 2..100000" in mistake(capsys, "review", "a.jsonl", "--playouts", "1")
    assert "game = 1, allowed 0..0" in mistake(capsys, "review", "a.jsonl", "--game", "1")


class Numbers:
    """In place of play-outs: any numbers, which take as much room as real ones."""

    played = 123_456

    def __init__(self, game: Any, *_: Any) -> None:
        self.seats, self.rng = game.num_seats, np.random.default_rng(1)

    def answer(self, questions: Sequence[Question], tell: Any = None) -> list[Any]:
        """As many as were asked for."""
        return [self.rng.normal(0.5, 0.5, (*question.actions.shape, 3, self.seats)) for question in questions]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_the_fullest_game_is_small(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every rule, every seat, a whole game, every decision with all that may be chosen."""
    monkeypatch.setattr(judge, "Playouts", Numbers)
    game = make_game(name, **game_info(name).full(game_info(name).players[1]))
    trace = record(game, make_players("random", name), 3)
    found = review(game, trace, Settings("random", playouts=2))
    page = replay_page(game, trace, layer_of(found))
    assert len(found.decisions) == len(trace["steps"]) and len(page.encode()) < MOST_GAME


# ---------------------------------------------------------------- in a browser

LOOK = """
const part = (name) => document.querySelector(`[data-part="${name}"]`);
const shown = (name) => part(name).checkVisibility() ? part(name).innerText : "";
return {step: Number(part("scrub").value), verdict: shown("verdict"), next: shown("next"), sums: shown("sums"),
        log: [...part("log").children].filter((line) => line.checkVisibility()).length,
        options: [...document.querySelectorAll(".part-decision button:not(:disabled)")].map((one) => one.innerText),
        veiled: [...document.querySelectorAll(".secret")].map((veil) => Number(veil.getAttribute("width"))),
        heat: document.querySelectorAll(".heat").length, marked: document.querySelectorAll(".marked").length,
        bands: document.querySelectorAll(".band").length,
        wide: document.documentElement.scrollWidth - innerWidth};
"""


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def browser(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A Chromium of either size."""
    made = open_browser(request.param)
    yield made
    made.quit()


@pytest.mark.slow
@pytest.mark.window
def test_a_browser_shows_the_verdict_and_keeps_it_from_who_wants_to_try(
    browser: Any, made: Any, tmp_path: Path
) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.support.ui import WebDriverWait

    found, layer = made
    path = tmp_path / "game.html"
    path.write_text(replay_page(found.game, planted()[1], layer), encoding="utf-8")
    browser.get(path.as_uri())
    WebDriverWait(browser, 60).until(
        lambda b: b.execute_script("return document.querySelector('.areas > g') !== null")
    )

    def press(keys: str) -> dict[str, Any]:
        ActionChains(browser, duration=0).send_keys(keys).perform()
        look: dict[str, Any] = browser.execute_script(LOOK)
        return look

    worst = found.mistakes[0].step
    look = press("")
    assert (
        look["step"] == 0 and "Taken" in look["verdict"] and "accuracy" in look["sums"] and look["bands"] == 2
    )
    assert look["wide"] <= 0
    after = press("m") if worst else look
    assert after["step"] == worst and "A mistake" in after["verdict"] and "hold the die" in after["verdict"]
    hidden = press("t")
    assert "What would you do" in hidden["verdict"] and "mistake" not in hidden["verdict"].lower()
    assert hidden["next"] == hidden["sums"] == "" and hidden["log"] == worst and not hidden["heat"]
    assert all(width > 0 for width in hidden["veiled"]) and hidden["options"] == [
        "hold the die",
        "roll the die",
    ]
    browser.execute_script("document.querySelector('.part-decision button:not(:disabled)').click()")
    told = press("")
    assert "You: hold the die" in told["verdict"] and "A mistake" in told["verdict"] and told["options"] == []
    assert told["sums"] == "" and told["log"] == worst, "what came later is still hidden"
    assert "accuracy" in press("t")["sums"]
    assert "Taken" not in press("eee" if found.mistakes[0].seat else "ee")["verdict"], "another seat's eyes"
    axe = Path(pytest.importorskip("axe_core_python").__file__).parent / "axe.min.js"
    browser.execute_script(axe.read_text(encoding="utf-8"))
    wrong = browser.execute_async_script(
        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done)"
    )
    assert [
        f"{rule['id']}: {node['html'][:200]}" for rule in wrong["violations"] for node in rule["nodes"]
    ] == []
    assert [entry["message"] for entry in browser.get_log("browser")] == []
