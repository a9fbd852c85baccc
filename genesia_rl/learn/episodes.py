"""Recorded decisions as a Minari data set: an episode for every seat of every game, and back again as columns.

    observations    as the environment of the game hands them out (`flat`), with what the seat saw in the end
    actions         in the seat's numbering            rewards   0, and at the end what the game paid (win, -1..1)
    terminations    True at the end; truncations never

Infos have the same keys and shapes at every step, the last one included: `action_mask` (empty in the end), and of one
number each `seat`, `game`, `decision` (how many the seat had decided in the game before) and `margin`, its public
margin in points.

    MINARI_DATASETS_PATH=data        genesia export --format minari --out data/NAMESPACE/NAME-v0 ...
    minari.load_dataset("NAMESPACE/NAME-v0")
"""

from __future__ import annotations

import copy
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
import numpy.typing as npt
from minari.data_collector import EpisodeBuffer
from minari.dataset.minari_storage import MinariStorage

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game
from genesia_rl.envs.registration import ids, register
from genesia_rl.envs.spaces import ObservationForm
from genesia_rl.learn.dataset import METADATA, SIDE_BY_SIDE, Played, Series, play_games, undivided
from genesia_rl.players.learned import facts_of

Array = npt.NDArray[Any]
FORMAT = "arrow"
DATA = "data"  # Minari's name for the folder in a data set's own
INFOS = ("action_mask", "seat", "game", "decision", "margin")
NAME = re.compile(r"[-\w]+-v\d+")


def export_episodes(
    game_name: str,
    agents: str,
    players: int,
    games: int,
    out: Path,
    seed: int = 0,
    on_games: Callable[[int], None] | None = None,
    varied: bool = False,
) -> int:
    """Play games between agents, which change seats from game to game; returns the number of decisions.

    The data set appears when it is complete. An interrupt (Ctrl-C) ends it with the games that are.
    """
    if not NAME.fullmatch(out.name):
        raise ConfigError(
            f"out = {out}: allowed for Minari is a folder whose name ends in a version: NAME-v0"
        )
    if out.exists():
        raise ConfigError(f"{out}: exists, allowed is another --out")
    series = Series.of(game_name, agents, players, games, seed, varied)
    # Minari looks for the parts of a relative folder within itself.
    part = out.absolute().with_name(f".{out.name}.{os.getpid()}.part")
    (part / DATA).mkdir(parents=True)
    try:
        writer = Writer(part / DATA, series.game)
        stopped = writer.write(series, on_games)
        if writer.games:
            writer.finish(out, agents, varied)
            os.replace(part, out)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    if stopped is not None:
        kept = f"{writer.games:,} of {games:,} games are in {out}" if writer.games else "no game was complete"
        print(f"stopped: {kept}", file=sys.stderr, flush=True)
        raise stopped
    return writer.steps


class Writer:
    """A data set that is being written: what it holds so far."""

    def __init__(self, folder: Path, game: Game) -> None:
        self.game, self.games, self.steps = game, 0, 0
        space, actions = ObservationForm(game).space, gymnasium.spaces.Discrete(game.num_actions)
        # Without images nothing is compressed; what is written is what is read.
        self.storage = MinariStorage.new(
            folder, space, actions, env_spec_of(game), data_format=FORMAT, jpeg_encoding=False
        )
        # Minari measures the whole folder after every episode: once, at the end, is enough.
        self._measured, self.storage.get_size = self.storage.get_size, lambda: 0.0

    def write(self, series: Series, on_games: Callable[[int], None] | None) -> KeyboardInterrupt | None:
        """Play and write until all is there, or somebody interrupts."""
        try:
            for first in range(0, len(series.seeds), SIDE_BY_SIDE):
                for played in play_games(series, slice(first, first + SIDE_BY_SIDE)):
                    with undivided():
                        found = list(episodes_of(self.game, played, int(series.seeds[played.number])))
                        self.storage.update_episodes(found)
                        self.games, self.steps = self.games + 1, self.steps + len(played.columns["action"])
                if on_games is not None:
                    on_games(len(series.seeds[first : first + SIDE_BY_SIDE]))
        except KeyboardInterrupt as error:
            return error
        return None

    def finish(self, out: Path, agents: str, varied: bool) -> None:
        """What the data set is."""
        namespace = out.parent.name
        known = re.fullmatch(r"[-\w]{2,}", namespace)
        about = {**facts_of(self.game), "agents": agents, "varied": varied}
        self.storage.get_size = self._measured
        self.storage.update_metadata(
            {
                "dataset_id": f"{namespace}/{out.name}" if known else out.name,
                "minari_version": minari.__version__,
                "algorithm_name": agents,
                "description": f"{self.game.name}: an episode for every seat of {self.games} games of {agents}",
                "dataset_size": self.storage.get_size(),
                METADATA: about,
            }
        )


