"""The settings of a run: a typed model, presets, TOML files. An unknown key or a wrong value is refused.

What is left open (None) is as the game has it: who teaches, who plays in the league, which network fits.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from genesia_rl.core.errors import ConfigError, DataError, NotOffered
from genesia_rl.core.game import Game
from genesia_rl.core.mind import mind_of
from genesia_rl.core.reading import parse_toml, read_text
from genesia_rl.core.registry import default_game, game_info, make_game, offers
from genesia_rl.learn.members import can_teach, characters_of, playable
from genesia_rl.matches.evaluate import MOST
from genesia_rl.matches.variations import checked_variation, fields_of, variation_of
from genesia_rl.players.networks import INCREMENTAL, Architecture, kinds_for, richest_of
from genesia_rl.players.search import MOST_NODES

PPO, EXPERT = "ppo", "expert"
#: What the final margin weighs, in units of a game's scale, beside 1 for the game.
MARGIN = 0.5
#: More would not fit into a machine's memory: a decision takes about two kilobytes.
MOST_GAMES, MOST_STEPS, MOST_DECISIONS, MOST_EPOCHS = 16_384, 16_384, 2**22, 1000


def _check_decisions(games: int, steps: int) -> None:
    if games * steps > MOST_DECISIONS:
        raise ValueError(
            f"num_games * steps = {games} * {steps} decisions at once, allowed are {MOST_DECISIONS}"
        )


def _kinds(annotation: Any) -> tuple[Any, ...]:
    """What a field may be: `int | None` is two kinds."""
    return get_args(annotation) or (annotation,)


class Section(BaseModel):
    """A table of the file; it never changes once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _check_flags(cls, given: Any) -> Any:
        """`seed = true` is no number, though Python thinks so."""
        for name, value in given.items() if isinstance(given, Mapping) else ():
            field = cls.model_fields.get(name)
            if isinstance(value, bool) and field is not None and bool not in _kinds(field.annotation):
                raise ValueError(f"{name} = {str(value).lower()}, allowed is no truth value")
        return given


class GameSettings(Section):
    """What is played, and what it pays."""

    name: str = Field(default_factory=default_game)
    players: int | None = Field(None, ge=1, description="at a table; by default the least")
    also: list[int] = Field(
        [], description="further numbers of players that the same network learns (incremental)"
    )
    config: dict[str, Any] = Field({}, description="further fields of the game's configuration")
    varied: bool | None = Field(
        None,
        description="do games differ in what the game lets vary? By default, unless config says it",
    )
    seat: Literal["rotate", "random"] | int = Field("rotate", description="the learner's seat")
    reward: Literal["win", "rank", "score"] = "win"
    shaping: float = Field(1.0, ge=0, description="weight of the running public margin (potential-based)")
    margin: float | None = Field(
        None,
        ge=0,
        description="weight of the final margin, paid beside the reward; 0.5 where whole games are learned to win",
    )
    scale: float | None = Field(None, gt=0, description="points of a margin that count as 1")


class NetworkSettings(Section):
    """Which network learns."""

    kind: Literal["flat", "regions", "graph", "incremental"] | None = Field(
        None, description="the richest that fits"
    )
    width: int = Field(128, ge=8, le=1024)
    tokens: int = Field(32, ge=4, le=256, description="features of a thing of the board")
    pairs: int = Field(16, ge=4, le=128, description="features of a pair of them")
    rounds: int = Field(2, ge=0, le=8, description="rounds of messages between them (graph)")
    joint: int = Field(64, ge=4, le=512, description="width of the layers behind the first (incremental)")
    traits: bool | None = Field(
        None, description="is what the game's mind says of actions read (incremental)? Where that can be done"
    )

    def architecture(self) -> Architecture:
        """The same as the networks take it."""
        return Architecture(**self.model_dump())


class LeagueSettings(Section):
    """Who plays against the learner."""

    self_share: float = Field(0.3, ge=0, le=1, description="of opponents that are the newest self")
    scripted: list[str] | None = Field(
        None, description="codes of players in the pool; the characters of the game's mind, else random"
    )
    snapshots: int = Field(3, ge=0, le=32, description="places for former selves")
    snapshot_every: int = Field(20, ge=1, description="updates between two snapshots")
    power: float = Field(2.0, ge=0, description="of PFSP: a member is drawn like (1 - win rate) ** power")
    floor: float = Field(0.02, ge=0, le=1, description="the least weight of a member before normalising")
    alike: float = Field(0.5, ge=0, le=1, description="of games in which all opponents are the same member")
    memory: int = Field(200, ge=1, description="games over which a win rate is remembered")
    exploiters: int = Field(
        0, ge=0, le=32, description="places for former exploiters; 0: nobody learns against the network alone"
    )
    exploiter_steps: int = Field(
        1, ge=1, le=100, description="updates of the exploiter for each of the network's"
    )
    exploiter_updates: int = Field(
        200, ge=1, description="of an exploiter, after which it joins the pool and another begins"
    )
    exploiter_goal: float = Field(
        0.7,
        gt=0.5,
        le=1,
        description="share of its games in which it is ahead, at which it joins before that",
    )

    @model_validator(mode="after")
    def _somebody(self) -> LeagueSettings:
        if self.self_share < 1 and self.scripted == [] and not self.snapshots:
            raise ValueError("a pool without members needs self_share = 1")
        return self


