"""The decision in words: the question, its options with what they point at, and the line of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from genesia_rl.core.scene import Option
from genesia_rl.games.gentes.actions import segment_of
from genesia_rl.games.gentes.names import CITIES, REGIONS
from genesia_rl.games.gentes.scene import board, places, sheets
from genesia_rl.games.gentes.scene.board import player
from genesia_rl.games.gentes.scene.cards import card_key, card_lines
from genesia_rl.games.gentes.state import States
from genesia_rl.games.gentes.tables import members
from genesia_rl.games.gentes.text.words import city_text, counted, home_text

if TYPE_CHECKING:
    from genesia_rl.games.gentes.game import GentesGame

QUESTIONS = {
    "draft": "which card do you keep?",
    "settle": "which citizen do you begin with?",
    "turn": "which action do you take?",
    "wild": "what does the wild tile do?",
    "ability": "which ability do you use for this action?",
    "pay": "which amount do you choose?",
    "hours": "how many spaces hold two of the {due}?",
    "count": "do you recruit by the prices for one, or for two?",
    "recruit": "which citizen do you recruit?",
    "take": "which card do you take?",
    "play": "which card do you play?",
    "move": "which token do you move?",
    "city": "where do you place a token?",
    "region": "which region do you activate?",
    "enlist": "which citizen comes?",
    "lose": "which citizen do you lose?",
    "cube": "which cube do you gain?",
    "hire": "how many of the three cubes are temple cubes?",
    "swap_from": "which citizen do you give away?",
    "swap_to": "which citizen comes instead?",
    "reward": "which reward does the {region} region give?",
    "final": "which card do you score?",
}
#: Extra options cost cubes: a click on these does not take them at once.
EXTRAS = ("swap", "hire")
TURN_GROUPS = {
    "tax": "Tax Collector",
    "home": "Homes",
    "use": "Cards in play",
    "swap": "Before it",
    "hire": "Before it",
}


def question(game: GentesGame, states: States, i: int) -> str:
    """What is asked, and of whom."""
    s = states[i]
    if s["over"]:
        return ""
    region = REGIONS[min(int(s["region"]), len(REGIONS) - 1)]
    due = counted(int(s["due"]), "hourglass")
    asked = QUESTIONS[game.kind(states, i)].format(due=due, region=region)
    act = board.act_of(s)
    during = f"{board.act_name(act)}, " if act else ""
    return f"{player(game.seat(states, i))}: {during}{asked}"


def option(game: GentesGame, states: States, i: int, action: int) -> Option:
    """A legal action with the things that stand for it."""
    segment = segment_of(action)
    verb = segment.verb
    obj = segment.objects[action - segment.base] if segment.objects else ""
    words = game.describe(action, states, i)
    return Option(
        action,
        game.action_text(action),
        _word(game, verb, obj) or words,
        _meaning(game, verb, obj, words),
        _keys(game, states, i, verb, obj),
        _group(game, states, i, verb, obj),
        ask=verb in EXTRAS,
    )


def _word(game: GentesGame, verb: str, obj: str) -> str:
    """What a button says; nothing where the whole description is short."""
    if verb == "tile":
        tile = game.box.tile(int(obj))
        costs = [
            counted(tile.coins, "coin"),
            *([counted(tile.hours, "hour")] if tile.hours else []),
            tile.symbol,
        ]
        return f"tile {obj}: {', '.join(filter(None, costs))}"
    if verb == "tax":
        tax = game.box.board.taxes[int(obj) - 1]
        return f"{counted(tax.coins, 'coin')} for {counted(tax.hours, 'hour')}"
    if verb in ("card", "use"):
        return game.box.card(int(obj)).name
    if verb == "city":
        return game.box.city(int(obj)).name
    if verb == "home":
        return f"Home {obj}"
    return obj if verb in ("citizen", "region", "do") else ""


def _group(game: GentesGame, states: States, i: int, verb: str, obj: str) -> str:
    """The heading of a button: the actions of a turn, where a card or a place is."""
    kind = game.kind(states, i)
    if verb == "tile":
        return game.box.tile(int(obj)).action.capitalize()
    if kind in ("turn", "final"):
        return TURN_GROUPS.get(verb, "")
    if verb == "card" and kind == "take":
        return "Discard pile" if int(obj) in members(states[i]["discard"]) else "Display"
    if verb == "city":
        return f"{game.box.city(int(obj)).region.capitalize()} region"
    return "Homes" if verb == "home" else ""


def _meaning(game: GentesGame, verb: str, obj: str, words: str) -> str:
    """A sentence, and what the thing does."""
    more = ""
    if verb in ("card", "use"):
        more = " " + " ".join(card_lines(game.box.card(int(obj))))
    elif verb == "city":
        more = f" It gives {city_text(game.box, int(obj)).partition('): ')[2]}."
    elif verb == "home":
        more = (
            " Its row offers "
            + "; ".join(line.strip() for line in home_text(game.box, int(obj)).split("\n")[1:])
            + "."
        )
    return f"{words[0].upper()}{words[1:]}.{more}"


def _keys(game: GentesGame, states: States, i: int, verb: str, obj: str) -> tuple[str, ...]:
    seat = game.seat(states, i)
    one = {"tile": board.tile_key, "tax": board.tax_key, "home": places.home_key, "city": places.city_key,
           "card": card_key, "use": card_key, "count": board.prices_key}  # fmt: skip
    if verb in one:
        return (one[verb](int(obj)),)
    if verb == "citizen":
        return board.type_key(obj), sheets.citizens_key(seat, obj)
    if verb == "region":
        return (places.region_key(obj),)
    if verb == "do":
        return (board.act_key(obj),)
    if verb == "swap":
        return (sheets.cubes_key(seat, "temple"),)
    if verb == "gain":
        return _gain_keys(game, states, i, seat, obj)
    return ()


def _gain_keys(game: GentesGame, states: States, i: int, seat: int, what: str) -> tuple[str, ...]:
    """A cube where cubes are kept; a reward of the Decline is a city's: all that give it."""
    if game.kind(states, i) == "cube":
        return (sheets.cubes_key(seat, what),)
    s = states[i]
    cities = [game.box.city(place) for place in members(s["tokens"][seat]) if place <= CITIES]
    region = REGIONS[int(s["region"])]
    return tuple(
        places.city_key(city.number) for city in cities if city.region == region and city.reward == what
    )


def tell(game: GentesGame, states: States, i: int, action: int, eyes: int) -> str:
    """RULES 10: all decisions lie open."""
    return f"{player(game.seat(states, i))}: {game.describe(action, states, i)}"
