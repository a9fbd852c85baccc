"""The solo mode (RULES 10): what differs once two tribes of one player are on the map.

Most of it is configuration (tables.py): no draft, no Attack phase, no objectives, no coins at the
start of an Age, smaller hands and decks. Opponent means the other tribe.
"""

from __future__ import annotations

from genesia_rl.core.compile import kernel


@kernel
def swap_order(s):
    """One tribe is first in Ages I and III, the other in Age II; there is no choice."""
    first = s["order"][0]
    s["order"][0] = s["order"][1]
    s["order"][1] = first


@kernel
def solo_score(totals):
    """The lower of the two tribes' totals; there is no winner."""
    return min(totals[0], totals[1])
