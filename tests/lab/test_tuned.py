"""Tunings that are kept: pages tell what the tables say, and the data change nothing but numbers that may change."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from experiments import tuned
from genesia_rl.core.data import data_of, whole_text
from genesia_rl.core.edit import value_at
from genesia_rl.core.reading import parse_toml
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.lab.numbers import Numbers
from genesia_rl.report.reading import read

RUNS = tuned.kept_runs()
WITH_SET = [run for run in RUNS if tuned.SET in data_of(tuned.page_of(run).parent.name).sets]


def name_of(run: Path) -> str:
    return tuned.page_of(run).parent.name


def put(table: Any, place: tuple[Any, ...], value: int) -> None:
    for key in place[:-1]:
        table = table[key]
    table[place[-1]] = value


@pytest.mark.parametrize("run", RUNS, ids=name_of)
def test_the_tables_of_the_page_are_those_of_the_run(run: Path) -> None:
    path = tuned.page_of(run)
    text = path.read_text(encoding="utf-8")
    assert tuned.page(path) == text, "run python -m experiments.tuned"
    assert "genesia balance tune --game" in text and f"{tuned.KEPT}/{tuned.REPORT}" in text


@pytest.mark.parametrize("run", WITH_SET, ids=name_of)
def test_nothing_but_numbers_that_may_change_are_others(run: Path) -> None:
    game = name_of(run)
    numbers, files = Numbers(game), data_of(game)
    found = {}
    for path in files.folder(tuned.SET).glob("*.toml"):
        ours, theirs = (
            parse_toml(path.name, whole_text(files, data, path.name)) for data in (None, tuned.SET)
        )
        same = copy.deepcopy(theirs)
        for number in numbers.all:
            if number.file == path.name:
                value = value_at(theirs, number.place)
                assert number.low <= value <= number.high
                put(same, number.place, number.value)
                if value != number.value:
                    found[number.name] = (number.value, value)
        assert same == ours
    told = read([run], "changes")
    assert found == dict(zip(told["number"], zip(told["is"], told["becomes"], strict=True), strict=True))
    for players in game_info(game).all_players:
        make_game(game, players=players, data=tuned.SET)


def test_of_a_file_the_changed_entries_are_kept() -> None:
    ours = "# head\n[[one]]\nnumber = 1\nn = 2\n\n# of twos\n\n[[one]]\nnumber = 2 # two\nn = 3\n"
    theirs = ours.replace("n = 3", "n = 4")
    assert tuned.changed_entries("x.toml", ours, theirs) == "[[one]]\nnumber = 2 # two\nn = 4\n"
    assert tuned.changed_entries("x.toml", ours, ours) == ""
    first = ours.replace("n = 2\n", "n = 5\n", 1)
    assert tuned.changed_entries("x.toml", ours, first) == "[[one]]\nnumber = 1\nn = 5\n"
