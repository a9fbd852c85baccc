"""The compiled loops of scripted players, searches and networks, filled with the mind of Genesis."""

from genesia_rl.core.loops import fill
from genesia_rl.games.genesis.mind.choose import choose, score_actions
from genesia_rl.games.genesis.mind.traits import put_traits
from genesia_rl.games.genesis.observe import observe
from genesia_rl.games.genesis.resample import resample
from genesia_rl.games.genesis.rules import kernel as rules

MIND_KERNELS = fill(globals(), "minds")
SEARCH_KERNELS = fill(globals(), "search")
SELFPLAY_KERNELS = fill(globals(), "selfplay")
GUIDED_KERNELS = fill(globals(), "guided")

__all__ = [
    "GUIDED_KERNELS",
    "MIND_KERNELS",
    "SEARCH_KERNELS",
    "SELFPLAY_KERNELS",
    "choose",
    "observe",
    "put_traits",
    "resample",
    "rules",
    "score_actions",
]
