"""Before a run begins: can all its players play, and is everything compiled?

What is wrong with a code or a model would otherwise come out when it is first asked, after the lessons or in
the end. And on a new machine compiling takes most of a minute, which would be missing from a short run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from genesia_rl.cli.output import announce_compiling
from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.game import Game
from genesia_rl.core.player import Player
from genesia_rl.learn.league import SELF, Clock, LeagueEnv, Pool
from genesia_rl.learn.policy import Frozen, Network, adam
from genesia_rl.learn.searched import SearchedGames
from genesia_rl.learn.settings import EXPERT, Settings
from genesia_rl.learn.sparse import Segments, SparseLearner, returns
from genesia_rl.learn.teacher import Lessons
from genesia_rl.learn.whole import CloneLoss, WholeGames, in_whole_games
from genesia_rl.players.codes import make_player
from genesia_rl.players.guided import GuidedPlayer
from genesia_rl.players.learned import LearnedPlayer
from genesia_rl.players.scripted import ScriptedPlayer
from genesia_rl.players.search import SearchPlayer
from genesia_rl.vector.batch import Batch

#: What a run calls of a game, compiled, and what its scripted players and searches call of it.
KERNELS = ("start_rows", "check_rows", "open_step", "step_rows")
OF_PLAYERS = {ScriptedPlayer: "choose_rows", SearchPlayer: "grow", GuidedPlayer: "grow_guided"}


def agents_of(settings: Settings, game: Game, with_teacher: bool) -> dict[str, Player]:
    """All players that the run will ask, by code; one that cannot play the game is refused."""
    teacher = [settings.teacher.asked] if with_teacher and settings.teacher.asked is not None else []
    listed = {
        "league.scripted": settings.league.scripted,
        "teacher.agent": teacher,
        "run.panel": settings.run.panel,
    }
    found: dict[str, Player] = {}
    for key, codes in listed.items():
        for code in codes or ():
            try:
                found[code] = able(code, game)
            except GenesiaError as error:
                raise ConfigError(f"{key}: {error}") from None
    return found


def able(code: str, game: Game) -> Player:
    """A player that can play the game; of a model that is known once it is read."""
    agent = make_player(code, game.name)
    if isinstance(agent, LearnedPlayer):
        agent.net(game)
    if isinstance(agent, GuidedPlayer):
        agent.guide(game)
    return agent


def compile_all(settings: Settings, game: Game, agents: dict[str, Player], frozen: Frozen) -> None:
    """Do a little of everything in games that are thrown away; no random stream of the run is touched."""
    of_players = {OF_PLAYERS[type(agent)] for agent in agents.values() if type(agent) in OF_PLAYERS}
    if settings.learner.method == EXPERT:
        of_players.add("grow_guided")
    announce_compiling(game, *KERNELS, *sorted(of_players))
    batch = Batch(game, 1)
    batch.reset(0)
    for agent in agents.values():
        agent.act_batch(batch.decisions())
    of_league = {"self_share": 1.0, "scripted": [], "snapshots": 0, "exploiters": 0}
    small: dict[str, Any] = {
        "league": settings.league.model_copy(update=of_league),
        "learner": settings.learner.model_copy(update={"num_games": 2}),
        "teacher": settings.teacher.model_copy(update={"num_games": 2, "steps": 2}),
    }
    tiny = settings.model_copy(update=small)
    if in_whole_games(settings, game):
        compile_games(tiny, game, frozen)
        return
    env = LeagueEnv(tiny, game, Pool(tiny.league, 0), Clock())
    env.networks[SELF].frozen = frozen
    env.begin()
    env.advance(env.batch.mask.argmax(1))
    if tiny.teacher.asked in agents:
        Lessons(game, agents[tiny.teacher.asked], tiny.teacher, 0).chunk(frozen)


def compile_games(tiny: Settings, game: Game, frozen: Frozen) -> None:
    """The same of whole games: play, learn, be taught."""
    network = Network(frozen.architecture, frozen.layout)
    if tiny.learner.method == EXPERT:
        expert = tiny.expert.model_copy(update={"full": 2, "cheap": min(1, tiny.expert.cheap)})
        searching = tiny.model_copy(update={"expert": expert})
        SearchedGames(searching, game, frozen.layout, Pool(tiny.league, 0), Clock()).search(
            network.numpy_weights()
        )
    env = WholeGames(tiny, game, frozen.layout, Pool(tiny.league, 0), Clock())
    trace = env.play(network.numpy_weights()).trace
    halves = next(Segments(trace).minibatches(len(trace.rows), np.random.default_rng(0)))
    loss, learner = (
        CloneLoss(returns(trace, 1.0, 1.0), len(trace.rows)),
        SparseLearner(network, env.workers, 1.0),
    )
    learner.step(adam(network, 1e-3), trace, halves, loss, "warming up")
