"""The track with the spaces of its actions, the permanent card under the open ones, every seat's technologies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.scene import Area, Piece, Shape
from genesia_rl.games.age_of_civilization.data.board import Action, ActionCard
from genesia_rl.games.age_of_civilization.names import (
    ACTIONS,
    CARDS,
    COLUMNS,
    FIRST_EVENT,
    G_TECHNOLOGY,
    OPEN_CARDS,
    PERMANENT,
    ROWS,
)
from genesia_rl.games.age_of_civilization.recount import Recount
from genesia_rl.games.age_of_civilization.tables import members
from genesia_rl.games.age_of_civilization.text.words import effect_words, event_words

if TYPE_CHECKING:
    from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame

MARGIN, GAP = 18.0, 8.0
CARD_WIDTH, CARD_HEIGHT = 122.0, 112.0
TRACK_TOP = MARGIN
PERMANENT_TOP = TRACK_TOP + CARD_HEIGHT + 10
PERMANENT_HEIGHT = 84.0
WIDTH = 2 * MARGIN + CARDS * (CARD_WIDTH + GAP) - GAP
SHEET_TOP = PERMANENT_TOP + PERMANENT_HEIGHT + 24
CELL_HEIGHT, CELL_GAP, HEAD = 40.0, 14.0, 34.0
SHEET_HEIGHT = HEAD + ROWS * (CELL_HEIGHT + CELL_GAP)
HEIGHT = SHEET_TOP + SHEET_HEIGHT + MARGIN
WIDEST_SHEET = 420.0
#: Small drawings in a box of 24 x 24.
SYMBOLS = (
    (
        "swords",
        "M2 1l4 .6L13 10l3.6-4.3l1.9-4.1L22.6 1l-.6 4.1l-8 7l2.4 2.6l2.1-2l1.7 1.7l-2.4 2.4l3.4 3.9l-2 2l-3.9-3.4"
        "l-2.4 2.4l-1.7-1.7l2-2.1L12 14.6l-1.2 1.3l2 2.1l-1.7 1.7l-2.4-2.4l-3.9 3.4l-2-2l3.4-3.9l-2.4-2.4l1.7-1.7"
        "l2.1 2L9.9 12L1.8 5.1z",
    ),
)


def size() -> tuple[float, float]:
    """Of the board."""
    return WIDTH, HEIGHT


def areas(game: AgeOfCivilizationGame, s: np.void) -> Iterator[Area]:
    """All of it, from the back to the front."""
    yield Area(
        "table", Shape("rect", (2.0, 2.0, WIDTH - 4, HEIGHT - 4, 14.0)), "brown", edge="none", passive=True
    )
    for place in range(CARDS):
        yield from _track_card(game, s, place)
    yield from _permanent(game, s)
    for seat in range(game.num_seats):
        yield from _sheet(game, s, seat)


def pieces(game: AgeOfCivilizationGame, s: np.void) -> Iterator[Piece]:
    """Spaces and the workers on them, prices, wars, events, signs of what is gained."""
    for place in range(CARDS):
        yield from _marks(game, s, place)
    for name, (x, y, width, height) in action_boxes(game, s):
        yield from _spaces(game, s, name, (x, y, width, height))
    for seat in range(game.num_seats):
        yield from _signs(game, s, seat)


# ---------------------------------------------------------------- the track


def action_key(name: str) -> str:
    """The key of an action."""
    return f"act:{name}"


def _card(game: AgeOfCivilizationGame, s: np.void, place: int) -> ActionCard:
    return game.box.board.cards[int(s["track"][place])]


def _card_box(place: int) -> tuple[float, float, float, float]:
    return MARGIN + place * (CARD_WIDTH + GAP), TRACK_TOP, CARD_WIDTH, CARD_HEIGHT


def _is_open(s: np.void, place: int) -> bool:
    begin = int(s["round"]) - 1
    return begin <= place < begin + OPEN_CARDS


def _track_card(game: AgeOfCivilizationGame, s: np.void, place: int) -> Iterator[Area]:
    """A card; its action lies on it as a thing of its own."""
    card, (x, y, width, height) = _card(game, s, place), _card_box(place)
    shown = Shape("rect", (x, y, width, height, 8.0))
    if card.action is None:
        words = "\n".join(["every seat sacrifices a worker when it opens", *_event_lines(game, s, place)])
        yield Area(
            f"card:{place}",
            shown,
            "violet",
            card.name.capitalize(),
            (x + width / 2, y + 22),
            card.name,
            words,
        )
    else:
        yield _action(game, s, card.action, (x, y, width, height), _event_lines(game, s, place))


def _event_lines(game: AgeOfCivilizationGame, s: np.void, place: int) -> list[str]:
    """War and event, when the card opens."""
    lines = ["war when it opens"] if _card(game, s, place).war else []
    number = int(s["events"][place - FIRST_EVENT]) if place >= FIRST_EVENT else 0
    if number:
        event = game.box.board.events[number - 1]
        lines.append(f"event when it opens: {event.name}; " + "; ".join(map(event_words, event.effects)))
    return lines


def _action(
    game: AgeOfCivilizationGame,
    s: np.void,
    name: str,
    box: tuple[float, float, float, float],
    more: list[str],
) -> Area:
    x, y, width, height = box
    action = game.box.board.actions[ACTIONS.index(name)]
    shown = Shape("rect", (x, y, width, height, 8.0))
    now_open = name in PERMANENT or any(
        _card(game, s, place).action == name and _is_open(s, place) for place in range(CARDS)
    )
    words = "\n".join([*_costs(action), *map(effect_words, action.effects), *more])
    tone = ("red" if action.red else "sand") if now_open else "grey"
    return Area(action_key(name), shown, tone, name.capitalize(), (x + width / 2, y + 20), name, words,
                size=1.2, edge="thick" if now_open else "thin")  # fmt: skip


def _costs(action: Action) -> list[str]:
    workers = "1 worker" if action.workers == 1 else f"{action.workers} workers"
    red = ", which are sacrificed" if action.red else ""
    return [f"{workers}{red}", f"costs {action.price} coins" if action.price else "costs nothing"]


def _permanent(game: AgeOfCivilizationGame, s: np.void) -> Iterator[Area]:
    """It lies under the three open cards."""
    for name, box in _permanent_boxes(game, s):
        yield _action(game, s, name, box, [])


def _permanent_boxes(
    game: AgeOfCivilizationGame, s: np.void
) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    begin = min(int(s["round"]) - 1, CARDS - OPEN_CARDS)
    for k, name in enumerate(PERMANENT):
        x, _, width, _ = _card_box(max(0, begin) + k)
        yield name, (x, PERMANENT_TOP, width, PERMANENT_HEIGHT)


def action_boxes(
    game: AgeOfCivilizationGame, s: np.void
) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    """Where every action is."""
    for place in range(CARDS):
        name = _card(game, s, place).action
        if name is not None:
            yield name, _card_box(place)
    yield from _permanent_boxes(game, s)


def _marks(game: AgeOfCivilizationGame, s: np.void, place: int) -> Iterator[Piece]:
    """Swords for a war, a token for an event."""
    card, (x, y, width, height) = _card(game, s, place), _card_box(place)
    if card.war:
        yield Piece(
            f"war:{place}", (x + width - 16, y + height - 18), form="swords", tone="dark", title="war"
        )
    if place >= FIRST_EVENT and (number := int(s["events"][place - FIRST_EVENT])):
        yield Piece(f"event:{place}", (x + 18, y + height - 18), form="hexagon", letter=str(number), tone="gold",
                    title=f"event: {game.box.board.events[number - 1].name}",
                    words="\n".join(_event_lines(game, s, place)))  # fmt: skip


def _spaces(
    game: AgeOfCivilizationGame, s: np.void, name: str, box: tuple[float, float, float, float]
) -> Iterator[Piece]:
    """What the action costs and brings, a ring for each space, a worker where it was performed this turn."""
    number = ACTIONS.index(name)
    action, (x, y, width, _) = game.box.board.actions[number], box
    price = f"{action.price} coins, " if action.price else ""
    cost = f"{price}{action.workers} {'worker' if action.workers == 1 else 'workers'}"
    yield Piece(f"cost:{name}", (x + width / 2, y + 39), form="text", letter=cost, size=0.85)
    used = int(s["used"][number])
    for k in range(max(action.spaces, used)):
        at = (x + width / 2 + 28 * (k - (max(action.spaces, used) - 1) / 2), y + 63)
        if k < used:
            yield Piece(f"worker:{name}:{k}", at, action_key(name), int(s["seat"]), size=0.95)
        else:
            yield Piece(f"space:{name}:{k}", at, action_key(name), form="ring", tone="paper", size=0.95)


# ---------------------------------------------------------------- technologies


def technology_key(seat: int, number: int) -> str:
    """The key of a technology on a seat's card."""
    return f"tech:{seat}:{number}"


