"""What a run plays with one number of players: the game, the network as it is read there, the pool, the games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch

from genesia_rl.core.game import Game
from genesia_rl.learn import checkpoint
from genesia_rl.learn.checkpoint import made_for, part_of, under
from genesia_rl.learn.league import Clock, LeagueEnv, Pool
from genesia_rl.learn.policy import AtTable, Frozen, Network, TorchLayout
from genesia_rl.learn.remote import RemoteGames
from genesia_rl.learn.searched import SearchedGames
from genesia_rl.learn.settings import EXPERT, Settings
from genesia_rl.learn.whole import WholeGames, in_whole_games
from genesia_rl.players.common import CommonLayout, mark_of

Array = npt.NDArray[Any]


def games_of(settings: Settings, game: Game, network: Any, pool: Pool, clock: Clock) -> Any:
    """Games side by side, or whole ones, here or elsewhere, with a search or without."""
    if settings.learner.method == EXPERT:
        return SearchedGames(settings, game, network.layout, pool, clock)
    if in_whole_games(settings, game):
        kind = RemoteGames if settings.actors.backend == "ray" else WholeGames
        return kind(settings, game, network.layout, pool, clock)
    return LeagueEnv(settings, game, pool, clock)


def network_of(settings: Settings, layouts: Sequence[TorchLayout], device: torch.device) -> Network:
    """The network that learns: one for a number of players, or for several of them in common."""
    layout = layouts[0] if len(layouts) == 1 else CommonLayout(layouts)
    return Network(settings.network.architecture(), layout, settings.run.seed, device)


def tables_of(
    settings: Settings, games: Sequence[Game], device: torch.device, clock: Clock
) -> tuple[Network, list[Table]]:
    """The network of a run, and a table for each number of players that it learns."""
    each = settings.tables()
    layouts = [*map(TorchLayout, games)]
    network = network_of(settings, layouts, device)
    if len(each) == 1:
        return network, [Table(settings, games[0], network, clock)]
    tables = []
    for own, game, layout, view in zip(each, games, layouts, network.layout.views, strict=True):
        tables.append(Table(own, game, AtTable(network, layout, view), clock, mark_of(game.num_seats)))
    return network, tables


class Table:
    """One number of players; what a checkpoint keeps of it has names that begin with its `mark`."""

    def __init__(self, settings: Settings, game: Game, network: Any, clock: Clock, mark: str = "") -> None:
        self.settings, self.game, self.network, self.mark = settings, game, network, mark
        self.pool = Pool(settings.league, settings.run.seed)
        self.env = games_of(settings, game, network, self.pool, clock)

    def snapshot(self, update: int) -> None:
        """The network as it is now becomes a former self."""
        place = self.pool.add_snapshot(update, self.env.now)
        if place is not None:
            self.seat(place, self.network.numpy_weights())

    def seat(self, place: int, weights: dict[str, Any]) -> None:
        """Put weights on a place of the pool."""
        network = self.network
        self.env.networks[place].frozen = Frozen(network.architecture, network.layout, weights)
        self.env.networks[place].weights = weights

    def members(self) -> dict[str, dict[str, Any]]:
        """Who may be drawn, and how the learner does against them."""
        drawn = self.pool.weights()
        return {
            self.mark + name: {"ahead": float(self.pool.rate[k]), "games": int(self.pool.games[k])}
            for k, name in enumerate(self.pool.names)
            if name and drawn[k]
        }

    # ---- keeping
    def header(self) -> dict[str, Any]:
        """What a checkpoint's header says of it."""
        return {f"{self.mark}made_for": made_for(self.game), f"{self.mark}pool": self.pool.state()}

    def check(self, path: Path, header: dict[str, Any]) -> None:
        """Is the header that of such a table?"""
        checkpoint.check_game(path, header, self.game, self.mark)
        checkpoint.check_names(path, header, self.header())
        checkpoint.check_pool(path, header[f"{self.mark}pool"], self.pool.state())

    def arrays(self) -> dict[str, Array]:
        """All that the next games depend on, beside the learner's weights."""
        found = under(f"{self.mark}env/", self.env.state())
        for place, player in self.env.networks.items():
            if player.weights is not None:
                found |= under(self._at(place), player.weights)
        return found

    def like(self, arrays: dict[str, Array]) -> dict[str, Array]:
        """Arrays as they must be of the former selves that these speak of."""
        weights = self.network.numpy_weights()
        return {
            name: held
            for place in self.env.networks
            if part_of(arrays, self._at(place))
            for name, held in under(self._at(place), weights).items()
        }

    def put(self, header: dict[str, Any], arrays: dict[str, Array]) -> None:
        """Be as what was kept."""
        self.pool.put_state(header[f"{self.mark}pool"])
        self.env.put_state(part_of(arrays, f"{self.mark}env/"))
        for place in self.env.networks:
            weights = part_of(arrays, self._at(place))
            if weights:
                self.seat(place, weights)

    def _at(self, place: int) -> str:
        return f"{self.mark}snapshot{place}/"
