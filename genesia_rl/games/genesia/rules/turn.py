"""Who is asked next, and what (PROTOCOL 2): the course of the game as a table of contents.

`ask` poses the next decision or lets the game go on without one; `apply_action` hands an action to
the chapter that its decision belongs to; `advance` takes forced decisions until somebody has a choice.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel
from genesia_rl.games.genesia.actions import REGION_BASE, SEAT_BASE
from genesia_rl.games.genesia.names import (
    ATTACK,
    DRAFT,
    END,
    EXPANSION,
    GROWTH,
    K_ASSAULT,
    K_COPY,
    K_DEFENCE,
    K_DRAFT,
    K_END_OF_AGE,
    K_EXPANSION,
    K_FOUND,
    K_FREE_MOVES,
    K_GROUP,
    K_GROWTH,
    K_LOSSES,
    K_OBJECTIVE,
    K_OCCUPY,
    K_PLACE,
    K_POSITION,
    K_REINFORCE,
    K_ROB,
    K_SIEGE,
    K_STANCE,
    K_TRANSIT,
    SETUP,
    T_EFFECTS,
    T_GROUP,
    T_SMALL_TURN,
    T_TRANSIT,
    T_WINDOW,
)
from genesia_rl.games.genesia.rules.age_end import (
    apply_end_of_age,
    apply_position,
    ask_end_of_age,
    ask_position,
)
from genesia_rl.games.genesia.rules.attack import (
    apply_assault_turn,
    apply_defence,
    apply_losses,
    apply_occupy,
    apply_reinforce,
    apply_siege,
    apply_stance,
    ask_attack,
    ask_resolution,
)
from genesia_rl.games.genesia.rules.copying import apply_copy, ask_copy
from genesia_rl.games.genesia.rules.draft import apply_draft, ask_draft
from genesia_rl.games.genesia.rules.effects import (
    apply_found,
    apply_journey,
    apply_place,
    apply_rob,
    run_effects,
)
from genesia_rl.games.genesia.rules.expansion import (
    apply_expansion,
    apply_free_moves,
    apply_group,
    apply_transit,
    ask_expansion,
    ask_free_moves,
    ask_group,
    ask_transit,
)
from genesia_rl.games.genesia.rules.growth import apply_growth, ask_growth
from genesia_rl.games.genesia.rules.legal import first_legal, num_legal
from genesia_rl.games.genesia.rules.setup import apply_objective, ask_objective


@kernel
def ask(s, t):
    """Pose the next decision (True), or let the game go on a step without one (False)."""
    if s["depth"] > 0:
        return ask_task(s, t)
    phase = s["phase"]
    if phase == EXPANSION:
        ask_expansion(s, t)
    elif phase == GROWTH:
        ask_growth(s, t)
    elif phase == DRAFT:
        ask_draft(s, t)
    elif phase == ATTACK:
        return ask_attack(s, t)
    elif phase == END:
        ask_end_of_age(s, t)
    elif phase == SETUP:
        ask_objective(s, t)
    else:
        ask_position(s, t)
    return True


@kernel
def ask_task(s, t):
    """The innermost unfinished task asks."""
    task = s["tasks"][s["depth"] - 1]
    if task == T_EFFECTS:
        return run_effects(s, t)
    if task == T_WINDOW:
        return ask_copy(s, t)
    if task == T_TRANSIT:
        ask_transit(s, t)
        return True
    if task == T_GROUP:
        ask_group(s)
        return True
    if task == T_SMALL_TURN:
        return ask_free_moves(s, t)
    return ask_resolution(s, t)


@kernel
def apply_action(s, t, action):
    """Do what a legal action does."""
    kind = s["kind"]
    if kind == K_EXPANSION:
        apply_expansion(s, t, action)
    elif kind == K_GROWTH:
        apply_growth(s, t, action)
    elif kind == K_DRAFT:
        apply_draft(s, t, action)
    elif kind == K_PLACE:
        apply_place(s, t, action - REGION_BASE)
    elif kind == K_GROUP:
        apply_group(s, t, action)
    elif kind == K_TRANSIT:
        apply_transit(s, t, action)
    elif kind == K_STANCE:
        apply_stance(s, action)
    elif kind == K_END_OF_AGE:
        apply_end_of_age(s, t, action)
    elif kind == K_ASSAULT:
        apply_assault_turn(s, t, action)
    elif kind == K_DEFENCE:
        apply_defence(s, t, action)
    elif kind == K_REINFORCE:
        apply_reinforce(s, t, action)
    elif kind == K_LOSSES:
        apply_losses(s, action)
    elif kind == K_SIEGE:
        apply_siege(s, action)
    elif kind == K_OCCUPY:
        apply_occupy(s, action)
    elif kind == K_FOUND:
        apply_found(s, t, action - REGION_BASE)
    elif kind == K_ROB:
        apply_rob(s, t, action - SEAT_BASE)
    elif kind == K_FREE_MOVES:
        apply_free_moves(s, t, action)
    elif kind == K_COPY:
        apply_copy(s, t, action)
    elif kind == K_POSITION:
        apply_position(s, t, action)
    elif kind == K_OBJECTIVE:
        apply_objective(s, t, action)
    else:  # the three choices of a relay or a leap
        apply_journey(s, t, action)


@kernel
def advance(s, t):
    """PROTOCOL 2: a decision with exactly one legal action is not asked, it is taken."""
    while not s["over"]:
        if ask(s, t):
            options = num_legal(s)
            if options > 1:
                s["num_legal"] = options
                return
            apply_action(s, t, np.int64(first_legal(s)))


@kernel
def pose_again(s, t):
    """The decision that is being asked, once more; the copy window goes back to whom it asks."""
    if s["kind"] == K_COPY:
        s["window_passed"] -= 1
    if ask(s, t):
        s["num_legal"] = num_legal(s)
