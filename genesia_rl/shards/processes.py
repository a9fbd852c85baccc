"""Shards on processes of this machine, which write their shards themselves.

Every worker is a pool of one process: if it dies, its shard is known, and only that is done again.
A worker ends with the process that started it, also if that is killed.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

from genesia_rl.shards.cluster import ONE_THREAD
from genesia_rl.shards.job import Job, ShardError, run_shard
from genesia_rl.shards.store import Store

RETRIES = 3  # how often a shard is done again after its worker died

_payload: bytes = b""  # in a worker: what it works on, packed
_mine: tuple[Job, Store] | None = None  # and unpacked, once


def run_processes(
    job: Job,
    store: Store,
    shards: Sequence[int],
    workers: int,
    on_shard: Callable[[int], None],
    stop: Callable[[], bool],
) -> None:
    """Run shards on so many processes; whatever ends this early, finished shards are kept."""
    crew = _Crew(pickle.dumps((job, store)))
    todo, deaths = deque(shards), Counter[int]()
    try:
        while True:
            while todo and crew.busy < workers and not stop():
                crew.start(todo.popleft())
            if not crew.busy:
                break
            for shard, error in crew.finished():
                if isinstance(error, BrokenProcessPool):
                    deaths[shard] += 1
                    _require_patience(shard, deaths[shard])
                    todo.appendleft(shard)
                elif error is not None:
                    raise error from None
                else:
                    on_shard(shard)
    except BaseException:
        crew.drop()
        raise
    crew.dismiss()


def _require_patience(shard: int, deaths: int) -> None:
    if deaths > RETRIES:
        raise ShardError(f"shard {shard}: its worker died {deaths} times (killed, or out of memory?)")


class _Crew:
    """The workers, and what each is at."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.idle: list[_Worker] = []
        self.running: dict[Future[None], tuple[_Worker, int]] = {}

    @property
    def busy(self) -> int:
        """How many workers have a shard."""
        return len(self.running)

    def start(self, shard: int) -> None:
        """Give a shard to an idle worker, or to a new one."""
        while self.idle:
            worker = self.idle.pop()
            with suppress(BrokenProcessPool):  # it may have died since its last shard
                self.running[worker.start(shard)] = worker, shard
                return
            worker.drop()
        worker = _Worker(self.payload)
        self.running[worker.start(shard)] = worker, shard

    def finished(self) -> list[tuple[int, BaseException | None]]:
        """Wait for shards that are done or have failed; a dead worker is replaced when one is needed."""
        done, _ = wait(self.running, return_when=FIRST_COMPLETED)
        found = []
        for future in done:
            worker, shard = self.running.pop(future)
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                worker.drop()
            else:
                self.idle.append(worker)
            found.append((shard, error))
        return sorted(found, key=lambda pair: pair[0])

    def drop(self) -> None:
        """End all workers, whatever they are at."""
        for worker in [*self.idle, *(worker for worker, _ in self.running.values())]:
            worker.drop()

    def dismiss(self) -> None:
        """End workers that have nothing to do."""
        for worker in self.idle:
            worker.dismiss()


class _Worker:
    """A process of its own, on a leash: it ends when this end of the leash is let go."""

    def __init__(self, payload: bytes) -> None:
        context = get_context("spawn")
        theirs, self.leash = context.Pipe(duplex=False)
        self.theirs: Connection | None = theirs
        self.pool = ProcessPoolExecutor(1, context, _begin, (payload, theirs))

    def start(self, shard: int) -> Future[None]:
        """Begin a shard; the first one begins the process."""
        # libraries read it when they are imported: before any of our code, as is Ctrl-C while a process begins
        with _environment(ONE_THREAD), _without_interrupts():
            future = self.pool.submit(_work, shard)
        if self.theirs is not None:
            self.theirs.close()
            self.theirs = None
        return future

    def drop(self) -> None:
        """End it at once."""
        self.leash.close()
        self.pool.shutdown(wait=True, cancel_futures=True)

    def dismiss(self) -> None:
        """End it in peace."""
        self.pool.shutdown(wait=True)
        self.leash.close()


@contextmanager
def _environment(wanted: dict[str, str]) -> Iterator[None]:
    """Variables that processes started meanwhile inherit."""
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C waits until this is over; a process that is started meanwhile never has it: its parent ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(payload: bytes, leash: Connection) -> None:
    """In a new worker: follow the leash, leave Ctrl-C to the parent."""
    global _payload
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow, args=(leash,), daemon=True).start()
    _payload = payload


def _follow(leash: Connection) -> None:
    """Nothing is ever sent: it ends when the parent lets go, or is no more."""
    with suppress(EOFError, OSError):
        leash.recv_bytes()
    os._exit(1)


def _work(shard: int) -> None:
    """In a worker: run a shard and keep it."""
    global _mine
    if _mine is None:  # not when it begins: there an error would look like a death
        _mine = pickle.loads(_payload)
    job, store = _mine
    store.write(shard, run_shard(job, shard))
