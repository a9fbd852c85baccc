"""Short codes for players, the same in every command: `random`, `greedy`, `mcts:400`, `search:200`, `ppo:PATH`.

    make_player("greedy", game.name)

A code is a name and, for some, an argument behind a colon. Some names every game has; the others are the scripted
characters of its mind, and what installed packages declare. What is none of them may be a class of somebody's own:
`package.module:Class`, `file.py:Class` (own.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.mind import mind_of
from genesia_rl.core.player import Player
from genesia_rl.core.registry import default_game, offers
from genesia_rl.players import hub, own


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


def _drawn(game: str, argument: str) -> Player:
    from genesia_rl.players.learned import drawn_player

    return drawn_player(argument)


def _search(game: str, argument: str) -> Player:
    from genesia_rl.players.search import SearchPlayer

    return SearchPlayer(argument)


def _guided(game: str, argument: str) -> Player:
    from genesia_rl.players.guided import GuidedPlayer

    budget, at, path = argument.partition("@")
    if at and not path:
        raise ConfigError(f"agent 'search:{argument}': allowed is {GENERAL['search'].usage}")
    return GuidedPlayer(budget, path or None)


def _sb3(game: str, argument: str) -> Player:
    from genesia_rl.players.sb3 import SB3Player

    return SB3Player(argument)


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
    "mixed": Code(
        "mixed:P[:CODE]",
        "the first scripted player in P of 100 decisions, else anything; CODE, else the first",
        _mixed,
    ),
    "level": Code("level:WHICH", "a step of the game's ladder, by number or name", _level),
    "mcts": Code("mcts:N", "tree search: N simulations a decision, or N milliseconds (50ms)", _search),
    "search": Code("search:N[@PATH]", "tree search with a trained network inside, N as of mcts", _guided),
    "ppo": Code(
        "ppo[:PATH]", "a trained network: of a file, of the hub, or one that comes with the package", _learned
    ),
    "drawn": Code(
        "drawn:T[@PATH]", "the same, which draws its actions at the temperature T (1: as it learned)", _drawn
    ),
    "sb3": Code("sb3:PATH", "a model that stable-baselines3 or sb3-contrib has saved (.zip)", _sb3),
}
#: Of these, those whose file holds a network.
OF_NETWORKS = ("ppo", "drawn", "search")
#: Those whose argument is a file.
OF_FILES = tuple(name for name, code in GENERAL.items() if "PATH" in code.usage)


def _declared() -> dict[str, Code]:
    """The agents of installed packages."""

    def code(name: str, target: str) -> Code:
        return Code(
            name, f"of an installed package: {target}", lambda game, argument: own.OwnPlayer(name, target)
        )

    return {name: code(name, point.value) for name, point in own.declared().items()}


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
    ours = {code: (GENERAL | scripted)[code] for code in (*parts, "mcts", "search", "ppo", "drawn", "sb3")}
    return ours | {code: held for code, held in _declared().items() if code not in GENERAL | scripted}


def scripted_of(game: str) -> tuple[str, ...]:
    """The codes of a game's scripted players, the usual one first."""
    return tuple(mind_of(game).characters) if offers(game, "mind") else ()


def _has_ladder(game: str) -> bool:
    from genesia_rl.players.ladder import ladder_file

    return ladder_file(game).is_file()


def make_player(code: str, game: str | None = None) -> Player:
    """The player of a code; made once, as players keep no memory of a game, and once more when its file has changed."""
    written = code.strip()
    kind, _, argument = written.partition(":")
    if kind not in codes_of(game) and own.is_own(written):
        return own.player(written)
    file = _file_of(kind, argument)[1]
    files = (file, f"{file}.zip") if file else ()
    return _made(written, game or default_game(), tuple(own.version_of(Path(file)) for file in files))


def _file_of(kind: str, argument: str) -> tuple[str, str]:
    """What stands in an argument before the file that it names, and the file; empty if it names none."""
    if kind not in OF_FILES:
        return argument, ""
    before, at, file = argument.partition("@")
    return (before + at, file) if "@PATH" in GENERAL[kind].usage else ("", argument)


@cache
def _made(code: str, game: str, versions: tuple[str, ...]) -> Player:
    name, colon, argument = code.partition(":")
    known = codes_of(game)
    if name not in known:
        usages = ", ".join((*(found.usage for found in known.values()), *own.USAGES))
        raise ConfigError(f"agent {code!r}: unknown, allowed are {usages}")
    found = known[name]
    optional = "[:" in found.usage
    if (bool(colon) != (":" in found.usage) and not optional) or (colon and optional and not argument):
        raise ConfigError(f"agent {code!r}: allowed is {found.usage}")
    return found.make(game, argument)


def make_players(codes: str, game: str | None = None) -> list[Player]:
    """The players of a list of codes, separated by commas."""
    return [make_player(code, game) for code in codes.split(",")]


def runs_code(code: str) -> bool:
    """Is it a player whose file or module runs code when it is loaded? What others have written may not name one."""
    kind = code.strip().partition(":")[0]
    return kind == "sb3" or (kind not in GENERAL and own.is_own(code.strip()))


def fetches(code: str) -> bool:
    """Is it a player whose file comes from the network? What others have written may not name one either."""
    kind, _, argument = code.strip().partition(":")
    return kind in OF_NETWORKS and hub.is_address(_file_of(kind, argument)[1])


def base_name(code: str) -> str:
    """The code of a player without the folders before a file that it names: the same wherever that is."""
    kind, _, argument = code.partition(":")
    before, file = _file_of(kind, argument)
    if file and not fetches(code):
        return f"{kind}:{before}{Path(file).name}"
    return code if kind in GENERAL else own.base_name(code)
