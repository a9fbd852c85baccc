"""The decision in words: the question, its options with what they point at, and the line of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genesia_rl.core.scene import Option, may_see
from genesia_rl.games.age_of_civilization.actions import verb_of
from genesia_rl.games.age_of_civilization.names import ACTIONS
from genesia_rl.games.age_of_civilization.scene.board import action_key, technology_key
from genesia_rl.games.age_of_civilization.scene.cards import civilization_key, player, special_key, wonder_key
from genesia_rl.games.age_of_civilization.state import States
from genesia_rl.games.age_of_civilization.text.words import effect_words

if TYPE_CHECKING:
    from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame

QUESTIONS = {
    "draft": "which civilization do you keep? The rest of the pack goes on.",
    "civilization": "which civilization rises or is annexed?",
    "action": "which action do you perform?",
    "technology": "which technology do you gain?",
    "wonder": "which wonder do you gain?",
    "grant": "do you perform the action that an ability grants?",
    "turn_end": "which ability comes next at the end of your turn?",
    "deposit": "on which civilization do you put coins?",
}
GROUPS = {
    "rise": "Let rise", "annex": "Annex", "card": "Choose", "act": "Perform", "special": "Buy",
    "tech": "Technology", "wonder": "Wonder", "heritage": "Heritage",
}  # fmt: skip


def question(game: AgeOfCivilizationGame, states: States, i: int) -> str:
    """What is asked, and of whom."""
    if states[i]["over"]:
        return ""
    kind = game.kind(states, i)
    return f"{player(game.seat(states, i))}: {QUESTIONS.get(kind, kind)}"


def option(game: AgeOfCivilizationGame, states: States, i: int, action: int) -> Option:
    """A legal action with the things that stand for it."""
    verb, obj = verb_of(action)
    words = game.describe(action, states, i)
    short = _name(game, verb, obj) or words.partition(":")[0]
    return Option(action, game.action_text(action), short, _meaning(game, verb, obj, words),
                  _keys(game, states, i, verb, obj), GROUPS.get(verb, ""), ask=verb == "special")  # fmt: skip


def _name(game: AgeOfCivilizationGame, verb: str, obj: int) -> str:
    """What a button says under the heading of its group; nothing for a verb without an object."""
    if verb in ("rise", "annex", "card", "heritage"):
        return game.box.civilization(obj).name
    if verb == "tech":
        return game.box.technology(obj).name
    if verb == "wonder":
        return game.box.wonder(obj).name
    if verb == "act":
        return ACTIONS[obj]
    return (
        " and ".join(tech.name for tech in game.box.technologies if tech.special == obj)
        if verb == "special"
        else ""
    )


def _meaning(game: AgeOfCivilizationGame, verb: str, obj: int, words: str) -> str:
    effects = {
        "act": lambda: game.box.board.actions[obj].effects,
        "tech": lambda: game.box.technology(obj).effects,
        "wonder": lambda: game.box.wonder(obj).effects,
        "heritage": lambda: game.box.civilization(obj).inherited,
        "rise": lambda: game.box.civilization(obj).main,
        "annex": lambda: game.box.civilization(obj).inherited,
    }.get(verb, tuple)()
    told = "; ".join(map(effect_words, effects))
    return f"{words[0].upper()}{words[1:]}." + (f" {told[0].upper()}{told[1:]}." if told else "")


def _keys(game: AgeOfCivilizationGame, states: States, i: int, verb: str, obj: int) -> tuple[str, ...]:
    if verb in ("rise", "annex", "card", "heritage"):
        return (civilization_key(obj),)
    if verb == "act":
        return (action_key(ACTIONS[obj]),)
    if verb == "special":
        return (special_key(obj),)
    if verb == "tech":
        seat = game.seat(states, i)
        on_card = obj in game.box.card_of(int(states[i]["special"][seat]))
        return (technology_key(seat, obj),) if on_card else ()
    return (wonder_key(obj),) if verb == "wonder" else ()


def tell(game: AgeOfCivilizationGame, states: States, i: int, action: int, eyes: int) -> str:
    """RULES 11: all lies open but what is kept in a draft."""
    seat = game.seat(states, i)
    if game.kind(states, i) == "draft" and not may_see(eyes, seat):
        return f"{player(seat)}: keep a civilization"
    return f"{player(seat)}: {game.describe(action, states, i)}"
