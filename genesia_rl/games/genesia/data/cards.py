"""Cards and objectives: read from TOML, checked, kept as frozen records (RULES 7, 8, 10 and 12).

The files are facts that an owner of the box can replace, so nothing here knows a card by its number,
except that the solo mode takes some numbers out. What is checked is what the rules need in order to
be defined; whether a card is well balanced is its author's business. The first problem found is
reported as one line: file, card or objective, key, value, and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from genesia_rl.core.errors import DataError
from genesia_rl.core.mistakes import each, settle
from genesia_rl.core.reading import (
    Table,
    check_keys,
    is_int,
    read_text,
    refuse,
    shown,
    take_int,
    take_word,
)
from genesia_rl.games.genesia.data.reading import (
    CARDS_FILE,
    DATA_FILES,
    OBJECTIVES_FILE,
    take_counter,
    take_icons,
    take_name,
    take_table,
    take_tables,
)
from genesia_rl.games.genesia.names import (
    AGES,
    COLOURS,
    EFFECTS,
    ICONS,
    LOTS,
    MAX_CARD,
    MAX_OBJECTIVE,
    MAX_OPS,
    MAX_TERMS,
    PLACES,
    TIMINGS,
    WHO,
)

SOURCES = ("rulebook", "reconstructed")
OBJECTIVE_LOTS = (*COLOURS, "black")
LOT_SIZE = 6
PROMOS_PER_AGE = 3
CARDS_PER_AGE = LOT_SIZE * len(COLOURS)
FIRST_PROMO = CARDS_PER_AGE * AGES + 1
OBJECTIVES_PER_LOT = 2

# RULES 10: what each level of the solo mode takes out of the blue and yellow lots, Age by Age.
SOLO_REMOVED: dict[str, tuple[tuple[int, ...], ...]] = {
    "beginner": ((6, 11), (36, 39), (64, 65, 70, 72)),
    "expert": ((5, 12), (33, 42), (64, 65, 69, 72)),
    "heroic": ((3, 9), (34, 45), (64, 65, 67, 72)),
}
SOLO_LOTS = ("blue", "yellow")


# ---------------------------------------------------------------- the records


@dataclass(frozen=True, slots=True)
class Effect:
    """RULES 7: one thing a card does; a parameter that the effect does not have keeps its default."""

    do: str
    n: int = 0
    at: str = ""
    per: str = ""
    div: int = 1
    cap: int | None = None
    who: str = ""
    p: int = 0
    d: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """RULES 7: a card, its effects in the order in which they are executed."""

    number: int
    name: str
    age: int
    lot: str
    icons: tuple[str, ...]
    cost: int
    invention: int
    timing: str
    copies: tuple[str, ...]
    effects: tuple[Effect, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Term:
    """RULES 8: n x floor(count(per) / div) points, at most cap."""

    n: int
    per: str
    div: int = 1
    cap: int | None = None


@dataclass(frozen=True, slots=True)
class Objective:
    """RULES 8: the sum of the terms, or 0 where the needed count (counter, minimum) is not reached."""

    number: int
    name: str
    lot: str
    terms: tuple[Term, ...]
    need: tuple[str, int] | None
    source: str


@dataclass(frozen=True, slots=True)
class Data:
    """RULES 12: every card and every objective, by number, and the custom folder (None: our own)."""

    cards: dict[int, Card]
    objectives: dict[int, Objective]
    folder: str | None


# ---------------------------------------------------------------- the vocabulary of section 7


@dataclass(frozen=True, slots=True)
class Parameter:
    """What one parameter may be: an integer in a range, a word of a list, or a counter."""

    low: int = 0
    high: int = 0
    words: tuple[str, ...] = ()
    is_counter: bool = False
    is_optional: bool = False


_N = Parameter(1, 30)
_AT = Parameter(words=PLACES)
_DIV = Parameter(1, 30, is_optional=True)
_CAP = Parameter(1, 60, is_optional=True)
_PER = Parameter(is_counter=True)
_AMOUNT = {"n": _N, "per": _PER, "div": _DIV, "cap": _CAP}

# Effects that are not listed have no parameter.
PARAMETERS: dict[str, dict[str, Parameter]] = {do: {} for do in EFFECTS} | {
    "clans": {"n": _N, "at": _AT},
    "city": {"n": Parameter(1, 20), "at": _AT},
    "coins": _AMOUNT,
    "others_coins": {"n": _N},
    "take": {"n": _N, "who": Parameter(words=WHO)},
    "moves": {"n": _N},
    "recruit_price": {"p": Parameter(0, 1), "n": _N},
    "relay": {"n": _N},
    "leap": {"n": _N, "d": Parameter(1, 20)},
    "score": _AMOUNT,
    "host_coins": {"n": _N},
    "host_clans": {"n": _N},
    "offence": {"n": _N},
    "defence": {"n": _N},
    "strike": {"n": _N},
    "feint": {"n": _N},
    "raid": {"n": _N},
    "ward": {"n": _N},
}

OFFENCE_EFFECTS = ("strike", "feint", "storm", "rout", "raid")
DEFENCE_EFFECTS = ("ward", "parry", "retreat", "fortify")
TURN_EFFECTS = tuple(e for e in EFFECTS if e not in (*OFFENCE_EFFECTS, *DEFENCE_EFFECTS, "copy"))
EFFECTS_OF_TIMING = {
    "turn": TURN_EFFECTS,
    "offence": OFFENCE_EFFECTS,
    "defence": DEFENCE_EFFECTS,
    "copy": ("copy",),
}
REPEATABLE = ("coins", "score")

TURN_ICONS = (
    ("growth",), ("expansion",), ("end",), ("growth", "expansion"), ("growth", "attack"), ICONS,
)  # fmt: skip
ATTACK_ICONS = (("attack",),)
COPIED_ICONS = ("growth", "expansion", "end")

# A turn card's effect means something only if the card bears one of these icons ...
_EXPANSION = ("expansion",)
_RECRUITING = ("growth", "expansion")
NEEDED_ICONS = {
    "moves": _EXPANSION,
    "group_moves": _EXPANSION,
    "no_toll": _EXPANSION,
    "recruit_price": _RECRUITING,
    "recruit_anywhere": _RECRUITING,
    "score": ("end",),
    "relay": _RECRUITING,
    "leap": _RECRUITING,
}
# ... and an effect that lasts into the Attack phase only with these.
LASTING_ATTACK = ("offence", "defence", "pacifist")
LASTING_ICONS = ("growth", "attack")
# What can be of use in the turn at the end of an Age.
END_EFFECTS = ("score", "coins", "clans", "city")

# Effects that reward the hosts, and places of pieces that may make somebody a host; `bases` is no such place
# for a city, as it means the own homeland there: every other base holds a city already.
HOST_EFFECTS = ("host_coins", "host_clans")
HOST_PLACES = {
    "clans": ("bases", "occupied", "frontier", "foreign_homeland", "free_outer"),
    "city": ("occupied", "frontier", "foreign_homeland", "free_outer"),
}
JOURNEYS = ("relay", "leap")

CARD_KEYS = (
    "number", "name", "age", "lot", "icons", "cost", "invention", "timing", "effects", "source",
)  # fmt: skip
OBJECTIVE_KEYS = ("number", "name", "lot", "terms", "source")


# ---------------------------------------------------------------- one card


def read_effect(where: str, table: Table) -> Effect:
    """RULES 7: an effect with exactly the parameters it has."""
    if "do" not in table:
        raise DataError(f"{where}: the key do is missing, allowed {', '.join(EFFECTS)}")
    do = take_word(where, table, "do", EFFECTS)
    where, parameters = f"{where} ({do})", PARAMETERS[do]
    required = [key for key, parameter in parameters.items() if not parameter.is_optional]
    check_keys(where, table, ("do", *required), (key for key in parameters if key not in required))
    ints: dict[str, int] = {}
    words: dict[str, str] = {}
    for key, parameter in parameters.items():
        if key not in table:
            continue
        if parameter.is_counter:
            words[key] = take_counter(where, table, key)
        elif parameter.words:
            words[key] = take_word(where, table, key, parameter.words)
        else:
            ints[key] = take_int(where, table, key, parameter.low, parameter.high)
    check_amount(where, table)
    return Effect(
        do,
        n=ints.get("n", 0),
        at=words.get("at", ""),
        per=words.get("per", ""),
        div=ints.get("div", 1),
        cap=ints.get("cap"),
        who=words.get("who", ""),
        p=ints.get("p", 0),
        d=ints.get("d", 0),
    )


def check_amount(where: str, table: Table) -> None:
    """RULES 7 and 8: what a cap or a divisor is for; of an effect or a term that has them."""
    n, cap = table.get("n"), table.get("cap")
    if is_int(n, 1, _N.high) and is_int(cap, 1, _CAP.high) and cap < n:
        refuse(where, "cap", cap, f"n = {n} or more")
    for key in ("div", "cap"):
        if table.get("per") == "flat" and key in table:
            refuse(where, key, table[key], "no such key with per = flat, which always counts 1")


def read_effects(where: str, table: Table) -> tuple[Effect, ...]:
    """RULES 7: a card's effects in their order."""
    tables = take_tables(where, table, "effects", MAX_OPS)
    return each(
        lambda numbered: read_effect(f"{where}: effect {numbered[0]}", numbered[1]), enumerate(tables, 1)
    )


