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


# ---------------------------------------------------------------- sizes (RULES 1 to 4, 12)
SOLO, MAX_SEATS = 1, 4
ROUNDS, ERAS = 6, 3
ROUNDS_OF_ERA = ROUNDS // ERAS
CARDS, TILES, TAXES = 54, 28, 2
CITIES, HOMES, ROWS = 18, 9, 3
PLACES = CITIES + HOMES  # places for tokens: the cities, then the Homes
SLOTS = 8  # of the display
TYPES_SLOTS = 6  # of the recruiting tiles
MAX_SPACES = 12
MAX_COST = 10  # coins of an action, and an amount
MAX_DECK = 30  # cards of an era, as each era has at least 12 of the 54
MAX_ERA_CARDS = CARDS
DRAFT_KEPT = 2
MAX_BONUS = 4  # tiles of a condition: as many as seats
SOLO_DRAFT, DRAFT_EACH = 6, 3
BOXED, BOXED_FIRST_GAME = 2, 4
MAX_POINTS = 999
WORD = 64

# ---------------------------------------------------------------- vocabularies
TYPES = ("priest", "soldier", "merchant", "scholar", "artisan", "noble")
NUM_TYPES = len(TYPES)
SYMBOLS = ("column", "amphora", "anchor")
NUM_SYMBOLS = len(SYMBOLS)
#: A symbol of a place is 1..3 here, `any` is 4, 0 is none.
ANY_SYMBOL = NUM_SYMBOLS + 1
SYNERGIES = ("sun", "owl", "laurel", "lyre")
NUM_SYNERGIES = len(SYNERGIES)
REGIONS = ("red", "green", "yellow")
NUM_REGIONS = len(REGIONS)
REWARDS = ("coins", "points", "temple", "oracle")
R_COINS, R_POINTS, R_TEMPLE, R_ORACLE = _numbered(REWARDS)
NUM_REWARDS = len(REWARDS)
CONDITIONS = ("cards", "citizens", "cities")
NUM_CONDITIONS = len(CONDITIONS)
#: The actions (RULES 6).
ACTS = ("philosopher", "scribe", "navigator", "chronicler", "leader", "tax")
A_PHILOSOPHER, A_SCRIBE, A_NAVIGATOR, A_CHRONICLER, A_LEADER, A_TAX = _numbered(ACTS)
NUM_ACTS = len(ACTS)
NUM_WILD = 4  # the first four are those of the wild tile
#: The kinds of scores.
SCORE_PARTS = ("cards", "synergy", "other", "end")
P_CARDS, P_SYNERGY, P_OTHER, P_END = _numbered(SCORE_PARTS)

# ---------------------------------------------------------------- effects (RULES 9)
#: Gains and decline rewards. The first four are those of REWARDS.
GAINS = (
    *REWARDS, "lose_coins", "citizen", "lose_citizen", "hours", "free_hours", "unlock", "card", "city", "activate",
    "first",
)  # fmt: skip
(
    G_COINS, G_POINTS, G_TEMPLE, G_ORACLE, G_LOSE_COINS, G_CITIZEN, G_LOSE_CITIZEN, G_HOURS, G_FREE_HOURS, G_UNLOCK,
    G_CARD, G_CITY, G_ACTIVATE, G_FIRST,
) = _numbered(GAINS)  # fmt: skip
DECLINE_GAINS = (*REWARDS, "free_hours")
ANY_TYPE = NUM_TYPES
#: What is counted.
COUNTERS = ("flat", *TYPES, *SYMBOLS, "cities", "homes", "regions", "cards", "types", "citizens", "coins")
C_FLAT = np.int64(0)
C_TYPE, C_SYMBOL = np.int64(1), np.int64(1 + NUM_TYPES)
C_CITIES, C_HOMES, C_REGIONS, C_CARDS, C_TYPES, C_CITIZENS, C_COINS = (
    np.int64(COUNTERS.index(word))
    for word in ("cities", "homes", "regions", "cards", "types", "citizens", "coins")
)
NO_CAP = 1 << 30
#: Lasting effects.
LASTING = ("action", "gain", "discount", "hours", "extra", "amount", "double", "virtual", "hand")
L_NONE = np.int64(-1)
L_ACTION, L_GAIN, L_DISCOUNT, L_HOURS, L_EXTRA, L_AMOUNT, L_DOUBLE, L_VIRTUAL, L_HAND = _numbered(LASTING)
#: Once-a-round effects by who has them: the cards, then left and right of each row of Homes.
SIDES = ("left", "right")
ONCE = CARDS + ROWS * len(SIDES)
MAX_GAINS = 400  # rows of operations

# ---------------------------------------------------------------- decisions (PROTOCOL 2)
KINDS = (
    "none", "draft", "settle", "turn", "wild", "ability", "pay", "hours", "count", "recruit", "take", "play", "move",
    "city", "region", "enlist", "lose", "cube", "hire", "swap_from", "swap_to", "reward", "final",
)  # fmt: skip
(
    K_NONE, K_DRAFT, K_SETTLE, K_TURN, K_WILD, K_ABILITY, K_PAY, K_HOURS, K_COUNT, K_RECRUIT, K_TAKE, K_PLAY, K_MOVE,
    K_CITY, K_REGION, K_ENLIST, K_LOSE, K_CUBE, K_HIRE, K_SWAP_FROM, K_SWAP_TO, K_REWARD, K_FINAL,
) = _numbered(KINDS)  # fmt: skip

# ---------------------------------------------------------------- how far the game is
#: What happens next.
STAGES = (
    "draft", "settle", "begin", "apogee", "turn", "wild", "ability", "pay", "act", "count", "recruit", "take", "play",
    "gains", "after", "hire", "extra", "swap_from", "swap_to", "decline", "locks", "rewards", "hands", "end_round",
    "final", "over",
)  # fmt: skip
(
    S_DRAFT, S_SETTLE, S_BEGIN, S_APOGEE, S_TURN, S_WILD, S_ABILITY, S_PAY, S_ACT, S_COUNT, S_RECRUIT, S_TAKE, S_PLAY,
    S_GAINS, S_AFTER, S_HIRE, S_EXTRA, S_SWAP_FROM, S_SWAP_TO, S_DECLINE, S_LOCKS, S_REWARDS, S_HANDS, S_END_ROUND,
    S_FINAL, S_OVER,
) = _numbered(STAGES)  # fmt: skip
#: What has to be asked before that: parts of effects.
ERRANDS = ("none", "hours", "move", "city", "region", "enlist", "lose", "cube", "take")
E_NONE, E_HOURS, E_MOVE, E_CITY, E_REGION, E_ENLIST, E_LOSE, E_CUBE, E_TAKE = _numbered(ERRANDS)
NEVER = np.int64(99)  # more than any amount
