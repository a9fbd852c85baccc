"""The page of the environment: its tables are those of the code, its code runs; the rules are there."""

from __future__ import annotations

import re

import pytest
from games.gentes.playing import game_of

from genesia_rl.games.gentes.text import page

TEXT = page.PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


def test_the_tables_are_made_from_the_declarations() -> None:
    assert page.filled(TEXT) == TEXT, "run python -m genesia_rl.games.gentes.text.page"


def test_the_code_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for block in BLOCKS:
        exec(compile(block, page.PAGE.name, "exec"), {})
    assert "the game is over" in capsys.readouterr().out


def test_the_page_tells_the_version_and_the_sizes() -> None:
    assert f"| version | {game_of().version} |" in TEXT
    for players in (2, 3, 4):
        assert f"| {players} | {game_of(players=players).observation_size} |" in TEXT


def test_the_rules_and_the_protocol_stand_beside_it() -> None:
    for name in ("RULES.md", "PROTOCOL.md"):
        text = (page.PAGE.parent / name).read_text(encoding="utf-8")
        assert f"]({name})" in TEXT and "Gentes" in text.splitlines()[0]
