"""Recorded decisions as Parquet: written game by game in row groups, read row group by row group.

    observation  int8 bytes as the seat saw them       mask    a byte for each action
    action       in the seat's numbering               return  what the game paid the seat (win, -1..1)
    margin       the seat's public margin, in points   seat    who decided
    game         which game                            decision  how many the seat had decided in it before

Memory is that of one row group and of the games being played, however many are written.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.files import replacing
from genesia_rl.core.game import Game, Tables
from genesia_rl.core.player import Player, ask
from genesia_rl.core.registry import make_game
from genesia_rl.matches.evaluate import varied_tables
from genesia_rl.players.codes import make_players
from genesia_rl.players.learned import facts_of
from genesia_rl.vector.batch import Batch, mix_seeds

Array = npt.NDArray[Any]
METADATA = "genesia_rl"
ROW_GROUP = 16_384
SIDE_BY_SIDE = 64
#: A decision: observation, mask, action, seat, public margin.
Note = tuple[Array, Array, int, int, float]
NUMBERS = {
    "action": np.int16, "return": np.float32, "margin": np.float32, "seat": np.int8, "game": np.int64,
    "decision": np.int32,
}  # fmt: skip


def schema_of(game: Game, agents: str = "", varied: bool = False) -> pa.Schema:
    """The columns, and what the bytes belong to."""
    about = {**facts_of(game), "agents": agents, "varied": varied}
    kinds = [
        ("observation", pa.binary(game.observation_size)), ("mask", pa.binary(game.num_actions)),
        ("action", pa.int16()), ("return", pa.float32()), ("margin", pa.float32()), ("seat", pa.int8()),
        ("game", pa.int64()), ("decision", pa.int32()),
    ]  # fmt: skip
    return pa.schema(kinds, metadata={METADATA: json.dumps(about)})


def export_games(
    game_name: str,
    agents: str,
    players: int,
    games: int,
    out: Path,
    seed: int = 0,
    on_games: Callable[[int], None] | None = None,
    varied: bool = False,
) -> int:
    """Play games between agents, which change seats from game to game; returns the number of rows.

    All are of the game's own configuration or, if `varied`, of a balanced set of what varies in it, in turn.
    An interrupt (Ctrl-C) ends it with the games that are complete.
    """
    if out.exists():
        raise ConfigError(f"{out}: exists, allowed is another --out")
    series = Series.of(game_name, agents, players, games, seed, varied)
    out.parent.mkdir(parents=True, exist_ok=True)
    writing = Writing(series.game, agents, varied)
    with suppress(Incomplete), replacing(out, "wb") as file:
        writing.write(file, series, on_games)
        if not writing.games:
            raise Incomplete
    if writing.stopped is not None:
        kept = (
            f"{writing.games:,} of {games:,} games are in {out}" if writing.games else "no game was complete"
        )
        print(f"stopped: {kept}", file=sys.stderr, flush=True)
        raise writing.stopped
    return writing.rows


class Played(NamedTuple):
    """A finished game: its decisions as columns, and what every seat saw in the end."""

    number: int
    columns: dict[str, Array]
    final: Array  # [seat, byte]


class Incomplete(Exception):
    """No game came to its end, so that there is no file."""


class Series(NamedTuple):
    """The games that are recorded."""

    game: Game
    seated: list[Player]  # one for each seat
    seeds: npt.NDArray[np.uint64]
    tables: Tables
    which: npt.NDArray[np.int32]  # the configuration of each game, as a place in the tables

    @classmethod
    def of(cls, name: str, agents: str, players: int, games: int, seed: int, varied: bool) -> Series:
        """Checked: as many agents as seats, or one; and a contest, as it is about who is ahead."""
        game, seated = make_game(name, players=players), make_players(agents, name)
        if not game.is_contest:
            raise ConfigError(f"players = {players}: one joint score, allowed are games with opponents")
        if len(seated) not in (1, game.num_seats):
            raise ConfigError(f"agents = {agents!r}: {len(seated)} codes, allowed are 1 or {game.num_seats}")
        seated *= game.num_seats if len(seated) == 1 else 1
        own = game.tables, np.zeros(games, np.int32)
        return cls(
            game, seated, mix_seeds(seed, games), *(varied_tables(game, games, seed) if varied else own)
        )


class Writing:
    """A file that is being written: what it holds so far."""

    def __init__(self, game: Game, agents: str, varied: bool) -> None:
        self.game, self.schema = game, schema_of(game, agents, varied)
        self.rows = self.games = 0
        self.stopped: KeyboardInterrupt | None = None

    def write(self, file: Any, series: Series, on_games: Callable[[int], None] | None) -> None:
        """Play and write until all is there, or somebody interrupts."""
        held: list[dict[str, Array]] = []
        with pq.ParquetWriter(file, self.schema, compression="zstd", write_page_checksum=True) as writer:
            try:
                for first in range(0, len(series.seeds), SIDE_BY_SIDE):
                    for played in play_games(series, slice(first, first + SIDE_BY_SIDE)):
                        with undivided():
                            held.append(played.columns)
                            self.games, self.rows = self.games + 1, self.rows + len(played.columns["action"])
                            held[:] = _written(writer, held, self.game, ROW_GROUP)
                    if on_games is not None:
                        on_games(len(series.seeds[first : first + SIDE_BY_SIDE]))
            except KeyboardInterrupt as error:
                self.stopped = error
            _written(writer, held, self.game, 1)


@contextmanager
def undivided() -> Iterator[None]:
    """An interrupt waits until the block is over: nothing in it is done by halves."""
    heard = threading.current_thread() is threading.main_thread()  # only that one is interrupted
    if not heard or signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        yield
        return
    asked: list[int] = []
    old = signal.signal(signal.SIGINT, lambda number, frame: asked.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, old)
    if asked:
        raise KeyboardInterrupt


def play_games(series: Series, part: slice) -> Iterator[Played]:
    """Play some games at once; each as it ends, its decisions in the order of the game."""
    game, seeds = series.game, series.seeds[part]
    batch = Batch(game, len(seeds), tables=series.tables)
    batch.next_table[:] = series.which[part]
    batch.reset(seeds)
    notes: list[list[Note]] = [[] for _ in seeds]
    over = np.zeros(len(seeds), np.bool_)
    while not over.all():
        rows = np.flatnonzero(~over)
        who = (batch.seat[rows].astype(np.int64) + part.start + rows) % game.num_seats
        actions = ask(series.seated, who, batch.decisions(rows))
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            seat, seen = int(batch.seat[row]), (batch.observation[row].copy(), batch.mask[row].copy())
            notes[row].append((*seen, action, seat, _margin(game.public_totals(batch.states, row), seat)))
        batch.step_rows(rows, actions)
        for row in np.flatnonzero(batch.done & ~over).tolist():
            columns = _columns(notes[row], batch.games["final_reward"][row], part.start + row)
            yield Played(part.start + row, columns, batch.final_observation[row].copy())
            notes[row] = []
        over |= batch.done


def _margin(totals: Array, seat: int) -> float:
    """The seat's points less the mean of the others'."""
    return float(totals[seat] - (totals.sum() - totals[seat]) / (len(totals) - 1))


def _columns(notes: list[Note], paid: Array, number: int) -> dict[str, Array]:
    """One finished game as columns."""
    observation, mask, action, seat, margin = (list(column) for column in zip(*notes, strict=True))
    seats, count = np.array(seat), np.zeros(len(notes), np.int32)
    for who in set(seat):
        mine = seats == who
        count[mine] = np.arange(mine.sum())
    return {
        "observation": np.stack(observation), "mask": np.stack(mask), "action": np.array(action),
        "return": paid[seats], "margin": np.array(margin), "seat": seats,
        "game": np.full(len(notes), number), "decision": count,
    }  # fmt: skip


def _written(
    writer: pq.ParquetWriter, held: list[dict[str, Array]], game: Game, least: int
) -> list[dict[str, Array]]:
    """Write a row group if there are enough rows; what is still held."""
    if sum(len(columns["action"]) for columns in held) < least:
        return held
    whole = {name: np.concatenate([columns[name] for columns in held]) for name in held[0]}
    arrays: list[Any] = []
    for name in ("observation", "mask"):
        kind = pa.binary(whole[name].shape[1])
        data = pa.py_buffer(np.ascontiguousarray(whole[name]))
        arrays.append(pa.FixedSizeBinaryArray.from_buffers(kind, len(whole[name]), [None, data]))
    arrays += [pa.array(whole[name].astype(kind)) for name, kind in NUMBERS.items()]
    writer.write_table(pa.Table.from_arrays(arrays, schema=writer.schema), row_group_size=len(arrays[0]))
    return []


class DataSet:
    """A file of recorded decisions, checked against a game."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path, self.game = path, game
        try:
            self.file = pq.ParquetFile(path, page_checksum_verification=True)
        except FileNotFoundError:
            raise DataError(f"{path}: no such file, allowed is one by genesia export") from None
        except (pa.ArrowInvalid, OSError) as error:
            raise DataError(f"{path}: not Parquet ({error}), allowed is a file by genesia export") from None
        expected = schema_of(game)
        for name in ("observation", "mask", "action", "return", "margin"):
            found = self.file.schema_arrow.field(name).type if name in self.file.schema_arrow.names else None
            if found != expected.field(name).type:
                raise DataError(
                    f"{path}: column {name} of type {found}, allowed is {expected.field(name).type} "
                    f"({game.num_seats} players)"
                )
        self._check_game()
        self.num_chunks = self.file.num_row_groups
        if not self.file.metadata.num_rows:
            raise DataError(f"{path}: 0 rows, allowed is at least 1")

    def _check_game(self) -> None:
        """Was it recorded in this version of the game?"""
        try:
            about = json.loads((self.file.schema_arrow.metadata or {})[METADATA.encode()])
        except (KeyError, ValueError):
            about = None
        if not isinstance(about, dict):
            raise DataError(
                f"{self.path}: no metadata {METADATA!r} that says which game it is of, allowed is a file as "
                "by genesia export"
            )
        for name, allowed in facts_of(self.game).items():
            found = about.get(name)
            if found != allowed:
                raise DataError(f"{self.path}: {name} = {found!r}, allowed in this game is {allowed!r}")

    def read(self, group: int) -> dict[str, Array]:
        """One row group as arrays, checked."""
        try:
            table = self.file.read_row_group(group)
        except (pa.ArrowException, OSError) as error:
            raise DataError(
                f"{self.path}: row group {group}: damaged ({error}), allowed is a file by genesia export"
            ) from None
        if not len(table):
            raise self._wrong(group, "all columns", "0 rows", "at least 1")
        for name in (*NUMBERS, "observation", "mask"):
            nulls = table.column(name).null_count if name in table.column_names else 0
            if nulls:
                raise self._wrong(group, f"column {name}", f"{nulls} nulls", "a value in every row")
        found = {name: table.column(name).to_numpy() for name in NUMBERS if name in table.column_names}
        for name in ("observation", "mask"):
            chunks = [chunk for chunk in table.column(name).chunks if len(chunk)]
            size = table.schema.field(name).type.byte_width
            parts = [
                np.frombuffer(c.buffers()[1], np.int8)[c.offset * size : (c.offset + len(c)) * size]
                for c in chunks
            ]
            found[name] = np.array(np.concatenate(parts).reshape(-1, size))  # torch wants it writable
        self._check(group, found)
        return found

    def _check(self, group: int, held: dict[str, Array]) -> None:
        """Are the numbers what they may be?"""
        action, rows = held["action"], np.arange(len(held["action"]))
        most = self.game.num_actions - 1
        bad = (action < 0) | (action > most)
        if bad.any():
            raise self._wrong(group, "column action", f"{action[bad.argmax()]}", f"0..{most}")
        bad = held["mask"][rows, action] == 0
        if bad.any():
            said = f"{action[bad.argmax()]} in row {bad.argmax()}"
            raise self._wrong(group, "column action", said, "what its mask allows")
        fits = {"return": np.abs(held["return"]) <= 1, "margin": np.isfinite(held["margin"])}
        for name, allowed in (("return", "-1..1"), ("margin", "finite")):
            if not fits[name].all():
                raise self._wrong(group, f"column {name}", f"{held[name][fits[name].argmin()]}", allowed)

    def _wrong(self, group: int, what: str, found: str, allowed: str) -> DataError:
        return DataError(f"{self.path}: row group {group}: {what}: {found}, allowed is {allowed}")


