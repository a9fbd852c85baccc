"""Positions in few words, and a wrapper to play them: what the rule tests are written with.

    game = start(age=3, phase="attack", clans={6: {0: 3}, 9: {1: 2}}, hands=[[98], []])
    game.do("war", "peace")
    assert game.asked == (0, "assault") and game.edges == ["6-9"]

Whatever a position does not say is empty. The map of two players, for reading the tests:

    0            homeland 0      1 2 3   the ones      4 5 6   the twos      7 8 9   the threes
    10 11 12     the fours       13 14 15   the fives (13-32, 14-32, 14-33, 15-33 lead to the island)
    16 .. 31     the same for seat 1 (29-34, 30-34, 30-35, 31-35)
    32 33 34 35  the sevens, a ring      36 the twelve of 32 and 33      37 that of 34 and 35
    38           the centre, which touches 36 and 37

A column runs 0-1-4-7-10-13, the next 0-2-5-8-11-14, the last 0-3-6-9-12-15; neighbouring columns touch
in every row.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from genesia_rl.core.bits import members
from genesia_rl.games.genesia.data.board import Board, board_to_toml, standard_board
from genesia_rl.games.genesia.data.decks import age_deck
from genesia_rl.games.genesia.data.reading import PACKAGE_DATA
from genesia_rl.games.genesia.game import GenesiaGame, make

Fields = dict[str, Any]
Effect = dict[str, Any]

_FOLDERS = tempfile.TemporaryDirectory(prefix="genesia-cards-")
ALL_ICONS = "growth expansion attack end"


# ---------------------------------------------------------------- cards of one's own


def fx(do: str, **parameters: int | str) -> Effect:
    """One effect of a card: `fx("clans", n=2, at="own")`."""
    return {"do": do, **parameters}


def card(icons: str, *effects: Effect, timing: str = "turn", cost: int = 0, invention: int = 0) -> Fields:
    """What a card says, for `start(cards={61: card("growth", fx("moves", n=2))})`."""
    words = (ALL_ICONS if icons == "all" else icons).split()
    made: Fields = {"icons": words, "effects": list(effects), "timing": timing, "cost": cost}
    if timing == "copy":
        made |= {"copies": words, "effects": [fx("copy")]}
    return made | {"invention": invention}


def _toml(value: Any) -> str:
    """A value as TOML writes it inline."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def _board(n: int, roads: Sequence[Sequence[int]]) -> Board:
    """The standard board of n continents with some borders more."""
    board = standard_board(n)
    neighbours = [set(row) for row in board.neighbours]
    for a, b in roads:
        neighbours[a].add(b)
        neighbours[b].add(a)
    return Board(n, board.values, tuple(tuple(sorted(row)) for row in neighbours))


def folder_of(
    cards: Mapping[int, Fields],
    objectives: Mapping[int, Fields] | None = None,
    board: Board | None = None,
) -> str:
    """A data folder in which some cards (and objectives, and borders) say something else than ours."""
    key = json.dumps([cards, objectives, board and board_to_toml(board)], sort_keys=True)
    folder = Path(_FOLDERS.name) / hashlib.sha256(key.encode()).hexdigest()[:16]
    if not folder.exists():
        folder.mkdir()
        for kind, changes in (("card", cards), ("objective", objectives or {})):
            tables = tomllib.loads((PACKAGE_DATA / f"{kind}s.toml").read_text(encoding="utf-8"))[kind]
            text = ""
            for table in tables:
                change = changes.get(table["number"], {})
                if "timing" in change:
                    table.pop("copies", None)
                lines = [f"{name} = {_toml(value)}" for name, value in (table | change).items()]
                text += "\n".join([f"[[{kind}]]", *lines, "", ""])
            (folder / f"{kind}s.toml").write_text(text, encoding="utf-8")
        if board is not None:
            (folder / f"board-{board.continents}.toml").write_text(board_to_toml(board), encoding="utf-8")
    return str(folder)


@lru_cache(maxsize=256)
def _game(config: str) -> GenesiaGame:
    return make(**json.loads(config))


