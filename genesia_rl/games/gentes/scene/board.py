"""Action tiles and recruiting tiles, on the left of the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.scene import Area, Piece, Shape
from genesia_rl.games.gentes.actions import TAX_BASE, TILE_BASE
from genesia_rl.games.gentes.data.board import Tax
from genesia_rl.games.gentes.data.cards import Tile
from genesia_rl.games.gentes.names import (
    ACTS,
    TYPES,
)
from genesia_rl.games.gentes.scene.symbols import TYPE_TONES
from genesia_rl.games.gentes.tables import members
from genesia_rl.games.gentes.text.words import counted, tile_text

if TYPE_CHECKING:
    from genesia_rl.games.gentes.game import GentesGame

Box4 = tuple[float, float, float, float]

MARGIN, GAP = 14.0, 10.0
WIDTH = 1360.0
# on the left: a row for each action, recruiting under them
ACTS_WIDTH, ACT_HEIGHT, NAME_WIDTH = 664.0, 52.0, 104.0
TILE_WIDTH, TILE_HEIGHT, TILE_STEP = 62.0, 44.0, 69.0
NUM_ROWS = len(ACTS) - 1  # tax stands beside the leader, who has one tile
RECRUIT_TOP = MARGIN + NUM_ROWS * ACT_HEIGHT + 14
SLOT_WIDTH, SLOT_HEIGHT, PRICE_HEIGHT = 89.0, 44.0, 27.0
BOTTOM = RECRUIT_TOP + SLOT_HEIGHT + 2 * PRICE_HEIGHT + 8


def player(seat: int) -> str:
    """A seat, for people."""
    return f"Player {'ABCD'[seat]}"


def tile_key(number: int) -> str:
    """The key of an action tile."""
    return f"tile:{number}"


def tax_key(number: int) -> str:
    """The key of a Tax Collector."""
    return f"tax:{number}"


def act_key(act: str) -> str:
    """The key of an action, which stands before its tiles."""
    return f"act:{act}"


def type_key(name: str) -> str:
    """The key of a recruiting tile."""
    return f"type:{name}"


def prices_key(count: int) -> str:
    """The key of the prices for one, or for two."""
    return f"prices:{count}"


def areas(game: GentesGame, s: np.void) -> Iterator[Area]:
    """All of it, from the back to the front."""
    for act in _acts(game):
        yield _act(game, s, act)
    for tile in _tiles(game):
        yield _tile(game, s, tile)
    for tax in game.box.board.taxes:
        yield _tax(game, s, tax)
    yield from _recruiting(game, s)


def pieces(game: GentesGame, s: np.void) -> Iterator[Piece]:
    """What tiles cost, recruiting tiles and their prices."""
    for tile in _tiles(game):
        yield from _tile_marks(game, tile)
    for tax in game.box.board.taxes:
        yield from _tax_marks(game, tax)
    yield from _types(game, s)
    yield from _prices(game)


# ---------------------------------------------------------------- actions


def _tiles(game: GentesGame) -> tuple[Tile, ...]:
    """Those in the game."""
    return tuple(tile for tile in game.box.tiles if tile.is_in(game.num_seats))


def _acts(game: GentesGame) -> tuple[str, ...]:
    """Those that have tiles, and tax: a solo game has no leader."""
    with_tiles = {tile.action for tile in _tiles(game)}
    return tuple(act for act in ACTS if act in with_tiles or act == "tax")


def act_of(s: np.void) -> str:
    """The action that is under way, if one is."""
    return ACTS[s["act"] - 1] if s["act"] else ""


def act_name(act: str) -> str:
    """An action, for people."""
    return "Tax Collector" if act == "tax" else act.capitalize()


def _row_box(game: GentesGame, act: str) -> Box4:
    """The row of an action: that of tax is the right part of the leader's, if there is one."""
    row = min(ACTS.index(act), NUM_ROWS - 1)
    top, half = MARGIN + row * ACT_HEIGHT, NAME_WIDTH + 2 * TILE_STEP
    if act == "tax" and "leader" in _acts(game):
        return MARGIN + half, top, ACTS_WIDTH - half, ACT_HEIGHT - 4
    return MARGIN, top, half - 6 if act == "leader" else ACTS_WIDTH, ACT_HEIGHT - 4


