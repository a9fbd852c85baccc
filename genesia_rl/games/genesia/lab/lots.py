"""The lots of the three Ages in all their combinations, or in a balanced part of them.

With n players each Age uses n of the five colours, so there are as many combinations an Age as choices of n
colours, and that number to the third power for a game. `triples` lists them all, or the first 100, or ten: in
an order in which, wherever one stops, every combination stood in every Age equally often up to one, and so
did every pair of combinations of two Ages. So a few games tell the lots of Ages apart as well as so few can.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from math import comb

from genesia_rl.core.lab import Cell, Stages, Variation
from genesia_rl.games.genesia.names import AGES, COLOURS

STAGES = Stages("Age", ("I", "II", "III"))


@cache
def choices(players: int) -> tuple[tuple[str, ...], ...]:
    """All lots of one Age."""
    return tuple(combinations(COLOURS, players))


@cache
def triples(players: int, wanted: int) -> tuple[Cell, ...]:
    """At most so many games' lots, as places in `choices` for each Age; fewer, if fewer are balanced."""
    number = comb(len(COLOURS), players)
    sizes = (number, number**2, number**AGES)
    return _in_order(number)[: max([size for size in sizes if size <= wanted], default=number)]


@cache
def _in_order(number: int) -> tuple[Cell, ...]:
    """All triples of so many places. Each `number` of them in turn have every place in every Age once, each
    `number**2` every pair of places in any two Ages once."""
    squares = sorted(orthogonal_array(number), key=lambda row: (row[3], row[0]))
    return tuple((a, b, (c + shift) % number) for shift in range(number) for a, b, c, _ in squares)


def orthogonal_array(number: int) -> list[tuple[int, ...]]:
    """Rows of four places of which any two are every pair once: two orthogonal Latin squares.

    For an odd number there is a plain one. For ten it is made of 7 + 3 (R. C. Bose, S. S. Shrikhande and
    E. T. Parker, 1960).
    """
    if number % 2:
        return [(a, b, (a + b) % number, (a + 2 * b) % number) for a, b in product(range(number), repeat=2)]
    few = (number - 1) // 3
    most = number - few
    rows: list[tuple[int, ...]] = [(i,) * 4 for i in range(most)]
    rows += [tuple(most + place for place in row) for row in orthogonal_array(few)]
    for i, k in product(range(most), range(few)):
        a, b, c, x = i, (i + k + 1) % most, (i - k - 1) % most, most + k
        rows += [(a, b, c, x), (b, a, x, c), (c, x, a, b), (x, c, b, a)]
    return rows


def lots_fields(players: int, triple: Cell) -> dict[str, list[list[str]]]:
    """The field of the configuration."""
    return {"lots": [list(choices(players)[place]) for place in triple]}


LOTS = Variation(
    name="lots",
    meaning="the colour lots of the Ages",
    parts=COLOURS,
    choices=choices,
    cells=triples,
    fields=lots_fields,
    fixed_by=("lots", "decks"),
    stages=STAGES,
)
