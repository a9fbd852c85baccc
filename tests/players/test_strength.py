"""`genesia agents`: every code with what is known of its strength, from the ladders and the cards of the models."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_tools import Capture, genesia, mistake

from genesia_rl.core.registry import game_info, game_names
from genesia_rl.players.codes import codes_of, scripted_of
from genesia_rl.players.ladder import ladders
from genesia_rl.players.learned import load_model, models_of
from genesia_rl.players.strength import NOT_MEASURED, ladder_lines, listed, share

NUMBERS = [(name, players) for name in game_names() for players in game_info(name).all_players]


@pytest.mark.parametrize(("name", "players"), NUMBERS)
def test_every_code_is_listed_with_its_strength(name: str, players: int) -> None:
    rows = {row.usage: row for row in listed(name, players)}
    assert list(rows) == [code.usage for code in codes_of(name).values()]
    assert all(row.strength and row.meaning for row in rows.values())
    file, levels = models_of(name) / f"{players}p.npz", ladders(name).get(players, ())
    if file.is_file():
        for code, won in load_model(file).header["card"].get("strength", {}).items():
            if "first" in won and code in rows:
                assert share(won["first"], won["low"], won["high"]) in rows[code].strength
                assert f"against {code}" in rows["ppo[:PATH]"].strength
    if levels:
        top = 1 + [level.agent for level in levels].index("mixed:100")
        told = f"level {top} of {len(levels)}: ahead of the one below in"
        assert told in rows[scripted_of(name)[0]].strength
        assert rows["random"].strength.startswith(f"level 1 of {len(levels)}")
    elif not file.is_file():
        assert rows["random"].strength == NOT_MEASURED


@pytest.mark.parametrize("name", game_names())
def test_the_ladder_is_told_step_by_step_or_how_it_is_built(name: str) -> None:
    for players in game_info(name).all_players:
        lines, levels = ladder_lines(name, players), ladders(name).get(players, ())
        assert len(lines) == (len(levels) + 2 if levels else 1)
        assert levels or f"genesia ladder --game {name} --players {players} builds one" in lines[0]


@pytest.mark.parametrize("name", game_names())
def test_the_command_prints_it(name: str, capsys: Capture, tmp_path: Path) -> None:
    code, out, err = genesia(capsys, "agents", "--game", name)
    assert code == 0 and game_info(name).title in out, err
    assert all(usage.partition(":")[0] in out for usage in codes_of(name)) and "file.py:Class" in out
    assert max(map(len, out.splitlines())) <= 120
    assert f"allowed in {name} are" in mistake(capsys, "agents", "--game", name, "--players", "9")
