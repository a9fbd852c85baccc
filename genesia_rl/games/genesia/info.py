"""Genesia's page for the command line: its options, its configuration files, its cards in words.

Nothing here loads a kernel, so that help and cards are printed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.info import GameInfo, Option
from genesia_rl.games.genesia.config import (
    SOLO_PLAYERS,
    parse_decks,
    parse_extra_objectives,
    parse_lots,
    parse_teams,
    read_fields,
)
from genesia_rl.games.genesia.data.board import board_for
from genesia_rl.games.genesia.data.cards import cards_of, load_data, objectives_of
from genesia_rl.games.genesia.data.reading import BOARD_SIZES, DATA_FILES
from genesia_rl.games.genesia.names import MAX_SEATS, SOLO_LEVELS
from genesia_rl.games.genesia.text.words import card_text, objective_text

TOPICS = ("card", "objective")


def _plain(field: str) -> Callable[[Any], dict[str, Any]]:
    """An option that is its field."""
    return lambda value: {field: value}


def _parsed(field: str, parse: Callable[[str], object]) -> Callable[[str], dict[str, Any]]:
    """An option that is written as text; `none` goes back to the field's default."""
    return lambda text: {field: None if text.strip().lower() == "none" else parse(text)}


def _solo(level: str) -> dict[str, Any]:
    """The solo mode is a number of players and a level."""
    return {"players": SOLO_PLAYERS, "solo_level": level}


OPTIONS = (
    Option("--players", int, "N", f"Number of players: 2..{MAX_SEATS}, or 1 for the solo mode.",
           _plain("players")),
    Option("--solo", str, "LEVEL", f"The solo mode at a level: {', '.join(SOLO_LEVELS)}.", _solo),
    Option("--lots", str, "LOTS", "Colour lots: blue,red for all Ages, or blue,red/green,red/blue,violet.",
           _parsed("lots", parse_lots)),
    Option("--decks", str, "DECKS", "Instead of lots the card numbers of each Age: 1,2,.../31,.../61,...",
           _parsed("decks", parse_decks)),
    Option("--promos/--no-promos", bool, "", "Shuffle in the promo cards.", _plain("promos")),
    Option("--objectives/--no-objectives", bool, "", "Play with secret objectives.", _plain("objectives")),
    Option("--extra-objectives", str, "NUMBERS", "Add black objectives: both, or numbers such as 11.",
           _parsed("extra_objectives", parse_extra_objectives)),
    Option("--objective-pool", str, "POOL", "Objectives of the lots in play or of all colours: lots, all.",
           _plain("objective_pool")),
    Option("--attack-recruiting/--no-attack-recruiting", bool, "", "Allow recruiting in assault turns.",
           _plain("attack_recruiting")),
    Option("--teams", str, "TEAMS", "Teams of seats: 0,1/2,3.", _parsed("teams", parse_teams)),
    Option("--data", str, "FOLDER", "A folder with data of your own; balanced: ours, made fairer.", _plain("data")),
)  # fmt: skip


def full(players: int) -> dict[str, Any]:
    """Every rule that can be switched on besides teams, for so many players."""
    if players == SOLO_PLAYERS:
        return {"players": players}
    return {"players": players, "promos": True, "extra_objectives": True, "attack_recruiting": True}


def numbers(topic: str, folder: str | None = None) -> tuple[int, ...]:
    """The numbers of all cards or objectives."""
    data = load_data(folder)
    return tuple(data.cards if topic == "card" else data.objectives)


def explain(topic: str, number: int, folder: str | None = None) -> str:
    """A card or an objective in words."""
    data = load_data(folder)
    items = data.cards if topic == "card" else data.objectives
    if number not in items:
        raise ConfigError(f"{topic} {number}: unknown, allowed are {min(items)}..{max(items)}")
    return card_text(data.cards[number]) if topic == "card" else objective_text(data.objectives[number])


def readers(folder: str) -> Iterator[Callable[[], object]]:
    """What reads the files of a folder, each by itself."""
    yield partial(cards_of, folder)
    yield partial(objectives_of, folder)
    yield from (partial(board_for, folder, n) for n in BOARD_SIZES)


INFO = GameInfo(
    title="Genesia",
    players=(2, MAX_SEATS),
    options=OPTIONS,
    read_config=read_fields,
    full=full,
    topics=TOPICS,
    numbers=numbers,
    explain=explain,
    solo={"solo_level": SOLO_LEVELS[0]},
    order="in the turn order of Age I",
    trace_version=2,
    data=DATA_FILES,
    readers=readers,
)
