"""Games for the tests of the balance laboratory: played once, cut into parts, changed in known ways."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.games.genesia import data
from genesia_rl.games.genesia.actions import CARD_BASE, DISCARD_BASE
from genesia_rl.games.genesia.lab import LAB
from genesia_rl.games.genesia.lab import cards as card_set
from genesia_rl.games.genesia.lab.lots import LOTS
from genesia_rl.games.genesia.names import K_COPY, K_END_OF_AGE, MAX_CARD
from genesia_rl.lab.difference import Difference
from genesia_rl.lab.pages_difference import Compared
from genesia_rl.lab.settings import Setting
from genesia_rl.lab.traits import place_of
from genesia_rl.lab.varied import Varied
from genesia_rl.matches.entrant import Entrant
from genesia_rl.matches.games import Games, Table
from genesia_rl.matches.series import Series

Array = npt.NDArray[Any]
NAMED = card_set.load({})


class KeeperAgent(Player):
    """At random, whatever cards are worth; but it neither discards nor copies, and plays most End cards."""

    name, version = "keeper", 1

    def act_batch(self, seen: DecisionBatch) -> npt.NDArray[np.int64]:
        legal = seen.mask != 0
        card = np.zeros_like(legal)
        card[:, CARD_BASE + 1 : CARD_BASE + MAX_CARD + 1] = legal[:, CARD_BASE + 1 : CARD_BASE + MAX_CARD + 1]
        kind = seen.states["kind"][seen.rows]
        plays = card.any(axis=1) & (kind == K_END_OF_AGE) & (seen.uniform(1) < 0.7)
        legal[plays] = card[plays]
        legal[(kind == K_COPY)[:, None] & card] = False
        kept = legal.copy()
        kept[:, DISCARD_BASE + 1 : DISCARD_BASE + MAX_CARD + 1] = False
        legal = np.where(kept.any(axis=1, keepdims=True), kept, legal)
        k = np.floor(seen.uniform() * legal.sum(axis=1)).astype(np.int64)
        return np.asarray(np.argmax(legal.cumsum(axis=1) == k[:, None] + 1, axis=1))


class Keeper(Entrant):
    """The keeper takes part; no command knows it."""

    def player(self, game: str) -> Player:
        return KeeperAgent()


def entrant(policy: str) -> Entrant:
    return Keeper("random") if policy == "keeper" else Entrant(policy)


def self_play(policy: str, players: int, blocks: int, seed: int = 1, lots: int = 100, **more: Any) -> Series:
    """A policy against itself, in one shard; `game` are more fields of the configuration, the rest are changes."""
    fields = {"players": players, **more.pop("game", {})}
    return Series(
        "genesia",
        (entrant(policy),),
        ((0,) * players,),
        blocks,
        seed,
        fields,
        lots,
        more,
        shard_blocks=blocks,
    )


@cache
def pool(policy: str, players: int, blocks: int, seed: int = 1) -> Table:
    """Games of a policy with itself."""
    return self_play(policy, players, blocks, seed).run(0)["games"]


@cache
def cells(players: int) -> tuple[tuple[int, ...], ...]:
    """The lots of the cells of a pool."""
    return self_play("random", players, 2).cells


def told(found: Difference) -> Compared:
    """A difference as the pages take it: one policy, the package's data."""
    setting = Setting("genesia", "keeper", {}, {})
    return Compared((setting, setting), found)


def rows_of(table: Table, rows: Array) -> Table:
    """Some games, each a block of its own, in this order; a game may be there several times."""
    found = {name: values[rows] for name, values in table.items()}
    return {**found, "block": np.arange(len(rows))}


def parts(table: Table, size: int) -> Iterator[Games]:
    """Disjoint parts of a pool in which the games of all lots are mixed: independent repetitions."""
    number = len(table["block"])
    order = np.random.default_rng(1).permutation(number)
    for first in range(0, number - size + 1, size):
        yield Games(rows_of(table, order[first : first + size]), LAB)


def changed_data(folder: Path, card: int, points: int) -> str:
    """The package's data with a card that scores so many points more when it is played."""
    folder.mkdir(parents=True)
    source = Path(data.__file__).parent / "cards.toml"
    target = folder / source.name
    shutil.copy(source, target)
    before, after = re.split(rf"(?m)^number = {card}$", target.read_text(encoding="utf-8"))
    more = f'effects = [{{ do = "score", n = {points}, per = "flat" }}, '
    after, found = re.subn(r"(?m)^effects = \[", more, after, count=1)
    assert found == 1
    target.write_text(f"{before}number = {card}{after}", encoding="utf-8")
    return str(folder)


def shuffled_outcomes(table: Table, seed: int) -> Table:
    """The same games with totals and places handed to the seats by lot: nothing has an effect any more."""
    seats = table["ranks"].shape[1]
    by_lot = np.argsort(np.random.default_rng(seed).random((len(table["block"]), seats)), axis=1)
    return {
        **table,
        **{name: np.take_along_axis(table[name], by_lot, axis=1) for name in ("totals", "ranks")},
    }


def varied(players: int, own: tuple[tuple[int, ...], ...] | None = None) -> Varied:
    """What is counted of lots, in the cells of a pool or in others."""
    return Varied(players, LOTS, cells(players) if own is None else own, LAB)


def trait(name: str) -> int:
    """The place of a trait among all."""
    return place_of(LAB, name)