class LearnerSettings(Section):
    """PPO, or from what a search finds: then `steps`, `clip`, `entropy` and `target_kl` say nothing."""

    method: Literal["ppo", "expert"] = Field(
        "ppo", description="expert: a network with a search inside plays, and learns what the search finds"
    )
    num_games: int = Field(
        256,
        ge=1,
        le=MOST_GAMES,
        description="played side by side; of an incremental network, whole ones an update",
    )
    steps: int = Field(
        64,
        ge=2,
        le=MOST_STEPS,
        description="learner's decisions of each game in one update; not of whole games",
    )
    epochs: int = Field(3, ge=1, le=MOST_EPOCHS)
    minibatch: int = Field(2048, ge=2, le=MOST_DECISIONS)
    learning_rate: float = Field(5e-4, gt=0)
    final_rate: float = Field(0.1, ge=0, le=1, description="share of the rate that is left at the end")
    gamma: float = Field(1.0, gt=0, le=1)
    gae_lambda: float = Field(0.95, ge=0, le=1)
    clip: float = Field(0.2, gt=0)
    entropy: float = Field(0.005, ge=0)
    value: float = Field(0.5, ge=0)
    grad_norm: float = Field(0.5, gt=0)
    target_kl: float | None = Field(None, gt=0)
    threads: int | None = Field(
        None,
        ge=1,
        le=64,
        description="of torch: 1, or runs differ; of an incremental network any number: all cores",
    )
    device: Literal["cpu", "cuda", "auto"] = Field(
        "cpu", description="where torch learns; auto: a CUDA device where there is one"
    )

    def rate(self, left: float) -> float:
        """The learning rate where so much of a run is still to come."""
        return self.learning_rate * (self.final_rate + (1 - self.final_rate) * max(0.0, min(1.0, left)))

    @model_validator(mode="after")
    def _fits(self) -> LearnerSettings:
        _check_decisions(self.num_games, self.steps)
        return self


class ExpertSettings(Section):
    """Expert iteration: how much is searched, and how long it is learned from."""

    full: int = Field(
        64, ge=2, le=MOST_NODES, description="simulations of a search whose choices are learned"
    )
    cheap: int = Field(
        8, ge=0, le=MOST_NODES, description="of the other decisions; 0: the network draws them"
    )
    share: float = Field(0.25, gt=0, le=1, description="of decisions that are searched fully")
    temperature: float = Field(
        1.0, ge=0, description="of drawing an action by its visits; 0: always the most visited"
    )
    explore: float = Field(1.0, ge=0, description="of the search: how much the little explored counts")
    spread: float = Field(
        1.0, gt=0, description="of the search: above 1 the network's probabilities are more alike at first"
    )
    window: int = Field(6, ge=1, le=1000, description="updates whose games are learned from")


class TeacherSettings(Section):
    """Whom the learner copies before it plays for itself."""

    agent: str | None = Field(None, description="its code; the first character of the game's mind, if any")
    share: float = Field(0.15, ge=0, le=1, description="of the run's minutes; 0 and no updates: no lessons")
    updates: int | None = Field(None, ge=1, description="chunks, instead of a share of the minutes")
    data: str | None = Field(None, description="a data set to copy instead (--warm-start FILE.parquet)")
    passes: int = Field(
        4, ge=1, le=MOST_EPOCHS, description="over the data set; they take the time they take"
    )
    mix: float = Field(0.3, ge=0, le=1, description="of decisions in which the pupil's own choice is played")
    num_games: int = Field(128, ge=1, le=MOST_GAMES)
    steps: int = Field(256, ge=2, le=MOST_STEPS, description="decisions of each game in one chunk")
    epochs: int = Field(1, ge=1, le=MOST_EPOCHS)
    minibatch: int = Field(512, ge=2, le=MOST_DECISIONS)
    learning_rate: float = Field(1e-3, gt=0)
    value_updates: int = Field(5, ge=0, description="first updates of PPO that teach the value only")

    @property
    def asked(self) -> str | None:
        """The code of the player that is asked, if one is."""
        return self.agent if self.data is None and (self.share or self.updates) else None

    @model_validator(mode="after")
    def _fits(self) -> TeacherSettings:
        _check_decisions(self.num_games, self.steps)
        return self


