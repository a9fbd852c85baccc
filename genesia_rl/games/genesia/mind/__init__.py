"""How Genesia is played well: one parametrised heuristic behind `greedy`, the characters and the search.

plan.py       weights (`weights.toml`) and what follows from them for a game: one record that compiled code reads
cards.py      what a card or an objective is worth before it is played
evaluate.py   what a position is worth for a seat, in points of the final score
settle.py     obvious answers to the questions that follow from an action
choose.py     one decision ahead: a score for every legal action
seeing.py     what each seat sees of an action
compiled.py   the compiled loops of core/loops, filled with all that
"""

from genesia_rl.core.advice import ADVICE
from genesia_rl.core.mind import Mind
from genesia_rl.games.genesia.mind.choose import MOST_ACTIONS
from genesia_rl.games.genesia.mind.compiled import (
    GUIDED_KERNELS,
    MIND_KERNELS,
    SEARCH_KERNELS,
    SELFPLAY_KERNELS,
)
from genesia_rl.games.genesia.mind.plan import characters, make_plan

MIND = Mind(
    search=SEARCH_KERNELS,
    most_actions=MOST_ACTIONS,
    kernels=MIND_KERNELS,
    selfplay=SELFPLAY_KERNELS,
    guided=GUIDED_KERNELS,
    characters={
        "greedy": "one decision ahead by a readable evaluation",
        "settler": "land and cities",
        "scholar": "Inventions and End cards",
        "warlord": "assaults",
        "trader": "coins, spent late",
    },
    weights=characters,
    make_plan=make_plan,
    par=90.0,
    traits=ADVICE,
)
