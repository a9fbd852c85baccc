"""What differs between two configurations, in words; several policies; symmetry; what a policy never uses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_tools import Capture, genesia

from genesia_rl.core.data import Change
from genesia_rl.core.lab import Item, ItemSet, lab_of
from genesia_rl.core.registry import register_game
from genesia_rl.lab.arms import Condition
from genesia_rl.lab.items import Held, Picked, is_mute, mute, verdicts
from genesia_rl.lab.pages_difference import changed_items, what_differs
from genesia_rl.lab.pages_items import Examined, flag_of, together_row
from genesia_rl.lab.settings import made_setting
from genesia_rl.matches.games import Games
from genesia_rl.report.parquet import read_table
from genesia_rl.stats.estimate import around

TOY = "toy"
register_game(TOY, "toy", listed=False)


def setting(**held: Any) -> Any:
    """A configuration of the toy, as a file would say it."""
    return made_setting({"policy": "random", **held}, "x.toml", TOY)


# ---------------------------------------------------------------- what differs


def test_settings_fields_and_data_are_told_apart_in_words() -> None:
    one = setting(game={"players": 2, "target": 20})
    other = setting(policy="mcts:1", game={"players": 2, "sides": 8})
    data = [Change("a.toml", "thing", 3, "thing 3, Stone", ("cost 2 becomes 5", "n 1 becomes 2"))]
    assert what_differs([one, other], data) == [
        "policy: random becomes mcts:1",
        "target: 20 becomes what is usual",
        "sides: what is usual becomes 8",
        "thing 3, Stone: cost 2 becomes 5; n 1 becomes 2",
    ]
    assert what_differs([one, one], []) == []


def test_the_report_begins_with_what_differs_and_has_every_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/pig.toml").write_text("later = 5\n")
    Path("a.toml").write_text("[game]\ntarget = 20\n")
    Path("b.toml").write_text("[game]\ntarget = 20\ndata = 'mine'\n")
    given = ("--a", "a.toml", "--b", "b.toml", "--games", "20", "--backend", "serial", "--out", "run")
    code, out, err = genesia(capsys, "balance", "diff", "--game", TOY, *given, "--policy", "random,mcts:1")
    assert code == 0, err
    told = " ".join(out.split())
    assert told.startswith("Pig: a change info: From A to B: pig.toml: later: 0 becomes 5")
    for name in ("traits", "places", "seats"):
        assert set(read_table(Path(f"run/tables/{name}.parquet"))["policy"]) == {"random", "mcts:1"}
    seats = read_table(Path("run/tables/seats.parquet"))
    assert np.allclose(np.subtract(seats["won, B"], seats["won, A"]), seats["won, B - A"])
    assert np.allclose(np.reshape(seats["won, A"], (2, 2)).sum(axis=1), 1)
    page = Path("run/report.html").read_text(encoding="utf-8")
    assert "neither A nor B" in page  # the toy does not say that its seats are alike
    assert page.count('<figure class="plot">') == 2
    assert {path.name for path in Path("run").iterdir()} >= {"random", "mcts-1"}


# ---------------------------------------------------------------- items

THINGS = ItemSet(
    name="things", one="thing", most=3, alike=2, idle_is_mute=True,
    load=lambda fields: {n: Item(n, f"T{n}", data=fields.get(f"t{n}")) for n in (1, 2, 3)},
    holder=lambda games: np.tile(np.array([-1, 0, 1, 0]), (len(games), 1)),
    dealt=lambda games: np.tile(np.array([False, True, True, True]), (len(games), 1)),
    used=lambda games: np.tile(np.array([False, False, True, True]), (len(games), 1)),
)  # fmt: skip


class Made:
    """A configuration with other things."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields


def test_a_thing_has_changed_if_it_is_another_one_or_its_entry_is() -> None:
    data = [Change("a.toml", "thing", 3, "thing 3", ("n 1 becomes 2",)), Change("a.toml", "room", 1, "r", ())]
    found = changed_items(THINGS, [Made(t2="old"), Made(t2="new")], data)  # type: ignore[list-item]
    assert found == {2: "another one", 3: "n 1 becomes 2"}


@pytest.fixture(scope="module")
def played() -> Games:
    """Some games of the toy, in which nobody ever uses thing 1, and everybody the others."""
    return Games(setting(game={"target": 20}).series(32 * 50, 1).run(0)["games"], lab_of(TOY))


def test_of_what_is_never_used_nothing_is_said(played: Games) -> None:
    held, picked = Held(THINGS), Picked(THINGS)
    held.add(played)
    picked.add(played)
    assert mute(held, picked) == [1]
    named = THINGS.load({})
    judged = verdicts(named, held, picked)
    assert set(judged) == {2, 3}
    flags = [flag_of(judged.get(n), THINGS, picked.used.get(n)) for n in (1, 2)]
    assert flags[0] == "the policy used it in 0 % of its games: nothing can be said"
    assert "nothing" not in flags[1]
    loud = THINGS._replace(idle_is_mute=False)
    assert not is_mute(loud, picked.used.get(1))
    assert not is_mute(THINGS, around(0.006, 0.001, 500, 500))


def test_several_policies_are_heard_together(played: Games) -> None:
    judges = []
    for policy, items in (("blind", THINGS), ("seeing", THINGS._replace(idle_is_mute=False))):
        held, picked = Held(items), Picked(items)
        held.add(played)
        picked.add(played)
        named = items.load({})
        condition = Condition(policy, 2, 40)
        judges.append(Examined(condition, named, held, picked, held, verdicts(named, held, picked)))
    row = together_row(1, judges, THINGS)
    assert row["judged by"] == 1 and row["used, blind"] == 0
    both = [judges[0], judges[0]]
    assert together_row(1, both, THINGS)["verdict"] == "nothing can be said"
    assert together_row(1, both, THINGS)["judged by"] == 0