class RunSettings(Section):
    """How long, and what is kept."""

    minutes: float = Field(60.0, gt=0)
    clock: Literal["wall", "processor"] = Field(
        "wall", description="whose minutes: the processor's, of all threads, compare runs on a busy machine"
    )
    updates: int | None = Field(None, ge=1, description="end after so many updates; the rate falls by them")
    decisions: int | None = Field(
        None, ge=1, description="end after so many of the learner's decisions; the rate falls by them"
    )
    seed: int = Field(0, ge=0, le=2**32 - 1)  # what NumPy's old generator takes
    save_minutes: float = Field(2.0, gt=0, description="between two checkpoints")
    milestones: list[Annotated[float, Field(gt=0)]] = Field(
        [], description="minutes after which the model is kept as it is: model-10min.npz, for `curve.py`"
    )
    measure: int = Field(
        400, ge=0, le=10_000_000, description="games against each of the panel in the end; 0: none"
    )
    panel: list[str] | None = Field(
        None, description="who is measured against; random and the characters of the game's mind"
    )
    log: list[Literal["csv", "tensorboard", "wandb"]] | None = Field(
        None, description="who is told of every update besides log.jsonl; csv, and tensorboard if installed"
    )

    @model_validator(mode="after")
    def _one_end(self) -> RunSettings:
        if self.updates is not None and self.decisions is not None:
            raise ValueError("updates with decisions, allowed is one of them")
        return self


class ActorSettings(Section):
    """Who plays the learner's games, and how far these may be behind it."""

    backend: Literal["local", "ray"] = Field("local", description="this process, or actors of a Ray cluster")
    address: str | None = Field(
        None, description="host:port of a Ray that runs, or auto; else one of our own"
    )
    number: int | None = Field(
        None, ge=1, le=4096, description="of actors, a core each; one for every core of the cluster"
    )
    games: int = Field(
        16, ge=1, le=MOST_GAMES, description="whole games that an actor is asked for at a time"
    )
    max_stale: int = Field(
        2,
        ge=0,
        le=1000,
        description="updates that games may be behind; older ones are stale and played again",
    )
    most_stale: float = Field(
        0.05, ge=0, le=1, description="the share of games that may be stale; more of them are told of"
    )
    patience: float = Field(180.0, gt=0, description="seconds without any actor after which the run ends")

    @model_validator(mode="after")
    def _fits(self) -> ActorSettings:
        for name in ("address", "number"):
            if self.backend == "local" and getattr(self, name) is not None:
                raise ValueError(
                    f"{name} = {getattr(self, name)!r} with backend = 'local', allowed is it with 'ray'"
                )
        return self


