"""The effects of turn cards (RULES 7), playing a card, and copying."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .asking import Asking, ask, each, number
from .counters import amount
from .data import Card
from .moves import may_stop, small_turn
from .state import Purse, State

LASTING = ("group_moves", "no_toll", "recruit_price", "recruit_anywhere", "offence", "defence", "pacifist")


@dataclass
class Run:
    """The effects of one card being executed for one player."""

    seat: int
    card: Card
    copied: bool
    hosts: set[int] = field(default_factory=set)
    small: Purse = field(default_factory=lambda: Purse(0, coins_pay_steps=False))

    def put(self, state: State, region: int) -> None:
        """A piece of the player has come to the region: whose continent it is becomes a host, if it is another's."""
        owner = state.board.continent(region)
        if owner is not None and owner != self.seat:
            self.hosts.add(owner)


def holds_until(card: Card, copied: bool) -> str:
    """How long the card's lasting effects hold (RULES 7, Icons and Copying)."""
    if copied:
        return "age"
    if len(card.icons) == 1:
        return card.icons[0]  # to the end of that turn
    if set(card.icons) == {"growth", "expansion"}:
        return "expansion"
    # AMBIGUOUS: a Growth + Attack card holds to the end of the Age with all its lasting effects; in the data
    # it has only offence, defence and pacifist, for which nothing else makes sense.
    return "age"  # Growth + Attack: active in that Age's Attack phase; all four: to the end of the Age


# -------------------------------------------------------------------- places (`at`)


def places(state: State, seat: int, at: str) -> list[int]:
    """The regions of the list `at`."""
    board = state.board
    if at == "homeland":
        return [board.homeland(seat)]
    if at == "bases":
        return state.bases(seat)
    if at == "occupied":
        return state.occupied_by(seat)
    if at == "own":
        own = [r for r in board.regions if board.continent(r) == seat]
        return [r for r in own if board.is_homeland(r) or not state.others_in(seat, r)]
    if at == "frontier":
        mine = set(state.occupied_by(seat))
        return [r for r in board.regions if state.free_region(r) and mine & set(board.adjacent[r])]
    if at == "foreign_homeland":
        return [board.homeland(s) for s in state.opponents(seat)]
    assert at == "free_outer", at
    outer = [r for r in board.regions if board.continent(r) is not None and not board.is_homeland(r)]
    return [r for r in outer if state.free_region(r)]


def city_places(state: State, seat: int, at: str) -> list[int]:
    """The regions of that list in which a city of one's own is possible."""
    return [
        r
        for r in places(state, seat, at)
        if seat not in state.cities[r] and (state.board.is_homeland(r) or not state.others_in(seat, r))
    ]


# -------------------------------------------------------------------- effects that ask


def do_clans(state: State, run: Run, effect: dict[str, Any]) -> Asking:
    seat, at = run.seat, effect["at"]
    if at == "foreign_homeland":
        clans = min(effect["n"], state.clan_supply(seat))
        if clans == 0:
            return
        region = number((yield from ask(seat, "place", each("region", places(state, seat, at)))))
        state.clans[region][seat] += clans
        run.put(state, region)
        return
    for _ in range(effect["n"]):
        eligible = places(state, seat, at)
        if state.clan_supply(seat) == 0 or not eligible:
            return
        region = number((yield from ask(seat, "place", each("region", eligible))))
        state.clans[region][seat] += 1
        run.put(state, region)


def do_city(state: State, run: Run, effect: dict[str, Any]) -> Asking:
    seat, at = run.seat, effect["at"]
    times = 1 if at == "foreign_homeland" else effect["n"]  # "one homeland, one city"
    for _ in range(times):
        eligible = city_places(state, seat, at)
        if state.city_supply(seat) == 0 or not eligible:
            return
        region = number((yield from ask(seat, "found", each("region", eligible))))
        state.cities[region].add(seat)
        run.put(state, region)


def do_take(state: State, run: Run, effect: dict[str, Any]) -> Asking:
    seat = run.seat
    victims = [s for s in state.opponents(seat) if state.coins[s] >= 1]
    if effect["who"] == "one" and victims:
        victims = [number((yield from ask(seat, "rob", each("seat", victims))))]
    for victim in victims:
        taken = min(effect["n"], state.coins[victim])
        state.coins[victim] -= taken
        state.coins[seat] += taken


def do_relay(state: State, run: Run, effect: dict[str, Any]) -> Asking:
    seat = run.seat
    occupied = state.occupied_by(seat)
    origins = state.with_clans(seat)
    if not origins or len(occupied) < 2:
        return
    answer = yield from ask(seat, "relay_from", [*each("region", origins), "end"])
    if answer == "end":
        return
    a = number(answer)
    b = number((yield from ask(seat, "relay_to", each("region", [r for r in occupied if r != a]))))
    yield from carry(state, run, "relay_amount", a, b, effect["n"])


def leap_places(state: State, seat: int, a: int, distance: int) -> list[int]:
    near = state.board.distances(a)
    return [r for r in state.board.regions if 1 <= near[r] <= distance and may_stop(state, seat, r)]


