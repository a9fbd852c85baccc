"""Games of a network with a search inside, written down as traces: what expert iteration learns from.

Games are played side by side: the searches are compiled (players/guided.py), one for each decision. A share of the
decisions is searched fully, and only what these find is to be chosen (*playout cap randomisation*); cheap searches
and the network alone play the others, so that there are more games and more results for the value. A network sees
what its seat sees: the search draws anew whatever that is not, and nothing of what it drew is written down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import DataError
from genesia_rl.core.game import Game
from genesia_rl.core.incremental import ROW, SEGMENT, Inputs, Trace
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.learn.league import SELF, Clock, Pool
from genesia_rl.learn.settings import Settings
from genesia_rl.learn.sparse import Shares, returns
from genesia_rl.learn.whole import WholeGames, pay_margins, seeds_of
from genesia_rl.players.guided import GuidedPlayer, guide_of
from genesia_rl.players.incremental import CompiledNet, Played, joined, new_trace
from genesia_rl.players.networks import Layout, draw
from genesia_rl.players.random import RandomPlayer
from genesia_rl.players.scripted import ScriptedPlayer
from genesia_rl.players.search import Tried
from genesia_rl.vector.batch import Batch

Array = npt.NDArray[Any]
#: Random streams of a decision besides the search's own: is it searched fully, which action is played.
FULLY, PLAYED = 1, 2
BLOCK = 1024  # observations that are compared at once


class Searched(NamedTuple):
    """Decisions, what is to be chosen in those that were searched fully, and what each came to."""

    trace: Trace
    shares: Shares
    goal: npt.NDArray[np.float32]

    def arrays(self) -> dict[str, Array]:
        """All of it by name, for a checkpoint."""
        return {**self.trace._asdict(), **self.shares._asdict(), "goal": self.goal}

    @classmethod
    def empty(cls, traits: int) -> Searched:
        """No decision at all."""
        numbers, weight = np.zeros(0, np.int32), np.zeros(0, np.float32)
        shares = Shares(np.zeros(0, np.int64), numbers, numbers, weight)
        return cls(new_trace(0, 0, 0, traits), shares, np.zeros(0, np.float32))

    @classmethod
    def of_arrays(cls, held: dict[str, Array], inputs: int, actions: int) -> Searched:
        """The same from a checkpoint; what compiled code could not read is refused."""
        given = {**held, "rows": np.ascontiguousarray(held["rows"]).view(ROW).reshape(-1)}
        made = cls(
            Trace(*(given[name] for name in Trace._fields)),
            Shares(*(given[name] for name in Shares._fields)), given["goal"],
        )  # fmt: skip
        _check(made, inputs, actions)
        return made


def _check(held: Searched, inputs: int, actions: int) -> None:
    """Does everything that is named exist?"""
    rows, trace, shares = held.trace.rows, held.trace, held.shares
    spans = (
        (rows["entry"], rows["num_entries"], len(trace.entry_rows)),
        (rows["legal"], rows["num_legal"], len(trace.legal)),
        (shares.first, shares.number, len(shares.place)),
    )
    good = len(shares.number) == len(shares.first) == len(held.goal) == len(rows) > 0
    good &= len(trace.entry_by) == len(trace.entry_rows) and len(trace.traits) == len(trace.legal)
    good &= len(shares.weight) == len(shares.place)
    for first, count, size in spans:
        good = good and bool((first >= 0).all() and (count >= 0).all() and (first + count <= size).all())
    for numbers, most in ((trace.entry_rows, inputs), (trace.legal, actions)):
        good = good and (not len(numbers) or bool(0 <= numbers.min() <= numbers.max() < most))
    if good:
        owner = np.repeat(np.arange(len(rows)), shares.number)
        good = bool((rows["chosen"] < rows["num_legal"]).all() and (rows["chosen"] >= 0).all())
        good = good and len(owner) == len(shares.place)
        good = good and bool(((shares.place >= 0) & (shares.place < rows["num_legal"][owner])).all())
    if not good:
        raise DataError("replay: names what is not there, allowed is what a run has kept")


def together(parts: Sequence[Searched], games: int) -> Searched:
    """Several updates of so many games each as one."""
    shares, starts = [part.shares for part in parts], np.cumsum([0, *(len(p.shares.place) for p in parts)])
    first = np.concatenate([own.first + start for own, start in zip(shares, starts, strict=False)])
    rest = (np.concatenate([getattr(own, name) for own in shares]) for name in Shares._fields[1:])
    trace = joined([part.trace for part in parts], [k * games for k in range(len(parts))])
    return Searched(trace, Shares(first, *rest), np.concatenate([part.goal for part in parts]))


# ---------------------------------------------------------------- one decision


class Note(NamedTuple):
    """Decisions that were taken at once, a row each, as they are written down."""

    game: Array
    seat: Array
    observation: Array
    legal: npt.NDArray[np.bool_]  # [row, column]
    traits: Array  # [legal action of all rows, trait]
    column: Array  # of what was played
    value: Array  # what the decision was thought worth, without what is paid already
    shares: Array  # [row, column]: nothing where it was not searched fully


class Searcher:
    """Chooses for the newest self: by full and cheap searches, and by the network alone."""

    def __init__(self, settings: Settings, game: Game, layout: Layout, guided: Array) -> None:
        self.s, self.game, self.layout, self.guided = settings.expert, game, layout, guided
        self.architecture, self.margin = settings.network.architecture(), settings.game.margin or 0.0
        style: dict[str, Any] = {"explore": self.s.explore, "temperature": self.s.spread}
        threads = settings.learner.threads or 1
        self.full = GuidedPlayer(str(self.s.full), threads=threads, **style)
        self.cheap = GuidedPlayer(str(self.s.cheap), threads=threads, **style) if self.s.cheap else None
        column = {int(action): k for k, action in enumerate(layout.actions)}
        self.columns = np.array(
            [
                [column.get(game.to_view(seat, action), -1) for action in range(game.num_actions)]
                for seat in range(game.num_seats)
            ]
        )

    def put_weights(self, weights: dict[str, Array]) -> None:
        """The network as it is now."""
        self.net = CompiledNet(self.game, self.architecture, self.layout, weights)
        guide = guide_of(self.game, self.architecture, self.layout, weights, self.guided, self.margin)
        for player in filter(None, (self.full, self.cheap)):
            player.put_guide(guide)

    def choose(self, decisions: DecisionBatch, paid: Array) -> Note:
        """A decision for each row; `paid` is what shaping has paid the acting seat so far."""
        legal, traits = decisions.mask[:, self.layout.actions] != 0, self.net.seen(decisions)
        logits, value = self.net(decisions.observation, legal, traits)
        uniform, shares = decisions.uniform(PLAYED), np.zeros(legal.shape, np.float32)
        column = draw(logits, legal, uniform)
        fully = decisions.uniform(FULLY) < self.s.share
        open_ones = legal.sum(1) > 1
        for player, rows in ((self.full, open_ones & fully), (self.cheap, open_ones & ~fully)):
            at = np.flatnonzero(rows)
            if player is None or not len(at):
                continue
            part = decisions.part(at)
            found = [self._found(*each) for each in zip(player.searches(part), part.seats, strict=True)]
            visited = np.array([visits for visits, _ in found])
            value[at] = np.array([worth for _, worth in found]) - paid[at]
            column[at] = self._drawn(visited, uniform[at])
            if player is self.full:
                shares[at] = visited / visited.sum(1, keepdims=True)
        return Note(
            decisions.rows.copy(), decisions.seats, decisions.observation, legal, traits[legal], column, value,
            shares,
        )  # fmt: skip

    def _found(self, tried: list[Tried], seat: int) -> tuple[Array, float]:
        """Visits by column, and the mean of what they came to."""
        visits = np.zeros(len(self.layout.actions))
        visits[self.columns[seat, [each.action for each in tried]]] = [each.visits for each in tried]
        return visits, sum(each.visits * each.value for each in tried) / visits.sum()

    def _drawn(self, visited: Array, uniform: Array) -> Array:
        """An action drawn by its visits."""
        if self.s.temperature == 0:
            return np.asarray(visited.argmax(1))
        with np.errstate(divide="ignore"):
            logits = np.log(visited / visited.max(1, keepdims=True)) / self.s.temperature
        return draw(logits, visited > 0, uniform)


class FormerSelf(Player):
    """A network that draws from its policy."""

    name, version = "former self", 1

    def __init__(self, net: CompiledNet) -> None:
        self.net = net

    def act_batch(self, decisions: DecisionBatch) -> Array:
        """An action for each row."""
        actions = self.net.actions
        legal = decisions.mask[:, actions] != 0
        logits, _ = self.net(decisions.observation, legal, self.net.seen(decisions))
        return np.asarray(actions[draw(logits, legal, decisions.uniform())])


# ---------------------------------------------------------------- whole games


class SearchedGames(WholeGames):
    """The league's games, in which the newest self searches."""

    def __init__(self, settings: Settings, game: Game, layout: Layout, pool: Pool, clock: Clock) -> None:
        super().__init__(settings, game, layout, pool, clock)
        g, self.layout = settings.game, layout
        self.batch = Batch(
            game, self.num_games, g.reward, g.scale, g.shaping, settings.learner.gamma,
            tables=self.rotation.tables,
        )  # fmt: skip
        self.searcher = Searcher(settings, game, layout, self.games.settings)
        self.others: dict[int, Player] = {}

    def search(self, newest: dict[str, Array]) -> Searched:
        """The games of one update; rates the opponents."""
        start, numbers = self.clock.now(), self.take_numbers(self.num_games)
        lineup, own, others = self.lineups(numbers)
        self._sit_down(newest)
        self.batch.next_table[:] = self.rotation.order[numbers % len(self.rotation.order)]
        self.batch.reset(seeds_of(self.settings.run.seed, 17, numbers))
        trace, shares = self._play(lineup).written(self.games.inputs)
        played = Played(self.batch.results.copy(), len(trace.rows), trace)
        if self.settings.game.margin:
            pay_margins(played, self.game, self.settings.game.margin, float(self.games.settings[0]["scale"]))
        self._end(played, own, others, np.full(self.num_games, self.now))
        self.clock.add("games", start)
        s = self.settings.learner  # what later searches thought is mixed with the result by `gae_lambda`
        return Searched(trace, shares, trace.rows["value"] + returns(trace, s.gamma, s.gae_lambda))

    def _sit_down(self, newest: dict[str, Array]) -> None:
        """Everybody as they are now."""
        self.searcher.put_weights(newest)
        for place, code in enumerate(self.pool.names):
            if place == SELF or not code:
                continue
            if place <= self.pool.scripted:
                self.others.setdefault(place, RandomPlayer() if code == "random" else ScriptedPlayer(code))
                continue
            weights = self.networks[place].weights or newest
            architecture = self.settings.network.architecture()
            self.others[place] = FormerSelf(CompiledNet(self.game, architecture, self.layout, weights))

    def _play(self, lineup: Array) -> Log:
        """All games to their end: what the newest self decided, and what that was paid."""
        batch, alive, log = self.batch, np.arange(self.num_games), Log(self.num_games, self.game)
        while len(alive):
            decisions = batch.decisions(alive)
            seats = decisions.seats
            who, actions = lineup[alive, seats], np.zeros(len(alive), np.int64)
            for place in np.unique(who).tolist():
                at = np.flatnonzero(who == place)
                part = decisions.part(at)
                if place != SELF:
                    actions[at] = self.others[place].act_batch(part)
                    continue
                potential = batch.games["potential"][alive[at], seats[at]]
                note = self.searcher.choose(part, float(batch.settings[0]["shaping"]) * potential)
                log.add(note)
                actions[at] = self.layout.actions[note.column]
            self.game.kernels.open_step(batch.games)
            batch.step_rows(alive, actions)
            log.pay(alive, batch.reward[alive])
            alive = alive[~batch.done[alive]]
        return log


