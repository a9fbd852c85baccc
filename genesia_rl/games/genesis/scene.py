"""The picture of a position: the board with its reliefs and river, tiles with the animals that stand on them, dice.

All of Genesis lies open but the rolls to come, which are not drawn for anybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from genesia_rl.core.scene import (
    Area,
    Card,
    Option,
    Piece,
    Row,
    Scene,
    Scenery,
    Seat,
    Shape,
    Table,
    Zone,
    decision_of,
    outcome_of,
    seats_of,
)
from genesia_rl.games.genesis.actions import verb_of
from genesia_rl.games.genesis.names import FACES, PIT, TAKES_TILE, TERRAINS, VOLCANO
from genesia_rl.games.genesis.recount import tiles_of, zones_of
from genesia_rl.games.genesis.state import States
from genesia_rl.games.genesis.text.position import state_dict
from genesia_rl.games.genesis.text.words import COLOURS, face_name

if TYPE_CHECKING:
    from genesia_rl.games.genesis.game import GenesisGame

SIDE, MARGIN = 48.0, 14.0
RIVER = 2.2  # its width, in line widths
FACE_TONES = (*COLOURS, "grey")
INK = {"V": "red", "P": "dark"}

#: Animals and reliefs, drawn in a box of 24 x 24.
SYMBOLS = (
    (
        "reptile",  # a turtle from above
        "M12 0.8c1.9 0 2.9 1.4 2.6 3.2c1.2 .4 2.3 1.1 3.2 2c1.3-1.7 3.4-2 4.4-.7s.2 3.2-2 4c.5 1.1.7 2.3.7 3.6"
        "c0 1-.2 2-.5 2.9c2.3.8 3.1 2.9 2 4.2s-3.2.8-4.4-1.1c-1.4 1.4-3.1 2.2-4.9 2.4l-1.1 2.1l-1.1-2.1"
        "c-1.8-.2-3.5-1-4.9-2.4c-1.2 1.9-3.3 2.4-4.4 1.1s-.3-3.4 2-4.2c-.3-.9-.5-1.9-.5-2.9c0-1.3.2-2.5.7-3.6"
        "c-2.2-.8-3-2.7-2-4s3.1-1 4.4.7c.9-.9 2-1.6 3.2-2c-.3-1.8.7-3.2 2.6-3.2z",
    ),
    (
        "dinosaur",  # a long neck
        "M3.2 3.2c.2-1.6 1.7-2.7 3.6-2.5c1.9.2 3 1.5 2.9 3.3c-.1 2.3-.9 3.9-.6 5.3c.9.2 2-.6 4-.6c3.4 0 5 1.8 6.2 4.3"
        "c.9 1.8 2.3 3 4.5 3.4c-1.2 1.2-3 1.5-4.6 1.1v5.2h-3.4v-4.2c-1.6.5-3.2.5-4.7.1v4.1h-3.4v-5.4"
        "c-2.6-1.6-3.4-4.2-2.9-7.2c.2-1.5.5-2.7.3-4.3c-1.2.3-2.2-.9-1.9-2.6z",
    ),
    (
        "mammal",  # the head of a bear
        "M5.4 1.2c1.6 0 2.9.8 3.7 2a10 10 0 0 1 5.8 0c.8-1.2 2.1-2 3.7-2c2.5 0 4.4 1.9 4.4 4.3c0 1.8-1 3.3-2.5 4"
        "c.4 1.1.6 2.2.6 3.4c0 5.5-4.1 9.9-9.1 9.9s-9.1-4.4-9.1-9.9c0-1.2.2-2.3.6-3.4c-1.5-.7-2.5-2.2-2.5-4"
        "c0-2.4 1.9-4.3 4.4-4.3zM8.6 9.6a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3zM15.4 9.6a1.5 1.5 0 1 0 0 3"
        "a1.5 1.5 0 1 0 0-3zM12 14.2c-1.5 0-2.5.8-2.5 1.7s1 2 2.5 2s2.5-1.1 2.5-2s-1-1.7-2.5-1.7z",
    ),
    (
        "human",
        "M12 .8a4.4 4.4 0 1 1 0 8.8a4.4 4.4 0 1 1 0-8.8zM7.4 10.6h9.2c2.9 0 4.9 2.1 4.9 5v7.2h-19v-7.2"
        "c0-2.9 2-5 4.9-5z",
    ),
    (
        "volcano",
        "M9.2 8.4h5.6l8.2 14.2h-22zM11 6.8c-.9-1.9-2.8-1.6-2.7-3.4c.1-1.3 1.7-1.7 2.4-.7c.2-1.6 2.5-1.6 2.7 0"
        "c.8-1 2.5-.5 2.5.8c0 1.7-1.8 1.5-2.7 3.3z",
    ),
    ("pit", "M12 5c6 0 11 3.2 11 7s-5 7-11 7s-11-3.2-11-7s5-7 11-7zM12 8.6c-4.2 0-7.4 1.8-7.4 3.8s3.2 3.8 7.4 3.8"
     "s7.4-1.8 7.4-3.8s-3.2-3.8-7.4-3.8z"),
)  # fmt: skip
ANIMALS = tuple(name for name, _ in SYMBOLS[:4])
RELIEFS = {VOLCANO: "volcano", PIT: "pit"}


def draw(game: GenesisGame, states: States, i: int, eyes: int) -> Scene:
    """The whole position."""
    s, board = states[i], game.config.board
    seats = tuple(
        Seat(seat.seat, seat.name, seat.score, seat.rank, words=_left(s, seat.seat), form=ANIMALS[seat.seat])
        for seat in seats_of(game, states, i, eyes, lambda seat: _animals(game, seat))
    )
    question = "" if s["over"] else _question(game, states, i)
    return Scene(
        game=game.name,
        title="Genesis",
        eyes=eyes,
        size=(2 * MARGIN + SIDE * board.width, 2 * MARGIN + SIDE * board.height),
        seats=seats,
        areas=(*_ground(game), *_cells(game, states, i), *_river(game)),
        pieces=(*_reliefs(game), *_tiles(game, states, i)),
        zones=() if s["over"] else (_dice(game, states, i), _supply(game, states, i, eyes)),
        tables=(_score_table(game, states, i), _supply_table(game, states, i)),
        decision=decision_of(
            game, states, i, eyes, question, lambda action: _option(game, states, i, action)
        ),
        chapters=("the end",) if s["over"] else (f"Turn {s['turn'] + 1}",),
        status=f"{s['free_cells']} cells are free",
        over=bool(s["over"]),
        outcome=outcome_of(game, states, i, seats),
        symbols=SYMBOLS,
    )


def tell(game: GenesisGame, states: States, i: int, action: int, eyes: int) -> str:
    """Everybody sees everything that is done."""
    verb, place = verb_of(action, game.config.board.cells)
    who, roll = _animals(game, game.seat(states, i)), _roll_words(game, states, i)
    if verb == "end":
        return f"{who} place no second tile"
    if verb == "tile":
        return f"{who} choose {TERRAINS[place]} ({roll})"
    terrain = TERRAINS[states[i]["pending"] - 1]
    return f"{who} place {terrain} in {_place(game, place)}"


# ---------------------------------------------------------------- the board


def _corner(game: GenesisGame, cell: int) -> tuple[float, float]:
    y, x = divmod(cell, game.config.board.width)
    return MARGIN + SIDE * x, MARGIN + SIDE * y


def _middle(game: GenesisGame, cell: int) -> tuple[float, float]:
    x, y = _corner(game, cell)
    return x + SIDE / 2, y + SIDE / 2


def _place(game: GenesisGame, cell: int) -> str:
    y, x = divmod(cell, game.config.board.width)
    return f"row {y + 1}, column {x + 1}"


def _ground(game: GenesisGame) -> Iterator[Area]:
    board = game.config.board
    numbers = (2.0, 2.0, 2 * MARGIN + SIDE * board.width - 4, 2 * MARGIN + SIDE * board.height - 4, 12.0)
    yield Area("ground", Shape("rect", numbers), "sand", passive=True)


def _cells(game: GenesisGame, states: States, i: int) -> Iterator[Area]:
    """Every cell; one that holds a tile has its colour and letter, and says what zone and herd it is of."""
    board, tiles = game.config.board, tiles_of(states[i])
    used, words = set(board.in_use(game.num_seats)), _zone_words(game, states, i)
    for cell in range(board.cells):
        mark = "".join(board.rows)[cell]
        shape = Shape("rect", (*_corner(game, cell), SIDE, SIDE, 4.0))
        x, y = _corner(game, cell)
        if cell in tiles:
            terrain = tiles[cell][0]
            yield Area(f"cell:{cell}", shape, COLOURS[terrain], TERRAINS[terrain][0].upper(), (x + 8, y + 9),
                       f"{TERRAINS[terrain]}, {_place(game, cell)}", words[cell], size=0.8)  # fmt: skip
        elif cell in used:
            yield Area(f"cell:{cell}", shape, "paper", title=_place(game, cell))
        elif mark != TAKES_TILE:
            yield Area(f"cell:{cell}", shape, "grey", title=RELIEFS[mark], passive=True)
        else:
            yield Area(f"cell:{cell}", shape, "water", title="beyond the river", edge="none", passive=True)


def _river(game: GenesisGame) -> Iterator[Area]:
    """Between two columns in every row, where this number of players respects it."""
    board = game.config.board
    if board.river is None or len(board.in_use(game.num_seats)) == len(board.in_use(4)):
        return
    points: list[float] = []
    for y, x in enumerate(board.river):
        points += [MARGIN + SIDE * x, MARGIN + SIDE * y, MARGIN + SIDE * x, MARGIN + SIDE * (y + 1)]
    yield Area("river", Shape("line", tuple(points)), "blue", size=RIVER, passive=True)


def _reliefs(game: GenesisGame) -> Iterator[Piece]:
    for cell, mark in enumerate("".join(game.config.board.rows)):
        if mark != TAKES_TILE:
            yield Piece(f"relief:{cell}", _middle(game, cell), f"cell:{cell}", form=RELIEFS[mark],
                        tone=INK[mark], size=1.2)  # fmt: skip


def _tiles(game: GenesisGame, states: States, i: int) -> Iterator[Piece]:
    for cell, (_, seat) in sorted(tiles_of(states[i]).items()):
        x, y = _middle(game, cell)
        yield Piece(f"tile:{cell}", (x + 2, y + 3), f"cell:{cell}", seat, form=ANIMALS[seat], size=1.25)


def _zone_words(game: GenesisGame, states: States, i: int) -> dict[int, str]:
    """For each cell with a tile: how large its zone and its herd are, and what the zone gives now."""
    words = {}
    for zone in zones_of(game.config.board, tiles_of(states[i])):
        points = zone.points(game.num_seats)
        gives = ", ".join(f"{_animals(game, seat)} {n}" for seat, n in enumerate(points) if n)
        what = f"zone of {zone.tiles}" + (f", times {zone.times}: {gives}" if zone.scores else ", too small")
        for herd, owner in zip(zone.herds, zone.owners, strict=True):
            for cell in herd:
                words[cell] = f"{what}\nherd of {len(herd)}: {_animals(game, owner)}"
    return words


# ---------------------------------------------------------------- dice, supplies, tables


def _animals(game: GenesisGame, seat: int) -> str:
    return f"{game.species(seat)}s".capitalize()


def _left(s: States, seat: int) -> str:
    return f"{int(s['supply'][seat].sum())} tiles left"


def _dice(game: GenesisGame, states: States, i: int) -> Zone:
    """This turn's roll; a die that has been used is turned down."""
    roll, s = state_dict(game.config, states[i])["dice"] or "", states[i]
    left = FACES[s["left"] - 1] if s["left"] else ""
    cards = []
    for place, letter in enumerate(roll):
        name = face_name(letter)
        used = bool(left) and (name != left or (place == 0 and len(set(roll)) == 1))
        tone = FACE_TONES[FACES.index(name)]
        cards.append(
            Card(f"die:{place}", name, tone=tone, state="used" if used else "", note="used" if used else "")
        )
    return Zone("dice", "Dice", tuple(cards), "list", beside=True)


