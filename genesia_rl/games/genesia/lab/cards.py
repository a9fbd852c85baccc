"""The cards as things that seats hold: who kept which in the draft, as which pick, and who played it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from genesia_rl.core.lab import Array, Fields, Games, Item, ItemSet, Words
from genesia_rl.games.genesia.data.cards import Card, load_data
from genesia_rl.games.genesia.names import HAND, MAX_CARD


def load(fields: Fields) -> Mapping[int, Item]:
    """The cards of a configuration."""
    return {number: _item(card) for number, card in load_data(fields.get("data")).cards.items()}


def _item(card: Card) -> Item:
    return Item(card.number, card.name, {"Age": "I" * card.age, "lot": card.lot}, "I" * card.age, card)


def dealt(games: Games) -> Array:
    """[game, card]: is the card in a pack?"""
    return np.asarray(games.listed(games["packs"], MAX_CARD))


def holder(games: Games) -> Array:
    """[game, card]: the seat that kept the card in the draft, -1 if nobody."""
    picks = games["picks"]
    return np.asarray(games.put(picks, np.arange(games.seats)[:, None], MAX_CARD))


def pick(games: Games) -> Array:
    """[game, card]: with which pick (0..4) it was kept, -1 if by nobody."""
    return np.asarray(games.put(games["picks"], np.arange(HAND), MAX_CARD))


def played(games: Games) -> Array:
    """[game, card]: was it played?"""
    return np.asarray(games["played"] > 0)


def could_replace(other: Item, card: Item) -> bool:
    """Can the other card be played whenever this one can, for no more coins?"""
    one, two = _card(other), _card(card)
    same = one.age == two.age and one.timing == two.timing
    return same and set(two.icons) <= set(one.icons) and one.cost <= two.cost


def _card(item: Item) -> Card:
    card: Any = item.data
    assert isinstance(card, Card)
    return card


CARDS = ItemSet(
    name="cards",
    one="card",
    most=MAX_CARD,
    load=load,
    holder=holder,
    dealt=dealt,
    used=played,
    alike=HAND,
    chance="blind",
    free="promos",
    pick=pick,
    picks=HAND,
    could_replace=could_replace,
    blind="blind_drafts",
    idle_is_mute=True,
    words=Words("kept", "played", "discarded", "never worth playing", "drafted"),
    about=(
        "Held: in games in which every card was kept at random, the holder of a card against the others of "
        "the same game, in wins and in points ahead of their mean. Who holds what is chance there, so this "
        "is what the card does for this policy, in place of another card of the Age; one that is worth much "
        "more makes the others of its Age look a little worse. Drafted, kept, played, picks: in games with "
        "the policy's own drafts, where good players hold good cards."
    ),
)
