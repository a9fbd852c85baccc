"""Pig behind the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from genesia_rl.core.bounds import of_seats
from genesia_rl.core.errors import ActionError, PositionError
from genesia_rl.core.facts import Facts
from genesia_rl.core.game import Game, States
from genesia_rl.core.pieces import MOST, Head, Piece, TokenSet
from genesia_rl.core.reading import given_fields, is_int, own_folder, refuse_field
from toy.compiled import KERNELS
from toy.config import DATA, DEFAULTS, DICE, LIMITS, MOST_SEATS, STATE, TABLES, read_later

TEXTS = ("hold", "roll")


def make(**fields: Any) -> Pig:
    """A game of a configuration; each field is checked."""
    config = DEFAULTS | given_fields(fields, (*DEFAULTS, "data"))
    own_folder(config, DATA)
    for name, limits in LIMITS.items():
        if not is_int(config[name], *limits):
            refuse_field(name, config[name], "{}..{}".format(*limits))
    return Pig(config)


class Pig(Game):
    """One configuration."""

    facts = Facts("toy", 0, MOST_SEATS, ("none", "turn"), max_decisions=DICE, score_scale=20.0)
    state_dtype, kernels = STATE.narrow, KERNELS
    is_contest, num_actions = True, len(TEXTS)
    heads = (Head("plain", np.arange(len(TEXTS))),)

    def __init__(self, config: dict[str, Any]) -> None:
        self.config, n = config, config["players"]
        self.num_seats, self.teams = n, tuple(range(n))
        self.tables = np.zeros(1, TABLES)
        for name in LIMITS:
            self.tables[name] = config[name]
        self.tables["later"] = read_later(config.get("data"))
        self.pieces = (
            Piece("points", 0, (n,), 0, MOST, "points of each seat, the observer's first"),
            Piece("is_turn", n, (n,), 0, 1, "whose turn it is"),
            Piece("turn", 2 * n, (1,), 0, MOST, "points of this turn"),
            Piece("target", 2 * n + 1, (1,), 0, MOST, "points that win"),
            Piece("sides", 2 * n + 2, (1,), 0, 12, "sides of the die"),
        )
        points = (0, 100 + DICE * LIMITS["sides"][1])  # no turn can bring more than all dice
        self.bounds = {"first": (0, n - 1), "player": (0, n - 1), "turn": points, "used": (0, DICE), "dice": (0, 100),
                       **of_seats(STATE.narrow, n, MOST_SEATS, {"points": points})}  # fmt: skip
        self.groups = (
            Piece("seats", 0, (2, n), 0, MOST, "by seat"),
            Piece("turn", 2 * n, (3,), 0, MOST, "all"),
        )
        self.observation_size = 2 * n + 3
        self.token_sets = (TokenSet("seats", 0, 2, n),)

    def to_view(self, seat: int, action: int) -> int:
        self.action_text(action)
        return int(action)

    from_view = to_view

    def action_text(self, action: int) -> str:
        if not 0 <= action < len(TEXTS):
            raise ActionError(f"action {action}: no such action, allowed are 0..{len(TEXTS) - 1}")
        return TEXTS[action]

    def parse_action(self, text: str) -> int:
        if text not in TEXTS:
            raise ActionError(f"action {text!r}: unknown, allowed are {', '.join(TEXTS)}")
        return TEXTS.index(text)

    def describe(self, action: int, states: States | None = None, i: int = 0) -> str:
        return f"{self.action_text(action)} the die"

    def config_dict(self) -> dict[str, Any]:
        return dict(self.config)

    def deal_dict(self, states: States, i: int) -> dict[str, Any]:
        return {"player": int(states[i]["first"]), "dice": states[i]["dice"].tolist()}

    def put_deal(self, states: States, i: int, deal: Mapping[str, Any]) -> None:
        given: Any = deal if isinstance(deal, Mapping) else {}
        later = int(self.tables[0]["later"])
        points = [later * (seat != given.get("player")) for seat in range(self.num_seats)]
        self._begin(states, i, {"points": points, **given})

    def put_position(self, states: States, i: int, position: Mapping[str, Any]) -> dict[str, Any]:
        """The beginning of a turn."""
        self._begin(states, i, position)
        return dict(position)

    def _begin(self, states: States, i: int, given: Mapping[str, Any]) -> None:
        for name, shape in (("player", ()), ("points", (self.num_seats,)), ("dice", (DICE,))):
            value = np.array(given.get(name), object)
            if value.shape != shape or not all(is_int(x, 0, 100) for x in value.flat):
                raise PositionError(f"{name} = {given.get(name)!r}, allowed are numbers of the shape {shape}")
        states[i : i + 1] = self.new_states()
        states["first"][i] = states["player"][i] = given["player"] % self.num_seats
        states["points"][i, : self.num_seats], states["dice"][i] = given["points"], given["dice"]
        self.kernels.start(states, int(i), self.tables)

    def state_dict(self, states: States, i: int) -> dict[str, Any]:
        return {"points": states[i]["points"][: self.num_seats].tolist(), "turn": int(states[i]["turn"])}

    def result_dict(self, states: States, i: int) -> dict[str, Any]:
        scores = self.scores(states, i)
        return {"score": scores.totals.tolist(), "winners": np.flatnonzero(scores.ranks == 0).tolist()}

    def draw(self, states: States, i: int) -> str:
        return f"{self.state_dict(states, i)} of {self.config['target']}; turn of seat {states[i]['player']}"

    def check_state(self, states: States, i: int) -> list[str]:
        return [] if 0 <= states[i]["used"] <= DICE else ["more dice thrown than there are"]