def _act(game: GentesGame, s: np.void, act: str) -> Area:
    """An action's row, marked while this action is under way."""
    x, y, width, height = _row_box(game, act)
    under_way = act_of(s) == act
    name = act_name(act)
    return Area(act_key(act), Shape("rect", (x, y, width, height, 8.0)), "gold" if under_way else "sand", name,
                (x + NAME_WIDTH / 2, y + height / 2), name, _act_words(game, act), size=1.1)  # fmt: skip


def _act_words(game: GentesGame, act: str) -> str:
    words = {
        "philosopher": "recruit citizens: one, or two by dearer prices",
        "scribe": "take cards of the display or of the discard pile",
        "navigator": "place a token on a city or a Home with the symbol",
        "chronicler": "play a card of the hand",
        "leader": f"{counted(game.box.board.game['leader_coins'], 'coin')}, and first player from the Decline on",
        "tax": "coins for hourglasses, as often as there is room",
    }
    return words[act]


def _tile_box(game: GentesGame, tile: Tile) -> Box4:
    x, y, *_ = _row_box(game, tile.action)
    place = [other for other in _tiles(game) if other.action == tile.action].index(tile)
    return x + NAME_WIDTH + place * TILE_STEP, y + 2, TILE_WIDTH, TILE_HEIGHT


def is_source(s: np.void, action: int) -> bool:
    """Is the action that is under way this source's?"""
    return int(s["source"]) == action + 1


def _tile(game: GentesGame, s: np.void, tile: Tile) -> Area:
    """A tile; one that lies on a track leaves its place grey."""
    source, taken = is_source(s, TILE_BASE + tile.number - 1), tile.number in members(s["taken"])
    state = "its action is under way" if source else "it lies on a track" if taken else "it can be taken"
    return Area(
        tile_key(tile.number),
        Shape("rect", (*_tile_box(game, tile), 6.0)),
        "gold" if source else "grey" if taken else "paper",
        title=f"{tile.action.capitalize()}, tile {tile.number}",
        words=f"{tile_text(game.box, tile.number).partition(': ')[2].partition(';')[0]}\n{state}",
        edge="thick" if source else "dashed" if taken else "thin",
    )


def _costs(
    key: str, box: Box4, coins: int, hours: int, symbol: str = "", gain: bool = False
) -> Iterator[Piece]:
    """Coins on the left, hourglasses on the right, a symbol in the middle."""
    x, y, width, height = box
    middle = y + height / 2
    coin = f"+{coins}" if gain else str(coins)
    yield Piece(f"coins:{key}", (x + 14, middle - 8 * bool(symbol)), key, form="disc", letter=coin, tone="gold",
                size=0.8 if symbol else 1.0)  # fmt: skip
    if symbol:
        yield Piece(f"symbol:{key}", (x + 14, middle + 11), key, form=symbol, tone="ink", size=0.75)
    for k in range(hours):
        at = (x + width - 10 - 12 * (hours - 1 - k), middle)
        yield Piece(f"glass:{key}:{k}", at, key, form="glass", tone="ink", size=0.68)


def _tile_marks(game: GentesGame, tile: Tile) -> Iterator[Piece]:
    """What it costs; the leader's tile costs nothing and brings coins."""
    key, box = tile_key(tile.number), _tile_box(game, tile)
    if tile.action == "leader":
        return _costs(key, box, game.box.board.game["leader_coins"], tile.hours, gain=True)
    return _costs(key, box, tile.coins, tile.hours, tile.symbol)


def _tax_box(game: GentesGame, number: int) -> Box4:
    x, y, *_ = _row_box(game, "tax")
    return x + NAME_WIDTH + (number - 1) * TILE_STEP, y + 2, TILE_WIDTH, TILE_HEIGHT


def _is_locked(game: GentesGame, tax: Tax) -> bool:
    return tax.number not in members(game.tables[0]["taxes"])