class Recorded:
    """Lessons from a data set: its row groups, shuffled, some times over, as `Cloner.learn` takes them.

    What is recorded is who won: where a run pays for something else the value learns nothing from it
    (`values` is False).
    """

    finished = 0  # no game is played

    def __init__(
        self, path: Path, game: Game, actions: Array, passes: int, seed: int, shaping: float, scale: float,
        values: bool = True,
    ) -> None:  # fmt: skip
        self.path, self.data, self.actions = path, DataSet(path, game), actions
        self.shaping, self.scale, self.values = shaping, scale, values
        self.total: int | None = passes * self.data.num_chunks
        self.rng = np.random.default_rng([seed, 11])
        self.left = np.zeros(0, np.int64)  # row groups that this pass has not seen
        self.to_column = np.full(game.num_actions, -1)
        self.to_column[actions] = np.arange(len(actions))

    def chunk(self, pupil: Any = None) -> dict[str, Array]:
        """The next row group; what the value foresees is shaped like the rewards of the run."""
        if not len(self.left):
            self.left = self.rng.permutation(self.data.num_chunks)
        group, self.left = int(self.left[0]), self.left[1:]
        held = self.data.read(group)
        column = self.to_column[held["action"]]
        legal = held["mask"][:, self.actions] != 0
        bad = column < 0
        if bad.any():
            raise DataError(
                f"{self.path}: row group {group}: column action: {held['action'][bad.argmax()]}, allowed is "
                "what this configuration has"
            )
        return {
            "observation": held["observation"], "legal": legal, "column": column,
            "value": held["return"] - np.float32(self.shaping / self.scale) * held["margin"],
            "known": np.full(len(column), self.values),
        }  # fmt: skip

    def state(self) -> dict[str, Array]:
        """What is left of this pass."""
        return {"left": self.left}

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from there."""
        left = state["left"]
        if len(left) and not 0 <= left.min() <= left.max() < self.data.num_chunks:
            raise DataError(
                f"{self.path}: {self.data.num_chunks} row groups, allowed are those of the run's beginning"
            )
        self.left = left
