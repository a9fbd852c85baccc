"""`genesia balance` for any game: whatever its laboratory declares is played and told, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")
pytest.importorskip("pydantic")

from cli_tools import Capture, genesia, mistake
from matches.games_at_hand import GAMES, toy_registered

from genesia_rl.core.lab import BY_SEAT, NATURAL, lab_of
from genesia_rl.core.registry import game_info, make_game, offers
from genesia_rl.lab.arms import arms_of, parts_of
from genesia_rl.lab.settings import default_policy, made_setting
from genesia_rl.lab.traits import traits_of
from genesia_rl.report.parquet import read_table

ANY = pytest.mark.parametrize("name", GAMES)
SMALL = ("--policy", "random", "--games", "40", "--backend", "serial")


@pytest.fixture(scope="module", autouse=True)
def toy_too() -> Iterator[None]:
    yield from toy_registered()


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@ANY
def test_a_laboratory_declares_what_there_is(name: str) -> None:
    lab, fields = lab_of(name), set(lab_of(name).measure.names or ())
    assert set(BY_SEAT) <= fields and set(lab.by_seat) <= fields - set(BY_SEAT)
    assert "seed" in (lab.interventions.names or ())
    told = [(change.habit, change.field, change.meaning) for change in lab.changes.values()]
    told += [(without.habit, without.field, without.meaning) for without in lab.without.values()]
    for habit, field, meaning in told:
        assert bool(habit) != bool(field) and meaning
        assert not field or field in (lab.interventions.names or ())
    bits = [without.habit for without in lab.without.values() if without.habit]
    assert len(set(bits)) == len(bits) and all(bit & (bit - 1) == 0 for bit in bits)
    arms = {NATURAL, *lab.arms}
    assert {lab.choosing or NATURAL} | {
        arm for items in lab.items for arm in (items.free, items.chance)
    } <= arms
    assert all(change in lab.changes for arm in lab.arms.values() for change in arm.changes)
    assert all(not items.blind or items.blind in lab.changes for items in lab.items)
    traits = [trait.name for trait in traits_of(lab)]
    assert len(set(traits)) == len(traits)


def test_a_game_without_a_laboratory_is_measured_by_its_results() -> None:
    assert not offers("toy", "lab")
    lab, facts = lab_of("toy"), make_game("toy").facts
    assert lab.measure.names == ("parts", "totals", "ranks", "steps", "order")
    assert lab.measure["order"].shape == (1, facts.most_seats)
    assert parts_of(lab) == {"first": (NATURAL,)}


@ANY
def test_every_part_is_played_and_told(capsys: Capture, name: str) -> None:
    code, out, err = genesia(capsys, "balance", "--game", name, *SMALL, "--out", "run")
    assert code == 0, err
    assert f"{game_info(name).title}: balance" in out and "The first player" in out
    lab, least = lab_of(name), game_info(name).players[0]
    arms = arms_of(lab, tuple(parts_of(lab)), {})
    assert {path.name for path in Path(f"run/{least}p-random").iterdir()} == set(arms)
    kept = {path.stem for path in Path("run/tables").iterdir()}
    assert {"games", "places"} <= kept and {one.name for one in lab.items} | {
        one.name for one in lab.offers
    } <= kept
    assert ("without" in kept) == bool(lab.without) and ("choosing" in kept) == bool(lab.choosing)
    assert ("traits" in kept) == (lab.variation is None)
    places = read_table(Path("run/tables/places.parquet"))
    shares = np.array(places["won"]).reshape(len(lab.stages), least)
    assert shares.sum(axis=1) == pytest.approx(1)


@ANY
def test_policies_along_a_ladder_are_compared(capsys: Capture, name: str) -> None:
    other = "mcts:1" if default_policy(name) == "random" else default_policy(name)
    given = ("--policy", f"random,{other}", "--games", "20", "--parts", "first", "--backend", "serial")
    assert genesia(capsys, "balance", "--game", name, *given, "--out", "run")[0] == 0
    ladder = read_table(Path("run/tables/ladder.parquet"))
    assert set(ladder["policy"]) == {"random", other} and len(ladder["value"]) >= 2


@ANY
def test_a_configuration_differs_from_itself_in_nothing(capsys: Capture, name: str) -> None:
    Path("a.toml").write_text("policy = 'random'\n", encoding="utf-8")
    given = ("--a", "a.toml", "--b", "a.toml", "--games", "30", "--backend", "serial", "--out", "same")
    code, out, err = genesia(capsys, "balance", "diff", "--game", name, *given)
    assert code == 0 and f"{game_info(name).title}: a change" in out, err
    assert set(read_table(Path("same/tables/traits.parquet"))["B - A"]) == {0.0}


@ANY
def test_every_change_reaches_the_games(name: str) -> None:
    for change, about in lab_of(name).changes.items():
        value = [1] if about.is_list else True
        series = made_setting({"policy": "random", change: value}, "x.toml", name).series(4, 1)
        assert series.changes == {change: value}
        assert len(series.run(0)["games"]["block"]) == len(np.unique(series.run(0)["games"]["block"]))


@ANY
def test_what_a_game_does_not_offer_is_said_in_one_line(capsys: Capture, name: str) -> None:
    known = ", ".join(parts_of(lab_of(name)))
    said = mistake(capsys, "balance", "--game", name, *SMALL, "--parts", "luck", "--out", "x")
    assert said == f"part 'luck': unknown, allowed are {known}"
    Path("b.toml").write_text("luck = true\n", encoding="utf-8")
    said = mistake(capsys, "balance", "diff", "--game", name, "--a", "b.toml", "--b", "b.toml")
    keys = ", ".join(("policy", *lab_of(name).changes, "game"))
    assert said == f"b.toml: luck: unknown key, allowed are {keys}"
    assert not Path("x").exists()
