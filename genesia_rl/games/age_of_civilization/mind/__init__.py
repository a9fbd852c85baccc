"""How Age of Civilization is played well: one parametrised heuristic behind `greedy`, the characters and the search.

plan.py       weights (`weights.toml`) and what follows from them for a game: one record that compiled code reads
worth.py      what an ability is worth for so many turns, worked out from its effects
evaluate.py   what a position is worth for a seat, in points of the final score
choose.py     one decision ahead: a score for every legal action
seeing.py     what each seat sees of an action
compiled.py   the compiled loops of core/loops, filled with all that
"""

from genesia_rl.core.advice import ADVICE
from genesia_rl.core.mind import Mind
from genesia_rl.games.age_of_civilization.mind.choose import MOST_ACTIONS
from genesia_rl.games.age_of_civilization.mind.compiled import (
    GUIDED_KERNELS,
    MIND_KERNELS,
    SEARCH_KERNELS,
    SELFPLAY_KERNELS,
)
from genesia_rl.games.age_of_civilization.mind.plan import characters, make_plan

MIND = Mind(
    search=SEARCH_KERNELS,
    most_actions=MOST_ACTIONS,
    kernels=MIND_KERNELS,
    selfplay=SELFPLAY_KERNELS,
    guided=GUIDED_KERNELS,
    characters={
        "greedy": "one decision ahead by a readable evaluation",
        "scholar": "technologies",
        "builder": "wonders",
        "warlord": "force, and what the others lose",
    },
    weights=characters,
    make_plan=make_plan,
    par=20.0,
    spread=12.0,
    traits=ADVICE,
)
