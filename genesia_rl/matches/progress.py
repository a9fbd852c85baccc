"""Playing the games of a series, and telling how far it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from genesia_rl.matches.series import Series
from genesia_rl.shards.run import parse_part, run_job
from genesia_rl.shards.store import JOB, Store, open_store


def play_series(series: Series, folder: Path, on_games: Callable[[int], None], **how: Any) -> Store:
    """Play what the folder lacks; `how` is handed to `run_job`.

    `on_games` is told how many games have been kept: those that an earlier run has left at once.
    """
    a_shard = series.games // series.num_shards
    if (folder / JOB).exists():
        on_games(a_shard * len(open_store(folder).done()))

    def tell(shard: int) -> None:
        on_games(a_shard)

    return run_job(series, folder, on_shard=tell, **how)


def share(games: int, part: str | None) -> int:
    """About how many of the games are those of `--shard i/n`."""
    return games if part is None else games // parse_part(part)[1]
