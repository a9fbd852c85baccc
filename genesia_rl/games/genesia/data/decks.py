"""What a configuration puts into play: the decks of the Ages and the pool of objectives.

These need both the configuration and the data, hence a module of their own.
"""

from __future__ import annotations

from genesia_rl.games.genesia.config import Config
from genesia_rl.games.genesia.data.cards import SOLO_REMOVED, Data, Objective
from genesia_rl.games.genesia.names import COLOURS


def age_deck(config: Config, data: Data, age: int) -> tuple[int, ...]:
    """RULES 3, 4.3 and 10: the cards of an Age in order of number, promo cards not yet added.

    They are the explicit list, or the Age's lots, in solo less the cards that the level removes.
    """
    if config.decks is not None:
        return tuple(sorted(config.decks[age - 1]))
    lots = config.lots[age - 1] if config.lots is not None else ()
    removed = SOLO_REMOVED[config.solo_level][age - 1] if config.is_solo else ()
    numbers = {c.number for c in data.cards.values() if c.age == age and c.lot in lots}
    return tuple(sorted(numbers.difference(removed)))


def age_promos(data: Data, age: int) -> tuple[int, ...]:
    """RULES 3: the Age's promo cards, in order of number."""
    return tuple(sorted(c.number for c in data.cards.values() if c.age == age and c.lot == "promo"))


def _lots_used(config: Config, data: Data) -> set[str]:
    """RULES 4.4: every lot that some Age uses; of explicit decks every lot that has a card in them."""
    if config.decks is not None:
        return {data.cards[number].lot for deck in config.decks for number in deck}
    return {lot for lots in config.lots or () for lot in lots}


def objective_pool(config: Config, data: Data) -> tuple[int, ...]:
    """RULES 4.4: both objectives of each colour in use or of all five, and the black ones that take part."""
    if not config.objectives:
        return ()
    lots = _lots_used(config, data) if config.objective_pool == "lots" else set(COLOURS)
    return tuple(
        sorted(o.number for o in data.objectives.values() if o.lot in lots or _takes_part(config, o))
    )


def _takes_part(config: Config, objective: Objective) -> bool:
    """RULES 3: is it one of the black objectives that join the pool?"""
    extra = config.extra_objectives
    return objective.lot == "black" and (extra if isinstance(extra, bool) else objective.number in extra)
