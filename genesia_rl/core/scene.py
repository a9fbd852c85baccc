"""What a picture of a position shows: plain, immutable data that any front end draws without knowing the game.

A `Scene` holds *areas* (the board), *pieces* on it, *zones* of cards, *tables* of figures, the seats, and the
decision that is being asked, each option with the keys of the things that it stands for. Every thing that can be
pointed at has a key, unique in its scene and the same from scene to scene, so that a page can mark it and let it move.

`scene_of(game, states, i, eyes)` draws only what these eyes may know: a seat, `EVERYTHING` (finished games), or
`BYSTANDER` (what everybody may know). An option is shown only to the seat that decides and to those who see
everything. `tell` is the line of a log in which these eyes may read of a decision.

A game declares both in its folder's `scene.py`: `SCENERY = Scenery(draw, tell)`. A game without one gets a plain
scene of what its observation says, which by construction shows nothing that the seat may not know.

Coordinates are those of the board: `Scene.size` is its width and height, y grows downwards, and a piece of size 1
is about 24 wide. Colours are named by *tones* (studio/palette.py), never given as colours; a piece of a seat has
the seat's colour and the seat's form. `as_json` is the form in which pages read all this: what is at its default is
left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import Any, NamedTuple

from genesia_rl.core.errors import ActionError, NotOffered
from genesia_rl.core.game import Game, States
from genesia_rl.core.registry import game_info, part_of

#: Whose eyes one sees with, where it is not a seat: one who may know all, and one who sees what lies open.
EVERYTHING, BYSTANDER = -1, -2
NOBODY = -1  # the seat of what belongs to no seat

#: Forms of areas, and how their numbers are read: polygon and line x, y, x, y ...; circle x, y, radius;
#: rect x, y, width, height, radius of the corners; path is written as SVG writes it and has no numbers.
AREA_FORMS = ("polygon", "line", "circle", "rect", "path")
EDGES = ("none", "thin", "thick", "dashed", "arrow")
#: Forms of pieces, besides those that a scene brings along in `symbols`; "" is the form of the piece's seat.
PIECE_FORMS = ("", "disc", "square", "triangle", "diamond", "hexagon", "star", "house", "ring", "text")
CARD_STATES = ("", "used", "hidden", "done")
ZONE_LAYOUTS = ("row", "list", "stack")


@dataclass(frozen=True)
class Shape:
    """Where an area lies."""

    form: str
    numbers: tuple[float, ...] = ()
    path: str = ""


@dataclass(frozen=True)
class Area:
    """A part of the board. One that is `passive` is scenery: it stands for nothing and is never chosen."""

    key: str
    shape: Shape
    tone: str = "plain"
    label: str = ""  # what is written in it
    at: tuple[float, float] | None = None  # the middle of the label; without, the middle of the shape
    title: str = ""  # its name
    words: str = ""  # what there is to know of it
    seat: int = NOBODY  # whose it is: its edge has the seat's colour
    size: float = 1.0  # of the label; of a line, its width
    turn: float = 0.0  # degrees that the label is turned by
    edge: str = "thin"  # of EDGES; an arrow points to the end of its line
    passive: bool = False


@dataclass(frozen=True)
class Piece:
    """Something that stands on the board, so many of them."""

    key: str
    at: tuple[float, float]
    area: str = ""  # the key of the area on which it stands
    seat: int = NOBODY
    form: str = ""
    count: int = 1
    letter: str = ""  # written on it, besides the count
    tone: str = "plain"  # its colour if it is no seat's
    size: float = 1.0
    title: str = ""
    words: str = ""


@dataclass(frozen=True)
class Card:
    """A card: its name, its figures, its words. One whose state is `hidden` shows its back."""

    key: str
    title: str = ""
    kind: str = ""  # the word above the title
    lines: tuple[str, ...] = ()  # what stands on it
    figures: tuple[tuple[str, str], ...] = ()  # (name, value) in its corners: ("cost", "3")
    tone: str = "plain"
    seat: int = NOBODY
    count: int = 1
    state: str = ""  # of CARD_STATES: used is turned or out of use, done is fulfilled
    note: str = ""  # what is true of it now


@dataclass(frozen=True)
class Zone:
    """Cards that lie together: a hand, a market, what a seat has built."""

    key: str
    title: str
    cards: tuple[Card, ...] = ()
    layout: str = "row"
    seat: int = NOBODY
    words: str = ""
    beside: bool = False  # is read together with the question: what one chooses from


@dataclass(frozen=True)
class Row:
    """A row of a table: of a seat, or with a label of its own."""

    figures: tuple[str, ...]
    seat: int = NOBODY
    label: str = ""


@dataclass(frozen=True)
class Table:
    """Figures by row and column; `columns` do not count the one in front that names the row."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    words: str = ""


