"""A search guided by a network: redraws of what is hidden, a tree, values instead of playing out.

At the root the likeliest actions (when learning, with Gumbel noise) are tried, and halved again and again:
who is left is tried more, as in Gumbel AlphaZero (Danihelka et al., 2022), which improves a policy even with
few simulations. Before every simulation all that the seat cannot see is drawn anew, the same for all
actions, so that luck does not decide between them. Below the root a simulation goes down a tree of what seats
see (tree.py) to a new node, which the network judges. Everything is done for many games in lockstep: a
round is a few compiled calls and one forward pass.

Networks of `genesia train` foresee what is still paid, with shaping by the running margin. What a game comes
to is that and the margin that was paid already: a value becomes an expected result by adding it. Values of
a league are also too high on average, as the learner mostly wins there: a position would then look better
for the only reason that one is still to act. `Optimism` is what must be taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.alphazero.tree import Trees, likeliest, means, mixed, softmax
from genesia_rl.core import chance
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.players.learned import LearnedPlayer, load_model
from genesia_rl.vector.batch import Batch

Array = npt.NDArray[Any]
Rows = npt.NDArray[np.int64]
#: Observations to the logits of the layout's actions, and values.
Net = Callable[[Array], tuple[Array, Array]]
#: Decisions that count as one stage of a game, and imagined positions in which a value was right.
STAGE, CAUTION = 20, 20.0
#: Whose turn it is in a position: the root's seat's, or the other's.
MINE, THEIRS = 0, 1


class Style(NamedTuple):
    """How a search looks ahead."""

    simulations: int = 16
    considered: int = 4  # actions tried at the root
    width: int = 8  # likeliest actions of a node below it
    depth: int = 16  # decisions after the root's at which a simulation ends at the latest
    sharpness: float = 8.0  # how much a value counts beside a logit


class Found(NamedTuple):
    """What a search found out, a row for each game; columns are places in the layout's actions."""

    column: Rows  # the choice
    policy: npt.NDArray[np.float64]  # [row, column]: the improved policy
    value: npt.NDArray[np.float64]  # the expected result by the improved policy


