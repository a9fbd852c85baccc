"""Age of Civilization behind the contract: ties configuration, tables, kernels and texts together; no rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from genesia_rl.core.errors import ActionError
from genesia_rl.core.facts import Facts
from genesia_rl.core.game import Game
from genesia_rl.core.pieces import Head
from genesia_rl.games.age_of_civilization import observe
from genesia_rl.games.age_of_civilization.actions import (
    MAIN_ACTION,
    NUM_ACTIONS,
    RISE_BASE,
    SEGMENTS,
    action_text,
    parse_action,
    verb_of,
)
from genesia_rl.games.age_of_civilization.bounds import state_bounds
from genesia_rl.games.age_of_civilization.check import check_rows, check_state
from genesia_rl.games.age_of_civilization.compiled import KERNELS
from genesia_rl.games.age_of_civilization.config import Config
from genesia_rl.games.age_of_civilization.data.box import Box, load_box
from genesia_rl.games.age_of_civilization.names import ACTIONS, KINDS, MAX_SEATS, SCORE_PARTS
from genesia_rl.games.age_of_civilization.state import STATE, States
from genesia_rl.games.age_of_civilization.tables import build_tables
from genesia_rl.games.age_of_civilization.text.deal import deal_dict, put_deal
from genesia_rl.games.age_of_civilization.text.draw import draw
from genesia_rl.games.age_of_civilization.text.position import put_position
from genesia_rl.games.age_of_civilization.text.result import result_dict, state_dict

FACTS = Facts(
    name="age_of_civilization",
    version=0,
    most_seats=MAX_SEATS,
    kinds=KINDS,
    max_decisions=1_000,  # PROTOCOL 2: a turn asks fewer than 40, and there are at most 24 turns and 20 picks
    score_parts=SCORE_PARTS,
    score_scale=20.0,
    joint_scale=40.0,
)

#: The verbs whose objects are things of an observation, by the token set.
POINTING = {
    "rise": "civilizations", "annex": "civilizations", "card": "civilizations", "heritage": "civilizations",
    "act": "actions", "special": "specials", "tech": "technologies", "wonder": "wonders",
}  # fmt: skip


def make(**fields: Any) -> AgeOfCivilizationGame:
    """A game of Age of Civilization; the fields are those of RULES 3, and `data` for a folder of one's own data."""
    return AgeOfCivilizationGame(Config.make(**fields))


def heads() -> tuple[Head, ...]:
    """Every action, by the thing that it stands for."""
    found = [Head("plain", np.array([*range(RISE_BASE), MAIN_ACTION]))]
    for verb, tokens in POINTING.items():
        places = np.arange(SEGMENTS[verb].size)
        found.append(Head(verb, SEGMENTS[verb].base + places, tokens, places))
    return tuple(found)


class AgeOfCivilizationGame(Game):
    """Age of Civilization in one configuration."""

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
        return AgeOfCivilizationGame, (self.config,)

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
        verb, obj = verb_of(int(action))
        kind = "" if states is None else self.kind(states, i)
        if verb in ("rise", "annex", "card", "heritage"):
            return self._describe_civilization(verb, obj, kind)
        if verb in ("tech", "wonder"):
            name = (self.box.technology if verb == "tech" else self.box.wonder)(obj).name
            return (
                f"do the effects of {name} for the end of the turn" if kind == "turn_end" else f"gain {name}"
            )
        if verb == "act":
            return f"perform {ACTIONS[obj]}"
        if verb == "special":
            names = " and ".join(tech.name for tech in self.box.technologies if tech.special == obj)
            return f"buy special card {obj} ({names})"
        if verb == "end":
            return {"action": "end the actions", "grant": "do without it"}.get(kind, "end")
        return {
            "rest": "rest: two coins and a worker",
            "pass": "take no civilization",
            "main": "do what the main ability says for the end of the turn",
        }[verb]

    def _describe_civilization(self, verb: str, number: int, kind: str) -> str:
        name = self.box.civilization(number).name
        words = {
            "rise": f"let {name} rise",
            "annex": f"annex {name}",
            "heritage": f"do what {name} has left for the end of the turn",
            "card": f"put coins on {name}" if kind == "deposit" else f"keep {name}",
        }
        return words[verb]

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
        return check_state(self.config, states[i]) + check_rows(self.tables[0], states[i])
