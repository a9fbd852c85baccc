"""Positions (PROTOCOL 4): what makes one valid, and random ones, dense and varied."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .board import Board
from .config import board_of, keys_problems, random_roll, resolve_config, roll_problems, whole
from .data import TERRAIN, TERRAINS, Data, load_data
from .state import NO_TILE, NOT_IN_USE, State, Tile, empty_state

POSITION_KEYS = ("cells", "seat", "dice")

# -------------------------------------------------------------------- valid positions


def check_position(
    config: Mapping[str, Any] | None, position: Mapping[str, Any], data: Data | None = None
) -> list[str]:
    """What is wrong with a position; an empty list if nothing is."""
    data = data or load_data()
    config = resolve_config(config, data)
    problems = keys_problems("position", position, POSITION_KEYS)
    if problems:
        return problems
    players = config["players"]
    if not whole(position["seat"], 0, players - 1):
        problems.append(f"seat = {position['seat']!r} is no seat 0..{players - 1}")
    board = board_of(config, data)
    on_cells = _cells_problems(board, players, config["tiles"], position["cells"])
    if on_cells:
        return problems + on_cells
    return problems + _dice_problems(free_cells(position), position["dice"], data)


def _cells_problems(board: Board, players: int, most: int, rows: Any) -> list[str]:
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        return [f"cells = {rows!r} is no list of strings"]
    if len(rows) != board.height:
        return [f"cells: {len(rows)} rows, not {board.height}"]
    problems = []
    held: Counter[str] = Counter()
    for y, row in enumerate(rows):
        texts = row.split(" ")
        if len(texts) != board.width:
            problems.append(f"cells[{y}]: {len(texts)} cells separated by one space, not {board.width}")
            continue
        for x, text in enumerate(texts):
            cell = y * board.width + x
            problem = _cell_problem(text, cell in board.in_use, players)
            if problem:
                problems.append(f"cell {cell} = {text!r}: {problem}")
            held[text] += 1
    for seat in range(players):
        for letter, terrain in TERRAIN.items():
            number = held[f"{letter}{seat}"]
            if number > most:
                problems.append(f"seat {seat} has {number} tiles of {terrain} on the board, not 0..{most}")
    return problems


def _cell_problem(text: str, in_use: bool, players: int) -> str:
    if not in_use:
        return "" if text == NOT_IN_USE else f"the cell is not in use, only {NOT_IN_USE} may be there"
    if text == NOT_IN_USE:
        return "the cell is in use"
    if text == NO_TILE:
        return ""
    if len(text) != 2 or text[0] not in TERRAIN or text[1] not in "0123456789":
        return f"allowed {NO_TILE} or a letter of {''.join(TERRAIN)} and a seat"
    return "" if int(text[1]) < players else f"there is no seat {text[1]}, only 0..{players - 1}"


def _dice_problems(free: int, dice: Any, data: Data) -> list[str]:
    """1..F rolls, none if F is 0; also when the position is over for want of room or of tiles."""
    if not isinstance(dice, list):
        return [f"dice = {dice!r} is no list of rolls"]
    low = min(1, free)
    if not low <= len(dice) <= free:
        return [f"dice: {len(dice)} rolls, not {low}..{free} (there are {free} free cells)"]
    return roll_problems(dice, data)


def free_cells(position: Mapping[str, Any]) -> int:
    return sum(row.split(" ").count(NO_TILE) for row in position["cells"])


def full_position(position: Mapping[str, Any]) -> dict[str, Any]:
    """The valid position as a trace writes it: with as many rolls as there are free cells."""
    free, dice = free_cells(position), position["dice"]
    rolls = [dice[i % len(dice)] for i in range(free)]
    return {"cells": list(position["cells"]), "seat": position["seat"], "dice": rolls}


# -------------------------------------------------------------------- random positions


def random_position(
    config: Mapping[str, Any] | None, rng: random.Random, data: Data | None = None
) -> dict[str, Any]:
    """A valid position: empty to full, scattered or in zones of many herds; some of them are over."""
    data = data or load_data()
    config = resolve_config(config, data)
    state = empty_state(config, data)
    bag = random_bag(config["players"], config["tiles"], rng)
    cells = len(state.board.in_use)
    wanted = round(cells * rng.choice([0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0]))
    if rng.random() < 0.25:  # three to eight cells are free: the end is near
        wanted = max(0, cells - rng.randint(3, 8))
    scatter(state, bag[:wanted], rng)
    free = len(state.free)
    return {
        "cells": state.rows(),
        "seat": rng.randrange(config["players"]),
        "dice": random_rolls(free, rng, data),
    }


def random_bag(players: int, tiles: int, rng: random.Random) -> list[Tile]:
    """Tiles that may be put on the board; those come first that leave a seat or a terrain used up."""
    used_up = {seat for seat in range(players) if rng.random() < 0.2}
    if rng.random() < 0.1:
        used_up = set(range(players))
    likes = [rng.choice(TERRAINS) for _ in range(players)]
    first, rest = [], []
    for seat in range(players):
        for terrain in TERRAINS:
            own = [Tile(terrain, seat)] * tiles
            if seat in used_up or rng.random() < 0.15:
                first += own
            else:
                often = 0.9 if terrain == likes[seat] else rng.choice([0.2, 0.6, 1.0])
                rest += [tile for tile in own if rng.random() < often]
    rng.shuffle(rest)
    return first + rest


def scatter(state: State, bag: list[Tile], rng: random.Random) -> None:
    """Put the tiles on the board; the likings say what a tile wants beside it."""
    bag = list(bag)
    if rng.random() < 0.8:
        rng.shuffle(bag)
    looks = rng.choice([1, 3, 8, 20])  # among how many cells the best is chosen
    likes_zone, likes_herd = rng.choice([(0, 0), (1, 0), (1, 1), (1, -2), (2, 3), (-1, 0)])
    likes_edge = rng.choice([0, 0, 1])
    free = state.free
    for tile in bag:
        if not free:
            return

        def liking(cell: int, tile: Tile = tile) -> float:
            total = rng.random()
            for other in state.board.neighbours(cell):
                beside = state.tiles.get(other)
                if beside is not None:
                    total += likes_edge
                    if beside.terrain == tile.terrain:
                        total += likes_herd if beside.seat == tile.seat else likes_zone
            return total

        cell = max(rng.sample(free, min(looks, len(free))), key=liking)
        free.remove(cell)
        state.put(cell, tile)


def random_rolls(free: int, rng: random.Random, data: Data) -> list[str]:
    """1..F rolls, often all the same or all jokers; none if F is 0."""
    if free == 0:
        return []
    number = rng.choice([1, free, rng.randint(1, free)])
    style = rng.random()
    if style < 0.15:
        return ["JJ"] * number
    if style < 0.3:
        return [random_roll(rng, data)] * number
    if style < 0.45:  # twice the same terrain: the dice open late
        return [letter * 2 for letter in rng.choices(list(TERRAIN), k=number)]
    return [random_roll(rng, data) for _ in range(number)]
