"""A card that is far too strong is planted in Genesia's data; `genesia balance tune` finds it and mends it.

Random play does not answer to what cards are worth; none of ours helps it by more than 20 points.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

from cli_tools import Capture, genesia

from genesia_rl.core.edit import replaced
from genesia_rl.games.genesia import data
from genesia_rl.games.genesia.data.cards import load_data
from genesia_rl.lab import numbers
from genesia_rl.lab.numbers import Numbers
from genesia_rl.report.parquet import read_table

CARD, PROGRESS = 5, 14  # Invention of writing, which is worth 3
INVENTIONS = """
[[numbers]]
file = "data/cards.toml"
list = "card"
path = "invention"
low = 1
high = 20
set = "cards"
helps = 1
where = { invention = [1, 2, 3, 4, 5, 14] }
"""


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_may_change_is_what_the_rules_allow() -> None:
    """RULES 12: costs, amounts, caps and Invention points; a card that is no Invention does not become one."""
    held = Numbers("genesia").all
    assert {one.place[-1] for one in held} == {"cost", "invention", "n", "d", "div", "cap", "min"}
    assert {one.subject[0] for one in held if one.subject} == {"cards", "objectives"}
    assert {one.subject[1] for one in held if one.subject and one.subject[0] == "cards"} == set(range(1, 100))
    assert all(one.low >= 1 for one in held if one.place[-1] != "cost")
    by_name = {one.name: one for one in held}
    assert by_name["39 Builders: cost"].value == load_data().cards[39].cost
    assert by_name["1 Mastery of fire: effects 1 (clans homeland) n"].value == 2


@pytest.mark.slow
def test_a_planted_card_is_found_and_mended_and_nothing_else_is_touched(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("numbers.toml").write_text(INVENTIONS, encoding="utf-8")
    monkeypatch.setattr(numbers, "numbers_file", lambda game: Path("numbers.toml"))
    Path("goals.toml").write_text("[cards]\nadvantage = 0.2\n", encoding="utf-8")
    given = ("--policy", "random", "--goals", "goals.toml", "--games", "6000", "--rounds", "3", "--tries", "3",
             "--backend", "serial")  # fmt: skip
    ours = (Path(data.__file__).parent / "cards.toml").read_text(encoding="utf-8")
    Path("planted").mkdir()
    planted = replaced("cards.toml", ours, {("card", CARD - 1, "invention"): PROGRESS})
    Path("planted/cards.toml").write_text(planted, encoding="utf-8")
    code, out, err = genesia(capsys, "balance", "tune", *given, "--data", "planted", "--out", "run")
    assert code == 0 and "Numbers that would change: 1," in out, err
    changes = read_table(Path("run/tables/changes.parquet"))
    assert changes["for"] == [f"{CARD} Invention of writing"] and changes["becomes"][0] <= 8
    assert changes["excess before"][0] > 10 > 6 > changes["after"][0]
    mended = load_data("run/data").cards[CARD].invention
    assert replaced("x", planted, {("card", CARD - 1, "invention"): mended}) == Path(
        "run/data/cards.toml"
    ).read_text(encoding="utf-8")
    code, out, err = genesia(capsys, "balance", "tune", *given, "--out", "ours")
    assert code == 0 and "Nothing is changed: no goal is missed beyond doubt" in out, err
    assert not Path("ours/data").exists()
