"""The page of Age of Civilization for the command line: its options, its configuration files, its cards in words.

Nothing here loads a kernel, so that help and cards are printed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.info import GameInfo, Option
from genesia_rl.games.age_of_civilization.config import read_fields
from genesia_rl.games.age_of_civilization.data.box import Box, load_box, read_box
from genesia_rl.games.age_of_civilization.data.reading import FILES
from genesia_rl.games.age_of_civilization.names import (
    CIVILIZATIONS,
    EVENTS,
    MAX_SEATS,
    NUM_ACTS,
    SOLO,
    TECHNOLOGIES,
    TRACKS,
    WONDERS,
)
from genesia_rl.games.age_of_civilization.text.words import (
    action_text,
    civilization_text,
    event_text,
    technology_text,
    wonder_text,
)

#: topic -> how many entries it has, and how one is put into words
ENTRIES: dict[str, tuple[int, Callable[[Box, int], str]]] = {
    "civilization": (CIVILIZATIONS, civilization_text),
    "technology": (TECHNOLOGIES, technology_text),
    "wonder": (WONDERS, wonder_text),
    "action": (NUM_ACTS, action_text),
    "event": (EVENTS, event_text),
}
TOPICS = tuple(ENTRIES)


def _plain(field: str) -> Callable[[Any], dict[str, Any]]:
    """An option that is its field."""
    return lambda value: {field: value}


OPTIONS = (
    Option("--players", int, "N", f"Number of players: 2..{MAX_SEATS}, or {SOLO} for the solo mode.",
           _plain("players")),
    Option("--innovation/--no-innovation", bool, "", "Play with special technology cards.", _plain("innovation")),
    Option("--changing-world/--no-changing-world", bool, "", "Play with event tokens.", _plain("changing_world")),
    Option("--draft/--no-draft", bool, "", "Draft hands of civilizations.", _plain("draft")),
    Option("--track", str, "TRACK", f"The order of the action cards: {' or '.join(TRACKS)}.", _plain("track")),
    Option("--data", str, "FOLDER", "A folder with data of your own; balanced: ours, made fairer.", _plain("data")),
)  # fmt: skip


def full(players: int) -> dict[str, Any]:
    """Every variant that so many players may play."""
    if players == SOLO:
        return {"players": players, "innovation": True}
    return {"players": players, "innovation": True, "changing_world": True, "draft": True}


def numbers(topic: str, folder: str | None = None) -> tuple[int, ...]:
    """The numbers of all entries of a topic."""
    return tuple(range(1, ENTRIES[topic][0] + 1))


def explain(topic: str, number: int, folder: str | None = None) -> str:
    """A card, an action or an event in words."""
    most, words = ENTRIES[topic]
    if not 1 <= number <= most:
        raise ConfigError(f"{topic} {number}: unknown, allowed are 1..{most}")
    return words(load_box(folder), number)


def readers(folder: str) -> Iterator[Callable[[], object]]:
    """What reads the files of a folder, each by itself."""
    yield partial(read_box, folder)


INFO = GameInfo(
    title="Age of Civilization",
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
