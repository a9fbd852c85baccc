"""What a seat sees: tables of its pieces, and the kernel that writes them into one int8 buffer.

Seats are counted from the observer's own, which is 0; the next one clockwise is 1. What is hidden stays out by
construction: this file reads no other seat's hand, sights or picks, and not the deck. Numbers beyond int8 are
clipped. Most of it is zero, so it is cleared first, and what is there is written member by member. Sizes depend
on the number of seats n alone:

    civilizations [13, 48]       specials [3, 9]     actions [11, 10]     cards [2, 8]     globals [GLOBALS]
    technologies  [5 + n, 27]    wonders  [5 + n, 15]    planes
    seats         [n, SEAT_FEATURES]    rows
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import inlined, kernel, lowest, popcount
from genesia_rl.core.pieces import MOST, Piece, TokenSet
from genesia_rl.games.age_of_civilization.actions import (
    ACT_BASE,
    CARD_BASE,
    END_ACTION,
    HERITAGE_BASE,
    MAIN_ACTION,
    PASS_ACTION,
    REST_ACTION,
    RISE_BASE,
    SPECIAL_BASE,
    TECH_BASE,
    WONDER_BASE,
)
from genesia_rl.games.age_of_civilization.names import (
    ACTION_SOURCE,
    CARDS,
    CIVILIZATIONS,
    EVENT_CARDS,
    EVENTS,
    FIRST_EVENT,
    G_INHERITED,
    G_MAIN,
    G_TECHNOLOGY,
    G_WONDER,
    KINDS,
    L_DISCOUNT,
    L_LABOUR,
    L_SPACE,
    MAX_CIVILIZATIONS,
    MAX_WORKERS,
    NUM_ACTS,
    PICKS,
    ROUNDS,
    SPECIALS,
    STAGES,
    TECHNOLOGIES,
    WAYS,
    WONDERS,
    WORD,
)
from genesia_rl.games.age_of_civilization.rules.abilities import (
    base_of,
    civilizations_of,
    first_row,
    num_seats,
    technologies_of,
)
from genesia_rl.games.age_of_civilization.rules.acting import (
    forbidden,
    live_acts,
    open_actions,
    price,
    workers_needed,
)
from genesia_rl.games.age_of_civilization.rules.counts import force_of, lane_sum, virtual_force
from genesia_rl.games.age_of_civilization.rules.effects import available
from genesia_rl.games.age_of_civilization.rules.scoring import legacy, wonder_points

SEATS = -1  # as many words as there are seats
#: Places in arrays are unsigned where it counts: a signed one could be negative, and Python's meaning of that
#: (from the end) keeps a loop from being made 32 bytes at a time.
U = np.uint64
THREE, EIGHT, BYTE = U(3), U(8), U(255)
#: The bits of a byte as bytes.
BITS = np.array([[byte >> place & 1 for place in range(8)] for byte in range(256)], np.int8)


class Row(NamedTuple):
    """A line of the tables below: a part of the observation, its bounds, what it says.

    `words`: the number is a name, of so many (SEATS: of as many as there are seats).
    """

    name: str
    low: int
    high: int
    meaning: str
    size: int = 1
    words: int = 0


#: One plane each over the civilizations.
CIVILIZATION_PLANES = (
    Row("market", 0, 1, "in the market"),
    Row("coins", 0, MOST, "coins on it"),
    Row("holder", 0, 4, "1 + the seat that has it; 0 nobody", words=SEATS),
    Row("main", 0, 1, "its main ability is in force"),
    Row("hand", 0, 1, "in the own hand"),
    Row("seen", 0, PICKS, "the last pick of the draft at which it was in the pack in the own hands; 0 never"),
    Row("kept", 0, PICKS, "the own pick of the draft that kept it; 0 none"),
    Row("left_over", 0, 1, "the draft left it over: it lay in the first market"),
    Row("can_take", 0, 1, "legal now: it rises"),
    Row("can_choose", 0, 1, "legal now: keep it, or put coins on it"),
    Row("can_do", 0, 1, "legal now: do what it has inherited for the end of a turn"),
    Row("done", 0, 1, "that was done in this end of turn"),
    Row("current", 0, 2, "its ability is being done: 1 the main one, 2 the inherited one", words=2),
)
#: One plane each over the special cards.
SPECIAL_PLANES = (
    Row("market", 0, 1, "in the special market"),
    Row("holder", 0, 4, "1 + the seat that has it; 0 nobody", words=SEATS),
    Row("can_buy", 0, 1, "legal now: buy it"),
)
#: One plane each over the ten actions.
ACTION_PLANES = (
    Row("open", 0, 1, "its card is open to all"),
    Row("open_later", 0, 1, "its card is open or upcoming"),
    Row("spaces", 0, MOST, "spaces that the observer can use, used ones included"),
    Row("used", 0, MOST, "times it was performed on a space in this turn, whoever's it is"),
    Row("red", 0, MAX_WORKERS, "workers on its red spaces"),
    Row("workers", 0, MOST, "workers that the observer needs on a space"),
    Row("price", 0, MOST, "its price for the observer, without what is for some technologies alone"),
    Row("barred", 0, 1, "another seat forbids it to the observer"),
    Row("can_act", 0, 1, "legal now: perform it"),
    Row("current", 0, 1, "it is being performed"),
    Row("granting", 0, 1, "it was performed on a space, and what it may bring besides is being offered"),
)
#: One plane each over the cards of the track.
CARD_PLANES = (
    Row("place", 1 - ROUNDS, CARDS, "its place counted from the open card furthest left, which is 1"),
    Row("event", 0, EVENTS, "the event token on it; 0 none", words=EVENTS),
)
#: One plane each over the technologies; after them one for each seat, the observer's own first.
TECHNOLOGY_PLANES = (
    Row("available", 0, 1, "available to the observer"),
    Row("can_take", 0, 1, "legal now: gain it, or do its effects"),
    Row("done", 0, 1, "its effects were done in this end of turn"),
    Row("current", 0, 1, "its effects are being done"),
    Row("noted", 0, 3, "in force when began: 1 the action under way, 2 that on a space, 3 both"),
)
#: One plane each over the wonders; after them one for each seat.
WONDER_PLANES = (
    Row("market", 0, 1, "in the wonder market"),
    Row("can_take", 0, 1, "legal now: gain it, or do its effects"),
    Row("done", 0, 1, "its effects were done in this end of turn"),
    Row("current", 0, 1, "its effects are being done"),
    Row("noted", 0, 3, "in force when began: 1 the action under way, 2 that on a space, 3 both"),
)
OWNER = Row("owner", 0, 1, "the seat has it")
GLOBALS = (
    Row("round", 1, ROUNDS, "the round"),
    Row("kind", 0, 1, "kind of the decision that is being asked, one-hot", len(KINDS)),
    Row("stage", 0, 1, "how far the turn is, one-hot", len(STAGES)),
    Row("way", 0, 1, "from what the action under way is performed, one-hot", len(WAYS)),
    Row("my_decision", 0, 1, "the observer is asked"),
    Row("legal", 0, 1, "legal now: end, rest, pass, main", 4),
    Row("main_done", 0, 1, "the main ability's effects were done in this end of turn"),
    Row("acted", 0, 1, "an action was performed on a space in this turn"),
    Row("bonus", 0, MOST, "bonus of the civilization that is rising"),
    Row(
        "left",
        0,
        MOST,
        "1 + technologies or wonders that the effect under way still brings; 0 it brings none",
    ),
    Row("action_row", 0, MOST, "place of the effect under way among those of the action"),
    Row("ability_row", 0, MOST, "place of the effect under way among those of the ability"),
    Row("tech", 0, TECHNOLOGIES, "technology that research has chosen", words=TECHNOLOGIES),
    Row("space_tech", 0, TECHNOLOGIES, "the same of the action on a space that goes on", words=TECHNOLOGIES),
    Row("pick", 0, PICKS, "number of the pick of the draft; 5 there is none any more"),
    Row("deck", 0, CIVILIZATIONS, "cards left in the deck"),
    Row("rival", 0, ROUNDS, "force of the virtual opponent in solo"),
)
SEAT_FEATURES = (
    Row("coins", 0, MOST, "coins"),
    Row("points", 0, MOST, "points gained"),
    Row("workers", 0, MAX_WORKERS, "workers owned"),
    Row("idle", 0, MAX_WORKERS, "idle ones"),
    Row("force", 0, MOST, "military force"),
    Row("strongest", 0, 1, "no seat and no virtual opponent has more force"),
    Row("civilizations", 0, MAX_CIVILIZATIONS, "civilizations"),
    Row("technologies", 0, MOST, "technologies"),
    Row("wonders", 0, WONDERS, "wonders"),
    Row("hand", 0, PICKS, "cards in hand"),
    Row("token", 0, 1, "has the first player token"),
    Row("had_turn", 0, 1, "has had its turn in this round, or its pick of this pack"),
    Row("is_turn", 0, 1, "it is its turn"),
    Row("wonder_points", 0, MOST, "points of wonders if the game ended now"),
    Row("legacy", 0, MOST, "other points of the end if the game ended now"),
    Row("total", 0, MOST, "score if the game ended now"),
)


class Block(NamedTuple):
    """Planes over things of one kind."""

    name: str
    rows: tuple[Row, ...]
    count: int
    of_seats: bool = False  # one plane more for each seat: who has it

    def size(self, seats: int) -> int:
        """Bytes of the block."""
        return (len(self.rows) + (seats if self.of_seats else 0)) * self.count


#: In their order; the globals stand between those of fixed size and the others.
FIXED_BLOCKS = (
    Block("civilizations", CIVILIZATION_PLANES, CIVILIZATIONS),
    Block("specials", SPECIAL_PLANES, SPECIALS),
    Block("actions", ACTION_PLANES, NUM_ACTS),
    Block("cards", CARD_PLANES, CARDS),
)
SEAT_BLOCKS = (
    Block("technologies", TECHNOLOGY_PLANES, TECHNOLOGIES, True),
    Block("wonders", WONDER_PLANES, WONDERS, True),
)
NUM_GLOBALS = sum(row.size for row in GLOBALS)
NUM_SEAT_FEATURES = sum(row.size for row in SEAT_FEATURES)


# ---------------------------------------------------------------- where everything lies


def layout(seats: int) -> tuple[Piece, ...]:
    """Where every piece lies in the buffer, in order; the groups follow one another without a gap."""
    found: list[Piece] = []

    def add(group: str, row: Row, shape: tuple[int, ...]) -> None:
        start = found[-1].stop if found else 0
        words = seats if row.words == SEATS else row.words
        found.append(Piece(f"{group}_{row.name}", start, shape, row.low, row.high, row.meaning, words))

    def add_block(block: Block) -> None:
        for row in block.rows:
            add(block.name, row, (block.count,))
        if block.of_seats:
            add(block.name, OWNER, (seats, block.count))

    for block in FIXED_BLOCKS:
        add_block(block)
    for row in GLOBALS:
        add("global", row, (row.size,))
    for block in SEAT_BLOCKS:
        add_block(block)
    for seat in range(seats):
        for row in SEAT_FEATURES:
            add(f"seat{seat}", row, (row.size,))
    return tuple(found)


def groups(seats: int) -> tuple[Piece, ...]:
    """The same bytes as few arrays."""
    found: list[Piece] = []

    def add(name: str, shape: tuple[int, ...], meaning: str) -> None:
        start = found[-1].stop if found else 0
        found.append(Piece(name, start, shape, 1 - ROUNDS, MOST, meaning))

    for block in FIXED_BLOCKS:
        add(block.name, (block.size(seats) // block.count, block.count), f"planes over the {block.name}")
    add("globals", (NUM_GLOBALS,), "the rest")
    for block in SEAT_BLOCKS:
        add(block.name, (block.size(seats) // block.count, block.count), f"planes over the {block.name}")
    add("seats", (seats, NUM_SEAT_FEATURES), "rows of features, the own seat first")
    return tuple(found)


def observation_size(seats: int) -> int:
    """Bytes of one observation."""
    return groups(seats)[-1].stop


def token_sets(seats: int) -> tuple[TokenSet, ...]:
    """The things that the observation speaks of; the civilizations are the board."""
    names = [block.name for block in (*FIXED_BLOCKS, *SEAT_BLOCKS)]
    return tuple(
        TokenSet(piece.name, piece.start, piece.shape[0], piece.shape[1])
        for piece in groups(seats)
        if piece.name in names
    )


def _places(name: str, rows: tuple[Row, ...], start: int, count: int = 1) -> dict[str, np.int64]:
    """Where each row of a table begins."""
    return {
        f"{name}_{row.name}": np.int64(start + sum(other.size for other in rows[:k]) * count)
        for k, row in enumerate(rows)
    }


def _fixed_places() -> dict[str, np.int64]:
    """The same of all whose place does not depend on the number of seats."""
    found: dict[str, np.int64] = {}
    start = 0
    for block in FIXED_BLOCKS:
        found |= _places(block.name, block.rows, start, block.count)
        start += block.size(0)
    found |= _places("global", GLOBALS, start)
    return found


_AT = _fixed_places()
(
    AT_MARKET, AT_COINS, AT_HOLDER, AT_MAIN, AT_HAND, AT_SEEN, AT_KEPT, AT_LEFT_OVER, AT_CAN_TAKE, AT_CAN_CHOOSE,
    AT_CAN_DO, AT_DONE, AT_CURRENT,
) = (_AT[f"civilizations_{row.name}"] for row in CIVILIZATION_PLANES)  # fmt: skip
AT_SPECIALS, AT_SPECIAL_HOLDER, AT_CAN_BUY = (_AT[f"specials_{row.name}"] for row in SPECIAL_PLANES)
(
    AT_OPEN, AT_OPEN_LATER, AT_SPACES, AT_USED, AT_RED, AT_WORKERS, AT_PRICE, AT_BARRED, AT_CAN_ACT, AT_ACTION,
    AT_GRANTING,
) = (_AT[f"actions_{row.name}"] for row in ACTION_PLANES)  # fmt: skip
AT_PLACE, AT_EVENT = (_AT[f"cards_{row.name}"] for row in CARD_PLANES)
(
    AT_ROUND, AT_KIND, AT_STAGE, AT_WAY, AT_MINE, AT_LEGAL, AT_MAIN_DONE, AT_ACTED, AT_BONUS, AT_LEFT,
    AT_ACTION_ROW, AT_ABILITY_ROW, AT_TECH, AT_SPACE_TECH, AT_PICK, AT_DECK, AT_RIVAL,
) = (_AT[f"global_{row.name}"] for row in GLOBALS)  # fmt: skip
AT_TECHNOLOGIES = AT_RIVAL + 1
_PLACES_OF_SEAT = _places("seat", SEAT_FEATURES, 0)
(
    F_COINS, F_POINTS, F_WORKERS, F_IDLE, F_FORCE, F_STRONGEST, F_CIVILIZATIONS, F_TECHNOLOGIES, F_WONDERS,
    F_HAND, F_TOKEN, F_HAD_TURN, F_IS_TURN, F_WONDER_POINTS, F_LEGACY, F_TOTAL,
) = _PLACES_OF_SEAT.values()  # fmt: skip
NUM_THING_PLANES = len(TECHNOLOGY_PLANES)  # of technologies and of wonders, before those of the seats


# ---------------------------------------------------------------- the kernel
# What has to be worked out is worked out first, by functions that do not know the buffer; what writes into it
# only reads. Compiled code would count references to the buffer otherwise, which costs more than writing.


@kernel
def observe(s, t, seat, out):
    """Write what the seat sees into `out`, an int8 array of `observation_size` bytes."""
    seats = num_seats(t)
    at_wonders = AT_TECHNOLOGIES + (NUM_THING_PLANES + seats) * TECHNOLOGIES
    place = at_wonders + (NUM_THING_PLANES + seats) * WONDERS
    opened, barred, best = open_actions(s, t, seat), forbidden(s, t, seat), greatest_force(s, t)
    out[:] = 0
    put_globals(s, t, seat, out)
    put_track(s, t, out)
    put_actions(s, t, seat, out, opened, barred)
    if live_acts(s, seat) != bits.ZERO:
        put_live_actions(s, t, seat, out, opened)
    put_civilizations(s, t, seat, out)
    put_specials(s, t, seat, out)
    if t["draft"]:
        put_draft(s, seat, out)
    put_things(s, t, G_TECHNOLOGY, seat, out, AT_TECHNOLOGIES, np.int64(TECHNOLOGIES))
    put_things(s, t, G_WONDER, seat, out, at_wonders, np.int64(WONDERS))
    put_bits(out, AT_TECHNOLOGIES, available(s, t, seat), TECHNOLOGIES)
    put_bits(out, at_wonders, s["wonder_market"], WONDERS)
    if s["seat"] == seat:
        put_legal(s, out, at_wonders)
    if s["ability"] > 0:
        put_current(s, out, at_wonders)
    for k in range(seats):
        other = seat_after(seat, k, seats)
        force = force_of(s, t, other)
        points, rest = wonder_points(s, t, other), legacy(s, t, other)
        put_seat(s, other, out, place, force, force == best, points, rest)
        out[place + F_HAD_TURN] = is_before(s, t, other)
        place += NUM_SEAT_FEATURES


@kernel
def seat_after(seat, k, seats):
    """The k-th seat from this one clockwise."""
    return seat + k if seat + k < seats else seat + k - seats


@kernel
def clip(number):
    """A number as int8."""
    return min(np.int64(number), np.int64(MOST))


@inlined
def put_set(out, start, members, value):
    """The same value for every member of a set that is mostly empty."""
    base = U(start)
    while members != bits.ZERO:
        out[base + U(lowest(members))] = value
        members = bits.rest(members)


@inlined
def put_bits(out, start, members, count):
    """A one for every member of a set, zeros for all others: 8 at a time, without a branch."""
    base, end = U(start), U(count)
    whole = end >> THREE
    for part in range(whole):
        row = (members >> (part << THREE)) & BYTE
        for place in range(EIGHT):
            out[base + (part << THREE) + place] = BITS[row, place]
    for place in range(whole << THREE, end):
        out[base + place] = (members >> place) & bits.ONE


@kernel
def segment(s, base, size):
    """The legal actions of a segment, as a set."""
    word, shift = base >> 6, np.uint64(base & 63)
    found = s["legal"][word] >> shift
    if base & 63 > 0 and (base & 63) + size > WORD:
        found |= s["legal"][word + 1] << (np.uint64(WORD) - shift)
    return found & ((bits.ONE << np.uint64(size)) - bits.ONE)


# ---------------------------------------------------------------- the game as a whole


@kernel
def put_globals(s, t, seat, out):
    """The globals, but for what is legal."""
    out[AT_ROUND] = s["round"]
    out[AT_KIND + s["kind"]] = 1
    out[AT_STAGE + s["stage"]] = 1
    out[AT_WAY + s["by"]] = 1
    out[AT_MINE] = s["seat"] == seat
    out[AT_MAIN_DONE] = s["done"][G_MAIN] != bits.ZERO
    out[AT_ACTED] = s["acted"]
    out[AT_BONUS] = clip(s["bonus"])
    out[AT_LEFT] = clip(s["left"])
    if s["action"] > 0:
        out[AT_ACTION_ROW] = clip(s["action_row"] - first_row(t, ACTION_SOURCE + np.int64(s["action"]) - 1))
    if s["ability"] > 0:
        out[AT_ABILITY_ROW] = clip(s["row"] - first_row(t, np.int64(s["ability"]) - 1))
    out[AT_TECH] = s["tech"]
    out[AT_SPACE_TECH] = s["space_tech"]
    out[AT_PICK] = s["pick"]
    out[AT_DECK] = s["deck_size"] - s["drawn"]
    if t["solo"]:
        out[AT_RIVAL] = virtual_force(s)


@kernel
def put_track(s, t, out):
    """The cards of the track by their number."""
    for place in range(CARDS):
        out[AT_PLACE + s["track"][place]] = place + 2 - s["round"]
    if t["num_events"] > 0:
        for place in range(EVENT_CARDS):
            out[AT_EVENT + s["track"][FIRST_EVENT + place]] = s["events"][place]


@kernel
def put_actions(s, t, seat, out, opened, barred):
    """The planes over the actions, by the sums of what holds always alone."""
    sums = s["sums"]
    for action in range(NUM_ACTS):
        place = np.uint64(action)
        is_open = np.int64((opened >> place) & bits.ONE)
        out[AT_OPEN + action] = np.int8((s["open"] >> place) & bits.ONE)
        out[AT_OPEN_LATER + action] = np.int8((s["open_later"] >> place) & bits.ONE)
        out[AT_BARRED + action] = np.int8((barred >> place) & bits.ONE)
        out[AT_SPACES + action] = clip(sums[seat, L_SPACE + action] + is_open * t["spaces"][action])
        out[AT_USED + action] = clip(s["used"][action])
        out[AT_RED + action] = s["red"][action]
        workers = np.int64(t["workers"][action]) + np.int64(sums[seat, L_LABOUR + action])
        out[AT_WORKERS + action] = clip(max(np.int64(1), workers))
        costs = np.int64(t["price"][action]) - np.int64(sums[seat, L_DISCOUNT + action])
        out[AT_PRICE + action] = clip(max(np.int64(0), costs))
    if s["action"] > 0:
        out[AT_ACTION + s["action"] - 1] = 1
    if s["space_action"] > 0:
        out[AT_GRANTING + s["space_action"] - 1] = 1


@kernel
def put_live_actions(s, t, seat, out, opened):
    """The same of actions of which a part is worked out each time."""
    left = live_acts(s, seat)
    while left != bits.ZERO:
        action = lowest(left)
        left = bits.rest(left)
        spaces = lane_sum(s, t, seat, L_SPACE + action)
        if opened & bits.bit(action) != bits.ZERO:
            spaces += np.int64(t["spaces"][action])
        out[AT_SPACES + action] = clip(spaces)
        out[AT_WORKERS + action] = clip(workers_needed(s, t, seat, action))
        out[AT_PRICE + action] = clip(price(s, t, seat, action, bits.ZERO, False))


@kernel
def put_legal(s, out, at_wonders):
    """What is legal for the observer, thing by thing."""
    put_set(out, AT_CAN_TAKE, segment(s, RISE_BASE, CIVILIZATIONS), 1)
    put_set(out, AT_CAN_CHOOSE, segment(s, CARD_BASE, CIVILIZATIONS), 1)
    put_set(out, AT_CAN_DO, segment(s, HERITAGE_BASE, CIVILIZATIONS), 1)
    put_set(out, AT_CAN_BUY, segment(s, SPECIAL_BASE, SPECIALS), 1)
    put_bits(out, AT_CAN_ACT, segment(s, ACT_BASE, NUM_ACTS), NUM_ACTS)
    put_set(out, AT_TECHNOLOGIES + TECHNOLOGIES, segment(s, TECH_BASE, TECHNOLOGIES), 1)
    put_set(out, at_wonders + WONDERS, segment(s, WONDER_BASE, WONDERS), 1)
    out[AT_LEGAL] = segment(s, END_ACTION, 1) != bits.ZERO
    out[AT_LEGAL + 1] = segment(s, REST_ACTION, 1) != bits.ZERO
    out[AT_LEGAL + 2] = segment(s, PASS_ACTION, 1) != bits.ZERO
    out[AT_LEGAL + 3] = segment(s, MAIN_ACTION, 1) != bits.ZERO


# ---------------------------------------------------------------- things


@kernel
def put_civilizations(s, t, seat, out):
    """The planes over the civilizations that every game has, but for what is legal."""
    market = s["market"]
    for card in range(U(CIVILIZATIONS)):  # none lie elsewhere
        out[U(AT_COINS) + card] = clip(s["card_coins"][card])
    put_bits(out, AT_MARKET, market, CIVILIZATIONS)
    seats = num_seats(t)
    main = bits.ZERO
    for k in range(seats):
        other = seat_after(seat, k, seats)
        put_set(out, AT_HOLDER, civilizations_of(s, other), k + 1)
        main |= s["own"][other, G_MAIN]
    put_bits(out, AT_MAIN, main, CIVILIZATIONS)
    put_set(out, AT_DONE, s["done"][G_INHERITED], 1)


@kernel
def put_specials(s, t, seat, out):
    """The planes over the special cards."""
    put_set(out, AT_SPECIALS, s["special_market"], 1)
    seats = num_seats(t)
    for k in range(seats):
        special = np.int64(s["special"][seat_after(seat, k, seats)])
        if special > 0:
            out[AT_SPECIAL_HOLDER + special - 1] = k + 1


@kernel
def put_draft(s, seat, out):
    """What the observer knows of the draft: its hand, the packs that it has held, what it has kept."""
    put_bits(out, AT_HAND, s["hand"][seat], CIVILIZATIONS)
    put_bits(out, AT_LEFT_OVER, s["left_over"], CIVILIZATIONS)
    for pick in range(PICKS):
        put_set(out, AT_SEEN, s["sights"][seat, pick], pick + 1)
        if s["picks"][seat, pick] > 0:
            out[AT_KEPT + s["picks"][seat, pick] - 1] = pick + 1


@kernel
def put_things(s, t, group, seat, out, start, count):
    """The planes over technologies or wonders that are alike for both."""
    put_set(out, start + 2 * count, s["done"][group], 1)
    noted, granting = s["noted"][group], s["granting"][group]
    if noted | granting != bits.ZERO:
        put_set(out, start + 4 * count, noted, 1)
        put_set(out, start + 4 * count, granting, 2)
        put_set(out, start + 4 * count, noted & granting, 3)
    seats = num_seats(t)
    for k in range(seats):
        put_bits(
            out, start + (NUM_THING_PLANES + k) * count, s["own"][seat_after(seat, k, seats), group], count
        )


@kernel
def put_current(s, out, at_wonders):
    """The ability whose effects are being done or offered."""
    ability = np.int64(s["ability"]) - 1
    if ability < base_of(G_INHERITED):
        out[AT_CURRENT + ability] = 1
    elif ability < base_of(G_TECHNOLOGY):
        out[AT_CURRENT + ability - base_of(G_INHERITED)] = 2
    elif ability < base_of(G_WONDER):
        out[AT_TECHNOLOGIES + 3 * TECHNOLOGIES + ability - base_of(G_TECHNOLOGY)] = 1
    else:
        out[at_wonders + 3 * WONDERS + ability - base_of(G_WONDER)] = 1


# ---------------------------------------------------------------- seats


@kernel
def greatest_force(s, t):
    """The greatest force; in solo the virtual opponent counts as well."""
    best = virtual_force(s) if t["solo"] else np.int64(0)
    for seat in range(num_seats(t)):
        best = max(best, force_of(s, t, seat))
    return best


@kernel
def is_before(s, t, seat):
    """Has the seat had its turn in this round, or its pick of this pack?"""
    place = seat - np.int64(s["first"])
    return (place if place >= 0 else place + num_seats(t)) < s["turn"]


@kernel
def put_seat(s, seat, out, place, force, strongest, points, rest):
    """The features of a seat; what had to be worked out is given."""
    out[place + F_COINS] = clip(s["coins"][seat])
    out[place + F_POINTS] = clip(s["points"][seat])
    out[place + F_WORKERS] = s["workers"][seat]
    out[place + F_IDLE] = s["workers"][seat] - s["placed"] if s["seat"] == seat else s["workers"][seat]
    out[place + F_FORCE] = clip(force)
    out[place + F_STRONGEST] = strongest
    out[place + F_CIVILIZATIONS] = popcount(civilizations_of(s, seat))
    out[place + F_TECHNOLOGIES] = popcount(technologies_of(s, seat))
    out[place + F_WONDERS] = popcount(s["own"][seat, G_WONDER])
    out[place + F_HAND] = popcount(s["hand"][seat])
    out[place + F_TOKEN] = s["first"] == seat
    out[place + F_IS_TURN] = s["seat"] == seat
    out[place + F_WONDER_POINTS] = clip(points)
    out[place + F_LEGACY] = clip(rest)
    out[place + F_TOTAL] = clip(np.int64(s["points"][seat]) + points + rest)
