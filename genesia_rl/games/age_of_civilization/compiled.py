"""The compiled loops of core/loops, filled with the rules of Age of Civilization."""

from genesia_rl.core.loops import fill
from genesia_rl.games.age_of_civilization.invariants import broken
from genesia_rl.games.age_of_civilization.observe import observe
from genesia_rl.games.age_of_civilization.resample import resample
from genesia_rl.games.age_of_civilization.rules import kernel as rules

KERNELS = fill(globals(), "games")
SOAK = fill(globals(), "soak")

__all__ = ["KERNELS", "SOAK", "broken", "observe", "resample", "rules"]
