"""Building a ladder: opponents of whom each wins a little more than half of its games against the one below.

From the player who does anything up to the game's first scripted one, by how often it thinks; then whatever agents
are named for the top, as they are. Every step is looked for by halving and then measured once more in fresh games,
so that what is written down was not chosen for being lucky.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from genesia_rl.core.files import replace_text
from genesia_rl.core.game import Game
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.codes import make_player
from genesia_rl.players.ladder import Level, ladder_file, ladders

#: The share of first places against one below, and how near is near enough.
GOAL, NEAR = 0.60, 0.02
MOST_TRIED = 7  # places that are looked at for a step
NAMES = (
    "beginner", "novice", "learner", "pupil", "apprentice", "newcomer", "amateur", "hobbyist", "casual", "regular",
    "companion", "journeyman", "adept", "skilled", "practised", "experienced", "able", "tough", "strong", "sharp",
    "cunning", "expert", "veteran", "specialist", "champion", "virtuoso", "master", "elder", "grandmaster", "legend",
    "titan", "oracle",
)  # fmt: skip

Tell = Callable[[Level], None]


def measured(game: Game, agent: str, below: str, games: int, seed: int, name: str = "") -> Level:
    """An agent against the one below on all other seats."""
    found = evaluate(make_player(agent, game.name), [make_player(below, game.name)], game, games, seed)
    low, high = found.interval()
    return Level(name, agent, round(found.rate, 3), round(low, 3), round(high, 3), found.games)


def next_share(game: Game, below: str, least: int, games: int, seed: int) -> int:
    """How often one must think, in percent, to win as much as is wanted; 100 if that is too little."""
    low, high = least, 100
    for trial in range(MOST_TRIED):
        if high - low <= 1:
            break
        middle = (low + high) // 2
        won = measured(game, f"mixed:{middle}", below, games, seed + trial).won or 0.0
        if abs(won - GOAL) <= NEAR:
            return middle
        low, high = (middle, high) if won < GOAL else (low, middle)
    return high


def build(game: Game, games: int, seed: int, tell: Tell | None = None) -> tuple[Level, ...]:
    """A ladder from the bottom to the scripted player."""
    levels, share = [Level(NAMES[0], "random")], 0
    told = tell or (lambda level: None)
    told(levels[0])
    while share < 100:
        share = next_share(game, levels[-1].agent, share, games, seed + 1000 * len(levels))
        levels.append(_step(game, f"mixed:{share}", levels, games, seed))
        told(levels[-1])
    return tuple(levels)


def extended(
    game: Game, levels: Sequence[Level], top: Sequence[str], games: int, seed: int, tell: Tell | None = None
) -> tuple[Level, ...]:
    """A ladder with agents on top of it, upwards."""
    found, told = list(levels), tell or (lambda level: None)
    for agent in top:
        found.append(_step(game, agent, found, games, seed))
        told(found[-1])
    return tuple(found)


def _step(game: Game, agent: str, levels: Sequence[Level], games: int, seed: int) -> Level:
    """The next level, measured in games that it was not chosen by."""
    name = NAMES[len(levels)] if len(levels) < len(NAMES) else f"level {len(levels) + 1}"
    return measured(game, agent, levels[-1].agent, 2 * games, seed + 1000 * len(levels) + 999, name)


# ---------------------------------------------------------------- the file


def write_ladder(game: Game, levels: Sequence[Level], command: str) -> None:
    """Put the ladder of this number of players into the game's file, beside those of others."""
    kept: Mapping[int, Sequence[Level]] = {**ladders(game.name), game.num_seats: levels}
    head = f"# Levels by number of players; the last were made by: {command}\n"
    ladder_file(game.name).parent.mkdir(exist_ok=True)
    replace_text(ladder_file(game.name), head + "".join(_table(n, kept[n]) for n in sorted(kept)))
    ladders.cache_clear()


def _table(players: int, levels: Sequence[Level]) -> str:
    return "".join(f"\n[[players{players}]]\n{_fields(level)}" for level in levels)


def _fields(level: Level) -> str:
    lines = [f'name = "{level.name}"', f'agent = "{level.agent}"']
    if level.won is not None:
        lines += [
            f"won = {level.won}",
            f"low = {level.low}",
            f"high = {level.high}",
            f"games = {level.games}",
        ]
    return "\n".join(lines) + "\n"
