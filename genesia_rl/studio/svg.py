"""A scene as one SVG picture: the board, the seats, the question, and with `cards` all that the browser shows besides.

The outlines and colours are the browser's (palette.py). The picture stands for itself: it names no style sheet and
no font file, and the same scene gives the same bytes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import hypot
from typing import Any

from genesia_rl.core.scene import Area, Card, Piece, Row, Scene, Seat, Shape, Table, Zone
from genesia_rl.studio.palette import colours, forms, seat_forms

WIDTH, MARGIN, GAP = 1100.0, 20.0, 10.0
MOST_BOARD = 820.0  # no board is higher
FONT = "DejaVu Sans, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
LETTER = 0.58  # of its size: how wide a letter is on average
LINE = 1.35  # of its size: how far lines are apart
LETTERS = "ABCDEFGH"
#: Where a letter stands in a form that is not round about the middle, as board.js has it.
MIDDLES = {"triangle": 15.6, "house": 14.8}
EDGES = {"none": 0.0, "thin": 1.0, "dashed": 1.0, "thick": 3.5, "arrow": 1.0}


def svg_of(scene: Scene, theme: str = "light", cards: bool = True, marked: Collection[str] = ()) -> str:
    """The picture of a scene."""
    sheet = _Sheet(scene, colours(theme), frozenset(marked))
    sheet.head()
    sheet.seats()
    sheet.board()
    sheet.question()
    if cards:
        for zone in scene.zones:
            sheet.zone(zone)
        sheet.tables()
    return sheet.text()


# ---------------------------------------------------------------- elements


def element(name: str, content: str = "", **attributes: Any) -> str:
    """An element; `_` in a name is written `-`, what is None is left out."""
    given = {
        key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None
    }
    written = "".join(f' {key}="{escape(_number(value))}"' for key, value in given.items())
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _number(value: Any) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def words(x: float, y: float, text: str, size: float, fill: str, **more: Any) -> str:
    """A line of text that stands with its middle at this height."""
    return element("text", escape(text), x=x, y=y + size * 0.35, font_size=size, fill=fill, **more)


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Lines that fit into so much room."""
    return textwrap.wrap(text, max(6, int(width / (size * LETTER)))) or [""]


def outline(shape: Shape, **attributes: Any) -> str:
    """An area's shape."""
    n = shape.numbers
    if shape.form == "circle":
        return element("circle", cx=n[0], cy=n[1], r=n[2], **attributes)
    if shape.form == "rect":
        corner = n[4] if len(n) > 4 else None
        return element("rect", x=n[0], y=n[1], width=n[2], height=n[3], rx=corner, **attributes)
    if shape.form in ("polygon", "line"):
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in zip(n[::2], n[1::2], strict=True))
        return element("polygon" if shape.form == "polygon" else "polyline", points=points, **attributes)
    return element("path", d=shape.path, **attributes)


def middle(shape: Shape) -> tuple[float, float]:
    """Where the label of an area stands unless it says otherwise."""
    n = shape.numbers
    if shape.form == "circle":
        return n[0], n[1]
    if shape.form == "rect":
        return n[0] + n[2] / 2, n[1] + n[3] / 2
    xs, ys = n[::2] or (0.0,), n[1::2] or (0.0,)
    return sum(xs) / len(xs), sum(ys) / len(ys)


# ---------------------------------------------------------------- the board


