"""Everything that the three data files say, loaded together and checked against one another (RULES 12)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from genesia_rl.core.reading import read_table
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


@cache
def load_box(folder: str | None = None) -> Box:
    """The data files of a folder; ours where it has none, or all of ours without a folder."""
    paths = {name: FILES.path(folder, name) for name in FILES.names}
    board, tiles, cards = (read_table(paths[name]) for name in (BOARD_FILE, TILES_FILE, CARDS_FILE))
    pairs, room = read_citizens(str(paths[BOARD_FILE]), board)
    found = read_cards(str(paths[CARDS_FILE]), cards, pairs, room)
    first = [card.name for card in found if card.era == 1]
    return Box(
        cards=found,
        tiles=read_tiles(str(paths[TILES_FILE]), tiles),
        board=read_board(str(paths[BOARD_FILE]), board, first),
    )
