"""The compiled loops of scripted players, searches and networks, filled with the mind of Genesia."""

from genesia_rl.core.loops import fill
from genesia_rl.games.genesia.mind.choose import choose, score_actions
from genesia_rl.games.genesia.mind.seeing import take
from genesia_rl.games.genesia.observe import observe
from genesia_rl.games.genesia.resample import resample
from genesia_rl.games.genesia.rules import kernel as rules

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
    "resample",
    "rules",
    "score_actions",
    "take",
]
