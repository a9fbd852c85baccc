"""The data files (RULES 8 and 14): read from TOML files in a folder, and refused if they are malformed."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

ENVIRONMENT = "AGE_OF_CIVILIZATION_DATA"
FILES = ("civilizations", "technologies", "wonders", "game")

ACTIONS = (
    "wonder",
    "research",
    "enslavement",
    "hunt",
    "fish",
    "farm",
    "trade",
    "culture",
    "construction",
    "conquest",
)
PLAIN = ("coins", "points", "workers", "others_coins")
OPTIONAL = ("perform", "deposit")  # at the end of the turn
# What may be done at each moment (RULES 8, first table).
MAY_DO = {
    "always": ("force", "discount", "labour", "space", "safe", "future", "forbid", "immune"),
    "birth": (*PLAIN, "technology", "wonder", "bonus_times"),
    "gain": PLAIN,
    "act": (*PLAIN, "perform"),
    "rest": ("coins", "points", "others_coins"),
    "turn_end": (*PLAIN, "technology", "wonder", "perform", "deposit"),
    "war": ("coins", "points"),
    "game_end": ("points",),
}
OF_ACTION = (*PLAIN, "technology", "wonder")
COUNTS = (
    "flat",
    "technologies",
    "row_1",
    "row_2",
    "row_3",
    "columns",
    "full_columns",
    "wonders",
    "civilizations",
    "workers",
    "coins",
    "points",
    "force",
    "strongest",
    "future",
    "bonus",
)
NAMING_AN_ACTION = ("discount", "labour", "space", "safe", "forbid")
COUNTED = (*PLAIN, "technology", "wonder", "force", "discount", "labour", "space")


class DataError(ValueError):
    """A data file that does not obey RULES 8 and 14."""


@dataclass(frozen=True)
class Effect:
    """One effect (RULES 8); `low` and `high` are its `min` and `max`, `techs` numbers of technologies."""

    do: str
    when: str = "always"
    action: str | None = None
    what: str = ""
    n: int = 1
    per: str = "flat"
    div: int = 1
    cap: int | None = None
    need: str | None = None
    low: int | None = None
    high: int | None = None
    techs: frozenset[int] | None = None
    not_at_end: bool = False
    points: int = 0


Effects = tuple[Effect, ...]
Cell = tuple[int, int]


@dataclass(frozen=True)
class Civilization:
    number: int
    name: str
    population: int
    main: Effects
    inherited: Effects


@dataclass(frozen=True)
class Technology:
    number: int
    name: str
    column: int
    row: int
    special: int | None  # the special card it stands on
    effects: Effects

    @property
    def cell(self) -> Cell:
        return self.column, self.row


@dataclass(frozen=True)
class Wonder:
    number: int
    name: str
    effects: Effects


@dataclass(frozen=True)
class Action:
    """One of the ten actions (RULES 7)."""

    name: str
    spaces: int
    workers: int
    red: bool
    price: int
    effects: Effects


@dataclass(frozen=True)
class Card:
    """One of the eight cards of the track."""

    name: str
    action: str | None
    war: bool
    plague: bool


@dataclass(frozen=True)
class EventEffect:
    who: str
    do: str
    n: int
    of: str = "flat"
    per: str = "flat"


@dataclass(frozen=True)
class Achievement:
    number: int
    name: str
    points: int
    needs: tuple[tuple[str, int | None, int | None], ...]  # what is counted, min, max


@dataclass(frozen=True)
class Data:
    civilizations: dict[int, Civilization]
    technologies: dict[int, Technology]
    arrows: tuple[tuple[Cell, Cell], ...]
    wonders: dict[int, Wonder]
    permanent: tuple[str, ...]
    first_game: tuple[str, ...]
    solo_removed: tuple[int, ...]
    actions: dict[str, Action]
    cards: dict[str, Card]
    events: dict[int, tuple[EventEffect, ...]]
    achievements: tuple[Achievement, ...]

    @property
    def specials(self) -> list[int]:
        """The special technology cards, ascending."""
        return sorted({t.special for t in self.technologies.values() if t.special is not None})

    def column_of(self, special: int) -> int:
        return next(t.column for t in self.technologies.values() if t.special == special)


# -------------------------------------------------------------------- the folder


def data_folder(folder: str | Path | None = None) -> Path:
    """The folder given, else the one in the environment, else the package's own data folder."""
    if folder is not None:
        return Path(folder)
    if os.environ.get(ENVIRONMENT):
        return Path(os.environ[ENVIRONMENT])
    own = Path(__file__).resolve().parents[4] / "genesia_rl" / "games" / "age_of_civilization" / "data"
    if not own.is_dir():
        raise FileNotFoundError(f"no folder {own}: give the data folder, or set {ENVIRONMENT}")
    return own


