"""What happened in a game: one record of figures, read off by replaying its actions.

The replay sees every action, the forced ones too, and looks at the scores at the end of every phase. It is
told nothing by whoever played, so that one game gives one record whatever played it.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel
from genesia_rl.core.lab import measure_dtype
from genesia_rl.games.genesia.actions import CARD_BASE, DISCARD_BASE, EDGE_BASE, WAR_ACTION
from genesia_rl.games.genesia.lab.interventions import intervene
from genesia_rl.games.genesia.names import (
    AGES,
    DRAFT,
    END,
    HAND,
    K_ASSAULT,
    K_COPY,
    K_DEFENCE,
    K_DRAFT,
    K_END_OF_AGE,
    K_EXPANSION,
    K_GROWTH,
    K_POSITION,
    K_REINFORCE,
    K_STANCE,
    MAX_CARD,
    MAX_SEATS,
    PACK,
    PART_OBJECTIVE,
    POSITION,
    SCORE_PARTS,
    SETUP,
)
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.games.genesia.rules.legal import first_legal, num_legal
from genesia_rl.games.genesia.rules.players import num_seats
from genesia_rl.games.genesia.rules.turn import apply_action, ask

_SEATS = (MAX_SEATS,)
_AGE_SEATS = (AGES, MAX_SEATS)

#: One record a game, by Age where there is one. Cards and objectives go by their number, 0 is none.
MEASURE = measure_dtype(
    MAX_SEATS,
    len(SCORE_PARTS),
    AGES,
    [
        ("choosers", np.int8, (AGES - 1, MAX_SEATS)),  # who chose its place first, second, ... after it
        ("progress", np.int32, _AGE_SEATS),
        ("scores", np.int32, _AGE_SEATS),  # totals at the end of each Age, without objectives
        ("lead_changes", np.int16),  # phases that ended with another sole leader than the last one
        ("rounds", np.int16, (AGES,)),  # in which War or Peace was chosen
        ("wars", np.int16, _AGE_SEATS),  # stances of War
        ("assaults", np.int16, _AGE_SEATS),
        ("conquests", np.int16, _SEATS),
        ("packs", np.int8, (AGES, MAX_SEATS, PACK)),
        ("picks", np.int8, (AGES, MAX_SEATS, HAND)),
        ("played", np.int8, (MAX_CARD + 1,)),  # 1 + the seat that played the card
        ("dealt", np.int8, (MAX_SEATS, 2)),
        ("kept", np.int8, _SEATS),
    ],
)
#: Of these fields: the axis that goes by seat or place.
BY_SEAT = {
    "choosers": 1, "progress": 1, "scores": 1, "wars": 1, "assaults": 1, "conquests": 0, "packs": 1, "picks": 1,
    "dealt": 0, "kept": 0,
}  # fmt: skip


# ---------------------------------------------------------------- replaying


@kernel
def measure_deal(s, t, m):
    """What chance has dealt."""
    for seat in range(num_seats(t)):
        for k in range(2):
            m["dealt"][seat, k] = s["dealt"][seat, k]
        for age in range(AGES):
            for k in range(PACK):
                m["packs"][age, seat, k] = s["packs"][age, seat, k]


@kernel
def measure_end(s, t, m):
    """What is known when the game is over."""
    for seat in range(num_seats(t)):
        m["kept"][seat] = s["kept"][seat]
        m["conquests"][seat] = s["conquests"][seat]
        for age in range(AGES):
            m["progress"][age, seat] = s["progress"][seat, age]


@kernel
def replay(states, tables, intervention, log, parts, totals, ranks, m):
    """The whole game, forced actions one by one as well."""
    s, t = states[0], tables[0]
    leader = np.int64(-1)
    while True:
        action = np.int64(log[s["steps"]])
        s["steps"] += 1
        leader = go_on(states, tables, action, parts, totals, ranks, m, leader)
        while not s["over"]:
            phase = s["phase"]
            asked = ask(s, t)
            if s["phase"] != phase:
                leader = see_phase(states, tables, phase, parts, totals, ranks, m, leader)
            if asked:
                if num_legal(s) > 1:
                    break
                leader = go_on(states, tables, np.int64(first_legal(s)), parts, totals, ranks, m, leader)
        if s["over"]:
            return
        s["num_legal"] = num_legal(s)
        intervene(states, 0, tables, intervention)


@kernel
def go_on(states, tables, action, parts, totals, ranks, m, leader):
    """Take an action, and see what it does."""
    s, t = states[0], tables[0]
    see_action(s, t, action, m)
    phase = s["phase"]
    apply_action(s, t, action)
    if s["phase"] != phase:
        return see_phase(states, tables, phase, parts, totals, ranks, m, leader)
    return leader


@kernel
def see_action(s, t, action, m):
    """Picks, cards played, stances, assaults, and who chooses a place."""
    seat, kind, age = np.int64(s["seat"]), s["kind"], np.int64(s["age"])
    if kind == K_DRAFT:
        m["picks"][age, seat, s["pick"]] = action - CARD_BASE
    elif kind == K_STANCE:
        if s["turn"] == 0:
            m["rounds"][age] += 1
        if action == WAR_ACTION:
            m["wars"][age, seat] += 1
    elif kind == K_POSITION:
        m["choosers"][age, s["chosen_places"]] = seat
    elif kind == K_ASSAULT and action >= EDGE_BASE:
        m["assaults"][age, seat] += 1
    elif is_play(kind, action):
        m["played"][action - CARD_BASE] = seat + 1


@kernel
def is_play(kind, action):
    """Is a card played by this action?"""
    return CARD_BASE <= action < DISCARD_BASE and kind in (
        K_GROWTH, K_EXPANSION, K_END_OF_AGE, K_ASSAULT, K_DEFENCE, K_REINFORCE, K_COPY,
    )  # fmt: skip


@kernel
def place_order(s, t, m):
    """The turn order of the Age that begins."""
    for place in range(num_seats(t)):
        m["order"][s["age"], place] = s["order"][place]


@kernel
def see_phase(states, tables, before, parts, totals, ranks, m, leader):
    """A phase is over: who leads by what everybody can count, and how the Age ended; returns the leader."""
    s, t = states[0], tables[0]
    if s["phase"] == DRAFT:
        place_order(s, t, m)
    if before in (SETUP, DRAFT, POSITION):
        return leader
    rules.put_scores(states, 0, tables, parts, totals, ranks)
    best, first, shared = np.int64(-1), np.int64(-1), False
    for seat in range(num_seats(t)):
        score = np.int64(totals[seat] - parts[seat, PART_OBJECTIVE])
        if before == END:
            m["scores"][closed_age(s), seat] = score
        if score >= best:
            shared = score == best
            best, first = score, seat
    if shared or first == leader:
        return leader
    if leader >= 0:
        m["lead_changes"] += 1
    return first


@kernel
def closed_age(s):
    """The Age that has just ended: the next one begins at once where no places are chosen."""
    age = np.int64(s["age"])
    return age - 1 if s["phase"] == DRAFT else age
