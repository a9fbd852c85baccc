"""A deal as traces write it (PROTOCOL 3): turn order, objectives and packs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from genesia_rl.core.errors import TraceError
from genesia_rl.core.reading import is_int, shown
from genesia_rl.games.genesia.config import AGE_NAMES, Config
from genesia_rl.games.genesia.data.cards import Data
from genesia_rl.games.genesia.data.decks import age_deck, age_promos, objective_pool
from genesia_rl.games.genesia.names import AGES
from genesia_rl.games.genesia.state import States
from genesia_rl.games.genesia.tables import Tables


def deal_dict(config: Config, state: np.void) -> dict[str, Any]:
    """What chance has dealt; in `state` nobody may have chosen a place in the turn order yet."""
    n = config.seats
    return {
        "turn_order": state["order"][:n].tolist(),
        "objectives": state["dealt"][:n].tolist() if config.objectives else None,
        "packs": [[[int(c) for c in pack if c] for pack in state["packs"][age, :n]] for age in range(AGES)],
    }


def put_deal(
    config: Config, data: Data, tables: Tables, states: States, i: int, deal: Mapping[str, Any]
) -> None:
    """Lay out a game that has been dealt so; nobody has been asked yet."""
    if not isinstance(deal, Mapping):
        raise TraceError(f"deal = {shown(deal)}, allowed is an object with turn_order, objectives and packs")
    unknown = sorted(set(deal) - {"turn_order", "objectives", "packs"})
    if unknown:
        raise TraceError(f"deal: unknown key {unknown[0]!r}, allowed are turn_order, objectives, packs")
    order = check_order("deal.turn_order", deal.get("turn_order"), config)
    objectives = _check_objectives(deal.get("objectives"), config, data)
    packs = check_packs("deal.packs", deal.get("packs"), config, data, range(AGES), tables)
    states[i] = tables[0]["start"]
    s = states[i]
    s["order"][: len(order)] = order
    for seat, pair in enumerate(objectives):
        s["dealt"][seat] = pair
    put_packs(s, range(AGES), packs)


def put_packs(state: np.void, ages: range, packs: list[list[list[int]]]) -> None:
    """Write packs into a state."""
    for age, by_seat in zip(ages, packs, strict=True):
        for seat, pack in enumerate(by_seat):
            state["packs"][age, seat, : len(pack)] = pack


def check_order(where: str, order: object, config: Config) -> list[int]:
    """A turn order holds each seat once."""
    seats = list(range(config.seats))
    if (
        isinstance(order, list)
        and all(is_int(seat, 0, seats[-1]) for seat in order)
        and sorted(order) == seats
    ):
        return order
    raise TraceError(f"{where} = {shown(order)}, allowed is each seat 0..{config.seats - 1} once")


def _check_objectives(objectives: object, config: Config, data: Data) -> list[list[int]]:
    if not config.objectives:
        if objectives is not None:
            raise TraceError(f"deal.objectives = {shown(objectives)}, allowed is null without objectives")
        return []
    pool = objective_pool(config, data)
    if isinstance(objectives, list) and len(objectives) == config.seats and all(map(_is_pair, objectives)):
        dealt = [number for pair in objectives for number in pair]
        if all(number in pool for number in dealt) and len(set(dealt)) == len(dealt):
            return objectives
    raise TraceError(
        f"deal.objectives = {shown(objectives)}, allowed are two different ones of {list(pool)} for each seat"
    )


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(is_int(number, 1, 99) for number in pair)


def check_packs(
    where: str, packs: object, config: Config, data: Data, ages: range, tables: Tables
) -> list[list[list[int]]]:
    """For each of the Ages a pack a seat, of cards that the deck of that Age holds."""
    if not isinstance(packs, list) or len(packs) != len(ages):
        raise TraceError(f"{where} = {shown(packs)}, allowed is a list of {len(ages)} Ages")
    for age, by_seat in zip(ages, packs, strict=True):
        size = int(tables[0]["hand_size"][age])
        place = f"{where}[{ages.index(age)}] (Age {AGE_NAMES[age]})"
        good = isinstance(by_seat, list) and len(by_seat) == config.seats
        if not good or any(not isinstance(pack, list) or len(pack) != size for pack in by_seat):
            raise TraceError(f"{place} = {shown(by_seat)}, allowed are {config.seats} packs of {size} cards")
        deck = set(age_deck(config, data, age + 1))
        if config.promos:
            deck |= set(age_promos(data, age + 1))
        dealt = [card for pack in by_seat for card in pack]
        for card in dealt:
            if not is_int(card, 1, 99) or card not in deck:
                raise TraceError(
                    f"{place}: card {shown(card)} is not in the deck, allowed are {sorted(deck)}"
                )
        twice = [card for card, times in Counter(dealt).items() if times > 1]
        if twice:
            raise TraceError(f"{place}: card {twice[0]} stands twice, allowed is once")
    return packs
