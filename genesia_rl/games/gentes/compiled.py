"""The compiled loops of core/loops, filled with the rules of Gentes."""

from genesia_rl.core.loops import fill
from genesia_rl.games.gentes.invariants import broken
from genesia_rl.games.gentes.observe import observe
from genesia_rl.games.gentes.resample import resample
from genesia_rl.games.gentes.rules import kernel as rules

KERNELS = fill(globals(), "games")
SOAK = fill(globals(), "soak")
MATCHES = fill(globals(), "matches")

__all__ = ["KERNELS", "MATCHES", "SOAK", "broken", "observe", "resample", "rules"]
