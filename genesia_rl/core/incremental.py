"""A network that is kept up to date: its first layer belongs to a seat, and only what has changed is added to it.

Of an observation's bytes nine tenths are zero and hardly any change from one decision of a seat to its next. So the
sums of the first layer (`sums`) are kept, and an *entry* (a row of the first layer's weights, and by how much of it
they change) stands for everything that a decision sees anew. Logits are computed of legal actions only.

    sums      bias + every input times its row          [width]
    hidden    relu(second(relu(sums))), and what a further layer adds to it    [joint]
    logits    hidden times the rows of the legal actions
              + what the mind's numbers of the action (its traits) weigh, and a small layer over them and hidden
    value     two small layers of hidden

Games between networks are written down as *traces*: a row for each decision that is learned from, its entries,
its legal actions. Consecutive rows of a seat form *segments*: the first row of one is `fresh` and has all its inputs
as entries, the others what has changed. A learner's pass over a segment adds up in the same way, and its gradients
flow back in the same way, so that both cost a tenth of what a dense layer does.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.compile import merged, summing, summing_entry

Array = npt.NDArray[Any]

U = np.uint64
#: Decisions of a segment at most.
SEGMENT = 16

#: A decision that is learned from.
ROW = np.dtype(
    [
        ("entry", np.int64),  # where its entries begin, and how many there are
        ("legal", np.int64),  # likewise its legal actions
        ("num_entries", np.int32),
        ("num_legal", np.int32),
        ("game", np.int32),  # as a place among those of the call
        (
            "chosen",
            np.int32,
        ),  # a place among its legal actions: what was done, or what a teacher would have done
        ("log_p", np.float32),
        ("value", np.float32),
        ("reward", np.float32),  # paid until the learner's next decision
        ("seat", np.int8),
        ("learner", np.int8),  # whose decisions follow one another: the seat, or 0 where all play together
        ("fresh", np.int8),  # begins a segment
        ("last", np.int8),  # nothing follows it
    ],
    align=True,
)

#: Who says what would be right, as a place among the plans, and how often the pupil's own choice is played.
LESSONS = np.dtype([("teacher", np.int32), ("mix", np.float32)], align=True)


class Inputs(NamedTuple):
    """What a byte of an observation is to the first layer: a row times its value, or a row for each word."""

    row: npt.NDArray[np.int32]  # -1: nothing
    words: npt.NDArray[np.int32]  # 0: a number
    stride: npt.NDArray[np.int32]  # from the row of a word to that of the next


class Nets(NamedTuple):
    """Weights of several networks of one shape, the network first. Layers are [from, to]."""

    first: npt.NDArray[np.float32]
    first_b: npt.NDArray[np.float32]
    second: npt.NDArray[np.float32]
    second_b: npt.NDArray[np.float32]
    deep: npt.NDArray[np.float32]
    deep_b: npt.NDArray[np.float32]
    value1: npt.NDArray[np.float32]
    value1_b: npt.NDArray[np.float32]
    value2: npt.NDArray[np.float32]
    value2_b: npt.NDArray[np.float32]
    logits: npt.NDArray[np.float32]  # [network, column, joint]
    logits_b: npt.NDArray[np.float32]
    traits: npt.NDArray[np.float32]  # [network, trait, unit]
    traits_b: npt.NDArray[np.float32]
    traits_joint: npt.NDArray[np.float32]  # [network, joint, unit]
    traits_out: npt.NDArray[np.float32]  # [network, unit]
    traits_own: npt.NDArray[np.float32]  # [network, trait]
    columns: npt.NDArray[np.int32]  # of every action in a seat's numbering: its row of `logits`, or -1


class Room(NamedTuple):
    """What a call works in. Observations are as long as a multiple of 8 bytes, to be compared by words."""

    old: npt.NDArray[np.int8]  # [seat, byte]: as the seat's sums know it
    old_words: npt.NDArray[np.uint64]
    new: npt.NDArray[np.int8]
    new_words: npt.NDArray[np.uint64]
    nothing: npt.NDArray[np.int8]  # an observation of zeros
    nothing_words: npt.NDArray[np.uint64]
    sums: npt.NDArray[np.float32]  # [seat, width]
    active: npt.NDArray[np.int64]
    hidden: npt.NDArray[np.float32]  # [1, joint]
    deeper: npt.NDArray[np.float32]
    half: npt.NDArray[np.float32]
    rows: npt.NDArray[np.int32]  # entries
    by: npt.NDArray[np.float32]
    actions: npt.NDArray[np.int64]  # legal ones, absolute
    columns: npt.NDArray[np.int32]
    weights: npt.NDArray[np.float32]  # their logits, then what a choice among them weighs
    traits: npt.NDArray[np.int8]  # [legal action, trait]
    told: npt.NDArray[np.float32]  # [unit]: what the hidden layer says to the layer over traits
    unit: npt.NDArray[np.float32]
    mind_actions: npt.NDArray[np.int64]
    mind_scores: npt.NDArray[np.float64]
    previous: npt.NDArray[np.int64]  # [learner]: the row of its last decision
    potential: npt.NDArray[np.float64]
    since: npt.NDArray[np.int64]  # [seat]: rows of its present segment
    parts: npt.NDArray[np.int32]
    totals: npt.NDArray[np.int32]
    ranks: npt.NDArray[np.int8]
    pay: npt.NDArray[np.float32]


class Trace(NamedTuple):
    """Where decisions are written down, and how full that is: rows, entries, legal actions."""

    rows: npt.NDArray[np.void]
    entry_rows: npt.NDArray[np.int32]
    entry_by: npt.NDArray[np.float32]
    legal: npt.NDArray[np.int32]
    traits: npt.NDArray[np.int8]  # of each of `legal`: [legal action, trait]
    filled: npt.NDArray[np.int64]


# ---------------------------------------------------------------- what is seen, as entries


@merged
def put_changes(inputs, new, new_words, old, old_words, rows, amounts, at):
    """The entries of all that differs between two observations, from place `at` on; returns where they end.

    Arrays are taken out of tuples once, as each time costs more than an entry, and places are unsigned, as a
    signed one could be counted from the end.
    """
    row_of, words_of, stride_of = inputs.row, inputs.words, inputs.stride
    for word in range(U(new_words.shape[0])):
        if new_words[word] == old_words[word]:
            continue
        for place in range(U(8) * word, U(8) * word + U(8)):
            now, before = np.int32(new[place]), np.int32(old[place])
            row = row_of[place]
            if now == before or row < 0:
                continue
            words = words_of[place]
            if words == 0:
                rows[at], amounts[at] = row, now - before
                at += 1
                continue
            if 0 < before <= words:
                rows[at], amounts[at] = row + (before - 1) * stride_of[place], -1
                at += 1
            if 0 < now <= words:
                rows[at], amounts[at] = row + (now - 1) * stride_of[place], 1
                at += 1
    return at


# ---------------------------------------------------------------- layers


@summing
def add_rows(weights, rows, amounts, first, last, out, o):
    """out[o] += rows of weights, each by its amount; four at a time, as what is added to is read as often."""
    k, end, width = U(first), U(last), U(out.shape[1])
    while k + U(4) <= end:
        a, b, c, d = amounts[k], amounts[k + U(1)], amounts[k + U(2)], amounts[k + U(3)]
        i, j = U(rows[k]), U(rows[k + U(1)])
        m, n = U(rows[k + U(2)]), U(rows[k + U(3)])
        for q in range(width):
            out[o, q] += a * weights[i, q] + b * weights[j, q] + (c * weights[m, q] + d * weights[n, q])
        k += U(4)
    while k < end:
        a, i = amounts[k], U(rows[k])
        for q in range(width):
            out[o, q] += a * weights[i, q]
        k += U(1)


@summing
def add_layer(x, weights, active, out):
    """out += relu(x) weights; what is not positive costs nothing."""
    count, width = U(0), U(out.shape[0])
    for k in range(U(x.shape[0])):
        active[count] = k
        count += U(x[k] > 0)
    k = U(0)
    while k + U(4) <= count:
        i, j, m, n = U(active[k]), U(active[k + U(1)]), U(active[k + U(2)]), U(active[k + U(3)])
        a, b, c, d = x[i], x[j], x[m], x[n]
        for q in range(width):
            out[q] += a * weights[i, q] + b * weights[j, q] + (c * weights[m, q] + d * weights[n, q])
        k += U(4)
    while k < count:
        i = U(active[k])
        a = x[i]
        for q in range(width):
            out[q] += a * weights[i, q]
        k += U(1)


@summing
def put_hidden(nets, k, sums, active, hidden, deeper):
    """The hidden layer of network k over the sums of a first layer; `hidden` is an array of one row."""
    bias, deep_bias, out = nets.second_b[k], nets.deep_b[k], hidden[0]
    for q in range(out.shape[0]):
        out[q] = bias[q]
        deeper[q] = deep_bias[q]
    add_layer(sums, nets.second[k], active, out)
    add_layer(out, nets.deep[k], active, deeper)
    for q in range(out.shape[0]):
        out[q] = max(out[q], np.float32(0)) + max(deeper[q], np.float32(0))


@summing
def value_of(nets, k, hidden, active, half):
    """The value of network k."""
    bias, last = nets.value1_b[k], nets.value2[k]
    for q in range(half.shape[0]):
        half[q] = bias[q]
    add_layer(hidden, nets.value1[k], active, half)
    value = nets.value2_b[k]
    for q in range(half.shape[0]):
        value += max(half[q], np.float32(0)) * last[q]
    return value


@summing
def put_logits(table, bias, hidden, h, columns, begin, count, out, at):
    """The logits of some actions, from row h of hidden layers."""
    for place in range(U(count)):
        column = U(columns[U(begin) + place])
        x = bias[column]
        for q in range(U(hidden.shape[1])):
            x += hidden[h, q] * table[column, q]
        out[U(at) + place] = x


@summing
def put_told(bias, joint, hidden, h, told):
    """What row h of hidden layers says to the layer over traits."""
    for u in range(U(told.shape[0])):
        told[u] = bias[u]
    for j in range(U(joint.shape[0])):
        x = hidden[h, j]
        if x != np.float32(0):
            for u in range(U(told.shape[0])):
                told[u] += x * joint[j, u]


@summing
def put_unit(table, traits, place, told, unit):
    """The layer over traits, before it is cut off below 0, for one action."""
    for u in range(U(unit.shape[0])):
        unit[u] = told[u]
    for k in range(U(table.shape[0])):
        x = np.float32(traits[place, k])
        if x != np.float32(0):
            for u in range(U(unit.shape[0])):
                unit[u] += x * table[k, u]


@summing
def add_traits(table, last, own, traits, begin, count, told, unit, out, at):
    """What the traits of some actions add to their logits."""
    for place in range(U(count)):
        row = U(begin) + place
        put_unit(table, traits, row, told, unit)
        x = np.float32(0)
        for u in range(U(unit.shape[0])):
            x += max(unit[u], np.float32(0)) * last[u]
        for k in range(U(own.shape[0])):
            x += np.float32(traits[row, k]) * own[k]
        out[U(at) + place] += x


@merged
def log_total(logits, at, count):
    """The logarithm of the sum of exponentials of some logits."""
    top = logits[at]
    for place in range(at + 1, at + count):
        top = max(top, logits[place])
    total = np.float32(0)
    for place in range(at, at + count):
        total += np.exp(logits[place] - top)
    return top + np.log(total)


@merged
def drawn(logits, count, uniform):
    """A place drawn by the policy: the inverse of the distribution function; and its log probability."""
    total, left = log_total(logits, 0, count), np.float32(uniform)
    for place in range(count):
        log_p = logits[place] - total
        left -= np.exp(log_p)
        if left <= 0:
            return place, log_p
    return count - 1, logits[count - 1] - total


# ---------------------------------------------------------------- whole batches, for players


@summing_entry
def forward_rows(nets, inputs, room, observation, legal, traits, logits, values):
    """The logits of what is legal and the value of network 0 for each row of observations, from nothing; of what is
    not legal minus infinity. `legal` and `traits` are of every column.
    """
    size, hidden, columns = observation.shape[1], room.hidden, room.columns
    for r in range(observation.shape[0]):
        room.new[:size] = observation[r]
        room.sums[0] = nets.first_b[0]
        count = put_changes(
            inputs, room.new, room.new_words, room.nothing, room.nothing_words, room.rows, room.by, 0
        )
        add_rows(nets.first[0], room.rows, room.by, 0, count, room.sums, 0)
        put_hidden(nets, 0, room.sums[0], room.active, hidden, room.deeper)
        values[r] = value_of(nets, 0, hidden[0], room.active, room.half)
        count = 0
        for column in range(legal.shape[1]):
            logits[r, column] = -np.inf
            if legal[r, column]:
                columns[count] = column
                room.traits[count] = traits[r, column]
                count += 1
        put_logits(nets.logits[0], nets.logits_b[0], hidden, 0, columns, 0, count, room.weights, 0)
        if traits.shape[2] > 0:
            put_told(nets.traits_b[0], nets.traits_joint[0], hidden, 0, room.told)
            add_traits(
                nets.traits[0], nets.traits_out[0], nets.traits_own[0], room.traits, 0, count, room.told, room.unit,
                room.weights, 0,
            )  # fmt: skip
        for place in range(count):
            logits[r, columns[place]] = room.weights[place]


# ---------------------------------------------------------------- learning: passes over rows of a trace


@summing_entry
def sum_segments(first, bias, fresh, begins, ends, entry_rows, entry_by, out):
    """The sums of the first layer for decisions that are whole segments, one after another."""
    for n in range(U(out.shape[0])):
        if fresh[n]:
            for q in range(U(out.shape[1])):
                out[n, q] = bias[q]
        else:
            for q in range(U(out.shape[1])):
                out[n, q] = out[n - U(1), q]
        add_rows(first, entry_rows, entry_by, begins[n], ends[n], out, n)


@summing_entry
def spread_segments(fresh, begins, ends, entry_rows, entry_by, gradient, first, bias):
    """Back through `sum_segments`: adds to the gradients of its weights; `gradient` is used up."""
    for back in range(U(gradient.shape[0])):
        n = U(gradient.shape[0]) - U(1) - back
        for e in range(U(begins[n]), U(ends[n])):
            by, row = entry_by[e], U(entry_rows[e])
            for q in range(U(gradient.shape[1])):
                first[row, q] += by * gradient[n, q]
        if fresh[n]:
            for q in range(U(gradient.shape[1])):
                bias[q] += gradient[n, q]
        else:
            for q in range(U(gradient.shape[1])):
                gradient[n - U(1), q] += gradient[n, q]


@summing_entry
def judge_actions(
    hidden, table, bias, by_traits, begins, counts, legal, traits, chosen, log_p, entropy, kept
):  # fmt: skip
    """Log probabilities of what was chosen, entropies, and all log probabilities (`kept`, one after another).

    `by_traits` are the weights of the layer over traits: of the traits, its bias, of the hidden layer, what it adds,
    and what every trait adds by itself.
    """
    of_traits, traits_bias, joint, last, own = by_traits
    told, unit = np.zeros(of_traits.shape[1], np.float32), np.zeros(of_traits.shape[1], np.float32)
    at = 0
    for n in range(hidden.shape[0]):
        count = np.int64(counts[n])
        put_logits(table, bias, hidden, n, legal, begins[n], count, kept, at)
        if traits.shape[1] > 0:
            put_told(traits_bias, joint, hidden, n, told)
            add_traits(of_traits, last, own, traits, begins[n], count, told, unit, kept, at)
        total, spread = log_total(kept, at, count), np.float32(0)
        for place in range(at, at + count):
            kept[place] -= total
            spread -= np.exp(kept[place]) * kept[place]
        log_p[n], entropy[n] = kept[at + chosen[n]], spread
        at += count


@summing_entry
def spread_actions(
    hidden, table, by_traits, begins, counts, legal, traits, chosen, entropy, kept, by_log_p, by_entropy, to_hidden,
    to_table, to_bias, to_traits,
):  # fmt: skip
    """Back through `judge_actions`: adds to the gradients of the actions' and traits' weights, and of `hidden`."""
    of_traits, traits_bias, joint, last, _ = by_traits
    units = U(of_traits.shape[1])
    told, unit = np.zeros(units, np.float32), np.zeros(units, np.float32)
    to_told = np.zeros(units, np.float32)
    at, width, has_traits = U(0), U(hidden.shape[1]), traits.shape[1] > 0
    for n in range(U(hidden.shape[0])):
        if has_traits:
            put_told(traits_bias, joint, hidden, n, told)
            to_told[:] = 0
        for place in range(U(counts[n])):
            log_p = kept[at]
            p = np.exp(log_p)
            by = -by_log_p[n] * p - by_entropy[n] * p * (log_p + entropy[n])
            if place == U(chosen[n]):
                by += by_log_p[n]
            row = U(begins[n]) + place
            column = U(legal[row])
            to_bias[column] += by
            for q in range(width):
                to_hidden[n, q] += by * table[column, q]
            for q in range(width):
                to_table[column, q] += by * hidden[n, q]
            if has_traits:
                put_unit(of_traits, traits, row, told, unit)
                spread_traits(last, by, traits, row, unit, to_told, to_traits)
            at += U(1)
        if has_traits:
            spread_told(joint, hidden, n, to_told, to_hidden, to_traits)


@summing
def spread_traits(last, by, traits, row, unit, to_told, to_traits):
    """Back through `add_traits` of one action; `unit` is used up."""
    to_table, _, _, to_last, to_own = to_traits
    for u in range(U(unit.shape[0])):
        is_on = unit[u] > np.float32(0)
        to_last[u] += by * unit[u] if is_on else np.float32(0)
        unit[u] = by * last[u] if is_on else np.float32(0)
        to_told[u] += unit[u]
    for k in range(U(to_own.shape[0])):
        x = np.float32(traits[row, k])
        if x != np.float32(0):
            to_own[k] += by * x
            for u in range(U(unit.shape[0])):
                to_table[k, u] += x * unit[u]


@summing
def spread_told(joint, hidden, n, to_told, to_hidden, to_traits):
    """Back through `put_told`."""
    _, to_bias, to_joint, _, _ = to_traits
    for u in range(U(to_told.shape[0])):
        to_bias[u] += to_told[u]
    for j in range(U(joint.shape[0])):
        for u in range(U(to_told.shape[0])):
            to_joint[j, u] += hidden[n, j] * to_told[u]
            to_hidden[n, j] += joint[j, u] * to_told[u]


@summing_entry
def judge_returns(last, reward, value, gamma, gae_lambda, advantage):
    """Generalised advantages of decisions that stand one after another, learner by learner."""
    ahead, following = np.float32(0), np.float32(0)
    for n in range(advantage.shape[0] - 1, -1, -1):
        if last[n]:
            ahead, following = np.float32(0), np.float32(0)
        ahead = np.float32(reward[n] + gamma * following - value[n] + gamma * gae_lambda * ahead)
        advantage[n], following = ahead, value[n]
