"""Changing numbers in a TOML text and nothing else: comments, order and layout stay as they were written."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from typing import Any

from genesia_rl.core.errors import DataError
from genesia_rl.core.reading import parse_toml

#: Where a value stands: the keys and the places in lists that lead to it.
Place = tuple[str | int, ...]

_SKIPPED = re.compile(r"(?:\s|#[^\n]*)*")
_WORD = re.compile(r"[A-Za-z0-9_-]+")
_BARE = re.compile(r"[^\s,\]}#]+")
#: Texts, the longest marks first: several lines or one, with escapes or without.
_TEXTS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r'"""(?:\\.|[^\\])*?"{3,5}(?!")', r"'''.*?'{3,5}(?!')",
        r'"(?:\\.|[^"\\])*"', r"'[^']*'",
    )
)  # fmt: skip


def replaced(file: str, text: str, values: Mapping[Place, int]) -> str:
    """The text with other numbers at some places; the rest is kept, letter for letter."""
    wanted = parse_toml(file, text)
    known = _Scanner(text).spans if values else {}
    found = text
    for place, value in sorted(values.items(), key=lambda held: known.get(held[0], (0, 0)), reverse=True):
        if place not in known or not isinstance(value_at(wanted, place), int):
            raise DataError(f"{file}: {told(place)}: is no number, allowed are places of whole numbers")
        first, last = known[place]
        found = f"{found[:first]}{value}{found[last:]}"
    return _checked(file, found, wanted, values)


def _checked(file: str, text: str, before: Mapping[str, Any], values: Mapping[Place, int]) -> str:
    """What was written says what it should, and nothing else has changed."""
    wanted = copy.deepcopy(dict(before))
    for place, value in values.items():
        value_at(wanted, place[:-1])[place[-1]] = value
    if parse_toml(file, text) != wanted:
        raise DataError(f"{file}: is written in a way that cannot be changed number by number")
    return text


def value_at(table: Any, place: Place) -> Any:
    """What stands at a place; None if nothing does."""
    for key in place:
        try:
            table = table[key]
        except (KeyError, IndexError, TypeError):
            return None
    return table


def told(place: Place) -> str:
    """A place in words: `card.3.cost`."""
    return ".".join(map(str, place))


class _Scanner:
    """Goes through a text that is known to be TOML and notes where its bare values stand."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.spans: dict[Place, tuple[int, int]] = {}
        self._last: dict[Place, int] = {}  # of each list of tables: its last entry
        self._table: Place = ()
        while self._skip() < len(text):
            self._header() if text[self.at] == "[" else self._pair(self._table)

    def _skip(self) -> int:
        """Go on to what is neither blank nor remark."""
        found = _SKIPPED.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at

    def _take(self, mark: str) -> bool:
        """Is this the mark? Then go on behind it."""
        self._skip()
        taken = self.text.startswith(mark, self.at)
        self.at += len(mark) * taken
        return taken

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if not found:
            return ""
        self.at = found.end()
        return found.group()

    def _keys(self) -> tuple[str, ...]:
        """A key, or several with dots between."""
        found = [self._key()]
        while self._take("."):
            found.append(self._key())
        return tuple(found)

    def _key(self) -> str:
        self._skip()
        text = self._match(_WORD) or self._string()
        return str(json.loads(text)) if text.startswith('"') else text.strip("'")

    def _string(self) -> str:
        return next((text for pattern in _TEXTS if (text := self._match(pattern))), "")

    def _header(self) -> None:
        """`[table]`, or one more of `[[tables]]`."""
        is_list = self._take("[[")
        if not is_list:
            self._take("[")
        *above, name = self._keys()
        place = (*self._resolved(above), name)
        if is_list:
            self._last[place] = self._last.get(place, -1) + 1
        self._table = self._resolved((name,), place[:-1])
        self._take("]]" if is_list else "]")

    def _resolved(self, keys: list[str] | tuple[str, ...], place: Place = ()) -> Place:
        """The place of a table; of a list of tables the last is meant."""
        for key in keys:
            place = (*place, key)
            if place in self._last:
                place = (*place, self._last[place])
        return place

    def _pair(self, table: Place) -> None:
        keys = self._keys()
        self._take("=")
        self._value((*table, *keys))

    def _value(self, place: Place) -> None:
        if self._take("["):
            self._list(place)
        elif self._take("{"):
            self._inline(place)
        elif not self._string():
            first = self.at
            self._match(_BARE)
            self.spans[place] = first, self.at

    def _list(self, place: Place) -> None:
        number = 0
        while not self._take("]"):
            self._value((*place, number))
            self._take(",")
            number += 1

    def _inline(self, place: Place) -> None:
        while not self._take("}"):
            self._pair(place)
            self._take(",")
