"""The map with all that stands on it, and the assault or crossing that is under way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.bits import members
from genesia_rl.core.scene import Area, Piece, Shape
from genesia_rl.games.genesia.data.board import CENTRE, SEVEN, TWELVE, board_borders, continent_of, homeland
from genesia_rl.games.genesia.names import T_ASSAULT, T_TRANSIT
from genesia_rl.games.genesia.scene.geometry import Point, map_of, scenery
from genesia_rl.games.genesia.scene.names import LETTERS, player, region_word
from genesia_rl.games.genesia.text.words import some

if TYPE_CHECKING:
    from genesia_rl.games.genesia.game import GenesiaGame

PIECE, APART = 1.6, 41.0
ISLAND_TONES = {SEVEN: "sand", TWELVE: "yellow", CENTRE: "gold"}

#: Who stands in a region: seat, clans, whether it has a city there.
Standing = tuple[tuple[int, int, bool], ...]


def areas(game: GenesiaGame, s: np.void) -> Iterator[Area]:
    """The sea and the regions, each with its value; the way of an assault or a crossing on top."""
    n, standing = game.config.continents, standings(game, s)
    yield from _scenery(game)
    for region, value in enumerate(game.board.values):
        words = "\n".join(_words(game, standing.get(region, ())))
        yield _region(
            n, region, value, f"{region_word(game, region)}, worth {value or 'nothing'}", words or "free"
        )
    yield from _ways(game, s)


def standings(game: GenesiaGame, s: np.void) -> dict[int, Standing]:
    """Who stands in every region where somebody does."""
    found: dict[int, Standing] = {}
    for seat in range(game.num_seats):
        clans, cities = s["clans"][seat], set(members(s["city_regions"][seat]))
        for region in sorted({*np.flatnonzero(clans).tolist(), *cities}):
            found[region] = (*found.get(region, ()), (seat, int(clans[region]), region in cities))
    return found


def _scenery(game: GenesiaGame) -> tuple[Area, ...]:
    return scenery(game.config.continents, tuple(board_borders(game.board)))


@lru_cache(maxsize=1 << 12)
def _region(n: int, region: int, value: int, title: str, words: str) -> Area:
    continent = continent_of(region, n)
    is_home = continent < n and region == homeland(continent)
    chart = map_of(n)
    return Area(
        key=region_key(region),
        shape=chart.shape(region),
        tone=f"land{continent}" if continent < n else ISLAND_TONES.get(value, "sand"),
        label=LETTERS[continent] if is_home else str(value),
        at=chart.corner(region),
        title=title,
        words=words,
        seat=continent if is_home else -1,
        size=1.6 if is_home else 1.15,
    )


def region_key(region: int) -> str:
    """The key of a region."""
    return f"region:{region}"


def _words(game: GenesiaGame, standing: Standing) -> Iterator[str]:
    """Who is there, with what."""
    for seat, clans, city in standing:
        things = [some(clans, "clan")] if clans else []
        yield f"{player(game, seat)}: {' and '.join([*things, *(['a city'] if city else [])])}"


def pieces(game: GenesiaGame, s: np.void) -> Iterator[Piece]:
    """Clans with their number, cities with their owner's letter, side by side."""
    chart = map_of(game.config.continents)
    for region, standing in sorted(standings(game, s).items()):
        things = [thing for seat, clans, city in standing for thing in _things(seat, clans, city, region)]
        places = chart.spread(region, len(things), APART)
        yield from (replace(thing, at=at) for thing, at in zip(things, places, strict=True))


def _things(seat: int, clans: int, city: bool, region: int) -> Iterator[Piece]:
    """What a seat has in a region; where in it they stand, who draws them says."""
    area, nowhere = region_key(region), (0.0, 0.0)
    if clans:
        yield Piece(f"clans:{seat}:{region}", nowhere, area, seat, count=clans, size=PIECE)
    if city:
        yield Piece(f"city:{seat}:{region}", nowhere, area, seat, "house", letter=LETTERS[seat], size=PIECE)


def between(begin: Point, end: Point) -> tuple[float, float, float, float]:
    """The line from one point to another, without its ends, where pieces stand."""
    (ax, ay), (bx, by) = begin, end
    far = hypot(bx - ax, by - ay)
    first, last = min(18.0, far / 4) / far, 1 - min(34.0, far / 2) / far
    return ax + (bx - ax) * first, ay + (by - ay) * first, ax + (bx - ax) * last, ay + (by - ay) * last


def _ways(game: GenesiaGame, s: np.void) -> Iterator[Area]:
    """From where to where: the assault that is declared, the clan that is crossing."""
    chart, tasks = map_of(game.config.continents), s["tasks"][: s["depth"]].tolist()
    for task, begin, end, tone in (
        (int(T_ASSAULT), s["source"], s["target"], "alarm"),
        (int(T_TRANSIT), s["move_from"], s["move_at"], "dark"),
    ):
        if task in tasks and min(begin, end) >= 0 and begin != end:
            numbers = between(chart.middle(int(begin)), chart.middle(int(end)))
            yield Area(f"way:{task}", Shape("line", numbers), tone, size=1.6, edge="arrow", passive=True)
