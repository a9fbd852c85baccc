"""The actions (PROTOCOL 1): their numbers and their texts.

An action is the place of a bit in the legal set, without a gap between the verbs. No action names a seat, so
every seat numbers them alike.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from genesia_rl.core.errors import ActionError
from genesia_rl.games.age_of_civilization.names import (
    ACTIONS,
    CIVILIZATIONS,
    SPECIALS,
    TECHNOLOGIES,
    WONDERS,
    WORD,
)


class Segment(NamedTuple):
    """The numbers of one verb: one action without an object (size 0), or one for each of `size` objects."""

    verb: str
    base: int
    size: int


#: PROTOCOL 1: verbs in the order of their numbers, with how many objects each has.
_VERBS = (
    ("end", 0), ("rest", 0), ("pass", 0), ("rise", CIVILIZATIONS), ("annex", CIVILIZATIONS),
    ("card", CIVILIZATIONS), ("act", len(ACTIONS)), ("special", SPECIALS), ("tech", TECHNOLOGIES),
    ("wonder", WONDERS), ("main", 0), ("heritage", CIVILIZATIONS),
)  # fmt: skip


def _segments() -> dict[str, Segment]:
    found: dict[str, Segment] = {}
    base = 0
    for verb, size in _VERBS:
        found[verb] = Segment(verb, base, size)
        base += max(1, size)
    return found


SEGMENTS = _segments()
END_ACTION, REST_ACTION, PASS_ACTION, RISE_BASE, ANNEX_BASE, CARD_BASE = (
    SEGMENTS[verb].base for verb in ("end", "rest", "pass", "rise", "annex", "card")
)
ACT_BASE, SPECIAL_BASE, TECH_BASE, WONDER_BASE, MAIN_ACTION, HERITAGE_BASE = (
    SEGMENTS[verb].base for verb in ("act", "special", "tech", "wonder", "main", "heritage")
)
NUM_ACTIONS = HERITAGE_BASE + CIVILIZATIONS
LEGAL_WORDS = -(-NUM_ACTIONS // WORD)


def verb_of(action: int) -> tuple[str, int]:
    """The verb of an action and its object: the number on the card, or the place of the action performed."""
    for segment in SEGMENTS.values():
        if segment.base <= action < segment.base + max(1, segment.size):
            place = action - segment.base
            return segment.verb, place if segment.verb == "act" or not segment.size else place + 1
    raise ActionError(f"action {action}: no such action, allowed are 0..{NUM_ACTIONS - 1}")


def action_text(action: int) -> str:
    """PROTOCOL 1: `end`, `rise:12`, `act:farm`."""
    verb, obj = verb_of(int(action))
    if not SEGMENTS[verb].size:
        return verb
    return f"{verb}:{ACTIONS[obj] if verb == 'act' else obj}"


_TEXT = re.compile(r"([a-z]+)(?::([a-z]+|[1-9][0-9]{0,3}))?")


def parse_action(text: str) -> int:
    """PROTOCOL 1: the number of an action's text."""
    match = _TEXT.fullmatch(text) if isinstance(text, str) else None
    if match is None or match[1] not in SEGMENTS:
        raise ActionError(f"action {text!r}: cannot be parsed, allowed are {', '.join(map(_form, SEGMENTS))}")
    segment, obj = SEGMENTS[match[1]], match[2]
    if (obj is None) != (not segment.size):
        raise ActionError(f"action {text!r}: cannot be parsed, allowed is {_form(segment.verb)}")
    return segment.base if obj is None else segment.base + _parse_object(text, segment, obj)


def _form(verb: str) -> str:
    """How an action of a verb is written."""
    if not SEGMENTS[verb].size:
        return verb
    return f"{verb}:{'ACTION' if verb == 'act' else 'NUMBER'}"


def _parse_object(text: str, segment: Segment, obj: str) -> int:
    """The place of an object among those of its verb."""
    if segment.verb == "act":
        if obj not in ACTIONS:
            raise ActionError(f"action {text!r}: no such action, allowed are {', '.join(ACTIONS)}")
        return ACTIONS.index(obj)
    if not obj.isdigit() or int(obj) > segment.size:
        raise ActionError(f"action {text!r}: no such number, allowed are 1..{segment.size}")
    return int(obj) - 1
