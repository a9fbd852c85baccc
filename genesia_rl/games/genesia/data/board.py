"""The map: regions, their values and their borders (RULES 2).

    16s .. 16s+15      continent of seat s: local 0 is the homeland,
                       local 1 + 3(v-1) + c the region of value v (1..5) in column c (0..2)
    16n .. 18n-1       the sevens of the inner island
    18n .. 19n-1       the twelves
    19n                the centre

The numbering is fixed, so every region keeps its kind; a custom board may replace the values and
the borders. It is a file `board-<n>.toml` in the data folder:

    continents = 3
    values = [0, 1, 1, 1, 2, ...]           # one for each region
    borders = [[0, 1], [0, 2], ...]         # or: neighbours = [[1, 2, 3], ...], a list for each region
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from genesia_rl.core.errors import DataError, GenesiaError
from genesia_rl.core.mistakes import each, noted
from genesia_rl.core.reading import Table, check_keys, is_int, read_table, refuse, take_int
from genesia_rl.games.genesia.data.reading import DATA_FILES, board_file
from genesia_rl.games.genesia.names import CONTINENT_SIZE, EDGE_WORDS, MAX_DEGREE, MAX_SEATS, WORD

MIN_CONTINENTS = 2
COLUMNS = 3
RINGS = 5  # values 1..5 of a continent
SEVEN, TWELVE, CENTRE = 7, 12, 15
MAX_VALUE = 30
MAX_BORDERS = EDGE_WORDS * WORD // 2

Border = tuple[int, int]


@dataclass(frozen=True)
class Board:
    """RULES 2: the value and the neighbours, in ascending order, of every region."""

    continents: int
    values: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]


# ---------------------------------------------------------------- which region is what


def num_regions(n: int) -> int:
    """RULES 2: R = 19n + 1."""
    return 19 * n + 1


def homeland(seat: int) -> int:
    """RULES 1 and 2: the first region of the seat's continent."""
    return CONTINENT_SIZE * seat


def inland(seat: int, value: int, column: int) -> int:
    """RULES 2: the region of value 1..5 in column 0..2 of the seat's continent."""
    return homeland(seat) + 1 + COLUMNS * (value - 1) + column


def seven(i: int, n: int) -> int:
    """RULES 2: the i-th seven of the island, counted round."""
    return 16 * n + i % (2 * n)


def twelve(i: int, n: int) -> int:
    """RULES 2: the i-th twelve of the island, counted round."""
    return 18 * n + i % n


def centre(n: int) -> int:
    """RULES 2: the one region inside the ring of twelves."""
    return 19 * n