def game_of(**config: Any) -> GenesiaGame:
    """The game of a configuration; `cards`, `objective_cards` and `roads` change the data files."""
    cards = config.pop("cards", None)
    objectives = config.pop("objective_cards", None)
    roads = config.pop("roads", None)
    if cards or objectives or roads:
        board = _board(config.get("players", 2), roads) if roads else None
        config["data"] = folder_of(cards or {}, objectives, board)
    return _game(json.dumps(config, sort_keys=True))


# ---------------------------------------------------------------- positions


def _packs(game: GenesiaGame, age: int) -> list[list[int]]:
    """Some packs of an Age, as they might be dealt."""
    n = game.num_seats
    deck = age_deck(game.config, game.data, age)
    size = len(deck) // n
    return [list(deck[size * seat : size * (seat + 1)]) for seat in range(n)]


def _by_seat(value: Any, n: int) -> list[int]:
    return [value.get(seat, 0) for seat in range(n)] if isinstance(value, Mapping) else list(value)


def position(game: GenesiaGame, **fields: Any) -> Fields:
    """A position of PROTOCOL 4; clans are `{region: {seat: number}}`, cities `{region: seat or seats}`."""
    n, age = game.num_seats, fields.get("age", 1)
    made: Fields = {
        "age": age,
        "phase": "growth",
        "turn_order": list(range(n)),
        "coins": [0] * n,
        "hands": [[] for _ in range(n)],
        "clans": {},
        "cities": {},
        "inventions": [[] for _ in range(n)],
        "copied": [[] for _ in range(n)],
        "progress": [[0] * (age - 1) for _ in range(n)],
        "conquests": [0] * n,
        "objectives": [None] * n,
        "packs": [_packs(game, later) for later in range(age + 1, 4)],
    } | fields
    made["clans"] = {str(r): _by_seat(value, n) for r, value in made["clans"].items()}
    made["cities"] = {
        str(r): [value] if isinstance(value, int) else list(value) for r, value in made["cities"].items()
    }
    return made


