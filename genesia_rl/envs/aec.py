"""PettingZoo's agent-environment cycle over any game of the contract.

Every seat is an agent; one agent may be selected many times in a row, which is how a turn of several
actions is made. `GameAEC` is the raw environment. `CheckedAEC` gives, in one flat layer, what
PettingZoo's usual three wrappers give: nothing may be read or called before `reset`, actions must be in the
action space, `agent_iter` needs a step for every agent it yields, and stepping after the end warns.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import logger, spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable, AECIterator
from pettingzoo.utils.env_logger import EnvLogger

from genesia_rl.core import chance
from genesia_rl.core.bounds import check_states
from genesia_rl.core.errors import ActionError, ConfigError, GenesiaError
from genesia_rl.core.game import Game, States
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.rewards import make_settings
from genesia_rl.core.scene import EVERYTHING
from genesia_rl.envs import saving
from genesia_rl.envs.arguments import configured
from genesia_rl.envs.registration import VERSION
from genesia_rl.envs.render import ALLOWED, MODES, check_mode, rendered
from genesia_rl.envs.spaces import LegalDiscrete, ObservationForm

Array = npt.NDArray[Any]
#: What the info of an agent says before there is a result: every info has the same keys. The mask is in the observation
#: only; TorchRL takes it from one place.
UNKNOWN = {"score": 0, "rank": -1}


def next_seed(seed: int) -> int:
    """The seed of the game after this one, where none is given: the same as in a batch's row."""
    return int(chance.mix(np.uint64((seed + int(chance.GOLDEN)) % (1 << 64))))


