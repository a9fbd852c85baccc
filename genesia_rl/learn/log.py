"""What a run says: a line for people now and then, and every update in its logs.

`log.jsonl` is always written: a run goes on from it, and pages are made of it. Which others there are is `run.log`
(`--log tensorboard,csv,wandb`): `log.csv`, TensorBoard's events in `tensorboard/`, Weights & Biases. By default
the CSV, and TensorBoard where it is installed. `WRITERS` is the one place where another one is hooked in.
"""

from __future__ import annotations

import csv
import json
import re
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.files import replace_text

#: Columns of the CSV; the JSON lines also hold the pool's members, one by one.
COLUMNS = (
    "update", "phase", "minutes", "decisions", "games", "decisions_per_second", "games_per_second",
    "policy_loss", "value_loss", "entropy", "kl", "clipped", "explained", "searched", "rate", "clone_loss", "hits",
    "joint", "seconds_learner", "seconds_inference", "seconds_opponents", "seconds_environment", "seconds_games",
    "seconds_teacher", "seconds_saving", "seconds_other",
    "seconds_exploiter", "exploiter_ahead", "exploiter_updates", "exploiter_joined",
    "seconds_waiting", "actors", "behind", "stale", "stale_share", "lost",
)  # fmt: skip
PRINT_SECONDS = 10.0
JSON, CSV, BOARD = "log.jsonl", "log.csv", "tensorboard"


class Writer(Protocol):
    """Who is told of every update."""

    def add(self, row: Mapping[str, Any]) -> None:
        """One update."""

    def close(self) -> None:
        """The run is over, or pauses."""


