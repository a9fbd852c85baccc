"""Positions in few words, and a wrapper to play them: what the tests of the rules are written with.

    play = start(main=[3, 46], coins=[5, 0], open=["farm"])
    play.do("act:farm", "end")
    assert play.asked == (1, "action")

What is left out is neutral: round 3, seat 0 first and to move, everybody has a civilization that does nothing, four
workers, no coins, an empty market (so that step 1 is passed over), and a track in which the named cards are open.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from genesia_rl.core.game import States
from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame, make
from genesia_rl.testing.stream import Stream

Fields = dict[str, Any]

CARDS = ("hunt", "fish", "farm", "trade", "culture", "construction", "conquest", "plague")
#: Civilizations without force that do nothing but at their birth and when their seat rests: one for each seat.
NEUTRAL = (46, 29, 32, 44)
TIBET = 46
QUIET_EVENTS = [9, 3, 6]  # nothing happens where nobody has technologies or wonders


@lru_cache(maxsize=256)
def _game(config: str) -> AgeOfCivilizationGame:
    return make(**json.loads(config))


def game_of(**config: Any) -> AgeOfCivilizationGame:
    """The game of a configuration, made once."""
    return _game(json.dumps(config, sort_keys=True))


def track_with(open_cards: Sequence[str], rnd: int) -> list[str]:
    """A track in which these cards are the first of the open ones; the Plague comes last, or is past."""
    rest = [card for card in CARDS if card not in open_cards]
    return [*rest[: rnd - 1], *open_cards, *rest[rnd - 1 :]]


class Playing:
    """A game under way, played by the texts of actions."""

    def __init__(self, game: AgeOfCivilizationGame, states: States | None = None) -> None:
        self.game = game
        self.states = game.new_states() if states is None else states

    def do(self, *texts: str) -> Playing:
        """Take these actions."""
        for text in texts:
            self.game.step(self.states, 0, self.game.parse_action(text))
        return self

    def act(self, *names: str) -> Playing:
        """Perform these actions."""
        return self.do(*(f"act:{name}" for name in names))

    def copy(self) -> Playing:
        """The same game, to go on with otherwise."""
        return Playing(self.game, self.game.clone(self.states))

    def finish(self) -> Playing:
        """To the end of the game, as quickly as it goes."""
        while not self.is_over:
            legal = sorted(self.legal)
            quick = [text for text in ("end", "rest", "pass") if text in legal]
            self.do(*(quick[:1] or legal[:1]))
        return self

    def until(self, rnd: int) -> Playing:
        """The same until a round begins or the game is over."""
        while not self.is_over and self.state["round"] < rnd:
            legal = sorted(self.legal)
            quick = [text for text in ("end", "rest", "pass") if text in legal]
            self.do(*(quick[:1] or legal[:1]))
        return self

    @property
    def asked(self) -> tuple[int, str] | None:
        """The seat that is asked and the kind of its decision, None when the game is over."""
        if self.is_over:
            return None
        return self.game.seat(self.states, 0), self.game.kind(self.states, 0)

    @property
    def is_over(self) -> bool:
        return self.game.is_over(self.states, 0)

    @property
    def legal(self) -> set[str]:
        return set(self.game.texts(self.game.legal_actions(self.states, 0)))

    @property
    def acts(self) -> set[str]:
        """The actions that may be performed now."""
        return self.objects("act")

    def objects(self, verb: str) -> set[str]:
        """The objects of a verb that are legal now."""
        return {text.removeprefix(f"{verb}:") for text in self.legal if text.startswith(f"{verb}:")}

    @property
    def state(self) -> Fields:
        return self.game.state_dict(self.states, 0)

    @property
    def result(self) -> Fields:
        return self.game.result_dict(self.states, 0)

    def has(self, name: str, seat: int = 0) -> Any:
        """What a seat has, by the name in the public state."""
        return self.state[name][seat]

    def check(self) -> None:
        """Nothing is inconsistent."""
        assert self.game.check_state(self.states, 0) == []


def position_of(players: int, rnd: int = 3, open_cards: Sequence[str] = (), **changes: Any) -> Fields:
    """A neutral position with some changes."""
    return {
        "round": rnd,
        "first": 0,
        "seat": 0,
        "track": track_with(open_cards, rnd),
        "coins": [0] * players,
        "points": [0] * players,
        "workers": [4] * players,
        "main": list(NEUTRAL[:players]) if rnd > 1 else [None] * players,
        "civilizations": [[number] if rnd > 1 else [] for number in NEUTRAL[:players]],
        "technologies": [[]] * players,
        "wonders": [[]] * players,
        "market": [],
        **changes,
    }


def begin(config: Fields, position: Fields) -> Playing:
    """A game that begins from a position as PROTOCOL 4 writes it."""
    play = Playing(game_of(**config))
    play.game.put_position(play.states, 0, json.loads(json.dumps(position)))
    play.check()
    return play


def start(
    players: int = 2,
    config: Fields | None = None,
    open: Sequence[str] = (),
    rnd: int = 3,
    civilizations: Sequence[Sequence[int]] | None = None,
    main: Sequence[int | None] | None = None,
    **changes: Any,
) -> Playing:
    """A game from a neutral position; without `civilizations` each seat has its main one alone."""
    config = {"players": players, **(config or {})}
    if main is not None:
        changes["main"] = list(main)
        changes["civilizations"] = [[number] if number else [] for number in main]
    if civilizations is not None:
        changes["civilizations"] = [list(numbers) for numbers in civilizations]
    if config.get("changing_world") and "events" not in changes:
        changes["events"] = QUIET_EVENTS
    return begin(config, position_of(players, rnd, open, **changes))


def alone(
    main: int = TIBET,
    inherited: Sequence[int] = (),
    techs: Sequence[int] = (),
    wonders: Sequence[int] = (),
    players: int = 2,
    coins: int = 30,
    others: int = 30,
    **changes: Any,
) -> Playing:
    """Seat 0 has these things and plenty of coins; the others have what is neutral."""
    rest = [number for number in NEUTRAL[1:] if number not in (main, *inherited)][: players - 1]
    given = {
        "main": [main, *rest],
        "civilizations": [[main, *inherited], *([number] for number in rest)],
        "technologies": [list(techs)] + [[]] * (players - 1),
        "wonders": [list(wonders)] + [[]] * (players - 1),
        "coins": [coins] + [others] * (players - 1),
    }
    return start(players, **{**given, **changes})


def dealt(seed: int = 0, **config: Any) -> Playing:
    """A game that is dealt from a seed."""
    play = Playing(game_of(**config))
    play.game.reset(play.states, 0, seed)
    return play


def random_states(game: AgeOfCivilizationGame, seed: int) -> Iterator[tuple[States, int]]:
    """Every state of a random game with the action that is taken in it; at last the final one with -1."""
    states, stream = game.new_states(), Stream(seed)
    game.reset(states, 0, seed)
    while not game.is_over(states, 0):
        legal = game.legal_actions(states, 0)
        action = legal[stream.below(len(legal))]
        yield states, action
        game.step(states, 0, action)
    yield states, -1


def observed(game: AgeOfCivilizationGame, states: States, seat: int) -> Mapping[str, Any]:
    """What a seat sees, by name: arrays, and numbers where a piece is one number."""
    named = game.named(game.view(states, 0, seat)[1])
    return {name: array.item() if array.size == 1 else np.array(array) for name, array in named.items()}
