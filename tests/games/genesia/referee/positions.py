"""Positions (PROTOCOL 4): what makes one valid, and random ones that are rich in conflict."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .board import Board, board_of
from .config import is_solo, objective_pool, packs_problems, random_packs, resolve_config, seats_of
from .data import Data, load_data
from .shapes import by_region, shape_problems, whole
from .state import CITIES, CLANS

PHASES = ("growth", "expansion", "attack", "end")
FIELDS = (
    "age", "phase", "turn_order", "coins", "hands", "clans", "cities", "inventions", "progress",
    "conquests", "objectives", "packs",
)  # fmt: skip
OPTIONAL = ("copied",)
DEPTHS = {
    "turn_order": 1, "coins": 1, "conquests": 1, "hands": 2, "inventions": 2, "copied": 2, "progress": 2, "packs": 3,
}  # fmt: skip

# -------------------------------------------------------------------- valid positions


def check_position(
    config: Mapping[str, Any], position: Mapping[str, Any], data: Data | None = None
) -> list[str]:
    """What is wrong with a position; an empty list if nothing is."""
    data = data or load_data()
    config = resolve_config(config, data)
    n = seats_of(config)
    missing = [f for f in FIELDS if f not in position]
    if missing:
        return [f"fields missing: {', '.join(missing)}"]
    unknown = sorted(set(position) - {*FIELDS, *OPTIONAL})
    if unknown:
        return [f"unknown fields: {', '.join(unknown)}"]
    if (
        type(position["age"]) is not int
        or position["age"] not in (1, 2, 3)
        or position["phase"] not in PHASES
    ):
        return [f"age {position['age']!r}, phase {position['phase']!r}: no such moment"]
    problems = _shape_problems(position)
    if problems:
        return problems
    if is_solo(config) and position["phase"] == "attack":
        problems.append("phase attack: there is none in the solo mode")
    if sorted(position["turn_order"]) != list(range(n)):
        problems.append(f"turn_order {position['turn_order']} is no permutation of the seats")
    for field in ("coins", "hands", "inventions", "progress", "conquests", "objectives", *OPTIONAL):
        if field in position and len(position[field]) != n:
            problems.append(f"{field}: not {n} entries")
    if problems:
        return problems
    for field in ("coins", "conquests"):
        if min(position[field]) < 0:
            problems.append(f"{field} {position[field]}: not numbers of at least 0")
    problems += _map_problems(n, position)
    problems += _card_problems(n, position, data)
    problems += _other_problems(config, position, data)
    return problems


def _shape_problems(position: Mapping[str, Any]) -> list[str]:
    problems = shape_problems(position, DEPTHS)
    for field in ("clans", "cities"):
        if not by_region(position[field]):
            problems.append(f"{field} = {position[field]!r}: allowed an object from regions to lists")
    objectives = position["objectives"]
    if not isinstance(objectives, list | tuple) or not all(o is None or whole(o, 0) for o in objectives):
        problems.append(f"objectives = {objectives!r}: allowed numbers or null by seat")
    return problems


def _map_problems(n: int, position: Mapping[str, Any]) -> list[str]:
    board = board_of(n)
    problems = []
    clans = {int(r): by_seat for r, by_seat in position["clans"].items()}
    cities = {int(r): seats for r, seats in position["cities"].items()}
    strange = sorted((set(clans) | set(cities)) - set(board.regions))
    if strange:
        return [f"regions {strange} do not exist"]
    for r, by_seat in clans.items():
        if len(by_seat) != n or min(by_seat) < 0:
            return [f"clans of region {r}: {by_seat} is not a number of at least 0 for each seat"]
    for r, seats in cities.items():
        if len(set(seats)) != len(seats) or not set(seats) <= set(range(n)):
            return [f"cities of region {r}: {seats} are not different seats"]
    for s in range(n):
        markers = len(position["copied"][s]) if "copied" in position else 0
        if sum(by_seat[s] for by_seat in clans.values()) + markers > CLANS:
            problems.append(f"seat {s} has more than {CLANS} clans, markers included")
        if sum(s in seats for seats in cities.values()) > CITIES:
            problems.append(f"seat {s} has more than {CITIES} cities")
    for r in board.regions:
        present = {s for s in range(n) if clans.get(r, [0] * n)[s] > 0} | set(cities.get(r, []))
        if len(present) > 1 and not board.is_homeland(r):
            problems.append(f"region {r} is no homeland and holds the seats {sorted(present)}")
    return problems


def _card_problems(n: int, position: Mapping[str, Any], data: Data) -> list[str]:
    problems = []
    age = position["age"]
    for s in range(n):
        hand, table = position["hands"][s], position["inventions"][s]
        if len(hand) > 5:
            problems.append(f"hand of seat {s}: more than five cards")
        if not set(hand) <= set(data.age_cards(age)):
            problems.append(f"hand of seat {s}: {hand} are not all cards of Age {age}")
        known = [data.cards[c] for c in table if c in data.cards]
        if len(known) != len(table) or any(c.invention == 0 or c.age > age for c in known):
            problems.append(f"inventions of seat {s}: {table} are not all Inventions of Age {age} or before")
        if len(set(table)) != len(table):
            problems.append(f"inventions of seat {s}: one is there twice")
        copied = position["copied"][s] if "copied" in position else []
        if len(set(copied)) != len(copied) or not set(copied) <= set(table):
            problems.append(f"copied of seat {s}: {copied} are not different ones of its inventions {table}")
    held = Counter(c for hand in position["hands"] for c in hand)
    twice = [c for c, times in held.items() if times > 1]
    if twice:
        problems.append(f"hands: cards {twice} are in two hands")
    both = set(held) & {c for table in position["inventions"] for c in table}
    if both:
        problems.append(f"cards {sorted(both)} are in a hand and among the Inventions")
    return problems


def _other_problems(config: Mapping[str, Any], position: Mapping[str, Any], data: Data) -> list[str]:
    problems = []
    age = position["age"]
    for s, points in enumerate(position["progress"]):
        if len(points) != age - 1 or min(points, default=0) < 0:
            problems.append(f"progress of seat {s}: {points} are not the points of the {age - 1} Ages done")
    kept = [o for o in position["objectives"] if o is not None]
    if len(set(kept)) != len(kept) or not set(kept) <= set(objective_pool(config, data)):
        problems.append(f"objectives {position['objectives']}: not different ones of the pool")
    if len(position["packs"]) != 3 - age:
        return [*problems, f"packs: not one list for each Age after Age {age}"]
    for later, packs in zip(range(age + 1, 4), position["packs"], strict=True):
        problems += packs_problems(config, later, packs, data)
    return problems


# -------------------------------------------------------------------- random positions


def random_position(
    config: Mapping[str, Any],
    rng: random.Random,
    data: Data | None = None,
    age: int | None = None,
    phase: str | None = None,
) -> dict[str, Any]:
    """A valid position with a dense map where the players are in each other's way."""
    data = data or load_data()
    config = resolve_config(config, data)
    n = seats_of(config)
    age = age or rng.choice([1, 2, 3, 3])
    phases = [p for p in PHASES if not (is_solo(config) and p == "attack")]
    phase = phase or rng.choice(phases)
    clans, cities = random_map(n, rng)
    hands = random_hands(n, age, phase, rng, data)
    inventions = random_inventions(n, age, hands, rng, data)
    copied = random_markers(clans, inventions, rng)
    order = list(range(n))
    rng.shuffle(order)
    pool: list[int | None] = [*objective_pool(config, data)]
    rng.shuffle(pool)
    pool = [o if rng.random() < 0.9 else None for o in pool] + [None] * n
    return {
        "age": age,
        "phase": phase,
        "turn_order": order,
        "coins": [rng.choice([0, 0, 1, 2, 3, 4, 5, 8, 15, 15, 30]) for _ in range(n)],
        "hands": hands,
        "clans": {str(r): by_seat for r, by_seat in sorted(clans.items()) if any(by_seat)},
        "cities": {str(r): sorted(seats) for r, seats in sorted(cities.items()) if seats},
        "inventions": inventions,
        "progress": [[rng.randint(0, 12) for _ in range(age - 1)] for _ in range(n)],
        "conquests": [rng.choice([0, 0, 1, 2, 5]) for _ in range(n)],
        "objectives": pool[:n],
        "packs": [random_packs(config, later, rng, data) for later in range(age + 1, 4)],
        **({"copied": copied} if any(copied) else {}),
    }


