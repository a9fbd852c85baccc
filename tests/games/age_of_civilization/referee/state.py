"""What is on the table, and how far the turn is (RULES 1, 2 and 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .config import is_solo
from .data import Card, Data

MOST_WORKERS = 4
START_COINS = 3
FIRST_MARKET = 5


@dataclass
class Seat:
    """What one seat has."""

    coins: int = START_COINS
    points: int = 0
    workers: int = 0  # owned
    idle: int = 0  # of those owned
    main: int | None = None
    civilizations: list[int] = field(default_factory=list)  # with the main one
    technologies: list[int] = field(default_factory=list)
    special: int | None = None
    wonders: list[int] = field(default_factory=list)
    hand: list[int] = field(default_factory=list)

    def gain_workers(self, number: int) -> None:
        gained = min(number, MOST_WORKERS - self.workers)
        self.workers += gained
        self.idle += gained

    def lose_coins(self, number: int) -> None:
        self.coins -= min(number, self.coins)

    def gain_or_lose_coins(self, number: int) -> None:
        if number >= 0:
            self.coins += number
        else:
            self.lose_coins(-number)

    def sacrifice(self, number: int = 1) -> None:
        """Of workers none of which is placed."""
        self.workers = self.idle = max(0, self.workers - number)


@dataclass
class State:
    """One game at one moment. It is changed in place by the rules."""

    config: dict[str, Any]
    data: Data
    seats: list[Seat]
    track: list[str]
    events: list[int] | None
    first: int  # the seat with the first player token
    market: dict[int, int]  # coins by civilization
    deck: list[int]
    wonder_market: list[int]
    special_market: list[int]
    packs: list[list[int]] | None = None  # only during the draft
    round: int = 1
    seat: int = 0  # whose turn it is
    # how far the turn is
    step: str = "start"
    performed: Counter[str] = field(default_factory=Counter)  # times on a space, by action
    placed: Counter[str] = field(default_factory=Counter)  # workers on spaces, by action
    ended: list[str] = field(default_factory=list)  # abilities done in this end of the turn
    bonus: int = 0  # of the civilization that is being taken

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def solo(self) -> bool:
        return is_solo(self.config)

    @property
    def upcoming(self) -> int:
        """RULES 1: the number of upcoming cards."""
        return 6 - self.round

    def card(self, number: int) -> Card:
        """The number-th card of the track, counted from 1."""
        return self.data.cards[self.track[number - 1]]

    def open_cards(self, future: bool) -> list[Card]:
        """The three open cards, and the upcoming ones too with `future`."""
        last = 8 if future else self.round + 2
        return [self.card(number) for number in range(self.round, last + 1)]

    def others(self, seat: int) -> list[Seat]:
        return [other for s, other in enumerate(self.seats) if s != seat]

    def coins_on_market(self) -> None:
        """1 coin on every card of the market, then a card of the deck without coins, if there is one."""
        for card in self.market:
            self.market[card] += 1
        if self.deck:
            self.market[self.deck.pop(0)] = 0


def state_of_deal(config: dict[str, Any], deal: Mapping[str, Any], data: Data) -> State:
    """RULES 4; with draft the market comes later."""
    deck = list(deal["deck"])
    packs = deal["packs"]
    return State(
        config=config,
        data=data,
        seats=[Seat() for _ in range(config["players"])],
        track=list(deal["track"]),
        events=None if deal["events"] is None else list(deal["events"]),
        first=deal["first"],
        market=dict.fromkeys(deck[:FIRST_MARKET], 0),
        deck=deck[FIRST_MARKET:],
        wonder_market=list(deal["wonders"]),
        special_market=list(deal["specials"] or []),
        packs=None if packs is None else [list(pack) for pack in packs],
        seat=deal["first"],
    )


def state_of_position(config: dict[str, Any], position: Mapping[str, Any], data: Data) -> State:
    """PROTOCOL 4: the start of a seat's turn. The position is valid and has all its keys."""
    seats = [
        Seat(
            coins=position["coins"][s],
            points=position["points"][s],
            workers=position["workers"][s],
            idle=position["workers"][s],
            main=position["main"][s],
            civilizations=list(position["civilizations"][s]),
            technologies=list(position["technologies"][s]),
            special=position["special_cards"][s],
            wonders=list(position["wonders"][s]),
            hand=list(position["hands"][s]),
        )
        for s in range(config["players"])
    ]
    return State(
        config=config,
        data=data,
        seats=seats,
        track=list(position["track"]),
        events=None if position["events"] is None else list(position["events"]),
        first=position["first"],
        market=dict(position["market"]),
        deck=list(position["deck"]),
        wonder_market=list(position["wonder_market"]),
        special_market=list(position["special_market"]),
        round=position["round"],
        seat=position["seat"],
    )
