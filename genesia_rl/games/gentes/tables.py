"""Configuration and data, compiled into one record of arrays that every kernel takes as an argument.

Kernels know no file, no word and no card by number: what a card does is a row of operations here. One
record serves every configuration with the same compiled code.

Once-a-round effects have one numbering: those of the cards (a card has at most one), then left and right of each row
of Homes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import DataError
from genesia_rl.core.records import TableField, tables_dtype
from genesia_rl.games.gentes.config import Config
from genesia_rl.games.gentes.data.box import Box, load_box
from genesia_rl.games.gentes.data.effects import Effect, Gain
from genesia_rl.games.gentes.names import (
    ACTS,
    ANY_SYMBOL,
    ANY_TYPE,
    CARDS,
    CITIES,
    CONDITIONS,
    COUNTERS,
    ERAS,
    GAINS,
    HOMES,
    LASTING,
    MAX_BONUS,
    MAX_COST,
    MAX_GAINS,
    MAX_SEATS,
    NEVER,
    NO_CAP,
    NUM_ACTS,
    NUM_CONDITIONS,
    NUM_REGIONS,
    NUM_REWARDS,
    NUM_SYNERGIES,
    NUM_TYPES,
    ONCE,
    PLACES,
    REGIONS,
    REWARDS,
    ROWS,
    SIDES,
    SLOTS,
    SYMBOLS,
    SYNERGIES,
    TAXES,
    TILES,
    TYPES,
    TYPES_SLOTS,
)
from genesia_rl.games.gentes.state import RECORDS

U64 = np.uint64
NONE = -1
MAX_HOURS = 3  # of a source
MAX_PENALTY = 9
MAX_TAKEN = 3  # cards of the display by one Scribe
_CARDS = (CARDS,)
_TILES = (TILES,)
_ONCE = (ONCE,)
_ROWS = (MAX_GAINS,)

FIELDS: tuple[TableField, ...] = (
    # The configuration (RULES 2 and 3).
    ("seats", np.int8, ()),
    ("solo", np.int8, ()),
    ("small", np.int8, ()),
    ("first_game", np.int8, ()),
    ("num_draft", np.int8, ()),
    ("boxed", np.int8, (ERAS,)),
    # Numbers by name (RULES 12).
    ("start_coins", np.int8, ()),
    ("start_citizens", np.int8, ()),
    ("hand_limit", np.int8, ()),
    ("num_tokens", np.int8, ()),
    ("cube_slots", np.int8, ()),
    ("leader_coins", np.int8, ()),
    ("coins_per_point", np.int8, ()),
    ("cubes_per_point", np.int8, ()),
    ("hire_cubes", np.int8, ()),
    ("spaces", np.int8, ()),
    ("penalty", np.int8, (MAX_PENALTY + 1,)),
    ("most_penalty", np.int8, ()),
    # Citizens (RULES 4); prices of the recruiting slots by the row for one and for two.
    ("room", np.int8, ()),
    ("opposite", np.int8, (NUM_TYPES,)),
    ("price", np.int8, (2, TYPES_SLOTS)),
    ("solo_slot", np.int8, ()),
    # The display: the least amount for 1, 2, 3 cards with the rightmost in a slot; for 1, 2 of the discard pile.
    ("take", np.int8, (MAX_TAKEN, SLOTS)),
    ("pile", np.int8, (2,)),
    ("is_marked", np.int8, (SLOTS,)),
    ("tax_hours", np.int8, (TAXES,)),
    ("tax_coins", np.int8, (TAXES,)),
    ("taxes", U64, ()),
    # Action tiles; as sets: in the game, of an action (the wild tile of none), of a navigator's symbol, that cost
    # no more than so many coins, that take no more than so many hourglasses.
    ("tile_act", np.int8, _TILES),
    ("tile_coins", np.int8, _TILES),
    ("tile_hours", np.int8, _TILES),
    ("tile_symbol", np.int8, _TILES),
    ("in_game", U64, ()),
    ("of_act", U64, (NUM_ACTS,)),
    ("of_symbol", U64, (ANY_SYMBOL + 1,)),
    ("cheap", U64, (MAX_COST + 1,)),
    ("short", U64, (MAX_HOURS + 1,)),
    ("wild", U64, ()),
    # Places: those with a symbol (4: any), the symbols of each a byte each; Homes by row, cities by region.
    ("on_symbol", U64, (ANY_SYMBOL + 1,)),
    ("place_symbols", U64, (PLACES,)),
    ("home_row", np.int8, (HOMES,)),
    ("row_homes", U64, (ROWS,)),
    ("city_region", np.int8, (CITIES,)),
    ("region_cities", U64, (NUM_REGIONS,)),
    ("city_reward", np.int8, (CITIES,)),
    ("city_n", np.int8, (CITIES,)),
    # Bonus tiles: the highest first.
    ("bonus_least", np.int8, (NUM_CONDITIONS,)),
    ("bonus_points", np.int8, (NUM_CONDITIONS, MAX_BONUS)),
    ("num_bonus", np.int8, (NUM_CONDITIONS,)),
    # The cards by era: where each deck begins, the numbers in order, as sets.
    ("era_start", np.int8, (ERAS + 1,)),
    ("era_list", np.int8, _CARDS),
    ("era_cards", U64, (ERAS,)),
    # Needs, a byte for each type and for each symbol; points; cards that show a synergy symbol.
    ("need", U64, _CARDS),
    ("need_symbols", U64, _CARDS),
    ("worth", np.int8, _CARDS),
    ("with_synergy", U64, (NUM_SYNERGIES,)),
    # Gains and decline rewards: the rows of a card are `first_gain[k]` up to before `first_gain[k + 1]`; cards
    # with decline rewards. `op_what` is a type or a symbol.
    ("first_gain", np.int16, (CARDS + 1,)),
    ("first_decline", np.int16, (CARDS + 1,)),
    ("decliners", U64, ()),
    ("op_do", np.int8, _ROWS),
    ("op_what", np.int8, _ROWS),
    ("op_n", np.int8, _ROWS),
    ("op_per", np.int8, _ROWS),
    ("op_div", np.int8, _ROWS),
    ("op_cap", np.int32, _ROWS),
    ("op_first", np.int8, _ROWS),
    # Once-a-round effects; as sets: cards with an `action`, with an ability for an action, with an ability that does
    # something; of each row of Homes its action, and its ability for an action (-1: none).
    ("once_do", np.int8, _ONCE),
    ("once_act", np.int8, _ONCE),
    ("once_n", np.int8, _ONCE),
    ("once_coins", np.int8, _ONCE),
    ("once_hours", np.int8, _ONCE),
    ("once_symbol", np.int8, _ONCE),
    ("once_what", np.int8, _ONCE),
    ("action_cards", U64, ()),
    ("once_of", U64, (NUM_ACTS,)),
    ("once_does", U64, (len(LASTING),)),
    ("row_action", np.int8, (ROWS,)),
    ("row_ability", np.int8, (ROWS, NUM_ACTS)),
    # What each card's lasting effects of each time add; the cards that have any.
    ("each_virtual", np.int16, (CARDS, NUM_TYPES)),
    ("each_discount", np.int16, (CARDS, NUM_ACTS)),
    ("each_saving", np.int16, (CARDS, NUM_ACTS)),
    ("each_bringing", np.int16, (CARDS, NUM_ACTS, NUM_REWARDS)),
    ("each_hand", np.int16, _CARDS),
    ("lasting", U64, ()),
    # The first game: cards and citizens by place in the first order.
    ("beginner_cards", U64, (MAX_SEATS,)),
    ("beginner_citizens", np.int8, (MAX_SEATS, NUM_TYPES)),
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
    _put_tiles(t, config, box)
    _put_places(t, config, box)
    _put_bonus(t, config, box)
    _put_cards(t, box)
    _put_gains(t, config, box)
    _put_once(t, box)
    _put_each(t, box)
    _put_beginners(t, box)
    _put_start(t, config, box)
    return tables


# ---------------------------------------------------------------- sets and packed numbers


def members(word: int) -> list[int]:
    """The numbers of a set, from 1 on."""
    whole = int(word)
    return [k + 1 for k in range(whole.bit_length()) if whole >> k & 1]


def set_of(numbers: Iterable[int]) -> np.uint64:
    """A set of numbers from 1 on as a word."""
    return U64(sum(1 << number - 1 for number in numbers))


def packed(numbers: Iterable[int]) -> np.uint64:
    """Small numbers as a word, a byte each."""
    return U64(sum(number << 8 * place for place, number in enumerate(numbers)))


def symbol_number(symbol: str) -> int:
    """A symbol as a number: 1..3, 4 any, 0 none."""
    return (*("",), *SYMBOLS, "any").index(symbol)


# ---------------------------------------------------------------- configuration and board


def _put_config(t: np.void, config: Config, box: Box) -> None:
    t["seats"] = config.players
    t["solo"] = config.is_solo
    t["small"] = config.is_small
    t["first_game"] = config.first_game
    t["num_draft"] = config.num_draft
    t["boxed"] = config.boxed
    for name, value in box.board.game.items():
        t["num_tokens" if name == "tokens" else name] = value
    open_taxes = [tax.number for tax in box.board.taxes if not (config.advanced and tax.number == 1)]
    t["taxes"] = set_of(open_taxes)


def _put_board(t: np.void, box: Box) -> None:
    board = box.board
    t["spaces"] = board.track["spaces"]
    penalty = board.track["penalty"]
    t["penalty"][1 : len(penalty) + 1] = penalty
    t["most_penalty"] = len(penalty)
    t["room"] = board.room
    for a, b in board.pairs:
        t["opposite"][TYPES.index(a)] = TYPES.index(b)
        t["opposite"][TYPES.index(b)] = TYPES.index(a)
    for row, key in enumerate(("one", "two")):
        t["price"][row] = board.recruiting[key]
    t["solo_slot"] = board.recruiting["solo_slot"]
    t["take"] = NEVER
    for row, key in enumerate(("one", "two", "three")):
        t["take"][row][: len(board.display[key])] = board.display[key]
    t["pile"] = board.display["discard"]
    for slot in board.display["marked"]:
        t["is_marked"][slot - 1] = 1
    t["tax_hours"] = [tax.hours for tax in board.taxes]
    t["tax_coins"] = [tax.coins for tax in board.taxes]


def _put_tiles(t: np.void, config: Config, box: Box) -> None:
    for place, tile in enumerate(box.tiles):
        bit = set_of([tile.number])
        t["tile_act"][place] = ACTS.index(tile.action)
        t["tile_coins"][place] = tile.coins
        t["tile_hours"][place] = tile.hours
        t["tile_symbol"][place] = symbol_number(tile.symbol)
        if not tile.is_in(config.players):
            continue
        t["in_game"] |= bit
        if config.is_solo and tile.symbol == "any":
            t["wild"] = bit
            continue
        t["of_act"][t["tile_act"][place]] |= bit
        t["of_symbol"][t["tile_symbol"][place]] |= bit
    for coins in range(MAX_COST + 1):
        t["cheap"][coins] = set_of(k + 1 for k in range(TILES) if t["tile_coins"][k] <= coins)
    for hours in range(MAX_HOURS + 1):
        t["short"][hours] = set_of(k + 1 for k in range(TILES) if t["tile_hours"][k] <= hours)


def _put_places(t: np.void, config: Config, box: Box) -> None:
    for place, city in enumerate(box.board.cities):
        _put_symbols(t, place, (city.symbol,))
        region = REGIONS.index(city.region)
        t["city_region"][place] = region
        t["region_cities"][region] |= set_of([place + 1])
        t["city_reward"][place] = REWARDS.index(city.reward)
        t["city_n"][place] = city.n
    for home in box.board.homes:
        place = CITIES + home.number - 1
        _put_symbols(t, place, box.board.symbols(home, config.players))
        t["home_row"][home.number - 1] = home.row - 1
        t["row_homes"][home.row - 1] |= set_of([place + 1])


def _put_symbols(t: np.void, place: int, symbols: tuple[str, ...]) -> None:
    """A place has these symbols, each once; without any it is not there."""
    bit = set_of([place + 1])
    for symbol in set(symbols):
        t["on_symbol"][symbol_number(symbol)] |= bit
        t["on_symbol"][ANY_SYMBOL] |= bit
    t["place_symbols"][place] = packed(symbol in symbols for symbol in SYMBOLS)


def _put_bonus(t: np.void, config: Config, box: Box) -> None:
    for place, condition in enumerate(CONDITIONS):
        mine = [bonus for bonus in box.board.bonus if bonus.condition == condition]
        t["bonus_least"][place] = mine[0].least
        n = config.players
        points = sorted((b.points for b in mine if (b.solo if n == 1 else n in b.players)), reverse=True)
        t["bonus_points"][place][: len(points)] = points
        t["num_bonus"][place] = len(points)


# ---------------------------------------------------------------- cards


def _put_cards(t: np.void, box: Box) -> None:
    size = 0
    for era in range(ERAS):
        numbers = box.era(era + 1)
        t["era_start"][era] = size
        t["era_list"][size : size + len(numbers)] = numbers
        t["era_cards"][era] = set_of(numbers)
        size += len(numbers)
    t["era_start"][ERAS] = size
    for place, card in enumerate(box.cards):
        t["need"][place] = packed(card.needs.get(type_, 0) for type_ in TYPES)
        t["need_symbols"][place] = packed(card.cities.count(symbol) for symbol in SYMBOLS)
        t["worth"][place] = card.points
        for symbol in card.synergy:
            t["with_synergy"][SYNERGIES.index(symbol)] |= set_of([card.number])


def _put_gains(t: np.void, config: Config, box: Box) -> None:
    row = 0
    for name, lists in (("gain", [c.gains for c in box.cards]), ("decline", [c.decline for c in box.cards])):
        for place, gains in enumerate(lists):
            t[f"first_{name}"][place] = row
            if row + len(gains) > MAX_GAINS:
                raise DataError(f"{config.data}: more than {MAX_GAINS} gains, allowed are so many together")
            for gain in gains:
                _put_gain(t, row, gain)
                row += 1
        t[f"first_{name}"][CARDS] = row
    t["decliners"] = set_of(card.number for card in box.cards if card.decline)


def _put_gain(t: np.void, row: int, gain: Gain) -> None:
    t["op_do"][row] = GAINS.index(gain.do)
    if gain.type:
        t["op_what"][row] = ANY_TYPE if gain.type == "any" else TYPES.index(gain.type)
    elif gain.symbol:
        t["op_what"][row] = symbol_number(gain.symbol)
    t["op_n"][row] = gain.n
    t["op_per"][row] = COUNTERS.index(gain.per)
    t["op_div"][row] = gain.div
    t["op_cap"][row] = NO_CAP if gain.cap is None else gain.cap
    t["op_first"][row] = gain.first


def once_effects(box: Box) -> Iterator[Effect | None]:
    """All once-a-round effects in the order of their numbers."""
    yield from (card.once for card in box.cards)
    for row in box.board.rows:
        yield from row


def _put_once(t: np.void, box: Box) -> None:
    t["once_do"] = NONE
    t["row_action"] = NONE
    t["row_ability"] = NONE
    for number, effect in enumerate(once_effects(box)):
        if effect is None:
            continue
        _put_effect(t, number, effect)
        if number < CARDS:
            _put_once_card(t, number, effect)
        elif effect.do == "action":
            t["row_action"][(number - CARDS) // len(SIDES)] = number
        else:
            t["row_ability"][(number - CARDS) // len(SIDES)][ACTS.index(effect.action)] = number


def _put_effect(t: np.void, number: int, effect: Effect) -> None:
    t["once_do"][number] = LASTING.index(effect.do)
    t["once_act"][number] = ACTS.index(effect.action)
    t["once_n"][number] = effect.max if effect.do == "amount" else effect.n
    t["once_coins"][number] = effect.coins
    t["once_hours"][number] = effect.hours
    t["once_symbol"][number] = symbol_number(effect.symbol)
    t["once_what"][number] = REWARDS.index(effect.what) if effect.what else 0


def _put_once_card(t: np.void, number: int, effect: Effect) -> None:
    bit = set_of([number + 1])
    t["once_does"][LASTING.index(effect.do)] |= bit
    if effect.do == "action":
        t["action_cards"] |= bit
    else:
        t["once_of"][ACTS.index(effect.action)] |= bit


def _put_each(t: np.void, box: Box) -> None:
    for place, card in enumerate(box.cards):
        for effect in card.lasting:
            if not effect.is_once:
                _put_each_effect(t, place, effect)
                t["lasting"] |= set_of([card.number])


def _put_each_effect(t: np.void, place: int, effect: Effect) -> None:
    if effect.do == "virtual":
        t["each_virtual"][place][TYPES.index(effect.type)] += effect.n
    elif effect.do == "hand":
        t["each_hand"][place] += effect.n
    elif effect.do == "gain":
        t["each_bringing"][place][ACTS.index(effect.action)][REWARDS.index(effect.what)] += effect.n
    else:
        name = "each_discount" if effect.do == "discount" else "each_saving"
        t[name][place][ACTS.index(effect.action)] += effect.n


# ---------------------------------------------------------------- beginning


def _put_beginners(t: np.void, box: Box) -> None:
    for place, beginner in enumerate(box.board.beginners):
        t["beginner_cards"][place] = set_of(box.named(name).number for name in beginner.cards)
        t["beginner_citizens"][place] = [beginner.citizens.get(type_, 0) for type_ in TYPES]


def _put_start(t: np.void, config: Config, box: Box) -> None:
    """RULES 3: what every seat has, whatever is dealt."""
    s, n = t["start"], config.players
    s["round"] = 1
    s["coins"][:n] = box.board.game["start_coins"]
    s["locks"][:n] = box.board.track["locks"]
    s["singles"][:n] = box.board.track["hourglasses"]
    s["boxed"] = config.boxed
