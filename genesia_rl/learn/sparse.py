"""A network that is kept up to date, learning: passes over segments of a trace (core/incremental.py).

The small layers are torch's, on whatever device it learns; the first layer and the logits of legal actions, where
nearly everything is zero, are compiled functions of the processor with gradients of their own. A minibatch is learned
from in two halves, each a piece of work for a thread, whose gradients are added up in the same order whatever the
number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from genesia_rl.core import incremental
from genesia_rl.core.incremental import Trace
from genesia_rl.learn.policy import AtTable, Network, step_down
from genesia_rl.players.networks import TRAITS, behind_sums, value_behind
from genesia_rl.players.ops_torch import TorchOps

Array = npt.NDArray[Any]
HALVES = 2
compiled: Any = incremental  # its functions have no types of their own


def here(tensor: Tensor) -> Array:
    """As compiled functions read it, which are the processor's; what is there already is not copied."""
    return np.asarray(tensor.detach().cpu().numpy())


class FirstLayer(torch.autograd.Function):
    """The sums of the first layer for whole segments."""

    @staticmethod
    def forward(ctx: Any, first: Tensor, bias: Tensor, part: Part) -> Tensor:
        """[decision, width]."""
        ctx.part, ctx.shape, ctx.device = part, first.shape, first.device
        out = np.empty((len(part), first.shape[1]), np.float32)
        compiled.sum_segments(here(first), here(bias), *part.entries, out)
        return torch.from_numpy(out).to(first.device)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        """Of the weights."""
        first, bias = np.zeros(ctx.shape, np.float32), np.zeros(ctx.shape[1], np.float32)
        used_up = gradient.cpu().numpy().copy()
        compiled.spread_segments(*ctx.part.entries, used_up, first, bias)
        return torch.from_numpy(first).to(ctx.device), torch.from_numpy(bias).to(ctx.device), None


class LegalActions(torch.autograd.Function):
    """Log probabilities of what was chosen, entropies, and log probabilities of what is likeliest."""

    @staticmethod
    def forward(ctx: Any, part: Part, hidden: Tensor, table: Tensor, bias: Tensor, *by_traits: Tensor) -> Any:
        """[decision] each."""
        log_p, entropy = np.empty(len(part), np.float32), np.empty(len(part), np.float32)
        kept = np.empty(int(part.counts.sum()), np.float32)
        arrays, traits = (here(hidden), here(table)), tuple(map(here, by_traits))
        compiled.judge_actions(arrays[0], arrays[1], here(bias), traits, *part.choices, log_p, entropy, kept)
        ctx.part, ctx.kept, ctx.device = part, (*arrays, traits, entropy, kept), hidden.device
        likeliest = np.maximum.reduceat(kept, part.counts.cumsum() - part.counts)
        found = [torch.from_numpy(held).to(hidden.device) for held in (log_p, entropy, likeliest)]
        ctx.mark_non_differentiable(found[2])
        return tuple(found)

    @staticmethod
    def backward(ctx: Any, by_log_p: Tensor, by_entropy: Tensor, _: Tensor) -> Any:
        """Of the hidden layer, of the actions' weights and of those over traits."""
        hidden, table, by_traits, entropy, kept = ctx.kept
        made = np.zeros_like(hidden), np.zeros_like(table), np.zeros(len(table), np.float32)
        of_traits = tuple(map(np.zeros_like, by_traits))
        given = by_log_p.contiguous().cpu().numpy(), by_entropy.contiguous().cpu().numpy()
        compiled.spread_actions(
            hidden, table, by_traits, *ctx.part.choices, entropy, kept, *given, *made, of_traits
        )
        return None, *(torch.from_numpy(held).to(ctx.device) for held in (*made, *of_traits))


