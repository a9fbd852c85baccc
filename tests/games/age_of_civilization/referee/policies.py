"""Ways to play at random: uniform, and skewed ones that reach unusual situations."""

from __future__ import annotations

import random
from collections.abc import Callable

from .abilities import effects_for
from .asking import name_of, number_of, verb
from .data import Effects
from .play import Game

Policy = Callable[[Game, random.Random], str]
Weight = Callable[[Game, str], float]
MUCH, LITTLE = 50.0, 0.02


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


def effects_of(game: Game, action: str) -> Effects:
    """The abilities that the action would bring."""
    data, what = game.state.data, verb(action)
    if what in ("rise", "annex", "card"):
        civilization = data.civilizations[number_of(action)]
        return civilization.inherited if what == "annex" else civilization.main + civilization.inherited
    if what == "tech":
        return data.technologies[number_of(action)].effects
    if what == "wonder":
        return data.wonders[number_of(action)].effects
    if what == "special":
        own = [t for t in data.technologies.values() if t.special == number_of(action)]
        return tuple(e for t in own for e in t.effects)
    return ()


def _does(game: Game, action: str, *words: str) -> bool:
    return any(e.do in words for e in effects_of(game, action))


def _has_moment(game: Game, action: str, *moments: str) -> bool:
    return any(e.when in moments for e in effects_of(game, action))


def busy(game: Game, action: str) -> float:
    """Places every worker; never declines anything."""
    if action in ("end", "rest", "pass"):
        return LITTLE
    return 1.0


def hoard(game: Game, action: str) -> float:
    """Rests in most turns; then has many coins and workers."""
    return MUCH if action in ("rest", "end") else 1.0


def war(game: Game, action: str) -> float:
    """Force, conquest, and what wars bring."""
    if _does(game, action, "force", "immune") or _has_moment(game, action, "war"):
        return MUCH
    if verb(action) == "act":
        return MUCH if name_of(action) in ("conquest", "research") else 1.0
    return LITTLE if action in ("end", "rest", "pass") else 1.0


def peace(game: Game, action: str) -> float:
    """Never any force: always among the weakest."""
    if _does(game, action, "force"):
        return LITTLE
    return 1.0


def wonders(game: Game, action: str) -> float:
    """Saves for wonders and builds them."""
    if verb(action) == "act":
        return MUCH if name_of(action) == "wonder" else 1.0
    if verb(action) in ("rise", "annex") and any(e.action == "wonder" for e in effects_of(game, action)):
        return MUCH
    if action == "rest":
        return MUCH
    return 1.0


def science(game: Game, action: str) -> float:
    """Research and special cards; the technology card fills up."""
    if verb(action) == "special":
        return MUCH
    if verb(action) == "act":
        return MUCH if name_of(action) == "research" else 1.0
    if any(e.action == "research" or e.do == "technology" for e in effects_of(game, action)):
        return MUCH
    return 1.0


def ignorance(game: Game, action: str) -> float:
    """No technology and no wonder at all."""
    if verb(action) == "act" and name_of(action) in ("research", "wonder"):
        return LITTLE * LITTLE
    return LITTLE if action in ("end", "rest", "pass") else 1.0


def red(game: Game, action: str) -> float:
    """Sacrifices its workers on red spaces, until it has none."""
    if verb(action) == "act":
        return MUCH if game.state.data.actions[name_of(action)].red else LITTLE
    return LITTLE if action == "rest" else 1.0


def empire(game: Game, action: str) -> float:
    """Three civilizations as soon as possible; risen, so that births are done."""
    if action == "pass":
        return LITTLE
    if _has_moment(game, action, "birth"):
        return MUCH
    return 5.0 if verb(action) == "rise" else 1.0


def annex(game: Game, action: str) -> float:
    """Keeps its first civilization and annexes the others."""
    if action == "pass":
        return LITTLE
    return MUCH if verb(action) == "annex" else 1.0


def alone(game: Game, action: str) -> float:
    """One civilization for the whole game."""
    return MUCH * MUCH if action == "pass" else 1.0


def greed(game: Game, action: str) -> float:
    """The cards with the most coins on them, and coins rather than points."""
    if verb(action) in ("rise", "annex"):
        return 1.0 + 20.0 * game.state.market.get(number_of(action), 0)
    if verb(action) == "act":
        return MUCH if game.state.data.actions[name_of(action)].price == 0 else LITTLE
    return 1.0


def turn_ends(game: Game, action: str) -> float:
    """Abilities with effects at the end of the turn, and grants; uses all of them."""
    if _has_moment(game, action, "turn_end") or _does(game, action, "perform", "deposit"):
        return MUCH
    if verb(action) in ("main", "heritage"):
        return MUCH
    return LITTLE if action in ("end", "pass") else 1.0


def decline(game: Game, action: str) -> float:
    """Takes the same abilities as `turn_ends`, and leaves what is optional."""
    assert game.decision is not None
    if game.decision.kind in ("turn_end", "grant"):
        return MUCH if action == "end" else 1.0
    return turn_ends(game, action)


def grants(game: Game, action: str) -> float:
    """Actions that grant another one, with the coins for it."""
    if _does(game, action, "perform"):
        return MUCH * MUCH
    if game.decision is not None and game.decision.kind == "grant":
        return 1.0
    if verb(action) == "act":
        noted = effects_for(game.state, game.state.seat, "act")
        if any(e.do == "perform" and e.action == name_of(action) for e in noted):
            return MUCH
        return 1.0 if game.state.data.actions[name_of(action)].price == 0 else LITTLE
    return 1.0


def rare_holds(game: Game, action: str) -> float:
    """Looks for own spaces, safety, forbidding, open future cards, labour."""
    if _does(game, action, "space", "safe", "forbid", "future", "labour"):
        return MUCH
    return LITTLE if action in ("end", "rest", "pass") else 1.0


POLICIES: dict[str, Policy] = {
    "uniform": uniform,
    "busy": skewed(busy),
    "hoard": skewed(hoard),
    "war": skewed(war),
    "peace": skewed(peace),
    "wonders": skewed(wonders),
    "science": skewed(science),
    "ignorance": skewed(ignorance),
    "red": skewed(red),
    "empire": skewed(empire),
    "annex": skewed(annex),
    "alone": skewed(alone),
    "greed": skewed(greed),
    "turn_ends": skewed(turn_ends),
    "decline": skewed(decline),
    "grants": skewed(grants),
    "rare_holds": skewed(rare_holds),
}


def by_seat(names: list[str]) -> Policy:
    """Every seat with its own policy."""

    def policy(game: Game, rng: random.Random) -> str:
        assert game.decision is not None
        return POLICIES[names[game.decision.seat]](game, rng)

    return policy
