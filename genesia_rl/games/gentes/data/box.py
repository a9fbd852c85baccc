"""Everything that the three data files say, loaded together and checked against one another (RULES 12)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from genesia_rl.core.reading import read_text
from genesia_rl.games.gentes.data.board import Board, City, Home, read_board, read_citizens
from genesia_rl.games.gentes.data.cards import Card, Tile, read_cards, read_tiles
from genesia_rl.games.gentes.data.reading import BOARD_FILE, CARDS_FILE, FILES, TILES_FILE


@dataclass(frozen=True)
class Box:
    """RULES 12: what is in the box."""

    cards: tuple[Card, ...]
    tiles: tuple[Tile, ...]
    board: Board

    def card(self, number: int) -> Card:
        """A card by its number."""
        return self.cards[number - 1]

    def tile(self, number: int) -> Tile:
        """An action tile by its number."""
        return self.tiles[number - 1]

    def city(self, number: int) -> City:
        """A city by its number."""
        return self.board.cities[number - 1]

    def home(self, number: int) -> Home:
        """A Home by its number."""
        return self.board.homes[number - 1]

    def named(self, name: str) -> Card:
        """A card by its name."""
        return next(card for card in self.cards if card.name == name)

    def era(self, era: int) -> list[int]:
        """The numbers of the cards of an era."""
        return [card.number for card in self.cards if card.era == era]


def read_box(folder: str | None = None) -> Box:
    """The three data files, those of a folder of one's own laid over ours."""
    paths = {name: str(FILES.path(folder, name)) for name in FILES.names}
    board, tiles, cards = (FILES.table(folder, name) for name in (BOARD_FILE, TILES_FILE, CARDS_FILE))
    pairs, room = read_citizens(paths[BOARD_FILE], board)
    found = read_cards(paths[CARDS_FILE], cards, pairs, room)
    first = [card.name for card in found if card.era == 1]
    return Box(
        cards=found,
        tiles=read_tiles(paths[TILES_FILE], tiles),
        board=read_board(paths[BOARD_FILE], board, first),
    )


def readers(folder: str) -> Iterator[Callable[[], object]]:
    """What reads the files of a folder, each by itself; then whether they fit together."""
    where = {name: str(FILES.path(folder, name)) for name in FILES.names}

    def table(name: str) -> Any:
        return FILES.table(folder, name)

    def first_names() -> list[str]:
        cards = table(CARDS_FILE)["card"]
        return [str(card.get("name")) for card in cards if isinstance(card, dict) and card.get("era") == 1]

    ours = read_box().board
    yield lambda: read_tiles(where[TILES_FILE], table(TILES_FILE))
    yield lambda: read_cards(where[CARDS_FILE], table(CARDS_FILE), ours.pairs, ours.room)
    yield lambda: read_board(where[BOARD_FILE], table(BOARD_FILE), first_names())
    yield lambda: read_box(folder)


@lru_cache(maxsize=16)
def _read(folder: str | None, texts: tuple[str, ...]) -> Box:
    """Remembered by whole texts, so a file that was edited meanwhile is read anew."""
    return read_box(folder)


def load_box(folder: str | None = None) -> Box:
    """What the three data files say; the same object while none of them changes."""
    return _read(folder, tuple(read_text(FILES.path(folder, name)) for name in FILES.names))