class Part(NamedTuple):
    """Decisions of a trace that are whole segments, one after another; `take` are their rows there."""

    trace: Trace
    take: Array
    fresh: Array
    entry: Array
    entry_end: Array
    legal: Array
    counts: Array
    chosen: Array

    @property
    def entries(self) -> Any:
        """As the first layer reads them."""
        return self.fresh, self.entry, self.entry_end, self.trace.entry_rows, self.trace.entry_by

    @property
    def choices(self) -> Any:
        """As the last layer reads them."""
        return self.legal, self.counts, self.trace.legal, self.trace.traits, self.chosen

    def __len__(self) -> int:
        return len(self.take)


def part_of_trace(trace: Trace, take: Array) -> Part:
    """Some rows of a trace, which are whole segments."""
    rows = trace.rows[take]

    def column(name: str) -> Array:
        return np.ascontiguousarray(rows[name])

    return Part(
        trace, take, column("fresh"), column("entry"), rows["entry"] + rows["num_entries"],
        column("legal"), column("num_legal"), column("chosen"),
    )  # fmt: skip


class Segments:
    """The segments of a trace: the rows of each, one after another."""

    def __init__(self, trace: Trace) -> None:
        rows = trace.rows
        self.trace = trace
        self.order = np.lexsort((rows["seat"], rows["game"]))
        self.begins = np.flatnonzero(rows["fresh"][self.order])
        self.lengths = np.diff(np.append(self.begins, len(rows)))

    def rows_of(self, segments: Array) -> Array:
        """The rows of some segments."""
        lengths = self.lengths[segments]
        inside = np.arange(lengths.sum()) - np.repeat(lengths.cumsum() - lengths, lengths)
        return np.asarray(self.order[np.repeat(self.begins[segments], lengths) + inside])

    def minibatches(self, size: int, rng: np.random.Generator) -> Iterator[list[Array]]:
        """All segments once, in an order of their own: rows of about so many decisions, in halves."""
        shuffled = rng.permutation(len(self.begins))
        number = max(1, round(len(self.order) / size))
        for segments in np.array_split(shuffled, number):
            yield [self.rows_of(half) for half in np.array_split(segments, HALVES) if len(half)]


def returns(trace: Trace, gamma: float, gae_lambda: float) -> Array:
    """The generalised advantage of every row."""
    rows = trace.rows
    order = np.lexsort((rows["learner"], rows["game"]))
    found = np.zeros(len(rows), np.float32)
    last, reward, value = (np.ascontiguousarray(rows[name][order]) for name in ("last", "reward", "value"))
    compiled.judge_returns(last, reward, value, gamma, gae_lambda, found)
    advantage = np.empty_like(found)
    advantage[order] = found
    return advantage


class Judged(NamedTuple):
    """What a network makes of some decisions."""

    log_p: Tensor  # of what was chosen
    entropy: Tensor
    value: Tensor
    best: Tensor  # the log probability of what is likeliest


class Shares(NamedTuple):
    """What is to be chosen in the rows of a trace, among the legal actions: shares that are 1 together, or none."""

    first: npt.NDArray[np.int64]  # [row]: where its shares begin, and how many there are
    number: npt.NDArray[np.int32]
    place: npt.NDArray[np.int32]  # among the row's legal actions
    weight: npt.NDArray[np.float32]


class Compared(NamedTuple):
    """What a network makes of some decisions, of which some have shares."""

    log_p: Tensor  # of every action that has a share, row by row
    entropy: Tensor  # of its row
    weight: Tensor  # the share
    value: Tensor  # of every decision


#: What a network makes of some rows; and of that the sum of their losses, and parts of it to be told.
Judge = Callable[[dict[str, Tensor], "Part"], Any]
Loss = Callable[[Any, Array], tuple[Tensor, Array]]


