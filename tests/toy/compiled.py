"""The compiled loops of core/loops, filled with the rules of Pig."""

from genesia_rl.core.loops import fill
from toy import rules
from toy.invariants import broken
from toy.rules import observe, resample

KERNELS = fill(globals(), "games")
MATCHES = fill(globals(), "matches")
SEARCH = fill(globals(), "search")
SELFPLAY = fill(globals(), "selfplay")
GUIDED = fill(globals(), "guided")
SOAK = fill(globals(), "soak")

__all__ = [
    "GUIDED",
    "KERNELS",
    "MATCHES",
    "SEARCH",
    "SELFPLAY",
    "SOAK",
    "broken",
    "observe",
    "resample",
    "rules",
]
