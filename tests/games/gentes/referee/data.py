"""The data files (RULES 12): cards, action tiles and boards, read from TOML files in a folder."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

TYPES = ("priest", "soldier", "merchant", "scholar", "artisan", "noble")
SYMBOLS = ("column", "amphora", "anchor")
REGIONS = ("red", "green", "yellow")
CUBES = ("temple", "oracle")
REWARDS = ("coins", "points", *CUBES)
CONDITIONS = ("cards", "citizens", "cities")
ANY = "any"
GAINS = (
    *REWARDS, "lose_coins", "citizen", "lose_citizen", "hours", "free_hours", "unlock", "card", "city",
    "activate", "first",
)  # fmt: skip
DECLINE_REWARDS = (*REWARDS, "free_hours")
LASTING = ("action", "gain", "discount", "hours", "extra", "amount", "double", "virtual", "hand")
ENVIRONMENT = "GENTES_DATA"

Effect = dict[str, Any]


class DataError(ValueError):
    """A data file that does not obey RULES 12."""


@dataclass(frozen=True)
class Card:
    """One Civilization card."""

    number: int
    name: str
    era: int
    needs: dict[str, int]
    symbols: tuple[str, ...]
    points: int
    synergy: tuple[str, ...]
    gains: tuple[Effect, ...]
    lasting: tuple[Effect, ...]
    decline: tuple[Effect, ...]

    @cached_property
    def once(self) -> Effect | None:
        """Its effect that may be used once a round; a card has at most one."""
        return next((effect for effect in self.lasting if effect["when"] == "once"), None)

    @property
    def half(self) -> int:
        """Half its points, rounded up."""
        return (self.points + 1) // 2


@dataclass(frozen=True)
class ActionTile:
    number: int
    action: str
    coins: int
    hours: int
    players: tuple[int, ...]
    solo: bool
    symbol: str | None


@dataclass(frozen=True)
class City:
    number: int
    name: str
    region: str
    symbol: str
    reward: str
    n: int


@dataclass(frozen=True)
class Home:
    number: int
    row: int
    large: tuple[str, ...]
    small: tuple[str, ...]


@dataclass(frozen=True)
class TaxCollector:
    number: int
    hours: int
    coins: int


@dataclass(frozen=True)
class BonusTile:
    condition: str
    least: int
    points: int
    players: tuple[int, ...]
    solo: bool


@dataclass(frozen=True)
class Data:
    """Everything that the three files say."""

    cards: dict[int, Card]
    tiles: dict[int, ActionTile]
    taxes: dict[int, TaxCollector]
    rows: dict[int, tuple[Effect, Effect]]  # left and right
    homes: dict[int, Home]
    cities: dict[int, City]
    bonus: tuple[BonusTile, ...]
    beginner: tuple[tuple[tuple[int, ...], dict[str, int]], ...]  # cards and citizens, by place
    ranks: tuple[tuple[int, str], ...]
    # [game]
    start_coins: int
    start_citizens: int
    hand_limit: int
    tokens: int
    cube_slots: int
    leader_coins: int
    coins_per_point: int
    cubes_per_point: int
    hire_cubes: int
    # [track]
    spaces: int
    locks: int
    hourglasses: int
    penalty: tuple[int, ...]
    # [citizens]
    pairs: tuple[tuple[str, str], ...]
    room: int
    # [recruiting]: prices of the six slots for one citizen and for two
    recruiting: tuple[tuple[int, ...], tuple[int, ...]]
    solo_slot: int
    # [display]: prices for one, two and three cards by rightmost slot; for one and two of the discard pile
    prices: tuple[tuple[int, ...], ...]
    discard_prices: tuple[int, ...]
    marked_slots: tuple[int, ...]

    def era_cards(self, era: int) -> list[int]:
        """The cards of an era, in order of number."""
        return sorted(card.number for card in self.cards.values() if card.era == era)

    def opposite(self, citizen: str) -> str:
        for a, b in self.pairs:
            if citizen in (a, b):
                return b if citizen == a else a
        raise AssertionError(f"{citizen} is no type")

    def price(self, cards: int, slot: int) -> int | None:
        """The least amount for so many cards of the display, the rightmost in this slot; None: never."""
        row = self.prices[cards - 1]
        return row[slot - 1] if slot <= len(row) else None

    @property
    def slots(self) -> int:
        """How many cards the display has room for."""
        return len(self.prices[0])


def data_folder(folder: str | Path | None = None) -> Path:
    """The folder given, else the one in the environment, else the package's own data folder."""
    if folder is not None:
        return Path(folder)
    if os.environ.get(ENVIRONMENT):
        return Path(os.environ[ENVIRONMENT])
    own = Path(__file__).resolve().parents[4] / "genesia_rl" / "games" / "gentes" / "data"
    if not own.is_dir():
        raise FileNotFoundError(f"no folder {own}: give the data folder, or set {ENVIRONMENT}")
    return own


def load_data(folder: str | Path | None = None) -> Data:
    return _load(str(data_folder(folder)))


