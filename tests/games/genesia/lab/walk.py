"""What a game's record must say, from a walk over the same game with the referee, which is plain Python.

The referee takes decisions with one legal action without asking, but puts all of them to `ask`; the walk
listens there, so that it sees the forced ones too, and looks at the scores whenever the phase changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
from games.genesia.referee import attack, effects, flow, moves
from games.genesia.referee.asking import Asking, ask
from games.genesia.referee.play import Game
from games.genesia.referee.scoring import conquest, radiance
from games.genesia.referee.state import State

ASKING: tuple[Any, ...] = (attack, effects, flow, moves)
COURSE = ("growth", "expansion", "attack", "end")
PLAYING = ("growth", "expansion", "assault", "defence", "reinforce", "end_of_age", "copy")
AGES, MAX_SEATS = 3, 5


class Heard:
    """Everything that is put to somebody, and how the phases end."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, str, str, bool]] = []  # seat, kind, answer, forced
        self.ends: list[tuple[str, list[int]]] = []  # a phase of an Age's course, public scores at its end

    def ask(self, seat: int, kind: str, legal: Any) -> Asking:
        options = list(legal)
        answer = yield from ask(seat, kind, options)
        self.answers.append((seat, kind, answer, len(options) == 1))
        return answer

    def see_phase(self, state: State, before: str | None) -> None:
        if before in COURSE:
            self.ends.append((before, public_scores(state)))


def public_scores(state: State) -> list[int]:
    """Totals as everybody can count them: without objectives, with the points of this Age so far."""
    progress = [sum(state.progress[seat]) + state.points[seat] for seat in state.seats]
    return [progress[seat] + radiance(state, seat) + conquest(state, seat) for seat in state.seats]


@contextmanager
def listening() -> Iterator[Heard]:
    """Let the referee tell what it asks and when its phase changes."""
    heard = Heard()

    def set_field(state: State, name: str, value: Any) -> None:
        before = getattr(state, name, None) if name == "phase" else value
        if before != value:
            heard.see_phase(state, before)
        object.__setattr__(state, name, value)

    for module in ASKING:
        module.ask = heard.ask
    State.__setattr__ = set_field  # type: ignore[method-assign, assignment]  # until the end of the walk
    try:
        yield heard
    finally:
        for module in ASKING:
            module.ask = ask
        del State.__setattr__


def walk(config: dict[str, Any], deal: dict[str, Any], actions: list[str]) -> tuple[dict[str, Any], Heard]:
    """The record of a game from its deal and the actions that were asked for, as texts."""
    with listening() as heard:
        game = Game(config, deal)
        for action in actions:
            game.act(action)
        assert game.over, "the actions do not end the game"
    return record(game, deal, heard) | {"steps": len(actions)}, heard


def record(game: Game, deal: dict[str, Any], heard: Heard) -> dict[str, Any]:
    """All figures but the number of decisions."""
    n, result = game.state.n, game.result()
    found: dict[str, Any] = {
        "totals": result["score"],
        "ranks": ranks(game, result),
        "parts": [
            [
                sum(result["progress"][seat]),
                *(result[part][seat] for part in ("radiance", "conquest", "objective")),
            ]
            for seat in range(n)
        ],
        "progress": [[result["progress"][seat][age] for seat in range(n)] for age in range(AGES)],
        "kept": [kept or 0 for kept in result["objective_kept"]],
        "dealt": deal.get("objectives") or [[0, 0]] * n,
        "packs": deal["packs"],
        "conquests": game.state.conquests,
        "scores": [scores for phase, scores in heard.ends if phase == "end"],
        "lead_changes": lead_changes([scores for _, scores in heard.ends]),
    }
    return found | by_answer(n, deal["turn_order"], heard.answers)


def ranks(game: Game, result: dict[str, Any]) -> list[int]:
    """How many seats rank before each, straight from RULES 6."""
    score, seats = result["score"], game.state.seats
    teams = game.config["teams"]
    keys = [(score[s], result["objective"][s], sum(result["progress"][s])) for s in seats]
    if teams:
        last = {seat: min(keys[mate] for mate in team) for team in teams for seat in team}
        keys = [last[seat] for seat in seats]
    found = [sum(keys[other] > keys[seat] for other in seats) for seat in seats]
    assert [seat for seat in seats if found[seat] == 0] == result["winners"]
    return found


def lead_changes(ends: list[list[int]]) -> int:
    """Ends of phases with another sole leader than the last sole leader."""
    leaders = [scores.index(max(scores)) for scores in ends if scores.count(max(scores)) == 1]
    return sum(now != before for before, now in pairwise(leaders))


def by_answer(n: int, order: list[int], answers: list[tuple[int, str, str, bool]]) -> dict[str, Any]:
    """What follows from who answered what; an Age begins with its draft."""
    found: dict[str, Any] = {
        "order": [list(order)], "choosers": [[], []], "rounds": [0] * AGES, "played": [0] * 100,
        "wars": [[0] * n for _ in range(AGES)], "assaults": [[0] * n for _ in range(AGES)],
        "picks": [[[] for _ in range(n)] for _ in range(AGES)],
    }  # fmt: skip
    drafts = stances = 0
    for seat, kind, answer, _ in answers:
        verb, _, number = answer.partition(":")
        drafts += kind == "draft"
        age = max(0, drafts - 1) // (5 * n)
        if kind == "draft":
            found["picks"][age][seat].append(int(number))
        elif kind == "stance":
            stances += 1
            found["rounds"][age] += stances % n == 0
            found["wars"][age][seat] += answer == "war"
        elif kind == "position":
            if not found["choosers"][age]:
                found["order"].append([-1] * n)
            found["choosers"][age].append(seat)
            found["order"][-1][int(number)] = seat
        elif kind == "assault" and verb == "edge":
            found["assaults"][age][seat] += 1
        elif kind in PLAYING and verb == "card":
            found["played"][int(number)] = seat + 1
    return found


def differences(measure: np.void, said: dict[str, Any], n: int) -> list[str]:
    """Where a measure and a walk disagree; whatever belongs to seats that there are not must be empty."""
    assert measure.dtype.names is not None and set(measure.dtype.names) == set(said)
    found = []
    for name in measure.dtype.names:
        held, expected = np.asarray(measure[name]), np.asarray(said[name])
        full = np.zeros(held.shape, np.int64)
        full[tuple(slice(length) for length in expected.shape)] = expected
        if name == "dealt":  # the order of the two is nobody's business
            held, full = np.sort(held, axis=1), np.sort(full, axis=1)
        if not (held == full).all():
            found.append(f"{name}: measured {held.tolist()}, walked {full.tolist()}")
    return found
