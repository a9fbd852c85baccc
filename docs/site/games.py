"""What a game declares, as a part of its page: pictures of positions, options, actions, observation, players.

Everything comes from the contract and its parts; no game is known here by name. Tables that the page of a game has
already (between marks of its own `page.py`) are not made a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from genesia_rl.core.game import Game, States
from genesia_rl.core.info import GameInfo
from genesia_rl.core.lab import Lab
from genesia_rl.core.pages import BEGIN
from genesia_rl.core.registry import game_info, game_names, make_game, offers, package_of, part_of, variants
from genesia_rl.core.scene import scene_of
from genesia_rl.core.trace import trace_format
from genesia_rl.players.codes import codes_of
from genesia_rl.report.markdown import markdown
from genesia_rl.studio.svg import svg_of

SEED = 7
#: Where a game is pictured: as shares of its decisions.
MOMENTS = (("the first decision", 0.0), ("the middle of the game", 0.5), ("the last decision", 1.0))
MAKER = "page.py"


@cache
def folders(root: Path) -> list[str]:
    """The folders of the games that stand in a repository, in the order of the registry."""
    found = (Path(import_module(package_of(name)).__path__[0]).resolve() for name in game_names())
    return [path.relative_to(root).as_posix() for path in found if path.is_relative_to(root)]


def game_of(path: str, root: Path) -> str | None:
    """The game whose page this is."""
    for folder in folders(root):
        if path == f"{folder}/README.md":
            return Path(folder).name
    return None


def with_declared(name: str, page: str, folder: Path) -> str:
    """The page of a game with what it declares: pictures before its first chapter, the rest at its end."""
    head, mark, rest = page.partition("\n## ")
    return f"{head}\n{pictures(name, folder)}{mark}{rest}\n{declared(name, page)}"


# ---------------------------------------------------------------- pictures


def pictures(name: str, folder: Path) -> str:
    """Some positions of one game, as the seat to act sees them; written beside the page, light and dark."""
    game = make_game(name, **game_info(name).full(game_info(name).players[0]))
    played = list(_played(game))
    lines = [
        "## In pictures\n",
        f"A game of random players ({game.num_seats} seats, seed {SEED}), with the eyes of the seat to act.\n",
    ]
    made = folder / "made"
    made.mkdir(parents=True, exist_ok=True)
    for number, (words, share) in enumerate(MOMENTS, 1):
        at = round(share * (len(played) - 1))
        states = played[at]
        who = f"seat {game.seat(states, 0)} is asked, kind {game.kind(states, 0)}"
        said = f"Decision {at + 1} of {len(played)}, {words}: {who}."
        scene = scene_of(game, states, 0, game.seat(states, 0))
        for theme in ("light", "dark"):
            (made / f"{number}-{theme}.svg").write_text(svg_of(scene, theme), encoding="utf-8")
            lines.append(f":::{{image}} made/{number}-{theme}.svg\n:class: only-{theme}\n:alt: {said}\n:::\n")
        lines.append(f"{said}\n")
    return "\n".join(lines)


def _played(game: Game) -> Iterator[States]:
    """The positions of a game in which somebody is asked."""
    states, rng = game.new_states(), np.random.default_rng(SEED)
    game.reset(states, 0, SEED)
    while not game.is_over(states, 0):
        yield game.clone(states)
        game.step(states, 0, int(rng.choice(game.legal_actions(states, 0))))


# ---------------------------------------------------------------- tables


def declared(name: str, page: str = "") -> str:
    """What the game declares, without what its page has already."""
    info, made = game_info(name), _sizes(name)
    game = next(iter(made.values()))
    chapters = {
        "Facts": facts(name, game, info),
        "Sizes": sizes(made),
        "Options": options(info),
        "Actions": "" if _has(page, "actions") else heads(game),
        "Observation": "" if _has(page, "observation") else pieces(game),
        "Players": table(("code", "who"), [(f"`{code.usage}`", code.meaning) for code in codes_of(name).values()]),
        "Configurations that use every rule": f"`{'`, `'.join(variants(name))}`: general tests play all of them.",
        "What a laboratory counts and may change": laboratory(name),
    }  # fmt: skip
    shown = [f"### {title}\n\n{text}\n" for title, text in chapters.items() if text]
    intro = "What its code declares, and tools ask of it ([the contract](../../contract.md)).\n"
    return "\n".join(["## What the game declares\n", intro, *shown])


def _has(page: str, what: str) -> bool:
    return BEGIN.format(MAKER, what) in page


def _sizes(name: str) -> dict[int, Game]:
    """The game with every number of players; 1 is the solo mode."""
    info = game_info(name)
    solo = {1: make_game(name, **{"players": 1, **info.solo})} if info.solo is not None else {}
    least, most = info.players
    return {n: make_game(name, players=n) for n in range(least, most + 1)} | solo


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table; nothing without rows."""
    return markdown(list(head), [[str(cell) for cell in row] for row in rows]) if rows else ""


def facts(name: str, game: Game, info: GameInfo) -> str:
    """What holds in every configuration."""
    parts = ", ".join(
        f"{part} (secret)" if part in game.facts.secret_parts else part for part in game.score_parts
    )
    rows = [
        ("players", f"{info.players[0]} to {info.players[1]}" + ("" if info.solo is None else ", and alone")),
        ("version of the rules", game.version),
        ("form of traces", f"`{trace_format(name)}`"),
        ("longest game", f"{game.max_decisions} decisions"),
        ("parts of a score", parts or "none"),
        ("kinds of decisions", ", ".join(f"`{kind}`" for kind in game.kinds)),
        ("data files", ", ".join(f"`{file}`" for file in info.data.names) if info.data else "none"),
    ]
    return table(("", ""), rows)


def options(info: GameInfo) -> str:
    """What a configuration may say, as a command line takes it."""
    rows = [(f"`{option.flag} {option.metavar}".strip() + "`", option.help) for option in info.options]
    return table(("option", "meaning"), rows)


def sizes(made: dict[int, Game]) -> str:
    """What an agent sees and does, by number of players."""
    rows = [
        (n, g.num_seats, g.num_actions, g.observation_size, g.state_dtype.itemsize, _groups(g))
        for n, g in made.items()
    ]
    return table(
        ("players", "seats", "actions", "observation, bytes", "state, bytes", "groups of the observation"),
        rows,
    )


def _groups(game: Game) -> str:
    return ", ".join(f"`{group.name}` {'x'.join(map(str, group.shape))}" for group in game.groups)


def heads(game: Game) -> str:
    """Actions, by how a network scores them."""
    rows = [(f"`{head.name}`", len(head.actions), head.tokens or "by themselves") for head in game.heads]
    return table(("head", "actions", "stand for"), rows)


def pieces(game: Game) -> str:
    """The named parts of an observation."""
    rows = [
        (f"`{p.name}`", "x".join(map(str, p.shape)), f"{p.low}..{p.high}", p.meaning) for p in game.pieces
    ]
    return table(("name", "shape", "values", "meaning"), rows)


def laboratory(name: str) -> str:
    """Which questions `genesia balance` can ask beyond who goes first."""
    if not offers(name, "lab"):
        return ""
    lab: Lab = part_of(name, "lab", "laboratory").LAB
    asked = [
        *((f"`{key}`", "of everybody", one.meaning) for key, one in lab.changes.items()),
        *((f"`{key}`", "of one who goes without it", one.meaning) for key, one in lab.without.items()),
        *((f"`{one.name}`", "dealt anew", one.meaning) for one in (lab.variation,) if one is not None),
    ]
    return table(("what is changed", "for whom", "meaning"), asked)
