"""A review as data: what `--json` prints, and the layer that the page of a replay draws over it.

Chances are in parts of a thousand in the layer, points in tenths, shares in parts of a hundred: a page of a long game
stays small. Every legal action of every decision is in it, so that whoever looks on can choose before being told.
"""

from __future__ import annotations

import json
import math
from typing import Any

from genesia_rl.core.scene import EVERYTHING, Option, as_json, scene_of
from genesia_rl.review.judge import Choice, Decision, Review, Sum
from genesia_rl.review.playing import CHANCE, LEAD, worth_of
from genesia_rl.stats.estimate import Estimate

CHANCES, POINTS = 1000.0, 10.0  # what 1 is counted as in the layer


def layer_of(review: Review) -> dict[str, Any]:
    """What the page draws over the replay."""
    table: dict[str, int] = {}
    scale = CHANCES if review.game.is_contest else POINTS
    steps = [_step(review, decision, table, scale) for decision in review.decisions]
    return {
        "agent": review.settings.agent,
        "contest": review.game.is_contest,
        "level": round(100 * review.level, 2),
        "worlds": review.worlds,
        "playouts": review.playouts,
        "options": [json.loads(text) for text in table],
        "steps": steps,
        "result": _result(review, scale),
        "sums": [
            {"name": name, "rows": [_row(label, found) for label, found in rows.items()]}
            for name, rows in sums_of(review).items()
        ],
        "luck": [_numbers(luck, scale) for luck in luck_of(review)],
    }


def luck_of(review: Review) -> tuple[Estimate, ...]:
    """By seat; in chances, or where all play together in points."""
    return review.luck if review.game.is_contest else review.luck_points


def sums_of(review: Review) -> dict[str, dict[Any, Sum]]:
    """The decisions of the game together by seat, and by seat in each chapter and of each kind."""
    return {
        "seat": dict(sorted(review.by(lambda d: (d.seat, "")).items())),
        "chapter": _sorted(review.by(lambda d: (d.seat, d.chapters[0] if d.chapters else ""))),
        "kind": _sorted(review.by(lambda d: (d.seat, d.kind))),
    }


def _sorted(groups: dict[Any, Sum]) -> dict[Any, Sum]:
    """In the order of the game, the seats of each chapter side by side."""
    names = list(dict.fromkeys(name for _, name in groups))
    return {key: groups[key] for key in sorted(groups, key=lambda key: (names.index(key[1]), key[0]))}


def _result(review: Review, scale: float) -> list[int] | None:
    """How the game ended, as chances are counted."""
    last = review.decisions[-1].states.copy() if review.decisions else None
    if last is None:
        return None
    review.game.step(last, 0, review.decisions[-1].taken)
    if not review.game.is_over(last, 0):
        return None
    what = CHANCE if review.game.is_contest else LEAD
    return [round(scale * float(value)) for value in worth_of(review.game, last)[0, what]]


def _row(label: tuple[int, str], found: Sum) -> list[Any]:
    return [
        label[0], label[1], found.decisions, found.mistakes, _numbers(found.lost, 10 * POINTS),
        _numbers(found.lost_chances, CHANCES), _numbers(found.accuracy, 100.0),
    ]  # fmt: skip


def _numbers(found: Estimate, scale: float) -> list[int] | None:
    """[value, low, high], None if it is not known."""
    if math.isnan(found.value):
        return None
    ends = [found.value if math.isnan(end) else end for end in (found.low, found.high)]
    return [round(scale * value) for value in (found.value, *ends)]


def _step(review: Review, decision: Decision, table: dict[str, int], scale: float) -> dict[str, Any]:
    """One decision: its options (places in the table, the agent's favourites first), what was found out."""
    scene = scene_of(review.game, decision.states, 0, EVERYTHING)
    options = {option.action: option for option in (scene.decision.options if scene.decision else ())}
    choices = sorted(decision.choices, key=lambda c: (c.points is None, -c.share))
    best = next((c.points for c in choices if c.action == decision.better), None)
    order = [choice.action for choice in choices]
    found = {
        "seat": decision.seat,
        "o": [table.setdefault(_text(options, c, review, decision), len(table)) for c in choices],
        "p": [round(100 * c.share) for c in choices],
        "w": [
            round(POINTS * (c.points - best)) for c in choices if c.points is not None and best is not None
        ],
        "t": order.index(decision.taken),
        "b": order.index(decision.better),
        "l": _numbers(decision.lost, POINTS),
        "c": _numbers(decision.lost_chances, CHANCES),
        "s": [_numbers(chance, scale) for chance in decision.chances],
        "a": [_numbers(chance, scale) for chance in decision.after],
    }
    if decision.came_out:
        found["r"] = [_numbers(moved, scale) for moved in decision.came_out]
    if decision.mistake:  # how large it is among the others of the game
        found["m"] = 1 + review.mistakes.index(decision)
    return found


def _text(options: dict[int, Option], choice: Choice, review: Review, decision: Decision) -> str:
    """An option as a page has it; the same text for the same option."""
    option = options.get(choice.action)
    if option is None:
        words = review.game.describe(choice.action, decision.states, 0)
        option = Option(choice.action, review.game.action_text(choice.action), words)
    return json.dumps(as_json(option), sort_keys=True)


# ---------------------------------------------------------------- for programs


def as_data(review: Review) -> dict[str, Any]:
    """A review as JSON: everything in its own unit, chances as 0 to 1."""
    game, settings = review.game, review.settings
    return {
        "game": game.name,
        "config": game.config_dict(),
        "agent": settings.agent,
        "seed": settings.seed,
        "level": review.level,
        "worlds": review.worlds,
        "playouts": review.playouts,
        "luck": [_plain(found) for found in review.luck] if game.is_contest else [],
        "luck_points": [_plain(found) for found in review.luck_points],
        "sums": {
            name: [_sum(seat, {name: label} if label else {}, found) for (seat, label), found in rows.items()]
            for name, rows in sums_of(review).items()
        },
        "decisions": [_decision(review, decision) for decision in review.decisions],
    }  # fmt: skip


def _sum(seat: int, label: dict[str, Any], found: Sum) -> dict[str, Any]:
    figures = {
        name: _plain(value) if isinstance(value, Estimate) else value
        for name, value in found._asdict().items()
    }
    return {"seat": seat, **label, **figures}


def _decision(review: Review, d: Decision) -> dict[str, Any]:
    text = review.game.action_text
    return {
        "step": d.step,
        "seat": d.seat,
        "kind": d.kind,
        "chapters": list(d.chapters),
        "taken": text(d.taken),
        "better": text(d.better),
        "agent": text(d.agents),
        "mistake": d.mistake,
        "lost": _plain(d.lost),
        "lost_chances": _plain(d.lost_chances),
        "chances": [_plain(found) for found in d.chances],
        "after": [_plain(found) for found in d.after],
        "came_out": [_plain(found) for found in d.came_out],
        "choices": [
            {"action": text(c.action), "share": round(c.share, 4), "points": c.points} for c in d.choices
        ],
    }


def _plain(found: Estimate) -> dict[str, float | None]:
    """An estimate; what is not known is null."""
    values = {"value": found.value, "low": found.low, "high": found.high}
    return {name: None if math.isnan(value) else round(value, 5) for name, value in values.items()}