class GameAEC(AECEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """A game of the registry as a PettingZoo environment, without PettingZoo's checks."""

    agents: list[str]
    infos: dict[str, dict[str, Any]]
    _mask: Array  # mask and observation of `_asked`, the agent that is to act
    _observation: Array
    _asked: str | None

    def __init__(
        self,
        game: Game,
        reward: str = "win",
        scale: float | None = None,
        shaping: float = 0.0,
        gamma: float = 1.0,
        observation: str = "flat",
        normalise: bool = False,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.metadata = {
            "name": f"{game.name}_{VERSION}",
            "render_modes": list(MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        check_mode(render_mode)
        if max_cycles is not None and max_cycles < 1:
            raise ConfigError(f"max_cycles = {max_cycles!r}, allowed are None and numbers above 0")
        self.game = game
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.possible_agents = [f"player_{seat}" for seat in range(game.num_seats)]
        self._settings = make_settings(game, reward, scale, shaping, gamma)
        self._shaping, self._gamma = float(shaping), float(gamma)
        self._form = ObservationForm(game, observation, normalise)
        self._observation_space = spaces.Dict(
            {
                "observation": self._form.space,
                "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
            }
        )
        self._action_space = LegalDiscrete(game.num_actions)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._observation_space)
        self.action_spaces = dict.fromkeys(self.possible_agents, self._action_space)
        self._states = game.new_states()
        self._next_seed: int | None = None
        self._bind()

    def _bind(self) -> None:
        """What is looked up once instead of at every step."""
        self._step_view = self.game.kernels.step_view
        self._tables = self.game.tables
        self._seat_field = self._states["seat"]
        self._num_actions, self._size = self.game.num_actions, self.game.observation_size
        self._action_space._legal = lambda: self._mask

    # ---- spaces
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of `{"observation": ..., "action_mask": ...}`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All actions, in the agent's own numbering; `sample()` draws legal ones."""
        return self.action_spaces[agent]

    # ---- playing
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game from the seed; without one, from the seed that follows the last game's.

        `options` may hold a `position` or a `deal` as traces write them, which the game then begins from.
        """
        if seed is None:
            seed = self._next_seed
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self._begin(index(seed), options or {})
        self._next_seed = next_seed(index(seed))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: dict(UNKNOWN) for agent in self.agents}
        self._skip_agent_selection = None
        self._cycles = 0
        self._potentials = self._potential() if self._shaping else np.zeros(self.game.facts.most_seats)
        self._rewarded = False
        self._mask, self._observation = self.game.view(self._states, 0, max(0, int(self._seat_field[0])))
        self._select()
        if self.game.is_over(self._states, 0):
            self._finish(truncated=False)

    def _begin(self, seed: int, options: dict[str, Any]) -> None:
        # other keys are left alone: PettingZoo's own test passes some
        if "position" in options:
            self.game.put_position(self._states, 0, options["position"])
        elif "deal" in options:
            self.game.put_deal(self._states, 0, options["deal"])
        else:
            self.game.reset(self._states, 0, seed)

    def _select(self) -> None:
        """The seat to act is selected."""
        self.agent_selection = self._asked = self.possible_agents[self._seat_field[0]]

    def step(self, action: Any) -> None:
        """The selected agent's action, in its own numbering; None for an agent whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        mask, observation = np.empty(self._num_actions, np.int8), np.empty(self._size, np.int8)
        try:
            number = index(action)
        except TypeError:
            self._refuse(action)
        if not 0 <= number < self._num_actions:  # compiled code takes 64 bits only
            self._refuse(number)
        if not self._step_view(self._states, 0, self._tables, number, mask, observation):
            self._refuse(number)
        self._mask, self._observation = mask, observation
        self._cycles += 1
        self._cumulative_rewards[agent] = 0.0
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False
        seat = self._seat_field[0]
        if seat < 0:
            self._finish(truncated=False)
            return
        chosen = self.possible_agents[seat]
        if chosen != agent:
            self.agent_selection = self._asked = chosen
        truncated = self._cycles == self.max_cycles
        if self._shaping:
            self._shape(over=False, all_seats=truncated)
        if truncated:
            self._finish(truncated=True)
        elif self._shaping:
            self._accumulate()

    def _finish(self, truncated: bool) -> None:
        """All agents are done at once; a game that is over is paid, one that is cut short is not."""
        if self._shaping and not truncated:
            self._shape(over=True, all_seats=True)
        if not truncated:
            found, paid = self.game.new_scores(), np.zeros(self.game.facts.most_seats, np.float32)
            self.game.kernels.scores(self._states, 0, self._tables, *found)
            self.game.kernels.rewards(self._settings, found.totals, found.ranks, paid)
            for seat, agent in enumerate(self.possible_agents):
                self.rewards[agent] += float(paid[seat])
                self.infos[agent] = {"score": int(found.totals[seat]), "rank": int(found.ranks[seat])}
        ended = self.truncations if truncated else self.terminations
        for agent in self.agents:
            ended[agent] = True
        self.agent_selection = self.agents[0]
        self._asked = None
        self._accumulate()

    def _accumulate(self) -> None:
        """Once a step: the sum of a step's payments is what is added, to the last bit."""
        self._accumulate_rewards()
        self._rewarded = True

    def _shape(self, over: bool, all_seats: bool) -> None:
        """Potential-based shaping by the running public score (rewards.py), of those who are asked."""
        now = np.zeros(self.game.facts.most_seats) if over else self._potential()
        asked = int(self._seat_field[0])
        for seat, agent in enumerate(self.possible_agents):
            if all_seats or seat == asked or not self.game.is_contest:
                paid = self._gamma * now[seat] - self._potentials[seat]
                self.rewards[agent] += self._shaping * float(paid)
                self._potentials[seat] = now[seat]

    def _potential(self) -> Array:
        most = self.game.facts.most_seats
        public, found = np.zeros(most, np.int32), np.zeros(most)
        public[: self.game.num_seats] = self.game.public_totals(self._states, 0)
        self.game.kernels.potentials(self._settings, public, found)
        return found

    def _refuse(self, action: Any) -> None:
        agent, seat = self.agent_selection, int(self._seat_field[0])
        if isinstance(action, int) and 0 <= action < self._num_actions:
            why = self.game.why_illegal(self._states, 0, self.game.from_view(seat, action))
        else:
            why = f"action {action!r}: not in the action space, allowed is 0..{self._num_actions - 1}"
        raise ActionError(f"{agent}: {why}")

    # ---- seeing
    def observe(self, agent: str) -> Any:
        """What the agent sees; its mask is empty unless it is to act."""
        if agent == self._asked:
            flat, mask = self._observation, self._mask
        else:
            mask, flat = self.game.view(self._states, 0, self.possible_agents.index(agent))
            mask.fill(0)  # a game that was cut short still waits for a seat
        return {"observation": flat if self._form.is_plain else self._form(flat), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last action, terminated, truncated and info of the selected agent."""
        agent = self.agent_selection
        seen: Any = None
        if observe:
            if self._form.is_plain and agent == self._asked:
                seen = {"observation": self._observation, "action_mask": self._mask}
            else:
                seen = self.observe(agent)
        paid, ended, cut = self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent]
        return seen, paid, ended, cut, self.infos[agent]

    def state(self) -> Array:
        """What all seats see together, one after the other: for centralised critics."""
        views = [self.game.view(self._states, 0, seat)[1] for seat in range(self.game.num_seats)]
        return np.concatenate(views)

    @property
    def state_space(self) -> spaces.Space[Any]:
        """The space of `state()`."""
        flat = ObservationForm(self.game).space
        assert isinstance(flat, spaces.Box)
        seats = self.game.num_seats
        return spaces.Box(np.tile(flat.low, seats), np.tile(flat.high, seats), dtype=np.int8)

    def decision(self) -> DecisionBatch:
        """What the selected agent is shown, for a player: `player.act(env.decision())`."""
        return DecisionBatch.one(self.game, self._states, 0, self._next_seed or 0)

    def describe(self, action: int) -> str:
        """In words what the selected agent's action is."""
        seat = max(0, int(self._seat_field[0]))
        return self.game.describe(self.game.from_view(seat, index(action)), self._states, 0)

    def render(self) -> Any:
        """The position: text (`ansi`) or pixels (`rgb_array`) with all that is hidden; or printed for a person
        (`human`), with the eyes of the seat to act, and nothing of what others have picked or keep secret.
        """
        if self.render_mode is None:
            logger.warn(f"You are calling render() without a render_mode, allowed are {ALLOWED}.")
            return None
        seat = self.game.seat(self._states, 0)  # -1 when the game is over: then all is shown
        eyes = seat if self.render_mode == "human" and seat >= 0 else EVERYTHING
        return rendered(self.game, self._states, 0, self.render_mode, eyes)

    def close(self) -> None:
        """Nothing is held open."""

    # ---- copies
    def clone(self) -> GameAEC:
        """An independent copy of the environment in the middle of a game."""
        other = self.__class__.__new__(self.__class__)
        other.__setstate__(self.__getstate__())
        return other

    def __getstate__(self) -> dict[str, Any]:
        kept = {k: v for k, v in self.__dict__.items() if k not in _BOUND}
        kept["_states"] = self._states.copy()
        if "_potentials" in kept:
            kept["_potentials"] = self._potentials.copy()
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            if name in kept:
                kept[name] = kept[name].copy()
        kept["_action_space"] = LegalDiscrete(self._num_actions)
        kept["action_spaces"] = dict.fromkeys(self.possible_agents, kept["_action_space"])
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._bind()

    def save(self) -> bytes:
        """The environment in the middle of a game, as bytes that another process can restore."""
        if not hasattr(self, "agents"):
            raise GenesiaError("save: no game has begun, allowed is to save after reset()")
        seats = self.possible_agents
        header = self._made_for() | {
            "agents": self.agents, "selection": self.agent_selection,
            "rewards": self.rewards, "cumulative": self._cumulative_rewards, "cycles": self._cycles,
            "terminations": self.terminations, "truncations": self.truncations,
            "potentials": self._potentials.tolist(), "next_seed": self._next_seed,
            "asked": self._asked,
            "scores": {a: self.infos[a]["score"] for a in seats if a in self.infos},
            "ranks": {a: self.infos[a]["rank"] for a in seats if a in self.infos},
        }  # fmt: skip
        return saving.packed(header, self._states.tobytes())

    def _made_for(self) -> dict[str, Any]:
        """What a save must have in common with the environment."""
        return {"game": self.game.name, "version": self.game.version, "config": self.game.config_dict()}

    def restore(self, saved: bytes) -> None:
        """Go on from saved bytes of the same game, version and configuration.

        All is checked first: what is refused leaves the running game as it was.
        """
        header, body = saving.unpacked(saved)
        seats = self.possible_agents
        saving.check_header(header, self._made_for(), seats, self.game.facts.most_seats)
        if len(body) != self._states.nbytes:
            raise GenesiaError(f"saved bytes: a state of {len(body)} bytes, allowed is {self._states.nbytes}")
        states = np.frombuffer(body, self.game.state_dtype).copy()
        if not body.strip(b"\0"):
            raise GenesiaError("saved bytes: a game that has not begun, allowed are those of save()")
        check_states(self.game, states, "saved bytes")
        seat = self.game.seat(states, 0)
        saving.check_course(header, seat, self.game.is_over(states, 0), seats)
        self.reset(seed=0)
        self._states[:] = states
        self._restore_header(header)

    def _restore_header(self, header: dict[str, Any]) -> None:
        self.agents, self.agent_selection = header["agents"], header["selection"]
        self.rewards, self._cumulative_rewards = header["rewards"], header["cumulative"]
        self.terminations, self.truncations = header["terminations"], header["truncations"]
        self._cycles, self._next_seed = header["cycles"], header["next_seed"]
        self._potentials = np.array(header["potentials"])
        self._rewarded = True
        told = {"score": header["scores"], "rank": header["ranks"]}
        self.infos = {agent: {name: told[name][agent] for name in UNKNOWN} for agent in self.agents}
        self._mask, self._observation = self.game.view(self._states, 0, max(0, int(self._seat_field[0])))
        self._asked = header["asked"]

    @property
    def states(self) -> States:
        """The state of the game, as an array of one record."""
        return self._states


_BOUND = ("_step_view", "_tables", "_seat_field", "_action_space", "action_spaces")
_AFTER_RESET = frozenset(
    ("rewards", "terminations", "truncations", "infos", "agent_selection", "agents", "num_agents", "_cycles")
)


class CheckedAEC(GameAEC):
    """`GameAEC` with every guarantee of PettingZoo's usual wrappers, in this one layer."""

    _has_reset = False
    _has_updated = False

    def __getattr__(self, name: str) -> Any:
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game."""
        self._has_reset = self._has_updated = True
        super().reset(seed, options)

    def step(self, action: Any) -> None:
        """The selected agent's action."""
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        elif not self.agents:
            self._has_updated = True
            EnvLogger.warn_step_after_terminated_truncated()
        else:
            self._has_updated = True
            super().step(action)

    def observe(self, agent: str) -> Any:
        """What the agent sees."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return super().observe(agent)

    def state(self) -> Array:
        """What all seats see together."""
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        return super().state()

    def render(self) -> Any:
        """The position."""
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        return super().render()

    def agent_iter(self, max_iter: int = 2**63) -> Any:
        """The agents in the order in which they act; every one must step."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return _CheckedIterable(self, max_iter)


class _CheckedIterable(AECIterable):  # type: ignore[misc]
    def __iter__(self) -> Any:
        return _CheckedIterator(self.env, self.max_iter)


class _CheckedIterator(AECIterator):  # type: ignore[misc]
    def __next__(self) -> str:
        agent = str(super().__next__())
        assert self.env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
        self.env._has_updated = False
        return agent


def raw_env(game: str, **options: Any) -> GameAEC:
    """The raw environment of a game; options are the game's configuration and the environment's own."""
    own, config = split_options(options)
    return GameAEC(configured(game, config), **own)


def env(game: str, illegal: str = "raise", illegal_reward: float = -1.0, **options: Any) -> Any:
    """The environment with all checks.

    `illegal="raise"`: an illegal action is an error that names it. `illegal="terminate"`: PettingZoo's
    wrapper ends the game and pays `illegal_reward` to whoever did it.
    """
    if illegal not in ("raise", "terminate"):
        raise ConfigError(f"illegal = {illegal!r}, allowed are raise and terminate")
    own, config = split_options(options)
    made = CheckedAEC(configured(game, config), **own)
    if illegal == "terminate":
        from pettingzoo.utils.wrappers import OrderEnforcingWrapper

        from genesia_rl.envs.terminating import Terminating

        return OrderEnforcingWrapper(Terminating(made, illegal_reward))
    return made


ENV_OPTIONS = ("reward", "scale", "shaping", "gamma", "observation", "normalise", "max_cycles", "render_mode")


def split_options(options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the environment, and those that configure the game."""
    own = {name: value for name, value in options.items() if name in ENV_OPTIONS}
    return own, {name: value for name, value in options.items() if name not in own}
