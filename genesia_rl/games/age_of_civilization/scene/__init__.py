"""The picture of a position: the track, technologies, markets, civilizations, the decision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from genesia_rl.core.scene import Row, Scene, Scenery, Seat, Table, decision_of, outcome_of, seats_of
from genesia_rl.games.age_of_civilization.names import SCORE_PARTS
from genesia_rl.games.age_of_civilization.recount import Recount
from genesia_rl.games.age_of_civilization.scene import asking, board, cards
from genesia_rl.games.age_of_civilization.state import States

if TYPE_CHECKING:
    from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame

FIGURES = ("coins", "points", "workers", "idle", "force", "technologies", "wonders")


def draw(game: AgeOfCivilizationGame, states: States, i: int, eyes: int) -> Scene:
    """The position as these eyes see it."""
    s = states[i]
    asked, seats = asking.question(game, states, i), _seats(game, states, i, eyes)
    return Scene(
        game=game.name,
        title="Age of Civilization",
        eyes=eyes,
        size=board.size(),
        seats=seats,
        areas=tuple(board.areas(game, s)),
        pieces=tuple(board.pieces(game, s)),
        zones=tuple(cards.zones(game, s, eyes)),
        tables=(_figures(game, states, i), _score(game, states, i)),
        decision=decision_of(
            game, states, i, eyes, asked, lambda action: asking.option(game, states, i, action)
        ),
        chapters=_chapters(game, states, i),
        status=f"{cards.player(int(s['first']))} has the first player token",
        over=bool(s["over"]),
        outcome=outcome_of(game, states, i, seats),
        symbols=board.SYMBOLS,
    )


def _chapters(game: AgeOfCivilizationGame, states: States, i: int) -> tuple[str, ...]:
    s = states[i]
    if s["over"]:
        return ("the end",)
    if game.kind(states, i) == "draft":
        return ("Draft", f"pick {s['pick'] + 1}")
    return (f"Round {s['round']}", f"turn of {cards.player(game.seat(states, i))}")


def _seats(game: AgeOfCivilizationGame, states: States, i: int, eyes: int) -> tuple[Seat, ...]:
    s, seen = states[i], Recount(game.config, states[i])
    found = seats_of(game, states, i, eyes, cards.player)
    return tuple(
        replace(
            seat,
            words=f"{s['coins'][seat.seat]} coins, {s['workers'][seat.seat]} workers, force {seen.force(seat.seat)}",
        )
        for seat in found
    )


def _figures(game: AgeOfCivilizationGame, states: States, i: int) -> Table:
    s, seen = states[i], Recount(game.config, states[i])
    rows = []
    for seat in range(game.num_seats):
        idle = s["workers"][seat] - (s["placed"] if seat == s["seat"] else 0)
        figures = (s["coins"][seat], s["points"][seat], s["workers"][seat], idle, seen.force(seat),
                   len(seen.technologies(seat)), len(seen.wonders(seat)))  # fmt: skip
        rows.append(Row(tuple(str(int(figure)) for figure in figures), seat))
    return Table("figures", "Players", FIGURES, tuple(rows))


def _score(game: AgeOfCivilizationGame, states: States, i: int) -> Table:
    scores = game.scores(states, i)
    rows = tuple(
        Row(tuple(map(str, [*scores.parts[seat].tolist(), int(scores.totals[seat])])), seat)
        for seat in range(game.num_seats)
    )
    return Table("score", "Score if it ended now", (*SCORE_PARTS, "total"), rows)


SCENERY = Scenery(draw, asking.tell)
