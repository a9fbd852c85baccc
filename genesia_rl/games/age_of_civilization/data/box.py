"""Everything that the four data files say, loaded together and checked against one another (RULES 14)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from genesia_rl.core.errors import DataError
from genesia_rl.core.mistakes import settle
from genesia_rl.core.reading import read_text
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


def read_box(folder: str | None = None) -> Box:
    """RULES 14: the four files, those of a folder of one's own laid over ours."""
    paths = {name: str(FILES.path(folder, name)) for name in FILES.names}
    tables = {name: FILES.table(folder, name) for name in FILES.names}
    technologies = tables[TECHNOLOGIES_FILE]
    techs = technology_names(technologies)
    civilizations = read_civilizations(paths[CIVILIZATIONS_FILE], tables[CIVILIZATIONS_FILE], techs)
    box = Box(
        civilizations=civilizations,
        technologies=read_technologies(paths[TECHNOLOGIES_FILE], technologies),
        arrows=read_arrows(paths[TECHNOLOGIES_FILE], technologies),
        wonders=read_wonders(paths[WONDERS_FILE], tables[WONDERS_FILE], techs),
        board=read_game(paths[GAME_FILE], tables[GAME_FILE], civilizations, techs),
    )
    settle()
    check_sizes(str(folder or "data"), box)
    return box


@lru_cache(maxsize=16)
def _read(folder: str | None, texts: tuple[str, ...]) -> Box:
    """Remembered by whole texts, so a file that was edited meanwhile is read anew."""
    return read_box(folder)


def load_box(folder: str | None = None) -> Box:
    """RULES 14: what the four files say; the same object while none of them changes."""
    return _read(folder, tuple(read_text(FILES.path(folder, name)) for name in FILES.names))


def check_sizes(where: str, box: Box) -> None:
    """The tables of the kernels hold so many effects."""
    for what, number, most in (
        ("effects", sum(map(len, box.abilities)), MAX_ROWS),
        ("effects of events", sum(len(event.effects) for event in box.board.events), MAX_EVENT_ROWS),
    ):
        if number > most:
            raise DataError(f"{where}: {number} {what}, allowed are at most {most} together")
