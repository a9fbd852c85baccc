"""Self-play in which a search guided by the network teaches the network: AlphaZero for two players.

    python -m experiments.alphazero.train --minutes 10 --out runs/az
    genesia evaluate --agent ppo:runs/az/model.npz --against random --players 2 --games 1000

Games are played side by side, some of them against guests: scripted agents, as in the league of `genesia
train`. In a share of the decisions the network searches: it plays what the search chooses, and the position
is kept with the search's improved policy and, once the game is over, its result. In the others it draws from
its policy: that is cheap, and games end sooner (KataGo does the same). The network learns from the latest
positions, each some times. Like a run of `genesia train` it first copies a teacher.

Minutes are of the processor, so that other work on a machine changes nothing: on an idle core they are the
clock's.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from experiments.alphazero.search import Style, shaping_of
from experiments.alphazero.selfplay import Memory, SelfPlay, Settings, characters_of
from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.game import Game
from genesia_rl.core.player import Player
from genesia_rl.core.registry import make_game
from genesia_rl.learn.compare import parse_network
from genesia_rl.learn.policy import (
    Frozen,
    Network,
    TorchLayout,
    adam,
    descend,
    log_probabilities,
    set_rate,
)
from genesia_rl.learn.settings import TeacherSettings
from genesia_rl.learn.start import refuse_a_run
from genesia_rl.learn.teacher import Cloner, Lessons
from genesia_rl.players.codes import make_player
from genesia_rl.players.learned import check_model, load_model, save_model
from genesia_rl.players.networks import Architecture

MODEL, LOG = "model.npz", "log.jsonl"


class Learner:
    """The network and its optimiser."""

    def __init__(self, settings: Settings, network: Network) -> None:
        self.settings, self.network = settings, network
        self.optimizer = adam(network, settings.learning_rate)
        self.rng = np.random.default_rng([settings.seed, 17])

    def frozen(self) -> Frozen:
        """The network as it is now."""
        return self.network.frozen()

    def learn(self, memory: Memory, number: int, left: float) -> dict[str, float]:
        """So many steps of the optimiser, with the rate for what is left of the time; mean figures."""
        s = self.settings
        set_rate(self.optimizer, s.learning_rate * (s.final_rate + (1 - s.final_rate) * left))
        sums = np.zeros(4)
        for rows in memory.draw(number, s.minibatch, self.rng):
            sums += self._step(rows)
        names = ("policy_loss", "value_loss", "entropy", "hits")
        return dict(zip(names, (sums / max(1, number)).tolist(), strict=True))

    def _step(self, rows: dict[str, torch.Tensor]) -> npt.NDArray[np.float64]:
        logits, value = self.network(rows["observation"])
        log_p, target = log_probabilities(logits, rows["legal"]), rows["policy"].float()
        policy_loss = -(target * log_p).sum(1).mean()
        value_loss = (value - rows["value"]).square().mean()
        descend(self.network, self.optimizer, policy_loss + 0.5 * value_loss, 1.0, "learner")
        with torch.no_grad():
            entropy = -(log_p.exp() * log_p).sum(1).mean()
            hits = (log_p.argmax(1) == target.argmax(1)).float().mean()
        return np.array([float(x.detach()) for x in (policy_loss, value_loss, entropy, hits)])


def begun(settings: Settings, game: Game) -> Network:
    """The network at the start: a model's, or after lessons by the teacher."""
    layout, scale = TorchLayout(game), game.facts.score_scale
    if settings.start is not None:
        model = load_model(settings.start)
        check_model(settings.start, model, game, layout)
        if (found := shaping_of(model.header, game)) != (settings.shaping, scale):
            raise ConfigError(
                f"{settings.start}: shaping and scale = {found}, allowed are {settings.shaping, scale}"
            )
        network = Network(model.architecture, layout, settings.seed)
        network.put_weights(model.weights)
        return network
    network = Network(Architecture(**parse_network(settings.network, game.name)), layout, settings.seed)
    if settings.lessons:
        _teach(settings, game, network)
    return network


def _teach(settings: Settings, game: Game, network: Network) -> None:
    """Copy the teacher, as a run of `genesia train` does."""
    given = TeacherSettings()
    teacher, cloner = teacher_of(settings, game), Cloner(network, given, settings.seed)
    lessons = Lessons(game, teacher, given, settings.seed, shaping=settings.shaping)
    start, found, spent = time.process_time(), {"hits": 0.0}, 0.0
    while spent < 1:
        found = cloner.learn(lessons.chunk(cloner.frozen()), max(0.05, 1 - spent))
        spent = (time.process_time() - start) / (60 * settings.lessons * settings.minutes)
    print(f"lessons are over: hits {100 * found['hits']:.1f} %", flush=True)


