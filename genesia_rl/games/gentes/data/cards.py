"""Civilization cards and action tiles (RULES 12): read and checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from genesia_rl.core.mistakes import each, settle
from genesia_rl.core.reading import Table, check_keys, refuse
from genesia_rl.games.gentes.data.effects import (
    COINS,
    SYMBOL_OR_ANY,
    Effect,
    Gain,
    read_effect,
    read_gain,
)
from genesia_rl.games.gentes.data.reading import (
    TABLES,
    TEXT,
    TRUTH,
    check_entry,
    check_numbers,
    list_of,
    number,
    one_of,
    table_of,
    take_entries,
)
from genesia_rl.games.gentes.names import (
    ACTS,
    CARDS,
    DECLINE_GAINS,
    ERAS,
    MAX_SEATS,
    SYMBOLS,
    SYNERGIES,
    TILES,
    TYPES,
)

LEAST_OF_ERA = 12
SOLO_TILES = 8
_CARD = {
    "number": number(1, CARDS), "name": TEXT, "era": number(1, ERAS), "needs": table_of(TYPES, number(1, 6)),
    "cities": list_of(one_of(*SYMBOLS), 0, 4), "points": number(0, 30), "synergy": list_of(one_of(*SYNERGIES), 0, 2),
    "gains": TABLES, "lasting": TABLES, "decline": TABLES,
}  # fmt: skip
_TILE = {
    "number": number(1, TILES), "action": one_of(*ACTS[:-1]), "coins": COINS, "hours": number(0, 3),
    "players": list_of(number(2, MAX_SEATS), 0, MAX_SEATS - 1), "solo": TRUTH,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Card:
    """RULES 12: a Civilization card."""

    number: int
    name: str
    era: int
    needs: Mapping[str, int]
    cities: tuple[str, ...]
    points: int
    synergy: tuple[str, ...]
    gains: tuple[Gain, ...]
    lasting: tuple[Effect, ...]
    decline: tuple[Gain, ...]

    @property
    def once(self) -> Effect | None:
        """Its effect that is used once a round, if it has one."""
        return next((effect for effect in self.lasting if effect.is_once), None)


@dataclass(frozen=True, slots=True)
class Tile:
    """RULES 12: an action tile."""

    number: int
    action: str
    coins: int
    hours: int
    players: tuple[int, ...]
    solo: bool
    symbol: str

    def is_in(self, players: int) -> bool:
        """Is it in a game of so many players?"""
        return self.solo if players == 1 else players in self.players


# ---------------------------------------------------------------- cards


def read_cards(file: str, table: Table, pairs: Sequence[Sequence[str]], room: int) -> tuple[Card, ...]:
    """RULES 12: `[[card]]`, 1..54."""
    check_keys(file, table, ("card",))
    tables = take_entries(file, table, "card")
    check_numbers(file, "card", tables, CARDS)
    found = each(lambda item: _read_card(_entry(file, item), item, pairs, room), tables)
    settle()
    for name, times in Counter(card.name for card in found).items():
        if times > 1:
            refuse(file, "card.name", name, "different names")
    for era in range(1, ERAS + 1):
        count = sum(card.era == era for card in found)
        if count < LEAST_OF_ERA:
            refuse(file, "card.era", f"{count} cards of Era {era}", f"at least {LEAST_OF_ERA} in each era")
    return found


def _entry(file: str, table: Any) -> str:
    return f"{file}: card {table['number']} ({table.get('name')})"


def _read_card(where: str, table: Any, pairs: Sequence[Sequence[str]], room: int) -> Card:
    found: Any = check_entry(where, table, _CARD)
    settle()
    synergy = found["synergy"]
    if found["era"] == ERAS and synergy:
        refuse(where, "synergy", synergy, "none in Era III")
    if len(set(synergy)) < len(synergy):
        refuse(where, "synergy", synergy, "different symbols")
    for a, b in pairs:
        if found["needs"].get(a, 0) + found["needs"].get(b, 0) > room:
            refuse(where, "needs", found["needs"], f"{a} and {b} together at most {room}")
    lasting = each(lambda item: read_effect(f"{where}, lasting", item), found["lasting"])
    if sum(effect.is_once for effect in lasting) > 1:
        refuse(where, "lasting", found["lasting"], "at most one effect once a round")
    return Card(
        number=found["number"],
        name=found["name"],
        era=found["era"],
        needs=found["needs"],
        cities=tuple(found["cities"]),
        points=found["points"],
        synergy=tuple(synergy),
        gains=each(lambda item: read_gain(f"{where}, gains", item), found["gains"]),
        lasting=lasting,
        decline=each(lambda item: read_gain(f"{where}, decline", item, DECLINE_GAINS), found["decline"]),
    )


# ---------------------------------------------------------------- tiles


def read_tiles(file: str, table: Table) -> tuple[Tile, ...]:
    """RULES 12: `[[tile]]`, 1..28."""
    check_keys(file, table, ("tile",))
    tables = take_entries(file, table, "tile")
    check_numbers(file, "tile", tables, TILES)
    found = each(lambda item: _read_tile(f"{file}: tile {item['number']}", item), tables)
    settle()
    for players in range(2, MAX_SEATS + 1):
        for action in ACTS[:4]:
            if not any(tile.action == action and players in tile.players for tile in found):
                refuse(file, "tile.players", players, f"at least one {action} tile for {players} players")
    solo = [tile for tile in found if tile.solo]
    if len(solo) != SOLO_TILES or sum(tile.symbol == "any" for tile in solo) != 1:
        allowed = f"{SOLO_TILES} solo tiles, one of them a navigator with the symbol any"
        refuse(file, "tile.solo", [tile.number for tile in solo], allowed)
    return found


def _read_tile(where: str, table: Any) -> Tile:
    found: Any = check_entry(where, table, _TILE, {"symbol": SYMBOL_OR_ANY})
    settle()
    action, coins, players = found["action"], found["coins"], found["players"]
    if (action == "navigator") != ("symbol" in found):
        refuse(where, "symbol", found.get("symbol"), "navigator tiles have one, others none")
    if action in ("philosopher", "scribe") and coins < 1:
        refuse(where, "coins", coins, "an amount of at least 1")
    if action == "leader" and (coins or found["solo"]):
        refuse(where, "coins", coins, "a Leader tile costs nothing and is not in the solo game")
    if len(set(players)) < len(players):
        refuse(where, "players", players, "different numbers")
    return Tile(
        number=found["number"],
        action=action,
        coins=coins,
        hours=found["hours"],
        players=tuple(players),
        solo=found["solo"],
        symbol=found.get("symbol", ""),
    )
