"""Short codes for players, the same in every command: `random`, `greedy`, `mcts:400`, `ppo:PATH`.

    make_player("greedy", game.name)

A code is a name and, for some, an argument behind a colon. Some names every game has; the others are the scripted
characters of its mind.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.mind import mind_of
from genesia_rl.core.player import Player
from genesia_rl.core.registry import default_game, offers


class Code(NamedTuple):
    """One kind of player: its code as people write it, what it is, and what makes it from game and argument."""

    usage: str
    meaning: str
    make: Callable[[str, str], Player]


def _random(game: str, argument: str) -> Player:
    from genesia_rl.players.random import RandomPlayer

    return RandomPlayer()


def _learned(game: str, argument: str) -> Player:
    from genesia_rl.players.learned import LearnedPlayer

    return LearnedPlayer(argument or None)


def _search(game: str, argument: str) -> Player:
    from genesia_rl.players.search import SearchPlayer

    return SearchPlayer(argument)


def _mixed(game: str, argument: str) -> Player:
    from genesia_rl.players.ladder import MixedPlayer

    return MixedPlayer(game, argument)


def _level(game: str, argument: str) -> Player:
    from genesia_rl.players.ladder import LevelPlayer

    return LevelPlayer(argument)


def _scripted(name: str) -> Callable[[str, str], Player]:
    def make(game: str, argument: str) -> Player:
        from genesia_rl.players.scripted import ScriptedPlayer

        return ScriptedPlayer(name)

    return make


#: What does not depend on the game; a game without scripted players mixes none, one without a ladder has no levels.
GENERAL = {
    "random": Code("random", "any legal action, each as likely", _random),
    "mixed": Code("mixed:P", "the first scripted player in P of a hundred decisions, else anything", _mixed),
    "level": Code("level:WHICH", "a step of the game's ladder, by number or name", _level),
    "mcts": Code("mcts:N", "tree search: N simulations a decision, or N milliseconds (50ms)", _search),
    "ppo": Code("ppo[:PATH]", "a trained network: of a file, or one that comes with the package", _learned),
}


def codes_of(game: str | None = None) -> dict[str, Code]:
    """All players of a game, by name."""
    name = game or default_game()
    characters = mind_of(name).characters if offers(name, "mind") else {}
    scripted = {code: Code(code, meaning, _scripted(code)) for code, meaning in characters.items()}
    parts = (
        "random",
        *scripted,
        *(("mixed",) if scripted else ()),
        *(("level",) if _has_ladder(name) else ()),
    )
    return {code: (GENERAL | scripted)[code] for code in (*parts, "mcts", "ppo")}


def _has_ladder(game: str) -> bool:
    from genesia_rl.players.ladder import ladder_file

    return ladder_file(game).is_file()


@cache
def make_player(code: str, game: str | None = None) -> Player:
    """The player of a code; made once, as players keep no memory of a game."""
    name, colon, argument = code.strip().partition(":")
    known = codes_of(game)
    if name not in known:
        usages = ", ".join(found.usage for found in known.values())
        raise ConfigError(f"agent {code!r}: unknown, allowed are {usages}")
    found = known[name]
    optional = "[:" in found.usage
    if (bool(colon) != (":" in found.usage) and not optional) or (colon and optional and not argument):
        raise ConfigError(f"agent {code!r}: allowed is {found.usage}")
    return found.make(game or default_game(), argument)


def make_players(codes: str, game: str | None = None) -> list[Player]:
    """The players of a list of codes, separated by commas."""
    return [make_player(code, game) for code in codes.split(",")]
