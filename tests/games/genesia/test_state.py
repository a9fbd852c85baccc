"""The record of a game of Genesia."""

from __future__ import annotations

from genesia_rl.games.genesia.state import STATE


def test_a_state_takes_at_most_two_and_a_half_kilobytes() -> None:
    assert STATE.itemsize <= 2560
    assert STATE.itemsize % 8 == 0
