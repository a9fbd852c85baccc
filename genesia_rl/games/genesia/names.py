"""The glossary: the words of the rules as constants, and the sizes of everything.

Each vocabulary is a tuple of the words in `RULES.md` or `PROTOCOL.md`; the constants beside it are
the places of the words in that tuple. Compiled code uses the constants, people read the words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np


def _numbered(words: Sequence[str]) -> Iterator[Any]:
    """The places of the words, as 64-bit numbers.

    Compiled code would make a version of a function for every literal integer it is called with, but
    for a NumPy number it makes one.
    """
    return map(np.int64, range(len(words)))


# ---------------------------------------------------------------- sizes (RULES 1 and 2)
MAX_SEATS = 5
CLANS = 30
CITIES = 20
CONTINENT_SIZE = 16
MAX_REGIONS = 19 * MAX_SEATS + 1
MAX_CARD = 99
MAX_OBJECTIVE = 12
AGES = 3
HAND = 5
PACK = 6
MAX_DEGREE = 8  # neighbours of one region
EDGE_WORDS = 6  # of 64 directed edges each
MAX_DISTANCE = 20  # farthest leap
MAX_OPS = 8  # effects of one card
MAX_TERMS = 4  # terms of one objective
MAX_DECK = 33  # 30 cards of five lots and three promo cards
WORD = 64
REGION_WORDS = 2
CARD_WORDS = 2

# ---------------------------------------------------------------- prices (RULES 5)
AGE_COINS = 15
DISCARD_COINS = 4
RECRUIT_PRICE = 2
RADIANCE_POINTS = 2
CITY_CLANS = 2  # clans in a region that raise a city

# ---------------------------------------------------------------- cards (RULES 7)
COLOURS = ("blue", "yellow", "green", "red", "violet")
LOTS = (*COLOURS, "promo")

ICONS = ("growth", "expansion", "attack", "end")
ICON_GROWTH, ICON_EXPANSION, ICON_ATTACK, ICON_END = _numbered(ICONS)

TIMINGS = ("turn", "offence", "defence", "copy")
TURN, OFFENCE, DEFENCE, COPY = _numbered(TIMINGS)

# How long a lasting effect holds; a longer one is a greater number.
UNTIL = ("none", "turn", "expansion", "age")
UNTIL_NONE, UNTIL_TURN, UNTIL_EXPANSION, UNTIL_AGE = _numbered(UNTIL)

EFFECTS = (
    "clans", "city", "coins", "others_coins", "take", "moves", "group_moves", "no_toll",
    "recruit_price", "recruit_anywhere", "relay", "leap", "score", "host_coins", "host_clans",
    "offence", "defence", "pacifist", "strike", "feint", "storm", "rout", "raid", "ward", "parry",
    "retreat", "fortify", "copy",
)  # fmt: skip
(
    E_CLANS, E_CITY, E_COINS, E_OTHERS_COINS, E_TAKE, E_MOVES, E_GROUP_MOVES, E_NO_TOLL,
    E_RECRUIT_PRICE, E_RECRUIT_ANYWHERE, E_RELAY, E_LEAP, E_SCORE, E_HOST_COINS, E_HOST_CLANS,
    E_OFFENCE, E_DEFENCE, E_PACIFIST, E_STRIKE, E_FEINT, E_STORM, E_ROUT, E_RAID, E_WARD, E_PARRY,
    E_RETREAT, E_FORTIFY, E_COPY,
) = _numbered(EFFECTS)  # fmt: skip

PLACES = ("homeland", "bases", "occupied", "own", "frontier", "foreign_homeland", "free_outer")
(
    AT_HOMELAND, AT_BASES, AT_OCCUPIED, AT_OWN, AT_FRONTIER, AT_FOREIGN_HOMELAND, AT_FREE_OUTER,
) = _numbered(PLACES)  # fmt: skip

WHO = ("each", "one")
WHO_EACH, WHO_ONE = _numbered(WHO)

# `regions_value_V` and `stacks_K` are families: the number behind the word is a parameter.
COUNTERS = (
    "flat", "regions", "regions_own", "regions_foreign", "regions_island", "regions_value",
    "singles", "stacks", "clans", "cities", "city_pairs", "coins", "inventions", "continents",
    "foreign_homelands", "conquests", "most_cities", "most_clans", "most_regions",
)  # fmt: skip
(
    PER_FLAT, PER_REGIONS, PER_REGIONS_OWN, PER_REGIONS_FOREIGN, PER_REGIONS_ISLAND,
    PER_REGIONS_VALUE, PER_SINGLES, PER_STACKS, PER_CLANS, PER_CITIES, PER_CITY_PAIRS, PER_COINS,
    PER_INVENTIONS, PER_CONTINENTS, PER_FOREIGN_HOMELANDS, PER_CONQUESTS, PER_MOST_CITIES,
    PER_MOST_CLANS, PER_MOST_REGIONS,
) = _numbered(COUNTERS)  # fmt: skip
COUNTER_FAMILIES = {"regions_value": (2, 15), "stacks": (2, 30)}
NO_CAP = 2_000_000_000

SOLO_LEVELS = ("beginner", "expert", "heroic")
OBJECTIVE_POOLS = ("lots", "all")

# ---------------------------------------------------------------- the course of a game (RULES 4, 5)
PHASES = ("setup", "draft", "growth", "expansion", "attack", "end", "position", "over")
(
    SETUP, DRAFT, GROWTH, EXPANSION, ATTACK, END, POSITION, OVER,
) = _numbered(PHASES)  # fmt: skip
POSITION_PHASES = ("growth", "expansion", "attack", "end")  # where an explicit position may begin

# What must be finished before the turn goes on; the top of the stack comes first (turn.py).
TASKS = ("group", "transit", "effects", "small_turn", "window", "assault")
T_GROUP, T_TRANSIT, T_EFFECTS, T_SMALL_TURN, T_WINDOW, T_ASSAULT = _numbered(TASKS)
MAX_TASKS = 4

# Steps of the Attack phase between two assaults, and of an assault's resolution (RULES 5.B).
ATTACK_STEPS = ("stance", "assault")
STEP_STANCE, STEP_ASSAULT = _numbered(ATTACK_STEPS)
ASSAULT_STEPS = ("defence", "reinforce", "extra_losses", "losses", "siege", "occupy", "done")
(
    STEP_DEFENCE, STEP_REINFORCE, STEP_EXTRA_LOSSES, STEP_LOSSES, STEP_SIEGE, STEP_OCCUPY,
    STEP_DONE,
) = _numbered(ASSAULT_STEPS)  # fmt: skip

STANCES = ("none", "peace", "war")
NO_STANCE, PEACE, WAR = _numbered(STANCES)

# ---------------------------------------------------------------- decisions (PROTOCOL 2)
KINDS = (
    "none", "objective", "draft", "growth", "expansion", "group", "transit", "stance", "assault",
    "defence", "reinforce", "losses", "siege", "occupy", "end_of_age", "position", "place",
    "found", "rob", "relay_from", "relay_to", "relay_amount", "leap_from", "leap_to",
    "leap_amount", "free_moves", "copy",
)  # fmt: skip
(
    K_NONE, K_OBJECTIVE, K_DRAFT, K_GROWTH, K_EXPANSION, K_GROUP, K_TRANSIT, K_STANCE, K_ASSAULT,
    K_DEFENCE, K_REINFORCE, K_LOSSES, K_SIEGE, K_OCCUPY, K_END_OF_AGE, K_POSITION, K_PLACE,
    K_FOUND, K_ROB, K_RELAY_FROM, K_RELAY_TO, K_RELAY_AMOUNT, K_LEAP_FROM, K_LEAP_TO,
    K_LEAP_AMOUNT, K_FREE_MOVES, K_COPY,
) = _numbered(KINDS)  # fmt: skip

# ---------------------------------------------------------------- the final score (RULES 6)
SCORE_PARTS = ("progress", "radiance", "conquest", "objective")
PART_PROGRESS, PART_RADIANCE, PART_CONQUEST, PART_OBJECTIVE = _numbered(SCORE_PARTS)