@dataclass(frozen=True)
class Brush:
    """What areas and pieces of a scene are drawn with."""

    scene: Scene
    colour: dict[str, str]
    marked: Collection[str] = ()

    def tone(self, name: str) -> str:
        """The colour of a tone; one that is unknown is plain."""
        return self.colour.get(name, self.colour["plain"])

    def area(self, area: Area) -> str:
        """Its shape and its label."""
        x, y = area.at or middle(area.shape)
        turn = f"rotate({_number(area.turn)} {_number(x)} {_number(y)})" if area.turn else None
        label = area.label and words(x, y, area.label, 12 * area.size, self.colour["ink"], text_anchor="middle",
                                     font_weight=600, opacity=0.85, transform=turn)  # fmt: skip
        return self._shape(area) + label

    def _shape(self, area: Area) -> str:
        if area.shape.form == "line":
            dashes = "5 4" if area.edge == "dashed" else None
            head = self._head(area) if area.edge == "arrow" else ""
            return head + outline(area.shape, fill="none", stroke=self.tone(area.tone), stroke_width=6 * area.size,
                                  stroke_linecap="round", stroke_linejoin="round", stroke_dasharray=dashes)  # fmt: skip
        width, stroke = EDGES[area.edge], self.colour["edge"]
        if area.seat >= 0:
            width, stroke = max(width, 2.0), self.colour[f"seat{area.seat}"]
        if area.key in self.marked:
            width, stroke = 4.0, self.colour["mark"]
        dashes = "5 4" if area.edge == "dashed" else None
        return outline(area.shape, fill=self.tone(area.tone), stroke=stroke if width else "none",
                       stroke_width=width or None, stroke_linejoin="round", stroke_dasharray=dashes)  # fmt: skip

    def _head(self, area: Area) -> str:
        """The point of an arrow, at the end of a line."""
        ax, ay, bx, by = area.shape.numbers[-4:]
        wide = 9 * area.size / (hypot(bx - ax, by - ay) or 1)
        x, y = (bx - ax) * wide, (by - ay) * wide
        corners = (bx + x, by + y, bx - y, by + x, bx + y, by - x)
        return outline(Shape("polygon", corners), fill=self.tone(area.tone))

    def piece(self, piece: Piece) -> str:
        """Its form with what is written on it, and its number in a corner if both are told."""
        form = piece.form or (seat_forms()[piece.seat] if piece.seat >= 0 else "disc")
        letter = piece.letter or (str(piece.count) if piece.count > 1 else "")
        parts = [] if form == "text" else [self._form(piece, form)]
        if letter:
            parts.append(self._letter(letter, form, self._ink(piece, form)))
        if piece.letter and piece.count > 1:
            parts.append(
                element("circle", cx=21, cy=21, r=7, fill=self.colour["sheet"], stroke=self.colour["edge"])
            )
            parts.append(
                words(21, 21, str(piece.count), 10, self.colour["ink"], text_anchor="middle", font_weight=700)
            )
        x, y = piece.at
        place = f"translate({_number(x)} {_number(y)}) scale({piece.size:g}) translate(-12 -12)"
        return element("g", "".join(parts), transform=place)

    def _form(self, piece: Piece, form: str) -> str:
        path = dict(self.scene.symbols).get(form) or forms()[form]
        own = piece.seat >= 0
        fill = self.colour[f"seat{piece.seat}"] if own else self.tone(piece.tone)
        stroke = self.colour["mark"] if piece.key in self.marked else self.colour["sheet" if own else "edge"]
        return element("path", d=path, fill=fill, fill_rule="evenodd", stroke=stroke, stroke_width=1.6)

    def _ink(self, piece: Piece, form: str) -> str:
        return self.colour["seat-ink" if piece.seat >= 0 and form != "text" else "ink"]

    def _letter(self, letter: str, form: str, fill: str) -> str:
        return words(12, MIDDLES.get(form, 12.0), letter, 13, fill, text_anchor="middle", font_weight=700)

    def sign(self, seat: int, x: float, y: float, size: float = 20.0) -> str:
        """The sign of a seat, as on the board."""
        own = self.scene.seats[seat].form
        form = own or seat_forms()[seat]
        path = dict(self.scene.symbols).get(form) or forms()[form]
        drawn = element("path", d=path, fill=self.colour[f"seat{seat}"], fill_rule="evenodd")
        drawn += "" if own else self._letter(LETTERS[seat], form, self.colour["seat-ink"])
        return element(
            "g", drawn, transform=f"translate({x - size / 2:g} {y - size / 2:g}) scale({size / 24:g})"
        )


# ---------------------------------------------------------------- the sheet