def env_spec_of(game: Game) -> Any:
    """The environment that the data set is of, if Gymnasium has one: `recover_environment` makes it anew."""
    register()
    solo = {name for name, fixed in ids().items() if len(fixed) > 1}
    for name, fixed in ids().items():
        if fixed["game"] == game.name and name not in solo:
            spec = copy.deepcopy(gymnasium.spec(name))  # the registry's own stays as it is
            spec.kwargs = {**spec.kwargs, **game.config_dict()}
            return spec
    return None


def episodes_of(game: Game, played: Played, seed: int) -> Iterator[Any]:
    """What each seat did in a game; a seat that decided nothing has no episode."""
    columns = played.columns
    for seat in range(game.num_seats):
        mine = np.flatnonzero(columns["seat"] == seat)
        if not len(mine):
            continue
        steps = len(mine)
        rewards, ends = np.zeros(steps, np.float32), np.zeros(steps, np.bool_)
        rewards[-1], ends[-1] = columns["return"][mine[0]], True
        last = {"action_mask": np.zeros((1, game.num_actions), np.int8), "decision": [steps]}
        last |= {"seat": [seat], "game": [played.number], "margin": columns["margin"][mine[-1:]]}
        given = {**columns, "action_mask": columns["mask"]}
        infos = {
            name: np.concatenate([given[name][mine], np.asarray(last[name])]).reshape(steps + 1, -1)
            for name in INFOS
        }
        yield EpisodeBuffer(
            seed=seed,
            observations=np.concatenate([columns["observation"][mine], played.final[seat : seat + 1]]),
            actions=columns["action"][mine].astype(np.int64),
            rewards=rewards,
            terminations=ends,
            truncations=np.zeros(steps, np.bool_),
            infos=infos,
        )


# ---------------------------------------------------------------- reading


def read_episodes(folder: Path, game: Game) -> Iterator[dict[str, Array]]:
    """The episodes of a data set as the columns that the Parquet export has, checked against the game."""
    try:
        held = minari.MinariDataset(folder / DATA)
    except (ValueError, KeyError, AssertionError, OSError) as error:
        raise DataError(
            f"{folder}: no data set of Minari ({error}), allowed is one by genesia export"
        ) from None
    about = held.storage.metadata.get(METADATA)
    if not isinstance(about, dict):
        raise DataError(f"{folder}: no metadata {METADATA!r}, allowed is a data set by genesia export")
    for name, allowed in facts_of(game).items():
        if about.get(name) != allowed:
            raise DataError(f"{folder}: {name} = {about.get(name)!r}, allowed in this game is {allowed!r}")
    for episode in held.iterate_episodes():
        yield columns_of(episode)


def columns_of(episode: Any) -> dict[str, Array]:
    """One episode as columns."""
    steps, infos = len(episode.actions), episode.infos
    found = {name: np.asarray(infos[name])[:-1, 0] for name in INFOS[1:]}
    return {
        "observation": np.asarray(episode.observations)[:-1].astype(np.int8),
        "mask": np.asarray(infos["action_mask"])[:-1].astype(np.int8),
        "action": np.asarray(episode.actions),
        "return": np.full(steps, np.float32(np.sum(episode.rewards)), np.float32),
        **found,
    }
