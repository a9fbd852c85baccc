"""The compiled loops of matches, filled with the rules and what the laboratory changes and counts."""

from genesia_rl.core.loops import fill
from genesia_rl.games.gentes.lab.habits import habit
from genesia_rl.games.gentes.lab.interventions import intervene, intervene_first
from genesia_rl.games.gentes.lab.measure import measure_deal, measure_end, replay
from genesia_rl.games.gentes.rules import kernel as rules

MATCHES = fill(globals(), "matches")

__all__ = [
    "MATCHES", "habit", "intervene", "intervene_first", "measure_deal", "measure_end", "replay", "rules",
]  # fmt: skip
