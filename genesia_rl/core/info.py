"""What people may ask about a game before it is made: no kernel is loaded for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.reading import DataFiles


class Option(NamedTuple):
    """A part of a game's configuration as a command line takes it."""

    flag: str  # `--players`, or `--open/--no-open`
    type: type[int] | type[bool] | type[str]
    metavar: str
    help: str
    fields: Callable[[Any], dict[str, Any]]  # what was typed -> the fields that it sets; None is the default

    @property
    def name(self) -> str:
        """The flag as a name: `open`."""
        return self.flag.split("/")[0].removeprefix("--").replace("-", "_")


class GameInfo(NamedTuple):
    """A game in words: its title, its options, its glossary.

    Topics are what a game's pages speak of ("card", ...), each with numbered entries; `folder` is a
    folder of the user's own data, or None. `solo` are the fields of its solo mode, if it has one.
    """

    title: str
    players: tuple[int, int]  # the least and the most, without a solo mode
    options: tuple[Option, ...]
    read_config: Callable[[str], dict[str, Any]]  # file -> the fields it sets
    full: Callable[[int], dict[str, Any]]  # players -> the configuration with every rule switched on
    topics: tuple[str, ...] = ()
    numbers: Callable[[str, str | None], tuple[int, ...]] = lambda topic, folder: ()  # (topic, folder)
    explain: Callable[[str, int, str | None], str] = lambda topic, number, folder: ""  # in words
    solo: dict[str, Any] | None = None
    order: str = "in the first turn order"  # what is meant by the first, the second ...
    trace_version: int = 1  # of the form in which games are written; others are refused by name
    data: DataFiles | None = None  # the data files that a folder may replace, if there are any
    #: a folder -> what reads its files, each by itself and anew: an error is a mistake in them
    readers: Callable[[str], Iterable[Callable[[], object]]] = lambda folder: ()

    @property
    def all_players(self) -> tuple[int, ...]:
        """Every number of players; 1 is the solo mode."""
        least, most = self.players
        return (*(() if self.solo is None else (1,)), *range(least, most + 1))


def fields_of(options: Mapping[str, Option], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that the given options (by name) set; two that contradict each other are refused."""
    fields: dict[str, Any] = {}
    setters: dict[str, str] = {}
    for name, value in chosen.items():
        if value is None:
            continue
        flag = options[name].flag.split("/")[0]
        for field, item in options[name].fields(value).items():
            if field in fields and fields[field] != item:
                raise ConfigError(
                    f"{field} = {fields[field]!r} by {setters[field]} and {item!r} by {flag}, allowed is one"
                )
            fields[field], setters[field] = item, flag
    return fields
