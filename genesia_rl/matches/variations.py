"""Configurations in turn: what a game declares to vary, in all its combinations or in a balanced part of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from genesia_rl.core.errors import ConfigError, NotOffered
from genesia_rl.core.lab import Variation, lab_of


def variation_of(game_name: str) -> Variation:
    """What varies in a game from deal to deal if one wants it to."""
    found = lab_of(game_name).variation
    if found is None:
        raise NotOffered(f"game {game_name!r} offers no variation")
    return found


def checked_variation(game_name: str, fields: Mapping[str, Any]) -> Variation:
    """The variation; refused if the configuration already says what would vary."""
    variation = variation_of(game_name)
    if variation.refuses(fields):
        raise ConfigError(
            f"all {variation.name} together with {' or '.join(variation.fixed_by)} of the configuration, "
            "allowed is one of them"
        )
    return variation


def fields_of(
    game_name: str, players: int, wanted: int, fields: Mapping[str, Any] | None = None
) -> list[dict[str, Any]]:
    """A balanced set of at most so many configurations for so many players: what each sets in its fields.

    `fields` are those that a configuration was given; they may not say already what would vary.
    """
    variation = checked_variation(game_name, fields or {})
    return [variation.fields(players, cell) for cell in variation.cells(players, wanted)]
