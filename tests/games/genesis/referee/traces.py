"""Traces (PROTOCOL 3 and 4): recording and verifying."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .data import load_data
from .modes import MODES, config_of_mode
from .play import Game, random_deal, random_position
from .policies import POLICIES, Policy, by_seat, uniform

FORMAT = "genesis-trace/1"
Trace = dict[str, Any]


# -------------------------------------------------------------------- recording


def record_game(
    config: Mapping[str, Any] | None,
    deal: Mapping[str, Any] | None = None,
    position: Mapping[str, Any] | None = None,
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
    trace.update(game.start)
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
    mode: str,
    seed: int,
    from_position: bool = False,
    policy: str = "mixed",
    folder: str | Path | None = None,
    legal: bool = True,
    states: bool = True,
) -> Trace:
    """One game of a mode, everything drawn from the seed. `mixed` means by the seed, seat by seat."""
    rng = random.Random(seed)
    data = load_data(folder)
    config = config_of_mode(mode, rng, data)
    names = [policy] * config["players"]
    if policy == "mixed":
        same = rng.choice(sorted(POLICIES)) if rng.random() < 0.6 else None
        names = [same or rng.choice(sorted(POLICIES)) for _ in names]
    deal = None if from_position else random_deal(config, rng, data)
    position = random_position(config, rng, data) if from_position else None
    return record_game(config, deal, position, by_seat(names), rng, legal, states, seed, folder)


def mode_of(index: int, mode: str) -> str:
    """The mode of the index-th game: `mixed` cycles through all of them."""
    return list(MODES)[index % len(MODES)] if mode == "mixed" else mode


# -------------------------------------------------------------------- verifying


def same(mine: Any, theirs: Any) -> bool:
    """The same JSON: true is not 1, and 1.0 is not 1; the order of keys does not matter."""
    return json.dumps(mine, sort_keys=True) == json.dumps(theirs, sort_keys=True)


def verify_trace(trace: Trace, folder: str | Path | None = None) -> list[str]:
    """Replay a trace; every difference is a line. Empty: the trace is what the rules say."""
    if not isinstance(trace, dict) or trace.get("format") != FORMAT:
        return [f"no trace of the format {FORMAT!r}: {str(trace)[:80]}"]
    try:
        game = Game(trace["config"], trace.get("deal"), trace.get("position"), folder)
    except (ValueError, KeyError) as error:
        return [f"refused: {error!r}"]
    differences = head_differences(game, trace)
    for i, step in enumerate(trace.get("steps") or []):
        if not isinstance(step, list) or not 3 <= len(step) <= 5:
            return [*differences, f"step {i}: {step!r} is no list of three to five items"]
        differences += step_differences(game, i, step)
        if game.decision is None or step[2] not in game.decision.legal:
            return differences
        if not same([game.decision.seat, game.decision.kind], step[:2]):
            return differences
        game.act(step[2])
    if game.decision is not None:
        return [*differences, f"after the last step: the game is not over, {describe(game)}"]
    return differences + result_differences(game.result(), trace.get("result") or {})


def head_differences(game: Game, trace: Trace) -> list[str]:
    """The keys of the trace, the configuration in full, the deal or the position in full."""
    # AMBIGUOUS: nothing is said of other keys in a trace; one that PROTOCOL 3 does not show is a difference.
    needed = ["format", "config", *game.start, "steps", "result"]
    if "deal" in game.start:
        needed.append("seed")
    found = [f"the key {key} is missing" for key in needed if key not in trace]
    found += [f"unknown key {key}" for key in trace if key not in {*needed, "seed"}]
    if not same(game.config, trace["config"]):
        found.append(f"config {trace['config']}: resolved it is {game.config}")
    for key, mine in game.start.items():
        if not same(mine, trace[key]):
            found.append(f"{key} {trace[key]}: in full it is {mine}")
    return found


def describe(game: Game) -> str:
    decision, state = game.decision, game.state
    asked = f"seat {decision.seat} {decision.kind}" if decision else "over"
    return f"turn {state.turns}, roll {state.dice}, {asked}"


def step_differences(game: Game, i: int, step: list[Any]) -> list[str]:
    decision = game.decision
    if decision is None:
        return [f"step {i}: the trace goes on ({step[:3]}), the game is over"]
    found = []
    where = f"step {i} ({describe(game)})"
    if not same([decision.seat, decision.kind], step[:2]):
        found.append(f"{where}: the trace asks seat {step[0]} {step[1]}")
    if step[2] not in decision.legal:
        found.append(f"{where}: {step[2]} is not legal; legal: {list(decision.legal)}")
    if len(step) > 3 and step[3] is not None and not same(decision.legal, step[3]):
        theirs = {str(action) for action in step[3]} if isinstance(step[3], list) else set()
        extra, lacking = sorted(theirs - set(decision.legal)), sorted(set(decision.legal) - theirs)
        note = "" if extra or lacking else " (the order differs, or one is there twice)"
        found.append(f"{where}: legal set: trace has too many {extra}, too few {lacking}{note}")
    if len(step) > 4:
        found += [f"{where}: {line}" for line in state_differences(game.states(), step[4])]
    return found


def state_differences(mine: dict[str, Any], theirs: Any) -> list[str]:
    if not isinstance(theirs, dict):
        return [f"state {theirs!r} is no object"]
    found = []
    for key in sorted(set(mine) | set(theirs)):
        a, b = mine.get(key), theirs.get(key)
        if same(a, b):
            continue
        if key == "cells" and isinstance(b, list) and len(a or []) == len(b):
            rows = [y for y, row in enumerate(a or []) if row != b[y]]
            found += [f"cells, row {y}: {(a or [])[y]}, in the trace {b[y]}" for y in rows]
        else:
            found.append(f"{key} {a}, in the trace {b}")
    return found


def result_differences(mine: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    return [
        f"result, {key}: {mine.get(key)}, in the trace {theirs.get(key)}"
        for key in sorted(set(mine) | set(theirs))
        if not same(mine.get(key), theirs.get(key))
    ]
