"""A deal as traces write it (PROTOCOL 3): all that chance has decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from genesia_rl.core.errors import TraceError
from genesia_rl.games.gentes.config import Config
from genesia_rl.games.gentes.data.box import load_box
from genesia_rl.games.gentes.names import ERAS, TYPES
from genesia_rl.games.gentes.state import States
from genesia_rl.games.gentes.tables import Tables, members, set_of
from genesia_rl.games.gentes.text.checks import Checker

KEYS = ("first", "recruit", "draft", "decks")


def recruit_names(state: np.void) -> list[str]:
    """The types of the recruiting tiles from left to right."""
    return [TYPES[kind] for kind in state["recruit"]]


def deal_dict(config: Config, state: np.void) -> dict[str, Any]:
    """PROTOCOL 3: what chance has dealt, right after it; in a first game the display has been filled since."""
    box = load_box(config.data)
    deck = [*state["deck"].tolist()]
    decks, place = [], 0
    for era in range(1, ERAS + 1):
        size = len(box.era(era))
        decks.append(_whole(deck[place : place + size], state))
        place += size
    return {
        "first": int(state["first"]),
        "recruit": recruit_names(state),
        "draft": members(state["open"]),
        "decks": decks,
    }


def _whole(deck: list[int], state: np.void) -> list[int]:
    """A deck with the cards of the display back in their places, which are zero and in the same order."""
    shown = iter(state["display"].tolist())
    return [card or next(shown) for card in deck]


def put_deal(config: Config, tables: Tables, states: States, i: int, deal: Mapping[str, Any]) -> None:
    """Write a deal into a state; nobody has been asked yet."""
    check = Checker(config, "deal", TraceError)
    check.keys(deal, KEYS)
    first = check.number("first", deal["first"], 0, config.players - 1)
    recruit = check.recruit(deal["recruit"])
    draft = check.cards("draft", deal["draft"], check.box.era(1), config.num_draft)
    decks = deal["decks"]
    if not isinstance(decks, list) or len(decks) != ERAS:
        check.refuse("decks", decks, f"a list of {ERAS} decks")
    cards: list[int] = []
    for era, deck in enumerate(decks, 1):
        among = check.box.era(era)
        cards += check.cards(f"decks[{era - 1}]", deck, among, len(among))

    states[i] = tables[0]["start"]
    s = states[i]
    s["first"] = first
    s["recruit"] = recruit
    s["open"] = set_of(draft)
    s["deck"] = cards