def _sheet_box(game: AgeOfCivilizationGame, seat: int) -> tuple[float, float]:
    """The left edge of a seat's card, and its width."""
    n = game.num_seats
    width = min(WIDEST_SHEET, (WIDTH - 2 * MARGIN - (n - 1) * 14) / n)
    left = (WIDTH - n * width - (n - 1) * 14) / 2
    return left + seat * (width + 14), width


def _cell(game: AgeOfCivilizationGame, seat: int, column: int, row: int) -> tuple[float, float, float, float]:
    """Row 1 is at the foot."""
    left, width = _sheet_box(game, seat)
    each = (width - 12 - (COLUMNS - 1) * 6) / COLUMNS
    y = SHEET_TOP + HEAD + (ROWS - row) * (CELL_HEIGHT + CELL_GAP)
    return left + 6 + (column - 1) * (each + 6), y, each, CELL_HEIGHT


def _sheet(game: AgeOfCivilizationGame, s: np.void, seat: int) -> Iterator[Area]:
    left, width = _sheet_box(game, seat)
    shape = Shape("rect", (left, SHEET_TOP, width, SHEET_HEIGHT, 10.0))
    yield Area(f"sheet:{seat}", shape, f"land{seat}", seat=seat, passive=True)
    for begin, end in game.box.arrows:
        yield _arrow(game, seat, begin, end)
    have = set(members(s["own"][seat, G_TECHNOLOGY]))
    for number in sorted(game.box.card_of(int(s["special"][seat]))):
        yield _technology(game, seat, number, number in have, number in members(s["unlocked"][seat]))


