"""The page of Gentes for the command line: its options, its configuration files, its cards in words.

Nothing here loads a kernel, so that help and cards are printed at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.info import GameInfo, Option
from genesia_rl.games.gentes.config import read_fields
from genesia_rl.games.gentes.data.box import Box, load_box, readers
from genesia_rl.games.gentes.data.reading import FILES
from genesia_rl.games.gentes.names import CARDS, CITIES, HOMES, MAX_SEATS, NUM_CONDITIONS, SOLO, TILES
from genesia_rl.games.gentes.text.words import bonus_text, card_text, city_text, home_text, tile_text

#: topic -> how many entries it has, and how one is put into words
ENTRIES: dict[str, tuple[int, Callable[[Box, int], str]]] = {
    "card": (CARDS, card_text),
    "tile": (TILES, tile_text),
    "city": (CITIES, city_text),
    "home": (HOMES, home_text),
    "bonus": (NUM_CONDITIONS, bonus_text),
}
TOPICS = tuple(ENTRIES)


def _plain(field: str) -> Callable[[Any], dict[str, Any]]:
    """An option that is its field."""
    return lambda value: {field: value}


OPTIONS = (
    Option("--players", int, "N", f"Number of players: 2..{MAX_SEATS}, or {SOLO} for the solo game.",
           _plain("players")),
    Option("--first-game/--no-first-game", bool, "", "Begin with given hands and citizens.", _plain("first_game")),
    Option("--advanced/--no-advanced", bool, "", "Lock the first Tax Collector.", _plain("advanced")),
    Option("--data", str, "FOLDER", "A folder with data files of your own.", _plain("data")),
)  # fmt: skip


def full(players: int) -> dict[str, Any]:
    """Every variant that so many players may play."""
    return {"players": players, "advanced": True}


def numbers(topic: str, folder: str | None = None) -> tuple[int, ...]:
    """The numbers of all entries of a topic."""
    return tuple(range(1, ENTRIES[topic][0] + 1))


def explain(topic: str, number: int, folder: str | None = None) -> str:
    """A card, a tile or a place in words."""
    most, words = ENTRIES[topic]
    if not 1 <= number <= most:
        raise ConfigError(f"{topic} {number}: unknown, allowed are 1..{most}")
    return words(load_box(folder), number)


INFO = GameInfo(
    title="Gentes",
    players=(2, MAX_SEATS),
    options=OPTIONS,
    read_config=read_fields,
    full=full,
    topics=TOPICS,
    numbers=numbers,
    explain=explain,
    solo={},
    data=FILES,
    readers=readers,
)
