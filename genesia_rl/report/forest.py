"""A forest plot: a row for each estimate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from genesia_rl.core.errors import ConfigError
from genesia_rl.report.estimates import interval_text
from genesia_rl.report.style import (
    COLOURS,
    MARKERS,
    PLAIN,
    Array,
    Numbers,
    Palette,
    canvas,
    errors,
    legend,
    nothing,
    reference_line,
    scaled,
    styled,
    with_unit,
)

ROW = 0.27  # inches
LONG = 25  # rows; whoever reads the upper ones does not see the axis below


@styled
def forest(
    labels: Sequence[str],
    values: Numbers,
    lows: Numbers | None,
    highs: Numbers | None,
    reference: float | None = None,
    unit: str = "%",
    *,
    xlabel: str = "",
    digits: int = 1,
    flags: Sequence[str] | None = None,
    kinds: Sequence[str] | None = None,
    reference_label: str = "",
    palette: Palette | None = None,
    listed: bool = True,
) -> Figure:
    """A dot with its interval for every row, the numbers beside it, and a line at the reference.

    `flags` are words by which rows are coloured, "" for none; `kinds` are all words there may be, so that
    a word has the same colour in every plot; so has one that charts with the same `palette` share. Words that stand
    beside their rows anyway are not `listed` once more.
    """
    middle = scaled(values, unit, labels, "values")
    low, high = (scaled(ends, unit, labels, name) for ends, name in ((lows, "lows"), (highs, "highs")))
    figure, axes = canvas(
        height=0.9 + ROW * max(1, len(labels)) + (0.3 if (flags and listed) or reference_label else 0)
    )
    looks = palette or Palette(kinds or [])
    for flag, rows in _by_flag(flags, kinds, len(labels)):
        k = looks.place(flag) if flag else 0
        colour, marker = (COLOURS[k % len(COLOURS)], MARKERS[k % len(MARKERS)]) if flag else (PLAIN, "o")
        bars = errors(middle[rows], low[rows], high[rows])
        axes.errorbar(
            middle[rows],
            rows,
            xerr=bars,
            fmt=marker,
            color=colour,
            label=(listed and flag) or None,
            ms=5,
            elinewidth=1.6,
        )
    reference_line(reference, unit, reference_label, axes.axvline)
    _forest_rows(
        axes, labels, [interval_text(*row, 1, digits) for row in zip(middle, low, high, strict=True)]
    )
    axes.set_xlabel(with_unit(xlabel, unit))
    if not np.isfinite(middle).any():
        nothing(axes, keep_rows=len(labels) > 0)
    legend(figure, axes)
    return figure


def _by_flag(flags: Sequence[str] | None, kinds: Sequence[str] | None, rows: int) -> list[tuple[str, Array]]:
    """The rows of each word, in the order of `kinds`; those without a word last."""
    words = list(flags) if flags is not None else [""] * rows
    if len(words) != rows:
        raise ConfigError(f"flags = {len(words)} words, allowed is {rows}, one for each row")
    known = list(kinds) if kinds is not None else list(dict.fromkeys(filter(None, words)))
    for word in words:
        if word and word not in known:
            raise ConfigError(f"flag {word!r}, allowed are {', '.join(known)}")
    every = np.array(words, np.object_)
    return [(kind, np.flatnonzero(every == kind)) for kind in [*known, ""]]


def _forest_rows(axes: Axes, labels: Sequence[str], texts: Sequence[str]) -> None:
    """Names to the left, numbers to the right, the first row on top."""
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(max(1, len(labels)) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    if len(labels) > LONG:
        axes.tick_params(axis="x", top=True, labeltop=True)
    right = axes.secondary_yaxis("right")
    right.set_yticks(range(len(texts)), texts)
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
