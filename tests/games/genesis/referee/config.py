"""The configuration (RULES 3) and the deal (RULES 4, 8 and PROTOCOL 3)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from .board import ROOM, Board, grid_problem, make_board
from .data import MOST_TILES, Data, load_data

FIELDS = ("players", "tiles", "first_player", "board")
BOARD_KEYS = ("rows", "river")
DEAL_KEYS = ("first", "dice")
STANDARD = "standard"


class ConfigError(ValueError):
    """A configuration that breaks a constraint of RULES 3."""


def _need(condition: bool, field: str, value: Any, allowed: str) -> None:
    if not condition:
        raise ConfigError(f"{field} = {value!r}: allowed {allowed}")


def whole(value: Any, low: int, high: int) -> bool:
    """Is it a whole number low..high?"""
    # AMBIGUOUS: nothing is said of true and false, or of 2.0, in the place of a number; they are refused.
    return type(value) is int and low <= value <= high


def resolve_config(partial: Mapping[str, Any] | None = None, data: Data | None = None) -> dict[str, Any]:
    """All four fields of RULES 3, defaults filled in; null means the default, unknown fields are refused."""
    data = data or load_data()
    given = {} if partial is None else partial
    _need(isinstance(given, Mapping), "config", given, "an object")
    for field in given:
        _need(field in FIELDS, field, given[field], f"only the fields {', '.join(FIELDS)}")
    config: dict[str, Any] = {"players": 2, "tiles": data.tiles, "first_player": None, "board": STANDARD}
    config.update({field: value for field, value in given.items() if value is not None})
    players, first = config["players"], config["first_player"]
    _need(whole(players, 2, 4), "players", players, "2..4")
    _need(whole(config["tiles"], 1, MOST_TILES), "tiles", config["tiles"], f"1..{MOST_TILES}")
    _need(first is None or whole(first, 0, players - 1), "first_player", first, f"0..{players - 1} or null")
    config["board"] = _resolve_board(config["board"])
    board = board_of(config, data)
    allowed = f"a board where, with {players} players, some {ROOM} cells in use are connected"
    _need(board.has_room(board.in_use), "board", config["board"], allowed)
    return config


def _resolve_board(board: Any) -> Any:
    """`"standard"`, or a board of one's own with both its keys."""
    if isinstance(board, str):
        _need(board == STANDARD, "board", board, f'"{STANDARD}", or an object with rows and river')
        return board
    _need(isinstance(board, Mapping), "board", board, f'"{STANDARD}", or an object with rows and river')
    for key in board:
        _need(key in BOARD_KEYS, f"board.{key}", board[key], f"only the keys {', '.join(BOARD_KEYS)}")
    _need("rows" in board, "board", board, "an object that has rows")
    # AMBIGUOUS: "in every field null means the default": rows of a board are no field, null is refused.
    problem = grid_problem(board["rows"], board.get("river"))
    if problem is not None:
        key, value, allowed = problem
        _need(False, f"board.{key}", value, allowed)
    river = board.get("river")
    return {"rows": list(board["rows"]), "river": None if river is None else list(river)}


def board_of(config: Mapping[str, Any], data: Data) -> Board:
    """The board of a resolved configuration, with the cells in use for its players."""
    if config["board"] == STANDARD:
        return make_board(data.rows, data.river, config["players"])
    return make_board(config["board"]["rows"], config["board"]["river"], config["players"])


# -------------------------------------------------------------------- the deal


def random_roll(rng: random.Random, data: Data) -> str:
    """RULES 8: each face of each die is equally likely."""
    return "".join(rng.choice(die) for die in data.dice)


def random_deal(
    config: Mapping[str, Any] | None, rng: random.Random, data: Data | None = None
) -> dict[str, Any]:
    """A deal in the form of PROTOCOL 3."""
    data = data or load_data()
    config = resolve_config(config, data)
    first = config["first_player"]
    if first is None:
        first = rng.randrange(config["players"])
    cells = len(board_of(config, data).in_use)
    return {"first": first, "dice": [random_roll(rng, data) for _ in range(cells)]}


def keys_problems(name: str, value: Any, keys: tuple[str, ...]) -> list[str]:
    """Is it an object with exactly these keys?"""
    if not isinstance(value, Mapping):
        return [f"{name} {value!r} is no object with the keys {', '.join(keys)}"]
    problems = [f"{name}: unknown key {key}; allowed {', '.join(keys)}" for key in value if key not in keys]
    return problems + [f"{name}: the key {key} is missing" for key in keys if key not in value]


def roll_problems(rolls: list[Any], data: Data) -> list[str]:
    """Rolls that the dice do not have."""
    problems = []
    for i, roll in enumerate(rolls):
        good = isinstance(roll, str) and len(roll) == 2
        if not (good and roll[0] in data.dice[0] and roll[1] in data.dice[1]):
            problems.append(f"dice[{i}] = {roll!r} is no roll of the two dice, like FJ")
    return problems


def check_deal(
    config: Mapping[str, Any] | None, deal: Mapping[str, Any], data: Data | None = None
) -> list[str]:
    """What is wrong with a deal; an empty list if nothing is."""
    data = data or load_data()
    config = resolve_config(config, data)
    # AMBIGUOUS: unknown keys are said to be refused in a position only; they are refused in a deal too.
    problems = keys_problems("deal", deal, DEAL_KEYS)
    if problems:
        return problems
    first, dice = deal["first"], deal["dice"]
    if not whole(first, 0, config["players"] - 1):
        problems.append(f"first = {first!r} is no seat 0..{config['players'] - 1}")
    elif config["first_player"] not in (None, first):
        problems.append(f"first = {first} although first_player is {config['first_player']}")
    cells = len(board_of(config, data).in_use)
    if not isinstance(dice, list) or len(dice) != cells:
        return [*problems, f"dice: not a list of {cells} rolls, one for each cell in use"]
    return problems + roll_problems(dice, data)
