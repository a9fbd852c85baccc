"""The page of the environment: its tables are those of the code, its code runs."""

from __future__ import annotations

import re

import pytest

from genesia_rl.core.registry import make_game
from genesia_rl.games.genesia.game import FACTS
from genesia_rl.games.genesia.text import page

TEXT = page.PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


def test_the_tables_are_made_from_the_declarations() -> None:
    assert page.filled(TEXT) == TEXT, "run python -m genesia_rl.games.genesia.text.page"


@pytest.mark.parametrize("block", BLOCKS, ids=["pettingzoo", "gymnasium", "batch"])
def test_the_code_of_the_page_runs(block: str) -> None:
    exec(compile(block, page.PAGE.name, "exec"), {})


def test_the_page_tells_the_version_of_the_environment() -> None:
    assert f"| version | {FACTS.version} |" in TEXT
    assert re.findall(r"^\| (\d+) \|.*$", TEXT.partition("## Version history")[2], re.MULTILINE) == [
        str(version) for version in range(FACTS.version + 1)
    ]


@pytest.mark.parametrize("players", range(1, 6))
def test_the_sizes_of_the_page_are_those_of_the_games(players: int) -> None:
    game = make_game("genesia", players=players)
    assert f"| {game.observation_size} |" in page.sizes()
    assert "| actions | `Discrete(832)`, masked |" in TEXT and game.num_actions == 832
