"""Networks that are kept up to date, for Python: their weights as compiled code reads them, and whole games.

    games = Games(game, nets, plans)
    played = games.play(seeds, lineups, learns)

Games are played in chunks of a fixed size, so that nothing depends on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from genesia_rl.core.game import Game, Tables
from genesia_rl.core.incremental import LESSONS, ROW, Inputs, Nets, Room, Trace, forward_rows
from genesia_rl.core.mind import NO_PLAN, Plan, mind_of, selfplay_of
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import offers
from genesia_rl.core.rewards import make_settings
from genesia_rl.players.networks import TRAITS, Architecture, Layout, scaled, traits_of, units_of

Array = npt.NDArray[Any]
#: Games of one call.
CHUNK = 16
#: What a chunk's trace has room for at first, by row; it grows when that is not enough.
ENTRIES_A_ROW, LEGAL_A_ROW = 40, 16
NO_TEMPERATURES: Mapping[int, float] = MappingProxyType({})
NO_LESSONS = np.array([(-1, 0.0)], LESSONS)
#: Weights of which a logit is a sum, and what they are multiplied by where only the likeliest action is to be drawn: a
#: power of two loses no digit of a float, so that what is likeliest stays so.
OF_LOGITS, SHARP = ("logits", "logits_b", "traits_out", "traits_own"), np.float32(2**40)


def inputs_of(layout: Layout, size: int) -> Inputs:
    """What every byte of an observation of this size is to the first layer."""
    row, words, stride = (np.zeros(size, np.int32) for _ in range(3))
    row[:] = -1
    at = 0
    for item in layout.inputs:
        here, count = slice(item.start, item.stop), item.stop - item.start
        if item.word <= 1:
            row[here] = np.arange(at, at + count)
        words[here], stride[here] = item.word, count
        at += count
    return Inputs(row, words, stride)


def nets_of(
    layout: Layout,
    num_actions: int,
    weights: Sequence[Mapping[str, Array]],
    temperatures: Mapping[int, float] = NO_TEMPERATURES,
) -> Nets:
    """Several networks as compiled code reads them, all of them as wide as the widest: what is added is zero, and
    changes nothing. Of temperature 0 they take their most likely action, as players do; at 1, if none is said, they
    draw as they learned.
    """
    held = [at_temperature(scaled(own, layout), temperatures.get(k, 1.0)) for k, own in enumerate(weights)]

    def stacked(name: str, turned: bool = False) -> Array:
        arrays = [np.asarray(own[name], np.float32) for own in held]
        return as_wide([w.T if turned else w for w in arrays])

    traits = max(len(own.get(TRAITS[0], ())) for own in held)
    table, bias, told, last, own = map(as_wide, zip(*(over_traits(w, traits) for w in held), strict=True))
    return Nets(
        stacked("first"), stacked("first_b"), stacked("second", True), stacked("second_b"),
        stacked("deep", True), stacked("deep_b"), stacked("value1", True), stacked("value1_b"),
        stacked("value2")[:, 0], stacked("value2_b")[:, 0], stacked("logits"), stacked("logits_b"),
        table, bias, told, last, own, columns_of(layout, num_actions),
    )  # fmt: skip


def over_traits(weights: Mapping[str, Any], traits: int) -> tuple[Array, ...]:
    """The layer over so many traits as compiled code reads it; that of a network that reads none adds nothing."""
    if TRAITS[0] not in weights:
        joint = len(weights["second_b"])
        units = units_of(joint) if traits else 0
        shapes = (traits, units), (units,), (joint, units), (units,), (traits,)
        return tuple(np.zeros(shape, np.float32) for shape in shapes)
    table, bias, told, last, own = (np.asarray(weights[name], np.float32) for name in TRAITS)
    return table, bias, told, last[0], own[0]


def at_temperature(weights: dict[str, Any], temperature: float) -> dict[str, Any]:
    """The same network with logits farther apart, the colder it is: at 0 only the likeliest action is drawn."""
    by = np.float32(1 / temperature) if temperature else SHARP
    return weights | {name: weights[name] * by for name in OF_LOGITS if name in weights and by != 1}


def as_wide(arrays: Sequence[Array]) -> Array:
    """Arrays one behind the other, each filled up with zeros to the largest."""
    shape = np.max([w.shape for w in arrays], axis=0)
    found = np.zeros((len(arrays), *shape), np.float32)
    for own, w in zip(found, arrays, strict=True):
        own[tuple(map(slice, w.shape))] = w
    return found


def widest(architectures: Sequence[Architecture]) -> Architecture:
    """What a call needs room for in which all of these play."""
    width, joint = (max(getattr(own, name) for own in architectures) for name in ("width", "joint"))
    return replace(
        architectures[0], width=width, joint=joint, traits=any(own.traits for own in architectures)
    )


def num_traits(game: Game, architecture: Architecture) -> int:
    """How many traits of an action the network reads."""
    return len(traits_of(game.name)) if architecture.traits else 0


def new_room(game: Game, architecture: Architecture, most_actions: int = 1) -> Room:
    """What one thread works in."""
    seats, words = game.facts.most_seats, -(-game.observation_size // 8)
    old, (new, nothing) = np.zeros((seats, words), np.uint64), np.zeros((2, words), np.uint64)
    width, joint = architecture.width, architecture.joint
    legal = 64 * game.state_dtype["legal"].shape[0]
    scores, traits = np.zeros((seats, game.facts.part_columns), np.int32), num_traits(game, architecture)
    told, unit = np.zeros((2, architecture.units if traits else 0), np.float32)
    return Room(
        old.view(np.int8), old, new.view(np.int8), new, nothing.view(np.int8), nothing,
        np.zeros((seats, width), np.float32),
        np.zeros(max(width, joint) + 1, np.int64), np.zeros((1, joint), np.float32), np.zeros(joint, np.float32),
        np.zeros(max(1, joint // 2), np.float32), np.zeros(16 * words, np.int32), np.zeros(16 * words, np.float32),
        np.zeros(legal, np.int64), np.zeros(legal, np.int32),
        np.zeros(legal, np.float32), np.zeros((legal, traits), np.int8), told, unit,
        np.zeros(most_actions, np.int64), np.zeros(most_actions), np.zeros(seats, np.int64), np.zeros(seats),
        np.zeros(seats, np.int64), scores, np.zeros(seats, np.int32), np.zeros(seats, np.int8),
        np.zeros(seats, np.float32),
    )  # fmt: skip


def new_trace(rows: int, entries: int, legal: int, traits: int) -> Trace:
    """Room for so much; so many traits of each legal action."""
    return Trace(
        np.zeros(rows, ROW), np.zeros(entries, np.int32), np.zeros(entries, np.float32),
        np.zeros(legal, np.int32), np.zeros((legal, traits), np.int8), np.zeros(3, np.int64),
    )  # fmt: skip


def plans_of(game: Game, characters: Sequence[str]) -> Plan:
    """The plans of some characters of a game's mind, one after another."""
    if not characters:
        none = mind_of(game.name).make_plan if offers(game.name, "mind") else None
        weights = mind_of(game.name).weights() if none is not None else {}
        first = none(game, next(iter(weights.values()))) if none and weights else np.zeros(1, NO_PLAN)
        return first[:0]
    mind = mind_of(game.name)
    return np.concatenate([mind.make_plan(game, mind.weights()[name]) for name in characters])