def read_card(where: str, table: Table) -> Card:
    """RULES 12: the keys of a card, then what they may be together (RULES 7)."""
    check_keys(where, table, CARD_KEYS, ("copies",))
    card = Card(
        number=take_int(where, table, "number", 1, MAX_CARD),
        name=take_name(where, table),
        age=take_int(where, table, "age", 1, AGES),
        lot=take_word(where, table, "lot", LOTS),
        icons=take_icons(where, table, "icons"),
        cost=take_int(where, table, "cost", 0, 12),
        invention=take_int(where, table, "invention", 0, 20),
        timing=take_word(where, table, "timing", TIMINGS),
        copies=take_icons(where, table, "copies", COPIED_ICONS) if "copies" in table else (),
        effects=read_effects(where, table),
        source=take_word(where, table, "source", SOURCES),
    )
    settle()
    each(lambda check: check(where, card), CHECKS)
    return card


def check_timing(where: str, card: Card) -> None:
    """RULES 7: the timing decides which icons and which effects make sense."""
    for effect in card.effects:
        allowed = EFFECTS_OF_TIMING[card.timing]
        if effect.do not in allowed:
            refuse(where, "effects", effect.do, f"on a card of timing {card.timing}: {', '.join(allowed)}")
    if card.timing == "copy":
        check_copy(where, card)
        return
    if card.copies:
        refuse(where, "copies", list(card.copies), "only on a card of timing copy")
    combinations = TURN_ICONS if card.timing == "turn" else ATTACK_ICONS
    if card.icons not in combinations:
        allowed_icons = " or ".join(" + ".join(icons) for icons in combinations)
        refuse(where, "icons", list(card.icons), f"on a card of timing {card.timing}: {allowed_icons}")
    for effect in card.effects:
        check_effect_icons(where, card, effect.do)


