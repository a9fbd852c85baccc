"""What a seat sees: one table of pieces, and the kernel that writes them into one int8 buffer.

Everything is seen from the observer's own seat: seats, regions and edges are rotated so that it is
seat 0. What is private to others stays out by construction: this file reads no other seat's hand,
pack, picks, objective or stance before it is revealed (in the solo mode all hands are open). Numbers
beyond int8 are clipped. Sizes depend on the number of seats n and of regions R:

    regions   [15 + 3n, R]   planes        seats    [n, SEAT_FEATURES]   rows
    cards     [10, 100]      planes        globals  [GLOBALS]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from genesia_rl import bits, contract
from genesia_rl.games.genesia.actions import CARD_WORD, EDGE_WORD, REGION_WORD
from genesia_rl.games.genesia.board import MAX_VALUE
from genesia_rl.games.genesia.names import (
    AGES,
    CARD_WORDS,
    CITIES,
    CLANS,
    EDGE_WORDS,
    HAND,
    K_ASSAULT,
    K_EXPANSION,
    K_GROWTH,
    KINDS,
    MAX_CARD,
    MAX_DEGREE,
    MAX_OBJECTIVE,
    PHASES,
    RADIANCE_POINTS,
    REGION_WORDS,
    STEP_STANCE,
    T_ASSAULT,
    T_GROUP,
)
from genesia_rl.games.genesia.rules.counters import num_foreign, num_regions
from genesia_rl.games.genesia.rules.legal import tolls_waived
from genesia_rl.games.genesia.rules.pieces import may_stop
from genesia_rl.games.genesia.rules.players import num_seats, place_in_order, seat_after
from genesia_rl.games.genesia.rules.scoring import objective_worth
from genesia_rl.games.genesia.tables import STATIC_PLANES
from genesia_rl.jit import kernel, lowest

MOST = 127  # the greatest int8
#: Places in arrays are unsigned here: a signed one could be negative, and Python's meaning of that
#: (from the end) costs more than all the rest of these loops.
U = np.uint64


class Piece(NamedTuple):
    """One named part of the observation: its bounds, and what it says."""

    name: str
    low: int
    high: int
    says: str
    size: int = 1


#: One plane for each seat, the observer's own first.
SEAT_PLANES = (
    Piece("clans", 0, CLANS, "clans of the seat, also those that are crossing the region"),
    Piece("cities", 0, 1, "a city of the seat"),
    Piece("presence", 0, 1, "the seat occupies the region"),
)
#: One plane each.
PLANES = (
    Piece("value", 0, MAX_VALUE, "value of the region"),
    Piece("homeland_of", 0, 5, "whose homeland: 1 own, 2 left neighbour, ...; 0 no homeland"),
    Piece("continent_of", 0, 5, "whose continent, counted alike; 0 the island"),
    Piece("degree", 0, MAX_DEGREE, "number of adjacent regions"),
    Piece("blocked", 0, 1, "own clans may not stop there now"),
    Piece("toll", 0, 1, "coins to pay for crossing it now"),
    Piece("can_recruit", 0, 1, "legal now: recruit there"),
    Piece("can_reach", 0, 1, "legal now: a step of a move into it; for a group yet to be chosen, its goal"),
    Piece("can_assault", 0, 1, "legal now: an assault on it"),
    Piece("can_choose", 0, 1, "legal now: choose it for an effect"),
    Piece("origin", 0, 1, "the move that is under way began there"),
    Piece("crossing", 0, 1, "the move that is under way is there now"),
    Piece("assault_from", 0, 1, "the declared assault comes from there"),
    Piece("assault_to", 0, 1, "the declared assault goes there"),
    Piece("chosen", 0, 1, "already chosen for the effect that is being executed: where it begins"),
    Piece("chosen_goal", 0, 1, "likewise: where it leads"),
)
SEAT_FEATURES = (
    Piece("coins", 0, MOST, "coins"),
    Piece("clan_supply", 0, CLANS, "clans in supply"),
    Piece("city_supply", 0, CITIES, "cities in supply"),
    Piece("hand_size", 0, HAND, "cards in hand"),
    Piece("discards", 0, HAND, "cards discarded in this Age"),
    Piece("progress", 0, MOST, "progress of Age I, II, III", AGES),
    Piece("radiance", 0, MOST, "radiance if the game ended now"),
    Piece("conquest", 0, MOST, "conquest if the game ended now"),
    Piece("regions", 0, MOST, "regions occupied"),
    Piece("inventions", 0, MOST, "Inventions played or copied"),
    Piece("conquests", 0, MOST, "assaults by which a presence was gained"),
    Piece("place", 0, 4, "place in the turn order, 0 = first"),
    Piece("is_turn", 0, 1, "it is this seat's turn"),
    Piece("to_act", 0, 1, "this seat is asked"),
    Piece("is_team_mate", 0, 1, "in the observer's team (so is the observer)"),
    Piece("price", 0, 3, "1 + price of the next recruits under an effect; 0 without"),
    Piece("price_left", 0, CLANS, "recruits left at that price"),
    Piece("anywhere", 0, 3, "recruits anywhere: until the end of 1 turn, 2 Expansion, 3 Age"),
    Piece("groups", 0, 3, "moves move groups by an effect, until likewise"),
    Piece("no_toll", 0, 3, "pays no tolls, until likewise"),
    Piece("free_moves", 0, MOST, "free moves left"),
    Piece("offence", 0, MOST, "lasting offence"),
    Piece("defence", 0, MOST, "lasting defence"),
    Piece("pacifist", 0, 1, "must choose Peace"),
    Piece("stance", 0, 2, "1 Peace, 2 War once revealed; the own one at once; 0 not chosen"),
    Piece("attacker", 0, 1, "attacker of the declared assault"),
    Piece("defender", 0, 1, "defender of the declared assault"),
)
#: One plane over the card numbers 0..99 each.
CARD_PLANES = (
    Piece("in_hand", 0, 1, "in the own hand"),
    Piece("legal", 0, 1, "legal now: keep or play this card"),
    Piece("pack", 0, 1, "in the pack in the own hands"),
    Piece("seen", 0, 1, "seen in the packs of this Age's draft"),
    Piece("picked", 0, HAND, "own pick of this Age: 1 first .. 5"),
    Piece("discarded", 0, 1, "discarded by the observer in this Age"),
    Piece("open_hand", 0, 5, "solo, all hands are open: in the hand of seat k - 1"),
    Piece("played_by", 0, 5, "played by seat k - 1; 0 nobody"),
    Piece("copied_by", 0, 5, "an Invention copied by seat k - 1 (the last in seat order); 0 nobody"),
    Piece("active", 0, 2, "1 its effects are being executed, 2 it may be copied now"),
)
GLOBALS = (
    Piece("age", 0, 1, "Age, one-hot", AGES),
    Piece("phase", 0, 1, "phase, one-hot", len(PHASES)),
    Piece("kind", 0, 1, "kind of the decision that is being asked, one-hot", len(KINDS)),
    Piece("my_decision", 0, 1, "the observer is asked"),
    Piece("pick", 0, HAND, "number of the draft pick"),
    Piece("war_round", 0, MOST, "round of the Attack phase"),
    Piece("move_clans", 0, CLANS, "clans that are crossing"),
    Piece("small_moves", 0, MOST, "free moves left of a copier's small turn"),
    Piece("left", 0, CLANS, "what the effect that is being executed may still place"),
    Piece("strike", 0, MOST, "this assault: offence of cards"),
    Piece("feint", 0, MOST, "this assault: clans feigned"),
    Piece("ward", 0, MOST, "this assault: defence of cards"),
    Piece("raid", 0, MOST, "this assault: coins to be raided"),
    Piece("storm", 0, 1, "this assault: the siege costs no clan"),
    Piece("fortify", 0, 1, "this assault: no siege"),
    Piece("dealt", 0, 1, "own objectives dealt, by number", MAX_OBJECTIVE + 1),
    Piece("kept", 0, 1, "own objective kept, by number (0: none yet)", MAX_OBJECTIVE + 1),
    Piece("worth", 0, MOST, "what the kept objective is worth now"),
)

NUM_CARDS = MAX_CARD + 1
NUM_SEAT_PLANES = len(SEAT_PLANES)
NUM_PLANES = len(PLANES)
NUM_SEAT_FEATURES = sum(piece.size for piece in SEAT_FEATURES)
NUM_CARD_PLANES = len(CARD_PLANES)
NUM_GLOBALS = sum(piece.size for piece in GLOBALS)

# the dynamic planes, counted from the end of the static ones
(
    P_BLOCKED, P_TOLL, P_RECRUIT, P_REACH, P_ASSAULT, P_CHOOSE, P_ORIGIN, P_CROSSING, P_FROM, P_TO,
    P_CHOSEN, P_CHOSEN_GOAL,
) = range(NUM_PLANES - STATIC_PLANES)  # fmt: skip
(
    C_HAND, C_LEGAL, C_PACK, C_SEEN, C_PICKED, C_DISCARDED, C_OPEN, C_PLAYED, C_COPIED, C_ACTIVE,
) = range(NUM_CARD_PLANES)  # fmt: skip


def observation_size(seats: int, regions: int) -> int:
    """Bytes of one observation."""
    planes = (NUM_SEAT_PLANES * seats + NUM_PLANES) * regions
    return planes + seats * NUM_SEAT_FEATURES + NUM_CARD_PLANES * NUM_CARDS + NUM_GLOBALS


def layout(seats: int, regions: int) -> tuple[contract.Piece, ...]:
    """Where every piece lies in the buffer, in order; the groups follow one another without a gap."""
    found: list[contract.Piece] = []

    def add(group: str, piece: Piece, shape: tuple[int, ...]) -> None:
        start = found[-1].stop if found else 0
        name = f"{group}_{piece.name}"
        found.append(contract.Piece(name, start, shape, piece.low, piece.high, piece.says))

    for piece in PLANES:
        add("region", piece, (regions,))
    for piece in SEAT_PLANES:
        add("region", piece, (seats, regions))
    for seat in range(seats):
        for piece in SEAT_FEATURES:
            add(f"seat{seat}", piece, (piece.size,))
    for piece in CARD_PLANES:
        add("card", piece, (NUM_CARDS,))
    for piece in GLOBALS:
        add("global", piece, (piece.size,))
    return tuple(found)


def groups(seats: int, regions: int) -> tuple[contract.Piece, ...]:
    """The four groups as arrays: what networks take."""
    found: list[contract.Piece] = []
    for name, shape, says in (
        ("regions", (NUM_PLANES + NUM_SEAT_PLANES * seats, regions), "planes over the regions"),
        ("seats", (seats, NUM_SEAT_FEATURES), "rows of features, the own seat first"),
        ("cards", (NUM_CARD_PLANES, NUM_CARDS), "planes over the card numbers"),
        ("globals", (NUM_GLOBALS,), "the rest"),
    ):
        start = found[-1].stop if found else 0
        found.append(contract.Piece(name, start, shape, 0, MOST, says))
    return tuple(found)


# ---------------------------------------------------------------- the kernel


@kernel
def observe(s, t, seat, out):
    """Write what the seat sees into `out`, an int8 array of `observation_size` bytes."""
    seats, regions = num_seats(t), np.int64(t["num_regions"])
    static = STATIC_PLANES * regions
    me = U(seat)
    for place in range(U(static)):  # a slice assignment takes three times as long
        out[place] = t["static_planes"][me, place]
    out[static:] = 0
    put_barriers(s, t, seat, out[static:], regions)
    if s["seat"] == seat:
        put_legal_regions(s, t, seat, out[static:], regions)
    if s["depth"] > 0:
        put_marks(s, t, seat, out[static:], regions)
    base = NUM_PLANES * regions
    rows = base + NUM_SEAT_PLANES * seats * regions
    for k in range(seats):
        other = seat_after(seat, k, seats)
        values = put_pieces(s, t, seat, other, out[base + k * regions :], seats * regions)
        put_seat(s, t, seat, other, values, out[rows : rows + NUM_SEAT_FEATURES])
        rows += NUM_SEAT_FEATURES
    put_cards(s, t, seat, seats, out[rows : rows + NUM_CARD_PLANES * NUM_CARDS])
    put_globals(s, t, seat, out[rows + NUM_CARD_PLANES * NUM_CARDS :])


@kernel
def clip(number):
    """A number as int8."""
    return min(np.int64(number), MOST)


@kernel
def put_pieces(s, t, seat, other, out, stride):
    """Clans, cities and presence of one seat, planes `stride` apart; returns the values it occupies."""
    view = t["region_to_view"]
    me, who, step = U(seat), U(other), U(stride)
    values = 0
    for word in range(REGION_WORDS):
        left = s["occupied"][who, word]
        cities = s["city_regions"][who, word]
        while left != bits.ZERO:
            place = U(lowest(left))
            region = U(word * 64) + place
            seen = U(view[me, region])
            out[seen] = s["clans"][who, region]
            out[step + seen] = np.int8((cities >> place) & bits.ONE)
            out[step + step + seen] = 1
            values += t["value"][region]
            left = bits.rest(left)
    if s["move_clans"] > 0 and s["mover"] == other:
        out[view[seat, s["move_at"]]] = s["clans"][other, s["move_at"]]
    return values


@kernel
def put_barriers(s, t, seat, out, regions):
    """Where own clans may not stop, and the toll for crossing it."""
    view, me = t["region_to_view"], U(seat)
    blocked, toll = U(P_BLOCKED * regions), U(P_TOLL * regions)
    waived = tolls_waived(s, seat)
    for word in range(REGION_WORDS):
        left = t["all_regions"][word] & ~may_stop(s, t, seat, word)
        paying = bits.ZERO if waived else ~t["homelands"][word]
        while left != bits.ZERO:
            place = U(lowest(left))
            seen = U(view[me, U(word * 64) + place])
            out[blocked + seen] = 1
            out[toll + seen] = np.int8((paying >> place) & bits.ONE)
            left = bits.rest(left)


@kernel
def put_legal_regions(s, t, seat, out, regions):
    """What is legal now, by region: recruiting, steps, assaults, the choice of an effect."""
    view, me = t["region_to_view"], U(seat)
    kind = s["kind"]
    choose = P_RECRUIT if kind in (K_GROWTH, K_EXPANSION, K_ASSAULT) else P_CHOOSE
    reach = P_ASSAULT if kind == K_ASSAULT else P_REACH
    chosen, reached = U(choose * regions), U(reach * regions)
    for word in range(REGION_WORDS):
        left = s["legal"][REGION_WORD + word]
        while left != bits.ZERO:
            out[chosen + U(view[me, U(word * 64) + U(lowest(left))])] = 1
            left = bits.rest(left)
    for word in range(EDGE_WORDS):
        left = s["legal"][EDGE_WORD + word]
        while left != bits.ZERO:
            region = U(t["edge_to"][U(word * 64) + U(lowest(left))])
            out[reached + U(view[me, region])] = 1
            left = bits.rest(left)


@kernel
def put_marks(s, t, seat, out, regions):
    """A move, an assault or an effect that is under way."""
    view = t["region_to_view"][seat]
    if s["move_clans"] > 0:
        out[P_ORIGIN * regions + view[s["move_from"]]] = 1
        out[P_CROSSING * regions + view[s["move_at"]]] = 1
        if s["tasks"][s["depth"] - 1] == T_GROUP:
            out[P_REACH * regions + view[t["edge_to"][s["move_edge"]]]] = 1
    if s["tasks"][0] == T_ASSAULT:
        out[P_FROM * regions + view[s["source"]]] = 1
        out[P_TO * regions + view[s["target"]]] = 1
    if s["card"] > 0 and s["chosen"] >= 0:
        out[P_CHOSEN * regions + view[s["chosen"]]] = 1
        if s["chosen_to"] >= 0:
            out[P_CHOSEN_GOAL * regions + view[s["chosen_to"]]] = 1


@kernel
def put_seat(s, t, seat, other, values, out):
    """The features of one seat, in the order of SEAT_FEATURES."""
    out[0] = clip(s["coins"][other])
    out[1] = s["clan_supply"][other]
    out[2] = s["city_supply"][other]
    out[3] = bits.num_members(s["hand"][other])
    out[4] = bits.num_members(s["discarded"][other])
    for age in range(AGES):
        out[5 + age] = clip(s["progress"][other, age])
    out[8] = clip(RADIANCE_POINTS * num_foreign(s, t, other))
    out[9] = clip(values)
    out[10] = num_regions(s, other)
    out[11] = bits.num_members(s["inventions"][other])
    out[12] = clip(s["conquests"][other])
    place = place_in_order(s, t, other)
    out[13] = place
    out[14] = place == s["turn"]
    out[15] = s["seat"] == other
    out[16] = t["team"][seat] == t["team"][other]
    out[17] = s["price"][other] + 1 if s["price_left"][other] > 0 else 0
    out[18] = s["price_left"][other]
    out[19] = s["anywhere_until"][other]
    out[20] = s["group_until"][other]
    out[21] = s["no_toll_until"][other]
    out[22] = clip(s["free_moves"][other])
    out[23] = clip(s["offence"][other])
    out[24] = clip(s["defence"][other])
    out[25] = s["pacifist"][other]
    if other == seat or s["attack_step"] != STEP_STANCE:  # secret until all have chosen
        out[26] = s["stance"][other]
    if s["tasks"][0] == T_ASSAULT and s["depth"] > 0:
        out[27] = s["attacker"] == other
        out[28] = s["defender"] == other


@kernel
def put_set(words, plane, value, out):
    """Write a value at the members of a set of cards."""
    for word in range(CARD_WORDS):
        left = words[word]
        base = U(plane * NUM_CARDS + word * 64)
        while left != bits.ZERO:
            out[base + U(lowest(left))] = value
            left = bits.rest(left)


@kernel
def put_cards(s, t, seat, seats, out):
    """The card planes."""
    put_set(s["hand"][seat], C_HAND, 1, out)
    if s["seat"] == seat:
        put_set(s["legal"][CARD_WORD:], C_LEGAL, 1, out)
    put_set(s["held"][seat], C_PACK, 1, out)
    put_set(s["seen"][seat], C_SEEN, 1, out)
    put_set(s["discarded"][seat], C_DISCARDED, 1, out)
    for pick in range(HAND):
        card = np.int64(s["picks"][seat, pick])
        if card > 0:
            out[C_PICKED * NUM_CARDS + card] = pick + 1
    for k in range(seats):
        other = seat_after(seat, k, seats)
        put_set(s["played"][other], C_PLAYED, k + 1, out)
        for word in range(CARD_WORDS):
            copied = s["inventions"][other, word] & ~s["played"][other, word]
            while copied != bits.ZERO:
                out[C_COPIED * NUM_CARDS + word * 64 + lowest(copied)] = k + 1
                copied = bits.rest(copied)
        if not t["with_draft"]:
            put_set(s["hand"][other], C_OPEN, k + 1, out)
    if s["card"] > 0:
        out[C_ACTIVE * NUM_CARDS + np.int64(s["card"])] = 1
    elif s["window_card"] > 0:
        out[C_ACTIVE * NUM_CARDS + np.int64(s["window_card"])] = 2


@kernel
def put_globals(s, t, seat, out):
    """The globals, in the order of GLOBALS."""
    out[s["age"]] = 1
    base = AGES
    out[base + s["phase"]] = 1
    base += len(PHASES)
    out[base + s["kind"]] = 1
    base += len(KINDS)
    out[base] = s["seat"] == seat
    out[base + 1] = s["pick"]
    out[base + 2] = clip(s["war_round"])
    out[base + 3] = s["move_clans"]
    out[base + 4] = clip(s["small_moves"])
    out[base + 5] = max(np.int64(0), np.int64(s["left"]))
    out[base + 6] = clip(s["strike"])
    out[base + 7] = clip(s["feint"])
    out[base + 8] = clip(s["ward"])
    out[base + 9] = clip(s["raid"])
    out[base + 10] = s["storm"]
    out[base + 11] = s["fortify"]
    base += 12
    if t["with_objectives"]:
        out[base + s["dealt"][seat, 0]] = 1
        out[base + s["dealt"][seat, 1]] = 1
        out[base + MAX_OBJECTIVE + 1 + s["kept"][seat]] = 1
        kept = np.int64(s["kept"][seat])
        out[base + 2 * (MAX_OBJECTIVE + 1)] = clip(objective_worth(s, t, seat, kept))
