"""Sets of small numbers as words of bits, against Python's own sets, over all values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from genesia_rl.core import bits
from genesia_rl.core.bits import members, put
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.testing.stream import Stream

WORDS = 13
SIZE = 64 * WORDS

Words = npt.NDArray[np.uint64]
Members = npt.NDArray[np.int64]


@kernel
def put_has(words: Words, out: Members) -> None:
    """Membership of every number."""
    for member in range(out.shape[0]):
        out[member] = bits.has(words, member)


@kernel
def put_one(words: Words, member: int, is_added: bool) -> None:
    """Add or drop a member."""
    if is_added:
        bits.add(words, member)
    else:
        bits.drop(words, member)


@kernel
def put_members(words: Words, out: Members) -> int:
    """All members in ascending order, by the lowest of the rest."""
    num = 0
    for word in range(words.shape[0]):
        left = words[word]
        while left != bits.ZERO:
            out[num] = word * 64 + lowest(left)
            num += 1
            left = bits.rest(left)
    return num


@kernel
def put_counted(word: np.uint64, out: Members) -> int:
    """The members of one word by their number."""
    for k in range(popcount(word)):
        out[k] = bits.nth(word, k)
    return popcount(word)


@kernel
def put_bits(out: Words) -> None:
    """The word of every member."""
    for member in range(out.shape[0]):
        out[member] = bits.bit(member)


def words_of(items: set[int]) -> Words:
    """A set as words."""
    words = np.zeros(WORDS, np.uint64)
    put(words, *items)
    return words


def random_sets() -> list[set[int]]:
    """Empty, full, single and random sets."""
    stream = Stream(1)
    drawn = [{m for m in range(SIZE) if stream.below(100) < density} for density in (1, 10, 50, 90, 99)]
    return [set(), set(range(SIZE)), {0}, {63}, {64}, {SIZE - 1}, *drawn]


def test_every_member_has_a_bit_of_its_own() -> None:
    out = np.zeros(SIZE, np.uint64)
    put_bits(out)
    assert out.tolist() == [1 << member % 64 for member in range(SIZE)]


@pytest.mark.parametrize("items", random_sets(), ids=len)
def test_membership_counting_and_listing_agree_with_pythons_sets(items: set[int]) -> None:
    words = words_of(items)
    has, listed = np.zeros(SIZE, np.int64), np.zeros(SIZE, np.int64)
    put_has(words, has)
    assert set(np.flatnonzero(has).tolist()) == items
    assert bits.num_members(words) == len(items)
    assert listed[: put_members(words, listed)].tolist() == sorted(items) == members(words)


def test_adding_and_dropping_any_member_changes_it_alone() -> None:
    starts: tuple[set[int], ...] = (set(), set(range(SIZE)))
    for start in starts:
        for member in range(SIZE):
            words = words_of(start)
            put_one(words, member, True)
            put_one(words, member, True)
            assert set(members(words)) == start | {member}
            put_one(words, member, False)
            put_one(words, member, False)
            assert set(members(words)) == start - {member}


def test_the_nth_member_of_a_word_is_found_for_every_n() -> None:
    stream, out = Stream(2), np.zeros(64, np.int64)
    single = [1 << k for k in range(64)]
    for word in [0, 2**64 - 1, *single, *(stream.next() & stream.next() for _ in range(200))]:
        found = out[: put_counted(np.uint64(word), out)].tolist()
        assert found == [k for k in range(64) if word >> k & 1]
