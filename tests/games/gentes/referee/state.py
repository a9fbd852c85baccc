"""What is on the table: the seats, the market, the map; and how a trace shows it (PROTOCOL 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .data import CONDITIONS, CUBES, REGIONS, TYPES, ActionTile, Card, City, Data

PARTS = ("cards", "synergy", "other", "end")  # of a score
LAST_ROUND = 6
SOLO_HIGH_ROUNDS = 4  # RULES 7: rounds 1-4 of the solo game


@dataclass
class Seat:
    """What belongs to one seat, tokens excepted."""

    coins: int = 0
    cubes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CUBES, 0))
    citizens: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TYPES, 0))
    singles: int = 0  # lone hourglasses
    doubles: int = 0  # pairs
    locks: int = 0
    hand: list[int] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    late: list[int] = field(
        default_factory=list
    )  # of `played`: in the final scoring, without lasting effects
    points: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PARTS, 0))

    @property
    def all_cubes(self) -> int:
        return sum(self.cubes.values())


@dataclass
class State:
    """One game at one moment. It is changed in place by the rules."""

    config: dict[str, Any]
    data: Data
    seats: list[Seat]
    first: int = 0
    next_first: int | None = None
    round: int = 1
    phase: str = "setup"  # setup, apogee, decline, scoring
    cities: dict[int, int] = field(default_factory=dict)  # place -> seat of the token
    homes: dict[int, int] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)  # Homes and cards, as in actions
    taken: dict[int, int] = field(default_factory=dict)  # action tile -> seat on whose track it lies
    display: list[int | None] = field(default_factory=list)  # None: a gap
    marked: set[int] = field(default_factory=set)
    recruit: list[str] = field(default_factory=lambda: list(TYPES))
    marked_type: str | None = None
    deck: list[int] = field(default_factory=list)
    later: list[list[int]] = field(default_factory=list)  # decks of the later eras
    discard: list[int] = field(default_factory=list)
    box: list[int] = field(default_factory=list)
    open: list[int] = field(default_factory=list)  # the cards still open in the draft
    bonus: dict[str, list[int]] = field(default_factory=lambda: {c: [] for c in CONDITIONS})
    tiles: list[ActionTile] = field(default_factory=list)  # those in the game

    def __post_init__(self) -> None:
        every = self.data.tiles.values()  # RULES 3, step 8
        self.tiles = [tile for tile in every if (tile.solo if self.solo else self.n in tile.players)]

    # ---- the game

    @property
    def n(self) -> int:
        return len(self.seats)

    @property
    def solo(self) -> bool:
        return self.n == 1

    @property
    def small(self) -> bool:
        """One or two players: the small side of the board, marked slots, boxed cards."""
        return self.n <= 2

    @property
    def era(self) -> int:
        return era_of(self.round)

    def seat_order(self) -> list[int]:
        """RULES 1: clockwise from the first player."""
        return [(self.first + k) % self.n for k in range(self.n)]

    def card(self, number: int) -> Card:
        return self.data.cards[number]

    def bonus_points(self, condition: str) -> list[int]:
        """The points of a condition's tiles in the game, the highest first."""
        tiles = [tile for tile in self.data.bonus if tile.condition == condition]
        return sorted(
            (t.points for t in tiles if (t.solo if self.solo else self.n in t.players)), reverse=True
        )

    # ---- citizens

    def can_recruit(self, seat: int, citizen: str) -> bool:
        return self.seats[seat].citizens[citizen] < self.data.room

    def recruitable(self, seat: int) -> list[str]:
        return [citizen for citizen in TYPES if self.can_recruit(seat, citizen)]

    def recruit_one(self, seat: int, citizen: str) -> None:
        """RULES 4: if the row is full, the opposite type loses one."""
        own, opposite = self.seats[seat].citizens, self.data.opposite(citizen)
        if not self.can_recruit(seat, citizen):
            raise AssertionError(f"seat {seat} cannot recruit a {citizen}")
        if own[citizen] + own[opposite] == self.data.room:
            own[opposite] -= 1
        own[citizen] += 1

    def lose_one(self, seat: int, citizen: str) -> None:
        own = self.seats[seat].citizens
        own[citizen] = max(0, own[citizen] - 1)

    def types_of(self, seat: int) -> list[str]:
        return [citizen for citizen in TYPES if self.seats[seat].citizens[citizen] > 0]

    # ---- the track

    def tiles_on_track(self, seat: int) -> int:
        return sum(owner == seat for owner in self.taken.values())

    def free_spaces(self, seat: int) -> int:
        own = self.seats[seat]
        return self.data.spaces - own.locks - own.singles - own.doubles - self.tiles_on_track(seat)

    # ---- tokens

    def own_cities(self, seat: int, region: str | None = None) -> list[City]:
        """Cities with a token of the seat, by rising number; of one region only, if it is given."""
        found = [self.data.cities[city] for city in sorted(self.cities) if self.cities[city] == seat]
        return [city for city in found if region is None or city.region == region]

    def own_homes(self, seat: int) -> list[int]:
        return [home for home in sorted(self.homes) if self.homes[home] == seat]

    def tokens_placed(self, seat: int) -> int:
        return len(self.own_cities(seat)) + len(self.own_homes(seat))

    def own_regions(self, seat: int) -> list[str]:
        return [region for region in REGIONS if self.own_cities(seat, region)]

    def home_symbols(self, home: int) -> tuple[str, ...]:
        """The symbols of a Home on the side of the board in use; none: the Home is not there."""
        own = self.data.homes[home]
        return own.small if self.small else own.large

    def with_symbol(self, seat: int, symbol: str) -> int:
        """How many own tokens stand on spaces with the symbol."""
        cities = sum(city.symbol == symbol for city in self.own_cities(seat))
        return cities + sum(symbol in self.home_symbols(home) for home in self.own_homes(seat))

    # ---- points and coins

    def score(self, seat: int, part: str, points: int) -> None:
        self.seats[seat].points[part] += points

    def receive(self, seat: int, what: str, n: int) -> None:
        """Coins, points (of `other`) or cubes; a cube for which there is no room is not gained."""
        own = self.seats[seat]
        if what == "coins":
            own.coins += n
        elif what == "points":
            self.score(seat, "other", n)
        else:
            own.cubes[what] = min(own.cubes[what] + n, self.data.cube_slots)

    def pay(self, seat: int, coins: int) -> None:
        if coins > self.seats[seat].coins:
            raise AssertionError(f"seat {seat} cannot pay {coins}")
        self.seats[seat].coins -= coins

    # ---- the display

    def take_from_display(self, seat: int, card: int) -> int:
        """The card goes to the hand and leaves a gap; the slot it lay in."""
        slot = self.display.index(card) + 1
        self.display[slot - 1] = None
        self.marked.discard(card)
        self.seats[seat].hand.append(card)
        return slot

    def fill_display(self) -> None:
        """Slide to the left, and fill from the deck as far as it goes."""
        self.display = [card for card in self.display if card is not None]
        missing = self.data.slots - len(self.display)
        self.display += self.deck[:missing]
        self.deck = self.deck[missing:]

    # ---- as a trace shows it

    def picture(self) -> dict[str, Any]:
        """The state before a decision (PROTOCOL 3)."""
        seats = self.seats
        return {
            "round": self.round,
            "first": self.first,
            "next_first": self.next_first,
            "coins": [own.coins for own in seats],
            "points": [[own.points[part] for part in PARTS] for own in seats],
            "citizens": [[own.citizens[citizen] for citizen in TYPES] for own in seats],
            "temple": [own.cubes["temple"] for own in seats],
            "oracle": [own.cubes["oracle"] for own in seats],
            "time": [
                [self.tiles_on_track(seat), own.singles, own.doubles, own.locks]
                for seat, own in enumerate(seats)
            ],
            "hands": [sorted(own.hand) for own in seats],
            "played": [sorted(own.played) for own in seats],
            "cities": {str(city): self.cities[city] for city in sorted(self.cities)},
            "homes": {str(home): self.homes[home] for home in sorted(self.homes)},
            "used": sorted(self.used),
            "taken": sorted(self.taken),
            "display": list(self.display),
            "marked": sorted(self.marked),
            "recruit": list(self.recruit),
            "marked_type": self.marked_type,
            "deck": len(self.deck),
            "discard": sorted(self.discard),
            "bonus": {condition: list(self.bonus[condition]) for condition in CONDITIONS},
        }


