"""What deals and positions have in common: numbers, lists of cards, the track, and errors that name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.reading import is_int, nearest, shown
from genesia_rl.games.age_of_civilization.config import Config
from genesia_rl.games.age_of_civilization.data.box import load_box
from genesia_rl.games.age_of_civilization.names import EVENT_CARDS, EVENTS, SOLO_PLAGUE, TRACKS


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

    def numbers(
        self, where: str, value: object, most: int, size: int | None = None, absent: Iterable[int] = ()
    ) -> list[int]:
        """Different numbers of cards 1..most, so many of them if it is said, none of those that are absent."""
        if not isinstance(value, list) or (size is not None and len(value) != size):
            self.refuse(where, value, f"a list of {'' if size is None else f'{size} '}numbers 1..{most}")
        for place, number in enumerate(value):
            self.number(f"{where}[{place}]", number, 1, most)
            if number in absent:
                self.refuse(f"{where}[{place}]", number, "no card that is removed in the solo mode")
            if number in value[:place]:
                self.refuse(f"{where}[{place}]", number, "every number once")
        return value

    def by_seat(self, where: str, value: object) -> list[object]:
        """A list with an item for every seat."""
        if not isinstance(value, list) or len(value) != self.config.players:
            self.refuse(where, value, f"a list of {self.config.players}, one for each seat")
        return value

    def removed(self) -> tuple[int, ...]:
        """RULES 12: the civilizations that are not in the box."""
        return self.box.board.solo_removed if self.config.is_solo else ()

    def track(self, value: object) -> list[int]:
        """RULES 4.1 and 12: an order of the eight cards."""
        cards = self.box.board.cards
        names = [card.name for card in cards]
        if not isinstance(value, list) or sorted(map(str, value)) != sorted(names):
            self.refuse("track", value, f"an order of {', '.join(names)}")
        order = [names.index(name) for name in value]
        if self.config.is_solo and not cards[order[SOLO_PLAGUE]].plague:
            self.refuse("track", value, "an order in which the Plague is the fifth card, in solo")
        if self.config.track != TRACKS[0] and tuple(value) != self.box.board.first_game:
            self.refuse("track", value, f"{', '.join(self.box.board.first_game)}, with track = first_game")
        return order

    def events(self, value: object) -> list[int]:
        """RULES 4.5: three event tokens, or none without changing_world."""
        if not self.config.changing_world:
            if value is not None:
                self.refuse("events", value, "null without changing_world")
            return []
        return self.numbers("events", value, EVENTS, EVENT_CARDS)
