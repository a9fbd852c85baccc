"""What a seat sees: tables of its pieces, and the kernel that writes them into one int8 buffer.

Seats are counted from the observer's own, which is 0; the next one clockwise is 1. What is hidden stays out by
construction: this file does not read the decks, only which cards nobody has seen. Numbers beyond int8 are clipped.
Most of it is zero, so it is cleared first, and what is there is written member by member. Sizes depend on the number
of seats n alone:

    cards   [14, 54]        tiles [4, 28]          planes       globals [GLOBALS]
    places  [5 + n, 27]     types [6 + n, 6]       planes
    seats   [n, SEAT_FEATURES]                     rows
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import inlined, kernel, lowest, popcount
from genesia_rl.core.pieces import MOST, Piece, TokenSet
from genesia_rl.games.gentes.actions import (
    CARD_BASE,
    CITIZEN_BASE,
    CITY_BASE,
    NUM_ACTIONS,
    PAY_BASE,
    TAX_BASE,
    TILE_BASE,
    USE_BASE,
)
from genesia_rl.games.gentes.names import (
    ANY_SYMBOL,
    CARDS,
    ERAS,
    ERRANDS,
    KINDS,
    MAX_BONUS,
    MAX_COST,
    MAX_SPACES,
    NEVER,
    NUM_ACTS,
    NUM_CONDITIONS,
    NUM_REGIONS,
    NUM_SYMBOLS,
    NUM_TYPES,
    PLACES,
    ROUNDS,
    SCORE_PARTS,
    SLOTS,
    STAGES,
    TAXES,
    TILES,
    TYPES_SLOTS,
    WORD,
)
from genesia_rl.games.gentes.rules.cards import deck_size
from genesia_rl.games.gentes.rules.needs import missing
from genesia_rl.games.gentes.rules.places import regions_had
from genesia_rl.games.gentes.rules.seats import free_spaces, num_citizens, num_seats, number_bit

SEATS = -1  # as many words as there are seats
#: Places in arrays are unsigned where it counts: a signed one could be negative, and Python's meaning of that
#: (from the end) keeps a loop from being made 32 bytes at a time.
U = np.uint64
THREE, EIGHT, BYTE = U(3), U(8), U(255)
#: The bits of a byte as bytes.
BITS = np.array([[byte >> place & 1 for place in range(8)] for byte in range(256)], np.int8)
UNMET = np.int64(10)  # `missing` of a card whose symbols are not met, and the most that it says
#: Legal actions that stand for no thing: they are shown one by one.
PLAIN_FIRST, PLAIN = PAY_BASE, NUM_ACTIONS - PAY_BASE


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


#: One plane each over the cards.
CARD_PLANES = (
    Row("slot", 0, SLOTS, "its slot of the display; 0 it is not there"),
    Row("discard", 0, 1, "in the discard pile"),
    Row("open", 0, 1, "open in the draft"),
    Row("unseen", 0, 1, "nobody has seen it: in a deck, or boxed unseen"),
    Row("hand", 0, 4, "1 + the seat that has it in hand; 0 nobody", words=SEATS),
    Row("played", 0, 4, "1 + the seat that has it in play; 0 nobody", words=SEATS),
    Row("scored", 0, 1, "played in the final scoring"),
    Row("marked", 0, 1, "it has a mark"),
    Row("used", 0, 1, "its once-a-round effect was used in this round"),
    Row("chosen", 0, 1, "its ability was chosen for the action under way"),
    Row("current", 0, 2, "1 its action is under way, 2 it is being played", words=2),
    Row("missing", 0, int(UNMET), "of the own hand and the display: 1 + citizens that the observer lacks; "
        f"{UNMET} symbols are lacking; 0 it is elsewhere"),
    Row("can_take", 0, 1, "legal now: keep, take, play or score it"),
    Row("can_use", 0, 1, "legal now: use its action or ability"),
)  # fmt: skip
#: One plane each over the action tiles.
TILE_PLANES = (
    Row("here", 0, 1, "on the board"),
    Row("taken", 0, 1, "on a track"),
    Row("current", 0, 1, "it is the source of the action under way"),
    Row("can_take", 0, 1, "legal now: take it"),
)
#: One plane each over cities and Homes; after them one for each seat, the observer's own first.
PLACE_PLANES = (
    Row("here", 0, 1, "it is on this side of the board"),
    Row("used", 0, 1, "the Home was used in this round"),
    Row("chosen", 0, 2, "1 the Home's ability was chosen, 2 its action is under way", words=2),
    Row("lifted", 0, 1, "a token was just lifted from it"),
    Row("can_choose", 0, 1, "legal now: use it, build there, move from there"),
)
#: One plane each over the types of citizens; after them one for each seat.
TYPE_PLANES = (
    Row("slot", 1, TYPES_SLOTS, "the slot of its recruiting tile"),
    Row("marked", 0, 1, "its tile has a mark"),
    Row("recruited", 0, 1, "recruited in the action under way"),
    Row("given", 0, 1, "given away in the exchange under way"),
    Row("virtual", 0, MOST, "virtual citizens of the observer"),
    Row("can_choose", 0, 1, "legal now: recruit or lose it"),
)
TOKEN = Row("token", 0, 1, "the seat has a token there")
CITIZENS = Row("citizens", 0, MOST, "the seat's citizens")
GLOBALS = (
    Row("round", 1, ROUNDS, "the round"),
    Row("era", 0, ERAS - 1, "the era, counted from 0"),
    Row("scoring", 0, 1, "this is the final scoring"),
    Row("kind", 0, 1, "kind of the decision that is being asked, one-hot", len(KINDS)),
    Row("stage", 0, 1, "how far the game is, one-hot", len(STAGES)),
    Row("errand", 0, 1, "what is asked in the middle of an effect, one-hot", len(ERRANDS)),
    Row("my_decision", 0, 1, "the observer is asked"),
    Row(
        "turn",
        0,
        MOST,
        "seats, picks or first citizens that are done with, where all seats do something in turn",
    ),
    Row("act", 0, 1, "the action under way, one-hot after `none`", NUM_ACTS + 1),
    Row(
        "symbol", 0, 1, "the symbol for a token: none, column, amphora, anchor, any; one-hot", ANY_SYMBOL + 1
    ),
    Row("tax", 0, TAXES, "the Tax Collector that is the source; 0 none", words=TAXES),
    Row("amount", 0, MAX_COST, "the amount of the action under way"),
    Row("hours", 0, MOST, "hourglasses of its source, until they are placed"),
    Row("row", 0, 2, "the row of the Philosopher's prices"),
    Row("left", 0, MOST, "citizens, cubes or cards still to come by the effect under way"),
    Row("slots", 0, SLOTS, "slots from which the effect under way takes cards"),
    Row("due", 0, MOST, "hourglasses to be placed"),
    Row("taken_shown", 0, 3, "cards of the display taken by the Scribe"),
    Row("last_slot", 0, SLOTS, "their rightmost slot"),
    Row("taken_piled", 0, 2, "cards of the discard pile taken by the Scribe"),
    Row("gain_row", 0, MOST, "1 + gains done of the card that is being played; 0 none is"),
    Row("exchange", 0, 2, "the exchange of a swap"),
    Row("region", 0, NUM_REGIONS, "the region whose reward comes next, counted from 0"),
    Row("deck", 0, MOST, "cards in the deck"),
    Row("boxed", 0, MOST, "cards of each era that are boxed unseen", ERAS),
    Row("legal", 0, 1, f"legal now: the actions from number {PLAIN_FIRST} on, one by one", PLAIN),
    Row("legal_tax", 0, 1, "legal now: each Tax Collector", TAXES),
)
SEAT_FEATURES = (
    Row("coins", 0, MOST, "coins"),
    Row("points", -MOST, MOST, "points by part of the score", len(SCORE_PARTS)),
    Row("total", -MOST, MOST, "all points"),
    Row("temple", 0, 9, "temple cubes"),
    Row("oracle", 0, 9, "oracle cubes"),
    Row("tiles", 0, MAX_SPACES, "tiles on the track"),
    Row("singles", 0, MAX_SPACES, "lone hourglasses"),
    Row("doubles", 0, MAX_SPACES, "pairs of hourglasses"),
    Row("locks", 0, MAX_SPACES, "locks"),
    Row("free", 0, MAX_SPACES, "free spaces"),
    Row("tokens", 0, 9, "tokens placed"),
    Row("regions", 0, NUM_REGIONS, "regions with a city"),
    Row("hand", 0, CARDS, "cards in hand"),
    Row("played", 0, CARDS, "cards in play"),
    Row("citizens", 0, MOST, "citizens of all types"),
    Row("symbols", 0, 18, "tokens on each symbol", NUM_SYMBOLS),
    Row("first", 0, 1, "first player"),
    Row("next_first", 0, 1, "became Leader in this round"),
    Row("is_turn", 0, 1, "it is asked"),
    Row("bonus", 0, MAX_BONUS, "the place in which it took a bonus tile of each condition; 0 none", NUM_CONDITIONS),
    Row("discount", 0, MOST, "coins saved each time, by action", NUM_ACTS),
    Row("saving", 0, MOST, "hourglasses saved each time, by action", NUM_ACTS),
)  # fmt: skip


class Block(NamedTuple):
    """Planes over things of one kind."""

    name: str
    rows: tuple[Row, ...]
    count: int
    of_seats: Row | None = None  # one plane more for each seat

    def size(self, seats: int) -> int:
        """Bytes of the block."""
        return (len(self.rows) + (0 if self.of_seats is None else seats)) * self.count


#: In their order; the globals stand between those of fixed size and the others.
FIXED_BLOCKS = (Block("cards", CARD_PLANES, CARDS), Block("tiles", TILE_PLANES, TILES))
SEAT_BLOCKS = (Block("places", PLACE_PLANES, PLACES, TOKEN), Block("types", TYPE_PLANES, NUM_TYPES, CITIZENS))
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
        if block.of_seats is not None:
            add(block.name, block.of_seats, (seats, block.count))

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

    def add(name: str, shape: tuple[int, ...], low: int, meaning: str) -> None:
        start = found[-1].stop if found else 0
        found.append(Piece(name, start, shape, low, MOST, meaning))

    def add_block(block: Block) -> None:
        add(block.name, (block.size(seats) // block.count, block.count), 0, f"planes over the {block.name}")

    for block in FIXED_BLOCKS:
        add_block(block)
    add("globals", (NUM_GLOBALS,), 0, "the rest")
    for block in SEAT_BLOCKS:
        add_block(block)
    add("seats", (seats, NUM_SEAT_FEATURES), -MOST, "rows of features, the own seat first")
    return tuple(found)


def observation_size(seats: int) -> int:
    """Bytes of one observation."""
    return groups(seats)[-1].stop


def token_sets(seats: int) -> tuple[TokenSet, ...]:
    """The things that the observation speaks of; the cards are the board."""
    names = [block.name for block in (*FIXED_BLOCKS, *SEAT_BLOCKS)]
    return tuple(
        TokenSet(piece.name, piece.start, piece.shape[0], piece.shape[1])
        for piece in groups(seats)
        if piece.name in names
    )


def _places(rows: tuple[Row, ...], start: int, count: int = 1) -> tuple[np.int64, ...]:
    """Where each row of a table begins."""
    return tuple(np.int64(start + sum(row.size for row in rows[:k]) * count) for k in range(len(rows)))


(
    AT_SLOT, AT_DISCARD, AT_OPEN, AT_UNSEEN, AT_HAND, AT_PLAYED, AT_SCORED, AT_MARKED, AT_USED, AT_CHOSEN, AT_CURRENT,
    AT_MISSING, AT_CAN_TAKE, AT_CAN_USE,
) = _places(CARD_PLANES, 0, CARDS)  # fmt: skip
AT_HERE, AT_TAKEN, AT_SOURCE, AT_CAN_TILE = _places(TILE_PLANES, FIXED_BLOCKS[0].size(0), TILES)
(
    AT_ROUND, AT_ERA, AT_SCORING, AT_KIND, AT_STAGE, AT_ERRAND, AT_MINE, AT_TURN, AT_ACT, AT_SYMBOL, AT_TAX, AT_AMOUNT,
    AT_HOURS, AT_ROW, AT_LEFT, AT_SLOTS, AT_DUE, AT_TAKEN_SHOWN, AT_LAST_SLOT, AT_TAKEN_PILED, AT_GAIN_ROW,
    AT_EXCHANGE, AT_REGION, AT_DECK, AT_BOXED, AT_LEGAL, AT_LEGAL_TAX,
) = _places(GLOBALS, sum(block.size(0) for block in FIXED_BLOCKS))  # fmt: skip
AT_PLACES = np.int64(AT_LEGAL_TAX + TAXES)
P_HERE, P_USED, P_CHOSEN, P_LIFTED, P_CAN, P_TOKENS = _places((*PLACE_PLANES, TOKEN), int(AT_PLACES), PLACES)
T_SLOT, T_MARKED, T_RECRUITED, T_GIVEN, T_VIRTUAL, T_CAN, T_CITIZENS = _places(
    (*TYPE_PLANES, CITIZENS), 0, NUM_TYPES
)
(
    F_COINS, F_POINTS, F_TOTAL, F_TEMPLE, F_ORACLE, F_TILES, F_SINGLES, F_DOUBLES, F_LOCKS, F_FREE, F_TOKENS, F_REGIONS,
    F_HAND, F_PLAYED, F_CITIZENS, F_SYMBOLS, F_FIRST, F_NEXT_FIRST, F_IS_TURN, F_BONUS, F_DISCOUNT, F_SAVING,
) = _places(SEAT_FEATURES, 0)  # fmt: skip


# ---------------------------------------------------------------- the kernel


@kernel
def observe(s, t, seat, out):
    """Write what the seat sees into `out`, an int8 array of `observation_size` bytes."""
    seats = num_seats(t)
    at_types = P_TOKENS + seats * PLACES
    place = at_types + T_CITIZENS + seats * NUM_TYPES
    deck = deck_size(s, t) if s["unseen"] != bits.ZERO else np.int64(0)
    out[:] = 0
    put_globals(s, t, seat, out, deck)
    put_cards(s, t, seat, out)
    put_tiles(s, t, out)
    put_places(s, t, seat, out)
    put_types(s, t, seat, out, at_types)
    if s["source"] > 0:
        put_source(s, out)
    if s["seat"] == seat:
        put_legal(s, out, at_types)
    for k in range(seats):
        other = seat_after(seat, k, seats)
        free, regions = free_spaces(s, t, other), popcount(regions_had(s, t, other))
        put_seat(s, other, out, place, free, regions, num_citizens(s, other))
        place += NUM_SEAT_FEATURES
    put_bonus(s, seat, seats, out, place - seats * NUM_SEAT_FEATURES)


@kernel
def seat_after(seat, k, seats):
    """The k-th seat from this one clockwise."""
    return seat + k if seat + k < seats else seat + k - seats


@kernel
def clip(number):
    """A number as int8."""
    return min(max(np.int64(number), np.int64(-MOST)), np.int64(MOST))


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
def put_globals(s, t, seat, out, deck):
    """The globals, but for what is legal."""
    out[AT_ROUND] = s["round"]
    out[AT_ERA] = s["era"]
    out[AT_SCORING] = s["scoring"]
    out[AT_KIND + s["kind"]] = 1
    out[AT_STAGE + s["stage"]] = 1
    out[AT_ERRAND + s["errand"]] = 1
    out[AT_MINE] = s["seat"] == seat
    out[AT_TURN] = s["turn"]
    out[AT_ACT + s["act"]] = 1
    out[AT_SYMBOL + s["symbol"]] = 1
    out[AT_AMOUNT] = s["amount"]
    out[AT_HOURS] = s["hours"]
    out[AT_ROW] = s["row"]
    out[AT_LEFT] = s["left"]
    out[AT_SLOTS] = s["slots"]
    out[AT_DUE] = clip(s["due"])
    out[AT_TAKEN_SHOWN] = s["taken_shown"]
    out[AT_LAST_SLOT] = s["last_slot"]
    out[AT_TAKEN_PILED] = s["taken_piled"]
    if s["gain_row"] > 0:
        out[AT_GAIN_ROW] = clip(s["gain_row"] - t["first_gain"][s["card"] - 1])
    out[AT_EXCHANGE] = s["exchange"]
    out[AT_REGION] = s["region"]
    out[AT_DECK] = deck
    for era in range(ERAS):
        out[AT_BOXED + era] = s["boxed"][era]


@kernel
def put_source(s, out):
    """The source of the action under way, and what was chosen for it."""
    source = np.int64(s["source"]) - 1
    put_set(out, AT_CHOSEN, s["chosen_cards"], 1)
    put_set(out, P_CHOSEN, s["chosen_homes"], 1)
    if source < TAX_BASE:
        out[AT_SOURCE + source] = 1
    elif source < CITY_BASE:
        out[AT_TAX] = source - TAX_BASE + 1
    elif source < CARD_BASE:
        out[P_CHOSEN + source - CITY_BASE] = 2
    else:
        out[AT_CURRENT + source - USE_BASE] = 1
    if s["card"] > 0:
        out[AT_CURRENT + s["card"] - 1] = 2


@kernel
def put_legal(s, out, at_types):
    """What is legal for the observer, thing by thing."""
    put_set(out, AT_CAN_TAKE, segment(s, CARD_BASE, CARDS), 1)
    put_set(out, AT_CAN_USE, segment(s, USE_BASE, CARDS), 1)
    put_bits(out, AT_CAN_TILE, segment(s, TILE_BASE, TILES), TILES)
    put_set(out, P_CAN, segment(s, CITY_BASE, PLACES), 1)
    put_set(out, at_types + T_CAN, segment(s, CITIZEN_BASE, NUM_TYPES), 1)
    put_set(out, AT_LEGAL, segment(s, PLAIN_FIRST, PLAIN), 1)
    put_set(out, AT_LEGAL_TAX, segment(s, TAX_BASE, TAXES), 1)


# ---------------------------------------------------------------- things


@kernel
def put_cards(s, t, seat, out):
    """The planes over the cards, but for the action under way and what is legal."""
    put_bits(out, AT_DISCARD, s["discard"], CARDS)
    put_bits(out, AT_UNSEEN, s["unseen"], CARDS)
    put_set(out, AT_OPEN, s["open"], 1)
    put_set(out, AT_MARKED, s["marked"], 1)
    weighed = s["hand"][seat]
    for slot in range(SLOTS):
        card = np.int64(s["display"][slot])
        if card > 0:
            out[AT_SLOT + card - 1] = slot + 1
            weighed |= number_bit(card)
    put_missing(s, t, seat, out, weighed)
    seats = num_seats(t)
    for k in range(seats):
        other = seat_after(seat, k, seats)
        put_set(out, AT_HAND, s["hand"][other], k + 1)
        put_set(out, AT_PLAYED, s["played"][other], k + 1)
        put_set(out, AT_SCORED, s["scored"][other], 1)
        put_set(out, AT_USED, s["used_cards"][other], 1)


@kernel
def put_missing(s, t, seat, out, left):
    """What the observer lacks for some cards."""
    while left != bits.ZERO:
        place = np.int64(lowest(left))
        left = bits.rest(left)
        lacks = missing(s, t, seat, place + 1)
        out[AT_MISSING + place] = UNMET if lacks == NEVER else min(lacks + 1, UNMET - 1)


@kernel
def put_tiles(s, t, out):
    """The planes over the tiles."""
    put_bits(out, AT_HERE, t["in_game"] & ~s["taken"], TILES)
    put_bits(out, AT_TAKEN, s["taken"], TILES)


@kernel
def put_places(s, t, seat, out):
    """The planes over cities and Homes."""
    put_bits(out, P_HERE, t["on_symbol"][ANY_SYMBOL], PLACES)
    put_set(out, P_USED, s["used_homes"], 1)
    if s["lifted"] > 0:
        out[P_LIFTED + s["lifted"] - 1] = 1
    seats = num_seats(t)
    for k in range(seats):
        put_set(out, P_TOKENS + k * PLACES, s["tokens"][seat_after(seat, k, seats)], 1)


@kernel
def put_types(s, t, seat, out, start):
    """The planes over the types of citizens."""
    for slot in range(TYPES_SLOTS):
        out[start + T_SLOT + s["recruit"][slot]] = slot + 1
    if s["marked_type"] > 0:
        out[start + T_MARKED + s["marked_type"] - 1] = 1
    if s["given"] > 0:
        out[start + T_GIVEN + s["given"] - 1] = 1
    seats = num_seats(t)
    for kind in range(NUM_TYPES):
        out[start + T_RECRUITED + kind] = s["recruited"] >> kind & 1
        out[start + T_VIRTUAL + kind] = clip(s["virtual"][seat, kind])
        for k in range(seats):
            number = s["citizens"][seat_after(seat, k, seats), kind]
            out[start + T_CITIZENS + k * NUM_TYPES + kind] = number


# ---------------------------------------------------------------- seats


@kernel
def put_seat(s, seat, out, place, free, regions, citizens):
    """The features of a seat; what had to be worked out is given."""
    total = np.int64(0)
    for part in range(len(SCORE_PARTS)):
        out[place + F_POINTS + part] = clip(s["points"][seat, part])
        total += np.int64(s["points"][seat, part])
    out[place + F_TOTAL] = clip(total)
    out[place + F_COINS] = clip(s["coins"][seat])
    out[place + F_TEMPLE] = s["temple"][seat]
    out[place + F_ORACLE] = s["oracle"][seat]
    out[place + F_TILES] = s["tiles"][seat]
    out[place + F_SINGLES] = s["singles"][seat]
    out[place + F_DOUBLES] = s["doubles"][seat]
    out[place + F_LOCKS] = s["locks"][seat]
    out[place + F_FREE] = free
    out[place + F_TOKENS] = popcount(s["tokens"][seat])
    out[place + F_REGIONS] = regions
    out[place + F_HAND] = popcount(s["hand"][seat])
    out[place + F_PLAYED] = popcount(s["played"][seat])
    out[place + F_CITIZENS] = citizens
    for symbol in range(NUM_SYMBOLS):
        out[place + F_SYMBOLS + symbol] = (s["symbols"][seat] >> np.uint64(8 * symbol)) & BYTE
    out[place + F_FIRST] = s["first"] == seat
    out[place + F_NEXT_FIRST] = s["next_first"] == seat + 1
    out[place + F_IS_TURN] = s["seat"] == seat
    for act in range(NUM_ACTS):
        out[place + F_DISCOUNT + act] = clip(s["discount"][seat, act])
        out[place + F_SAVING + act] = clip(s["saving"][seat, act])


@kernel
def put_bonus(s, seat, seats, out, place):
    """Who has taken bonus tiles, in which order."""
    for condition in range(NUM_CONDITIONS):
        for k in range(seats):
            other = np.int64(s["bonus"][condition, k]) - 1
            if other < 0:
                break
            row = other - seat if other >= seat else other - seat + seats
            out[place + row * NUM_SEAT_FEATURES + F_BONUS + condition] = k + 1
