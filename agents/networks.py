"""The policy networks, written once: the same lines run on NumPy arrays and on torch tensors.

An `Architecture` says what a network is made of, a `Layout` what the observations of a game look like. The
weights are a dict of named arrays; `forward` turns observations into logits and values. Training wraps the
weights into a module, an agent loads them from a file and needs no torch.

    flat     two layers over the whole observation
    regions  a small encoder shared by all regions, pooled; logits of regions and edges from their regions
    graph    the same with rounds of messages between adjacent regions

Arrays over regions have the regions first, `[region, row, feature]`: so an encoder is one matrix product,
and so is passing messages (adjacency times everything).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.contract import Game
from genesia_rl.errors import ConfigError
from genesia_rl.games.genesia.actions import BASES
from genesia_rl.games.genesia.observe import C_ACTIVE, C_COPIED, C_OPEN, C_PICKED, C_PLAYED, NUM_CARDS

Array = npt.NDArray[Any]
Weights = Mapping[str, Any]

KINDS = ("flat", "regions", "graph")
#: Card planes that name a seat or a state: a number there is a word, so each of its values gets a plane.
WORDED = (C_PLAYED, C_COPIED, C_ACTIVE)
CARD_SCALE = 5.0


@dataclass(frozen=True)
class Architecture:
    """The kind of network and its sizes."""

    kind: str = "graph"
    width: int = 128
    tokens: int = 32
    pairs: int = 16
    rounds: int = 2

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ConfigError(f"network kind = {self.kind!r}, allowed are {', '.join(KINDS)}")
        for name in ("width", "tokens", "pairs"):
            if getattr(self, name) < 1:
                raise ConfigError(f"network {name} = {getattr(self, name)!r}, allowed is a number above 0")

    @property
    def passes(self) -> int:
        """Rounds of messages."""
        return self.rounds if self.kind == "graph" else 0

    def to_dict(self) -> dict[str, Any]:
        """As files keep it."""
        return asdict(self)


class Layout:
    """What a network must know about a game: the places of the observation, and the board's edges."""

    def __init__(self, game: Game) -> None:
        regions, seats, cards, _ = game.groups
        self.players = game.num_seats
        self.size, self.num_actions = game.observation_size, game.num_actions
        self.planes, self.regions = regions.shape
        self.board_stop, self.card_start, self.card_stop = regions.stop, cards.start, cards.stop
        self.card_planes = cards.shape[0]
        scale = (1 / game.observation_scale()).astype(np.float32)
        self.plane_scale = np.ascontiguousarray(scale[: regions.stop].reshape(regions.shape)[:, 0])
        self.row_scale = np.concatenate([scale[seats.start : seats.stop], scale[cards.stop :]])
        self.values = {C_PLAYED: self.players, C_COPIED: self.players, C_ACTIVE: 2}
        self.plain = tuple(p for p in range(self.card_planes) if p not in WORDED and p != C_OPEN)
        self.card_inputs = (len(self.plain) + sum(self.values.values())) * NUM_CARDS
        self.rest = len(self.row_scale) + self.card_inputs
        tables = game.tables[0]
        places = np.flatnonzero(tables["edge_from"] != tables["edge_to"])
        self.edge_from = tables["edge_from"][places].astype(np.int64)
        self.edge_to = tables["edge_to"][places].astype(np.int64)
        near = np.zeros((self.regions, self.regions), np.float32)
        near[self.edge_from, self.edge_to] = 1
        self.near = near / near.sum(1, keepdims=True)
        #: the actions that this board has: the columns of the logits
        self.actions = np.concatenate([
            np.arange(BASES["region"]), BASES["region"] + np.arange(self.regions),
            BASES["card"] + np.arange(NUM_CARDS), BASES["discard"] + np.arange(NUM_CARDS),
            BASES["edge"] + places,
        ])  # fmt: skip


