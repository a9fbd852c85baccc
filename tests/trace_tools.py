"""Traces of compiled games, played again: what each row saw, and what a dense network makes of it; and how runs end."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from env_tools import game_of

from genesia_rl.core import chance
from genesia_rl.core.game import Game
from genesia_rl.core.incremental import Trace
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import make_game, register_game
from genesia_rl.learn import checkpoint
from genesia_rl.learn.policy import Network, TorchLayout, log_probabilities
from genesia_rl.players.incremental import seen_traits
from genesia_rl.players.networks import INCREMENTAL, Architecture
from genesia_rl.vector.batch import Batch

ARCHITECTURE = Architecture(INCREMENTAL, 24, joint=20, traits=True)


class Replayed(NamedTuple):
    """What each row of a trace saw and might do, its seat's potential and key, by playing its games again."""

    observation: Any
    legal: Any
    potential: Any
    keys: Any
    states: Any
    traits: Any


def any_game(variant: str) -> Game:
    """A variant of a registered game, or the toy."""
    if variant == "toy":
        register_game("toy", "toy", listed=False)
        return make_game("toy", players=3)
    return game_of(variant)


def network_of(game: Game, noise: float = 0.02) -> Network:
    """A network with all weights in use."""
    network = Network(ARCHITECTURE, TorchLayout(game), 0)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, weight in network.weights.items():
            if name == "traits_own":
                weight.mul_(1 / 64)  # else hardly anything but the likeliest action has a gradient
            weight.add_(noise * torch.randn(weight.shape, generator=generator))
    return network


def replay(game: Game, network: Network, trace: Trace, seeds: Any) -> Replayed:
    """Play the games of a trace of all seats again, by the kernels of single games."""
    actions, states, settings = network.layout.actions, game.new_states(), Batch(game, 1).settings
    kept: list[list[Any]] = [[] for _ in Replayed._fields]
    before = -1
    for row in trace.rows:
        if row["game"] != before:
            assert before < 0 or game.is_over(states, 0)
            before = int(row["game"])
            game.reset(states, 0, int(seeds[before]))
        seat, columns = game.seat(states, 0), trace.legal[row["legal"] : row["legal"] + row["num_legal"]]
        mask, observation = game.view(states, 0, seat)
        legal = np.zeros(len(actions), np.bool_)
        legal[columns] = True
        assert seat == row["seat"] and np.array_equal(legal, mask[actions] != 0)
        found, secret = game.new_scores(), settings[0]["secret"].astype(bool)
        game.kernels.scores(states, 0, game.tables, *found)
        potentials = np.zeros(game.facts.most_seats)
        public = (found.totals - found.parts[:, secret].sum(1)).astype(np.int32)
        game.kernels.potentials(settings, public, potentials)
        key = chance.mixed(chance.policy_streams(seeds[before], states["steps"][0]))
        decision = DecisionBatch(game, states, np.zeros(1, np.int64), key)
        noted = (
            observation,
            legal,
            potentials[seat],
            key,
            states.copy(),
            seen_traits(decision, network.layout)[0],
        )
        for into, item in zip(kept, noted, strict=True):
            into.append(item)
        game.step(states, 0, game.from_view(seat, int(actions[columns[row["chosen"]]])))
    assert game.is_over(states, 0)
    seen, legal, potential, keys = map(np.array, kept[:4])
    return Replayed(seen, legal, potential, keys, np.concatenate(kept[4]), np.array(kept[5]))


def dense(network: Network, trace: Trace, again: Replayed) -> tuple[Any, Any, Any]:
    """Log probabilities, entropies and values by the dense network."""
    logits, value = network(torch.from_numpy(again.observation), torch.from_numpy(again.traits))
    every = log_probabilities(logits, torch.from_numpy(again.legal))
    chosen = trace.legal[trace.rows["legal"] + trace.rows["chosen"]].astype(np.int64)
    entropy = -(every.exp() * every).sum(1)
    return every.gather(1, torch.from_numpy(chosen)[:, None])[:, 0], entropy, value


def end_of(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The last checkpoint, without what the clock says."""
    header, arrays = checkpoint.read(folder)
    for name in ("spent", "taught", "seconds", "settings"):
        del header[name]
    return header, arrays
