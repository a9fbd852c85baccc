"""In which order things happen: from one decision to the next."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.age_of_civilization.actions import (
    ACT_BASE,
    CARD_BASE,
    END_ACTION,
    REST_ACTION,
    SPECIAL_BASE,
    TECH_BASE,
    WONDER_BASE,
)
from genesia_rl.games.age_of_civilization.names import (
    BY_SPACE,
    K_ACTION,
    K_CIVILIZATION,
    K_DEPOSIT,
    K_DRAFT,
    K_GRANT,
    K_TECHNOLOGY,
    K_TURN_END,
    K_WONDER,
    M_BIRTH,
    M_TURN_END,
    S_ABILITY,
    S_ACTIONS,
    S_BIRTH,
    S_CIVILIZATION,
    S_DRAFT,
    S_GRANTS,
    S_PERFORM,
    S_TURN_END,
)
from genesia_rl.games.age_of_civilization.rules.acting import ask_action, buy_special, rest
from genesia_rl.games.age_of_civilization.rules.civilizations import (
    apply_civilization,
    ask_civilization,
    end_birth,
)
from genesia_rl.games.age_of_civilization.rules.draft import apply_draft, ask_draft
from genesia_rl.games.age_of_civilization.rules.effects import (
    apply_deposit,
    gain_technology,
    gain_wonder,
    go_on_with_ability,
)
from genesia_rl.games.age_of_civilization.rules.performing import (
    apply_grant,
    begin_action,
    choose_technology,
    go_on_with_action,
    go_on_with_grants,
)
from genesia_rl.games.age_of_civilization.rules.rounds import end_turn
from genesia_rl.games.age_of_civilization.rules.turn import apply_turn_end, ask_turn_end, return_workers


@kernel
def run_on(s, t):
    """Go on to a decision with two legal actions or more, or to the end; one with a single action is taken."""
    while not s["over"]:
        if ask(s, t):
            if s["num_legal"] > 1:
                return
            apply_action(s, t, np.int64(bits.first_member(s["legal"])))


@kernel
def ask(s, t):
    """Pose the next decision (True), or go a step further in the game (False)."""
    stage = s["stage"]
    if stage == S_ACTIONS:
        if ask_action(s, t):
            return True
        end_actions(s, t)
        return False
    if stage == S_PERFORM:
        return go_on_with_action(s, t)
    if stage == S_CIVILIZATION:
        return ask_civilization(s, t)
    if stage == S_TURN_END:
        if ask_turn_end(s, t):
            return True
        end_turn(s, t)
        return False
    return ask_rarely(s, t, stage)


@kernel
def ask_rarely(s, t, stage):
    """The same for what few turns have."""
    if stage == S_GRANTS:
        return go_on_with_grants(s, t)
    if stage == S_DRAFT:
        ask_draft(s, t)
        return True
    if stage == S_BIRTH:
        if go_on_with_ability(s, t, M_BIRTH):
            return True
        end_birth(s)
    elif stage == S_ABILITY:
        if go_on_with_ability(s, t, M_TURN_END):
            return True
        s["stage"] = S_TURN_END
    return False


@kernel
def apply_action(s, t, action):
    """Do what a legal action does."""
    kind = s["kind"]
    if kind == K_ACTION:
        apply_step_2(s, t, action)
    elif kind == K_CIVILIZATION:
        apply_civilization(s, t, action)
    elif kind == K_TECHNOLOGY:
        apply_technology(s, t, action - TECH_BASE + 1)
    elif kind == K_WONDER:
        gain_wonder(s, t, np.int64(s["seat"]), action - WONDER_BASE + 1)
        s["left"] -= 1
    elif kind == K_TURN_END:
        if action == END_ACTION:
            end_turn(s, t)
        else:
            apply_turn_end(s, t, action)
    elif kind == K_DRAFT:
        apply_draft(s, t, action)
    elif kind == K_GRANT:
        apply_grant(s, t, action)
    elif kind == K_DEPOSIT:
        apply_deposit(s, t, action - CARD_BASE + 1)


@kernel
def apply_step_2(s, t, action):
    """RULES 6, step 2: an action, a special card, rest or end."""
    if action in (END_ACTION, REST_ACTION):
        end_actions(s, t)
    elif action >= SPECIAL_BASE:
        buy_special(s, t, action - SPECIAL_BASE + 1)
    else:
        begin_action(s, t, action - ACT_BASE, BY_SPACE)


@kernel
def end_actions(s, t):
    """RULES 6: who has performed no action rests (R4); then step 3."""
    if not s["acted"]:
        rest(s, t)
    return_workers(s, t)


@kernel
def apply_technology(s, t, number):
    """The technology of research, or one that an ability's effect gains."""
    if s["stage"] == S_PERFORM:
        choose_technology(s, t, number)
    else:
        gain_technology(s, t, np.int64(s["seat"]), number)
        s["left"] -= 1