@dataclass(frozen=True)
class Seat:
    """One who plays: the name in this game, the score as these eyes know it, the place that it makes (0 is best)."""

    seat: int
    name: str
    score: int = 0
    rank: int = 0
    team: int = NOBODY
    words: str = ""
    form: str = ""  # of its sign, if it is not the form of the seat


@dataclass(frozen=True)
class Option:
    """A legal action: its number, its text, and the things that stand for it, which a click on one of them takes.

    Several options may point at one thing (a page then asks which), and an option may point at nothing.
    """

    action: int
    text: str  # as traces write it
    word: str  # as a button shows it
    meaning: str = ""  # in a sentence
    keys: tuple[str, ...] = ()
    group: str = ""  # a heading under which options that belong together stand
    ask: bool = (
        False  # a click on a thing does not take it at once, because it cannot have been meant lightly
    )


@dataclass(frozen=True)
class Decision:
    """What is being asked, and of whom. Other eyes than those of the seat see no options."""

    seat: int
    kind: str
    question: str
    options: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Scene:
    """A position as eyes see it. `chapters` say how far the game is, from coarse to fine: a replay stops where
    they change."""

    game: str
    title: str
    eyes: int
    size: tuple[float, float]
    seats: tuple[Seat, ...]
    areas: tuple[Area, ...] = ()
    pieces: tuple[Piece, ...] = ()
    zones: tuple[Zone, ...] = ()
    tables: tuple[Table, ...] = ()
    decision: Decision | None = None
    chapters: tuple[str, ...] = ()
    status: str = ""  # a sentence on how things stand
    over: bool = False
    outcome: str = ""  # a sentence on who has won
    symbols: tuple[
        tuple[str, str], ...
    ] = ()  # forms of this game's pieces: (name, SVG path in a box of 24 x 24)


class Scenery(NamedTuple):
    """What a game's `scene.py` offers; eyes are a seat, EVERYTHING or BYSTANDER, and have been checked."""

    draw: Callable[..., Scene]  # (game, states, i, eyes)
    tell: Callable[
        ..., str
    ]  # (game, states, i, action, eyes): the decision that is about to be taken, in words


# ---------------------------------------------------------------- asking for it


def scene_of(game: Game, states: States, i: int = 0, eyes: int | None = EVERYTHING) -> Scene:
    """The position as these eyes see it; None sees everything."""
    return scenery_of(game.name).draw(game, states, int(i), checked_eyes(game, eyes))


def tell(game: Game, states: States, i: int, action: int, eyes: int | None = EVERYTHING) -> str:
    """A legal action, which is about to be taken, as these eyes may read of it."""
    return scenery_of(game.name).tell(game, states, int(i), int(action), checked_eyes(game, eyes))


@cache
def scenery_of(name: str) -> Scenery:
    """What the game draws, or the plain scene."""
    try:
        found: Scenery = part_of(name, "scene", "picture of its own").SCENERY
    except NotOffered:
        found = Scenery(plain_scene, plain_words)
    return found


def checked_eyes(game: Game, eyes: int | None) -> int:
    """Eyes of this game as a number."""
    if eyes is None:
        return EVERYTHING
    if not BYSTANDER <= eyes < game.num_seats:
        allowed = f"0..{game.num_seats - 1}, {EVERYTHING} (everything) and {BYSTANDER} (what lies open)"
        raise ActionError(f"eyes {eyes!r}: nobody's, allowed are {allowed}")
    return int(eyes)


def may_see(eyes: int, seat: int) -> bool:
    """Do these eyes see what the seat keeps to itself?"""
    return eyes in (seat, EVERYTHING)


# ---------------------------------------------------------------- what most games need


