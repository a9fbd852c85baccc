"""Traits of actions: what `greedy` thinks of each, and what it does on the board, as numbers that a network reads.

A cell is judged with the tile that is chosen; a terrain by its best cell, as `greedy` sees it. Numbers are those of
the turn's seat; sizes are numbers of tiles, and all are made larger so that differences fill a byte.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.advice import YES, byte
from genesia_rl.core.compile import kernel, lowest, owning
from genesia_rl.games.genesis.actions import CELL_BASE, END_ACTION, TILE_BASE
from genesia_rl.games.genesis.mind.choose import NOWHERE, score_actions, score_terrains, second_gain
from genesia_rl.games.genesis.mind.evaluate import total_of
from genesia_rl.games.genesis.names import K_CELL, K_FIRST, MAX_CELLS, MAX_NEIGHBOURS, NUM_TERRAINS, WORD
from genesia_rl.games.genesis.rules.room import has_room
from genesia_rl.games.genesis.rules.tiles import has_terrain, seat_of, tile_of
from genesia_rl.games.genesis.rules.zones import put_tile

#: Name -> what it weighs in a network that has learned nothing.
TRAITS = {
    # what greedy thinks: points behind its best action
    "score": 1.0,
    # what it is
    "is_end": 0.0,
    "is_tile": 0.0,
    "second_gain": 0.0,  # of a first terrain: points that the second tile may gain
    # points as they stand, with the tile
    "own_points": 0.0,
    "rival_points": 0.0,  # of the best other
    "times": 0.0,  # the multiplier of the terrain's largest zone
    # the zone and the herd that the tile makes
    "herd": 0.0,
    "zone": 0.0,
    "best_own": 0.0,  # the largest own herd of the zone
    "best_rival": 0.0,
    "next_rival": 0.0,
    "lead": 0.0,
    "leads": 0.0,
    "ties": 0.0,
    "trails": 0.0,
    "joined_herds": 0.0,
    "joined_zones": 0.0,
    "rival_herds": 0.0,
    "ahead_in_terrain": 0.0,  # tiles of the zone more than of the terrain's other largest
    "ahead_of_others": 0.0,  # than of the largest of the other terrains
    # room
    "free_around": 0.0,
    "herd_room": 0.0,  # free cells beside the herd
    "zone_room": 0.0,
    "is_last": 0.0,  # it ends the game
    # tiles of other terrains beside the cell: what is taken from them
    "rival_blocked": 0.0,
    "rival_choked": 0.0,  # the same, the more the less room they have
    "own_blocked": 0.0,
    "own_choked": 0.0,
    # supply
    "own_supply": 0.0,
    "rival_supply": 0.0,
    "few_middles": 0.0,
}
(
    SCORE, IS_END, IS_TILE, SECOND_GAIN, OWN_POINTS, RIVAL_POINTS, TIMES, HERD, ZONE, BEST_OWN, BEST_RIVAL,
    NEXT_RIVAL, LEAD, LEADS, TIES, TRAILS, JOINED_HERDS, JOINED_ZONES, RIVAL_HERDS, AHEAD_IN_TERRAIN,
    AHEAD_OF_OTHERS, FREE_AROUND, HERD_ROOM, ZONE_ROOM, IS_LAST, RIVAL_BLOCKED, RIVAL_CHOKED, OWN_BLOCKED,
    OWN_CHOKED, OWN_SUPPLY, RIVAL_SUPPLY, FEW_MIDDLES,
) = map(np.int64, range(len(TRAITS)))  # fmt: skip

#: What a point of `greedy`'s, of the score, a tile of a herd, one of a zone is.
THOUGHT, POINT, TILE, ZONE_TILE = 64.0, 5.0, 10.0, 5.0


@kernel
def rooms(s, t, herd_room, zone_room):
    """The free cells beside each herd and each zone, by their lowest cells."""
    for word in range(s["free"].shape[0]):
        left = s["free"][word]
        while left != bits.ZERO:
            cell = WORD * word + lowest(left) - CELL_BASE
            left = bits.rest(left)
            for k in range(t["degree"][cell]):
                beside = np.int64(t["neighbour"][cell, k])
                if s["tile"][beside] == 0:
                    continue
                herd, zone = s["herd"][beside], s["zone"][beside]
                is_new_herd, is_new_zone = True, True
                for other in range(k):
                    before = np.int64(t["neighbour"][cell, other])
                    if s["tile"][before] != 0:
                        is_new_herd &= s["herd"][before] != herd
                        is_new_zone &= s["zone"][before] != zone
                herd_room[herd] += is_new_herd
                zone_room[zone] += is_new_zone


@kernel
def best_rival_total(s, t, seat):
    """The total of the best other seat."""
    best = np.int64(0)
    for other in range(t["seats"]):
        if other != seat:
            best = max(best, total_of(s, other))
    return best


@kernel
def is_among(numbers, count, number):
    """Is it one of the first so many?"""
    found = False
    for k in range(count):
        found |= numbers[k] == number
    return found


@owning
def put_neighbours(s, t, seat, terrain, cell, room, zones, out):
    """Herds and zones beside the cell: those that the tile joins, and those that it takes room from.

    Returns (the tiles of its herd, of its zone, how many zones it joins); `zones` are these.
    """
    herd_room, zone_room = room
    herds = np.zeros(MAX_NEIGHBOURS, np.int64)
    joined, own, touched = 0, 0, 0
    herd, zone, free = 1, 1, 0
    herd_free, zone_free = 0, 0
    blocked, choked = np.zeros(2), np.zeros(2)
    for k in range(t["degree"][cell]):
        beside = np.int64(t["neighbour"][cell, k])
        tile = np.int64(s["tile"][beside])
        if tile == 0:
            free += 1
            continue
        of_herd, of_zone = np.int64(s["herd"][beside]), np.int64(s["zone"][beside])
        is_own = seat_of(tile) == seat
        is_new = not is_among(herds, touched, of_herd)
        herds[touched] = of_herd
        touched += 1
        if has_terrain(tile, terrain):
            if not is_among(zones, joined, of_zone):
                zones[joined] = of_zone
                joined += 1
                zone += s["zone_tiles"][beside]
                zone_free += zone_room[of_zone] - 1
            if is_own and is_new:
                own += 1
                herd += s["herd_tiles"][beside]
                herd_free += herd_room[of_herd] - 1
        elif is_new:
            tiles = np.float64(s["herd_tiles"][beside])
            blocked[np.int64(is_own)] += tiles
            choked[np.int64(is_own)] += tiles / max(1, herd_room[of_herd])
    out[JOINED_HERDS], out[JOINED_ZONES] = byte(24.0 * own), byte(24.0 * joined)
    out[FREE_AROUND] = byte(24.0 * free)
    out[HERD_ROOM], out[ZONE_ROOM] = byte(6.0 * (herd_free + free)), byte(4.0 * (zone_free + free))
    out[RIVAL_BLOCKED], out[RIVAL_CHOKED] = byte(TILE * blocked[0]), byte(2 * TILE * choked[0])
    out[OWN_BLOCKED], out[OWN_CHOKED] = byte(TILE * blocked[1]), byte(2 * TILE * choked[1])
    return herd, zone, joined


@kernel
def put_zone(s, t, seat, terrain, herd, zone, zones, joined, out):
    """Who leads in the zone that the tile makes, and how it stands among the others."""
    own, rival, next_rival, rivals, other_zone = np.int64(herd), 0, 0, 0, 0
    for word in range(t["words"]):
        left = s["herds"][terrain, word]
        while left != bits.ZERO:
            cell = WORD * word + lowest(left)
            left = bits.rest(left)
            if not is_among(zones, joined, np.int64(s["zone"][cell])):
                other_zone = max(other_zone, np.int64(s["zone_tiles"][cell]))
                continue
            tiles = np.int64(s["herd_tiles"][cell])
            if seat_of(s["tile"][cell]) == seat:
                own = max(own, tiles)
                continue
            rivals += 1
            if tiles > rival:
                rival, next_rival = tiles, rival
            else:
                next_rival = max(next_rival, tiles)
    others = np.int64(0)
    for other in range(NUM_TERRAINS):
        if other != terrain:
            others = max(others, np.int64(s["largest"][other]))
    out[HERD], out[ZONE] = byte(TILE * herd), byte(ZONE_TILE * zone)
    out[BEST_OWN], out[BEST_RIVAL], out[NEXT_RIVAL] = (
        byte(TILE * own),
        byte(TILE * rival),
        byte(TILE * next_rival),
    )
    out[LEAD] = byte(16.0 * (own - rival))
    out[LEADS], out[TIES], out[TRAILS] = (
        byte(YES * (own > rival)),
        byte(YES * (own == rival)),
        byte(YES * (own < rival)),
    )
    out[RIVAL_HERDS] = byte(16.0 * rivals)
    out[AHEAD_IN_TERRAIN] = byte(12.0 * (zone - other_zone))
    out[AHEAD_OF_OTHERS] = byte(12.0 * (zone - others))


@owning
def put_placed(states, i, t, scratch, j, seat, terrain, cell, room, totals, out):
    """What a tile on a cell does; `totals` are the seat's now and that of the best other."""
    s = states[i]
    zones = np.zeros(MAX_NEIGHBOURS, np.int64)
    herd, zone, joined = put_neighbours(s, t, seat, terrain, cell, room, zones, out)
    put_zone(s, t, seat, terrain, herd, zone, zones, joined, out)
    scratch[j] = s
    after = scratch[j]
    put_tile(after, t, cell, tile_of(seat, terrain))
    out[OWN_POINTS] = byte(POINT * (total_of(after, seat) - totals[0]))
    out[RIVAL_POINTS] = byte(POINT * (best_rival_total(after, t, seat) - totals[1]))
    out[TIMES] = byte(32.0 * after["times"][terrain])
    out[IS_LAST] = byte(YES * (not has_room(after)))
    out[FEW_MIDDLES] = byte(16.0 * max(0, 8 - after["middles"]))
    supply = np.int64(0)
    for other in range(t["seats"]):
        if other != seat:
            supply = max(supply, np.int64(s["supply"][other, terrain]))
    out[OWN_SUPPLY], out[RIVAL_SUPPLY] = byte(8.0 * s["supply"][seat, terrain]), byte(8.0 * supply)


