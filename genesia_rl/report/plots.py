"""Plots of estimates as figures for a report.

Values with the unit `%` are shares of 1 and are drawn times 100, references and intervals too; with any
other unit they are drawn as they are. None and nan are places without a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from genesia_rl.core.errors import ConfigError
from genesia_rl.report.forest import forest
from genesia_rl.report.heatmap import heatmap
from genesia_rl.report.scatter import scatter
from genesia_rl.report.style import (
    COLOURS,
    DASHES,
    MARKERS,
    WIDTH,
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

__all__ = ["Palette", "forest", "grouped_bars", "heatmap", "histogram", "lines", "scatter"]

Series = tuple[Numbers, Numbers | None, Numbers | None]
MOST_BINS = 40


@styled
def lines(
    x: Numbers,
    series: Mapping[str, Series],
    xlabel: str,
    ylabel: str,
    log_x: bool = False,
    *,
    unit: str = "",
    reference: float | None = None,
    reference_label: str = "",
    palette: Palette | None = None,
) -> Figure:
    """A line for each series `(y, low, high)` with its interval as a band; low and high may be None."""
    figure, axes = canvas(height=3.7)
    places = scaled(x, "", x, "x")
    order = np.argsort(places, kind="stable")
    looks = palette or Palette()
    for name, (y, low, high) in series.items():
        k = looks.place(name)
        values = [scaled(held, unit, x, f"series {name!r}")[order] for held in (y, low, high)]
        colour, dash = COLOURS[k % len(COLOURS)], DASHES[k // len(COLOURS) % len(DASHES)]
        style: Any = {"color": colour, "linestyle": dash, "marker": MARKERS[k % len(MARKERS)]}
        axes.plot(places[order], values[0], label=name, ms=4.5, linewidth=1.6, **style)
        axes.fill_between(places[order], values[1], values[2], color=colour, alpha=0.16, linewidth=0)
    reference_line(reference, unit, reference_label, axes.axhline)
    if log_x and np.isfinite(places).any():
        _logarithmic(axes, places)
    axes.grid()
    axes.set(xlabel=xlabel, ylabel=with_unit(ylabel, unit))
    if not series or not len(places):
        nothing(axes)
    legend(figure, axes)
    return figure


def _logarithmic(axes: Axes, places: Array) -> None:
    """Ticks at 1, 2, 5, 10, ..., or at powers of ten if they are many, written as plain numbers."""
    for place in places[places <= 0]:
        raise ConfigError(f"x = {place:g} on a logarithmic axis, allowed are numbers above 0")
    axes.set_xscale("log")
    known = places[np.isfinite(places)]
    many = known.max() / known.min() > 3000
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0,) if many else (1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.12g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


@styled
def grouped_bars(
    groups: Sequence[str],
    series: Mapping[str, Series],
    ylabel: str,
    unit: str = "%",
    *,
    xlabel: str = "",
    reference: float | None = None,
    reference_label: str = "",
    palette: Palette | None = None,
) -> Figure:
    """For each group a bar of each series `(values, low, high)`, with whiskers where intervals are known.

    Charts that share a palette give a name the same colour.
    """
    looks = palette or Palette()
    thick = 0.8 / max(1, len(series))
    figure, axes = canvas(height=3.7, width=max(WIDTH, 0.16 * len(groups) * (len(series) + 1)))
    for k, (name, (values, low, high)) in enumerate(series.items()):
        held = [scaled(part, unit, groups, f"series {name!r}") for part in (values, low, high)]
        places = np.arange(len(groups)) + (k - (len(series) - 1) / 2) * thick
        colour = COLOURS[looks.place(name) % len(COLOURS)]
        axes.bar(places, held[0], thick * 0.92, color=colour, alpha=0.85, label=name)
        known = np.isfinite(held).all(axis=0)
        bars = errors(*(part[known] for part in held))
        axes.errorbar(places[known], held[0][known], yerr=bars, fmt="none", ecolor="black", elinewidth=1.1)
    reference_line(reference, unit, reference_label, axes.axhline)
    _group_names(axes, groups)
    axes.grid(axis="y")
    axes.set(xlabel=xlabel, ylabel=with_unit(ylabel, unit))
    if not series or not len(groups):
        nothing(axes)
    legend(figure, axes)
    return figure


def _group_names(axes: Axes, groups: Sequence[str]) -> None:
    """Aslant where they would run into one another."""
    wide = axes.get_figure(root=True)
    room = 11.5 * (wide.get_figwidth() - 0.8) if wide is not None else 0.0  # letters side by side
    aslant = sum(len(group) + 2 for group in groups) > room or max(map(len, groups), default=0) > 24
    style: Any = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if aslant else {}
    axes.set_xticks(range(len(groups)), groups, **style)
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.6, max(1, len(groups)) - 0.4)


@styled
def histogram(
    values_by_name: Mapping[str, Numbers],
    xlabel: str = "value",
    unit: str = "",
    *,
    ylabel: str = "share of values",
) -> Figure:
    """How often values are: outlines over common bins, each name's bins adding up to 100 %."""
    held = {name: scaled(values, unit, values, name) for name, values in values_by_name.items()}
    found = {name: values[np.isfinite(values)] for name, values in held.items()}
    figure, axes = canvas(height=3.4)
    edges = _edges(np.concatenate([np.zeros(0), *found.values()]))
    for k, (name, values) in enumerate(found.items()):
        shares = 100 * np.histogram(values, edges)[0] / max(1, len(values))
        colour, dash = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]
        axes.stairs(shares, edges, color=colour, linewidth=1.7, linestyle=dash, label=name)
        axes.stairs(shares, edges, color=colour, fill=True, alpha=0.12)
    axes.set(xlabel=with_unit(xlabel, unit), ylabel=with_unit(ylabel, "%"))
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")
    if not any(len(values) for values in found.values()):
        nothing(axes)
    legend(figure, axes)
    return figure


def _edges(values: Array) -> Array:
    """Common bins; around whole numbers where all values are whole, so that none is twice as full."""
    if not len(values):
        return np.array([0.0, 1.0])
    low, high = float(values.min()), float(values.max())
    if (values == np.round(values)).all():
        wide = max(1.0, np.ceil((high - low + 1) / MOST_BINS))
        return np.asarray(low - 0.5 + wide * np.arange(np.floor((high - low) / wide) + 2))
    edges = np.histogram_bin_edges(values, "sturges" if high == low else "auto")
    return edges if len(edges) <= MOST_BINS + 1 else np.linspace(low, high, MOST_BINS + 1)
