"""What is counted, changed and asked in Age of Civilization.

measure.py        one record of figures a game, read off by replaying it
interventions.py  the first civilization drawn by lot; a technology, a wonder, coins given at the beginning
habits.py         who goes without an action, a second civilization, annexing, special cards
things.py         civilizations, technologies and wonders as things that seats hold
compiled.py       the compiled loops of core/loops, filled with all that
"""

from __future__ import annotations

from genesia_rl.core.lab import Arm, Array, Change, Games, Lab, Trait, Without
from genesia_rl.games.age_of_civilization.lab.compiled import MATCHES
from genesia_rl.games.age_of_civilization.lab.habits import ACT_HABITS, NO_ANNEXING, NO_SECOND, NO_SPECIAL
from genesia_rl.games.age_of_civilization.lab.interventions import INTERVENTION
from genesia_rl.games.age_of_civilization.lab.measure import BY_SEAT, MEASURE
from genesia_rl.games.age_of_civilization.lab.things import CIVILIZATIONS, TECHNOLOGIES, WONDERS

MOST_COINS = 30


def total(field: str, games: Games) -> Array:
    """[game]: of all seats together."""
    return games[field].sum(axis=1)


LAB = Lab(
    matches=MATCHES,
    measure=MEASURE,
    by_seat=BY_SEAT,
    seats_alike=lambda fields: True,  # no seat has anything of its own at the beginning
    interventions=INTERVENTION,
    changes={
        "coins": Change(
            "more coins at the beginning by place in the first turn order", field="coins", most=MOST_COINS
        ),
        "lot": Change("everybody's first civilization is drawn by lot", field="lot"),
        "technologies": Change(
            "everybody begins with a technology, drawn by lot, another one each", field="technologies"
        ),
        "wonders": Change(
            "everybody begins with a wonder that is out of the game, drawn by lot", field="wonders"
        ),
    },
    without={
        **{
            action: Without(f"never performs {action}, but where an ability does at the end of its turn", habit=bit)
            for action, bit in ACT_HABITS.items()
        },
        "second": Without("keeps to its first civilization", habit=NO_SECOND),
        "annexing": Without("never annexes", habit=NO_ANNEXING),
        "specials": Without(
            "never buys a special card", habit=NO_SPECIAL, exists=lambda fields: bool(fields.get("innovation"))
        ),
    },
    arms={
        "lot": Arm(0.5, {"lot": True}),
        "technologies": Arm(0.5, {"technologies": True}),
        "wonders": Arm(0.5, {"wonders": True}),
    },
    traits=(
        Trait("civilizations", lambda games: total("civilizations", games), "most civilizations"),
        Trait("technologies", lambda games: total("researched", games), "most technologies"),
        Trait("wonders", lambda games: total("built", games), "most wonders"),
        Trait("turns of rest", lambda games: total("rests", games), "fewest turns of rest", -1),
        Trait("actions", lambda games: total("acts", games), "most actions"),
    ),
    items=(CIVILIZATIONS, TECHNOLOGIES, WONDERS),
    about={
        "first": (
            "Who has the first player token is drawn by lot, so differences between places in the first round are what "
            "the place does. The token goes on counter-clockwise: who was last in a round is first in the next one."
        ),
    },
)  # fmt: skip