# ---------------------------------------------------------------- as traces


class Log:
    """What was decided in games that are played side by side, and what each decision was paid until the next."""

    def __init__(self, games: int, game: Game) -> None:
        self.notes: list[Note] = []
        self.size, self.is_contest = 0, game.is_contest
        self.previous = np.full((games, game.num_seats if game.is_contest else 1), -1, np.int64)
        self.paid: list[tuple[Array, Array]] = []

    def add(self, note: Note) -> None:
        """Decisions of different games."""
        self.previous[note.game, self.learner(note.seat)] = self.size + np.arange(len(note.game))
        self.notes.append(note)
        self.size += len(note.game)

    def learner(self, seats: Array) -> Array:
        """Whose decisions follow one another: the seat's, or all where all play together."""
        return seats if self.is_contest else np.zeros_like(seats)

    def pay(self, games: Array, reward: Array) -> None:
        """What the seats of some games were paid after the last decisions."""
        before = self.previous[games]
        known = before >= 0
        self.paid.append((before[known], reward[:, : before.shape[1]][known]))

    def written(self, inputs: Inputs) -> tuple[Trace, Shares]:
        """All of it as a trace, game by game."""
        whole = Note(*(np.concatenate(held) for held in zip(*self.notes, strict=True)))
        order = np.argsort(whole.game, kind="stable")
        rows = np.zeros(self.size, ROW)
        np.add.at(rows["reward"], *(np.concatenate(held) for held in zip(*self.paid, strict=True)))
        rows["last"][self.previous[self.previous >= 0]] = 1
        rows["game"], rows["seat"], rows["value"] = whole.game, whole.seat, whole.value
        rows["learner"], rows["num_legal"] = self.learner(whole.seat), whole.legal.sum(1)
        rows["chosen"] = (whole.legal.cumsum(1) - 1)[np.arange(self.size), whole.column]
        starts = rows["num_legal"].cumsum() - rows["num_legal"]
        rows, legal, shares = rows[order], whole.legal[order], whole.shares[order]
        rows["legal"] = rows["num_legal"].cumsum() - rows["num_legal"]
        inside = np.arange(rows["num_legal"].sum()) - np.repeat(rows["legal"], rows["num_legal"])
        traits = whole.traits[np.repeat(starts[order], rows["num_legal"]) + inside]
        entry_rows, entry_by = put_entries(rows, whole.observation[order], inputs)
        columns = np.nonzero(legal)[1].astype(np.int32)
        filled = np.array([len(rows), len(entry_rows), len(columns)])
        return Trace(rows, entry_rows, entry_by, columns, traits, filled), shares_of(legal, shares)


