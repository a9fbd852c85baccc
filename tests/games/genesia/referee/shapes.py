"""The shapes of what a file of traces or positions holds: whole numbers, and lists of them in lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def whole(value: Any, depth: int) -> bool:
    """Is it a whole number, or, that deep, a list of lists of them?"""
    if depth == 0:
        return type(value) is int
    return isinstance(value, list | tuple) and all(whole(x, depth - 1) for x in value)


def by_region(value: Any) -> bool:
    """Is it an object from regions, written as text, to lists of whole numbers?"""
    return isinstance(value, Mapping) and all(
        isinstance(region, str) and region.isdecimal() and str(int(region)) == region and whole(x, 1)
        for region, x in value.items()
    )


def shape_problems(table: Mapping[str, Any], depths: Mapping[str, int]) -> list[str]:
    """Of those fields that the table has and that are to be lists in lists."""
    return [
        f"{field} = {table[field]!r}: allowed whole numbers in lists, {depth} deep"
        for field, depth in depths.items()
        if field in table and not whole(table[field], depth)
    ]
