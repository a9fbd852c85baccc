"""A state rebuilt from what a seat sees of it: from the bytes of its observation and the tables alone.

Written field by field from the page of the game, as a reader of an observation would; nothing here looks at a
state. Fields that are not in use are zero, as in a state.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.bits import members, put
from genesia_rl.games.genesia.game import GenesiaGame
from genesia_rl.games.genesia.names import EFFECTS as DOES
from genesia_rl.games.genesia.names import KINDS, PHASES, TASKS
from genesia_rl.games.genesia.state import FIELDS, STATE

Seen = Mapping[str, npt.NDArray[np.int8]]

WINDOW_PHASES = ("growth", "expansion", "end")  # in which played cards may be copied
RESOLUTION = ("defence", "reinforce", "losses", "siege", "occupy")
ASSAULT_STEPS = {"defence": 0, "reinforce": 1, "losses": 3, "siege": 4, "occupy": 5}
#: The effect that asks a kind of decision: there is one such effect on a card at most.
ASKED_BY = {"place": "clans", "found": "city", "rob": "take", "relay": "relay", "leap": "leap"}
#: What a row of a seat says of it in a field of the same name, as it stands there.
PLAIN = ("clan_supply", "city_supply", "price_left", "price_until", "pacifist", "spent", "launched")
RENAMED = {"anywhere_until": "anywhere", "group_until": "groups", "no_toll_until": "no_toll"}
#: Numbers that may be beyond int8: how many digits they have there, in the order of the digits.
BIG = {"coins": 3, "progress": 6, "conquests": 2, "free_moves": 2, "offence": 2, "defence": 2}
BIG_GLOBALS = ("war_round", "small_moves", "strike", "feint", "ward", "raid")
GLOBALS = ("pick", "move_clans", "storm", "fortify", "rout", "target_was_empty")


def digits(places: npt.NDArray[np.int8]) -> int:
    """A number to the base 128, the lowest digit first."""
    return sum(int(digit) << (7 * place) for place, digit in enumerate(places))


class Rebuilt:
    """What one seat can tell of a state."""

    def __init__(self, game: GenesiaGame, seat: int, observation: npt.NDArray[np.int8]) -> None:
        self.n, self.me, self.t = game.num_seats, seat, game.tables[0]
        self.seen: Seen = game.named(observation)
        self.solo = game.config.is_solo
        self.s = np.zeros(1, STATE)[0]
        self.phase = PHASES[int(self.the("global_phase").argmax())]
        self.kind = KINDS[int(self.the("global_kind").argmax())]
        self._time()
        for k in range(self.n):
            self._seat(k)
        self._cards()
        self._draft()
        self._effect()
        self._move()
        self._attack()
        self._choice()

    def the(self, name: str) -> npt.NDArray[np.int8]:
        """A piece of the observation."""
        return self.seen[name]

    def of(self, k: int, name: str) -> int:
        """A number in the row of the k-th seat from the observer's."""
        return int(self.the(f"seat{k}_{name}")[0])

    def who(self, k: int) -> int:
        """The k-th seat from the observer's."""
        return (self.me + k) % self.n

    def seats_with(self, name: str) -> list[int]:
        """The seats whose row says yes."""
        return [self.who(k) for k in range(self.n) if self.of(k, name)]

    def regions(self, name: str) -> list[int]:
        """The marked regions of a plane."""
        return [
            int(self.t["region_from_view"][self.me, v]) for v in np.flatnonzero(self.the(f"region_{name}"))
        ]

    def cards(self, name: str, value: int = 1) -> list[int]:
        """The cards that have a value in a plane."""
        return np.flatnonzero(self.the(f"card_{name}") == value).tolist()

    # ---- what is there
    def _time(self) -> None:
        s = self.s
        s["age"], s["phase"] = self.the("global_age").argmax(), PHASES.index(self.phase)
        s["kind"], s["over"] = KINDS.index(self.kind), self.phase == "over"
        self.asked = next(iter(self.seats_with("to_act")), -1)
        s["seat"] = self.asked
        for k in range(self.n):
            s["order"][self.of(k, "place")] = self.who(k)
        self.turn_seat = next(iter(self.seats_with("is_turn")))
        s["turn"] = s["order"].tolist().index(self.turn_seat)
        for name in GLOBALS:
            s[name] = self.the(f"global_{name}")[0]
        beyond = self.the("global_beyond")
        for place, name in enumerate(BIG_GLOBALS):
            s[name] = int(self.the(f"global_{name}")[0]) + digits(beyond[2 * place : 2 * place + 2])

    def _seat(self, k: int) -> None:
        s, o = self.s, self.who(k)
        for name in PLAIN:
            s[name][o] = self.of(k, name)
        for name, seen in RENAMED.items():
            s[name][o] = self.of(k, seen)
        if price := self.of(k, "price"):
            s["price"][o] = price - 1
        s["stance"][o] = self.of(k, "stance")
        s["hosts"] |= self.of(k, "host") << o
        self._numbers(k, o)
        planes = [self.the(f"region_{name}")[k] for name in ("clans", "cities", "presence")]
        for view, (clans, city, presence) in enumerate(zip(*planes, strict=True)):
            region = int(self.t["region_from_view"][self.me, view])
            s["clans"][o, region] = clans
            for yes, field in (
                (clans and presence, "clan_regions"),
                (city, "city_regions"),
                (presence, "occupied"),
            ):
                if yes:
                    put(s[field][o], region)

    def _numbers(self, k: int, o: int) -> None:
        beyond, place = self.the(f"seat{k}_beyond"), 0
        for name, size in BIG.items():
            values = self.the(f"seat{k}_{name}")
            each = size // len(values)
            exact = [
                int(v) + digits(beyond[place + each * i : place + each * (i + 1)])
                for i, v in enumerate(values)
            ]
            self.s[name][o] = exact if len(exact) > 1 else exact[0]
            place += size

    def _cards(self) -> None:
        s, n, me = self.s, self.n, self.me
        put(s["hand"][me], *self.cards("in_hand"))
        put(s["discarded"][me], *self.cards("discarded"))
        for k in range(n):
            o = self.who(k)
            put(s["played"][o], *self.cards("played_by", k + 1))
            copied = self.the("card_copied")[k]
            inventions = [c for c in members(s["played"][o]) if self.t["invention"][c] > 0]
            put(s["inventions"][o], *inventions, *np.flatnonzero(copied).tolist())
            put(s["marked"][o], *np.flatnonzero(copied == 1).tolist())
            if self.solo and o != me:
                put(s["hand"][o], *self.cards("open_hand", k + 1))
                put(s["discarded"][o], *self.cards("discarded", 2))

    def _draft(self) -> None:
        s, me = self.s, self.me
        put(s["held"][me], *self.cards("pack"))
        for pick in range(1, 6):
            for card in self.cards("picked", pick):
                s["picks"][me, pick - 1] = card
            for card in self.cards("seen", pick):  # a pack comes back after as many picks as there are seats
                for earlier in range(pick - 1, -1, -self.n):
                    put(s["seen"][me, earlier], card)
        dealt = np.flatnonzero(self.the("global_dealt")).tolist()
        s["dealt"][me] = dealt if len(dealt) == 2 else 0
        s["kept"][me] = np.argmax(self.the("global_kept"))

    # ---- what is under way
    def _passed(self) -> int:
        """How many seats after the one whose turn it is comes the one that is asked?"""
        order = self.s["order"].tolist()[: self.n]
        return int(order.index(self.asked) - order.index(self.turn_seat)) % self.n

    def _tasks(self, *words: str) -> None:
        self.s["depth"] = len(words)
        self.s["tasks"][: len(words)] = [TASKS.index(word) for word in words]

    def _window(self, card: int) -> list[str]:
        """The copy window of a card that was played in a turn: its copiers are asked in it."""
        if self.phase not in WINDOW_PHASES:
            return []
        self.s["window_card"], self.s["window_seat"], self.s["window_passed"] = (
            card,
            self.turn_seat,
            self._passed(),
        )
        return ["window"]

    def _effect(self) -> None:
        """A card whose effects are being executed, or which may be copied now."""
        s = self.s
        waiting = self.cards("active", 2)
        if waiting:
            window = self._window(waiting[0])
            if self.kind == "copy":
                self._tasks(*window)
            else:
                s["small_seat"] = self.asked
                self._tasks(*window, "small_turn")
        word = self.kind.partition("_")[0]
        if word not in ASKED_BY:
            return
        (card,) = self.cards("active")
        window = self._window(card)
        s["card"], s["actor"], s["copied"] = card, self.asked, bool(window) and self.asked != self.turn_seat
        does = DOES.index(ASKED_BY[word])
        s["op"] = self.t["op_do"][card].tolist().index(does)
        s["left"] = self.the("global_left")[0] if word in ("place", "found") else -1
        for field, plane in (("chosen", "chosen"), ("chosen_to", "chosen_goal")):
            s[field] = next(iter(self.regions(plane)), -1)
        small = s["copied"] and self.t["moves_on"][card] > 0
        s["small_seat"] = self.asked if small else 0
        self._tasks(*window, *(["small_turn"] if small else []), "effects")

    def _move(self) -> None:
        """A move whose group is to be chosen, or which crosses a region."""
        s = self.s
        if self.kind not in ("group", "transit"):
            return
        below = [TASKS[task] for task in s["tasks"][: s["depth"]]]
        self._tasks(*below, self.kind)
        s["mover"], (s["move_from"],), (s["move_at"],) = (
            self.asked,
            self.regions("origin"),
            self.regions("crossing"),
        )
        if self.kind == "group":
            (goal,) = self.regions("can_reach")
            steps = zip(self.t["edge_from"], self.t["edge_to"], strict=True)
            s["move_edge"] = list(steps).index((s["move_from"], goal))

    def _attack(self) -> None:
        """An assault that was declared."""
        s = self.s
        s["attack_step"] = self.phase == "attack" and self.kind != "stance"
        if self.kind not in RESOLUTION:
            return
        self._tasks("assault")
        s["assault_step"] = ASSAULT_STEPS[self.kind]
        (s["attacker"],), (s["defender"],) = self.seats_with("attacker"), self.seats_with("defender")
        (s["source"],), (s["target"],) = self.regions("assault_from"), self.regions("assault_to")
        besieged = s["target"] in members(s["city_regions"][s["attacker"]])
        s["conquered"] = self.kind == "occupy" and besieged

    def _choice(self) -> None:
        """The choice of the next turn order."""
        s, n = self.s, self.n
        if self.phase != "position":
            return
        order = s["order"].tolist()[:n]
        s["choosers"][:n] = sorted(order, key=lambda seat: s["progress"][seat, s["age"]])
        s["next_order"][:n] = -1
        for k in range(n):
            if place := self.of(k, "next_place"):
                s["next_order"][place - 1] = self.who(k)
        s["chosen_places"] = sum(self.of(k, "next_place") > 0 for k in range(n))


#: What is no knowledge of anybody: how many decisions have been taken is counted for traces and time limits.
UNCOUNTED = ("steps",)


def differences(game: GenesiaGame, state: np.void, seat: int, observation: npt.NDArray[np.int8]) -> list[str]:
    """Fields of all that the seat may know now (RULES 9) which its observation does not tell."""
    found = Rebuilt(game, seat, observation).s
    return [
        name
        for name, _, knows, _ in FIELDS
        if name not in UNCOUNTED
        and not np.array_equal(*(known(game, s, state, seat, name, knows) for s in (found, state)))
    ]


def known(game: GenesiaGame, s: np.void, state: np.void, seat: int, name: str, knows: str) -> Any:
    """The part of a field that a seat knows: all of what is public, its own row of what is its own."""
    if knows == "hidden":
        return 0
    everybody = knows == "public" or (name == "stance" and state["attack_step"] != 0)
    if game.config.is_solo and name in ("hand", "discarded"):
        everybody = True
    value = s[name] if everybody else s[name][seat]
    return np.sort(value) if name == "dealt" else value
