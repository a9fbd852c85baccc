"""Plots: what is drawn, in which unit, and what is left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch
from matplotlib.text import Annotation

from genesia_rl.core.errors import ConfigError
from genesia_rl.report.plots import forest, grouped_bars, heatmap, histogram, lines, scatter
from genesia_rl.report.svg import svg_of

NAMES = ["greedy", "ppo", "mcts:50"]
SHARES = np.array([0.25, 0.5, 0.75])
DASH = "–"  # noqa: RUF001


def axes_of(figure: Figure) -> Axes:
    return figure.axes[0]


def ticks(axis: matplotlib.axis.Axis) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def legend_of(figure: Figure) -> list[str]:
    return [text.get_text() for held in figure.legends for text in held.get_texts()]


def drawn(figure: Figure) -> str:
    return svg_of(figure, "plot", "a plot")


def error_bars(axes: Axes) -> list[ErrorbarContainer]:
    return [held for held in axes.containers if isinstance(held, ErrorbarContainer)]


def dots(axes: Axes) -> np.ndarray:
    """[dot, x and y] of all error bars."""
    return np.concatenate([np.column_stack(held.lines[0].get_data()) for held in error_bars(axes)])


def outlines_of(axes: Axes) -> list[StepPatch]:
    return [patch for patch in axes.patches if isinstance(patch, StepPatch) and not patch.get_fill()]


def test_a_forest_has_a_row_for_each_label_the_first_on_top() -> None:
    axes = axes_of(forest(NAMES, SHARES, SHARES - 0.1, SHARES + 0.1, 0.5, xlabel="first places"))
    assert ticks(axes.yaxis) == NAMES and axes.get_xlabel() == "first places (%)"
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    assert np.allclose(dots(axes), [[25, 0], [50, 1], [75, 2]])
    assert ticks(axes.child_axes[0].yaxis)[0] == "25.0 (15.0 .. 35.0)"
    assert any(np.allclose(line.get_xdata(), 50) for line in axes.lines), "the reference is in the unit too"


def test_a_forest_grows_with_its_rows() -> None:
    short, tall = (forest([str(i) for i in range(n)], [0.5] * n, [0.4] * n, [0.6] * n) for n in (5, 105))
    assert tall.get_figheight() > short.get_figheight() + 20
    assert drawn(tall).count(">57<") == 1, "one row, not two"


def test_other_units_than_per_cent_are_drawn_as_they_are() -> None:
    axes = axes_of(forest(["a"], [3.5], [3], [4], unit="points"))
    assert np.allclose(dots(axes), [[3.5, 0]]) and axes.get_xlabel() == "points"


def test_a_word_has_the_same_colour_in_every_forest() -> None:
    kinds = ["weak", "strong"]
    colours = []
    for flags in (["weak", "", "strong"], ["strong", "", ""]):
        figure = forest(NAMES, SHARES, None, None, flags=flags, kinds=kinds)
        assert legend_of(figure) == kinds
        held = {c.get_label(): c.lines[0] for c in error_bars(axes_of(figure))}
        colours.append(held["strong"].get_color())
        assert np.size(held["strong"].get_xdata()) == flags.count("strong")
    assert colours[0] == colours[1]


def test_a_forest_without_some_values_keeps_their_rows() -> None:
    figure = forest(NAMES, [0.5, None, math.nan], [0.4, None, 0.1], [math.nan, None, 0.2])
    texts = ticks(axes_of(figure).child_axes[0].yaxis)
    assert texts == ["50.0", DASH, DASH] and ticks(axes_of(figure).yaxis) == NAMES
    bars = error_bars(axes_of(figure))[0].lines[2][0].get_segments()
    assert np.allclose(bars[0], [[40, 0], [50, 0]]), "no whisker towards the unknown end"


def test_lines_have_bands_names_and_units() -> None:
    x = [400, 100, 200]
    figure = lines(
        x, {"a": (SHARES, SHARES - 0.1, SHARES + 0.1), "b": (SHARES, None, None)},
        "simulations", "first places", log_x=True, unit="%",
    )  # fmt: skip
    axes = axes_of(figure)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("simulations", "first places (%)")
    assert axes.get_xscale() == "log" and legend_of(figure) == ["a", "b"]
    first = axes.lines[0]
    assert np.array_equal(first.get_xdata(), [100, 200, 400]) and np.allclose(first.get_ydata(), [50, 75, 25])
    band = axes.collections[0].get_datalim(axes.transData)
    assert np.allclose([band.y0, band.y1], [15, 85])
    assert ">200<" in drawn(figure), "plain numbers, no powers of ten"


def test_many_powers_of_ten_get_a_tick_each_and_no_more() -> None:
    text = drawn(lines([10, 100_000], {"a": ([1, 2], None, None)}, "games", "rating", log_x=True))
    assert ">100,000<" in text and ">20,000<" not in text


def test_the_names_of_many_series_stay_within_the_figure() -> None:
    figure = lines([1, 2], {f"agent number {i}": ([i, i], None, None) for i in range(9)}, "x", "y")
    figure.draw_without_rendering()
    held, whole = figure.legends[0].get_window_extent(), figure.bbox
    assert whole.x0 <= held.x0 and held.x1 <= whole.x1 and whole.y0 <= held.y0


def test_bars_stand_in_groups_with_their_whiskers() -> None:
    figure = grouped_bars(
        ["seat 1", "seat 2", "seat 3"],
        {"greedy": (SHARES, SHARES - 0.1, [0.35, None, 0.85]), "ppo": (SHARES, None, None)},
        "first places",
        reference=1 / 3,
        reference_label="fair",
    )
    axes = axes_of(figure)
    bars = [held for held in axes.containers if isinstance(held, BarContainer)]
    assert [len(held) for held in bars] == [3, 3] and set(legend_of(figure)) == {"greedy", "ppo", "fair"}
    assert [bar.get_height() for bar in bars[0]] == [25, 50, 75]
    whiskers = [len(c.lines[2][0].get_segments()) for c in error_bars(axes)]
    assert whiskers == [2, 0], "only where both ends are known"
    assert ticks(axes.xaxis) == ["seat 1", "seat 2", "seat 3"] and axes.get_ylabel() == "first places (%)"
    edges = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for held in bars for bar in held)
    assert all(left[1] <= right[0] for left, right in pairwise(edges)), "none hides another"


def test_long_names_of_groups_are_written_aslant() -> None:
    names = [f"the long name number {i}" for i in range(12)]
    labels = axes_of(grouped_bars(names, {"a": ([0.5] * 12, None, None)}, "share")).get_xticklabels()
    assert {label.get_rotation() for label in labels} == {40}


def test_a_heatmap_writes_its_numbers_readably() -> None:
    matrix: list[list[float | None]] = [[0.5, None, 0.05], [0.95, math.nan, 0.4]]
    figure = heatmap(matrix, ["x", "y"], NAMES, centre=0.5, label="first places")
    axes = axes_of(figure)
    assert [t.get_text() for t in axes.texts] == ["50.0", DASH, "5.0", "95.0", DASH, "40.0"]
    assert ticks(axes.xaxis) == NAMES and ticks(axes.yaxis) == ["x", "y"]
    assert figure.axes[1].get_ylabel() == "first places (%)"
    colour = {t.get_text(): t.get_color() for t in axes.texts}
    assert colour["5.0"] == colour["95.0"] == "white" and colour["50.0"] != "white" != colour[DASH]
    norm: Any = axes.collections[0].norm  # takes single numbers too, which its stubs leave out
    assert norm(50) == 0.5 and norm(95) == 1 and norm(5) == 0, "both sides are equally strong"
    assert axes.transData.transform((0, 0))[1] > axes.transData.transform((0, 1))[1], "first row on top"


def test_a_heatmap_of_one_value_has_a_range() -> None:
    for centre in (None, 3.0):
        figure = heatmap([[3.0, 3.0]], ["x"], ["a", "b"], "points", centre, digits=0)
        assert [t.get_text() for t in axes_of(figure).texts] == ["3", "3"]
        norm: Any = axes_of(figure).collections[0].norm
        assert np.isfinite(norm(3.0))


def test_histograms_share_bins_and_add_up_to_all() -> None:
    scores: dict[str, Sequence[float | None] | np.ndarray] = {"a": np.arange(50), "b": [3.0, 3, math.nan, 40]}
    axes = axes_of(histogram(scores, "score", "points", ylabel="share of games"))
    outlines = outlines_of(axes)
    edges, others = (patch.get_data()[1] for patch in outlines)
    assert np.array_equal(edges, others) and np.all(np.diff(edges) == 2) and edges[0] == -0.5
    assert [patch.get_data()[0].sum() for patch in outlines] == [100, 100]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("score (points)", "share of games (%)")


def test_a_histogram_of_hair_thin_bins_is_made_coarser() -> None:
    values = np.append(np.random.default_rng(0).normal(size=2000), 1e4)
    (patch,) = outlines_of(axes_of(histogram({"a": values})))
    shares = patch.get_data()[0]
    assert len(shares) == 40 and np.isclose(shares.sum(), 100)


def test_a_scatter_names_the_farthest_points_without_overlap() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=80), rng.normal(size=80)
    x[7], y[33] = 9, -9
    figure = scatter(
        x, y, [f"card {i}" for i in range(80)], "played", "won", x_unit="%", y_interval=(y - 1, y + 1)
    )
    axes = axes_of(figure)
    names = [text for text in axes.texts if isinstance(text, Annotation)]
    assert {"card 7", "card 33"} <= {text.get_text() for text in names} and len(names) <= 10
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("played (%)", "won")
    boxes = [text.get_window_extent() for text in names]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    places = axes.transData.transform(np.stack([100 * x, y], axis=1))
    assert not any(box.count_contains(places) for box in boxes)


def test_points_without_a_place_are_neither_drawn_nor_named() -> None:
    figure = scatter([0.1, None, 0.3], [1, 2, math.nan], NAMES, "x", "y")
    assert [text.get_text() for text in axes_of(figure).texts] == ["greedy"]


EMPTY: dict[str, Callable[[], Figure]] = {
    "forest": lambda: forest([], [], [], []),
    "forest of nothing known": lambda: forest(NAMES, [None] * 3, None, None),
    "lines": lambda: lines([], {}, "x", "y"),
    "logarithmic lines": lambda: lines([], {"a": ([], None, None)}, "x", "y", log_x=True),
    "bars": lambda: grouped_bars([], {}, "y"),
    "heatmap": lambda: heatmap([], [], []),
    "heatmap of nothing known": lambda: heatmap([[None]], ["a"], ["b"], centre=0.5),
    "histogram": lambda: histogram({"a": []}),
    "scatter": lambda: scatter([], [], [], "x", "y"),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", EMPTY)
def test_plots_of_nothing_are_drawn_and_say_so(name: str) -> None:
    text = drawn(EMPTY[name]())
    assert "no data" in text or DASH in text


WRONG: dict[str, tuple[Callable[[], Figure], str]] = {
    "values": (lambda: forest(NAMES, [0.1], None, None), "values = 1 values, allowed is 3"),
    "lows": (lambda: forest(NAMES, SHARES, [0.1], None), "lows = 1 values"),
    "flags": (lambda: forest(NAMES, SHARES, None, None, flags=["a"]), "flags = 1 words"),
    "kinds": (
        lambda: forest(["a"], [1], None, None, flags=["odd"], kinds=["fair"]),
        "'odd', allowed are fair",
    ),
    "lines": (lambda: lines([1, 2], {"ppo": (SHARES, None, None)}, "x", "y"), "series 'ppo' = 3 values"),
    "log": (lambda: lines([0, 2], {}, "x", "y", log_x=True), "x = 0 on a logarithmic axis"),
    "bars": (lambda: grouped_bars(["a"], {"ppo": ([1], [1, 2], None)}, "y"), "series 'ppo' = 2 values"),
    "rows": (lambda: heatmap([[1]], NAMES, ["a"]), "matrix of 1 rows, allowed is 3"),
    "columns": (lambda: heatmap([[1], [2, 3]], ["r", "s"], ["a"]), "row 's' of 2 values"),
    "scatter": (lambda: scatter([1], [1, 2], ["a"], "x", "y"), "y = 2 values, allowed is 1"),
    "ends": (lambda: scatter([1], [1], ["a"], "x", "y", x_interval=([1, 2], [3])), "x_interval = 2 values"),
}


@pytest.mark.parametrize("name", WRONG)
def test_lengths_that_do_not_fit_are_refused_by_name(name: str) -> None:
    call, message = WRONG[name]
    with pytest.raises(ConfigError, match=message):
        call()


def test_plots_leave_the_settings_of_matplotlib_alone() -> None:
    before = dict(matplotlib.rcParams)
    drawn(forest(NAMES, SHARES, None, None))
    assert dict(matplotlib.rcParams) == before


def test_dollars_in_names_are_no_formulas() -> None:
    assert ">$a_b$<" in drawn(forest(["$a_b$"], [0.5], None, None))