def load_data(folder: str | Path | None = None) -> Data:
    return _load(str(data_folder(folder)))


@lru_cache(maxsize=8)
def _load(folder: str) -> Data:
    tables = {}
    for name in FILES:
        with open(Path(folder) / f"{name}.toml", "rb") as file:
            tables[name] = tomllib.load(file)
    try:
        return make_data(tables)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise DataError(f"malformed data in {folder}: {error!r}") from error


# -------------------------------------------------------------------- reading


def _need(condition: bool, where: str, key: str, value: Any, allowed: str) -> None:
    if not condition:
        raise DataError(f"{where}: {key} = {value!r}: allowed {allowed}")


def _number(table: dict[str, Any], where: str, key: str, low: int, high: int) -> int:
    value = table[key]
    _need(type(value) is int and low <= value <= high, where, key, value, f"{low}..{high}")
    assert isinstance(value, int)
    return value


def _word(table: dict[str, Any], where: str, key: str, allowed: Iterable[str]) -> str:
    allowed = tuple(allowed)
    _need(table[key] in allowed, where, key, table[key], ", ".join(allowed))
    return str(table[key])


def _flag(table: dict[str, Any], where: str, key: str) -> bool:
    _need(type(table[key]) is bool, where, key, table[key], "true or false")
    return bool(table[key])


def _numbered(tables: list[dict[str, Any]], where: str, last: int) -> None:
    numbers = [t.get("number") for t in tables]
    _need(numbers == list(range(1, last + 1)), where, "number", numbers, f"1..{last}, in order")


