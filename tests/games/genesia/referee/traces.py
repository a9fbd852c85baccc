"""Traces (PROTOCOL 3 and 4): recording and verifying."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from .config import seats_of
from .data import Data
from .modes import MODES, config_of_mode
from .play import Game, random_deal, random_position
from .policies import POLICIES, Policy, by_seat, uniform

FORMAT = "genesia-trace/2"
Trace = dict[str, Any]


# -------------------------------------------------------------------- recording


def record_game(
    config: dict[str, Any],
    deal: dict[str, Any] | None = None,
    position: dict[str, Any] | None = None,
    policy: Policy = uniform,
    rng: random.Random | None = None,
    legal: bool = True,
    states: bool = True,
    seed: int | None = None,
    folder: str | Path | None = None,
) -> Trace:
    """Play a game to its end and write it down."""
    rng = rng or random.Random(seed)
    game = Game(config, deal, position, folder)
    trace: Trace = {"format": FORMAT, "config": game.config}
    if seed is not None:
        trace["seed"] = seed
    trace.update({"deal": deal} if deal is not None else {"position": position})
    steps = []
    while game.decision is not None:
        step: list[Any] = [game.decision.seat, game.decision.kind, policy(game, rng)]
        if legal or states:
            step.append(list(game.decision.legal) if legal else None)
        if states:
            step.append(game.states())
        steps.append(step)
        game.act(step[2])
    trace["steps"] = steps
    trace["result"] = game.result()
    return trace


def record_random(
    mode: str, seed: int, from_position: bool, policy: str, data: Data, folder: str | Path | None = None,
    legal: bool = True, states: bool = True,
) -> Trace:  # fmt: skip
    """One game of a mode, everything drawn from the seed. `mixed` means by the seed, seat by seat."""
    rng = random.Random(seed)
    config = config_of_mode(mode, rng, data)
    if policy == "mixed":
        same = rng.choice(sorted(POLICIES)) if rng.random() < 0.6 else None
        names = [same or rng.choice(sorted(POLICIES)) for _ in range(seats_of(config))]
    else:
        names = [policy] * seats_of(config)
    deal = None if from_position else random_deal(config, rng, data)
    position = random_position(config, rng, data) if from_position else None
    return record_game(config, deal, position, by_seat(names), rng, legal, states, seed, folder)


def mode_of(index: int, mode: str) -> str:
    """The mode of the index-th game: `mixed` cycles through all of them."""
    return list(MODES)[index % len(MODES)] if mode == "mixed" else mode


# -------------------------------------------------------------------- verifying


def verify_trace(trace: Trace, folder: str | Path | None = None) -> list[str]:
    """Replay a trace; every difference is a line. Empty: the trace is what the rules say."""
    if trace.get("format") != FORMAT:
        return [f"format = {trace.get('format')!r}: allowed {FORMAT!r}"]
    try:
        game = Game(trace["config"], trace.get("deal"), trace.get("position"), folder)
    except (ValueError, KeyError) as error:
        return [f"refused: {error!r}"]
    differences: list[str] = []
    if trace["config"] != game.config:
        differences.append(f"config: {game.config}, in the trace {trace['config']}")
    for i, step in enumerate(trace["steps"]):
        differences += step_differences(game, i, step)
        if game.decision is None or step[2] not in game.decision.legal:
            return differences
        if [game.decision.seat, game.decision.kind] != list(step[:2]):
            return differences
        game.act(step[2])
    if "result" not in trace:
        return differences
    if game.decision is not None:
        return [*differences, f"after the last step: the game is not over, {describe(game)}"]
    return differences + result_differences(game.result(), trace["result"])


def describe(game: Game) -> str:
    state = game.state
    return f"Age {state.age} {state.phase}, {game.decision}"


def step_differences(game: Game, i: int, step: list[Any]) -> list[str]:
    decision = game.decision
    if decision is None:
        return [f"step {i}: the trace goes on ({step[:3]}), the game is over"]
    found = []
    where = f"step {i} (Age {game.state.age} {game.state.phase}, seat {decision.seat} {decision.kind})"
    if [decision.seat, decision.kind] != list(step[:2]):
        found.append(f"{where}: the trace asks seat {step[0]} {step[1]}")
    if step[2] not in decision.legal:
        found.append(f"{where}: {step[2]} is not legal; legal: {list(decision.legal)}")
    if len(step) > 3 and step[3] is not None and list(step[3]) != list(decision.legal):
        extra = sorted(set(step[3]) - set(decision.legal))
        lacking = sorted(set(decision.legal) - set(step[3]))
        note = "" if extra or lacking else " (the order differs)"
        found.append(f"{where}: legal set: trace has too many {extra}, too few {lacking}{note}")
    if len(step) > 4 and step[4] is not None:
        found += [f"{where}: {line}" for line in state_differences(game.states(), step[4])]
    return found


def state_differences(mine: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    found = []
    for what in ("coins", "supply"):
        if mine[what] != theirs[what]:
            found.append(f"{what} {mine[what]}, in the trace {theirs[what]}")
    for what in ("clans", "cities"):
        for region in sorted(set(mine[what]) | set(theirs[what]), key=int):
            a, b = mine[what].get(region), theirs[what].get(region)
            if a != b:
                found.append(f"{what} of region {region}: {a}, in the trace {b}")
    return found


def result_differences(mine: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    keys = sorted(set(mine) | set(theirs))
    return [
        f"result, {key}: {mine.get(key)}, in the trace {theirs.get(key)}"
        for key in keys
        if mine.get(key) != theirs.get(key)
    ]
