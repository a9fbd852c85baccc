"""How plots look: one style, colours that colour-blind readers tell apart, and empty places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from genesia_rl.core.errors import ConfigError

Array = npt.NDArray[Any]
Numbers = Sequence[float | None] | Array

#: Okabe and Ito's colours, without the yellow that vanishes on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":")
PLAIN, FAINT, EMPTY = "#333333", "#8a8a8a", "#e8e8e8"
WIDTH = 6.8  # inches: on a page this is read without scaling
#: What values are multiplied by to be in a unit; others are in it already.
SCALES = {"%": 100.0, "pp": 100.0}
UNITS = {"pp": "percentage points"}  # what stands at an axis instead

#: Drawn in white whatever the page is, so that one picture serves light and dark.
STYLE: Any = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 9.5,
    "figure.facecolor": "white", "axes.facecolor": "white", "axes.edgecolor": FAINT,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.grid": False, "grid.color": "#e3e3e3", "grid.linewidth": 0.8,
    "axes.labelcolor": PLAIN, "text.color": PLAIN, "xtick.color": PLAIN, "ytick.color": PLAIN,
    "xtick.major.size": 3, "ytick.major.size": 3, "legend.frameon": False,
    "axes.formatter.useoffset": False, "axes.unicode_minus": True, "text.usetex": False,
    "text.parse_math": False,
}  # fmt: skip

styled = rc_context(STYLE)


def canvas(height: float, width: float = WIDTH) -> tuple[Figure, Axes]:
    """A figure with one set of axes, apart from pyplot's."""
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def scaled(values: Numbers | None, unit: str, like: Sequence[Any] | Array, name: str) -> Array:
    """Numbers in the unit, nan where there is none; there must be one for each of `like`."""
    if values is None:
        return np.full(len(like), np.nan)
    if len(values) != len(like):
        raise ConfigError(f"{name} = {len(values)} values, allowed is {len(like)}, one for each row")
    numbers = np.array([np.nan if v is None else v for v in values], np.float64)
    return np.asarray(numbers * SCALES.get(unit, 1.0))


def with_unit(label: str, unit: str) -> str:
    """The text of an axis."""
    word = UNITS.get(unit, unit)
    return f"{label} ({word})" if label and word else label or word


class Palette:
    """One look for each name in all charts of a page: the names in the order in which they were first met."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        self._names = list(dict.fromkeys(names))

    def place(self, name: str) -> int:
        """Which of the colours, markers and dashes is the name's."""
        if name not in self._names:
            self._names.append(name)
        return self._names.index(name)


def errors(values: Array, lows: Array, highs: Array) -> Array:
    """Lengths of the bars below and above, as matplotlib wants them: none towards an end that is unknown."""
    lengths = np.maximum(np.stack([values - lows, highs - values]), 0.0)
    return np.where(np.isfinite(lengths), lengths, 0.0)


def legend(figure: Figure, axes: Axes) -> None:
    """Below the axes, so that it hides nothing; none if there is nothing to tell apart."""
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        figure.legend(handles, labels, loc="outside lower center", ncols=_legend_columns(labels))


def _legend_columns(labels: Sequence[str]) -> int:
    """As many as have room in the narrowest figure."""
    return max(1, min(len(labels), 83 // (max(map(len, labels)) + 8)))


def nothing(axes: Axes, keep_rows: bool = False) -> None:
    """Say that there was nothing to draw, without numbers on axes that measure nothing."""
    axes.set_xticks([])
    if not keep_rows:
        axes.set_yticks([])
    axes.text(0.5, 0.5, "no data", transform=axes.transAxes, ha="center", va="center", color=FAINT)


def reference_line(value: float | None, unit: str, label: str, draw: Callable[..., object]) -> None:
    """A dashed line by `axvline` or `axhline`, if there is anything to compare with."""
    if value is not None:
        place = float(scaled([value], unit, [0], "reference")[0])
        draw(place, color=FAINT, linestyle="--", linewidth=1.2, zorder=0.9, label=label or None)
