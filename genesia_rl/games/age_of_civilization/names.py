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


# ---------------------------------------------------------------- sizes (RULES 1 to 4)
SOLO, MAX_SEATS = 1, 4
ROUNDS = 6
CARDS, OPEN_CARDS = 8, 3
MAX_CIVILIZATIONS, MAX_WORKERS = 3, 4
CIVILIZATIONS, WONDERS = 48, 15
BASE_TECHNOLOGIES, TECHNOLOGIES = 9, 27
SPECIALS, EVENTS = 9, 9
COLUMNS, ROWS = 3, 3
EVENT_CARDS = 3  # the last cards of the track, on which the event tokens lie
FIRST_EVENT = CARDS - EVENT_CARDS
FIRST_COINS = 3
MARKET = 5
SOLO_DECK = MARKET + ROUNDS - 1
SOLO_PLAGUE = 4  # the place of the Plague on the track of the solo mode, counted from 0
PACK, PICKS = 7, 5
DRAFT_BONUS = 2
REST_COINS, REST_WORKERS = 2, 1
SPECIAL_PRICE = 1
WORD = 64

# ---------------------------------------------------------------- actions (RULES 7)
ACTIONS = (
    "wonder", "research", "enslavement", "hunt", "fish", "farm", "trade", "culture", "construction", "conquest",
)  # fmt: skip
NUM_ACTS = len(ACTIONS)
RESEARCH = np.int64(ACTIONS.index("research"))
MAX_PRICE = 20
PERMANENT = ("wonder", "research", "enslavement")

# ---------------------------------------------------------------- abilities and their effects (RULES 8)
#: Whose an ability is, in the order in which they are done.
GROUPS = ("main", "inherited", "technology", "wonder")
G_MAIN, G_INHERITED, G_TECHNOLOGY, G_WONDER = _numbered(GROUPS)
NUM_GROUPS = len(GROUPS)
#: Ability k of a group has the number GROUP_SIZE x group + k - 1; numbers that no card has are left out.
GROUP_SIZE = max(CIVILIZATIONS, TECHNOLOGIES, WONDERS)
ABILITIES = NUM_GROUPS * GROUP_SIZE
#: Lists of effects: all abilities, then those of the ten actions.
ACTION_SOURCE = ABILITIES
SOURCES = ABILITIES + NUM_ACTS
MAX_ROWS = 1024  # effects of all abilities and actions together
MAX_EVENT_ROWS = 64

WHENS = ("always", "birth", "gain", "act", "rest", "turn_end", "war", "game_end")

DOS = (
    "coins", "points", "workers", "others_coins", "technology", "wonder", "perform", "deposit", "bonus_times",
    "force", "discount", "labour", "space", "safe", "forbid", "future", "immune",
)  # fmt: skip
(
    D_COINS, D_POINTS, D_WORKERS, D_OTHERS_COINS, D_TECHNOLOGY, D_WONDER, D_PERFORM, D_DEPOSIT, D_BONUS_TIMES,
    D_FORCE, D_DISCOUNT, D_LABOUR, D_SPACE, D_SAFE, D_FORBID, D_FUTURE, D_IMMUNE,
) = _numbered(DOS)  # fmt: skip
PLAIN = DOS[:4]

COUNTS = (
    "flat", "technologies", "row_1", "row_2", "row_3", "columns", "full_columns", "wonders", "civilizations",
    "workers", "coins", "points", "force", "strongest", "future", "bonus",
)  # fmt: skip
(
    C_FLAT, C_TECHNOLOGIES, C_ROW_1, C_ROW_2, C_ROW_3, C_COLUMNS, C_FULL_COLUMNS, C_WONDERS, C_CIVILIZATIONS,
    C_WORKERS, C_COINS, C_POINTS, C_FORCE, C_STRONGEST, C_FUTURE, C_BONUS,
) = _numbered(COUNTS)  # fmt: skip
NO_NEED = np.int64(-1)
NO_CAP = 32_000
NO_MOST = 32_000  # of a need without a `max`

#: The moments at which effects are done; then one for each action that is performed.
MOMENTS = ("birth", "gain", "rest", "turn_end", "war", "game_end", "action")
M_BIRTH, M_GAIN, M_REST, M_TURN_END, M_WAR, M_GAME_END, M_ACTION = _numbered(MOMENTS)
M_ACT = np.int64(len(MOMENTS))
M_ALWAYS = M_ACT + NUM_ACTS  # what holds always has the moment M_ALWAYS + its lane
NUM_MOMENTS = len(MOMENTS) + NUM_ACTS

#: What holds always is a sum a lane: force, then for each action discount, labour, space ...
L_FORCE = np.int64(0)
L_DISCOUNT = L_FORCE + 1
L_LABOUR = L_DISCOUNT + NUM_ACTS
L_SPACE = L_LABOUR + NUM_ACTS
NUM_SUMS = int(L_SPACE) + NUM_ACTS
#: ... or a flag: for each action safe, forbid; and two for all.
L_SAFE = np.int64(NUM_SUMS)
L_FORBID = L_SAFE + NUM_ACTS
L_FUTURE = L_FORBID + NUM_ACTS
L_IMMUNE = L_FUTURE + 1
NUM_LANES = int(L_IMMUNE) + 1
SUMS = 32  # with room to spare, so that they are added 16 or 32 bytes at a time

# ---------------------------------------------------------------- events (RULES 9)
WHO = ("all", "most", "least")
W_ALL, W_MOST, W_LEAST = _numbered(WHO)

# ---------------------------------------------------------------- decisions (PROTOCOL 2)
KINDS = (
    "none", "draft", "civilization", "action", "technology", "wonder", "grant", "turn_end", "deposit",
)  # fmt: skip
(
    K_NONE, K_DRAFT, K_CIVILIZATION, K_ACTION, K_TECHNOLOGY, K_WONDER, K_GRANT, K_TURN_END, K_DEPOSIT,
) = _numbered(KINDS)  # fmt: skip

#: Where a game is: the draft, or how far the turn of the seat to act is.
STAGES = (
    "draft", "civilization", "birth", "actions", "perform", "grants", "turn_end", "ability", "over",
)  # fmt: skip
(
    S_DRAFT, S_CIVILIZATION, S_BIRTH, S_ACTIONS, S_PERFORM, S_GRANTS, S_TURN_END, S_ABILITY, S_OVER,
) = _numbered(STAGES)  # fmt: skip

#: From what an action is performed.
WAYS = ("none", "space", "grant", "turn_end")
BY_NONE, BY_SPACE, BY_GRANT, BY_TURN_END = _numbered(WAYS)

# ---------------------------------------------------------------- the configuration (RULES 3)
TRACKS = ("random", "first_game")

# ---------------------------------------------------------------- the score (RULES 10)
SCORE_PARTS = ("course", "wonders", "legacy")
P_COURSE, P_WONDERS, P_LEGACY = _numbered(SCORE_PARTS)
