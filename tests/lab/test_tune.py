"""A search for better numbers: what is planted is found and removed, and nothing else is touched.

On drawn numbers (worlds.py) thousands of searches can be made; on the toy the games are played.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")
pytest.importorskip("pydantic")

from cli_tools import Capture, genesia, mistake
from lab.worlds import LIMIT, World, number
from matches.games_at_hand import GAMES, toy_registered
from scipy import stats

from genesia_rl.core import lab as core_lab
from genesia_rl.core.errors import ConfigError, DataError, NotOffered
from genesia_rl.core.lab import lab_of
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.lab import numbers as numbers_module
from genesia_rl.lab.goals import goals_of
from genesia_rl.lab.numbers import Numbers, Values, check_sets
from genesia_rl.lab.trial import Measured, fall
from genesia_rl.lab.tune import Plan, tune
from genesia_rl.report.parquet import read_table


def names_numbers(name: str) -> bool:
    """Has the game a file of numbers? (The toy, which is not registered yet, has.)"""
    try:
        return name == "toy" or core_lab.numbers_file(name).is_file()
    except NotOffered:
        return False


TUNED = [name for name in GAMES if names_numbers(name)]
RELICS = 40
PLAN = Plan(rounds=6, tries=3)


@pytest.fixture(scope="module", autouse=True)
def toy_too() -> Iterator[None]:
    yield from toy_registered()


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def world(strengths: list[float], seed: int = 0, **more: int) -> World:
    """Every relic has a cost, which harms its holder, and an amount, which helps."""
    relics = range(1, len(strengths) + 1)
    held = [number(k, "cost", 3, helps=-1) for k in relics] + [number(k, "amount", 4, 1.5) for k in relics]
    return World(strengths, held, [-0.04] * len(strengths) + [0.06] * len(strengths), seed, **more)


# ---------------------------------------------------------------- on drawn numbers


@pytest.mark.parametrize("seed", range(5))
def test_what_is_planted_is_found_and_removed(seed: int) -> None:
    planted = {3: 0.37, 17: 0.23, 30: 0.12}
    made = world([planted.get(k, 0.0) for k in range(1, RELICS + 1)], seed)
    found = tune(made.numbers, made, PLAN)
    assert found.surely == len(planted) and found.stands and found.verdict is not None
    truth = made.truth(found.values)
    changed = [one.subject[1] for one, value in zip(made.numbers, found.values, strict=True)
               if one.subject and value != one.value]  # fmt: skip
    assert set(changed) == set(planted)
    assert all(-0.12 < truth[k - 1] < LIMIT + 0.035 for k in planted)
    assert found.verdict.fall.by > 40 and found.verdict.fall.after < 10
    assert not found.given_up and {t.subject[1] for t in found.tried} >= set(planted)


def test_what_cannot_be_mended_within_the_bounds_is_said() -> None:
    made = world([0.9, *[0.0] * 9])
    bounded = [one._replace(low=one.value - 1, high=one.value + 1) for one in made.numbers]
    found = tune(bounded, made, PLAN)
    assert found.given_up == (("relics", 1),) and found.stands
    assert found.values[0] == 4 and found.values[10] == 3
    without = World([0.9, 0.0], [number(2, "cost", 3)], [0.1])
    found = tune(without.numbers, without, PLAN)
    assert found.surely == 1 and found.verdict is None and found.values == (3,)


def test_a_number_that_does_nothing_is_left_alone() -> None:
    useless = World([0.2, 0.0], [number(1, "cost", 3), number(1, "amount", 3)], [0.0, 0.05])
    found = tune(useless.numbers, useless, PLAN)
    assert found.values[0] == 3 and 0 <= found.values[1] < 3 and found.stands


def test_what_the_game_refuses_is_not_played_and_the_rest_goes_on() -> None:
    made = world([0.3, 0.3, *[0.0] * 8])
    played: list[Values] = []

    def measure(deals: str, configurations: Sequence[Values], often: float) -> list[Measured]:
        played.extend(configurations)
        return made(deals, configurations, often)

    def allowed(values: Values) -> bool:  # the first relic may cost no more, and its amount is what it is
        return values[0] == 3 and values[10] == 4

    found = tune(made.numbers, measure, PLAN, allowed)
    assert all(map(allowed, played)) and found.given_up == (("relics", 1),)
    assert found.stands and made.truth(found.values)[1] < LIMIT + 0.035


def test_what_costs_less_plainness_is_changed_first() -> None:
    dear = World([0.12], [number(1, "a", 6, 5.0), number(1, "b", 6, 0.5)], [0.05, 0.05], 1)
    found = tune(dear.numbers, dear, PLAN)
    assert found.values[0] == 6 and found.values[1] < 6


def test_what_helps_by_less_than_it_costs_is_not_taken() -> None:
    """A step brings 0.2 points, beyond any doubt, and costs 0.3."""
    for brings, changes in ((0.002, False), (0.004, True)):
        made = World([0.2], [number(1, "a", 6)], [brings], games=4_000_000)
        found = tune(made.numbers, made, PLAN)
        assert found.surely == 1 and (found.values != (6,)) == changes
        assert len(found.tried) >= 2 and all(one.fall.p < 1e-6 for one in found.tried if not one.back)


def test_what_is_not_needed_is_taken_back() -> None:
    """Eight steps are tried at once, seven are enough."""
    made = World([0.39], [number(1, "a", 12)], [0.05], games=400_000)
    found = tune(made.numbers, made, PLAN)
    assert found.values == (5,) and [one.after for one in found.tried if one.taken] == [4, 5]
    assert [one.back for one in found.tried if one.taken] == [False, True]
    assert tune(made.numbers, made, PLAN._replace(back=0)).values == (4,), "unless that is not asked for"


def test_levels_of_skill_are_reached_at_once() -> None:
    made = world([0.3, *[0.0] * 9], levels=3)
    found = tune(made.numbers, made, PLAN)
    assert found.surely == 3 and found.verdict is not None
    assert -0.12 < made.truth(found.values)[0] < LIMIT + 0.02


def null_rate(strength: float, times: int) -> tuple[int, int]:
    """How often something is proposed, and how often the first look finds something."""
    proposed = looked = 0
    for seed in range(times):
        made = world([strength] * RELICS, seed, games=1600)
        found = tune(made.numbers, made, Plan(rounds=2, tries=2))
        proposed, looked = proposed + found.stands, looked + (found.surely > 0)
        assert (
            found.stands or found.verdict is not None or found.values == tuple(n.value for n in made.numbers)
        )
    return proposed, looked


def test_a_balanced_game_is_left_as_it_is() -> None:
    assert null_rate(0.0, 40) == (0, 0)
    proposed, looked = null_rate(LIMIT, 200)  # every relic as strong as it may be
    assert stats.binom.sf(looked - 1, 200, 0.05) > 1e-4
    assert proposed <= 2


@pytest.mark.slow
def test_the_first_look_errs_as_often_as_it_says_and_the_verdict_hardly_ever() -> None:
    proposed, looked = null_rate(LIMIT, 2000)
    assert stats.binomtest(looked, 2000, 0.05).pvalue > 1e-4
    assert stats.binom.sf(proposed - 1, 2000, 0.01) > 1e-4


def test_the_deals_of_the_verdict_are_nobody_elses() -> None:
    made = world([0.3, *[0.0] * 9])
    tune(made.numbers, made, PLAN)
    assert made.played[0] == "first" and made.played[-2:] == ["verdict"] * 2
    assert made.played.count("verdict") == 2 and made.played.count("first") == 1


def test_a_fall_is_as_sure_as_it_says() -> None:
    """Of configurations that differ in nothing p is spread evenly, and the error is the scatter."""
    p, z = [], []
    for seed in range(400):
        made = World([0.2], [number(1, "a", 3)], [0.0], seed)
        before, after = made("deals", [(3,), (4,)], 1.0)
        found = fall(before, after, [0])
        p.append(found.p)
        z.append(found.by / found.se)
    assert stats.kstest(p, "uniform").pvalue > 1e-4 and 0.9 < np.std(z) < 1.25
    same = fall(before, before, [0])
    assert (same.by, same.se, same.p) == (0, 0, 1)


# ---------------------------------------------------------------- goals


def test_goals_are_read_from_lines_and_files() -> None:
    lab = lab_of("toy")
    Path("g.toml").write_text("[game]\nedge = 0.1\nscore = [20, 30]\n", encoding="utf-8")
    edge, score = goals_of(lab, {}, "g.toml")
    assert (edge.low, edge.high, score.low, score.high) == (-0.1, 0.1, 20, 30)
    assert edge.told() == "first player's edge: within 10 % of none" and score.told() == "score: 20 to 30"
    assert goals_of(lab, {}, "g.toml", ["game.edge = 0.2"])[0].high == 0.2
    (usual,) = goals_of(lab, {})
    assert usual.high == 0.02


@pytest.mark.parametrize(
    ("line", "said"),
    [("edge = 0.1", "goal edge = 0.1, allowed is a line like game.edge = 0.02"),
     ("relics.used = 0.1", "goals: 'relics': unknown, allowed are game"),
     ("game.edge.of = 1", "goals: game.edge = {'of': 1}, allowed is a number from 0 on"),
     ("game.luck = [1, 2]", "goals: game.luck: unknown, allowed are edge, score, decisions"),
     ("game.edge = -1", "goals: game.edge = -1, allowed is a number from 0 on"),
     ("game.score = [3, 2]", "goals: game.score = [3, 2], allowed are two numbers, the lower first")],
)  # fmt: skip
def test_a_wrong_goal_is_named(line: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        goals_of(lab_of("toy"), {}, None, [line])
    assert str(caught.value).startswith(said)


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("name", TUNED)
def test_a_game_names_numbers_that_it_has_and_takes_them_one_by_one(name: str) -> None:
    held = Numbers(name)
    check_sets(held)
    assert len(held) and all(one.low <= one.value <= one.high for one in held.all)
    known = {"first player's edge", *(trait.name for trait in lab_of(name).traits)}
    assert all(set(one.moves) <= known for one in held.all)
    assert all(one.subject or one.moves for one in held.all)
    rng = np.random.default_rng(1)
    for place in rng.permutation(len(held))[:12].tolist():
        one = held.all[place]
        values = list(held.start)
        values[place] = one.high if one.high != one.value else one.low
        make_game(name, data=held.write(Path(f"d{place}"), tuple(values)))
        assert [n.name for n, _ in held.changes(tuple(values))] == [one.name]


def test_a_folder_of_ones_own_is_the_beginning() -> None:
    Path("mine").mkdir()
    Path("mine/pig.toml").write_text("later = 9  # mine\n", encoding="utf-8")
    held = Numbers("toy", "mine")
    assert held.start == (9,) and held.price((7,)) == 2
    held.write(Path("other"), (7,))
    assert Path("other/pig.toml").read_text(encoding="utf-8") == "later = 7  # mine\n"
    assert make_game("toy", data="other").tables["later"] == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "numbers = None, allowed is a list of [[numbers]] tables"),
     ("[[numbers]]\nfile = 'data/pig.toml'\npath = 'later'\nlow = 0", "numbers 1: high: Field required"),
     ("[[numbers]]\nfile = 'data/pig.toml'\npath = 'late'\nlow = 0\nhigh = 1", "numbers 1: path = 'late'"),
     ("[[numbers]]\nfile = 'data/pig.toml'\npath = 'later'\nlow = 0\nhigh = 1\n" * 2, "numbers 2: later once more")],
)  # fmt: skip
def test_a_wrong_file_of_numbers_is_named(text: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("n.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(numbers_module, "numbers_file", lambda game: Path("n.toml"))
    with pytest.raises(DataError) as caught:
        Numbers("toy")
    assert f"n.toml: {said}" in str(caught.value)


# ---------------------------------------------------------------- the toy is tuned

RUN = ("balance", "tune", "--game", "toy", "--policy", "random", "--backend", "serial")


def test_the_toy_is_made_fair(capsys: Capture) -> None:
    """As it comes the first player wins 54 of 100; planted is far too much for the others."""
    Path("planted").mkdir()
    Path("planted/pig.toml").write_text("# mine\nlater = 16 # too much\n", encoding="utf-8")
    code, out, err = genesia(capsys, *RUN, "--games", "2000", "--data", "planted", "--out", "run")
    assert code == 0, err
    assert "Numbers that would change: 1" in out and err.endswith("data: run/data\n")
    text = Path("run/data/pig.toml").read_text(encoding="utf-8")
    later = int(text.split("later = ")[1].split()[0])
    assert text == f"# mine\nlater = {later} # too much\n" and 1 <= later <= 6
    held = {name: read_table(Path(f"run/tables/{name}.parquet")) for name in ("changes", "tried", "verdict")}
    assert held["changes"]["becomes"] == [later] and held["changes"]["after"][0] < 2
    assert sum(held["tried"]["taken"]) >= 1 and held["verdict"]["before"][0] < -0.15
    assert "<h2" in Path("run/report.html").read_text(encoding="utf-8")
    again, other, _ = genesia(capsys, *RUN, "--games", "2000", "--data", "planted", "--out", "run")
    assert again == 0 and other == out  # nothing is played twice
    fair = ("balance", "--game", "toy", "--policy", "random", "--games", "2000", "--backend", "serial")
    assert genesia(capsys, *fair, "--data", "run/data", "--out", "after")[0] == 0
    assert abs(read_table(Path("after/tables/places.parquet"))["won"][0] - 0.5) < 0.05


def test_a_fair_toy_is_left_as_it_is(capsys: Capture) -> None:
    given = ("--players", "2,3", "--games", "500", "--goal", "game.edge=0.1", "--out", "run")
    code, out, err = genesia(capsys, *RUN, *given)
    assert code == 0, err
    assert "Nothing is changed: no goal is missed beyond doubt" in out
    assert not Path("run/data").exists() and {p.name[:5] for p in Path("run/games").iterdir()} == {"first"}


def test_a_goal_for_which_there_is_no_number_is_told_and_not_mended(capsys: Capture) -> None:
    """The number of the toy is for the first player's edge only, which is far from what is asked for here."""
    given = ("--games", "500", "--goal", "game.edge=0.2", "--goal", "game.score=[60, 70]", "--out", "run")
    code, out, err = genesia(capsys, *RUN, *given)
    assert code == 0, err
    assert "Nothing is changed: 1 goals are missed, but no change that was tried helps beyond chance." in out
    assert "Not mended, as nothing is left to try within the bounds: score." in out
    assert not Path("run/data").exists()


