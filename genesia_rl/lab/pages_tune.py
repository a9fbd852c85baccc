"""The report on a game that was tuned: what would change, how sure that is, and what was tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from genesia_rl.lab.goals import POINT, Goal, Question
from genesia_rl.lab.numbers import Numbers, Subject
from genesia_rl.lab.tables import Row, figure, put
from genesia_rl.lab.trial import Measured
from genesia_rl.lab.tune import Plan, Tried, Tuned, Verdict, surely_missed
from genesia_rl.report.page import Report
from genesia_rl.report.plots import forest
from genesia_rl.stats.estimate import Estimate

SHOWN = 16
EXCESS, PRICE = ".1f", "g"


def make_tune_report(
    title: str, numbers: Numbers, goals: Sequence[Goal], plan: Plan, found: Tuned, facts: Mapping[str, Any],
    folder: Path,
) -> Report:  # fmt: skip
    """The page."""
    report = Report(f"{title}: tuned", "Which numbers to change so that the game reaches its goals.")
    told = {"goals": "; ".join(goal.told() for goal in goals), "numbers that may change": len(numbers)}
    report.facts({**facts, **told})
    report.answer([answer(numbers, found, plan)])
    _what_it_means(report, plan)
    if found.verdict is not None:
        _changes(report, numbers, found, found.verdict)
        _verdict(report, found.verdict, plan)
    else:
        _goals(report, "first_look", "The game as it is", {"before": found.start}, plan)
    if found.tried:
        _tried(report, numbers, found)
    if found.given_up:
        names = ", ".join(_name(subject, found.start.questions) for subject in found.given_up)
        report.note(f"Not mended, as nothing is left to try within the bounds: {names}.")
    report.save(folder)
    return report


def answer(numbers: Numbers, found: Tuned, plan: Plan) -> str:
    """What came out, in words."""
    sure = f"{100 * (1 - plan.alpha):g} %"
    if not found.surely:
        missed = len(found.start.missed())
        open_ones = f" ({missed} by its interval alone, uncorrected)" if missed else ""
        return f"Nothing is changed: no goal is missed beyond doubt ({sure}, Holm){open_ones}."
    changes = numbers.changes(found.values)
    if found.verdict is None:
        return f"Nothing is changed: {found.surely} goals are missed, but no change that was tried helps beyond chance."
    held, by = found.verdict, found.verdict.fall
    fell = f"the excess falls from {by.before:.1f} to {by.after:.1f} (p = {by.p:.2g})"
    if not held.stands:
        return (
            f"Nothing is changed: what the search came to does not stand on fresh deals, where {fell} and "
            f"{held.surely} goals are missed beyond doubt without it."
        )
    return (
        f"Numbers that would change: {len(changes)}, at {numbers.price(found.values):g} of plainness. On fresh deals "
        f"{fell}; {len(held.before.missed())} goals were missed by their whole interval, "
        f"{len(held.after.missed())} still are."
    )


def _what_it_means(report: Report, plan: Plan) -> None:
    report.text(
        "A goal is missed if the whole 95 % interval of its figure lies beyond it; beyond doubt, if it still is after "
        "Holm's correction for all goals of all things at all levels. Excess: how far figures are beyond their goals, "
        "added up, in points of a hundred (of what is no share, in hundredths of the wanted value). The same deals are "
        "played under all configurations of a round, so the luck of the deal is in all of them; who holds what is "
        "chance where a goal speaks of holders. Errors of differences come from leaving out each of the shards in turn."
    )
    report.text(
        f"If every goal were met, the chance that this page proposes a change would be {100 * plan.alpha:g} % at "
        "most: a goal has to be missed beyond doubt twice, at the first look and on the fresh deals of the verdict, "
        "in which nothing that was chosen had any part."
    )


# ---------------------------------------------------------------- what would change


def _changes(report: Report, numbers: Numbers, found: Tuned, verdict: Verdict) -> None:
    """Number by number, and what became of the thing for whose sake it was."""
    heading = "What would change" if found.stands else "What the search came to"
    report.section(
        heading, "For whom a number was changed, and how far that was beyond its goals on fresh deals."
    )
    put(
        report,
        "changes",
        change_rows(numbers, found, verdict),
        codes={"excess before": EXCESS, "after": EXCESS},
    )


def change_rows(numbers: Numbers, found: Tuned, verdict: Verdict) -> list[Row]:
    """A row for each number that is another."""
    sakes = {(one.number, one.subject): None for one in found.tried if one.taken}
    rows = []
    for place, (number, value) in enumerate(zip(numbers.all, found.values, strict=True)):
        for subject in [s for k, s in sakes if k == place] if value != number.value else ():
            which = verdict.before.of(subject)
            before, after = verdict.before.excess(which), verdict.after.excess(which)
            rows.append({
                "number": number.name, "is": number.value, "becomes": value, "plainness": number.price(value),
                "for": _name(subject, verdict.before.questions), "excess before": before, "after": after,
                "file": number.file,
            })  # fmt: skip
    return rows


def _name(subject: Subject, questions: Iterable[Question]) -> str:
    return next(question.name for question in questions if question.subject == subject)


# ---------------------------------------------------------------- the verdict


def _verdict(report: Report, verdict: Verdict, plan: Plan) -> None:
    both = {"before": verdict.before, "after": verdict.after}
    _goals(report, "verdict", "The verdict, on fresh deals", both, plan)
    shown = _worst(verdict)
    if shown:
        before, after = verdict.before, verdict.after
        labels = [f"{_label(before.questions[k])}, {when}" for k in shown for when in ("before", "after")]
        found = [held.estimates[k] for k in shown for held in (before, after)]
        words = "The figures that were farthest beyond their goals, before and after."
        drawn = forest(
            labels, [e.value for e in found], [e.low for e in found], [e.high for e in found],
            flags=["before", "after"] * len(shown), kinds=["before", "after"],
        )  # fmt: skip
        report.plot(drawn, words, f"{words} A line for each with its 95 % interval.")


def _worst(verdict: Verdict) -> list[int]:
    """Figures that are shares, the farthest beyond their goals first."""
    pairs = zip(verdict.before.questions, verdict.before.estimates, strict=True)
    excess = {
        k: float(q.beyond(e.value))
        for k, (q, e) in enumerate(pairs)
        if q.is_judged(e) and q.goal.unit == POINT
    }
    return [k for k in sorted(excess, key=lambda k: -excess[k])[:SHOWN] if excess[k] > 0]


def _label(question: Question) -> str:
    level = question.level
    return f"{question.name}: {question.goal.what}, {level.players} players, {level.policy}"


def _goals(report: Report, name: str, heading: str, held: Mapping[str, Measured], plan: Plan) -> None:
    """How many goals are missed at each level, and which; before, and after if that was played."""
    report.section(heading)
    codes = {f"excess {when}": EXCESS for when in held}
    put(report, f"{name}_levels", level_rows(held, plan), codes=codes)
    rows = goal_rows(held)
    if rows:
        words = f"Every goal that is missed by its whole interval, {' or '.join(held)}."
        put(report, name, rows, words, show=40, codes=dict.fromkeys(held, ".3f"))


def level_rows(held: Mapping[str, Measured], plan: Plan) -> list[Row]:
    """A row for each goal at each level."""
    questions = next(iter(held.values())).questions
    groups: dict[tuple[Any, Goal], list[int]] = {}
    for k, question in enumerate(questions):
        groups.setdefault((question.level, question.goal), []).append(k)
    missed = {when: set(one.missed()) for when, one in held.items()}
    surely = {when: set(surely_missed(one, plan.alpha)) for when, one in held.items()}
    rows = []
    for (level, goal), which in groups.items():
        row: Row = {"players": level.players, "policy": level.policy, "goal": goal.told()}
        for when, one in held.items():
            judged = [k for k in which if questions[k].is_judged(one.estimates[k])]
            row |= {
                f"judged {when}": len(judged), f"missed {when}": len(missed[when] & {*which}),
                f"beyond doubt {when}": len(surely[when] & {*which}), f"excess {when}": one.excess(judged),
            }  # fmt: skip
        rows.append(row)
    return rows


def goal_rows(held: Mapping[str, Measured]) -> list[Row]:
    """A row for each question that is missed under one of them, the farthest beyond first."""
    which = sorted({k for one in held.values() for k in one.missed()})
    which.sort(key=lambda k: -max(one.excess([k]) for one in held.values()))
    questions = next(iter(held.values())).questions
    return [_goal_row(questions[k], {when: one.estimates[k] for when, one in held.items()}) for k in which]


def _goal_row(question: Question, found: Mapping[str, Estimate]) -> Row:
    level = question.level
    row: Row = {
        "of": question.name,
        "what": question.goal.what,
        "players": level.players,
        "policy": level.policy,
    }
    for when, estimate in found.items():
        row |= figure(when, estimate)
    return row


# ---------------------------------------------------------------- what was tried


def _tried(report: Report, numbers: Numbers, found: Tuned) -> None:
    report.section(
        "What was tried",
        "Round by round: a change for the sake of a thing, how far that was beyond its goals without and with it on "
        "the same deals, p of so great a fall, and whether it was taken. In rounds of taking back a change is "
        "undone if that adds no more to the excess than it saves of its price.",
    )
    put(
        report,
        "tried",
        tried_rows(numbers, found),
        show=30,
        codes={"excess": EXCESS, "then": EXCESS, "p": ".2g"},
    )


def tried_rows(numbers: Numbers, found: Tuned) -> list[Row]:
    """A row for each change that was tried."""
    return [_tried_row(numbers, one, found) for one in found.tried]


def _tried_row(numbers: Numbers, one: Tried, found: Tuned) -> Row:
    return {
        "round": f"{'back ' if one.back else ''}{one.round}", "for": _name(one.subject, found.start.questions),
        "number": numbers.all[one.number].name, "from": one.before, "to": one.after,
        "excess": one.fall.before, "then": one.fall.after, "p": one.fall.p, "taken": one.taken,
    }  # fmt: skip
