"""The flow of a game: set-up, Apogee, Decline, final scoring (RULES 3, 5 and 10)."""

from __future__ import annotations

from .abilities import legal_options, legal_sources, take_option, take_source
from .asking import Asking, ask, ask_object, each, number
from .data import REGIONS
from .gains import run_gains
from .needs import cards_met, lasting_of, pay_oracles
from .scoring import end_points, take_bonus_tiles
from .state import LAST_ROUND, State
from .track import put_hours, unlock


def whole_game(state: State) -> Asking:
    """From the phase in which the state is to the end."""
    if state.phase == "setup":
        yield from set_up(state)
        state.phase = "apogee"
    while state.phase != "scoring":
        if state.phase == "apogee":
            yield from apogee(state)
        state.phase = "decline"
        yield from decline(state)
        if state.round == LAST_ROUND:
            state.phase = "scoring"
        else:
            state.round += 1
            state.phase = "apogee"
    for seat in state.seat_order():
        yield from final_scoring(state, seat)


# -------------------------------------------------------------------- set-up (RULES 3)


def set_up(state: State) -> Asking:
    draft = list(state.open)
    if state.config["first_game"]:
        for seat, (cards, citizens) in zip(state.seat_order(), state.data.beginner, strict=False):
            state.seats[seat].hand += cards
            state.seats[seat].citizens.update(citizens)
    else:
        yield from first_hands(state)
        yield from first_citizens(state)
    lay_out(state, draft)


def first_hands(state: State) -> Asking:
    """Step 3: anticlockwise from the seat to the right of the first player, twice round."""
    for k in range(2 * state.n):
        seat = (state.first - 1 - k) % state.n
        card = int((yield from ask_object(seat, "draft", "card", state.open)))
        state.open.remove(card)
        state.seats[seat].hand.append(card)


def first_citizens(state: State) -> Asking:
    """Step 4: each seat all of its citizens, one at a time."""
    for seat in state.seat_order():
        for _ in range(state.data.start_citizens):
            possible = state.recruitable(seat)
            state.recruit_one(seat, (yield from ask_object(seat, "settle", "citizen", possible)))


def lay_out(state: State, draft: list[int]) -> None:
    """The rest of step 3, steps 6 and 7."""
    held = {card for own in state.seats for card in own.hand}
    gone = held | set(draft) if state.small else held
    state.box += sorted(gone - held)
    state.open = []
    state.later[0] = [card for card in state.later[0] if card not in gone]
    if state.small:
        unseen = [4, 2, 2] if state.config["first_game"] else [2, 2, 2]
        for k, number_ in enumerate(unseen):
            state.box += state.later[k][:number_]
            state.later[k] = state.later[k][number_:]
    state.deck = state.later.pop(0)
    state.fill_display()


# -------------------------------------------------------------------- Apogee (RULES 5)


def apogee(state: State) -> Asking:
    if state.small:
        slots = [slot for slot in state.data.marked_slots if slot <= len(state.display)]
        state.marked = {card for slot in slots if (card := state.display[slot - 1]) is not None}
    if state.solo:
        state.marked_type = state.recruit[state.data.solo_slot - 1]
    out: set[int] = set()
    while len(out) < state.n:
        for seat in state.seat_order():
            if seat in out:
                continue
            if state.free_spaces(seat) == 0:
                out.add(seat)  # passes
            else:
                yield from turn(state, seat)


def turn(state: State, seat: int) -> Asking:
    """Any number of extra options, then exactly one action."""
    while True:
        sources = legal_sources(state, seat)
        answer = yield from ask(seat, "turn", [*sources, *legal_options(state, seat)])
        if answer in sources:
            yield from take_source(state, answer, sources[answer])
            return
        yield from take_option(state, seat, answer)
        take_bonus_tiles(state, seat)


# -------------------------------------------------------------------- Decline (RULES 10)


def decline(state: State) -> Asking:
    tidy_market(state)  # step 1
    state.taken = {}  # step 2
    state.used = set()
    for own in state.seats:
        own.singles, own.doubles = own.doubles, 0
    if state.next_first is not None:  # step 3
        state.first, state.next_first = state.next_first, None
    if state.round % 2 == 0 and state.round < LAST_ROUND:
        yield from change_of_era(state)  # step 4
    for seat in state.seat_order():
        yield from rewards(state, seat)  # step 5
    for seat in state.seat_order():
        yield from put_hours(state, seat, cards_beyond(state, seat))  # step 6


def tidy_market(state: State) -> None:
    """Marked cards go to the box; a recruiting tile that still has its mark to the right end."""
    state.box += sorted(state.marked)
    state.display = [card for card in state.display if card not in state.marked]
    state.marked = set()
    state.fill_display()
    if state.marked_type is not None:
        state.recruit.remove(state.marked_type)
        state.recruit.append(state.marked_type)
        state.marked_type = None


def change_of_era(state: State) -> Asking:
    state.discard += [card for card in state.display if card is not None] + state.deck
    state.display = []
    state.deck = state.later.pop(0)
    state.fill_display()
    for seat in state.seat_order():
        yield from unlock(state, seat)


def rewards(state: State, seat: int) -> Asking:
    """One own city a region, then the cards in play by rising number [R11]."""
    for region in REGIONS:
        cities = state.own_cities(seat, region)
        if cities:
            kinds = sorted({city.reward for city in cities})
            kind = yield from ask_object(seat, "reward", "gain", kinds)
            city = next(city for city in cities if city.reward == kind)
            state.receive(seat, city.reward, city.n)
    for card in sorted(state.seats[seat].played):
        yield from run_gains(state, seat, state.card(card).decline)


def cards_beyond(state: State, seat: int) -> int:
    """How many cards the hand has above its limit."""
    limit = state.data.hand_limit
    limit += sum(int(effect["n"]) for effect in lasting_of(state, seat) if effect["do"] == "hand")
    return max(0, len(state.seats[seat].hand) - limit)


# -------------------------------------------------------------------- final scoring (RULES 10)


def final_scoring(state: State, seat: int) -> Asking:
    while True:
        for card in cards_met(state, seat, with_cubes=False):  # [R13]
            score_late(state, seat, card)
        legal = ["end"]
        if state.seats[seat].hand:
            legal += each("card", cards_met(state, seat)) + legal_options(state, seat)
        answer = yield from ask(seat, "final", legal)
        if answer == "end":
            break
        if answer in ("swap", "hire"):
            yield from take_option(state, seat, answer)
        else:
            score_late(state, seat, number(answer))
    state.score(seat, "end", end_points(state, seat))


def score_late(state: State, seat: int, number_: int) -> None:
    """The card comes into play for half its points, without gains, synergy or lasting effects."""
    own, card = state.seats[seat], state.card(number_)
    pay_oracles(state, seat, card)
    own.hand.remove(number_)
    own.played.append(number_)
    own.late.append(number_)
    state.score(seat, "end", card.half)
