"""One fit of all games: how strong each entrant is, whatever its opponents, places and lots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.arena.tally import Sides
from experiments.matches.lots import choices
from experiments.matches.series import Series
from experiments.stats.plackett_luce import Ratings, fit_plackett_luce
from genesia_rl.errors import ConfigError
from genesia_rl.games.genesia.names import AGES, COLOURS

Array = npt.NDArray[Any]
COVARIATES = ("place", "lots")


class Rated(NamedTuple):
    """A fit, and what its coefficients belong to."""

    ratings: Ratings
    covariates: tuple[str, ...]


def checked_covariates(text: str | None) -> tuple[str, ...]:
    """Covariates between commas."""
    found = tuple(part.strip() for part in text.split(",")) if text else ()
    for part in found:
        if part not in COVARIATES:
            raise ConfigError(f"covariate {part!r}: unknown, allowed are {', '.join(COVARIATES)}")
    return found


def require_lots(series: Series, covariates: tuple[str, ...]) -> None:
    """Where all games have the same lots, nothing can be said of them."""
    if "lots" not in covariates:
        return
    if not series.lots:
        raise ConfigError("covariate 'lots' with one choice of lots, allowed is it with --all-lots")
    if len(series.cells) == 1:
        raise ConfigError(
            f"covariate 'lots' with {series.players} players, allowed is it with fewer: "
            f"{series.players} of {len(COLOURS)} colours are the same lots in every game"
        )


def rate(
    series: Series, parts: Iterable[Sides], covariates: tuple[str, ...] = (), resamples: int = 1000
) -> Rated:
    """Fit the games of a series. Mirrors, in which an entrant plays only itself, say nothing of strength."""
    require_lots(series, covariates)
    names = _covariate_names(series, covariates)
    agents, places, blocks, columns = [], [], [], []
    for sides in parts:
        agents.append(sides.entrant)
        places.append(sides.place)
        blocks.append(sides.games["block"])
        columns.append(_columns(series, sides, covariates))
    given = np.concatenate(columns) if names else None
    ratings = fit_plackett_luce(
        np.concatenate(agents), np.concatenate(places), np.concatenate(blocks), given,
        [entrant.name for entrant in series.entrants], resamples=resamples, told=names,
    )  # fmt: skip
    return Rated(ratings, names)


def _covariate_names(series: Series, covariates: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    if "place" in covariates:
        found += [f"place {place + 1} in Age I" for place in range(len(series.sides))]
    if "lots" in covariates:
        found += [f"{e.name} with {colour}" for e in series.entrants[1:] for colour in COLOURS[1:]]
    return tuple(found)


def _columns(series: Series, sides: Sides, covariates: tuple[str, ...]) -> Array:
    """[game, side, covariate]: dummies of the place, and of an entrant with a lot in how many Ages."""
    found = []
    if "place" in covariates:
        first = [side[0] for side in series.sides]
        place = sides.games.place[:, 0, first]
        found.append(np.eye(len(series.sides))[place.argsort(axis=1).argsort(axis=1)])
    if "lots" in covariates:
        found.append(_with_lots(series, sides))
    return np.concatenate(found, axis=2) if found else np.zeros((*sides.entrant.shape, 0))


def _with_lots(series: Series, sides: Sides) -> Array:
    """For every entrant but the first and every colour but the first: in how many Ages it is in play."""
    names = choices(series.players)
    inside = np.array([[colour in lots for colour in COLOURS] for lots in names], np.float64)
    ages = sum(inside[sides.games.combination(series.cells, age)] for age in range(AGES))
    who = np.eye(len(series.entrants))[sides.entrant]
    both = who[:, :, 1:, None] * np.asarray(ages)[:, None, None, 1:]
    return np.asarray(both.reshape(*sides.entrant.shape, -1))