def teacher_of(settings: Settings, game: Game) -> Player:
    """Whom the network copies."""
    return make_player(settings.teacher or characters_of(game.name)[0], game.name)


def train(settings: Settings, folder: Path) -> dict[str, Any]:
    """A whole run; the last row of its log."""
    _check(settings)
    refuse_a_run(folder)
    torch.set_num_threads(1)
    torch.manual_seed(settings.seed)
    folder.mkdir(parents=True, exist_ok=True)
    game = make_game(settings.game, players=2)
    _compile(settings, game)
    start = time.process_time()
    network = begun(settings, game)
    layout, learner = network.layout, Learner(settings, network)
    memory = Memory(settings.capacity, game.observation_size, len(layout.actions))
    games = SelfPlay(settings, game, memory)
    row: dict[str, Any] = {}
    saved = 0
    with (folder / LOG).open("w") as log:
        while (minutes := (time.process_time() - start) / 60) < settings.minutes:
            before, played = time.process_time(), memory.written
            games.play(learner.frozen())
            asked = time.process_time()
            number = round(settings.passes * (memory.written - played) / settings.minibatch)
            found = learner.learn(memory, max(1, number), 1 - minutes / settings.minutes)
            row = {
                "minutes": round(minutes, 3), "games": games.finished, "searched": memory.written, **found,
                "playing": asked - before, "learning": time.process_time() - asked,
            }  # fmt: skip
            print(json.dumps(row), file=log, flush=True)
            print(in_words(row), flush=True)
            if int(minutes) > saved:
                saved = int(minutes)
                save(folder, settings, network, game, row)
    save(folder, settings, network, game, row)
    return row


def _check(settings: Settings) -> None:
    for name in ("minutes", "games", "steps", "minibatch", "capacity"):
        if not getattr(settings, name) > 0:
            raise ConfigError(f"{name} = {getattr(settings, name)}, allowed is above 0")


def _compile(settings: Settings, game: Game) -> None:
    """Do everything once, so that no minute is spent on compiling."""
    tiny = replace(settings, games=2, steps=1, searched=1.0)
    network = Network(Architecture(**parse_network(settings.network, game.name)), TorchLayout(game))
    frozen = Learner(tiny, network).frozen()
    SelfPlay(tiny, game, Memory(4, game.observation_size, len(network.layout.actions))).play(frozen)
    teaching = TeacherSettings(num_games=2, steps=2)
    Lessons(game, teacher_of(settings, game), teaching, 0, shaping=settings.shaping).chunk(frozen)


def save(folder: Path, settings: Settings, network: Network, game: Game, row: dict[str, Any]) -> None:
    """The network as agents play it; every minute, and in the end."""
    card = {
        "by": "experiments.alphazero.train", **row,
        "settings": {
            "game": {"shaping": settings.shaping, "scale": game.facts.score_scale}, "style": settings.style._asdict(),
            "alphazero": {k: v for k, v in asdict(settings).items() if k != "style"},
        },
    }  # fmt: skip
    save_model(folder / MODEL, network.architecture, game, network.numpy_weights(), card)


def in_words(row: dict[str, Any]) -> str:
    """`4.20 min  1,234 games  80,000 searched ...`."""
    return (
        f"{row['minutes']:6.2f} min  {row['games']:,} games  {row['searched']:,} searched"
        f"  policy {row['policy_loss']:.3f}  value {row['value_loss']:.3f}  entropy {row['entropy']:.2f}"
        f"  hits {100 * row['hits']:.0f} %  playing {row['playing']:.1f} s  learning {row['learning']:.1f} s"
    )


def main(arguments: list[str] | None = None) -> None:
    """The command line: the settings that are numbers or texts, and those of the search."""
    parser = argparse.ArgumentParser(description="self-play with a search guided by the network")
    for name, value in (asdict(Settings()) | Style()._asdict()).items():
        if name != "style":
            kind = str if value is None else type(value)
            parser.add_argument(f"--{name.replace('_', '-')}", type=kind, default=value)
    parser.add_argument("--out", default="runs/alphazero")
    given = vars(parser.parse_args(arguments))
    folder = Path(given.pop("out"))
    style = Style(**{name: given.pop(name) for name in Style._fields})
    try:
        train(Settings(**given, style=style), folder)
    except (GenesiaError, OSError) as error:
        parser.error(str(error))
    print(f"saved in {folder}; play it as ppo:{folder / MODEL}")


if __name__ == "__main__":
    main()
