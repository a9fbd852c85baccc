"""Which numbers to change, and by how much, so that a game reaches its goals: a search that says how sure it is.

It begins with a look at the game as it is. If none of the goals is missed there beyond doubt (Holm, over all goals
of all things at all levels of skill), nothing is changed. Otherwise come rounds, each on deals of its own:

- the present numbers are played, and what misses its goals by its whole interval is to be mended;
- for each such thing some changes of its own numbers are tried, in the direction that helps; changes for
  different things share a configuration, as who holds a thing is chance; changes for the whole game have their own;
- a thing's change is taken if on the same deals it brings the thing nearer to its goals (over all levels together)
  beyond chance, corrected for how many were tried and how often one has looked at each (what rounds say of one
  change is put together), and by more than it costs; of several the one that leaves least excess and costs least.
  What was changed is mended until its figures themselves are within the goals, or nothing helps any more.

When nothing is missed any more, changes are taken back step by step where that costs no more than it saves. What
comes out is played once more, against the game as it was, on deals that nobody has looked at. It is proposed only if
the game as it was misses a goal beyond doubt there too, and the excess falls beyond chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from genesia_rl.lab.numbers import Number, Subject, Values
from genesia_rl.lab.trial import Fall, Measured, fall, pooled
from genesia_rl.stats.multiple import holm

STRIDES = (1, 2, 4, 8)  # steps of a number that are tried
HOPE = 3.0  # so many steps of an untried number are hoped to be enough
TWICE = 2  # trials of one number in a round, at most
LOOKS = 4  # at one move: if that does not help beyond chance by then, others come first
#: name of the deals, configurations, how many times the usual games -> their figures
Measure = Callable[[str, Sequence[Values], float], list[Measured]]
#: Does the game take these values?
Allowed = Callable[[Values], bool]


class Plan(NamedTuple):
    """How long to search, and how sure to be."""

    rounds: int = 8
    tries: int = 4  # changes for each thing in a round
    back: int = 2  # rounds in which changes are taken back
    alpha: float = 0.05
    price: float = 0.3  # units of excess that one unit of plainness is worth
    verdict: float = 4.0  # times as many games as a round


class Move(NamedTuple):
    """One number, and what it is to become."""

    number: int  # its place among all
    value: int


#: For each thing the move that is made for its sake.
Moves = dict[Subject, Move]
#: For each thing the moves that may be made.
Options = dict[Subject, list[Move]]
#: Configurations, and the moves that lead to each.
Trials = list[tuple[Values, Moves]]


class Tried(NamedTuple):
    """A change that was tried for a thing, and what came of it."""

    round: int
    subject: Subject
    number: int
    before: int
    after: int
    fall: Fall
    taken: bool
    back: bool = False


class Verdict(NamedTuple):
    """The game as it was and as it would be, on fresh deals."""

    before: Measured
    after: Measured
    fall: Fall  # of all questions together
    surely: int  # questions that the game as it was misses beyond doubt
    stands: bool


class Tuned(NamedTuple):
    """All that was found out."""

    start: Measured
    surely: int  # questions missed beyond doubt at the first look
    tried: tuple[Tried, ...]
    values: Values  # where the search ended
    given_up: tuple[Subject, ...]
    verdict: Verdict | None  # None: there was nothing to change

    @property
    def stands(self) -> bool:
        """Is a change proposed?"""
        return self.verdict is not None and self.verdict.stands


def surely_missed(found: Measured, alpha: float) -> list[int]:
    """The questions that are missed beyond doubt, corrected for asking all of them."""
    p = holm(found.p())
    return [int(k) for k in np.flatnonzero(np.nan_to_num(p, nan=1.0) <= alpha)]


def everything(values: Values) -> bool:
    """A game that takes whatever is within the bounds."""
    return True


def tune(numbers: Sequence[Number], measure: Measure, plan: Plan, allowed: Allowed = everything) -> Tuned:
    """Look, search, and judge."""
    start = tuple(number.value for number in numbers)
    first = measure("first", [start], 1.0)[0]
    surely = len(surely_missed(first, plan.alpha))
    if not surely:
        return Tuned(first, 0, (), start, (), None)
    search = Search(numbers, measure, plan, allowed)
    values = search.run(start)
    verdict = None if values == start else judge(measure, start, values, plan)
    return Tuned(first, surely, tuple(search.tried), values, tuple(sorted(search.given_up)), verdict)


def judge(measure: Measure, start: Values, values: Values, plan: Plan) -> Verdict:
    """Both on deals that nobody has looked at."""
    before, after = measure("verdict", [start, values], plan.verdict)
    both = [k for k, q in enumerate(before.questions)
            if q.is_judged(before.estimates[k]) and q.is_judged(after.estimates[k])]  # fmt: skip
    surely, found = len(surely_missed(before, plan.alpha)), fall(before, after, both)
    return Verdict(before, after, found, surely, surely > 0 and found.by > 0 and found.p <= plan.alpha)


class Search:
    """The rounds: what was tried, what each number was seen to do, what was given up."""

    def __init__(self, numbers: Sequence[Number], measure: Measure, plan: Plan, allowed: Allowed) -> None:
        self.numbers, self.measure, self.plan, self.allowed = tuple(numbers), measure, plan, allowed
        self.tried: list[Tried] = []
        self.given_up: set[Subject] = set()
        self._failed: dict[Subject, set[Move]] = {}
        #: by direction, what a step brings: sums of steps times fall, and of squared steps
        self._slopes: dict[tuple[Subject, int, int], tuple[float, float]] = {}
        self._seen: dict[Subject, dict[Move, list[Fall]]] = {}  # since the thing was changed last

    def run(self, values: Values) -> Values:
        """All rounds; returns the values at the end."""
        start, found = values, values
        for number in range(1, self.plan.rounds + 1):
            after = self._round(number, found)
            if after is None:
                break
            found = after
        for number in range(1, self.plan.back + 1):
            after = self._back(number, start, found)
            if after == found:
                break
            found = after
        return found

    # ------------------------------------------------------------ mending

    def _round(self, number: int, values: Values) -> Values | None:
        """The values after a round; None if there is nothing left to mend."""
        deals = f"round{number:02d}"
        here = self.measure(deals, [values], 1.0)[0]
        missed = missed_subjects(here)
        wanted = dict.fromkeys([*missed, *self._unfinished(here)])
        options, trials = self._planned(list(wanted), here, values)
        self.given_up = {subject for subject in missed if not options[subject]}
        if not trials:
            return None
        taken = self._taken(number, deals, values, here, trials)
        if not missed and not taken:
            return None
        return _merged(values, self._side_by_side(values, taken).values())

    def _planned(self, subjects: Sequence[Subject], here: Measured, values: Values) -> tuple[Options, Trials]:
        """What to try for each thing, and together; as often as all of it is what the game refuses."""
        while True:
            options = {subject: self.options(subject, here, values) for subject in subjects}
            trials = self._trials(values, options)
            if trials or not any(options.values()):
                return options, trials

    def _unfinished(self, here: Measured) -> list[Subject]:
        """What was changed and is not within its goals yet, though its intervals may be."""
        return sorted(
            {one.subject for one in self.tried if one.taken and here.excess(here.of(one.subject)) > 0}
        )

    def options(self, subject: Subject, here: Measured, values: Values) -> list[Move]:
        """What to try for a thing: the moves that are hoped to leave least excess for their price."""
        excess = here.excess(here.of(subject))
        hoped = [
            (self._hoped(subject, move, values, excess), move) for move in self._moves(subject, here, values)
        ]
        found: list[Move] = []
        for score, move in sorted(hoped):
            often = sum(other.number == move.number for other in found)
            if score < excess and often < TWICE and len(found) < self.plan.tries:
                found.append(move)
        return found

    def _moves(self, subject: Subject, here: Measured, values: Values) -> Iterator[Move]:
        """All that may be tried for a thing and has not failed yet."""
        wanted, failed = wanted_side(subject, here), self._failed.get(subject, set())
        for place, number in enumerate(self.numbers):
            if not number.is_for(subject):
                continue
            known = number.helps * wanted if number.subject == subject else 0
            for sign in (known,) if known else (1, -1):
                reached = (values[place] + sign * stride * number.step for stride in STRIDES)
                for value in dict.fromkeys(min(number.high, max(number.low, one)) for one in reached):
                    if value != values[place] and Move(place, value) not in failed:
                        yield Move(place, value)

    def _hoped(self, subject: Subject, move: Move, values: Values, excess: float) -> float:
        """The score of a move if its number does what it did before, or what one hopes for."""
        number = self.numbers[move.number]
        steps = abs(move.value - values[move.number]) / number.step
        sign = _sign(move.value - values[move.number])
        slope = self._slope(subject, move.number, sign, excess / HOPE)
        return max(0.0, excess - slope * steps) + self._dearer(move, values)

    def _slope(self, subject: Subject, number: int, sign: int, hope: float) -> float:
        """What a step of a number was seen to bring; of the other direction the opposite."""
        for way in (sign, -sign):
            if (subject, number, way) in self._slopes:
                falls, squares = self._slopes[subject, number, way]
                return sign * way * falls / squares
        return hope

    def _see(self, subject: Subject, number: int, sign: int, steps: float, by: float) -> None:
        """Large steps tell more of what one brings than small ones."""
        falls, squares = self._slopes.get((subject, number, sign), (0.0, 0.0))
        self._slopes[subject, number, sign] = falls + steps * by, squares + steps * steps

    def _trials(self, values: Values, options: Options) -> Trials:
        """Configurations, and for which thing each has which move: things together, the whole game apart."""
        together = [[subject for subject in options if subject[1] != 0]]
        apart = [[subject] for subject in options if subject[1] == 0]
        found = []
        for subjects in (*together, *apart):
            for k in range(self.plan.tries):
                moves = self._side_by_side(
                    values, {s: options[s][k] for s in subjects if k < len(options[s])}
                )
                if moves:
                    found.append((_merged(values, moves.values()), moves))
        return found

    def _side_by_side(self, values: Values, moves: Moves) -> Moves:
        """Those that can be made together: each number once, and what the game takes."""
        first: dict[int, Subject] = {}
        for subject, move in moves.items():
            first.setdefault(move.number, subject)
        wanted = {subject: moves[subject] for subject in first.values()}
        if self.allowed(_merged(values, wanted.values())):
            return wanted
        found: Moves = {}
        for subject, move in wanted.items():
            if self.allowed(_merged(values, [*found.values(), move])):
                found[subject] = move
            else:
                self._failed.setdefault(subject, set()).add(move)
        return found

    def _taken(self, number: int, deals: str, values: Values, here: Measured, trials: Trials) -> Moves:
        """Play the trials, and take for each thing the best move that helps beyond chance."""
        found = self.measure(deals, [configuration for configuration, _ in trials], 1.0)
        by_subject: dict[Subject, dict[Move, Fall]] = {}
        for (_, moves), there in zip(trials, found, strict=True):
            for subject, move in moves.items():
                by = _fall_of(subject, here, there)
                self._seen.setdefault(subject, {}).setdefault(move, []).append(by)
                by_subject.setdefault(subject, {})[move] = by
        return {
            subject: best
            for subject, held in by_subject.items()
            if (best := self._chosen(number, subject, held, values)) is not None
        }

    def _chosen(
        self, number: int, subject: Subject, held: Mapping[Move, Fall], values: Values
    ) -> Move | None:
        """The move to make for a thing; remember what each of those tried did."""
        seen = self._seen[subject]
        known = {move: pooled(seen[move]) for move in held}
        best = self._best(known, seen, values)
        for move, by in held.items():
            before = values[move.number]
            steps = abs(move.value - before) / self.numbers[move.number].step
            self._see(subject, move.number, _sign(move.value - before), steps, by.by)
            self.tried.append(Tried(number, subject, move.number, before, move.value, by, move == best))
            if known[move].by <= known[move].se or len(seen[move]) >= LOOKS:
                self._failed.setdefault(subject, set()).add(move)
        if best is not None:  # what does not help from here may do so from elsewhere
            self._seen[subject] = {}
            self._failed[subject] = set()
        return best

    def _best(
        self, known: Mapping[Move, Fall], seen: Mapping[Move, Sequence[Fall]], values: Values
    ) -> Move | None:
        """The move that leaves least excess and costs least, among those that help beyond chance and pay.

        The k-th look at a move has a part 1 / k (k + 1) of the doubt that there is for it; all parts make one.
        """
        scores = []
        for move, by in known.items():
            looks, dearer = len(seen[move]), self._dearer(move, values)
            if by.by > max(0.0, dearer) and by.p <= self.plan.alpha / (len(known) * looks * (looks + 1)):
                scores.append((by.after + dearer, move))
        return min(scores)[1] if scores else None

    def _dearer(self, move: Move, values: Values) -> float:
        """By how much more a move costs than what there is, in units of excess."""
        number = self.numbers[move.number]
        return self.plan.price * (number.price(move.value) - number.price(values[move.number]))

    # ------------------------------------------------------------ taking back

    def _back(self, number: int, start: Values, values: Values) -> Values:
        """Take back what is not needed: all the way, or one step, of one number of each thing."""
        deals = f"back{number:02d}"
        here = self.measure(deals, [values], 1.0)[0]
        options = {
            subject: ways
            for subject in self._changed(start, values)
            if (ways := self._ways_back(subject, start, values))
        }
        trials = self._trials(values, options)
        if not trials:
            return values
        found = self.measure(deals, [configuration for configuration, _ in trials], 1.0)
        taken: Moves = {}
        for (_, moves), there in zip(trials, found, strict=True):
            for subject, move in moves.items():
                by = _fall_of(subject, here, there)
                good = subject not in taken and self._not_needed(move, by, values)
                self.tried.append(
                    Tried(number, subject, move.number, values[move.number], move.value, by, good, True)
                )
                if good:
                    taken[subject] = move
        return _merged(values, self._side_by_side(values, taken).values())

    def _not_needed(self, move: Move, by: Fall, values: Values) -> bool:
        """Is the thing within its goals without a change, or surely no farther beyond them than the change costs?"""
        return by.after == 0 or by.after - by.before + by.se <= -self._dearer(move, values)

    def _changed(self, start: Values, values: Values) -> list[Subject]:
        """The things for whose sake numbers are others now."""
        taken = {(t.subject, t.number) for t in self.tried if t.taken and not t.back}
        return sorted({subject for subject, number in taken if values[number] != start[number]})

    def _ways_back(self, subject: Subject, start: Values, values: Values) -> list[Move]:
        """What costs most first: all the way, then one step."""
        mine = {t.number for t in self.tried if t.taken and not t.back and t.subject == subject}
        found = []
        for place in sorted(mine, key=lambda k: -self.numbers[k].price(values[k])):
            away = values[place] - start[place]
            if away:
                step = values[place] - _sign(away) * self.numbers[place].step
                found += [Move(place, start[place]), Move(place, step)]
        return list(dict.fromkeys(found))[: self.plan.tries]


def missed_subjects(found: Measured) -> list[Subject]:
    """The things that miss a goal at some level by their whole interval, those farthest beyond first."""
    subjects = dict.fromkeys(found.questions[k].subject for k in found.missed())
    return sorted(subjects, key=lambda subject: (-found.excess(found.of(subject)), subject))


def _fall_of(subject: Subject, here: Measured, there: Measured) -> Fall:
    """Of the questions about a thing that can be judged in both."""
    return fall(here, there, sorted({*here.of(subject)} & {*there.of(subject)}))


def wanted_side(subject: Subject, found: Measured) -> int:
    """-1 if a thing is to be made weaker, 1 stronger; 0 if goals or levels disagree.

    What misses a goal by its whole interval counts, or else what is beyond one at all.
    """
    which = {*found.missed()} & {*found.of(subject)} or {*found.of(subject)}
    sides = {-found.questions[k].side(found.estimates[k].value) for k in which} - {0}
    return sides.pop() if len(sides) == 1 else 0


def _merged(values: Values, moves: Iterable[Move]) -> Values:
    """Other values at some places."""
    found = list(values)
    for move in moves:
        found[move.number] = move.value
    return tuple(found)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)
