"""The Attack phase (RULES 5.B Attack)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .asking import Asking, ask, each, edge, ends, number, verb
from .data import Card
from .effects import discard, pay_for, play_turn_card, playable
from .recruit import recruit, recruiting_places
from .state import State


@dataclass
class Assault:
    """What the cards played for this assault add up to (RULES 7)."""

    attacker: int
    strike: int = 0
    ward: int = 0
    feint: int = 0
    raid: int = 0
    storm: bool = False
    rout: bool = False
    fortify: bool = False
    parried: bool = False


# -------------------------------------------------------------------- rounds


def attack_phase(state: State) -> Asking:
    spent: set[int] = set()
    while True:
        at_war = yield from stances(state, spent)
        if not at_war:
            return  # all Peace
        idle = set()
        for seat in [s for s in state.order if s in at_war]:
            if not (yield from assault_turn(state, seat)):
                idle.add(seat)
        # R3: an assault frees all who were spent before, but not those who chose War and launched none now
        spent = spent | idle if idle == at_war else idle


def stances(state: State, spent: set[int]) -> Asking:
    """Every player secretly chooses War or Peace; nothing is revealed before all have chosen."""
    at_war = set()
    for seat in state.order:
        obliged = seat in spent or state.active(seat, "pacifist")
        options = ["peace"] if obliged else ["war", "peace"]
        if (yield from ask(seat, "stance", options)) == "war":
            at_war.add(seat)
    return at_war


# -------------------------------------------------------------------- legal assaults


def assault_legal(state: State, seat: int, a: int, t: int, feint: int) -> bool:
    """From A with clans to an adjacent T, no homeland, that an opponent occupies, with d < a."""
    if state.clans[a][seat] < 1 or t not in state.board.adjacent[a] or state.board.is_homeland(t):
        return False
    opponents = state.others_in(seat, t)
    if not opponents:
        return False
    (defender,) = opponents
    d = state.clans[t][defender]
    if d == 0 and state.city_supply(seat) == 0:
        return False  # R4: only a city there, so the attacker needs a city in supply
    return d < state.clans[a][seat] + feint


def legal_assaults(state: State, seat: int, feint: int) -> list[str]:
    return [
        edge(a, t)
        for a in state.with_clans(seat)
        for t in state.board.adjacent[a]
        if assault_legal(state, seat, a, t, feint)
    ]


def feint_of(card: Card) -> int:
    return sum(e["n"] for e in card.effects if e["do"] == "feint")


# -------------------------------------------------------------------- an assault turn


def assault_turn(state: State, seat: int) -> Asking:
    """One assault turn. Returns whether an assault was launched."""
    assault = Assault(seat)
    while True:
        assaults = legal_assaults(state, seat, assault.feint)
        offence = [
            c
            for c in playable(state, seat, "offence", "attack")
            if legal_assaults(state, seat, assault.feint + feint_of(c))
        ]
        # Growth + Attack cards are played in Growth only; four-icon cards in any own turn (RULES 7, Icons).
        four_icons = [c for c in playable(state, seat, "turn", "attack") if len(c.icons) == 4]
        cards = offence + four_icons
        legal = assaults + each("card", (c.number for c in cards)) + each("discard", state.hands[seat])
        if state.config["attack_recruiting"]:
            legal += each("region", recruiting_places(state, seat))
        if not assaults:
            legal.append("end")  # a player who has a legal assault must launch one
        answer = yield from ask(seat, "assault", legal)
        if answer == "end":
            return False  # what offence cards have added is lost
        if verb(answer) == "edge":
            yield from resolve(state, assault, *ends(answer))
            return True
        yield from before_declaration(state, assault, answer)


def before_declaration(state: State, assault: Assault, answer: str) -> Asking:
    seat = assault.attacker
    if verb(answer) == "discard":
        discard(state, seat, number(answer))
    elif verb(answer) == "region":
        recruit(state, seat, number(answer))
    elif state.card(number(answer)).timing == "offence":
        play_in_assault(state, assault, seat, state.card(number(answer)))
    else:
        yield from play_turn_card(state, seat, state.card(number(answer)))


# -------------------------------------------------------------------- cards in an assault


def play_in_assault(state: State, assault: Assault, seat: int, card: Card, target: int | None = None) -> None:
    """Play an offence or a defence card: none of their effects asks anything."""
    pay_for(state, seat, card)
    if card.invention:
        state.inventions[seat].append(card.number)
    for effect in card.effects:
        do_in_assault(state, assault, seat, effect, target)


def do_in_assault(
    state: State, assault: Assault, seat: int, effect: dict[str, Any], target: int | None
) -> None:
    do = effect["do"]
    if do in ("strike", "ward", "feint", "raid"):
        setattr(assault, do, getattr(assault, do) + effect["n"])  # numbers of several cards add up
    elif do in ("storm", "rout", "fortify"):
        setattr(assault, do, True)
    elif do == "parry":
        assault.parried = True
    elif do == "retreat":
        assert target is not None
        clans = state.clans[target][seat]
        state.clans[target][seat] = 0
        state.clans[state.board.homeland(seat)][seat] += clans
    else:
        raise AssertionError(f"{do} is no effect of an assault card")


# -------------------------------------------------------------------- resolution


def resolve(state: State, assault: Assault, a: int, t: int) -> Asking:
    """Steps 1 to 7 of an assault from A to T, and the raid after them."""
    attacker = assault.attacker
    (defender,) = state.others_in(attacker, t)
    bare = state.clans[t][defender] == 0  # T held no clan when the assault was declared
    yield from cards_in_resolution(state, assault, defender, t)  # steps 2 and 3
    if assault.parried:
        return
    card_losses(state, assault, defender, a, t)  # step 4
    if state.clans[a][attacker] == 0:
        return
    if state.clans[t][defender] > 0:  # step 5
        most = min(state.clans[a][attacker], state.clans[t][defender])
        k = number((yield from ask(attacker, "losses", each("amount", range(1, most + 1)))))
        state.clans[a][attacker] -= k
        state.clans[t][defender] -= min(2 * k if assault.rout else k, state.clans[t][defender])
        if state.clans[a][attacker] == 0:
            return
    yield from siege(state, assault, defender, a, t, bare)  # step 6
    if not state.others_in(attacker, t):  # step 7
        clans = number(
            (yield from ask(attacker, "occupy", each("amount", range(state.clans[a][attacker] + 1))))
        )
        state.clans[a][attacker] -= clans
        state.clans[t][attacker] += clans
    if state.occupies(attacker, t):
        state.conquests[attacker] += 1
        loot = min(assault.raid, state.coins[defender])
        state.coins[defender] -= loot
        state.coins[attacker] += loot


def cards_in_resolution(state: State, assault: Assault, defender: int, t: int) -> Asking:
    """Steps 2 and 3: the defender's cards, as many as wanted; then an offence card reopens step 2."""
    while True:
        while True:  # step 2
            cards = playable(state, defender, "defence", "attack")
            answer = yield from ask(defender, "defence", [*each("card", (c.number for c in cards)), "end"])
            if answer == "end":
                break
            play_in_assault(state, assault, defender, state.card(number(answer)), t)
            if assault.parried:
                return
        # Step 3: further offence cards, except feints (PROTOCOL 2, reinforce).
        cards = [c for c in playable(state, assault.attacker, "offence", "attack") if not c.does("feint")]
        options = [*each("card", (c.number for c in cards)), "end"]
        answer = yield from ask(assault.attacker, "reinforce", options)
        if answer == "end":
            return
        play_in_assault(state, assault, assault.attacker, state.card(number(answer)))


