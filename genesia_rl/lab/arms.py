"""The series of games that the questions of the laboratory need, for one policy and number of players.

natural     the policy plays itself; all that varies in turn
no-WHAT     one plays without something against others who do not
and those that the game declares: with another order of choosing, with things taken at random ...
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game
from genesia_rl.core.lab import NATURAL, Arm, Lab, lab_of
from genesia_rl.matches.entrant import Entrant
from genesia_rl.matches.seating import one_against
from genesia_rl.matches.series import Series

FIRST, RESTRICTED = "first", "restricted"
WITHOUT = "no-"
RESTRICTED_SHARE = 0.1


class Condition(NamedTuple):
    """Who plays, and how many of it."""

    policy: str
    players: int
    games: int

    @property
    def folder(self) -> str:
        """A name for a folder."""
        return f"{self.players}p-{folder_name(self.policy)}"


def folder_name(policy: str) -> str:
    """A policy as the name of a folder."""
    return "".join(c if c.isalnum() else "-" for c in policy)


def parts_of(lab: Lab) -> dict[str, tuple[str, ...]]:
    """The parts of a game's report, each with the arms that it needs."""
    parts: dict[str, tuple[str, ...]] = {FIRST: (NATURAL, lab.choosing) if lab.choosing else (NATURAL,)}
    if lab.variation is not None:
        parts[lab.variation.name] = (NATURAL,)
    parts |= {items.name: tuple(dict.fromkeys((items.free, items.chance))) for items in lab.items}
    parts |= {offers.name: (NATURAL,) for offers in lab.offers}
    if lab.without:
        parts[RESTRICTED] = tuple(f"{WITHOUT}{what}" for what in lab.without)
    return parts


def arms_of(lab: Lab, parts: tuple[str, ...], fields: Mapping[str, Any]) -> list[str]:
    """The arms that some parts of the report need; nobody goes without what a configuration does not have."""
    found = dict.fromkeys(arm for part in parts for arm in parts_of(lab)[part])
    absent = {f"{WITHOUT}{what}" for what, without in lab.without.items() if not without.exists(fields)}
    return [arm for arm in found if arm not in absent]


def require_alone(game: Game, where: str) -> None:
    """Refuse games in which somebody plays with or for another."""
    allowed = "allowed are games of everybody for itself"
    if not game.is_contest:
        raise ConfigError(
            f"{where}: players = {game.config_dict().get('players')} with one joint score, {allowed}"
        )
    if len(set(game.teams)) < game.num_seats:
        raise ConfigError(f"{where}: seats of the teams {list(game.teams)}, {allowed}")


def series_of(game: str, arm: str, condition: Condition, seed: int, fields: Mapping[str, Any]) -> Series:
    """The games of one arm."""
    lab, n, games = lab_of(game), condition.players, condition.games
    given = {**fields, "players": n}
    varied = cells_for(lab, fields, games if arm == NATURAL else games // 20)
    policy = Entrant(condition.policy)
    if arm.startswith(WITHOUT):
        blocks = max(2, round(games * RESTRICTED_SHARE) // n)
        entrants = (Entrant(condition.policy, (arm.removeprefix(WITHOUT),)), policy)
        return Series(game, entrants, tuple(one_against(n)), blocks, seed, given, varied)
    known = Arm(1.0) if arm == NATURAL else lab.arms[arm]
    blocks = max(2, round(games * known.share))
    given |= known.fields(fields)
    return Series(game, (policy,), ((0,) * n,), blocks, seed, given, varied, dict(known.changes))


def cells_for(lab: Lab, fields: Mapping[str, Any], games: int) -> int:
    """In how many configurations of what varies so many games are played: enough games of each."""
    if lab.variation is None or lab.variation.refuses(fields):
        return 0
    return 1000 if games >= 20_000 else 100 if games >= 1000 else 10