def _tax(game: GentesGame, s: np.void, tax: Tax) -> Area:
    """RULES 2: an advanced game locks the first."""
    locked, source = _is_locked(game, tax), is_source(s, TAX_BASE + tax.number - 1)
    words = f"{counted(tax.coins, 'coin')} for {counted(tax.hours, 'hourglass')}" + (
        "\nlocked for the whole game" if locked else ""
    )
    return Area(tax_key(tax.number), Shape("rect", (*_tax_box(game, tax.number), 6.0)),
                "gold" if source else "grey" if locked else "paper", title=f"Tax Collector {tax.number}",
                words=words, edge="thick" if source else "thin")  # fmt: skip


def _tax_marks(game: GentesGame, tax: Tax) -> Iterator[Piece]:
    box = _tax_box(game, tax.number)
    yield from _costs(tax_key(tax.number), box, tax.coins, tax.hours, gain=True)
    if _is_locked(game, tax):
        at = (box[0] + box[2] / 2, box[1] + box[3] / 2)
        yield Piece(f"closed:{tax.number}", at, tax_key(tax.number), form="lock", tone="ink", title="locked")


# ---------------------------------------------------------------- recruiting


def _slot_x(slot: int) -> float:
    return MARGIN + NAME_WIDTH + slot * (SLOT_WIDTH + 4)


def _recruiting(game: GentesGame, s: np.void) -> Iterator[Area]:
    """The tile of each type in its slot, under them the prices for one citizen and for two."""
    for kind, name in enumerate(TYPES):
        slot = s["recruit"].tolist().index(kind)
        shape = Shape("rect", (_slot_x(slot), RECRUIT_TOP, SLOT_WIDTH, SLOT_HEIGHT, 8.0))
        words = f"recruiting slot {slot + 1}" + (
            "\nrecruited in this action" if s["recruited"] >> kind & 1 else ""
        )
        at = (_slot_x(slot) + 60, RECRUIT_TOP + SLOT_HEIGHT / 2)
        yield Area(type_key(name), shape, TYPE_TONES[name], name, at, name.capitalize(), words, size=0.85)
    for count, label, title in ((1, "one costs", "one citizen"), (2, "two cost", "two citizens")):
        y = RECRUIT_TOP + SLOT_HEIGHT + 4 + (count - 1) * (PRICE_HEIGHT + 2)
        shape = Shape("rect", (MARGIN, y, ACTS_WIDTH, PRICE_HEIGHT, 6.0))
        tone = "gold" if s["row"] == count else "paper"
        yield Area(prices_key(count), shape, tone, label, (MARGIN + NAME_WIDTH / 2, y + PRICE_HEIGHT / 2),
                   f"the prices of {title}")  # fmt: skip


def _types(game: GentesGame, s: np.void) -> Iterator[Piece]:
    """The signs of the recruiting tiles; in the solo game one has a mark."""
    for slot, kind in enumerate(s["recruit"].tolist()):
        name, x = TYPES[kind], _slot_x(slot)
        at = (x + 18, RECRUIT_TOP + SLOT_HEIGHT / 2)
        yield Piece(f"sign:{name}", at, type_key(name), form=name, tone="ink", size=1.1)
        if s["marked_type"] == kind + 1:
            at = (x + SLOT_WIDTH - 9, RECRUIT_TOP + 9)
            yield Piece("marked:type", at, type_key(name), form="star", tone="alarm", size=0.6,
                        title=f"{name} is marked", words="its tile goes to the right end in the Decline")  # fmt: skip


def _prices(game: GentesGame) -> Iterator[Piece]:
    for count, key in ((1, "one"), (2, "two")):
        y = RECRUIT_TOP + SLOT_HEIGHT + 4 + (count - 1) * (PRICE_HEIGHT + 2) + PRICE_HEIGHT / 2
        for slot, price in enumerate(game.box.board.recruiting[key]):
            yield Piece(f"price:{count}:{slot}", (_slot_x(slot) + SLOT_WIDTH / 2, y), prices_key(count), form="disc",
                        letter=str(price), tone="gold", size=0.95)  # fmt: skip
