"""What deals and positions have in common: numbers, lists of cards, types, and errors that name them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NoReturn

from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.reading import is_int, nearest, shown
from genesia_rl.games.gentes.config import Config
from genesia_rl.games.gentes.data.box import load_box
from genesia_rl.games.gentes.names import CARDS, TYPES


class Checker:
    """Checks the parts of one object and refuses with one kind of error."""

    def __init__(self, config: Config, what: str, error: type[GenesiaError]) -> None:
        self.config = config
        self.what = what
        self.error = error
        self.box = load_box(config.data)

    def refuse(self, where: str, value: object, allowed: str) -> NoReturn:
        """Raise the one-line error."""
        raise self.error(f"{self.what}.{where} = {shown(value)}, allowed {allowed}")

    def keys(self, found: object, needed: Sequence[str], optional: Sequence[str] = ()) -> None:
        """An object with exactly the keys it should have."""
        known = (*needed, *optional)
        if not isinstance(found, Mapping):
            keys = ", ".join(known)
            raise self.error(f"{self.what} = {shown(found)}, allowed an object with the keys {keys}")
        for key in found:
            if key not in known:
                allowed = ", ".join(known) + nearest(key, known)
                raise self.error(f"{self.what}: unknown key {shown(key)}, allowed {allowed}")
        for key in needed:
            if key not in found:
                raise self.error(f"{self.what}: the key {key} is missing, allowed {', '.join(known)}")

    def number(self, where: str, value: object, low: int, high: int) -> int:
        """An integer of a range."""
        if not is_int(value, low, high):
            self.refuse(where, value, f"{low}..{high}")
        return value

    def numbers(self, where: str, value: object, size: int, low: int, high: int) -> list[int]:
        """A list of so many integers of a range."""
        if not isinstance(value, list) or len(value) != size:
            self.refuse(where, value, f"a list of {size} numbers {low}..{high}")
        return [self.number(f"{where}[{place}]", item, low, high) for place, item in enumerate(value)]

    def cards(self, where: str, value: object, among: Collection[int], size: int | None = None) -> list[int]:
        """Different cards among some, so many of them if it is said."""
        if not isinstance(value, list) or (size is not None and len(value) != size):
            self.refuse(where, value, f"a list of {'' if size is None else f'{size} '}cards")
        for place, number in enumerate(value):
            self.number(f"{where}[{place}]", number, 1, CARDS)
            if number not in among:
                self.refuse(f"{where}[{place}]", number, f"one of {', '.join(map(str, sorted(among)))}")
            if number in value[:place]:
                self.refuse(f"{where}[{place}]", number, "every card once")
        return value

    def by_seat(self, where: str, value: object) -> list[object]:
        """A list with an item for every seat."""
        if not isinstance(value, list) or len(value) != self.config.players:
            self.refuse(where, value, f"a list of {self.config.players}, one for each seat")
        return value

    def recruit(self, value: object) -> list[int]:
        """An order of the six types."""
        if not isinstance(value, list) or sorted(map(str, value)) != sorted(TYPES):
            self.refuse("recruit", value, f"an order of {', '.join(TYPES)}")
        return [TYPES.index(name) for name in value]
