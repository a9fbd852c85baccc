"""Configuration and data, compiled into one record of arrays that every kernel takes as an argument.

Kernels know no file, no word and no card by number: what an ability does is a row of operations here. One
record serves every configuration with the same compiled code.

Abilities are numbered group by group (names.GROUPS), which is the order in which they are done (RULES 7);
after them come the actions, whose effects are rows as well. The rows of one follow one another.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from genesia_rl.core.records import TableField, tables_dtype
from genesia_rl.games.age_of_civilization.config import Config
from genesia_rl.games.age_of_civilization.data.box import Box, load_box
from genesia_rl.games.age_of_civilization.data.effects import OPTIONAL_ENDS, Effect
from genesia_rl.games.age_of_civilization.names import (
    ABILITIES,
    ACTIONS,
    C_FLAT,
    CARDS,
    CIVILIZATIONS,
    COLUMNS,
    COUNTS,
    DOS,
    EVENTS,
    FIRST_COINS,
    GROUP_SIZE,
    L_DISCOUNT,
    L_FORBID,
    L_FORCE,
    L_FUTURE,
    L_IMMUNE,
    L_LABOUR,
    L_SAFE,
    L_SPACE,
    M_ACT,
    M_ACTION,
    M_ALWAYS,
    MAX_EVENT_ROWS,
    MAX_PRICE,
    MAX_ROWS,
    MAX_WORKERS,
    MOMENTS,
    NO_CAP,
    NO_MOST,
    NO_NEED,
    NUM_ACTS,
    NUM_GROUPS,
    NUM_MOMENTS,
    NUM_SUMS,
    ROWS,
    SOURCES,
    SPECIALS,
    SUMS,
    TECHNOLOGIES,
    TRACKS,
    WHO,
)
from genesia_rl.games.age_of_civilization.state import RECORDS

U64 = np.uint64
ALL_TECHS = U64(2**64 - 1)
PLAGUE_ONLY = -1  # the action of a card that has none
_ROWS = (MAX_ROWS,)
_ACTS = (NUM_ACTS,)
_TECHS = (TECHNOLOGIES,)
_EVENT_ROWS = (MAX_EVENT_ROWS,)

FIELDS: tuple[TableField, ...] = (
    # The configuration (RULES 3 and 4), and how much is dealt.
    ("seats", np.int8, ()),
    ("solo", np.int8, ()),
    ("draft", np.int8, ()),
    ("refills", np.int8, ()),
    ("fixed_track", np.int8, ()),
    ("num_wonders", np.int8, ()),
    ("num_specials", np.int8, ()),
    ("num_events", np.int8, ()),
    ("num_deck", np.int8, ()),
    # The civilizations of the box that are in the game (all but those removed in the solo mode), as a set and
    # as a list; the cards of the track in the order of `first_game`.
    ("in_box", U64, ()),
    ("num_box", np.int8, ()),
    ("box", np.int8, (CIVILIZATIONS,)),
    ("first_game", np.int8, (CARDS,)),
    # Action cards: the action (-1: none), war, plague; the actions of the permanent card.
    ("card_action", np.int8, (CARDS,)),
    ("card_war", np.int8, (CARDS,)),
    ("card_plague", np.int8, (CARDS,)),
    ("plague", np.int8, ()),
    ("permanent", U64, ()),
    # Actions (RULES 7).
    ("spaces", np.int8, _ACTS),
    ("workers", np.int8, _ACTS),
    ("is_red", np.int8, _ACTS),
    ("price", np.int16, _ACTS),
    # The same as sets: actions that need no more than so many idle workers, and cost no more than so many coins.
    ("workable", U64, (MAX_WORKERS + 1,)),
    ("payable", U64, (MAX_PRICE + 1,)),
    # Civilizations.
    ("population", np.int8, (CIVILIZATIONS,)),
    # Technologies (RULES 9): those on a card with each special card over it (0: none); those that one unlocks,
    # and those that need nothing; by row, by column; the column of each special card, as its technologies.
    ("on_card", U64, (SPECIALS + 1,)),
    ("unlocks", U64, _TECHS),
    ("roots", U64, ()),
    ("in_row", U64, (ROWS,)),
    ("in_column", U64, (COLUMNS,)),
    ("special_column", U64, (SPECIALS,)),
    # Effects: the rows of an ability or action are `first_row[k]` up to before `first_row[k + 1]`.
    ("first_row", np.int16, (SOURCES + 1,)),
    # A row: at what moment (or, from M_ALWAYS on, for which lane), what it does, the action that it offers,
    # whether `op_n` is its amount or has to be multiplied by a count, the need, the technologies that it is
    # for, whether it does not hold at the end of a turn, the points of a `deposit`, and whether it holds always
    # but is not among the sums and flags below.
    ("op_moment", np.int8, _ROWS),
    ("op_do", np.int8, _ROWS),
    ("op_what", np.int8, _ROWS),
    ("op_flat", np.int8, _ROWS),
    ("op_n", np.int16, _ROWS),
    ("op_per", np.int8, _ROWS),
    ("op_div", np.int8, _ROWS),
    ("op_cap", np.int16, _ROWS),
    ("op_need", np.int8, _ROWS),
    ("op_min", np.int16, _ROWS),
    ("op_max", np.int16, _ROWS),
    ("op_techs", U64, _ROWS),
    ("op_not_at_end", np.int8, _ROWS),
    ("op_points", np.int8, _ROWS),
    ("op_live", np.int8, _ROWS),
    # Which abilities of each group have effects at a moment; `perform` effects after an action; optional ones
    # at the end of a turn.
    ("at_moment", U64, (NUM_MOMENTS, NUM_GROUPS)),
    ("performs", U64, (NUM_ACTS, NUM_GROUPS)),
    ("optional", U64, (NUM_GROUPS,)),
    # What each ability adds to all that holds always: sums, flags (of sums: that it adds to them), and the lanes
    # of which it has live rows.
    ("ability_sums", np.int16, (ABILITIES, SUMS)),
    ("ability_flags", U64, (ABILITIES,)),
    ("ability_live", U64, (ABILITIES,)),
    # Events (RULES 9): the rows of event k are `first_event[k]` up to before `first_event[k + 1]`.
    ("first_event", np.int8, (EVENTS + 2,)),
    ("event_who", np.int8, _EVENT_ROWS),
    ("event_of", np.int8, _EVENT_ROWS),
    ("event_do", np.int8, _EVENT_ROWS),
    ("event_n", np.int8, _EVENT_ROWS),
    ("event_per", np.int8, _EVENT_ROWS),
)

Tables = npt.NDArray[np.void]


TABLES = tables_dtype(RECORDS, FIELDS)
WIDE_TABLES = tables_dtype(RECORDS, FIELDS, wide=True)


def build_tables(config: Config, wide: bool = False) -> Tables:
    """All tables of a configuration, as an array of one record."""
    tables = np.zeros(1, WIDE_TABLES if wide else TABLES)
    t, box = tables[0], load_box(config.data)
    _put_config(t, config, box)
    _put_board(t, box)
    _put_technologies(t, box)
    _put_rows(t, box)
    _put_always(t, box)
    _put_events(t, box)
    _put_start(t, config)
    return tables


def members(word: int) -> list[int]:
    """The numbers of a set, from 1 on."""
    whole = int(word)
    return [k + 1 for k in range(whole.bit_length()) if whole >> k & 1]


def set_of(numbers: Iterable[int]) -> np.uint64:
    """A set of numbers from 1 on as a word."""
    return U64(sum(1 << number - 1 for number in numbers))


def group_of(ability: int) -> tuple[int, int]:
    """The group of an ability, and its number there."""
    group, place = divmod(ability, GROUP_SIZE)
    return group, place + 1


def ability_of(group: int, number: int) -> int:
    """The ability of a group with a number."""
    return group * GROUP_SIZE + number - 1


def acts(names: Iterable[str]) -> np.uint64:
    """A set of actions as a word."""
    return U64(sum(1 << ACTIONS.index(name) for name in names))


# ---------------------------------------------------------------- configuration and board


def _put_config(t: np.void, config: Config, box: Box) -> None:
    t["seats"] = config.players
    t["solo"] = config.is_solo
    t["draft"] = config.draft
    t["refills"] = config.refills
    t["fixed_track"] = config.track != TRACKS[0]
    t["num_wonders"] = config.num_wonders
    t["num_specials"] = config.num_specials
    t["num_events"] = config.num_events
    t["num_deck"] = config.num_deck
    removed = box.board.solo_removed if config.is_solo else ()
    numbers = [c.number for c in box.civilizations if c.number not in removed]
    t["in_box"] = set_of(numbers)
    t["num_box"] = len(numbers)
    t["box"][: len(numbers)] = numbers


def _put_board(t: np.void, box: Box) -> None:
    cards = box.board.cards
    names = [card.name for card in cards]
    t["first_game"] = [names.index(name) for name in box.board.first_game]
    t["card_action"] = [ACTIONS.index(card.action) if card.action else PLAGUE_ONLY for card in cards]
    t["card_war"] = [card.war for card in cards]
    t["card_plague"] = [card.plague for card in cards]
    t["plague"] = [card.plague for card in cards].index(True)
    shown = {card.action for card in cards}
    t["permanent"] = acts(name for name in ACTIONS if name not in shown)
    for place, action in enumerate(box.board.actions):
        t["spaces"][place] = action.spaces
        t["workers"][place] = action.workers
        t["is_red"][place] = action.red
        t["price"][place] = action.price
        for idle in range(action.workers, MAX_WORKERS + 1):
            t["workable"][idle] |= acts([action.name])
        for coins in range(action.price, MAX_PRICE + 1):
            t["payable"][coins] |= acts([action.name])
    t["population"] = [civilization.population for civilization in box.civilizations]


def _put_technologies(t: np.void, box: Box) -> None:
    techs = box.technologies
    for special in range(SPECIALS + 1):
        t["on_card"][special] = set_of(box.card_of(special))
    for tech in techs:
        t["unlocks"][tech.number - 1] = set_of(
            other.number for other in techs if (tech.cell, other.cell) in box.arrows
        )
    t["roots"] = set_of(tech.number for tech in techs if not box.prerequisites(tech.number))
    for row in range(ROWS):
        t["in_row"][row] = set_of(tech.number for tech in techs if tech.row == row + 1)
    for column in range(COLUMNS):
        t["in_column"][column] = set_of(tech.number for tech in techs if tech.column == column + 1)
    for special in range(SPECIALS):
        t["special_column"][special] = t["in_column"][box.special_column(special + 1) - 1]


# ---------------------------------------------------------------- effects

#: The first lane of what holds always; those of an action have its number added.
LANES = {
    "force": L_FORCE, "discount": L_DISCOUNT, "labour": L_LABOUR, "space": L_SPACE, "safe": L_SAFE,
    "forbid": L_FORBID, "future": L_FUTURE, "immune": L_IMMUNE,
}  # fmt: skip


def lane_of(effect: Effect) -> int:
    """The lane of an effect that holds always."""
    return int(LANES[effect.do]) + (ACTIONS.index(effect.action) if effect.action else 0)


def moment_of(effect: Effect) -> int:
    """When an effect is done; from M_ALWAYS on, the lane for which it holds."""
    if effect.when == "always":
        return int(M_ALWAYS) + lane_of(effect)
    if effect.when == "act":
        return int(M_ACT) + ACTIONS.index(effect.action)
    return int(M_ACTION) if effect.when == "action" else MOMENTS.index(effect.when)


def is_live(effect: Effect) -> bool:
    """Does what always holds depend on more than that it is in force?"""
    return bool(effect.need or effect.techs or effect.not_at_end or effect.per != COUNTS[C_FLAT])


def flat_amount(effect: Effect) -> int:
    """RULES 8: the amount of an effect that counts nothing."""
    amount = effect.n * (1 // effect.div)
    return amount if effect.cap is None else min(amount, effect.cap)


def _put_rows(t: np.void, box: Box) -> None:
    numbers = {tech.name: tech.number for tech in box.technologies}
    row = 0
    for source, effects in enumerate(box.abilities):
        t["first_row"][source] = row
        for effect in effects:
            _put_row(t, row, effect, numbers)
            if source < ABILITIES:
                _put_moment(t, source, effect)
            row += 1
    t["first_row"][SOURCES] = row


def _put_row(t: np.void, row: int, effect: Effect, numbers: dict[str, int]) -> None:
    counted = effect.per != COUNTS[C_FLAT]
    t["op_moment"][row] = moment_of(effect)
    t["op_do"][row] = DOS.index(effect.do)
    t["op_what"][row] = ACTIONS.index(effect.what) if effect.what else 0
    t["op_flat"][row] = not counted
    t["op_n"][row] = effect.n if counted else flat_amount(effect)
    t["op_per"][row] = COUNTS.index(effect.per)
    t["op_div"][row] = effect.div
    t["op_cap"][row] = NO_CAP if effect.cap is None else effect.cap
    t["op_need"][row] = COUNTS.index(effect.need) if effect.need else NO_NEED
    t["op_min"][row] = effect.least if effect.least is not None else 1 if effect.most is None else 0
    t["op_max"][row] = NO_MOST if effect.most is None else effect.most
    t["op_techs"][row] = set_of({numbers[name] for name in effect.techs}) if effect.techs else ALL_TECHS
    t["op_not_at_end"][row] = effect.not_at_end
    t["op_points"][row] = effect.points
    t["op_live"][row] = effect.when == "always" and is_live(effect)


def _put_moment(t: np.void, ability: int, effect: Effect) -> None:
    if effect.when == "always":
        return
    group, number = group_of(ability)
    bit = set_of([number])
    t["at_moment"][moment_of(effect), group] |= bit
    if effect.when == "act" and effect.do == "perform":
        t["performs"][ACTIONS.index(effect.action), group] |= bit
    if effect.when == "turn_end" and effect.do in OPTIONAL_ENDS:
        t["optional"][group] |= bit


def _put_always(t: np.void, box: Box) -> None:
    for ability, effects in enumerate(box.abilities[:ABILITIES]):
        for effect in effects:
            if effect.when != "always":
                continue
            lane = lane_of(effect)
            if is_live(effect):
                t["ability_live"][ability] |= U64(1 << lane)
                continue
            t["ability_flags"][ability] |= U64(1 << lane)
            if lane < NUM_SUMS:
                t["ability_sums"][ability, lane] += flat_amount(effect)


def _put_events(t: np.void, box: Box) -> None:
    row = 0
    for event in box.board.events:
        t["first_event"][event.number] = row
        for effect in event.effects:
            t["event_who"][row] = WHO.index(effect.who)
            t["event_of"][row] = COUNTS.index(effect.of)
            t["event_do"][row] = DOS.index(effect.do)
            t["event_n"][row] = effect.n
            t["event_per"][row] = COUNTS.index(effect.per)
            row += 1
    t["first_event"][EVENTS + 1] = row


def _put_start(t: np.void, config: Config) -> None:
    """RULES 4: three coins for everybody, nothing else; the first round."""
    start = t["start"]
    start["round"] = 1
    start["coins"][: config.players] = FIRST_COINS
    start["unlocked"][: config.players] = t["roots"]
