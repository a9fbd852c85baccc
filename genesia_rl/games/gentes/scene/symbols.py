"""Outlines of what stands on the boards, each in a box of 24 x 24."""

from __future__ import annotations

from genesia_rl.core.scene import Piece
from genesia_rl.games.gentes.names import TYPES

SYMBOLS = (
    (
        "priest",  # a flame on an altar
        "M12.4 .8c.8 3.6 5.6 5.8 5.6 10.6c0 3.2-2.6 5.4-6 5.4s-6-2.2-6-5.4c0-2.6 1.8-4.2 2.9-6.2"
        "c.9.9 1.5 1.9 1.8 3c1.3-2.1 1.8-4.6 1.7-7.4zM3 18.4h18v4.6h-18z",
    ),
    ("soldier", "M12 .8l9.5 3.2v7.4c0 5.8-4 10-9.5 12c-5.5-2-9.5-6.2-9.5-12v-7.4z"),
    (
        "merchant",  # a sack
        "M8.6 .8h6.8l2.2 2.8l-2.2 3.2c4.2 2.2 7.2 6 7.2 10.2c0 3.9-2.7 6.2-6.2 6.2h-8.8"
        "c-3.5 0-6.2-2.3-6.2-6.2c0-4.2 3-8 7.2-10.2l-2.2-3.2z",
    ),
    (
        "scholar",  # a page with lines
        "M4 .8h16v22.4h-16zM7 5v2h10v-2zM7 9.6v2h10v-2zM7 14.2v2h10v-2zM7 18.8v2h6v-2z",
    ),
    ("artisan", "M1.8 2.4h14.4l6 4.6v4h-7.2v12.2h-5.6v-12.2h-7.6z"),
    ("noble", "M1.2 5l5.8 5.4l5-8.4l5 8.4l5.8-5.4l-2.2 15.6h-17.2z"),
    (
        "column",
        "M3 1.5h18v4.2h-2.6v12.6h2.6v4.2h-18v-4.2h2.6v-12.6h-2.6zM9 7v10.4h1.8v-10.4z"
        "M13.2 7v10.4h1.8v-10.4z",
    ),
    (
        "amphora",
        "M8 .8h8v3h3.2c1.5 0 2.3 1.1 2.3 2.5c0 2.2-1.6 3.8-4.4 4.7c.5.9.7 2 .7 3c0 3.8-2 6-3.6 7.2l1.2 2"
        "h-6.8l1.2-2c-1.6-1.2-3.6-3.4-3.6-7.2c0-1 .2-2.1.7-3c-2.8-.9-4.4-2.5-4.4-4.7c0-1.4.8-2.5 2.3-2.5h3.2z"
        "M8 6.2h-3c0 1.2.9 2 2.6 2.6zM16 6.2l.4 2.6c1.7-.6 2.6-1.4 2.6-2.6z",
    ),
    (
        "anchor",
        "M12 .8a3.6 3.6 0 0 1 1.7 6.8v2.6h4.5v2.8h-4.5v6.4c2.5-.5 4.2-2 4.6-4.1l-1.9.3l3.2-4.9l2.9 5.1l-1.6-.2"
        "c-.7 4.7-4.3 7.7-8.9 7.7s-8.2-3-8.9-7.7l-1.6.2l2.9-5.1l3.2 4.9l-1.9-.3c.4 2.1 2.1 3.6 4.6 4.1v-6.4h-4.5"
        "v-2.8h4.5v-2.6a3.6 3.6 0 0 1 1.7-6.8z",
    ),
    (
        "any",  # three dots: each of the symbols
        "M5 8a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM12 8a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM19 8a4 4 0 1 1 0 8a4 4 0 1 1 0-8z",
    ),
    ("temple", "M12 .8l11 6.4v2h-22v-2zM3 10.6h4v8h-4zM10 10.6h4v8h-4zM17 10.6h4v8h-4zM1 20h22v3.2h-22z"),
    (
        "oracle",  # an eye
        "M12 3.6c5.6 0 9.6 4 11.6 8.4c-2 4.4-6 8.4-11.6 8.4s-9.6-4-11.6-8.4c2-4.4 6-8.4 11.6-8.4z"
        "M12 7.4a4.6 4.6 0 1 0 0 9.2a4.6 4.6 0 1 0 0-9.2zM12 9.8a2.2 2.2 0 1 1 0 4.4a2.2 2.2 0 1 1 0-4.4z",
    ),
    (
        "glass",  # a lone hourglass
        "M4 1h16v3.2h-1.6c0 3.6-1.8 5.8-4.2 7.8c2.4 2 4.2 4.2 4.2 7.8h1.6v3.2h-16v-3.2h1.6c0-3.6 1.8-5.8 4.2-7.8"
        "c-2.4-2-4.2-4.2-4.2-7.8h-1.6z",
    ),
    (
        "glasses",  # two of them on one space
        "M.6 4h10.4v2.4h-1c0 2.4-1.1 4-2.6 5.6c1.5 1.6 2.6 3.2 2.6 5.6h1v2.4h-10.4v-2.4h1c0-2.4 1.1-4 2.6-5.6"
        "c-1.5-1.6-2.6-3.2-2.6-5.6h-1zM13 4h10.4v2.4h-1c0 2.4-1.1 4-2.6 5.6c1.5 1.6 2.6 3.2 2.6 5.6h1v2.4h-10.4"
        "v-2.4h1c0-2.4 1.1-4 2.6-5.6c-1.5-1.6-2.6-3.2-2.6-5.6h-1z",
    ),
    (
        "lock",
        "M6 10.2v-3.2a6 6 0 0 1 12 0v3.2h2.6v13h-17.2v-13zM9.2 10.2h5.6v-3.2a2.8 2.8 0 0 0-5.6 0z",
    ),
)  # fmt: skip

#: The ground on which a type stands: those of a pair are far apart.
TYPE_TONES = dict(zip(TYPES, ("violet", "red", "yellow", "blue", "brown", "green"), strict=True))
REWARD_FORMS = {"coins": "disc", "points": "hexagon", "temple": "temple", "oracle": "oracle"}
REWARD_TONES = {"coins": "gold", "points": "green", "temple": "ink", "oracle": "ink"}


def reward_piece(
    key: str, at: tuple[float, float], what: str, n: int, size: float = 0.8, area: str = ""
) -> Piece:
    """Coins, points or cubes; how many is written on the first two."""
    letter = str(n) if what in ("coins", "points") else ""
    return Piece(key, at, area, form=REWARD_FORMS[what], letter=letter, tone=REWARD_TONES[what], size=size)
