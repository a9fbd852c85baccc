"""What an agent says of a decision by itself, and who plays games out in its name.

A network has the probabilities of its policy, a search its visits, a scripted player its scores in points. Of others
only what they would do is known. A search plays out by the character or the network that it builds on.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.game import Game, States
from genesia_rl.core.mind import mind_of
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import offers
from genesia_rl.players.codes import make_player
from genesia_rl.players.guided import GuidedPlayer
from genesia_rl.players.ladder import LevelPlayer
from genesia_rl.players.learned import LearnedPlayer, model_name, models_of
from genesia_rl.players.random import RandomPlayer
from genesia_rl.players.scripted import ScriptedPlayer
from genesia_rl.players.search import STYLE_DEFAULTS, SearchPlayer


def usual_reviewer(game: Game) -> str:
    """The network that comes with the package for this number of players, else the first scripted player."""
    return "ppo" if (models_of(game.name) / model_name(game)).is_file() else first_character(game.name)


def first_character(game: str) -> str:
    """The first scripted player of a game; of a game without any, one who does anything."""
    characters = mind_of(game).characters if offers(game, "mind") else {}
    return next(iter(characters), "random")


def resolved(game: Game, code: str) -> Player:
    """The player of a code; of a level, its agent."""
    player = make_player(code, game.name)
    while isinstance(player, LevelPlayer):
        player = player.agent(game)
    return player


def who_plays_out(game: Game, player: Player) -> Player:
    """Who goes on with a game to its end."""
    if isinstance(player, GuidedPlayer):
        return player.network
    return make_player(first_character(game.name), game.name) if isinstance(player, SearchPlayer) else player


def opinion(game: Game, player: Player, states: States, seed: int) -> dict[int, float]:
    """The share that each legal action has for the agent; the largest is what it would do."""
    decision = DecisionBatch.one(game, states, 0, seed)
    legal = game.legal_actions(states, 0)
    if isinstance(player, SearchPlayer):
        visits = {tried.action: float(tried.visits) for tried in player.search(decision)}
        return _shares({action: visits.get(action, 0.0) for action in legal})
    if isinstance(player, ScriptedPlayer):
        scores = player.scores(decision)
        return _softmax({action: scores[action] / STYLE_DEFAULTS["temperature"] for action in legal})
    if isinstance(player, LearnedPlayer):
        logits, seat = player.logits(decision)[0], game.seat(states, 0)
        return _softmax({action: float(logits[game.to_view(seat, action)]) for action in legal})
    if isinstance(player, RandomPlayer):
        return {action: 1 / len(legal) for action in legal}
    taken = game.from_view(game.seat(states, 0), player.act(decision))
    return {action: float(action == taken) for action in legal}


def _softmax(scores: dict[int, float]) -> dict[int, float]:
    best = max(scores.values())
    return _shares({action: float(np.exp(score - best)) for action, score in scores.items()})


def _shares(values: dict[int, float]) -> dict[int, float]:
    total = sum(values.values()) or 1.0
    return {action: value / total for action, value in values.items()}
