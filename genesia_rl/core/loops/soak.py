"""Whole random games in which every state is looked at: the contract's promises and the game's own invariants.

In every state the header, the legal set, the acting seat's view and the game's invariants; in one of `every` states,
by chance from the game's seed, all legal actions are tried on copies, and the views of all seats and what each cannot
know are drawn anew. The first thing that is broken ends a game. The places of `states`:

    0 the game   1 as it was before an action was tried   2 what is tried   3 where the action taken should lead

It stands in a module after the template `games`, whose views and results it looks at.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core import (
    invariants as promises,
)  # by its name: other templates in the module have short ones too
from genesia_rl.core.actions import same_action
from genesia_rl.core.compile import entry, kernel, lowest
from genesia_rl.core.invariants import SoakKernels

# ---------------------------------------------------------------- what a game may leave out


@kernel
def nothing_broken(s, t):
    """A game without invariants of its own."""
    return 0


broken = globals().get("broken", nothing_broken)
to_view = getattr(rules, "to_view", same_action)
from_view = getattr(rules, "from_view", same_action)

# ---------------------------------------------------------------- one state


@kernel
def look_at_header(s, t, limits, steps):
    """Who is asked what, and the legal set."""
    legal = bits.num_members(s["legal"])
    least = 0 if s["over"] else 2
    if s["over"]:
        if s["seat"] != -1:
            return promises.SEAT
    elif s["seat"] < 0 or s["seat"] >= rules.num_seats(t):
        return promises.SEAT
    if s["kind"] < 0 or s["kind"] >= limits["num_kinds"]:
        return promises.KIND
    if legal != s["num_legal"] or legal < least or (s["over"] and legal > 0):
        return promises.NUM_LEGAL
    for place in range(limits["num_actions"], 64 * s["legal"].shape[0]):
        if bits.has(s["legal"], place):
            return promises.RANGE
    return promises.NONE if s["steps"] == steps else promises.STEPS


@kernel
def look_at(s, t, limits, steps):
    """The header, then what the game itself declares."""
    found = look_at_header(s, t, limits, steps)
    if found != promises.NONE:
        return found
    own = np.int64(broken(s, t))
    return promises.NONE if own == 0 else promises.OWN + own


@kernel
def look_at_mask(s, t, seat, limits, mask):
    """A seat's mask: the legal set in its own numbering, one for one; empty if it is not asked."""
    allowed = 0
    for place in range(mask.shape[0]):
        allowed += mask[place] != 0
    if s["seat"] != seat:
        return promises.NONE if allowed == 0 else promises.EMPTY_MASK
    if allowed != s["num_legal"]:
        return promises.MASK
    for word in range(s["legal"].shape[0]):
        left = s["legal"][word]
        while left != bits.ZERO:
            action = np.int64(word * 64 + lowest(left))
            left = bits.rest(left)
            seen = np.int64(to_view(t, np.int64(seat), action))
            if seen < 0 or seen >= limits["num_actions"] or mask[seen] != 1:
                return promises.MASK
            if np.int64(from_view(t, np.int64(seat), seen)) != action:
                return promises.NUMBERING
    return promises.NONE


@kernel
def look_at_view(states, i, tables, seat, limits, bounds, mask, seen, rubbish):
    """What a seat sees and may do, as environments write it over whatever stands there."""
    mask[:] = 1
    seen[:] = rubbish
    put_view(states, i, tables, seat, mask, seen)
    wrong = 0
    for place in range(seen.shape[0]):
        wrong += (seen[place] < bounds[0, place]) | (seen[place] > bounds[1, place])
    if wrong > 0:
        return promises.BOUNDS
    return look_at_mask(states[i], tables[0], seat, limits, mask)


@kernel
def are_same(words, a, b):
    """Are two of the states the same bytes?"""
    different = np.uint64(0)
    for k in range(words.shape[1]):
        different |= words[a, k] ^ words[b, k]
    return different == np.uint64(0)


# ---------------------------------------------------------------- one state, thoroughly


@kernel
def try_actions(states, words, tables, limits, chosen, f):
    """Every legal action on a copy: the past stays what it was, and where it leads all holds."""
    steps = np.int64(states[0]["steps"])
    states[1] = states[0]
    for place in range(states[0]["legal"].shape[0]):
        left = states[0]["legal"][place]
        while left != bits.ZERO:
            action = np.int64(place * 64 + lowest(left))
            left = bits.rest(left)
            states[2] = states[1]
            rules.step(states, 2, tables, action)
            f["tried"] += 1
            f["action"] = action
            if not are_same(words, 0, 1):
                return promises.PAST
            found = look_at(states[2], tables[0], limits, steps + 1)
            if found != promises.NONE:
                return found
            if action == chosen:
                states[3] = states[2]
    f["action"] = -1
    return promises.NONE


