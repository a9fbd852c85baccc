"""What an agent does not do by its own choice: bits for each seat, and what they leave of a decision."""

from __future__ import annotations

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.age_of_civilization.actions import (
    ACT_BASE,
    ANNEX_BASE,
    CARD_BASE,
    PASS_ACTION,
    RISE_BASE,
    SPECIAL_BASE,
)
from genesia_rl.games.age_of_civilization.names import (
    ACTIONS,
    K_ACTION,
    K_CIVILIZATION,
    K_GRANT,
    NUM_ACTS,
    SPECIALS,
)

#: The habit of never performing an action, for each.
ACT_HABITS = {action: 1 << place for place, action in enumerate(ACTIONS)}
NO_SECOND, NO_ANNEXING, NO_SPECIAL = (1 << NUM_ACTS + place for place in range(3))


@kernel
def habit(states, i, tables, habits):
    """Whatever an agent goes without is no longer legal; it always may pass, rest or end instead."""
    s = states[i]
    if s["kind"] == K_CIVILIZATION:
        if bits.has(s["legal"], PASS_ACTION):
            forgo_civilizations(s, habits)
    elif s["kind"] in (K_ACTION, K_GRANT):
        forgo_acts(s, habits)
    return False


@kernel
def drop_range(legal, begin, end):
    """Some actions in a row are not legal."""
    for action in range(begin, end):
        bits.drop(legal, action)


@kernel
def forgo_civilizations(s, habits):
    """No second civilization at all, or none that is annexed."""
    if habits & NO_SECOND != 0:
        drop_range(s["legal"], RISE_BASE, CARD_BASE)
    elif habits & NO_ANNEXING != 0:
        drop_range(s["legal"], ANNEX_BASE, CARD_BASE)


@kernel
def forgo_acts(s, habits):
    """Not some of the ten actions, and no special card."""
    for act in range(NUM_ACTS):
        if (habits >> act) & 1 != 0:
            bits.drop(s["legal"], ACT_BASE + act)
    if habits & NO_SPECIAL != 0:
        drop_range(s["legal"], SPECIAL_BASE, SPECIAL_BASE + SPECIALS)
