"""What the fields of a state may hold (core/bounds.py): a state that comes from bytes is held to it.

What belongs to a seat is zero for seats that are not in the game; how fields go together, `check.py` knows.
"""

from __future__ import annotations

from genesia_rl.core.bounds import ALL_BITS, of_seats, set_of
from genesia_rl.core.game import Bounds
from genesia_rl.games.genesia import names
from genesia_rl.games.genesia.config import Config
from genesia_rl.games.genesia.data.board import Board
from genesia_rl.games.genesia.state import STATE

MOST_COINS = 100_000_000
MOST_POINTS = 100_000_000
MOST_ADDED = 30_000  # what cards add up to, in fields of 16 bits


def state_bounds(config: Config, board: Board) -> dict[str, Bounds]:
    """The bounds of every field behind the header."""
    return {**_course(config, board), **_under_way(config, board), **_seats(config, board)}


def _course(config: Config, board: Board) -> dict[str, Bounds]:
    """Where the game is, and the deal."""
    last = config.seats - 1
    return {
        "rng": (0, ALL_BITS), "age": (0, names.AGES - 1), "phase": (0, len(names.PHASES) - 1),
        "turn": (0, last), "war_round": (0, MOST_ADDED), "attack_step": (0, len(names.ATTACK_STEPS) - 1),
        "depth": (0, names.MAX_TASKS), "tasks": (0, len(names.TASKS) - 1), "pick": (0, names.HAND - 1),
        "chosen_places": (0, last),
    }  # fmt: skip


def _under_way(config: Config, board: Board) -> dict[str, Bounds]:
    """Moves, cards and assaults that are not finished."""
    last, region, added = config.seats - 1, len(board.values) - 1, (0, MOST_ADDED)
    flag, card = (0, 1), (0, names.MAX_CARD)
    return {
        "mover": (0, last), "move_from": (0, region), "move_at": (0, region),
        "move_clans": (0, names.CLANS), "move_edge": (0, names.EDGE_WORDS * names.WORD - 1),
        "card": card, "actor": (0, last), "copied": flag, "op": (0, names.MAX_OPS - 1),
        "left": (-1, 127), "chosen": (-1, region), "chosen_to": (-1, region),
        "hosts": (0, (1 << config.seats) - 1),
        "window_card": card, "window_seat": (0, last), "window_passed": (0, last),
        "small_seat": (0, last), "small_moves": (0, MOST_ADDED),
        "strike": added, "feint": added, "ward": added, "raid": added,
        "storm": flag, "rout": flag, "fortify": flag, "parry": flag,
        "assault_step": (0, len(names.ASSAULT_STEPS) - 1), "attacker": (0, last), "defender": (0, last),
        "source": (0, region), "target": (0, region), "target_was_empty": flag, "conquered": flag,
    }  # fmt: skip


def _seats(config: Config, board: Board) -> dict[str, Bounds]:
    """What the seats have; the packs go by Age first, and so have no zeros of their own for absent seats."""
    regions = set_of(len(board.values), names.REGION_WORDS)
    cards = set_of(names.MAX_CARD + 1, names.CARD_WORDS)
    last, card, flag = config.seats - 1, (0, names.MAX_CARD), (0, 1)
    until, objective = (0, len(names.UNTIL) - 1), (0, names.MAX_OBJECTIVE)
    return {"packs": card} | of_seats(STATE, config.seats, names.MAX_SEATS, {
        "order": (0, last), "coins": (0, MOST_COINS), "clan_supply": (0, names.CLANS),
        "city_supply": (0, names.CITIES), "clans": (0, names.CLANS),
        "clan_regions": regions, "city_regions": regions, "occupied": regions,
        "hand": cards, "played": cards, "inventions": cards, "marked": cards, "discarded": cards,
        "held": cards, "picks": card, "seen": cards, "dealt": objective, "kept": objective,
        "progress": (0, MOST_POINTS), "conquests": (0, MOST_ADDED),
        "price": (0, 127), "price_left": (0, 127), "price_until": until,
        "anywhere_until": until, "group_until": until, "no_toll_until": until,
        "offence": (0, MOST_ADDED), "defence": (0, MOST_ADDED), "pacifist": flag,
        "free_moves": (0, MOST_ADDED), "stance": (0, len(names.STANCES) - 1), "launched": flag,
        "spent": flag, "choosers": (0, last), "next_order": (-1, last),
    })  # fmt: skip
