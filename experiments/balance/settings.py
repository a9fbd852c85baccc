"""A configuration to be examined: the game, who plays it, and what is changed in it.

    policy = "greedy"
    coins = [2]              # 0..100 more coins in Age I by place in the turn order: here 2 for the first
    blind_drafts = false     # everybody keeps cards at random
    random_choosers = false  # places in the turn order are chosen in random order

    [game]                   # the fields of the game's configuration
    players = 3
    data = "my_cards"

A folder in `data` is looked for beside the file.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from experiments.balance.arms import check_fields, most_lots
from experiments.matches.entrant import parse_entrant
from experiments.matches.series import GAME, Series
from genesia_rl.contract import MAX_SEATS
from genesia_rl.errors import ConfigError, DataError
from genesia_rl.registry import make_game

MOST_COINS = 100


class Setting(BaseModel):
    """One configuration; it never changes once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    policy: str = "greedy"
    coins: tuple[int, ...] = Field((), max_length=MAX_SEATS)
    blind_drafts: bool = False
    random_choosers: bool = False
    game: dict[str, Any] = {}

    @property
    def players(self) -> int:
        """Seats at the table."""
        return int(self.game.get("players", 2))

    def series(self, blocks: int, seed: int) -> Series:
        """So many games in which the policy plays itself."""
        lots = 0 if {"lots", "decks"} & self.game.keys() else most_lots(blocks)
        return Series(
            (parse_entrant(self.policy),), ((0,) * self.players,), blocks, seed, self.game, lots,
            self.coins, self.blind_drafts, self.random_choosers,
        )  # fmt: skip


def read_setting(path: str) -> Setting:
    """The configuration of a file; what is wrong with it is named."""
    file = Path(path)
    try:
        held = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such file, allowed is a configuration as TOML") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: {error}, allowed is TOML") from None
    game = held.get("game", {})
    if isinstance(game, dict) and isinstance(folder := game.get("data"), str):
        held["game"] = {**game, "data": str(file.parent / folder)}
    return made_setting(held, path)


def made_setting(held: dict[str, Any], where: str) -> Setting:
    """A checked configuration."""
    try:
        found = Setting.model_validate(held)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        allowed = ", ".join(Setting.model_fields)
        raise ConfigError(f"{where}: {name}: {first['msg']} (keys: {allowed})") from None
    try:
        check_fields(found.game, "game")
        parse_entrant(found.policy)
        game = make_game(GAME, **found.game)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None
    if len(found.coins) > game.num_seats:
        raise ConfigError(f"{where}: coins = {list(found.coins)}, allowed are {game.num_seats} at most")
    if any(not 0 <= more <= MOST_COINS for more in found.coins):
        raise ConfigError(f"{where}: coins = {list(found.coins)}, allowed are 0..{MOST_COINS} each")
    return found
