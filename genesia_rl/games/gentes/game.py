"""Gentes behind the contract: ties configuration, tables, kernels and texts together; no rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from genesia_rl.core.errors import ActionError
from genesia_rl.core.facts import Facts
from genesia_rl.core.game import Game
from genesia_rl.core.pieces import Head
from genesia_rl.games.gentes import observe
from genesia_rl.games.gentes.actions import NUM_ACTIONS, SEGMENTS, action_text, parse_action, segment_of
from genesia_rl.games.gentes.bounds import state_bounds
from genesia_rl.games.gentes.check import check_state
from genesia_rl.games.gentes.compiled import KERNELS
from genesia_rl.games.gentes.config import Config
from genesia_rl.games.gentes.data.box import Box, load_box
from genesia_rl.games.gentes.names import CITIES, KINDS, MAX_SEATS, SCORE_PARTS
from genesia_rl.games.gentes.state import STATE, States
from genesia_rl.games.gentes.tables import build_tables
from genesia_rl.games.gentes.text.deal import deal_dict, put_deal
from genesia_rl.games.gentes.text.draw import draw
from genesia_rl.games.gentes.text.position import put_position
from genesia_rl.games.gentes.text.result import result_dict, state_dict
from genesia_rl.games.gentes.text.words import costs, counted

FACTS = Facts(
    name="gentes",
    version=0,
    most_seats=MAX_SEATS,
    kinds=KINDS,
    max_decisions=2_000,  # PROTOCOL 1: 530 were seen with four players who dragged a game out
    score_parts=SCORE_PARTS,
    score_scale=30.0,
    joint_scale=100.0,
)

#: The verbs whose objects are things of an observation: the token set, and its thing for the first object.
POINTING = {
    "tile": ("tiles", 0), "city": ("places", 0), "home": ("places", CITIES), "card": ("cards", 0),
    "use": ("cards", 0), "citizen": ("types", 0),
}  # fmt: skip


def make(**fields: Any) -> GentesGame:
    """A game of Gentes; the fields are those of RULES 2, and `data` for a folder of one's own data."""
    return GentesGame(Config.make(**fields))


def heads() -> tuple[Head, ...]:
    """Every action, by the thing that it stands for."""
    plain = [
        segment.base + place
        for verb, segment in SEGMENTS.items()
        if verb not in POINTING
        for place in range(segment.size)
    ]
    found = [Head("plain", np.array(plain))]
    for verb, (tokens, first) in POINTING.items():
        places = np.arange(SEGMENTS[verb].size)
        found.append(Head(verb, SEGMENTS[verb].base + places, tokens, first + places))
    return tuple(found)


class GentesGame(Game):
    """Gentes in one configuration."""

    facts = FACTS
    state_dtype = STATE
    kernels = KERNELS
    num_actions = NUM_ACTIONS

    def __init__(self, config: Config) -> None:
        self.config = config
        self.box: Box = load_box(config.data)
        self.tables = build_tables(config)
        self.bounds = state_bounds(config)
        self.num_seats = config.players
        self.is_contest = not config.is_solo
        self.teams = tuple(range(config.players))
        self.pieces = observe.layout(config.players)
        self.groups = observe.groups(config.players)
        self.observation_size = observe.observation_size(config.players)
        self.token_sets = observe.token_sets(config.players)
        self.heads = heads()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its configuration: tables are built anew."""
        return GentesGame, (self.config,)

    # ---- actions
    def to_view(self, seat: int, action: int) -> int:
        return self._checked(action)

    def from_view(self, seat: int, action: int) -> int:
        return self._checked(action)

    def _checked(self, action: int) -> int:
        """PROTOCOL 1: an action is the same in every seat's numbering."""
        if not 0 <= action < NUM_ACTIONS:
            raise ActionError(f"action {action}: no such action, allowed are 0..{NUM_ACTIONS - 1}")
        return int(action)

    def action_text(self, action: int) -> str:
        return action_text(action)

    def parse_action(self, text: str) -> int:
        return parse_action(text)

    def describe(self, action: int, states: States | None = None, i: int = 0) -> str:
        segment = segment_of(int(action))
        obj = segment.objects[int(action) - segment.base] if segment.objects else ""
        kind = "" if states is None else self.kind(states, i)
        named = self._named(segment.verb, obj, kind)
        return named or self._plain(segment.verb, obj, kind)

    def _named(self, verb: str, obj: str, kind: str) -> str:
        """What stands for a thing of the box."""
        if verb == "tile":
            tile = self.box.tile(int(obj))
            symbol = f" ({tile.symbol})" if tile.symbol else ""
            return f"take tile {obj}, {tile.action}{symbol} for {costs(tile.coins, tile.hours)}"
        if verb == "tax":
            tax = self.box.board.taxes[int(obj) - 1]
            return f"collect {counted(tax.coins, 'coin')} for {counted(tax.hours, 'hourglass')}"
        if verb == "card":
            words = {"draft": "keep", "play": "play", "final": "score"}
            return f"{words.get(kind, 'take')} {self.box.card(int(obj)).name}"
        if verb == "use":
            return f"use {self.box.card(int(obj)).name}"
        if verb in ("city", "home"):
            name = self.box.city(int(obj)).name if verb == "city" else f"Home {obj}"
            words = {"city": "place a token on", "move": "lift the token from"}
            return f"{words.get(kind, 'use')} {name}"
        return ""

    def _plain(self, verb: str, obj: str, kind: str) -> str:
        """What does not."""
        gives = kind in ("lose", "swap_from")
        ends = {
            "ability": "use no more abilities",
            "take": "take no more cards",
            "swap_from": "exchange no more",
        }
        return {
            "citizen": f"{'lose' if gives else 'recruit'} {'an' if obj == 'artisan' else 'a'} {obj}",
            "pay": f"take an amount of {obj}",
            "double": f"{obj} {'space holds' if obj == '1' else 'spaces hold'} two hourglasses",
            "count": f"recruit by the row for {'one' if obj == '1' else 'two'}",
            "region": f"activate the {obj} region",
            "gain": f"gain {obj}" if obj in ("coins", "points") else f"gain {obj} cubes",
            "do": f"use the wild tile as {obj}",
            "amount": f"pay {obj} temple {'cube' if obj == '1' else 'cubes'} among the cubes",
            "swap": "swap citizens for a temple cube",
            "hire": "hire a citizen for cubes",
            "end": ends.get(kind, "end the own scoring"),
        }[verb]

    # ---- traces and positions
    def config_dict(self) -> dict[str, Any]:
        return self.config.to_dict()

    def deal_dict(self, states: States, i: int) -> dict[str, Any]:
        return deal_dict(self.config, states[i])

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