def decision_of(
    game: Game,
    states: States,
    i: int,
    eyes: int,
    question: str,
    option: Callable[[int], Option] | None = None,
) -> Decision | None:
    """The decision that is asked, its options only for eyes that may know them."""
    if game.is_over(states, i):
        return None
    seat = game.seat(states, i)
    legal = game.legal_actions(states, i) if may_see(eyes, seat) else []
    make = option or (lambda action: plain_option(game, states, i, action))
    return Decision(seat, game.kind(states, i), question, tuple(map(make, legal)))


def plain_option(game: Game, states: States, i: int, action: int, keys: tuple[str, ...] = ()) -> Option:
    """An action in the words that the game has for it."""
    words = game.describe(action, states, i)
    return Option(action, game.action_text(action), words, keys=keys)


def seats_of(game: Game, states: States, i: int, eyes: int, names: Callable[[int], str]) -> tuple[Seat, ...]:
    """All seats with the score that these eyes know: without what is secret, unless it is their own."""
    over = game.is_over(states, i)
    scores, known = game.scores(states, i), game.public_totals(states, i)
    teams = len(set(game.teams)) < game.num_seats
    found = []
    for seat in range(game.num_seats):
        total = scores.totals[seat] if over or may_see(eyes, seat) else known[seat]
        rank = int(scores.ranks[seat]) if over else sum(int(other) > int(known[seat]) for other in known)
        found.append(Seat(seat, names(seat), int(total), rank, game.teams[seat] if teams else NOBODY))
    return tuple(found)


def outcome_of(game: Game, states: States, i: int, seats: tuple[Seat, ...]) -> str:
    """Who has won, if the game is over."""
    if not game.is_over(states, i):
        return ""
    if not game.is_contest:
        return f"The game is over: the lowest score is {min(seat.score for seat in seats)}."
    first = [seat.name for seat in seats if seat.rank == 0]
    if not first:  # of rules that are broken, as `soak` finds them: what it kept has to be seen
        return "The game is over: nobody ranks first."
    *others, last = first
    if not others:
        return f"The game is over: the victory goes to {last}."
    return f"The game is over: {', '.join(others)} and {last} share the victory."


# ---------------------------------------------------------------- a game without a scene of its own

PLAIN_WIDTH, PLAIN_HEIGHT, PLAIN_GAP = 220.0, 120.0, 16.0
PLAIN_FIGURES = 16  # a piece of the observation with more bytes than that is left out


def plain_scene(game: Game, states: States, i: int, eyes: int) -> Scene:
    """A box for every seat with its score, and the table of what the seat's observation says."""
    seats = seats_of(game, states, i, eyes, lambda seat: f"Seat {seat}")
    decision = decision_of(game, states, i, eyes, _plain_question(game, states, i))
    areas = tuple(_plain_area(seat) for seat in seats)
    pieces = tuple(_plain_piece(seat) for seat in seats)
    return Scene(
        game=game.name,
        title=game_info(game.name).title,
        eyes=eyes,
        size=(PLAIN_GAP + len(seats) * (PLAIN_WIDTH + PLAIN_GAP), PLAIN_HEIGHT + 2 * PLAIN_GAP),
        seats=seats,
        areas=areas,
        pieces=pieces,
        tables=_plain_tables(game, states, i, eyes),
        decision=decision,
        chapters=(game.kind(states, i),) if decision else ("the end",),
        status=f"decision {int(states[i]['steps'])}",
        over=game.is_over(states, i),
        outcome=outcome_of(game, states, i, seats),
    )


def plain_words(game: Game, states: States, i: int, action: int, eyes: int) -> str:
    """Whoever may see the decision reads it in words, others that it was taken."""
    seat = game.seat(states, i)
    if may_see(eyes, seat):
        return f"Seat {seat}: {game.describe(action, states, i)}"
    return f"Seat {seat} decides: {game.kind(states, i)}"


def _plain_question(game: Game, states: States, i: int) -> str:
    return f"Seat {game.seat(states, i)} decides: {game.kind(states, i)}"


def _plain_area(seat: Seat) -> Area:
    x = PLAIN_GAP + seat.seat * (PLAIN_WIDTH + PLAIN_GAP)
    shape = Shape("rect", (x, PLAIN_GAP, PLAIN_WIDTH, PLAIN_HEIGHT, 12.0))
    middle = (x + PLAIN_WIDTH / 2, PLAIN_GAP + PLAIN_HEIGHT * 0.7)
    words = f"{seat.name} has {seat.score} points"
    return Area(f"seat:{seat.seat}", shape, label=str(seat.score), at=middle, title=seat.name, words=words,
                seat=seat.seat, size=2.0)  # fmt: skip


