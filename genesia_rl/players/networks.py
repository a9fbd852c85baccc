"""The policy networks, written once: the same lines run on NumPy arrays and on torch tensors.

An `Architecture` says what a network is made of; a `Layout` says what the observations of a game look like,
from what the game declares: its pieces, its token sets and its heads (core/pieces.py). The weights are a dict
of named arrays; `forward` turns observations into logits and values. Training wraps the weights into a
module, a player loads them from a file and needs no torch.

    flat     two layers over the whole observation
    regions  a small encoder shared by all things of the board, pooled; logits of things and of pairs of them
    graph    the same with rounds of messages along the board's edges
    incremental  a wide first layer over the whole observation, small ones behind it: played in compiled games, where
                 the first layer is kept up to date (core/incremental.py). What an input weighs is the sum of a weight
                 of its own and one of its plane, which it shares with all things of its kind; actions likewise share
                 weights with all that stand for the same thing. Where the game's mind says *traits* of actions, a small
                 layer reads them beside the observation, the same for all actions.

The *board* is the first token set of a game, its things are the *tokens*. Arrays over them have the tokens
first, `[token, row, feature]`: so an encoder is one matrix product, and so is passing messages (adjacency
times everything).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game
from genesia_rl.core.mind import mind_of
from genesia_rl.core.pieces import Head, Piece, TokenSet
from genesia_rl.core.reading import is_int, shown
from genesia_rl.core.registry import known_games, offers

Array = npt.NDArray[Any]
Weights = Mapping[str, Any]

KINDS = ("flat", "regions", "graph", "incremental")
INCREMENTAL = KINDS[-1]
#: The largest sizes of an architecture: what a file says is bounded before anything is made of it.
LARGEST = {"width": 16_384, "tokens": 4_096, "pairs": 4_096, "rounds": 64, "joint": 16_384}
#: The matrix that passes messages on: no weight, but it stands among them when they are `scaled`.
NEAR = "near"
#: Weights of one network for several numbers of players (common.py): what each adds to the first bias.
TABLES = "tables"
#: Names of matrices that no head may have.
TAKEN = ("rest", "token", "told", "mixed", "joint", "deep", "value1", "value2", "place", NEAR)
#: Rows of weights that inputs and actions share, in a network that is kept up to date.
SHARED = {"first": "planes", "logits": "ends"}
#: Weights of the layer over traits: of the traits, of the hidden layer, what its units and every trait add to a logit.
TRAITS = ("traits", "traits_b", "traits_joint", "traits_out", "traits_own")
#: What a trait is multiplied by before the layer; by itself it is taken as it is.
TRAIT_SCALE = 1 / 32


@dataclass(frozen=True)
class Architecture:
    """The kind of network and its sizes."""

    kind: str = "graph"
    width: int = 128
    tokens: int = 32
    pairs: int = 16
    rounds: int = 2
    joint: int = 64
    traits: bool = False  # does it read what the game's mind says of actions?

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ConfigError(f"network kind = {self.kind!r}, allowed are {', '.join(KINDS)}")
        for name, most in LARGEST.items():
            least, value = int(name != "rounds"), getattr(self, name)
            if not is_int(value, least, most):
                raise ConfigError(f"network {name} = {shown(value)}, allowed is a number {least}..{most}")
        if not isinstance(self.traits, bool) or (self.traits and self.kind != INCREMENTAL):
            allowed = "true or false" if self.kind == INCREMENTAL else f"false with kind = {self.kind!r}"
            raise ConfigError(f"network traits = {shown(self.traits)}, allowed is {allowed}")

    @property
    def passes(self) -> int:
        """Rounds of messages."""
        return self.rounds if self.kind == "graph" else 0

    @property
    def units(self) -> int:
        """Units of the layer over traits of actions."""
        return units_of(self.joint)

    def to_dict(self) -> dict[str, Any]:
        """As files keep it."""
        return asdict(self)


def units_of(joint: int) -> int:
    """Units of a layer over traits behind so many."""
    return max(1, joint // 4)


def kinds_for(game: Game) -> tuple[str, ...]:
    """The networks that a game's declarations are enough for."""
    if not game.token_sets:
        return KINDS[0], INCREMENTAL
    return KINDS if game.token_sets[0].edges is not None else (*KINDS[:2], INCREMENTAL)