@pytest.mark.parametrize("name", [name for name in GAMES if name not in TUNED])
def test_a_game_without_numbers_says_so(capsys: Capture, name: str) -> None:
    assert "offers no numbers to tune" in mistake(capsys, "balance", "tune", "--game", name, "--out", "run")


@pytest.mark.parametrize("name", TUNED)
def test_a_game_that_names_numbers_can_be_tuned(capsys: Capture, name: str) -> None:
    """So few games that hardly anything can be judged: it is the way that is tried."""
    given = (
        "--game",
        name,
        "--policy",
        "random",
        "--games",
        "64",
        "--rounds",
        "1",
        "--tries",
        "1",
        "--verdict",
        "1",
    )
    code, out, err = genesia(capsys, "balance", "tune", *given, "--backend", "serial", "--out", "run")
    assert code == 0, err
    assert f"{game_info(name).title}: tuned" in out and Path("run/report.html").exists()
    (path,) = Path("run/tables").glob("*_levels.parquet")
    levels = read_table(path)
    assert len(levels["goal"]) == len(goals_of(lab_of(name), {}))


@pytest.mark.parametrize(
    ("given", "said"),
    [(("--players", "5"), "players = '5', allowed are numbers 2..4 between commas"),
     (("--games", "10,20"), "games = [10, 20]: 2 numbers, allowed is 1 or 1, one a policy"),
     (("--goal", "game.edge"), "goal 'game.edge': "),
     (("--goals", "none.toml"), "none.toml: cannot be read"),
     (("--data", "nowhere"), "nowhere: is not there, allowed a folder with data files"),
     (("--tries", "0"), "Invalid value for '--tries': '0', allowed an integer of at least 1")],
)  # fmt: skip
def test_what_is_wrong_is_said_before_anything_is_played(
    capsys: Capture, given: tuple[str, str], said: str
) -> None:
    assert mistake(capsys, *RUN, *given, "--out", "run").startswith(said)
    assert not Path("run").exists()


