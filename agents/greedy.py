"""`greedy`: one decision ahead by a readable evaluation (heuristic/evaluate.py)."""

from __future__ import annotations

from agents.scripted import ScriptedAgent


class GreedyAgent(ScriptedAgent):
    """Takes what looks best now: score, reach, supply, threats."""

    def __init__(self) -> None:
        super().__init__("greedy")
