"""The picture of a position: the map as in the box, cards, seats, the decision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.bits import members
from genesia_rl.core.scene import Row, Scene, Scenery, Seat, Table, decision_of, may_see, outcome_of, seats_of
from genesia_rl.games.genesia.names import ATTACK, PHASES, SCORE_PARTS, STANCES, STEP_STANCE
from genesia_rl.games.genesia.scene import asking, board, cards
from genesia_rl.games.genesia.scene.geometry import map_of
from genesia_rl.games.genesia.scene.names import LETTERS, age_name, player
from genesia_rl.games.genesia.state import States
from genesia_rl.games.genesia.text.words import some

if TYPE_CHECKING:
    from genesia_rl.games.genesia.game import GenesiaGame

PHASE_WORDS = {"setup": "Objectives", "draft": "Draft", "growth": "Growth", "expansion": "Expansion",
               "attack": "Attack", "end": "End of the Age", "position": "Turn order"}  # fmt: skip
FIGURES = ("coins", "cards", "clans left", "cities left", "regions", "conquests")


def draw(game: GenesiaGame, states: States, i: int, eyes: int) -> Scene:
    """The position as these eyes see it."""
    s = states[i]
    asked, seats = asking.question(game, states, i), _seats(game, states, i, eyes)
    return Scene(
        game=game.name,
        title="Genesia",
        eyes=eyes,
        size=map_of(game.config.continents).size,
        seats=seats,
        areas=tuple(board.areas(game, s)),
        pieces=tuple(board.pieces(game, s)),
        zones=tuple(cards.zones(game, s, eyes)),
        tables=(_figures(game, s), _score(game, states, i, eyes)),
        decision=decision_of(
            game, states, i, eyes, asked, lambda action: asking.option(game, states, i, action)
        ),
        chapters=_chapters(s),
        status="turn order " + " ".join(LETTERS[seat] for seat in s["order"][: game.num_seats]),
        over=bool(s["over"]),
        outcome=outcome_of(game, states, i, seats),
    )


def _chapters(s: np.void) -> tuple[str, ...]:
    if s["over"]:
        return ("the end",)
    phase = PHASES[s["phase"]]
    names = (age_name(int(s["age"])), PHASE_WORDS.get(phase, phase))
    return (*names, f"round {s['war_round'] + 1}") if s["phase"] == ATTACK else names


def _seats(game: GenesiaGame, states: States, i: int, eyes: int) -> tuple[Seat, ...]:
    s = states[i]
    found = seats_of(game, states, i, eyes, lambda seat: player(game, seat))
    return tuple(replace(seat, words=", ".join(_holds(s, eyes, seat.seat))) for seat in found)


def _holds(s: np.void, eyes: int, seat: int) -> list[str]:
    """What is true of a seat for a while: its coins and cards, effects that last, its stance."""
    words = [some(int(s["coins"][seat]), "coin"), some(len(members(s["hand"][seat])), "card")]
    if s["free_moves"][seat]:
        words.append(some(int(s["free_moves"][seat]), "free move"))
    if s["price_left"][seat]:
        words.append(
            f"next {some(int(s['price_left'][seat]), 'recruit')} for {some(int(s['price'][seat]), 'coin')}"
        )
    words += [f"+{s[name][seat]} {name}" for name in ("offence", "defence") if s[name][seat]]
    if s["stance"][seat] and (s["attack_step"] != STEP_STANCE or may_see(eyes, seat)):
        words.append(STANCES[s["stance"][seat]])
    return words


def _figures(game: GenesiaGame, s: np.void) -> Table:
    rows = []
    for seat in range(game.num_seats):
        hand, regions = len(members(s["hand"][seat])), len(members(s["occupied"][seat]))
        figures = (
            s["coins"][seat],
            hand,
            s["clan_supply"][seat],
            s["city_supply"][seat],
            regions,
            s["conquests"][seat],
        )
        rows.append(Row(tuple(str(int(figure)) for figure in figures), seat))
    return Table("figures", "Players", FIGURES, tuple(rows))


def _score(game: GenesiaGame, states: States, i: int, eyes: int) -> Table:
    """The score in its parts; what is secret stays a question mark."""
    scores, secret = game.scores(states, i), game.facts.secret_parts
    rows = []
    for seat in range(game.num_seats):
        known = may_see(eyes, seat) or game.is_over(states, i)
        parts = dict(zip(SCORE_PARTS, scores.parts[seat].tolist(), strict=True))
        shown = [str(n) if known or part not in secret else "?" for part, n in parts.items()]
        total = sum(n for part, n in parts.items() if known or part not in secret)
        ages = [str(n) for n in states[i]["progress"][seat].tolist()]
        rows.append(Row((*ages, *shown, str(total)), seat))
    columns = ("I", "II", "III", *SCORE_PARTS, "total")
    return Table("score", "Score", columns, tuple(rows), "progress by Age, and what the score is made of")


SCENERY = Scenery(draw, asking.tell)
