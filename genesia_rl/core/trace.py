"""Games as the protocol writes them (PROTOCOL 3): record, read, replay and compare.

A trace is a dictionary, one line of JSON in a file. Replaying needs the deal (or the position) and the
steps, not the seed. Nothing here knows a game: texts and dictionaries come from the contract.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import ConfigError, DataError, GenesiaError, TraceError
from genesia_rl.core.game import Game, States
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.reading import LONGEST, parse_json, read_text, shown
from genesia_rl.core.registry import game_info, known_games, make_game

KEYS = ("format", "config", "seed", "deal", "position", "steps", "result")


def trace_format(game_name: str) -> str:
    """The format's name in the first field of a trace."""
    return f"{game_name.replace('_', '-')}-trace/{game_info(game_name).trace_version}"


def _games_by_format() -> dict[str, str]:
    """Which game a format belongs to."""
    return {trace_format(name): name for name in known_games()}


# ---------------------------------------------------------------- recording


def record(
    game: Game,
    players: Player | Sequence[Player],
    seed: int | None = None,
    position: Mapping[str, Any] | None = None,
    legal: bool = False,
    with_states: bool = False,
) -> dict[str, Any]:
    """Play a game from a seed or a position and write it down; one player for all seats, or one for each."""
    seated = [players] if isinstance(players, Player) else list(players)
    if len(seated) not in (1, game.num_seats):
        raise ConfigError(f"players: {len(seated)} of them, allowed is 1 for all or {game.num_seats}")
    states = game.new_states()
    trace: dict[str, Any] = {"format": trace_format(game.name), "config": game.config_dict()}
    if seed is not None:
        trace["seed"] = seed
    if position is not None:
        trace["position"] = game.put_position(states, 0, position)
    elif seed is not None:
        game.reset(states, 0, seed)
        trace["deal"] = game.deal_dict(states, 0)
    else:
        raise TraceError("record: neither seed nor position is given, allowed is either")
    trace["steps"] = list(_played(game, states, seated, seed or 0, legal, with_states))
    trace["result"] = game.result_dict(states, 0)
    return trace


def _played(
    game: Game, states: States, seated: Sequence[Player], seed: int, legal: bool, with_states: bool
) -> Iterator[list[Any]]:
    while not game.is_over(states, 0):
        seat = game.seat(states, 0)
        player = seated[seat % len(seated)]
        action = game.from_view(seat, player.act(DecisionBatch.one(game, states, 0, seed)))
        step: list[Any] = [game.seat(states, 0), game.kind(states, 0), game.action_text(action)]
        if legal or with_states:
            step.append(game.texts(game.legal_actions(states, 0)) if legal else None)
        if with_states:
            step.append(game.state_dict(states, 0))
        yield step
        game.step(states, 0, action)


def to_line(trace: Mapping[str, Any]) -> str:
    """A trace as a line of a file."""
    return json.dumps(trace, separators=(",", ":")) + "\n"


# ---------------------------------------------------------------- reading


def read_traces(path: str | Path) -> Iterator[dict[str, Any]]:
    """The traces of a file, one at a time."""
    return (trace for _, trace in numbered_traces(path))


