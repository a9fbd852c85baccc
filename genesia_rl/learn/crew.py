"""Actors on the nodes of a Ray cluster, fed from a thread of the learner's process.

Games stand in one queue. Every actor has two bundles of them at a time, one that it plays and one that waits, each with
the weights that were the newest when it was sent. What an actor that is lost had not finished goes back to the head of
the queue, and another one is hired for it.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.learn.actor import Actor, Answer, Setup
from genesia_rl.learn.whole import Drawn
from genesia_rl.shards.cluster import environment

BUNDLES = 2  # of an actor at a time
POLL, LOOK, REST = 0.05, 5.0, 1.0  # seconds between looks at results, at the cluster's size, after a death
DEATHS = 10  # of actors, one after another, without any game between them


class Finished(NamedTuple):
    """A bundle that was played, and the number of the update whose weights played it."""

    games: Drawn
    version: int
    answer: Answer


@dataclass
class Member:
    """An actor."""

    handle: Any
    size: int  # games of a bundle
    waited: dict[Any, str]  # by what it was asked: `here` or `begin`
    name: str = ""  # where it is, once that is known
    is_ready: bool = False
    bundles: dict[Any, tuple[Drawn, int]] = field(default_factory=dict)


class Crew:
    """Actors, the games that they are asked for, and those that have come back."""

    def __init__(self, ray: Any, setup: Setup, made_for: dict[str, Any], settings: Any, most: int) -> None:
        self.ray, self.made_for, self.settings = ray, made_for, settings
        self.most = most  # games that are asked for at a time, by all
        self.setup = ray.put(setup)
        self.remote = ray.remote(num_cpus=1, max_restarts=0, runtime_env=environment())(Actor)
        self.members: list[Member] = []
        self.todo: deque[Drawn] = deque()
        self.back: deque[Finished] = deque()
        self.version, self.weights = 0, list[Any]()
        self.lost = self.stale = 0  # games, so far
        self.deaths, self.reason = 0, "none has begun"
        self.error: Exception | None = None
        self.wanted = settings.number or 0
        self.over, self.looked, self.rested, self.seen = False, 0.0, 0.0, time.monotonic()
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self._work, name="crew", daemon=True)
        self.thread.start()

    # ---- what the learner does
    def publish(self, version: int, weights: list[Any]) -> None:
        """From now on games are played with these weights: Ray's objects, the newest network's first."""
        with self.changed:
            self.version, self.weights = version, weights

    def ask(self, games: Drawn) -> None:
        """More games to be played."""
        with self.changed:
            self.todo.append(games)

    def outstanding(self) -> int:
        """Games that were asked for and not yet taken."""
        with self.changed:
            sent = [games for member in self.members for games, _ in member.bundles.values()]
            held = [*self.todo, *sent, *(bundle.games for bundle in self.back)]
            return sum(len(games.numbers) for games in held)

    def alive(self) -> int:
        """Actors that play."""
        with self.changed:
            return sum(member.is_ready for member in self.members)

    def gather(self) -> None:
        """Wait until somebody plays."""
        with self.changed:
            while not any(member.is_ready for member in self.members):
                if self.error is not None:
                    raise self.error
                self.changed.wait(POLL)

    def take(self, games: int, oldest: int) -> list[Finished]:
        """At least so many games, none with weights before version `oldest`; waits until they are there."""
        found, count = list[Finished](), 0
        with self.changed:
            while True:
                while self.back and count < games:
                    bundle = self.back.popleft()
                    if bundle.version < oldest:
                        self.stale += len(bundle.games.numbers)
                        self.todo.appendleft(bundle.games)
                    else:
                        found.append(bundle)
                        count += len(bundle.games.numbers)
                if count >= games:
                    return found
                if self.error is not None:
                    raise self.error
                self.changed.wait(POLL)

    def close(self) -> None:
        """Let all of them go."""
        self.over = True
        self.thread.join()
        for member in self.members:
            self._dismiss(member)

    # ---- what the thread does
    def _work(self) -> None:
        try:
            while not self.over:
                self._hire()
                self._send()
                self._receive()
        except (
            self.ray.exceptions.RayTaskError
        ) as error:  # of the actor's own: first, as it is also what it tells of
            self.error = error.cause if isinstance(error.cause, Exception) else error
        except GenesiaError as error:
            self.error = error
        except self.ray.exceptions.RayError as error:
            self.error = ConfigError(f"{self._where()}: {_line(error)}, allowed is a Ray that runs")
        except Exception as error:  # whatever it is, the learner must not wait for ever
            self.error = error
        with self.changed:
            self.changed.notify_all()

    def _where(self) -> str:
        return f"actors.address = {self.settings.address!r}"

    def _hire(self) -> None:
        """As many as are wanted: without a number, one for each core that the cluster has now."""
        now = time.monotonic()
        if self.settings.number is None and now - self.looked > LOOK:
            self.looked, self.wanted = now, max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        if now > self.rested and len(self.members) < self.wanted:
            size = max(1, min(self.settings.games, self.most // (BUNDLES * self.wanted)))
            while len(self.members) < self.wanted:
                handle = self.remote.remote()
                waited = {handle.here.remote(): "here", handle.begin.remote(self.setup): "begin"}
                with self.changed:
                    self.members.append(Member(handle, size, waited))
        if any(member.name for member in self.members):
            self.seen = now
        elif now - self.seen > self.settings.patience:
            raise ConfigError(
                f"{self._where()}: no actor for {self.settings.patience:g} s ({self.reason}), "
                "allowed is a Ray with a core that is free"
            )

    def _send(self) -> None:
        """Bundles for all who have room for one."""
        with self.changed:
            for member in self.members:
                while member.is_ready and len(member.bundles) < BUNDLES and self.todo and self.weights:
                    games = self._bundle(member.size)
                    asked = games.seeds, games.seated, games.learns, games.which
                    ref = member.handle.play.remote(self.weights, *asked)
                    member.bundles[ref] = games, self.version

    def _bundle(self, size: int) -> Drawn:
        """The next games of the queue: consecutive ones."""
        games = self.todo.popleft()
        if len(games.numbers) > size:
            self.todo.appendleft(games.part(slice(size, None)))
        return games.part(slice(0, size))

    def _receive(self) -> None:
        """What has come since; waits a little for it."""
        asked = [ref for member in self.members for ref in (*member.waited, *member.bundles)]
        if not asked:
            time.sleep(POLL)
            return
        ready, _ = self.ray.wait(asked, num_returns=1, timeout=POLL)
        for ref in ready:
            member = next(held for held in self.members if ref in held.waited or ref in held.bundles)
            try:
                found = self.ray.get(ref)
            except self.ray.exceptions.RayTaskError:
                raise
            except self.ray.exceptions.RayError as error:
                self._lose(member, error)
            else:
                self._keep(member, ref, found)

    def _keep(self, member: Member, ref: Any, found: Any) -> None:
        """An answer."""
        if member.waited.pop(ref, None) == "here":
            member.name = found
        elif ref not in member.bundles:
            if found != self.made_for:
                raise ConfigError(f"{self._where()}: a node has {found}, allowed is {self.made_for}")
            member.is_ready = True
        else:
            results, decisions, trace = found
            answer = (
                results.copy(),
                decisions,
                tuple(held.copy() for held in trace),
            )  # Ray's memory is free again
            with self.changed:
                games, version = member.bundles.pop(ref)
                self.back.append(Finished(games, version, answer))
                self._judge(member, version)
                self.changed.notify_all()
            self.deaths = 0

    def _judge(self, member: Member, version: int) -> None:
        """Who is late is asked for less at a time."""
        late = self.version - version > self.settings.max_stale
        usual = max(1, min(self.settings.games, self.most // (BUNDLES * max(1, self.wanted))))
        member.size = max(1, member.size // 2) if late else min(usual, 2 * member.size)

    def _lose(self, member: Member, error: Exception) -> None:
        """Ask others for what it had not finished; too many deaths without a game between them end the run."""
        unfinished = [games for games, _ in member.bundles.values()]
        count = sum(len(games.numbers) for games in unfinished)
        with self.changed:
            self.members.remove(member)
            self.todo.extendleft(reversed(unfinished))
            self.lost += count
        self._dismiss(member)
        if member.name:
            print(f"lost the actor {member.name}: {count} games of it are asked of others", flush=True)
        self.deaths, self.reason = self.deaths + 1, _line(error)
        self.rested = time.monotonic() + REST
        if self.deaths >= DEATHS:
            raise ConfigError(
                f"{self._where()}: {DEATHS} actors died one after another ({self.reason}), allowed are nodes that "
                "have the project and memory for it"
            )

    def _dismiss(self, member: Member) -> None:
        with suppress(Exception):  # it may be gone, and so may the cluster
            self.ray.kill(member.handle)


def _line(error: Exception) -> str:
    """What an error says, as one line: of a traceback what it ends with."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
    said = lines[-1] if any(line.startswith("Traceback") for line in lines) else lines[0]
    return f"{type(error).__name__}: {said[:200]}"
