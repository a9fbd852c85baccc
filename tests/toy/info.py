"""Pig in words."""

from functools import partial
from typing import Any

from genesia_rl.core.info import GameInfo, Option
from genesia_rl.core.reading import read_fields
from toy.config import DATA, LIMITS, read_later


def _option(name: str) -> Option:
    def fields(value: Any) -> dict[str, Any]:
        return {name: value}

    return Option(f"--{name}", int, "N", "{}..{}.".format(*LIMITS[name]), fields)


INFO = GameInfo(
    title="Pig",
    players=LIMITS["players"],
    options=(
        *map(_option, LIMITS),
        Option("--data", str, "FOLDER", "Data of your own.", lambda text: {"data": text}),
    ),
    read_config=partial(read_fields, known=(*LIMITS, "data"), files=DATA),
    full=lambda players: {"players": players},
    data=DATA,
    readers=lambda folder: [partial(read_later, folder)],
)