def richest_of(game: Game) -> str:
    """The network that makes most of what a game declares."""
    return kinds_for(game)[-2]


# ---------------------------------------------------------------- what is read


class Input(NamedTuple):
    """Places that are read one after the other: as numbers, or where they say a `word`, if that is not 0."""

    start: int
    stop: int
    word: int = 0


class Rows(NamedTuple):
    """Rows of weights of a network that is kept up to date: how many there are, or which, of each kind."""

    inputs: Any
    planes: Any
    ends: Any  # the first stands for none
    actions: Any


class Scored(NamedTuple):
    """A head: a matrix of its own, or scores of tokens or of pairs of them.

    `things` are an array for each end; None stands for all tokens in their order.
    """

    name: str
    size: int
    things: tuple[Any, ...] = ()


def _inputs(pieces: Iterable[Piece]) -> list[Input]:
    """The numbers in their order, then an input for each word of what is named by numbers."""
    numbers: list[Input] = []
    words: list[Input] = []
    for piece in pieces:
        if piece.words:
            words += [Input(piece.start, piece.stop, word + 1) for word in range(piece.words)]
        elif numbers and numbers[-1].stop == piece.start:
            numbers[-1] = Input(numbers[-1].start, piece.stop)
        else:
            numbers.append(Input(piece.start, piece.stop))
    return numbers + words


def _size(inputs: Sequence[Input]) -> int:
    return sum(item.stop - item.start for item in inputs)


