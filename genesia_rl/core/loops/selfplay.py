"""Whole games in which networks play, one compiled call for many of them (core/incremental.py).

On every seat sits a network, a scripted player of the game's mind or the random player; whoever is learned from is
written down. Further names that may stand in the namespace, of a mind: `choose`; `score_actions`; and `put_traits`,
which writes what a plan makes of each legal action, in ascending order, as numbers that a network reads beside the
observation (left out: what the scores say, core/advice.py).
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.actions import same_action
from genesia_rl.core.advice import put_advice
from genesia_rl.core.compile import entry, kernel, lowest, merged
from genesia_rl.core.incremental import (
    SEGMENT,
    add_rows,
    add_traits,
    drawn,
    put_changes,
    put_hidden,
    put_logits,
    put_told,
    value_of,
)
from genesia_rl.core.mind import SelfplayKernels
from genesia_rl.core.rewards import potential, put_rewards, take_secrets

# ---------------------------------------------------------------- what a game may leave out


@kernel
def choose_any(states, i, tables, p, scratch, j, actions, scores, key):
    """Any legal action."""
    s = states[i]
    return bits.nth_member(s["legal"], chance.below(key, s["num_legal"]))


@kernel
def nothing_more(s, t, result):
    """A result has no other fields."""


@kernel
def put_no_traits(states, i, tables, p, scratch, j, actions, scores, traits):
    """Nobody says anything of actions."""


@kernel
def put_thoughts(states, i, tables, p, scratch, j, actions, scores, traits):
    """What a mind says of actions if it has nothing of its own to say: what it thinks of each."""
    put_advice(scores, score_actions(states, i, tables, p, scratch, j, actions, scores), traits)


#: Known when this is compiled, so that a game without traits pays nothing for them. A network that reads none has no
#: columns for them.
HAS_TRAITS = "put_traits" in globals() or "score_actions" in globals()
number_of_seat = getattr(rules, "to_view", same_action)
put_rest = getattr(rules, "put_extra", nothing_more)
choose_scripted = globals().get("choose", choose_any)
put_traits = globals().get("put_traits", put_thoughts if HAS_TRAITS else put_no_traits)

# ---------------------------------------------------------------- one decision of a network


@kernel
def put_legal_columns(s, t, seat, nets, room):
    """The legal actions, and which rows of the networks' last layer they are; returns how many."""
    count, actions, columns, column_of = 0, room.actions, room.columns, nets.columns
    for word in range(s["legal"].shape[0]):
        left = s["legal"][word]
        while left != bits.ZERO:
            action = word * 64 + lowest(left)
            actions[count] = action
            columns[count] = column_of[np.uint64(number_of_seat(t, np.uint64(seat), np.uint64(action)))]
            count += 1
            left = bits.rest(left)
    return count


@kernel
def look(s, t, seat, nets, who, inputs, size, room):
    """Bring the seat's sums up to date; returns how many entries that took."""
    observe(s, t, seat, room.new[:size])
    old = room.old_words[seat]
    count = put_changes(inputs, room.new, room.new_words, room.old[seat], old, room.rows, room.by, 0)
    for word in range(old.shape[0]):
        old[word] = room.new_words[word]
    add_rows(nets.first[who], room.rows, room.by, 0, count, room.sums, seat)
    return count


@kernel
def weigh(nets, who, seat, room, count):
    """The logits of the legal actions."""
    put_hidden(nets, who, room.sums[seat], room.active, room.hidden, room.deeper)
    put_weights(nets, who, room, count)


@merged
def put_weights(nets, who, room, count):
    """The same from the hidden layer."""
    put_logits(nets.logits[who], nets.logits_b[who], room.hidden, 0, room.columns, 0, count, room.weights, 0)
    if HAS_TRAITS and room.traits.shape[1] > 0:
        put_told(nets.traits_b[who], nets.traits_joint[who], room.hidden, 0, room.told)
        add_traits(
            nets.traits[who], nets.traits_out[who], nets.traits_own[who], room.traits, 0, count, room.told, room.unit,
            room.weights, 0,
        )  # fmt: skip


@merged
def see_traits(states, own, adviser, room):
    """What the adviser makes of the legal actions of `states[0]`, if the network reads it; the next state is there to
    try them on."""
    if HAS_TRAITS and room.traits.shape[1] > 0:
        put_traits(states, 0, own, adviser[0], states, 1, room.mind_actions, room.mind_scores, room.traits)


@kernel
def is_full(trace, size, legal):
    """Might another row not fit?"""
    filled = trace.filled
    return (
        filled[0] >= trace.rows.shape[0]
        or filled[1] + size > trace.entry_rows.shape[0]
        or filled[2] + legal > trace.legal.shape[0]
    )


