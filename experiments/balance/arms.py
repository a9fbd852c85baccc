"""The series of games that the questions of the laboratory need, for one policy and number of players.

natural     the policy plays itself; all lots in turn
promos      the same with promo cards, which otherwise nobody would see
blind       the same with promo cards, and every card kept at random: who holds what is chance
choosing    places in the turn order are chosen in random order: who may choose first is chance
no-WHAT     one plays without something against others who do not
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from experiments.matches.entrant import WITHOUT, Entrant
from experiments.matches.seating import one_against
from experiments.matches.series import Series
from genesia_rl.errors import ConfigError

#: What the parts of a report need.
PARTS = {
    "first": ("natural", "choosing"),
    "lots": ("natural",),
    "cards": ("promos", "blind"),
    "objectives": ("natural",),
    "restricted": tuple(f"no-{what}" for what in WITHOUT),
}
#: How many games an arm gets, as a share of those of `natural`.
SHARE = {"natural": 1.0, "blind": 0.5, "promos": 0.25, "choosing": 0.25}
RESTRICTED_SHARE = 0.1


class Condition(NamedTuple):
    """Who plays, and how many of it."""

    policy: str
    players: int
    games: int

    @property
    def folder(self) -> str:
        """A name for a folder."""
        letters = "".join(c if c.isalnum() else "-" for c in self.policy)
        return f"{self.players}p-{letters}"


def check_fields(fields: Mapping[str, Any], where: str) -> None:
    """Refuse games in which somebody plays with or for another."""
    if fields.keys() & {"teams", "solo_level"}:
        raise ConfigError(f"{where}: teams and solo_level, allowed are games of everybody for itself")


def arms_of(parts: tuple[str, ...], fields: dict[str, Any]) -> list[str]:
    """The arms that some parts of the report need; without objectives nobody can go without."""
    found = list(dict.fromkeys(arm for part in parts for arm in PARTS[part]))
    return [arm for arm in found if arm != "no-objective" or fields.get("objectives", True)]


def series_of(arm: str, condition: Condition, seed: int, fields: dict[str, Any]) -> Series:
    """The games of one arm."""
    n, games = condition.players, condition.games
    given = {**fields, "players": n}
    lots = 0 if {"lots", "decks"} & fields.keys() else most_lots(games if arm == "natural" else games // 20)
    policy = Entrant(condition.policy)
    if arm.startswith("no-"):
        blocks = max(2, round(games * RESTRICTED_SHARE) // n)
        entrants = (Entrant(condition.policy, (arm.removeprefix("no-"),)), policy)
        return Series(entrants, tuple(one_against(n)), blocks, seed, given, lots)
    if arm in ("blind", "promos") and "decks" not in fields:
        given["promos"] = True
    return Series(
        (policy,),
        ((0,) * n,),
        max(2, round(games * SHARE[arm])),
        seed,
        given,
        lots,
        blind_drafts=arm == "blind",
        random_choosers=arm == "choosing",
    )


def most_lots(games: int) -> int:
    """In how many combinations of lots so many games are played: enough games of each."""
    return 1000 if games >= 20_000 else 100 if games >= 1000 else 10
