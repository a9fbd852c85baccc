"""Building a ladder: opponents of whom each wins a little more than half of its games against the one below.

From the player who does anything up to the game's first scripted one, by how often it thinks; then up to better agents
that are named for the top, by how often it is they who think. With more than two players one sits among copies of the
one below, and what counts is how many of them it ends before (`players.ladder.Level.won`): even is one half with every
number of players, and so 60 % means the same.

A step is looked for in games of its own and then measured in fresh ones, so that what is written down was not chosen
for being lucky; one that turns out to be too long or too short is looked for again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from genesia_rl.core.files import replace_text
from genesia_rl.core.game import Game
from genesia_rl.matches.evaluate import evaluate, interval_of
from genesia_rl.players.codes import make_player
from genesia_rl.players.ladder import COMMANDS, LADDER, Level, commands_of, forget, ladder_file, ladders

#: What a step is to win against the one below, and how far from that a measurement may lie.
GOAL, WITHIN = 0.60, 0.05
TRIALS = 4  # places that are looked at for a step, the first time
LOOKS = 4  # times that a step is looked for
REACH = 0.4  # trials farther from the goal, in log odds, say little of what is near it
ALL = 100  # in percent: the agent itself
ABOVE = 1_000_000  # what is added to the seed above the scripted player
NAMES = (
    "beginner", "novice", "learner", "pupil", "apprentice", "newcomer", "amateur", "hobbyist", "casual", "regular",
    "companion", "journeyman", "adept", "skilled", "practised", "experienced", "able", "tough", "strong", "sharp",
    "cunning", "expert", "veteran", "specialist", "champion", "virtuoso", "master", "elder", "grandmaster", "legend",
    "titan", "oracle",
)  # fmt: skip

Tell = Callable[[Level], None]
#: The code of a player who thinks in so many of a hundred decisions.
Rung = Callable[[int], str]


class Trial(NamedTuple):
    """How often one thought, in percent, and what that won."""

    share: int
    won: float


def measured(game: Game, agent: str, below: str, games: int, seed: int, name: str = "") -> Level:
    """An agent against the one below on all other seats."""
    found = evaluate(make_player(agent, game.name), [make_player(below, game.name)], game, games, seed)
    low, high = interval_of(found.ahead)
    return Level(name, agent, round(float(found.ahead.mean()), 3), round(low, 3), round(high, 3), found.games)


def scripted(share: int) -> str:
    """The rungs up to the first scripted player."""
    return f"mixed:{share}"


def towards(agent: str) -> Rung:
    """The rungs from there up to a better agent."""
    return lambda share: agent if share == ALL else f"mixed:{share}:{agent}"


# ---------------------------------------------------------------- a step


def odds(share: float) -> float:
    """Log odds; of shares that say nothing more those of nearly all."""
    inside = min(0.98, max(0.02, share))
    return math.log(inside / (1 - inside))


def place(least: int, trials: Sequence[Trial], goal: float, guess: int) -> int:
    """How often one must think to win as much as is wanted against one who does so in `least` of a hundred: log odds
    grow from none there, by a slope that the trials near the goal know best."""
    if not trials:
        return min(ALL, least + guess)
    away = np.array([trial.share - least for trial in trials], np.float64)
    won = np.array([odds(trial.won) for trial in trials])
    weights = (1 + ((won - odds(goal)) / REACH) ** 2) ** -2
    slope = float((weights * away * won).sum() / (weights * away * away).sum())
    farthest = least + 2 * int(away.max())
    wanted = least + odds(goal) / slope if slope > 0 else farthest
    return min(ALL, max(least + 1, round(min(wanted, farthest))))


def look(
    game: Game, below: str, least: int, rung: Rung, games: int, seed: int, trials: list[Trial],
    goal: float = GOAL, guess: int = 10,
) -> int:  # fmt: skip
    """How often one must think, in percent, to win as much as is wanted; 100 if that is too little."""
    for number in range(TRIALS if not trials else TRIALS // 2):
        share = place(least, trials, goal, guess)
        won = measured(game, rung(share), below, games, seed + number).won or 0.0
        trials.append(Trial(share, won))
        if share == ALL and won <= goal:
            return ALL
    return place(least, trials, goal, guess)


def step(
    game: Game, levels: Sequence[Level], least: int, rung: Rung, games: int, seed: int, guess: int
) -> tuple[int, Level]:
    """How often the next level thinks, and the level, measured in games that it was not chosen by."""
    trials: list[Trial] = []
    for again in range(LOOKS):
        begin = seed + 1000 * len(levels) + 100 * again
        share = look(game, levels[-1].agent, least, rung, games, begin, trials, guess=guess)
        found = measured(game, rung(share), levels[-1].agent, 2 * games, begin + 99, name_of(len(levels)))
        won = found.won or 0.0
        if abs(won - GOAL) <= WITHIN or (share == ALL and won < GOAL):
            break
        trials.append(Trial(share, won))
    return share, found


def name_of(place: int) -> str:
    """The name of a level by its place, counted from 0."""
    return NAMES[place] if place < len(NAMES) else f"level {place + 1}"


# ---------------------------------------------------------------- ladders


def build(game: Game, games: int, seed: int, tell: Tell | None = None) -> tuple[Level, ...]:
    """A ladder from the bottom to the scripted player."""
    return climbed(game, [Level(name_of(0), "random")], scripted, games, seed, tell)


def extended(
    game: Game, levels: Sequence[Level], top: Sequence[str], games: int, seed: int, tell: Tell | None = None
) -> tuple[Level, ...]:
    """A ladder with agents on top of it, upwards; to one that is far above the scripted player by several steps."""
    found = tuple(levels)
    for agent in top:
        begin = seed + 1000 * len(found) + 450
        level = measured(game, agent, found[-1].agent, 2 * games, begin, name_of(len(found)))
        if found[-1].agent == scripted(ALL) and (level.won or 0.0) > GOAL + WITHIN:
            found = climbed(game, found, towards(agent), games, seed + ABOVE, tell)
        else:
            found = (*found, level)
            _told(tell, level)
    return found


def climbed(
    game: Game, levels: Sequence[Level], rung: Rung, games: int, seed: int, tell: Tell | None = None
) -> tuple[Level, ...]:
    """Levels upwards along rungs, the last being the topmost."""
    found, shares = list(levels), [0]
    if len(found) == 1:
        _told(tell, found[0])
    while shares[-1] < ALL:
        guess = shares[-1] - shares[-2] if len(shares) > 1 else 10
        share, level = step(game, found, shares[-1], rung, games, seed, max(1, guess))
        shares.append(share)
        found.append(level)
        _told(tell, level)
    if len(shares) > 2 and (found[-1].won or 0.0) < GOAL - WITHIN:
        found[-2:] = _evened(game, found[:-2], shares[-3], rung, games, seed)
        for level in found[len(levels) + len(shares) - 3 :]:
            _told(tell, level)
    return tuple(found)


def _evened(
    game: Game, levels: Sequence[Level], least: int, rung: Rung, games: int, seed: int
) -> list[Level]:
    """The last two steps, of which the second is too short: as one, or as two of one length."""
    begin, below = seed + 1000 * len(levels) + 500, levels[-1].agent
    whole = measured(game, rung(ALL), below, 2 * games, begin, name_of(len(levels)))
    won = whole.won or 0.0
    if won <= GOAL + WITHIN:
        return [whole]
    half, trials = 1 / (1 + math.exp(-odds(won) / 2)), [Trial(ALL, won)]
    for again in range(LOOKS):
        seeds = begin + 100 * (again + 1)
        share = min(ALL - 1, look(game, below, least, rung, games, seeds, trials, half))
        middle = measured(game, rung(share), below, 2 * games, seeds + 98, name_of(len(levels)))
        last = measured(game, rung(ALL), middle.agent, 2 * games, seeds + 99, name_of(len(levels) + 1))
        if all(abs((level.won or 0.0) - GOAL) <= WITHIN for level in (middle, last)):
            break
        trials.append(Trial(share, middle.won or 0.0))
    return [middle, last]


def _told(tell: Tell | None, level: Level) -> None:
    if tell is not None:
        tell(level)


# ---------------------------------------------------------------- the file


def write_ladder(game: Game, levels: Sequence[Level], command: str) -> None:
    """Put the ladder of this number of players into the game's file, beside those of others."""
    kept: Mapping[int, Sequence[Level]] = {**ladders(game.name), game.num_seats: levels}
    commands = {**commands_of(game.name), game.num_seats: command}
    ladder_file(game.name).parent.mkdir(exist_ok=True)
    tables = "".join(_table(n, kept[n]) for n in sorted(kept))
    replace_text(ladder_file(game.name), f"{HEAD}{_commands(commands)}{tables}")
    forget()


HEAD = """\
# Levels by number of players. `won` is the share of the others, all of them of the level below, that an agent ended
# before, ties by half (with two players: of the games, those it won), with its 95 % interval.
"""


def _commands(commands: Mapping[int, str]) -> str:
    lines = [f'{LADDER}{n} = "{commands[n]}"\n' for n in sorted(commands)]
    return f"\n[{COMMANDS}]\n{''.join(lines)}"


def _table(players: int, levels: Sequence[Level]) -> str:
    return "".join(f"\n[[{LADDER}{players}]]\n{_fields(level)}" for level in levels)


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
