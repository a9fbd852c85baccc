"""Environments as bytes: a header, which is a line of JSON, and the state. All is checked before it is taken over.

A digest of the rest stands in the header: without it, a save that was cut or damaged would be told by luck alone. Who
changes a save on purpose can change the digest as well; what then breaks the rules is refused by its name.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from typing import Any, NoReturn

from genesia_rl.core.bounds import digest
from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.reading import shown

FORMAT = "genesia-rl-save/2"
Header = dict[str, Any]
_NUMBERS, _FLAGS = ("rewards", "cumulative"), ("terminations", "truncations")
_KEYS = (
    "agents",
    "selection",
    *_NUMBERS,
    *_FLAGS,
    "cycles",
    "potentials",
    "next_seed",
    "asked",
    "scores",
    "ranks",
)


def _refuse(key: str, value: object, allowed: str) -> NoReturn:
    raise GenesiaError(f"saved bytes: {key} = {shown(value)}, allowed {allowed}")


def packed(header: Header, body: bytes) -> bytes:
    """A header and a state as bytes."""
    whole = {"format": FORMAT, **{key: value for key, value in header.items() if key != "digest"}}
    return json.dumps({"digest": _digest(whole, body), **whole}).encode() + b"\n" + body


def _digest(header: Header, body: bytes) -> str:
    return digest(json.dumps(header).encode(), body)


def unpacked(saved: bytes) -> tuple[Header, bytes]:
    """The header and the state, as they were written."""
    if not isinstance(saved, bytes | bytearray | memoryview):
        _refuse("type", type(saved).__name__, "is bytes")
    head, _, body = bytes(saved).partition(b"\n")
    try:
        header = json.loads(head)
    except (ValueError, RecursionError):  # neither UTF-8 nor JSON, numbers without end, nesting without end
        header = None
    if not isinstance(header, dict):
        raise GenesiaError("saved bytes: have no header, allowed are those of save()")
    if header.get("format") != FORMAT:
        _refuse("format", header.get("format"), f"is {FORMAT!r}")
    if header.pop("digest", None) != _digest(header, body):
        raise GenesiaError("saved bytes: are damaged, allowed are those of save() as they were written")
    return header, body


def check_header(header: Header, expected: Header, agents: Sequence[str], most_seats: int) -> None:
    """Is this the header of the same game, version and configuration, with all that an environment needs?"""
    for key, value in expected.items():
        if not _same(header.get(key), json.loads(json.dumps(value))):
            _refuse(key, header.get(key), f"is {value!r}")
    for key in _KEYS:
        if key not in header:
            raise GenesiaError(f"saved bytes: {key} is missing, allowed are those of save()")
    _check_agents(header, agents)
    for key in (*_NUMBERS, *_FLAGS):
        _check_by_agent(header, key, agents)
    for key in ("scores", "ranks"):
        _check_results(header, key, agents)
    potentials = header["potentials"]
    if (
        not isinstance(potentials, list)
        or len(potentials) != most_seats
        or not all(map(_is_number, potentials))
    ):
        _refuse("potentials", potentials, f"are {most_seats} numbers")
    if not _is_count(header["cycles"], 1 << 31):
        _refuse("cycles", header["cycles"], "is a number from 0 on")
    if header["next_seed"] is not None and not _is_count(header["next_seed"], 1 << 64):
        _refuse("next_seed", header["next_seed"], "is a seed")


def _same(found: Any, allowed: Any) -> bool:
    """Equal, and of one kind: 1 is neither 1.0 nor true."""
    return found == allowed and json.dumps(found, sort_keys=True) == json.dumps(allowed, sort_keys=True)


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) < 1e30
        and isfinite(value)
    )


def _is_count(value: object, limit: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < limit


def _check_agents(header: Header, agents: Sequence[str]) -> None:
    held = header["agents"]
    if not isinstance(held, list) or held != [agent for agent in agents if agent in held]:
        _refuse("agents", held, f"are some of {', '.join(agents)}, in this order")
    for key in ("selection", "asked"):
        if header[key] not in agents and not (key == "asked" and header[key] is None):
            _refuse(key, header[key], f"is one of {', '.join(agents)}")


def _check_by_agent(header: Header, key: str, agents: Sequence[str]) -> None:
    """A value for each agent that is left, and of no stranger."""
    held = header[key]
    if not isinstance(held, dict) or not set(header["agents"]) <= set(held) <= set(agents):
        _refuse(key, held, "is a table of agents")
    for agent, value in held.items():
        good = _is_number(value) if key in _NUMBERS else isinstance(value, bool)
        if not good:
            _refuse(f"{key}[{agent}]", value, "is a number" if key in _NUMBERS else "is true or false")


def _check_results(header: Header, key: str, agents: Sequence[str]) -> None:
    held = header[key]
    if not isinstance(held, dict) or not set(header["agents"]) <= set(held) <= set(agents):
        _refuse(key, held, "is a table of agents")
    for agent, value in held.items():
        if not (_is_number(value) and isinstance(value, int)):
            _refuse(f"{key}[{agent}]", value, "is a whole number")


def check_course(header: Header, seat: int, is_over: bool, agents: Sequence[str]) -> None:
    """Does the header say the same as the state about who is asked, and whether the game is over?"""
    left = header["agents"]
    ended = [header["terminations"][agent] for agent in left]
    cut = [header["truncations"][agent] for agent in left]
    goes_on = not is_over and not any(cut) and len(left) == len(agents)
    if any(is_ended != is_over for is_ended in ended):
        _refuse(
            "terminations", header["terminations"], f"is {str(is_over).lower()} for all, as the state says"
        )
    if len(set(cut)) > 1 or (is_over and any(cut)):
        _refuse("truncations", header["truncations"], "is the same for all, and false when the game is over")
    asked = agents[seat] if goes_on else None
    if header["asked"] != asked:
        _refuse("asked", header["asked"], f"is {asked!r}, as the state says")
    if header["selection"] not in ([asked] if goes_on else left or agents):
        _refuse("selection", header["selection"], "is the agent that the state asks, or one that is left")
