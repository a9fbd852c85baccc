"""The compiled loops of core/loops, filled with the rules of Pig."""

from genesia_rl.core.loops import fill
from toy import rules
from toy.rules import observe, resample

KERNELS = fill(globals(), "games")
MATCHES = fill(globals(), "matches")
SEARCH = fill(globals(), "search")
SELFPLAY = fill(globals(), "selfplay")

__all__ = ["KERNELS", "MATCHES", "SEARCH", "SELFPLAY", "observe", "resample", "rules"]
