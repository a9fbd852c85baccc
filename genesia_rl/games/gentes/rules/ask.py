"""Posing a decision: its kind and its legal set (PROTOCOL 2)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.gentes.actions import LEGAL_WORDS
from genesia_rl.games.gentes.names import K_NONE, S_OVER

_64 = np.uint64(64)


@kernel
def pose(s, kind):
    """A decision of this kind, with nothing legal yet."""
    s["kind"] = kind
    s["num_legal"] = 0
    for word in range(LEGAL_WORDS):
        s["legal"][word] = bits.ZERO


@kernel
def allow(s, action):
    """One action is legal."""
    s["legal"][action >> 6] |= bits.bit(action)
    s["num_legal"] += 1


@kernel
def allow_set(s, base, members):
    """The actions of a long segment, which is not in the last word, whose places are in the set."""
    word, shift = base >> 6, np.uint64(base & 63)
    s["legal"][word] |= members << shift
    s["legal"][word + 1] |= (members >> bits.ONE) >> (_64 - bits.ONE - shift)
    s["num_legal"] += popcount(members)


@kernel
def allow_each(s, base, members):
    """The actions of any segment whose places are in the set, one by one."""
    while members != bits.ZERO:
        allow(s, base + lowest(members))
        members = bits.rest(members)


@kernel
def ask_nothing(s):
    """The game is over."""
    pose(s, K_NONE)
    s["stage"] = S_OVER
    s["turn"] = 0
    s["seat"] = -1
    s["over"] = 1
