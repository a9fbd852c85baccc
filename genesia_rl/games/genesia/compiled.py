"""The compiled loops of core/loops, filled with the rules of Genesia."""

from genesia_rl.core.loops import fill
from genesia_rl.games.genesia.invariants import broken
from genesia_rl.games.genesia.observe import observe
from genesia_rl.games.genesia.resample import resample
from genesia_rl.games.genesia.rules import kernel as rules

KERNELS = fill(globals(), "games")
SOAK = fill(globals(), "soak")

__all__ = ["KERNELS", "SOAK", "broken", "observe", "resample", "rules"]
