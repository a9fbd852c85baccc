"""`ppo:PATH`: a trained network as a player; `drawn:T@PATH`: the same, which draws its actions. Without torch it runs
on NumPy, with torch the same faster; one that is kept up to date is compiled. A path may be an address of the
Hugging Face hub (hub.py).

A model is an `.npz` file: the weights, in single or half precision, and an entry `header`, which is JSON as
bytes: the architecture, the number of players, the sizes of what it sees and does, the version of the game it
was trained on and a card that says where it comes from. As `ppo` a network takes its most likely action: nobody has
to be surprised, and its probabilities belong to exploring. At a temperature it draws: at 1 as it learned, below that
the less often what is unlikely.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

import genesia_rl
from genesia_rl.core.arrays import read_arrays
from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.files import replacing
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.reading import is_int, shown
from genesia_rl.players import hub
from genesia_rl.players.common import CommonLayout, common_layout, narrowed
from genesia_rl.players.networks import (
    INCREMENTAL,
    Architecture,
    Layout,
    draw,
    forward,
    scaled,
    weight_shapes,
)
from genesia_rl.players.ops import NumpyOps

Array = npt.NDArray[Any]
FORMAT = 1
ALLOWED = "allowed is a model by genesia train"
#: What a model may unpack to: hundreds of times what the largest presets make.
MOST_BYTES = 1 << 30
MOST_PLAYERS = 64
LEAST_TEMPERATURE, MOST_TEMPERATURE = 0.01, 100.0
PACKAGE = Path(genesia_rl.__file__).parent


def models_of(game: str) -> Path:
    """The folder of the models that come with the package: installed with it, or beside it in a checkout."""
    installed = PACKAGE / "models" / game
    return installed if installed.is_dir() else PACKAGE.parent / "agents" / game


def model_name(game: Game) -> str:
    """The file's name there: by the number of players, which is 1 where all play together."""
    return f"{game.num_seats if game.is_contest else 1}p.npz"


def facts_of(game: Game) -> dict[str, Any]:
    """What a game must have in common with what was made for it, or its bytes mean something else."""
    return {
        "game": game.name, "game_version": game.version, "players": game.num_seats,
        "observation_size": game.observation_size, "num_actions": game.num_actions,
    }  # fmt: skip


class Model(NamedTuple):
    """What a file holds."""

    architecture: Architecture
    players: int  # at a table; of a network for several numbers of players the least
    header: dict[str, Any]
    weights: dict[str, npt.NDArray[np.float32]]

    @property
    def tables(self) -> tuple[int, ...]:
        """All numbers of players that it plays at."""
        held = self.header["players"]
        return tuple(held) if isinstance(held, list) else (held,)


def save_model(
    path: str | Path,
    architecture: Architecture,
    game: Game,
    weights: Mapping[str, Array],
    card: Mapping[str, Any],
    also: Sequence[Game] = (),
) -> None:
    """Write a model for a game, and also for that with more players; the file appears when it is complete."""
    facts = facts_of(game)
    if also:
        every = [facts, *map(facts_of, also)]
        facts = {
            **facts,
            **{name: [held[name] for held in every] for name in ("players", "observation_size")},
        }
    architecture_and_card = {"architecture": architecture.to_dict(), "card": dict(card)}
    write_model(path, {"format": FORMAT, **facts, **architecture_and_card}, weights)


def write_model(
    path: str | Path, header: Mapping[str, Any], weights: Mapping[str, Array], precision: Any = np.float32
) -> None:
    """Write a header and weights."""
    text = np.frombuffer(json.dumps(header).encode(), np.uint8)
    held: dict[str, Any] = {name: np.asarray(w, precision) for name, w in weights.items()}
    with replacing(path, "wb") as file:
        np.savez_compressed(file, header=text, **held)


def _single(array: Array) -> Array:
    """Weights may be kept in half precision, to make a file smaller; they are calculated with in single."""
    return array.astype(np.float32) if array.dtype == np.float16 else array


def file_of(path: str) -> Path:
    """The file of a path; of an address of the hub, where it was laid."""
    return hub.fetched(path) if hub.is_address(path) else Path(path)


def load_model(path: str | Path) -> Model:
    """Read a model; what is wrong with a file is named."""
    held = {
        name: _single(array)
        for name, array in read_arrays(path, "model", "genesia train (.npz)", MOST_BYTES).items()
    }
    header = _header(path, held.pop("header", None))
    allowed = "allowed is what this version writes"
    try:
        architecture = Architecture(**header["architecture"])
    except ConfigError as error:
        raise DataError(f"{path}: header: {error}") from None
    except (KeyError, TypeError) as error:
        raise DataError(f"{path}: header {error}, {allowed}") from None
    given = header.get("players")
    numbers = given if isinstance(given, list) and len(given) > 1 else [given]
    if not all(is_int(number, 1, MOST_PLAYERS) for number in numbers) or sorted(set(numbers)) != numbers:
        raise DataError(f"{path}: header players = {shown(given)}, {allowed}")
    return Model(architecture, numbers[0], header, held)


