"""What the data files must mean (RULES 7, 8 and 12): data that have no meaning are refused.

Only what the rules need is asked for: that a card can do what it says when it may be played, and that decks and
objectives can be dealt. What is printed on the cards of the box and what makes the game balanced is not looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Table = Mapping[str, Any]

COLOURS = ("blue", "yellow", "green", "red", "violet")
PHASES = ("growth", "expansion", "attack", "end")
TIMINGS = ("turn", "offence", "defence", "copy")
SOURCES = ("rulebook", "reconstructed")
PLACES = ("homeland", "bases", "occupied", "own", "frontier", "foreign_homeland", "free_outer")
COUNTERS = (
    "flat", "regions", "regions_own", "regions_foreign", "regions_island", "singles", "clans", "cities",
    "city_pairs", "coins", "inventions", "continents", "foreign_homelands", "conquests", "most_cities",
    "most_clans", "most_regions",
)  # fmt: skip
GROWTH_ATTACK = ("growth", "attack")
ICONS = (("growth",), ("expansion",), ("growth", "expansion"), ("attack",), ("end",), GROWTH_ATTACK, PHASES)
# The cards that the solo mode removes (RULES 10) must be in its decks.
SOLO_CARDS = {3, 5, 6, 9, 11, 12, 33, 34, 36, 39, 42, 45, 64, 65, 67, 69, 70, 72}

UP_TO_30 = range(1, 31)
AMOUNT = {"n": UP_TO_30, "per": None}  # None: a counter
AMOUNT_OPTIONS = {"div": UP_TO_30, "cap": range(1, 61)}
PARAMETERS: dict[str, dict[str, Any]] = {
    "clans": {"n": UP_TO_30, "at": PLACES},
    "city": {"n": range(1, 21), "at": PLACES},
    "coins": AMOUNT,
    "score": AMOUNT,
    "take": {"n": UP_TO_30, "who": ("each", "one")},
    "recruit_price": {"p": (0, 1), "n": UP_TO_30},
    "leap": {"n": UP_TO_30, "d": range(1, 21)},
    **{
        do: {"n": UP_TO_30}
        for do in (
            "others_coins", "moves", "relay", "host_coins", "host_clans", "offence", "defence", "strike", "feint",
            "raid", "ward",
        )
    },
    **{
        do: {}
        for do in (
            "group_moves", "no_toll", "recruit_anywhere", "pacifist", "storm", "rout", "parry", "retreat",
            "fortify", "copy",
        )
    },
}  # fmt: skip
OF_TIMING = {
    "offence": {"strike", "feint", "storm", "rout", "raid"},
    "defence": {"ward", "parry", "retreat", "fortify"},
    "copy": {"copy"},
}
OF_TIMING["turn"] = {do for do in PARAMETERS if not any(do in dos for dos in OF_TIMING.values())}
IN_ATTACK = {"offence", "defence", "pacifist"}
ABROAD = {
    "clans": {"bases", "occupied", "frontier", "foreign_homeland", "free_outer"},
    "city": {"occupied", "frontier", "foreign_homeland", "free_outer"},
}


def refuse(problems: Iterable[str], folder: str) -> None:
    found = list(problems)
    if found:
        raise ValueError(f"data in {folder}: {'; '.join(found)}")


def data_problems(cards: list[Any], objectives: list[Any]) -> list[str]:
    """What is wrong with the tables of both files; an empty list if nothing is."""
    of_cards = [f"card {name(c)}: {problem}" for c in cards for problem in card_problems(c)]
    of_objectives = [
        f"objective {name(o)}: {problem}" for o in objectives for problem in objective_problems(o)
    ]
    return of_cards or of_objectives or [*deck_problems(cards), *pool_problems(objectives)]


def name(table: Any) -> Any:
    return table.get("number", "?") if isinstance(table, dict) else "?"


# -------------------------------------------------------------------- tables and values


def key_problems(table: Any, needed: Iterable[str], optional: Iterable[str] = ()) -> list[str]:
    if not isinstance(table, dict):
        return [f"{table!r} is no table"]
    lacking = [f"lacks `{key}`" for key in needed if key not in table]
    return lacking + [f"unknown key `{key}`" for key in table if key not in {*needed, *optional}]


def among(value: Any, allowed: Iterable[Any]) -> bool:
    """Is it one of these? (True is no 1.)"""
    return any(type(value) is type(x) and value == x for x in allowed)


def value_problems(table: Table, allowed: Mapping[str, Any]) -> Iterator[str]:
    """Of those keys that the table has."""
    for key, values in allowed.items():
        if key not in table:
            continue
        value = table[key]
        if not (is_counter(value) if values is None else among(value, values)):
            yield f"{key} = {value!r}: allowed {'a counter' if values is None else values}"


def is_counter(per: Any) -> bool:
    if not isinstance(per, str):
        return False
    family = re.fullmatch(r"(regions_value|stacks)_([1-9][0-9]?)", per)
    if family is None:
        return per in COUNTERS
    return 2 <= int(family[2]) <= (15 if family[1] == "regions_value" else 30)


def amount_problems(table: Table) -> Iterator[str]:
    """n x floor(count(per) / div), at most cap."""
    if table.get("per") == "flat" and ("div" in table or "cap" in table):
        yield "a flat amount has no div and no cap"
    cap, n = table.get("cap"), table.get("n")
    if type(cap) is int and type(n) is int and cap < n:
        yield "cap is below n"


# -------------------------------------------------------------------- a card


def card_problems(card: Any) -> list[str]:
    keys = ("number", "name", "age", "lot", "icons", "cost", "invention", "timing", "effects", "source")
    problems = key_problems(card, keys, ["copies"])
    problems = problems or list(plain_problems(card))
    problems = problems or [p for effect in card["effects"] for p in effect_problems(effect)]
    problems = problems or list(icon_problems(card))
    return problems or [*timing_problems(card), *combination_problems(card)]


def plain_problems(card: Table) -> Iterator[str]:
    yield from value_problems(card, {
        "number": range(1, 100), "age": (1, 2, 3), "lot": (*COLOURS, "promo"), "cost": range(13),
        "invention": range(21), "timing": TIMINGS, "source": SOURCES,
    })  # fmt: skip
    if not isinstance(card["name"], str) or not card["name"] or card["name"] != card["name"].strip():
        yield f"name = {card['name']!r}"
    for key in ("icons", "effects"):
        if not isinstance(card[key], list) or not card[key]:
            yield f"{key} = {card[key]!r}: allowed a list that is not empty"


def effect_problems(effect: Any) -> list[str]:
    do = effect.get("do") if isinstance(effect, dict) else None
    if not isinstance(do, str) or do not in PARAMETERS:
        return [f"unknown effect {effect!r}"]
    needed = PARAMETERS[do]
    options = AMOUNT_OPTIONS if needed is AMOUNT else {}
    problems = key_problems(effect, ["do", *needed], options)
    problems += [*value_problems(effect, {**needed, **options}), *amount_problems(effect)]
    return [f"{do}: {problem}" for problem in problems]


def icon_problems(card: Table) -> Iterator[str]:
    number, icons, age, lot = card["number"], tuple(card["icons"]), card["age"], card["lot"]
    copying = card["timing"] == "copy"
    if icons not in ICONS and not (copying and in_order(icons, PHASES)):
        yield f"icons = {list(icons)}: no such combination"
    if age != (1 + (number - 1) // 30 if number <= 90 else 1 + (number - 91) // 3):
        yield f"age = {age}: not that of the number"
    if (number > 90) != (lot == "promo"):
        yield f"lot = {lot}: 91 to 99 are the promo cards"
    if number in SOLO_CARDS and lot not in ("blue", "yellow"):
        yield f"lot = {lot}: the solo mode needs it in blue or yellow"


def in_order(icons: Any, allowed: Iterable[str]) -> bool:
    """Different phases of those allowed, in the order of the phases."""
    return bool(icons) and list(icons) == [phase for phase in allowed if phase in icons]


def does(card: Table) -> list[str]:
    return [effect["do"] for effect in card["effects"]]


def timing_problems(card: Table) -> Iterator[str]:
    """Effects of the timing, icons of the timing."""
    timing, icons = card["timing"], tuple(card["icons"])
    yield from (f"`{do}` on a card of timing {timing}" for do in does(card) if do not in OF_TIMING[timing])
    if timing in ("offence", "defence") and icons != ("attack",):
        yield f"a card of timing {timing} bears the Attack icon only"
    if timing == "turn":
        yield from turn_problems(icons, set(does(card)))
    if timing != "copy" and "copies" in card:
        yield "`copies` is for copy cards"
    if timing == "copy":
        yield from copy_problems(card)


def copy_problems(card: Table) -> Iterator[str]:
    copies = card.get("copies")
    if not isinstance(copies, list) or not in_order(copies, ("growth", "expansion", "end")):
        yield f"copies = {copies!r}: allowed some of growth, expansion, end in this order"
    elif copies != card["icons"]:
        yield "the icons of a copy card are those it copies"
    if does(card) != ["copy"]:
        yield "a copy card has more than its `copy`"
    if card["invention"]:
        yield "a copy card is no Invention"


def turn_problems(icons: tuple[str, ...], dos: set[str]) -> Iterator[str]:
    """Effects only where they can do something."""
    if icons == ("attack",):
        yield "a turn card with the Attack icon alone"
    if icons != GROWTH_ATTACK:
        yield from (f"`{do}` needs the icons Growth + Attack" for do in sorted(dos & IN_ATTACK))
    elif not dos & IN_ATTACK:
        yield "Growth + Attack without an effect on the Attack phase"
    if "expansion" not in icons:
        yield from (
            f"`{do}` needs the Expansion icon" for do in sorted(dos & {"moves", "group_moves", "no_toll"})
        )
    if not {"growth", "expansion"} & set(icons) and dos & {"recruit_price", "recruit_anywhere"}:
        yield "recruiting needs the Growth or the Expansion icon"
    if "end" not in icons and "score" in dos:
        yield "`score` needs the End icon"
    if icons == ("end",) and dos & {"relay", "leap"}:
        yield "`relay` or `leap` with the End icon alone"
    if icons == ("end",) and not dos & {"score", "coins", "clans", "city"}:
        yield "an End card that gives nothing"


def combination_problems(card: Table) -> Iterator[str]:
    """What does not go with what on one card."""
    dos = does(card)
    if "parry" in dos and len(dos) > 1:
        yield "`parry` ends the assault: nothing goes with it"
    if {"pacifist", "offence"} <= set(dos):
        yield "`pacifist` and `offence`"
    for do, times in Counter(dos).items():
        if times > 1 and do not in ("score", "coins"):
            yield f"`{do}` twice"
    abroad = False
    for effect in card["effects"]:
        if effect["do"] in ("host_coins", "host_clans") and not abroad:
            yield f"`{effect['do']}` before anything that may make a host"
        abroad = abroad or may_go_abroad(effect)


def may_go_abroad(effect: Table) -> bool:
    return effect["do"] in ("relay", "leap") or effect.get("at") in ABROAD.get(effect["do"], ())


# -------------------------------------------------------------------- an objective


def objective_problems(objective: Any) -> list[str]:
    problems = key_problems(objective, ("number", "name", "lot", "terms", "source"), ["need"])
    if problems:
        return problems
    allowed = {"number": range(1, 13), "lot": (*COLOURS, "black"), "source": SOURCES}
    problems += value_problems(objective, allowed)
    if not isinstance(objective["name"], str) or not objective["name"].strip():
        problems.append(f"name = {objective['name']!r}")
    if not isinstance(objective["terms"], list) or not objective["terms"]:
        return [*problems, f"terms = {objective['terms']!r}: allowed a list that is not empty"]
    for term in objective["terms"]:
        wrong = key_problems(term, AMOUNT, AMOUNT_OPTIONS)
        problems += wrong or [*value_problems(term, {**AMOUNT, **AMOUNT_OPTIONS}), *amount_problems(term)]
    if "need" in objective:
        wrong = key_problems(objective["need"], ("per", "min"))
        problems += wrong or value_problems(objective["need"], {"per": None, "min": range(1, 61)})
    return problems


# -------------------------------------------------------------------- all together


def deck_problems(cards: list[Table]) -> Iterator[str]:
    """99 cards, six of an Age in each colour and three promo cards."""
    if sorted(c["number"] for c in cards) != list(range(1, 100)):
        yield "cards: not the numbers 1 to 99, each once"
    lots = Counter((c["age"], c["lot"]) for c in cards)
    for age in (1, 2, 3):
        for lot in (*COLOURS, "promo"):
            if lots[age, lot] != (3 if lot == "promo" else 6):
                yield f"lot {lot} of Age {age}: {lots[age, lot]} cards"


def pool_problems(objectives: list[Table]) -> Iterator[str]:
    """12 objectives, two of each lot."""
    if sorted(o["number"] for o in objectives) != list(range(1, 13)):
        yield "objectives: not the numbers 1 to 12, each once"
    lots = Counter(o["lot"] for o in objectives)
    yield from (f"objectives of {lot}: {lots[lot]}" for lot in (*COLOURS, "black") if lots[lot] != 2)
