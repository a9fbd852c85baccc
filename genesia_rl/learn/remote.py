"""The league's games on other machines: actors of a Ray cluster play them, the learner draws, takes and rates them.

While the learner learns from one update's games, those of the next are played. What it takes is never more than
`max_stale` updates behind; with 0 it waits for all games of its own weights, and a run is that of one machine bit for
bit.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.incremental import Trace
from genesia_rl.core.registry import package_of
from genesia_rl.learn.actor import Setup, made_for
from genesia_rl.learn.crew import Crew, Finished
from genesia_rl.learn.fitting import varied_fields
from genesia_rl.learn.league import SELF
from genesia_rl.learn.members import can_teach
from genesia_rl.learn.settings import Settings
from genesia_rl.learn.whole import Drawn, WholeGames
from genesia_rl.players.incremental import Played, joined
from genesia_rl.shards.cluster import connected, the_ray

Array = npt.NDArray[Any]
WINDOW = 20  # updates over which the share of stale games is told


def check_cluster(settings: Settings) -> None:
    """Refuse a Ray that is not installed or not there, before anything is written."""
    if settings.actors.backend == "ray":
        ray = the_ray()
        if settings.actors.address is not None:
            with connected(ray, settings.actors.address, None):
                pass


class RemoteGames(WholeGames):
    """Whole games, played by a crew while there is one."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.crew: Crew | None = None
        self.asked: dict[int, None] = {}  # numbers of games that were asked for and not yet taken
        self.sent: dict[int, tuple[Any, Any]] = {}  # by place of the pool: weights, and Ray's object of them
        self.counted: deque[tuple[int, int]] = deque(maxlen=WINDOW)  # of each update: games, stale ones
        self.before = (0, 0)  # stale and lost games until the last update
        self.warned = False

    @property
    def ahead(self) -> int:
        """Games that are asked for at a time: this update's and, if they may be behind, those of the next."""
        return self.num_games * (2 if self.settings.actors.max_stale else 1)

    @contextmanager
    def helped(self) -> Iterator[None]:
        """With a crew."""
        ray, actors = the_ray(), self.settings.actors
        with connected(ray, actors.address, actors.number):
            self.crew = Crew(ray, self.setup(), made_for(self.game), actors, self.ahead)
            try:
                yield
            finally:
                self.crew.close()
                self.crew = None
                self.open, self.asked = self.unfinished(), {}
                self.sent.clear()

    def gather(self) -> None:
        """Wait until the first actor has compiled."""
        if self.crew is not None:
            self.crew.gather()

    def setup(self) -> Setup:
        """What actors need to know."""
        s, g = self.settings, self.settings.game
        characters = [code for code in s.league.scripted or [] if can_teach(self.game, code)]
        reward: dict[str, Any] = {"reward": g.reward, "scale": g.scale, "shaping": g.shaping}
        return Setup(
            package_of(g.name), g.name, {**g.config, "players": g.players}, varied_fields(s), s.run.seed,
            self.games.architecture, self.by_number(), characters, reward | {"gamma": s.learner.gamma},
        )  # fmt: skip

    def play(self, newest: dict[str, Array]) -> Played:
        """The games of one update, as they come; rates the opponents."""
        if self.crew is None:
            return super().play(newest)
        start, crew = self.clock.now(), self.crew
        crew.publish(self.now, self._published(crew, newest))
        missing = self.ahead - crew.outstanding()
        if missing > 0:
            games = self.drawn(self.take_numbers(missing))
            self.asked |= dict.fromkeys(games.numbers.tolist())
            crew.ask(games)
        found = crew.take(self.num_games, self.now - self.settings.actors.max_stale)
        start = self.clock.add("waiting", start)
        found.sort(key=lambda bundle: int(bundle.games.numbers[0]))
        played, games = (
            together(found),
            Drawn(*map(np.concatenate, zip(*(bundle.games for bundle in found), strict=True))),
        )
        begun = np.repeat(
            [bundle.version for bundle in found], [len(bundle.games.numbers) for bundle in found]
        )
        for number in games.numbers.tolist():
            del self.asked[number]
        self._tell(crew, self.now - begun)
        played = self.finish(played, games, begun)
        self.clock.add("games", start)
        return played

    def _published(self, crew: Crew, newest: dict[str, Array]) -> list[Any]:
        """Ray's objects of all networks; a former self is put there once."""
        held_by = {place: player.weights for place, player in self.networks.items()} | {SELF: newest}
        held_by |= {
            place: dict(model.weights) for place, model in self.models.items() if place not in self.sent
        }
        for place, held in held_by.items():
            if held is not None and (place not in self.sent or self.sent[place][0] is not held):
                self.sent[place] = held, crew.ray.put(held)
        return [self.sent.get(place, self.sent[SELF])[1] for place in (*self.networks, *self.models)]

    def _tell(self, crew: Crew, behind: Array) -> None:
        """What the log says of the games that were taken; more stale ones than stated are said aloud."""
        (stale, lost), most = (crew.stale - self.before[0], crew.lost - self.before[1]), self.settings.actors
        self.before = crew.stale, crew.lost
        self.counted.append((len(behind), stale))
        games, old = np.sum(self.counted, axis=0)
        share = float(old / (games + old))
        self.told = {
            "actors": crew.alive(), "behind": float(behind.mean()), "stale": stale, "stale_share": share, "lost": lost,
        }  # fmt: skip
        if share > most.most_stale and not self.warned:
            self.warned = True
            print(
                f"{100 * share:.1f} % of the games are stale, more than {most.max_stale} updates behind "
                f"(actors.most_stale is {most.most_stale:g}): raise learner.num_games or actors.max_stale, or leave "
                "out slow nodes",
                flush=True,
            )

    def unfinished(self) -> Array:
        """The numbers of games that are to be played again after a stop."""
        return np.sort(np.array([*self.open.tolist(), *self.asked], np.int64))

    def left_open(self) -> dict[str, Array]:
        """The same, as a checkpoint keeps them."""
        return {"open": self.unfinished()} if len(self.unfinished()) else {}

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from what was kept."""
        super().put_state(state)
        self.asked = {}


def together(bundles: list[Finished]) -> Played:
    """Some bundles as one."""
    sizes = [len(bundle.games.numbers) for bundle in bundles]
    firsts = np.cumsum([0, *sizes[:-1]]).tolist()
    trace = joined([Trace(*bundle.answer[2]) for bundle in bundles], firsts)
    results = np.concatenate([bundle.answer[0] for bundle in bundles])
    return Played(results, sum(bundle.answer[1] for bundle in bundles), trace)
