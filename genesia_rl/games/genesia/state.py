"""The state of a game: one structured record, every field explained, nothing else anywhere.

A batch is an array of records, a copy is one assignment, a hash is the record's bytes. The first axis
of whatever belongs to the seats is the absolute seat. Sets are rows of 64-bit words (bits.py): regions
by their id, cards by their number. Fields that are not in use are zero, so that equal situations have
equal bytes. Who may know a field is its third entry:

    public   everybody            own      the seat of the first axis alone
    hidden   nobody, or not all of it: observe.py and resample.py know which part of it whom
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genesia_rl.core.records import Field, records_of
from genesia_rl.games.genesia.actions import LEGAL_WORDS
from genesia_rl.games.genesia.names import (
    AGES,
    CARD_WORDS,
    HAND,
    MAX_REGIONS,
    MAX_SEATS,
    MAX_TASKS,
    PACK,
    REGION_WORDS,
)

U64 = np.uint64
_SEATS = (MAX_SEATS,)
_SEAT_REGIONS = (MAX_SEATS, REGION_WORDS)
_SEAT_CARDS = (MAX_SEATS, CARD_WORDS)

#: name, type, who may know it, shape. What each means stands above its group.
FIELDS: tuple[Field, ...] = (
    # The header that every game of the contract begins with: the seat to act (-1 when over), the kind
    # of its decision, whether the game is over, the number of legal actions, the decisions taken so
    # far (forced ones do not count), and the legal set of the decision as bits.
    ("seat", np.int8, "public", ()),
    ("kind", np.int8, "public", ()),
    ("over", np.int8, "public", ()),
    ("num_legal", np.int16, "hidden", ()),
    ("steps", np.int32, "public", ()),
    ("legal", U64, "hidden", (LEGAL_WORDS,)),
    # The stream that all chance comes from. All of it is used up by the deal.
    ("rng", U64, "hidden", ()),
    # Where in the course of a game we are: Age 0..2, phase, the place in the turn order of the seat
    # whose turn it is; in Attack the number of the round and its step.
    ("age", np.int8, "public", ()),
    ("phase", np.int8, "public", ()),
    ("turn", np.int8, "public", ()),
    ("war_round", np.int16, "public", ()),
    ("attack_step", np.int8, "public", ()),
    # What has to be finished before the turn goes on, innermost last (turn.py).
    ("depth", np.int8, "public", ()),
    ("tasks", np.int8, "public", (MAX_TASKS,)),
    # The seats in turn order.
    ("order", np.int8, "public", _SEATS),
    # Coins, pieces in supply.
    ("coins", np.int32, "public", _SEATS),
    ("clan_supply", np.int8, "public", _SEATS),
    ("city_supply", np.int8, "public", _SEATS),
    # The map: clans by region; and as sets, kept in step with it: regions with an own clan, with an
    # own city, and occupied ones (either). A clan or group that is crossing a region counts in
    # `clans` alone: it gives no presence there (RULES 5.B).
    ("clans", np.int8, "public", (MAX_SEATS, MAX_REGIONS)),
    ("clan_regions", U64, "public", _SEAT_REGIONS),
    ("city_regions", U64, "public", _SEAT_REGIONS),
    ("occupied", U64, "public", _SEAT_REGIONS),
    # Cards: in hand; face up before the seat (played, whatever became of them); Inventions played or
    # copied; those of them that are marked with one of its clans (R10); and the cards it has discarded
    # in this Age, whose number is public.
    ("hand", U64, "own", _SEAT_CARDS),
    ("played", U64, "public", _SEAT_CARDS),
    ("inventions", U64, "public", _SEAT_CARDS),
    ("marked", U64, "public", _SEAT_CARDS),
    ("discarded", U64, "own", _SEAT_CARDS),
    # The draft: the packs that were dealt for each Age (0 where a pack is shorter), the pack each
    # seat holds now, the number of the pick, the cards picked so far in this Age by seat, and the pack
    # that the seat held at each pick, as it was then.
    ("packs", np.int8, "hidden", (AGES, MAX_SEATS, PACK)),
    ("held", U64, "own", _SEAT_CARDS),
    ("pick", np.int8, "public", ()),
    ("picks", np.int8, "own", (MAX_SEATS, HAND)),
    ("seen", U64, "own", (MAX_SEATS, HAND, CARD_WORDS)),
    # Objectives: the two dealt, and the one kept (0: none).
    ("dealt", np.int8, "own", (MAX_SEATS, 2)),
    ("kept", np.int8, "own", _SEATS),
    # Points of progress by Age, and assaults by which the seat gained a presence.
    ("progress", np.int32, "public", (MAX_SEATS, AGES)),
    ("conquests", np.int16, "public", _SEATS),
    # Lasting effects, with the end they hold to (names.UNTIL): the price of the next recruits and for
    # how many it holds, recruiting anywhere, group moves, no tolls; offence, defence and pacifism
    # always hold to the end of the Age. Free moves are lost at the end of the Expansion turn.
    ("price", np.int8, "public", _SEATS),
    ("price_left", np.int8, "public", _SEATS),
    ("price_until", np.int8, "public", _SEATS),
    ("anywhere_until", np.int8, "public", _SEATS),
    ("group_until", np.int8, "public", _SEATS),
    ("no_toll_until", np.int8, "public", _SEATS),
    ("offence", np.int16, "public", _SEATS),
    ("defence", np.int16, "public", _SEATS),
    ("pacifist", np.int8, "public", _SEATS),
    ("free_moves", np.int16, "public", _SEATS),
    # A move under way: who moves, from where (-1: nobody), where it is now, how many clans go
    # together; for a group not yet chosen, the action of the edge.
    ("mover", np.int8, "public", ()),
    ("move_from", np.int8, "public", ()),
    ("move_at", np.int8, "public", ()),
    ("move_clans", np.int8, "public", ()),
    ("move_edge", np.int16, "public", ()),
    # A card whose effects are being executed: the card, who executes them, whether as a copy, the
    # place in its list of effects, what is left of this effect (-1: not begun), the region and the
    # second region chosen for it (-1: none), and the hosts that it has made so far, a bit for each seat.
    ("card", np.int8, "public", ()),
    ("actor", np.int8, "public", ()),
    ("copied", np.int8, "public", ()),
    ("op", np.int8, "public", ()),
    ("left", np.int8, "public", ()),
    ("chosen", np.int8, "public", ()),
    ("chosen_to", np.int8, "public", ()),
    ("hosts", np.int8, "public", ()),
    # The copy window: the card that may be copied, who played it, how many seats have been passed.
    # The copier's small turn: who has it and how many of its free moves are left.
    ("window_card", np.int8, "public", ()),
    ("window_seat", np.int8, "public", ()),
    ("window_passed", np.int8, "public", ()),
    ("small_seat", np.int8, "public", ()),
    ("small_moves", np.int16, "public", ()),
    # Attack: the stances (secret until `attack_step` leaves stance), who has launched an assault in this
    # round, and who is spent (R3).
    ("stance", np.int8, "own", _SEATS),
    ("launched", np.int8, "public", _SEATS),
    ("spent", np.int8, "public", _SEATS),
    # The assault turn: what cards have added to it; and, once declared, its step, the two regions and
    # seats, and whether the target held no clan. All is forgotten when the assault turn ends.
    ("strike", np.int16, "public", ()),
    ("feint", np.int16, "public", ()),
    ("ward", np.int16, "public", ()),
    ("raid", np.int16, "public", ()),
    ("storm", np.int8, "public", ()),
    ("rout", np.int8, "public", ()),
    ("fortify", np.int8, "public", ()),
    ("parry", np.int8, "public", ()),
    ("assault_step", np.int8, "public", ()),
    ("attacker", np.int8, "public", ()),
    ("defender", np.int8, "public", ()),
    ("source", np.int8, "public", ()),
    ("target", np.int8, "public", ()),
    ("target_was_empty", np.int8, "public", ()),
    ("conquered", np.int8, "public", ()),
    # The choice of the next turn order: the seats in the order in which they choose, how many have
    # chosen, and the seat that took each place (-1: free).
    ("choosers", np.int8, "public", _SEATS),
    ("chosen_places", np.int8, "public", ()),
    ("next_order", np.int8, "public", _SEATS),
)


RECORDS = records_of(FIELDS)
STATE = RECORDS.narrow

States = npt.NDArray[np.void]
