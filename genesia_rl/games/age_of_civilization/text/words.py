"""Cards, technologies, wonders, actions and events in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from genesia_rl.games.age_of_civilization.data.board import Event, EventEffect
from genesia_rl.games.age_of_civilization.data.box import Box
from genesia_rl.games.age_of_civilization.data.effects import Effect

#: Words of section 8 whose meaning does not show at once.
MOMENT_WORDS = {
    "always": "always", "birth": "when it rises", "gain": "when it is gained", "rest": "when the seat rests",
    "turn_end": "at the end of its turns", "war": "when there is a war", "game_end": "at the end of the game",
}  # fmt: skip
COUNT_WORDS = {
    "row_1": "technologies in row 1", "row_2": "technologies in row 2", "row_3": "technologies in row 3",
    "columns": "columns with a technology", "full_columns": "columns with three technologies",
    "force": "points of force", "strongest": "being strongest", "future": "upcoming cards",
    "bonus": "coins of the bonus",
}  # fmt: skip


def count_words(word: str) -> str:
    """A count of RULES 8 in words."""
    return COUNT_WORDS.get(word, word)


def amount_words(effect: Effect) -> str:
    """n x floor(count / div), at most cap."""
    text = f"{effect.n:+d}"
    if effect.per != "flat":
        text += f" for every {effect.div if effect.div > 1 else ''} {count_words(effect.per)}".replace(
            "  ", " "
        )
    return text + (f", at most {effect.cap}" if effect.cap is not None else "")


def need_words(effect: Effect) -> str:
    """When it holds."""
    if not effect.need:
        return ""
    if effect.need == "strongest" and effect.most is None:
        return ", if it is strongest"
    least = 1 if effect.least is None and effect.most is None else effect.least
    bounds = [f"at least {least}"] if least is not None else []
    bounds += [f"at most {effect.most}"] if effect.most is not None else []
    return f", if {count_words(effect.need)}: {' and '.join(bounds)}"


def deed_words(effect: Effect) -> str:
    """What an effect does."""
    techs = f" of {', '.join(effect.techs)}" if effect.techs else ""
    plain = {
        "others_coins": f"coins of every other seat {amount_words(effect)}",
        "technology": f"gain technologies: {amount_words(effect)}",
        "wonder": f"gain wonders: {amount_words(effect)}",
        "perform": f"may perform {effect.what}",
        "deposit": f"may put {effect.n} coins on a card of the market for {effect.points} points",
        "bonus_times": f"its bonus is multiplied by {effect.n}",
        "discount": f"{effect.action}{techs} costs {amount_words(effect).removeprefix('+')} coins less"
        + (", but not at the end of a turn" if effect.not_at_end else ""),
        "labour": f"{effect.action} needs workers: {amount_words(effect)}",
        "space": f"own spaces of {effect.action}: {amount_words(effect)}",
        "safe": f"workers on {effect.action} are safe",
        "forbid": f"no other seat may perform {effect.action}",
        "future": "the upcoming cards are open",
        "immune": "no sacrifice in a war",
    }
    return plain.get(effect.do, f"{effect.do} {amount_words(effect)}")


def effect_words(effect: Effect) -> str:
    """An effect as a line."""
    if effect.when == "act":
        when = f"when it performs {effect.action}" + (
            f" for {', '.join(effect.techs)}" if effect.techs else ""
        )
    else:
        when = MOMENT_WORDS.get(effect.when, "")
    return f"{when}: {deed_words(effect)}{need_words(effect)}".removeprefix(": ")


def ability_lines(title: str, effects: Iterable[Effect]) -> Iterator[str]:
    """An ability, an effect a line."""
    for place, effect in enumerate(effects):
        yield f"  {title if place == 0 else '':<10} {effect_words(effect)}"


def civilization_text(box: Box, number: int) -> str:
    """A civilization as people read it."""
    card = box.civilization(number)
    lines = [f"civilization {number}: {card.name}, population {card.population}"]
    lines += [*ability_lines("main", card.main), *ability_lines("inherited", card.inherited)]
    return "\n".join(lines)


def technology_text(box: Box, number: int) -> str:
    """A technology as people read it."""
    tech = box.technology(number)
    where = f"special card {tech.special}" if tech.special else "the technology card"
    lines = [f"technology {number}: {tech.name}, column {tech.column}, row {tech.row} of {where}"]
    needed = [box.technology(k).name for k in sorted(box.prerequisites(number))]
    lines.append(f"  {'needs':<10} {'one of ' + ', '.join(needed) if needed else 'nothing'}")
    return "\n".join([*lines, *ability_lines("ability", tech.effects)])


def wonder_text(box: Box, number: int) -> str:
    """A wonder as people read it."""
    wonder = box.wonder(number)
    return "\n".join([f"wonder {number}: {wonder.name}", *ability_lines("ability", wonder.effects)])


def action_text(box: Box, number: int) -> str:
    """An action as people read it; numbered from 1 on."""
    action = box.board.actions[number - 1]
    red = ", red" if action.red else ""
    lines = [
        f"action {number}: {action.name}, {action.spaces} spaces{red}, {action.workers} workers, price {action.price}"
    ]
    return "\n".join([*lines, *ability_lines("effect", action.effects)])


def event_text(box: Box, number: int) -> str:
    """An event token as people read it."""
    event: Event = box.board.events[number - 1]
    lines = [f"  {event_words(effect)}" for effect in event.effects] or ["  nothing happens"]
    return "\n".join([f"event {number}: {event.name}", *lines])


def event_words(effect: EventEffect) -> str:
    """Who gains or loses what."""
    who = "all" if effect.who == "all" else f"who has {effect.who} {count_words(effect.of)}"
    per = "" if effect.per == "flat" else f" for each of {count_words(effect.per)}"
    return f"{who}: {effect.do} {effect.n:+d}{per}"