def _scales(inputs: Sequence[Input], scale: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """What every input is multiplied by: a word is there or not."""
    parts = [np.ones(item.stop - item.start, np.float32) if item.word else scale[item.start : item.stop]
             for item in inputs]  # fmt: skip
    return np.concatenate([np.zeros(0, np.float32), *parts])


def traits_of(name: str) -> Mapping[str, float]:
    """The traits of actions that a game's mind says, each with what it weighs in the beginning."""
    has_mind = name in known_games() and offers(name, "mind")
    return mind_of(name).traits if has_mind else {}


class Layout:
    """What a network must know about a game: where its inputs stand, the board, what actions stand for."""

    num_tables = 0  # numbers of players that one network has weights for, where there are several

    def __init__(self, game: Game) -> None:
        self.game_name, self.kinds = game.name, kinds_for(game)
        pieces = [piece for piece in game.pieces if piece.used]
        apart: list[list[Piece]] = [_inside(pieces, tokens) for tokens in game.token_sets]
        taken = {piece.name for piece in chain(*apart)}
        outside = [piece for piece in pieces if piece.name not in taken]
        scale = (1 / game.observation_scale()).astype(np.float32)
        self.rest = _inputs([*outside, *chain(*apart[1:])])
        self.rest_scale = _scales(self.rest, scale)
        self.board = game.token_sets[0] if game.token_sets else TokenSet("none", 0, 0, 0)
        self.board_bytes = _inputs(apart[0]) if apart else []
        self.board_scale = _scales(self.board_bytes, scale)
        self.planes = [self._planes(item) for item in self.board_bytes]
        self.plane_scale = _scales(
            self.planes, scale[self.board.start : self.board.stop : max(1, self.board.size)]
        )
        self.near = _adjacency(self.board)
        #: the actions that this game has: the columns of the logits
        self.actions = np.concatenate([head.actions for head in game.heads]).astype(np.int64)
        self.heads = [self._scored(head) for head in game.heads]
        self.inputs = [*self.board_bytes, *self.rest]
        self.input_scale = np.concatenate([self.board_scale, self.rest_scale])
        names = self._names_of_bytes(pieces, game.token_sets)
        read = [(names[k], item.word) for item in self.inputs for k in range(item.start, item.stop)]
        planes = [(name, plane, word) for (name, plane, _), word in read]
        numbers = {plane: number for number, plane in enumerate(dict.fromkeys(planes))}
        #: for each input its plane: inputs of one plane say the same of things of one kind
        self.plane_of = np.array([numbers[plane] for plane in planes], np.int64)
        self.ends_of = self._ends_of()
        ends = [(head.name, end, place) for head in self.heads for end in range(len(head.things))
                for place in range(self.board.size)]  # fmt: skip
        used = [None, *ends][: int(self.ends_of.max()) + 1]
        #: what each row of weights stands for, in the game's own names
        self.names = Rows(read, [*numbers], used, self.actions.tolist())
        #: what each trait of an action weighs in the beginning
        self.traits = np.array([*traits_of(game.name).values()], np.float32)

    def _names_of_bytes(
        self, pieces: Sequence[Piece], sets: Sequence[TokenSet]
    ) -> dict[int, tuple[str, tuple[int, ...], tuple[int, ...]]]:
        """The piece that a byte belongs to, its plane in it and its place in the plane."""
        found = {}
        for piece in pieces:
            inside = any(tokens.start <= piece.start and piece.stop <= tokens.stop for tokens in sets)
            apart = len(piece.shape) - 1 if inside else 0  # the last dimension are things of one kind
            for k, place in enumerate(np.ndindex(*piece.shape)):
                found[piece.start + k] = (piece.name, place[:apart], place[apart:])
        return found

    def _ends_of(self) -> npt.NDArray[np.int64]:
        """For each action the things it stands for, by head: two rows of weights; row 0 stands for none."""
        found, rows = [], 1
        for head in self.heads:
            own = np.zeros((head.size, 2), np.int64)
            for end, things in enumerate(head.things):
                places = np.arange(self.board.size) if things is None else np.asarray(things)
                own[:, end] = rows + places
                rows += self.board.size
            found.append(own)
        return np.concatenate(found)

    @property
    def sizes(self) -> Rows:
        """How many rows of weights there are of each kind."""
        return Rows(*map(len, self.names))

    @property
    def shared(self) -> dict[str, npt.NDArray[np.int64]]:
        """Which shared rows are added to each row, by the name of the weights (`SHARED`)."""
        return {"first": self.plane_of[:, None], "logits": self.ends_of}

    @property
    def things_first(self) -> list[Scored]:
        """The heads that score tokens, then pairs, then those with weights of their own."""
        return sorted(self.heads, key=lambda head: (not head.things, len(head.things)))

    def _planes(self, item: Input) -> Input:
        """Bytes of the board as planes."""
        first, count = self.board.start, self.board.size
        return Input((item.start - first) // count, (item.stop - first) // count, item.word)

    def _scored(self, head: Head) -> Scored:
        """A head whose actions stand for tokens of the board is scored from these."""
        size = len(head.actions)
        if head.things is None or head.tokens != self.board.name:
            return Scored(head.name, size)
        ends = np.atleast_2d(np.asarray(head.things, np.int64).T)
        everything = len(ends) == 1 and np.array_equal(ends[0], np.arange(self.board.size))
        return Scored(head.name, size, (None,) if everything else tuple(ends))

    def check(self, architecture: Architecture) -> None:
        """Is enough declared for this network?"""
        if architecture.kind not in self.kinds:
            lacks = "no tokens" if len(self.kinds) == 2 else "no edges between its tokens"
            raise ConfigError(
                f"network kind = {architecture.kind!r}: {self.game_name} declares {lacks}, "
                f"allowed are {', '.join(self.kinds)}"
            )


def _inside(pieces: Iterable[Piece], tokens: TokenSet) -> list[Piece]:
    return [piece for piece in pieces if tokens.start <= piece.start and piece.stop <= tokens.stop]


def _adjacency(board: TokenSet) -> npt.NDArray[np.float32]:
    """Who hears from whom: each token the mean of its neighbours."""
    near = np.zeros((board.size, board.size), np.float32)
    if board.edges is not None:
        near[board.edges[:, 0], board.edges[:, 1]] = 1
    return np.asarray(near / np.maximum(near.sum(1, keepdims=True), 1))


# ---------------------------------------------------------------- weights


def weight_shapes(architecture: Architecture, layout: Any) -> dict[str, tuple[int, ...]]:
    """The name and shape of every weight; a bias goes by the name of its matrix and `_b`."""
    layout.check(architecture)
    if architecture.kind == INCREMENTAL:
        return _incremental_shapes(architecture, layout)
    a, d, width = architecture, architecture.tokens, architecture.width
    matrices: dict[str, tuple[int, int]] = {"rest": (width, _size(layout.rest))}
    shapes: dict[str, tuple[int, ...]] = {}
    if a.kind == "flat":
        matrices |= {
            "rest": (width, _size(layout.rest) + _size(layout.board_bytes)),
            "joint": (width, width), "value1": (width // 2, width), "value2": (1, width // 2),
            "logits": (len(layout.actions), width),
        }  # fmt: skip
    else:
        matrices |= {
            "token": (d, _size(layout.planes)), "told": (d, width), "mixed": (d, d),
            "joint": (width, width + 2 * d), "deep": (width, width),
            "value1": (width // 2, width), "value2": (1, width // 2), **_head_shapes(a, layout.heads),
        }  # fmt: skip
        shapes["place"] = (layout.board.size, 1, d)
        for k in range(a.passes):
            matrices |= {f"own{k}": (d, d), f"near{k}": (d, d)}
    for name, shape in matrices.items():
        shapes[name], shapes[name + "_b"] = shape, (shape[0],)
    return shapes


def _incremental_shapes(a: Architecture, layout: Any) -> dict[str, tuple[int, ...]]:
    """A first layer `[input, width]`, and small ones."""
    j, half, rows = a.joint, max(1, a.joint // 2), layout.sizes
    traits, units = len(layout.traits) if a.traits else 0, a.units
    by_traits: tuple[tuple[int, ...], ...] = (traits, units), (units,), (j, units), (1, units), (1, traits)
    return {
        "first": (rows.inputs, a.width), "first_b": (a.width,), "planes": (rows.planes, a.width),
        "second": (j, a.width), "second_b": (j,), "deep": (j, j), "deep_b": (j,),
        "value1": (half, j), "value1_b": (half,), "value2": (1, half), "value2_b": (1,),
        "logits": (rows.actions, j), "logits_b": (rows.actions,), "ends": (rows.ends, j),
        **(dict(zip(TRAITS, by_traits, strict=True)) if traits else {}),
        **({TABLES: (layout.num_tables, a.width)} if layout.num_tables else {}),
    }  # fmt: skip


def _head_shapes(a: Architecture, heads: Iterable[Scored]) -> dict[str, tuple[int, int]]:
    """Matrices of the heads: first those with weights of their own, then of tokens, then of pairs."""
    found: dict[str, tuple[int, int]] = {}
    for head in sorted(heads, key=lambda head: len(head.things)):
        name, d = head.name, a.tokens
        if name in TAKEN:
            raise ConfigError(
                f"head {name!r}: is a name of the network's own, allowed is none of {', '.join(TAKEN)}"
            )
        if not head.things:
            found[name] = (head.size, a.width)
        elif len(head.things) == 1:
            found[f"{name}_ask"] = (d, a.width)
        else:
            found |= {
                f"{name}_from": (a.pairs, d),
                f"{name}_to": (a.pairs, d),
                f"{name}_ask": (a.pairs, a.width),
            }
    return found


def initial_weights(
    architecture: Architecture, layout: Any, rng: np.random.Generator
) -> dict[str, npt.NDArray[np.float32]]:
    """Orthogonal matrices; what leads to logits is nearly nothing, so that all actions are as likely."""
    made: dict[str, npt.NDArray[np.float32]] = {}
    to_logits = [f"{head.name}_ask" if head.things else head.name for head in layout.heads]
    gains = dict.fromkeys(("logits", "ends", "traits_out", *to_logits), 0.01)
    gains |= {"planes": 0.0, TABLES: 0.0, "value2": 1.0}
    for name, shape in weight_shapes(architecture, layout).items():
        if name == "place":
            made[name] = rng.normal(0, 0.3, shape).astype(np.float32)
        elif name.endswith("_b"):
            made[name] = np.zeros(shape, np.float32)
        elif name == "traits_own":
            made[name] = layout.traits[None].copy()
        else:
            gain = gains.get(name, 2**0.5)
            q, r = np.linalg.qr(rng.normal(size=(max(shape), min(shape))))
            q = q * np.sign(np.diag(r))
            made[name] = (gain * (q if shape[0] >= shape[1] else q.T)).astype(np.float32)
    return made


def scaled(weights: Weights, layout: Layout, convert: Any = np.asarray) -> dict[str, Any]:
    """The weights with the scales of the observation multiplied in, so that bytes need no scaling."""
    found = dict(weights)
    if "first" in found:
        return _folded(found, layout, convert)
    inputs = layout.rest_scale
    if "token" in found:
        found["token"] = found["token"] * convert(layout.plane_scale)
    else:
        inputs = np.concatenate([layout.board_scale, inputs])
    found["rest"] = found["rest"] * convert(inputs)
    found[NEAR] = convert(layout.near)
    return found


def _folded(weights: dict[str, Any], layout: Layout, convert: Any) -> dict[str, Any]:
    """The same of a network that is kept up to date: the weights that rows share are added as well."""
    for name, shared in SHARED.items():
        table = weights.pop(shared)
        for rows in layout.shared[name].T:
            weights[name] = weights[name] + table[convert(np.ascontiguousarray(rows))]
    weights["first"] = weights["first"] * convert(layout.input_scale[:, None])
    if TRAITS[0] in weights:
        weights["traits"] = weights["traits"] * TRAIT_SCALE
    return weights


# ---------------------------------------------------------------- the forward pass


def _read(ops: Any, x: Any, inputs: Sequence[Input]) -> Any:
    """Inputs side by side."""
    if not inputs:
        return ops.floats(x[..., :0])
    parts = [x[..., a:b] == word if word else x[..., a:b] for a, b, word in inputs]
    return ops.floats(parts[0]) if len(parts) == 1 else ops.concat([ops.floats(part) for part in parts])


def forward(
    ops: Any, a: Architecture, layout: Layout, w: Weights, seen: Any, traits: Any = None
) -> tuple[Any, Any]:
    """Logits `[row, place in layout.actions]` and values `[row]`; `seen` are int8 observations.

    `traits` are those of every action, `[row, place, trait]`, where the network reads them.
    """
    if a.kind == "flat":
        return _forward_flat(ops, layout, w, seen)
    if a.kind == INCREMENTAL:
        return _forward_incremental(ops, layout, w, seen, traits)

    def layer(name: str, x: Any) -> Any:
        return ops.linear(x, w[name], w[name + "_b"])

    first = ops.relu(layer("rest", _read(ops, seen, layout.rest)))
    board = seen[:, layout.board.start : layout.board.stop].reshape(
        -1, layout.board.planes, layout.board.size
    )
    tokens = layer("token", _read(ops, ops.permute(board, 2, 0, 1), layout.planes))
    tokens = ops.relu(tokens + (layer("told", first) + w["place"]))
    tokens = ops.relu(layer("mixed", tokens))
    for k in range(a.passes):
        tokens = tokens + ops.relu(_messages(ops, w, k, tokens))
    pooled = [first, tokens.mean(0), ops.largest(tokens)]
    hidden = ops.relu(layer("joint", ops.concat(pooled)))
    hidden = hidden + ops.relu(layer("deep", hidden))
    value = layer("value2", ops.relu(layer("value1", hidden)))[:, 0]
    # gradients add up in the order of these lines: another one would end in other last bits
    scores = {head.name: _scores(ops, w, head, tokens, hidden) for head in layout.things_first}
    return ops.concat([scores[head.name] for head in layout.heads]), value


def _scores(ops: Any, w: Weights, head: Scored, tokens: Any, hidden: Any) -> Any:
    """The logits of a head's actions."""

    def layer(name: str, x: Any) -> Any:
        return ops.linear(x, w[name], w[name + "_b"])

    if not head.things:
        return layer(head.name, hidden)
    if len(head.things) == 1:
        things = tokens if head.things[0] is None else ops.take(tokens, head.things[0])
    else:
        begin, end = head.things
        things = ops.take(layer(f"{head.name}_from", tokens), begin)
        things = ops.relu(things + ops.take(layer(f"{head.name}_to", tokens), end))
    return (things * layer(f"{head.name}_ask", hidden)).sum(-1).T


def _messages(ops: Any, w: Weights, k: int, tokens: Any) -> Any:
    """What the tokens tell their neighbours, the mean of it, beside what they know themselves."""
    told = ops.linear(tokens, w[f"near{k}"], w[f"near{k}_b"])
    told = (w[NEAR] @ told.reshape(len(told), -1)).reshape(tokens.shape)
    return told + ops.linear(tokens, w[f"own{k}"], w[f"own{k}_b"])


def _forward_flat(ops: Any, layout: Layout, w: Weights, seen: Any) -> tuple[Any, Any]:
    """Two layers over everything."""

    def layer(name: str, x: Any) -> Any:
        return ops.linear(x, w[name], w[name + "_b"])

    hidden = ops.relu(layer("rest", _read(ops, seen, [*layout.board_bytes, *layout.rest])))
    hidden = ops.relu(layer("joint", hidden))
    return layer("logits", hidden), layer("value2", ops.relu(layer("value1", hidden)))[:, 0]


def _forward_incremental(ops: Any, layout: Layout, w: Weights, seen: Any, traits: Any) -> tuple[Any, Any]:
    """What core/incremental.py does, over all inputs."""
    sums = ops.linear(_read(ops, seen, layout.inputs), w["first"].T, w["first_b"])
    hidden = behind_sums(ops, w, sums)
    logits = ops.linear(hidden, w["logits"], w["logits_b"])
    if TRAITS[0] in w:
        logits = logits + _by_traits(ops, w, hidden, ops.floats(traits))
    return logits, value_behind(ops, w, hidden)


def _by_traits(ops: Any, w: Weights, hidden: Any, traits: Any) -> Any:
    """What the traits of actions add to their logits."""
    told = ops.linear(hidden, w["traits_joint"].T, w["traits_b"])
    units = ops.relu(traits @ w["traits"] + told[:, None])
    return (units * w["traits_out"]).sum(-1) + (traits * w["traits_own"]).sum(-1)


def behind_sums(ops: Any, w: Weights, sums: Any) -> Any:
    """The hidden layer over the sums of the first one."""
    hidden = ops.linear(ops.relu(sums), w["second"], w["second_b"])
    deeper = ops.linear(ops.relu(hidden), w["deep"], w["deep_b"])
    return ops.relu(hidden) + ops.relu(deeper)


def value_behind(ops: Any, w: Weights, hidden: Any) -> Any:
    """The value, from the hidden layer."""
    half = ops.relu(ops.linear(hidden, w["value1"], w["value1_b"]))
    return ops.linear(half, w["value2"], w["value2_b"])[:, 0]


def draw(
    logits: Array, legal: npt.NDArray[np.bool_], uniform: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """A legal column for each row: the inverse of the distribution function at `uniform`."""
    p = np.where(legal, logits, -np.inf)
    p = np.where(legal, np.exp(p - p.max(1, keepdims=True)), 0)
    summed = p.cumsum(1, dtype=np.float64)
    return np.asarray((summed > uniform[:, None] * summed[:, -1:]).argmax(1))
