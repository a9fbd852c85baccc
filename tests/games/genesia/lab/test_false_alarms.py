"""Where nothing differs nothing is found: false alarms come at the stated rate, and intervals hold the truth.

A repetition is some hundred games, a figure alarms if p < 0.05. The figures of one repetition depend on one
another, so what is bounded exactly is the count of each figure over the repetitions, which are independent;
the share of all alarms is compared with its own scatter from repetition to repetition.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("pyarrow")

from games.genesia.lab.lab_games import (
    NAMED,
    parts,
    pool,
    rows_of,
    self_play,
    shuffled_outcomes,
    told,
    varied,
)
from scipy import stats

from genesia_rl.games.genesia.lab import LAB
from genesia_rl.games.genesia.lab.cards import CARDS
from genesia_rl.games.genesia.lab.objectives import OBJECTIVES
from genesia_rl.lab import items
from genesia_rl.lab.arms import Condition
from genesia_rl.lab.difference import Difference
from genesia_rl.lab.figures import Figures
from genesia_rl.lab.first import Choosing, FirstPlayer
from genesia_rl.lab.items import WON, Held, Picked, numbers_of, verdicts
from genesia_rl.lab.offers import Offers
from genesia_rl.lab.pages_difference import item_rows, place_rows, trait_rows
from genesia_rl.lab.pages_first import SEAT_ALARM, seat_rows
from genesia_rl.lab.restricted import Restricted
from genesia_rl.matches.entrant import Entrant
from genesia_rl.matches.games import Games, Table
from genesia_rl.matches.seating import one_against
from genesia_rl.matches.series import Series
from genesia_rl.stats.estimate import Estimate

Array = npt.NDArray[Any]
GAMES, SIZE = 4000, 250
FEWEST = 30  # blocks behind a figure that is looked at: with fewer, normal theory is not promised
SURE = 1e-6
NUMBERS = numbers_of(CARDS)


def every(*boxes: Figures) -> list[Estimate]:
    """All figures of some boxes."""
    return [box.get(*at) for box in boxes for at in np.ndindex(*box.shape)]


def seen(games: Games) -> dict[str, list[Estimate]]:
    """All figures of some games by analysis, always in the same order."""
    players = games.seats
    first, choosing, lots = FirstPlayer(players, LAB), Choosing(players, LAB), varied(players)
    held, picked, objectives = Held(CARDS), Picked(CARDS), Offers(OBJECTIVES)
    for analysis in (first, choosing, lots, held, picked, objectives):
        analysis.add(games)
    adjusted = [first.adjusted(age, place) for age in range(3) for place in range(players)]
    return {
        "first": [*every(first.places, first.seats), *adjusted],
        "choosing": every(choosing.turns, choosing.taken),
        "lots": every(lots.by_stage, lots.overall),
        "held": every(held.effects, held.won),
        "picked": every(picked.rates, picked.kept, picked.used),
        "objectives": every(objectives.won_dealt, objectives.keeps, objectives.won_kept, objectives.points),
    }


@cache
def repetitions(players: int, games: int, size: int) -> list[dict[str, list[Estimate]]]:
    """The figures of disjoint parts of a pool."""
    return [seen(part) for part in parts(pool("random", players, games), size)]


def p_of_pair(one: Estimate, other: Estimate) -> float:
    """How probable so great a difference of two independent estimates is."""
    if min(one.blocks, other.blocks) < FEWEST or not (one.se > 0 and other.se > 0):
        return math.nan
    return float(2 * stats.norm.sf(abs(one.value - other.value) / math.hypot(one.se, other.se)))


def assert_rate(alarms: Array, rate: float, slack: float = 0.005) -> None:
    """Alarms `[repetition, figure]`, nan where there was no figure, come at this rate.

    Slack is for what normal theory does not promise of so few games.
    """
    assert np.isfinite(alarms).sum() > 40
    asked, rang = np.isfinite(alarms).sum(axis=0), np.nansum(alarms, axis=0)
    often = asked > 0
    by_chance = stats.binom.sf(rang[often] - 1, asked[often], rate + slack)
    assert by_chance.min() * often.sum() > SURE, f"{rang.max():.0f} alarms of one figure in {asked.max()}"
    shares = np.array([np.nanmean(row) for row in alarms if np.isfinite(row).any()])
    questions = max(1.0, often.sum() / 10)  # of which figures are many faces
    error = max(shares.std(ddof=1) / math.sqrt(len(shares)), math.sqrt(rate / len(shares) / questions))
    assert abs(shares.mean() - rate) < 4 * error + slack, f"{shares.mean():.3f} +- {error:.3f}"


def check_pairs(players: int, games: int, size: int) -> None:
    """A against A, with different seeds: two repetitions at a time."""
    held = repetitions(players, games, size)
    pairs = list(zip(held[::2], held[1::2], strict=False))
    for name in held[0]:
        p = np.array([[p_of_pair(*two) for two in zip(a[name], b[name], strict=True)] for a, b in pairs])
        assert_rate(np.where(np.isfinite(p), p < 0.05, np.nan), 0.05, 0.01)


def check_coverage(players: int, games: int, size: int) -> None:
    """Intervals against what all repetitions together say, of which a part is one of many."""
    held = repetitions(players, games, size)
    truth = seen(Games(rows_of(pool("random", players, games), np.arange(games)), LAB))
    missed = []
    for name, true in truth.items():
        found = np.array(
            [[missing(e, t.value) for e, t in zip(part[name], true, strict=True)] for part in held]
        )
        assert_rate(found, 0.05, 0.012)
        missed.append(np.nanmean(found))
    assert 0.03 <= np.mean(missed) <= 0.07


def missing(estimate: Estimate, truth: float) -> float:
    """Is the truth outside of the interval?"""
    if estimate.blocks < FEWEST or not estimate.se > 0:
        return math.nan
    return float(not estimate.low <= truth <= estimate.high)


@pytest.mark.parametrize("players", [2, 3])
def test_independent_games_of_one_configuration_differ_at_the_stated_rate(players: int) -> None:
    check_pairs(players, GAMES if players == 2 else GAMES // 2, SIZE // 2)


def test_intervals_hold_the_truth() -> None:
    check_coverage(2, GAMES, SIZE // 2)


@pytest.mark.slow
def test_many_independent_games_of_one_configuration_differ_at_the_stated_rate() -> None:
    check_pairs(2, 20_000, 400)
    check_coverage(2, 20_000, 400)


# ---------------------------------------------------------------- truths that are known exactly


def test_every_seat_wins_its_even_share_and_the_note_on_seats_keeps_quiet() -> None:
    """By symmetry: 1/n, whatever the policy."""
    p, alarms = [], 0
    for part in parts(pool("random", 2, GAMES), 100):
        found = FirstPlayer(2, LAB)
        found.add(part)
        p.append(found.seats.get(0, WON).p(1 / 2))
        rows = seat_rows({Condition("random", 2, 100): found})
        alarms += any(row["p, corrected"] < SEAT_ALARM for row in rows)
    assert stats.binomtest(int(np.sum(np.array(p) < 0.05)), len(p), 0.05).pvalue > SURE
    assert stats.binom.sf(alarms - 1, len(p), SEAT_ALARM) > SURE


def test_seats_are_corrected_over_all_conditions() -> None:
    found = {}
    for k, part in enumerate(parts(pool("random", 2, GAMES), 1000)):
        one = FirstPlayer(2, LAB)
        one.add(part)
        found[Condition(f"random{k}", 2, 1000)] = one
    rows = seat_rows(found)
    assert len(rows) == 2 * len(found) == 8
    smallest = min(f.seats.get(0, WON).p(1 / 2) for f in found.values())
    assert min(row["p, corrected"] for row in rows) == pytest.approx(min(1, 8 * smallest))


def test_an_agent_without_nothing_against_itself_wins_its_even_share() -> None:
    """The other one has the same code under the same name: every deal is won from one of its seats."""
    for players in (2, 3):
        same = Entrant("random"), Entrant("random")
        fields = {"players": players}
        series = Series("genesia", same, tuple(one_against(players)), 40, 3, fields, 10, shard_blocks=40)
        found = Restricted()
        found.add(Games(series.run(0)["games"], LAB))
        won, points = found.won.get(0), found.points.get(0)
        assert won.value == pytest.approx(1 / players) and points.value == pytest.approx(0, abs=1e-9)
        assert won.p(1 / players) == pytest.approx(1)


# ---------------------------------------------------------------- a configuration against itself


def compared(a: Table, b: Table) -> Difference:
    """B less A; both are said to be of the same deals."""
    found = Difference(a["ranks"].shape[1], LAB, {"blind_drafts"})  # random play keeps cards at random
    found.add(Games(a, LAB), Games({**b, "seed": a["seed"]}, LAB))
    return found


def test_a_configuration_on_the_same_deals_differs_from_itself_in_nothing() -> None:
    first, again = (self_play("random", 2, 200, lots=10).run(0)["games"] for _ in range(2))
    found = compared(first, again)
    boxes = (found.traits, found.places, found.items["cards"].holders, found.items["cards"].use)
    values = [e for k, box in enumerate(boxes) for e in (every(box) if k else box.row(1)) if e.blocks]
    assert len(values) > 150 and all((e.value, e.low, e.high) == (0, 0, 0) or e.blocks == 1 for e in values)
    assert all(e.p() == 1 for e in values if e.blocks > 1)
    assert found.traits.get(0, 0).value == pytest.approx(first["totals"].mean())
    of_cards = item_rows(told(found), "cards", {})
    for rows, p in ((trait_rows(told(found)), "p"), (place_rows(told(found)), "p of won"), (of_cards, "p of points"),
                    (of_cards, "p of kept"), (of_cards, "p of played")):  # fmt: skip
        judged = [row[p] for row in rows if not math.isnan(row[p])]
        assert len(judged) >= 6 and set(judged) == {1.0}


def differences(games: int, size: int) -> Iterator[tuple[Difference, Difference]]:
    """Pairs of parts of a pool that have nothing in common but the configuration; and who holds what."""
    held = [dict(part._table) for part in parts(pool("random", 2, games), size)]
    for a, b in zip(held[::2], held[1::2], strict=False):
        yield compared(a, b), compared(a, {**b, "picks": a["picks"], "packs": a["packs"]})


def check_differences(games: int, size: int) -> None:
    raw: dict[str, list[list[float]]] = {"traits": [], "places": [], "cards": [], "played": []}
    alarms = dict.fromkeys(raw, 0)
    for apart, found in differences(games, size):
        boxes = (found.traits.row(1), every(found.places), every(found.items["cards"].holders),
                 [apart.items["cards"].use.get(number, 1) for number in NUMBERS])  # fmt: skip
        for name, held in zip(raw, boxes, strict=True):
            raw[name].append([e.p() if e.blocks >= FEWEST else math.nan for e in held])
        adjusted = (
            [row["p"] for row in trait_rows(told(found))], [row["p of won"] for row in place_rows(told(found))],
            [row["p of points"] for row in item_rows(told(found), "cards", {})],
            [row["p of played"] for row in item_rows(told(apart), "cards", {})],
        )  # fmt: skip
        for name, corrected in zip(raw, adjusted, strict=True):
            assert len(corrected) >= 6
            alarms[name] += np.nanmin(corrected) <= 0.05
    for name, p_values in raw.items():
        p = np.array(p_values)
        assert_rate(np.where(np.isfinite(p), p < 0.05, np.nan), 0.05, 0.01)
        assert stats.binom.sf(alarms[name] - 1, len(p), 0.05) > SURE, f"{alarms[name]} of {len(p)}: {name}"


def test_differences_of_a_configuration_from_itself_alarm_at_the_stated_rate() -> None:
    check_differences(GAMES, 200)


@pytest.mark.slow
def test_many_differences_of_a_configuration_from_itself_alarm_at_the_stated_rate() -> None:
    check_differences(20_000, 300)


# ---------------------------------------------------------------- the flags of cards


def judged(table: Table, monkeypatch: pytest.MonkeyPatch) -> dict[int, items.Verdict]:
    """Verdicts where an effect above nothing would be too much."""
    monkeypatch.setattr(items, "TOO_MUCH", 0.0)
    monkeypatch.setattr(items, "TOO_LITTLE", 0.0)
    held, picked, games = Held(CARDS), Picked(CARDS), Games(table, LAB)
    held.add(games)
    picked.add(games)
    return verdicts(NAMED, held, picked)


def check_flags(games: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outcomes by lot: no card does anything, so whatever is flagged is a false alarm."""
    overpowered = dominated = never = differs = number = 0
    rng = np.random.default_rng(4)
    for k, part in enumerate(parts(pool("random", 2, games), size)):
        table = shuffled_outcomes(part._table, k)
        table["played"] = (rng.random(table["played"].shape) < items.HARDLY_EVER).astype(np.int8)
        found = judged(table, monkeypatch).values()
        assert len(found) > 60
        number += 1
        overpowered += any(verdict.overpowered <= items.FALSE_ALARMS for verdict in found)
        dominated += any(verdict.dominated_by for verdict in found)
        never += any(verdict.never for verdict in found)
        differs += any(verdict.differs <= items.FALSE_ALARMS for verdict in found)
    for rang in (overpowered, dominated, never, differs):
        numbers = f"{overpowered} {dominated} {never} {differs} of {number}"
        assert stats.binom.sf(rang - 1, number, 0.05) > SURE, numbers