def numbered_traces(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The traces of a file with the numbers of their lines, counted from 1."""
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST), ""), 1):
                if len(line) == LONGEST:
                    raise TraceError(
                        f"{path}, line {number}: is longer than {LONGEST} letters, allowed is a game a line"
                    )
                if line.strip():
                    yield number, _read_line(line, f"{path}, line {number}")
    except OSError as error:
        raise TraceError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise TraceError(f"{path}: is not UTF-8, allowed are JSON Lines in UTF-8") from None


def _read_line(line: str, where: str) -> dict[str, Any]:
    try:
        trace = parse_json(where, line)
    except DataError as error:
        raise TraceError(str(error)) from None
    formats = _games_by_format()
    if not isinstance(trace, dict) or _text(trace.get("format")) not in formats:
        given = trace.get("format") if isinstance(trace, dict) else trace
        raise TraceError(f"{where}: format = {shown(given)}, allowed is {', '.join(formats)}")
    if not isinstance(trace.get("config"), dict):
        raise TraceError(f"{where}: config = {shown(trace.get('config'))}, allowed is an object")
    if ("deal" in trace) == ("position" in trace):
        raise TraceError(
            f"{where}: has {'both' if 'deal' in trace else 'neither'} of deal and position, allowed is one"
        )
    if not isinstance(trace.get("steps"), list):
        raise TraceError(f"{where}: steps = {shown(trace.get('steps'))}, allowed is a list")
    return trace


def _text(value: object) -> str:
    """A text; of anything else none."""
    return value if isinstance(value, str) else ""


def read_position(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Configuration and position of a position file (PROTOCOL 4)."""
    try:
        content = parse_json(str(path), read_text(Path(path)))
    except DataError as error:
        raise TraceError(str(error)) from None
    keys = ("config", "position")
    if not isinstance(content, dict) or sorted(content) != sorted(keys):
        given = sorted(content) if isinstance(content, dict) else content
        raise TraceError(f"{path}: holds {_short(given)}, allowed is an object with config and position")
    for key in keys:
        if not isinstance(content[key], dict):
            raise TraceError(f"{path}: {key} = {_short(content[key])}, allowed is an object")
    return content["config"], content["position"]


def game_name(trace: Mapping[str, Any]) -> str:
    """The name of the game that a trace was played in."""
    return _games_by_format()[str(trace["format"])]


def game_of(trace: Mapping[str, Any]) -> Game:
    """The game that a trace was played in; its configuration has every field, so that nothing is taken for granted."""
    game = make_game(game_name(trace), **trace["config"])
    for name, value in game.config_dict().items():
        if value is not None and trace["config"].get(name) is None:
            given = f"{name} = null" if name in trace["config"] else f"{name} is missing"
            raise TraceError(
                f"{given}, allowed is a configuration with every field, as {name} = {_short(value)}"
            )
    return game


def begin(game: Game, trace: Mapping[str, Any]) -> States:
    """The state at the first decision of a trace."""
    states = game.new_states()
    if "position" in trace:
        game.put_position(states, 0, trace["position"])
    else:
        game.put_deal(states, 0, trace["deal"])
    return states


# ---------------------------------------------------------------- comparing


@dataclass
class Difference:
    """Where a trace and the engine disagree."""

    what: str
    theirs: Any
    ours: Any
    step: int | None = None
    context: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        where = "result" if self.step is None else f"step {self.step}"
        return f"{where}: {self.what}: the trace has {_short(self.theirs)}, the engine {_short(self.ours)}"


def _short(value: Any) -> str:
    try:
        text = json.dumps(value)
    except (ValueError, RecursionError):  # a number of thousands of digits
        return shown(value)
    return text if len(text) <= 2_000 else text[:2_000] + "..."


@dataclass
class Verdict:
    """What replaying a trace has found."""

    decisions: int = 0
    differences: list[Difference] = field(default_factory=list)


def verify(trace: Mapping[str, Any], game: Game | None = None) -> Verdict:
    """Replay a trace and compare whatever it says; a step that cannot be taken ends the replay."""
    game = game or game_of(trace)
    verdict = Verdict()
    try:
        states = begin(game, trace)
    except GenesiaError as error:
        verdict.differences.append(Difference("beginning", "this deal or position", str(error), 0))
        return verdict
    recent: list[str] = []
    for number, step in enumerate(trace["steps"]):
        found = list(_compare_step(game, states, step, number))
        action = _action_of(game, states, step)
        if found:
            for difference in found:
                difference.context = [*recent[-5:], game.draw(states, 0)]
            verdict.differences += found
        if action is None:
            return verdict
        recent.append(f"step {number}: seat {game.seat(states, 0)} {game.kind(states, 0)} {step[2]}")
        game.step(states, 0, action)
        verdict.decisions += 1
    verdict.differences += _compare_end(game, states, trace, recent)
    return verdict


def _compare_step(game: Game, states: States, step: Any, number: int) -> Iterator[Difference]:
    if not isinstance(step, list) or not 3 <= len(step) <= 5:
        yield Difference("form of the step", step, "[seat, kind, action, legal, states]", number)
        return
    if game.is_over(states, 0):
        yield Difference("decision", step[:3], "the game is over", number)
        return
    if not same(step[0], game.seat(states, 0)):
        yield Difference("seat", step[0], game.seat(states, 0), number)
    if step[1] != game.kind(states, 0):
        yield Difference("kind", step[1], game.kind(states, 0), number)
    legal = game.texts(game.legal_actions(states, 0))
    if step[2] not in legal:
        yield Difference("action", step[2], legal, number)
    if len(step) > 3 and step[3] is not None and not same(step[3], legal):
        yield Difference("legal set", step[3], legal, number)
    if len(step) > 4 and step[4] is not None:
        ours = game.state_dict(states, 0)
        for key in ours:
            if not isinstance(step[4], dict) or not same(step[4].get(key), ours[key]):
                yield Difference(
                    key, step[4].get(key) if isinstance(step[4], dict) else step[4], ours[key], number
                )


def same(theirs: Any, ours: Any) -> bool:
    """Equal, and of one kind: neither `true` nor 1.0 is 1."""
    if type(theirs) is not type(ours):
        return False
    if isinstance(ours, list):
        return len(theirs) == len(ours) and all(map(same, theirs, ours))
    if isinstance(ours, dict):
        return theirs.keys() == ours.keys() and all(same(theirs[key], ours[key]) for key in ours)
    return bool(theirs == ours)


def _action_of(game: Game, states: States, step: Any) -> int | None:
    """The action of a step if it can be taken as this decision's, else None."""
    if not isinstance(step, list) or not 3 <= len(step) <= 5 or game.is_over(states, 0):
        return None
    if not same(step[0], game.seat(states, 0)) or step[1] != game.kind(states, 0):
        return None
    try:
        action = game.parse_action(step[2])
    except GenesiaError:
        return None
    return action if action in game.legal_actions(states, 0) else None


def _compare_end(game: Game, states: States, trace: Mapping[str, Any], recent: list[str]) -> list[Difference]:
    """The result, where the trace has one; without, a trace may stop in the middle of a game."""
    theirs = trace.get("result")
    if theirs is None:
        return []
    context = [*recent[-5:], game.draw(states, 0)]
    if not game.is_over(states, 0):
        asked = [game.seat(states, 0), game.kind(states, 0)]
        return [Difference("end of the game", "a result", asked, len(trace["steps"]), context)]
    ours = game.result_dict(states, 0)
    if not isinstance(theirs, dict):
        return [Difference("form of the result", theirs, ours, None, context)]
    return [
        Difference(key, theirs[key], ours[key], None, context)
        for key in ours
        if key in theirs and not same(theirs[key], ours[key])
    ]
