"""`--json`: what a command has found out as one object, for other programs; standard output holds nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")

from cli_tools import Capture, genesia, lines
from matches.games_at_hand import toy_registered

from genesia_rl.core.registry import default_game, game_info, game_names

TOPICS = [(game, topic) for game in game_names() for topic in game_info(game).topics]


@pytest.fixture(scope="module", autouse=True)
def toy_too() -> Iterator[None]:
    yield from toy_registered()


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(capsys: Capture, *arguments: str, code: int = 0) -> Any:
    """What the command says, read as JSON."""
    found, out, err = genesia(capsys, *arguments, "--json")
    assert found == code, err
    return json.loads(out)


def test_an_evaluation(capsys: Capture) -> None:
    given = ("--game", "toy", "--agent", "random", "--against", "random", "--games", "20", "--seed", "3")
    found = told(capsys, "evaluate", *given)
    assert {key: found[key] for key in ("game", "agent", "against", "seed")} == {
        "game": "toy", "agent": "random", "against": "random", "seed": 3,
    }  # fmt: skip
    assert found["games"] >= 20 and found["first"]["low"] < found["first"]["value"] < found["first"]["high"]
    assert len(found["first_by_seat"]) == found["players"] and found["even"] == 1 / found["players"]
    text = genesia(capsys, "evaluate", *given)[1].splitlines()
    assert text[0].startswith("random against random: not told apart")
    assert f"  first    {100 * found['first']['value']:.1f} % (" in text[1]
    assert all(len(line) <= 80 for line in text)


def test_an_arena_and_a_duel(capsys: Capture) -> None:
    given = ("--game", "toy", "--agents", "mcts:2,random", "--games", "12", "--backend", "serial")
    found = told(capsys, "arena", *given, "--out", "run")
    assert len(found["answer"]) >= 2 and found["facts"]["command"]
    assert found["facts"]["version"].startswith("genesia-rl ") and found["facts"]["date"].endswith(" UTC")
    assert {one["name"] for one in found["figures"]} == {"mcts:2", "random"}
    assert all(0 <= one["low"] <= one["value"] <= one["high"] <= 1 for one in found["figures"])
    assert found["tables"]["ratings"]["games"] == [12, 12], "those that each has played"
    assert Path(found["page"]).is_file()
    page = Path(found["page"]).read_text(encoding="utf-8")
    assert page.index('class="answer"') < page.index("<dl>") and found["facts"]["date"] in page
    duel = told(
        capsys,
        "arena",
        "duel",
        *given[:4],
        "--by",
        "0.3",
        "--games",
        "60",
        "--backend",
        "serial",
        "--out",
        "d",
    )
    assert duel["answer"] in ("better", "not better", "undecided") and duel["answer"] in duel["words"]
    assert duel["first"]["low"] <= duel["first"]["value"] <= duel["first"]["high"]


def test_a_balance_whose_shares_stay_between_none_and_all(capsys: Capture) -> None:
    given = ("--game", "toy", "--policy", "random", "--games", "10", "--backend", "serial", "--out", "run")
    found = told(capsys, "balance", *given)
    assert "first turn order" in found["answer"][0] and "games of self-play" in found["answer"][-1]
    places = found["tables"]["places"]
    assert places["won"] and all(
        0 <= low <= value <= high <= 1
        for low, value, high in zip(places["won low"], places["won"], places["won high"], strict=True)
    )
    assert found["figures"][0]["value"] == places["won"][0]


def test_games_of_a_file(capsys: Capture) -> None:
    genesia(capsys, "record", "--game", "toy", "--games", "2", "--out", "a")
    counts = told(capsys, "verify", "a")
    assert (counts["games"], counts["num_differences"], counts["differences"]) == (2, 0, [])
    made = lines("a")
    made[1]["result"]["score"][0] += 1
    Path("b").write_text("".join(json.dumps(trace) + "\n" for trace in made))
    found = told(capsys, "verify", "b", code=1)
    assert found["num_differences"] == 1 and found["differences"][0]["game"] == 1
    seat, kind, action = made[0]["steps"][10][:3]
    shown = told(capsys, "show", "a", "--step", "10")
    assert (shown["seat"], shown["kind"], shown["action"]) == (seat, kind, action)
    assert action in shown["legal"] and shown["state"] and shown["result"] is None
    assert told(capsys, "show", "a")["result"] == lines("a")[0]["result"]


def test_a_seats_eyes_are_told_what_the_seat_may_know(capsys: Capture) -> None:
    genesia(capsys, "record", "--game", "toy", "--out", "a")
    acting = lines("a")[0]["steps"][0][0]
    shown = told(capsys, "show", "a", "--step", "0", "--seat", str(1 - acting))
    assert shown["eyes"] == 1 - acting and shown["legal"] == []
    assert "state" not in shown and "action" not in shown and shown["observation"]
    assert told(capsys, "show", "a", "--step", "0", "--seat", str(acting))["legal"]


@pytest.mark.parametrize(("game", "topic"), TOPICS)
def test_what_a_game_has_pages_of(capsys: Capture, game: str, topic: str) -> None:
    number = game_info(game).numbers(topic, None)[0]
    (one,) = told(capsys, topic, str(number), "--game", game)
    assert (one["game"], one["topic"], one["number"]) == (game, topic, number) and one["title"]
    assert one["text"] == genesia(capsys, topic, str(number), "--game", game)[1].rstrip("\n")
    assert all(words in " ".join(one["text"].split()) for words in one["fields"].values())
    assert len(told(capsys, topic, "--all", "--game", game)) == len(game_info(game).numbers(topic, None))


def test_a_mistake_stays_one_line(capsys: Capture) -> None:
    code, out, err = genesia(
        capsys, "evaluate", "--game", default_game(), "--agent", "x", "--against", "random", "--json"
    )
    assert (code, out) == (2, "") and err.startswith("genesia: error: ") and err.count("\n") == 1