def _header(path: str | Path, text: Any) -> dict[str, Any]:
    try:
        if text.dtype != np.uint8 or text.ndim != 1:
            raise ValueError
        header = json.loads(text.tobytes().decode())
        version = header["format"]
    except (AttributeError, TypeError, ValueError, KeyError, RecursionError):
        raise DataError(f"{path}: header missing or not JSON, {ALLOWED}") from None
    if type(version) is not int or version != FORMAT:
        raise DataError(f"{path}: format {shown(version)}, allowed is {FORMAT}")
    return dict(header)


def fitted(path: str | Path, model: Model, game: Game, layout: Layout | None = None) -> Model:
    """The model as it plays this game, which it must fit: its name, players, sizes, and every weight.

    Any version of the game will do. A network for several numbers of players becomes one for that of the game.
    """
    layout = layout or Layout(game)
    if len(model.tables) > 1 and game.num_seats in model.tables:
        model = _at_table(path, model, game, layout)
    for name, allowed in facts_of(game).items():
        if name != "game_version" and model.header.get(name) != allowed:
            raise DataError(
                f"{path}: {name} = {shown(model.header.get(name))}, allowed in this game is {allowed!r}"
            )
    check_weights(path, model, layout)
    return model


def _at_table(path: str | Path, model: Model, game: Game, layout: Layout) -> Model:
    """Of a network for several numbers of players what is read by that of the game."""
    held, number = model.header, model.tables.index(game.num_seats)
    common = common_of(path, model, game.name)
    check_weights(path, model, common)
    try:
        view = common.view(layout, number)
    except ConfigError as error:
        raise DataError(f"{path}: {error}") from None
    sizes = {"players": game.num_seats, "observation_size": game.observation_size}
    return model._replace(
        players=game.num_seats, header={**held, **sizes}, weights=narrowed(model.weights, view)
    )


def common_of(path: str | Path, model: Model, name: str) -> CommonLayout:
    """What all numbers of players of a model have together, in the game of this name."""
    if model.header.get("game") != name:
        raise DataError(f"{path}: game = {shown(model.header.get('game'))}, allowed in this game is {name!r}")
    try:
        return common_layout(name, model.tables)
    except ConfigError as error:
        raise DataError(f"{path}: {error}") from None


def check_weights(path: str | Path, model: Model, layout: Any) -> None:
    """Has the model all weights that a layout asks for, and no others?"""
    shapes = weight_shapes(model.architecture, layout)
    for name in sorted(shapes.keys() | model.weights.keys()):
        found = model.weights[name].shape if name in model.weights else None
        if found is not None and model.weights[name].dtype != np.float32:
            kind = model.weights[name].dtype
            raise DataError(f"{path}: weight {shown(name)} is {kind}, allowed are float16 and float32")
        if found != shapes.get(name):
            raise DataError(f"{path}: weight {name} has the shape {found}, allowed is {shapes.get(name)}")
        if not np.isfinite(model.weights[name]).all():
            raise DataError(f"{path}: weight {name} holds what is no number, allowed are finite numbers")


def digest(held: bytes) -> str:
    """Of a file, by which one agent is told from another of its name."""
    return hashlib.blake2b(held, digest_size=8).hexdigest()


class Fitted(NamedTuple):
    """A network that fits a game, as a code names it."""

    file: Path
    model: Model
    temperature: float


def network_of(code: str, game: Game) -> Fitted | None:
    """The network of `ppo[:PATH]` or `drawn:T[@PATH]`, which must fit the game; None of another code."""
    player = player_of(code)
    if player is None:
        return None
    file = player.file(game)
    return Fitted(file, fitted(file, load_model(file), game), player.temperature)


def player_of(code: str) -> LearnedPlayer | None:
    """The player of `ppo[:PATH]` or `drawn:T[@PATH]`; None of another code."""
    kind, colon, argument = code.strip().partition(":")
    if kind == "ppo" and bool(colon) == bool(argument):
        return LearnedPlayer(argument or None)
    if kind == "drawn" and argument:
        return drawn_player(argument)
    return None


def drawn_player(argument: str) -> LearnedPlayer:
    """The player of `T` or `T@PATH`."""
    given, at, path = argument.partition("@")
    try:
        temperature = float(given)
    except ValueError:
        temperature = math.nan
    if not LEAST_TEMPERATURE <= temperature <= MOST_TEMPERATURE or bool(at) != bool(path):
        raise ConfigError(
            f"agent {f'drawn:{argument}'!r}: allowed is drawn:T[@PATH] with a temperature T "
            f"{LEAST_TEMPERATURE:g}..{MOST_TEMPERATURE:g}"
        )
    return LearnedPlayer(path or None, temperature)


