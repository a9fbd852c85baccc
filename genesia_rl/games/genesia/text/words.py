"""Cards and objectives in words: one short sentence an effect, a place, a counter (RULES 7 and 8)."""

from __future__ import annotations

from collections.abc import Callable

from genesia_rl.games.genesia.data.cards import Card, Effect, Objective, Term

AGE_WORDS = ("I", "II", "III")
ICON_WORDS = {"growth": "Growth", "expansion": "Expansion", "attack": "Attack", "end": "End of the Age"}

#: Where pieces go.
PLACE_WORDS = {
    "homeland": "in your homeland",
    "bases": "in your homeland or your cities",
    "occupied": "in regions that you occupy",
    "own": "in your homeland or in regions of your continent where nobody else is",
    "frontier": "in free regions next to a region that you occupy",
    "foreign_homeland": "in one opponent's homeland",
    "free_outer": "in free regions of any continent, homelands excepted",
}

#: What is counted: one, several.
COUNTER_NOUNS = {
    "regions": ("region that you occupy", "regions that you occupy"),
    "regions_own": ("region of your continent that you occupy", "regions of your continent that you occupy"),
    "regions_foreign": ("region abroad that you occupy", "regions abroad that you occupy"),
    "regions_island": ("region of the island that you occupy", "regions of the island that you occupy"),
    "regions_value": ("region worth {} or more that you occupy", "regions worth {} or more that you occupy"),
    "singles": ("region with exactly one clan of yours", "regions with exactly one clan of yours"),
    "stacks": ("region with at least {} clans of yours", "regions with at least {} clans of yours"),
    "clans": ("clan of yours on the map", "clans of yours on the map"),
    "cities": ("city of yours on the map", "cities of yours on the map"),
    "city_pairs": ("pair of adjacent cities of yours", "pairs of adjacent cities of yours"),
    "coins": ("coin that you have", "coins that you have"),
    "inventions": ("Invention that you have played or copied", "Inventions that you have played or copied"),
    "continents": ("other continent where you are", "other continents where you are"),
    "foreign_homelands": ("opponent's homeland where you are", "opponents' homelands where you are"),
    "conquests": ("conquest of yours in this game", "conquests of yours in this game"),
}  # fmt: skip

#: What either holds or does not.
COUNTER_CONDITIONS = {
    "most_cities": "if you have more cities than every opponent",
    "most_clans": "if you have more clans on the map than every opponent",
    "most_regions": "if you occupy more regions than every opponent",
}

TIMING_WORDS = {
    "turn": "in your own turn of a phase whose icon it bears",
    "offence": "in your own assault, before it is declared or after the defender's cards",
    "defence": "when you are assaulted",
    "copy": "right after an opponent has played a turn card with one of these icons in its own turn",
}
GROWTH_ATTACK = "in your own Growth turn only; it works in this Age's Attack phase"
SOURCE_WORDS = {
    "rulebook": "number, name, Age and a blue or yellow lot are from the rulebooks; which of the two, cost and "
    "effects are reconstructed",
    "reconstructed": "reconstructed",
}


def some(number: int, one: str, several: str | None = None) -> str:
    """`1 coin`, `3 coins`."""
    return f"{number} {one if number == 1 else several or one + 's'}"


# ---------------------------------------------------------------- counters


def counter_noun(per: str, number: int) -> str:
    """A counter as one or several things."""
    family, _, size = per.rpartition("_")
    one, several = COUNTER_NOUNS[per] if per in COUNTER_NOUNS else COUNTER_NOUNS[family]
    return (one if number == 1 else several).format(size)


def counted(gain: Callable[[int], str], n: int, per: str, div: int, cap: int | None) -> str:
    """n x floor(count(per) / div), at most cap: the amount, and what it depends on."""
    fixed = n if div == 1 else 0  # what `flat` and a condition give: they count 1
    fixed = fixed if cap is None else min(fixed, cap)
    if per == "flat":
        return gain(fixed)
    if per in COUNTER_CONDITIONS:
        return f"{gain(fixed)} {COUNTER_CONDITIONS[per]}"
    share = f"each {counter_noun(per, 1)}" if div == 1 else f"every {div} {counter_noun(per, div)}"
    most = "" if cap is None else f", at most {cap}"
    return f"{gain(n)} for {share}{most}"


# ---------------------------------------------------------------- effects


def _up_to(clans: int) -> str:
    return "a clan" if clans == 1 else f"up to {clans} clans"


def _clans(e: Effect) -> str:
    one_by_one = ", one at a time," if e.n > 1 and e.at != "foreign_homeland" else ""
    return f"place {_up_to(e.n)} from your supply{one_by_one} {PLACE_WORDS[e.at]}"


def _city(e: Effect) -> str:
    if e.at == "foreign_homeland":
        return f"build a city {PLACE_WORDS[e.at]}, where you have no city yet"
    many = "a city" if e.n == 1 else f"up to {e.n} cities, one at a time,"
    free = e.at in ("frontier", "free_outer")  # a free region holds no city anyhow
    return f"build {many} {PLACE_WORDS[e.at]}" + ("" if free else ", where you have no city yet")


def _coins(e: Effect) -> str:
    return counted(lambda n: f"gain {some(n, 'coin')}", e.n, e.per, e.div, e.cap)


def _score(e: Effect) -> str:
    return counted(lambda n: f"score {n} progress", e.n, e.per, e.div, e.cap)


