"""A sheet for each seat: its track, its citizens, of which opposite types push each other off, cubes and tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.scene import Area, Piece, Shape
from genesia_rl.games.gentes.names import TYPES
from genesia_rl.games.gentes.scene import board, places
from genesia_rl.games.gentes.scene.board import GAP, MARGIN, WIDTH, Box4, player
from genesia_rl.games.gentes.scene.symbols import REWARD_TONES, TYPE_TONES
from genesia_rl.games.gentes.tables import members

if TYPE_CHECKING:
    from genesia_rl.games.gentes.game import GentesGame

TOP = max(board.BOTTOM, places.BOTTOM) + 14
WIDEST = 520.0
PAD = 10.0
HEAD, TRACK_HEIGHT, ROW_HEIGHT, CUBES_HEIGHT = 38.0, 34.0, 34.0, 34.0
TRACK_TOP = TOP + HEAD
CITIZENS_TOP = TRACK_TOP + TRACK_HEIGHT + 8
CUBES_TOP = CITIZENS_TOP + 3 * ROW_HEIGHT + 4
SHEET_HEIGHT = CUBES_TOP + CUBES_HEIGHT + PAD - TOP
HEIGHT = TOP + SHEET_HEIGHT + MARGIN
ICON = 50.0  # the ends of a row of citizens
CUBES = ("temple", "oracle")


def citizens_key(seat: int, name: str) -> str:
    """The key of a seat's citizens of a type."""
    return f"citizens:{seat}:{name}"


def cubes_key(seat: int, what: str) -> str:
    """The key of a seat's cubes of a kind."""
    return f"cubes:{seat}:{what}"


def areas(game: GentesGame, s: np.void) -> Iterator[Area]:
    """All sheets."""
    for seat in range(game.num_seats):
        left, width = _span(game, seat)
        shape = Shape("rect", (left, TOP, width, SHEET_HEIGHT, 10.0))
        yield Area(f"sheet:{seat}", shape, f"land{seat}", seat=seat, passive=True)
        yield from _track(game, s, seat)
        for row in range(len(game.box.board.pairs)):
            yield from _row(game, s, seat, row)
        for what in CUBES:
            yield _cubes(game, s, seat, what)


def pieces(game: GentesGame, s: np.void) -> Iterator[Piece]:
    """All that lies on them."""
    for seat in range(game.num_seats):
        yield from _head(game, s, seat)
        yield from _time(game, s, seat)
        for row in range(len(game.box.board.pairs)):
            yield from _citizens(game, s, seat, row)
        for what in CUBES:
            yield from _cube_pieces(game, s, seat, what)


def _span(game: GentesGame, seat: int) -> tuple[float, float]:
    """The left edge of a sheet, and its width."""
    n = game.num_seats
    width = min(WIDEST, (WIDTH - 2 * MARGIN - (n - 1) * GAP) / n)
    left = (WIDTH - n * width - (n - 1) * GAP) / 2
    return left + seat * (width + GAP), width


# ---------------------------------------------------------------- head


def _head(game: GentesGame, s: np.void, seat: int) -> Iterator[Piece]:
    """Whose it is, its coins, the tokens that it has not placed, who is first."""
    left, width = _span(game, seat)
    middle, sheet = TOP + HEAD / 2, f"sheet:{seat}"
    coins, left_over = int(s["coins"][seat]), _tokens_left(game, s, seat)
    yield Piece(f"sign:{seat}", (left + 22, middle), sheet, seat, letter="ABCD"[seat])
    yield Piece(f"purse:{seat}", (left + 56, middle), sheet, form="disc", letter=str(coins), tone="gold", size=1.25,
                title=f"{coins} coins")  # fmt: skip
    for k in range(left_over):
        yield Piece(f"spare:{seat}:{k}", (left + 88 + 17 * k, middle), sheet, seat, size=0.6,
                    title=f"{left_over} tokens are left")  # fmt: skip
    if told := _first_words(s, seat):
        yield Piece(f"first:{seat}", (left + width - 52, middle), sheet, form="text", letter=told, size=0.85)


def _tokens_left(game: GentesGame, s: np.void, seat: int) -> int:
    return game.box.board.game["tokens"] - len(members(s["tokens"][seat]))


def _first_words(s: np.void, seat: int) -> str:
    if s["first"] == seat:
        return "first player"
    return "first next" if s["next_first"] == seat + 1 else ""


# ---------------------------------------------------------------- the track


def _space(game: GentesGame, seat: int, place: int) -> Box4:
    left, width = _span(game, seat)
    each = (width - 2 * PAD) / game.box.board.track["spaces"]
    return left + PAD + place * each, TRACK_TOP, each - 2, TRACK_HEIGHT


def _on_track(game: GentesGame, s: np.void, seat: int) -> list[str]:
    """What lies on the spaces: tiles, pairs, lone hourglasses from the left, locks at the right."""
    front = ["tiles"] * int(s["tiles"][seat]) + ["doubles"] * int(s["doubles"][seat])
    front += ["singles"] * int(s["singles"][seat])
    locks = int(s["locks"][seat])
    free = game.box.board.track["spaces"] - len(front) - locks
    return front + [""] * free + ["locks"] * locks


def free_spaces(game: GentesGame, s: np.void, seat: int) -> int:
    """The spaces of a track that are free."""
    return _on_track(game, s, seat).count("")


def _track(game: GentesGame, s: np.void, seat: int) -> Iterator[Area]:
    words = {"tiles": "an action tile", "doubles": "two hourglasses", "singles": "an hourglass", "locks": "locked",
             "": "free"}  # fmt: skip
    for place, what in enumerate(_on_track(game, s, seat)):
        shape = Shape("rect", (*_space(game, seat, place), 5.0))
        tone = "grey" if what == "locks" else "paper"
        yield Area(f"space:{seat}:{place}", shape, tone, title=f"track of {player(seat)}", words=words[what])


