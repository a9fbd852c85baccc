"""Players that need no learning: what recordings are made with.

The random policy makes the choices of the compiled `play_random`, decision for decision, so a game that
was played by the millions in the kernel can be recorded from its seed afterwards. It is plain Python:
calling a compiled helper would compile it anew in every process.
"""

from __future__ import annotations

from collections.abc import Callable

from genesia_rl.contract import Game, States
from genesia_rl.errors import ConfigError
from genesia_rl.trace import Chooser

_WORD = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_POLICY_STREAM = 0xA5A5A5A55A5A5A5A  # what parts a policy's stream from the deal's


def mix(stream: int) -> int:
    """The output of a splitmix64 stream: the plain twin of `rng.mix`."""
    z = stream & _WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _WORD
    return z ^ z >> 31


class RandomPolicy:
    """Each legal action as likely, from a stream of its own that the game's seed decides."""

    def __init__(self, seed: int) -> None:
        self._stream = mix((seed & _WORD) ^ _POLICY_STREAM)

    def __call__(self, game: Game, states: States) -> int:
        """The k-th legal action in ascending order; k is drawn by multiply-and-shift, as in `rng.below`."""
        legal = game.legal_actions(states, 0)
        k = (mix(self._stream) >> 32) * len(legal) >> 32
        self._stream = (self._stream + _GOLDEN) & _WORD
        return legal[k]


#: name -> what makes a chooser from a game's seed.
POLICIES: dict[str, Callable[[int], Chooser]] = {"random": RandomPolicy}


def make_policy(name: str, seed: int) -> Chooser:
    """A policy for one game; the same name and seed choose the same actions on every machine."""
    if name not in POLICIES:
        raise ConfigError(f"policy {name!r}: unknown, allowed are {', '.join(POLICIES)}")
    return POLICIES[name](seed)
