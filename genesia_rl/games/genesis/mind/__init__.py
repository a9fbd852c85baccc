"""How Genesis is played well: one turn ahead by a readable evaluation, which the search builds on.

plan.py       the weights (`weights.toml`) as one record that compiled code reads
evaluate.py   what a position is worth for a seat
choose.py     a score for every legal action
traits.py     what a network reads of every legal action beside the observation
compiled.py   the compiled loops of core/loops, filled with all that
"""

from genesia_rl.core.mind import Mind
from genesia_rl.games.genesis.mind.choose import MOST_ACTIONS
from genesia_rl.games.genesis.mind.compiled import (
    GUIDED_KERNELS,
    MIND_KERNELS,
    SEARCH_KERNELS,
    SELFPLAY_KERNELS,
)
from genesia_rl.games.genesis.mind.plan import characters, make_plan
from genesia_rl.games.genesis.mind.traits import TRAITS

MIND = Mind(
    search=SEARCH_KERNELS,
    most_actions=MOST_ACTIONS,
    kernels=MIND_KERNELS,
    selfplay=SELFPLAY_KERNELS,
    guided=GUIDED_KERNELS,
    characters={"greedy": "one turn ahead by a readable evaluation"},
    weights=characters,
    make_plan=make_plan,
    traits=TRAITS,
)
