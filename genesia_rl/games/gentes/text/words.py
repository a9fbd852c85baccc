"""Cards, tiles, cities, Homes and bonus tiles in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from genesia_rl.games.gentes.data.box import Box
from genesia_rl.games.gentes.data.effects import Effect, Gain
from genesia_rl.games.gentes.names import CONDITIONS, REWARDS

_THINGS = {"coins": "coin", "points": "point", "temple": "temple cube", "oracle": "oracle cube"}
_PER = {"cards": "card in play", "types": "type of citizen", "citizens": "citizen", "coins": "coins",
        "cities": "token", "homes": "token on a Home", "regions": "region with a city"}  # fmt: skip
_CONDITION_WORDS = {"cards": "cards in play", "citizens": "citizens", "cities": "tokens placed"}


def counted(number: int, thing: str) -> str:
    """`1 hourglass`, `2 hourglasses`."""
    more = "es" if thing.endswith("s") else "s"
    return f"{number} {thing}{'' if number == 1 else more}"


def costs(coins: int, hours: int) -> str:
    """What an action costs: `4 coins and 1 hourglass`."""
    return f"{counted(coins, 'coin')} and {counted(hours, 'hourglass')}"


def gain_words(gain: Gain) -> str:
    """A gain or a decline reward."""
    if gain.do in REWARDS:
        text = counted(gain.n, _THINGS[gain.do])
        if gain.per != "flat":
            text += f" for each {f'{gain.div} ' if gain.div > 1 else ''}{_PER.get(gain.per, gain.per)}"
        return text + (f", at most {gain.cap}" if gain.cap is not None else "")
    return {
        "lose_coins": f"pay {counted(gain.n, 'coin')}",
        "citizen": f"recruit {gain.n} {gain.type}",
        "lose_citizen": f"lose {gain.n} {gain.type}",
        "hours": f"put {counted(gain.n, 'hourglass')} on the track",
        "free_hours": _leaving(gain.n, "hourglass"),
        "unlock": _leaving(gain.n, "lock"),
        "card": f"take {counted(gain.n, 'card')} of the slots 1 to {gain.first}",
        "city": f"place a token ({gain.symbol})",
        "activate": "activate a region",
        "first": "become first player from the Decline on",
    }[gain.do]


def _leaving(number: int, thing: str) -> str:
    """`1 lock leaves the track`."""
    return f"{counted(number, thing)} {'leaves' if number == 1 else 'leave'} the track"


def effect_words(effect: Effect) -> str:
    """A lasting effect, or one side of a row of Homes."""
    often = "once a round" if effect.is_once else "each time"
    if effect.do == "action":
        symbol = f" ({effect.symbol})" if effect.symbol else ""
        return f"{often}: {effect.action}{symbol} for {costs(effect.coins, effect.hours)}"
    words = {
        "gain": f"{effect.action} brings {counted(effect.n, _THINGS.get(effect.what, effect.what))}",
        "discount": f"{effect.action} costs {counted(effect.n, 'coin')} less",
        "hours": f"{effect.action} takes {counted(effect.n, 'hourglass')} fewer",
        "extra": f"{effect.action} recruits {effect.n} more",
        "amount": f"the amount of {effect.action} is any of 1 to {effect.max}",
        "double": f"the coins of {effect.action} are doubled",
        "virtual": f"{effect.n} virtual {effect.type}",
        "hand": f"{effect.n} more {'card' if effect.n == 1 else 'cards'} in hand",
    }
    return f"{often}: {words[effect.do]}"


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts) or "nothing"


def card_text(box: Box, number: int) -> str:
    """A Civilization card."""
    card = box.card(number)
    needs = [*(f"{count} {type_}" for type_, count in card.needs.items()), *card.cities]
    lines = [
        f"card {number}: {card.name} (Era {card.era})",
        f"  needs {_joined(needs)}",
        f"  {counted(card.points, 'point')}, synergy {_joined(card.synergy)}",
    ]
    lines += [f"  when played: {gain_words(gain)}" for gain in card.gains]
    lines += [f"  {effect_words(effect)}" for effect in card.lasting]
    lines += [f"  in each Decline: {gain_words(gain)}" for gain in card.decline]
    return "\n".join(lines)


def tile_text(box: Box, number: int) -> str:
    """An action tile."""
    tile = box.tile(number)
    symbol = f" ({tile.symbol})" if tile.symbol else ""
    players = [*map(str, tile.players), *(["solo"] if tile.solo else [])]
    cost = costs(tile.coins, tile.hours)
    return f"tile {number}: {tile.action}{symbol}, {cost}; players {_joined(players)}"


def city_text(box: Box, number: int) -> str:
    """A city."""
    city = box.city(number)
    return (
        f"city {number}: {city.name} ({city.region}, {city.symbol}): {counted(city.n, _THINGS[city.reward])}"
    )


def home_text(box: Box, number: int) -> str:
    """A Home, and what its row offers."""
    home = box.home(number)
    lines = [
        f"home {number}: row {home.row}; large side {_joined(home.large)}, small side {_joined(home.small)}"
    ]
    return "\n".join([*lines, *(f"  {effect_words(effect)}" for effect in box.board.rows[home.row - 1])])


def _bonus_lines(box: Box, condition: str) -> Iterator[str]:
    for bonus in box.board.bonus:
        if bonus.condition == condition:
            players = [*map(str, bonus.players), *(["solo"] if bonus.solo else [])]
            yield f"  {counted(bonus.points, 'point')}; players {_joined(players)}"


def bonus_text(box: Box, number: int) -> str:
    """The bonus tiles of a condition."""
    condition = CONDITIONS[number - 1]
    least = next(bonus.least for bonus in box.board.bonus if bonus.condition == condition)
    return "\n".join(
        [f"bonus {number}: {least} {_CONDITION_WORDS[condition]}", *_bonus_lines(box, condition)]
    )
