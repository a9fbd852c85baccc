"""What a seat sees: one table of pieces, and the kernel that writes them into one int8 buffer.

Everything is seen from the observer's own seat: seats, regions and edges are rotated so that it is
seat 0. What is private to others stays out by construction: this file reads no other seat's hand,
pack, picks, objective or stance before it is revealed (in the solo mode all hands and discards are open).
Everything that the seat may know is in it: numbers beyond int8 are clipped, and what is beyond stands in
pieces of its own. Sizes depend on the number of seats n and of regions R:

    regions   [16 + 3n, R]   planes        seats    [n, SEAT_FEATURES]   rows
    cards     [9 + n, 100]   planes        globals  [GLOBALS]
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.core.pieces import MOST, Piece, TokenSet
from genesia_rl.games.genesia.actions import CARD_WORD, EDGE_WORD, REGION_WORD
from genesia_rl.games.genesia.data.board import MAX_VALUE
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
    POSITION,
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

#: Digits of the numbers that may be too large for int8.
BEYOND_SEAT, BEYOND_GLOBAL = 3 + 2 * (AGES + 4), 2 * 6
SEATS = -1  # as many words as there are seats
#: Places in arrays are unsigned here: a signed one could be negative, and Python's meaning of that
#: (from the end) costs more than all the rest of these loops.
U = np.uint64


class Row(NamedTuple):
    """A row of the tables below: a part of the observation, its bounds, what it says.

    `words`: the number is a name, of so many (SEATS: of as many as there are seats).
    """

    name: str
    low: int
    high: int
    meaning: str
    size: int = 1
    words: int = 0


#: One plane for each seat, the observer's own first.
SEAT_PLANES = (
    Row("clans", 0, CLANS, "clans of the seat, also those that are crossing the region"),
    Row("cities", 0, 1, "a city of the seat"),
    Row("presence", 0, 1, "the seat occupies the region"),
)
#: One plane each.
PLANES = (
    Row("value", 0, MAX_VALUE, "value of the region"),
    Row("homeland_of", 0, 5, "whose homeland: 1 own, 2 left neighbour, ...; 0 no homeland"),
    Row("continent_of", 0, 5, "whose continent, counted alike; 0 the island"),
    Row("degree", 0, MAX_DEGREE, "number of adjacent regions"),
    Row("blocked", 0, 1, "own clans may not stop there now"),
    Row("toll", 0, 1, "coins to pay for crossing it now"),
    Row("can_recruit", 0, 1, "legal now: recruit there"),
    Row("can_reach", 0, 1, "legal now: a step of a move into it; for a group yet to be chosen, its goal"),
    Row("can_assault", 0, 1, "legal now: an assault on it"),
    Row("can_choose", 0, 1, "legal now: choose it for an effect"),
    Row("origin", 0, 1, "the move that is under way began there"),
    Row("crossing", 0, 1, "the move that is under way is there now"),
    Row("assault_from", 0, 1, "the declared assault comes from there"),
    Row("assault_to", 0, 1, "the declared assault goes there"),
    Row("chosen", 0, 1, "already chosen for the effect that is being executed: where it begins"),
    Row("chosen_goal", 0, 1, "likewise: where it leads"),
)
SEAT_FEATURES = (
    Row("coins", 0, MOST, "coins"),
    Row("clan_supply", 0, CLANS, "clans in supply"),
    Row("city_supply", 0, CITIES, "cities in supply"),
    Row("hand_size", 0, HAND, "cards in hand"),
    Row("discards", 0, HAND, "cards discarded in this Age"),
    Row("progress", 0, MOST, "progress of Age I, II, III", AGES),
    Row("radiance", 0, MOST, "radiance if the game ended now"),
    Row("conquest", 0, MOST, "conquest if the game ended now"),
    Row("regions", 0, MOST, "regions occupied"),
    Row("inventions", 0, MOST, "Inventions played or copied"),
    Row("conquests", 0, MOST, "assaults by which a presence was gained"),
    Row("place", 0, 4, "place in the turn order, 0 = first"),
    Row("is_turn", 0, 1, "it is this seat's turn"),
    Row("to_act", 0, 1, "this seat is asked"),
    Row("is_team_mate", 0, 1, "in the observer's team (so is the observer)"),
    Row("price", 0, 3, "1 + price of the next recruits under an effect; 0 without"),
    Row("price_left", 0, CLANS, "recruits left at that price"),
    Row("anywhere", 0, 3, "recruits anywhere: until the end of 1 turn, 2 Expansion, 3 Age"),
    Row("groups", 0, 3, "moves move groups by an effect, until likewise"),
    Row("no_toll", 0, 3, "pays no tolls, until likewise"),
    Row("free_moves", 0, MOST, "free moves left"),
    Row("offence", 0, MOST, "lasting offence"),
    Row("defence", 0, MOST, "lasting defence"),
    Row("pacifist", 0, 1, "must choose Peace"),
    Row("stance", 0, 2, "1 Peace, 2 War once revealed; the own one at once; 0 not chosen"),
    Row("attacker", 0, 1, "attacker of the declared assault"),
    Row("defender", 0, 1, "defender of the declared assault"),
    Row("price_until", 0, 3, "the price of the next recruits holds until the end of 1 turn, 2 Expansion, 3 Age"),
    Row("spent", 0, 1, "must choose Peace, as it chose War and launched no assault"),
    Row("launched", 0, 1, "has launched an assault in this round"),
    Row("host", 0, 1, "a host of the card that is being executed"),
    Row("next_place", 0, 5, "1 + place taken in the next turn order; 0 none yet"),
    Row(
        "beyond", 0, MOST, "beyond 127, in digits to the base 128, the lowest first: coins (3 digits), progress of "
        "Age I, II, III, conquests, free moves, offence, defence (2 digits each)", BEYOND_SEAT,
    ),
)  # fmt: skip
#: One plane over the card numbers 0..99 each.
CARD_PLANES = (
    Row("in_hand", 0, 1, "in the own hand"),
    Row("legal", 0, 1, "legal now: keep or play this card"),
    Row("pack", 0, 1, "in the pack in the own hands"),
    Row(
        "seen",
        0,
        HAND,
        "the last pick of this Age's draft at which it was in the pack in the own hands; 0 never",
    ),
    Row("picked", 0, HAND, "own pick of this Age: 1 first .. 5"),
    Row(
        "discarded",
        0,
        2,
        "discarded in this Age: 1 by the observer, 2 (solo, all is open) by the other tribe",
    ),
    Row("open_hand", 0, 5, "solo, all hands are open: in the hand of seat k - 1"),
    Row("played_by", 0, 5, "played by seat k - 1; 0 nobody", words=SEATS),
    Row("active", 0, 2, "1 its effects are being executed, 2 it may be copied now", words=2),
)
#: One plane over the card numbers for each seat, the observer's own first.
SEAT_CARD_PLANES = (
    Row("copied", 0, 2, "an Invention that the seat has copied: 1 marked with a clan, 2 otherwise", words=2),
)
GLOBALS = (
    Row("age", 0, 1, "Age, one-hot", AGES),
    Row("phase", 0, 1, "phase, one-hot", len(PHASES)),
    Row("kind", 0, 1, "kind of the decision that is being asked, one-hot", len(KINDS)),
    Row("my_decision", 0, 1, "the observer is asked"),
    Row("pick", 0, HAND, "number of the draft pick"),
    Row("war_round", 0, MOST, "round of the Attack phase"),
    Row("move_clans", 0, CLANS, "clans that are crossing"),
    Row("small_moves", 0, MOST, "free moves left of a copier's small turn"),
    Row("left", 0, CLANS, "what the effect that is being executed may still place"),
    Row("strike", 0, MOST, "this assault: offence of cards"),
    Row("feint", 0, MOST, "this assault: clans feigned"),
    Row("ward", 0, MOST, "this assault: defence of cards"),
    Row("raid", 0, MOST, "this assault: coins to be raided"),
    Row("storm", 0, 1, "this assault: the siege costs no clan"),
    Row("fortify", 0, 1, "this assault: no siege"),
    Row("rout", 0, 1, "this assault: the defender loses two clans for each of the attacker's"),
    Row("target_was_empty", 0, 1, "the assaulted region held no clan when the assault was declared"),
    Row("dealt", 0, 1, "own objectives dealt, by number", MAX_OBJECTIVE + 1),
    Row("kept", 0, 1, "own objective kept, by number (0: none yet)", MAX_OBJECTIVE + 1),
    Row("worth", 0, MOST, "what the kept objective is worth now"),
    Row(
        "beyond", 0, MOST, "beyond 127, as those of the seats, 2 digits each: round of the Attack phase, free moves of "
        "a copier's small turn, strike, feint, ward, raid", BEYOND_GLOBAL,
    ),
)  # fmt: skip

NUM_CARDS = MAX_CARD + 1
NUM_SEAT_PLANES = len(SEAT_PLANES)
NUM_PLANES = len(PLANES)
NUM_SEAT_FEATURES = sum(piece.size for piece in SEAT_FEATURES)
NUM_CARD_PLANES = len(CARD_PLANES)
NUM_SEAT_CARD_PLANES = len(SEAT_CARD_PLANES)
NUM_GLOBALS = sum(piece.size for piece in GLOBALS)
GLOBALS_BEYOND = NUM_GLOBALS - BEYOND_GLOBAL

# the dynamic planes, counted from the end of the static ones
(
    P_BLOCKED, P_TOLL, P_RECRUIT, P_REACH, P_ASSAULT, P_CHOOSE, P_ORIGIN, P_CROSSING, P_FROM, P_TO,
    P_CHOSEN, P_CHOSEN_GOAL,
) = range(NUM_PLANES - STATIC_PLANES)  # fmt: skip
(
    C_HAND, C_LEGAL, C_PACK, C_SEEN, C_PICKED, C_DISCARDED, C_OPEN, C_PLAYED, C_ACTIVE,
) = range(NUM_CARD_PLANES)  # fmt: skip


def observation_size(seats: int, regions: int) -> int:
    """Bytes of one observation."""
    planes = (NUM_SEAT_PLANES * seats + NUM_PLANES) * regions
    return planes + seats * NUM_SEAT_FEATURES + card_planes(seats) * NUM_CARDS + NUM_GLOBALS


def card_planes(seats: int) -> int:
    """How many planes over the card numbers there are."""
    return NUM_CARD_PLANES + NUM_SEAT_CARD_PLANES * seats


def layout(seats: int, regions: int, hands_are_open: bool) -> tuple[Piece, ...]:
    """Where every piece lies in the buffer, in order; the groups follow one another without a gap."""
    found: list[Piece] = []

    def add(group: str, row: Row, shape: tuple[int, ...]) -> None:
        start = found[-1].stop if found else 0
        words = seats if row.words == SEATS else row.words
        used = row.name != "open_hand" or hands_are_open
        name = f"{group}_{row.name}"
        found.append(Piece(name, start, shape, row.low, row.high, row.meaning, words, used))

    for row in PLANES:
        add("region", row, (regions,))
    for row in SEAT_PLANES:
        add("region", row, (seats, regions))
    for seat in range(seats):
        for row in SEAT_FEATURES:
            add(f"seat{seat}", row, (row.size,))
    for row in CARD_PLANES:
        add("card", row, (NUM_CARDS,))
    for row in SEAT_CARD_PLANES:
        add("card", row, (seats, NUM_CARDS))
    for row in GLOBALS:
        add("global", row, (row.size,))
    return tuple(found)


def groups(seats: int, regions: int) -> tuple[Piece, ...]:
    """The four groups as arrays."""
    found: list[Piece] = []
    for name, shape, meaning in (
        ("regions", (NUM_PLANES + NUM_SEAT_PLANES * seats, regions), "planes over the regions"),
        ("seats", (seats, NUM_SEAT_FEATURES), "rows of features, the own seat first"),
        ("cards", (card_planes(seats), NUM_CARDS), "planes over the card numbers"),
        ("globals", (NUM_GLOBALS,), "the rest"),
    ):
        start = found[-1].stop if found else 0
        found.append(Piece(name, start, shape, 0, MOST, meaning))
    return tuple(found)


def token_sets(groups: tuple[Piece, ...], edges: npt.NDArray[np.int64]) -> tuple[TokenSet, ...]:
    """The things that the observation speaks of: regions, with who is adjacent to whom, and cards."""
    regions, _, cards, _ = groups
    return (
        TokenSet("regions", regions.start, regions.shape[0], regions.shape[1], edges),
        TokenSet("cards", cards.start, cards.shape[0], cards.shape[1]),
    )


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
    end = rows + (NUM_CARD_PLANES + NUM_SEAT_CARD_PLANES * seats) * NUM_CARDS
    put_cards(s, t, seat, seats, out[rows:end])
    put_globals(s, t, seat, out[end:])


@kernel
def clip(number):
    """A number as int8."""
    return min(np.int64(number), MOST)


@kernel
def put_beyond(number, out, place, digits):
    """What a number has beyond int8, in digits to the base 128, the lowest first."""
    if number <= MOST:
        return
    rest = np.int64(number) - MOST
    for digit in range(digits):
        out[place + digit] = rest & 127
        rest >>= 7


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
    out[29] = s["price_until"][other]
    out[30] = s["spent"][other]
    out[31] = s["launched"][other]
    out[32] = (s["hosts"] >> other) & 1
    if s["phase"] == POSITION:
        for taken in range(num_seats(t)):
            if s["next_order"][taken] == other:
                out[33] = taken + 1
    put_beyond(s["coins"][other], out, 34, 3)
    for age in range(AGES):
        put_beyond(s["progress"][other, age], out, 37 + 2 * age, 2)
    put_beyond(s["conquests"][other], out, 43, 2)
    put_beyond(s["free_moves"][other], out, 45, 2)
    put_beyond(s["offence"][other], out, 47, 2)
    put_beyond(s["defence"][other], out, 49, 2)


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
    for pick in range(HAND):  # the last pick counts
        put_set(s["seen"][seat, pick], C_SEEN, pick + 1, out)
    put_set(s["discarded"][seat], C_DISCARDED, 1, out)
    for pick in range(HAND):
        card = np.int64(s["picks"][seat, pick])
        if card > 0:
            out[C_PICKED * NUM_CARDS + card] = pick + 1
    for k in range(seats):
        other = seat_after(seat, k, seats)
        put_set(s["played"][other], C_PLAYED, k + 1, out)
        put_copied(s, other, out[(NUM_CARD_PLANES + k) * NUM_CARDS :])
        if not t["with_draft"]:
            put_set(s["hand"][other], C_OPEN, k + 1, out)
            if other != seat:
                put_set(s["discarded"][other], C_DISCARDED, 2, out)
    if s["card"] > 0:
        out[C_ACTIVE * NUM_CARDS + np.int64(s["card"])] = 1
    elif s["window_card"] > 0:
        out[C_ACTIVE * NUM_CARDS + np.int64(s["window_card"])] = 2


@kernel
def put_copied(s, seat, out):
    """The Inventions that a seat has copied, and whether a clan marks them."""
    for word in range(CARD_WORDS):
        left = s["inventions"][seat, word] & ~s["played"][seat, word]
        while left != bits.ZERO:
            place = U(lowest(left))
            is_marked = (s["marked"][seat, word] >> place) & bits.ONE
            out[U(word * 64) + place] = 1 if is_marked != bits.ZERO else 2
            left = bits.rest(left)


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
    out[base + 12] = s["rout"]
    out[base + 13] = s["target_was_empty"]
    base += 14
    put_beyond(s["war_round"], out, GLOBALS_BEYOND, 2)
    put_beyond(s["small_moves"], out, GLOBALS_BEYOND + 2, 2)
    put_beyond(s["strike"], out, GLOBALS_BEYOND + 4, 2)
    put_beyond(s["feint"], out, GLOBALS_BEYOND + 6, 2)
    put_beyond(s["ward"], out, GLOBALS_BEYOND + 8, 2)
    put_beyond(s["raid"], out, GLOBALS_BEYOND + 10, 2)
    if t["with_objectives"]:
        out[base + s["dealt"][seat, 0]] = 1
        out[base + s["dealt"][seat, 1]] = 1
        out[base + MAX_OBJECTIVE + 1 + s["kept"][seat]] = 1
        kept = np.int64(s["kept"][seat])
        out[base + 2 * (MAX_OBJECTIVE + 1)] = clip(objective_worth(s, t, seat, kept))
