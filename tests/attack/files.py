"""Files of every format: damaged bytes, and contents that are well formed and wrong."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import genesia_rl
from genesia_rl.core.lab import package_folder
from genesia_rl.core.registry import game_info, make_game, variants
from genesia_rl.core.trace import begin, game_of, numbered_traces, read_position, record, to_line, verify
from genesia_rl.envs.saving import packed
from genesia_rl.players.learned import LearnedPlayer, load_model, save_model
from genesia_rl.players.networks import Architecture, Layout, initial_weights
from genesia_rl.players.random import RandomPlayer

from .cases import ODD, Found, Rng, damaged, odd_table, pick

NESTED = (
    "[" * 100_000,
    '{"a":' * 50_000,
    "9" * 5_000,
    '{"a": 1, "a": 2}',
    "NaN",
    "\ufeff{}",
    "",
    "\x00" * 100,
)


def _bytes(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def attack_traces(game_name: str, rng: Rng, cases: int, folder: Path) -> Found:
    """Traces: read, verified, begun."""
    found = Found(f"traces of {game_name}")
    game = make_game(game_name)
    written = record(game, RandomPlayer(), 5, legal=True, with_states=True)
    short = written | {"steps": written["steps"][:6], "result": None}
    path = folder / "games.jsonl"

    def read() -> None:
        for _, trace in numbered_traces(path):
            verify(trace)
            begin(game_of(trace), trace)

    for number in range(cases):
        told, content = _mutated(rng, short, number)
        _bytes(path, content)
        found.case(f"trace: {told}", read)
    return found


def _mutated(rng: Rng, table: Any, number: int) -> tuple[str, bytes]:
    """A table as JSON: with something odd in it, as damaged bytes, or nothing like it."""
    if number % 8 == 0:
        return "nothing like it", pick(rng, NESTED).encode("utf-8", "surrogatepass")
    if number % 2:
        return "damaged bytes", damaged(rng, to_line(table).encode())
    odd = odd_table(rng, table)
    return "a wrong table", json.dumps(odd).encode()


def attack_configurations(game_name: str, rng: Rng, cases: int, folder: Path) -> Found:
    """Configurations as JSON and positions without sense; a field `name` is a field like others."""
    found = Found(f"configurations of {game_name}")
    known = list(variants(game_name).values())
    read = game_info(game_name).read_config
    for number in range(cases):
        config = make_game(game_name, **pick(rng, known)).config_dict()
        if number % 9 == 0:
            config = {**config, "name": pick(rng, ODD)}
        _, content = _mutated(rng, config, number)
        path = _bytes(folder / "config.json", content)
        found.case(f"config {content[:200]!r}", lambda p=path: make_game(game_name, **read(str(p))))  # type: ignore[misc]
        whole = _mutated(rng, {"config": config, "position": {"seat": 0, "round": 1}}, number)[1]
        _bytes(folder / "position.json", whole)
        found.case(f"position {whole[:200]!r}", lambda: _position(game_name, folder / "position.json"))
    return found


def _position(game_name: str, path: Path) -> None:
    config, position = read_position(path)
    game = make_game(game_name, **config)
    game.put_position(game.new_states(), 0, position)


def attack_data(game_name: str, rng: Rng, cases: int, folder: Path) -> Found:
    """Data files of a game, as somebody may have changed them: games are made of them, and begun."""
    found = Found(f"data files of {game_name}")
    ours = _data_files(game_name)
    for number in range(cases):
        name = pick(rng, ours)
        own = folder / f"data{number}"  # what was read of a folder is known
        shutil.rmtree(own, ignore_errors=True)
        own.mkdir()
        _bytes(own / name.name, damaged(rng, name.read_bytes()))
        found.case(name.name, lambda folder=own: _begun(game_name, folder))  # type: ignore[misc]
    return found


def _data_files(game_name: str) -> list[Path]:
    """What a folder of one's own data may hold."""
    return sorted((package_folder(game_name) / "data").glob("*.toml"))


def _begun(game_name: str, own: Path) -> None:
    game = make_game(game_name, data=str(own))
    states = game.new_states()
    game.reset(states, 0, 1)
    game.draw(states, 0)


def attack_models(game_name: str, rng: Rng, cases: int, folder: Path) -> Found:
    """Models: damaged archives, headers that lie, arrays of every kind."""
    found = Found(f"models of {game_name}")
    game = make_game(game_name)
    layout, made = Layout(game), Architecture("flat", width=4)
    weights = initial_weights(made, layout, np.random.default_rng(0))
    path = folder / "model.npz"
    save_model(path, made, game, weights, {})
    whole, header = path.read_bytes(), load_model(path).header

    def load() -> None:
        LearnedPlayer(str(path), use_torch=False).net(game)

    for number in range(cases):
        told = "damaged bytes"
        if number % 2:
            _bytes(path, damaged(rng, whole))
        else:
            told = _wrong_model(path, header, weights, rng)
        found.case(f"model: {told}", load)
    return found


