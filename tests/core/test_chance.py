"""The random stream: splitmix64, the same numbers on every machine, compiled or not, alone or in a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from env_tools import FEW, game_of

from genesia_rl.core import chance
from genesia_rl.core.compile import kernel
from genesia_rl.core.registry import make_game
from genesia_rl.testing.stream import Stream

Outputs = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]

#: The first outputs of the published splitmix64 (Vigna's C code) for two seeds.
OUTPUTS = {
    0: (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B),
    1234567: (
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ),
}  # fmt: skip


@kernel
def draw(seed: np.uint64, bounds: Numbers, raw: Outputs, bounded: Numbers) -> None:
    """Outputs of a stream, whole and below a bound; a test of the kernels as kernels use them."""
    stream = seed
    for place in range(raw.shape[0]):
        stream = chance.advance(stream)
        raw[place] = chance.mix(stream)
        bounded[place] = chance.below(raw[place], bounds[place])


def drawn(seed: int, bounds: list[int]) -> tuple[Outputs, Numbers]:
    """As many outputs as bounds."""
    raw, bounded = np.zeros(len(bounds), np.uint64), np.zeros(len(bounds), np.int64)
    draw(np.uint64(seed), np.array(bounds, np.int64), raw, bounded)
    return raw, bounded


@pytest.mark.parametrize("seed", OUTPUTS)
def test_the_stream_is_the_published_splitmix64(seed: int) -> None:
    raw, _ = drawn(seed, [1] * 5)
    assert tuple(raw.tolist()) == OUTPUTS[seed]
    stream = Stream(seed)
    assert tuple(stream.next() for _ in range(5)) == OUTPUTS[seed]


def test_python_and_compiled_streams_agree_for_many_seeds_and_bounds() -> None:
    bounds = [1, 2, 3, 5, 6, 33, 99, 832, (1 << 31) - 1] * 100
    for seed in (0, 1, 7, 2**32, 2**63, 2**64 - 1):
        stream, again = Stream(seed), Stream(seed)
        raw, bounded = drawn(seed, bounds)
        assert raw.tolist() == [stream.next() for _ in bounds]
        assert bounded.tolist() == [again.below(bound) for bound in bounds]


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 6, 7, 12, 33, 64, 99, 832])
def test_bounded_numbers_reach_every_value_and_no_other(bound: int) -> None:
    _, bounded = drawn(bound, [bound] * 100 * bound)
    assert set(bounded.tolist()) == set(range(bound))


def test_bounded_numbers_are_about_equally_frequent() -> None:
    """Chi-squared with 5 degrees of freedom is below 20.5 in all but one of a thousand streams."""
    _, bounded = drawn(3, [6] * 60_000)
    counts = np.bincount(bounded, minlength=6)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 20.5


def test_the_greatest_output_stays_below_the_bound() -> None:
    most = np.uint64(2**64 - 1)
    bounded = np.zeros(3, np.int64)
    put_below(most, np.array([1, 6, 832], np.int64), bounded)
    assert bounded.tolist() == [0, 5, 831]


@kernel
def put_below(output: np.uint64, bounds: Numbers, out: Numbers) -> None:
    """Bounded numbers of one output."""
    for place in range(out.shape[0]):
        out[place] = chance.below(output, bounds[place])


# ---------------------------------------------------------------- games of a seed

SEEDS = np.array([0, 1, 2, 3, 2**63, 2**64 - 1, 12345678901234567890, 7], np.uint64)


def results_of(variant: str, seeds: npt.NDArray[np.uint64], size: int, place: int) -> list[bytes]:
    """What comes of the seeds, played at a place of a batch of records."""
    game = game_of(variant)
    states, results = game.new_states(size), np.zeros(len(seeds), game.facts.result_dtype)
    game.kernels.play_random(states, place, game.tables, seeds, results)
    return [row.tobytes() for row in results]


@pytest.mark.parametrize("variant", FEW)
def test_a_seed_is_the_same_game_at_any_place_of_any_batch(variant: str) -> None:
    alone = [results_of(variant, SEEDS[k : k + 1], 1, 0)[0] for k in range(len(SEEDS))]
    assert results_of(variant, SEEDS, 1, 0) == alone
    assert results_of(variant, SEEDS[::-1].copy(), 9, 5) == alone[::-1]
    assert len(set(alone)) == len(alone)


def test_seeds_are_taken_modulo_two_to_the_64() -> None:
    game = make_game()
    states = game.new_states(3)
    seeds: list[Any] = [-1, 2**64 - 1, np.int64(-1)]  # numpy's integers are no `int` to a type checker
    for i, seed in enumerate(seeds):
        game.reset(states, i, seed)
    assert states[0].tobytes() == states[1].tobytes() == states[2].tobytes()


# ---------------------------------------------------------------- the same for arrays


def test_arrays_of_streams_are_mixed_as_single_ones() -> None:
    seeds = np.array([Stream(seed).next() for seed in range(200)], np.uint64)
    streams = [Stream(int(seed)) for seed in seeds]
    with np.errstate(over="ignore"):
        mixed = chance.mixed(seeds + chance.GOLDEN)
    assert mixed.tolist() == [stream.next() for stream in streams]
    assert chance.mixed(seeds).tolist() == [int(chance.mix(seed)) for seed in seeds]


def test_the_streams_of_a_random_player_are_those_of_the_compiled_one() -> None:
    for seed in (0, 7, 2**63, 2**64 - 1):
        stream = chance.policy_stream(np.uint64(seed))
        for steps in range(5):
            assert chance.policy_streams([seed], [steps])[0] == stream
            stream = chance.advance(np.uint64(stream))


def test_keys_of_decisions_differ_by_seed_and_by_step_and_are_spread_evenly() -> None:
    seeds, steps = np.repeat(np.arange(100, dtype=np.uint64), 50), np.tile(np.arange(50), 100)
    keys = chance.keys(seeds, steps)
    assert len(set(keys.tolist())) == 5_000
    drawn = chance.fractions(keys)
    assert drawn.min() >= 0 and drawn.max() < 1
    assert abs(drawn.mean() - 0.5) < 0.02  # five standard deviations
