"""The final score and the ranking (RULES 6), and what an objective is worth (RULES 8).

Everything is worked out from the position, at any time: in the middle of a game it is the score if
the game ended now, without what the Age in progress will still bring.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.genesia.names import (
    AGES,
    PART_CONQUEST,
    PART_OBJECTIVE,
    PART_PROGRESS,
    PART_RADIANCE,
    RADIANCE_POINTS,
    REGION_WORDS,
    SCORE_PARTS,
)
from genesia_rl.games.genesia.rules.counters import count, num_foreign, worth
from genesia_rl.games.genesia.rules.players import num_seats

NUM_PARTS = len(SCORE_PARTS)


@kernel
def objective_worth(s, t, seat, number):
    """The sum of its terms, and 0 if its need is not met."""
    if number == 0:
        return 0
    if t["need_min"][number] > 0:
        have = count(s, t, seat, np.int64(t["need_per"][number]), np.int64(t["need_arg"][number]))
        if have < t["need_min"][number]:
            return 0
    points = 0
    for place in range(t["num_terms"][number]):
        points += worth(
            s, t, seat,
            np.int64(t["term_n"][number, place]), np.int64(t["term_per"][number, place]),
            np.int64(t["term_arg"][number, place]), np.int64(t["term_div"][number, place]),
            np.int64(t["term_cap"][number, place]),
        )  # fmt: skip
    return points


@kernel
def total_progress(s, seat):
    """The three Ages' progress."""
    points = 0
    for age in range(AGES):
        points += s["progress"][seat, age]
    return points


@kernel
def conquest_points(s, t, seat):
    """The value of every region the seat occupies, wherever it is."""
    points = 0
    for word in range(REGION_WORDS):
        regions = s["occupied"][seat, word]
        while regions != bits.ZERO:
            points += t["value"][word * 64 + lowest(regions)]
            regions = bits.rest(regions)
    return points


@kernel
def put_score(s, t, seat, parts):
    """The four parts of a seat's score."""
    parts[PART_PROGRESS] = total_progress(s, seat)
    parts[PART_RADIANCE] = RADIANCE_POINTS * num_foreign(s, t, seat)
    parts[PART_CONQUEST] = conquest_points(s, t, seat)
    parts[PART_OBJECTIVE] = objective_worth(s, t, seat, np.int64(s["kept"][seat]))


@kernel
def put_points(s, t, parts, totals):
    """The parts and the totals of all seats."""
    for seat in range(num_seats(t)):
        put_score(s, t, seat, parts[seat])
        totals[seat] = 0
        for part in range(NUM_PARTS):
            totals[seat] += parts[seat, part]


@kernel
def is_better(t, parts, totals, seat, other):
    """Does the seat rank before the other one? Teams are compared by their last members (R6)."""
    if t["with_teams"]:
        return stands_before(
            parts, totals, last_member(t, parts, totals, seat), last_member(t, parts, totals, other)
        )
    return stands_before(parts, totals, seat, other)


@kernel
def stands_before(parts, totals, seat, other):
    """Higher total; ties: more objective points, then more progress."""
    if totals[seat] != totals[other]:
        return totals[seat] > totals[other]
    if parts[seat, PART_OBJECTIVE] != parts[other, PART_OBJECTIVE]:
        return parts[seat, PART_OBJECTIVE] > parts[other, PART_OBJECTIVE]
    return parts[seat, PART_PROGRESS] > parts[other, PART_PROGRESS]


@kernel
def last_member(t, parts, totals, seat):
    """The member of the seat's team that all its other members stand before, or level with."""
    last = seat
    for other in range(num_seats(t)):
        if t["team"][other] == t["team"][seat] and stands_before(parts, totals, last, other):
            last = other
    return last


@kernel
def put_ranks(t, parts, totals, ranks):
    """For each seat how many rank before it: 0 for the winners, who may be several."""
    for seat in range(num_seats(t)):
        ranks[seat] = 0
        for other in range(num_seats(t)):
            if is_better(t, parts, totals, other, seat):
                ranks[seat] += 1
