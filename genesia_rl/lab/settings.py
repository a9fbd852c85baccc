"""A configuration to be examined: the game, who plays it, and what is changed in it.

    policy = "greedy"
    NAME = true              # a change that the game's laboratory declares: yes or no,
    OTHER = [2]              # or a number for each place in the first turn order: here 2 for the first

    [game]                   # the fields of the game's configuration
    players = 3
    data = "my_data"

A folder in `data` is looked for beside the file.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from genesia_rl.core.data import data_of
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.lab import lab_of
from genesia_rl.core.mind import mind_of
from genesia_rl.core.reading import beside, parse_toml, read_text
from genesia_rl.core.registry import make_game, offers
from genesia_rl.lab.arms import cells_for, require_alone
from genesia_rl.matches.entrant import parse_entrant
from genesia_rl.matches.series import Series


class Setting:
    """One configuration, as it was checked."""

    def __init__(self, game_name: str, policy: str, fields: dict[str, Any], changes: dict[str, Any]) -> None:
        self.game_name, self.policy = game_name, policy
        self.fields, self.changes = fields, changes

    @cached_property
    def players(self) -> int:
        """Seats at the table."""
        return int(make_game(self.game_name, **self.fields).num_seats)

    def played_by(self, policy: str) -> Setting:
        """The same, played by another policy."""
        return Setting(self.game_name, policy, self.fields, self.changes)

    def told(self) -> str:
        """In words, for a report."""
        held = {"policy": self.policy, **self.changes, "game": self.fields}
        return ", ".join(f"{name} = {value}" for name, value in held.items() if value not in ([], {}, False))

    def series(self, blocks: int, seed: int) -> Series:
        """So many games in which the policy plays itself."""
        varied = cells_for(lab_of(self.game_name), self.fields, blocks)
        policy = parse_entrant(self.policy, self.game_name)
        lineup = (0,) * self.players
        return Series(
            self.game_name, (policy,), (lineup,), blocks, seed, self.fields, varied, self.changes
        )  # fmt: skip


def default_policy(game_name: str) -> str:
    """Who plays if nobody is named: the first of the game's scripted players."""
    return next(iter(mind_of(game_name).characters), "random") if offers(game_name, "mind") else "random"


def read_setting(path: str, game_name: str) -> Setting:
    """The configuration of a file; what is wrong with it is named."""
    file = Path(path)
    if not file.exists():
        raise ConfigError(f"{path}: no such file, allowed is a configuration as TOML")
    held: dict[str, Any] = parse_toml(path, read_text(file))
    game = held.get("game", {})
    if isinstance(game, dict) and isinstance(folder := game.get("data"), str):
        held["game"] = {**game, "data": beside(file, folder, data_of(game_name))}
    return made_setting(held, path, game_name)


def made_setting(held: dict[str, Any], where: str, game_name: str) -> Setting:
    """A checked configuration."""
    model = _model(game_name)
    try:
        found = model.model_validate(held).model_dump()
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(map(str, first["loc"]))
        allowed = ", ".join(model.model_fields)
        if first["type"] == "extra_forbidden":
            raise ConfigError(f"{where}: {name}: unknown key, allowed are {allowed}") from None
        raise ConfigError(f"{where}: {name}: {first['msg']} (keys: {allowed})") from None
    policy, fields = found.pop("policy"), found.pop("game")
    setting = Setting(game_name, policy, fields, {name: value for name, value in found.items() if value})
    try:
        parse_entrant(policy, game_name)
        require_alone(make_game(game_name, **fields), "game")
        _check_lists(setting)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None
    return setting


def _model(game_name: str) -> type[BaseModel]:
    """The keys of a file: those of every game, and the changes of this one."""
    kinds: dict[str, Any] = {
        name: (list[int], []) if change.is_list else (bool, False)
        for name, change in lab_of(game_name).changes.items()
    }
    strict = ConfigDict(extra="forbid", strict=True)
    return create_model(
        "Keys", __config__=strict, policy=(str, default_policy(game_name)), **kinds, game=(dict[str, Any], {})
    )  # fmt: skip


def _check_lists(setting: Setting) -> None:
    """A number for each place at most, none too large."""
    for name, value in setting.changes.items():
        most = lab_of(setting.game_name).changes[name].most
        if not isinstance(value, list):
            continue
        if len(value) > setting.players:
            raise ConfigError(f"{name} = {value}, allowed are {setting.players} at most")
        if any(not 0 <= number <= most for number in value):
            raise ConfigError(f"{name} = {value}, allowed are 0..{most} each")
