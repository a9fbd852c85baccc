"""Hands, packs, objectives and what lies open, each as far as the eyes may know it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.bits import members
from genesia_rl.core.scene import EVERYTHING, Card, Zone
from genesia_rl.games.genesia.data.cards import Card as CardData
from genesia_rl.games.genesia.scene.names import age_name, player
from genesia_rl.games.genesia.text.words import (
    COUNTER_CONDITIONS,
    GROWTH_ATTACK,
    ICON_WORDS,
    TIMING_WORDS,
    counter_noun,
    effect_text,
    term_text,
)

if TYPE_CHECKING:
    from genesia_rl.games.genesia.game import GenesiaGame

LOT_TONES = {"promo": "gold", "black": "grey"}


def sees_hand(game: GenesiaGame, eyes: int, seat: int) -> bool:
    """RULES 9 and 10: one's own; in the solo mode all hands are open."""
    return eyes in (seat, EVERYTHING) or game.config.is_solo


def zones(game: GenesiaGame, s: np.void, eyes: int) -> Iterator[Zone]:
    """What one holds and chooses from comes first, then what lies open."""
    for seat in _in_view(game, s, eyes):
        yield from _secret(game, s, eyes, seat)
    yield from _played(game, s)
    for seat in range(game.num_seats):
        if inventions := members(s["inventions"][seat]):
            cards = tuple(_card(game, card, f"invention:{seat}:{card}") for card in inventions)
            yield Zone(f"inventions:{seat}", f"Inventions of {player(game, seat)}", cards, "list", seat)


def _in_view(game: GenesiaGame, s: np.void, eyes: int) -> list[int]:
    """The seats whose secrets are shown: the one that decides first."""
    seen = [seat for seat in range(game.num_seats) if sees_hand(game, eyes, seat)]
    return sorted(seen, key=lambda seat: (seat != s["seat"], seat))


def _secret(game: GenesiaGame, s: np.void, eyes: int, seat: int) -> Iterator[Zone]:
    """The pack it drafts from, its hand, its objectives."""
    asked = bool(s["seat"] == seat)
    if pack := members(s["held"][seat]):
        cards = tuple(_card(game, card) for card in pack)
        yield Zone(f"pack:{seat}", f"Pack of {player(game, seat)}", cards, seat=seat, beside=asked)
    if hand := members(s["hand"][seat]):
        cards = tuple(_card(game, card) for card in hand)
        yield Zone(f"hand:{seat}", f"Hand of {player(game, seat)}", cards, seat=seat, beside=asked)
    if eyes in (seat, EVERYTHING) and (goals := _objectives(game, s, seat)):
        title = f"{'Secret objective' if len(goals) == 1 else 'Objectives dealt'} of {player(game, seat)}"
        yield Zone(f"objectives:{seat}", title, goals, seat=seat, beside=asked)


def _played(game: GenesiaGame, s: np.void) -> Iterator[Zone]:
    """The cards of this Age that lie open."""
    cards = tuple(
        _card(game, card, f"played:{card}", seat)
        for seat in range(game.num_seats)
        for card in members(s["played"][seat])
        if card in game.data.cards and game.data.cards[card].age == s["age"] + 1
    )
    if cards:
        yield Zone("played", f"Played in {age_name(int(s['age']))}", cards, "list")


def card_key(card: int) -> str:
    """The key of a card that somebody may choose."""
    return f"card:{card}"


def objective_key(number: int) -> str:
    """The key of an objective that somebody may choose."""
    return f"objective:{number}"


def _card(game: GenesiaGame, number: int, key: str = "", seat: int = -1) -> Card:
    data = game.data.cards.get(number)
    if data is None:
        return Card(key or card_key(number), f"card {number}", seat=seat)
    return Card(key or card_key(number), data.name, " + ".join(ICON_WORDS[icon] for icon in data.icons),
                _lines(data), _figures(data), tone=LOT_TONES.get(data.lot, data.lot), seat=seat)  # fmt: skip


def _figures(data: CardData) -> tuple[tuple[str, str], ...]:
    invention = (("Invention", str(data.invention)),) if data.invention else ()
    return (("cost", str(data.cost)), *invention)


def _lines(data: CardData) -> tuple[str, ...]:
    """Its effects, and when it is played where that is not its own turn."""
    when = GROWTH_ATTACK if data.icons == ("growth", "attack") else TIMING_WORDS[data.timing]
    told = () if data.timing == "turn" and when != GROWTH_ATTACK else (f"Played {when}.",)
    return (*map(effect_text, data.effects), *told)


def _objectives(game: GenesiaGame, s: np.void, seat: int) -> tuple[Card, ...]:
    """The one that is kept, or while none is, the two that were dealt."""
    kept = int(s["kept"][seat])
    numbers = [kept] if kept else [int(number) for number in s["dealt"][seat] if number]
    return tuple(_objective(game, number) for number in numbers)


def _objective(game: GenesiaGame, number: int) -> Card:
    data = game.data.objectives[number]
    lines = [*map(term_text, data.terms)]
    if data.need is not None:
        per, least = data.need
        condition = COUNTER_CONDITIONS.get(per)
        lines.append(f"Only {condition}." if condition else f"Only with {least} {_noun(per, least)}.")
    return Card(
        objective_key(number), data.name, "objective", tuple(lines), tone=LOT_TONES.get(data.lot, data.lot)
    )


def _noun(per: str, least: int) -> str:
    return "or less" if per == "flat" else f"{counter_noun(per, least)} or more"
