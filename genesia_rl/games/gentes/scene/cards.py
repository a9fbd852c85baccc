"""The display, the discard pile, hands, and cards in play. All of them lie open (RULES 10)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.scene import Card, Zone
from genesia_rl.games.gentes.actions import CARD_BASE, SEGMENTS, USE_BASE
from genesia_rl.games.gentes.data import cards as data
from genesia_rl.games.gentes.names import CITIES, K_TURN, SYMBOLS, TYPES
from genesia_rl.games.gentes.scene.board import player
from genesia_rl.games.gentes.state import States
from genesia_rl.games.gentes.tables import members
from genesia_rl.games.gentes.text.words import effect_words, gain_words

if TYPE_CHECKING:
    from genesia_rl.games.gentes.game import GentesGame

ERA_TONES = ("sand", "green", "violet")
ERA_NAMES = ("I", "II", "III")


def card_key(number: int) -> str:
    """The key of a card, wherever it lies."""
    return f"card:{number}"


def zones(game: GentesGame, states: States, i: int) -> Iterator[Zone]:
    """What is chosen from now is beside the question."""
    s, asked = states[i], _asked(game, states, i)
    yield from _shown(game, s, asked)
    for seat in range(game.num_seats):
        if hand := members(s["hand"][seat]):
            cards = tuple(_card(game, number, note=_note(game, s, seat, number)) for number in hand)
            yield Zone(f"hand:{seat}", f"Hand of {player(seat)}", cards, seat=seat, beside=_any(hand, asked))
    for seat in range(game.num_seats):
        if played := members(s["played"][seat]):
            cards = tuple(_played(game, s, seat, number) for number in played)
            yield Zone(f"played:{seat}", f"Cards in play of {player(seat)}", cards, "list", seat,
                       beside=_any(played, asked))  # fmt: skip
    if pile := members(s["discard"]):
        cards = tuple(_card(game, number) for number in pile)
        yield Zone("discard", "Discard pile", cards, "list", beside=_any(pile, asked))


def _asked(game: GentesGame, states: States, i: int) -> set[int]:
    """The cards that can be chosen now, but for a turn, where they are few among much else."""
    if states[i]["over"] or states[i]["kind"] == K_TURN:
        return set()
    size = SEGMENTS["card"].size
    legal = game.legal_actions(states, i)
    return {
        action - base + 1
        for base in (CARD_BASE, USE_BASE)
        for action in legal
        if base <= action < base + size
    }


def _any(cards: Collection[int], asked: Collection[int]) -> bool:
    return not set(asked).isdisjoint(cards)


def _shown(game: GentesGame, s: np.void, asked: Collection[int]) -> Iterator[Zone]:
    """The cards of the draft; the display by slot."""
    if opened := members(s["open"]):
        yield Zone("open", "Open cards", tuple(_card(game, number) for number in opened), beside=True)
    slots = [(slot, int(number)) for slot, number in enumerate(s["display"]) if number]
    if slots:
        marked = members(s["marked"])
        cards = tuple(
            _card(game, number, f"slot {slot + 1}", _price(game, slot, number in marked))
            for slot, number in slots
        )
        yield Zone("display", "Display", cards, beside=_any([number for _, number in slots], asked))


def _price(game: GentesGame, slot: int, marked: bool) -> str:
    """The least amounts for one, two and three cards up to this slot."""
    prices = [game.box.board.display[key] for key in ("one", "two", "three")]
    told = ", ".join(f"{k + 1} for {row[slot]}" for k, row in enumerate(prices) if slot < len(row))
    return f"Scribe: {told}." + (" Marked: it goes in the Decline." if marked else "")


def _card(game: GentesGame, number: int, kind: str = "", note: str = "", state: str = "") -> Card:
    card = game.box.card(number)
    told = " · ".join([*([kind] if kind else []), *card.synergy]) or f"Era {ERA_NAMES[card.era - 1]}"
    return Card(
        card_key(number),
        card.name,
        told,
        tuple(card_lines(card)),
        (("points", str(card.points)),),
        tone=ERA_TONES[card.era - 1],
        state=state,
        note=note,
    )


def _played(game: GentesGame, s: np.void, seat: int, number: int) -> Card:
    """A card in play; one whose effect was used in this round is turned."""
    used, chosen = number in members(s["used_cards"][seat]), number in members(s["chosen_cards"])
    note = "used in this round" if used else "chosen for this action" if chosen else ""
    note = "being played" if s["card"] == number else note
    if number in members(s["scored"][seat]):
        note = "played in the final scoring"
    return _card(game, number, note=note, state="used" if used else "done" if chosen else "")


def card_lines(card: data.Card) -> Iterator[str]:
    """What stands on a card besides its points and signs."""
    needs = [_several(count, name) for name, count in card.needs.items()]
    needs += [_symbols(card.cities.count(symbol), symbol) for symbol in SYMBOLS if symbol in card.cities]
    yield f"Needs {', '.join(needs) or 'nothing'}."
    if card.gains:
        yield f"Now: {'; '.join(map(gain_words, card.gains))}."
    for effect in card.lasting:
        words = effect_words(effect)
        yield f"{words[0].upper()}{words[1:]}."
    if card.decline:
        yield f"Each Decline: {'; '.join(map(gain_words, card.decline))}."


def _several(count: int, name: str) -> str:
    return f"{count} {name}{'s' if count > 1 else ''}"


def _symbols(count: int, symbol: str) -> str:
    return symbol if count == 1 else f"{count} x {symbol}"


def symbols_of(game: GentesGame, s: np.void, seat: int) -> dict[str, int]:
    """How many own tokens stand on each symbol."""
    board, places = game.box.board, members(s["tokens"][seat])
    found = [game.box.city(place).symbol for place in places if place <= CITIES]
    homes = [game.box.home(place - CITIES) for place in places if place > CITIES]
    found += [symbol for home in homes for symbol in set(board.symbols(home, game.num_seats))]
    return {symbol: found.count(symbol) for symbol in SYMBOLS}


def _note(game: GentesGame, s: np.void, seat: int, number: int) -> str:
    """What the seat lacks for a card of its hand."""
    card, symbols = game.box.card(number), symbols_of(game, s, seat)
    have = {name: int(s["citizens"][seat, k]) + int(s["virtual"][seat, k]) for k, name in enumerate(TYPES)}
    lacks = [_several(n - have[name], name) for name, n in card.needs.items() if n > have[name]]
    lacks += [
        _symbols(card.cities.count(symbol) - symbols[symbol], symbol)
        for symbol in SYMBOLS
        if card.cities.count(symbol) > symbols[symbol]
    ]
    return f"Lacks {', '.join(lacks)}." if lacks else "Its needs are met."
