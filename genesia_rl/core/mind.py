"""What a game knows about playing it well: scripted characters, and what a search should know.

A game that has a mind keeps it in its part `mind`, as `MIND`. A *plan* is one record that the game's compiled
functions read: the weights of a character, and the tables that follow from them for one configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from genesia_rl.core.registry import offers, part_of

Plan = npt.NDArray[np.void]
Weights = Mapping[str, Any]
#: The plan of a game whose actions all look alike.
NO_PLAN = np.dtype([("nothing", np.int8)])


class MindKernels(NamedTuple):
    """The compiled functions of core/loops/minds.py, filled with a game's mind."""

    choose_rows: Callable[
        ..., None
    ]  # (states, rows, tables, which, plans, scratch, keys, actions, scores, chosen)
    score_row: Callable[..., int]  # (states, i, tables, plans, scratch, actions, scores)
    play_plans: Callable[..., int]  # (states, tables, seeds, plans, lineups, actions, scores, results)


class SearchKernels(NamedTuple):
    """The compiled functions of core/loops/search.py, filled with a game's rules and its mind, if it has one."""

    # (states, i, tables, plans, settings, styles, *tree, games, key, number, fresh)
    grow: Callable[..., None]
    # (states, tables, seeds, seats, plans, settings, styles, number, *tree, games, results)
    play_searching: Callable[..., None]


class SelfplayKernels(NamedTuple):
    """The compiled functions of core/loops/selfplay.py, filled with a game's rules and its mind, if it has one."""

    # (states, tables, which, seeds, lineups, learns, nets, inputs, adviser, plans, settings, lessons, size, room,
    # trace, results)
    play_networks: Callable[..., int]
    # (states, rows, tables, which, adviser, scratch, columns, traits, actions, scores, out)
    trait_rows: Callable[..., None]


class GuidedKernels(NamedTuple):
    """The compiled functions of core/loops/guided.py, filled behind those of search and of networks."""

    # (states, i, tables, settings, styles, nets, inputs, adviser, size, room, *tree, games, key, number,
    # fresh)
    grow: Callable[..., None]
    # (states, tables, which, seeds, seats, settings, styles, nets, inputs, adviser, size, room, number, *tree, games,
    # results)
    play: Callable[..., int]


class Mind(NamedTuple):
    """What a search needs of a game, and its scripted players, if there are any.

    Of the characters (code -> what it is) the first is the one that a search builds on, and that says the traits of
    actions: numbers, -128..127, that a network may read beside the observation (name -> what it weighs in a network
    that has learned nothing, as a part of a logit). `ADVICE` (core/advice.py) are those that any mind's scores say.
    """

    search: SearchKernels
    most_actions: int  # that are legal in one decision
    kernels: MindKernels | None = None
    selfplay: SelfplayKernels | None = None
    guided: GuidedKernels | None = None
    characters: Mapping[str, str] = {}
    weights: Callable[[], Mapping[str, Weights]] = dict  # of every character
    make_plan: Callable[[Any, Weights], Plan] = lambda game, weights: np.zeros(1, NO_PLAN)
    par: float = 0.0  # in a joint game, the score that counts as nothing gained
    spread: float = 40.0  # points of a lead that count as a lot
    traits: Mapping[str, float] = {}


def selfplay_of(game: str) -> SelfplayKernels:
    """Whole games of networks: with the game's scripted players, if it has a mind."""
    if offers(game, "mind"):
        found = mind_of(game).selfplay
        if found is not None:
            return found
    return cast("SelfplayKernels", part_of(game, "compiled", "whole games of networks").SELFPLAY)


def mind_of(game: str) -> Mind:
    """The mind of a game; an error if it has none."""
    return cast("Mind", part_of(game, "mind", "scripted players and no search").MIND)