class _Sheet:
    """A picture that grows downwards."""

    def __init__(self, scene: Scene, colour: dict[str, str], marked: Collection[str]) -> None:
        self.scene, self.colour, self.brush = scene, colour, Brush(scene, colour, marked)
        self.parts: list[str] = []
        self.y = MARGIN

    def text(self) -> str:
        """The whole picture."""
        height = self.y + MARGIN
        ground = element("rect", width=WIDTH, height=height, fill=self.colour["ground"])
        title = element("title", escape(f"{self.scene.title}: {' · '.join(self.scene.chapters)}"))
        return element("svg", title + ground + "".join(self.parts), xmlns="http://www.w3.org/2000/svg", role="img",
                       width=WIDTH, height=height, viewBox=f"0 0 {_number(WIDTH)} {_number(height)}",
                       font_family=FONT)  # fmt: skip

    def line(
        self, text: str, size: float, x: float = MARGIN, faint: bool = False, bold: bool = False
    ) -> None:
        """A line of text where the sheet is."""
        fill = self.colour["faint" if faint else "ink"]
        self.parts.append(words(x, self.y, text, size, fill, font_weight=700 if bold else None))

    def head(self) -> None:
        """The game, how far it is, how things stand."""
        self.y += 8
        told = " · ".join([self.scene.title, *self.scene.chapters])
        self.line(told, 18, bold=True)
        status = words(WIDTH - MARGIN, self.y, self.scene.status, 13, self.colour["faint"], text_anchor="end")
        self.parts.append(status)
        self.y += 24

    def seats(self) -> None:
        """A box for each, in one row."""
        seats = self.scene.seats
        width = (WIDTH - 2 * MARGIN - (len(seats) - 1) * GAP) / len(seats)
        for seat in seats:
            self.parts.append(self._seat(seat, MARGIN + seat.seat * (width + GAP), width))
        self.y += 52 + GAP

    def _seat(self, seat: Seat, x: float, width: float) -> str:
        asked = self.scene.decision is not None and self.scene.decision.seat == seat.seat
        edge = self.colour[f"seat{seat.seat}"] if asked else self.colour["line"]
        told = wrapped(seat.words, width - 24, 11)[0] if seat.words else ""
        return "".join(
            [
                element("rect", x=x, y=self.y, width=width, height=52.0, rx=8, fill=self.colour["sheet"], stroke=edge,
                        stroke_width=3 if asked else 1),
                self.brush.sign(seat.seat, x + 20, self.y + 19),
                words(x + 36, self.y + 19, seat.name, 14, self.colour["ink"]),
                words(x + width - 12, self.y + 19, str(seat.score), 17, self.colour["ink"], text_anchor="end",
                      font_weight=700),
                words(x + 12, self.y + 39, told, 11, self.colour["faint"]) if told else "",
            ]
        )  # fmt: skip

    def board(self) -> None:
        """The areas, and the pieces on them, as large as the sheet allows."""
        width, height = self.scene.size
        scale = min((WIDTH - 2 * MARGIN) / width, MOST_BOARD / height)
        drawn = "".join([*map(self.brush.area, self.scene.areas), *map(self.brush.piece, self.scene.pieces)])
        left = (WIDTH - width * scale) / 2
        self.parts.append(
            element("g", drawn, transform=f"translate({_number(left)} {_number(self.y)}) scale({scale:.4f})")
        )
        self.y += height * scale + GAP

    def question(self) -> None:
        """What is asked, or that nothing is any more."""
        asked = self.scene.decision
        self.y += 12
        if asked is not None:
            self.parts.append(self.brush.sign(asked.seat, MARGIN + 10, self.y))
        told = asked.question if asked else self.scene.outcome
        self.line(told, 15, MARGIN + (28 if asked else 0), bold=True)
        self.y += 14

    def zone(self, zone: Zone) -> None:
        """Its cards in rows; those of a list only by their names."""
        self.y += 16
        if zone.seat >= 0:
            self.parts.append(self.brush.sign(zone.seat, MARGIN + 9, self.y, 18))
        self.line(zone.title, 13, MARGIN + (26 if zone.seat >= 0 else 0), bold=True)
        self.y += 16
        if zone.layout == "row":
            self._grid(zone.cards, 5, self._card_lines)
        else:
            self._grid([replace(card, kind="") for card in zone.cards], 6, lambda card, width: [])

    def _grid(self, cards: Sequence[Card], columns: int, lines: Callable[[Card, float], list[str]]) -> None:
        width = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) / columns
        for begin in range(0, len(cards), columns):
            row = cards[begin : begin + columns]
            heights = [self._height(card, lines(card, width), width) for card in row]
            for place, card in enumerate(row):
                x = MARGIN + place * (width + GAP)
                self.parts.append(self._card(card, x, width, max(heights), lines(card, width)))
            self.y += max(heights) + GAP

    def _card_lines(self, card: Card, width: float) -> list[str]:
        told = [*card.lines, *([card.note] if card.note else [])] if card.state != "hidden" else []
        return [line for text in told for line in wrapped(text, width - 18, 10.5)]

    def _height(self, card: Card, lines: list[str], width: float) -> float:
        head = 18.0 if card.kind or card.figures else 4.0
        return head + 17 * len(wrapped(card.title, width - 18, 13)) + 10.5 * LINE * len(lines) + 10

    def _card(self, card: Card, x: float, width: float, height: float, lines: list[str]) -> str:
        ink = self.colour["ink"]
        edge = self.colour[
            "mark" if card.key in self.brush.marked else "accent" if card.state == "done" else "edge"
        ]
        tone = self.brush.tone("dark" if card.state == "hidden" else card.tone)
        dashes = "5 4" if card.state == "used" else None
        parts = [element("rect", x=x, y=self.y, width=width, height=height, rx=8, fill=tone, stroke=edge,
                         stroke_dasharray=dashes)]  # fmt: skip
        y = self.y + 4
        if card.kind or card.figures:
            figures = "  ".join(f"{name} {value}" for name, value in card.figures)
            room = width - 24 - len(figures) * 9.5 * LETTER
            parts.append(words(x + 9, y + 9, wrapped(card.kind.upper(), room, 9)[0], 9, ink))
            parts.append(words(x + width - 9, y + 9, figures, 9.5, ink, text_anchor="end", font_weight=700))
            y += 18
        for line in wrapped(self._title(card), width - 18, 13):
            parts.append(words(x + 9, y + 9, line, 13, ink, font_weight=700))
            y += 17
        for line in lines:
            parts.append(words(x + 9, y + 8, line, 10.5, ink))
            y += 10.5 * LINE
        return "".join(parts)

    def _title(self, card: Card) -> str:
        owner = f"{LETTERS[card.seat]}: " if card.seat >= 0 else ""
        return owner + (card.title or "face down") + (f" x {card.count}" if card.count > 1 else "")

    def tables(self) -> None:
        """Side by side, two in a row."""
        each = (WIDTH - 2 * MARGIN - 2 * GAP) / 2
        for begin in range(0, len(self.scene.tables), 2):
            row = self.scene.tables[begin : begin + 2]
            self.y += 18
            for place, table in enumerate(row):
                self.parts += self._table(table, MARGIN + place * (each + 2 * GAP), each)
            self.y += 40 + 20 * max(len(table.rows) for table in row)

    def _table(self, table: Table, x: float, width: float) -> Iterator[str]:
        yield words(x, self.y, table.title, 13, self.colour["ink"], font_weight=700)
        names = 130.0
        step = (width - names) / max(1, len(table.columns))
        for place, column in enumerate(table.columns):
            right = x + names + (place + 1) * step
            yield words(right, self.y + 20, column, min(10.0, step / (LETTER * max(1, len(column)))),
                        self.colour["faint"], text_anchor="end")  # fmt: skip
        for number, row in enumerate(table.rows):
            yield from self._row(row, x, self.y + 40 + 20 * number, names, step)

    def _row(self, row: Row, x: float, y: float, names: float, step: float) -> Iterator[str]:
        name = row.label or (self.scene.seats[row.seat].name if row.seat >= 0 else "")
        if row.seat >= 0:
            yield self.brush.sign(row.seat, x + 8, y, 15)
        yield words(x + (22 if row.seat >= 0 else 0), y, name, 12, self.colour["ink"])
        for place, figure in enumerate(row.figures):
            yield words(x + names + (place + 1) * step, y, figure, 12, self.colour["ink"], text_anchor="end")