def plan(simulations: int, actions: int) -> list[tuple[int, int]]:
    """For each round of the halving: how many actions are left, and how often each is tried."""
    rounds = max(1, (actions - 1).bit_length())
    found, left = [], actions
    for _ in range(rounds):
        found.append((left, max(1, simulations // (rounds * left))))
        left = max(2, -(-left // 2))
    return found


class Optimism:
    """By how much values are too high on average, in games against oneself, by the number of decisions taken.

    Whoever is to act wins as often as it loses, so that the mean should be 0. It is noted for positions as
    they are (`MINE`: in a search, the root's seat is to act) and for such in which the seat's cards were
    redrawn as the other sees it (`THEIRS`): with cards that nobody chose one is expected to do worse.
    """

    def __init__(self, game: Game) -> None:
        self.sums = np.zeros((2, game.max_decisions // STAGE + 1))
        self.counts = np.zeros(self.sums.shape)

    def note(self, whose: int, steps: Array, results: Array) -> None:
        """What was expected for those who were to act."""
        np.add.at(self.sums[whose], steps // STAGE, results)
        np.add.at(self.counts[whose], steps // STAGE, 1)

    def fade(self, share: float) -> None:
        """Let what was noted before count less."""
        self.sums *= share
        self.counts *= share

    def of(self, whose: Array | int, steps: Array) -> npt.NDArray[np.float64]:
        """What must be taken off; little where little is known."""
        places = whose, steps // STAGE
        return np.asarray(self.sums[places] / (self.counts[places] + CAUTION))


class Search:
    """Searches for the seats to act in a batch of games of two players."""

    def __init__(
        self, game: Game, net: Net, actions: Array, style: Style, shaping: float, scale: float
    ) -> None:
        if game.num_seats != 2 or not game.is_contest:
            raise ConfigError(f"players = {game.num_seats}, allowed is a contest of 2: values change sides")
        self.game, self.net, self.actions, self.style = game, net, actions, style
        self.shaping, self.scale, self.optimism = shaping, scale, Optimism(game)
        self._room: Batch | None = None

    def __call__(self, decisions: DecisionBatch, noise: Array | None = None) -> Found:
        """Search; `noise` is added to the logits of the root, `[row, column]`."""
        s = self.style
        logits, value = self.judge(decisions.observation, decisions.mask)
        value = value + self.shaping * self._margins(decisions)
        value = value - self.optimism.of(MINE, decisions.steps)
        drawn = logits if noise is None else logits + noise
        best = likeliest(drawn, s.considered)
        start = np.take_along_axis(drawn, best, 1)
        alive = np.isfinite(start)
        visits, total = np.zeros(best.shape, np.int64), np.zeros(best.shape)
        trees = Trees(len(decisions), s.simulations * s.considered, s.width, s.sharpness)
        done = 0
        for left, times in plan(s.simulations, best.shape[1]):
            alive &= _rank(self._score(start, alive, visits, total)) < left
            alive &= alive.sum(1, keepdims=True) > 1  # nothing is left to choose: no more simulations
            row, place = np.nonzero(alive)
            for visit in range(done, done + times if len(row) else done):
                total[row, place] += self._simulate(decisions, trees, row, best[row, place], visit)
                visits[row, place] += 1
            done += times
        tried = visits == visits.max(1, keepdims=True)
        choice = self._score(start, tried & np.isfinite(start), visits, total).argmax(1)
        column = np.take_along_axis(best, choice[:, None], 1)[:, 0]
        return Found(column, *self._improved(logits, value, best, visits, total))

    def _score(self, start: Array, among: Array, visits: Array, total: Array) -> Array:
        return np.where(among, start + self.style.sharpness * means(visits, total), -np.inf)

    def _improved(
        self, logits: Array, value: Array, best: Array, visits: Array, total: Array
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The policy of all actions with the values that were found, and what it is expected to come to."""
        untried = mixed(np.take_along_axis(logits, best, 1), value, visits, total)
        q = np.repeat(untried[:, None], logits.shape[1], 1)
        np.put_along_axis(q, best, np.where(visits > 0, means(visits, total), untried[:, None]), 1)
        policy = softmax(logits + self.style.sharpness * q)
        return policy, (policy * q).sum(1)

    def judge(self, observation: Array, mask: Array) -> tuple[Array, Array]:
        """Logits, of illegal actions minus infinity, and values."""
        logits, value = self.net(observation)
        return np.where(mask[:, self.actions] != 0, logits.astype(np.float64), -np.inf), value

    def _margins(self, decisions: DecisionBatch) -> npt.NDArray[np.float64]:
        """The running public margin of the seats to act, in units of the shaping."""
        seats = decisions.seats.tolist()
        totals = [self.game.public_totals(decisions.states, i) for i in decisions.rows.tolist()]
        return np.array([float(t[k] - t[1 - k]) for k, t in zip(seats, totals, strict=True)]) / self.scale

    def calibrate(self, decisions: DecisionBatch) -> None:
        """Note what is expected in these positions, as they are and as the other seat redraws them."""
        game, rows = self.game, np.arange(len(decisions))
        steps, margins, seats = decisions.steps, self.shaping * self._margins(decisions), decisions.seats
        self.optimism.note(MINE, steps, self.judge(decisions.observation, decisions.mask)[1] + margins)
        room = self._redrawn(decisions, rows, 0, 1 - seats)
        for k, seat in enumerate(seats.tolist()):
            tables = decisions.tables_of(k)
            game.kernels.view(room.states, k, tables, seat, room.mask[k], room.observation[k])
        values = self.judge(room.observation[rows], room.mask[rows])[1]
        self.optimism.note(THEIRS, steps, values + margins)

    # ---- one simulation in each of the rows
    def _simulate(self, decisions: DecisionBatch, trees: Trees, row: Rows, column: Rows, visit: int) -> Array:
        """Redraw, take the root's action, go down the tree; what the root's seat may expect then."""
        room = self._redrawn(decisions, row, visit, decisions.seats[row])
        root, result = room.seat[: len(row)].astype(np.int64), np.zeros(len(row))
        path: list[tuple[Rows, Rows, Rows, Array]] = []
        going = np.arange(len(row))
        room.step_rows(going, self.actions[column])
        for depth in range(self.style.depth + 1):
            over = room.done[going]
            result[going[over]] = _won(room, going[over], root)
            going = going[~over]
            seat = room.seat[going].astype(np.int64)
            side = np.where(seat == root[going], 1.0, -1.0)
            keys = [_key(room, i) for i in going.tolist()]
            node = trees.find(row[going], keys)
            ends = (node < 0) | (depth == self.style.depth)
            whose = np.where(side[ends] > 0, MINE, THEIRS)
            result[going[ends]] = side[ends] * self._leaves(room, trees, row, going[ends], keys, ends, whose)
            going, node = going[~ends], node[~ends]
            if not len(going):
                break
            place = trees.select(row[going], node)
            path.append((going, node, place, side[~ends]))
            room.step_rows(going, self.actions[trees.column[row[going], node, place]])
        for rows, node, place, side in path:
            trees.note(row[rows], node, place, side * result[rows])
        return result

    def _redrawn(self, decisions: DecisionBatch, row: Rows, visit: int, seats: Array) -> Batch:
        """A batch with the games of these rows, all that the seats cannot see drawn anew."""
        room, states = self._room_for(decisions, len(row)), decisions.states
        seeds = chance.keys(decisions.rng_key[row], np.full(len(row), visit))
        for k, place in enumerate(row.tolist()):
            tables, i = decisions.tables_of(place), int(decisions.rows[place])
            self.game.kernels.resample(states, i, room.states, k, tables, int(seats[k]), seeds[k])
        for name, held in (("seat", decisions.seats[row]), ("table", decisions.which[row])):
            room.games[name][: len(row)] = held
        room.games["done"] = 0
        return room

    def _room_for(self, decisions: DecisionBatch, games: int) -> Batch:
        """A batch with room for so many games of these configurations."""
        room = self._room
        if room is None or room.num_games < games or room.tables is not decisions.tables:
            size = 1 << (games - 1).bit_length()
            room = Batch(self.game, size, scale=self.scale, shaping=self.shaping, tables=decisions.tables)
            self._room = room
        return room

    def _leaves(
        self,
        room: Batch,
        trees: Trees,
        row: Rows,
        rows: Rows,
        keys: Sequence[int],
        ends: Array,
        whose: Array,
    ) -> npt.NDArray[np.float64]:
        """New nodes; the results that their own seats may expect."""
        if not len(rows):
            return np.zeros(0)
        logits, value = self.judge(room.observation[rows], room.mask[rows])
        seat = room.seat[rows].astype(np.int64)
        value = value + self.shaping * room.games["potential"][rows, seat]
        value = np.clip(value - self.optimism.of(whose, room.states["steps"][rows]), -1, 1)
        trees.add(row[rows], [key for key, end in zip(keys, ends, strict=True) if end], logits, value)
        return np.asarray(value, np.float64)


def _key(room: Batch, row: int) -> int:
    """What the seat to act sees and may do. Every node has actions of its own: the mask is part of it."""
    return hash((int(room.seat[row]), room.observation[row].tobytes(), room.mask[row].tobytes()))


def _rank(score: Array) -> Array:
    """0 for the greatest of each row."""
    return np.argsort(np.argsort(-score, 1, kind="stable"), 1)


def _won(room: Batch, rows: Rows, root: Rows) -> Array:
    """Results of finished games for the roots' seats: 1, 0, -1."""
    ranks = room.results["ranks"][rows, :2].astype(np.int64)
    mine = np.arange(len(rows)), root[rows]
    return np.asarray(np.sign(ranks.sum(1) - 2 * ranks[mine]))


class GuidedPlayer(Player):
    """A trained network that looks ahead before it chooses."""

    version = 1

    def __init__(self, path: str | None = None, style: Style | None = None) -> None:
        style = style or Style()
        self.name = f"guided{style.simulations}:{path or 'ppo'}"
        self.network, self.style = LearnedPlayer(path), style
        self._made: dict[int, Search] = {}  # by game; a search holds its game, so that the number stays taken

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """The search's choice for each row."""
        game = decisions.game
        if id(game) not in self._made:
            self._made[id(game)] = self._search(game)
        search = self._made[id(game)]
        return np.asarray(search.actions[search(decisions).column])

    def _search(self, game: Game) -> Search:
        net, header = self.network.net(game), load_model(self.network.file(game)).header
        search = Search(game, net, net.actions, self.style, *shaping_of(header, game))
        calibrate(search)
        return search


def calibrate(search: Search, games: int = 64) -> None:
    """Find out how optimistic the values are, in games of the network against itself."""
    batch = Batch(search.game, games)
    batch.reset(0)
    over = np.zeros(games, np.bool_)
    while not over.all():
        search.calibrate(batch.decisions(np.flatnonzero(~over)))
        logits, _ = search.judge(batch.observation, batch.mask)
        batch.step(search.actions[logits.argmax(1)])
        over |= batch.done


def shaping_of(header: dict[str, Any], game: Game) -> tuple[float, float]:
    """The weight of shaping that a model was trained with, and the points that count as 1."""
    settings = header["card"].get("settings", {}).get("game", {})
    return float(settings.get("shaping", 0.0)), float(settings.get("scale", game.facts.score_scale))
