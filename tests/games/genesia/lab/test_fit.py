"""Spreads without what chance adds to them, and combinations of lots that do more than their Ages."""

from __future__ import annotations

import math

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from games.genesia.lab.lab_games import cells, pool, rows_of, trait, varied

from genesia_rl.games.genesia.lab import LAB
from genesia_rl.lab.fit import spread_beyond, spread_of
from genesia_rl.lab.varied import Varied
from genesia_rl.matches.games import Games
from genesia_rl.stats.estimate import Estimate

SCORE, WARS = trait("score"), trait("assaults")


def figures(rng: np.random.Generator, number: int, deviation: float, error: float) -> list[Estimate]:
    """Figures that differ, seen with an error."""
    values = rng.normal(0, deviation, number) + rng.normal(0, error, number)
    return [Estimate(float(v), math.nan, math.nan, error, 20, 20) for v in values]


@pytest.mark.parametrize("deviation", [0.0, 1.0])
def test_a_spread_is_found_without_the_errors_of_the_figures(deviation: float) -> None:
    rng = np.random.default_rng(1)
    found = [spread_of(figures(rng, 60, deviation, 1.0)) for _ in range(200)]
    covered = np.mean([e.low <= deviation <= e.high for e in found])
    assert 0.9 <= covered <= 1.0
    assert np.mean([e.value**2 for e in found]) == pytest.approx(deviation**2, abs=0.12)


def test_nothing_is_said_of_more_effects_than_combinations() -> None:
    held = figures(np.random.default_rng(2), 10, 1.0, 1.0)
    assert math.isnan(spread_beyond(held, [0.0] * 10, 28).value)
    few = [e._replace(blocks=2) for e in held]
    assert math.isnan(spread_beyond(few, [0.0] * 10, 1).value)


def lots_with(more: float) -> Varied:
    """Random games of 100 combinations; some score more whose lots of Ages I and II fit together."""
    table = rows_of(pool("random", 2, 4000), np.arange(4000))
    fits = np.array([(a * 3 + b * 7) % 10 < 5 for a, b, _ in cells(2)])[table["cell"]]
    table["totals"] = table["totals"] + (more * np.where(fits, 1, -1)[:, None]).astype(table["totals"].dtype)
    found = varied(2)
    found.add(Games(table, LAB))
    return found


def test_what_lots_do_together_is_told_from_the_effects_of_their_ages_and_widens_the_interval() -> None:
    plain, planted = lots_with(0), lots_with(10)
    for lots, true in ((plain, 0.0), (planted, 10.0)):
        together = lots.together(SCORE)
        assert together.low - 2.0 <= true <= together.high + 2.0
    assert plain.together(SCORE).value < 3 < 8 < planted.together(SCORE).value
    assert planted.together(WARS).value == plain.together(WARS).value
    one, other = (lots.ranked(SCORE)[0] for lots in (plain, planted))
    assert other.high - other.low > one.high - one.low + 20


def test_combinations_that_always_come_together_are_compared_by_their_own_games() -> None:
    ten = tuple((k, (3 * k + 1) % 10, (7 * k + 2) % 10) for k in range(10))
    table = rows_of(pool("random", 2, 4000), np.arange(400))
    table["cell"] = np.repeat(np.arange(10), 40)
    found = varied(2, ten)
    found.add(Games(table, LAB))
    ranked = found.ranked(trait("decisions"))
    assert {choice.stages for choice in ranked} == {tuple(found.names[p] for p in cell) for cell in ten}
    assert all(choice.games == 40 for choice in ranked)
    steps = table["steps"]
    best = [found.names.index(name) for name in ranked[0].stages]
    mine = steps[table["cell"] == ten.index((best[0], best[1], best[2]))].mean()
    assert steps.mean() <= ranked[0].value <= mine


def test_what_cannot_be_below_none_is_not_and_one_combination_has_no_best() -> None:
    found = lots_with(0)
    for name in ("assaults", "winner's lead", "lead changes"):
        assert all(c.low >= 0 and c.value >= 0 for c in found.ranked(trait(name)))
    only = varied(5, ((0, 0, 0),))
    assert only.ranked(trait("decisions")) == []
