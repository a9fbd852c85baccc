"""Duels with all lots: whoever stops early has seen lots in random order, so the error rates hold."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from genesia_rl.arena import command
from genesia_rl.arena.league import make_league
from genesia_rl.matches.entrant import parse_entrants
from genesia_rl.matches.series import Series, series_of
from genesia_rl.stats.sequential import Sequential

APART = 0.1  # standard deviation of the first agent's share between lots: plenty
DUELS = 150


def league(games: int, seed: int, mixed: bool) -> Series:
    return make_league(
        "genesia",
        parse_entrants("random,greedy", "genesia"),
        games,
        seed,
        "one-against",
        {"players": 4},
        1000,
        mixed,
    )


def test_mixed_lots_come_as_often_and_in_random_order() -> None:
    plain, mixed = league(10_000, 3, False), league(10_000, 3, True)
    blocks = np.arange(plain.blocks)
    assert set(Counter(mixed.cell_of(blocks).tolist()).values()) == {20}
    assert len(set(plain.cell_of(blocks[:60]).tolist())) == 3
    assert len(set(mixed.cell_of(blocks[:60]).tolist())) > 40
    assert (mixed.cell_of(blocks) != league(10_000, 4, True).cell_of(blocks)).any()
    assert (mixed.cell_of(blocks) == league(10_000, 3, True).cell_of(blocks)).all()


def test_all_lineups_of_a_round_keep_the_same_lots() -> None:
    entrants = parse_entrants("random,greedy,settler", "genesia")
    series = make_league("genesia", entrants, 2000, fields={"players": 3}, varied=1000, mixed=True)
    cells = series.cell_of(np.arange(series.blocks)).reshape(-1, len(series.lineups))
    assert (cells == cells[:, :1]).all() and len(set(cells[:, 0].tolist())) > 10


def test_a_shard_of_mixed_lots_is_in_the_order_of_its_blocks() -> None:
    entrants = parse_entrants("random", "genesia")
    series = Series("genesia", entrants, ((0, 0),), 12, 5, {"players": 2}, 10, shard_blocks=12, mixed=True)
    table = series.run(0)["games"]
    assert table["block"].tolist() == list(range(12))
    assert table["cell"].tolist() == series.cell_of(np.arange(12)).tolist() != sorted(table["cell"].tolist())
    assert series_of(series.settings()) == series


def test_duels_mix_lots() -> None:
    options = command.Options("genesia", "greedy,random", 100, 0, "run", "one-against", True, None, {}, True)
    assert command.prepared(options) == (
        make_league(
            "genesia",
            parse_entrants("greedy,random", "genesia"),
            100,
            0,
            "one-against",
            {},
            command.MOST_VARIED,
            mixed=True,
        ),
        Path("run"),
    )


def alarms(mixed: bool) -> float:
    """How often an agent that is even over all lots is called better."""
    found = 0
    for seed in range(DUELS):
        series, rng = league(10_000, seed, mixed), np.random.default_rng([seed, 1])
        cells = series.cell_of(np.arange(series.blocks))
        share = rng.normal(size=len(series.cells))
        share = 0.25 + APART * (share - share.mean())
        scores = rng.binomial(4, np.clip(share[cells], 0, 1)) / 4
        found += Sequential(0.25, 0.3, max_blocks=series.blocks).add(scores) == "better"
    return found / DUELS


def test_an_even_agent_is_called_better_at_most_at_the_stated_rate() -> None:
    assert alarms(mixed=True) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / DUELS)
    assert alarms(mixed=False) > 0.15, "lots one after the other: what the mixing is for"


@pytest.mark.parametrize("form", ["all", "one-against"])
def test_lots_of_a_league_are_not_mixed(form: str) -> None:
    options = command.Options("genesia", "greedy,random", 100, 0, "run", form, True, None, {})
    assert not command.prepared(options)[0].mixed