#: Of games that are in use, by their adviser: a plan is worked out in Python, and asked for at every decision.
_ADVISERS: WeakKeyDictionary[Game, Plan] = WeakKeyDictionary()


def adviser_of(game: Game) -> Plan:
    """The plan of the first character, which says the traits of actions; that of nobody where there is none."""
    if game not in _ADVISERS:
        _ADVISERS[game] = plans_of(game, [*mind_of(game.name).characters][:1] if traits_of(game.name) else ())
    return _ADVISERS[game]


class Played(NamedTuple):
    """Finished games, and what was written down of them."""

    results: Array
    decisions: int
    trace: Trace


class Games:
    """Whole games of networks, scripted players and the random player."""

    def __init__(
        self, game: Game, architecture: Architecture, layout: Layout, characters: Sequence[str] = (),
        tables: Tables | None = None, threads: int = 1, **reward: Any,
    ) -> None:  # fmt: skip
        self.game, self.architecture = game, architecture
        self.layout, self.inputs = layout, inputs_of(layout, -(-game.observation_size // 8) * 8)
        self.plans, self.adviser = plans_of(game, characters), adviser_of(game)
        self.tables = game.tables if tables is None else tables
        self.settings = make_settings(game, **reward)
        self.kernel = selfplay_of(game.name).play_networks
        self.threads, self.room_for = threads, 64
        self.most = mind_of(game.name).most_actions if offers(game.name, "mind") else 1

    def nets(
        self, weights: Sequence[Mapping[str, Array]], temperatures: Mapping[int, float] = NO_TEMPERATURES
    ) -> Nets:
        """Networks, the widest of which has this shape."""
        return nets_of(self.layout, self.game.num_actions, weights, temperatures)

    def play(
        self,
        nets: Nets,
        seeds: Array,
        lineups: Array,
        learns: Array,
        which: Array | None = None,
        lessons: Array = NO_LESSONS,
        on_chunk: Callable[[int], None] | None = None,
    ) -> Played:
        """A game for every seed; numbers on seats as the kernel has them: networks, plans, the random player."""
        count = len(seeds)
        which = np.zeros(count, np.int32) if which is None else which
        results = np.zeros(count, self.game.facts.result_dtype)

        def chunk(first: int) -> tuple[int, Trace]:
            part = slice(first, first + CHUNK)
            of = which[part], seeds[part], lineups[part], learns[part]
            found = self._chunk(nets, of, lessons, results[part])
            if on_chunk is not None:
                on_chunk(len(seeds[part]))
            return found

        starts = range(0, count, CHUNK)
        if self.threads == 1:
            made = [chunk(first) for first in starts]
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                made = list(pool.map(chunk, starts))
        return Played(results, sum(decisions for decisions, _ in made), joined([trace for _, trace in made]))

    def _chunk(self, nets: Nets, of: tuple[Array, ...], lessons: Array, results: Array) -> tuple[int, Trace]:
        """Some games in one call; again with more room if what is learned from did not fit."""
        states = self.game.new_states(2)
        room = new_room(self.game, self.architecture, self.most)
        size = self.game.observation_size
        while True:
            rows = int(np.count_nonzero(of[3])) * self.room_for
            entries, legal = rows * ENTRIES_A_ROW + 4 * size * bool(rows), rows * LEGAL_A_ROW
            trace = new_trace(rows, entries, legal, num_traits(self.game, self.architecture))
            decisions = self.kernel(
                states, self.tables, *of, nets, self.inputs, self.adviser, self.plans, self.settings, lessons, size,
                room, trace, results,
            )  # fmt: skip
            if decisions >= 0:
                return int(decisions), trace
            self.room_for *= 2


def joined(traces: Sequence[Trace], firsts: Sequence[int] | None = None) -> Trace:
    """The traces of consecutive chunks as one, without the room that is left; `firsts` are the first game of each."""
    rows, entries, legal = [], 0, 0
    for k, trace in enumerate(traces):
        own = trace.rows[: trace.filled[0]].copy()
        own["game"] += k * CHUNK if firsts is None else firsts[k]
        own["entry"] += entries
        own["legal"] += legal
        rows.append(own)
        entries, legal = entries + int(trace.filled[1]), legal + int(trace.filled[2])
    return Trace(
        np.concatenate(rows),
        np.concatenate([trace.entry_rows[: trace.filled[1]] for trace in traces]),
        np.concatenate([trace.entry_by[: trace.filled[1]] for trace in traces]),
        np.concatenate([trace.legal[: trace.filled[2]] for trace in traces]),
        np.concatenate([trace.traits[: trace.filled[2]] for trace in traces]),
        np.array([sum(map(len, rows)), entries, legal]),
    )


class CompiledNet:
    """One network over batches of observations, without torch."""

    def __init__(
        self, game: Game, architecture: Architecture, layout: Layout, weights: Mapping[str, Array]
    ) -> None:
        self.layout, self.actions = layout, layout.actions
        self.nets = nets_of(layout, game.num_actions, [weights])
        self.inputs = inputs_of(layout, -(-game.observation_size // 8) * 8)
        self.game, self.architecture = game, architecture

    def __call__(self, observation: Array, legal: Array, traits: Array | None = None) -> tuple[Array, Array]:
        """Logits of the layout's actions, minus infinity of what is not legal, and values; `traits` as `seen_traits`
        finds them.
        """
        seen = np.ascontiguousarray(observation, np.int8)
        logits = np.zeros((len(seen), len(self.actions)), np.float32)
        values = np.zeros(len(seen), np.float32)
        if traits is None:
            traits = np.zeros(
                (len(seen), len(self.actions), num_traits(self.game, self.architecture)), np.int8
            )
        room = new_room(self.game, self.architecture)
        forward_rows(self.nets, self.inputs, room, seen, legal, traits, logits, values)
        return logits, values

    def seen(self, decisions: DecisionBatch) -> Array:
        """The traits of actions that it reads."""
        if self.architecture.traits:
            return seen_traits(decisions, self.layout)
        return np.zeros((len(decisions), len(self.actions), 0), np.int8)


def seen_traits(decisions: DecisionBatch, layout: Layout) -> Array:
    """What the game's mind makes of every legal action, by the layout's actions; of others nothing."""
    game = decisions.game
    out = np.zeros((len(decisions), len(layout.actions), len(layout.traits)), np.int8)
    if not len(layout.traits):
        return out
    mind, columns = mind_of(game.name), columns_of(layout, game.num_actions)
    traits = np.zeros((64 * game.state_dtype["legal"].shape[0], len(layout.traits)), np.int8)
    selfplay_of(game.name).trait_rows(
        decisions.states, decisions.rows, decisions.tables, decisions.which, adviser_of(game), game.new_states(),
        columns, traits, np.zeros(mind.most_actions, np.int64), np.zeros(mind.most_actions), out,
    )  # fmt: skip
    return out


def columns_of(layout: Layout, num_actions: int) -> npt.NDArray[np.int32]:
    """For every action in a seat's numbering its place among the layout's, or -1."""
    columns = np.full(num_actions, -1, np.int32)
    columns[layout.actions] = np.arange(len(layout.actions))
    return columns