class _Reader:
    """Turns tables into effects; it knows the numbers of the technologies by their names."""

    def __init__(self, technologies: list[dict[str, Any]]) -> None:
        self.numbers = {t["name"]: t["number"] for t in technologies}

    def ability(self, tables: Any, where: str, moments: Sequence[str], empty: bool = False) -> Effects:
        _need(isinstance(tables, list) and (empty or tables != []), where, "effects", tables, "effects")
        effects = tuple(self.effect(t, f"{where}, effect {i}", moments) for i, t in enumerate(tables))
        ends = [e.do for e in effects if e.when == "turn_end"]
        alone = len(ends) < 2 or not set(ends) & set(OPTIONAL)
        _need(alone, where, "turn_end", ends, "an optional one only without another")
        return effects

    def effect(self, t: dict[str, Any], where: str, moments: Sequence[str]) -> Effect:
        """`moments` is empty for an effect of an action."""
        when = _word({"when": t.get("when", "always")}, where, "when", moments) if moments else "always"
        _need(bool(moments) or "when" not in t, where, "when", t.get("when"), "no such key in an action")
        do = _word(t, where, "do", MAY_DO[when] if moments else OF_ACTION)
        self._keys(t, where, do, when)
        for key in ("per", "need"):
            if key in t:
                counted = [c for c in COUNTS if c != "bonus" or when == "birth"]
                if do == "force":
                    counted = [c for c in counted if c not in ("force", "strongest")]
                _word(t, where, key, counted)
        bounds = {"n": (-9 if do in ("others_coins", "labour") else 1, 99 if do == "discount" else 9)}
        bounds |= {"div": (1, 20), "cap": (1, 20), "points": (0, 9), "min": (0, 99), "max": (0, 99)}
        for key, (low, high) in bounds.items():
            if key in t:
                _number(t, where, key, low, high)
        _need(t.get("n") != 0, where, "n", 0, "not 0")
        for key in ("action", "what"):
            if key in t:
                _word(t, where, key, ACTIONS)
        techs = None
        if "techs" in t:
            known = isinstance(t["techs"], list) and t["techs"] and set(t["techs"]) <= set(self.numbers)
            _need(bool(known), where, "techs", t["techs"], "a list of names of technologies")
            _need(t.get("action") == "research", where, "techs", t["techs"], "only with research")
            techs = frozenset(self.numbers[name] for name in t["techs"])
        return Effect(
            do=do,
            when=when,
            action=t.get("action"),
            what=t.get("what", ""),
            n=t.get("n", 1),
            per=t.get("per", "flat"),
            div=t.get("div", 1),
            cap=t.get("cap"),
            need=t.get("need"),
            low=t.get("min"),
            high=t.get("max"),
            techs=techs,
            not_at_end=_flag(t, where, "not_at_end") if "not_at_end" in t else False,
            points=t.get("points", 0),
        )

    @staticmethod
    def _keys(t: dict[str, Any], where: str, do: str, when: str) -> None:
        """Every key that the word needs, and none that it does not know."""
        needed = {"do"}
        known = {"when", "need"}
        if when == "act" or do in NAMING_AN_ACTION:
            needed.add("action")
        if do in COUNTED:
            needed.add("n")
            known |= {"per", "div", "cap"}
        if do in ("deposit", "bonus_times"):
            needed.add("n")
        if do == "deposit":
            needed.add("points")
        if do == "perform":
            needed.add("what")
        if do == "discount":
            known.add("not_at_end")
        if do == "discount" or when == "act":
            known.add("techs")
        if "need" in t:
            known |= {"min", "max"}
        for key in t:
            allowed = ", ".join(sorted(needed | known))
            _need(key in needed | known, where, key, t[key], f"no such key with {do}; allowed are {allowed}")
        for key in sorted(needed):
            _need(key in t, where, key, "missing", "a value")


CIVILIZATION_MOMENTS = [when for when in MAY_DO if when != "gain"]
INHERITED_MOMENTS = [when for when in CIVILIZATION_MOMENTS if when != "birth"]
THING_MOMENTS = [when for when in MAY_DO if when != "birth"]


def make_data(files: dict[str, dict[str, Any]]) -> Data:
    """The tables of the four files, by name, as `tomllib` reads them."""
    reader = _Reader(files["technologies"]["technology"])
    technologies = _technologies(files["technologies"], reader)
    _numbered(files["civilizations"]["civilization"], "civilizations.toml", 48)
    _numbered(files["wonders"]["wonder"], "wonders.toml", 15)
    civilizations = [_civilization(t, reader) for t in files["civilizations"]["civilization"]]
    wonders = [
        Wonder(t["number"], t["name"], reader.ability(t["effects"], f"wonder {t['number']}", THING_MOMENTS))
        for t in files["wonders"]["wonder"]
    ]
    game = files["game"]
    actions = [_action(t, reader) for t in game["action"]]
    names = [action.name for action in actions]
    _need(names == list(ACTIONS), "game.toml", "action", names, ", ".join(ACTIONS))
    cards = [_card(t) for t in game["card"]]
    track = sorted(card.name for card in cards)
    _need(len(set(track)) == len(track) == 8, "game.toml", "card", track, "eight different names")
    _need(sum(card.plague for card in cards) == 1, "game.toml", "plague", track, "on exactly one card")
    shown = sorted([*game["permanent"], *(card.action for card in cards if card.action is not None)])
    _need(shown == sorted(ACTIONS), "game.toml", "card.action", shown, "every action once")
    first_game = game["first_game"]
    _need(sorted(first_game) == track, "game.toml", "first_game", first_game, "every card once")
    removed = game["solo_removed"]
    _need(set(removed) <= set(range(1, 49)), "game.toml", "solo_removed", removed, "civilizations")
    _numbered(game["event"], "game.toml, event", 9)
    _numbered(game["achievement"], "game.toml, achievement", len(game["achievement"]))
    return Data(
        civilizations={c.number: c for c in civilizations},
        technologies=technologies,
        arrows=tuple(((a[0], a[1]), (b[0], b[1])) for a, b in files["technologies"]["arrows"]),
        wonders={w.number: w for w in wonders},
        permanent=tuple(game["permanent"]),
        first_game=tuple(first_game),
        solo_removed=tuple(removed),
        actions={action.name: action for action in actions},
        cards={card.name: card for card in cards},
        events={t["number"]: _event(t) for t in game["event"]},
        achievements=tuple(_achievement(t) for t in game["achievement"]),
    )


