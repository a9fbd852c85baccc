"""The boards and small tiles (RULES 12): read and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from genesia_rl.core.mistakes import each, noted, settle
from genesia_rl.core.reading import Table, check_keys, refuse
from genesia_rl.games.gentes.data.effects import Effect, read_effect
from genesia_rl.games.gentes.data.reading import (
    TABLE,
    TEXT,
    TRUTH,
    Kinds,
    check_entry,
    check_numbers,
    list_of,
    number,
    one_of,
    table_of,
    take_entries,
)
from genesia_rl.games.gentes.names import (
    CITIES,
    CONDITIONS,
    HOMES,
    MAX_COST,
    MAX_POINTS,
    MAX_SEATS,
    MAX_SPACES,
    REGIONS,
    REWARDS,
    ROWS,
    SLOTS,
    SYMBOLS,
    TAXES,
    TYPES,
    TYPES_SLOTS,
)

_PRICE = number(1, MAX_COST)
_SIX = list_of(_PRICE, TYPES_SLOTS, TYPES_SLOTS)
CITIES_OF_REGION = 6

#: RULES 12: the tables that are there once.
SINGLE: dict[str, Kinds] = {
    "game": {
        "start_coins": number(0, 99), "start_citizens": number(0, 9), "hand_limit": number(0, 9),
        "tokens": number(1, 9),
        "cube_slots": number(1, 9), "leader_coins": number(0, 9), "coins_per_point": number(1, 99),
        "cubes_per_point": number(1, 9), "hire_cubes": number(1, 3),
    },
    "track": {
        "spaces": number(1, MAX_SPACES), "locks": number(0, 5), "hourglasses": number(0, 3),
        "penalty": list_of(number(0, 99), 1, 9),
    },
    "citizens": {"pairs": list_of(list_of(one_of(*TYPES), 2, 2), 3, 3), "room": number(4, 9)},
    "recruiting": {"one": _SIX, "two": _SIX, "solo_slot": number(1, TYPES_SLOTS)},
    "display": {
        "one": list_of(_PRICE, SLOTS, SLOTS), "two": list_of(_PRICE, 0, SLOTS), "three": list_of(_PRICE, 0, SLOTS),
        "discard": list_of(_PRICE, 2, 2), "marked": list_of(number(1, SLOTS), 0, SLOTS),
    },
}  # fmt: skip
#: RULES 12: the lists of tables, and how many a numbered one has.
SEVERAL: dict[str, tuple[Kinds, int | None]] = {
    "tax": ({"number": number(1, TAXES), "hours": number(1, 2), "coins": number(1, 20)}, TAXES),
    "row": ({"number": number(1, ROWS), "left": TABLE, "right": TABLE}, ROWS),
    "home": (
        {
            "number": number(1, HOMES), "row": number(1, ROWS), "large": list_of(one_of(*SYMBOLS), 0, 2),
            "small": list_of(one_of(*SYMBOLS), 0, 2),
        },
        HOMES,
    ),
    "city": (
        {
            "number": number(1, CITIES), "name": TEXT, "region": one_of(*REGIONS), "symbol": one_of(*SYMBOLS),
            "reward": one_of(*REWARDS), "n": number(1, 9),
        },
        CITIES,
    ),
    "bonus": (
        {
            "condition": one_of(*CONDITIONS), "least": number(1, 18), "points": number(1, 20),
            "players": list_of(number(2, MAX_SEATS)), "solo": TRUTH,
        },
        None,
    ),
    "beginner": (
        {"place": number(1, MAX_SEATS), "cards": list_of(TEXT, 2, 2), "citizens": table_of(TYPES, number(1, 6))},
        None,
    ),
    "rank": ({"least": number(0, MAX_POINTS), "name": TEXT}, None),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tax:
    """A Tax Collector."""

    number: int
    hours: int
    coins: int


@dataclass(frozen=True, slots=True)
class Home:
    """A Home, with its symbols on each side of the board; without any it is not there."""

    number: int
    row: int
    large: tuple[str, ...]
    small: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class City:
    """A city."""

    number: int
    name: str
    region: str
    symbol: str
    reward: str
    n: int


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus point tile."""

    condition: str
    least: int
    points: int
    players: tuple[int, ...]
    solo: bool


