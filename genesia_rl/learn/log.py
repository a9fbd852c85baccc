"""What a run says: a line for people now and then; every update in `log.jsonl`, `log.csv`, TensorBoard."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path
from typing import Any

from genesia_rl.core.files import replace_text

#: Columns of the CSV; the JSON lines also hold the pool's members, one by one.
COLUMNS = (
    "update", "phase", "minutes", "decisions", "games", "decisions_per_second", "games_per_second",
    "policy_loss", "value_loss", "entropy", "kl", "clipped", "explained", "rate", "clone_loss", "hits",
    "seconds_learner", "seconds_inference", "seconds_opponents", "seconds_environment", "seconds_games",
    "seconds_teacher", "seconds_saving", "seconds_other",
)  # fmt: skip
PRINT_SECONDS = 10.0
JSON, CSV = "log.jsonl", "log.csv"


class Log:
    """The logs in a run's folder.

    `lines` are kept from before, and TensorBoard's events before `step`: what is later was lost.
    """

    def __init__(self, folder: Path, lines: int = 0, step: int | None = None) -> None:
        self.folder, self.lines = folder, lines
        self._printed = 0.0
        self._said: dict[str, Any] | None = None
        for name, kept in ((JSON, lines), (CSV, lines + 1 if lines else 0)):
            path = folder / name
            old = path.read_text().splitlines(keepends=True)[:kept] if path.exists() else []
            replace_text(path, "".join(old))
        self._board = _tensorboard(folder, step)

    def add(self, row: dict[str, Any]) -> None:
        """One update."""
        with (self.folder / JSON).open("a") as file:
            file.write(json.dumps(_rounded(row)) + "\n")
        flat = _flat(row)
        with (self.folder / CSV).open("a", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            if not self.lines:
                writer.writeheader()
            writer.writerow(_rounded(flat))
        self.lines += 1
        if self._board is not None:
            for tag, value in scalars(row).items():
                self._board.add_scalar(tag, value, row["decisions"] or row["update"])
            self._board.flush()

    def say(self, row: dict[str, Any], now: bool = False) -> None:
        """A line for people, not too often, and of no row twice."""
        if row is self._said:
            return
        if now or time.perf_counter() - self._printed > PRINT_SECONDS:
            self._printed, self._said = time.perf_counter(), row
            print(in_words(row), flush=True)


def _tensorboard(folder: Path, step: int | None) -> Any:
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(folder / "tensorboard"), purge_step=step)


def scalars(row: dict[str, Any]) -> dict[str, float]:
    """What TensorBoard shows: a section for each phase, for its seconds, and for who is beaten.

    The lessons are drawn over their chunks, the league over the learner's decisions.
    """
    phase = row["phase"]
    found = {f"{phase}/{k}": v for k, v in row.items() if isinstance(v, int | float) and k != "decisions"}
    found |= {f"{phase}_seconds/{name}": seconds for name, seconds in row["seconds"].items()}
    return found | {f"ahead_of/{name}": member["ahead"] for name, member in row.get("pool", {}).items()}


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    flat = {key: value for key, value in row.items() if not isinstance(value, dict)}
    flat |= {f"seconds_{name}": value for name, value in row.get("seconds", {}).items()}
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
        text += "\n           ahead of " + "  ".join(
            f"{name} {100 * member['ahead']:.0f} %" for name, member in row["pool"].items()
        )
    else:
        text += (
            f"  loss {row['clone_loss']:.3f}  hits {100 * row['hits']:.1f} %  value {row['value_loss']:.3f}"
        )
    total = sum(row["seconds"].values()) or 1.0
    shares = sorted(row["seconds"].items(), key=lambda item: -item[1])
    return text + "\n           time " + "  ".join(f"{n} {100 * s / total:.0f} %" for n, s in shares)
