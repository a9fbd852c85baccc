"""Ways to play at random: uniform, and skewed ones that reach unusual situations."""

from __future__ import annotations

import random
from collections.abc import Callable

from .abilities import acts_of
from .asking import number, thing, verb
from .needs import missing_citizens
from .play import Game

Policy = Callable[[Game, random.Random], str]
Weight = Callable[[Game, str], float]

NEVER = 1e-6


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


# -------------------------------------------------------------------- what an action is


def asked(game: Game) -> tuple[int, str]:
    assert game.decision is not None
    return game.decision.seat, game.decision.kind


def named_action(game: Game, action: str) -> str:
    """Of `turn` and `wild`: the action of the source, `any` for the wild tile, or the verb of an option."""
    if verb(action) == "do":
        return thing(action)
    if verb(action) in ("swap", "hire"):
        return action
    acts = acts_of(game.state, asked(game)[0], action)
    return acts[0].action if len(acts) == 1 else "any"


def likes(weights: dict[str, float], rest: Weight | None = None) -> Weight:
    """Weights of the actions in `turn` and `wild`; other decisions as `rest` says."""

    def weight(game: Game, action: str) -> float:
        if asked(game)[1] in ("turn", "wild"):
            return weights.get(named_action(game, action), 1.0)
        return rest(game, action) if rest else 1.0

    return weight


def wanted(game: Game, citizen: str) -> float:
    """How many cards of the hand need one more of this type."""
    seat, _ = asked(game)
    own, state = game.state.seats[seat], game.state
    cards = [state.card(card) for card in own.hand]
    lacking = [card for card in cards if card.needs.get(citizen, 0) > own.citizens[citizen]]
    return sum(10.0 / missing_citizens(state, seat, card) for card in lacking
               if missing_citizens(state, seat, card))  # fmt: skip


def sensible(game: Game, action: str) -> float:
    """Recruits what the hand needs, takes cards that it can play, uses abilities, takes enough."""
    seat, kind = asked(game)
    word = verb(action)
    if kind in ("recruit", "settle", "enlist", "swap_to"):
        return 0.3 + wanted(game, thing(action))
    if kind in ("lose", "swap_from"):
        return 1.0 if action == "end" else 1.0 / (1.0 + game.state.seats[seat].citizens[thing(action)])
    if kind in ("take", "draft") and word == "card":
        return 4.0 / (1.0 + missing_citizens(game.state, seat, game.state.card(number(action)))) ** 2
    if kind in ("ability", "take", "final") and action == "end":
        return 0.2
    return 2.0 if action == "count:2" else 1.0


# -------------------------------------------------------------------- policies

WORK = {"chronicler": 12.0, "philosopher": 3.0, "scribe": 2.0, "navigator": 2.0, "tax": 0.7, "any": 3.0}

builder = likes({**WORK, "swap": 1.0, "hire": 1.0}, sensible)
rich = likes({**WORK, "tax": 8.0, "hire": 0.05, "swap": 0.05}, sensible)
idle = likes({"tax": 30.0, "leader": 5.0})
thinker = likes({"philosopher": 15.0, "chronicler": 8.0, "any": 5.0, "tax": 2.0}, sensible)
seafarer = likes({"navigator": 15.0, "any": 5.0, "tax": 2.0, "swap": 0.1, "hire": 0.1}, sensible)
spender = likes({**WORK, "swap": 20.0, "hire": 20.0, "navigator": 6.0}, sensible)


def collector(game: Game, action: str) -> float:
    """Takes cards, more than the hand may hold, and often old ones; rarely plays any."""
    _, kind = asked(game)
    if kind == "take":
        if action == "end":
            return NEVER
        return 8.0 if number(action) in game.state.discard else 1.0
    return likes({"scribe": 15.0, "tax": 4.0, "chronicler": 0.5, "any": 3.0})(game, action)


def tinker(game: Game, action: str) -> float:
    """Everything that cards and Homes offer, and tokens in Homes."""
    _, kind = asked(game)
    word = verb(action)
    if kind == "turn":
        return 30.0 if word in ("use", "home") else likes({**WORK, "leader": 3.0})(game, action)
    if kind in ("ability", "city"):
        return 8.0 if word in ("use", "home") else 0.3
    if kind == "move":
        return 4.0 if action in game.state.used else 1.0
    return sensible(game, action)


def packed(game: Game, action: str) -> float:
    """Two hourglasses a space wherever that can be: long rounds."""
    if verb(action) == "double":
        return 4.0 ** number(action)
    return builder(game, action)


def loose(game: Game, action: str) -> float:
    """Every hourglass alone, and the expensive things: short rounds and an early end to everything."""
    if verb(action) == "double":
        return 0.1 ** number(action)
    return 5.0 if action == "end" else 1.0


POLICIES: dict[str, Policy] = {
    "uniform": uniform,
    "builder": skewed(builder),
    "rich": skewed(rich),
    "idle": skewed(idle),
    "thinker": skewed(thinker),
    "seafarer": skewed(seafarer),
    "spender": skewed(spender),
    "collector": skewed(collector),
    "tinker": skewed(tinker),
    "packed": skewed(packed),
    "loose": skewed(loose),
}


def by_seat(names: list[str]) -> Policy:
    """Every seat with its own policy."""

    def policy(game: Game, rng: random.Random) -> str:
        seat, _ = asked(game)
        return POLICIES[names[seat]](game, rng)

    return policy