@dataclass(frozen=True, slots=True)
class Beginner:
    """What the seat of a place in the first order has in a first game."""

    place: int
    cards: tuple[str, ...]
    citizens: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Rank:
    """A rank of the solo game."""

    least: int
    name: str


@dataclass(frozen=True, slots=True)
class Board:
    """All of `board.toml`; single numbers stay under the words of the file."""

    game: Mapping[str, int]
    track: Mapping[str, Any]
    pairs: tuple[tuple[str, str], ...]
    room: int
    recruiting: Mapping[str, Any]
    display: Mapping[str, Any]
    taxes: tuple[Tax, ...]
    rows: tuple[tuple[Effect, Effect], ...]
    homes: tuple[Home, ...]
    cities: tuple[City, ...]
    bonus: tuple[Bonus, ...]
    beginners: tuple[Beginner, ...]
    ranks: tuple[Rank, ...]

    def symbols(self, home: Home, players: int) -> tuple[str, ...]:
        """RULES 2: the symbols of a Home on the side of the board for so many players."""
        return home.small if players <= 2 else home.large

    def rank(self, score: int) -> str | None:
        """RULES 10: the rank of a solo score."""
        return next((rank.name for rank in reversed(self.ranks) if score >= rank.least), None)


# ---------------------------------------------------------------- reading


def read_citizens(file: str, table: Table) -> tuple[tuple[tuple[str, str], ...], int]:
    """RULES 12, `[citizens]`: the pairs of opposite types and their room."""
    found: Any = _read_single(file, table, "citizens")
    pairs = tuple((a, b) for a, b in found["pairs"])
    if sorted(type_ for pair in pairs for type_ in pair) != sorted(TYPES):
        refuse(f"{file}: [citizens]", "pairs", found["pairs"], "each type once")
    return pairs, found["room"]


def read_board(file: str, table: Table, first_cards: Sequence[str]) -> Board:
    """RULES 12: `board.toml`; `first_cards` are the names of the cards of Era I."""
    check_keys(file, table, (*SINGLE, *SEVERAL))
    pairs, room = read_citizens(file, table)
    single = {name: _read_single(file, table, name) for name in SINGLE}
    several: Any = {name: _read_several(file, table, name) for name in SEVERAL}
    settle()
    found = Board(
        game=single["game"],
        track=single["track"],
        pairs=pairs,
        room=room,
        recruiting=single["recruiting"],
        display=single["display"],
        taxes=tuple(Tax(item["number"], item["hours"], item["coins"]) for item in several["tax"]),
        rows=each(lambda item: _read_row(f"{file}: [[row]] {item['number']}", item), several["row"]),
        homes=tuple(
            Home(item["number"], item["row"], tuple(item["large"]), tuple(item["small"]))
            for item in several["home"]
        ),
        cities=tuple(City(**_told(item)) for item in several["city"]),
        bonus=tuple(
            Bonus(item["condition"], item["least"], item["points"], tuple(item["players"]), item["solo"])
            for item in several["bonus"]
        ),
        beginners=tuple(
            Beginner(item["place"], tuple(item["cards"]), item["citizens"]) for item in several["beginner"]
        ),
        ranks=tuple(Rank(item["least"], item["name"]) for item in several["rank"]),
    )
    settle()
    each(
        lambda check: check(file, found),
        (_check_track, _check_prices, _check_places, _check_bonus, _check_ranks),
    )
    _check_beginners(file, found, first_cards)
    return found


def _told(entry: Table) -> Any:
    """An entry without what says where it is from."""
    return {key: value for key, value in entry.items() if key not in ("source", "facts")}


@noted({})
def _read_single(file: str, table: Table, name: str) -> Any:
    if name not in table:
        refuse(file, name, None, f"a table [{name}]")
    return _told(check_entry(f"{file}: [{name}]", table[name], SINGLE[name]))


@noted([])
def _read_several(file: str, table: Table, name: str) -> list[Table]:
    must, last = SEVERAL[name]
    tables = take_entries(file, table, name)
    if last is not None:
        check_numbers(file, name, tables, last)
    return list(
        each(lambda held: check_entry(f"{file}: [[{name}]] {held[0]}", held[1], must), enumerate(tables, 1))
    )