class Play:
    """A game under way, with actions as texts; after every action the state is checked."""

    def __init__(self, game: GenesiaGame) -> None:
        self.game = game
        self.states = game.new_states()

    # ---- what is asked
    @property
    def over(self) -> bool:
        """Is the game over?"""
        return self.game.is_over(self.states, 0)

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.game.seat(self.states, 0)

    @property
    def kind(self) -> str:
        """The kind of the decision."""
        return self.game.kind(self.states, 0)

    @property
    def asked(self) -> tuple[int, str]:
        """Who is asked, and for what."""
        return self.seat, self.kind

    def legal(self, verb: str = "") -> list[str]:
        """The legal actions (of one verb), sorted as text."""
        texts = self.game.texts(self.game.legal_actions(self.states, 0))
        return [text for text in texts if not verb or text.partition(":")[0] == verb]

    def _objects(self, verb: str) -> list[int]:
        return sorted(int(text.partition(":")[2]) for text in self.legal(verb))

    @property
    def regions(self) -> list[int]:
        """The regions among the legal actions, in ascending order."""
        return self._objects("region")

    @property
    def cards(self) -> list[int]:
        """The cards that may be played (or kept)."""
        return self._objects("card")

    @property
    def amounts(self) -> list[int]:
        """The numbers that may be chosen."""
        return self._objects("amount")

    @property
    def edges(self) -> list[str]:
        """The edges among the legal actions, `3-6`, sorted by their ends."""
        texts = [text.partition(":")[2] for text in self.legal("edge")]
        return sorted(texts, key=lambda text: [int(end) for end in text.split("-")])

    # ---- playing
    def do(self, *texts: str) -> Play:
        """Take these actions one after the other."""
        for text in texts:
            self.game.step(self.states, 0, self.game.parse_action(text))
            assert self.game.check_state(self.states, 0) == []
        return self

    def skip_to(self, kind: str, seat: int | None = None) -> Play:
        """Pass, and where one cannot pass do the first thing, until this is asked."""
        for _ in range(2_000):
            if self.over:
                break
            if self.kind == kind and seat in (None, self.seat):
                return self
            legal = self.legal()
            self.do("end" if "end" in legal else "peace" if "peace" in legal else legal[0])
        raise AssertionError(f"{kind} of seat {seat} is never asked")

    def finish(self) -> Fields:
        """Pass to the end of the game; its result."""
        while not self.over:
            legal = self.legal()
            self.do("end" if "end" in legal else "peace" if "peace" in legal else legal[0])
        return self.result

    def clone(self) -> Play:
        """The same game again, to play it otherwise."""
        other = Play(self.game)
        other.states = self.game.clone(self.states)
        return other

    # ---- what is on the table
    @property
    def state(self) -> Any:
        """The record of the game."""
        return self.states[0]

    @property
    def public(self) -> Fields:
        """Coins, clans in supply, clans and cities, as a trace writes them."""
        return self.game.state_dict(self.states, 0)

    @property
    def coins(self) -> list[int]:
        """Coins by seat."""
        return list(self.public["coins"])

    def clans(self, region: int) -> list[int]:
        """Clans in a region by seat."""
        return list(self.public["clans"].get(str(region), [0] * self.game.num_seats))

    def where(self, seat: int) -> dict[int, int]:
        """Where a seat's clans are."""
        return {int(r): by_seat[seat] for r, by_seat in self.public["clans"].items() if by_seat[seat]}

    def cities(self, seat: int) -> list[int]:
        """The regions of a seat's cities."""
        return [int(r) for r, seats in self.public["cities"].items() if seat in seats]

    def _row(self, field: str) -> list[int]:
        return [int(x) for x in self.state[field][: self.game.num_seats]]

    @property
    def clan_supply(self) -> list[int]:
        """Clans that are not on the map, by seat."""
        return self._row("clan_supply")

    @property
    def city_supply(self) -> list[int]:
        """Cities that are not on the map, by seat."""
        return self._row("city_supply")

    @property
    def conquests(self) -> list[int]:
        """Assaults that gained a region, by seat."""
        return self._row("conquests")

    @property
    def order(self) -> list[int]:
        """The turn order."""
        return self._row("order")

    @property
    def age(self) -> int:
        """The Age, 1..3."""
        return int(self.state["age"]) + 1

    def hand(self, seat: int) -> list[int]:
        """A seat's hand, in order of number."""
        return members(self.state["hand"][seat])

    def inventions(self, seat: int) -> list[int]:
        """The Inventions a seat has played or copied."""
        return members(self.state["inventions"][seat])

    def progress(self, seat: int) -> list[int]:
        """A seat's progress in the three Ages."""
        return [int(x) for x in self.state["progress"][seat]]

    @property
    def result(self) -> Fields:
        """The result as a trace writes it."""
        return self.game.result_dict(self.states, 0)


# ---------------------------------------------------------------- beginning


CONFIG_FIELDS = (
    "players", "lots", "decks", "promos", "extra_objectives", "objective_pool", "attack_recruiting", "teams",
    "solo_level", "cards", "objective_cards", "roads",
)  # fmt: skip


def start(**fields: Any) -> Play:
    """A game from a position; fields of the configuration may stand among those of the position."""
    config = {name: fields.pop(name) for name in CONFIG_FIELDS if name in fields}
    play = Play(game_of(**config))
    play.game.put_position(play.states, 0, position(play.game, **fields))
    assert play.game.check_state(play.states, 0) == []
    return play


def dealt(seed: int = 0, **config: Any) -> Play:
    """A new game from a seed."""
    play = Play(game_of(**config))
    play.game.reset(play.states, 0, seed)
    return play


def fight(a: int, d: int, hands: Sequence[Sequence[int]] = ((), ()), **fields: Any) -> Play:
    """Seat 0 at War with a clans in region 1, seat 1 at Peace with d clans in region 4 beside it."""
    made: Fields = {"age": 3, "phase": "attack", "hands": [list(hand) for hand in hands]}
    made["clans"] = {1: {0: a}, 4: {1: d}}
    return start(**(made | fields)).do("war", "peace")
