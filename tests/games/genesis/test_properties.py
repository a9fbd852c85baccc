"""Properties that hold in every game: a game is a configuration, a seed, and which legal action each time."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.genesis.playing import Playing, dealt, game_of
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import States
from genesia_rl.games.genesis.config import Config
from genesia_rl.games.genesis.data.board import Board, groups, has_room
from genesia_rl.games.genesis.game import GenesisGame
from genesia_rl.games.genesis.names import NUM_TERRAINS
from genesia_rl.games.genesis.recount import Tiles, parts_of, tiles_of, zones_of
from genesia_rl.testing.stream import Stream


def examples(number: int) -> settings:
    """So many games, always the same ones on CI."""
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=bool(os.environ.get("CI")),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    )


# ---------------------------------------------------------------- any configuration, any play


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    """Any small board, with or without a river."""
    width, height = draw(st.integers(2, 7)), draw(st.integers(2, 6))
    row = st.text("...VP", min_size=width, max_size=width)
    rows = draw(st.lists(row, min_size=height, max_size=height))
    river = st.lists(st.integers(0, width), min_size=height, max_size=height)
    return {"rows": rows, "river": draw(st.none() | river)}


@st.composite
def configs(draw: st.DrawFn) -> dict[str, Any]:
    """Any fields of RULES 3 together, the plainest first; never one without room."""
    players = draw(st.integers(2, 4))
    found: dict[str, Any] = {"players": players, "tiles": draw(st.sampled_from([3, 1, 2, 13, 40]))}
    found["board"] = draw(boards())
    if draw(st.booleans()):
        found["first_player"] = draw(st.integers(0, players - 1))
    try:
        Config.from_dict(found)
    except ConfigError:
        assume(False)
    return found


@dataclass(frozen=True)
class Play:
    """A game: which legal action is taken, counted round; when the list is used up, any."""

    config: dict[str, Any]
    seed: int
    choices: list[int]
    joins: bool  # tiles go beside tiles of their terrain if they can, so that zones grow large

    def run(self) -> Iterator[tuple[GenesisGame, States, int]]:
        """Every state with the action that is taken in it; the last with -1."""
        play, stream = dealt(self.seed, **self.config), Stream(self.seed)
        game, states, choices = play.game, play.states, iter(self.choices)
        while not game.is_over(states, 0):
            legal = self._preferred(game, states)
            action = legal[next(choices, stream.below(1000)) % len(legal)]
            yield game, states, action
            game.step(states, 0, action)
        yield game, states, -1

    def _preferred(self, game: GenesisGame, states: States) -> list[int]:
        legal = game.legal_actions(states, 0)
        if not self.joins or game.kind(states, 0) != "cell":
            return legal
        terrain, tiles = int(states[0]["pending"]) - 1, tiles_of(states[0])
        board = game.config.board
        beside = [
            action
            for action in legal
            if any(tiles.get(cell, (-1, 0))[0] == terrain for cell in board.neighbours(action - 5))
        ]
        return beside or legal


def plays(config: st.SearchStrategy[dict[str, Any]] | None = None) -> st.SearchStrategy[Play]:
    choices = st.lists(st.integers(0, 300), max_size=60)
    return st.builds(
        Play, configs() if config is None else config, st.integers(0, 1 << 64), choices, st.booleans()
    )


STANDARD = st.builds(lambda players: {"players": players}, st.integers(2, 4))


def free_of(game: GenesisGame, tiles: Tiles) -> list[int]:
    return [cell for cell in game.config.board.in_use(game.num_seats) if cell not in tiles]


# ---------------------------------------------------------------- properties


@examples(60)
@given(plays())
def test_all_that_is_kept_up_to_date_is_what_a_recount_says(play: Play) -> None:
    for game, states, _ in play.run():
        assert game.check_state(states, 0) == []


@examples(8)
@given(plays(STANDARD))
def test_all_that_is_kept_up_to_date_is_what_a_recount_says_on_the_standard_board(play: Play) -> None:
    for game, states, _ in play.run():
        assert game.check_state(states, 0) == []


@examples(30)
@given(plays())
def test_room_is_what_a_flood_fill_finds(play: Play) -> None:
    for game, states, action in play.run():
        room = has_room(game.config.board, free_of(game, tiles_of(states[0])))
        assert room == (states[0]["middles"] > 0)
        assert room or action < 0


@examples(30)
@given(plays())
def test_zones_are_what_a_flood_fill_finds(play: Play) -> None:
    for game, states, _ in play.run():
        s, tiles, board = states[0], tiles_of(states[0]), game.config.board
        for terrain in range(NUM_TERRAINS):
            of_terrain = {cell for cell, (t, _) in tiles.items() if t == terrain}
            by_name: dict[int, list[int]] = {}
            for cell in sorted(of_terrain):
                by_name.setdefault(int(s["zone"][cell]), []).append(cell)
            assert list(by_name.values()) == groups(board, of_terrain)


@examples(30)
@given(plays())
def test_scores_are_those_of_a_slow_recount(play: Play) -> None:
    for game, states, _ in play.run():
        parts = parts_of(zones_of(game.config.board, tiles_of(states[0])), game.num_seats)
        assert game.scores(states, 0).parts.tolist() == parts


@examples(30)
@given(plays())
def test_tiles_are_neither_made_nor_lost_and_never_move(play: Play) -> None:
    before: Tiles = {}
    for game, states, _ in play.run():
        tiles = tiles_of(states[0])
        assert all(tiles[cell] == tile for cell, tile in before.items())
        placed = Counter(tiles.values())
        for seat in range(game.num_seats):
            held = states[0]["supply"][seat].tolist()
            assert [held[t] + placed[t, seat] for t in range(NUM_TERRAINS)] == [game.config.tiles] * 4
        before = tiles


@examples(30)
@given(plays())
def test_a_turn_is_one_or_two_tiles_of_one_seat_and_the_turns_go_round(play: Play) -> None:
    turns: dict[int, list[tuple[int, int]]] = {}
    cells: set[int] = set()
    last_turn = 0
    for _, states, _ in play.run():
        if new := set(tiles_of(states[0])) - cells:
            (cell,) = new
            turns.setdefault(last_turn, []).append(tiles_of(states[0])[cell])
            cells |= new
        last_turn = int(states[0]["turn"])
    assert all(1 <= len(tiles) <= 2 and len({seat for _, seat in tiles}) == 1 for tiles in turns.values())
    assert sorted(turns) == list(range(len(turns)))


@examples(30)
@given(plays())
def test_a_game_takes_at_most_three_decisions_for_each_cell_but_two(play: Play) -> None:
    *_, (game, states, _) = play.run()
    used = len(game.config.board.in_use(game.num_seats))
    assert states[0]["steps"] <= 3 * (used - 2)
    assert len(tiles_of(states[0])) <= used - 2


@examples(15)
@given(plays())
def test_copies_share_nothing(play: Play) -> None:
    for game, states, action in play.run():
        if action < 0:
            return
        before, copy = states.tobytes(), game.clone(states)
        game.step(copy, 0, action)
        assert states.tobytes() == before
        again = game.clone(states)
        game.step(again, 0, action)
        assert again.tobytes() == copy.tobytes()


@examples(15)
@given(plays())
def test_the_deal_begins_the_same_game(play: Play) -> None:
    first = dealt(play.seed, **play.config)
    other = Playing(game_of(**play.config))
    other.game.put_deal(other.states, 0, json.loads(json.dumps(first.game.deal_dict(first.states, 0))))
    assert first.states.tobytes() == other.states.tobytes()


# ---------------------------------------------------------------- symmetries of a position


def turned(board: Board, players: int, tiles: Tiles, how: int) -> tuple[dict[str, Any], list[str]]:
    """Board and cells of a position, mirrored in some way, seats and terrains renamed."""
    used = set(board.in_use(players))
    marks = [["##"] * board.width for _ in range(board.height)]
    for cell in used:
        terrain, seat = tiles.get(cell, (-1, 0))
        name = ".." if terrain < 0 else f"{'FSMW'[(terrain + how) % 4]}{(seat + how) % players}"
        marks[cell // board.width][cell % board.width] = name
    if how & 1:
        marks = [row[::-1] for row in marks]
    if how & 2:
        marks = marks[::-1]
    if how & 4:
        marks = [list(column) for column in zip(*marks, strict=True)]
    rows = ["".join("V" if mark == "##" else "." for mark in row) for row in marks]
    return {"rows": rows}, [" ".join(row) for row in marks]


@examples(40)
@given(plays(), st.integers(1, 7))
def test_mirrors_and_other_names_change_no_points(play: Play, how: int) -> None:
    *_, (game, states, _) = play.run()
    n = game.num_seats
    board, cells = turned(game.config.board, n, tiles_of(states[0]), how)
    if not has_room(Board(tuple(board["rows"])), Board(tuple(board["rows"])).in_use(n)):
        return
    other = Playing(game_of(players=n, tiles=game.config.tiles, board=board))
    has_free = any(".." in row for row in cells)
    other.game.put_position(other.states, 0, {"cells": cells, "seat": 0, "dice": ["JJ"] if has_free else []})
    parts, turned_parts = game.scores(states, 0).parts, other.game.scores(other.states, 0).parts
    for seat in range(n):
        for terrain in range(NUM_TERRAINS):
            assert parts[seat, terrain] == turned_parts[(seat + how) % n, (terrain + how) % NUM_TERRAINS]
