"""Ways to play at random: uniform, and skewed ones that reach unusual situations."""

from __future__ import annotations

import random
from collections.abc import Callable

from .asking import cell_of, terrain_of, verb
from .data import TERRAIN, TERRAINS
from .flow import die_left_by
from .play import Game
from .state import Tile

Policy = Callable[[Game, random.Random], str]
Weight = Callable[[Game, str], float]


def skewed(weight: Weight) -> Policy:
    """Draw a legal action with probability in proportion to its weight."""

    def policy(game: Game, rng: random.Random) -> str:
        assert game.decision is not None
        legal = game.decision.legal
        return rng.choices(legal, [weight(game, action) for action in legal])[0]

    return policy


def uniform(game: Game, rng: random.Random) -> str:
    assert game.decision is not None
    return rng.choice(game.decision.legal)


def _fits_a_die(game: Game, action: str) -> bool:
    """Would this first tile use a die?"""
    return die_left_by(game.state, game.state.seat, terrain_of(action)) is not None


def two(game: Game, action: str) -> float:
    """Two tiles in every turn, whenever that can be."""
    if verb(action) == "tile" and game.state.placed == 0:
        return 1.0 if _fits_a_die(game, action) else 1e-9
    return 1e-9 if action == "end" else 1.0


def one(game: Game, action: str) -> float:
    """One tile in every turn: the second is declined."""
    return 1e9 if action == "end" else 1.0


def off_dice(game: Game, action: str) -> float:
    """One tile in every turn, if possible one that no die takes, so that nothing is to be declined."""
    if verb(action) == "tile" and game.state.placed == 0:
        return 1e-9 if _fits_a_die(game, action) else 1.0
    return one(game, action)


def exact(game: Game, action: str) -> float:
    """Never uses the freedom of an open die: only tiles that a die shows, else a single one."""
    state = game.state
    if verb(action) == "tile":
        faces = state.dice if state.placed == 0 else state.die_left or ""
        return 1.0 if terrain_of(action) in [TERRAIN.get(face) for face in faces] else 1e-9
    return 1e-6 if action == "end" else 1.0


def drain(game: Game, action: str) -> float:
    """Uses up one terrain after the other, so that the dice open."""
    if verb(action) == "tile":
        turned = (TERRAINS.index(terrain_of(action)) + game.state.seat) % len(TERRAINS)
        return float(100 ** (len(TERRAINS) - turned))
    return 0.01 if action == "end" else 1.0


def _beside(game: Game, action: str) -> list[Tile]:
    """The tiles beside the cell of the action that have the terrain chosen."""
    state = game.state
    found = [state.tiles.get(cell) for cell in state.board.neighbours(cell_of(action))]
    return [tile for tile in found if tile is not None and tile.terrain == state.chosen]


def cluster(game: Game, action: str) -> float:
    """Tiles beside those of their own terrain and seat: large herds."""
    if verb(action) != "cell":
        return two(game, action)
    own = sum(tile.seat == game.state.seat for tile in _beside(game, action))
    return 1.0 + 50.0 * own


def mingle(game: Game, action: str) -> float:
    """Tiles beside those of their own terrain and other seats: large zones of many small herds."""
    if verb(action) != "cell":
        return two(game, action)
    beside = _beside(game, action)
    if any(tile.seat == game.state.seat for tile in beside):
        return 0.05
    return 1.0 + 50.0 * len(beside)


def fill(game: Game, action: str) -> float:
    """Cell after cell from the top left: the board is nearly full before there is no room."""
    return 0.5 ** min(game.state.free.index(cell_of(action)), 100) if verb(action) == "cell" else 1.0


def riddle(game: Game, action: str) -> float:
    """Every other cell, like a chessboard: soon there is no room, with many cells free."""
    if verb(action) != "cell":
        return 1.0
    return 1.0 if sum(divmod(cell_of(action), game.state.board.width)) % 2 else 0.001


POLICIES: dict[str, Policy] = {
    "uniform": uniform,
    "two": skewed(two),
    "one": skewed(one),
    "off_dice": skewed(off_dice),
    "exact": skewed(exact),
    "drain": skewed(drain),
    "cluster": skewed(cluster),
    "mingle": skewed(mingle),
    "fill": skewed(fill),
    "riddle": skewed(riddle),
}


def by_seat(names: list[str]) -> Policy:
    """Every seat with its own policy."""

    def policy(game: Game, rng: random.Random) -> str:
        assert game.decision is not None
        return POLICIES[names[game.decision.seat]](game, rng)

    return policy
