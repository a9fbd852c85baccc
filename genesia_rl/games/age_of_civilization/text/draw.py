"""A position as readable text: the round, the track, the markets, the seats, and what is being asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.games.age_of_civilization.names import OPEN_CARDS, STAGES
from genesia_rl.games.age_of_civilization.recount import Recount
from genesia_rl.games.age_of_civilization.state import States
from genesia_rl.games.age_of_civilization.tables import members

if TYPE_CHECKING:
    from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame


def draw(game: AgeOfCivilizationGame, states: States, i: int) -> str:
    """The whole position; hands are left out."""
    s = states[i]
    lines = [f"round {s['round']}, decision {s['steps']}, first player token at seat {s['first']}", ""]
    lines += [*_track(game, s), "", *_markets(game, s), "", *_seats(game, states, i), ""]
    return "\n".join([*lines, *(["the game is over"] if s["over"] else _question(game, states, i))])


def _track(game: AgeOfCivilizationGame, s: np.void) -> Iterator[str]:
    """The cards from left to right; those in brackets are open."""
    begin = int(s["round"]) - 1
    shown = []
    for place, number in enumerate(s["track"]):
        card = game.box.board.cards[number]
        text = card.name + ("!" if card.war else "") + _event(game, s, place)
        shown.append(f"[{text}]" if begin <= place < begin + OPEN_CARDS else text)
    yield f"track (! war): {' '.join(shown)}"


def _event(game: AgeOfCivilizationGame, s: np.void, place: int) -> str:
    first = len(s["track"]) - len(s["events"])
    number = int(s["events"][place - first]) if place >= first else 0
    return f"+{game.box.board.events[number - 1].name}" if number else ""


def _markets(game: AgeOfCivilizationGame, s: np.void) -> Iterator[str]:
    civilizations = [
        f"{card} {game.box.civilization(card).name}" + ("*" * int(s["card_coins"][card - 1]))
        for card in members(s["market"])
    ]
    yield f"market (* coins): {', '.join(civilizations) or 'empty'}"
    wonders = [f"{number} {game.box.wonder(number).name}" for number in members(s["wonder_market"])]
    yield f"wonders: {', '.join(wonders) or 'none'}"
    if game.config.innovation:
        yield f"special cards: {', '.join(map(str, members(s['special_market']))) or 'none'}"


def _seats(game: AgeOfCivilizationGame, states: States, i: int) -> Iterator[str]:
    s, seen, scores = states[i], Recount(game.config, states[i]), game.scores(states, i)
    for seat in seen.seats:
        main = seen.main(seat)
        placed = int(s["placed"]) if seat == s["seat"] else 0
        yield (
            f"seat {seat}: {s['coins'][seat]} coins, {s['points'][seat]} points ({scores.totals[seat]} if it "
            f"ended now), {s['workers'][seat]} workers ({placed} placed), force {seen.force(seat)}"
        )
        names = [
            game.box.civilization(number).name + (" (main)" if number == main else "")
            for number in seen.civilizations(seat)
        ]
        names += [game.box.technology(number).name for number in seen.technologies(seat)]
        names += [game.box.wonder(number).name for number in seen.wonders(seat)]
        special = [f"special card {s['special'][seat]}"] if s["special"][seat] else []
        yield f"  {', '.join([*names, *special]) or 'nothing'}"


def _question(game: AgeOfCivilizationGame, states: States, i: int) -> list[str]:
    """Who decides what."""
    s = states[i]
    return [
        f"seat {s['seat']} decides: {game.kind(states, i)} ({STAGES[s['stage']]})",
        "  " + " ".join(game.texts(game.legal_actions(states, i))),
    ]
