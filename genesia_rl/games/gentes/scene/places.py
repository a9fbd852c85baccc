"""Cities, Homes and bonus tiles, on the right of the board; the tokens of the seats stand on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.scene import Area, Piece, Shape
from genesia_rl.games.gentes.actions import HOME_BASE
from genesia_rl.games.gentes.data.board import City, Home
from genesia_rl.games.gentes.data.effects import Effect
from genesia_rl.games.gentes.names import CITIES, CONDITIONS, HOMES, REGIONS, ROWS
from genesia_rl.games.gentes.scene.board import (
    ACTS_WIDTH,
    GAP,
    MARGIN,
    WIDTH,
    Box4,
    act_name,
    is_source,
    player,
)
from genesia_rl.games.gentes.scene.symbols import reward_piece
from genesia_rl.games.gentes.tables import members
from genesia_rl.games.gentes.text.result import bonus_seats, places_of
from genesia_rl.games.gentes.text.words import city_text, counted, effect_words, home_text

if TYPE_CHECKING:
    from genesia_rl.games.gentes.game import GentesGame

# three regions, three rows of Homes, three bonus tiles, one under the other
MAP_LEFT = MARGIN + ACTS_WIDTH + GAP
PANEL_WIDTH = (WIDTH - MARGIN - MAP_LEFT - 2 * GAP) / 3
CITY_WIDTH, CITY_HEIGHT = (PANEL_WIDTH - 18) / 2, 52.0
HOME_WIDTH, HOME_HEIGHT, HOME_HEAD = (PANEL_WIDTH - 24) / 3, 40.0, 36.0
HOMES_TOP = MARGIN + 24 + 3 * (CITY_HEIGHT + 5) + 8
HOMES_HEIGHT = HOME_HEAD + HOME_HEIGHT + 6
BONUS_TOP, BONUS_HEIGHT = HOMES_TOP + HOMES_HEIGHT + 8, 52.0
BOTTOM = BONUS_TOP + BONUS_HEIGHT
CONDITION_WORDS = {"cards": "cards in play", "citizens": "citizens", "cities": "tokens placed"}


def city_key(number: int) -> str:
    """The key of a city."""
    return f"city:{number}"


def home_key(number: int) -> str:
    """The key of a Home."""
    return f"home:{number}"


def region_key(region: str) -> str:
    """The key of a region."""
    return f"region:{region}"


def areas(game: GentesGame, s: np.void) -> Iterator[Area]:
    """All of it, from the back to the front."""
    yield from _map(game)
    for home in _homes(game):
        yield _home(game, s, home)
    yield from (_bonus(game, condition) for condition in CONDITIONS)


def pieces(game: GentesGame, s: np.void) -> Iterator[Piece]:
    """Symbols and rewards of places, tokens, bonus tiles and who has taken them."""
    for city in game.box.board.cities:
        yield from _city_marks(city)
    for home in _homes(game):
        yield from _home_marks(game, home)
    yield from _row_words(game)
    yield from _tokens(game, s)
    yield from _taken_bonus(game, s)


# ---------------------------------------------------------------- cities and Homes


def _panel_x(column: int) -> float:
    return MAP_LEFT + column * (PANEL_WIDTH + GAP)


def _city_box(number: int) -> Box4:
    """Six of a region, two in a row."""
    region, place = divmod(number - 1, CITIES // len(REGIONS))
    row, column = divmod(place, 2)
    x = _panel_x(region) + 6 + column * (CITY_WIDTH + 6)
    return x, MARGIN + 22 + row * (CITY_HEIGHT + 5), CITY_WIDTH, CITY_HEIGHT


def _map(game: GentesGame) -> Iterator[Area]:
    """The regions with their cities, and the rows of Homes."""
    for column, region in enumerate(REGIONS):
        shape = Shape("rect", (_panel_x(column), MARGIN, PANEL_WIDTH, HOMES_TOP - MARGIN - 8, 10.0))
        at = (_panel_x(column) + PANEL_WIDTH / 2, MARGIN + 11)
        yield Area(region_key(region), shape, region, f"{region.capitalize()} region", at, f"the {region} region",
                   "a token on a city of it lets all own cities of it give their rewards")  # fmt: skip
    for city in game.box.board.cities:
        x, y, width, height = _city_box(city.number)
        words = city_text(game.box, city.number).partition("(")[2].replace("): ", "\n")
        yield Area(city_key(city.number), Shape("rect", (x, y, width, height, 6.0)), "paper", city.name,
                   (x + width / 2, y + 11), city.name, words, size=0.95)  # fmt: skip
    for row in range(ROWS):
        shape = Shape("rect", (_panel_x(row), HOMES_TOP, PANEL_WIDTH, HOMES_HEIGHT, 10.0))
        words = "\n".join(map(effect_words, game.box.board.rows[row]))
        yield Area(
            f"homes:{row + 1}", shape, "plain", title=f"Homes, row {row + 1}", words=words, passive=True
        )


def _city_marks(city: City) -> Iterator[Piece]:
    """Its symbol on the left, its reward on the right."""
    x, y, width, _ = _city_box(city.number)
    key = city_key(city.number)
    yield Piece(f"symbol:{key}", (x + 16, y + 35), key, form=city.symbol, tone="ink", size=0.9)
    yield reward_piece(f"reward:{key}", (x + width - 16, y + 35), city.reward, city.n, 0.9, key)


def _homes(game: GentesGame) -> tuple[Home, ...]:
    """Those of this side of the board."""
    board = game.box.board
    return tuple(home for home in board.homes if board.symbols(home, game.num_seats))


def _home_box(home: Home) -> Box4:
    place = (home.number - 1) % (HOMES // ROWS)
    x = _panel_x(home.row - 1) + 6 + place * (HOME_WIDTH + 6)
    return x, HOMES_TOP + HOME_HEAD, HOME_WIDTH, HOME_HEIGHT


def _home(game: GentesGame, s: np.void, home: Home) -> Area:
    """A Home; grey if it was used in this round."""
    place = CITIES + home.number
    used, source = place in members(s["used_homes"]), is_source(s, HOME_BASE + home.number - 1)
    chosen = source or place in members(s["chosen_homes"])
    more = "\nused in this round" if used else "\nchosen for this action" if chosen else ""
    x, y, width, height = _home_box(home)
    symbols = ", ".join(game.box.board.symbols(home, game.num_seats))
    words = f"{symbols}\n" + "\n".join(home_text(game.box, home.number).split("\n")[1:]) + more
    return Area(home_key(home.number), Shape("rect", (x, y, width, height, 6.0)),
                "gold" if chosen else "grey" if used else "paper", title=f"Home {home.number}", words=words,
                edge="thick" if chosen else "dashed" if used else "thin")  # fmt: skip


def _home_marks(game: GentesGame, home: Home) -> Iterator[Piece]:
    """Its symbols on the left, one or two."""
    x, y, _, height = _home_box(home)
    key, symbols = home_key(home.number), game.box.board.symbols(home, game.num_seats)
    size = 0.85 if len(symbols) == 1 else 0.65
    for k, symbol in enumerate(symbols):
        at = (x + 13 + 15 * k, y + height / 2)
        yield Piece(f"symbol:{key}:{symbol}", at, key, form=symbol, tone="ink", size=size)


def _row_words(game: GentesGame) -> Iterator[Piece]:
    """What a row of Homes offers, once a round for each token in it."""
    for row, sides in enumerate(game.box.board.rows):
        for line, effect in enumerate(sides):
            key, x, y = f"offer:{row + 1}:{line}", _panel_x(row), HOMES_TOP + 10 + 16 * line
            yield Piece(key, (x + PANEL_WIDTH * 0.5, y), form="text", letter=_short(effect), size=0.92)
            if effect.do == "action":
                yield from _row_costs(key, effect, x, y)


def _row_costs(key: str, effect: Effect, x: float, y: float) -> Iterator[Piece]:
    at = (x + PANEL_WIDTH * 0.5 + 58, y)
    yield Piece(f"coins:{key}", at, form="disc", letter=str(effect.coins), tone="gold", size=0.65)
    for k in range(effect.hours):
        yield Piece(f"glass:{key}:{k}", (at[0] + 17 + 11 * k, y), form="glass", tone="ink", size=0.55)


def _short(effect: Effect) -> str:
    """One side of a row of Homes in a few words; what an action costs stands beside them."""
    words = {
        "action": "",
        "amount": f": amount to {effect.max}",
        "extra": f": {counted(effect.n, 'citizen')} more",
        "double": ": double coins",
        "discount": f": {counted(effect.n, 'coin')} less",
        "hours": f": {counted(effect.n, 'hourglass')} fewer",
        "gain": f": {effect.n} {effect.what} more",
    }
    return act_name(effect.action) + words[effect.do]


def _tokens(game: GentesGame, s: np.void) -> Iterator[Piece]:
    """The tokens of the seats."""
    cities, homes = places_of(s, game.num_seats)
    for number, seat in cities.items():
        x, y, width, _ = _city_box(int(number))
        yield Piece(f"token:city:{number}", (x + width / 2, y + 34), city_key(int(number)), seat,
                    letter="ABCD"[seat], size=1.1, title=f"token of {player(seat)}")  # fmt: skip
    for number, seat in homes.items():
        x, y, width, height = _home_box(game.box.home(int(number)))
        yield Piece(f"token:home:{number}", (x + width - 18, y + height / 2), home_key(int(number)), seat,
                    letter="ABCD"[seat], size=1.1, title=f"token of {player(seat)}")  # fmt: skip


# ---------------------------------------------------------------- bonus tiles


def _bonus_points(game: GentesGame, place: int) -> list[int]:
    table = game.tables[0]
    return [int(points) for points in table["bonus_points"][place][: table["num_bonus"][place]]]


def _bonus(game: GentesGame, condition: str) -> Area:
    place = CONDITIONS.index(condition)
    least = int(game.tables[0]["bonus_least"][place])
    name = f"{least} {CONDITION_WORDS[condition]}"
    points = ", then ".join(map(str, _bonus_points(game, place)))
    shape = Shape("rect", (_panel_x(place), BONUS_TOP, PANEL_WIDTH, BONUS_HEIGHT, 8.0))
    return Area(f"bonus:{condition}", shape, "brown", name, (_panel_x(place) + PANEL_WIDTH / 2, BONUS_TOP + 12),
                f"bonus for {name}", f"{points} points", size=0.95)  # fmt: skip


def _taken_bonus(game: GentesGame, s: np.void) -> Iterator[Piece]:
    """The points of each tile, and who has taken it."""
    taken = bonus_seats(s)
    for column, condition in enumerate(CONDITIONS):
        for place, points in enumerate(_bonus_points(game, column)):
            at = (_panel_x(column) + 20 + 26 * place, BONUS_TOP + 35)
            yield reward_piece(f"bonus:{condition}:{place}", at, "points", points, 1.0, f"bonus:{condition}")
        for place, seat in enumerate(taken[condition]):
            at = (_panel_x(column) + PANEL_WIDTH - 16 - 22 * place, BONUS_TOP + 35)
            yield Piece(f"met:{condition}:{seat}", at, f"bonus:{condition}", seat, letter="ABCD"[seat], size=0.8,
                        title=f"taken by {player(seat)}")  # fmt: skip
