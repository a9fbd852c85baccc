"""Ways to play at random: uniform, and skewed ones that reach unusual situations."""

from __future__ import annotations

import random
from collections.abc import Callable

from .asking import ends, number, verb
from .moves import may_stop
from .play import Game

Policy = Callable[[Game, random.Random], str]
Weight = Callable[[Game, str], float]


def skewed(weight: Weight) -> Policy:
    """Draw a legal action with probability in proportion to its weight."""

    def policy(game: Game, rng: random.Random) -> str:
        assert game.decision is not None
        legal = game.decision.legal
        return rng.choices(legal, [weight(game, action) for action in legal])[0]

    return policy


def uniform(game: Game, rng: random.Random) -> str:
    assert game.decision is not None
    return rng.choice(game.decision.legal)


def _card_is(game: Game, action: str, *words: str) -> bool:
    """Does the card of the action bear one of the icons, or have one of the timings?"""
    card = game.state.card(number(action))
    return any(word in card.icons or word == card.timing for word in words)


def busy(game: Game, action: str) -> float:
    """Rarely ends a turn, rarely discards."""
    return {"end": 0.03, "discard": 0.03}.get(verb(action), 1.0)


def warlike(game: Game, action: str) -> float:
    """War and assaults; keeps the cards of the Attack phase for it."""
    word = verb(action)
    kind = game.decision.kind if game.decision else ""
    if word in ("war", "edge"):
        return 5.0
    if kind == "draft":
        return 8.0 if _card_is(game, action, "attack", "offence", "defence") else 1.0
    if word == "discard":
        return 0.0001 if _card_is(game, action, "offence", "defence", "attack") else 0.02
    if kind == "expansion" and word == "end":
        return 0.1
    return {"end": 0.1, "peace": 0.3, "card": 2.0}.get(word, 1.0)


def cards_first(game: Game, action: str) -> float:
    """Plays every card that may be played and copies whatever it can."""
    kind = game.decision.kind if game.decision else ""
    if kind == "draft":
        return 4.0 if _card_is(game, action, "copy", "offence", "defence") else 1.0
    return {"card": 12.0, "discard": 0.02, "end": 0.2}.get(verb(action), 1.0)


def crosser(game: Game, action: str) -> float:
    """Likes steps into regions where it may not stop, and few other things."""
    word = verb(action)
    if word == "edge" and game.decision is not None and game.decision.kind != "assault":
        _, b = ends(action)
        return 1.0 if may_stop(game.state, game.decision.seat, b) else 12.0
    return {"end": 0.05, "discard": 0.1, "war": 0.3}.get(word, 1.0)


def hoarder(game: Game, action: str) -> float:
    """Ends its turns early and keeps coins and cards, so that later windows open."""
    return {"end": 4.0, "discard": 0.01, "card": 0.6}.get(verb(action), 1.0)


def late(game: Game, action: str) -> float:
    """Keeps its cards for the End, and copies after Growth rather than in it."""
    if game.state.phase == "end" or game.decision is None or game.decision.kind == "draft":
        return cards_first(game, action)
    if game.decision.kind == "copy" and game.state.phase == "expansion":
        return 1.0
    return {"end": 4.0, "discard": 0.001, "card": 0.05}.get(verb(action), 1.0)


POLICIES: dict[str, Policy] = {
    "uniform": uniform,
    "busy": skewed(busy),
    "warlike": skewed(warlike),
    "cards": skewed(cards_first),
    "crosser": skewed(crosser),
    "hoarder": skewed(hoarder),
    "late": skewed(late),
}


def by_seat(names: list[str]) -> Policy:
    """Every seat with its own policy."""

    def policy(game: Game, rng: random.Random) -> str:
        assert game.decision is not None
        return POLICIES[names[game.decision.seat]](game, rng)

    return policy