def _plain_piece(seat: Seat) -> Piece:
    x = PLAIN_GAP + seat.seat * (PLAIN_WIDTH + PLAIN_GAP) + PLAIN_WIDTH / 2
    return Piece(f"mark:{seat.seat}", (x, PLAIN_GAP + PLAIN_HEIGHT * 0.3), f"seat:{seat.seat}", seat.seat)


def _plain_tables(game: Game, states: States, i: int, eyes: int) -> tuple[Table, ...]:
    """The score in its parts where nothing of it is secret, and what the eyes' own observation says."""
    tables = []
    if game.score_parts and not game.facts.secret_parts:
        parts = game.scores(states, i).parts.tolist()
        rows = tuple(Row(tuple(map(str, parts[seat])), seat) for seat in range(game.num_seats))
        tables.append(Table("score", "Score", game.score_parts, rows))
    seer = game.seat(states, i) if eyes == EVERYTHING else eyes
    if seer >= 0:
        tables.append(Table("view", f"What seat {seer} sees", ("",), _plain_view(game, states, i, seer)))
    return tuple(tables)


def _plain_view(game: Game, states: States, i: int, seat: int) -> tuple[Row, ...]:
    named = game.named(game.view(states, i, seat)[1])
    small = [piece for piece in game.pieces if piece.used and named[piece.name].size <= PLAIN_FIGURES]
    return tuple(
        Row((" ".join(map(str, named[piece.name].ravel().tolist())),), label=piece.name) for piece in small
    )


# ---------------------------------------------------------------- JSON


def as_json(value: Any) -> Any:
    """A scene, or a part of one, as lists and tables; a field at its default is left out. Only to be read."""
    if isinstance(value, tuple):
        return [as_json(part) for part in value]
    if isinstance(value, float):
        return int(value) if value == int(value) else round(value, 1)
    if isinstance(value, Area):
        return _area_json(value)
    return _record_json(value) if hasattr(value, "__dataclass_fields__") else value


def _record_json(record: Any) -> dict[str, Any]:
    given = ((name, getattr(record, name), default) for name, default in _defaults_of(record.__class__))
    return {name: as_json(value) for name, value, default in given if value != default}


@lru_cache(maxsize=1 << 13)
def _area_json(area: Area) -> dict[str, Any]:
    """Most areas of a board are the same in most pictures."""
    return _record_json(area)


@cache
def _defaults_of(kind: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.default) for field in fields(kind))


def keys_of(scene: Scene) -> Iterator[str]:
    """The keys of all that can be pointed at."""
    yield from (area.key for area in scene.areas)
    yield from (piece.key for piece in scene.pieces)
    for zone in scene.zones:
        yield zone.key
        yield from (card.key for card in zone.cards)


def check_scene(scene: Scene) -> list[str]:
    """What is wrong with a scene: nothing, unless its game has a mistake."""
    keys = list(keys_of(scene))
    known, areas = set(keys), {area.key for area in scene.areas}
    forms = {*PIECE_FORMS, *(name for name, _ in scene.symbols)}
    wrong = [
        f"key {key!r}: {keys.count(key)} times, allowed is once"
        for key in sorted(known)
        if keys.count(key) > 1
    ]
    wrong += [
        f"piece {p.key!r}: form {p.form!r}, allowed are {sorted(forms)}"
        for p in scene.pieces
        if p.form not in forms
    ]
    wrong += [
        f"piece {p.key!r}: area {p.area!r} is not there"
        for p in scene.pieces
        if p.area and p.area not in areas
    ]
    wrong += [
        f"area {a.key!r}: form {a.shape.form!r}, allowed are {AREA_FORMS}"
        for a in scene.areas
        if a.shape.form not in AREA_FORMS
    ]
    wrong += [
        f"area {a.key!r}: edge {a.edge!r}, allowed are {EDGES}" for a in scene.areas if a.edge not in EDGES
    ]
    for table in scene.tables:
        wrong += [
            f"table {table.key!r}: row {row.figures} for columns {table.columns}"
            for row in table.rows
            if len(row.figures) != len(table.columns)
        ]
    for option in scene.decision.options if scene.decision else ():
        wrong += [
            f"option {option.text!r}: key {key!r} is not there" for key in option.keys if key not in known
        ]
    return wrong
