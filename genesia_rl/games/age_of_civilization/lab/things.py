"""Civilizations, technologies and wonders as things that seats hold."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from genesia_rl.core.lab import Array, Fields, Games, Item, ItemSet, Words
from genesia_rl.games.age_of_civilization import names
from genesia_rl.games.age_of_civilization.data.box import load_box

LATE = 5  # the round from which on a wonder is built late


# ---------------------------------------------------------------- civilizations


def load_civilizations(fields: Fields) -> Mapping[int, Item]:
    """The civilizations of a configuration."""
    box = load_box(fields.get("data"))
    return {c.number: Item(c.number, c.name, {"population": c.population}) for c in box.civilizations}


def civilization_holder(games: Games) -> Array:
    """[game, civilization]: the seat that began with it."""
    return np.asarray(games.put(games["first_civilization"], np.arange(games.seats), names.CIVILIZATIONS))


def civilization_stays(games: Games) -> Array:
    """[game, civilization]: was it the main civilization of who began with it to the end?"""
    last = games.put(games["last_main"], np.arange(games.seats), names.CIVILIZATIONS)
    first = civilization_holder(games)
    return np.asarray((first == last) & (first >= 0))


CIVILIZATIONS = ItemSet(
    name="civilizations",
    one="civilization",
    most=names.CIVILIZATIONS,
    load=load_civilizations,
    holder=civilization_holder,
    dealt=lambda games: np.asarray(games["offered"] > 0),
    used=civilization_stays,
    alike=1,
    chance="lot",
    blind="lot",
    words=Words("begun with", "main to the end", "replaced", "always replaced", "chosen"),
    about=(
        "Held: in games in which everybody's first civilization was drawn by lot from the market, who began with a "
        "civilization against the others of the same game, in wins and in points ahead of their mean. All else is "
        "played as the policy likes, so this is what it does to begin with the civilization. Begun with, chosen: "
        "in games in which everybody chooses its first civilization itself."
    ),
)

# ---------------------------------------------------------------- technologies


def load_technologies(fields: Fields) -> Mapping[int, Item]:
    """Those of the base card, and with special cards theirs."""
    box = load_box(fields.get("data"))
    return {
        tech.number: Item(tech.number, tech.name, {"column": tech.column, "row": tech.row})
        for tech in box.technologies
        if not tech.special or fields.get("innovation")
    }


def first_or_given(games: Games, gift: str, seat: str, most: int) -> Array:
    """[game, thing]: who began with it; where nobody has begun with anything, who had it first."""
    given = games.put(games[gift], np.arange(games.seats), most)
    by_play = games[seat].astype(np.int8) - 1
    return np.asarray(np.where((games[gift] > 0).any(axis=1, keepdims=True), given, by_play))


def technology_holder(games: Games) -> Array:
    """[game, technology]."""
    return first_or_given(games, "technology_gift", "technology_seat", names.TECHNOLOGIES)


def on_a_card(games: Games) -> Array:
    """[game, technology]: those of the base card, and those of special cards that somebody has."""
    numbers = np.arange(names.TECHNOLOGIES + 1)
    special = (numbers - 8) // 2  # RULES 14: special card k holds 8 + 2k and 9 + 2k
    bought = (games["special"][..., None] == np.where(numbers > names.BASE_TECHNOLOGIES, special, -1)).any(
        axis=1
    )
    return np.asarray(bought | ((numbers > 0) & (numbers <= names.BASE_TECHNOLOGIES)))


TECHNOLOGIES = ItemSet(
    name="technologies",
    one="technology",
    most=names.TECHNOLOGIES,
    load=load_technologies,
    holder=technology_holder,
    dealt=on_a_card,
    used=lambda games: np.asarray(games["technology_owners"] > 1),
    alike=1,
    chance="technologies",
    blind="technologies",
    words=Words("gained", "gained by others too", "gained by one", "never gained twice", "gained first"),
    about=(
        "Held: in games in which everybody began with a technology of the base card that was drawn by lot, another one "
        "each, who began with a technology against the others of the same game. So this is what it does to have "
        "it from the beginning, in place of another one. Gained, gained first: in games by the rules, where who has a "
        "technology first is who wanted it most."
    ),
)

# ---------------------------------------------------------------- wonders


def load_wonders(fields: Fields) -> Mapping[int, Item]:
    """All wonders."""
    return {
        wonder.number: Item(wonder.number, wonder.name) for wonder in load_box(fields.get("data")).wonders
    }


def wonder_holder(games: Games) -> Array:
    """[game, wonder]."""
    return first_or_given(games, "wonder_gift", "wonder_seat", names.WONDERS)


WONDERS = ItemSet(
    name="wonders",
    one="wonder",
    most=names.WONDERS,
    load=load_wonders,
    holder=wonder_holder,
    dealt=lambda games: np.asarray(games["for_sale"] > 0),
    used=lambda games: np.asarray((games["wonder_round"] > 0) & (games["wonder_round"] < LATE)),
    alike=1,
    chance="wonders",
    blind="wonders",
    words=Words("built", "built before round 5", "built later", "hardly ever built early", "built by choice"),
    about=(
        "Held: in games in which everybody began with a wonder, drawn by lot of those that are out of the game, who "
        "began with a wonder against the others of the same game. Built, built by choice: in games by the rules, of "
        "the wonders in the wonder market."
    ),
)