def _arrow(game: AgeOfCivilizationGame, seat: int, begin: tuple[int, int], end: tuple[int, int]) -> Area:
    ax, ay, aw, _ = _cell(game, seat, *begin)
    bx, by, bw, bh = _cell(game, seat, *end)
    numbers = (ax + aw / 2, ay - 1, bx + bw / 2, by + bh + 1)
    key = f"arrow:{seat}:{begin[0]}{begin[1]}-{end[0]}{end[1]}"
    return Area(key, Shape("line", numbers), "dark", size=0.45, passive=True)


def _technology(game: AgeOfCivilizationGame, seat: int, number: int, has: bool, near: bool) -> Area:
    tech = game.box.technology(number)
    x, y, width, height = _cell(game, seat, tech.column, tech.row)
    needed = " or ".join(game.box.technology(k).name for k in sorted(game.box.prerequisites(number)))
    state = "gained" if has else "available" if near else f"needs {needed}"
    return Area(
        key=technology_key(seat, number),
        shape=Shape("rect", (x, y, width, height, 6.0)),
        tone="gold" if has else "paper" if near else "grey",
        label=tech.name,
        at=(x + width / 2, y + height / 2 + (5 if has else 0)),
        title=tech.name,
        words="\n".join([state, *map(effect_words, tech.effects)]),
        size=0.95 if width > 90 else 0.8,
        edge="thick" if has else "thin",
    )


def _signs(game: AgeOfCivilizationGame, s: np.void, seat: int) -> Iterator[Piece]:
    """Whose card it is, with its main civilization; a small sign on all that it has gained."""
    left, width = _sheet_box(game, seat)
    letter, main = "ABCD"[seat], Recount(game.config, s).main(seat)
    yield Piece(f"sign:{seat}", (left + 20, SHEET_TOP + 19), f"sheet:{seat}", seat, letter=letter)
    name = game.box.civilization(main).name if main else "no civilization yet"
    yield Piece(f"name:{seat}", (left + width / 2, SHEET_TOP + 19), form="text", letter=name, size=1.1)
    for number in members(s["own"][seat, G_TECHNOLOGY]):
        if number in game.box.card_of(int(s["special"][seat])):
            tech = game.box.technology(number)
            x, y, each, _ = _cell(game, seat, tech.column, tech.row)
            yield Piece(
                f"has:{seat}:{number}", (x + each / 2, y + 10), technology_key(seat, number), seat, size=0.55
            )
