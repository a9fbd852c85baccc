"""Short codes for agents, the same in every command: `random`, `greedy`, `settler`, `mcts:400`, `ppo:PATH`.

    make_agent("greedy")

A code is a name and, for some, an argument behind a colon.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from genesia_rl.errors import ConfigError
from genesia_rl.seen import Player


class Entry(NamedTuple):
    """One kind of agent: its code as people read it, what it says, and what makes it from the argument."""

    usage: str
    says: str
    make: Callable[[str], Player]


def _random(argument: str) -> Player:
    from agents.random import RandomAgent

    return RandomAgent()


def _greedy(argument: str) -> Player:
    from agents.greedy import GreedyAgent

    return GreedyAgent()


def _learned(argument: str) -> Player:
    from agents.learned import LearnedAgent

    return LearnedAgent(argument or None)


def _character(name: str) -> Callable[[str], Player]:
    def make(argument: str) -> Player:
        from agents.characters import CharacterAgent

        return CharacterAgent(name)

    return make


def _search(argument: str) -> Player:
    from agents.search import SearchAgent

    return SearchAgent(argument)


#: name -> what it is.
AGENTS: dict[str, Entry] = {
    "random": Entry("random", "any legal action, each as likely", _random),
    "greedy": Entry("greedy", "one decision ahead by a readable evaluation", _greedy),
    "settler": Entry("settler", "land and cities", _character("settler")),
    "scholar": Entry("scholar", "Inventions and End cards", _character("scholar")),
    "warlord": Entry("warlord", "assaults", _character("warlord")),
    "trader": Entry("trader", "coins, spent late", _character("trader")),
    "mcts": Entry("mcts:N", "tree search: N simulations a decision, or N milliseconds (50ms)", _search),
    "ppo": Entry("ppo[:PATH]", "a trained network: of a file, or one that comes with the package", _learned),
}


def make_agent(code: str) -> Player:
    """The agent of a code."""
    name, colon, argument = code.strip().partition(":")
    if name not in AGENTS:
        usages = ", ".join(entry.usage for entry in AGENTS.values())
        raise ConfigError(f"agent {code!r}: unknown, allowed are {usages}")
    entry = AGENTS[name]
    optional = "[:" in entry.usage
    if (bool(colon) != (":" in entry.usage) and not optional) or (colon and optional and not argument):
        raise ConfigError(f"agent {code!r}: allowed is {entry.usage}")
    return entry.make(argument)


def make_agents(codes: str) -> list[Player]:
    """The agents of a list of codes, separated by commas."""
    return [make_agent(code) for code in codes.split(",")]
