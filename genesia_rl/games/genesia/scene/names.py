"""What players, regions and cards are called in pictures and logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genesia_rl.games.genesia.data.board import COLUMNS
from genesia_rl.games.genesia.names import CONTINENT_SIZE
from genesia_rl.games.genesia.text.words import AGE_WORDS

if TYPE_CHECKING:
    from genesia_rl.games.genesia.game import GenesiaGame

LETTERS = "ABCDE"
COLUMN_LETTERS = "abc"


def player(game: GenesiaGame, seat: int) -> str:
    """A seat, for people."""
    return f"{'Tribe' if game.config.is_solo else 'Player'} {LETTERS[seat]}"


def region_word(game: GenesiaGame, region: int) -> str:
    """A region in short: `A3b` is on the continent of A, in its third ring, in the second column."""
    n = game.config.continents
    seat, local = divmod(region, CONTINENT_SIZE)
    if seat < n:
        ring, column = divmod(local - 1, COLUMNS)
        return (
            f"{LETTERS[seat]}{ring + 1}{COLUMN_LETTERS[column]}" if local else f"{LETTERS[seat]}'s homeland"
        )
    if region < 18 * n:
        return f"island 7.{region - 16 * n + 1}"
    return f"island 12.{region - 18 * n + 1}" if region < 19 * n else "the centre"


def card_name(game: GenesiaGame, card: int) -> str:
    """A card's name."""
    found = game.data.cards.get(card)
    return found.name if found else f"card {card}"


def age_name(age: int) -> str:
    """`Age II`."""
    return f"Age {AGE_WORDS[age]}"