class Settings(Section):
    """All of it."""

    game: GameSettings = GameSettings()
    network: NetworkSettings = NetworkSettings()
    league: LeagueSettings = LeagueSettings()
    learner: LearnerSettings = LearnerSettings()
    expert: ExpertSettings = ExpertSettings()
    teacher: TeacherSettings = TeacherSettings()
    run: RunSettings = RunSettings()
    actors: ActorSettings = ActorSettings()

    def tables(self) -> list[Settings]:
        """The same for each number of players that is learned, with its part of an update's games."""
        g, numbers = self.game, [self.game.players, *self.game.also]
        games = max(1, self.learner.num_games // len(numbers))
        learner = self.learner.model_copy(update={"num_games": games})
        return [
            self.model_copy(
                update={"game": g.model_copy(update={"players": number, "also": []}), "learner": learner}
            )
            for number in numbers
        ]


#: What a network that is kept up to date changes: it learns from more decisions in the same time.
KEPT_UP_TO_DATE: dict[str, Any] = {
    "network": {"width": 256},
    "learner": {"minibatch": 4096, "learning_rate": 1e-3},
    "teacher": {"minibatch": 2048, "learning_rate": 2e-3, "share": 0.1},
    "league": {"snapshots": 5},
}

#: And what expert iteration changes: its games cost more, and each is learned from several times.
BY_SEARCH: dict[str, Any] = {
    "learner": {"num_games": 64, "epochs": 1, "gae_lambda": 1.0},
    "league": {"snapshot_every": 5},
}

#: What each preset changes.
PRESETS: dict[str, dict[str, Any]] = {
    "quick": {
        "run": {"minutes": 2.0, "save_minutes": 0.5, "measure": 200},
        "teacher": {"share": 0.2},
        "network": {"kind": INCREMENTAL},  # learns faster at first (README.md)
    },
    "standard": {
        "run": {"minutes": 60.0, "milestones": [1.0, 5.0, 10.0, 30.0]},
        "network": {"kind": INCREMENTAL},
    },
    "long": {
        "run": {"minutes": 480.0, "save_minutes": 5.0},
        "teacher": {"share": 0.03},
        "league": {"snapshots": 6, "snapshot_every": 60},
    },
}


def merged(base: Mapping[str, Any], *more: Mapping[str, Any]) -> dict[str, Any]:
    """Tables over tables: later values win, tables are merged; what is a table once must stay one."""
    out = dict(base)
    for tables in more:
        for key, value in tables.items():
            out[key] = _over(key, out[key], value) if key in out else value
    return out


def _over(key: str, old: Any, value: Any) -> Any:
    """A later value of a key."""
    if not isinstance(old, Mapping) and not isinstance(value, Mapping):
        return value
    for given in (old, value):
        if not isinstance(given, Mapping):
            raise ConfigError(f"{key} = {given!r}, allowed is a table")
    return merged(old, value)


def read_file(path: str | Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        return parse_toml(str(path), read_text(Path(path)))
    except DataError as error:
        raise ConfigError(str(error)) from None


def make_settings(
    preset: str = "standard",
    file: str | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """The preset, over it the file, over that what is given besides."""
    if preset not in PRESETS:
        raise ConfigError(f"preset = {preset!r}, allowed are {', '.join(PRESETS)}")
    where, given = f"{file}: " if file else "", read_file(file) if file else {}
    try:
        tables = merged(PRESETS[preset], given, overrides or {})
        if _said(tables, "network", "kind") == INCREMENTAL:
            tables = merged(KEPT_UP_TO_DATE, tables)
        if _said(tables, "learner", "method") == EXPERT:
            tables = merged(BY_SEARCH, tables)
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None
    taught = {"share", "updates", "agent"} & set(merged(given, overrides or {}).get("teacher", {}))
    if not taught and _said(tables, "game", "also"):  # lessons are for one number of players
        tables = merged(tables, {"teacher": {"share": 0.0}})
    made = checked(tables, where)
    return made if taught else _without_lessons(made)


def _said(tables: Mapping[str, Any], name: str, key: str) -> Any:
    """What unchecked tables say of a key, if they do."""
    table = tables.get(name)
    return table.get(key) if isinstance(table, Mapping) else None


def _without_lessons(made: Settings) -> Settings:
    """Who reads what the first character thinks begins as that character: lessons by it would be lost time."""
    if not made.network.traits or made.teacher.data is not None:
        return made
    return made.model_copy(update={"teacher": made.teacher.model_copy(update={"share": 0.0})})


def checked(tables: Mapping[str, Any], where: str = "") -> Settings:
    """Settings from plain tables, with all that the game decides.

    An error names the first wrong key, its value and what is allowed.
    """
    try:
        made = Settings.model_validate(dict(tables))
    except ValidationError as error:
        raise ConfigError(where + _in_words(error)) from None
    try:
        return _by_the_game(made)
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None


# ---------------------------------------------------------------- what the game decides


def _by_the_game(made: Settings) -> Settings:
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


# ---------------------------------------------------------------- errors in words


def _in_words(error: ValidationError) -> str:
    first = error.errors()[0]
    path, model = _path(first["loc"])
    key = ".".join(path)
    if first["type"] == "extra_forbidden":
        return f"{key}: unknown key, allowed are {', '.join(model.model_fields)}"
    if first["type"] == "model_type":
        return f"{key} = {first['input']!r}, allowed is a table"
    if first["type"] == "value_error":
        return f"{key}: {first['ctx']['error']}"
    # a value of several kinds has an error for each
    of_key = [other["msg"] for other in error.errors() if _path(other["loc"])[0] == path]
    words = [msg.partition(", unable")[0] for msg in of_key]
    words = [words[0][0].lower() + words[0][1:], *(msg.removeprefix("Input should be ") for msg in words[1:])]
    return f"{key} = {first['input']!r}: {' or '.join(words)}"


def _path(place: tuple[int | str, ...]) -> tuple[list[str], type[BaseModel]]:
    """The keys that lead to an error, without the kinds that a value may have; and the last table."""
    path: list[str] = []
    model: type[BaseModel] = Settings
    inside = True
    for name in place:
        if not inside and isinstance(name, str):
            continue
        path.append(str(name))
        kind: Any = (
            model.model_fields[str(name)].annotation if inside and name in model.model_fields else None
        )
        inside = isinstance(kind, type) and issubclass(kind, BaseModel)
        model = kind if inside else model
    return path, model