def _take(e: Effect) -> str:
    whom = "from every opponent" if e.who == "each" else "from one opponent of your choice"
    return f"take up to {some(e.n, 'coin')} {whom}"


def _recruit_price(e: Effect) -> str:
    price = "nothing" if e.p == 0 else some(e.p, "coin")
    if e.n == 1:
        return f"your next recruit costs {price}"
    return f"your next {e.n} recruits cost {price}{' each' if e.p else ''}"


def _relay(e: Effect) -> str:
    return (
        f"you may move {_up_to(e.n)} from one region to another region that you occupy, free, "
        "whatever the distance"
    )


def _leap(e: Effect) -> str:
    return (
        f"you may move {_up_to(e.n)} from one region to a region at most {some(e.d, 'border')} away "
        f"where {'it' if e.n == 1 else 'they'} may stop, free, whoever is on the way"
    )


def _raid(e: Effect) -> str:
    return f"if you are in the assaulted region afterwards, take up to {some(e.n, 'coin')} from the defender"


_HOSTS = "every opponent on whose continent this card has put a piece of yours"

#: One sentence an effect, without its capital and its full stop.
EFFECT_WORDS: dict[str, Callable[[Effect], str]] = {
    "clans": _clans,
    "city": _city,
    "coins": _coins,
    "others_coins": lambda e: f"every opponent gains {some(e.n, 'coin')}",
    "take": _take,
    "moves": lambda e: f"you get {some(e.n, 'free move')}",
    "group_moves": lambda e: "your moves move groups, as in Age III",
    "no_toll": lambda e: "you pay no tolls",
    "recruit_price": _recruit_price,
    "recruit_anywhere": lambda e: "you may recruit in every region that you occupy",
    "relay": _relay,
    "leap": _leap,
    "score": _score,
    "host_coins": lambda e: f"{_HOSTS} gains {some(e.n, 'coin')}",
    "host_clans": lambda e: f"{_HOSTS} places {_up_to(e.n)} in its homeland",
    "offence": lambda e: f"+{e.n} to your offence in each of your assaults",
    "defence": lambda e: f"+{e.n} to your defence in each assault against you",
    "pacifist": lambda e: "you must choose Peace in the Attack phase",
    "strike": lambda e: f"+{e.n} to your offence in this assault",
    "feint": lambda e: f"whether this assault is legal is judged as if you had {some(e.n, 'clan')} more",
    "storm": lambda e: "the siege of this assault costs you no clan",
    "rout": lambda e: "the defender of this assault loses two clans for each that you lose in the fight",
    "raid": _raid,
    "ward": lambda e: f"+{e.n} to your defence in this assault",
    "parry": lambda e: "this assault ends without losses",
    "retreat": lambda e: "your clans in the assaulted region go to your homeland",
    "fortify": lambda e: "your city cannot be besieged in this assault",
    "copy": lambda e: "do what the copied card does",
}  # fmt: skip


def effect_text(effect: Effect) -> str:
    """An effect as a sentence."""
    words = EFFECT_WORDS[effect.do](effect)
    return f"{words[0].upper()}{words[1:]}."


# ---------------------------------------------------------------- cards and objectives


def card_text(card: Card) -> str:
    """A card as people read it."""
    when = GROWTH_ATTACK if card.icons == ("growth", "attack") else TIMING_WORDS[card.timing]
    invention = f"{card.invention} progress in every Age from the one it is played in"
    rows = [
        ("icons", " + ".join(ICON_WORDS[icon] for icon in card.icons)),
        ("cost", some(card.cost, "coin") if card.cost else "nothing"),
        *([("Invention", invention)] if card.invention else []),
        ("played", when),
        *_numbered("effect", [effect_text(effect) for effect in card.effects]),
        ("source", SOURCE_WORDS[card.source]),
    ]
    return _page(f"card {card.number}: {card.name}", f"Age {AGE_WORDS[card.age - 1]}, {card.lot}", rows)


def term_text(term: Term) -> str:
    """A term of an objective as a sentence."""
    return counted(lambda n: some(n, "point"), term.n, term.per, term.div, term.cap) + "."


def objective_text(objective: Objective) -> str:
    """An objective as people read it."""
    rows = list(_numbered("score", [term_text(term) for term in objective.terms]))
    if objective.need is not None:
        per, least = objective.need
        if per in COUNTER_CONDITIONS:
            need = f"nothing unless it holds: {COUNTER_CONDITIONS[per]}"
        elif per == "flat":
            need = f"nothing unless 1 is at least {least}"
        else:
            need = f"nothing with fewer than {least} {counter_noun(per, least)}"
        rows.append(("need", f"{need}."))
    rows.append(("source", "name from the rulebooks, the rest reconstructed"
                 if objective.source == "rulebook" else "reconstructed"))  # fmt: skip
    return _page(f"objective {objective.number}: {objective.name}", objective.lot, rows)


def _numbered(label: str, sentences: list[str]) -> list[tuple[str, str]]:
    """The label stands before the first sentence only."""
    return [(label if place == 0 else "", sentence) for place, sentence in enumerate(sentences)]


def _page(title: str, where: str, rows: list[tuple[str, str]]) -> str:
    return "\n".join([f"{title} ({where})", *(f"  {label:<10}{text}" for label, text in rows)])
