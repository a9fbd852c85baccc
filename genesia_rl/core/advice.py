"""Traits of actions that every mind can say: what its first character thinks of each, as a network reads it.

Much of what a decision is worth is counted out by whoever looks one action ahead. A network that is told what was
counted begins as that character and learns what it misses.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel

#: Name -> what it weighs in a network that has learned nothing, as a part of a logit.
ADVICE = {
    "behind": 0.05,  # points behind the best action
    "far_behind": 0.05,  # the same for those that are more than two points behind it
    "is_best": 0.0,
}
BEHIND, FAR_BEHIND, IS_BEST = map(np.int64, range(len(ADVICE)))
#: What a point is: where choices are close, and where they are not.
NEAR, FAR = 64.0, 2.0
YES = 64.0
SAME = 1.0e-6  # points by which scores must differ to be different


@kernel
def byte(x):
    """A number as a trait."""
    return np.int8(min(127.0, max(-127.0, np.rint(x))))


@kernel
def put_advice(scores, number, traits):
    """What so many scores say of their actions."""
    best = scores[0]
    for k in range(number):
        best = max(best, scores[k])
    for k in range(number):
        behind = scores[k] - best
        traits[k, BEHIND], traits[k, FAR_BEHIND] = byte(NEAR * behind), byte(FAR * behind)
        traits[k, IS_BEST] = byte(YES * (behind > -SAME))