def _roll_words(game: GenesisGame, states: States, i: int) -> str:
    roll = state_dict(game.config, states[i])["dice"] or ""
    return "the dice show " + " and ".join(map(face_name, roll))


def _supply(game: GenesisGame, states: States, i: int, eyes: int) -> Zone:
    """The tiles of the seat that plays: what it may choose from."""
    s, seat = states[i], game.seat(states, i)
    cards = tuple(
        Card(f"terrain:{terrain}", name, tone=COLOURS[terrain], figures=(("left", str(s["supply"][seat, terrain])),),
             state="done" if s["pending"] == terrain + 1 else "")
        for terrain, name in enumerate(TERRAINS)
    )  # fmt: skip
    return Zone("supply", f"Tiles of the {_animals(game, seat).lower()}", cards, "list", seat, beside=True)


def _score_table(game: GenesisGame, states: States, i: int) -> Table:
    parts = game.scores(states, i).parts.tolist()
    rows = tuple(Row(tuple(map(str, [*part, sum(part)])), seat) for seat, part in enumerate(parts))
    return Table("score", "Score", (*TERRAINS, "total"), rows)


def _supply_table(game: GenesisGame, states: States, i: int) -> Table:
    supply = states[i]["supply"].tolist()
    rows = tuple(Row(tuple(map(str, supply[seat])), seat) for seat in range(game.num_seats))
    return Table("left", "Tiles left", TERRAINS, rows)


# ---------------------------------------------------------------- the decision


def _question(game: GenesisGame, states: States, i: int) -> str:
    who, kind = _animals(game, game.seat(states, i)), game.kind(states, i)
    if kind == "cell":
        return f"{who}: where does the {TERRAINS[states[i]['pending'] - 1]} go?"
    which = "first" if kind == "first" else "second"
    return f"{who}: which terrain for the {which} tile? {_roll_words(game, states, i).capitalize()}."


def _option(game: GenesisGame, states: States, i: int, action: int) -> Option:
    verb, place = verb_of(action, game.config.board.cells)
    text = game.action_text(action)
    if verb == "end":
        return Option(action, text, "no second tile", "the turn is over")
    if verb == "tile":
        return Option(action, text, TERRAINS[place], _meaning(states, i, place), (f"terrain:{place}",))
    return Option(action, text, _place(game, place), "place the tile here", (f"cell:{place}",))


def _meaning(states: States, i: int, terrain: int) -> str:
    left = int(states[i]["supply"][states[i]["seat"], terrain])
    return f"place one of {left} tiles of {TERRAINS[terrain]}"


SCENERY = Scenery(draw, tell)