@kernel
def note_entries(trace, row, inputs, room, seat, count):
    """What the row sees: all of it where a segment begins, else what has changed."""
    at = trace.filled[1]
    row["entry"] = at
    row["fresh"] = room.since[seat] == 0
    if row["fresh"]:
        end = put_changes(
            inputs,
            room.new,
            room.new_words,
            room.nothing,
            room.nothing_words,
            trace.entry_rows,
            trace.entry_by,
            at,
        )
    else:
        end = at + count
        for k in range(count):
            trace.entry_rows[at + k] = room.rows[k]
            trace.entry_by[at + k] = room.by[k]
    row["num_entries"] = end - at
    trace.filled[1] = end
    room.since[seat] = (room.since[seat] + 1) % SEGMENT


@kernel
def note_legal(trace, row, room, count):
    """What the row may do."""
    at = trace.filled[2]
    row["legal"] = at
    row["num_legal"] = count
    for k in range(count):
        trace.legal[at + k] = room.columns[k]
        if HAS_TRAITS:
            for trait in range(room.traits.shape[1]):
                trace.traits[at + k, trait] = room.traits[k, trait]
    trace.filled[2] = at + count


@kernel
def margin_now(states, own, settings, seat, room):
    """The potential of a seat, from the public score."""
    rules.put_scores(states, 0, own, room.parts, room.totals, room.ranks)
    take_secrets(settings, room.parts, room.totals)
    return potential(settings, room.totals, seat)


@kernel
def pay_shaping(states, own, settings, seat, learner, trace, room):
    """What shaping pays for the learner's last decision."""
    if settings["shaping"] == 0:
        return
    now = margin_now(states, own, settings, seat, room)
    before = room.previous[learner]
    if before >= 0:
        paid = settings["shaping"] * (settings["gamma"] * now - room.potential[learner])
        trace.rows[before]["reward"] += paid
    room.potential[learner] = now


@kernel
def note_decision(states, own, g, seat, settings, inputs, trace, room, entries, count):
    """A new row of the trace, but for what is chosen."""
    learner = seat if settings["is_contest"] else np.int64(0)
    pay_shaping(states, own, settings, seat, learner, trace, room)
    place = trace.filled[0]
    trace.filled[0] = place + 1
    room.previous[learner] = place
    row = trace.rows[place]
    row["game"], row["seat"], row["learner"], row["last"] = g, seat, learner, 0
    row["log_p"], row["value"], row["reward"] = 0, 0, 0
    note_entries(trace, row, inputs, room, seat, entries)
    note_legal(trace, row, room, count)
    return place


@kernel
def place_among(actions, count, action):
    """Where an action stands."""
    for place in range(count):
        if actions[place] == action:
            return place
    return np.int64(-1)


@kernel
def taught_place(states, own, plans, lessons, room, count, key):
    """What the teacher would choose, as a place among the legal actions."""
    teacher = plans[np.int64(lessons["teacher"])]
    action = choose_scripted(states, 0, own, teacher, states, 1, room.mind_actions, room.mind_scores, key)
    return place_among(room.actions, count, action)


@kernel
def decide(
    states, own, g, seat, who, learns, key, nets, inputs, adviser, plans, settings, lessons, size, room, trace
):
    """What the network `who` does on a seat, as an absolute action; -1 if the trace is full."""
    s = states[0]
    entries = look(s, own[0], seat, nets, who, inputs, size, room)
    count = put_legal_columns(s, own[0], seat, nets, room)
    see_traits(states, own, adviser, room)
    uniform = chance.fraction(chance.mix(key))
    if not learns:
        weigh(nets, who, seat, room, count)
        return room.actions[drawn(room.weights, count, uniform)[0]]
    if is_full(trace, 2 * size, count):
        return np.int64(-1)
    row = note_decision(states, own, g, seat, settings, inputs, trace, room, entries, count)
    if lessons["teacher"] < 0:
        weigh(nets, who, seat, room, count)
        place, log_p = drawn(room.weights, count, uniform)
        value = value_of(nets, who, room.hidden[0], room.active, room.half)
        trace.rows[row]["log_p"], trace.rows[row]["value"] = log_p, value
        trace.rows[row]["chosen"] = place
        return room.actions[place]
    place = taught_place(states, own, plans, lessons, room, count, key)
    trace.rows[row]["chosen"] = place
    if chance.fraction(chance.mix(chance.advance(key))) < lessons["mix"]:
        weigh(nets, who, seat, room, count)
        place = drawn(room.weights, count, uniform)[0]
    return room.actions[place]


