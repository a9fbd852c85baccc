"""Strength against compute: the models that a run has kept, or the search with its last one, against a fixed panel.

    python -m genesia_rl.learn.curve runs/two --games 1000 --panel random,mcts:20
    python -m genesia_rl.learn.curve runs/two --search 8,32,128,512,2048 --games 200

Prints what comes out and writes `curve.json` and `curve/report.html` (of the search `curve-search`). A run keeps the
models of `run.milestones`: over three decades, say, `[0.1, 0.3, 1, 3, 10, 30, 100]`. Opponents that the run has learned
from or against are told from those that it never saw: leave some characters out of `league.scripted` to have such.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import ConfigError, DataError, GenesiaError
from genesia_rl.core.files import replace_text
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.learn.presets import make_settings
from genesia_rl.learn.run import MODEL
from genesia_rl.matches.evaluate import against_panel
from genesia_rl.players.codes import make_player
from genesia_rl.players.guided import GuidedPlayer
from genesia_rl.players.learned import LearnedPlayer, Model, load_model

CURVE, CURVE_OF_SEARCH = "curve.json", "curve-search.json"
#: What is drawn over, by what a row has of it.
AXES = {
    "minutes": "minutes of training",
    "decisions": "decisions learned from",
    "seconds": "seconds a decision",
}


def models(folder: Path) -> list[tuple[float, Path]]:
    """The minutes and the file of every model of a run, in order."""
    found = [(_minutes(path), path) for path in folder.glob("model*.npz")]
    if not found:
        raise ConfigError(f"{folder}: no models, allowed is the folder of a run with {MODEL}")
    return sorted(found)


def _minutes(path: Path) -> float:
    """When a model was kept, by its card."""
    try:
        return float(load_model(path).header["card"]["minutes"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, GenesiaError):
            raise
        raise DataError(f"{path}: no minutes in its card, allowed is a model by genesia train") from None


def measure(
    folder: Path, panel: list[str] | None, games: int, seed: int, varied: bool = False
) -> list[dict[str, Any]]:
    """A row for every model and member of the panel; by default that of the game's runs."""
    rows: list[dict[str, Any]] = []
    for minutes, path in models(folder):
        model = load_model(path)
        name, codes = _panel_of(path, model, panel)
        print(f"{path.name}, {minutes:.1f} minutes")
        game = make_game(name, players=model.players)
        found = against_panel(LearnedPlayer(str(path)), game, codes, games, seed, varied)
        card = model.header["card"]
        at = {"minutes": minutes, "decisions": card.get("decisions")}
        rows += [
            {**at, "against": code, "held_out": is_held_out(card, code), **row} for code, row in found.items()
        ]
    return rows


def measure_search(
    folder: Path, budgets: Sequence[str], panel: list[str] | None, games: int, seed: int, varied: bool = False
) -> list[dict[str, Any]]:
    """The same of the search over the run's last model: a row for every budget and member of the panel."""
    rows: list[dict[str, Any]] = []
    path = models(folder)[-1][1]
    model = load_model(path)
    name, codes = _panel_of(path, model, panel)
    game = make_game(name, players=model.players)
    searches = [
        (budget, GuidedPlayer(budget, str(path))) for budget in budgets
    ]  # a wrong one is told at once
    for budget, search in searches:
        search.guide(game)
        print(f"search:{budget}@{path.name}")
        for code in codes:
            clock = Clocked(search)
            row = against_panel(clock, game, [code], games, seed, varied)[code]
            held_out = is_held_out(model.header["card"], code)
            rows.append(
                {"budget": budget, "seconds": clock.mean, "against": code, "held_out": held_out, **row}
            )
    return rows


class Clocked(Player):
    """A player that is timed: the seconds of the processor for a decision, its first batch (which compiles) apart."""

    def __init__(self, player: Player) -> None:
        self.player, self.name, self.version = player, player.name, player.version
        self.seconds, self.decisions, self._met = 0.0, 0, False

    @property
    def mean(self) -> float:
        """Seconds a decision."""
        return self.seconds / max(1, self.decisions)

    def act_batch(self, decisions: DecisionBatch) -> Any:
        """What the player does."""
        start = time.process_time()
        actions = self.player.act_batch(decisions)
        if self._met:
            self.seconds += time.process_time() - start
            self.decisions += len(decisions)
        self._met = True
        return actions


