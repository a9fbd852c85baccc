"""`mcts:400` or `mcts:50ms`: information-set Monte Carlo tree search with the game's mind inside.

Every simulation draws anew what the seat cannot see (the kernel `resample`), so the tree averages over what
may be. Nodes are what one seat has seen happen: choices made at once stay hidden from the
others in the tree as well. Each seat maximises its own value, in teams that of its team, so it plays with any
number of players and where all play together. The first character of the game's mind says which actions look
good at first and plays each simulated game out to its end; without characters any action may be the best.

A budget is a number of simulations a decision, or milliseconds. `trees` grows several trees, each with its
part of the budget, and adds up their visits. `threads` search at once, for several games or for the trees of
one; a result depends on simulations, trees and keys, never on the threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core import chance
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game, States
from genesia_rl.core.mind import Mind
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.rewards import make_settings
from genesia_rl.core.tree import STYLE, Tree, new_tree
from genesia_rl.players.scripted import Thinker

#: How a search weighs and explores.
STYLE_DEFAULTS: dict[str, float] = {
    "explore": 0.5,  # how much the bonus for the little explored counts
    "temperature": 1.5,  # points by which an action must look better to be e times as likely at first
    "win": 0.5,  # how much winning counts beside the lead
}
#: What the game's mind says if it is not given: points of a lead that count as a lot; in a joint game, the
#: score that counts as nothing gained.
OF_THE_MIND = ("spread", "par")
MOST_SIMULATIONS = 200_000
MOST_NODES = 20_000  # of a tree; further simulations play out from its leaves
CHUNK = 8  # simulations between two looks at the clock


class Budget(NamedTuple):
    """What a decision may cost."""

    simulations: int
    seconds: float  # 0: no limit but the simulations


def parse_budget(text: str) -> Budget:
    """`400` simulations, or `50ms`."""
    number, unit = (text[:-2], "ms") if text.endswith("ms") else (text, "")
    most = 600_000 if unit else MOST_SIMULATIONS
    if not number.isascii() or not number.isdigit() or not 1 <= int(number) <= most:
        raise ConfigError(f"budget {text!r}: allowed are 1..{MOST_SIMULATIONS} simulations, or 1ms..600000ms")
    return Budget(MOST_SIMULATIONS, int(number) / 1000) if unit else Budget(int(number), 0.0)


class Tried(NamedTuple):
    """What a search found out about one action."""

    action: int  # absolute
    visits: int
    value: float  # mean; higher is better for the seat
    score: float  # of the heuristic, in points


class Memory(NamedTuple):
    """What one tree grows in: its arrays, two states to work on, and whatever else a search needs."""

    tree: Tree
    games: States
    more: Any = None


class SearchPlayer(Thinker):
    """Looks ahead through what may be."""

    version = 3
    code, chunk = "mcts", CHUNK
    defaults: Mapping[str, float] = STYLE_DEFAULTS  # of the style
    further: tuple[str, ...] = OF_THE_MIND  # names of it that have no value unless they are given

    def __init__(
        self,
        budget: str = "400",
        trees: int = 1,
        threads: int = 1,
        **style: float,
    ) -> None:
        super().__init__()
        self.name = f"{self.code}:{budget}"
        if unknown := set(style) - {*self.defaults, *self.further}:
            allowed = ", ".join((*self.defaults, *self.further))
            raise ConfigError(f"search: unknown setting {sorted(unknown)[0]!r}, allowed are {allowed}")
        if trees < 1 or threads < 1:
            raise ConfigError(f"trees = {trees!r}, threads = {threads!r}, allowed are numbers above 0")
        self.budget = parse_budget(budget)
        self.trees, self.threads = trees, threads
        self._style = {**self.defaults, **style}
        self._memory: dict[tuple[int, int], list[Memory]] = {}

    def weights_for(self, mind: Mind, game: Game) -> Mapping[str, Any]:
        """Those of the character that the mind names first, if it has any."""
        return mind.weights()[next(iter(mind.characters))] if mind.characters else {}

    def style(self, mind: Mind) -> Any:
        """How this search weighs and explores in a game, as one record."""
        style = np.zeros(1, STYLE)
        for name, value in {"spread": mind.spread, "par": mind.par, **self._style}.items():
            style[0][name] = value
        return style

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """The action with most visits, for each row."""
        game, seats, found = decisions.game, decisions.seats.tolist(), self.searches(decisions)
        best = [min(tried, key=_order(game, seat)) for tried, seat in zip(found, seats, strict=True)]
        return np.array([game.to_view(s, one.action) for s, one in zip(seats, best, strict=True)], np.int64)

    def search(self, decisions: DecisionBatch) -> list[Tried]:
        """For one game: what was found out about each legal action, most visits first.

        Of equal visits the better comes first, of equal values the first in the seat's own numbering.
        """
        seat = decisions.game.seat(decisions.states, int(decisions.rows[0]))
        return sorted(self._search(decisions, 0, self.threads), key=_order(decisions.game, seat))

    def searches(self, decisions: DecisionBatch) -> list[list[Tried]]:
        """For each row what was found out about each legal action, in no order."""
        rows, found = range(len(decisions)), list[list[Tried]]([[]] * len(decisions))
        self.room(decisions.game)  # made before threads ask for it
        if self.threads == 1 or len(rows) == 1:
            return [self._search(decisions.part(np.array([k])), 0, self.threads) for k in rows]

        def work(worker: int) -> None:
            for k in rows[worker :: self.threads]:
                found[k] = self._search(decisions.part(np.array([k])), worker, 1)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(self.threads)))
        return found

    def _search(self, decisions: DecisionBatch, worker: int, threads: int) -> list[Tried]:
        memory = self._room(decisions.game, worker)
        seeds = chance.keys(np.repeat(decisions.rng_key[:1], self.trees), np.arange(self.trees))
        if threads == 1 or self.trees == 1:
            for k in range(self.trees):
                self._grow(decisions, 1, memory[k], seeds[k])
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(
                    pool.map(lambda k: self._grow(decisions, threads, memory[k], seeds[k]), range(self.trees))
                )
        return _together([_root(own.tree) for own in memory])

    def _room(self, game: Game, worker: int) -> list[Memory]:
        """The memory of a worker's trees, kept from decision to decision."""
        key = id(game), worker
        if key not in self._memory:
            self.room(game)  # holds the game, so that no other one gets its number
            size = min(self.budget.simulations, MOST_NODES)
            self._memory[key] = [self._new_memory(game, size) for _ in range(self.trees)]
        return self._memory[key]

    def _new_memory(self, game: Game, size: int) -> Memory:
        """For a tree of so many simulations."""
        return Memory(new_tree(game.facts, size, self.room(game).mind.most_actions), game.new_states(2))

    def play(self, game: Game, seeds: npt.NDArray[np.uint64], seats: npt.NDArray[np.int64]) -> Any:
        """Whole games against `greedy` on all other seats, in one compiled call; a row of results each."""
        results, room = np.zeros(len(seeds), game.facts.result_dtype), self.room(game)
        tree = new_tree(game.facts, self.budget.simulations, room.mind.most_actions)
        room.mind.search.play_searching(
            game.new_states(2), game.tables, seeds, seats, room.plan, make_settings(game), self.style(room.mind),
            self.budget.simulations, *tree, game.new_states(2), results,
        )  # fmt: skip
        return results

    def _grow(self, decisions: DecisionBatch, threads: int, memory: Memory, seed: Any) -> None:
        """A tree with its part of the budget."""
        in_turn = -(-self.trees // min(threads, self.trees))
        end = time.perf_counter() + self.budget.seconds / in_turn
        left, fresh = -(-self.budget.simulations // self.trees), True
        simulate = self._simulations(decisions, memory, seed)
        while left > 0:
            number = min(left, self.chunk) if self.budget.seconds else left
            simulate(number, fresh)
            left, fresh = left - number, False
            if self.budget.seconds and time.perf_counter() >= end:
                return

    def _simulations(
        self, decisions: DecisionBatch, memory: Memory, seed: Any
    ) -> Callable[[int, bool], object]:
        """What makes so many simulations, in an empty tree if it is fresh."""
        room, game = self.room(decisions.game), decisions.game
        settings, style, row = make_settings(game), self.style(room.mind), int(decisions.rows[0])
        tables = decisions.tables_of(0)
        return lambda number, fresh: room.mind.search.grow(
            decisions.states, row, tables, room.plan, settings, style, *memory.tree, memory.games, seed, number,
            fresh,
        )  # fmt: skip

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_memory": {}}


def _order(game: Game, seat: int) -> Callable[[Tried], tuple[int, float, int]]:
    """The best first: of what a seat tried in a game."""
    return lambda tried: (-tried.visits, -round(tried.value, 9), game.to_view(seat, tried.action))


def _root(tree: Tree) -> list[Tried]:
    """The edges of the root."""
    places, following = [], tree.edges["next"]
    edge = int(tree.nodes[0]["first"])
    while edge >= 0:
        places.append(edge)
        edge = int(following[edge])
    held = tree.edges[places]
    value = held["total"] / np.maximum(1, held["visits"])
    columns = held["action"], held["visits"], value, held["score"]
    return [Tried(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _together(roots: Sequence[list[Tried]]) -> list[Tried]:
    """The visits of several trees added up."""
    if len(roots) == 1:
        return roots[0]
    sums: dict[int, Tried] = {}
    for root in roots:
        for tried in root:
            old = sums.get(tried.action, Tried(tried.action, 0, 0.0, tried.score))
            visits = old.visits + tried.visits
            value = (old.value * old.visits + tried.value * tried.visits) / max(1, visits)
            sums[tried.action] = Tried(tried.action, visits, value, tried.score)
    return list(sums.values())
