"""The report's sections on the course of the game: the first player, lots, restricted play, skill."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from experiments.balance.arms import Condition
from experiments.balance.figures import power_text, reach_text
from experiments.balance.first import OUTCOMES, WON
from experiments.balance.fit import FEWEST_BLOCKS
from experiments.balance.gather import Found
from experiments.balance.lots import EDGE, TARGETS, TRAITS
from experiments.balance.skill import figures_of, spreads_of, traits_of
from experiments.balance.tables import DIGITS, SHARE, P, Row, figure, label, label_of, put, told
from experiments.matches.entrant import WITHOUT
from experiments.report.page import Report
from experiments.report.plots import forest, grouped_bars, heatmap
from experiments.stats.estimate import Estimate
from experiments.stats.multiple import holm

AGE_NAMES = ("I", "II", "III")
SEAT_ALARM = 0.01
ORDINALS = ("first", "second", "third", "fourth", "fifth")
PLACE_CODES = {"won": SHARE, "rank": DIGITS, "score": DIGITS, "p": P}
TRAIT_CODES = dict.fromkeys(TRAITS, DIGITS) | {TRAITS[EDGE]: SHARE}
All = dict[Condition, Found]


# ---------------------------------------------------------------- the first player


def first_section(report: Report, found: All) -> None:
    """By place in the turn order, by seat, and by the right to choose."""
    shown = {c: f for c, f in found.items() if f.first is not None}
    if not shown:
        return
    report.section(
        "The first player",
        "Places in Age I are drawn by lot, so differences between them are what the place does. Places in "
        "Ages II and "
        "III are chosen by the players, those behind in progress first: there, who has a place matters as "
        "well. In the tables of this section p is that of an even share, without correction for the number "
        "of lines.",
    )
    put(report, "places", _place_rows(shown), "By place in the turn order.", PLACE_CODES)
    for players in sorted({c.players for c in shown}):
        _plot_places(report, {c: f for c, f in shown.items() if c.players == players}, players)
    words = "By place with the seat taken out: as if every seat had had it equally often."
    put(report, "places_adjusted", _adjusted_rows(shown), words, PLACE_CODES)
    _seats(report, shown)
    for condition, f in shown.items():
        assert f.first is not None
        report.text(power_text(f.first.places.get(0, 0, WON), f"a place ({label(condition)})"))
        report.text(power_text(f.first.adjusted(0, 0), f"a place, the seat taken out ({label(condition)})"))
        report.text(power_text(f.first.seats.get(0, WON), f"a seat ({label(condition)})"))
    _choosing(report, found)


def _place_rows(found: All) -> Iterable[Row]:
    for c, f in found.items():
        assert f.first is not None
        for age, name in enumerate(AGE_NAMES):
            for place in range(c.players):
                row: Row = {**told(c), "Age": name, "place": place + 1}
                for k, outcome in enumerate(OUTCOMES):
                    row |= figure(outcome, f.first.places.get(age, place, k))
                yield row | {"p": f.first.places.get(age, place, WON).p(1 / c.players)}


def _plot_places(report: Report, found: All, players: int) -> None:
    """Win share of each place in each Age, the policies side by side."""
    groups = [f"Age {name}, {ORDINALS[place]}" for name in AGE_NAMES for place in range(players)]
    series = {}
    for c, f in found.items():
        assert f.first is not None
        held = [f.first.places.get(age, place, WON) for age in range(3) for place in range(players)]
        series[c.policy] = ([e.value for e in held], [e.low for e in held], [e.high for e in held])
    drawn = grouped_bars(
        groups, series, "share of first places", reference=1 / players, reference_label="even"
    )
    words = f"{players} players: who wins, by place in the turn order of each Age."
    report.plot(
        drawn, words, f"{words} Bars for each place and policy with 95 % intervals; the line is 1/{players}."
    )


def _adjusted_rows(found: All) -> Iterable[Row]:
    for c, f in found.items():
        assert f.first is not None
        for age, name in enumerate(AGE_NAMES):
            for place in range(c.players):
                row: Row = {**told(c), "Age": name, "place": place + 1}
                for k, outcome in enumerate(OUTCOMES):
                    row |= figure(outcome, f.first.adjusted(age, place, k))
                yield row


def _seats(report: Report, found: All) -> None:
    """The map looks the same from every seat: a difference would be a mistake of ours."""
    rows = seat_rows(found)
    put(report, "seats", rows, "By seat: must show nothing.", {"won": SHARE, "p, corrected": P})
    alarms = [f"{label_of(row)}, seat {row['seat']}" for row in rows if row["p, corrected"] < SEAT_ALARM]
    percent = f"{100 * SEAT_ALARM:.0f} %"
    if alarms:
        report.note(
            f"Seats that differ although the map is symmetric ({percent} false alarms): {'; '.join(alarms)}.",
            "warning",
        )
    else:
        report.note(
            f"No seat differs from the others (Holm's correction, {percent}), as it must be on a symmetric "
            "map."
        )


def seat_rows(found: All) -> list[Row]:
    """The win share of every seat under every condition, corrected for the number of all of them."""
    rows, p = [], []
    for c, f in found.items():
        assert f.first is not None
        for seat in range(c.players):
            estimate = f.first.seats.get(seat, WON)
            rows.append({**told(c), "seat": seat, **figure("won", estimate)})
            p.append(estimate.p(1 / c.players))
    return [row | {"p, corrected": float(value)} for row, value in zip(rows, holm(np.array(p)), strict=True)]


def _choosing(report: Report, found: All) -> None:
    """The value of the right to choose, from games in which the order of choosing was drawn by lot."""
    rows, takes = [], []
    for c, f in found.items():
        if f.choosing is None:
            continue
        for age, name in enumerate(AGE_NAMES[:-1]):
            for place, taken in enumerate(f.choosing.taken.row(age)):
                takes.append({**told(c), "after Age": name, "place": place + 1, **figure("takes it", taken)})
            for rank in range(c.players):
                row: Row = {**told(c), "after Age": name, "chooses": rank + 1}
                for k, outcome in enumerate(OUTCOMES):
                    row |= figure(outcome, f.choosing.ranks.get(age, rank, k))
                rows.append(row | {"p": f.choosing.ranks.get(age, rank, WON).p(1 / c.players)})
    if not rows:
        return
    words = "Places chosen in an order drawn by lot: what the right to choose first is worth."
    put(report, "choosing", rows, words, PLACE_CODES)
    words = "Which place whoever chooses first takes, in how much of those games."
    put(report, "takes", takes, words, {"takes it": SHARE})
    for c, f in found.items():
        if f.choosing is not None:
            report.text(power_text(f.choosing.ranks.get(0, 0, WON), f"who chooses first ({label(c)})"))
            report.text(power_text(f.choosing.taken.get(0, 0), f"which place is taken ({label(c)})"))


# ---------------------------------------------------------------- lots


def lots_section(report: Report, found: All) -> None:
    """Traits of the game by the lots of each Age, and the best and worst for each purpose."""
    shown = {c: f for c, f in found.items() if f.lots is not None}
    if not shown:
        return
    report.section(
        "Colour lots",
        "Every game has its lots for each Age, all combinations equally often. A line says what games were "
        "like whose Age "
        "had these lots, whatever the lots of the other Ages. Closeness is the lead of the winner in "
        "points; the first "
        "player's edge is what the first of Age I wins more than its even share.",
    )
    if together := [label(c) for c, f in shown.items() if f.lots is not None and f.lots.always_together]:
        report.note(
            f"{'; '.join(together)}: with so few games an Age's lots always came with the same lots of the "
            "other Ages, so that a line says which games were like that, not which Age made them so. From "
            "1,000 games on they are mixed.",
            "warning",
        )
    put(report, "lots", _lot_rows(shown), "By the lots of an Age.", TRAIT_CODES, show=30)
    for c, f in shown.items():
        _plot_lots(report, c, f)
    words = (
        "The best and the worst lots of three Ages for a purpose: the effects of the three Ages added up, "
        "each drawn towards none by as much as chance may have put into it (empirical Bayes), because the "
        "ends of many figures are flattered otherwise. What the lots of three Ages do together beyond that "
        "(the table above) widens the interval. Where an Age's lots always came with the same of the others, "
        "only what was played is compared. Games are those with exactly these lots, often none."
    )
    _lots_fit(report, shown)
    if rows := list(_target_rows(shown)):
        put(report, "lots_for", rows, words, {"value": DIGITS})
    put(report, "lots_games", _cell_rows(shown), "Every combination that was played.", TRAIT_CODES, show=12)
    for c, f in shown.items():
        assert f.lots is not None
        edge = f.lots.by_age.get(0, 0, EDGE)
        report.text(power_text(edge, f"the first player's edge with one combination of lots ({label(c)})"))
        others = {name: f.lots.by_age.get(0, 0, k) for k, name in enumerate(TRAITS) if k != EDGE}
        report.text(f"With one combination of lots ({label(c)}). {reach_text(others)}")


def _lots_fit(report: Report, found: All) -> None:
    """How well the effects of the Ages account for what games are like."""
    rows = []
    for c, f in found.items():
        assert f.lots is not None
        if len(f.lots.names) < 2 or f.lots.always_together:
            continue
        for k, trait in enumerate(TRAITS):
            row = {**told(c), "trait": trait, **figure("added up", f.lots.apart(k))}
            together = figure("together beyond", f.lots.together(k))
            rows.append(row | together | {"combinations": len(f.lots.by_cell)})
    if rows:
        words = (
            "How far games lie apart by their lots (standard deviations): by the effects of the three Ages "
            "added up, and by what the lots of the three Ages do together beyond that. Where the second is "
            "not small beside the first, one Age's lots do not tell what a game is like. It is not known "
            f"where combinations have fewer than {FEWEST_BLOCKS} games."
        )
        put(report, "lots_fit", rows, words, {"added up": DIGITS, "together beyond": DIGITS})


def _lot_rows(found: All) -> Iterable[Row]:
    for c, f in found.items():
        assert f.lots is not None
        for age, name in enumerate(AGE_NAMES):
            for place, lots in enumerate(f.lots.names):
                row: Row = {**told(c), "Age": name, "lots": lots}
                for k, trait in enumerate(TRAITS):
                    row |= figure(trait, f.lots.by_age.get(age, place, k))
                yield row


def _plot_lots(report: Report, c: Condition, f: Found) -> None:
    """How far each trait is from its mean, in its own spread: lots that stand out."""
    lots = f.lots
    assert lots is not None
    if len(lots.names) < 2:
        return
    means = np.array([lots.overall.get(k).value for k in range(len(TRAITS))])
    held = np.array([[[lots.by_age.get(a, p, k).value for k in range(len(TRAITS))]
                      for p in range(len(lots.names))] for a in range(3)])  # fmt: skip
    wide = np.where(np.abs(means) > 0, np.abs(means), 1)
    wide[EDGE] = 1
    off = (held - means) / wide
    rows = [f"Age {AGE_NAMES[a]}: {name}" for a in range(3) for name in lots.names]
    words = (
        f"{label(c)}: what the lots of one Age change, in per cent of the mean (the edge in points). The "
        "intervals in the table say how much of it may be chance."
    )
    drawn = heatmap(off.reshape(len(rows), -1), rows, list(TRAITS), centre=0.0)
    report.plot(drawn, words, f"{words} A row for each Age and combination, a column for each trait.")


def _target_rows(found: All) -> Iterable[Row]:
    for c, f in found.items():
        assert f.lots is not None
        for target, (trait, _) in TARGETS.items():
            if not (ranked := f.lots.ranked(target)):
                continue
            for which, choice in (("best", ranked[0]), ("worst", ranked[-1])):
                row = {**told(c), "purpose": target, "end": which, "trait": TRAITS[trait]}
                lots = {f"Age {name}": one for name, one in zip(AGE_NAMES, choice.lots, strict=True)}
                yield row | lots | {"value": choice.value, "low": choice.low, "high": choice.high,
                                    "games": choice.games}  # fmt: skip


def _cell_rows(found: All) -> Iterable[Row]:
    for c, f in found.items():
        assert f.lots is not None
        for triple, figures in f.lots.played():
            row: Row = told(c)
            row |= {f"Age {name}": f.lots.names[place] for name, place in zip(AGE_NAMES, triple, strict=True)}
            for k, trait in enumerate(TRAITS):
                row |= figure(trait, figures.get(k))
            yield row


# ---------------------------------------------------------------- restricted play


def restricted_section(report: Report, found: All) -> None:
    """What is lost by going without."""
    shown = {c: f for c, f in found.items() if f.restricted}
    if not shown:
        return
    report.section(
        "Playing without",
        "One plays without something, the others with it; every deal from every seat. The policy is not "
        "told: it goes on as if it could, so this is what the thing is worth to it, and one that had learned "
        "to go without would lose less.",
    )
    report.facts({f"without {what}": says for what, says in WITHOUT.items()})
    rows = [
        {**told(c), "without": what, "even": 1 / c.players,
         **figure("won", r.won.get(0)),
         "p": r.won.get(0).p(1 / c.players), **figure("points ahead", r.points.get(0))}
        for c, f in shown.items() for what, r in f.restricted.items()
    ]  # fmt: skip
    codes = {"won": SHARE, "even": SHARE, "p": P, "points ahead": DIGITS}
    put(report, "without", rows, "Win share of who goes without, and points ahead of the others.", codes)
    names = [f"{r['players']}p {r['policy']}, no {r['without']}" for r in rows]
    drawn = forest(
        names, [r["won"] - r["even"] for r in rows], [r["won low"] - r["even"] for r in rows],
        [r["won high"] - r["even"] for r in rows], reference=0.0, xlabel="win share less the even share",
    )  # fmt: skip
    words = "What going without costs, in points of win share."
    report.plot(
        drawn, words, f"{words} A line for each policy and restriction with its 95 % interval; 0 is no loss."
    )
    for c, f in shown.items():
        first = next(iter(f.restricted.values()))
        report.text(power_text(first.won.get(0), f"restricted play ({label(c)})"))
        ahead = {"points ahead": first.points.get(0)}
        report.text(f"Restricted play ({label(c)}). {reach_text(ahead)}")


# ---------------------------------------------------------------- skill


def skill_section(report: Report, found: All) -> None:
    """The same figures along the ladder."""
    if len({c.policy for c in found}) < 2:
        return
    report.section(
        "Along the ladder",
        "The same figures for every policy, in the order in which they were given: balance depends on who "
        "plays.",
    )
    rows = [
        {"players": c.players, "figure": name, "policy": c.policy, **figure("value", e)}
        for c, f in found.items() for name, e in figures_of(f).items()
    ]  # fmt: skip
    rows.sort(key=lambda row: (row["players"], row["figure"]))
    if rows:
        put(report, "ladder", rows, "Win shares.", {"value": SHARE})
    traits = [
        {"players": c.players, "trait": name, "policy": c.policy, **figure("value", e)}
        for c, f in found.items()
        for name, e in traits_of(f).items()
    ]
    traits.sort(key=lambda row: (row["players"], row["trait"]))
    if traits:
        put(report, "ladder_traits", traits, "The games.", {"value": DIGITS})
    _ladder_spreads(report, found)
    for c, f in found.items():
        if known := figures_of(f):
            name, one = next(iter(known.items()))
            report.text(power_text(one, f"{name} ({label(c)})"))
        if held := traits_of(f):
            report.text(f"{label(c)}. {reach_text(held)}")
    for players in sorted({c.players for c in found}):
        _plot_ladder(report, {c: figures_of(f) for c, f in found.items() if c.players == players}, players)


def _ladder_spreads(report: Report, found: All) -> None:
    """How unlike one another objectives, and lots, are."""
    rows = [
        {"players": c.players, "figure": name, "policy": c.policy, **figure("spread", e)}
        for c, f in found.items()
        for name, e in spreads_of(f).items()
    ]
    rows.sort(key=lambda row: (row["players"], row["figure"]))
    words = (
        "How unlike one another objectives and lots are: the standard deviation of win shares without what "
        "chance adds. An interval that begins at 0 is no more than chance may do: its other end is what "
        "these games would have shown."
    )
    if rows:
        put(report, "ladder_spreads", rows, words, {"spread": SHARE})


def _plot_ladder(report: Report, held: dict[Condition, dict[str, Estimate]], players: int) -> None:
    names = list(dict.fromkeys(name for figures in held.values() for name in figures))
    if not names:
        return
    series = {}
    for c, figures in held.items():
        known = [figures.get(name) for name in names]
        series[c.policy] = tuple(
            [None if e is None else getattr(e, part) for e in known] for part in ("value", "low", "high")
        )
    drawn = grouped_bars(names, series, "win share", reference=1 / players, reference_label="even")  # type: ignore[arg-type]
    words = f"{players} players: win shares along the ladder."
    report.plot(drawn, words, f"{words} Bars for each figure and policy with 95 % intervals.")
