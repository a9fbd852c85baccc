"""Configuration and data, compiled into one record of arrays that every kernel takes as an argument.

Kernels know no file, no word and no card by number: what a card does is a row of operations here,
what a place or a phase allows is a set. One record (not global arrays, which numba would freeze into
the code; not a tuple of arrays, which is slow to pass) serves every configuration with the same
compiled code.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genesia_rl.core.bits import put
from genesia_rl.core.records import TableField, tables_dtype
from genesia_rl.games.genesia import names
from genesia_rl.games.genesia.actions import BASES, EDGE_BASE, NUM_ACTIONS, SEAT_BASE
from genesia_rl.games.genesia.config import Config
from genesia_rl.games.genesia.data.board import (
    MAX_VALUE,
    Board,
    board_for,
    continent_of,
    distances,
    edge_slots,
    homeland,
    rotate_region,
)
from genesia_rl.games.genesia.data.cards import Card, Data, Objective, load_data
from genesia_rl.games.genesia.data.decks import age_deck, age_promos, objective_pool
from genesia_rl.games.genesia.names import (
    AGE_COINS,
    AGES,
    CARD_WORDS,
    CITIES,
    CLANS,
    EDGE_WORDS,
    HAND,
    MAX_CARD,
    MAX_DECK,
    MAX_DEGREE,
    MAX_DISTANCE,
    MAX_OBJECTIVE,
    MAX_OPS,
    MAX_REGIONS,
    MAX_SEATS,
    MAX_TERMS,
    PACK,
    REGION_WORDS,
    WORD,
)
from genesia_rl.games.genesia.state import RECORDS

U64 = np.uint64
MAX_COST = 12
STATIC_PLANES = 4
SOLO_HANDS = (HAND, HAND, HAND - 1)
_CARDS = (MAX_CARD + 1,)
_OPS = (MAX_CARD + 1, MAX_OPS)
_OBJECTIVES = (MAX_OBJECTIVE + 1,)
_TERMS = (MAX_OBJECTIVE + 1, MAX_TERMS)
_REGIONS = (MAX_REGIONS,)
_EDGES = (EDGE_WORDS * WORD,)
_REGION_SET = (REGION_WORDS,)
_CARD_SET = (CARD_WORDS,)

FIELDS: tuple[TableField, ...] = (
    # The configuration (RULES 3 and 10). Teams: the team of each seat.
    ("seats", np.int8, ()),
    ("with_draft", np.int8, ()),
    ("with_attack", np.int8, ()),
    ("with_objectives", np.int8, ()),
    ("with_teams", np.int8, ()),
    ("choose_order", np.int8, ()),
    ("attack_recruiting", np.int8, ()),
    ("age_coins", np.int8, ()),
    ("hand_size", np.int8, (AGES,)),
    ("team", np.int8, (MAX_SEATS,)),
    # The map (RULES 2): regions as sets by what they are, values, and the order in which a seat builds
    # when cities are short (R5).
    ("num_regions", np.int16, ()),
    ("all_regions", U64, _REGION_SET),
    ("homelands", U64, _REGION_SET),
    ("outer", U64, _REGION_SET),
    ("island", U64, _REGION_SET),
    ("continent", U64, (MAX_SEATS, REGION_WORDS)),
    ("homeland", np.int16, (MAX_SEATS,)),
    ("value", np.int16, _REGIONS),
    ("value_at_least", U64, (MAX_VALUE + 1, REGION_WORDS)),
    ("build_order", np.int16, (MAX_SEATS, MAX_REGIONS)),
    # Adjacency as sets and as lists; the directed edges of a region are neighbouring bits of one word
    # of the legal set (`edge_word`, from bit `edge_shift`, all of them `edge_all`), in the order of
    # the list; regions within a distance, not counting the region itself.
    ("degree", np.int8, _REGIONS),
    ("neighbour", np.int16, (MAX_REGIONS, MAX_DEGREE)),
    ("adjacent", U64, (MAX_REGIONS, REGION_WORDS)),
    ("edge_word", np.int8, _REGIONS),
    ("edge_shift", np.int8, _REGIONS),
    ("edge_all", U64, _REGIONS),
    ("edge_from", np.int16, _EDGES),
    ("edge_to", np.int16, _EDGES),
    ("within", U64, (MAX_REGIONS, MAX_DISTANCE + 1, REGION_WORDS)),
    # Cards (RULES 7): price, progress as an Invention, how long lasting effects hold, free moves and
    # feint on the card, and the operations.
    ("cost", np.int8, _CARDS),
    ("invention", np.int8, _CARDS),
    ("until", np.int8, _CARDS),
    ("moves_on", np.int8, _CARDS),
    ("feint_on", np.int8, _CARDS),
    ("num_ops", np.int8, _CARDS),
    ("op_do", np.int8, _OPS),
    ("op_n", np.int16, _OPS),
    ("op_at", np.int8, _OPS),
    ("op_per", np.int8, _OPS),
    ("op_arg", np.int8, _OPS),
    ("op_div", np.int16, _OPS),
    ("op_cap", np.int32, _OPS),
    ("op_who", np.int8, _OPS),
    ("op_price", np.int8, _OPS),
    ("op_distance", np.int8, _OPS),
    # Cards as sets: playable in a turn of each phase, by timing, affordable with so many coins, and
    # the copy cards that may answer a card.
    ("turn_cards", U64, (len(names.ICONS), CARD_WORDS)),
    ("offence_cards", U64, _CARD_SET),
    ("feint_cards", U64, _CARD_SET),
    ("defence_cards", U64, _CARD_SET),
    ("affordable", U64, (MAX_COST + 1, CARD_WORDS)),
    ("copiers", U64, (MAX_CARD + 1, CARD_WORDS)),
    # Objectives (RULES 8).
    ("num_terms", np.int8, _OBJECTIVES),
    ("term_n", np.int16, _TERMS),
    ("term_per", np.int8, _TERMS),
    ("term_arg", np.int8, _TERMS),
    ("term_div", np.int16, _TERMS),
    ("term_cap", np.int32, _TERMS),
    ("need_per", np.int8, _OBJECTIVES),
    ("need_arg", np.int8, _OBJECTIVES),
    ("need_min", np.int16, _OBJECTIVES),
    # What is dealt (RULES 4): the deck of each Age, how many of it are dealt, and the objectives.
    ("deck_size", np.int8, (AGES,)),
    ("deck", np.int8, (AGES, MAX_DECK)),
    ("pool_size", np.int8, ()),
    ("pool", np.int8, (MAX_OBJECTIVE,)),
    # Every action and region as a seat sees it, its own seat being 0, and back.
    ("region_to_view", np.int16, (MAX_SEATS, MAX_REGIONS)),
    ("region_from_view", np.int16, (MAX_SEATS, MAX_REGIONS)),
    ("action_to_view", np.int16, (MAX_SEATS, NUM_ACTIONS)),
    ("action_from_view", np.int16, (MAX_SEATS, NUM_ACTIONS)),
    # What never changes in the observation of a seat: value, homeland of whom, continent of whom,
    # degree, of every region in the seat's own numbering; plane after plane without gaps.
    ("static_planes", np.int8, (MAX_SEATS, STATIC_PLANES * MAX_REGIONS)),
)

Tables = npt.NDArray[np.void]


TABLES = tables_dtype(RECORDS, FIELDS)
WIDE_TABLES = tables_dtype(RECORDS, FIELDS, wide=True)


def build_tables(config: Config, wide: bool = False) -> Tables:
    """All tables of a configuration, as an array of one record."""
    tables = np.zeros(1, WIDE_TABLES if wide else TABLES)
    t, data, board = tables[0], load_data(config.data), board_for(config.data, config.continents)
    _put_config(t, config)
    _put_regions(t, board)
    _put_edges(t, board)
    for card in data.cards.values():
        _put_card(t, card, data)
    for objective in data.objectives.values():
        _put_objective(t, objective)
    put_decks(t, config, data)
    _put_views(t, config, board)
    _put_start(t, config)
    return tables


# ---------------------------------------------------------------- the configuration


def _put_config(t: np.void, config: Config) -> None:
    t["seats"] = config.seats
    t["with_draft"] = t["with_attack"] = t["choose_order"] = not config.is_solo
    t["with_objectives"] = config.objectives
    t["attack_recruiting"] = config.attack_recruiting
    t["age_coins"] = 0 if config.is_solo else AGE_COINS
    t["hand_size"] = SOLO_HANDS if config.is_solo else (PACK,) * AGES
    t["with_teams"] = config.teams is not None
    t["team"] = range(MAX_SEATS)
    for number, team in enumerate(config.teams or ()):
        for seat in team:
            t["team"][seat] = number


def _put_start(t: np.void, config: Config) -> None:
    """RULES 4.2: everything in supply, nothing on the map."""
    start = t["start"]
    start["clan_supply"][: config.seats] = CLANS
    start["city_supply"][: config.seats] = CITIES


# ---------------------------------------------------------------- the map


def _put_regions(t: np.void, board: Board) -> None:
    n = board.continents
    t["num_regions"] = len(board.values)
    for region, value in enumerate(board.values):
        put(t["all_regions"], region)
        t["value"][region] = value
        for least in range(value + 1):
            put(t["value_at_least"][least], region)
        where = continent_of(region, n)
        put(t["island"] if where == n else t["continent"][where], region)
    for seat in range(n):
        home = homeland(seat)
        t["homeland"][seat] = home
        put(t["homelands"], home)
        rotated = [rotate_region(region, -seat, n) for region in range(len(board.values))]
        by_value = sorted(range(len(board.values)), key=lambda r: (-board.values[r], rotated[r]))
        t["build_order"][seat, : len(by_value)] = by_value
    for word in range(REGION_WORDS):
        t["outer"][word] = t["all_regions"][word] & ~t["island"][word] & ~t["homelands"][word]


def pack_edges(board: Board) -> dict[int, tuple[int, int]]:
    """The place of every directed edge in the edge segment."""
    edges = {}
    for region, (word, shift) in enumerate(edge_slots(board.neighbours)):
        for k, other in enumerate(board.neighbours[region]):
            edges[word * WORD + shift + k] = (region, other)
    return edges


def _put_edges(t: np.void, board: Board) -> None:
    seen: set[int] = set()
    for place, (a, b) in pack_edges(board).items():
        t["edge_from"][place], t["edge_to"][place] = a, b
        if a not in seen:
            seen.add(a)
            degree = len(board.neighbours[a])
            t["degree"][a] = degree
            t["neighbour"][a, :degree] = board.neighbours[a]
            t["edge_word"][a], t["edge_shift"][a] = divmod(place, WORD)
            t["edge_all"][a] = U64(((1 << degree) - 1) << place % WORD)
        put(t["adjacent"][a], b)
    for a, row in enumerate(distances(board)):
        for b, distance in enumerate(row):
            if a != b and distance <= MAX_DISTANCE:
                put(t["within"][a, max(distance, 1)], b)
    t["within"] = np.bitwise_or.accumulate(t["within"], axis=1)


# ---------------------------------------------------------------- cards and objectives


def card_until(card: Card) -> int:
    """RULES 7: how long the lasting effects of a card hold when it is played (not copied)."""
    if "attack" in card.icons and card.timing == "turn":  # Growth + Attack, or all four
        return int(names.UNTIL_AGE)
    return int(names.UNTIL_EXPANSION if card.icons == ("growth", "expansion") else names.UNTIL_TURN)


def parse_counter(per: str) -> tuple[int, int]:
    """A counter's word as its number and its parameter: `stacks_3` is (stacks, 3)."""
    for family in names.COUNTER_FAMILIES:
        if per.startswith(family + "_"):
            return names.COUNTERS.index(family), int(per.removeprefix(family + "_"))
    return names.COUNTERS.index(per), 0