def lasting_sum(state: State, seat: int, do: str) -> int:
    return sum(x.effect["n"] for x in state.active(seat, do))


def card_losses(state: State, assault: Assault, defender: int, a: int, t: int) -> None:
    """Step 4: x = (attacker's offence) - (defender's defence)."""
    attacker = assault.attacker
    x = assault.strike + lasting_sum(state, attacker, "offence")
    x -= assault.ward + lasting_sum(state, defender, "defence")
    if x > 0:
        state.clans[t][defender] -= min(x, state.clans[t][defender])
    elif x < 0:
        state.clans[a][attacker] -= min(-x, state.clans[a][attacker])


def siege(state: State, assault: Assault, defender: int, a: int, t: int, bare: bool) -> Asking:
    """Step 6. Compulsory if T held no clan when the assault was declared (R4); `fortify` forbids even that."""
    attacker = assault.attacker
    if state.clans[t][defender] > 0 or defender not in state.cities[t] or state.city_supply(attacker) == 0:
        return
    if assault.fortify:
        return
    options = ["amount:1"] if bare else ["amount:1", "amount:0"]
    if (yield from ask(attacker, "siege", options)) == "amount:0":
        return
    if not assault.storm:
        state.clans[a][attacker] -= 1
    state.cities[t].remove(defender)
    state.cities[t].add(attacker)