def weight_shapes(architecture: Architecture, layout: Layout) -> dict[str, tuple[int, ...]]:
    """The name and shape of every weight; a bias goes by the name of its matrix and `_b`."""
    a, d, width = architecture, architecture.tokens, architecture.width
    matrices: dict[str, tuple[int, int]] = {"rest": (width, layout.rest)}
    shapes: dict[str, tuple[int, ...]] = {}
    if a.kind == "flat":
        matrices |= {
            "rest": (width, layout.rest + layout.planes * layout.regions),
            "joint": (width, width), "value1": (width // 2, width), "value2": (1, width // 2),
            "logits": (len(layout.actions), width),
        }  # fmt: skip
    else:
        matrices |= {
            "token": (d, layout.planes), "told": (d, width), "mixed": (d, d),
            "joint": (width, width + 2 * d), "deep": (width, width),
            "value1": (width // 2, width), "value2": (1, width // 2),
            "plain": (BASES["region"], width), "cards": (2 * NUM_CARDS, width),
            "region_ask": (d, width), "pair_from": (a.pairs, d), "pair_to": (a.pairs, d),
            "pair_ask": (a.pairs, width),
        }  # fmt: skip
        shapes["place"] = (layout.regions, 1, d)
        for k in range(a.passes):
            matrices |= {f"own{k}": (d, d), f"near{k}": (d, d)}
    for name, shape in matrices.items():
        shapes[name], shapes[name + "_b"] = shape, (shape[0],)
    return shapes


def initial_weights(
    architecture: Architecture, layout: Layout, rng: np.random.Generator
) -> dict[str, npt.NDArray[np.float32]]:
    """Orthogonal matrices; what leads to logits is nearly nothing, so that all actions are as likely."""
    made: dict[str, npt.NDArray[np.float32]] = {}
    last = ("logits", "plain", "cards", "region_ask", "pair_ask")
    for name, shape in weight_shapes(architecture, layout).items():
        if name == "place":
            made[name] = rng.normal(0, 0.3, shape).astype(np.float32)
        elif name.endswith("_b"):
            made[name] = np.zeros(shape, np.float32)
        else:
            gain = 0.01 if name in last else 1.0 if name == "value2" else 2**0.5
            q, r = np.linalg.qr(rng.normal(size=(max(shape), min(shape))))
            q = q * np.sign(np.diag(r))
            made[name] = (gain * (q if shape[0] >= shape[1] else q.T)).astype(np.float32)
    return made


def scaled(weights: Weights, layout: Layout, convert: Any = np.asarray) -> dict[str, Any]:
    """The weights with the scales of the observation multiplied in, so that bytes need no scaling."""
    found = dict(weights)
    inputs = np.concatenate([
        layout.row_scale, np.repeat(_card_scale(layout), NUM_CARDS),
    ]).astype(np.float32)  # fmt: skip
    if "token" in found:
        found["token"] = found["token"] * convert(layout.plane_scale)
    else:
        inputs = np.concatenate([np.repeat(layout.plane_scale, layout.regions), inputs])
    found["rest"] = found["rest"] * convert(inputs)
    found["board"] = convert(layout.near)
    return found


def _card_scale(layout: Layout) -> Array:
    """Picks are counted 1..5; everything else is a flag."""
    words = sum(layout.values.values())
    return np.array([1 / CARD_SCALE if p == C_PICKED else 1.0 for p in layout.plain] + [1.0] * words)


def inputs_of(ops: Any, layout: Layout, seen: Any) -> Any:
    """All but the regions: seats and globals, and the cards with a plane for each word."""
    cards = seen[:, layout.card_start : layout.card_stop].reshape(-1, layout.card_planes, NUM_CARDS)
    parts = [seen[:, layout.board_stop : layout.card_start], seen[:, layout.card_stop :]]
    parts += [cards[:, plane] for plane in layout.plain]
    parts += [cards[:, p] == v + 1 for p, values in layout.values.items() for v in range(values)]
    return ops.concat([ops.floats(part) for part in parts])


def forward(ops: Any, a: Architecture, layout: Layout, w: Weights, seen: Any) -> tuple[Any, Any]:
    """Logits `[row, place in layout.actions]` and values `[row]`; `seen` are int8 observations."""
    if a.kind == "flat":
        return _forward_flat(ops, layout, w, seen)

    def layer(name: str, x: Any) -> Any:
        return ops.linear(x, w[name], w[name + "_b"])

    first = ops.relu(layer("rest", inputs_of(ops, layout, seen)))
    board = seen[:, : layout.board_stop].reshape(-1, layout.planes, layout.regions)
    tokens = layer("token", ops.floats(ops.permute(board, 2, 0, 1)))
    tokens = ops.relu(tokens + (layer("told", first) + w["place"]))
    tokens = ops.relu(layer("mixed", tokens))
    for k in range(a.passes):
        tokens = tokens + ops.relu(_messages(ops, w, k, tokens))
    pooled = [first, tokens.mean(0), ops.largest(tokens)]
    hidden = ops.relu(layer("joint", ops.concat(pooled)))
    hidden = hidden + ops.relu(layer("deep", hidden))
    value = layer("value2", ops.relu(layer("value1", hidden)))[:, 0]
    regions = (tokens * layer("region_ask", hidden)).sum(-1).T
    pairs = ops.take(layer("pair_from", tokens), layout.edge_from)
    pairs = ops.relu(pairs + ops.take(layer("pair_to", tokens), layout.edge_to))
    edges = (pairs * layer("pair_ask", hidden)).sum(-1).T
    return ops.concat([layer("plain", hidden), regions, layer("cards", hidden), edges]), value


def _messages(ops: Any, w: Weights, k: int, tokens: Any) -> Any:
    """What the regions tell their neighbours, the mean of it, beside what they know themselves."""
    told = ops.linear(tokens, w[f"near{k}"], w[f"near{k}_b"])
    told = (w["board"] @ told.reshape(len(told), -1)).reshape(tokens.shape)
    return told + ops.linear(tokens, w[f"own{k}"], w[f"own{k}_b"])


def _forward_flat(ops: Any, layout: Layout, w: Weights, seen: Any) -> tuple[Any, Any]:
    """Two layers over everything."""

    def layer(name: str, x: Any) -> Any:
        return ops.linear(x, w[name], w[name + "_b"])

    board = ops.floats(seen[:, : layout.board_stop])
    hidden = ops.relu(layer("rest", ops.concat([board, inputs_of(ops, layout, seen)])))
    hidden = ops.relu(layer("joint", hidden))
    return layer("logits", hidden), layer("value2", ops.relu(layer("value1", hidden)))[:, 0]


def draw(
    logits: Array, legal: npt.NDArray[np.bool_], uniform: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """A legal column for each row: the inverse of the distribution function at `uniform`."""
    p = np.where(legal, logits, -np.inf)
    p = np.where(legal, np.exp(p - p.max(1, keepdims=True)), 0)
    summed = p.cumsum(1, dtype=np.float64)
    return np.asarray((summed > uniform[:, None] * summed[:, -1:]).argmax(1))
