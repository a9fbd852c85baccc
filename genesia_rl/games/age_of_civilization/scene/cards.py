"""Markets, hands and what the seats have built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.core.scene import Card, Zone, may_see
from genesia_rl.games.age_of_civilization.data.effects import Effect
from genesia_rl.games.age_of_civilization.names import K_CIVILIZATION, K_DEPOSIT, K_DRAFT, K_WONDER, PICKS
from genesia_rl.games.age_of_civilization.recount import Recount
from genesia_rl.games.age_of_civilization.tables import members
from genesia_rl.games.age_of_civilization.text.words import effect_words

if TYPE_CHECKING:
    from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame


def civilization_key(number: int) -> str:
    """The key of a civilization, wherever it lies."""
    return f"civilization:{number}"


def wonder_key(number: int) -> str:
    """The key of a wonder, wherever it lies."""
    return f"wonder:{number}"


def special_key(number: int) -> str:
    """The key of a special card."""
    return f"special:{number}"


def player(seat: int) -> str:
    """A seat, for people."""
    return f"Player {'ABCD'[seat]}"


def zones(game: AgeOfCivilizationGame, s: np.void, eyes: int) -> Iterator[Zone]:
    """What is chosen from now comes first."""
    for seat in range(game.num_seats):
        if may_see(eyes, seat):
            yield from _secret(game, s, seat)
    market = tuple(
        _civilization(game, number, int(s["card_coins"][number - 1])) for number in members(s["market"])
    )
    if market:
        yield Zone("market", "Civilizations", market, beside=bool(s["kind"] in (K_CIVILIZATION, K_DEPOSIT)))
    if wonders := tuple(_wonder(game, number) for number in members(s["wonder_market"])):
        yield Zone("wonders", "Wonders", wonders, "list", beside=bool(s["kind"] == K_WONDER))
    if specials := tuple(_special(game, number) for number in members(s["special_market"])):
        yield Zone("specials", "Special technologies, 1 coin each", specials, "list")
    for seat in range(game.num_seats):
        yield from _built(game, s, seat)


def _secret(game: AgeOfCivilizationGame, s: np.void, seat: int) -> Iterator[Zone]:
    """The pack that a seat holds in the draft, and its hand."""
    asked, pick = bool(s["seat"] == seat), int(s["pick"])
    if pick < PICKS and s["kind"] == K_DRAFT and not s["picks"][seat, pick]:
        pack = tuple(_civilization(game, number) for number in members(s["sights"][seat, pick]))
        yield Zone(f"pack:{seat}", f"Pack of {player(seat)}", pack, seat=seat, beside=asked)
    if hand := tuple(_civilization(game, number) for number in members(s["hand"][seat])):
        beside = asked and bool(s["kind"] in (K_DRAFT, K_CIVILIZATION))
        yield Zone(f"hand:{seat}", f"Hand of {player(seat)}", hand, seat=seat, beside=beside)


def _built(game: AgeOfCivilizationGame, s: np.void, seat: int) -> Iterator[Zone]:
    """Civilizations, the main one first, and wonders."""
    seen = Recount(game.config, s)
    main = seen.main(seat)
    numbers = sorted(seen.civilizations(seat), key=lambda number: (number != main, number))
    cards = [_civilization(game, number, main=number == main) for number in numbers]
    cards += [_wonder(game, number) for number in seen.wonders(seat)]
    if cards:
        yield Zone(
            f"built:{seat}", f"Civilizations and wonders of {player(seat)}", tuple(cards), "list", seat
        )


def _civilization(game: AgeOfCivilizationGame, number: int, coins: int = 0, main: bool = False) -> Card:
    card = game.box.civilization(number)
    lines = (*_ability("Main", card.main), *_ability("Heritage", card.inherited))
    figures = (("population", str(card.population)), *((("coins", str(coins)),) if coins else ()))
    return Card(civilization_key(number), card.name, "main" if main else "", lines, figures,
                tone="gold" if main else "yellow", state="done" if main else "")  # fmt: skip


def _wonder(game: AgeOfCivilizationGame, number: int) -> Card:
    wonder = game.box.wonder(number)
    return Card(
        wonder_key(number), wonder.name, "wonder", tuple(map(effect_words, wonder.effects)), tone="blue"
    )


def _special(game: AgeOfCivilizationGame, number: int) -> Card:
    techs = [tech for tech in game.box.technologies if tech.special == number]
    lines = [f"{tech.name}: {'; '.join(map(effect_words, tech.effects))}" for tech in techs]
    column = (("column", str(game.box.special_column(number))),)
    return Card(
        special_key(number), " and ".join(tech.name for tech in techs), "", tuple(lines), column, tone="green"
    )


def _ability(title: str, effects: Iterable[Effect]) -> Iterator[str]:
    words = "; ".join(map(effect_words, effects))
    if words:
        yield f"{title}: {words}."
