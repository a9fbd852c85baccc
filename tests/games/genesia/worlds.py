"""All worlds that agree with what a seat knows (RULES 9), found by trying: for small positions, in plain Python.

A world is written down as who has picked what in which round, what is left of each pack, and each seat's hand and
discards. The cards cut away are the rest of the deck.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from genesia_rl.core.bits import members
from genesia_rl.games.genesia.game import GenesiaGame

Cards = frozenset[int]
ROUNDS = 5


class World(NamedTuple):
    """The cards of an Age: picks by seat in order of the rounds, rests of the packs, hands, discards."""

    picks: tuple[tuple[int, ...], ...]
    rests: tuple[Cards, ...]
    hands: tuple[Cards, ...]
    discards: tuple[Cards, ...]


class Table:
    """What a seat knows of the cards of this Age, read off a state without looking at what is hidden."""

    def __init__(self, game: GenesiaGame, s: np.void, seat: int) -> None:
        n, age, t = game.num_seats, int(s["age"]), game.tables[0]
        self.n, self.seat, self.step = n, seat, -1 if age == 1 else 1
        self.deck = set(t["deck"][age, : t["deck_size"][age]].tolist())
        self.drafting = game.kind(np.array([s]), 0) == "draft"
        place = {int(who): k for k, who in enumerate(s["order"][:n])}
        now = int(s["pick"]) if self.drafting else ROUNDS
        #: how many picks each seat has made
        self.made = [min(ROUNDS, now + (self.drafting and place[who] < s["turn"])) for who in range(n)]
        self.own = [int(c) for c in s["picks"][seat][: self.made[seat]]]
        self.sights = {r: set(members(s["seen"][seat, r])) for r in range(min(ROUNDS, now + 1))}
        self.played = [set(members(s["played"][who])) & self.deck for who in range(n)]
        self.sizes = [(len(members(s["hand"][who])), len(members(s["discarded"][who]))) for who in range(n)]
        self.mine = frozenset(members(s["hand"][seat])), frozenset(members(s["discarded"][seat]))
        self.asked, self.answers = answers(game, s, seat)

    def holder(self, pack: int, rnd: int) -> int:
        """R1: who holds the pack in this round."""
        return (pack + self.step * rnd) % self.n

    def may_be(self, pack: int, rnd: int, card: int) -> bool:
        """Does what the seat has seen allow that the card left the pack in this round (5: stayed in it)?"""
        mine = [r for r in self.sights if self.holder(pack, r) == self.seat]
        before, after = [r for r in mine if r <= rnd], [r for r in mine if r > rnd]
        if before and card not in self.sights[before[-1]]:
            return False
        if after and card in self.sights[after[0]]:
            return False
        if not before and any(card in seen for seen in self.sights.values()):
            return False
        if rnd < ROUNDS and self.holder(pack, rnd) == self.seat:
            return card == self.own[rnd]
        return True

    def drafts(self) -> Iterator[tuple[tuple[tuple[int, ...], ...], tuple[Cards, ...]]]:
        """Every way in which the packs may have been picked from: (picks by seat, rests)."""
        spots = [(pack, rnd) for pack in range(self.n) for rnd in range(ROUNDS)
                 if rnd < self.made[self.holder(pack, rnd)]]  # fmt: skip
        yield from self._fill(spots, {}, set())

    def _fill(
        self, spots: list[tuple[int, int]], done: dict[tuple[int, int], int], used: set[int]
    ) -> Iterator[tuple[tuple[tuple[int, ...], ...], tuple[Cards, ...]]]:
        if len(done) == len(spots):
            picks = tuple(
                tuple(done[pack, r] for r in range(self.made[who]) for pack in range(self.n)
                      if self.holder(pack, r) == who)
                for who in range(self.n)
            )  # fmt: skip
            if all(self.played[who] <= set(picks[who]) for who in range(self.n)):
                yield from ((picks, rests) for rests in self._rests(done, used, 0))
            return
        pack, rnd = spots[len(done)]
        who = self.holder(pack, rnd)
        for card in sorted(self.deck - used):
            theirs = all(card not in self.played[other] for other in range(self.n) if other != who)
            if theirs and self.may_be(pack, rnd, card):
                yield from self._fill(spots, {**done, (pack, rnd): card}, used | {card})

    def _rests(
        self, done: dict[tuple[int, int], int], used: set[int], pack: int
    ) -> Iterator[tuple[Cards, ...]]:
        """What is left of the packs, from this one on."""
        if pack == self.n:
            yield ()
            return
        left = 6 - sum(1 for where, _ in done if where == pack)
        last = [r for r in self.sights if self.holder(pack, r) == self.seat]
        free = sorted(card for card in self.deck - used if self.may_be(pack, ROUNDS, card)
                      and not any(card in played for played in self.played))  # fmt: skip
        for rest in combinations(free, left):
            gone = {card for (where, r), card in done.items() if where == pack and last and r >= last[-1]}
            if last and set(rest) | gone != self.sights[last[-1]]:
                continue
            for others in self._rests(done, used | set(rest), pack + 1):
                yield (frozenset(rest), *others)

    def splits(
        self, picks: tuple[tuple[int, ...], ...]
    ) -> Iterator[tuple[tuple[Cards, ...], tuple[Cards, ...]]]:
        """Every way in which the unplayed picks may be hands and discards."""
        unplayed = [frozenset(picks[who]) - self.played[who] for who in range(self.n)]
        ways = [[frozenset(hand) for hand in combinations(sorted(unplayed[who]), self.sizes[who][0])]
                if who != self.seat else [self.mine[0]] for who in range(self.n)]  # fmt: skip
        for hands in product(*ways):
            if self.asked == self.seat or not self.answers or hands[self.asked] & self.answers:
                yield hands, tuple(unplayed[who] - hands[who] for who in range(self.n))

    def worlds(self) -> Iterator[World]:
        """Every world, once."""
        for picks, rests in self.drafts():
            yield from (World(picks, rests, *split) for split in self.splits(picks))


def answers(game: GenesiaGame, s: np.void, seat: int) -> tuple[int, Cards]:
    """Who is asked, and if it is for a card in hand: the cards with which it can answer."""
    asked, kind = int(s["seat"]), game.kinds[int(s["kind"])]
    if asked == seat or kind not in ("copy", "defence", "reinforce"):
        return asked, frozenset()
    cards = game.data.cards
    payable = [c for c in cards.values() if c.cost <= s["coins"][asked]]
    if kind == "copy":
        icons = set(cards[int(s["window_card"])].icons)
        return asked, frozenset(c.number for c in payable if c.timing == "copy" and icons & set(c.copies))
    if kind == "defence":
        return asked, frozenset(c.number for c in payable if c.timing == "defence")
    offence = [c for c in payable if c.timing == "offence"]
    return asked, frozenset(c.number for c in offence if all(e.do != "feint" for e in c.effects))


def world_of(game: GenesiaGame, s: np.void) -> World:
    """The world of a state."""
    n, age = game.num_seats, int(s["age"])
    picks = tuple(tuple(int(c) for c in s["picks"][who] if c) for who in range(n))
    picked = {card for mine in picks for card in mine}
    packs = [{int(c) for c in s["packs"][age, pack]} for pack in range(n)]
    hands = tuple(frozenset(members(s["hand"][who])) for who in range(n))
    discards = tuple(frozenset(members(s["discarded"][who])) for who in range(n))
    return World(picks, tuple(frozenset(pack - picked) for pack in packs), hands, discards)
