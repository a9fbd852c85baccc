"""The compiled loops of core/loops, filled with the rules of Genesis."""

from genesia_rl.core.loops import fill
from genesia_rl.games.genesis.invariants import broken
from genesia_rl.games.genesis.observe import observe
from genesia_rl.games.genesis.resample import resample
from genesia_rl.games.genesis.rules import kernel as rules

KERNELS = fill(globals(), "games")
SOAK = fill(globals(), "soak")

__all__ = ["KERNELS", "SOAK", "broken", "observe", "resample", "rules"]
