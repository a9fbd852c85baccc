"""What the game decides of the settings of a run: what was left open is as the game has it, the rest is checked."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from genesia_rl.core.errors import ConfigError, NotOffered
from genesia_rl.core.game import Game
from genesia_rl.core.mind import mind_of
from genesia_rl.core.registry import game_info, make_game, offers
from genesia_rl.learn.members import can_teach, characters_of, playable
from genesia_rl.learn.settings import EXPERT, PPO, GameSettings, Section, Settings
from genesia_rl.matches.evaluate import MOST
from genesia_rl.matches.variations import checked_variation, fields_of, variation_of
from genesia_rl.players.networks import INCREMENTAL, kinds_for, richest_of

#: What the final margin weighs, in units of a game's scale, beside 1 for the game.
MARGIN = 0.5


def fitted_to_its_game(made: Settings) -> Settings:
    """What was left open is as the game has it; what it does not have is refused."""
    name = made.game.name
    players = _players(made.game)
    game = make_game(name, players=players, **made.game.config)
    characters = characters_of(game)
    changed: dict[str, dict[str, Any]] = {
        "game": {
            "players": players,
            "varied": _varied(made.game, game),
            "scale": game.facts.score_scale,
            "margin": _margin(made, game),
        },
        "network": {"kind": richest_of(game)},
        "league": {"scripted": characters or ["random"]},
        "teacher": {"agent": characters[0] if characters else None},
        "run": {"panel": ["random", *characters]},
        "learner": {"threads": _threads(made.network.kind or richest_of(game))},
    }
    found = made.model_copy(update={key: _filled(getattr(made, key), held) for key, held in changed.items()})
    if found.network.kind not in kinds_for(game):
        fit = ", ".join(kinds_for(game))
        raise ConfigError(f"network.kind = {found.network.kind!r}, allowed with what {name} declares: {fit}")
    network = found.network.model_copy(update={"traits": _reads_traits(found, game)})
    found = found.model_copy(update={"network": network})
    if found.actors.backend == "ray":
        _check_remote(found, game)
    if found.learner.method == EXPERT:
        _check_expert(found, game)
    if found.league.exploiters:
        _check_exploiters(found, game)
    if found.game.also:
        _check_tables(found)
    return found if game.is_contest else _together(found)


def _margin(made: Settings, game: Game) -> float:
    """A won game says little of which decisions were good, by how much it was won says more."""
    whole = made.network.kind == INCREMENTAL and made.learner.method == PPO and made.teacher.data is None
    return MARGIN if whole and game.is_contest and made.game.reward == "win" else 0.0


def _check_expert(made: Settings, game: Game) -> None:
    """Expert iteration needs a network that a search can hold, and opponents that need no search of their own."""
    by = f'with learner.method = "{EXPERT}"'
    if made.network.kind != INCREMENTAL:
        raise ConfigError(f"network.kind = {made.network.kind!r}, allowed {by} is {INCREMENTAL!r}")
    if not offers(made.game.name, "mind") or mind_of(made.game.name).guided is None:
        raise ConfigError(f"game.name = {made.game.name!r}, allowed {by} are games with a guided search")
    if made.learner.gamma != 1:
        raise ConfigError(
            f"learner.gamma = {made.learner.gamma}, allowed {by} is 1: a search discounts nothing"
        )
    allowed = ["random", *characters_of(game)]
    for code in made.league.scripted or ():
        if code not in allowed:
            raise ConfigError(f"league.scripted: agent {code!r}, allowed {by} are {', '.join(allowed)}")


def _reads_traits(made: Settings, game: Game) -> bool:
    """Does the network read what the game's mind says of actions? If nothing is said, wherever it can."""
    name, network = made.game.name, made.network
    offered = network.kind == INCREMENTAL and offers(name, "mind") and bool(mind_of(name).traits)
    if network.traits and not offered:
        raise ConfigError(
            f"network.traits = true, allowed with network.kind = {network.kind!r} in {name} is false"
        )
    hindrance = _hindrance(made, game) if offered else ""
    if network.traits and hindrance:
        raise ConfigError(f"{hindrance}; allowed with network.traits = false")
    return offered and not hindrance and network.traits is not False


def _hindrance(made: Settings, game: Game) -> str:
    """A network that reads traits of actions learns from compiled games only: what in the settings is none."""
    reader, known = "a network that reads traits of actions", ", ".join(characters_of(game))
    for code in made.league.scripted or ():
        if not playable(game, code):
            return f"agent {code!r}: {reader} learns against random, {known}, and ppo:PATH of its own kind"
    asked = made.teacher.asked
    if asked is not None and not can_teach(game, asked):
        return f"agent {asked!r}: {reader} learns from {known}"
    if made.teacher.data is not None:
        return f"teacher.data = {made.teacher.data!r}: no data set has traits of actions"
    return ""


