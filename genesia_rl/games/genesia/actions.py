"""The actions (PROTOCOL 1): one segment of numbers for each verb, and their texts.

An action is the place of a bit in the legal set. Segments begin on 64-bit words, so that a legal set
is a few word operations; numbers between segments are never legal. New verbs go at the end. Numbers
are absolute here: what an agent sees is rotated to its own seat in observe.py.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from genesia_rl.core.errors import ActionError
from genesia_rl.games.genesia.names import (
    CLANS,
    EDGE_WORDS,
    MAX_CARD,
    MAX_OBJECTIVE,
    MAX_REGIONS,
    MAX_SEATS,
    WORD,
)


class Segment(NamedTuple):
    """The numbers of one verb: `base + object - first`, for `size` objects."""

    verb: str
    first: int
    size: int
    new_word: bool


_SEGMENTS = (
    Segment("end", 0, 1, True),
    Segment("war", 0, 1, False),
    Segment("peace", 0, 1, False),
    Segment("position", 0, MAX_SEATS, False),
    Segment("seat", 0, MAX_SEATS, False),
    Segment("objective", 1, MAX_OBJECTIVE, False),
    Segment("amount", 0, CLANS + 1, False),
    Segment("region", 0, MAX_REGIONS, True),
    Segment("card", 0, MAX_CARD + 1, True),
    Segment("discard", 0, MAX_CARD + 1, True),
    Segment("edge", 0, EDGE_WORDS * WORD, True),
)


def _lay_out() -> tuple[dict[str, int], int]:
    bases, place = {}, 0
    for segment in _SEGMENTS:
        if segment.new_word:
            place = -(-place // WORD) * WORD
        bases[segment.verb] = place
        place += segment.size
    return bases, -(-place // WORD) * WORD


BASES, NUM_ACTIONS = _lay_out()
SEGMENTS = {segment.verb: segment for segment in _SEGMENTS}
VERBS = tuple(SEGMENTS)
LEGAL_WORDS = NUM_ACTIONS // WORD

END_ACTION = BASES["end"]
WAR_ACTION = BASES["war"]
PEACE_ACTION = BASES["peace"]
POSITION_BASE = BASES["position"]
SEAT_BASE = BASES["seat"]
OBJECTIVE_BASE = BASES["objective"] - 1  # objectives are numbered from 1
AMOUNT_BASE = BASES["amount"]
REGION_BASE = BASES["region"]
CARD_BASE = BASES["card"]
DISCARD_BASE = BASES["discard"]
EDGE_BASE = BASES["edge"]

REGION_WORD = REGION_BASE // WORD
CARD_WORD = CARD_BASE // WORD
DISCARD_WORD = DISCARD_BASE // WORD
EDGE_WORD = EDGE_BASE // WORD

_PLAIN = ("end", "war", "peace")
_TEXT = re.compile(
    r"(end|war|peace)|(position|seat|objective|amount|region|card|discard):(\d+)|edge:(\d+)-(\d+)"
)


def verb_of(action: int) -> tuple[str, int]:
    """The verb and the object of an action; an edge's object is its place in the edge table."""
    for verb in reversed(VERBS):
        if action >= BASES[verb]:
            segment = SEGMENTS[verb]
            place = action - BASES[verb]
            if place >= segment.size:
                break
            return verb, place + segment.first
    raise ActionError(f"action {action}: no such action, allowed are the segments up to {NUM_ACTIONS - 1}")


def action_number(verb: str, obj: int = 0) -> int:
    """The number of a verb and its object."""
    segment = SEGMENTS.get(verb)
    if segment is None:
        raise ActionError(f"verb {verb!r}: unknown, allowed are {', '.join(VERBS)}")
    if not segment.first <= obj < segment.first + segment.size:
        last = segment.first + segment.size - 1
        raise ActionError(f"{verb} {obj}: out of range, allowed are {segment.first}..{last}")
    return BASES[verb] + obj - segment.first


class ActionTexts:
    """Action numbers and their texts on one board, whose directed edges are given in their order."""

    def __init__(self, edges: dict[int, tuple[int, int]]) -> None:
        self._edges = edges
        self._places = {edge: place for place, edge in edges.items()}

    def text(self, action: int) -> str:
        """`edge:3-6`, `card:12`, `end`: an action as a trace writes it."""
        verb, obj = verb_of(int(action))
        if verb in _PLAIN:
            return verb
        if verb == "edge":
            if obj not in self._edges:
                raise ActionError(f"action {action}: this board has no such edge")
            return "edge:{}-{}".format(*self._edges[obj])
        return f"{verb}:{obj}"

    def parse(self, text: str) -> int:
        """The number of an action's text."""
        match = _TEXT.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ActionError(
                f"action {text!r}: cannot be parsed, allowed are end, war, peace, edge:A-B and VERB:N with "
                "VERB one of position, seat, objective, amount, region, card, discard"
            )
        plain, verb, obj, a, b = match.groups()
        if plain:
            return action_number(plain)
        if verb:
            return action_number(verb, int(obj))
        place = self._places.get((int(a), int(b)))
        if place is None:
            raise ActionError(f"action {text!r}: regions {a} and {b} are not adjacent on this board")
        return action_number("edge", place)