def _put_card(t: np.void, card: Card, data: Data) -> None:
    number = card.number
    t["cost"][number] = card.cost
    t["invention"][number] = card.invention
    t["until"][number] = card_until(card)
    t["num_ops"][number] = len(card.effects)
    for place, effect in enumerate(card.effects):
        at = number, place
        t["op_do"][at] = names.EFFECTS.index(effect.do)
        t["op_n"][at] = effect.n
        t["op_at"][at] = names.PLACES.index(effect.at) if effect.at else 0
        t["op_who"][at] = names.WHO.index(effect.who) if effect.who else 0
        if effect.per:
            t["op_per"][at], t["op_arg"][at] = parse_counter(effect.per)
        t["op_div"][at] = effect.div
        t["op_cap"][at] = names.NO_CAP if effect.cap is None else effect.cap
        t["op_price"][at] = effect.p
        t["op_distance"][at] = effect.d
    t["moves_on"][number] = sum(e.n for e in card.effects if e.do == "moves")
    t["feint_on"][number] = sum(e.n for e in card.effects if e.do == "feint")
    _put_card_sets(t, card, data)


def _put_card_sets(t: np.void, card: Card, data: Data) -> None:
    for coins in range(card.cost, MAX_COST + 1):
        put(t["affordable"][coins], card.number)
    if card.timing == "offence":
        put(t["offence_cards"], card.number)
        if t["feint_on"][card.number]:
            put(t["feint_cards"], card.number)
    elif card.timing == "defence":
        put(t["defence_cards"], card.number)
    elif card.timing == "turn":
        for icon, word in enumerate(names.ICONS):
            # Growth + Attack is played in Growth only; all four icons also in an assault turn
            if word in card.icons and (word != "attack" or len(card.icons) == len(names.ICONS)):
                put(t["turn_cards"][icon], card.number)
        for copier in data.cards.values():
            if copier.timing == "copy" and set(copier.copies) & set(card.icons):
                put(t["copiers"][card.number], copier.number)


