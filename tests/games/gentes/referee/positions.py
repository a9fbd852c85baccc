"""Positions (PROTOCOL 4): what makes one valid, and random ones, dense, of every phase."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from .config import ERAS, is_permutation, resolve_config, whole
from .data import CONDITIONS, CUBES, TYPES, Data, load_data
from .state import LAST_ROUND, era_of, homes_on_side

PHASES = ("apogee", "decline", "scoring")
MUST = ("round", "phase")
FIELDS = (
    *MUST, "first", "next_first", "coins", "temple", "oracle", "singles", "doubles", "locks", "citizens",
    "hands", "played", "cities", "homes", "recruit", "display", "deck", "discard", "later", "marked",
    "marked_type", "bonus", "points",
)  # fmt: skip
MOST_COINS = MOST_POINTS = 999
Config = Mapping[str, Any]
Position = Mapping[str, Any]


def full_position(config: Config, position: Position) -> dict[str, Any]:
    """The position with all fields; its round is valid."""
    n, later = config["players"], len(ERAS) - era_of(position["round"])
    full: dict[str, Any] = {"round": position["round"], "phase": position["phase"]}
    full |= {"first": 0, "next_first": None}
    full |= {field: [0] * n for field in ("coins", "temple", "oracle", "singles", "doubles", "locks")}
    full["citizens"] = [[0] * len(TYPES) for _ in range(n)]
    full |= {field: [[] for _ in range(n)] for field in ("hands", "played")}
    full |= {"cities": {}, "homes": {}, "recruit": list(TYPES), "display": [], "deck": [], "discard": []}
    full |= {"later": [[] for _ in range(later)], "marked": [], "marked_type": None}
    full |= {"bonus": {condition: [] for condition in CONDITIONS}, "points": [[0, 0, 0] for _ in range(n)]}
    return full | dict(position)


# -------------------------------------------------------------------- valid positions


def up_to(high: int) -> Callable[[Any], bool]:
    return lambda value: whole(value, 0, high)


class Check:
    """Goes through a position and notes what is wrong, field by field."""

    def __init__(self, config: Config, position: Position, data: Data) -> None:
        self.n: int = config["players"]
        self.data = data
        self.position = full_position(config, position)
        self.era = era_of(position["round"])
        self.problems: list[str] = []

    def wrong(self, field: str, value: Any, allowed: str) -> bool:
        self.problems.append(f"{field} = {value!r}: allowed {allowed}")
        return False

    def need(self, good: bool, field: str, value: Any, allowed: str) -> bool:
        return True if good else self.wrong(field, value, allowed)

    def is_seat(self, value: Any) -> bool:
        return whole(value, 0, self.n - 1)

    def by_seat(self, field: str, good: Callable[[Any], bool], allowed: str) -> bool:
        """Is the field a list with one good entry for each seat?"""
        value = self.position[field]
        if not isinstance(value, list) or len(value) != self.n:
            return self.wrong(field, value, f"a list of {self.n} entries, one for each seat")
        before = len(self.problems)
        for seat, own in enumerate(value):
            self.need(good(own), f"{field}[{seat}]", own, allowed)
        return len(self.problems) == before

    # ---- parts

    def all_problems(self) -> list[str]:
        self.moment()
        self.supplies()
        if self.by_seat("citizens", self.six_numbers, f"six whole numbers 0..{self.data.room}"):
            self.pairs()
        self.by_seat("points", self.three_points, f"three whole numbers 0..{MOST_POINTS}")
        self.tokens()
        recruit = self.position["recruit"]
        self.need(is_permutation(recruit, list(TYPES)), "recruit", recruit, "the six types, each once")
        if self.card_lists():
            self.cards()
            self.full_display()
            self.marks()
        self.bonus_seats()
        return self.problems

    def moment(self) -> None:
        first, leader, phase = (self.position[field] for field in ("first", "next_first", "phase"))
        self.need(self.is_seat(first), "first", first, f"a seat 0..{self.n - 1}")
        good = leader is None or (phase == "decline" and self.is_seat(leader))
        self.need(good, "next_first", leader, f"null, in the decline also a seat 0..{self.n - 1}")

    def supplies(self) -> None:
        data = self.data
        most = {
            "coins": MOST_COINS,
            **dict.fromkeys(CUBES, data.cube_slots),
            **dict.fromkeys(("singles", "doubles"), data.spaces),
            "locks": data.locks,
        }
        good = {field: self.by_seat(field, up_to(high), f"0..{high}") for field, high in most.items()}
        track = ("singles", "doubles", "locks")
        if all(good[field] for field in track):
            for seat, parts in enumerate(zip(*(self.position[field] for field in track), strict=True)):
                where = f"singles, doubles and locks of seat {seat}"
                self.need(sum(parts) <= data.spaces, where, list(parts), f"together {data.spaces} spaces")

    def six_numbers(self, value: Any) -> bool:
        return isinstance(value, list) and len(value) == len(TYPES) and all(
            whole(number, 0, self.data.room) for number in value
        )  # fmt: skip

    def three_points(self, value: Any) -> bool:
        return isinstance(value, list) and len(value) == 3 and all(whole(p, 0, MOST_POINTS) for p in value)

    def pairs(self) -> None:
        for seat, numbers in enumerate(self.position["citizens"]):
            own = dict(zip(TYPES, numbers, strict=True))
            for a, b in self.data.pairs:
                where = f"citizens[{seat}], {a} and {b}"
                self.need(
                    own[a] + own[b] <= self.data.room, where, [own[a], own[b]], f"{self.data.room} together"
                )

    def tokens(self) -> None:
        held: Counter[int] = Counter()
        there = {"cities": list(self.data.cities), "homes": homes_on_side(self.data, self.n)}
        for field, places in there.items():
            value = self.position[field]
            if not self.need(isinstance(value, Mapping), field, value, "an object: place -> seat"):
                continue
            for place, seat in value.items():
                known = place in [str(number) for number in places]
                self.need(known, f"{field}, place", place, f"text of {', '.join(map(str, places))}")
                if self.need(self.is_seat(seat), f"{field}[{place}]", seat, f"a seat 0..{self.n - 1}"):
                    held[seat] += 1
        for seat, tokens in held.items():
            where = f"cities and homes, tokens of seat {seat}"
            self.need(tokens <= self.data.tokens, where, tokens, f"at most {self.data.tokens}")

    def card_lists(self) -> bool:
        """Are the fields that hold cards lists of known cards?"""

        def cards(value: Any) -> bool:
            return isinstance(value, list) and all(type(c) is int and c in self.data.cards for c in value)

        allowed = f"a list of cards 1..{len(self.data.cards)}"
        good = [self.by_seat(field, cards, allowed) for field in ("hands", "played")]
        for field in ("display", "deck", "discard", "marked"):
            good.append(self.need(cards(self.position[field]), field, self.position[field], allowed))
        later, eras = self.position["later"], len(ERAS) - self.era
        if not isinstance(later, list) or len(later) != eras:
            return self.wrong("later", later, f"{eras} lists, one for each later era")
        good += [self.need(cards(deck), f"later[{i}]", deck, allowed) for i, deck in enumerate(later)]
        return all(good)

    def cards(self) -> None:
        """No card in two places; eras."""
        position = self.position
        places = [(f"{field}[{seat}]", cards, 0) for field in ("hands", "played")
                  for seat, cards in enumerate(position[field])]  # fmt: skip
        # AMBIGUOUS: the discard pile holds cards of past eras, but only later ones are said to be refused.
        places.append(("discard", position["discard"], 0))
        places += [(field, position[field], self.era) for field in ("display", "deck")]
        places += [(f"later[{i}]", deck, self.era + 1 + i) for i, deck in enumerate(position["later"])]
        found: dict[int, str] = {}
        for field, cards, era in places:
            for card in cards:
                own = self.data.cards[card].era
                good = own == era if era else own <= self.era
                self.need(
                    good, field, card, f"cards of Era {era}" if era else f"no card after Era {self.era}"
                )
                self.need(card not in found, field, card, f"no card twice (it is in {found.get(card)})")
                found[card] = field

    def full_display(self) -> None:
        display, slots = self.position["display"], self.data.slots
        good = len(display) == slots or (len(display) < slots and not self.position["deck"])
        self.need(good, "display", display, f"{slots} cards, fewer only if the deck is empty")

    def marks(self) -> None:
        position = self.position
        marked, kind, in_decline = position["marked"], position["marked_type"], position["phase"] == "decline"
        good = len(set(marked)) == len(marked) and set(marked) <= set(position["display"])
        good = good and (not marked or (in_decline and self.n <= 2))
        self.need(good, "marked", marked, "different cards of the display, in the decline of 1 or 2 players")
        # AMBIGUOUS: "in the decline of 1 or 2 players / .., of the solo game only": in the decline, too.
        good = kind is None or (kind in TYPES and in_decline and self.n == 1)
        self.need(good, "marked_type", kind, "null, in the decline of the solo game also a type")

    def bonus_seats(self) -> None:
        bonus = self.position["bonus"]
        if not isinstance(bonus, Mapping) or set(bonus) != set(CONDITIONS):
            self.wrong("bonus", bonus, f"lists of seats for {', '.join(CONDITIONS)}")
            return
        for condition, seats in bonus.items():
            good = isinstance(seats, list) and all(map(self.is_seat, seats)) and len(set(seats)) == len(seats)
            self.need(good, f"bonus, {condition}", seats, f"a list of different seats 0..{self.n - 1}")


def check_position(config: Config | None, position: Position, data: Data | None = None) -> list[str]:
    """What is wrong with a position; an empty list if nothing is."""
    data = data or load_data()
    config = resolve_config(config)
    if not isinstance(position, Mapping):
        return [f"position = {position!r}: allowed an object with the fields {', '.join(FIELDS)}"]
    problems = [f"{field} = {position[field]!r}: unknown; fields: {', '.join(FIELDS)}" for field in position
                if field not in FIELDS]  # fmt: skip
    problems += [f"{field}: is missing" for field in MUST if field not in position]
    if problems:
        return problems
    if not whole(position["round"], 1, LAST_ROUND):
        problems.append(f"round = {position['round']!r}: allowed 1..{LAST_ROUND}")
    if position["phase"] not in PHASES:
        problems.append(f"phase = {position['phase']!r}: allowed {', '.join(PHASES)}")
    if problems:
        return problems
    if position["phase"] == "scoring" and position["round"] != LAST_ROUND:
        return [f"phase = 'scoring' in round {position['round']}: allowed in round {LAST_ROUND} only"]
    return Check(config, position, data).all_problems()


# -------------------------------------------------------------------- random positions


def random_position(
    config: Config | None, rng: random.Random, data: Data | None = None, phase: str | None = None
) -> dict[str, Any]:
    """A valid position of some phase, with a dense map, full rows of citizens and playable hands."""
    data = data or load_data()
    config = resolve_config(config)
    n = config["players"]
    phase = phase or rng.choice(["apogee"] * 6 + ["decline"] * 3 + ["scoring"])
    round_ = LAST_ROUND if phase == "scoring" else rng.randint(1, LAST_ROUND)
    citizens = [random_citizens(rng, data) for _ in range(n)]
    position: dict[str, Any] = {
        "round": round_,
        "phase": phase,
        "first": rng.randrange(n),
        "next_first": rng.choice([None, rng.randrange(n)]) if phase == "decline" else None,
        "coins": [rng.choice([0, 1, 2, 3, 5, 8, 12, 20, 40]) for _ in range(n)],
        **{cube: [rng.choice([0, 0, 1, 2, 3, data.cube_slots]) for _ in range(n)] for cube in CUBES},
        **random_tracks(n, phase, rng, data),
        "citizens": [[own[citizen] for citizen in TYPES] for own in citizens],
        **random_tokens(n, rng, data),
        "recruit": rng.sample(TYPES, len(TYPES)),
        **random_cards(citizens, era_of(round_), rng, data),
        "bonus": {c: rng.sample(range(n), rng.choice([0, 0, rng.randint(0, n)])) for c in CONDITIONS},
        "points": [[rng.randint(0, 60), rng.randint(0, 25), rng.randint(0, 40)] for _ in range(n)],
    }
    marked: list[int] = []
    marked_type = None
    if phase == "decline" and n <= 2:
        display = position["display"]
        marked = rng.sample(display, rng.randint(0, min(4, len(display))))
        marked_type = rng.choice([None, *TYPES]) if n == 1 else None
    return full_position(config, position | {"marked": marked, "marked_type": marked_type})


def random_citizens(rng: random.Random, data: Data) -> dict[str, int]:
    """Often full rows, often one-sided."""
    own = dict.fromkeys(TYPES, 0)
    dense = rng.choice([0.0, 0.4, 0.8, 1.0])
    for a, b in data.pairs:
        total = data.room if rng.random() < dense else rng.randint(0, data.room)
        own[a] = rng.choice([0, total, rng.randint(0, total)])
        own[b] = total - own[a]
    return own


def random_tracks(n: int, phase: str, rng: random.Random, data: Data) -> dict[str, list[int]]:
    """Empty, crowded or full."""
    found: dict[str, list[int]] = {"singles": [], "doubles": [], "locks": []}
    for _ in range(n):
        locks = rng.choice([0, 1, rng.randint(0, data.locks), data.locks])
        room = data.spaces - locks
        full = rng.choice([0, 1, rng.randint(0, room), max(0, room - 2), room])
        doubles = rng.choice([0, 0, full, rng.randint(0, full)])
        for field, value in (("singles", full - doubles), ("doubles", doubles), ("locks", locks)):
            found[field].append(value)
    if phase == "apogee" and all(sum(parts) == data.spaces for parts in zip(*found.values(), strict=True)):
        found["singles"][0] = found["doubles"][0] = 0
    return found


def random_tokens(n: int, rng: random.Random, data: Data) -> dict[str, dict[str, int]]:
    """Tokens of all seats; often all six, often in one region or in the Homes."""
    homes = homes_on_side(data, n)
    places = [("cities", city) for city in data.cities] + [("homes", home) for home in homes]
    like = rng.choice(["cities", "homes", "any", "red", "column"])
    likes = {"any": 1.0, "cities": 0.3, "homes": 0.15, "red": 0.3, "column": 0.3}[like]

    def rank(place: tuple[str, int]) -> float:
        field, number = place
        words = [field, *data.homes[number].large] if field == "homes" else [
            field, data.cities[number].region, data.cities[number].symbol
        ]  # fmt: skip
        return rng.random() * (likes if like in words else 1.0)

    places.sort(key=rank)
    found: dict[str, dict[str, int]] = {"cities": {}, "homes": {}}
    for seat in range(n):
        most = rng.choice([data.tokens, data.tokens, rng.randint(0, data.tokens)])
        for _ in range(min(most, len(places))):
            field, number = places.pop(0)
            found[field][str(number)] = seat
    return {field: dict(sorted(found[field].items(), key=lambda item: int(item[0]))) for field in found}


def random_cards(
    citizens: list[dict[str, int]], era: int, rng: random.Random, data: Data
) -> dict[str, list[Any]]:
    """Every card of the eras somewhere: hands that can be played, abilities in play, a pile, decks."""
    n = len(citizens)
    past = [card for e in range(1, era) for card in data.era_cards(e)]
    now = rng.sample(data.era_cards(era), len(data.era_cards(era)))
    # The display and the deck first, then all others may go anywhere.
    display, now = now[: data.slots], now[data.slots :]
    few = rng.random() < 0.2
    deck: list[int] = []
    if few:
        display = display[: rng.randint(0, data.slots)]
    else:
        cut = rng.randint(0, len(now))
        deck, now = now[:cut], now[cut:]
    rest = [*past, *now]
    rng.shuffle(rest)
    hands: list[list[int]] = [[] for _ in range(n)]
    played: list[list[int]] = [[] for _ in range(n)]

    def lacking(card: int, own: dict[str, int]) -> float:
        needs = data.cards[card].needs
        return sum(max(0, k - own[citizen]) for citizen, k in needs.items()) + rng.random()

    likes_abilities = rng.random() < 0.7
    for seat in rng.sample(range(n), n):
        own = [card for card in rest if data.cards[card].lasting] if likes_abilities else list(rest)
        played[seat] = sorted(own[: rng.choice([0, 2, 4, 7, 9])])
        rest = [card for card in rest if card not in played[seat]]
        wanted = [card for _, card in sorted((lacking(card, citizens[seat]), card) for card in rest)]
        hands[seat] = sorted(wanted[: rng.choice([0, 1, 3, 3, 5, 8])])
        rest = [card for card in rest if card not in hands[seat]]
    pile = [card for card in rest if data.cards[card].era < era]
    later = [rng.sample(data.era_cards(e), len(data.era_cards(e))) for e in ERAS if e > era]
    cut = rng.choice([0, 0, 2, 14])
    return {
        "hands": hands,
        "played": played,
        "display": display,
        "deck": deck,
        "discard": sorted(rng.sample(pile, rng.randint(0, len(pile)))),
        "later": [cards[cut:] for cards in later],
    }
