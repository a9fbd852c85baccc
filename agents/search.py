"""`mcts:400` or `mcts:50ms`: information-set Monte Carlo tree search with the heuristic inside.

Every simulation draws anew what the seat cannot see (`resample_hidden`), so the tree averages over what
may be. Nodes are what one seat has seen happen: choices made at once (draft, stances) stay hidden from the
others in the tree as well. Each seat maximises its own value, in teams that of its team, so it plays with
2 to 5 players and in the solo mode. The heuristic of `greedy` says which actions look good at first and
plays each simulated game out to its end, which takes about a quarter of a millisecond.

A budget is a number of simulations a decision, or milliseconds. `trees` grows several trees, each with its
part of the budget, and adds up their visits. `threads` search at once, for several games or for the trees of
one; a result depends on simulations, trees and salt, never on the threads.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.heuristic.choose import MOST_ACTIONS
from agents.heuristic.plan import characters
from agents.scripted import ScriptedAgent
from agents.tree import entries
from agents.tree.arena import STYLE, Tree, new_tree
from genesia_rl.contract import RESULT, Game, States
from genesia_rl.errors import ConfigError
from genesia_rl.seen import Seen, salts

#: How a search weighs and explores.
STYLE_DEFAULTS: dict[str, float] = {
    "explore": 0.5,  # how much the bonus for the little explored counts
    "temperature": 1.5,  # points by which an action must look better to be e times as likely at first
    "spread": 40.0,  # points of a lead that count as a lot
    "win": 0.5,  # how much winning counts beside the lead
    "par": 90.0,  # solo: the score that counts as nothing gained
}
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


class SearchAgent(ScriptedAgent):
    """Looks ahead through what may be."""

    version = 3

    def __init__(
        self,
        budget: str = "400",
        trees: int = 1,
        threads: int = 1,
        **style: float,
    ) -> None:
        super().__init__(f"mcts:{budget}", characters()["greedy"])
        if unknown := set(style) - set(STYLE_DEFAULTS):
            allowed = ", ".join(STYLE_DEFAULTS)
            raise ConfigError(f"search: unknown setting {sorted(unknown)[0]!r}, allowed are {allowed}")
        if trees < 1 or threads < 1:
            raise ConfigError(f"trees = {trees!r}, threads = {threads!r}, allowed are numbers above 0")
        self.budget = parse_budget(budget)
        self.trees, self.threads = trees, threads
        self._style = np.zeros(1, STYLE)
        for name, value in {**STYLE_DEFAULTS, **style}.items():
            self._style[0][name] = value
        self._memory: dict[tuple[int, int], list[tuple[Tree, States]]] = {}

    def act_batch(self, seen: Seen) -> npt.NDArray[np.int64]:
        """The action with most visits, for each row."""
        rows = range(len(seen))
        self.plan(seen.game)  # made before threads ask for it
        if self.threads == 1 or len(seen) == 1:
            return np.array([self._choose(seen.part(np.array([k])), 0, self.threads) for k in rows], np.int64)
        actions = np.zeros(len(seen), np.int64)

        def work(worker: int) -> None:
            for k in rows[worker :: self.threads]:
                actions[k] = self._choose(seen.part(np.array([k])), worker, 1)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, range(self.threads)))
        return actions

    def _choose(self, seen: Seen, worker: int, threads: int) -> int:
        game = seen.game
        return game.to_view(
            game.seat(seen.states, int(seen.rows[0])), self._search(seen, worker, threads)[0].action
        )

    def search(self, seen: Seen) -> list[Tried]:
        """For one game: what was found out about each legal action, most visits first.

        Of equal visits the better comes first, of equal values the first in the seat's own numbering.
        """
        return self._search(seen, 0, self.threads)

    def _search(self, seen: Seen, worker: int, threads: int) -> list[Tried]:
        memory = self._room(seen.game, worker)
        seeds = salts(np.repeat(seen.salt[:1], self.trees), np.arange(self.trees))
        if threads == 1 or self.trees == 1:
            for k in range(self.trees):
                self._grow(seen, 1, *memory[k], seeds[k])
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda k: self._grow(seen, threads, *memory[k], seeds[k]), range(self.trees)))
        game, seat = seen.game, seen.game.seat(seen.states, int(seen.rows[0]))
        found = _together(_root(tree) for tree, _ in memory)
        return sorted(found, key=lambda t: (-t.visits, -round(t.value, 9), game.to_view(seat, t.action)))

    def _room(self, game: Game, worker: int) -> list[tuple[Tree, States]]:
        """The memory of a worker's trees, kept from decision to decision."""
        key = id(game), worker
        if key not in self._memory:
            self.plan(game)  # holds the game, so that no other one gets its number
            size = min(self.budget.simulations, MOST_NODES)
            trees = [(new_tree(size, MOST_ACTIONS), game.new_states(2)) for _ in range(self.trees)]
            self._memory[key] = trees
        return self._memory[key]

    def play(self, game: Game, seeds: npt.NDArray[np.uint64], seats: npt.NDArray[np.int64]) -> Any:
        """Whole games against `greedy` on all other seats, in one compiled call; a row of results each."""
        results = np.zeros(len(seeds), RESULT)
        tree = new_tree(self.budget.simulations, MOST_ACTIONS)
        entries.play_searching(
            game.new_states(2), game.tables, seeds, seats, self.plan(game)[0], self._style,
            self.budget.simulations, *tree, game.new_states(2), results,
        )  # fmt: skip
        return results

    def _grow(self, seen: Seen, threads: int, tree: Tree, games: States, seed: Any) -> None:
        """A tree with its part of the budget."""
        in_turn = -(-self.trees // min(threads, self.trees))
        end = time.perf_counter() + self.budget.seconds / in_turn
        left, fresh = -(-self.budget.simulations // self.trees), True
        while left > 0:
            number = min(left, CHUNK) if self.budget.seconds else left
            entries.grow(
                seen.states, int(seen.rows[0]), seen.game.tables, self.plan(seen.game)[0], self._style,
                *tree, games, seed, number, fresh,
            )  # fmt: skip
            left, fresh = left - number, False
            if self.budget.seconds and time.perf_counter() >= end:
                return

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_memory": {}}


def _root(tree: Tree) -> list[Tried]:
    """The edges of the root."""
    found, edge = [], int(tree.nodes[0]["first"])
    while edge >= 0:
        e = tree.edges[edge]
        visits = int(e["visits"])
        found.append(Tried(int(e["action"]), visits, float(e["total"]) / max(1, visits), float(e["score"])))
        edge = int(e["next"])
    return found


def _together(roots: Iterable[list[Tried]]) -> list[Tried]:
    """The visits of several trees added up."""
    sums: dict[int, Tried] = {}
    for root in roots:
        for tried in root:
            old = sums.get(tried.action, Tried(tried.action, 0, 0.0, tried.score))
            visits = old.visits + tried.visits
            value = (old.value * old.visits + tried.value * tried.visits) / max(1, visits)
            sums[tried.action] = Tried(tried.action, visits, value, tried.score)
    return list(sums.values())