def random_owners(board: Board, rng: random.Random) -> dict[int, list[int]]:
    """Which regions every seat holds: outside homelands one seat at most."""
    n = board.n
    density = rng.choice([0.15, 0.4, 0.7, 0.95, 1.0])
    at_home = rng.choice([0.0, 0.3, 0.7])  # how often a region belongs to the seat of its continent
    weights = [rng.choice([1, 1, 1, 4]) for _ in range(n)]
    owned: dict[int, list[int]] = {s: [] for s in range(n)}
    for r in board.regions:
        continent = board.continent(r)
        if board.is_homeland(r):
            for s in range(n):
                if rng.random() < (0.6 if s == continent else 0.3):
                    owned[s].append(r)
        elif rng.random() < density:
            stays = continent is not None and rng.random() < at_home
            seat = continent if stays and continent is not None else rng.choices(range(n), weights)[0]
            owned[seat].append(r)
    return owned


def random_map(n: int, rng: random.Random) -> tuple[dict[int, list[int]], dict[int, set[int]]]:
    board = board_of(n)
    clans = {r: [0] * n for r in board.regions}
    cities: dict[int, set[int]] = {r: set() for r in board.regions}
    for s, regions in random_owners(board, rng).items():
        if not regions:
            continue
        wanted = rng.choice([0, 2, 4, 7, 11, 16, 18, 19, 20])
        for r in rng.sample(regions, min(wanted, len(regions))):
            cities[r].add(s)
        total = rng.choice([1, 4, 8, 14, 20, 26, 28, 29, 30, 30])
        without_city = [r for r in regions if s not in cities[r]]
        sites = rng.sample(regions, rng.randint(1, min(len(regions), total)))
        if rng.random() < 0.4:  # every region is held by something, cities mostly without clans
            sites = without_city or sites
        for i in range(total):
            # first one clan everywhere, then stacks
            clans[sites[i] if i < len(sites) and rng.random() < 0.7 else rng.choice(sites)][s] += 1
    return clans, cities


