"""What is known of how strong the players of a game are: its ladder of levels, and the cards of its models."""

from __future__ import annotations

from typing import Any, NamedTuple

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import game_info
from genesia_rl.players.codes import codes_of, scripted_of
from genesia_rl.players.ladder import Level, ladders
from genesia_rl.players.learned import load_model, models_of

NOT_MEASURED = "not measured"


class Listed(NamedTuple):
    """A kind of player: its code, what it is, and how strong."""

    usage: str
    meaning: str
    strength: str


#: Agents that are no part of the package.
OWN = (
    ("file.py:Class", "a Player of your own, in a file", "genesia evaluate measures it"),
    ("package.module:Class", "the same in a module that Python finds", "genesia evaluate measures it"),
)


def listed(game: str, players: int) -> list[Listed]:
    """All kinds of players of a game, with their strength among so many players."""
    allowed = game_info(game).all_players
    if players not in allowed:
        raise ConfigError(f"players = {players}, allowed in {game} are {', '.join(map(str, allowed))}")
    levels = ladders(game).get(players, ())
    return [
        Listed(code.usage, code.meaning, _strength(name, game, players, levels))
        for name, code in codes_of(game).items()
    ]


def _strength(name: str, game: str, players: int, levels: tuple[Level, ...]) -> str:
    """Of a kind of player, in words: by the ladder, by what the network of the package wins against it."""
    if name == "ppo":
        return _of_network(game, players)
    if name == "search" and not (models_of(game) / f"{players}p.npz").is_file():
        return _of_network(game, players)
    if name == "sb3":
        return "that of its file"
    if name == "level":
        return f"1 to {len(levels)}, each measured against the one below" if levels else "no ladder yet"
    found = [_place(name, game, levels), _of_card(name, game, players)]
    return "; ".join(filter(None, found)) or NOT_MEASURED


def _place(name: str, game: str, levels: tuple[Level, ...]) -> str:
    """Where it stands on the ladder."""
    full = "mixed:100"  # the first scripted player, on the ladder
    asked = (name, full) if scripted_of(game)[:1] == (name,) else (name,)
    places = [place for place, level in enumerate(levels, 1) if _kind(level.agent, asked)]
    if len(places) > 1:
        return f"levels {places[0]} to {places[-1]} of {len(levels)}"
    return f"level {places[0]} of {len(levels)}{_won(levels[places[0] - 1])}" if places else ""


def _kind(agent: str, asked: tuple[str, ...]) -> bool:
    return agent in asked or agent.partition(":")[0] in asked


def _won(level: Level) -> str:
    """What a level won against the one below."""
    if level.won is None or level.low is None or level.high is None:
        return ""
    return f": ahead of the one below in {share(level.won, level.low, level.high)}"


def share(value: float, low: float, high: float) -> str:
    """A share of first places with its interval."""
    return f"{100 * value:.0f} % ({100 * low:.0f}-{100 * high:.0f})"


def _card(game: str, players: int) -> dict[str, Any]:
    """What the network that comes with the package has won, by whom it played against; nothing if there is none."""
    file = models_of(game) / f"{players}p.npz"
    found = load_model(file).header.get("card", {}).get("strength", {}) if file.is_file() else {}
    return {
        code: share(row["first"], row["low"], row["high"]) for code, row in found.items() if "first" in row
    }


def _of_card(name: str, game: str, players: int) -> str:
    """How it fares against that network."""
    won = _card(game, players).get(name)
    return f"ppo is first in {won} against it" if won else ""


def _of_network(game: str, players: int) -> str:
    """What that network beats, by its own card."""
    told = _card(game, players)
    if told:
        return f"first in {', '.join(f'{won} against {code}' for code, won in told.items())}"
    if (models_of(game) / f"{players}p.npz").is_file():
        return NOT_MEASURED
    have = ", ".join(sorted(path.name.removesuffix("p.npz") for path in models_of(game).glob("*p.npz")))
    return f"none comes with the package for {players} players" + (f", only for {have}" if have else "")


def ladder_lines(game: str, players: int) -> list[str]:
    """The levels one by one, or how they are made."""
    levels = ladders(game).get(players, ())
    if not levels:
        return [
            f"no ladder for {players} players yet: genesia ladder --game {game} --players {players} builds one"
        ]
    return [
        "",
        "the ladder, upwards: level, name, agent, how often it ends before one of the level below",
        *(
            f"{place:>3}  {level.name:<12} {level.agent:<12} {_step(level)}"
            for place, level in enumerate(levels, 1)
        ),
    ]


def _step(level: Level) -> str:
    if level.won is None or level.low is None or level.high is None:
        return ""
    return f"{share(level.won, level.low, level.high)} of {level.games} games"
