"""The settings of a run: a typed model, presets, TOML files. An unknown key or a wrong value is refused."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.networks import Architecture
from genesia_rl.errors import ConfigError

#: More would not fit into a machine's memory: a decision takes about two kilobytes.
MOST_GAMES, MOST_STEPS, MOST_DECISIONS, MOST_EPOCHS = 16_384, 16_384, 2**22, 1000


def _check_decisions(games: int, steps: int) -> None:
    if games * steps > MOST_DECISIONS:
        raise ValueError(
            f"num_games * steps = {games} * {steps} decisions at once, allowed are {MOST_DECISIONS}"
        )


class Section(BaseModel):
    """A table of the file; it never changes once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False, allow_inf_nan=False)


class GameSettings(Section):
    """What is played, and what it pays."""

    players: int = Field(2, ge=2, le=5, description="one network serves one number of players")
    config: dict[str, Any] = Field({}, description="further fields of the game's configuration: lots, promos")
    lots: Literal["fixed", "rotate"] = Field(
        "rotate", description="from game to game; of config, or the default ones, if they are fixed"
    )
    seat: Literal["rotate", "random"] | int = Field("rotate", description="the learner's seat")
    reward: Literal["win", "rank", "score"] = "win"
    shaping: float = Field(1.0, ge=0, description="weight of the running public margin (potential-based)")
    margin: float = Field(0.0, ge=0, description="weight of the final margin, paid beside the reward")
    scale: float = Field(50.0, gt=0, description="points of a margin that count as 1")

    @model_validator(mode="before")
    @classmethod
    def _given_lots(cls, tables: Any) -> Any:
        """Lots or decks that are given are fixed."""
        config = tables.get("config") if isinstance(tables, Mapping) else None
        given = [name for name in ("lots", "decks") if isinstance(config, Mapping) and config.get(name)]
        if not given:
            return tables
        if tables.get("lots", "fixed") == "rotate":
            raise ValueError(f"lots = 'rotate', allowed with {given[0]} in config is 'fixed'")
        return {"lots": "fixed", **tables}

    @property
    def measured(self) -> str:
        """The lots that strength is measured with: as it was trained."""
        return "all" if self.lots == "rotate" else "game"


class NetworkSettings(Section):
    """Which network learns."""

    kind: Literal["flat", "regions", "graph"] = "graph"
    width: int = Field(128, ge=8, le=1024)
    tokens: int = Field(32, ge=4, le=256, description="features of a region")
    pairs: int = Field(16, ge=4, le=128, description="features of an edge")
    rounds: int = Field(2, ge=0, le=8, description="rounds of messages between regions (graph)")

    def architecture(self) -> Architecture:
        """The same as the networks take it."""
        return Architecture(**self.model_dump())


class LeagueSettings(Section):
    """Who plays against the learner."""

    self_share: float = Field(0.3, ge=0, le=1, description="of opponents that are the newest self")
    scripted: list[str] = Field(
        ["greedy", "settler", "scholar", "warlord", "trader"], description="codes of agents in the pool"
    )
    snapshots: int = Field(3, ge=0, le=32, description="places for former selves")
    snapshot_every: int = Field(20, ge=1, description="updates between two snapshots")
    power: float = Field(2.0, ge=0, description="of PFSP: a member is drawn like (1 - win rate) ** power")
    floor: float = Field(0.02, ge=0, le=1, description="the least weight of a member before normalising")
    alike: float = Field(0.5, ge=0, le=1, description="of games in which all opponents are the same member")
    memory: int = Field(200, ge=1, description="games over which a win rate is remembered")

    @model_validator(mode="after")
    def _somebody(self) -> LeagueSettings:
        if self.self_share < 1 and not self.scripted and not self.snapshots:
            raise ValueError("a pool without members needs self_share = 1")
        return self


class LearnerSettings(Section):
    """MaskablePPO."""

    num_games: int = Field(256, ge=1, le=MOST_GAMES, description="played side by side")
    steps: int = Field(64, ge=2, le=MOST_STEPS, description="learner's decisions of each game in one update")
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
    threads: int = Field(1, ge=1, le=64, description="of torch; bit for bit the same runs need 1")

    @model_validator(mode="after")
    def _fits(self) -> LearnerSettings:
        _check_decisions(self.num_games, self.steps)
        return self


class TeacherSettings(Section):
    """Whom the learner copies before it plays for itself."""

    agent: str | None = Field(None, description="the code of the teacher")
    share: float = Field(0.15, ge=0, le=1, description="of the run's minutes; 0: no lessons")
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

    @model_validator(mode="after")
    def _fits(self) -> TeacherSettings:
        _check_decisions(self.num_games, self.steps)
        return self


class RunSettings(Section):
    """How long, and what is kept."""

    minutes: float = Field(60.0, gt=0)
    updates: int | None = Field(None, ge=1, description="end after so many updates; the rate falls by them")
    seed: int = Field(0, ge=0, le=2**32 - 1)  # what NumPy's old generator takes, and so stable-baselines3
    save_minutes: float = Field(2.0, gt=0, description="between two checkpoints")
    milestones: list[Annotated[float, Field(gt=0)]] = Field(
        [], description="minutes after which the model is kept as it is: model-10min.npz, for `curve.py`"
    )
    measure: int = Field(
        400, ge=0, le=10_000_000, description="games against each of the panel in the end; 0: none"
    )
    panel: list[str] = Field(
        ["random", "greedy", "settler", "scholar", "warlord", "trader"], description="who is measured against"
    )


class Settings(Section):
    """All of it."""

    game: GameSettings = GameSettings()
    network: NetworkSettings = NetworkSettings()
    league: LeagueSettings = LeagueSettings()
    learner: LearnerSettings = LearnerSettings()
    teacher: TeacherSettings = TeacherSettings()
    run: RunSettings = RunSettings()


#: What each preset changes.
PRESETS: dict[str, dict[str, Any]] = {
    "quick": {
        "run": {"minutes": 2.0, "save_minutes": 0.5, "measure": 200},
        "teacher": {"agent": "greedy", "share": 0.4},
        "network": {"kind": "flat", "width": 256},  # learns faster at first (README.md)
    },
    "standard": {
        "run": {"minutes": 60.0, "milestones": [1.0, 5.0, 10.0, 30.0]},
        "teacher": {"agent": "greedy"},
    },
    "long": {
        "run": {"minutes": 480.0, "save_minutes": 5.0},
        "teacher": {"agent": "greedy", "share": 0.03},
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
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None


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
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None
    return checked(tables, where)


def checked(tables: Mapping[str, Any], where: str = "") -> Settings:
    """Settings from plain tables; the error names the first wrong key, its value and what is allowed."""
    try:
        made = Settings.model_validate(dict(tables))
    except ValidationError as error:
        raise ConfigError(where + _in_words(error)) from None
    if "players" in made.game.config:
        raise ConfigError(
            f"{where}game.config.players = {made.game.config['players']!r}: allowed is game.players instead"
        )
    return made


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
    says = [msg.partition(", unable")[0] for msg in of_key]
    says = [says[0][0].lower() + says[0][1:], *(msg.removeprefix("Input should be ") for msg in says[1:])]
    return f"{key} = {first['input']!r}: {' or '.join(says)}"


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
