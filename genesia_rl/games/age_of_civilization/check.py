"""What every state must fulfil: to be called after any move, in tests and while debugging.

What the rules keep in step (sums, flags, open actions, unlocked technologies) is compared with a recount from the
data files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from genesia_rl.games.age_of_civilization.config import Config
from genesia_rl.games.age_of_civilization.names import (
    ACTION_SOURCE,
    CARDS,
    G_INHERITED,
    G_MAIN,
    K_NONE,
    MAX_CIVILIZATIONS,
    MAX_SEATS,
    MAX_WORKERS,
    NUM_SUMS,
    OPEN_CARDS,
    PERMANENT,
    PICKS,
    ROUNDS,
    S_DRAFT,
)
from genesia_rl.games.age_of_civilization.recount import Recount
from genesia_rl.games.age_of_civilization.tables import acts, flat_amount, is_live, lane_of, members


def check_state(config: Config, s: np.void) -> list[str]:
    """Everything that is inconsistent, in words."""
    seen = Recount(config, s)
    found = [*_check_header(config, s), *_check_round(seen), *_check_cards(seen), *_check_turn(seen)]
    for seat in seen.seats:
        found += [*_check_seat(seen, seat), *_check_always(seen, seat)]
    for seat in range(config.players, MAX_SEATS):
        if any(np.any(s[name][seat]) for name in ("coins", "points", "workers", "own", "sums", "hand")):
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


def _check_round(seen: Recount) -> Iterator[str]:
    config, s = seen.config, seen.state
    if not 1 <= s["round"] <= ROUNDS or not 0 <= s["first"] < config.players:
        yield f"round {s['round']}, first {s['first']}"
    if not s["over"] and (s["first"] + s["turn"]) % config.players != s["seat"]:
        yield f"it is the turn of seat {s['seat']}, {s['turn']} after seat {s['first']}"
    if sorted(s["track"].tolist()) != list(range(CARDS)):
        yield f"track {s['track'].tolist()} is no order of the cards"
    begin = int(s["round"]) - 1
    for name, end in (("open", begin + OPEN_CARDS), ("open_later", CARDS)):
        if int(s[name]) != int(_actions_on(seen, begin, end)):
            yield f"{name} is {s[name]}, the track says {_actions_on(seen, begin, end)}"


def _actions_on(seen: Recount, begin: int, end: int) -> np.uint64:
    cards = [seen.box.board.cards[number] for number in seen.state["track"][begin:end]]
    return acts([*PERMANENT, *(card.action for card in cards if card.action)])


def _check_cards(seen: Recount) -> Iterator[str]:
    """Every card is in one place; coins lie on cards of the market alone."""
    s = seen.state
    held = [*members(s["market"]), *s["deck"][s["drawn"] : s["deck_size"]].tolist()]
    wonders, specials = members(s["wonder_market"]), members(s["special_market"])
    for seat in seen.seats:
        held += [*seen.civilizations(seat), *members(s["hand"][seat])]
        wonders += seen.wonders(seat)
        specials += [int(s["special"][seat])] if s["special"][seat] else []
    for what, cards in (("civilization", held), ("wonder", wonders), ("special card", specials)):
        twice = [card for card, times in Counter(cards).items() if times > 1]
        if twice:
            yield f"{what}s {twice} are in two places"
    coins = (np.flatnonzero(s["card_coins"]) + 1).tolist()
    if not set(coins) <= set(members(s["market"])):
        yield f"coins lie on {coins}, the market has {members(s['market'])}"


def _check_turn(seen: Recount) -> Iterator[str]:
    """What belongs to a turn is forgotten when it is over."""
    s = seen.state
    if s["placed"] < sum(s["red"].tolist()) or (s["placed"] and not s["acted"]):
        yield f"{s['placed']} workers are placed, {s['red'].tolist()} on red spaces"
    full = [
        action.name
        for action, used in zip(seen.box.board.actions, s["used"], strict=True)
        if used >= action.spaces
    ]
    if int(s["full"]) != int(acts(full)):
        yield f"full is {s['full']}, used are {s['used'].tolist()}"
    if s["stage"] == S_DRAFT or s["over"]:
        used = ("acted", "used", "red", "placed", "action", "by", "tech", "ability", "row", "left", "done")
        yield from (f"{name} is not forgotten: {s[name].tolist()}" for name in used if np.any(s[name]))
    if (s["stage"] == S_DRAFT) != (s["pick"] < PICKS):
        yield f"stage {s['stage']} with pick {s['pick']}"


def _check_seat(seen: Recount, seat: int) -> Iterator[str]:
    s = seen.state
    if s["coins"][seat] < 0 or s["points"][seat] < 0 or not 0 <= s["workers"][seat] <= MAX_WORKERS:
        yield f"seat {seat} has {s['coins'][seat]} coins, {s['points'][seat]} points, {s['workers'][seat]} workers"
    if seat == s["seat"] and s["placed"] > s["workers"][seat]:
        yield f"seat {seat} has placed {s['placed']} of {s['workers'][seat]} workers"
    mine = seen.civilizations(seat)
    if len(mine) > MAX_CIVILIZATIONS or int(s["own"][seat, G_MAIN]).bit_count() != min(1, len(mine)):
        yield f"seat {seat} has the civilizations {mine} and the main ones {members(s['own'][seat, G_MAIN])}"
    if s["own"][seat, G_MAIN] & ~s["own"][seat, G_INHERITED]:
        yield f"seat {seat}: the main civilization {seen.main(seat)} is not its own"
    card = seen.box.card_of(int(s["special"][seat]))
    known = set(seen.technologies(seat))
    if not known <= card:
        yield f"seat {seat} has the technologies {seen.technologies(seat)}, its card {sorted(card)}"
    needed = {tech.number: seen.box.prerequisites(tech.number) for tech in seen.box.technologies}
    unlocked = {number for number, before in needed.items() if not before or before & known}
    if set(members(s["unlocked"][seat])) != unlocked:
        yield f"seat {seat}: unlocked are {members(s['unlocked'][seat])}, a recount says {sorted(unlocked)}"


def _check_always(seen: Recount, seat: int) -> Iterator[str]:
    """RULES 8: the sums and flags of what holds always, from the effects themselves."""
    sums, flags, live = [0] * NUM_SUMS, 0, 0
    for effect in (effect for ability in seen.abilities(seat) for effect in ability):
        if effect.when != "always":
            continue
        lane = lane_of(effect)
        if is_live(effect):
            live |= 1 << lane
            continue
        flags |= 1 << lane
        if lane < NUM_SUMS:
            sums[lane] += flat_amount(effect)
    s = seen.state
    for name, counted in (("sums", sums), ("flags", flags), ("live", live)):
        found = s[name][seat][:NUM_SUMS].tolist() if name == "sums" else int(s[name][seat])
        if found != counted:
            yield f"seat {seat}: {name} is {found}, a recount says {counted}"


# ---------------------------------------------------------------- effects that are under way


def check_rows(t: np.void, s: np.void) -> list[str]:
    """The next effect is one of the action, and of the ability, that is under way."""
    found = []
    for name, row, first in (("action", "action_row", ACTION_SOURCE), ("ability", "row", 0)):
        source = first + int(s[name]) - 1
        if s[name] and not t["first_row"][source] <= s[row] <= t["first_row"][source + 1]:
            found.append(f"{row} is {s[row]} with {name} {s[name]}")
    return found