def _technologies(file: dict[str, Any], reader: _Reader) -> dict[int, Technology]:
    tables = file["technology"]
    _numbered(tables, "technologies.toml", 27)
    found: dict[int, Technology] = {}
    for t in tables:
        k, where = t["number"], f"technology {t['number']}"
        column, row = _number(t, where, "column", 1, 3), _number(t, where, "row", 1, 3)
        if k <= 9:
            place = ((k - 1) // 3 + 1, (k - 1) % 3 + 1, None)
        else:
            place = (found[k - 1].column if k % 2 else column, k % 2 + 1, (k - 8) // 2)
        found_at = (column, row, t.get("special"))
        _need(found_at == place, where, "column, row, special", found_at, str(place))
        effects = reader.ability(t["effects"], where, THING_MOMENTS)
        found[k] = Technology(k, t["name"], column, row, t.get("special"), effects)
    cells = {(column, row) for column in (1, 2, 3) for row in (1, 2, 3)}
    for a, b in file["arrows"]:
        fine = tuple(a) in cells and tuple(b) in cells and b[1] == a[1] + 1
        _need(fine, "technologies.toml", "arrows", [a, b], "from a cell to one of the next row")
    return found


def _civilization(t: dict[str, Any], reader: _Reader) -> Civilization:
    where = f"civilization {t['number']}"
    return Civilization(
        number=t["number"],
        name=t["name"],
        population=_number(t, where, "population", 1, 4),
        main=reader.ability(t["main"], f"{where}, main", CIVILIZATION_MOMENTS),
        inherited=reader.ability(t["inherited"], f"{where}, inherited", INHERITED_MOMENTS),
    )


def _action(t: dict[str, Any], reader: _Reader) -> Action:
    where = f"action {t['name']}"
    effects = reader.ability(t["effects"], where, (), empty=True)
    gains = [e.n for e in effects if e.do == "technology"]
    wanted = [1] if t["name"] == "research" else []
    _need(gains == wanted, where, "technology", gains, "one for research, none elsewhere")
    spaces, workers = _number(t, where, "spaces", 1, 4), _number(t, where, "workers", 1, 4)
    red, price = _flag(t, where, "red"), _number(t, where, "price", 0, 20)
    return Action(t["name"], spaces, workers, red, price, effects)


def _card(t: dict[str, Any]) -> Card:
    where = f"card {t['name']}"
    action = _word(t, where, "action", ACTIONS) if "action" in t else None
    return Card(t["name"], action, _flag(t, where, "war"), _flag(t, where, "plague"))


def _event(t: dict[str, Any]) -> tuple[EventEffect, ...]:
    counts = [c for c in COUNTS if c != "bonus"]
    found = []
    for e in t["effects"]:
        where = f"event {t['number']}"
        who = _word(e, where, "who", ("all", "most", "least"))
        do = _word(e, where, "do", ("coins", "points", "workers"))
        n = _number(e, where, "n", 1 if do == "points" else -9, 9)
        _need(n != 0, where, "n", n, "not 0")
        of = "flat" if who == "all" else _word(e, where, "of", counts)
        per = _word(e, where, "per", counts) if "per" in e else "flat"
        found.append(EventEffect(who, do, n, of, per))
    return tuple(found)


def _achievement(t: dict[str, Any]) -> Achievement:
    where = f"achievement {t['number']}"
    needs = tuple((_word(e, where, "need", COUNTS), e.get("min"), e.get("max")) for e in t["needs"])
    return Achievement(t["number"], t["name"], _number(t, where, "points", 0, 99), needs)
