"""A position as readable text: the round, the display, the seats, and what is being asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.games.gentes.names import STAGES, TYPES
from genesia_rl.games.gentes.state import States
from genesia_rl.games.gentes.tables import members
from genesia_rl.games.gentes.text.deal import recruit_names
from genesia_rl.games.gentes.text.result import deck_size, places_of

if TYPE_CHECKING:
    from genesia_rl.games.gentes.game import GentesGame


def draw(game: GentesGame, states: States, i: int) -> str:
    """The whole position; the order of the decks is left out."""
    s = states[i]
    lines = [f"round {s['round']}, decision {s['steps']}, first player is seat {s['first']}", ""]
    lines += [*_table(game, s), "", *_seats(game, states, i), ""]
    return "\n".join([*lines, *(["the game is over"] if s["over"] else _question(game, states, i))])


def _named(game: GentesGame, card: int) -> str:
    return f"{card} {game.box.card(card).name}"


def _table(game: GentesGame, s: np.void) -> Iterator[str]:
    """What belongs to nobody; marked cards have a star."""
    marked = members(s["marked"])
    shown = [_named(game, int(card)) + ("*" if card in marked else "") for card in s["display"] if card]
    yield f"display: {', '.join(shown) or 'empty'} (deck {deck_size(game.config, s)})"
    for name, word in (("open", "open"), ("discard", "discard pile")):
        if s[name]:
            yield f"{word}: {', '.join(_named(game, card) for card in members(s[name]))}"
    yield f"recruiting: {', '.join(recruit_names(s))}"
    here = members(game.tables[0]["in_game"] & ~s["taken"])
    yield f"tiles: {', '.join(f'{tile} {game.box.tile(tile).action}' for tile in here)}"


def _seats(game: GentesGame, states: States, i: int) -> Iterator[str]:
    s, scores = states[i], game.scores(states, i)
    cities, homes = places_of(s, game.num_seats)
    for seat in range(game.num_seats):
        track = " ".join(f"{s[name][seat]} {name}" for name in ("tiles", "singles", "doubles", "locks"))
        yield (
            f"seat {seat}: {s['coins'][seat]} coins, {scores.totals[seat]} points, {s['temple'][seat]} temple and "
            f"{s['oracle'][seat]} oracle cubes; {track}"
        )
        citizens = [
            f"{number} {type_}" for number, type_ in zip(s["citizens"][seat], TYPES, strict=True) if number
        ]
        yield f"  citizens: {', '.join(citizens) or 'none'}"
        places = [game.box.city(int(place)).name for place, owner in cities.items() if owner == seat]
        places += [f"Home {place}" for place, owner in homes.items() if owner == seat]
        yield f"  tokens: {', '.join(places) or 'none'}"
        for name, word in (("played", "in play"), ("hand", "hand")):
            cards = [_named(game, card) for card in members(s[name][seat])]
            yield f"  {word}: {', '.join(cards) or 'nothing'}"


def _question(game: GentesGame, states: States, i: int) -> list[str]:
    """Who decides what."""
    s = states[i]
    return [
        f"seat {s['seat']} decides: {game.kind(states, i)} ({STAGES[s['stage']]})",
        "  " + " ".join(game.texts(game.legal_actions(states, i))),
    ]
