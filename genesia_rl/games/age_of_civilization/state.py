"""The state of a game: one structured record, every field explained, nothing else anywhere.

A batch is an array of records, a copy is one assignment, a hash is the record's bytes. The first axis
of whatever belongs to the seats is the absolute seat. Sets of civilizations, technologies, wonders and special
cards are words in which bit k - 1 stands for number k; sets of actions have bit k for the k-th action. Fields
that are not in use are zero, so that equal situations have equal bytes. Who may know a field is its third entry:

    public   everybody            own      the seat of the first axis alone
    hidden   nobody, or not all of it: observe.py and resample.py know which part of it whom
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genesia_rl.core.records import records_of
from genesia_rl.games.age_of_civilization.actions import LEGAL_WORDS
from genesia_rl.games.age_of_civilization.names import (
    CARDS,
    CIVILIZATIONS,
    EVENT_CARDS,
    MAX_SEATS,
    NUM_ACTS,
    NUM_GROUPS,
    PICKS,
    SUMS,
)

U64 = np.uint64
_SEATS = (MAX_SEATS,)
_GROUPS = (NUM_GROUPS,)
_ACTS = (NUM_ACTS,)
_CIVILIZATIONS = (CIVILIZATIONS,)

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
    ("legal", U64, "hidden", (LEGAL_WORDS,)),
    # The round 1..6, the seat with the first player token, how many turns the round has seen, and how far
    # the turn of `seat` is (names.STAGES).
    ("round", np.int8, "public", ()),
    ("first", np.int8, "public", ()),
    ("turn", np.int8, "public", ()),
    ("stage", np.int8, "public", ()),
    # The track: its cards from left to right, the event tokens on the last three (0: none); the actions that
    # are open to all, and those that are open to a seat with `future`.
    ("track", np.int8, "public", (CARDS,)),
    ("events", np.int8, "public", (EVENT_CARDS,)),
    ("open", U64, "public", ()),
    ("open_later", U64, "public", ()),
    # What the seats have. `placed` are the workers of the seat in its turn that are not idle.
    ("coins", np.int32, "public", _SEATS),
    ("points", np.int32, "public", _SEATS),
    ("workers", np.int8, "public", _SEATS),
    ("placed", np.int8, "public", ()),
    # The abilities in force (names.GROUPS): the civilization whose main ability is, those whose inherited
    # ability is (all that the seat has), technologies, wonders. And the special card, 0: none.
    ("own", U64, "public", (MAX_SEATS, NUM_GROUPS)),
    ("special", np.int8, "public", _SEATS),
    # What follows from them, kept in step: the technologies to whose cell an arrow leads from an own one, or
    # no arrow leads (whether they are on the seat's card or not); the sums and flags of all that holds always
    # (names.NUM_LANES; of a sum its flag says that something adds to it), and of which lanes a part depends on
    # more than that and is worked out each time.
    ("unlocked", U64, "public", _SEATS),
    ("sums", np.int16, "public", (MAX_SEATS, SUMS)),
    ("flags", U64, "public", _SEATS),
    ("live", U64, "public", _SEATS),
    # The markets, the coins on each civilization, and the deck: its cards in order, how many there are, and
    # how many have been drawn.
    ("market", U64, "public", ()),
    ("card_coins", np.int16, "public", _CIVILIZATIONS),
    ("wonder_market", U64, "public", ()),
    ("special_market", U64, "public", ()),
    ("deck_size", np.int8, "public", ()),
    ("drawn", np.int8, "public", ()),
    ("deck", np.int8, "hidden", _CIVILIZATIONS),
    # The draft: hands; the pack that each seat has held at each pick (the first are those dealt) and what it
    # kept of it (0: nothing yet); the number of the pick, 5 when it is over; the cards that were left over.
    ("hand", U64, "own", _SEATS),
    ("sights", U64, "own", (MAX_SEATS, PICKS)),
    ("picks", np.int8, "own", (MAX_SEATS, PICKS)),
    ("pick", np.int8, "public", ()),
    ("left_over", U64, "public", ()),
    # This turn: the bonus of the civilization that is rising; whether an action was performed on a space; how
    # often each was, the workers on spaces of each that is red, and the actions whose card has no free space.
    ("bonus", np.int32, "public", ()),
    ("acted", np.int8, "public", ()),
    ("used", np.int16, "public", _ACTS),
    ("red", np.int8, "public", _ACTS),
    ("full", U64, "public", ()),
    # An action that is being performed: 1 + its number (0: none), from what (names.WAYS), the technology of
    # research once it is chosen, the next of its effects, and the abilities in force when it began.
    ("action", np.int8, "public", ()),
    ("by", np.int8, "public", ()),
    ("tech", np.int8, "public", ()),
    ("action_row", np.int16, "public", ()),
    ("noted", U64, "public", _GROUPS),
    # An action on a space whose `perform` effects are being offered: 1 + its number, its technology, and the
    # abilities that were noted for it and have such effects.
    ("space_action", np.int8, "public", ()),
    ("space_tech", np.int8, "public", ()),
    ("granting", U64, "public", _GROUPS),
    # An ability whose birth or turn_end effects are being done: 1 + its number (0: none), and the next of its
    # effects; with `granting` the next effect alone. And of the effect that is being done, 1 + how many
    # technologies or wonders are still to come (0: it has not begun).
    ("ability", np.int16, "public", ()),
    ("row", np.int16, "public", ()),
    ("left", np.int16, "public", ()),
    # The abilities done in this end of turn.
    ("done", U64, "public", _GROUPS),
    # Room for what a war or an event brings: all is counted before any is done. Zero between decisions.
    ("gains", np.int32, "public", (MAX_SEATS, 2)),
)

RECORDS = records_of(FIELDS)
STATE = RECORDS.narrow

States = npt.NDArray[np.void]
