"""What a search needs to know of Pig: how many actions there are at most, and when a lead is large."""

from genesia_rl.core.mind import Mind
from toy.compiled import GUIDED, SEARCH

MIND = Mind(search=SEARCH, guided=GUIDED, most_actions=2, spread=20.0)