def era_of(round_number: int) -> int:
    return (round_number + 1) // 2


def homes_on_side(data: Data, players: int) -> list[int]:
    """The Homes that exist with so many players."""
    return [h.number for h in data.homes.values() if (h.small if players <= 2 else h.large)]


def state_of_deal(config: dict[str, Any], deal: Mapping[str, Any], data: Data) -> State:
    """RULES 3, steps 1 and 2; all decks are still complete."""
    seats = [
        Seat(coins=data.start_coins, locks=data.locks, singles=data.hourglasses)
        for _ in range(config["players"])
    ]
    state = State(config, data, seats, first=deal["first"], recruit=list(deal["recruit"]))
    state.open = list(deal["draft"])
    state.later = [list(deck) for deck in deal["decks"]]
    return state


def state_of_position(config: dict[str, Any], position: Mapping[str, Any], data: Data) -> State:
    """PROTOCOL 4. The position is valid and has all fields."""
    seats = []
    for seat in range(config["players"]):
        cards, synergy, other = position["points"][seat]
        seats.append(
            Seat(
                coins=position["coins"][seat],
                cubes={cube: position[cube][seat] for cube in CUBES},
                citizens=dict(zip(TYPES, position["citizens"][seat], strict=True)),
                singles=position["singles"][seat],
                doubles=position["doubles"][seat],
                locks=position["locks"][seat],
                hand=list(position["hands"][seat]),
                played=list(position["played"][seat]),
                points={"cards": cards, "synergy": synergy, "other": other, "end": 0},
            )
        )
    state = State(config, data, seats)
    for name in ("first", "next_first", "round", "phase", "marked_type"):
        setattr(state, name, position[name])
    for name in ("display", "deck", "discard", "recruit"):
        setattr(state, name, list(position[name]))
    state.cities = {int(city): seat for city, seat in position["cities"].items()}
    state.homes = {int(home): seat for home, seat in position["homes"].items()}
    state.marked = set(position["marked"])
    state.later = [list(deck) for deck in position["later"]]
    state.bonus = {condition: list(position["bonus"][condition]) for condition in CONDITIONS}
    state.box = sorted(set(data.cards) - set(cards_outside_box(state)))
    return state


def cards_outside_box(state: State) -> list[int]:
    """Every card that is in some place other than the box, as often as it is there."""
    cards = [card for own in state.seats for card in (*own.hand, *own.played)]
    cards += [card for card in state.display if card is not None]
    cards += [*state.deck, *state.discard, *state.open]
    return cards + [card for deck in state.later for card in deck]
