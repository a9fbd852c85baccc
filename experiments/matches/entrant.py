"""An agent that takes part, and what it has to go without: `greedy`, `greedy!war`, `mcts:50!war!cities`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from agents.registry import AGENTS, make_agent
from genesia_rl.errors import ConfigError
from genesia_rl.seen import Player

#: What an agent may go without, and what that means.
WITHOUT = {
    "war": "always chooses Peace; it still defends",
    "cities": "has no cities in supply, so it never builds, places or takes one",
    "objective": "scores no objective",
    "drafting": "keeps cards at random",
    "places": "takes a place in the turn order at random",
}


class Entrant(NamedTuple):
    """An agent's code, and what it goes without."""

    code: str
    without: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As it is written."""
        return "!".join((self.code, *self.without))

    @property
    def base_name(self) -> str:
        """The same wherever a file that it names is: without the folders before it."""
        kind, colon, argument = self.code.partition(":")
        if colon and "PATH" in AGENTS[kind].usage:
            argument = Path(argument).name
        return "!".join((f"{kind}{colon}{argument}", *self.without))

    def player(self) -> Player:
        """The agent, made anew."""
        return make_agent(self.code)


def parse_entrant(text: str) -> Entrant:
    """`greedy!war` and the like; the agent must exist."""
    code, *without = text.strip().split("!")
    for what in without:
        if what not in WITHOUT:
            raise ConfigError(f"agent {text!r}: without {what!r}, allowed are {', '.join(WITHOUT)}")
    if len(set(without)) < len(without):
        raise ConfigError(f"agent {text!r}: {without!r} names something twice, allowed is once")
    make_agent(code)
    return Entrant(code, tuple(sorted(without)))


def parse_entrants(text: str) -> tuple[Entrant, ...]:
    """Entrants between commas, each once."""
    found = tuple(parse_entrant(part) for part in text.split(","))
    names = [entrant.name for entrant in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ConfigError(f"agents = {text!r}: {twice[0]} stands twice, allowed is once")
    return found
