"""Playing the games of a series, going on with it, making it longer, and telling how far it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import ConfigError
from genesia_rl.matches.series import Series
from genesia_rl.shards.job import description
from genesia_rl.shards.lock import alone
from genesia_rl.shards.run import parse_part, run_job
from genesia_rl.shards.store import JOB, Store, extend_store, open_store, require_same


def continued(series: Series, folder: Path) -> Series:
    """The series as a folder goes on with it: its shards are cut as they were, and what is added comes behind them.

    A folder of other games is refused by what they differ in besides their number.
    """
    if not (folder / JOB).exists():
        return series
    store = open_store(folder)
    held: Any = store.settings
    blocks, shard_blocks = held.get("blocks"), held.get("shard_blocks")
    if not all(isinstance(number, int) and number > 0 for number in (blocks, shard_blocks)):
        return series
    extended = tuple(held.get("extended") or ())
    as_begun = replace(series, blocks=int(blocks), shard_blocks=int(shard_blocks), extended=extended)
    require_same(store, description(as_begun))
    if series.blocks < as_begun.blocks:
        raise ConfigError(
            f"{folder}: is a run of {as_begun.games} games, allowed with {series.games} is another folder"
        )
    if series.blocks == as_begun.blocks:
        return as_begun
    return replace(as_begun, blocks=series.blocks, extended=(*as_begun.extended, as_begun.blocks))


def extend(series: Series, folder: Path) -> None:
    """Make the folder that of a series which `continued` has made longer; nothing is played again but for a last shard
    that was not full."""
    if not series.extended or not (folder / JOB).exists():
        return
    before = series.extended[-1]
    if open_store(folder).settings.get("blocks") == before:
        with alone(folder, None):
            extend_store(folder, series, before // series.shard_blocks)


def play_series(series: Series, folder: Path, on_games: Callable[[int], None], **how: Any) -> Store:
    """Play what the folder lacks; `how` is handed to `run_job`.

    `on_games` is told how many games have been kept: those that an earlier run has left at once.
    """
    extend(series, folder)
    a_shard = series.games // series.num_shards
    if (folder / JOB).exists():
        on_games(a_shard * len(open_store(folder).done()))

    def tell(shard: int) -> None:
        on_games(a_shard)

    return run_job(series, folder, on_shard=tell, **how)


def share(games: int, part: str | None) -> int:
    """About how many of the games are those of `--shard i/n`."""
    return games if part is None else games // parse_part(part)[1]