class SparseLearner:
    """Steps of a network down the gradient of a loss over rows of a trace."""

    def __init__(self, network: Network | AtTable, pool: Executor, longest: float) -> None:
        self.network, self.pool, self.longest = network, pool, longest

    def step(
        self, optimizer: torch.optim.Optimizer, trace: Trace, halves: list[Array], loss: Loss, what: str,
        only: str = "", stop: Callable[[Array], bool] | None = None, judge: Judge | None = None,
    ) -> Array:  # fmt: skip
        """One step; the parts of the loss, summed over all rows. `stop` says by them that none is to be made."""
        judge = judge or judged
        held = self.network.scaled()
        leaves = {name: w.detach().requires_grad_() for name, w in held.items()}
        found = list(self.pool.map(lambda rows: _gradients(leaves, trace, rows, loss, judge), halves))
        parts = np.sum([parts for _, _, parts in found], axis=0)
        if stop is not None and stop(parts):
            return np.asarray(parts)
        optimizer.zero_grad()
        gradients = [sum(own[1:], own[0]) for own in zip(*(of for of, _, _ in found), strict=True)]
        torch.autograd.backward(list(held.values()), gradients)
        step_down(self.network, optimizer, sum(lost for _, lost, _ in found), self.longest, what, only)
        return np.asarray(parts)


def _gradients(
    leaves: dict[str, Tensor], trace: Trace, rows: Array, loss: Loss, judge: Judge
) -> tuple[list[Tensor], float, Array]:
    """Gradients of all weights for some rows, what was lost on them, and its parts."""
    part = part_of_trace(trace, rows)
    lost, parts = loss(judge(leaves, part), rows)
    found = torch.autograd.grad(lost, list(leaves.values()), allow_unused=True)
    filled = [torch.zeros_like(w) if g is None else g for g, w in zip(found, leaves.values(), strict=True)]
    return filled, float(lost.detach()), parts


def hidden_of(weights: dict[str, Tensor], part: Part) -> Tensor:
    """The hidden layer of some decisions."""
    hidden: Tensor = behind_sums(
        TorchOps, weights, FirstLayer.apply(weights["first"], weights["first_b"], part)
    )
    return hidden


def actions_of(weights: dict[str, Tensor], part: Part, hidden: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Log probabilities of what was chosen, entropies, and log probabilities of what is likeliest."""
    table, bias, by_traits = weights["logits"], weights["logits_b"], trait_weights(weights)
    found: tuple[Tensor, Tensor, Tensor] = LegalActions.apply(part, hidden, table, bias, *by_traits)
    return found


def judged(weights: dict[str, Tensor], part: Part) -> Judged:
    """What a network makes of some decisions; its weights are scaled."""
    hidden = hidden_of(weights, part)
    log_p, entropy, best = actions_of(weights, part, hidden)
    return Judged(log_p, entropy, value_behind(TorchOps, weights, hidden), best)


def compared(weights: dict[str, Tensor], part: Part, shares: Shares) -> Compared:
    """What it makes of every action that has a share: a decision stands there once for each of them."""
    hidden, counts = hidden_of(weights, part), shares.number[part.take]
    at = np.repeat(np.arange(len(part)), counts)
    inside = np.arange(len(at)) - np.repeat(counts.cumsum() - counts, counts)
    taken = shares.first[part.take][at] + inside
    often = Part(
        part.trace, part.take[at], part.fresh[at], part.entry[at], part.entry_end[at], part.legal[at],
        part.counts[at], np.ascontiguousarray(shares.place[taken]),
    )  # fmt: skip
    value = value_behind(TorchOps, weights, hidden)
    weight = torch.from_numpy(np.ascontiguousarray(shares.weight[taken]))
    if not len(at):
        return Compared(weight, weight, weight, value)
    log_p, entropy, _ = actions_of(weights, often, hidden[torch.from_numpy(at)])
    return Compared(log_p, entropy, weight, value)


def trait_weights(weights: dict[str, Tensor]) -> list[Tensor]:
    """The weights of the layer over traits, as compiled code reads them; of no units where none are read."""
    if TRAITS[0] in weights:
        table, bias, joint, last, own = (weights[name] for name in TRAITS)
        return [table, bias, joint, last[0], own[0]]
    table = weights["logits"]
    shapes: tuple[tuple[int, ...], ...] = (0, 0), (0,), (table.shape[1], 0), (0,), (0,)
    return [torch.zeros(shape, device=table.device) for shape in shapes]