def test_cards_that_do_nothing_are_flagged_at_most_at_the_stated_rate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_flags(GAMES, 300, monkeypatch)


@pytest.mark.slow
def test_cards_that_do_nothing_are_hardly_ever_flagged_in_many_repetitions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check_flags(20_000, 300, monkeypatch)


def test_cards_that_few_have_held_are_not_judged() -> None:
    held, picked = Held(CARDS), Picked(CARDS)
    few = Games(rows_of(pool("random", 2, GAMES), np.arange(0, GAMES, GAMES // 40)), LAB)
    held.add(few)
    picked.add(few)
    counts = {number: held.effect(number, WON).games for number in NUMBERS}
    assert min(counts.values()) < items.JUDGED
    found = verdicts(NAMED, held, picked)
    assert set(found) == {number for number, count in counts.items() if count >= items.JUDGED}


def test_two_cards_are_as_much_apart_as_chance_has_them() -> None:
    """The error of the difference of two cards of an Age, against its scatter over repetitions."""
    z = []
    for k, part in enumerate(parts(pool("random", 2, GAMES), 200)):
        held = Held(CARDS)
        held.add(Games(shuffled_outcomes(part._table, k), LAB))
        numbers = [n for n in range(1, 31) if held.effect(n, items.POINTS).blocks > FEWEST]
        for a, b in zip(numbers[::2], numbers[1::2], strict=False):
            more, error = items._difference(held.effect(a, items.POINTS), held.effect(b, items.POINTS), 10)
            z.append(more / error)
    assert len(z) > 200
    assert 0.85 < np.std(z) < 1.05 and abs(np.mean(z)) < 0.2