def do_leap(state: State, run: Run, effect: dict[str, Any]) -> Asking:
    seat, distance = run.seat, effect["d"]
    origins = [a for a in state.with_clans(seat) if leap_places(state, seat, a, distance)]
    if not origins:
        return
    answer = yield from ask(seat, "leap_from", [*each("region", origins), "end"])
    if answer == "end":
        return
    a = number(answer)
    b = number((yield from ask(seat, "leap_to", each("region", leap_places(state, seat, a, distance)))))
    yield from carry(state, run, "leap_amount", a, b, effect["n"])


def carry(state: State, run: Run, kind: str, a: int, b: int, most: int) -> Asking:
    """1..most of the clans in a go to b, free, whatever the distance."""
    seat = run.seat
    most = min(most, state.clans[a][seat])
    clans = number((yield from ask(seat, kind, each("amount", range(1, most + 1)))))
    state.clans[a][seat] -= clans
    state.clans[b][seat] += clans
    run.put(state, b)


ASKING_EFFECTS = {"clans": do_clans, "city": do_city, "take": do_take, "relay": do_relay, "leap": do_leap}


# -------------------------------------------------------------------- effects that do not ask


def do_at_once(state: State, run: Run, effect: dict[str, Any]) -> None:
    seat, do = run.seat, effect["do"]
    if do in LASTING:
        state.add_lasting(seat, effect, holds_until(run.card, run.copied))
    elif do == "coins":
        state.coins[seat] += amount(state, seat, effect)
    elif do == "score":
        state.points[seat] += amount(state, seat, effect)
    elif do == "others_coins":
        for other in state.opponents(seat):
            state.coins[other] += effect["n"]
    elif do == "moves":
        # Those gained after one's Expansion turn are lost with the Age.
        (run.small if run.copied else state.purses[seat]).free += effect["n"]
    elif do == "host_coins":
        for host in run.hosts:
            state.coins[host] += effect["n"]
    elif do == "host_clans":
        for host in run.hosts:
            clans = min(effect["n"], state.clan_supply(host))
            state.clans[state.board.homeland(host)][host] += clans
    else:
        raise AssertionError(f"card {run.card.number}: {do} is no effect of a turn card")


def run_effects(state: State, seat: int, card: Card, copied: bool) -> Asking:
    """Effects are executed in the listed order; a copier then uses the card's free moves."""
    if card.invention:
        state.inventions[seat].append(card.number)  # counts itself: "the one being played included"
    run = Run(seat, card, copied)
    for effect in card.effects:
        if effect["do"] in ASKING_EFFECTS:
            yield from ASKING_EFFECTS[effect["do"]](state, run, effect)
        else:
            do_at_once(state, run, effect)
    if copied:
        yield from small_turn(state, seat, run.small)


# -------------------------------------------------------------------- playing and copying


def playable(state: State, seat: int, timing: str, icon: str) -> list[Card]:
    """PROTOCOL 2: in hand, the right timing and icon for this moment, cost at most the coins."""
    cards = [state.card(c) for c in state.hands[seat]]
    return [c for c in cards if c.timing == timing and icon in c.icons and c.cost <= state.coins[seat]]


def pay_for(state: State, seat: int, card: Card) -> None:
    """The card leaves the hand at once, and its cost goes to the reserve."""
    state.lose_card(seat, card.number, "played")
    state.coins[seat] -= card.cost
    assert state.coins[seat] >= 0


def discard(state: State, seat: int, card: int) -> None:
    """RULES 5.B: a card in hand may be discarded for 4 coins."""
    state.lose_card(seat, card, "discarded")
    state.coins[seat] += 4


def play_turn_card(state: State, seat: int, card: Card) -> Asking:
    """Play a turn card: its effects, and then the copy window, except in an assault turn."""
    pay_for(state, seat, card)
    yield from run_effects(state, seat, card, copied=False)
    if state.phase in ("growth", "expansion", "end"):
        yield from copy_window(state, seat, card)


def mark(state: State, seat: int, card: Card) -> None:
    """R10: a clan of the copier's supply marks the copied Invention; if none is there now, none ever does."""
    if card.invention and state.clan_supply(seat) > 0:
        state.marked[seat].append(card.number)


def copy_window(state: State, player: int, card: Card) -> Asking:
    """Holders of a matching, affordable copy card may answer, in turn order starting after the player."""
    for seat in state.clockwise_after(player):
        held = [state.card(c) for c in state.hands[seat]]
        answers = [
            c
            for c in held
            if c.timing == "copy" and set(c.copies) & set(card.icons) and c.cost <= state.coins[seat]
        ]
        if not answers:
            continue
        answer = yield from ask(seat, "copy", [*each("card", (c.number for c in answers)), "end"])
        if answer != "end":
            pay_for(state, seat, state.card(number(answer)))
            mark(state, seat, card)
            yield from run_effects(state, seat, card, copied=True)
