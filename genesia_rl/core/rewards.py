"""Rewards: what a finished game pays each seat, the same for every game and every environment.

With K teams (each seat its own team unless the game has teams), n seats, and a team T of |T| seats,
every member of T gets `v_T * n / (K * |T|)`, which is `v_T` when teams are equal in size, and

    win     v_T = (K * share_T - 1) / (K - 1)     share_T = 1/w for the w winning teams, else 0:
                                                  a single winner gets 1, the others -1 / (K - 1)
    rank    v_T = 1 - 2 * rank_T / (K - 1)        rank_T = 0 best .. K - 1 worst, ties in the middle
    score   v_T = (s_T - mean of the others' s) / scale     s_T the team's score (facts.py)

All three sum to zero over the seats. A game that is no contest (a solo mode) pays its joint score
divided by the game's `joint_scale` to all, whatever the kind.

Shaping is off by default. With the weight c and the discount g, a seat that decided in state x is paid
in addition `c * (g * P(y) - P(x))` when it is asked again, in y, or when the game ends; P is the margin of
the running *public* score (without what is secret) computed like `score`, and 0 when
the game is over. Being potential-based it does not change which policy is best for a learner that
discounts by g from one of its own decisions to the next. In a joint game one player leads all seats, so
that all are paid at every decision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.compile import kernel
from genesia_rl.core.errors import ConfigError

REWARDS = ("win", "rank", "score")
WIN, RANK, SCORE = (np.int64(place) for place in range(len(REWARDS)))


def make_settings(
    game: Any, reward: str = "win", scale: float | None = None, shaping: float = 0.0, gamma: float = 1.0
) -> npt.NDArray[np.void]:
    """The settings of a game's rewards, checked; without a scale it is the game's own."""
    scale = game.facts.score_scale if scale is None else scale
    if reward not in REWARDS:
        raise ConfigError(f"reward = {reward!r}, allowed are {', '.join(REWARDS)}")
    if not 0 < scale < np.inf:
        raise ConfigError(f"scale = {scale!r}, allowed is a number above 0")
    if not np.isfinite(shaping):
        raise ConfigError(f"shaping = {shaping!r}, allowed is a number")
    if not 0 <= gamma <= 1:
        raise ConfigError(f"gamma = {gamma!r}, allowed is a number 0..1")
    settings = np.zeros(1, game.facts.settings_dtype)
    s = settings[0]
    s["reward"], s["scale"], s["shaping"], s["gamma"] = REWARDS.index(reward), scale, shaping, gamma
    s["is_contest"], s["seats"] = game.is_contest, game.num_seats
    s["team"][: game.num_seats] = game.teams
    s["team_sum"], s["joint_scale"] = game.facts.team_score == "sum", game.facts.joint_scale
    for part in game.facts.secret_parts:
        s["secret"][game.score_parts.index(part)] = 1
    return settings


@kernel
def team_size(settings, seat):
    """How many seats play in the seat's team."""
    size = 0
    for other in range(np.int64(settings["seats"])):
        size += settings["team"][other] == settings["team"][seat]
    return size


@kernel
def num_teams(settings):
    """How many teams there are: a team is counted at its first seat."""
    teams = 0
    for seat in range(np.int64(settings["seats"])):
        first = True
        for other in range(seat):
            if settings["team"][other] == settings["team"][seat]:
                first = False
        teams += first
    return teams


@kernel
def team_value(settings, totals, seat):
    """A team's score: the lowest total of its members, or their sum."""
    lowest, together = np.float64(totals[seat]), 0.0
    for other in range(np.int64(settings["seats"])):
        if settings["team"][other] == settings["team"][seat]:
            lowest = min(lowest, np.float64(totals[other]))
            together += np.float64(totals[other])
    return together if settings["team_sum"] else lowest


@kernel
def margin(settings, totals, seat, teams):
    """The team's score less the mean of the other teams'."""
    own, others = team_value(settings, totals, seat), 0.0
    for other in range(np.int64(settings["seats"])):
        if settings["team"][other] != settings["team"][seat]:
            others += team_value(settings, totals, other) / team_size(settings, other)
    return (own - others / (teams - 1)) / settings["scale"]


@kernel
def win_value(settings, ranks, seat, teams):
    """1 for a single winning team, shared if there are several; the others pay."""
    winners = 0.0
    for other in range(np.int64(settings["seats"])):
        if ranks[other] == 0:
            winners += 1.0 / team_size(settings, other)
    share = 1.0 / winners if ranks[seat] == 0 else 0.0
    return (teams * share - 1.0) / (teams - 1)


@kernel
def rank_value(settings, ranks, seat, teams):
    """From 1 for the best team to -1 for the worst; equal teams get the middle of their ranks."""
    before, equal = 0.0, 0.0
    for other in range(np.int64(settings["seats"])):
        weight = 1.0 / team_size(settings, other)
        if ranks[other] < ranks[seat]:
            before += weight
        elif ranks[other] == ranks[seat]:
            equal += weight
    return 1.0 - 2.0 * (before + (equal - 1.0) / 2.0) / (teams - 1)


@kernel
def joint_score(settings, totals):
    """What all seats have reached together: the lowest total, scaled."""
    lowest = np.float64(totals[0])
    for other in range(np.int64(settings["seats"])):
        lowest = min(lowest, np.float64(totals[other]))
    return lowest / settings["joint_scale"]


@kernel
def seat_reward(settings, totals, ranks, seat):
    """What a finished game pays one seat."""
    seats = np.int64(settings["seats"])
    if not settings["is_contest"]:
        return joint_score(settings, totals)
    teams = num_teams(settings)
    if settings["reward"] == WIN:
        value = win_value(settings, ranks, seat, teams)
    elif settings["reward"] == RANK:
        value = rank_value(settings, ranks, seat, teams)
    else:
        value = margin(settings, totals, seat, teams)
    return value * seats / (teams * team_size(settings, seat))


@kernel
def put_rewards(settings, totals, ranks, out):
    """What a finished game pays: added to `out` by seat."""
    for seat in range(np.int64(settings["seats"])):
        out[seat] += seat_reward(settings, totals, ranks, seat)


@kernel
def potential(settings, public, seat):
    """P of a state for one seat, from the public totals."""
    if not settings["is_contest"]:
        return joint_score(settings, public)
    return margin(settings, public, seat, num_teams(settings))


@kernel
def is_due(settings, asked, over, seat):
    """Is the seat's shaping paid now: is it asked again, or the game over, or joint?"""
    return over or asked == seat or not settings["is_contest"]


@kernel
def take_secrets(settings, parts, totals):
    """Make totals public: without the parts that only their own seat knows."""
    for seat in range(np.int64(settings["seats"])):
        for part in range(parts.shape[1]):
            if settings["secret"][part]:
                totals[seat] -= parts[seat, part]
