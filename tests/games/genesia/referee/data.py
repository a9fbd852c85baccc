"""The data files (RULES 12): cards and objectives, read from TOML files in a folder."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .meaning import data_problems, refuse

ENVIRONMENT = "GENESIA_DATA"

# RULES 10: the cards the solo mode removes, by level and Age.
SOLO_REMOVED: dict[str, dict[int, set[int]]] = {
    "beginner": {1: {6, 11}, 2: {36, 39}, 3: {64, 65, 70, 72}},
    "expert": {1: {5, 12}, 2: {33, 42}, 3: {64, 65, 69, 72}},
    "heroic": {1: {3, 9}, 2: {34, 45}, 3: {64, 65, 67, 72}},
}


@dataclass(frozen=True)
class Card:
    """One card (RULES 7)."""

    number: int
    name: str
    age: int
    lot: str
    icons: tuple[str, ...]
    cost: int
    invention: int
    timing: str
    copies: tuple[str, ...]
    effects: tuple[dict[str, Any], ...]

    def does(self, effect: str) -> bool:
        return any(e["do"] == effect for e in self.effects)


@dataclass(frozen=True)
class Data:
    """All cards and all objectives, by number."""

    cards: dict[int, Card]
    objectives: dict[int, dict[str, Any]]

    def deck_of(self, age: int, lot: str) -> list[int]:
        """The cards of one Age and one lot, in order of number."""
        return sorted(c.number for c in self.cards.values() if c.age == age and c.lot == lot)

    def objectives_of(self, lots: Collection[str]) -> list[int]:
        """The objectives of these lots (colours or black), in order of number."""
        return sorted(number for number, o in self.objectives.items() if o["lot"] in lots)

    def age_cards(self, age: int) -> list[int]:
        """Every card of the Age, promos included."""
        return sorted(c.number for c in self.cards.values() if c.age == age)


def data_folder(folder: str | Path | None = None) -> Path:
    """The folder given, else the one in the environment, else the package's own data folder."""
    if folder is not None:
        return Path(folder)
    if os.environ.get(ENVIRONMENT):
        return Path(os.environ[ENVIRONMENT])
    own = Path(__file__).resolve().parents[4] / "genesia_rl" / "games" / "genesia" / "data"
    if not own.is_dir():
        raise FileNotFoundError(f"no folder {own}: give the data folder, or set {ENVIRONMENT}")
    return own


def load_data(folder: str | Path | None = None) -> Data:
    return _load(str(data_folder(folder)))


@lru_cache(maxsize=8)
def _load(folder: str) -> Data:
    with open(Path(folder) / "cards.toml", "rb") as file:
        tables = tomllib.load(file)["card"]
    with open(Path(folder) / "objectives.toml", "rb") as file:
        objectives = tomllib.load(file)["objective"]
    refuse(data_problems(tables, objectives), folder)
    cards = {
        t["number"]: Card(
            number=t["number"],
            name=t["name"],
            age=t["age"],
            lot=t["lot"],
            icons=tuple(t["icons"]),
            cost=t["cost"],
            invention=t["invention"],
            timing=t["timing"],
            copies=tuple(t.get("copies", ())),
            effects=tuple(t["effects"]),
        )
        for t in tables
    }
    return Data(cards, {o["number"]: o for o in objectives})