def _read_row(where: str, table: Any) -> tuple[Effect, Effect]:
    """RULES 12: not two actions, nor two abilities of one action."""
    left, right = (read_effect(f"{where}, {side}", table[side], of_home=True) for side in ("left", "right"))
    actions = [effect.do == "action" for effect in (left, right)]
    if all(actions) or (not any(actions) and left.action == right.action):
        refuse(where, "right", table["right"], "not two actions, nor two abilities of one action")
    return left, right


# ---------------------------------------------------------------- checking


def _check_track(file: str, board: Board) -> None:
    track = board.track
    if track["locks"] + track["hourglasses"] >= track["spaces"]:
        refuse(f"{file}: [track]", "spaces", track["spaces"], "more than locks and hourglasses")


def _check_prices(file: str, board: Board) -> None:
    """RULES 12: prices do not fall from left to right, nor with the number."""
    for name, table, keys in (
        ("recruiting", board.recruiting, ("one", "two")),
        ("display", board.display, ("one", "two", "three")),
    ):
        for key in keys:
            if table[key] != sorted(table[key]):
                refuse(f"{file}: [{name}]", key, table[key], "prices that do not fall from left to right")
        for fewer, more in pairwise(keys):
            if any(a > b for a, b in zip(table[fewer], table[more], strict=False)):
                refuse(f"{file}: [{name}]", more, table[more], f"prices not below those of {fewer}")


def _check_places(file: str, board: Board) -> None:
    """RULES 12: every symbol somewhere, six cities a region."""
    for name, places in (("city", board.cities), ("home", board.homes)):
        for side in ("large", "small"):
            have = {
                symbol
                for place in places
                for symbol in ((place.symbol,) if isinstance(place, City) else getattr(place, side))
            }
            if have != set(SYMBOLS):
                refuse(
                    f"{file}: [[{name}]]", side, sorted(have), f"{', '.join(SYMBOLS)}: every symbol somewhere"
                )
    for region in REGIONS:
        count = sum(city.region == region for city in board.cities)
        if count != CITIES_OF_REGION:
            refuse(f"{file}: [[city]]", f"region {region}", count, f"{CITIES_OF_REGION} cities")


def _check_bonus(file: str, board: Board) -> None:
    where = f"{file}: [[bonus]]"
    for condition in CONDITIONS:
        mine = [bonus for bonus in board.bonus if bonus.condition == condition]
        if len({bonus.least for bonus in mine}) != 1:
            refuse(
                where, f"least of {condition}", [bonus.least for bonus in mine], "one number for a condition"
            )
        for players in range(2, MAX_SEATS + 1):
            count = sum(players in bonus.players for bonus in mine)
            if count != players:
                refuse(where, f"players {players} of {condition}", count, f"{players} tiles")
        if sum(bonus.solo for bonus in mine) != 2:
            refuse(
                where,
                f"solo of {condition}",
                sum(bonus.solo for bonus in mine),
                "two tiles for the solo game",
            )


def _check_ranks(file: str, board: Board) -> None:
    least = [rank.least for rank in board.ranks]
    if least != sorted(set(least)):
        refuse(f"{file}: [[rank]]", "least", least, "rising numbers")


def _check_beginners(file: str, board: Board, first_cards: Sequence[str]) -> None:
    places = [beginner.place for beginner in board.beginners]
    if places != list(range(1, MAX_SEATS + 1)):
        refuse(f"{file}: [[beginner]]", "place", places, f"1..{MAX_SEATS} in order")
    given = [name for beginner in board.beginners for name in beginner.cards]
    if len(set(given)) < len(given):
        refuse(f"{file}: [[beginner]]", "cards", given, "different cards")
    for beginner in board.beginners:
        where = f"{file}: [[beginner]] {beginner.place}"
        for name in beginner.cards:
            if name not in first_cards:
                refuse(where, "cards", name, ", ".join(first_cards))
        for a, b in board.pairs:
            if beginner.citizens.get(a, 0) + beginner.citizens.get(b, 0) > board.room:
                refuse(where, "citizens", dict(beginner.citizens), f"{a} and {b} within their room")