def _check_tables(made: Settings) -> None:
    """One network for several numbers of players learns from compiled games that are played here."""
    g, least = made.game, made.game.players or 0
    fits = [number for number in game_info(g.name).all_players if number > least]
    if not make_game(g.name, players=least).is_contest:
        fits = []
    if not set(g.also) <= set(fits) or sorted(set(g.also)) != g.also:
        allowed = f"are {', '.join(map(str, fits))}, upwards" if fits else "is []"
        raise ConfigError(f"game.also = {g.also} with game.players = {least}, allowed {allowed}")
    for table in made.tables():
        hindrance = _unplayable(table, make_game(g.name, players=table.game.players, **g.config))
        if made.league.exploiters and not hindrance:
            hindrance = f"league.exploiters = {made.league.exploiters}"
        if made.teacher.asked is not None and not hindrance:
            hindrance = f"teacher.agent = {made.teacher.agent!r}, whose lessons are for one number of players"
        if hindrance:
            raise ConfigError(f"game.also = {g.also} with {hindrance}: allowed is []")


def _unplayable(made: Settings, game: Game) -> str:
    """What in the settings is not for compiled games that are played here; nothing if all is."""
    if made.network.kind != INCREMENTAL:
        return f"network.kind = {made.network.kind!r}"
    if made.learner.method == EXPERT:
        return f"learner.method = {EXPERT!r}"
    if made.actors.backend != "local":
        return f"actors.backend = {made.actors.backend!r}"
    codes = [code for code in made.league.scripted or () if not playable(game, code)]
    return f"league.scripted = {codes[0]!r}" if codes else ""


def _check_exploiters(made: Settings, game: Game) -> None:
    """An exploiter learns from compiled games that are played here."""
    alone = f"game.players = {made.game.players}, where all play together"
    wrong = _unplayable(made, game) if game.is_contest else alone
    if wrong:
        raise ConfigError(f"league.exploiters = {made.league.exploiters} with {wrong}: allowed is 0")


def _check_remote(made: Settings, game: Game) -> None:
    """Actors play whole games in compiled calls."""
    if made.network.kind != INCREMENTAL:
        raise ConfigError(
            f"actors.backend = 'ray' with network.kind = {made.network.kind!r}, allowed is it with {INCREMENTAL!r}"
        )
    for code in made.league.scripted or ():
        if not playable(game, code):
            known = ", ".join(["random", *characters_of(game)])
            raise ConfigError(
                f"actors.backend = 'ray' with league.scripted = {code!r}, allowed with it are {known} and ppo:PATH"
            )


def _threads(kind: str) -> int:
    """As many as there are cores, where that changes nothing but the time."""
    return min(64, os.cpu_count() or 1) if kind == INCREMENTAL else 1


def _filled(section: Section, held: Mapping[str, Any]) -> Section:
    """A section in which nothing is open."""
    return section.model_copy(update={key: held[key] for key in held if getattr(section, key) is None})


def _players(game: GameSettings) -> int:
    """The number of players, by default the least."""
    if "players" in game.config:
        raise ConfigError(
            f"game.config.players = {game.config['players']!r}: allowed is game.players instead"
        )
    info = game_info(game.name)
    players = info.players[0] if game.players is None else game.players
    if players not in info.all_players:
        allowed = ", ".join(map(str, info.all_players))
        raise ConfigError(f"game.players = {players}, allowed in {game.name} are {allowed}")
    return players


def _varied(settings: GameSettings, game: Game) -> bool:
    """Do games differ in what the game lets vary?"""
    if settings.varied:
        checked_variation(game.name, settings.config)
        if not game.is_contest:
            raise ConfigError("game.varied = true, allowed where all play together is false")
    if settings.varied is not None:
        return settings.varied
    try:
        return game.is_contest and not variation_of(game.name).refuses(settings.config)
    except NotOffered:
        return False


def varied_fields(settings: Settings) -> list[dict[str, Any]]:
    """The fields of the variations that a run's games are dealt with; none if they do not vary."""
    g = settings.game
    return fields_of(g.name, g.players or 0, MOST, g.config) if g.varied else []


def _together(made: Settings) -> Settings:
    """Where all play together there are no opponents and no margins."""
    if made.game.margin:
        raise ConfigError(f"game.margin = {made.game.margin}, allowed where all play together is 0")
    alone = {"self_share": 1.0, "scripted": [], "snapshots": 0}
    return made.model_copy(update={"league": made.league.model_copy(update=alone)})
