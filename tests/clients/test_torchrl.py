"""torchrl: its `GymEnv` by the id, and its wrapper of PettingZoo on all seats; masks are kept in both."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torchrl")

import torch
from torchrl.data import Binary
from torchrl.envs import ActionMask, TransformedEnv
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.envs.libs.gym import GymEnv
from torchrl.envs.libs.pettingzoo import PettingZooWrapper

import genesia_rl
from genesia_rl.core.registry import game_names
from genesia_rl.envs.registration import title_of

torch.set_num_threads(1)


def legal(env: Any) -> TransformedEnv:
    """The environment with the mask of its infos, of which random actions and policies are drawn."""
    mask = Binary(n=env.action_spec.shape[-1], dtype=torch.bool)
    env.set_info_dict_reader(default_info_dict_reader({"action_mask": mask}))
    return TransformedEnv(env, ActionMask())


@pytest.mark.parametrize("game", game_names())
def test_gym_env_by_the_id(game: str) -> None:
    env = GymEnv(f"{title_of(game)}-v0")
    first = env.reset()
    assert first["observation"].shape == env.observation_spec["observation"].shape
    with pytest.raises(TypeError, match="unexpected keyword argument 'difficulty'"):
        GymEnv(f"{title_of(game)}-v0", difficulty=3)


@pytest.mark.parametrize("game", game_names())
def test_gym_env_draws_legal_actions_with_the_mask_of_its_infos(game: str) -> None:
    rollout = legal(GymEnv(f"{title_of(game)}-v0", illegal="raise")).rollout(80, break_when_any_done=False)
    taken, mask = rollout["action"].bool(), rollout["action_mask"].bool()
    assert rollout.batch_size[0] == 80 and (mask.sum(-1) >= 2)[~rollout["done"].flatten()].all()
    assert (taken.sum(-1) == 1).all() and (taken & mask).any(-1).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_torchrl_rolls_out_all_seats_with_masks(players: int) -> None:
    env = PettingZooWrapper(
        env=genesia_rl.make(players=players), use_mask=True, categorical_actions=True, seed=0
    )
    rollout = env.rollout(60)
    assert rollout.batch_size[0] == 60
    for step in range(60):
        seats = [rollout[f"player_{seat}"][step] for seat in range(players)]
        (asked,) = [seat for seat in seats if seat["mask"].any()]  # who is selected in this step
        assert asked["action_mask"].flatten()[asked["action"].flatten()].all()
        assert 2 <= asked["action_mask"].sum() < asked["action_mask"].numel()


def test_a_game_to_its_end_keeps_masks_and_tells_the_result() -> None:
    env = PettingZooWrapper(env=genesia_rl.make(players=2), use_mask=True, categorical_actions=True, seed=0)
    rollout = env.rollout(2000)
    end = rollout[-1]["next"]
    assert end["done"].all() and rollout.batch_size[0] < 2000
    for seat in ("player_0", "player_1"):
        asked = rollout[seat]["mask"].flatten()
        taken = rollout[seat]["action_mask"][:, 0].gather(1, rollout[seat]["action"])
        assert taken[asked].all()
        assert (rollout[seat, "info", "rank"] == -1).all() and end[seat, "info", "rank"] >= 0
    assert end["player_0", "reward"].item() == -end["player_1", "reward"].item()
