"""Positions in few words, and a wrapper to play them: what the tests of the rules are written with.

    play = start(hands=[[1]], citizens=[{"noble": 1, "merchant": 2}])
    play.do("tile:16", "double:0")
    assert play.state["played"][0] == [1]

What is left out is neutral: round 1, the Apogee, seat 0 first, 20 coins each, empty tracks, a display that nobody
needs, and no deck. Lists by seat may be short.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from genesia_rl.core.game import States
from genesia_rl.games.gentes.game import GentesGame, make
from genesia_rl.games.gentes.names import TYPES
from genesia_rl.testing.stream import Stream

Fields = dict[str, Any]

SPACES = 12
#: Fields of a position that have an item for every seat, and what it is if it is left out.
BY_SEAT: dict[str, Any] = {
    "coins": 20, "temple": 0, "oracle": 0, "singles": 0, "doubles": 0, "locks": 0, "hands": [], "played": [],
    "points": [0, 0, 0], "citizens": [0] * 6,
}  # fmt: skip


@lru_cache(maxsize=256)
def _game(config: str) -> GentesGame:
    return make(**json.loads(config))


def game_of(**config: Any) -> GentesGame:
    """The game of a configuration, made once."""
    return _game(json.dumps(config, sort_keys=True))


def six(citizens: Mapping[str, int] | Sequence[int]) -> list[int]:
    """Citizens as a position writes them."""
    if isinstance(citizens, Mapping):
        return [citizens.get(kind, 0) for kind in TYPES]
    return list(citizens)


class Playing:
    """A game under way, played by the texts of actions."""

    def __init__(self, game: GentesGame, states: States | None = None) -> None:
        self.game = game
        self.states = game.new_states() if states is None else states

    def do(self, *texts: str) -> Playing:
        """Take these actions."""
        for text in texts:
            self.game.step(self.states, 0, self.game.parse_action(text))
        return self

    def copy(self) -> Playing:
        """The same game, to go on with otherwise."""
        return Playing(self.game, self.game.clone(self.states))

    def legal_after(self, *texts: str) -> set[str]:
        """What is legal after some actions, which are not taken."""
        return self.copy().do(*texts).legal

    def fill(self) -> Playing:
        """Everybody fills the track with hourglasses, as fast as it goes; on to the Decline."""
        rnd = self.state["round"]
        while (
            not self.is_over and self.state["round"] == rnd and self.asked[1] in ("turn", "hours", "ability")
        ):
            legal = self.legal
            self.do(next(text for text in ("end", "double:0", "double:1", "tax:2", "tax:1") if text in legal))
        return self

    @property
    def asked(self) -> tuple[int, str]:
        """The seat that is asked and the kind of its decision; (-1, none) when the game is over."""
        return self.game.seat(self.states, 0), self.game.kind(self.states, 0)

    @property
    def is_over(self) -> bool:
        return self.game.is_over(self.states, 0)

    @property
    def legal(self) -> set[str]:
        return set(self.game.texts(self.game.legal_actions(self.states, 0)))

    def objects(self, verb: str) -> set[str]:
        """The objects of a verb that are legal now."""
        return {text.removeprefix(f"{verb}:") for text in self.legal if text.startswith(f"{verb}:")}

    @property
    def state(self) -> Fields:
        return self.game.state_dict(self.states, 0)

    @property
    def result(self) -> Fields:
        return self.game.result_dict(self.states, 0)

    def check(self) -> None:
        """Nothing is inconsistent."""
        assert self.game.check_state(self.states, 0) == []

    # ---- what the first seat has
    def citizens(self, seat: int = 0) -> dict[str, int]:
        """The citizens of a seat that it has at all."""
        found = zip(TYPES, self.state["citizens"][seat], strict=True)
        return {kind: number for kind, number in found if number}

    def of(self, name: str, seat: int = 0) -> Any:
        """What a seat has under a name of the state."""
        return self.state[name][seat]

    def other(self, seat: int = 0) -> int:
        """The points of a seat that are neither cards nor synergy nor of the end."""
        return int(self.state["points"][seat][2])


# ---------------------------------------------------------------- beginning


def position_of(players: int, **fields: Any) -> Fields:
    """A position in full by seats; everything else may be left out."""
    found: Fields = {"round": 1, "phase": "apogee", **fields}
    for name, neutral in BY_SEAT.items():
        given = [*found.get(name, [])]
        if name == "citizens":
            given = [six(citizens) for citizens in given]
        found[name] = given + [neutral] * (players - len(given))
    return found


def begin(config: Mapping[str, Any], position: Fields) -> Playing:
    """A game from a whole position, as a file would hold it."""
    play = Playing(game_of(**config))
    play.game.put_position(play.states, 0, json.loads(json.dumps(position)))
    return play


def start(config: Mapping[str, Any] | None = None, **fields: Any) -> Playing:
    """A game from a position in few words; two players unless it is said."""
    config = {"players": 2, **(config or {})}
    play = begin(config, position_of(config["players"], **fields))
    play.check()
    return play


def alone(config: Mapping[str, Any] | None = None, **fields: Any) -> Playing:
    """The same, with full tracks for all others: seat 0 takes all turns of the round."""
    players = (config or {}).get("players", 2)
    given = fields.pop("singles", [0])
    return start(config, **fields, singles=[*given[:1], *[SPACES] * (players - 1)])


def dealt(seed: int, **config: Any) -> Playing:
    """A game dealt from a seed."""
    play = Playing(game_of(**config))
    play.game.reset(play.states, 0, seed)
    return play


def random_states(game: GentesGame, seed: int) -> Iterator[tuple[States, int]]:
    """Every state of a random game, with the action that is taken there (-1 at the end)."""
    states, stream = game.new_states(), Stream(seed)
    game.reset(states, 0, seed)
    while not game.is_over(states, 0):
        legal = game.legal_actions(states, 0)
        action = legal[stream.below(len(legal))]
        yield states.copy(), action
        game.step(states, 0, action)
    yield states.copy(), -1


def observed(game: GentesGame, states: States, seat: int) -> dict[str, Any]:
    """A seat's observation by name."""
    return {name: np.array(value) for name, value in game.named(game.view(states, 0, seat)[1]).items()}