# ---------------------------------------------------------------- whole games


@kernel
def sit_down(nets, lineup, seats, room):
    """Before a game: nobody has seen anything."""
    for seat in range(seats):
        room.old[seat] = 0
        if lineup[seat] < nets.first.shape[0]:
            for q in range(room.sums.shape[1]):
                room.sums[seat, q] = nets.first_b[lineup[seat], q]
        room.since[seat] = 0
        room.previous[seat] = -1


@kernel
def pay_out(states, own, g, settings, trace, room, results):
    """After a game: its result, and what the learners' last decisions are paid."""
    r = results[g]
    rules.put_scores(states, 0, own, r["parts"], r["totals"], r["ranks"])
    r["steps"] = states[0]["steps"]
    put_rest(states[0], own[0], r)
    room.pay[:] = 0
    put_rewards(settings, r["totals"], r["ranks"], room.pay)
    for learner in range(rules.num_seats(own[0])):
        before = room.previous[learner]
        if before >= 0:
            shaped = settings["shaping"] * room.potential[learner] if settings["shaping"] != 0 else 0.0
            trace.rows[before]["reward"] += room.pay[learner] - shaped
            trace.rows[before]["last"] = 1


@kernel
def play_game(
    states, own, g, seed, lineup, learns, nets, inputs, adviser, plans, settings, lessons, size, room, trace,
    results,
):  # fmt: skip
    """One whole game; False if the trace is full."""
    number = nets.first.shape[0]
    rules.deal(states, 0, own, seed)
    rules.put_order(states[0], own[0], results[g]["order"])
    rules.start(states, 0, own)
    sit_down(nets, lineup, rules.num_seats(own[0]), room)
    stream = chance.policy_stream(seed)
    while not states[0]["over"]:
        s = states[0]
        seat, key = np.int64(s["seat"]), chance.mix(stream)
        stream = chance.advance(stream)
        who = np.int64(lineup[seat])
        if who < number:
            action = decide(
                states, own, g, seat, who, learns[seat], key, nets, inputs, adviser, plans, settings, lessons,
                size, room, trace,
            )  # fmt: skip
            if action < 0:
                return False
        elif who < number + plans.shape[0]:
            p = plans[who - number]
            action = np.int64(
                choose_scripted(states, 0, own, p, states, 1, room.mind_actions, room.mind_scores, key)
            )
        else:
            action = np.int64(bits.nth_member(s["legal"], chance.below(key, s["num_legal"])))
        rules.step(states, 0, own, action)
    pay_out(states, own, g, settings, trace, room, results)
    return True


@entry
def play_networks(
    states, tables, which, seeds, lineups, learns, nets, inputs, adviser, plans, settings, lessons, size, room,
    trace, results,
):  # fmt: skip
    """Whole games; returns the number of decisions, or -1 if the trace was too small for what is learned from.

    `lineups[g, seat]` is a network, behind them a plan, behind these the random player; `learns[g, seat]`: are the
    decisions of this network written down? `adviser` is the plan whose traits networks read. `lessons` says which plan
    teaches (-1: none; what is written down is what was done) and in which share of the decisions the pupil's own choice
    is played. `states` is two to work on.
    """
    decisions = 0
    for g in range(seeds.shape[0]):
        own = tables[np.int64(which[g]) : np.int64(which[g]) + 1]
        if not play_game(
            states, own, g, seeds[g], lineups[g], learns[g], nets, inputs, adviser, plans, settings[0], lessons[0],
            size, room, trace, results,
        ):  # fmt: skip
            return -1
        decisions += np.int64(results[g]["steps"])
    return decisions


@entry
def trait_rows(states, rows, tables, which, adviser, scratch, columns, traits, actions, scores, out):
    """What the adviser makes of every legal action of each of the rows, by column; of others nothing."""
    for n in range(rows.shape[0]):
        i, t = rows[n], np.int64(which[n])
        s, own = states[i], tables[t : t + 1]
        put_traits(states, i, own, adviser[0], scratch, 0, actions, scores, traits)
        place = 0
        for word in range(s["legal"].shape[0]):
            left = s["legal"][word]
            while left != bits.ZERO:
                action = np.uint64(word * 64 + lowest(left))
                column = columns[np.uint64(number_of_seat(own[0], np.uint64(s["seat"]), action))]
                for k in range(traits.shape[1]):
                    out[n, column, k] = traits[place, k]
                place += 1
                left = bits.rest(left)


FILLED = SelfplayKernels(play_networks, trait_rows)
