"""Genesis behind the contract: ties configuration, tables, kernels and texts together; holds no rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from genesia_rl.core.errors import ActionError
from genesia_rl.core.facts import Facts
from genesia_rl.core.game import Game
from genesia_rl.core.pieces import Head
from genesia_rl.games.genesis import observe
from genesia_rl.games.genesis.actions import CELL_BASE, action_text, num_actions, parse_action, verb_of
from genesia_rl.games.genesis.bounds import state_bounds
from genesia_rl.games.genesis.check import check_state
from genesia_rl.games.genesis.compiled import KERNELS
from genesia_rl.games.genesis.config import Config
from genesia_rl.games.genesis.data.pieces import load_data
from genesia_rl.games.genesis.names import KINDS, MAX_CELLS, MAX_SEATS, ROOM, SCORE_PARTS, TERRAINS
from genesia_rl.games.genesis.state import STATE, States
from genesia_rl.games.genesis.tables import build_tables, used_neighbours
from genesia_rl.games.genesis.text.deal import deal_dict, put_deal
from genesia_rl.games.genesis.text.draw import draw
from genesia_rl.games.genesis.text.position import put_position, state_dict
from genesia_rl.games.genesis.text.result import result_dict

FACTS = Facts(
    name="genesis",
    version=0,
    most_seats=MAX_SEATS,
    kinds=KINDS,
    max_decisions=3 * (MAX_CELLS - ROOM + 1),  # PROTOCOL 2
    score_parts=SCORE_PARTS,
)


def make(**fields: Any) -> GenesisGame:
    """A game of Genesis; the fields are those of RULES 3, and `data` for a folder of one's own data."""
    return GenesisGame(Config.make(**fields))


class GenesisGame(Game):
    """Genesis in one configuration."""

    facts = FACTS
    state_dtype = STATE
    kernels = KERNELS
    is_contest = True

    def __init__(self, config: Config) -> None:
        self.config = config
        self.tables = build_tables(config)
        self.bounds = state_bounds(config)
        self.num_seats = config.players
        self.teams = tuple(range(config.players))
        self._species = load_data(config.data).pieces.species
        cells = config.board.cells
        self.num_actions = num_actions(cells)
        self.pieces = observe.layout(config.players, cells)
        self.groups = observe.groups(config.players, cells)
        self.observation_size = observe.observation_size(config.players, cells)
        around = used_neighbours(config.board, config.players)
        edges = np.array([(a, b) for a, others in around.items() for b in others], np.int64)
        self.token_sets = observe.token_sets(config.players, cells, edges)
        self.heads = (
            Head("plain", np.arange(CELL_BASE)),
            Head("cell", CELL_BASE + np.arange(cells), "cells", np.arange(cells)),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its configuration: tables are built anew."""
        return GenesisGame, (self.config,)

    # ---- actions
    def to_view(self, seat: int, action: int) -> int:
        return self._checked(action)

    def from_view(self, seat: int, action: int) -> int:
        return self._checked(action)

    def _checked(self, action: int) -> int:
        """PROTOCOL 1: an action is the same in every seat's numbering."""
        if not 0 <= action < self.num_actions:
            raise ActionError(f"action {action}: no such action, allowed are 0..{self.num_actions - 1}")
        return int(action)

    def action_text(self, action: int) -> str:
        return action_text(action, self.config.board.cells)

    def parse_action(self, text: str) -> int:
        return parse_action(text, self.config.board.cells)

    def describe(self, action: int, states: States | None = None, i: int = 0) -> str:
        verb, obj = verb_of(int(action), self.config.board.cells)
        if verb == "end":
            return "place no second tile"
        if verb == "tile":
            return f"take a tile of {TERRAINS[obj]}"
        y, x = divmod(obj, self.config.board.width)
        return f"place the tile on cell {obj} (row {y + 1}, column {x + 1})"

    def species(self, seat: int) -> str:
        """RULES 1: the animals of a seat."""
        return self._species[seat]

    # ---- traces and positions
    def config_dict(self) -> dict[str, Any]:
        return self.config.to_dict()

    def deal_dict(self, states: States, i: int) -> dict[str, Any]:
        return deal_dict(states[i])

    def put_deal(self, states: States, i: int, deal: Mapping[str, Any]) -> None:
        put_deal(self.config, self.tables, states, i, deal)
        self.kernels.start(states, int(i), self.tables)

    def put_position(self, states: States, i: int, position: Mapping[str, Any]) -> dict[str, Any]:
        whole = put_position(self.config, self.tables, states, i, position)
        self.kernels.start(states, int(i), self.tables)
        return whole

    def state_dict(self, states: States, i: int) -> dict[str, Any]:
        return state_dict(self.config, states[i])

    def result_dict(self, states: States, i: int) -> dict[str, Any]:
        return result_dict(self.config, states[i], self.scores(states, i))

    # ---- for people
    def draw(self, states: States, i: int) -> str:
        return draw(self, states, i)

    def check_state(self, states: States, i: int) -> list[str]:
        return check_state(self.config, states[i])
