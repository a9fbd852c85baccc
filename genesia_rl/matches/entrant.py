"""An agent that takes part, and what it has to go without: `greedy`, `greedy!WHAT`, `mcts:50!WHAT!OTHER`."""

from __future__ import annotations

from typing import NamedTuple

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.lab import lab_of
from genesia_rl.core.player import Player
from genesia_rl.players.codes import base_name, make_player


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
        return "!".join((base_name(self.code), *self.without))

    def player(self, game: str) -> Player:
        """The agent for a game, by the game's name."""
        return make_player(self.code, game)


def parse_entrant(text: str, game: str, make: bool = True) -> Entrant:
    """`greedy!WHAT` and the like; the game must know what it goes without, and the agent must exist.

    Without `make` it is not loaded: of games that are finished, its name is enough.
    """
    code, *without = text.strip().split("!")
    known = lab_of(game).without
    for what in without:
        if what not in known:
            allowed = ", ".join(known) or "none: the game knows nothing to go without"
            raise ConfigError(f"agent {text!r}: without {what!r}, allowed are {allowed}")
    if len(set(without)) < len(without):
        raise ConfigError(f"agent {text!r}: {without!r} names something twice, allowed is once")
    if make:
        make_player(code, game)
    return Entrant(code, tuple(sorted(without)))


def parse_entrants(text: str, game: str) -> tuple[Entrant, ...]:
    """Entrants between commas, each once."""
    found = tuple(parse_entrant(part, game) for part in text.split(","))
    names = [entrant.name for entrant in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ConfigError(f"agents = {text!r}: {twice[0]} stands twice, allowed is once")
    return found