def _put_objective(t: np.void, objective: Objective) -> None:
    number = objective.number
    t["num_terms"][number] = len(objective.terms)
    for place, term in enumerate(objective.terms):
        at = number, place
        t["term_n"][at] = term.n
        t["term_per"][at], t["term_arg"][at] = parse_counter(term.per)
        t["term_div"][at] = term.div
        t["term_cap"][at] = names.NO_CAP if term.cap is None else term.cap
    if objective.need is not None:
        per, least = objective.need
        t["need_per"][number], t["need_arg"][number] = parse_counter(per)
        t["need_min"][number] = least


def put_decks(t: np.void, config: Config, data: Data) -> None:
    """The Ages' decks and the pool of objectives: all of the tables that depends on the lots."""
    for age in range(AGES):
        deck = age_deck(config, data, age + 1)
        if config.promos:
            deck = (*deck, *age_promos(data, age + 1))
        t["deck_size"][age] = len(deck)
        t["deck"][age] = 0
        t["deck"][age, : len(deck)] = deck
    pool = objective_pool(config, data) if config.objectives else ()
    t["pool_size"] = len(pool)
    t["pool"] = 0
    t["pool"][: len(pool)] = pool


# ---------------------------------------------------------------- as a seat sees it


def _put_views(t: np.void, config: Config, board: Board) -> None:
    """Rotate regions, seats and edges so that the looking seat is 0; other actions stay themselves.

    On a board that no rotation maps onto itself a seat still gets each edge once: its edges are
    listed in the order of their rotated regions.
    """
    n = config.seats
    regions = len(board.values)
    edges = pack_edges(board)
    places = sorted(edges)
    for seat in range(n):
        to_view = t["action_to_view"][seat]
        to_view[:] = range(NUM_ACTIONS)
        region_view = [rotate_region(r, -seat, n) for r in range(regions)]
        t["region_to_view"][seat, :regions] = region_view
        for region, seen in enumerate(region_view):
            t["region_from_view"][seat, seen] = region
            to_view[BASES["region"] + region] = BASES["region"] + seen
        for other in range(n):
            to_view[SEAT_BASE + other] = SEAT_BASE + (other - seat) % n
        rotated = sorted(places, key=lambda p: tuple(region_view[r] for r in edges[p]))
        for seen, place in zip(places, rotated, strict=True):
            to_view[EDGE_BASE + place] = EDGE_BASE + seen
        t["action_from_view"][seat][to_view] = range(NUM_ACTIONS)
        _put_static_planes(t, board, seat, region_view)


def _put_static_planes(t: np.void, board: Board, seat: int, region_view: list[int]) -> None:
    n = board.continents
    regions = len(board.values)
    planes = t["static_planes"][seat, : STATIC_PLANES * regions].reshape(STATIC_PLANES, regions)
    values, homes, continents, degrees = planes
    for region, seen in enumerate(region_view):
        where = continent_of(region, n)
        whose = (where - seat) % n + 1 if where < n else 0
        values[seen] = board.values[region]
        homes[seen] = whose if where < n and region == homeland(where) else 0
        continents[seen] = whose
        degrees[seen] = len(board.neighbours[region])
