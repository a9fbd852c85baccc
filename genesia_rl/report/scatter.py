"""Points of which the most extreme are named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.transforms import Bbox

from genesia_rl.report.style import (
    COLOURS,
    FAINT,
    Array,
    Numbers,
    canvas,
    errors,
    nothing,
    reference_line,
    scaled,
    styled,
    with_unit,
)

Ends = tuple[Numbers, Numbers]
#: Where a name may stand beside its point, in points of print, and how it is anchored there.
PLACES = (
    (6, 0, "left", "center"), (-6, 0, "right", "center"),
    (0, 7, "center", "bottom"), (0, -7, "center", "top"),
    (5, 6, "left", "bottom"), (5, -6, "left", "top"),
    (-5, 6, "right", "bottom"), (-5, -6, "right", "top"),
)  # fmt: skip


@styled
def scatter(
    x: Numbers,
    y: Numbers,
    labels: Sequence[str],
    xlabel: str,
    ylabel: str,
    *,
    x_unit: str = "",
    y_unit: str = "",
    x_interval: Ends | None = None,
    y_interval: Ends | None = None,
    x_reference: float | None = None,
    y_reference: float | None = None,
    extremes: int = 10,
) -> Figure:
    """A point for each label, with intervals `(lows, highs)` if given; the farthest from the middle named."""
    across, up = scaled(x, x_unit, labels, "x"), scaled(y, y_unit, labels, "y")
    figure, axes = canvas(height=4.6)
    _intervals(axes, across, up, x_interval, y_interval, (x_unit, y_unit), labels)
    axes.scatter(across, up, s=20, color=COLOURS[0], alpha=0.8, linewidths=0, zorder=3)
    reference_line(x_reference, x_unit, "", axes.axvline)
    reference_line(y_reference, y_unit, "", axes.axhline)
    axes.grid()
    axes.margins(0.08)
    axes.set(xlabel=with_unit(xlabel, x_unit), ylabel=with_unit(ylabel, y_unit))
    known = np.flatnonzero(np.isfinite(across) & np.isfinite(up))
    if len(known):
        _name(figure, axes, np.stack([across, up], axis=1), labels, farthest(across, up, known, extremes))
    else:
        nothing(axes)
    return figure


def _intervals(
    axes: Axes,
    x: Array,
    y: Array,
    across: Ends | None,
    up: Ends | None,
    units: tuple[str, str],
    labels: Sequence[str],
) -> None:
    """Whiskers behind the points."""
    bars: dict[str, Any] = {"xerr": None, "yerr": None}
    for name, ends, unit, middle in (("xerr", across, units[0], x), ("yerr", up, units[1], y)):
        if ends is not None:
            low, high = (scaled(end, unit, labels, f"{name[0]}_interval") for end in ends)
            bars[name] = errors(middle, low, high)
    if across is not None or up is not None:
        axes.errorbar(x, y, **bars, fmt="none", ecolor=FAINT, elinewidth=0.8, alpha=0.55)


def farthest(x: Array, y: Array, known: Array, number: int) -> list[int]:
    """The points farthest from the middle of all, in widths of the middle half of each axis."""
    far = np.zeros(len(known))
    for held in (x[known], y[known]):
        low, middle, high = np.quantile(held, (0.25, 0.5, 0.75))
        wide = float(high - low) or float(np.ptp(held)) or 1.0
        far += ((held - middle) / wide) ** 2
    order = np.argsort(-far, kind="stable")
    return [int(i) for i in known[order[: max(0, number)]]]


def _name(figure: Figure, axes: Axes, points: Array, labels: Sequence[str], chosen: Sequence[int]) -> None:
    """Write the names where they cover neither points nor one another; a name without room is left out."""
    figure.draw_without_rendering()  # from now on it is known where things are
    dots = axes.transData.transform(points[np.isfinite(points).all(axis=1)])
    taken: list[Bbox] = []
    for i in chosen:
        for place in PLACES:
            text, box = _placed(axes, labels[i], points[i], place)
            if _free(box, axes.bbox, taken, dots):
                taken.append(box)
                break
            text.remove()


def _placed(
    axes: Axes, label: str, point: Array, place: tuple[int, int, str, str]
) -> tuple[Annotation, Bbox]:
    right, up, ha, va = place
    style: dict[str, Any] = {"ha": ha, "va": va, "fontsize": 8.5, "textcoords": "offset points"}
    behind = {"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.6}  # whiskers do not cross it
    text = axes.annotate(label, (point[0], point[1]), (right, up), bbox=behind, **style)
    text.set_in_layout(False)
    return text, text.get_window_extent()


def _free(box: Bbox, frame: Bbox, taken: Sequence[Bbox], dots: Array) -> bool:
    """Within the axes, on no point and on no other name."""
    inside = frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
    return bool(inside and not any(box.overlaps(other) for other in taken) and not box.count_contains(dots))
