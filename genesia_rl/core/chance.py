"""The random stream: splitmix64, the same numbers compiled, plain, alone or in a batch.

A stream is one `uint64` that its owner keeps. `mix(stream)` is the next output and
`stream + GOLDEN` the next stream; bounded numbers are drawn by multiply-and-shift from 32 bits.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import PLAIN, kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_A = np.uint64(0xBF58476D1CE4E5B9)
_MIX_B = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_11 = np.uint64(11)

if PLAIN:  # NumPy would warn of the overflow that is meant here
    _MASK = (1 << 64) - 1

    def advance(stream):
        """The stream after one output."""
        return np.uint64((int(stream) + int(GOLDEN)) & _MASK)

    def _times(a, b):
        return np.uint64((int(a) * int(b)) & _MASK)

else:

    @kernel
    def advance(stream):
        """The stream after one output."""
        return stream + GOLDEN

    @kernel
    def _times(a, b):
        return a * b


@kernel
def mix(stream):
    """The output that belongs to a stream: 64 well-mixed bits."""
    z = stream
    z = _times(z ^ (z >> _30), _MIX_A)
    z = _times(z ^ (z >> _27), _MIX_B)
    return z ^ (z >> _31)


@kernel
def below(output, bound):
    """A number 0..bound-1 from one output; the bias is less than bound / 2**32."""
    return np.int64(((output >> _32) * np.uint64(bound)) >> _32)


@kernel
def fraction(output):
    """A number in [0, 1) from one output."""
    return np.float64(output >> _11) * 2.0**-53


#: Parts the stream of a random player's choices from that of the deal, which comes from the same seed.
POLICY_STREAM = np.uint64(0xA5A5A5A55A5A5A5A)


@kernel
def policy_stream(seed):
    """The stream of a random player's choices in the game of a seed."""
    return mix(seed ^ POLICY_STREAM)


# ---------------------------------------------------------------- the same for arrays, without compiling


def mixed(streams):
    """`mix` for an array of streams."""
    z = np.asarray(streams, np.uint64)
    with np.errstate(over="ignore"):
        z = (z ^ z >> _30) * _MIX_A
        z = (z ^ z >> _27) * _MIX_B
    return np.asarray(z ^ z >> _31)


def keys(seeds, steps):
    """A random key for a decision each: from the game's seed and the decision's place in the game."""
    with np.errstate(over="ignore"):
        return mixed(
            np.asarray(seeds, np.uint64) + GOLDEN * (np.asarray(steps).astype(np.uint64) + np.uint64(1))
        )


def policy_streams(seeds, steps):
    """The streams of a random player after so many choices in the games of some seeds."""
    with np.errstate(over="ignore"):
        return mixed(np.asarray(seeds, np.uint64) ^ POLICY_STREAM) + GOLDEN * np.asarray(steps).astype(
            np.uint64
        )


def fractions(outputs):
    """Outputs as numbers in [0, 1)."""
    return (np.asarray(outputs, np.uint64) >> np.uint64(11)) * 2.0**-53
