"""torchrl's wrapper of PettingZoo rolls out the AEC environment."""

from __future__ import annotations

import pytest

pytest.importorskip("torchrl")

from torchrl.envs.libs.pettingzoo import PettingZooWrapper

import genesia_rl


@pytest.mark.parametrize("players", [2, 3, 4])
def test_torchrl_rolls_out_with_masks(players: int) -> None:
    env = PettingZooWrapper(
        env=genesia_rl.make(players=players), use_mask=True, categorical_actions=True, seed=0
    )
    rollout = env.rollout(60)
    assert rollout.batch_size[0] == 60
    for step in range(60):
        seats = [rollout[f"player_{seat}"][step] for seat in range(players)]
        (asked,) = [seat for seat in seats if seat["mask"].any()]  # who is selected in this step
        assert asked["action_mask"].flatten()[asked["action"].flatten()].all()
