"""Civilizations, technologies and wonders (RULES 2, 8, 9 and 14), as frozen records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from genesia_rl.core.mistakes import each, noted, settle
from genesia_rl.core.reading import Table, check_keys, refuse, take_int, take_word
from genesia_rl.games.age_of_civilization.data.effects import (
    INHERITED_WHENS,
    MAIN_WHENS,
    THING_WHENS,
    Effect,
    read_ability,
)
from genesia_rl.games.age_of_civilization.data.reading import (
    SOURCES,
    check_different,
    check_source,
    take_numbered,
    take_text,
)
from genesia_rl.games.age_of_civilization.names import (
    BASE_TECHNOLOGIES,
    CIVILIZATIONS,
    COLUMNS,
    MAX_WORKERS,
    ROWS,
    TECHNOLOGIES,
    WONDERS,
)

Cell = tuple[int, int]  # column and row, both from 1 on
CELLS: tuple[Cell, ...] = tuple((c, r) for c in range(1, COLUMNS + 1) for r in range(1, ROWS + 1))

#: The civilizations that the rulebook names, and the one whose population it gives.
NAMED = (
    "Egypt", "Arabia", "Khmer", "India", "Frankish Kingdom", "Axum", "Aztecs", "Babylon", "Byzantium", "Carthage",
    "Great Britain", "China", "Hittites", "Harappa", "Iberia", "Congo", "Korea", "Maya", "Ottomans", "Persia",
    "Phoenicia", "Polynesia", "Rome", "Inca", "Scythia", "Slavs", "Sumer", "Vikings", "Tiwanaku", "Mongolia",
    "Germania", "Lydia",
)  # fmt: skip
PRINTED_POPULATION = {"Khmer": 3}
#: The technologies of the base card that the rulebook names.
NAMED_TECHNOLOGIES = (
    "Writing", "Education", "Science", "Navigation", "Engineering", "Mining", "Iron Working", "Gunpowder",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Civilization:
    """RULES 2: a civilization with its two abilities."""

    number: int
    name: str
    population: int
    main: tuple[Effect, ...]
    inherited: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Technology:
    """RULES 9: a technology in its cell; `special` is the number of its special card, 0 on the base card."""

    number: int
    name: str
    column: int
    row: int
    special: int
    effects: tuple[Effect, ...]

    @property
    def cell(self) -> Cell:
        """Where it stands."""
        return self.column, self.row


@dataclass(frozen=True, slots=True)
class Wonder:
    """RULES 2: a wonder."""

    number: int
    name: str
    effects: tuple[Effect, ...]


def check_names(where: str, tables: Sequence[Table], names: Sequence[str]) -> None:
    """What the rulebook names is there."""
    found = [table["name"] for table in tables]
    for name in names:
        if name not in found:
            refuse(where, "name", None, f"{name} among the names, as in the rulebook")


def entry(file: str, table: Table) -> str:
    """An entry as errors call it."""
    return f"{file}, {table.get('number')} {table.get('name')}"


# ---------------------------------------------------------------- civilizations


@noted(())
def read_civilizations(file: str, table: Table, techs: Sequence[str]) -> tuple[Civilization, ...]:
    """RULES 14: `[[civilization]]`, 1..48."""
    check_keys(file, table, ("civilization",))
    tables = take_numbered(file, table, "civilization", CIVILIZATIONS)
    found = each(lambda item: _read_civilization(entry(file, item), item, techs), tables)
    settle()
    check_different(file, tables, "name")
    check_names(file, tables, NAMED)
    return found


def _read_civilization(where: str, table: Table, techs: Sequence[str]) -> Civilization:
    check_keys(where, table, ("number", "name", "population", "main", "inherited", "source"))
    check_source(where, table, ("name", "population", "main", "inherited"))
    name = take_text(where, table, "name")
    population = take_int(where, table, "population", 1, MAX_WORKERS)
    printed = PRINTED_POPULATION.get(name, population)
    if population != printed:
        refuse(where, "population", population, f"{printed}, as the rulebook says")
    return Civilization(
        number=take_int(where, table, "number", 1, CIVILIZATIONS),
        name=name,
        population=population,
        main=read_ability(where, table, "main", MAIN_WHENS, techs),
        inherited=read_ability(where, table, "inherited", INHERITED_WHENS, techs),
    )


# ---------------------------------------------------------------- technologies


def technology_names(table: Table) -> tuple[str, ...]:
    """The names that effects may speak of; whether they are right is checked with the technologies."""
    tables = table.get("technology")
    items = tables if isinstance(tables, list) else []
    return tuple(
        name for item in items if isinstance(item, dict) and isinstance(name := item.get("name"), str)
    )


@noted(())
def read_technologies(file: str, table: Table) -> tuple[Technology, ...]:
    """RULES 14: `[[technology]]`, 1..27."""
    check_keys(file, table, ("arrows", "arrows_source", "technology"))
    tables = take_numbered(file, table, "technology", TECHNOLOGIES)
    names = technology_names(table)
    found = each(lambda item: _read_technology(entry(file, item), item, names), tables)
    settle()
    check_different(file, tables, "name")
    check_names(file, tables[:BASE_TECHNOLOGIES], NAMED_TECHNOLOGIES)
    for card in range(1, found[-1].special + 1):
        first, second = (tech for tech in found if tech.special == card)
        if first.column != second.column:
            refuse(entry(file, tables[second.number - 1]), "column", second.column,
                   f"{first.column}, that of its special card")  # fmt: skip
    return found


def _read_technology(where: str, table: Table, names: Sequence[str]) -> Technology:
    check_keys(where, table, ("number", "name", "column", "row", "effects", "source"), ("special",))
    check_source(where, table, ("name", "place", "effects"))
    number = take_int(where, table, "number", 1, TECHNOLOGIES)
    column = take_int(where, table, "column", 1, COLUMNS)
    row = take_int(where, table, "row", 1, ROWS)
    special = _read_special(where, table, number)
    if special == 0 and (column, row) != CELLS[number - 1]:
        refuse(where, "column, row", [column, row], f"{list(CELLS[number - 1])}")
    if special > 0 and row != number % 2 + 1:
        refuse(where, "row", row, f"{number % 2 + 1}")
    return Technology(
        number=number,
        name=take_text(where, table, "name"),
        column=column,
        row=row,
        special=special,
        effects=read_ability(where, table, "effects", THING_WHENS, names),
    )


@noted(0)
def _read_special(where: str, table: Table, number: int) -> int:
    """RULES 14: special card k holds the technologies 8 + 2k and 9 + 2k; the base card has no such key."""
    if number <= BASE_TECHNOLOGIES:
        if "special" in table:
            refuse(where, "special", table["special"], "no such key on the base card")
        return 0
    card = (number - BASE_TECHNOLOGIES + 1) // 2
    if "special" not in table:
        refuse(where, "special", None, f"{card}")
    return take_int(where, table, "special", card, card)


@noted(())
def read_arrows(file: str, table: Table) -> tuple[tuple[Cell, Cell], ...]:
    """RULES 9: arrows lead from row to row, and to every cell of the rows 2 and 3."""
    if "arrows_source" in table:
        take_word(file, table, "arrows_source", SOURCES)
    arrows = table.get("arrows")
    if not isinstance(arrows, list):
        refuse(file, "arrows", arrows, "a list of [[column, row], [column, row + 1]]")
    found = each(lambda arrow: _read_arrow(file, arrow), arrows)
    for cell in CELLS:
        if cell[1] > 1 and cell not in [end for _, end in found]:
            refuse(file, "arrows", arrows, f"an arrow to every cell of rows 2 and 3, also to {list(cell)}")
    return found


def _read_arrow(file: str, arrow: object) -> tuple[Cell, Cell]:
    if isinstance(arrow, list) and len(arrow) == 2 and all(isinstance(cell, list) for cell in arrow):
        begin, end = (tuple(cell) for cell in arrow)
        if begin in CELLS and end in CELLS and end[1] == begin[1] + 1:
            return begin, end
    refuse(file, "arrows", arrow, "[[column, row], [column, row + 1]]")


# ---------------------------------------------------------------- wonders


@noted(())
def read_wonders(file: str, table: Table, techs: Sequence[str]) -> tuple[Wonder, ...]:
    """RULES 14: `[[wonder]]`, 1..15."""
    check_keys(file, table, ("wonder",))
    tables = take_numbered(file, table, "wonder", WONDERS)
    found = each(lambda item: _read_wonder(entry(file, item), item, techs), tables)
    settle()
    check_different(file, tables, "name")
    return found


def _read_wonder(where: str, table: Table, techs: Sequence[str]) -> Wonder:
    check_keys(where, table, ("number", "name", "effects", "source"))
    check_source(where, table, ("name", "effects"))
    return Wonder(
        number=take_int(where, table, "number", 1, WONDERS),
        name=take_text(where, table, "name"),
        effects=read_ability(where, table, "effects", THING_WHENS, techs),
    )
