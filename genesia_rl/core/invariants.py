"""What must hold in every state of every game, compiled, so that games are checked by the million.

A game that declares invariants of its own keeps them in its part `invariants`:

    INVARIANTS = ("every piece is on the board or in its supply", ...)    what each number stands for
    broken(s, t)      a kernel: 0 if all hold in the state, else 1 + the place of one that does not
    SOAK = fill(globals(), "soak")      beside the game's other loops, in `compiled`

They are a recount from other fields than those that the rules keep in step, where there are two ways to count.
What every game promises by the contract alone (`PROMISES`) is checked for a game without that part too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np

from genesia_rl.core.registry import offers, part_of

PART = "invariants"
#: What a soak keeps in its folder: how far it is, and a violation a line.
PROGRESS, VIOLATIONS = "soak.json", "violations.jsonl"
#: In one of so many states all legal actions are tried.
EVERY = 16
MOST_SEED = (1 << 63) - 1

#: What the contract promises of every state, by the number that the compiled check gives.
PROMISES = (
    "",
    "a seat of the game is asked, or nobody when the game is over",
    "the kind of the decision is one of the game's",
    "num_legal is the number of legal actions: two at least, none when the game is over",
    "every legal action is an action of the game",
    "steps counts the decisions",
    "the game ends within max_decisions",
    "the mask is the legal set in the seat's own numbering",
    "to_view and from_view take each other back",
    "a seat that is not asked has an empty mask",
    "the observation keeps its bounds",
    "the observation is written whole, and the same state looks the same",
    "an action changes no other state",
    "the same action leads to the same state",
    "a seat cannot tell a resampled game from the true one",
    "the parts of a score add up to its total",
    "somebody ranks first, and every rank is one of a seat",
)  # fmt: skip
(
    NONE, SEAT, KIND, NUM_LEGAL, RANGE, STEPS, ENDLESS, MASK, NUMBERING, EMPTY_MASK, BOUNDS, VIEW, PAST, SAME,
    RESAMPLED, TOTAL, RANK,
) = map(np.int64, range(len(PROMISES)))  # fmt: skip
#: An invariant of the game's own, k as `broken` gives it, has the number OWN + k.
OWN = np.int64(len(PROMISES) - 1)

#: What the compiled check must know of a configuration.
LIMITS = np.dtype(
    [
        ("num_actions", np.int64), ("num_kinds", np.int64), ("max_decisions", np.int64), ("parts", np.int64),
        ("every", np.int64),  # so many states are looked at as a rule before one is looked at thoroughly
    ],
    align=True,
)  # fmt: skip

#: What has been found in a game: the number of what is broken (0: nothing), after how many decisions, by which action
#: tried there (-1: it is the state itself); how many decisions it took, how many of its states were looked at
#: thoroughly, how many actions were tried in these.
FOUND = np.dtype(
    [
        ("broken", np.int32), ("step", np.int32), ("action", np.int32), ("decisions", np.int32),
        ("thorough", np.int32), ("tried", np.int32),
    ],
    align=True,
)  # fmt: skip


class SoakKernels(NamedTuple):
    """The compiled functions of core/loops/soak.py, filled with a game's rules and its invariants."""

    # (states, words, tables, seeds, limits, bounds, masks, views, results, found)
    play_checked: Callable[..., None]


def soak_of(game: str) -> SoakKernels:
    """The compiled check of a game."""
    return cast("SoakKernels", part_of(game, "compiled", "compiled check of its states").SOAK)


def invariants_of(game: str) -> tuple[str, ...]:
    """What a game declares of its own; nothing if it has no part `invariants`."""
    if not offers(game, PART):
        return ()
    return cast("tuple[str, ...]", part_of(game, PART, "invariants").INVARIANTS)


def in_words(game: str, number: int) -> str:
    """What is broken, by its number."""
    return PROMISES[number] if number <= OWN else invariants_of(game)[number - int(OWN) - 1]
