"""Another game that one seat could not tell from this one (RULES 10), for search and for leak tests.

Nobody knows in which order the cards lie that nobody has seen; with one or two players some of them are boxed, and
nobody knows which. That is the same for all seats. Until the first hands and citizens are chosen no deck is formed,
and of every era the order of all its cards is unknown.

What is redrawn is put in order first, and the present deck is packed to the left of its place, without the cards that
are passed over. So what comes out depends on what can be seen and on the seed alone.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.gentes.names import ERAS, S_SETTLE
from genesia_rl.games.gentes.rules.setup import draw


@kernel
def resample(states, i, into, j, tables, seat, seed):
    """Write into `into[j]` a game that the seat cannot tell from `states[i]`."""
    into[j] = states[i]
    s, t = into[j], tables[0]
    stream = chance.mix(seed)
    is_formed = s["stage"] > S_SETTLE
    for era in range(s["era"], ERAS):
        unseen = s["unseen"] & t["era_cards"][era] if is_formed else t["era_cards"][era]
        stream = draw_deck(s, t, np.int64(era), unseen, stream)
    if is_formed:
        s["next"] = t["era_start"][s["era"]] + s["boxed"][s["era"]]


@kernel
def draw_deck(s, t, era, unseen, stream):
    """The cards of an era that nobody has seen in any order: those boxed unseen first, then the deck."""
    begin, end = np.int64(t["era_start"][era]), np.int64(t["era_start"][era + 1])
    size = begin
    while unseen != bits.ZERO:
        s["deck"][size] = lowest(unseen) + 1
        unseen = bits.rest(unseen)
        size += 1
    for place in range(size, end):
        s["deck"][place] = 0
    return draw(s["deck"], begin, size, size - begin, stream)
