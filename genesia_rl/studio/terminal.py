"""A live game in the terminal: the position, the options by number, and a line of what people may type."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import IO

from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.scene import BYSTANDER, Option, Scene, scene_of
from genesia_rl.studio.ansi import ansi_of
from genesia_rl.studio.live import LiveGame

HELP = "a number or an action; u takes back, h gives a hint, l shows the log, q ends (the game is kept)"
CLEAR = "\x1b[2J\x1b[H"


class Table:
    """One terminal, at which all people of a game sit."""

    def __init__(self, live: LiveGame, lines: Iterator[str], out: IO[str]) -> None:
        self.live, self._lines, self._out = live, lines, out
        self._told = 0  # entries of the log that were shown
        self._eyes = BYSTANDER

    def play(self) -> None:
        """Until the game is over, or nobody types any more."""
        self._say(HELP)
        while not self.live.over:
            if self.live.waits_for_agent:
                self._wait_for_agents()
            elif not self._ask(self.live.seat):
                return
        self._tell_news()
        self._say(
            words_of(scene_of(self.live.game, self.live.states, 0, self._eyes), self.live.seating.names)
        )
        self._say("the game is over")

    # ---- whose turn it is

    def _wait_for_agents(self) -> None:
        live = self.live
        with live.changed:
            before = live.version
            live.changed.wait_for(lambda: live.version != before or not live.waits_for_agent)
            if live.trouble:
                raise GenesiaError(live.trouble)
        self._tell_news()

    def _ask(self, seat: int) -> bool:
        """Ask a person until something is done; False when it ends."""
        if not self._sit_down(seat):
            return False
        self._tell_news()
        scene = scene_of(self.live.game, self.live.states, 0, seat)
        options = scene.decision.options if scene.decision else ()
        self._show(scene)
        while True:
            typed = self._read("> ")
            if typed is None or typed in ("q", "quit"):
                return False
            try:
                if self._obey(typed, seat, options):
                    return True
            except GenesiaError as error:
                self._say(str(error))

    def _sit_down(self, seat: int) -> bool:
        """Somebody else takes the terminal: nothing of the one before stays in sight."""
        live, before = self.live, self._eyes
        same = before >= 0 and live.seating.names[before] == live.seating.names[seat]
        several = len({live.seating.names[person] for person in live.seating.people}) > 1
        if before != seat and several and not same:
            clear = CLEAR if self._out.isatty() else ""
            self._say(
                f"{clear}{live.seating.names[seat]}, it is your turn: press Enter when nobody else looks"
            )
            if self._read("") is None:
                return False
            self._told = 0 if before < 0 else self._told
        self._eyes = seat
        return True

    def _obey(self, typed: str, seat: int, options: tuple[Option, ...]) -> bool:
        """What was typed; True if something has changed."""
        live = self.live
        if typed in ("u", "undo"):
            live.undo(seat, live.steps)
            self._told = min(self._told, live.steps)
            return True
        if typed in ("h", "hint"):
            found = live.hint(seat, live.steps)
            self._say(f"hint: {next(option.word for option in options if option.action == found)}")
        elif typed in ("l", "log"):
            self._say("\n".join(lines[seat] for lines in live.log))
        elif typed in ("?", "help", ""):
            self._say(HELP)
        else:
            live.act(seat, self._meant(typed, options), live.steps)
            self._told = live.steps
            return True
        return False

    def _meant(self, typed: str, options: tuple[Option, ...]) -> int:
        """The action of a number in the list, or of a text."""
        if typed.isascii() and typed.isdigit():
            if not 1 <= int(typed) <= len(options):
                raise GenesiaError(f"{typed}: no such option, allowed are 1..{len(options)}")
            return options[int(typed) - 1].action
        return self.live.game.parse_action(typed)

    # ---- lines

    def _tell_news(self) -> None:
        for lines in self.live.log[self._told :]:
            self._say(f"  {lines[self._eyes]}")
        self._told = self.live.steps

    def _show(self, scene: Scene) -> None:
        self._say(words_of(scene, self.live.seating.names, self._out.isatty()))

    def _read(self, prompt: str) -> str | None:
        self._out.write(prompt)
        self._out.flush()
        line = next(self._lines, None)
        return None if line is None else line.strip()

    def _say(self, text: str) -> None:
        self._out.write(text + "\n")
        self._out.flush()


def play_in_terminal(live: LiveGame, lines: Iterator[str] | None = None, out: IO[str] | None = None) -> None:
    """Play at this terminal, the agents at once."""
    live.set_pace(0.0)
    Table(live, iter(sys.stdin.readline, "") if lines is None else lines, out or sys.stdout).play()


# ---------------------------------------------------------------- a scene in words


def words_of(scene: Scene, names: tuple[str, ...], colour: bool = False) -> str:
    """The position with the names of those who play, and the options by number."""
    seats = tuple(replace(seat, name=names[seat.seat]) for seat in scene.seats)
    return "\n".join(["", ansi_of(replace(scene, seats=seats), colour), *_options(scene)])


def _options(scene: Scene) -> Iterator[str]:
    group = ""
    for number, option in enumerate(scene.decision.options if scene.decision else (), 1):
        if option.group != group:
            group = option.group
            yield f" {group}"
        yield f"{number:>4}  {option.word}"
