"""Extra options (RULES 8): swap and hire, in a turn and in the final scoring."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, popcount
from genesia_rl.games.gentes.actions import (
    AMOUNT_BASE,
    CITIZEN_BASE,
    END_ACTION,
)
from genesia_rl.games.gentes.names import (
    E_ENLIST,
    K_HIRE,
    K_SWAP_FROM,
    K_SWAP_TO,
    S_EXTRA,
    S_FINAL,
    S_HIRE,
    S_SWAP_FROM,
    S_SWAP_TO,
    S_TURN,
)
from genesia_rl.games.gentes.rules.ask import allow, allow_set, pose
from genesia_rl.games.gentes.rules.bonus import check_bonus
from genesia_rl.games.gentes.rules.seats import lose_citizen, num_cubes, recruit, recruitable, types_had


@kernel
def givable(s, t, seat):
    """The types that the seat has and from which some other type can be recruited."""
    had, can = types_had(s, seat), recruitable(s, t, seat)
    if popcount(can) > 1:
        return had
    return had & ~can if can != bits.ZERO else can


@kernel
def can_swap(s, t, seat):
    """A temple cube, and a first exchange."""
    return s["temple"][seat] > 0 and givable(s, t, seat) != bits.ZERO


@kernel
def can_hire(s, t, seat):
    """Enough cubes of any kinds."""
    return num_cubes(s, seat) >= t["hire_cubes"]


# ---------------------------------------------------------------- swap


@kernel
def begin_swap(s):
    """A temple cube is paid."""
    s["temple"][s["seat"]] -= 1
    s["exchange"] = 1
    s["stage"] = S_SWAP_FROM


@kernel
def ask_swap_from(s, t):
    """PROTOCOL 2, swap_from."""
    pose(s, K_SWAP_FROM)
    allow_set(s, CITIZEN_BASE, givable(s, t, np.int64(s["seat"])))
    if s["exchange"] > 1:
        allow(s, END_ACTION)


@kernel
def apply_swap_from(s, t, action):
    """A citizen goes, or there is no second exchange."""
    if action == END_ACTION:
        end_extra(s, t)
        return
    lose_citizen(s, np.int64(s["seat"]), action - CITIZEN_BASE)
    s["given"] = action - CITIZEN_BASE + 1
    s["stage"] = S_SWAP_TO


@kernel
def ask_swap_to(s, t):
    """PROTOCOL 2, swap_to."""
    pose(s, K_SWAP_TO)
    can = recruitable(s, t, np.int64(s["seat"])) & ~bits.bit(s["given"] - 1)
    allow_set(s, CITIZEN_BASE, can)


@kernel
def apply_swap_to(s, t, action):
    """Another type is recruited; then there may be a second exchange."""
    recruit(s, t, np.int64(s["seat"]), action - CITIZEN_BASE)
    s["given"] = 0
    if s["exchange"] > 1:
        end_extra(s, t)
    else:
        s["exchange"] = 2
        s["stage"] = S_SWAP_FROM


# ---------------------------------------------------------------- hire


@kernel
def begin_hire(s):
    """Which cubes are paid has to be said."""
    s["stage"] = S_HIRE


@kernel
def ask_hire(s, t):
    """PROTOCOL 2, hire."""
    pose(s, K_HIRE)
    seat, cubes = np.int64(s["seat"]), np.int64(t["hire_cubes"])
    for temple in range(cubes + 1):
        if temple <= s["temple"][seat] and cubes - temple <= s["oracle"][seat]:
            allow(s, AMOUNT_BASE + temple)


@kernel
def apply_hire(s, t, temple):
    """Cubes are paid, and a citizen is chosen."""
    seat = np.int64(s["seat"])
    s["temple"][seat] -= np.int8(temple)
    s["oracle"][seat] -= np.int8(np.int64(t["hire_cubes"]) - temple)
    s["left"] = 1
    s["errand"] = E_ENLIST
    s["stage"] = S_EXTRA


@kernel
def end_extra(s, t):
    """RULES 7 and 8: bonus tiles, but in the final scoring; the seat goes on."""
    s["exchange"] = 0
    if s["scoring"]:
        s["stage"] = S_FINAL
    else:
        check_bonus(s, t, np.int64(s["seat"]))
        s["stage"] = S_TURN
