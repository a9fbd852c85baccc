"""One fit of all games: how strong each entrant is, whatever its opponents, its places and what varies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.arena.tally import Sides
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.lab import Variation, lab_of
from genesia_rl.matches.series import Series
from genesia_rl.matches.variations import variation_of
from genesia_rl.stats.plackett_luce import Ratings, fit_plackett_luce

Array = npt.NDArray[Any]
PLACE = "place"


class Rated(NamedTuple):
    """A fit, and what its coefficients belong to."""

    ratings: Ratings
    covariates: tuple[str, ...]


def covariates_of(game: str) -> tuple[str, ...]:
    """What may be fitted besides: the place in the first turn order, and what varies."""
    variation = lab_of(game).variation
    return (PLACE,) if variation is None else (PLACE, variation.name)


def checked_covariates(text: str | None, game: str) -> tuple[str, ...]:
    """Covariates between commas."""
    found, known = tuple(part.strip() for part in text.split(",")) if text else (), covariates_of(game)
    for part in found:
        if part not in known:
            raise ConfigError(f"covariate {part!r}: unknown, allowed are {', '.join(known)}")
    return found


def varying(series: Series, covariates: tuple[str, ...]) -> Variation | None:
    """What varies, if it is to be fitted; where all games have the same of it, nothing can be said."""
    name = next((name for name in covariates if name != PLACE), None)
    if name is None:
        return None
    if not series.varied:
        raise ConfigError(f"covariate {name!r} with one choice of {name}, allowed is it with --varied")
    if len(series.cells) == 1:
        raise ConfigError(
            f"covariate {name!r} with {series.players} players, allowed is it with another number: every game "
            f"of {series.players} has the same {name}"
        )
    return variation_of(series.game_name)


def rate(
    series: Series, parts: Iterable[Sides], covariates: tuple[str, ...] = (), resamples: int = 1000
) -> Rated:
    """Fit the games of a series. Mirrors, in which an entrant plays only itself, say nothing of strength."""
    variation = varying(series, covariates)
    names = _covariate_names(series, covariates, variation)
    agents, places, blocks, columns = [], [], [], []
    for sides in parts:
        agents.append(sides.entrant)
        places.append(sides.place)
        blocks.append(sides.games["block"])
        columns.append(_columns(series, sides, covariates, variation))
    given = np.concatenate(columns) if names else None
    ratings = fit_plackett_luce(
        np.concatenate(agents), np.concatenate(places), np.concatenate(blocks), given,
        [entrant.name for entrant in series.entrants], resamples=resamples, told=names,
    )  # fmt: skip
    return Rated(ratings, names)


def _covariate_names(
    series: Series, covariates: tuple[str, ...], variation: Variation | None
) -> tuple[str, ...]:
    found: list[str] = []
    if PLACE in covariates:
        found += [series.lab.stages.after(f"place {side + 1}", 0) for side in range(len(series.sides))]
    if variation is not None:
        found += [f"{e.name} with {part}" for e in series.entrants[1:] for part in variation.parts[1:]]
    return tuple(found)


def _columns(series: Series, sides: Sides, covariates: tuple[str, ...], variation: Variation | None) -> Array:
    """[game, side, covariate]: dummies of the place, and of an entrant with a part in how many stages."""
    found = []
    if PLACE in covariates:
        first = [side[0] for side in series.sides]
        place = sides.games.place[:, 0, first]
        found.append(np.eye(len(series.sides))[place.argsort(axis=1).argsort(axis=1)])
    if variation is not None:
        found.append(_with_parts(series, sides, variation))
    return np.concatenate(found, axis=2) if found else np.zeros((*sides.entrant.shape, 0))


def _with_parts(series: Series, sides: Sides, variation: Variation) -> Array:
    """For every entrant but the first and every part but the first: in how many stages it is in play."""
    choices = variation.choices(series.players)
    inside = np.array([[part in choice for part in variation.parts] for choice in choices], np.float64)
    stages = range(len(series.cells[0]))
    often = sum(inside[sides.games.choice(series.cells, stage)] for stage in stages)
    who = np.eye(len(series.entrants))[sides.entrant]
    both = who[:, :, 1:, None] * np.asarray(often)[:, None, None, 1:]
    return np.asarray(both.reshape(*sides.entrant.shape, -1))
