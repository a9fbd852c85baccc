"""What is counted, changed and varied in Genesia.

measure.py        one record of figures a game, read off by replaying it
interventions.py  coins, cities and objectives taken away, an order of choosing drawn by lot
habits.py         who goes without War, without drafting, without choosing its place
compiled.py       the compiled loops of core/loops, filled with all that
lots.py           the colour lots of the Ages, in turn
cards.py          what seats hold
objectives.py     what seats are dealt and keep
"""

from __future__ import annotations

from genesia_rl.core.lab import Arm, Array, Change, Fields, Games, Lab, Trait, Without
from genesia_rl.games.genesia.config import Config
from genesia_rl.games.genesia.data.board import board_for, looks_alike
from genesia_rl.games.genesia.lab.cards import CARDS
from genesia_rl.games.genesia.lab.compiled import MATCHES
from genesia_rl.games.genesia.lab.habits import BLIND, PEACEFUL, PLACELESS
from genesia_rl.games.genesia.lab.interventions import INTERVENTION
from genesia_rl.games.genesia.lab.lots import LOTS, STAGES
from genesia_rl.games.genesia.lab.measure import BY_SEAT, MEASURE
from genesia_rl.games.genesia.lab.objectives import OBJECTIVES, exist

MOST_COINS = 100


def wars(games: Games) -> Array:
    """[game]: assaults in all Ages."""
    return games["assaults"].sum(axis=(1, 2))


def lead_changes(games: Games) -> Array:
    """[game]."""
    return games["lead_changes"]


def with_promos(fields: Fields) -> dict[str, bool]:
    """Promo cards are shuffled in, so that somebody sees them; explicit decks stay what they are."""
    return {} if "decks" in fields else {"promos": True}


def map_looks_alike(fields: Fields) -> bool:
    """Does the board that is played on look the same from every seat?"""
    return looks_alike(board_for(fields.get("data"), Config.make(**fields).continents))


LAB = Lab(
    matches=MATCHES,
    measure=MEASURE,
    by_seat=BY_SEAT,
    stages=STAGES,
    seats_alike=map_looks_alike,
    interventions=INTERVENTION,
    changes={
        "coins": Change("more coins in Age I by place in the turn order", field="coins", most=MOST_COINS),
        "blind_drafts": Change("everybody keeps cards at random", habit=BLIND),
        "random_choosers": Change("places are chosen in random order", field="random_choosers"),
    },
    without={
        "war": Without("always chooses Peace; it still defends", habit=PEACEFUL),
        "cities": Without(
            "has no cities in supply, so it never builds, places or takes one", field="without_cities"
        ),
        "objective": Without("scores no objective", field="without_objective", exists=exist),
        "drafting": Without("keeps cards at random", habit=BLIND),
        "places": Without("takes a place in the turn order at random", habit=PLACELESS),
    },
    arms={
        "choosing": Arm(0.25, {"random_choosers": True}),
        "promos": Arm(0.25, fields=with_promos),
        "blind": Arm(0.5, {"blind_drafts": True}, with_promos),
    },
    choosing="choosing",
    variation=LOTS,
    traits=(
        Trait("assaults", wars, "most warlike"),
        Trait("lead changes", lead_changes, "most lead changes"),
    ),
    items=(CARDS,),
    offers=(OBJECTIVES,),
    about={
        "first": (
            "Places in Age I are drawn by lot, so differences between them are what the place does. Places in "
            "Ages II and III are chosen by the players, those behind in progress first: there, who has a place "
            "matters as well."
        ),
        "choosing": "Places chosen in an order drawn by lot: what the right to choose first is worth.",
        "objectives": (
            "Dealt: the win share of who is dealt an objective, less the even share, and the points that it "
            "brings in, none if it is not kept; who is dealt what is chance. Kept: of those who kept it, by choice."
        ),
    },
)