@lru_cache(maxsize=8)
def _load(folder: str) -> Data:
    board, tiles, cards = (_read(Path(folder) / name) for name in ("board.toml", "tiles.toml", "cards.toml"))
    return make_data(board, tiles["tile"], cards["card"])


def _read(path: Path) -> dict[str, Any]:
    with open(path, "rb") as file:
        return tomllib.load(file)


def make_data(board: dict[str, Any], tiles: list[Effect], cards: list[Effect]) -> Data:
    """The data from the tables of the three files."""
    _numbered("card", cards, 54)
    _numbered("tile", tiles, 28)
    for name, last in (("tax", 2), ("row", 3), ("home", 9), ("city", 18)):
        _numbered(name, board[name], last)
    for table in cards:
        _check_effects(table)
    for table in board["row"]:
        _check_row(table)
    by_name = {table["name"]: table["number"] for table in cards}
    game, track, display, recruiting = (board[key] for key in ("game", "track", "display", "recruiting"))
    return Data(
        cards={table["number"]: _card(table) for table in cards},
        tiles={table["number"]: _tile(table) for table in tiles},
        taxes={t["number"]: TaxCollector(t["number"], t["hours"], t["coins"]) for t in board["tax"]},
        rows={t["number"]: (t["left"], t["right"]) for t in board["row"]},
        homes={
            t["number"]: Home(t["number"], t["row"], tuple(t["large"]), tuple(t["small"]))
            for t in board["home"]
        },
        cities={
            t["number"]: City(t["number"], t["name"], t["region"], t["symbol"], t["reward"], t["n"])
            for t in board["city"]
        },
        bonus=tuple(
            BonusTile(t["condition"], t["least"], t["points"], tuple(t["players"]), t["solo"])
            for t in board["bonus"]
        ),
        beginner=tuple(
            (tuple(by_name[name] for name in t["cards"]), dict(t["citizens"]))
            for t in sorted(board["beginner"], key=lambda t: int(t["place"]))
        ),
        ranks=tuple((t["least"], t["name"]) for t in board["rank"]),
        start_coins=game["start_coins"],
        start_citizens=game["start_citizens"],
        hand_limit=game["hand_limit"],
        tokens=game["tokens"],
        cube_slots=game["cube_slots"],
        leader_coins=game["leader_coins"],
        coins_per_point=game["coins_per_point"],
        cubes_per_point=game["cubes_per_point"],
        hire_cubes=game["hire_cubes"],
        spaces=track["spaces"],
        locks=track["locks"],
        hourglasses=track["hourglasses"],
        penalty=tuple(track["penalty"]),
        pairs=tuple((a, b) for a, b in board["citizens"]["pairs"]),
        room=board["citizens"]["room"],
        recruiting=(tuple(recruiting["one"]), tuple(recruiting["two"])),
        solo_slot=recruiting["solo_slot"],
        prices=tuple(tuple(display[key]) for key in ("one", "two", "three")),
        discard_prices=tuple(display["discard"]),
        marked_slots=tuple(display["marked"]),
    )


def _card(table: Effect) -> Card:
    return Card(
        number=table["number"],
        name=table["name"],
        era=table["era"],
        needs=dict(table["needs"]),
        symbols=tuple(table["cities"]),
        points=table["points"],
        synergy=tuple(table["synergy"]),
        gains=tuple(table["gains"]),
        lasting=tuple(table["lasting"]),
        decline=tuple(table["decline"]),
    )


def _tile(table: Effect) -> ActionTile:
    return ActionTile(
        number=table["number"],
        action=table["action"],
        coins=table["coins"],
        hours=table["hours"],
        players=tuple(table["players"]),
        solo=table["solo"],
        symbol=table.get("symbol"),
    )


# -------------------------------------------------------------------- what the rules rely on


def _need(condition: bool, entry: str, value: Any, allowed: str) -> None:
    if not condition:
        raise DataError(f"{entry} = {value!r}: allowed {allowed}")


def _numbered(name: str, tables: list[Effect], last: int) -> None:
    found = [table["number"] for table in tables]
    _need(found == list(range(1, last + 1)), f"numbers of [[{name}]]", found, f"1..{last} in order")


def _check_effects(card: Effect) -> None:
    entry = f"card {card['number']}"
    known: Iterable[tuple[str, tuple[str, ...]]]
    known = (("gains", GAINS), ("decline", DECLINE_REWARDS), ("lasting", LASTING))
    for key, allowed in known:
        for effect in card[key]:
            _need(effect.get("do") in allowed, f"{entry}, {key}", effect, f"do = {', '.join(allowed)}")
    once = [effect for effect in card["lasting"] if effect["when"] == "once"]
    _need(len(once) <= 1, f"{entry}, lasting", card["lasting"], "at most one effect once a round")


def _check_row(row: Effect) -> None:
    entry = f"row {row['number']}"
    a, b = row["left"], row["right"]
    actions = [side for side in (a, b) if side["do"] == "action"]
    _need(len(actions) < 2, entry, [a, b], "not two actions")
    _need(bool(actions) or a["action"] != b["action"], entry, [a, b], "not two abilities of one action")
    good = all(side["action"] != "navigator" for side in actions)
    _need(good, entry, actions, "no Navigator action")
