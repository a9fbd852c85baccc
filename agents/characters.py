"""Four characters that pursue the game's different roads to points, from the same heuristic.

    settler    land: many regions, cities, the island
    scholar    progress: Inventions and End cards
    warlord    assaults: big stacks, what others hold
    trader     coins first, spent late where they buy most

What each changes of the weights of `greedy` stands in `heuristic/weights.toml`.
"""

from __future__ import annotations

from agents.scripted import ScriptedAgent

CHARACTERS = ("settler", "scholar", "warlord", "trader")


class CharacterAgent(ScriptedAgent):
    """One of the four."""
