"""A scene as text for a terminal: the board on a raster of characters, in colour, and beside it what stands in lists.

The colours are those of the dark page, as ANSI's 24-bit sequences; without colour the same characters stand alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from genesia_rl.core.scene import Area, Piece, Scene, Shape, Table, Zone
from genesia_rl.studio.palette import colours
from genesia_rl.studio.svg import LETTERS, middle

COLUMNS, TALL = 100, 2.1  # characters in a row; how much higher than wide a character is
SIGNS = "●■▲◆⬢"
FORMS = {"house": "⌂", "ring": "○", "star": "★", "text": ""}
RESET = "\x1b[0m"
THEME = "dark"

Mask = npt.NDArray[np.bool_]
Cell = tuple[str, str, str]  # the character, its colour, that of its ground


def ansi_of(scene: Scene, colour: bool = True, columns: int = COLUMNS) -> str:
    """The whole scene."""
    lines = [" · ".join([scene.title, *scene.chapters, *([scene.status] if scene.status else [])]), ""]
    lines += [*board_lines(scene, colour, columns), ""]
    lines += [_seat_line(scene, seat.seat, colour) for seat in scene.seats]
    for zone in scene.zones:
        lines += ["", *_zone_lines(zone)]
    for table in scene.tables:
        lines += ["", *_table_lines(scene, table)]
    asked = scene.decision
    return "\n".join([*lines, "", asked.question if asked else scene.outcome])


def board_lines(scene: Scene, colour: bool = True, columns: int = COLUMNS) -> list[str]:
    """The board alone."""
    if not scene.areas:
        return []
    canvas = _Canvas(scene.size, columns)
    for area in scene.areas:
        canvas.area(area)
    for piece in scene.pieces:
        canvas.piece(piece)
    return [_written(row, colour) for row in canvas.rows()]


# ---------------------------------------------------------------- the raster


class _Canvas:
    """Characters with two colours each."""

    def __init__(self, size: tuple[float, float], columns: int) -> None:
        self.step = size[0] / columns
        rows = max(1, round(size[1] / (self.step * TALL)))
        self.marks = np.full((rows, columns), " ", object)
        self.inks = np.full((rows, columns), "ink", object)
        self.grounds = np.full((rows, columns), "", object)
        ys, xs = np.mgrid[0:rows, 0:columns]
        self.x, self.y = (xs + 0.5) * self.step, (ys + 0.5) * self.step * TALL

    def area(self, area: Area) -> None:
        """Its tone and its label; lines are left out."""
        if area.shape.form == "line":
            return
        self.grounds[inside(area.shape, self.x, self.y)] = area.tone
        if area.label:
            self.write(area.at or middle(area.shape), area.label, "ink")

    def piece(self, piece: Piece) -> None:
        """The sign of its seat or its form, with its letter or its number."""
        sign = FORMS.get(piece.form, SIGNS[piece.seat] if piece.seat >= 0 else "○")
        told = piece.letter or (str(piece.count) if piece.count > 1 else "")
        self.write(piece.at, sign + told, f"seat{piece.seat}" if piece.seat >= 0 else "ink")

    def write(self, at: tuple[float, float], text: str, ink: str) -> None:
        """A text with its middle here; what leaves the board is cut off."""
        row = int(at[1] / (self.step * TALL))
        begin = round(at[0] / self.step - len(text) / 2)
        for place, mark in enumerate(text, begin):
            if 0 <= row < len(self.marks) and 0 <= place < self.marks.shape[1]:
                self.marks[row, place], self.inks[row, place] = mark, ink

    def rows(self) -> Iterator[list[Cell]]:
        """Row by row."""
        for marks, inks, grounds in zip(self.marks, self.inks, self.grounds, strict=True):
            yield list(zip(marks.tolist(), inks.tolist(), grounds.tolist(), strict=True))


def inside(shape: Shape, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Mask:
    """Which points lie in a shape; none in one that is written as a path."""
    n = shape.numbers
    if shape.form == "circle":
        return np.asarray((x - n[0]) ** 2 + (y - n[1]) ** 2 <= n[2] ** 2)
    if shape.form == "rect":
        return (n[0] <= x) & (x < n[0] + n[2]) & (n[1] <= y) & (y < n[1] + n[3])
    found = np.zeros(x.shape, np.bool_)
    corners = list(zip(n[::2], n[1::2], strict=True)) if shape.form == "polygon" else []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if ay != by:
            found ^= ((ay > y) != (by > y)) & (x < ax + (bx - ax) * (y - ay) / (by - ay))
    return found


def _written(row: Sequence[Cell], colour: bool) -> str:
    """A row as text, a sequence for each change of colour."""
    if not colour:
        return "".join(mark for mark, _, _ in row).rstrip()
    parts = []
    for (ink, ground), cells in groupby(row, lambda cell: cell[1:]):
        shown = f"\x1b[48;2;{_rgb(ground)}m" if ground else "\x1b[49m"
        parts.append(f"{shown}\x1b[1;38;2;{_rgb(ink)}m" + "".join(cell[0] for cell in cells))
    return "".join(parts) + RESET


def _rgb(name: str) -> str:
    found = colours(THEME).get(name, colours(THEME)["plain"])
    return ";".join(str(int(found[place : place + 2], 16)) for place in (1, 3, 5))


# ---------------------------------------------------------------- lists


def _sign(seat: int) -> str:
    return f"{SIGNS[seat % len(SIGNS)]}{LETTERS[seat]}"


def _seat_line(scene: Scene, seat: int, colour: bool) -> str:
    found = scene.seats[seat]
    asked = scene.decision is not None and scene.decision.seat == seat
    line = f"{'>' if asked else ' '} {_sign(seat)} {found.name}: {found.score} points" + (
        f", {found.words}" if found.words else ""
    )
    return f"\x1b[38;2;{_rgb(f'seat{seat}')}m{line}{RESET}" if colour else line


def _zone_lines(zone: Zone) -> Iterator[str]:
    """A title, and a card a line; those of a list on one line."""
    titles = [
        (f"{_sign(card.seat)} " if card.seat >= 0 else "") + (card.title or "face down")
        for card in zone.cards
    ]
    if zone.layout != "row":
        yield f"{zone.title}: {', '.join(titles)}"
        return
    yield zone.title
    for card, title in zip(zone.cards, titles, strict=True):
        figures = ", ".join(f"{name} {value}" for name, value in card.figures)
        yield (
            f"  {title}"
            + (f" ({figures})" if figures else "")
            + (f": {' '.join(card.lines)}" if card.lines else "")
        )


def _table_lines(scene: Scene, table: Table) -> Iterator[str]:
    names = [row.label or (scene.seats[row.seat].name if row.seat >= 0 else "") for row in table.rows]
    widths = [
        max(len(column), *(len(row.figures[place]) for row in table.rows))
        for place, column in enumerate(table.columns)
    ]
    first = max(map(len, [table.title, *names]))
    yield "  ".join(
        [table.title.ljust(first), *(c.rjust(w) for c, w in zip(table.columns, widths, strict=True))]
    )
    for name, row in zip(names, table.rows, strict=True):
        yield "  ".join([name.ljust(first), *(f.rjust(w) for f, w in zip(row.figures, widths, strict=True))])
