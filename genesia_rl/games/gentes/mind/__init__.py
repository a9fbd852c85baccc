"""How Gentes is played well: one parametrised heuristic behind `greedy`, the characters and the search.

plan.py       weights (`weights.toml`) and what follows from them for a game: one record that compiled code reads
worth.py      what cards, Homes and cities are worth, worked out from their effects
evaluate.py   what a position is worth for a seat, in points of the final score
choose.py     one decision ahead: a score for every legal action
compiled.py   the compiled loops of core/loops, filled with all that
"""

from genesia_rl.core.advice import ADVICE
from genesia_rl.core.mind import Mind
from genesia_rl.games.gentes.mind.choose import MOST_ACTIONS
from genesia_rl.games.gentes.mind.compiled import (
    GUIDED_KERNELS,
    MIND_KERNELS,
    SEARCH_KERNELS,
    SELFPLAY_KERNELS,
)
from genesia_rl.games.gentes.mind.plan import characters, make_plan

MIND = Mind(
    search=SEARCH_KERNELS,
    most_actions=MOST_ACTIONS,
    kernels=MIND_KERNELS,
    characters={
        "greedy": "one decision ahead by a readable evaluation",
        "seafarer": "tokens on cities and Homes",
        "recruiter": "citizens of every type",
    },
    weights=characters,
    make_plan=make_plan,
    selfplay=SELFPLAY_KERNELS,
    guided=GUIDED_KERNELS,
    par=60.0,
    spread=20.0,
    traits=ADVICE,
)
