"""The state of a game: one structured record, every field explained, nothing else anywhere.

A batch is an array of records, a copy is one assignment, a hash is the record's bytes. The first axis
of whatever belongs to the seats is the absolute seat. Sets of cards and tiles are words in which bit k - 1 stands
for number k; sets of places have a bit for each city, then for each Home (names.PLACES). Fields that are not in use
are zero, so that equal situations have equal bytes. Who may know a field is its third entry:

    public   everybody            hidden   nobody: observe.py does not read it, resample.py draws it anew
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genesia_rl.core.records import records_of
from genesia_rl.games.gentes.actions import LEGAL_WORDS
from genesia_rl.games.gentes.names import (
    CARDS,
    ERAS,
    MAX_SEATS,
    NUM_ACTS,
    NUM_CONDITIONS,
    NUM_REWARDS,
    NUM_TYPES,
    SCORE_PARTS,
    SLOTS,
    TYPES_SLOTS,
)

U64 = np.uint64
_SEATS = (MAX_SEATS,)
_TYPES = (MAX_SEATS, NUM_TYPES)
_ACTS = (MAX_SEATS, NUM_ACTS)

#: name, type, who may know it, shape. What each means stands above its group.
FIELDS: tuple[tuple[str, type, str, tuple[int, ...]], ...] = (
    # The header that every game of the contract begins with: the seat to act (-1 when over), the kind
    # of its decision, whether the game is over, the number of legal actions, the decisions taken so
    # far (forced ones do not count), and the legal set of the decision as bits.
    ("seat", np.int8, "public", ()),
    ("kind", np.int8, "public", ()),
    ("over", np.int8, "public", ()),
    ("num_legal", np.int16, "public", ()),
    ("steps", np.int32, "public", ()),
    ("legal", U64, "public", (LEGAL_WORDS,)),
    # The round 1..6, whether this is the final scoring, the era 0..2, the first player, 1 + who has become Leader in
    # this round (0: nobody), what happens next (names.STAGES), what has to be asked before that (names.ERRANDS), and
    # how many seats, or picks of the draft, are done with where all seats do something in turn.
    ("round", np.int8, "public", ()),
    ("scoring", np.int8, "public", ()),
    ("era", np.int8, "public", ()),
    ("first", np.int8, "public", ()),
    ("next_first", np.int8, "public", ()),
    ("stage", np.int8, "public", ()),
    ("errand", np.int8, "public", ()),
    ("turn", np.int8, "public", ()),
    # What the seats have. `scored` are the cards played in the final scoring; they are among `played`.
    ("coins", np.int32, "public", _SEATS),
    ("points", np.int32, "public", (MAX_SEATS, len(SCORE_PARTS))),
    ("temple", np.int8, "public", _SEATS),
    ("oracle", np.int8, "public", _SEATS),
    ("citizens", np.int8, "public", _TYPES),
    ("hand", U64, "public", _SEATS),
    ("played", U64, "public", _SEATS),
    ("scored", U64, "public", _SEATS),
    ("tokens", U64, "public", _SEATS),
    # The tracks: tiles, lone hourglasses, pairs, locks.
    ("tiles", np.int8, "public", _SEATS),
    ("singles", np.int8, "public", _SEATS),
    ("doubles", np.int8, "public", _SEATS),
    ("locks", np.int8, "public", _SEATS),
    # What was used in this round: once-a-round effects of cards, Homes; tiles that lie on tracks.
    ("used_cards", U64, "public", _SEATS),
    ("used_homes", U64, "public", ()),
    ("taken", U64, "public", ()),
    # What follows from the cards in play, kept in step: virtual citizens, coins and hourglasses saved for each
    # action, what each action brings besides, cards more in hand. And the numbers that needs are compared with, a
    # byte each: citizens with the virtual ones, symbols of places with a token.
    ("virtual", np.int16, "public", _TYPES),
    ("discount", np.int16, "public", _ACTS),
    ("saving", np.int16, "public", _ACTS),
    ("bringing", np.int16, "public", (*_ACTS, NUM_REWARDS)),
    ("hand_more", np.int16, "public", _SEATS),
    ("strength", U64, "public", _SEATS),
    ("symbols", U64, "public", _SEATS),
    # The common display: cards by slot (0: gap), marked ones, the discard pile, types by recruiting slot, 1 + the
    # type that is marked (0: none), cards open in the draft.
    ("display", np.int8, "public", (SLOTS,)),
    ("marked", U64, "public", ()),
    ("discard", U64, "public", ()),
    ("recruit", np.int8, "public", (TYPES_SLOTS,)),
    ("marked_type", np.int8, "public", ()),
    ("open", U64, "public", ()),
    # The decks, one era after the other, each from its place in the tables on: cards in order. A card that is
    # drawn leaves a zero, cards in `gone` are passed over. `boxed` of each go to the box unseen. `unseen` are all
    # cards of decks, those boxed unseen included. `next` is where the present deck goes on.
    ("deck", np.int8, "hidden", (CARDS,)),
    ("next", np.int8, "hidden", ()),
    ("gone", U64, "public", ()),
    ("boxed", np.int8, "public", (ERAS,)),
    ("unseen", U64, "public", ()),
    # 1 + the seats that have taken bonus tiles, by condition, in order.
    ("bonus", np.int8, "public", (NUM_CONDITIONS, MAX_SEATS)),
    # A turn that is under way: 1 + the action that stands for its source (0: none), 1 + its action (names.ACTS), the
    # amount, the hourglasses of the source, the symbol (1..3, 4 any); abilities chosen: cards, Homes, what they do
    # (bits by names.LASTING).
    ("source", np.int16, "public", ()),
    ("act", np.int8, "public", ()),
    ("amount", np.int8, "public", ()),
    ("hours", np.int8, "public", ()),
    ("symbol", np.int8, "public", ()),
    ("chosen_cards", U64, "public", ()),
    ("chosen_homes", U64, "public", ()),
    ("chosen_does", np.int16, "public", ()),
    # The row of `count`, types recruited (bits); cards taken from the display, their rightmost slot, cards taken
    # from the discard pile; the card that is being played, 1 + the row of its gains that comes next (0: none).
    ("row", np.int8, "public", ()),
    ("recruited", np.int8, "public", ()),
    ("taken_shown", np.int8, "public", ()),
    ("last_slot", np.int8, "public", ()),
    ("taken_piled", np.int8, "public", ()),
    ("card", np.int8, "public", ()),
    ("gain_row", np.int16, "public", ()),
    # What is still to come by the effect under way: citizens, cards, cubes or locks; the slots that cards are
    # taken from; hourglasses. 1 + the place that a token was lifted from.
    ("left", np.int8, "public", ()),
    ("slots", np.int8, "public", ()),
    ("due", np.int16, "public", ()),
    ("lifted", np.int8, "public", ()),
    # A swap: its exchange 1 or 2 (0: none), 1 + the type given away. The region whose reward comes next.
    ("exchange", np.int8, "public", ()),
    ("given", np.int8, "public", ()),
    ("region", np.int8, "public", ()),
)

RECORDS = records_of(FIELDS)
STATE = RECORDS.narrow

States = npt.NDArray[np.void]