def _time(game: GentesGame, s: np.void, seat: int) -> Iterator[Piece]:
    """Hourglasses, tiles and locks on their spaces."""
    looks = {"tiles": ("square", "gold"), "doubles": ("glasses", "ink"), "singles": ("glass", "ink"),
             "locks": ("lock", "ink")}  # fmt: skip
    seen: dict[str, int] = {}
    for place, what in enumerate(_on_track(game, s, seat)):
        if not what:
            continue
        x, y, width, height = _space(game, seat, place)
        form, tone = looks[what]
        number = seen[what] = seen.get(what, -1) + 1
        yield Piece(f"{what}:{seat}:{number}", (x + width / 2, y + height / 2), f"space:{seat}:{place}", form=form,
                    tone=tone, size=0.85)  # fmt: skip


# ---------------------------------------------------------------- citizens


def _cell(game: GentesGame, seat: int, row: int, place: int) -> Box4:
    """A place of a row; -1 and the room are its ends, which stand for the two types."""
    left, width = _span(game, seat)
    room, y = game.box.board.room, CITIZENS_TOP + row * ROW_HEIGHT
    each = (width - 2 * PAD - 2 * ICON) / room
    if place < 0:
        return left + PAD, y, ICON, ROW_HEIGHT - 4
    return left + PAD + ICON + place * each + 2, y, (ICON if place == room else each) - 2, ROW_HEIGHT - 4


def _number(s: np.void, seat: int, name: str) -> int:
    return int(s["citizens"][seat, TYPES.index(name)])


def _row(game: GentesGame, s: np.void, seat: int, row: int) -> Iterator[Area]:
    """A pair of opposite types: their room between its two ends."""
    room = game.box.board.room
    for name, place in zip(game.box.board.pairs[row], (-1, room), strict=True):
        virtual = int(s["virtual"][seat, TYPES.index(name)])
        words = f"{_number(s, seat, name)} citizens" + (
            f", and {virtual} virtual for needs" if virtual else ""
        )
        shape = Shape("rect", (*_cell(game, seat, row, place), 6.0))
        yield Area(
            citizens_key(seat, name), shape, TYPE_TONES[name], title=f"{name}s of {player(seat)}", words=words
        )
    first, second = game.box.board.pairs[row]
    for place in range(room):
        shape = Shape("rect", (*_cell(game, seat, row, place), 4.0))
        tone = TYPE_TONES[first] if place < _number(s, seat, first) else "paper"
        tone = TYPE_TONES[second] if place >= room - _number(s, seat, second) else tone
        yield Area(f"room:{seat}:{row}:{place}", shape, tone, passive=True)


def _citizens(game: GentesGame, s: np.void, seat: int, row: int) -> Iterator[Piece]:
    """The first type comes from the left, the second from the right; its number stands at each end."""
    room = game.box.board.room
    for name, end, step in zip(game.box.board.pairs[row], (-1, room), (1, -1), strict=True):
        number, virtual = _number(s, seat, name), int(s["virtual"][seat, TYPES.index(name)])
        told = f"{number}+{virtual}" if virtual else str(number)
        key = citizens_key(seat, name)
        x, y = _middle(game, seat, row, end)
        yield Piece(f"kind:{seat}:{name}", (x - 13, y), key, form=name, tone="ink", size=0.75)
        yield Piece(f"number:{seat}:{name}", (x + 12, y), key, form="text", letter=told,
                    size=0.75 if virtual else 0.9)  # fmt: skip
        for k in range(number):
            place = end + step * (k + 1)
            yield Piece(f"citizen:{seat}:{name}:{k}", _middle(game, seat, row, place), f"room:{seat}:{row}:{place}",
                        form=name, tone="ink", size=0.8, title=name)  # fmt: skip


def _middle(game: GentesGame, seat: int, row: int, place: int) -> tuple[float, float]:
    x, y, width, height = _cell(game, seat, row, place)
    return x + width / 2, y + height / 2


# ---------------------------------------------------------------- cubes


def _cubes_box(game: GentesGame, seat: int, what: str) -> Box4:
    left, width = _span(game, seat)
    each = (width - 2 * PAD - 6) / len(CUBES)
    return left + PAD + CUBES.index(what) * (each + 6), CUBES_TOP, each, CUBES_HEIGHT


def _cubes(game: GentesGame, s: np.void, seat: int, what: str) -> Area:
    slots = game.box.board.game["cube_slots"]
    shape = Shape("rect", (*_cubes_box(game, seat, what), 6.0))
    return Area(cubes_key(seat, what), shape, "paper", title=f"{what} cubes of {player(seat)}",
                words=f"{s[what][seat]} of at most {slots}")  # fmt: skip


def _cube_pieces(game: GentesGame, s: np.void, seat: int, what: str) -> Iterator[Piece]:
    """A sign for each cube, a ring for each that has room."""
    x, y, width, height = _cubes_box(game, seat, what)
    slots, number = game.box.board.game["cube_slots"], int(s[what][seat])
    for k in range(slots):
        at = (x + width * (k + 0.5) / slots, y + height / 2)
        key = cubes_key(seat, what)
        if k < number:
            yield Piece(f"cube:{seat}:{what}:{k}", at, key, form=what, tone=REWARD_TONES[what], size=0.95)
        else:
            yield Piece(f"no:{seat}:{what}:{k}", at, key, form=what, tone="grey", size=0.7)
