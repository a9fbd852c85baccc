"""Everything that the four data files say, loaded together and checked against one another (RULES 14)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from genesia_rl.core.errors import DataError
from genesia_rl.core.reading import read_table
from genesia_rl.games.age_of_civilization.data.board import Board, read_game
from genesia_rl.games.age_of_civilization.data.cards import (
    Cell,
    Civilization,
    Technology,
    Wonder,
    read_arrows,
    read_civilizations,
    read_technologies,
    read_wonders,
    technology_names,
)
from genesia_rl.games.age_of_civilization.data.effects import Effect
from genesia_rl.games.age_of_civilization.data.reading import (
    CIVILIZATIONS_FILE,
    FILES,
    GAME_FILE,
    TECHNOLOGIES_FILE,
    WONDERS_FILE,
)
from genesia_rl.games.age_of_civilization.names import (
    BASE_TECHNOLOGIES,
    GROUP_SIZE,
    MAX_EVENT_ROWS,
    MAX_ROWS,
    ROWS,
)


@dataclass(frozen=True)
class Box:
    """RULES 2: what is in the box."""

    civilizations: tuple[Civilization, ...]
    technologies: tuple[Technology, ...]
    arrows: tuple[tuple[Cell, Cell], ...]
    wonders: tuple[Wonder, ...]
    board: Board

    def civilization(self, number: int) -> Civilization:
        """A civilization by its number."""
        return self.civilizations[number - 1]

    def technology(self, number: int) -> Technology:
        """A technology by its number."""
        return self.technologies[number - 1]

    def wonder(self, number: int) -> Wonder:
        """A wonder by its number."""
        return self.wonders[number - 1]

    def special_column(self, special: int) -> int:
        """The column that a special card covers."""
        return self.technology(BASE_TECHNOLOGIES - 1 + 2 * special).column

    def card_of(self, special: int) -> frozenset[int]:
        """RULES 9: the technologies on a seat's card, with a special card over it (0: with none)."""
        base = self.technologies[:BASE_TECHNOLOGIES]
        if not special:
            return frozenset(tech.number for tech in base)
        column = self.special_column(special)
        kept = [tech.number for tech in base if tech.column != column or tech.row == ROWS]
        return frozenset([*kept, *(tech.number for tech in self.technologies if tech.special == special)])

    def prerequisites(self, number: int) -> frozenset[int]:
        """RULES 9: the technologies in the cells from which an arrow leads to this one's; none for roots."""
        cells = [begin for begin, end in self.arrows if end == self.technology(number).cell]
        return frozenset(tech.number for tech in self.technologies if tech.cell in cells)

    @cached_property
    def abilities(self) -> tuple[tuple[Effect, ...], ...]:
        """RULES 8: all abilities, group by group and by number; then the effects of the actions."""
        groups = (
            [civilization.main for civilization in self.civilizations],
            [civilization.inherited for civilization in self.civilizations],
            [technology.effects for technology in self.technologies],
            [wonder.effects for wonder in self.wonders],
        )
        found = [effects for group in groups for effects in (*group, *[()] * (GROUP_SIZE - len(group)))]
        return (*found, *(action.effects for action in self.board.actions))


@cache
def load_box(folder: str | None = None) -> Box:
    """RULES 14: the four files, ours or those of a folder of one's own."""
    paths = {
        name: FILES.path(folder, name)
        for name in (CIVILIZATIONS_FILE, TECHNOLOGIES_FILE, WONDERS_FILE, GAME_FILE)
    }
    tables = {name: read_table(path) for name, path in paths.items()}
    technologies = tables[TECHNOLOGIES_FILE]
    techs = technology_names(technologies)
    civilizations = read_civilizations(str(paths[CIVILIZATIONS_FILE]), tables[CIVILIZATIONS_FILE], techs)
    box = Box(
        civilizations=civilizations,
        technologies=read_technologies(str(paths[TECHNOLOGIES_FILE]), technologies),
        arrows=read_arrows(str(paths[TECHNOLOGIES_FILE]), technologies),
        wonders=read_wonders(str(paths[WONDERS_FILE]), tables[WONDERS_FILE], techs),
        board=read_game(str(paths[GAME_FILE]), tables[GAME_FILE], civilizations, techs),
    )
    check_sizes(str(folder or "data"), box)
    return box


def check_sizes(where: str, box: Box) -> None:
    """The tables of the kernels hold so many effects."""
    for what, number, most in (
        ("effects", sum(map(len, box.abilities)), MAX_ROWS),
        ("effects of events", sum(len(event.effects) for event in box.board.events), MAX_EVENT_ROWS),
    ):
        if number > most:
            raise DataError(f"{where}: {number} {what}, allowed are at most {most} together")
