"""Effects (RULES 8): what one line of an ability says, checked key by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genesia_rl.core.mistakes import each, noted, settle
from genesia_rl.core.reading import Table, check_keys, refuse, take_int, take_word
from genesia_rl.games.age_of_civilization.data.reading import take_flag, take_tables
from genesia_rl.games.age_of_civilization.names import ACTIONS, COUNTS, PLAIN

#: RULES 8, first table: what may be done when.
ALLOWED: dict[str, tuple[str, ...]] = {
    "always": ("force", "discount", "labour", "space", "safe", "future", "forbid", "immune"),
    "birth": (*PLAIN, "technology", "wonder", "bonus_times"),
    "gain": PLAIN,
    "act": (*PLAIN, "perform"),
    "rest": ("coins", "points", "others_coins"),
    "turn_end": (*PLAIN, "technology", "wonder", "perform", "deposit"),
    "war": ("coins", "points"),
    "game_end": ("points",),
}
#: RULES 14: an action has effects without `when`.
OF_ACTION = (*PLAIN, "technology", "wonder")
MAIN_WHENS = ("always", "birth", "act", "rest", "turn_end", "war", "game_end")
INHERITED_WHENS = tuple(when for when in MAIN_WHENS if when != "birth")
#: Technologies and wonders.
THING_WHENS = ("always", "gain", "act", "rest", "turn_end", "war", "game_end")

OF_ONE_ACTION = ("discount", "labour", "space", "safe", "forbid")
COUNTED = (*PLAIN, "technology", "wonder", "force", "discount", "labour", "space")
NEGATIVE = ("others_coins", "labour")
OPTIONAL_ENDS = ("perform", "deposit")
#: key -> the least and the greatest number
RANGES = {"div": (1, 20), "cap": (1, 20), "points": (0, 9), "min": (0, 99), "max": (0, 99)}


@dataclass(frozen=True, slots=True)
class Effect:
    """RULES 8: one effect; a key that it does not have keeps its default."""

    when: str
    do: str
    action: str = ""
    what: str = ""
    n: int = 1
    per: str = "flat"
    div: int = 1
    cap: int | None = None
    need: str = ""
    least: int | None = None  # `min`
    most: int | None = None  # `max`
    techs: tuple[str, ...] = ()
    not_at_end: bool = False
    points: int = 0


@noted(())
def read_ability(
    where: str, table: Table, key: str, whens: Sequence[str], techs: Sequence[str]
) -> tuple[Effect, ...]:
    """RULES 8: the effects of an ability, at least one."""
    tables = take_tables(where, table, key)
    if not tables:
        refuse(where, key, tables, "at least one effect")
    found = each(
        lambda held: read_effect(f"{where}, {key}[{held[0]}]", held[1], whens, techs), enumerate(tables)
    )
    settle()
    ends = [effect.do for effect in found if effect.when == "turn_end"]
    if len(ends) > 1 and set(ends) & set(OPTIONAL_ENDS):
        refuse(where, key, ends, "an optional turn_end effect only without another one")
    return found


@noted(())
def read_action_effects(where: str, table: Table, techs: Sequence[str]) -> tuple[Effect, ...]:
    """RULES 7 and 14: the effects of an action, without `when`."""
    tables = take_tables(where, table, "effects")
    return each(
        lambda held: read_effect(f"{where}, effects[{held[0]}]", held[1], None, techs), enumerate(tables)
    )


def read_effect(where: str, table: Table, whens: Sequence[str] | None, techs: Sequence[str]) -> Effect:
    """RULES 8: one effect; `whens` is None for those of actions."""
    when = _read_when(where, table, whens)
    allowed = OF_ACTION if whens is None else ALLOWED[when]
    if "do" not in table:
        refuse(where, "do", None, ", ".join(allowed))
    do = take_word(where, table, "do", allowed)
    _check_effect_keys(where, table, do, when, of_action=whens is None)
    per, need = (_read_count(where, table, key, do, when) for key in ("per", "need"))
    numbers = {
        key: take_int(where, table, key, low, high) for key, (low, high) in RANGES.items() if key in table
    }
    return Effect(
        when=when,
        do=do,
        action=take_word(where, table, "action", ACTIONS) if "action" in table else "",
        what=take_word(where, table, "what", ACTIONS) if "what" in table else "",
        n=_read_n(where, table, do) if "n" in table else 1,
        per=per or "flat",
        div=numbers.get("div", 1),
        cap=numbers.get("cap"),
        need=need,
        least=numbers.get("min"),
        most=numbers.get("max"),
        techs=_read_techs(where, table, techs) if "techs" in table else (),
        not_at_end=take_flag(where, table, "not_at_end") if "not_at_end" in table else False,
        points=numbers.get("points", 0),
    )


def _read_when(where: str, table: Table, whens: Sequence[str] | None) -> str:
    if whens is None:
        if "when" in table:
            refuse(where, "when", table["when"], "no such key in an action")
        return "action"
    return take_word(where, table, "when", whens) if "when" in table else "always"


def _check_effect_keys(where: str, table: Table, do: str, when: str, of_action: bool) -> None:
    """RULES 8: the keys that an effect must and may have."""
    needed, optional = ["do"], ["need"]
    (optional if of_action or when == "always" else needed).append("when")
    if when == "act" or do in OF_ONE_ACTION:
        needed.append("action")
    if do in COUNTED:
        needed.append("n")
        optional += ["per", "div", "cap"]
    needed += {"deposit": ["n", "points"], "bonus_times": ["n"], "perform": ["what"]}.get(do, [])
    if do == "discount":
        optional.append("not_at_end")
    if do == "discount" or when == "act":
        optional.append("techs")
    if "need" in table:
        optional += ["min", "max"]
    check_keys(where, table, needed, optional)


@noted(1)
def _read_n(where: str, table: Table, do: str) -> int:
    n = take_int(where, table, "n", -9 if do in NEGATIVE else 1, 99 if do == "discount" else 9)
    if n == 0:
        refuse(where, "n", n, "not 0")
    return n


@noted("")
def _read_count(where: str, table: Table, key: str, do: str, when: str) -> str:
    """RULES 8, third table: a word under `per` or `need`; nothing if it is not there."""
    if key not in table:
        return ""
    word = take_word(where, table, key, COUNTS)
    if do == "force" and word in ("force", "strongest"):
        refuse(where, key, word, "no count that depends on force")
    if word == "bonus" and when != "birth":
        refuse(where, key, word, "bonus only at birth")
    return word


@noted(())
def _read_techs(where: str, table: Table, known: Sequence[str]) -> tuple[str, ...]:
    """RULES 8: names of technologies, for research alone."""
    names = table["techs"]
    if table.get("action") != "research":
        refuse(where, "techs", names, "techs only with action = 'research'")
    if not isinstance(names, list) or not names or not all(name in known for name in names):
        refuse(where, "techs", names, "a list of names of technologies")
    return tuple(names)