@owning
def put_traits(states, i, tables, p, scratch, j, actions, scores, traits):
    """The traits of every legal action, in ascending order."""
    s, t = states[i], tables[0]
    seat = np.int64(s["seat"])
    room = np.zeros(MAX_CELLS, np.int64), np.zeros(MAX_CELLS, np.int64)
    rooms(s, t, *room)
    totals = total_of(s, seat), best_rival_total(s, t, seat)
    if s["kind"] == K_CELL:
        terrain = np.int64(s["pending"]) - 1
        number = score_actions(states, i, tables, p, scratch, j, actions, scores)
        for k in range(number):
            cell = actions[k] - CELL_BASE
            traits[k] = 0
            put_placed(states, i, t, scratch, j, seat, terrain, cell, room, totals, traits[k])
    else:
        number = put_terrains(states, i, tables, p, scratch, j, seat, actions, scores, room, totals, traits)
    best = NOWHERE
    for k in range(number):
        best = max(best, scores[k])
    for k in range(number):
        traits[k, SCORE] = byte(THOUGHT * (scores[k] - best))


@owning
def put_terrains(states, i, tables, p, scratch, j, seat, actions, scores, room, totals, traits):
    """Declining, and every legal terrain on its best cell; returns how many, and their scores."""
    s, t = states[i], tables[0]
    gains, cells = np.zeros(NUM_TERRAINS), np.zeros(NUM_TERRAINS, np.int64)
    number = score_terrains(states, i, tables, p, scratch, j, seat, actions, scores, gains, cells)
    for k in range(number):
        traits[k] = 0
        if actions[k] == END_ACTION:
            traits[k, IS_END] = byte(YES)
            continue
        terrain = actions[k] - TILE_BASE
        put_placed(states, i, t, scratch, j, seat, terrain, cells[terrain], room, totals, traits[k])
        traits[k, IS_TILE] = byte(YES)
        if s["kind"] == K_FIRST:
            traits[k, SECOND_GAIN] = byte(24.0 * second_gain(s, seat, terrain, gains))
    return number
