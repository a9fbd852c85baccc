"""Actions, action cards, events and achievements (RULES 2, 7, 9, 12 and 14): the file `game.toml`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genesia_rl.core.mistakes import each, noted, settle
from genesia_rl.core.reading import Table, check_keys, is_int, refuse, take_int, take_word
from genesia_rl.games.age_of_civilization.data.cards import Civilization
from genesia_rl.games.age_of_civilization.data.effects import Effect, read_action_effects
from genesia_rl.games.age_of_civilization.data.reading import (
    SOURCES,
    check_source,
    take_flag,
    take_numbered,
    take_tables,
)
from genesia_rl.games.age_of_civilization.names import (
    ACTIONS,
    CARDS,
    COUNTS,
    EVENTS,
    MAX_PRICE,
    PERMANENT,
    WHO,
)

KEYS = (
    "permanent", "permanent_source", "first_game", "first_game_source", "solo_removed", "solo_removed_source",
    "action", "card", "event", "achievement",
)  # fmt: skip
#: What the rulebook prints of each action: spaces, workers, red, price.
PRINTED = {
    "wonder": (1, 1, True, 7), "research": (2, 1, False, 4), "enslavement": (1, 1, True, 0),
    "hunt": (2, 1, False, 0), "fish": (1, 1, False, 0), "farm": (1, 2, False, 0), "trade": (1, 1, False, 0),
    "culture": (1, 1, False, 4), "construction": (1, 2, False, 2), "conquest": (1, 1, True, 0),
}  # fmt: skip
#: RULES 12: what leaves the deck in the solo mode, by name.
SOLO_REMOVED = ("Mongolia", "Vikings", "Germania", "Carthage", "Phoenicia", "Scythia", "Iberia")
FIRST_CARDS = ("hunt", "fish", "farm")
EVENT_DOS = ("coins", "points", "workers")
EVENT_COUNTS = tuple(word for word in COUNTS if word != "bonus")


@dataclass(frozen=True, slots=True)
class Action:
    """RULES 7: an action."""

    name: str
    spaces: int
    workers: int
    red: bool
    price: int
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class ActionCard:
    """RULES 2: a card of the track; `action` is None for the one that has none."""

    name: str
    action: str | None
    war: bool
    plague: bool


@dataclass(frozen=True, slots=True)
class EventEffect:
    """RULES 9: who gains or loses how much of what."""

    who: str
    of: str
    do: str
    n: int
    per: str


@dataclass(frozen=True, slots=True)
class Event:
    """RULES 9: an event token."""

    number: int
    name: str
    effects: tuple[EventEffect, ...]


@dataclass(frozen=True, slots=True)
class Need:
    """RULES 8: a count and its bounds; one that is absent does not bind."""

    count: str
    least: int | None
    most: int | None

    def holds(self, count: int) -> bool:
        """RULES 8: with neither bound, at least 1."""
        least = 1 if self.least is None and self.most is None else self.least
        return (least is None or least <= count) and (self.most is None or count <= self.most)


@dataclass(frozen=True, slots=True)
class Achievement:
    """RULES 12: points to be reached in the solo mode, and what has to hold besides."""

    number: int
    name: str
    points: int
    needs: tuple[Need, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """All of `game.toml`."""

    actions: tuple[Action, ...]
    cards: tuple[ActionCard, ...]
    first_game: tuple[str, ...]
    solo_removed: tuple[int, ...]
    events: tuple[Event, ...]
    achievements: tuple[Achievement, ...]


def read_game(file: str, table: Table, civilizations: Sequence[Civilization], techs: Sequence[str]) -> Board:
    """RULES 14: the whole file."""
    check_keys(file, table, KEYS)
    for key in KEYS:
        if key.endswith("_source"):
            take_word(file, table, key, SOURCES)
    actions = _read_actions(file, table, techs)
    cards = _read_cards(file, table)
    return Board(
        actions=actions,
        cards=cards,
        first_game=_read_first_game(file, table, cards),
        solo_removed=_read_solo_removed(file, table, civilizations),
        events=each(lambda item: _read_event(file, item), take_numbered(file, table, "event", EVENTS)),
        achievements=each(
            lambda item: _read_achievement(file, item), take_numbered(file, table, "achievement")
        ),
    )


# ---------------------------------------------------------------- actions and cards


@noted(())
def _read_actions(file: str, table: Table, techs: Sequence[str]) -> tuple[Action, ...]:
    tables = take_tables(file, table, "action")
    names = [item.get("name") for item in tables]
    if names != list(ACTIONS):
        refuse(file, "action.name", names, f"{', '.join(ACTIONS)}, in order")
    return each(lambda item: _read_action(f"{file}, action {item['name']}", item, techs), tables)


def _read_action(where: str, table: Table, techs: Sequence[str]) -> Action:
    check_keys(where, table, ("name", "spaces", "workers", "red", "price", "effects", "source"))
    check_source(where, table, ("effects",))
    name = take_word(where, table, "name", ACTIONS)
    action = Action(
        name=name,
        spaces=take_int(where, table, "spaces", 1, 4),
        workers=take_int(where, table, "workers", 1, 4),
        red=take_flag(where, table, "red"),
        price=take_int(where, table, "price", 0, MAX_PRICE),
        effects=read_action_effects(where, table, techs),
    )
    settle()
    gains = [effect.n for effect in action.effects if effect.do == "technology"]
    if gains != ([1] if name == "research" else []):
        refuse(where, "effects", gains, "one technology for research, none elsewhere")
    printed = action.spaces, action.workers, action.red, action.price
    if table["source"] == "rulebook" and printed != PRINTED[name]:
        refuse(where, "spaces, workers, red, price", printed, f"{PRINTED[name]}, as the rulebook says")
    return action


@noted(())
def _read_cards(file: str, table: Table) -> tuple[ActionCard, ...]:
    tables = take_tables(file, table, "card")
    names = [item.get("name") for item in tables]
    if len(names) != CARDS or not all(isinstance(name, str) for name in names) or len(set(names)) != CARDS:
        refuse(file, "card.name", names, "eight different names")
    found = each(lambda item: _read_card(f"{file}, card {item['name']}", item), tables)
    settle()
    if sum(card.plague for card in found) != 1:
        refuse(file, "card.plague", [card.name for card in found if card.plague], "one card with the plague")
    if table["permanent"] != list(PERMANENT):
        refuse(file, "permanent", table["permanent"], ", ".join(PERMANENT))
    shown = [*PERMANENT, *(card.action for card in found if card.action)]
    if sorted(shown) != sorted(ACTIONS):
        refuse(file, "card.action", shown, "every action once, on the permanent card or on one card")
    return found


def _read_card(where: str, table: Table) -> ActionCard:
    check_keys(where, table, ("name", "war", "plague", "source"), ("action",))
    check_source(where, table, ("action", "war", "plague"))
    return ActionCard(
        name=str(table["name"]),
        action=take_word(where, table, "action", ACTIONS) if "action" in table else None,
        war=take_flag(where, table, "war"),
        plague=take_flag(where, table, "plague"),
    )


@noted(())
def _read_first_game(file: str, table: Table, cards: Sequence[ActionCard]) -> tuple[str, ...]:
    settle()
    order = table["first_game"]
    names = [card.name for card in cards]
    if (
        not isinstance(order, list)
        or sorted(map(str, order)) != sorted(names)
        or tuple(order[: len(FIRST_CARDS)]) != FIRST_CARDS
    ):
        refuse(file, "first_game", order, f"every card once, beginning with {', '.join(FIRST_CARDS)}")
    return tuple(order)


@noted(())
def _read_solo_removed(file: str, table: Table, civilizations: Sequence[Civilization]) -> tuple[int, ...]:
    settle()
    by_name = {civilization.name: civilization.number for civilization in civilizations}
    removed, allowed = table["solo_removed"], [by_name[name] for name in SOLO_REMOVED]
    if (
        not isinstance(removed, list)
        or not all(is_int(number, 1, len(civilizations)) for number in removed)
        or sorted(removed) != sorted(allowed)
    ):
        refuse(file, "solo_removed", removed, f"{allowed}: {', '.join(SOLO_REMOVED)}")
    return tuple(removed)


# ---------------------------------------------------------------- events and achievements


def _read_event(file: str, table: Table) -> Event:
    where = f"{file}, event {table.get('number')}"
    check_keys(where, table, ("number", "name", "effects", "source"))
    check_source(where, table, ("effects",))
    effects = take_tables(where, table, "effects")
    return Event(
        number=take_int(where, table, "number", 1, EVENTS),
        name=str(table["name"]),
        effects=each(
            lambda held: _read_event_effect(f"{where}, effects[{held[0]}]", held[1]), enumerate(effects)
        ),
    )


def _read_event_effect(where: str, table: Table) -> EventEffect:
    compared = table.get("who") in ("most", "least")
    check_keys(where, table, ("who", "do", "n", *(("of",) if compared else ())), ("per",))
    do = take_word(where, table, "do", EVENT_DOS)
    n = take_int(where, table, "n", -9, 9)
    if n == 0 or (n < 0 and do == "points"):
        refuse(where, "n", n, "not 0, and points are never lost")
    return EventEffect(
        who=take_word(where, table, "who", WHO),
        of=take_word(where, table, "of", EVENT_COUNTS) if compared else "flat",
        do=do,
        n=n,
        per=take_word(where, table, "per", EVENT_COUNTS) if "per" in table else "flat",
    )


def _read_achievement(file: str, table: Table) -> Achievement:
    where = f"{file}, achievement {table.get('number')}"
    check_keys(where, table, ("number", "name", "points", "needs", "source"))
    check_source(where, table, ("needs",))
    needs = take_tables(where, table, "needs")
    return Achievement(
        number=int(str(table["number"])),
        name=str(table["name"]),
        points=take_int(where, table, "points", 0, 99),
        needs=each(lambda held: _read_need(f"{where}, needs[{held[0]}]", held[1]), enumerate(needs)),
    )


def _read_need(where: str, table: Table) -> Need:
    check_keys(where, table, ("need",), ("min", "max"))
    bounds = {key: take_int(where, table, key, 0, 99) for key in ("min", "max") if key in table}
    return Need(take_word(where, table, "need", COUNTS), bounds.get("min"), bounds.get("max"))
