"""Who meets whom, in how many games: the series of an arena."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import make_game
from genesia_rl.matches.entrant import Entrant
from genesia_rl.matches.seating import lineups, mirrors, one_against, seatings, sides_of
from genesia_rl.matches.series import Series
from genesia_rl.matches.variations import checked_variation

FORMATS = ("all", "mirror", "one-against")


def make_league(
    game_name: str,
    entrants: Sequence[Entrant],
    games: int,
    seed: int = 0,
    form: str = "all",
    fields: Mapping[str, Any] | None = None,
    varied: int = 0,
    mixed: bool = False,
) -> Series:
    """At least so many games: whole blocks, and as many of every line-up.

    `all`: everybody meets everybody. `mirror`: everybody plays itself. `one-against`: the first sits alone
    against copies of the second. `mixed`: what varies comes in random order, for who may not see all games.
    """
    given = dict(fields or {})
    if games < 1:
        raise ConfigError(f"games = {games}, allowed is 1 or more")
    game = make_game(game_name, **given)
    sides = len(sides_of(game))
    if sides < 2 or not game.is_contest:
        number = given.get("players", game.num_seats)
        raise ConfigError(f"players = {number}, allowed is 2 or more: nobody to play against")
    chosen = _lineups(form, entrants, sides)
    a_round = sum(len(seatings(lineup)) for lineup in chosen)
    rounds = -(-games // a_round)
    if varied:
        checked_variation(game_name, given)
    blocks = rounds * len(chosen)
    return Series(game_name, tuple(entrants), tuple(chosen), blocks, seed, given, varied, mixed=mixed)


def _lineups(form: str, entrants: Sequence[Entrant], sides: int) -> list[tuple[int, ...]]:
    number, names = len(entrants), ",".join(entrant.name for entrant in entrants)
    if form == "all":
        if number < 2:
            raise ConfigError(
                f"agents = {names!r}, allowed are 2 or more (one alone plays with format mirror)"
            )
        return lineups(number, sides)
    if form == "mirror":
        return mirrors(number, sides)
    if form == "one-against":
        if number != 2:
            raise ConfigError(f"agents = {names!r} with format one-against, allowed are 2")
        return one_against(sides)
    raise ConfigError(f"format = {form!r}, allowed are {', '.join(FORMATS)}")
