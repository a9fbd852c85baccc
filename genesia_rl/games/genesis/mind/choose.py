"""One turn ahead: a score in points for every legal action, and the choice among them.

A cell is worth the position with the tile on it. A terrain is worth its best cell, and the first of a turn also
what the die that it leaves still allows, as if the two tiles had nothing to do with one another.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, lowest, owning
from genesia_rl.games.genesis.actions import CELL_BASE, END_ACTION, LEGAL_WORDS, TILE_BASE
from genesia_rl.games.genesis.mind.evaluate import free_around, standing
from genesia_rl.games.genesis.names import K_CELL, K_FIRST, MAX_CELLS, NO_FACE, NUM_TERRAINS, WORD
from genesia_rl.games.genesis.rules.tiles import has_terrain, tile_of
from genesia_rl.games.genesis.rules.turn import die_left, is_open
from genesia_rl.games.genesis.rules.zones import put_tile

MOST_ACTIONS = CELL_BASE + MAX_CELLS
SAME = 1.0e-6  # points by which scores must differ to be different
NOWHERE = -1.0e9


@kernel
def touches(s, t, cell, terrain):
    """Is there a tile of the terrain beside the cell?"""
    found = False
    for k in range(t["degree"][cell]):
        found |= has_terrain(np.int64(s["tile"][t["neighbour"][cell, k]]), terrain)
    return found


@kernel
def with_tile(states, i, tables, p, scratch, j, seat, terrain, cell):
    """What the position is worth with one more tile."""
    t = tables[0]
    scratch[j] = states[i]
    put_tile(scratch[j], t, cell, tile_of(seat, terrain))
    return standing(scratch[j], t, p, seat) + p["space"] * free_around(scratch[j], t, cell)


@kernel
def score_cells(states, i, tables, p, scratch, j, seat, terrain, actions, scores):
    """Every free cell with a tile of the terrain on it; returns how many there are.

    Cells that touch nothing of the terrain differ only in the room around them, so one of them stands for all.
    """
    s, t = states[i], tables[0]
    number, alone = 0, NOWHERE
    for word in range(LEGAL_WORDS):
        left = s["free"][word]
        while left != bits.ZERO:
            action = WORD * word + lowest(left)
            left = bits.rest(left)
            cell = action - CELL_BASE
            if touches(s, t, cell, terrain):
                score = with_tile(states, i, tables, p, scratch, j, seat, terrain, cell)
            else:
                room = p["space"] * free_around(s, t, cell)
                if alone == NOWHERE:
                    alone = with_tile(states, i, tables, p, scratch, j, seat, terrain, cell) - room
                score = alone + room
            actions[number], scores[number] = action, score
            number += 1
    return number


@kernel
def best_cell(states, i, tables, p, scratch, j, seat, terrain, actions, scores):
    """What a tile of the terrain is worth on its best cell, and that cell, the first of equal ones."""
    best, cell = NOWHERE, np.int64(0)
    for k in range(score_cells(states, i, tables, p, scratch, j, seat, terrain, actions, scores)):
        if scores[k] > best:
            best, cell = scores[k], np.int64(actions[k]) - CELL_BASE
    return best, cell


@kernel
def second_gain(s, seat, terrain, gains):
    """What the second tile may still gain when the first is of this terrain; none is always allowed."""
    shown = die_left(s, seat, terrain)
    if shown == NO_FACE:
        return 0.0
    best = 0.0
    for other in range(NUM_TERRAINS):
        if (is_open(s, seat, shown) or other == shown) and s["supply"][seat, other] > (other == terrain):
            best = max(best, gains[other])
    return best


@kernel
def score_terrains(states, i, tables, p, scratch, j, seat, actions, scores, gains, cells):
    """Every legal terrain, and declining; returns how many there are.

    `gains` and `cells` are what a tile of each terrain in supply gains on its best cell, and that cell.
    """
    s = states[i]
    now = standing(s, tables[0], p, seat)
    for terrain in range(NUM_TERRAINS):
        if s["supply"][seat, terrain] > 0:
            worth, cells[terrain] = best_cell(
                states, i, tables, p, scratch, j, seat, terrain, actions, scores
            )
            gains[terrain] = worth - now
    number = 0
    if bits.has(s["legal"], END_ACTION):
        actions[number], scores[number] = END_ACTION, now
        number += 1
    for terrain in range(NUM_TERRAINS):
        if bits.has(s["legal"], TILE_BASE + terrain):
            more = second_gain(s, seat, terrain, gains) if s["kind"] == K_FIRST else 0.0
            actions[number], scores[number] = TILE_BASE + terrain, now + gains[terrain] + more
            number += 1
    return number


@owning
def score_actions(states, i, tables, p, scratch, j, actions, scores):
    """Every legal action of the decision with its score; returns how many there are."""
    s = states[i]
    seat = np.int64(s["seat"])
    if s["kind"] == K_CELL:
        terrain = np.int64(s["pending"]) - 1
        number = score_cells(states, i, tables, p, scratch, j, seat, terrain, actions, scores)
        return only_legal(s, actions, scores, number)
    gains, cells = np.zeros(NUM_TERRAINS), np.zeros(NUM_TERRAINS, np.int64)
    return score_terrains(states, i, tables, p, scratch, j, seat, actions, scores, gains, cells)


@kernel
def only_legal(s, actions, scores, number):
    """Who plays under restrictions has fewer legal cells than free ones."""
    kept = 0
    for k in range(number):
        if bits.has(s["legal"], actions[k]):
            actions[kept], scores[kept] = actions[k], scores[k]
            kept += 1
    return kept


@kernel
def choose(states, i, tables, p, scratch, j, actions, scores, key):
    """The action with the best score; among equal ones any, by the key."""
    number = score_actions(states, i, tables, p, scratch, j, actions, scores)
    best, equal = NOWHERE, 0
    for k in range(number):
        if scores[k] > best + SAME:
            best, equal = scores[k], 1
        elif scores[k] >= best - SAME:
            equal += 1
    wanted = chance.below(key, equal)
    for k in range(number):
        if scores[k] >= best - SAME:
            if wanted == 0:
                return actions[k]
            wanted -= 1
    return actions[number - 1]