class CsvWriter:
    """`log.csv`: a line an update, of which the first `lines` are kept from before."""

    def __init__(self, folder: Path, lines: int, step: int | None, about: Mapping[str, Any]) -> None:
        self.path = folder / CSV
        keep_lines(self.path, lines + 1 if lines else 0)
        self.is_new = not lines or not self.path.stat().st_size

    def add(self, row: Mapping[str, Any]) -> None:
        """A line."""
        with self.path.open("a", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            if self.is_new:
                writer.writeheader()
                self.is_new = False
            writer.writerow(_rounded(_flat(row)))

    def close(self) -> None:
        """Nothing is open."""


class BoardWriter:
    """TensorBoard's events; what is later than `step` was lost."""

    def __init__(self, folder: Path, lines: int, step: int | None, about: Mapping[str, Any]) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.board: Any = SummaryWriter(str(folder / BOARD), purge_step=step)

    def add(self, row: Mapping[str, Any]) -> None:
        """The figures of an update."""
        for tag, value in scalars(row).items():
            self.board.add_scalar(tag, value, step_of(row))
        self.board.flush()

    def close(self) -> None:
        """All is on the disk."""
        self.board.close()


class WandbWriter:
    """Weights & Biases: project and mode are those of its own variables (`WANDB_PROJECT`, `WANDB_MODE=offline`).

    A run that goes on is the same one there, as its name and place say.
    """

    def __init__(self, folder: Path, lines: int, step: int | None, about: Mapping[str, Any]) -> None:
        import wandb

        name = f"{folder.resolve().name}-{zlib.crc32(str(folder.resolve()).encode()):08x}"
        self.run: Any = wandb.init(
            dir=str(folder), name=folder.resolve().name, id=name, resume="allow", config=dict(about)
        )

    def add(self, row: Mapping[str, Any]) -> None:
        """The figures of an update, beside the number that TensorBoard draws them over."""
        self.run.log({**scalars(row), "decisions": step_of(row)})

    def close(self) -> None:
        """All is sent."""
        self.run.finish()


#: Name -> who is told, and the module that it needs.
WRITERS: dict[str, tuple[Callable[[Path, int, int | None, Mapping[str, Any]], Writer], str | None]] = {
    "csv": (CsvWriter, None),
    "tensorboard": (BoardWriter, "tensorboard"),
    "wandb": (WandbWriter, "wandb"),
}


def checked_logs(names: Iterable[str]) -> list[str]:
    """The names of logs, each once; an unknown one, and one whose package is missing, is refused."""
    found = list(dict.fromkeys(name.strip() for name in names))
    for name in found:
        if name not in WRITERS:
            raise ConfigError(f"log {name!r}: unknown, allowed are {', '.join(WRITERS)}")
        needs = WRITERS[name][1]
        if needs is not None and find_spec(needs) is None:
            raise ConfigError(f'log {name!r} needs {needs}: pip install "genesia-rl[{needs}]"')
    return found


def usual_logs() -> list[str]:
    """What is written where nothing else is asked for."""
    return ["csv", *(["tensorboard"] if find_spec("tensorboard") is not None else [])]


def keep_lines(path: Path, number: int) -> None:
    """A file with its first lines only."""
    old = path.read_text().splitlines(keepends=True)[:number] if path.exists() else []
    replace_text(path, "".join(old))


class Log:
    """The logs in a run's folder.

    `lines` are kept from before, and TensorBoard's events before `step`: what is later was lost.
    """

    def __init__(
        self,
        folder: Path,
        lines: int = 0,
        step: int | None = None,
        names: Iterable[str] | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        self.folder, self.lines = folder, lines
        self._printed = 0.0
        self._said: dict[str, Any] | None = None
        keep_lines(folder / JSON, lines)
        chosen = usual_logs() if names is None else checked_logs(names)
        self._writers = [WRITERS[name][0](folder, lines, step, about or {}) for name in chosen]

    def add(self, row: dict[str, Any]) -> None:
        """One update."""
        with (self.folder / JSON).open("a") as file:
            file.write(json.dumps(_rounded(row)) + "\n")
        self.lines += 1
        for writer in self._writers:
            writer.add(row)

    def close(self) -> None:
        """The run is over, or pauses."""
        for writer in self._writers:
            writer.close()

    def say(self, row: dict[str, Any], now: bool = False) -> None:
        """A line for people, not too often, and of no row twice."""
        if row is self._said:
            return
        if now or time.perf_counter() - self._printed > PRINT_SECONDS:
            self._printed, self._said = time.perf_counter(), row
            print(in_words(row), flush=True)


def step_of(row: Mapping[str, Any]) -> int:
    """What an update is drawn over: the learner's decisions, in the lessons their chunks."""
    return int(row["decisions"] or row["update"])


def scalars(row: Mapping[str, Any]) -> dict[str, float]:
    """What TensorBoard shows: a section for each phase, for its seconds, and for who is beaten.

    The lessons are drawn over their chunks, the league over the learner's decisions.
    """
    phase = row["phase"]
    found = {f"{phase}/{k}": v for k, v in row.items() if isinstance(v, int | float) and k != "decisions"}
    found |= {f"{phase}_seconds/{name}": seconds for name, seconds in row["seconds"].items()}
    found |= {f"exploiter/{name}": value for name, value in row.get("exploiter", {}).items()}
    return found | {f"ahead_of/{name}": member["ahead"] for name, member in row.get("pool", {}).items()}


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat = {key: value for key, value in row.items() if not isinstance(value, dict)}
    flat |= {f"seconds_{name}": value for name, value in row.get("seconds", {}).items()}
    flat |= {f"exploiter_{name}": value for name, value in row.get("exploiter", {}).items()}
    flat |= {f"ahead_of_{name}": member["ahead"] for name, member in row.get("pool", {}).items()}
    return flat


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return round(value, 5) if isinstance(value, float) else value


def in_words(row: dict[str, Any]) -> str:
    """`4.2 min  league 31  3,412 decisions/s ...`."""
    text = f"{row['minutes']:6.2f} min  {row['phase']} {row['update']}"
    text += f"  {row['decisions_per_second']:,.0f} decisions/s"
    if row["phase"] == "league":
        text += f"  {row['games_per_second']:.1f} games/s  policy {row['policy_loss']:.4f}"
        text += f"  value {row['value_loss']:.3f}  entropy {row['entropy']:.2f}  kl {row['kl']:.4f}"
        if "actors" in row:
            text += f"\n           actors {row['actors']}  games behind by {row['behind']:.1f} updates"
            text += f"  stale {100 * row['stale_share']:.1f} %  lost {row['lost']}"
        if "joint" in row:  # all play together: nobody is ahead of anybody
            return text + f"\n           joint score {row['joint']:.1f}" + _times(row)
        for table, names in groupby(row["pool"], key=_table_of):
            told = [f"{name.removeprefix(table)} {100 * row['pool'][name]['ahead']:.0f} %" for name in names]
            at = f"{table.rstrip('p/')} players: " if table else ""
            text += f"\n           {at}ahead of {'  '.join(told)}"
        if "exploiter" in row:
            of = row["exploiter"]
            text += (
                f"\n           exploiter {of['joined'] + 1}, {of['updates']} updates old, is ahead of this"
            )
            text += f" network in {100 * of['ahead']:.0f} %"
    else:
        text += (
            f"  loss {row['clone_loss']:.3f}  hits {100 * row['hits']:.1f} %  value {row['value_loss']:.3f}"
        )
    return text + _times(row)


def _table_of(name: str) -> str:
    """What the name of a pool's member begins with where a network learns several numbers of players."""
    found = re.match(r"\d+p/", name)
    return found[0] if found else ""


def _times(row: dict[str, Any]) -> str:
    """Where the time went."""
    total = sum(row["seconds"].values()) or 1.0
    shares = sorted(row["seconds"].items(), key=lambda item: -item[1])
    return "\n           time " + "  ".join(f"{n} {100 * s / total:.0f} %" for n, s in shares)
