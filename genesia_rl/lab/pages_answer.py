"""What came out, in three sentences, and the numbers beside names: the first thing on the page."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from genesia_rl.core.lab import Lab
from genesia_rl.lab.figures import visible
from genesia_rl.lab.first import WON
from genesia_rl.lab.gather import Found
from genesia_rl.lab.pages_items import Examined, flag_of
from genesia_rl.lab.tables import CHANGE, DIGITS, SHARE, All, label, trait_codes
from genesia_rl.report.page import Number
from genesia_rl.stats.estimate import Estimate


def answer(found: All, examined: Sequence[Examined], lab: Lab) -> tuple[list[str], list[Number]]:
    """Is it fair to be first, is anything in the game amiss, and how much was played."""
    said = [_first(found, lab), _things(examined) or _going_without(found), _games(found)]
    return [sentence for sentence in said if sentence], [*_numbers(found, lab)]


def first_place(found: Found) -> Estimate | None:
    """What the first place of the first turn order wins."""
    return None if found.first is None else found.first.places.get(0, 0, WON)


def _first(found: All, lab: Lab) -> str:
    """Whom it helps to be first."""
    groups: dict[str, list[str]] = {}
    for condition, held in found.items():
        won = first_place(held)
        if won is not None:
            groups.setdefault(_verdict(won, 1 / condition.players), []).append(
                f"{label(condition)}: {_share(won)} of an even {100 / condition.players:.1f} %"
            )
    return " ".join(f"{verdict} ({'; '.join(where)})." for verdict, where in groups.items())


def _verdict(won: Estimate, even: float) -> str:
    if won.low > even:
        return "Whoever is first in the first turn order has an advantage"
    if won.high < even:
        return "Whoever is first in the first turn order has a disadvantage"
    return "No advantage of whoever is first in the first turn order is seen"


def _share(found: Estimate) -> str:
    if math.isnan(found.low):
        return f"{100 * found.value:.1f} %"
    return f"{100 * found.value:.1f} % ({100 * found.low:.1f} .. {100 * found.high:.1f})"


def _things(examined: Sequence[Examined]) -> str:
    """How many things are flagged, set by set; whoever plays."""
    told = []
    for one in examined:
        items = one.held.items
        used = one.picked.used
        found = [flag_of(verdict, items, used.get(number)) for number, verdict in one.judged.items()]
        flags = Counter(filter(None, found))
        words = ", ".join(f"{number} {flag}" for flag, number in flags.items()) or "none is flagged"
        judged = (
            f"of {len(one.judged)} judged {words}"
            if one.judged
            else "none was held often enough to be judged"
        )
        told.append(f"{items.name} with {label(one.condition)}: {judged}")
    text = "; ".join(told)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _going_without(found: All) -> str:
    """What costs most to go without."""
    lost = [
        (held.won.get(0).value - 1 / condition.players, what, condition)
        for condition, each in found.items()
        for what, held in each.restricted.items()
    ]
    if not lost:
        return ""
    least, what, condition = min(lost, key=lambda one: one[0])
    return f"To go without {what} costs most: {100 * least:+.1f} percentage points of win share ({label(condition)})."


def _games(found: All) -> str:
    games = sum(sum(held.games.values()) for held in found.values())
    seen = [visible(won.se, 0.025) for held in found.values() if (won := first_place(held)) and won.se > 0]
    reach = (
        f" Four times in five an advantage of {100 * max(seen):.1f} percentage points of the first would be seen."
        if seen
        else ""
    )
    return f"{games:,} games of self-play; intervals are those of 95 %.{reach}"


def _numbers(found: All, lab: Lab) -> Iterable[Number]:
    """The first player, what games are like, and what is lost by going without."""
    for condition, held in found.items():
        where = f"{label(condition)}: " if len(found) > 1 else ""
        won = first_place(held)
        if won is not None:
            yield _number(f"{where}the first wins", won, SHARE)
        if held.course is not None:
            codes = trait_codes(held.course.traits)
            for k, trait in enumerate(held.course.traits):
                code = codes[trait.name]
                if code == DIGITS:
                    yield _number(f"{where}{trait.name}", held.course.overall.get(k), code)
        for what, without in held.restricted.items():
            lost = without.won.get(0)
            even = 1 / condition.players
            less = lost._replace(value=lost.value - even, low=lost.low - even, high=lost.high - even)
            yield _number(f"{where}without {what} wins", less, CHANGE)


def _number(name: str, found: Estimate, code: str) -> Number:
    return Number(name, found.value, found.low, found.high, code)
