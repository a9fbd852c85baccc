"""The compiled loops of matches, filled with the rules of Genesis and what its laboratory changes and counts."""

from genesia_rl.core.loops import fill
from genesia_rl.games.genesis.lab.habits import habit
from genesia_rl.games.genesis.lab.interventions import intervene_first
from genesia_rl.games.genesis.lab.measure import measure_action, measure_end
from genesia_rl.games.genesis.rules import kernel as rules

MATCHES = fill(globals(), "matches")

__all__ = ["MATCHES", "habit", "intervene_first", "measure_action", "measure_end", "rules"]
