"""The public state and the result of a game as traces write them (PROTOCOL 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from genesia_rl.core.game import Scores
from genesia_rl.games.gentes.config import Config
from genesia_rl.games.gentes.data.box import load_box
from genesia_rl.games.gentes.names import (
    CITIES,
    CONDITIONS,
    E_TAKE,
    PLACES,
    S_SETTLE,
    S_TAKE,
    SCORE_PARTS,
    TYPES,
)
from genesia_rl.games.gentes.tables import members, set_of
from genesia_rl.games.gentes.text.deal import recruit_names


def places_of(state: np.void, players: int) -> tuple[dict[str, int], dict[str, int]]:
    """Whose tokens stand where: cities and Homes."""
    cities, homes = {}, {}
    for place in range(1, PLACES + 1):
        for seat in range(players):
            if place in members(state["tokens"][seat]):
                if place <= CITIES:
                    cities[str(place)] = seat
                else:
                    homes[str(place - CITIES)] = seat
    return cities, homes


def bonus_seats(state: np.void) -> dict[str, list[int]]:
    """The seats that have taken bonus tiles, by condition, in order."""
    return {
        condition: [int(seat) - 1 for seat in state["bonus"][place] if seat]
        for place, condition in enumerate(CONDITIONS)
    }


def used(state: np.void, players: int) -> list[str]:
    """What was used in this round, sorted as text."""
    found = [f"home:{place - CITIES}" for place in members(state["used_homes"])]
    for seat in range(players):
        found += [f"use:{card}" for card in members(state["used_cards"][seat])]
    return sorted(found)


def display(config: Config, state: np.void) -> list[int | None]:
    """The cards by slot; a gap is null, slots that could not be filled are not listed."""
    found = [int(card) or None for card in state["display"]]
    return found[: sum(card is not None for card in found) + num_gaps(config, state)]


def num_gaps(config: Config, state: np.void) -> int:
    """How many cards the effect under way has taken from the display, which is filled when it is done."""
    if state["errand"] != E_TAKE:
        return int(state["taken_shown"]) if state["stage"] == S_TAKE else 0
    cards = load_box(config.data).cards
    card = int(state["card"])
    before = sum(len(other.gains) for other in cards[: card - 1])
    return cards[card - 1].gains[int(state["gain_row"]) - 2 - before].n - int(state["left"])


def deck_size(config: Config, state: np.void) -> int:
    """How many cards the present deck has."""
    if state["stage"] <= S_SETTLE:
        return 0
    era = int(state["era"])
    cards = set_of(load_box(config.data).era(era + 1))
    return int(state["unseen"] & cards).bit_count() - int(state["boxed"][era])


def state_dict(config: Config, state: np.void) -> dict[str, Any]:
    """PROTOCOL 3: what everybody sees on the table."""
    n = config.players
    cities, homes = places_of(state, n)
    tracks = zip(
        *(state[name][:n].tolist() for name in ("tiles", "singles", "doubles", "locks")), strict=True
    )
    return {
        "round": int(state["round"]),
        "first": int(state["first"]),
        "next_first": int(state["next_first"]) - 1 if state["next_first"] else None,
        "coins": state["coins"][:n].tolist(),
        "points": state["points"][:n].tolist(),
        "citizens": state["citizens"][:n].tolist(),
        "temple": state["temple"][:n].tolist(),
        "oracle": state["oracle"][:n].tolist(),
        "time": [list(track) for track in tracks],
        "hands": [members(state["hand"][seat]) for seat in range(n)],
        "played": [members(state["played"][seat]) for seat in range(n)],
        "cities": cities,
        "homes": homes,
        "used": used(state, n),
        "taken": members(state["taken"]),
        "display": display(config, state),
        "marked": members(state["marked"]),
        "recruit": recruit_names(state),
        "marked_type": TYPES[state["marked_type"] - 1] if state["marked_type"] else None,
        "deck": deck_size(config, state),
        "discard": members(state["discard"]),
        "bonus": bonus_seats(state),
    }


def result_dict(config: Config, state: np.void, scores: Scores) -> dict[str, Any]:
    """PROTOCOL 3: the parts and totals, what decides ties, who has won or which rank was reached."""
    n = config.players
    result: dict[str, Any] = {part: scores.parts[:, k].tolist() for k, part in enumerate(SCORE_PARTS)}
    result["score"] = scores.totals.tolist()
    result["played"] = [len(members(state["played"][seat])) for seat in range(n)]
    result["coins"] = state["coins"][:n].tolist()
    result["winners"] = [] if config.is_solo else np.flatnonzero(scores.ranks == 0).tolist()
    if config.is_solo:
        score = int(scores.totals[0])
        result["solo_score"] = score
        result["rank"] = load_box(config.data).board.rank(score)
    return result
