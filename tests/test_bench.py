"""The bench measures what it says, and the command prints it in the form that scripts read."""

from __future__ import annotations

import json

import pytest

from genesia_rl.bench import engine as bench
from genesia_rl.cli.app import run
from genesia_rl.core.registry import game_info, game_names

TINY = 0.002
UNITS = {
    "kernel": "decisions/s", "kernel_observed": "decisions/s", "learned_selfplay": "decisions/s", "python_step": "us",
    "clone": "ns", "start_cold": "s", "start_warm": "s",
}  # fmt: skip


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    """What the command prints, line by line."""
    assert run(["bench", "--json", "--seconds", str(TINY), *arguments]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("game", game_names())
def test_a_short_bench_gives_every_figure_of_every_number_of_players(
    capsys: pytest.CaptureFixture[str], game: str
) -> None:
    found, numbers = lines(capsys, "--no-starts", "--no-envs", "--game", game), game_info(game).all_players
    assert {(f["name"], f["players"], f["threads"]) for f in found} == {
        *((name, players, threads) for name in ("kernel", "kernel_observed", "learned_selfplay")
          for players in numbers for threads in (1, 2)),
        *((name, players, 1) for name in ("python_step", "clone") for players in numbers),
    }  # fmt: skip
    for figure in found:
        rates = figure["unit"] == "decisions/s"
        games = ("games_per_s",) if rates else ()
        assert tuple(figure) == ("name", "players", "threads", "value", "unit", *games)
        assert figure["unit"] == UNITS[str(figure["name"])]
        assert isinstance(figure["value"], float) and figure["value"] > 0


@pytest.mark.parametrize("game", game_names())
def test_the_environments_are_measured_beside_an_environment_that_does_nothing(
    capsys: pytest.CaptureFixture[str], game: str
) -> None:
    found = lines(capsys, "--no-starts", "--players", "3", "--game", game)
    rates = {f["name"]: f["value"] for f in found if f["players"] == 3}
    assert {"aec_floor", "aec_raw", "aec_env", "learner_batch"} <= set(rates)
    assert all(isinstance(value, float) and value > 0 for value in rates.values())


def test_games_a_second_times_decisions_a_game_is_decisions_a_second(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rates = [f for f in lines(capsys, "--no-starts", "--no-envs", "--players", "2") if "games_per_s" in f]
    assert len(rates) == 6
    for figure in rates:
        value, games = figure["value"], figure["games_per_s"]
        assert isinstance(value, float) and isinstance(games, float)
        assert 10 < value / games < 1000


def test_the_table_for_people_has_a_row_for_each_number_of_players(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["bench", "--no-starts", "--seconds", str(TINY), "--players", "2,4"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("cpu ") and "numba" in out
    assert "2 players" in out and "4 players" in out and "3 players" not in out


def test_the_machine_is_described() -> None:
    assert list(bench.machine()) == ["cpu", "cores", "python", "numba", "numpy", "genesia_rl"]
    assert all(bench.machine().values())


@pytest.mark.slow
@pytest.mark.parametrize("game", [game_names()[1]])
def test_starts_are_measured_in_processes_of_their_own(game: str) -> None:
    cold, warm = bench.start_figures(game)
    assert (cold.name, warm.name) == ("start_cold", "start_warm")
    assert cold.unit == warm.unit == "s" and 0 < warm.value < cold.value