class LearnedPlayer(Player):
    """The network of a file; without a path that of the package for the game's number of players.

    Of temperature 0 it takes its likeliest action.
    """

    version = 1

    def __init__(
        self, path: str | None = None, temperature: float = 0.0, use_torch: bool | None = None
    ) -> None:
        self.name = f"ppo:{path}" if path else "ppo"
        if temperature:
            self.name = f"drawn:{temperature:g}@{path}" if path else f"drawn:{temperature:g}"
        self.temperature, self.path, self._use_torch = temperature, path, use_torch
        self._nets: dict[int, tuple[Game, Any]] = {}
        if path is not None:
            load_model(file_of(path))

    def net(self, game: Game) -> Any:
        """The network for a game: observations to logits and values."""
        if id(game) not in self._nets:
            self._nets[id(game)] = game, self._load(game)
        return self._nets[id(game)][1]

    def fingerprint(self, game: Game) -> str:
        """A digest of the file."""
        return digest(self.file(game).read_bytes())

    def file(self, game: Game) -> Path:
        """Where the weights are."""
        if self.path is not None:
            return file_of(self.path)
        folder = models_of(game.name)
        path = folder / model_name(game)
        if not path.exists():
            have = ", ".join(sorted(p.name for p in folder.glob("*.npz"))) or "none"
            raise ConfigError(
                f"agent 'ppo': no model {path.name} of {game.name} comes with the package "
                f"(there are: {have}), allowed is ppo:PATH"
            )
        return path

    def _load(self, game: Game) -> Any:
        path = self.file(game)
        layout = Layout(game)
        model = fitted(path, load_model(path), game, layout)
        if model.architecture.kind == INCREMENTAL and self._use_torch is None:
            from genesia_rl.players.incremental import CompiledNet  # compiled code: only when it is needed

            return CompiledNet(game, model.architecture, layout, model.weights)
        if self._use_torch is not False:
            try:
                from genesia_rl.players.ops_torch import Frozen, TorchLayout

                return TorchNet(Frozen(model.architecture, TorchLayout(game), model.weights))
            except ModuleNotFoundError:
                if self._use_torch:
                    raise
        return NumpyNet(model.architecture, layout, model.weights)

    def judge(self, decisions: DecisionBatch) -> tuple[Array, Array]:
        """Logits of the network's actions, minus infinity of what is not legal, and values."""
        net = self.net(decisions.game)
        seen = decisions.observation, decisions.mask[:, net.actions] != 0
        if not net.architecture.traits:
            return cast("tuple[Array, Array]", net(*seen))
        from genesia_rl.players.incremental import seen_traits  # compiled code: only when it is needed

        return cast("tuple[Array, Array]", net(*seen, seen_traits(decisions, net.layout)))

    def logits(self, decisions: DecisionBatch) -> Array:
        """The logits of all actions; of what is not legal minus infinity."""
        net = self.net(decisions.game)
        out = np.full((len(decisions), decisions.game.num_actions), -np.inf, np.float32)
        out[:, net.actions] = self.judge(decisions)[0]
        return out

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """The most likely legal action, or one drawn at the temperature."""
        net = self.net(decisions.game)
        logits = self.judge(decisions)[0]
        if not self.temperature:
            return np.asarray(net.actions[logits.argmax(1)])
        heated = logits / np.float32(self.temperature)
        return np.asarray(net.actions[draw(heated, logits > -np.inf, decisions.uniform())])

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_nets": {}}


class NumpyNet:
    """A network without torch."""

    def __init__(self, architecture: Architecture, layout: Layout, weights: Mapping[str, Array]) -> None:
        self.architecture, self.layout, self.actions = architecture, layout, layout.actions
        self.weights = scaled(weights, layout)

    def __call__(self, observation: Array, legal: Array, traits: Array | None = None) -> tuple[Array, Array]:
        """Logits of the layout's actions, minus infinity of what is not legal, and values."""
        logits, values = forward(NumpyOps, self.architecture, self.layout, self.weights, observation, traits)
        return np.where(legal, logits, -np.inf), values


class TorchNet:
    """The same by torch, on one thread: more of them wait for one another on a machine that is in use."""

    def __init__(self, frozen: Any) -> None:
        self.frozen, self.architecture = frozen, frozen.architecture
        self.layout, self.actions = frozen.layout, frozen.layout.actions

    def __call__(self, observation: Array, legal: Array, traits: Array | None = None) -> tuple[Array, Array]:
        """Logits of the layout's actions, minus infinity of what is not legal, and values."""
        from genesia_rl.players.ops_torch import one_thread

        with one_thread():
            logits, values = self.frozen(np.ascontiguousarray(observation), traits)
        return np.where(legal, logits.numpy(), -np.inf), values.numpy()
