"""`search:200` or `search:50ms`: the same tree search with a network inside, that of the package or of `@PATH`.

The network says which actions are likely and what a leaf is worth for every seat (core/loops/guided.py), so that a
simulation costs some network evaluations in place of a game that is played out: a hundredth.

A network of `genesia train` foresees what is still paid. With shaping that is the result less the margin that was paid
already, which is added again; how it was paid stands in the file's card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game
from genesia_rl.core.incremental import Inputs, Nets, Room
from genesia_rl.core.mind import GuidedKernels, Mind, Plan
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.rewards import make_settings
from genesia_rl.core.tree import GUIDED_STYLE
from genesia_rl.players.incremental import adviser_of, inputs_of, nets_of, new_room
from genesia_rl.players.learned import LearnedPlayer, fitted, load_model
from genesia_rl.players.networks import INCREMENTAL, Architecture, Layout
from genesia_rl.players.search import Memory, SearchPlayer

GUIDED_DEFAULTS: dict[str, float] = {
    "explore": 1.0,  # how much the bonus for the likely and little explored counts; values go from -1 to 1
    "temperature": 1.0,  # of the network's probabilities: above 1 they are more alike
    "unseen": 0.1,  # by how much an action that was not tried counts less than the mean of those that were
}


class Guide(NamedTuple):
    """A network as the compiled search reads it, and how its values are to be read."""

    game: Game
    architecture: Architecture
    nets: Nets
    inputs: Inputs
    adviser: Plan
    settings: npt.NDArray[np.void]
    margin: float


def guide_of(
    game: Game, architecture: Architecture, layout: Layout, weights: Mapping[str, Any],
    settings: npt.NDArray[np.void] | None = None, margin: float = 0.0,
) -> Guide:  # fmt: skip
    """A network with these weights; without settings it foresees the result."""
    nets = nets_of(layout, game.num_actions, [weights])
    inputs = inputs_of(layout, -(-game.observation_size // 8) * 8)
    paid = make_settings(game) if settings is None else settings
    return Guide(game, architecture, nets, inputs, adviser_of(game), paid, margin)


class GuidedPlayer(SearchPlayer):
    """Looks ahead with a network."""

    version = 1
    code, chunk = "search", 64
    defaults: Mapping[str, float] = GUIDED_DEFAULTS
    further: tuple[str, ...] = ()

    def __init__(
        self, budget: str = "200", path: str | None = None, trees: int = 1, threads: int = 1,
        guide: Guide | None = None, **style: float,
    ) -> None:  # fmt: skip
        """With the network of a file or of the package, or one that is already a `guide` for a game."""
        super().__init__(budget, trees, threads, **style)
        self.name = f"{self.code}:{budget}" if path is None else f"{self.code}:{budget}@{path}"
        self.network = LearnedPlayer(path)
        self._guides: dict[int, Guide] = {} if guide is None else {id(guide.game): guide}

    def fingerprint(self, game: Game) -> str:
        """That of its network."""
        return self.network.fingerprint(game)

    def kernels(self, game: Game) -> GuidedKernels:
        """The compiled search of a game."""
        found = self.room(game).mind.guided
        if found is None:
            raise ConfigError(
                f"agent {self.name!r}: {game.name} has no search with a network, allowed is mcts:N"
            )
        return found

    def guide(self, game: Game) -> Guide:
        """The network for a game."""
        if id(game) not in self._guides:
            self._guides[id(game)] = self._load(game)
        return self._guides[id(game)]

    def put_guide(self, guide: Guide) -> None:
        """From now on this network for its game."""
        self._guides[id(guide.game)] = guide

    def _load(self, game: Game) -> Guide:
        try:
            path = self.network.file(game)
        except ConfigError:
            raise ConfigError(
                f"agent {self.name!r}: no network of {game.name} for this number of players comes with the package, "
                f"allowed are {self.name}@PATH and mcts:N"
            ) from None
        layout = Layout(game)
        model = fitted(path, load_model(path), game, layout)
        if model.architecture.kind != INCREMENTAL:
            raise ConfigError(
                f"agent {self.name!r}: {path} is a network of kind {model.architecture.kind!r}, allowed in a search "
                f"are those of kind {INCREMENTAL!r}"
            )
        return guide_of(game, model.architecture, layout, model.weights, *_paid(path, game, model.header))

    def style(self, mind: Mind) -> Any:
        """How this search weighs and explores, as one record."""
        style = np.zeros(1, GUIDED_STYLE)
        for name, value in self._style.items():
            style[0][name] = value
        return style

    def _new_memory(self, game: Game, size: int) -> Memory:
        """With what the network works in: a row of sums more than there are seats."""
        guide, memory = self.guide(game), super()._new_memory(game, size + 1)
        room = new_room(game, guide.architecture, self.room(game).mind.most_actions)
        sums = np.zeros((len(room.sums) + 1, room.sums.shape[1]), np.float32)
        return memory._replace(more=room._replace(sums=sums))

    def _simulations(
        self, decisions: DecisionBatch, memory: Memory, seed: Any
    ) -> Callable[[int, bool], object]:
        game, row, tables = decisions.game, int(decisions.rows[0]), decisions.tables_of(0)
        grow, given = self.kernels(game).grow, self._given(game, memory.more)
        return lambda number, fresh: grow(
            decisions.states, row, tables, *given, *memory.tree, memory.games, seed, number, fresh
        )

    def _given(self, game: Game, room: Room) -> tuple[Any, ...]:
        """What is the same for all decisions."""
        guide = self.guide(game)
        style = self.style(self.room(game).mind)
        style[0]["margin"] = guide.margin
        return guide.settings, style, guide.nets, guide.inputs, guide.adviser, game.observation_size, room

    def play(
        self, game: Game, seeds: npt.NDArray[np.uint64], seats: npt.NDArray[np.int64],
        tables: Any = None, which: Any = None,
    ) -> Any:  # fmt: skip
        """Whole games against the network alone on all other seats, in one compiled call; a row of results each."""
        results, memory = np.zeros(len(seeds), game.facts.result_dtype), self._room(game, 0)[0]
        self.kernels(game).play(
            game.new_states(2), game.tables if tables is None else tables,
            np.zeros(len(seeds), np.int32) if which is None else which, seeds, seats,
            *self._given(game, memory.more), self.budget.simulations, *memory.tree, memory.games, results,
        )  # fmt: skip
        return results

    def evaluations(self, decisions: DecisionBatch) -> int:
        """How often the search asks its network for one decision."""
        self.search(decisions)
        return sum(int(memory.tree.head[0]["asked"]) for memory in self._room(decisions.game, 0))

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_guides": {}}


def _paid(path: Path, game: Game, header: dict[str, Any]) -> tuple[npt.NDArray[np.void], float]:
    """What a model was paid for, by its card; without one, for winning."""
    card = header.get("card")
    settings = card.get("settings") if isinstance(card, dict) else None
    paid = settings.get("game") if isinstance(settings, dict) else None
    if not isinstance(paid, dict):
        return make_settings(game), 0.0
    try:
        made = make_settings(
            game, paid.get("reward", "win"), paid.get("scale"), float(paid.get("shaping", 0.0))
        )
        return made, float(paid.get("margin", 0.0))
    except (ConfigError, TypeError, ValueError) as error:
        raise DataError(f"{path}: card: {error}") from None
