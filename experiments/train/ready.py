"""Before a run begins: can all its agents play, and is everything compiled?

What is wrong with a code or a model would otherwise come out when it is first asked, after the lessons or in
the end. And on a new machine compiling takes most of a minute, which would be missing from a short run.
"""

from __future__ import annotations

from typing import Any

from agents.learned import LearnedAgent
from agents.registry import make_agent
from agents.scripted import ScriptedAgent
from agents.search import SearchAgent
from experiments.train.league import SELF, Clock, LeagueEnv, Pool
from experiments.train.policy import Frozen
from experiments.train.settings import Settings
from experiments.train.teacher import Lessons
from genesia_rl import jit
from genesia_rl.cli.output import announce_compiling, note
from genesia_rl.contract import Game
from genesia_rl.errors import ConfigError, GenesiaError
from genesia_rl.seen import Player
from genesia_rl.vector import Batch

#: What a run calls of the game, compiled.
GAME_ENTRIES = ("start_rows", "check_rows", "open_step", "step_rows")


def agents_of(settings: Settings, game: Game, with_teacher: bool) -> dict[str, Player]:
    """All agents that the run will ask, by code; one that cannot play the game is refused."""
    teacher = [settings.teacher.agent] if with_teacher and settings.teacher.agent is not None else []
    codes = {"league.scripted": settings.league.scripted, "teacher.agent": teacher}
    found: dict[str, Player] = {}
    for key, listed in (codes | {"run.panel": settings.run.panel}).items():
        for code in listed:
            try:
                found[code] = able(code, game)
            except GenesiaError as error:
                raise ConfigError(f"{key}: {error}") from None
    return found


def able(code: str, game: Game) -> Player:
    """An agent that can play the game; of a model that is known once it is read."""
    agent = make_agent(code)
    if isinstance(agent, LearnedAgent):
        agent.net(game)
    return agent


def compile_all(settings: Settings, game: Game, agents: dict[str, Player], frozen: Frozen) -> None:
    """Do a little of everything in games that are thrown away; no random stream of the run is touched."""
    announce_compiling(game, *GAME_ENTRIES)
    _announce_agents(agents)
    batch = Batch(game, 1)
    batch.reset(0)
    for agent in agents.values():
        agent.act_batch(batch.seen())
    small: dict[str, Any] = {
        "league": settings.league.model_copy(update={"self_share": 1.0, "scripted": [], "snapshots": 0}),
        "learner": settings.learner.model_copy(update={"num_games": 2}),
        "teacher": settings.teacher.model_copy(update={"num_games": 2, "steps": 2}),
    }
    tiny = settings.model_copy(update=small)
    env = LeagueEnv(tiny, game, Pool(tiny.league, 0), Clock())
    env.networks[SELF].frozen = frozen
    env.begin()
    env.advance(env.batch.mask.argmax(1))
    if tiny.teacher.agent in agents:
        Lessons(game, agents[tiny.teacher.agent], tiny.teacher, 0).chunk(frozen)


def _announce_agents(agents: dict[str, Player]) -> None:
    """Say that agents are compiled, if they will be: they have a cache of their own."""
    folder = jit.cache_of("agents")
    kept = {path.name.partition("-")[0] for path in folder.rglob("*.nbi")} if folder is not None else set()
    for code, agent in agents.items():
        name = "entries.grow" if isinstance(agent, SearchAgent) else "entries.choose_rows"
        if isinstance(agent, ScriptedAgent) and name not in kept and not jit.PLAIN:
            note(f"compiling {code} for this machine; this takes up to a minute, once")
            kept.add(name)
