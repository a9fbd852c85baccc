"""In which order things happen: from one decision to the next."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.gentes.actions import (
    AMOUNT_BASE,
    DO_BASE,
    HIRE_ACTION,
    PAY_BASE,
    SWAP_ACTION,
)
from genesia_rl.games.gentes.names import (
    E_NONE,
    S_ABILITY,
    S_ACT,
    S_AFTER,
    S_APOGEE,
    S_BEGIN,
    S_COUNT,
    S_DECLINE,
    S_DRAFT,
    S_END_ROUND,
    S_EXTRA,
    S_FINAL,
    S_GAINS,
    S_HANDS,
    S_HIRE,
    S_LOCKS,
    S_PAY,
    S_PLAY,
    S_RECRUIT,
    S_REWARDS,
    S_SETTLE,
    S_SWAP_FROM,
    S_SWAP_TO,
    S_TAKE,
    S_TURN,
    S_WILD,
)
from genesia_rl.games.gentes.rules.acting import (
    apply_count,
    apply_play,
    apply_recruit,
    apply_take,
    ask_count,
    ask_play,
    ask_recruit,
    ask_take,
    begin_action,
    end_action,
    go_on_with_gains,
)
from genesia_rl.games.gentes.rules.decline import (
    apply_reward,
    ask_reward,
    begin_round,
    decline,
    end_round,
    find_turn,
    go_on_with_hands,
    go_on_with_locks,
)
from genesia_rl.games.gentes.rules.errands import apply_errand, ask_errand
from genesia_rl.games.gentes.rules.extras import (
    apply_hire,
    apply_swap_from,
    apply_swap_to,
    ask_hire,
    ask_swap_from,
    ask_swap_to,
    begin_hire,
    begin_swap,
    end_extra,
)
from genesia_rl.games.gentes.rules.scoring import apply_final, ask_final
from genesia_rl.games.gentes.rules.setup import apply_draft, apply_settle, ask_draft, ask_settle
from genesia_rl.games.gentes.rules.sources import (
    apply_ability,
    apply_wild,
    ask_ability,
    ask_pay,
    ask_turn,
    ask_wild,
    begin_source,
    end_abilities,
    pay,
)


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
    if s["errand"] != E_NONE:
        return ask_errand(s, t)
    stage = s["stage"]
    if stage == S_APOGEE:
        find_turn(s, t)
        return False
    if stage == S_TURN:
        ask_turn(s, t)
        return True
    if stage <= S_TAKE and stage > S_TURN:
        return ask_in_action(s, t, stage)
    if stage == S_AFTER:
        end_action(s, t)
        return False
    if stage == S_GAINS:
        go_on_with_gains(s, t)
        return False
    return ask_rarely(s, t, stage)


@kernel
def ask_in_action(s, t, stage):
    """The same between the source of an action and its end."""
    if stage == S_ABILITY:
        if ask_ability(s, t):
            return True
        end_abilities(s, t)
    elif stage == S_PAY:
        if ask_pay(s, t):
            return True
        pay(s, t)
    elif stage == S_ACT:
        begin_action(s, t)
    elif stage == S_RECRUIT:
        return ask_recruit(s, t)
    elif stage == S_TAKE:
        return ask_take(s, t)
    elif stage == S_COUNT:
        ask_count(s, t)
        return True
    else:
        ask_wild(s, t)
        return True
    return False


@kernel
def ask_rarely(s, t, stage):
    """The same for what does not come in every turn."""
    if stage == S_PLAY:
        ask_play(s, t)
        return True
    if stage == S_REWARDS:
        return ask_reward(s, t)
    if stage == S_SWAP_FROM:
        ask_swap_from(s, t)
        return True
    if stage == S_SWAP_TO:
        ask_swap_to(s, t)
        return True
    if stage == S_HIRE:
        ask_hire(s, t)
        return True
    if stage == S_FINAL:
        return ask_final(s, t)
    if stage == S_DRAFT:
        return ask_draft(s, t)
    if stage == S_SETTLE:
        return ask_settle(s, t)
    pass_on(s, t, stage)
    return False


@kernel
def pass_on(s, t, stage):
    """Parts of the game in which nothing is asked, but by errands."""
    if stage == S_EXTRA:
        end_extra(s, t)
    elif stage == S_BEGIN:
        begin_round(s, t)
    elif stage == S_DECLINE:
        decline(s, t)
    elif stage == S_LOCKS:
        go_on_with_locks(s, t)
    elif stage == S_HANDS:
        go_on_with_hands(s, t)
    elif stage == S_END_ROUND:
        end_round(s)


@kernel
def apply_action(s, t, action):
    """Do what a legal action does."""
    stage = s["stage"]
    if s["errand"] != E_NONE:
        apply_errand(s, t, action)
    elif stage == S_TURN:
        apply_turn(s, t, action)
    elif stage == S_RECRUIT:
        apply_recruit(s, t, action)
    elif stage == S_TAKE:
        apply_take(s, t, action)
    elif stage == S_COUNT:
        apply_count(s, t, action)
    elif stage == S_ABILITY:
        apply_ability(s, t, action)
    elif stage == S_PLAY:
        apply_play(s, t, action)
    elif stage == S_REWARDS:
        apply_reward(s, t, action)
    else:
        apply_rarely(s, t, stage, action)


@kernel
def apply_turn(s, t, action):
    """RULES 5: an extra option, or the source of the turn's action."""
    if action == SWAP_ACTION:
        begin_swap(s)
    elif action == HIRE_ACTION:
        begin_hire(s)
    else:
        begin_source(s, t, action)


@kernel
def apply_rarely(s, t, stage, action):
    """The same for what does not come in every turn."""
    if stage == S_PAY:
        s["amount"] = action - PAY_BASE + 1
        pay(s, t)
    elif stage == S_WILD:
        apply_wild(s, t, np.int64(action - DO_BASE))
    elif stage == S_SWAP_FROM:
        apply_swap_from(s, t, action)
    elif stage == S_SWAP_TO:
        apply_swap_to(s, t, action)
    elif stage == S_HIRE:
        apply_hire(s, t, np.int64(action - AMOUNT_BASE))
    elif stage == S_FINAL:
        apply_final(s, t, action)
    elif stage == S_DRAFT:
        apply_draft(s, action)
    elif stage == S_SETTLE:
        apply_settle(s, t, action)
