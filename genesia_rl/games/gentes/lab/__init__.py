"""What is counted, changed and asked in Gentes.

measure.py        one record of figures a game, read off by replaying it
interventions.py  cards drawn by lot, tiles kept for a seat; tokens, bonus tiles and coins given at the beginning
habits.py         who goes without an action, cities, Homes, extra options
things.py         cards, tiles, cities, Homes and bonus tiles as things that seats hold
compiled.py       the compiled loops of core/loops, filled with all that
"""

from __future__ import annotations

from genesia_rl.core.lab import Arm, Array, Change, Games, Lab, Trait, Without
from genesia_rl.games.gentes.lab.compiled import MATCHES
from genesia_rl.games.gentes.lab.habits import ACT_HABITS, NO_CITIES, NO_EXTRAS, NO_HOMES
from genesia_rl.games.gentes.lab.interventions import INTERVENTION
from genesia_rl.games.gentes.lab.measure import BY_SEAT, MEASURE
from genesia_rl.games.gentes.lab.things import BONUS, CARDS, CITIES, HOME_PLACES, TILES

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
        "coins": Change("more coins at the beginning by place in the first turn order", field="coins", most=MOST_COINS),
        "cards": Change(
            "first hands are drawn by lot, and everybody is given the next card of the deck in Eras II and III",
            field="cards",
        ),
        "tiles": Change("an action tile is kept for each seat, drawn by lot, another one each", field="tiles"),
        "places": Change(
            "everybody begins with a token on a city and one on a Home, drawn by lot, another one each", field="places"
        ),
        "bonus": Change("everybody begins with a bonus tile, drawn by lot, another one each", field="bonus"),
    },
    without={
        **{action: Without(f"never acts as the {action}", habit=bit) for action, bit in ACT_HABITS.items()},
        "cities": Without("never puts a token on a city, but where a card leaves nothing else", habit=NO_CITIES),
        "homes": Without("never puts a token on a Home, but where a card leaves nothing else", habit=NO_HOMES),
        "extras": Without("never swaps or hires", habit=NO_EXTRAS),
    },
    arms={name: Arm(0.5, {name: True}) for name in ("cards", "tiles", "places", "bonus")},
    traits=(
        Trait("cards in play", lambda games: total("played", games), "most cards in play"),
        Trait("citizens", lambda games: total("citizens", games), "most citizens"),
        Trait("tokens placed", lambda games: total("tokens", games), "most tokens"),
        Trait("actions", lambda games: total("turns", games), "most actions"),
        Trait("taxes", lambda games: total("taxes", games), "fewest actions of Tax Collectors", -1),
        Trait("swaps and hires", lambda games: total("extras", games), "most swaps and hires"),
    ),
    items=(CARDS, TILES, CITIES, HOME_PLACES, BONUS),
    about={
        "first": (
            "Who is first player is drawn by lot, so differences between places in round 1 are what the place does. "
            "Later rounds are begun by whoever became Leader."
        ),
    },
)  # fmt: skip