def shares_of(legal: npt.NDArray[np.bool_], shares: Array) -> Shares:
    """Shares by row and column, as those of places among the legal actions."""
    at, column = np.nonzero(shares)
    number = np.bincount(at, minlength=len(shares)).astype(np.int32)
    place = (legal.cumsum(1, dtype=np.int32) - 1)[at, column]
    first = np.asarray(number.cumsum() - number, np.int64)
    return Shares(first, number, place, shares[at, column])


def put_entries(rows: Array, observation: Array, inputs: Inputs) -> tuple[Array, Array]:
    """Writes into rows, which are in order, where their entries stand; returns those (core/incremental.py)."""
    order = np.lexsort((rows["seat"], rows["game"]))
    begins = np.flatnonzero(np.diff(rows["game"][order] * 128 + rows["seat"][order], prepend=-1))
    number = np.arange(len(rows)) - np.repeat(begins, np.diff(np.append(begins, len(rows))))
    rows["fresh"][order] = number % SEGMENT == 0
    before = np.empty(len(rows), np.int64)
    before[order] = np.append(-1, order[:-1])
    found = []
    for first in range(0, len(rows), BLOCK):
        part = slice(first, first + BLOCK)
        known = np.where(rows["fresh"][part, None], np.int8(0), observation[before[part]])
        at, entry_rows, by = entries_between(known, observation[part], inputs)
        rows["num_entries"][part] = np.bincount(at, minlength=len(known))
        found.append((entry_rows, by))
    rows["entry"] = rows["num_entries"].cumsum() - rows["num_entries"]
    entry_rows, entry_by = (np.concatenate(held) for held in zip(*found, strict=True))
    return entry_rows, entry_by


def entries_between(before: Array, now: Array, inputs: Inputs) -> tuple[Array, Array, Array]:
    """What has changed between observations: of which row, which row of the first layer, by how much."""
    at, byte = np.nonzero(before != now)
    row, words, stride = inputs.row[byte], inputs.words[byte], inputs.stride[byte]
    old, new = before[at, byte].astype(np.int32), now[at, byte].astype(np.int32)
    is_number, is_word = (row >= 0) & (words == 0), (row >= 0) & (words > 0)
    kinds = (
        (is_number, row, new - old),
        (is_word & (old > 0) & (old <= words), row + (old - 1) * stride, np.full(len(at), -1)),
        (is_word & (new > 0) & (new <= words), row + (new - 1) * stride, np.ones(len(at))),
    )
    whose, rows, by = (
        np.concatenate([held[kind[0]] for kind, held in zip(kinds, of, strict=True)])
        for of in ([at] * 3, [kind[1] for kind in kinds], [kind[2] for kind in kinds])
    )
    order = np.argsort(whose, kind="stable")
    return whose[order], rows[order].astype(np.int32), by[order].astype(np.float32)
