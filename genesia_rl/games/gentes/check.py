"""What every state must fulfil: to be called after any move, in tests and while debugging.

What the rules keep in step (virtual citizens, discounts, strength, symbols) is compared with a recount from the
data files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from genesia_rl.games.gentes.config import Config
from genesia_rl.games.gentes.data.box import Box, load_box
from genesia_rl.games.gentes.data.effects import Effect
from genesia_rl.games.gentes.names import (
    ACTS,
    CITIES,
    E_NONE,
    ERAS,
    K_NONE,
    MAX_SEATS,
    NUM_REWARDS,
    NUM_SYMBOLS,
    REWARDS,
    ROUNDS,
    S_ACT,
    S_AFTER,
    S_APOGEE,
    S_BEGIN,
    S_DRAFT,
    S_EXTRA,
    S_FINAL,
    S_GAINS,
    S_HANDS,
    S_HIRE,
    S_LOCKS,
    S_REWARDS,
    S_SETTLE,
    S_SWAP_FROM,
    S_SWAP_TO,
    S_TURN,
    SYMBOLS,
    TYPES,
)
from genesia_rl.games.gentes.tables import members

#: Zero but in a turn under way, in the middle of an effect, in a swap.
OF_TURN = (
    "source", "act", "amount", "hours", "chosen_cards", "chosen_homes", "chosen_does", "row", "recruited",
    "taken_shown", "last_slot", "taken_piled", "card", "gain_row", "symbol", "lifted",
)  # fmt: skip
#: Stages in which no turn is under way.
WITHOUT_TURN = (
    S_DRAFT, S_SETTLE, S_BEGIN, S_APOGEE, S_TURN, S_HIRE, S_SWAP_FROM, S_SWAP_TO, S_LOCKS, S_HANDS, S_FINAL,
)  # fmt: skip
#: Stages in which something may have to be asked before they go on.
WITH_ERRANDS = (S_ACT, S_AFTER, S_GAINS, S_EXTRA, S_LOCKS, S_REWARDS, S_HANDS)
OF_ERRAND = ("slots", "due", "lifted")
BY_SEAT = ("coins", "points", "temple", "citizens", "hand", "played", "tokens", "tiles", "singles", "locks")


def check_state(config: Config, s: np.void) -> list[str]:
    """Everything that is inconsistent, in words."""
    box = load_box(config.data)
    found = [*_check_header(config, s), *_check_cards(box, config, s), *_check_turn(s)]
    for seat in range(config.players):
        found += [
            *_check_seat(box, s, seat),
            *_check_lasting(box, s, seat),
            *_check_symbols(box, config, s, seat),
        ]
    for seat in range(config.players, MAX_SEATS):
        if any(np.any(s[name][seat]) for name in BY_SEAT):
            found.append(f"seat {seat} is not in the game, yet it has something")
    return found


def _check_header(config: Config, s: np.void) -> Iterator[str]:
    legal = sum(int(word).bit_count() for word in s["legal"])
    if legal != s["num_legal"]:
        yield f"num_legal is {s['num_legal']}, {legal} are legal"
    if s["over"]:
        if legal or s["kind"] != K_NONE or s["seat"] != -1:
            yield "the game is over, yet it asks"
    elif legal < 2 or not 0 <= s["seat"] < config.players:
        yield f"seat {s['seat']} is asked with {legal} legal actions"
    if not 1 <= s["round"] <= ROUNDS or not 0 <= s["first"] < config.players:
        yield f"round {s['round']}, first {s['first']}"


def _check_cards(box: Box, config: Config, s: np.void) -> Iterator[str]:
    """Every card is in one place; those unseen lie in the decks."""
    held = [int(card) for card in s["display"] if card] + members(s["discard"]) + members(s["open"])
    for seat in range(config.players):
        held += members(s["hand"][seat]) + members(s["played"][seat])
        if s["scored"][seat] & ~s["played"][seat]:
            yield f"seat {seat} has scored cards that are not in play: {members(s['scored'][seat])}"
    if s["stage"] > S_SETTLE:
        held += members(s["unseen"])
        gone = set(members(s["gone"]))
        decks = {int(card) for card in s["deck"]} - gone - {0}
        if decks != set(members(s["unseen"])):
            yield f"the decks hold {sorted(decks)}, unseen are {members(s['unseen'])}"
    yield from _check_decks(box, s)
    twice = [card for card, times in Counter(held).items() if times > 1]
    if twice:
        yield f"the cards {twice} are in two places"
    if not set(members(s["marked"])) <= {int(card) for card in s["display"]}:
        yield f"marked are {members(s['marked'])}, the display is {s['display'].tolist()}"
    for era in range(s["era"]):
        if set(members(s["unseen"])) & set(box.era(era + 1)):
            yield f"cards of Era {era + 1} are unseen in Era {s['era'] + 1}"


def _check_decks(box: Box, s: np.void) -> Iterator[str]:
    """RULES 3: each deck has the cards that are to come, at its place, and as many as go to the box unseen."""
    begin = 0
    for era in range(ERAS):
        cards = box.era(era + 1)
        end = begin + len(cards)
        first = max(begin, int(s["next"])) if era == s["era"] and s["stage"] > S_SETTLE else begin
        live = {int(card) for card in s["deck"][first:end]} - set(members(s["gone"])) - {0}
        if s["stage"] <= S_SETTLE:
            size = len(cards)
        else:
            size = len(set(members(s["unseen"])) & set(cards))
            size -= int(s["boxed"][era]) if era == s["era"] else 0
        if len(live) != size or not live <= set(cards) or size < 0:
            yield f"the deck of Era {era + 1} holds {sorted(live)}, {size} are to come"
        begin = end


def _check_turn(s: np.void) -> Iterator[str]:
    """What belongs to a turn, to an effect or to a swap is forgotten when it is over."""
    if s["errand"] != E_NONE and s["stage"] not in WITH_ERRANDS:
        yield f"errand is {s['errand']} in stage {s['stage']}"
    if s["stage"] in WITHOUT_TURN or s["over"]:
        yield from (f"{name} is not forgotten: {s[name]}" for name in OF_TURN if s[name])
    if s["errand"] == E_NONE:
        yield from (f"{name} is not forgotten: {s[name]}" for name in OF_ERRAND if s[name])
    if s["given"] and not s["exchange"]:
        yield "a type is given away without a swap"


def _check_seat(box: Box, s: np.void, seat: int) -> Iterator[str]:
    board = box.board
    used = [int(s[name][seat]) for name in ("tiles", "singles", "doubles", "locks")]
    if min(used) < 0 or sum(used) > board.track["spaces"]:
        yield f"seat {seat}: the track holds {used}"
    cubes = [int(s[name][seat]) for name in ("temple", "oracle")]
    if s["coins"][seat] < 0 or min(cubes) < 0 or max(cubes) > board.game["cube_slots"]:
        yield f"seat {seat} has {s['coins'][seat]} coins and the cubes {cubes}"
    citizens = dict(zip(TYPES, s["citizens"][seat].tolist(), strict=True))
    for a, b in board.pairs:
        if min(citizens[a], citizens[b]) < 0 or citizens[a] + citizens[b] > board.room:
            yield f"seat {seat} has {citizens[a]} {a} and {citizens[b]} {b}"
    if len(members(s["tokens"][seat])) > board.game["tokens"]:
        yield f"seat {seat} has tokens on {members(s['tokens'][seat])}"
    for other in range(seat):
        if s["tokens"][seat] & s["tokens"][other]:
            yield f"the seats {other} and {seat} have tokens on one place"


# ---------------------------------------------------------------- what follows from cards and tokens


def _counted(box: Box, s: np.void, seat: int) -> list[Effect]:
    """The effects of each time of the seat's cards in play; a card just played counts after its action."""
    cards = set(members(s["played"][seat])) - set(members(s["scored"][seat]))
    if s["seat"] == seat:
        cards -= {int(s["card"])}
    return [effect for card in cards for effect in box.card(card).lasting if not effect.is_once]