def is_held_out(card: Mapping[str, Any], code: str) -> bool:
    """Did a model never meet this player while it learned?"""
    settings = card.get("settings", {})
    league, teacher = settings.get("league", {}), settings.get("teacher", {})
    taught = bool(teacher.get("share") or teacher.get("updates")) and teacher.get("data") is None
    met = [*(league.get("scripted") or ()), *([teacher.get("agent")] if taught else ())]
    return code not in met


def _panel_of(path: Path, model: Model, panel: list[str] | None) -> tuple[str, list[str]]:
    """The game, and whom it is measured against; a wrong code is refused before anything is played."""
    if not isinstance(name := model.header.get("game"), str):
        raise DataError(f"{path}: game = {name!r} in its header, allowed is the name of a game")
    codes = panel or make_settings(overrides={"game": {"name": name}}).run.panel or []
    for code in codes:
        make_player(code, name)
    return name, codes


# ---------------------------------------------------------------- the page


def write_page(folder: Path, title: str, rows: list[dict[str, Any]], over: str) -> Path:
    """A line for each opponent, over the logarithm of compute; returns where the page is."""
    from genesia_rl.report.page import Report  # needs matplotlib
    from genesia_rl.report.plots import lines

    xs = sorted({row[over] for row in rows if row[over]})
    series: dict[str, Any] = {}
    for code in dict.fromkeys(row["against"] for row in rows):
        own = {row[over]: row for row in rows if row["against"] == code}
        shown = f"{code} (never met)" if next(iter(own.values()))["held_out"] else code
        series[shown] = tuple(
            [own[x][key] if x in own else None for x in xs] for key in ("first", "low", "high")
        )
    report = Report(title, f"First places against {AXES[over]}, with 95 % intervals over deals")
    figure = lines(xs, series, AXES[over], "first places", log_x=True, unit="%")
    names = ", ".join(series)
    report.plot(figure, "All others at the table are one agent.", f"{len(xs)} points each against {names}.")
    keys = [key for key in rows[0] if key != "held_out"]
    columns = {"never met": ["yes" if row["held_out"] else "no" for row in rows]}
    formats = {**dict.fromkeys(("first", "low", "high"), ".1%"), "margin": "+.1f"}
    report.table(
        "strength", {**{key: [row[key] for row in rows] for key in keys}, **columns}, formats=formats
    )
    return report.save(folder)


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="strength of a run's models against a panel")
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--panel", help="codes between commas; by default random and all characters of the game"
    )
    parser.add_argument(
        "--search", help="budgets between commas: measure the search with the last model instead"
    )
    parser.add_argument("--over", choices=["minutes", "decisions"], default="minutes", help="of training")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--varied", action="store_true", help="with all that varies from deal to deal")
    args = parser.parse_args(arguments)
    try:
        for name, least in (("games", 1), ("seed", 0)):
            if getattr(args, name) < least:
                raise ConfigError(f"--{name} = {getattr(args, name)}, allowed is an integer from {least} on")
        _answer(args)
    except (GenesiaError, OSError) as error:
        parser.error(str(error))


def _answer(args: argparse.Namespace) -> None:
    """Measure and write."""
    panel = args.panel.split(",") if args.panel else None
    how = (panel, args.games, args.seed, args.varied)
    if args.search:
        rows, over = measure_search(args.folder, args.search.split(","), *how), "seconds"
    else:
        rows, over = measure(args.folder, *how), args.over
    file = args.folder / (CURVE_OF_SEARCH if args.search else CURVE)
    replace_text(file, json.dumps(rows, indent=2) + "\n")
    title = game_info(load_model(models(args.folder)[-1][1]).header["game"]).title
    try:
        print(write_page(file.with_suffix(""), f"{title}: strength against compute", rows, over))
    except ModuleNotFoundError as error:
        print(f'no page: {error.name} is missing, pip install "genesia-rl[lab]"')


if __name__ == "__main__":
    main()