def _wrong_model(path: Path, header: Any, weights: Any, rng: Rng) -> str:
    """A sound archive of something else."""
    text = np.frombuffer(json.dumps(odd_table(rng, header)).encode(), np.uint8)
    held: dict[str, Any] = {"header": text, **weights}
    if rng.random() < 0.5:
        name = pick(rng, sorted(held))
        held[name] = pick(rng, (
            held[name].astype(np.longdouble), held[name].astype(np.complex64), held[name][:0], np.array("x" * 50),
            np.zeros((2, 3)), held[name].astype(np.float64), np.full(held[name].shape, np.nan, np.float32),
            np.zeros(1 << 20, np.uint8), np.array(5), held[name].astype(bool),
        ))  # fmt: skip
    np.savez_compressed(path, **held)
    return f"odd header, {len(held)} arrays"


def attack_saves(game_name: str, rng: Rng, cases: int) -> Found:
    """Saves of environments: a refused one leaves the running game as it was."""
    found = Found(f"saves of {game_name}")
    env = genesia_rl.make(game_name)
    env.reset(seed=1)
    for _ in range(25):
        seen = env.last()[0]
        env.step(env.action_space(env.agent_selection).sample(seen["action_mask"]))
    saved = env.save()
    head, body = saved.split(b"\n", 1)
    header = json.loads(head)
    for number in range(cases):
        other, told = damaged(rng, saved), "damaged bytes"
        if number % 2:
            odd = odd_table(rng, header)
            other, told = packed(odd if isinstance(odd, dict) else {}, body), "odd header"
        if not found.case(f"save: {told}", lambda o=other: env.restore(o)) and env.save() != saved:  # type: ignore[misc]
            found.holes.append(f"save: {told}: a refused save has changed the running game")
        env.restore(saved)
    return found


def attack_runs(rng: Rng, cases: int, folder: Path) -> Found:
    """Checkpoints, settings of training, folders of jobs; what can be read of them is what was written."""
    found = Found("runs")
    for attack in (_checkpoints, _settings, _stores):
        attack(found, rng, cases, folder)
    return found


def _checkpoints(found: Found, rng: Rng, cases: int, folder: Path) -> None:
    from genesia_rl.learn import checkpoint

    checkpoint.write(
        folder, {"update": 3, "pool": {"rate": [0.5] * 4}}, {"a": np.arange(50), "b": np.zeros((3, 4))}
    )
    path = folder / checkpoint.NAME
    whole, held = path.read_bytes(), checkpoint.read(folder)
    for _ in range(cases):
        _bytes(path, damaged(rng, whole))
        if found.case("checkpoint", lambda: checkpoint.read(folder)):
            again = checkpoint.read(folder)
            if again[0] != held[0] or any(
                not np.array_equal(held[1][name], again[1][name]) for name in held[1]
            ):
                found.holes.append("checkpoint: something else was read without a word")


def _settings(found: Found, rng: Rng, cases: int, folder: Path) -> None:
    from genesia_rl.learn.presets import make_settings

    text = b"[run]\nseed = 3\nminutes = 2.5\n[learner]\nnum_games = 64\nepochs = 2\n[league]\nsnapshots = 3\n"
    path = folder / "settings.toml"
    for number in range(cases):
        _bytes(path, damaged(rng, text) if number % 5 else pick(rng, NESTED).encode("utf-8", "surrogatepass"))
        found.case("settings", lambda: make_settings("quick", path))


def _stores(found: Found, rng: Rng, cases: int, folder: Path) -> None:
    from shard_jobs import Dice, bytes_of

    from genesia_rl.shards.merge import merge
    from genesia_rl.shards.run import run_job

    whole, run, out = folder / "whole", folder / "run", folder / "out"
    run_job(Dice(), whole, backend="serial")
    before = bytes_of(whole)
    files = [
        path for path in sorted(whole.rglob("*")) if path.is_file() and not path.name.startswith(".lock")
    ]
    for _ in range(max(1, cases // 4)):
        ways: dict[str, Callable[[], Any]] = {
            "resumed": lambda: run_job(Dice(), run, backend="serial"), "merged": lambda: merge([run], out),
        }  # fmt: skip
        for told, act in ways.items():
            for goal in (run, out):
                shutil.rmtree(goal, ignore_errors=True)
            shutil.copytree(whole, run)
            wrong = run / pick(rng, files).relative_to(whole)
            wrong.write_bytes(damaged(rng, wrong.read_bytes()))
            taken = found.case(f"folder {told}, {wrong.name} damaged", act)
            if taken and bytes_of(run if told == "resumed" else out) != before:
                found.holes.append(f"folder {told}, {wrong.name} damaged: other results without a word")
