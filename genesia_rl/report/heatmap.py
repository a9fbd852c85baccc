"""A matrix as a heatmap with its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import CenteredNorm, Normalize
from matplotlib.figure import Figure

from genesia_rl.core.errors import ConfigError
from genesia_rl.report.estimates import MISSING
from genesia_rl.report.style import EMPTY, PLAIN, Array, canvas, nothing, scaled, styled, with_unit

CELL = (0.56, 0.36)  # inches
LETTER = 0.078  # inches, about
DARK = 0.245  # luminance below which white has more contrast than the colour of other text


@styled
def heatmap(
    matrix: Sequence[Sequence[float | None]] | Array,
    row_labels: Sequence[str],
    column_labels: Sequence[str],
    unit: str = "%",
    centre: float | None = None,
    *,
    label: str = "",
    xlabel: str = "",
    ylabel: str = "",
    digits: int = 1,
) -> Figure:
    """A cell for each row and column; with a centre, what is above it is blue and what is below is red.

    The unit `%` is for shares of 1, the centre too.
    """
    held = _matrix(matrix, row_labels, column_labels, unit)
    longest = [max(map(len, labels), default=0) for labels in (row_labels, column_labels)]
    aslant = (longest[1] + 1) * LETTER > CELL[0]
    width = CELL[0] * max(2, len(column_labels)) + LETTER * longest[0] + 1.4
    height = CELL[1] * max(2, len(row_labels)) + (0.7 * LETTER * longest[1] if aslant else 0.2) + 0.5
    figure, axes = canvas(max(height, LETTER * (len(label) + 6) + 0.5), max(width, 4.0))
    if held.size:
        middle = None if centre is None else float(_shown([centre], unit)[0])
        image = _cells(axes, held, middle)
        _bar(figure, axes, image, with_unit(label, unit))
        _numbers(axes, image, held, digits)
    else:
        nothing(axes)
    style: dict[str, Any] = {"rotation": 40, "ha": "left", "rotation_mode": "anchor"} if aslant else {}
    axes.set_xticks(range(len(column_labels)), column_labels, **style)
    axes.set_yticks(range(len(row_labels)), row_labels)
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    return figure


def _shown(values: Sequence[float | None], unit: str) -> Array:
    return scaled(values, unit, values, "matrix")


def _matrix(
    matrix: Sequence[Sequence[float | None]] | Array, rows: Sequence[str], columns: Sequence[str], unit: str
) -> Array:
    """Numbers in the unit, of the shape that the labels tell."""
    if len(matrix) != len(rows):
        raise ConfigError(f"matrix of {len(matrix)} rows, allowed is {len(rows)}, one for each of row_labels")
    for label, row in zip(rows, matrix, strict=True):
        if len(row) != len(columns):
            raise ConfigError(
                f"matrix: row {label!r} of {len(row)} values, allowed is {len(columns)}, one for each of "
                "column_labels"
            )
    return np.array([_shown(list(row), unit) for row in matrix]).reshape(len(rows), len(columns))


def _norm(held: Array, centre: float | None) -> Normalize:
    """Both sides of the centre equally strong; a matrix of one number, or none, still has a range."""
    known = held[np.isfinite(held)]
    if centre is not None:
        half = float(np.abs(known - centre).max(initial=0.0))
        return CenteredNorm(centre, half or 1.0)
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    return Normalize(low, high if high > low else low + 1.0)


def _cells(axes: Axes, held: Array, centre: float | None) -> QuadMesh:
    """The colours, the first row on top."""
    colours = colormaps["Blues" if centre is None else "RdBu"].with_extremes(bad=EMPTY)
    across, down = (np.arange(size + 1) - 0.5 for size in reversed(held.shape))
    style: dict[str, Any] = {"norm": _norm(held, centre), "edgecolors": "white", "linewidth": 0.6}
    image = axes.pcolormesh(across, down, np.ma.masked_invalid(held), cmap=colours, **style)
    axes.invert_yaxis()
    return image


def _bar(figure: Figure, axes: Axes, image: QuadMesh, label: str) -> None:
    """What the colours mean."""
    width, height = figure.get_size_inches()
    bar = figure.colorbar(image, ax=axes, fraction=0.3 / width, pad=0.12 / width, aspect=height / 0.22)
    bar.set_label(label)
    bar.outline.set_visible(False)


def _numbers(axes: Axes, image: QuadMesh, held: Array, digits: int) -> None:
    """Each cell's number, light on dark colours."""
    colours = np.asarray(image.cmap(image.norm(np.ma.masked_invalid(held))))
    for (i, j), value in np.ndenumerate(held):
        known = bool(np.isfinite(value))
        dark = known and luminance(colours[i, j]) < DARK
        text = f"{round(float(value), digits) + 0.0:,.{digits}f}" if known else MISSING
        axes.text(j, i, text, ha="center", va="center", fontsize=8.5, color="white" if dark else PLAIN)


def luminance(colour: Array) -> float:
    """How bright a colour is, 0 .. 1, as the eye sees it (the relative luminance of WCAG)."""
    part = np.asarray(colour[:3], np.float64)
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))
