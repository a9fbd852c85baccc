"""The picture of a position: the board, every seat's sheet, the cards, the decision.

All lies open but the order of the decks (RULES 10), of which nothing is drawn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.scene import Row, Scene, Scenery, Seat, Table, decision_of, outcome_of, seats_of
from genesia_rl.games.gentes.names import S_DECLINE, S_FINAL, SCORE_PARTS, SYMBOLS, SYNERGIES
from genesia_rl.games.gentes.scene import asking, board, cards, places, sheets, symbols
from genesia_rl.games.gentes.state import States
from genesia_rl.games.gentes.tables import members
from genesia_rl.games.gentes.text.result import deck_size
from genesia_rl.games.gentes.text.words import counted

if TYPE_CHECKING:
    from genesia_rl.games.gentes.game import GentesGame

FIGURES = ("coins", "temple", "oracle", "citizens", "tokens", "in play", "in hand", "free spaces")


def draw(game: GentesGame, states: States, i: int, eyes: int) -> Scene:
    """The position; it is the same for all eyes but for the options."""
    s = states[i]
    asked, seats = asking.question(game, states, i), _seats(game, states, i, eyes)
    return Scene(
        game=game.name,
        title="Gentes",
        eyes=eyes,
        size=(board.WIDTH, sheets.HEIGHT),
        seats=seats,
        areas=(*board.areas(game, s), *places.areas(game, s), *sheets.areas(game, s)),
        pieces=(*board.pieces(game, s), *places.pieces(game, s), *sheets.pieces(game, s)),
        zones=tuple(cards.zones(game, states, i)),
        tables=(_figures(game, states, i), _signs(game, states, i), _score(game, states, i)),
        decision=decision_of(
            game, states, i, eyes, asked, lambda action: asking.option(game, states, i, action)
        ),
        chapters=_chapters(game, states, i),
        status=_status(game, states, i),
        over=bool(s["over"]),
        outcome=_outcome(game, states, i, seats),
        symbols=symbols.SYMBOLS,
    )


def _chapters(game: GentesGame, states: States, i: int) -> tuple[str, ...]:
    s = states[i]
    if s["over"]:
        return ("the end",)
    turn, kind = f"turn of {board.player(game.seat(states, i))}", game.kind(states, i)
    if kind in ("draft", "settle"):
        return ("Set-up", "first hands" if kind == "draft" else "first citizens")
    if s["scoring"]:
        return ("Final scoring", turn)
    phase = "Decline" if S_DECLINE <= s["stage"] < S_FINAL else turn
    return (f"Round {s['round']}", phase)


def _status(game: GentesGame, states: States, i: int) -> str:
    s = states[i]
    return f"Era {cards.ERA_NAMES[s['era']]}, {counted(deck_size(game.config, s), 'card')} in the deck"


def _outcome(game: GentesGame, states: States, i: int, seats: tuple[Seat, ...]) -> str:
    """Who has won; a solo game is measured by its rank."""
    if not game.is_over(states, i) or game.is_contest:
        return outcome_of(game, states, i, seats)
    rank = game.box.board.rank(seats[0].score)
    return (
        f"The game is over: {seats[0].score} points, {f'the rank is {rank}' if rank else 'which is no rank'}."
    )


def _seats(game: GentesGame, states: States, i: int, eyes: int) -> tuple[Seat, ...]:
    found = seats_of(game, states, i, eyes, board.player)
    return tuple(replace(seat, words=_has(game, states[i], seat.seat)) for seat in found)


def _has(game: GentesGame, s: np.void, seat: int) -> str:
    """What a seat has, in words."""
    coins, free = counted(int(s["coins"][seat]), "coin"), counted(sheets.free_spaces(game, s, seat), "space")
    return f"{coins}, {len(members(s['played'][seat]))} in play, {free} free"


# ---------------------------------------------------------------- tables


def _figures(game: GentesGame, states: States, i: int) -> Table:
    s, rows = states[i], []
    for seat in range(game.num_seats):
        sets = [len(members(s[name][seat])) for name in ("tokens", "played", "hand")]
        figures = (s["coins"][seat], s["temple"][seat], s["oracle"][seat], s["citizens"][seat].sum(), *sets,
                   sheets.free_spaces(game, s, seat))  # fmt: skip
        rows.append(Row(tuple(str(int(figure)) for figure in figures), seat))
    return Table("figures", "Players", FIGURES, tuple(rows))


def _signs(game: GentesGame, states: States, i: int) -> Table:
    """Synergies of the cards in play, and tokens by symbol."""
    s, rows = states[i], []
    for seat in range(game.num_seats):
        played = [game.box.card(number) for number in members(s["played"][seat])]
        synergies = [sum(synergy in card.synergy for card in played) for synergy in SYNERGIES]
        figures = (*synergies, *cards.symbols_of(game, s, seat).values())
        rows.append(Row(tuple(map(str, figures)), seat))
    return Table("signs", "Synergies in play, tokens by symbol", (*SYNERGIES, *SYMBOLS), tuple(rows))


def _score(game: GentesGame, states: States, i: int) -> Table:
    scores = game.scores(states, i)
    rows = tuple(
        Row(tuple(map(str, [*scores.parts[seat].tolist(), int(scores.totals[seat])])), seat)
        for seat in range(game.num_seats)
    )
    return Table("score", "Score", (*SCORE_PARTS, "total"), rows)


SCENERY = Scenery(draw, asking.tell)