def check_copy(where: str, card: Card) -> None:
    """RULES 7: a copy card bears the icons that it copies, and gives nothing of its own."""
    if not card.copies:
        raise DataError(f"{where}: the key copies is missing, allowed a list of {', '.join(COPIED_ICONS)}")
    if card.copies != card.icons:
        refuse(where, "copies", list(card.copies), f"the same as icons, {list(card.icons)}")
    if card.invention:
        refuse(where, "invention", card.invention, "0 on a card of timing copy")


def check_effect_icons(where: str, card: Card, do: str) -> None:
    """RULES 7: an effect stands on a card that can be played when the effect still matters."""
    needed = NEEDED_ICONS.get(do)
    if needed and not set(needed) & set(card.icons):
        refuse(where, "effects", do, f"with the icon {' or '.join(needed)}, not {list(card.icons)}")
    if do in LASTING_ATTACK and card.icons != LASTING_ICONS:
        refuse(where, "effects", do, f"with the icons {' + '.join(LASTING_ICONS)}, not {list(card.icons)}")


def check_once(where: str, card: Card) -> None:
    """RULES 7: an effect stands once on a card; only amounts of coins and points may be summed."""
    dos = [effect.do for effect in card.effects]
    for do in dos:
        if dos.count(do) > 1 and do not in REPEATABLE:
            refuse(where, "effects", do, f"once; only {' and '.join(REPEATABLE)} may stand twice")


def check_parry(where: str, card: Card) -> None:
    """RULES 7: parry ends the assault, so nothing beside it could count."""
    dos = [effect.do for effect in card.effects]
    if "parry" in dos and len(dos) > 1:
        refuse(where, "effects", dos, "parry alone")


