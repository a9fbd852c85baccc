"""Effects (RULES 9): gains, decline rewards and lasting effects, checked key by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genesia_rl.core.mistakes import settle
from genesia_rl.core.reading import refuse, take_word
from genesia_rl.games.gentes.data.reading import Kind, Kinds, check_table, number, one_of
from genesia_rl.games.gentes.names import (
    ACTS,
    COUNTERS,
    GAINS,
    LASTING,
    MAX_COST,
    NUM_WILD,
    REWARDS,
    SLOTS,
    SYMBOLS,
    TYPES,
)

COINS, FEW = number(0, MAX_COST), number(1, 9)
SYMBOL_OR_ANY = one_of(*SYMBOLS, "any")
TYPE_OR_ANY = one_of(*TYPES, "any")
_MANY = number(1, 20)
_COUNT: Kinds = {"per": one_of(*COUNTERS), "div": number(1, 9), "cap": number(1, 30)}
_PAID = one_of(*ACTS[:NUM_WILD])
_EACH, _ONCE = ("each",), ("once",)
_BOTH = (*_EACH, *_ONCE)

#: gain -> the keys that must be there, the keys that may be
GAIN_KEYS: dict[str, tuple[Kinds, Kinds]] = {
    **{do: ({"n": _MANY}, _COUNT) for do in REWARDS},
    "lose_coins": ({"n": _MANY}, {}),
    "citizen": ({"type": TYPE_OR_ANY, "n": FEW}, {}),
    "lose_citizen": ({"type": TYPE_OR_ANY, "n": FEW}, {}),
    "hours": ({"n": FEW}, {}),
    "free_hours": ({"n": FEW}, {}),
    "unlock": ({"n": FEW}, {}),
    "card": ({"n": FEW, "first": number(1, SLOTS)}, {}),
    "city": ({"symbol": SYMBOL_OR_ANY}, {}),
    "activate": ({}, {}),
    "first": ({}, {}),
}
#: lasting effect -> when, the keys that must be there, the keys that may be
LASTING_KEYS: dict[str, tuple[tuple[str, ...], Kinds, Kinds]] = {
    "action": (_ONCE, {"action": _PAID, "coins": COINS, "hours": number(0, 3)}, {"symbol": SYMBOL_OR_ANY}),
    "gain": (_BOTH, {"action": one_of(*ACTS), "what": one_of(*REWARDS), "n": FEW}, {}),
    "discount": (_BOTH, {"action": _PAID, "n": FEW}, {}),
    "hours": (_BOTH, {"action": one_of(*ACTS), "n": FEW}, {}),
    "extra": (_ONCE, {"action": one_of("philosopher"), "n": FEW}, {}),
    "amount": (_ONCE, {"action": one_of("philosopher", "scribe"), "max": number(1, MAX_COST)}, {}),
    "double": (_ONCE, {"action": one_of("tax")}, {}),
    "virtual": (_EACH, {"type": one_of(*TYPES), "n": FEW}, {}),
    "hand": (_EACH, {"n": FEW}, {}),
}
_ANYTHING = Kind(lambda value: True, "anything")


@dataclass(frozen=True, slots=True)
class Gain:
    """RULES 9: a gain or a decline reward; a key that it does not have keeps its default."""

    do: str
    n: int = 1
    per: str = "flat"
    div: int = 1
    cap: int | None = None
    type: str = ""
    first: int = 0
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    """RULES 9: a lasting effect, or one side of a row of Homes."""

    do: str
    when: str = "once"
    action: str = ""
    n: int = 0
    coins: int = 0
    hours: int = 0
    symbol: str = ""
    what: str = ""
    max: int = 0
    type: str = ""

    @property
    def is_once(self) -> bool:
        """Is it used once a round, by choice?"""
        return self.when == "once"


def read_gain(where: str, table: object, allowed: Sequence[str] = GAINS) -> Gain:
    """RULES 9: one line of `gains` or of `decline`."""
    do = _read_do(where, table, allowed)
    must, may = GAIN_KEYS[do]
    found = check_table(f"{where}, {do}", table, {"do": _ANYTHING, **must}, may)
    settle()
    return Gain(**found)  # type: ignore[arg-type]


def read_effect(where: str, table: object, of_home: bool = False) -> Effect:
    """RULES 9: one lasting effect; those of Homes have no `when`."""
    do = _read_do(where, table, LASTING)
    times, must, may = LASTING_KEYS[do]
    where = f"{where}, {do}"
    if of_home and times == _EACH:
        refuse(where, "do", do, "an effect that may be used once a round")
    when: Kinds = {} if of_home else {"when": one_of(*times)}
    checked = check_table(where, table, {"do": _ANYTHING, **when, **must}, may)
    settle()
    found = Effect(**checked)  # type: ignore[arg-type]
    if do == "action" and (found.action == "navigator") != (found.symbol != ""):
        refuse(where, "symbol", found.symbol, "a symbol for navigator, and only for it")
    if do == "hours" and found.action == "tax" and not found.is_once:
        refuse(where, "when", found.when, "once only for tax: it could be used for ever without hourglasses")
    if of_home and do == "action" and found.action == "navigator":
        refuse(where, "action", found.action, "no navigator in a row of Homes: a moved Home is unused again")
    return found


def _read_do(where: str, table: object, allowed: Sequence[str]) -> str:
    if not isinstance(table, dict):
        refuse(where, "entry", table, "a table")
    if "do" not in table:
        refuse(where, "do", None, ", ".join(allowed))
    return take_word(where, table, "do", allowed)
