"""A deal as traces write it (PROTOCOL 3): all that chance has decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from genesia_rl.core.errors import TraceError
from genesia_rl.games.age_of_civilization.config import Config
from genesia_rl.games.age_of_civilization.data.box import load_box
from genesia_rl.games.age_of_civilization.names import (
    CIVILIZATIONS,
    MARKET,
    PACK,
    PICKS,
    S_CIVILIZATION,
    S_DRAFT,
    SPECIALS,
    WONDERS,
)
from genesia_rl.games.age_of_civilization.state import States
from genesia_rl.games.age_of_civilization.tables import Tables, members, set_of
from genesia_rl.games.age_of_civilization.text.checks import Checker

KEYS = ("first", "track", "wonders", "deck", "specials", "events", "packs")


def track_names(config: Config, state: np.void) -> list[str]:
    """The cards of the track from left to right."""
    cards = load_box(config.data).board.cards
    return [cards[card].name for card in state["track"]]


def events_list(config: Config, state: np.void) -> list[int] | None:
    """The event tokens of the last three cards."""
    return state["events"].tolist() if config.changing_world else None


def deal_dict(config: Config, state: np.void) -> dict[str, Any]:
    """PROTOCOL 3: what chance has dealt; sets in ascending order."""
    packs = [members(state["sights"][seat, 0]) for seat in range(config.players)]
    return {
        "first": int(state["first"]),
        "track": track_names(config, state),
        "wonders": members(state["wonder_market"]),
        "deck": state["deck"][: state["deck_size"]].tolist(),
        "specials": members(state["special_market"]) if config.innovation else None,
        "events": events_list(config, state),
        "packs": packs if config.draft else None,
    }


def put_deal(config: Config, tables: Tables, states: States, i: int, deal: Mapping[str, Any]) -> None:
    """Write a deal into a state; nobody has been asked yet."""
    check = Checker(config, "deal", TraceError)
    check.keys(deal, KEYS)
    first = check.number("first", deal["first"], 0, config.players - 1)
    track = check.track(deal["track"])
    wonders = check.numbers("wonders", deal["wonders"], WONDERS, config.num_wonders)
    deck = check.numbers("deck", deal["deck"], CIVILIZATIONS, config.num_deck, check.removed())
    specials = _check_specials(check, deal["specials"])
    events = check.events(deal["events"])
    packs = _check_packs(check, deal["packs"])

    states[i] = tables[0]["start"]
    s = states[i]
    s["first"] = s["seat"] = first
    s["track"] = track
    s["wonder_market"] = set_of(wonders)
    s["special_market"] = set_of(specials)
    s["events"][: len(events)] = events
    s["stage"] = S_DRAFT if config.draft else S_CIVILIZATION
    s["pick"] = 0 if config.draft else PICKS
    s["deck_size"] = len(deck)
    s["deck"][: len(deck)] = deck
    s["drawn"] = 0 if config.draft else MARKET
    s["market"] = set_of(deck[:MARKET])
    for seat, pack in enumerate(packs):
        s["sights"][seat, 0] = set_of(pack)


def _check_specials(check: Checker, value: object) -> list[int]:
    if check.config.innovation:
        return check.numbers("specials", value, SPECIALS, check.config.num_specials)
    if value is not None:
        check.refuse("specials", value, "null without innovation")
    return []


def _check_packs(check: Checker, value: object) -> list[list[int]]:
    """RULES 9: seven cards for every seat, each card once."""
    if not check.config.draft:
        if value is not None:
            check.refuse("packs", value, "null without draft")
        return []
    packs = [
        check.numbers(f"packs[{seat}]", pack, CIVILIZATIONS, PACK)
        for seat, pack in enumerate(check.by_seat("packs", value))
    ]
    cards = [card for pack in packs for card in pack]
    if len(set(cards)) < len(cards):
        check.refuse("packs", value, "every card once")
    return packs
