"""A series is the same games however it is cut, in whatever order its shards are played."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from shutil import copy, copytree
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")

import genesia_rl
from genesia_rl.arena.league import make_league
from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.registry import make_game
from genesia_rl.games.genesia.lab.lots import choices
from genesia_rl.games.genesia.names import AGES
from genesia_rl.matches.entrant import parse_entrants
from genesia_rl.matches.series import SHARD_GAMES, Series, series_of
from genesia_rl.players.learned import models_of
from genesia_rl.shards.job import description
from genesia_rl.shards.store import create_store, require_same

DATA = Path(genesia_rl.__file__).parent / "games" / "genesia" / "data"
LINEUPS = ((0, 1, 2), (0, 1, 1))


def made(blocks: int = 20, **given: Any) -> Series:
    options: dict[str, Any] = {"lineups": LINEUPS, "fields": {"players": 3}, "seed": 5} | given
    return Series(
        "genesia", parse_entrants("random,greedy!war,greedy!cities", "genesia"), blocks=blocks, **options
    )


def together(series: Series, order: list[int] | None = None) -> dict[str, Any]:
    """All games of a series, its shards played in this order, and put in theirs."""
    order = list(range(series.num_shards)) if order is None else order
    parts = {shard: series.run(shard)["games"] for shard in order}
    return {name: np.concatenate([parts[k][name] for k in sorted(parts)]) for name in parts[order[0]]}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def test_shards_may_be_played_in_any_order() -> None:
    series = made(blocks=8, shard_blocks=3)
    assert series.num_shards == 3
    assert same(together(series), together(made(blocks=8, shard_blocks=3), [2, 0, 1]))


@pytest.mark.parametrize("lots", [0, 10])
def test_the_ends_of_shards_do_not_matter(lots: int) -> None:
    whole = together(made(blocks=8, varied=lots, shard_blocks=8))
    for shard_blocks in (0, 1, 3, 7):
        series = made(blocks=8, varied=lots, shard_blocks=shard_blocks)
        assert series.num_shards == {0: 8, 1: 8, 3: 3, 7: 2}[shard_blocks]
        assert same(together(series), whole)


def test_blocks_are_one_deal_each_in_all_seatings() -> None:
    series = made(blocks=7)
    table = together(series)
    assert len(table["block"]) == series.games == 4 * 6 + 3 * 3
    seeds = set()
    for block in range(7):
        rows = table["block"] == block
        lineup = sorted(LINEUPS[block % 2])
        found = [tuple(row) for row in table["entrants"][rows].tolist()]
        assert len(set(found)) == len(found) == (6, 3)[block % 2]
        assert all(sorted(row) == lineup for row in found)
        assert table["seating"][rows].tolist() == list(range(len(found)))
        for name in ("seed", "dealt", "packs"):
            assert (table[name][rows] == table[name][rows][0]).all(), f"{name} of one deal"
        assert (table["order"][rows][:, :3] == table["order"][rows][0, :3]).all(), "the first turn order"
        seeds.add(int(table["seed"][rows][0]))
    assert len(seeds) == 7
    assert not set(together(made(blocks=7, seed=6))["seed"].tolist()) & seeds


def test_every_combination_of_lots_and_every_lineup_has_as_many_blocks() -> None:
    pair = parse_entrants("random,greedy", "genesia")
    series = Series("genesia", pair, ((0, 1),), 30, fields={"players": 2}, varied=10)
    assert len(series.cells) == 10
    table = together(series)
    assert set(Counter(table["cell"].tolist()).values()) == {6}
    for row in range(0, 60, 7):
        lots = [choices(2)[place] for place in series.cells[table["cell"][row]]]
        game = make_game("genesia", players=2, lots=[list(names) for names in lots])
        assert series.tables_of(table["cell"][row : row + 1]).tobytes() == game.tables.tobytes()


@pytest.mark.parametrize("agents", [2, 3, 5])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("games", [100, 999, 2000, 30_000])
def test_lots_say_nothing_of_who_plays_nor_those_of_one_age_of_another(
    agents: int, players: int, games: int
) -> None:
    entrants = parse_entrants("random,greedy,settler,random!war,greedy!war", "genesia")[:agents]
    series = make_league("genesia", entrants, games, fields={"players": players}, varied=1000)
    block = np.arange(series.blocks)
    number, cells = len(choices(players)), np.array(series.cells)[series.cell_of(block)]
    lineup = block % len(series.lineups)
    for age in range(AGES):
        often = np.zeros((len(series.lineups), number), np.int64)
        np.add.at(often, (lineup, cells[:, age]), 1)
        assert (often == often[0]).all() and np.ptp(often[0]) <= 1
    for one, other in combinations(range(AGES), 2):
        pairs = np.zeros((number, number), np.int64)
        np.add.at(pairs, (cells[lineup == 0, one], cells[lineup == 0, other]), 1)
        assert np.ptp(pairs) <= 1


@pytest.mark.parametrize(("lots", "blocks"), [(10, 7), (10, 37), (100, 1000), (100, 1234), (1000, 2500)])
def test_cells_come_equally_often_and_one_after_the_other(lots: int, blocks: int) -> None:
    series = made(blocks=blocks, lineups=LINEUPS[:1], varied=lots)
    cells = series.cell_of(np.arange(blocks))
    often = np.bincount(cells, minlength=lots)
    assert (np.diff(cells) >= 0).all() and np.ptp(often) <= 1 and (np.diff(often) <= 0).all()


def test_what_an_entrant_goes_without_is_done_to_its_seats_only() -> None:
    table = together(made(blocks=24, shard_blocks=24))
    peaceful = table["entrants"] == 1
    wars = table["wars"].reshape(-1, 3, 3).sum(axis=1)
    assert (
        not wars[peaceful].any() and wars[table["entrants"] == 0].any() and wars[table["entrants"] == 2].any()
    )


def test_changes_of_the_whole_series() -> None:
    plain = together(made(blocks=4))
    for given in ({"coins": [4]}, {"blind_drafts": True}, {"random_choosers": True}):
        found = together(made(blocks=4, changes=given))
        assert np.array_equal(found["packs"], plain["packs"]) and not same(found, plain), given
    coins = together(made(blocks=4, changes={"coins": [0, 0, 0]}))
    assert same(coins, plain)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {
            "shard_blocks": 3,
            "varied": 100,
            "changes": {"coins": [2, 0, 1], "blind_drafts": True, "random_choosers": True},
        },
        {"fields": {"players": 3, "promos": True, "teams": [[0], [1], [2]]}},
        {"varied": 10, "extended": (4, 12)},
    ],
)
def test_settings_go_to_a_file_and_back(given: dict[str, Any]) -> None:
    series = made(**given)
    settings = json.loads(json.dumps(series.settings()))
    again = series_of(settings)
    assert again.settings() == settings or json.loads(json.dumps(again.settings())) == settings
    assert description(again)["digest"] == description(series)["digest"]
    assert same(again.run(0)["games"], series.run(0)["games"])


def test_whatever_decides_a_game_is_in_the_settings() -> None:
    different: list[dict[str, Any]] = [
        {}, {"seed": 6}, {"blocks": 21}, {"lineups": LINEUPS[:1]}, {"fields": {"players": 3, "promos": True}},
        {"varied": 10}, {"changes": {"coins": [1]}}, {"changes": {"blind_drafts": True}},
        {"changes": {"random_choosers": True}}, {"shard_blocks": 2}, {"extended": (4,)},
    ]  # fmt: skip
    digests = [description(made(**given))["digest"] for given in different]
    assert len(set(digests)) == len(different)
    assert description(made())["digest"] == digests[0]


def test_where_files_are_makes_no_other_job(tmp_path: Path) -> None:
    for where in ("one", "other"):
        copytree(DATA, tmp_path / where / "data")
        for name in ("a", "b"):
            (tmp_path / where / name).mkdir()
            copy(models_of("genesia") / "2p.npz", tmp_path / where / name / "model.npz")

    def made_in(where: str) -> Series:
        models = ",".join(f"ppo:{tmp_path / where / name / 'model.npz'}!war" for name in ("a", "b"))
        fields = {"players": 2, "data": str(tmp_path / where / "data")}
        return Series("genesia", parse_entrants(models, "genesia"), ((0, 1),), 2, fields=fields)

    one, other = made_in("one"), made_in("other")
    settings = json.loads(json.dumps(one.settings()))
    assert description(one)["digest"] == description(other)["digest"]
    assert settings["entrants"] == ["ppo:model.npz!war"] * 2 and "data" not in settings["fields"]
    again = series_of(settings)
    assert (again.entrants, again.fields) == (one.entrants, one.fields)
    assert len({entrant.name for entrant in again.entrants}) == 2, "reports tell them apart"
    require_same(create_store(tmp_path / "run", one), description(other))
    before = description(one)["digest"]
    copy(models_of("genesia") / "3p.npz", tmp_path / "one" / "b" / "model.npz")
    assert description(made_in("one"))["digest"] != before
    (tmp_path / "other" / "data" / "more.txt").write_text("more")
    assert description(made_in("other"))["digest"] != before


def test_settings_of_an_older_version_are_refused() -> None:
    settings = made().settings()
    del settings["paths"]
    with pytest.raises(
        DataError, match="settings without 'paths', allowed are those of games of this version"
    ):
        series_of(settings)


def test_shards_are_of_about_a_thousand_games_and_enough_to_share_out() -> None:
    small, large = made(blocks=64), made(blocks=10**5)
    assert small.num_shards == 32
    assert large.num_shards * SHARD_GAMES == pytest.approx(10**5 * 6, rel=0.05)


def test_the_solo_mode_has_no_series() -> None:
    with pytest.raises(ConfigError, match="one joint score, allowed are games with opponents"):
        Series("genesia", parse_entrants("random", "genesia"), ((0,),), 1, fields={"players": 1}).settings()


def test_thinking_is_counted_by_entrant() -> None:
    series = made(blocks=2, shard_blocks=2)
    tables = series.run(0)
    assert tables["_times"]["entrant"].tolist() == [0, 1, 2]
    assert (tables["_times"]["seconds"] > 0).all()
    decisions, steps = int(tables["_times"]["decisions"].sum()), int(tables["games"]["steps"].sum())
    assert 0.9 * steps < decisions < steps, "who always chooses Peace is not asked for it"
