"""The decision in words: the question, its options with what they point at, and the line of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.scene import Option, may_see
from genesia_rl.games.genesia.actions import verb_of
from genesia_rl.games.genesia.scene.board import region_key
from genesia_rl.games.genesia.scene.cards import card_key, objective_key, sees_hand
from genesia_rl.games.genesia.scene.names import card_name, player, region_word
from genesia_rl.games.genesia.state import States

if TYPE_CHECKING:
    from genesia_rl.games.genesia.game import GenesiaGame

QUESTIONS = {
    "objective": "which objective do you keep, in secret?",
    "draft": "which card do you keep? The rest of the pack goes on.",
    "growth": "Growth: play cards, recruit, discard, or end your turn.",
    "expansion": "Expansion: play cards, move, recruit, discard, or end your turn.",
    "group": "how many clans go together?",
    "transit": "you may not stop here. Where do you go on?",
    "stance": "war or peace?",
    "assault": "War: which region do you assault?",
    "defence": "you are assaulted. Do you play a card?",
    "reinforce": "do you play a further card in this assault?",
    "losses": "how many clans does each side lose?",
    "siege": "do you besiege the city? It costs a clan.",
    "occupy": "how many clans move in?",
    "end_of_age": "End of the Age: play cards, discard, or end your turn.",
    "position": "which place do you take in the next turn order?",
    "place": "where does the clan go?",
    "found": "where does the city go?",
    "rob": "from whom do you take coins?",
    "relay_from": "from where do you send clans?",
    "relay_to": "where do you send them?",
    "relay_amount": "how many do you send?",
    "leap_from": "from where do clans leap?",
    "leap_to": "where do they leap to?",
    "leap_amount": "how many leap?",
    "free_moves": "free moves of the copied card: where do you go?",
    "copy": "do you copy the card that was played?",
}
TURNS = ("growth", "expansion", "assault", "end_of_age")  # in which end, card and region mean what they say
DECLINED = {
    "growth": "end the turn", "expansion": "end the turn", "assault": "end the turn", "end_of_age": "end the turn",
    "defence": "play no card", "reinforce": "play no card", "copy": "do not copy", "free_moves": "stop moving",
}  # fmt: skip
GROUPS = {
    "card": "Play", "discard": "Discard for 4 coins", "region": "Recruit in", "edge": "Move", "amount": "How many",
}  # fmt: skip


def question(game: GenesiaGame, states: States, i: int) -> str:
    """What is asked, and of whom."""
    if states[i]["over"]:
        return ""
    kind = game.kind(states, i)
    return f"{player(game, game.seat(states, i))}: {QUESTIONS.get(kind, kind)}"


def option(game: GenesiaGame, states: States, i: int, action: int) -> Option:
    """A legal action with the things that stand for it."""
    verb, obj = verb_of(action)
    kind, text = game.kind(states, i), game.action_text(action)
    words = action_words(game, kind, states[i], action)
    return Option(
        action,
        text,
        _short(game, kind, verb, obj, text, words),
        f"{words[0].upper()}{words[1:]}.",
        _keys(verb, obj, text),
        _group(kind, verb),
        ask=verb == "discard",
    )


def _short(game: GenesiaGame, kind: str, verb: str, obj: int, text: str, words: str) -> str:
    """As a button shows it, under the heading of its group."""
    if verb in ("card", "discard"):
        return card_name(game, obj)
    if verb == "region":
        return region_word(game, obj)
    if verb == "edge":
        a, b = _ends(text)
        return f"{region_word(game, a)} → {region_word(game, b)}"
    return str(obj) if verb == "amount" and kind != "siege" else words


def _ends(text: str) -> tuple[int, int]:
    a, b = text.removeprefix("edge:").split("-")
    return int(a), int(b)


def _keys(verb: str, obj: int, text: str) -> tuple[str, ...]:
    if verb in ("card", "discard"):
        return (card_key(obj),)
    if verb == "region":
        return (region_key(obj),)
    if verb == "edge":
        return tuple(map(region_key, _ends(text)))
    return (objective_key(obj),) if verb == "objective" else ()


def _group(kind: str, verb: str) -> str:
    if verb == "card" and kind in ("draft", "copy"):
        return "Keep" if kind == "draft" else "Copy with"
    if verb == "edge" and kind == "assault":
        return "Assault"
    if verb == "region" and kind not in TURNS:
        return "Region"
    return GROUPS.get(verb, "")


def action_words(game: GenesiaGame, kind: str, s: np.void, action: int) -> str:
    """An action as what is done: `recruit in A3b`."""
    verb, obj = verb_of(action)
    if verb == "edge":
        a, b = _ends(game.action_text(action))
        what = "assault" if kind == "assault" else "move"
        return f"{what} from {region_word(game, a)} to {region_word(game, b)}"
    if verb == "card":
        what = {"draft": "keep", "copy": "copy with"}.get(kind, "play")
        return f"{what} {card_name(game, obj)}"
    if verb == "region":
        return f"{_region_verb(kind)} {region_word(game, obj)}"
    if verb == "amount":
        return _amount_words(kind, obj)
    return {
        "discard": f"discard {card_name(game, obj)} for 4 coins",
        "objective": f"keep the objective {_objective_name(game, obj)}",
        "position": f"take place {obj + 1} of the turn order",
        "seat": f"take from {player(game, min(obj, game.num_seats - 1))}",
        "war": "choose war",
        "peace": "choose peace",
        "end": DECLINED.get(kind, "decline"),
    }[verb]


def _objective_name(game: GenesiaGame, number: int) -> str:
    found = game.data.objectives.get(number)
    return found.name if found else str(number)


def _region_verb(kind: str) -> str:
    if kind in TURNS:
        return "recruit in"
    return {"place": "place a clan in", "found": "build a city in", "relay_from": "send from", "relay_to": "send to",
            "leap_from": "leap from", "leap_to": "leap to"}.get(kind, "choose")  # fmt: skip


def _amount_words(kind: str, number: int) -> str:
    if kind == "siege":
        return "besiege the city" if number else "leave the city alone"
    what = {"group": "move together", "losses": "are lost on each side", "occupy": "move in"}.get(kind, "go")
    return f"{number} {'clan' if number == 1 else 'clans'}: {what}"


# ---------------------------------------------------------------- the log


def tell(game: GenesiaGame, states: States, i: int, action: int, eyes: int) -> str:
    """A decision as these eyes read of it: what is done in secret is told without what it is."""
    s, kind, seat = states[i], game.kind(states, i), game.seat(states, i)
    who, verb = player(game, seat), verb_of(action)[0]
    if not _knows(game, eyes, seat, kind, verb):
        return f"{who}: {SECRETS.get(verb if verb == 'discard' else kind, 'decides')}"
    return f"{who}: {action_words(game, kind, s, action)}"


SECRETS = {
    "objective": "keep an objective",
    "draft": "keep a card",
    "stance": "choose war or peace",
    "discard": "discard a card for 4 coins",
}


def _knows(game: GenesiaGame, eyes: int, seat: int, kind: str, verb: str) -> bool:
    """RULES 9: objectives, draft picks and discards stay secret, stances until all have chosen."""
    if kind in ("objective", "stance"):
        return may_see(eyes, seat)
    if kind == "draft" or verb == "discard":
        return sees_hand(game, eyes, seat)
    return True
