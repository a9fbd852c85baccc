"""Errors that are the user's to mend: each names the thing, its value and what is allowed."""

from __future__ import annotations


class GenesiaError(ValueError):
    """The base of every error that this package raises about what it was given."""


class NotOffered(GenesiaError):
    """A game does not offer what was asked of it."""


class ConfigError(GenesiaError):
    """A field of the configuration breaks a constraint."""


class ArgumentError(ConfigError, TypeError):
    """An argument that is not taken: as Python's own, a `TypeError` too.

    Libraries try which arguments an environment takes, and leave out those that this is raised for.
    """


class DataError(GenesiaError):
    """A data file does not say what it should."""


class PositionError(GenesiaError):
    """An explicit position breaks a rule."""


class StateError(GenesiaError):
    """Bytes are no state of a game."""


class TraceError(GenesiaError):
    """A trace cannot be read or does not follow its format."""


class ActionError(GenesiaError):
    """An action cannot be parsed, or is not legal now."""


class PlayerError(GenesiaError):
    """A player chose an action that is not legal."""
