"""Who plays the games that are recorded: the random policy of the kernel, or agents by their codes.

The random policy makes the choices of the compiled `play_random`, decision for decision, so a game that
was played by the millions in the kernel can be recorded from its seed afterwards. It is plain Python:
calling a compiled helper would compile it anew in every process.
"""

from __future__ import annotations

from genesia_rl.contract import Game, States
from genesia_rl.errors import ConfigError
from genesia_rl.seen import Seen, player_of
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


class AgentPolicy:
    """Agents by their codes: one for all seats, or one for each."""

    def __init__(self, codes: str, seed: int) -> None:
        self._codes, self._seed = codes, seed
        self._players = [player_of(code.strip()) for code in codes.split(",")]

    def __call__(self, game: Game, states: States) -> int:
        """The acting seat's agent decides, by what its seat is shown."""
        number, seats = len(self._players), game.num_seats
        if number not in (1, seats):
            raise ConfigError(f"policy {self._codes!r}: {number} agents, allowed is 1 for all or {seats}")
        seat = game.seat(states, 0)
        player = self._players[seat % len(self._players)]
        return game.from_view(seat, player.act(Seen.one(game, states, 0, self._seed)))


def make_policy(name: str, seed: int) -> Chooser:
    """A policy for one game, `random` or codes of agents; the same name and seed choose the same actions."""
    return RandomPolicy(seed) if name == "random" else AgentPolicy(name, seed)
