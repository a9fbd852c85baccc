"""The state of a game: pieces, coins, cards, lasting effects, and the words of RULES 1."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .board import Board, board_of
from .config import is_solo, seats_of
from .data import Card, Data

CLANS = 30  # RULES 4.2
CITIES = 20


@dataclass
class Lasting:
    """An effect that holds for a while (RULES 7): to the end of one's turn of a phase, or of the Age."""

    effect: dict[str, Any]
    until: str  # "growth", "expansion", "end" (one's own turn of that phase) or "age"
    left: int = 0  # recruit_price: recruits left


@dataclass
class Purse:
    """What pays for steps: free moves first; then coins, unless it is a copier's small turn."""

    free: int = 0
    coins_pay_steps: bool = True


@dataclass
class State:
    """Everything there is on the table."""

    config: dict[str, Any]
    data: Data
    n: int
    board: Board
    order: list[int]
    coins: list[int]
    clans: dict[int, list[int]]
    cities: dict[int, set[int]]
    hands: list[list[int]]
    inventions: list[list[int]]
    marked: list[list[int]]  # those of the Inventions that were copied and bear a clan of the seat (R10)
    progress: list[list[int]]
    points: list[int]
    conquests: list[int]
    kept: list[int | None]
    lasting: list[list[Lasting]]
    purses: list[Purse]
    packs: dict[int, list[list[int]]]
    age: int = 1
    phase: str = "setup"
    # What became of the cards, for checks only: (seat or None, number, "played", "discarded", "unseen").
    card_log: list[tuple[int | None, int, str]] = field(default_factory=list)

    # ---------------------------------------------------------------- words (RULES 1)

    @property
    def seats(self) -> range:
        return range(self.n)

    @property
    def solo(self) -> bool:
        return is_solo(self.config)

    def opponents(self, seat: int) -> list[int]:
        """Every other seat, team-mates too (R7); in the solo mode the other tribe."""
        return [s for s in self.seats if s != seat]

    def occupies(self, seat: int, region: int) -> bool:
        """Presence: at least one clan or a city."""
        return self.clans[region][seat] > 0 or seat in self.cities[region]

    def occupants(self, region: int) -> list[int]:
        return [s for s in self.seats if self.occupies(s, region)]

    def others_in(self, seat: int, region: int) -> list[int]:
        return [s for s in self.occupants(region) if s != seat]

    def free_region(self, region: int) -> bool:
        return not self.occupants(region)

    def occupied_by(self, seat: int) -> list[int]:
        return [r for r in self.board.regions if self.occupies(seat, r)]

    def with_clans(self, seat: int) -> list[int]:
        return [r for r in self.board.regions if self.clans[r][seat] > 0]

    def with_city(self, seat: int) -> list[int]:
        return [r for r in self.board.regions if seat in self.cities[r]]

    def bases(self, seat: int) -> list[int]:
        return sorted({self.board.homeland(seat), *self.with_city(seat)})

    def clan_supply(self, seat: int) -> int:
        """Neither on the map nor markers of copied Inventions."""
        return CLANS - sum(self.clans[r][seat] for r in self.board.regions) - len(self.marked[seat])

    def city_supply(self, seat: int) -> int:
        return CITIES - len(self.with_city(seat))

    def clockwise_after(self, seat: int) -> list[int]:
        """The other seats in turn order, starting after this one."""
        at = self.order.index(seat)
        return self.order[at + 1 :] + self.order[:at]

    # ---------------------------------------------------------------- cards

    def card(self, number: int) -> Card:
        return self.data.cards[number]

    def lose_card(self, seat: int, number: int, how: str) -> None:
        self.hands[seat].remove(number)
        self.card_log.append((seat, number, how))

    # ---------------------------------------------------------------- lasting effects

    def active(self, seat: int, do: str) -> list[Lasting]:
        return [x for x in self.lasting[seat] if x.effect["do"] == do]

    def add_lasting(self, seat: int, effect: dict[str, Any], until: str) -> None:
        if effect["do"] == "recruit_price":
            # "A new recruit_price replaces an older one."
            self.lasting[seat] = [x for x in self.lasting[seat] if x.effect["do"] != "recruit_price"]
            self.lasting[seat].append(Lasting(effect, until, effect["n"]))
        else:
            self.lasting[seat].append(Lasting(effect, until))

    def lapse(self, seat: int, until: str) -> None:
        self.lasting[seat] = [x for x in self.lasting[seat] if x.until != until]

    # ---------------------------------------------------------------- what a trace shows (PROTOCOL 3)

    def picture(self) -> dict[str, Any]:
        clans = {str(r): list(self.clans[r]) for r in self.board.regions if any(self.clans[r])}
        cities = {str(r): sorted(self.cities[r]) for r in self.board.regions if self.cities[r]}
        supply = [self.clan_supply(s) for s in self.seats]
        return {"coins": list(self.coins), "supply": supply, "clans": clans, "cities": cities}


def empty_state(config: dict[str, Any], data: Data) -> State:
    """RULES 4.2: nothing on the map, no coins."""
    n = seats_of(config)
    board = board_of(n)
    return State(
        config=config,
        data=data,
        n=n,
        board=board,
        order=list(range(n)),
        coins=[0] * n,
        clans={r: [0] * n for r in board.regions},
        cities={r: set() for r in board.regions},
        hands=[[] for _ in range(n)],
        inventions=[[] for _ in range(n)],
        marked=[[] for _ in range(n)],
        progress=[[] for _ in range(n)],
        points=[0] * n,
        conquests=[0] * n,
        kept=[None] * n,
        lasting=[[] for _ in range(n)],
        purses=[Purse() for _ in range(n)],
        packs={},
    )


def state_of_deal(config: dict[str, Any], deal: dict[str, Any], data: Data) -> State:
    state = empty_state(config, data)
    state.order = list(deal["turn_order"])
    state.packs = {age: [list(pack) for pack in deal["packs"][age - 1]] for age in (1, 2, 3)}
    return state


def state_of_position(config: dict[str, Any], position: dict[str, Any], data: Data) -> State:
    """PROTOCOL 4."""
    state = empty_state(config, data)
    state.age = position["age"]
    state.phase = position["phase"]
    state.order = list(position["turn_order"])
    state.coins = list(position["coins"])
    for region, by_seat in position["clans"].items():
        state.clans[int(region)] = list(by_seat)
    for region, seats in position["cities"].items():
        state.cities[int(region)] = set(seats)
    state.hands = [list(hand) for hand in position["hands"]]
    state.inventions = [list(cards) for cards in position["inventions"]]
    if "copied" in position:
        state.marked = [list(cards) for cards in position["copied"]]
    state.progress = [list(points) for points in position["progress"]]
    state.conquests = list(position["conquests"])
    state.kept = list(position["objectives"])
    later = range(state.age + 1, 4)
    state.packs = {
        age: [list(pack) for pack in packs] for age, packs in zip(later, position["packs"], strict=True)
    }
    return state