def continent_of(region: int, n: int) -> int:
    """RULES 2: the seat whose continent the region is on, or n for the island."""
    return min(region // CONTINENT_SIZE, n)


def rotate_region(region: int, k: int, n: int) -> int:
    """RULES 2: where a region comes to lie when every seat moves on by k: an automorphism of the map."""
    if region < 16 * n:
        return (region + CONTINENT_SIZE * k) % (16 * n)
    if region < 18 * n:
        return seven(region - 16 * n + 2 * k, n)
    if region < 19 * n:
        return twelve(region - 18 * n + k, n)
    return region


def region_name(region: int, n: int) -> str:
    """RULES 2: a region in words, after its place on the standard board."""
    if not 0 <= region < num_regions(n):
        raise GenesiaError(f"region = {region}, allowed 0..{num_regions(n) - 1} with {n} continents")
    seat, local = divmod(region, CONTINENT_SIZE)
    if seat < n and local == 0:
        return f"seat {seat}: homeland"
    if seat < n:
        ring, column = divmod(local - 1, COLUMNS)
        return f"seat {seat}: value {ring + 1}, column {column}"
    if region < 18 * n:
        return f"island {SEVEN} #{region - 16 * n}"
    return f"island {TWELVE} #{region - 18 * n}" if region < 19 * n else "centre"


# ---------------------------------------------------------------- the standard board


def _continent_borders(seat: int) -> list[Border]:
    """RULES 2: the homeland touches its three ones; else one goes inwards or to the next column."""
    first = [(homeland(seat), inland(seat, 1, c)) for c in range(COLUMNS)]
    inwards = [(inland(seat, v, c), inland(seat, v + 1, c)) for v in range(1, RINGS) for c in range(COLUMNS)]
    sideways = [
        (inland(seat, v, c), inland(seat, v, c + 1)) for v in range(1, RINGS + 1) for c in range(COLUMNS - 1)
    ]
    return first + inwards + sideways


def _island_borders(seat: int, n: int) -> list[Border]:
    """RULES 2: a seat's share of the island: two sevens, one twelve, and what they touch."""
    left, right = seven(2 * seat, n), seven(2 * seat + 1, n)
    landings = [
        (inland(seat, RINGS, 0), left),
        (inland(seat, RINGS, 1), left),
        (inland(seat, RINGS, 1), right),
        (inland(seat, RINGS, 2), right),
    ]
    ring = [(left, right), (right, seven(2 * seat + 2, n))]
    upwards = [(left, twelve(seat, n)), (right, twelve(seat, n))]
    top = [(twelve(seat, n), twelve(seat + 1, n)), (twelve(seat, n), centre(n))]
    return landings + ring + upwards + top


def _standard_values(n: int) -> tuple[int, ...]:
    """RULES 2: values grow by rings, from 0 in the homelands to 15 in the centre."""
    continent = [0] + [v for v in range(1, RINGS + 1) for _ in range(COLUMNS)]
    return (*continent * n, *[SEVEN] * (2 * n), *[TWELVE] * n, CENTRE)


@cache
def standard_board(n: int) -> Board:
    """RULES 2: the map of n continents."""
    _check_continents(n)
    borders = [b for s in range(n) for b in (*_continent_borders(s), *_island_borders(s, n))]
    # With two continents the ring of twelves names its one border from both ends; a set forgets that.
    return Board(n, _standard_values(n), _neighbours(borders, n))


def _check_continents(n: int) -> None:
    if not is_int(n, MIN_CONTINENTS, MAX_SEATS):
        refuse("board", "continents", n, f"an integer {MIN_CONTINENTS}..{MAX_SEATS}")


def _neighbours(borders: Iterable[Border], n: int) -> tuple[tuple[int, ...], ...]:
    """Both directions of every border, in ascending order for each region."""
    found: list[set[int]] = [set() for _ in range(num_regions(n))]
    for a, b in borders:
        found[a].add(b)
        found[b].add(a)
    return tuple(tuple(sorted(each)) for each in found)


# ---------------------------------------------------------------- a custom board


def _named(region: int, n: int) -> str:
    """A region in an error: its number, for the file, and its place, for the eye."""
    return f"{region} ({region_name(region, n)})"


def _list(where: str, key: str, value: object, size: int | None = None) -> list[object]:
    """A list, if need be with one item for each region."""
    if not isinstance(value, list):
        refuse(where, key, value, "a list")
    if size is not None and len(value) != size:
        raise DataError(f"{where}: {key} has {len(value)} items, allowed {size}, one for each region")
    return value


def _region(where: str, key: str, value: object, n: int) -> int:
    """A region's number."""
    if not is_int(value, 0, num_regions(n) - 1):
        refuse(where, key, value, f"a region 0..{num_regions(n) - 1}")
    return value


@noted(())
def _read_values(where: str, value: object, n: int) -> tuple[int, ...]:
    """RULES 2: every region has a value; a homeland's is 0."""

    def read(numbered: tuple[int, object]) -> int:
        region, item = numbered
        key = f"values[{region}] ({region_name(region, n)})"
        if not is_int(item, 0, MAX_VALUE):
            refuse(where, key, item, f"an integer 0..{MAX_VALUE}")
        if item and region in (homeland(seat) for seat in range(n)):
            refuse(where, key, item, "0 for a homeland")
        return item

    return each(read, enumerate(_list(where, "values", value, num_regions(n))))


def _read_borders(where: str, value: object, n: int) -> tuple[tuple[int, ...], ...]:
    """RULES 2: pairs of adjacent regions, each pair once, in either order."""
    seen: set[Border] = set()

    def read(numbered: tuple[int, object]) -> None:
        place, item = numbered
        key = f"borders[{place}]"
        if not isinstance(item, list) or len(item) != 2:
            refuse(where, key, item, "a pair of regions")
        a, b = sorted(_region(where, key, end, n) for end in item)
        if a == b:
            refuse(where, key, item, f"two different regions, not {_named(a, n)} twice")
        if (a, b) in seen:
            refuse(where, key, item, f"once; {_named(a, n)} and {_named(b, n)} border already")
        seen.add((a, b))

    each(read, enumerate(_list(where, "borders", value)))
    return _neighbours(seen, n)


def _read_neighbours(where: str, value: object, n: int) -> tuple[tuple[int, ...], ...]:
    """RULES 2: adjacency written region by region; it must say the same from both ends."""

    def read(numbered: tuple[int, object]) -> list[int]:
        region, item = numbered
        key = f"neighbours[{region}]"
        others = [_region(where, key, other, n) for other in _list(where, key, item)]
        if region in others:
            refuse(where, key, item, f"other regions, not {_named(region, n)} itself")
        if len(set(others)) != len(others):
            refuse(where, key, item, "each neighbour once")
        return sorted(others)

    lists = each(read, enumerate(_list(where, "neighbours", value, num_regions(n))))
    for a, others in enumerate(lists):
        for b in others:
            if a not in lists[b]:
                key = f"neighbours[{a}]"
                refuse(where, key, others, f"{_named(b, n)} only if it has {_named(a, n)} among its own")
    return tuple(tuple(others) for others in lists)


@noted(())
def _read_adjacency(where: str, table: Table, n: int) -> tuple[tuple[int, ...], ...]:
    """RULES 2: the borders, in whichever of the two forms the file has."""
    if "borders" in table:
        return _read_borders(where, table["borders"], n)
    return _read_neighbours(where, table["neighbours"], n)


def edge_slots(neighbours: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    """For each region the word, and the first bit in it, of its directed edges.

    The edges of one region share a word, so that all of them can be tested at once: a region whose
    edges do not fit into what is left of a word opens the next one.
    """
    slots: list[tuple[int, int]] = []
    word = bit = 0
    for others in neighbours:
        if bit + len(others) > WORD:
            word, bit = word + 1, 0
        slots.append((word, bit))
        bit += len(others)
    return tuple(slots)


def _check_sizes(where: str, neighbours: Sequence[Sequence[int]], n: int) -> None:
    """The compiled engine's limits: degree, borders, and edges that fit into their words."""
    for region, others in enumerate(neighbours):
        if len(others) > MAX_DEGREE:
            has = f"region {_named(region, n)} has {len(others)} neighbours"
            raise DataError(f"{where}: {has} {list(others)}, allowed {MAX_DEGREE}")
    borders = sum(map(len, neighbours)) // 2
    if borders > MAX_BORDERS:
        raise DataError(f"{where}: there are {borders} borders, allowed {MAX_BORDERS}")
    words = edge_slots(neighbours)[-1][0] + 1
    if words > EDGE_WORDS:
        packing = f"the borders fill {words} words of {WORD} directed edges"
        raise DataError(f"{where}: {packing}, allowed {EDGE_WORDS}; take some of the {borders} borders out")


def _check_connected(where: str, neighbours: Sequence[Sequence[int]], n: int) -> None:
    """RULES 2: everybody can reach everything."""
    for region, distance in enumerate(_distances_from(0, neighbours)):
        if distance < 0:
            raise DataError(
                f"{where}: region {_named(region, n)} cannot be reached from region {_named(0, n)}, "
                "allowed a connected map"
            )


def read_board(where: str, table: Table, n: int) -> Board:
    """RULES 2: a custom board of n continents, checked whole."""
    _check_continents(n)
    adjacency = "neighbours" if "neighbours" in table else "borders"
    if adjacency == "neighbours" and "borders" in table:
        raise DataError(f"{where}: has both borders and neighbours, allowed one of them")
    optional = () if adjacency == "neighbours" else ("neighbours",)
    check_keys(where, table, ("continents", "values", adjacency), optional)
    take_int(where, table, "continents", n, n)
    values = _read_values(where, table["values"], n)
    neighbours = _read_adjacency(where, table, n)
    _check_sizes(where, neighbours, n)
    _check_connected(where, neighbours, n)
    return Board(n, values, neighbours)


def load_board(path: str | Path, n: int) -> Board:
    """RULES 2: the board of a file."""
    return read_board(str(path), read_table(Path(path)), n)


def board_for(folder: str | Path | None, n: int) -> Board:
    """RULES 2 and 12: the data folder's own board of n continents, else the standard one."""
    _check_continents(n)
    if DATA_FILES.own(folder, board_file(n)) is None:
        return standard_board(n)
    return read_board(str(DATA_FILES.path(folder, board_file(n))), DATA_FILES.table(folder, board_file(n)), n)


def looks_alike(board: Board) -> bool:
    """RULES 2: does the map look the same from every seat? One turn of it tells, as all others repeat it."""
    n = board.continents
    turned = [rotate_region(region, 1, n) for region in range(len(board.values))]
    return all(
        board.values[region] == board.values[seen]
        and sorted(turned[other] for other in board.neighbours[region]) == list(board.neighbours[seen])
        for region, seen in enumerate(turned)
    )


def board_borders(board: Board) -> list[Border]:
    """RULES 2: every border once, the lower region first."""
    return [(a, b) for a, others in enumerate(board.neighbours) for b in others if a < b]


def _lines(items: Sequence[str]) -> str:
    """Items of a TOML list, ten to a line."""
    starts = [*range(0, len(items), 10), len(items)]
    return "".join(f"  {', '.join(items[a:b])},\n" for a, b in pairwise(starts))


def board_to_toml(board: Board) -> str:
    """RULES 12: a board as a data folder may hold it."""
    values = _lines([str(value) for value in board.values])
    borders = _lines([f"[{a}, {b}]" for a, b in board_borders(board)])
    return f"continents = {board.continents}\nvalues = [\n{values}]\nborders = [\n{borders}]\n"


# ---------------------------------------------------------------- distances


def _distances_from(start: int, neighbours: Sequence[Sequence[int]]) -> list[int]:
    """The number of edges from one region to every other, -1 where there is no way."""
    found = [-1] * len(neighbours)
    found[start] = 0
    queue = deque([start])
    while queue:
        region = queue.popleft()
        for other in neighbours[region]:
            if found[other] < 0:
                found[other] = found[region] + 1
                queue.append(other)
    return found


def distances(board: Board) -> list[list[int]]:
    """RULES 7 (leap): the number of edges between any two regions, whoever occupies them."""
    return [_distances_from(region, board.neighbours) for region in range(len(board.values))]
