"""Sets of small numbers as rows of 64-bit words, and choosing among their members.

A set is an array of `uint64` words; member `m` is bit `m & 63` of word `m >> 6`. All constants are
unsigned: mixing `uint64` with plain integers turns into floats when compiled. At the end stand two functions of
plain Python, for tables and texts.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genesia_rl.core.compile import kernel, lowest, popcount

ZERO = np.uint64(0)
ONE = np.uint64(1)


@kernel
def bit(member):
    """The word that holds this member alone."""
    return ONE << np.uint64(member & 63)


@kernel
def has(words, member):
    """Is the member in the set?"""
    return ((words[member >> 6] >> np.uint64(member & 63)) & ONE) != ZERO


@kernel
def add(words, member):
    """Put the member into the set."""
    words[member >> 6] |= ONE << np.uint64(member & 63)


@kernel
def drop(words, member):
    """Take the member out of the set."""
    words[member >> 6] &= ~(ONE << np.uint64(member & 63))


@kernel
def rest(word):
    """The word without its lowest member."""
    return word & (word - ONE)


@kernel
def nth(word, k):
    """The place of the k-th set bit, counted from 0."""
    for _ in range(k):
        word = word & (word - ONE)
    return lowest(word)


@kernel
def num_members(words):
    """How many members the set has."""
    total = 0
    for w in range(words.shape[0]):
        total += popcount(words[w])
    return total


@kernel
def nth_member(words, k):
    """The k-th member of the set, counted from 0; -1 if it has fewer."""
    for w in range(words.shape[0]):
        here = popcount(words[w])
        if k < here:
            return w * 64 + nth(words[w], k)
        k -= here
    return -1


@kernel
def first_member(words):
    """The lowest member of the set; -1 if it is empty."""
    for w in range(words.shape[0]):
        if words[w] != ZERO:
            return w * 64 + lowest(words[w])
    return -1


# ---------------------------------------------------------------- not compiled


def members(words: npt.NDArray[np.uint64]) -> list[int]:
    """The members of a set, in ascending order."""
    found = []
    for place, word in enumerate(words.tolist()):
        while word:
            found.append(place * 64 + (word & -word).bit_length() - 1)
            word &= word - 1
    return found


def put(words: npt.NDArray[np.uint64], *items: int) -> None:
    """Put members into a set."""
    for item in items:
        words[item // 64] |= np.uint64(1 << item % 64)