def random_hands(n: int, age: int, phase: str, rng: random.Random, data: Data) -> list[list[int]]:
    """Any cards of the Age; often those come first that the phase, or the Attack phase, can use."""
    wanted = rng.choice([phase, phase, "attack", "copy", "any"])

    def rank(number: int) -> float:
        card = data.cards[number]
        useful = wanted in (*card.icons, card.timing) or (wanted == "copy" and phase in card.icons)
        return rng.random() - (0.6 if useful else 0.0)

    cards = sorted(data.age_cards(age), key=rank)
    most = rng.choice([2, 5, 5])
    hands: list[list[int]] = [[] for _ in range(n)]
    for _ in range(most):
        for s in range(n):
            if rng.random() < 0.9:
                hands[s].append(cards.pop(0))
    return hands


def random_inventions(
    n: int, age: int, hands: list[list[int]], rng: random.Random, data: Data
) -> list[list[int]]:
    """Inventions of this or an earlier Age that are in nobody's hand; copies make doubles possible."""
    held = {c for hand in hands for c in hand}
    possible = [
        c.number for c in data.cards.values() if c.invention and c.age <= age and c.number not in held
    ]
    return [rng.sample(possible, min(len(possible), rng.randint(0, 2 * age))) for _ in range(n)]


def random_markers(
    clans: dict[int, list[int]], inventions: list[list[int]], rng: random.Random
) -> list[list[int]]:
    """Which Inventions bear a clan: as many at most as are not on the map, often the very last of them."""
    markers = []
    for s, table in enumerate(inventions):
        left = CLANS - sum(by_seat[s] for by_seat in clans.values())
        most = min(left, len(table))
        markers.append(rng.sample(table, rng.choice([0, most, rng.randint(0, most)])))
    return markers
