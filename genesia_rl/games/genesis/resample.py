"""Another game that one seat could not tell from this one (RULES 8), for search and for leak tests.

Nobody knows the rolls of later turns, and nothing else is unknown. They are drawn anew from the seed alone,
so that whatever a search does with them can depend on nothing that the seat does not see.
"""

from __future__ import annotations

from genesia_rl.core import chance
from genesia_rl.core.compile import kernel
from genesia_rl.games.genesis.rules.setup import draw_rolls


@kernel
def resample(states, i, into, j, tables, seat, seed):
    """Write into `into[j]` a game that the seat cannot tell from `states[i]`: as it is up to its roll."""
    into[j] = states[i]
    s = into[j]
    draw_rolls(s, tables[0], s["turn"] + 1, chance.mix(seed))
