"""The pairing of experiments/selfplay_ppo.py against a replay in PettingZoo's cycle, decision by decision.

What is expected is written down per (game, seat) by playing the same games with the same actions in the
AEC environment, where an agent's reward since its last action is what `last()` says at its next turn.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from experiments.selfplay_ppo import Storage, collect  # noqa: E402
from genesia_rl.core.game import Game  # noqa: E402
from genesia_rl.core.registry import default_game, make_game  # noqa: E402
from genesia_rl.envs.aec import next_seed, raw_env  # noqa: E402
from genesia_rl.vector.batch import Batch  # noqa: E402

NUM_GAMES, STEPS = 3, 23  # rollouts end in the middle of everything


class Decision(NamedTuple):
    """A decision of a seat, and what came of it; `following` is None at the end of the game."""

    observation: bytes
    mask: bytes
    action: int
    paid: float
    following: bytes | None


class Scripted:
    """Random legal actions, written down by row; what it calls a value is a hash of the position."""

    def __init__(self, num_games: int) -> None:
        self.rng = np.random.default_rng(5)
        self.actions: list[list[int]] = [[] for _ in range(num_games)]

    def __call__(
        self, observation: np.ndarray, mask: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """A policy as `collect` asks for it."""
        action = np.array([self.rng.choice(np.flatnonzero(legal)) for legal in mask])
        for row, a in zip(self.actions, action.tolist(), strict=True):
            row.append(a)
        return (
            action,
            np.zeros(len(action), np.float32),
            np.array([worth(o) for o in observation], np.float32),
        )


def worth(observation: np.ndarray) -> float:
    """A number that hardly any other position has; never 0, which stands for no value."""
    return (zlib.crc32(observation.tobytes()) % 65521 + 1) / 65522


def replay(
    players: int, seed: int, actions: list[int], **options: Any
) -> Iterator[tuple[int, str, Decision]]:
    """Games of one row, one after the other: (game, agent, its decision)."""
    env = raw_env(default_game(), players=players, **options)
    env.reset(seed=seed)
    rest, episode = iter(actions), 0
    while True:
        held: dict[str, tuple[bytes, bytes, int]] = {}
        for agent in env.agent_iter():
            seen, paid, ended, _, _ = env.last()
            action = None if ended else next(rest, None)
            if action is None and not ended:
                return  # the seat to act has not yet decided: nor does its last decision have a successor
            now = seen["observation"].tobytes()
            if agent in held:
                yield episode, agent, Decision(*held.pop(agent), paid, None if ended else now)
            if action is not None:
                held[agent] = now, seen["action_mask"].tobytes(), action
            env.step(action)
        env.reset()
        episode += 1


def run(
    players: int, rollouts: int, **options: Any
) -> tuple[Scripted, dict[tuple[int, str], list[Decision]]]:
    """The decisions that the trainer would learn from, by (row, agent), in the order of time."""
    game = make_game(players=players)
    batch, storage = Batch(game, NUM_GAMES, **options), Storage(game, STEPS, NUM_GAMES)
    batch.reset(np.arange(NUM_GAMES))
    policy = Scripted(NUM_GAMES)
    found: dict[tuple[int, str], list[Decision]] = {}
    for _ in range(rollouts):
        collect(batch, storage, policy, gae_lambda=0.0)
        for slot, row in zip(*storage.complete(), strict=True):
            agent = f"player_{storage.seat[slot, row]}"
            found.setdefault((int(row), agent), []).append(decision(storage, slot, row))
    return policy, found


def decision(storage: Storage, slot: int, row: int) -> Decision:
    """What is stored; `following` is checked by its value in `same`."""
    at = slot, row
    value = float(storage.next_value[at])
    assert storage.advantage[at] == pytest.approx(storage.paid[at] + value - storage.value[at], abs=1e-6)
    assert storage.value[at] == np.float32(worth(storage.observation[at]))
    following = np.float32(value).tobytes() if value else None
    return Decision(
        storage.observation[at].tobytes(), storage.mask[at].tobytes(), int(storage.action[at]),
        float(storage.paid[at]), following,
    )  # fmt: skip


def same(stored: Decision, expected: Decision) -> bool:
    """Equal in all; of the following position the stored one has the value only."""
    following = expected.following
    if following is not None:
        following = np.float32(worth(np.frombuffer(following, np.int8))).tobytes()
    return (
        stored[:3] == expected[:3]
        and stored.following == following
        and stored.paid == pytest.approx(expected.paid, abs=1e-5)
    )


@pytest.mark.parametrize("shaping", [0.0, 1.0])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_decisions_are_paired_with_their_own_seats_rewards(players: int, shaping: float) -> None:
    policy, found = run(players, rollouts=60, shaping=shaping)
    for row in range(NUM_GAMES):
        expected: dict[str, list[Decision]] = {}
        games = 0
        for episode, agent, made in replay(players, row, policy.actions[row], shaping=shaping):
            expected.setdefault(agent, []).append(made)
            games = episode
        assert games >= 2
        for agent, decisions in expected.items():
            stored = found[row, agent]
            assert len(stored) == len(decisions)  # none is lost, none comes twice, at no border
            assert all(map(same, stored, decisions)), (row, agent)


@pytest.mark.parametrize("reward", ["win", "rank", "score"])
def test_what_is_stored_sums_up_to_the_final_rewards(reward: str) -> None:
    players = 3
    policy, found = run(players, rollouts=80, reward=reward)
    game = make_game(players=players)
    for row in range(NUM_GAMES):
        finals = list(final_rewards(game, row, policy.actions[row], reward))
        assert len(finals) >= 2
        for seat in range(players):
            stored = found[row, f"player_{seat}"]
            ends = [i + 1 for i, made in enumerate(stored) if made.following is None]
            sums = [sum(d.paid for d in stored[a:b]) for a, b in pairwise([0, *ends])]
            assert sums == pytest.approx([final[seat] for final in finals])


def final_rewards(game: Game, seed: int, actions: list[int], reward: str) -> Iterator[np.ndarray]:
    """What the games of a row paid all seats, played with the contract's own methods."""
    states, rest = game.new_states(), iter(actions)
    while True:
        game.reset(states, 0, seed)
        while not game.is_over(states, 0):
            action = next(rest, None)
            if action is None:
                return
            game.step(states, 0, game.from_view(game.seat(states, 0), action))
        yield game.returns(states, 0, reward)
        seed = next_seed(seed)


def reference_advantages(decisions: list[tuple[float, float, float]], gae_lambda: float) -> list[float]:
    """GAE of one seat's (paid, value, value of the next one or 0) by its definition, a sum of sums."""
    deltas = [paid + following - value for paid, value, following in decisions]
    return [sum(gae_lambda**k * delta for k, delta in enumerate(deltas[i:])) for i in range(len(deltas))]


def test_advantages_by_their_definition() -> None:
    game = make_game(players=2)
    batch, storage = Batch(game, 1, shaping=1.0), Storage(game, 400, 1)
    batch.reset(4)
    policy = Scripted(1)
    for _ in range(3):
        collect(batch, storage, policy, gae_lambda=0.9)
        for seat in range(2):
            slots = np.flatnonzero(storage.closed[:, 0] & (storage.seat[:, 0] == seat))
            made = [(storage.paid[k, 0], storage.value[k, 0], storage.next_value[k, 0]) for k in slots]
            ends = [i + 1 for i, (_, _, following) in enumerate(made) if following == 0]
            expected = []
            for a, b in pairwise([0, *ends, len(made)]):
                expected += reference_advantages(made[a:b], 0.9)
            assert storage.advantage[slots, 0] == pytest.approx(expected, abs=1e-4)