@kernel
def look_with_all_eyes(states, words, tables, limits, bounds, masks, views, key):
    """What every seat sees, twice over different rubbish, and in a game that it cannot tell from this one."""
    steps = np.int64(states[0]["steps"])
    for seat in range(rules.num_seats(tables[0])):
        for turn in range(2):
            rubbish = np.int8(-128) if turn == 0 else np.int8(127)
            found = look_at_view(states, 0, tables, seat, limits, bounds, masks[turn], views[turn], rubbish)
            if found != promises.NONE:
                return found
        if not alike(masks, views):
            return promises.VIEW
        resample(states, 0, states, 2, tables, seat, chance.mix(key + np.uint64(seat)))
        if not are_same(words, 0, 1):
            return promises.PAST
        found = look_at(states[2], tables[0], limits, steps)
        if found != promises.NONE:
            return found
        put_view(states, 2, tables, seat, masks[1], views[1])
        if not alike(masks, views):
            return promises.RESAMPLED
    return promises.NONE


@kernel
def alike(masks, views):
    """Are the two masks and the two views the same?"""
    different = 0
    for place in range(masks.shape[1]):
        different += masks[0, place] != masks[1, place]
    for place in range(views.shape[1]):
        different += views[0, place] != views[1, place]
    return different == 0


# ---------------------------------------------------------------- a game


@kernel
def look_at_result(r, seats, parts):
    """The score of a finished game."""
    first = 0
    for seat in range(seats):
        total = np.int64(0)
        for part in range(parts):
            total += r["parts"][seat, part]
        if parts > 0 and total != r["totals"][seat]:
            return promises.TOTAL
        if r["ranks"][seat] < 0 or r["ranks"][seat] >= seats:
            return promises.RANK
        first += r["ranks"][seat] == 0
    return promises.NONE if first > 0 else promises.RANK


#: Parts the stream that says which states are looked at thoroughly from that of the choices.
THOROUGH_STREAM = np.uint64(0x5A5A5A5AA5A5A5A5)


@kernel
def look_and_step(states, words, tables, stream, limits, bounds, masks, views, f):
    """Look at the state, and take a random legal action."""
    s = states[0]
    seat = np.int64(s["seat"])
    found = look_at_view(states, 0, tables, seat, limits, bounds, masks[0], views[0], np.int8(-128))
    if found != promises.NONE:
        return found
    chosen = np.int64(bits.nth_member(s["legal"], chance.below(chance.mix(stream), s["num_legal"])))
    key = chance.mix(stream ^ THOROUGH_STREAM)
    thorough = chance.below(key, limits["every"]) == 0
    if thorough:
        f["thorough"] += 1
        found = try_actions(states, words, tables, limits, chosen, f)
        if found == promises.NONE:
            found = look_with_all_eyes(states, words, tables, limits, bounds, masks, views, key)
        if found != promises.NONE:
            return found
    rules.step(states, 0, tables, chosen)
    if thorough and not are_same(words, 0, 3):
        f["action"] = chosen
        return promises.SAME
    return promises.NONE


@kernel
def play_looking(states, words, tables, seed, limits, bounds, masks, views, results, f):
    """A random game to its end, or to the first state in which something is broken."""
    rules.deal(states, 0, tables, seed)
    rules.start(states, 0, tables)
    stream = chance.policy_stream(seed)
    steps = np.int64(0)
    while True:
        f["step"] = f["decisions"] = steps
        found = look_at(states[0], tables[0], limits, steps)
        if found != promises.NONE:
            return found
        if states[0]["over"]:
            put_result(states, 0, tables, results, 0)
            return look_at_result(results[0], rules.num_seats(tables[0]), limits["parts"])
        if steps >= limits["max_decisions"]:
            return promises.ENDLESS
        found = look_and_step(states, words, tables, stream, limits, bounds, masks, views, f)
        if found != promises.NONE:
            return found
        stream = chance.advance(stream)
        steps += 1


@entry
def play_checked(states, words, tables, seeds, limits, bounds, masks, views, results, found):
    """Play a game for every seed and look at all its states; `words` are the bytes of the states, 8 at a time."""
    for g in range(seeds.shape[0]):
        f = found[g]
        f["thorough"] = f["tried"] = 0
        f["action"] = -1
        f["broken"] = play_looking(
            states, words, tables, seeds[g], limits[0], bounds, masks, views, results, f
        )


FILLED = SoakKernels(play_checked=play_checked)
