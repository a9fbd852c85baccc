"""The report's section on what varies: what each choice makes of a game, and the best for each purpose."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from genesia_rl.core.lab import Lab, Variation
from genesia_rl.lab.arms import Condition
from genesia_rl.lab.figures import power_text, reach_text
from genesia_rl.lab.fit import FEWEST_BLOCKS
from genesia_rl.lab.tables import DIGITS, All, Row, figure, label, put, told, trait_codes
from genesia_rl.lab.traits import EDGE, traits_of
from genesia_rl.lab.varied import Varied
from genesia_rl.report.page import Report
from genesia_rl.report.plots import heatmap

Shown = dict[Condition, Varied]


def varied_section(report: Report, found: All, lab: Lab) -> None:
    """Traits of the game by the choices of each stage, and the best and worst for each purpose."""
    shown = {c: f.varied for c, f in found.items() if f.varied is not None}
    if not shown or lab.variation is None:
        return
    variation, codes = lab.variation, trait_codes(traits_of(lab))
    name, one = variation.name, _stage(variation)
    report.section(name.capitalize(), _about(variation))
    if together := [label(c) for c, v in shown.items() if v.always_together]:
        report.note(
            f"{'; '.join(together)}: with so few games the {name} of one {one} always came with the same of the "
            f"others, so that a line says which games were like that, not which {one} made them so. From "
            "1,000 games on they are mixed.",
            "warning",
        )
    put(report, name, _choice_rows(shown, variation), f"By the {name} of a {one}.", codes, show=30)
    for c, v in shown.items():
        _plot_choices(report, c, v, variation)
    _fit(report, shown, variation)
    if rows := list(_purpose_rows(shown, variation)):
        put(report, f"{name}_for", rows, _purpose_words(variation), {"value": DIGITS})
    words = "Every combination that was played."
    put(report, f"{name}_games", _cell_rows(shown, variation), words, codes, show=12)
    for c, v in shown.items():
        last = len(v.traits) - 1
        power = power_text(
            v.by_stage.get(0, 0, last), f"the {EDGE.name} with one choice of {name} ({label(c)})"
        )
        report.text(power)
        others = {trait.name: v.by_stage.get(0, 0, k) for k, trait in enumerate(v.traits[:last])}
        report.text(f"With one choice of {name} ({label(c)}). {reach_text(others)}")


def _stage(variation: Variation) -> str:
    """The word for a stage."""
    return variation.stages.word or "game"


def _about(variation: Variation) -> str:
    one = _stage(variation)
    others = f", whatever those of the other {one}s" if len(variation.stages) > 1 else ""
    return (
        f"What varies: {variation.meaning}. All combinations come equally often. A line says what games were like "
        f"whose {one} had these {variation.name}{others}. The winner's lead is in points, and a small one is a close "
        f"game; the {EDGE.name} is what the first of the first turn order wins more than its even share."
    )


def _purpose_words(variation: Variation) -> str:
    name, one = variation.name, _stage(variation)
    return (
        f"The best and the worst {name} for a purpose: the effects of all {one}s added up, each drawn towards none "
        "by as much as chance may have put into it (empirical Bayes), because the ends of many figures are "
        f"flattered otherwise. What the {name} of several {one}s do together beyond that (the table above) widens "
        f"the interval. Where {name} always came with the same of the other {one}s, only what was played is "
        f"compared. Games are those with exactly these {name}, often none."
    )


def _fit(report: Report, found: Shown, variation: Variation) -> None:
    """How well the effects of the stages account for what games are like."""
    rows, name, one = [], variation.name, _stage(variation)
    for c, v in found.items():
        if len(v.names) < 2 or v.always_together or len(variation.stages) < 2:
            continue
        for k, trait in enumerate(v.traits):
            row = {**told(c), "trait": trait.name, **figure("added up", v.apart(k))}
            together = figure("together beyond", v.together(k))
            rows.append(row | together | {"combinations": len(v.by_cell)})
    if rows:
        words = (
            f"How far games lie apart by their {name} (standard deviations): by the effects of all {one}s added "
            f"up, and by what the {name} of several {one}s do together beyond that. Where the second is not small "
            f"beside the first, the {name} of one {one} do not tell what a game is like. It is not known where "
            f"combinations have fewer than {FEWEST_BLOCKS} games."
        )
        put(report, f"{name}_fit", rows, words, {"added up": DIGITS, "together beyond": DIGITS})


def _choice_rows(found: Shown, variation: Variation) -> Iterable[Row]:
    for c, v in found.items():
        for stage in range(len(variation.stages)):
            for place, choice in enumerate(v.names):
                row: Row = {**told(c), **variation.stages.cell(stage), variation.name: choice}
                for k, trait in enumerate(v.traits):
                    row |= figure(trait.name, v.by_stage.get(stage, place, k))
                yield row


def _plot_choices(report: Report, c: Condition, v: Varied, variation: Variation) -> None:
    """How far each trait is from its mean: choices that stand out."""
    if len(v.names) < 2:
        return
    stages, numbers = range(len(variation.stages)), range(len(v.traits))
    means = np.array([v.overall.get(k).value for k in numbers])
    held = np.array([[[v.by_stage.get(stage, place, k).value for k in numbers]
                      for place in range(len(v.names))] for stage in stages])  # fmt: skip
    wide = np.where(np.abs(means) > 0, np.abs(means), 1)
    wide[-1] = 1
    off = (held - means) / wide
    rows = [
        ": ".join(filter(None, (variation.stages.label(stage), name))) for stage in stages for name in v.names
    ]
    words = (
        f"{label(c)}: what the {variation.name} of one {_stage(variation)} change, in per cent of the mean (the edge "
        "in percentage points). The intervals in the table say how much of it may be chance."
    )
    drawn = heatmap(off.reshape(len(rows), -1), rows, [trait.name for trait in v.traits], centre=0.0)
    report.plot(drawn, words, f"{words} A row for each choice, a column for each trait.")


def _cells(variation: Variation, names: Iterable[str]) -> Row:
    """What each stage has: `{"act I": "one+other", ...}`; under the variation's name if there is one stage."""
    held = list(names)
    if len(held) == 1:
        return {variation.name: held[0]}
    return {variation.stages.label(stage): name for stage, name in enumerate(held)}


def _purpose_rows(found: Shown, variation: Variation) -> Iterable[Row]:
    for c, v in found.items():
        for k, trait in enumerate(v.traits):
            if not (ranked := v.ranked(k)):
                continue
            for which, choice in (("best", ranked[0]), ("worst", ranked[-1])):
                row = {**told(c), "purpose": trait.purpose, "end": which, "trait": trait.name}
                yield row | _cells(variation, choice.stages) | {
                    "value": choice.value, "low": choice.low, "high": choice.high, "games": choice.games,
                }  # fmt: skip


def _cell_rows(found: Shown, variation: Variation) -> Iterable[Row]:
    for c, v in found.items():
        for cell, figures in v.played():
            row: Row = told(c) | _cells(variation, [v.names[place] for place in cell])
            for k, trait in enumerate(v.traits):
                row |= figure(trait.name, figures.get(k))
            yield row
