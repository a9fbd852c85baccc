"""Games that are numbers drawn by chance: a search for better numbers can be tried on thousands of them.

Every thing has a strength, by how much its holder wins oftener; each of its numbers adds to it. What is measured
is the strength and the luck of the deal, which is the same for all configurations on the same deals.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

import numpy as np

from genesia_rl.lab.arms import Condition
from genesia_rl.lab.goals import ADVANTAGE, POINT, Goal, Question
from genesia_rl.lab.numbers import Number, Values
from genesia_rl.lab.trial import SHARDS, Measured
from genesia_rl.stats.estimate import around

LIMIT = 0.05
GOAL = Goal(ADVANTAGE, "relics", -math.inf, LIMIT, POINT, "natural")


def number(relic: int, name: str, value: int, plainness: float = 1.0, helps: int = 1) -> Number:
    """A number of a relic."""
    return Number(
        "r.toml",
        ("relic", relic, name),
        f"{relic} {name}",
        value,
        0,
        12,
        1,
        plainness,
        ("relics", relic),
        helps,
        (),
    )


class World:
    """Relics from 1 on with these strengths; `brings` is what a step of each number adds to its relic."""

    def __init__(
        self, strengths: Sequence[float], numbers: Sequence[Number], brings: Sequence[float], seed: int = 0,
        levels: int = 1, games: int = 4000, apart: float = 0.3,
    ) -> None:  # fmt: skip
        self.strengths, self.numbers, self.brings = np.array(strengths), numbers, brings
        self.seed, self.games, self.apart = seed, games, apart
        self.played: list[str] = []
        self.questions = [
            Question(GOAL, ("relics", relic), f"{relic}", Condition(f"policy{level}", 2, games))
            for level in range(levels)
            for relic in range(1, len(strengths) + 1)
        ]

    def truth(self, values: Values) -> np.ndarray:
        """The strength of each relic."""
        found = self.strengths.copy()
        for one, value, brings in zip(self.numbers, values, self.brings, strict=True):
            assert one.subject is not None
            found[one.subject[1] - 1] += brings * (value - one.value)
        return found

    def __call__(self, deals: str, configurations: Sequence[Values], often: float) -> list[Measured]:
        """What is measured; other deals are other luck."""
        self.played += [deals] * len(configurations)
        rng = np.random.default_rng([self.seed, zlib.crc32(deals.encode())])
        each = max(1, round(self.games * often / SHARDS))
        shape, error = (SHARDS, len(self.questions)), 1 / math.sqrt(each)
        luck = rng.normal(0.0, error, shape)
        found = []
        for k, values in enumerate(configurations):
            own = np.random.default_rng(
                [self.seed, zlib.crc32(deals.encode()), k, zlib.crc32(repr(values).encode())]
            )
            truth = np.tile(self.truth(values), len(self.questions) // len(self.strengths))
            means = truth + math.sqrt(1 - self.apart**2) * luck + self.apart * own.normal(0.0, error, shape)
            se = error / math.sqrt(SHARDS)
            estimates = [around(float(mean), se, each * SHARDS, each * SHARDS) for mean in means.mean(axis=0)]
            found.append(
                Measured(self.questions, estimates, np.stack([means * each, np.full(shape, each)], axis=2))
            )
        return found
