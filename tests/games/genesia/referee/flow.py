"""The flow of a game: setup, the three Ages, the end of an Age (RULES 4, 5, 10)."""

from __future__ import annotations

from .asking import Asking, ask, each, number, verb
from .attack import attack_phase
from .effects import discard, play_turn_card, playable
from .moves import first_steps, move
from .recruit import recruit, recruiting_places
from .state import Purse, State

PHASES = ("growth", "expansion", "attack", "end")


def whole_game(state: State, objectives: list[list[int]] | None) -> Asking:
    """From the deal to the end of Age III."""
    if objectives is not None:
        for seat in state.order:  # RULES 4.4
            answer = yield from ask(seat, "objective", each("objective", objectives[seat]))
            state.kept[seat] = number(answer)
    for age in (1, 2, 3):
        yield from start_age(state, age)
        yield from course(state, "growth")


def rest_of_game(state: State) -> Asking:
    """From a position: its phase begins now (PROTOCOL 4)."""
    yield from course(state, state.phase)
    for age in range(state.age + 1, 4):
        yield from start_age(state, age)
        yield from course(state, "growth")


# -------------------------------------------------------------------- A. start of an Age


def start_age(state: State, age: int) -> Asking:
    state.age = age
    state.phase = "start"
    if state.solo:  # RULES 10: no coins, no draft; the packs are the hands
        state.hands = [list(pack) for pack in state.packs[age]]
        return
    for seat in state.seats:
        state.coins[seat] += 15
    yield from draft(state, age)


def draft(state: State, age: int) -> Asking:
    """Five picks; the rest goes left in Ages I and III, right in Age II (R1); the last card is unseen."""
    packs = [list(pack) for pack in state.packs[age]]
    step = -1 if age == 2 else 1
    for _ in range(5):
        for seat in state.order:
            card = number((yield from ask(seat, "draft", each("card", packs[seat]))))
            packs[seat].remove(card)
            state.hands[seat].append(card)
        packs = [packs[(seat - step) % state.n] for seat in state.seats]
    state.card_log += [(None, card, "unseen") for pack in packs for card in pack]


# -------------------------------------------------------------------- B. course


def course(state: State, first: str) -> Asking:
    """The phases of the Age from the first one given, and the end of the Age."""
    for phase in PHASES[PHASES.index(first) :]:
        state.phase = phase
        if phase in ("growth", "expansion"):
            for seat in state.order:
                yield from own_turn(state, seat)
        elif phase == "attack" and not state.solo:
            yield from attack_phase(state)
        elif phase == "end":
            yield from end_of_age(state)


def own_turn(state: State, seat: int) -> Asking:
    """A Growth or an Expansion turn: any number of actions until the player ends it."""
    while True:
        legal = ["end", *each("card", (c.number for c in playable(state, seat, "turn", state.phase)))]
        legal += each("discard", state.hands[seat])
        legal += each("region", recruiting_places(state, seat))
        if state.phase == "expansion":
            legal += first_steps(state, seat, state.purses[seat])
        answer = yield from ask(seat, state.phase, legal)
        if answer == "end":
            break
        if verb(answer) == "card":
            yield from play_turn_card(state, seat, state.card(number(answer)))
        elif verb(answer) == "discard":
            discard(state, seat, number(answer))
        elif verb(answer) == "region":
            recruit(state, seat, number(answer))
        else:
            yield from move(state, seat, answer, state.purses[seat])
    state.lapse(seat, state.phase)
    if state.phase == "expansion":
        state.purses[seat].free = 0  # free moves not used are lost


# -------------------------------------------------------------------- C. end of the Age


def end_of_age(state: State) -> Asking:
    build_cities(state)
    for seat in state.order:
        yield from end_turn(state, seat)
    for seat in state.seats:
        from_inventions = sum(state.card(c).invention for c in state.inventions[seat])
        state.progress[seat].append(state.points[seat] + from_inventions)
    if state.age < 3:
        yield from next_turn_order(state)
    state.points = [0] * state.n
    state.lasting = [[] for _ in state.seats]
    state.purses = [Purse() for _ in state.seats]


def build_cities(state: State) -> None:
    """Step 1: all at the same moment, so that nobody's new city is in the way of another's (R9)."""
    due = {seat: city_sites(state, seat) for seat in state.seats}
    for seat, sites in due.items():
        for region in sites[: state.city_supply(seat)]:
            state.cities[region].add(seat)


def city_sites(state: State, seat: int) -> list[int]:
    """Where the seat has at least 2 clans and no city stands, the best first: by falling region value, then by
    rising id as the player sees the map (R5)."""
    board = state.board
    sites = [r for r in board.regions if state.clans[r][seat] >= 2 and not state.cities[r]]
    return sorted(sites, key=lambda r: (-board.value[r], board.seen_by(r, seat)))


def end_turn(state: State, seat: int) -> Asking:
    """Step 2: play End cards, discard; ending the turn discards what is left for 4 coins each."""
    while True:
        legal = ["end", *each("card", (c.number for c in playable(state, seat, "turn", "end")))]
        legal += each("discard", state.hands[seat])
        answer = yield from ask(seat, "end_of_age", legal)
        if answer == "end":
            break
        if verb(answer) == "card":
            yield from play_turn_card(state, seat, state.card(number(answer)))
        else:
            discard(state, seat, number(answer))
    for card in list(state.hands[seat]):
        discard(state, seat, card)
    state.lapse(seat, "end")


def next_turn_order(state: State) -> Asking:
    """Step 4: the least progress of this Age chooses first; ties in the current turn order."""
    if state.solo:
        state.order = state.order[::-1]  # RULES 10: the other tribe is first in Age II
        return
    chosen: dict[int, int] = {}
    for seat in sorted(state.order, key=lambda s: state.progress[s][-1]):  # a stable sort keeps the order
        free = [p for p in range(state.n) if p not in chosen]
        position = number((yield from ask(seat, "position", each("position", free))))
        chosen[position] = seat
    state.order = [chosen[p] for p in range(state.n)]
