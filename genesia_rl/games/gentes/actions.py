"""Actions and their numbers (PROTOCOL 1): one whole number each, and its text."""

from __future__ import annotations

import re
from typing import NamedTuple

from genesia_rl.core.errors import ActionError
from genesia_rl.games.gentes.names import (
    ACTS,
    CARDS,
    CITIES,
    HOMES,
    MAX_COST,
    MAX_SPACES,
    NUM_WILD,
    REGIONS,
    REWARDS,
    TAXES,
    TILES,
    TYPES,
    WORD,
)


class Segment(NamedTuple):
    """The actions of one verb: the first number, and what stands behind the colon (nothing: no object)."""

    verb: str
    base: int
    objects: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many actions it has."""
        return max(1, len(self.objects))


def _numbers(first: int, last: int) -> tuple[str, ...]:
    return tuple(map(str, range(first, last + 1)))


#: Verbs in the order of their numbers, with their objects.
_VERBS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("tile", _numbers(1, TILES)), ("tax", _numbers(1, TAXES)), ("city", _numbers(1, CITIES)),
    ("home", _numbers(1, HOMES)), ("card", _numbers(1, CARDS)), ("use", _numbers(1, CARDS)), ("citizen", TYPES),
    ("pay", _numbers(1, MAX_COST)), ("double", _numbers(0, MAX_SPACES)), ("count", _numbers(1, 2)),
    ("region", REGIONS), ("gain", REWARDS), ("do", ACTS[:NUM_WILD]), ("amount", _numbers(0, 3)), ("swap", ()),
    ("hire", ()), ("end", ()),
)  # fmt: skip


def _segments() -> dict[str, Segment]:
    found: dict[str, Segment] = {}
    base = 0
    for verb, objects in _VERBS:
        found[verb] = Segment(verb, base, objects)
        base += found[verb].size
    return found


SEGMENTS = _segments()
(
    TILE_BASE, TAX_BASE, CITY_BASE, HOME_BASE, CARD_BASE, USE_BASE, CITIZEN_BASE, PAY_BASE, DOUBLE_BASE, COUNT_BASE,
    REGION_BASE, GAIN_BASE, DO_BASE, AMOUNT_BASE, SWAP_ACTION, HIRE_ACTION, END_ACTION,
) = (segment.base for segment in SEGMENTS.values())  # fmt: skip
#: Cities and Homes follow one another: the places for tokens.
PLACE_BASE = CITY_BASE
NUM_ACTIONS = END_ACTION + 1
LEGAL_WORDS = -(-NUM_ACTIONS // WORD)


def segment_of(action: int) -> Segment:
    """The segment of an action."""
    for segment in SEGMENTS.values():
        if segment.base <= action < segment.base + segment.size:
            return segment
    raise ActionError(f"action {action}: no such action, allowed are 0..{NUM_ACTIONS - 1}")


def action_text(action: int) -> str:
    """PROTOCOL 1: `end`, `tile:12`, `citizen:priest`."""
    segment = segment_of(int(action))
    if not segment.objects:
        return segment.verb
    return f"{segment.verb}:{segment.objects[int(action) - segment.base]}"


_TEXT = re.compile(r"([a-z]+)(?::([a-z]+|0|[1-9][0-9]{0,3}))?")


def parse_action(text: str) -> int:
    """PROTOCOL 1: the number of an action's text."""
    match = _TEXT.fullmatch(text) if isinstance(text, str) else None
    if match is None or match[1] not in SEGMENTS:
        raise ActionError(f"action {text!r}: cannot be parsed, allowed are {', '.join(map(_form, SEGMENTS))}")
    segment, obj = SEGMENTS[match[1]], match[2]
    if (obj is None) == bool(segment.objects):
        raise ActionError(f"action {text!r}: cannot be parsed, allowed is {_form(segment.verb)}")
    if obj is None:
        return segment.base
    if obj not in segment.objects:
        allowed = ", ".join(segment.objects)
        raise ActionError(f"action {text!r}: no such action, allowed behind the colon are {allowed}")
    return segment.base + segment.objects.index(obj)


def _form(verb: str) -> str:
    """How an action of a verb is written."""
    return f"{verb}:OBJECT" if SEGMENTS[verb].objects else verb