def check_use(where: str, card: Card) -> None:
    """RULES 7: a card that is played in a turn does something there, or in the phase for which it is played."""
    dos = [effect.do for effect in card.effects]
    if "pacifist" in dos and "offence" in dos:
        refuse(where, "effects", dos, "pacifist or offence: who must choose Peace launches no assault")
    if card.icons == LASTING_ICONS and not set(dos) & set(LASTING_ATTACK):
        refuse(
            where,
            "effects",
            dos,
            f"one of {', '.join(LASTING_ATTACK)} with the icons {' + '.join(LASTING_ICONS)}",
        )
    if card.timing == "turn" and card.icons == ("end",) and not set(dos) & set(END_EFFECTS):
        refuse(where, "effects", dos, f"one of {', '.join(END_EFFECTS)} with the icon end alone")


def check_number(where: str, card: Card) -> None:
    """RULES 3: thirty numbers are those of an Age; of the promo cards, which come last, three."""
    is_promo = card.number >= FIRST_PROMO
    if is_promo != (card.lot == "promo"):
        allowed = "promo" if is_promo else "a colour"
        refuse(where, "lot", card.lot, f"{allowed}: {FIRST_PROMO} to {MAX_CARD} are the promo cards")
    age = (
        (card.number - FIRST_PROMO) // PROMOS_PER_AGE + 1
        if is_promo
        else (card.number - 1) // CARDS_PER_AGE + 1
    )
    if card.age != age:
        refuse(where, "age", card.age, f"{age}, that of the number {card.number}")


def makes_hosts(effect: Effect) -> bool:
    """RULES 7: may it put a piece of the player on another player's continent?"""
    return effect.do in JOURNEYS or effect.at in HOST_PLACES.get(effect.do, ())


def check_hosts(where: str, card: Card) -> None:
    """RULES 7: hosts are made before they are rewarded."""
    for place, effect in enumerate(card.effects):
        if effect.do in HOST_EFFECTS and not any(map(makes_hosts, card.effects[:place])):
            refuse(where, "effects", effect.do, "after an effect that may put a piece on another continent")


#: What is asked of the whole of a card, once every key of it is right.
CHECKS = (check_timing, check_once, check_parry, check_hosts, check_use, check_number)


# ---------------------------------------------------------------- one objective


def read_term(where: str, table: Table) -> Term:
    """RULES 8: one term of an objective's sum."""
    check_keys(where, table, ("n", "per"), ("div", "cap"))
    check_amount(where, table)
    return Term(
        n=take_int(where, table, "n", 1, 30),
        per=take_counter(where, table, "per"),
        div=take_int(where, table, "div", 1, 30) if "div" in table else 1,
        cap=take_int(where, table, "cap", 1, 60) if "cap" in table else None,
    )


def read_need(where: str, table: Table) -> tuple[str, int] | None:
    """RULES 8: the counter and the minimum without which an objective is worth nothing."""
    if "need" not in table:
        return None
    need, where = take_table(where, "need", table["need"]), f"{where}: need"
    check_keys(where, need, ("per", "min"))
    return take_counter(where, need, "per"), take_int(where, need, "min", 1, 60)


def read_objective(where: str, table: Table) -> Objective:
    """RULES 12: the keys of an objective."""
    check_keys(where, table, OBJECTIVE_KEYS, ("need",))
    terms = take_tables(where, table, "terms", MAX_TERMS)
    return Objective(
        number=take_int(where, table, "number", 1, MAX_OBJECTIVE),
        name=take_name(where, table),
        lot=take_word(where, table, "lot", OBJECTIVE_LOTS),
        terms=each(
            lambda numbered: read_term(f"{where}: term {numbered[0]}", numbered[1]), enumerate(terms, 1)
        ),
        need=read_need(where, table),
        source=take_word(where, table, "source", SOURCES),
    )


# ---------------------------------------------------------------- all of them together


def check_unique(file: str, what: str, items: Iterable[Card | Objective]) -> None:
    """RULES 12: a number names one card (or objective), and so does a name, whatever its case."""
    numbers: set[int] = set()
    names: dict[str, int] = {}
    for item in items:
        where = f"{file}: {what} {item.number}"
        if item.number in numbers:
            refuse(where, "number", item.number, f"once; another {what} has it already")
        other = names.get(item.name.casefold())
        if other is not None:
            refuse(where, "name", item.name, f"once; {what} {other} has it already")
        numbers.add(item.number)
        names[item.name.casefold()] = item.number


