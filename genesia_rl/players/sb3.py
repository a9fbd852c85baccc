"""`sb3:PATH`: a model that stable-baselines3 or sb3-contrib has saved (`model.save(PATH)`), as a player.

Its policy is asked for the scores of all actions (logits, or values), of which the best legal one is taken: masks hold
for models that know none, too. How it saw the game when it learned is read off its observation space: the flat bytes,
normalised or not, or groups. What was done to observations beside the model (`VecNormalize`, say) is not in the file.

Such a file holds pickles, which run code when they are loaded, as with stable-baselines3 itself: take only those that
you trust. The policy runs on one thread: more of them wait for one another on a machine that is in use.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.envs.spaces import FORMS, ObservationForm

Array = npt.NDArray[Any]
#: What a policy is never asked for here; saved schedules may not be readable by another version of Python.
NOT_LOADED = {"learning_rate": 0.0, "lr_schedule": lambda _: 0.0, "clip_range": lambda _: 0.0}


class SB3Player(Player):
    """The policy of a saved model; its best legal action."""

    version = 1

    def __init__(self, path: str) -> None:
        self.name, self._path = f"sb3:{path}", path
        self._policy, self._space = load_policy(self._path)
        self._forms: dict[int, tuple[Game, ObservationForm]] = {}

    def fingerprint(self, game: Game) -> str:
        """A digest of the file."""
        return hashlib.blake2b(file_of(self._path).read_bytes(), digest_size=8).hexdigest()

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """For each row the legal action that the policy scores highest."""
        import torch

        from genesia_rl.players.ops_torch import one_thread

        seen = self._form(decisions.game)(decisions.observation)
        with one_thread(), torch.no_grad():
            scores = scores_of(self._policy, self._policy.obs_to_tensor(seen)[0])
        return np.asarray(np.where(decisions.mask != 0, scores, -np.inf).argmax(axis=1), np.int64)

    def _form(self, game: Game) -> ObservationForm:
        """How the model sees this game."""
        if id(game) not in self._forms:
            self._forms[id(game)] = game, form_of(game, self._policy, self._space, self._path)
        return self._forms[id(game)][1]

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "_path": self._path}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._policy, self._space = load_policy(self._path)
        self._forms = {}


def file_of(path: str) -> Path:
    """The file; as stable-baselines3 has it, `.zip` may be left out."""
    file = Path(path)
    return file if file.exists() or file.suffix == ".zip" else file.with_name(file.name + ".zip")


def load_policy(path: str) -> tuple[Any, Any]:
    """The policy of a saved model, and the space of what it sees."""
    try:
        from stable_baselines3.common.save_util import load_from_zip_file
    except ModuleNotFoundError as error:
        raise ConfigError(f'agent sb3:{path} needs {error.name}: pip install "genesia-rl[sb3]"') from None
    file = file_of(path)
    if not file.is_file():
        raise DataError(f"{file}: no such file, allowed is a model saved by stable-baselines3 (.zip)")
    try:
        data, weights, _ = load_from_zip_file(file, device="cpu", custom_objects=NOT_LOADED)
        if data is None:
            raise ValueError("it holds no settings")
        policy = _made(data)
        policy.load_state_dict(weights["policy"])
    except ModuleNotFoundError as error:
        raise ConfigError(f"agent sb3:{path} needs {error.name}, which the model was made with") from None
    except Exception as error:  # a damaged archive, or a foreign one, raises nearly anything
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise DataError(
            f"{file}: not a model saved by stable-baselines3 ({reason}), allowed is its .zip"
        ) from None
    policy.set_training_mode(False)
    if not any(hasattr(policy, name) for name in ("get_distribution", "q_net", "quantile_net")) or _recurrent(
        policy
    ):
        raise DataError(
            f"{file}: a policy of the class {type(policy).__name__}, allowed are those that score actions by what is "
            "seen now: of PPO, A2C, TRPO, MaskablePPO, DQN, QRDQN"
        )
    return policy, data["observation_space"]


def _made(data: dict[str, Any]) -> Any:
    """The policy as the algorithm makes it."""
    given = data.get("policy_kwargs") or {}
    return data["policy_class"](data["observation_space"], data["action_space"], lambda _: 0.0, **given)


def _recurrent(policy: Any) -> bool:
    """One that remembers what it has seen: players keep no memory of a game."""
    return hasattr(policy, "lstm_actor")


def scores_of(policy: Any, seen: Any) -> npt.NDArray[np.float32]:
    """What the policy thinks of each action."""
    if hasattr(policy, "get_distribution"):
        logits = policy.get_distribution(seen).distribution.logits
    elif hasattr(policy, "quantile_net"):
        logits = policy.quantile_net(seen).mean(dim=1)
    else:
        logits = policy.q_net(seen)
    return np.asarray(logits.numpy(), np.float32)


def form_of(game: Game, policy: Any, space: Any, path: str) -> ObservationForm:
    """The form of observations that has the model's space."""
    actions = getattr(policy.action_space, "n", None)
    if actions is None or int(actions) != game.num_actions:
        raise DataError(
            f"{path}: {policy.action_space}, allowed in this game is Discrete({game.num_actions})"
        )
    for form in FORMS:
        for normalise in (False, True):
            found = ObservationForm(game, form, normalise)
            if _alike(found.space, space):
                return found
    raise DataError(
        f"{path}: observes {_in_short(space)}, allowed in this game with {game.num_seats} seats is "
        f"{_in_short(ObservationForm(game).space)}, normalised, or in groups"
    )


def _alike(ours: Any, theirs: Any) -> bool:
    """Equal but for bounds, which some wrappers widen."""
    if isinstance(ours, spaces.Dict) and isinstance(theirs, spaces.Dict):
        both = ours.spaces.keys() == theirs.spaces.keys()
        return both and all(_alike(held, theirs.spaces[name]) for name, held in ours.spaces.items())
    return type(ours) is type(theirs) and (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)


def _in_short(space: Any) -> str:
    if isinstance(space, spaces.Dict):
        return "a dict of " + ", ".join(space.spaces)
    return f"{space.dtype} of shape {space.shape}"