def _check_lasting(box: Box, s: np.void, seat: int) -> Iterator[str]:
    """RULES 9: what is done each time, from the effects themselves."""
    virtual, hand = [0] * len(TYPES), 0
    sums = {"discount": [0] * len(ACTS), "hours": [0] * len(ACTS)}
    bringing = [[0] * NUM_REWARDS for _ in ACTS]
    for effect in _counted(box, s, seat):
        if effect.do == "virtual":
            virtual[TYPES.index(effect.type)] += effect.n
        elif effect.do == "hand":
            hand += effect.n
        elif effect.do == "gain":
            bringing[ACTS.index(effect.action)][REWARDS.index(effect.what)] += effect.n
        else:
            sums[effect.do][ACTS.index(effect.action)] += effect.n
    counted = (virtual, sums["discount"], sums["hours"], bringing, hand)
    for name, value in zip(("virtual", "discount", "saving", "bringing", "hand_more"), counted, strict=True):
        if s[name][seat].tolist() != value:
            yield f"seat {seat}: {name} is {s[name][seat].tolist()}, a recount says {value}"
    strength = [int(s["strength"][seat]) >> 8 * kind & 255 for kind in range(len(TYPES))]
    if strength != [min(100, int(a) + b) for a, b in zip(s["citizens"][seat], virtual, strict=True)]:
        yield f"seat {seat}: strength is {strength} with {s['citizens'][seat].tolist()} and {virtual}"


def _check_symbols(box: Box, config: Config, s: np.void, seat: int) -> Iterator[str]:
    board, counted = box.board, [0] * NUM_SYMBOLS
    for place in members(s["tokens"][seat]):
        if place <= CITIES:
            symbols = {box.city(place).symbol}
        else:
            symbols = set(board.symbols(box.home(place - CITIES), config.players))
        if not symbols:
            yield f"seat {seat} has a token on place {place}, which is not there"
        for symbol in symbols:
            counted[SYMBOLS.index(symbol)] += 1
    found = [int(s["symbols"][seat]) >> 8 * k & 255 for k in range(NUM_SYMBOLS)]
    if found != counted:
        yield f"seat {seat}: symbols are {found}, a recount says {counted}"