def check_lots(file: str, cards: Iterable[Card]) -> None:
    """RULES 3: in each Age every colour lot has six cards, and there are three promo cards."""
    cards = list(cards)
    for age in range(1, AGES + 1):
        for lot in LOTS:
            found = sorted(card.number for card in cards if card.age == age and card.lot == lot)
            size = PROMOS_PER_AGE if lot == "promo" else LOT_SIZE
            if len(found) != size:
                cards_found = f"{len(found)} cards {shown(found)}"
                raise DataError(f"{file}: Age {age}: lot {lot} has {cards_found}, allowed {size}")


def check_solo(file: str, cards: Mapping[int, Card]) -> None:
    """RULES 10: what the solo mode removes must be in the lots it uses, or its deals would not fit.

    No number can be absent here: full lots of different numbers use up all of 1..99.
    """
    for level, removed in SOLO_REMOVED.items():
        for age, numbers in enumerate(removed, 1):
            for card in (cards[number] for number in numbers):
                if card.lot not in SOLO_LOTS:
                    why = f"for a card that the solo mode removes (level {level}, Age {age})"
                    refuse(f"{file}: card {card.number}", "lot", card.lot, f"{' or '.join(SOLO_LOTS)} {why}")


def check_objective_lots(file: str, objectives: Iterable[Objective]) -> None:
    """RULES 8: two objectives for each colour, and two black ones."""
    objectives = list(objectives)
    for lot in OBJECTIVE_LOTS:
        found = sorted(objective.number for objective in objectives if objective.lot == lot)
        if len(found) != OBJECTIVES_PER_LOT:
            these = f"{len(found)} objectives {found}"
            raise DataError(f"{file}: lot {lot} has {these}, allowed {OBJECTIVES_PER_LOT}")


# ---------------------------------------------------------------- the files


def take_entries(file: str, content: Table, key: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The [[key]] tables of a file, each with the words that name it in an error."""
    check_keys(file, content, (key,))
    tables = content[key]
    if not isinstance(tables, list):
        refuse(file, key, tables, f"a list of [[{key}]] tables")
    for place, item in enumerate(tables, 1):
        label = f"{key} table {place}"
        table = take_table(f"{file}: {label}", key, item)
        number = table.get("number")
        yield f"{file}: {f'{key} {number}' if is_int(number, 1, MAX_CARD) else label}", table


def read_cards(file: str, content: Table) -> tuple[Card, ...]:
    """RULES 12: `cards.toml`, in order of number."""
    cards = each(lambda entry: read_card(*entry), take_entries(file, content, "card"))
    check_unique(file, "card", cards)
    check_lots(file, cards)
    check_solo(file, {card.number: card for card in cards})
    return tuple(sorted(cards, key=lambda card: card.number))


def read_objectives(file: str, content: Table) -> tuple[Objective, ...]:
    """RULES 12: `objectives.toml`, in order of number."""
    objectives = each(lambda entry: read_objective(*entry), take_entries(file, content, "objective"))
    check_unique(file, "objective", objectives)
    check_objective_lots(file, objectives)
    return tuple(sorted(objectives, key=lambda objective: objective.number))


def cards_of(folder: str | Path | None) -> tuple[Card, ...]:
    """The cards of a custom folder, laid over ours."""
    return read_cards(str(DATA_FILES.path(folder, CARDS_FILE)), DATA_FILES.table(folder, CARDS_FILE))


def objectives_of(folder: str | Path | None) -> tuple[Objective, ...]:
    """The objectives of a custom folder, laid over ours."""
    return read_objectives(
        str(DATA_FILES.path(folder, OBJECTIVES_FILE)), DATA_FILES.table(folder, OBJECTIVES_FILE)
    )


@lru_cache(maxsize=16)
def _read(folder: str | None, texts: tuple[str, ...]) -> tuple[tuple[Card, ...], tuple[Objective, ...]]:
    """Remembered by whole texts, so a file that was edited meanwhile is read anew."""
    return cards_of(folder), objectives_of(folder)


def load_data(folder: str | Path | None = None) -> Data:
    """RULES 12: all cards and objectives, those of a custom folder laid over ours."""
    texts = tuple(read_text(DATA_FILES.path(folder, name)) for name in (CARDS_FILE, OBJECTIVES_FILE))
    own = None if folder is None else str(folder)
    cards, objectives = _read(own, texts)
    return Data(
        cards={card.number: card for card in cards},
        objectives={objective.number: objective for objective in objectives},
        folder=own,
    )
