"""The lots of the three Ages in all their combinations, or in a balanced part of them.

With n players each Age uses n of the five colours, so there are as many combinations an Age as choices of n
colours, and that number to the third power for a game. `triples` lists them all, or about 100, or ten of
them in which every combination stands in every Age equally often (and, in the middle size, every pair with
those of the next Age).
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from math import comb

from genesia_rl.games.genesia.names import AGES, COLOURS

Combination = tuple[str, ...]


@cache
def choices(players: int) -> tuple[Combination, ...]:
    """All lots of one Age."""
    return tuple(combinations(COLOURS, players))


@cache
def triples(players: int, wanted: int) -> tuple[tuple[int, ...], ...]:
    """At most so many games' lots, as places in `choices` for each Age; fewer, if fewer are balanced."""
    number = comb(len(COLOURS), players)
    each = range(number)
    if wanted >= number**AGES:
        return tuple(product(each, repeat=AGES))
    if wanted >= number**2:
        return tuple((a, b, (a + b) % number) for a, b in product(each, each))
    return tuple((a, (3 * a + 1) % number, (7 * a + 2) % number) for a in each)


def lots_fields(players: int, triple: tuple[int, ...]) -> dict[str, list[list[str]]]:
    """The field of the configuration."""
    return {"lots": [list(choices(players)[place]) for place in triple]}


def name_of(combination: Combination) -> str:
    """A combination as reports write it."""
    return "+".join(combination)
