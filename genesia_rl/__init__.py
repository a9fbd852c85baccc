"""genesia_rl: board games of one family as environments for reinforcement learning.

    genesia_rl.game_names()                                 the names of all games
    play = genesia_rl.start("NAME", players=3, seed=7)      one to play by hand: play.legal, play.do(text), print(play)
    env = genesia_rl.make("NAME", players=3)                the same as a PettingZoo environment

Importing the package makes its environments known by their names to Gymnasium and PettingZoo; nothing is compiled
or loaded for that.
"""

from typing import Any

from genesia_rl.core.registry import game_names, make_game
from genesia_rl.envs.registration import module_of, register

__version__ = "0.3.0"
__all__ = ["Play", "Player", "game_names", "make", "make_game", "start"]


def make(game: str | None = None, **options: Any) -> Any:
    """A game as a PettingZoo environment with all checks; options are its configuration and the environment's."""
    from genesia_rl.core.registry import default_game
    from genesia_rl.envs import aec

    return aec.env(game or default_game(), **options)


def start(game: str | None = None, seed: int | None = None, **config: Any) -> Any:
    """A game to play by hand, at its first decision."""
    from genesia_rl.core.play import Play

    return Play(make_game(game, **config), seed)


def __getattr__(name: str) -> Any:
    """`Play` and `Player`, loaded when they are asked for; `NAME_v0`, the module of a game."""
    if name == "Play":
        from genesia_rl.core.play import Play

        return Play
    if name == "Player":
        from genesia_rl.core.player import Player

        return Player
    game = name.removesuffix("_v0")
    if game != name and game in game_names():
        return module_of(game)
    raise AttributeError(f"module 'genesia_rl' has no attribute {name!r}")


register()
