"""The settings of a run as a typed model. An unknown key or a wrong value is refused.

What is left open (None) is as the game has it (fitting.py): who teaches, who plays in the league, which network fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from genesia_rl.core.registry import default_game
from genesia_rl.players.networks import Architecture
from genesia_rl.players.search import MOST_NODES

PPO, EXPERT = "ppo", "expert"
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
