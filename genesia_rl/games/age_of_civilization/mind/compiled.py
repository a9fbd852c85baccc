"""The compiled loops of scripted players, searches and networks, filled with the mind of Age of Civilization."""

from genesia_rl.core.loops import fill
from genesia_rl.games.age_of_civilization.mind.choose import choose, score_actions
from genesia_rl.games.age_of_civilization.mind.seeing import take
from genesia_rl.games.age_of_civilization.observe import observe
from genesia_rl.games.age_of_civilization.resample import resample
from genesia_rl.games.age_of_civilization.rules import kernel as rules

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