def test_a_game_that_names_no_numbers_says_so(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_lab, "NUMBERS", "none.toml")
    assert mistake(capsys, *RUN, "--out", "run") == "game 'toy' offers no numbers to tune"
    assert not Path("run").exists()


def test_a_trial_is_the_same_however_its_games_are_put_together() -> None:
    """Estimates are those of the analyses: what a shard adds up is what all games give."""
    from genesia_rl.lab.arms import Condition
    from genesia_rl.lab.goals import questions_of
    from genesia_rl.lab.trial import Trial, measured, plan_of, play_trial, series_for

    lab, levels = lab_of("toy"), (Condition("random", 2, 320), Condition("random", 3, 160))
    goals = goals_of(lab, {}, None, ["game.edge = 0.02", "game.score = [0, 1]"])
    questions, plan = questions_of(goals, levels, lab, {}), plan_of(goals, levels)
    data = [Numbers("toy").write(Path(f"d{k}"), (k,)) for k in (0, 8)]
    series = [one for folder in data for one in series_for("toy", plan, 5, {}, folder)]
    store = play_trial(Trial(tuple(series)), Path("t"), lambda games: None, backend="serial")
    found = measured("toy", store, plan, goals, questions, {}, 2)
    for held in found:
        sums = held.sums.sum(axis=0)
        assert [e.value for e in held.estimates] == pytest.approx((sums[:, 0] / sums[:, 1]).tolist())
        assert [e.games for e in held.estimates] == [320, 320, 160, 160]
        assert not any(math.isnan(e.se) for e in held.estimates)
    assert all(a.value > b.value for a, b in zip(*(held.estimates[::2] for held in found), strict=True))
