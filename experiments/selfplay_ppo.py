"""Self-play PPO in one file: every seat of every game is played, and taught, by one network.

    python experiments/selfplay_ppo.py --players 2 --minutes 2
    python experiments/selfplay_ppo.py --game NAME --minutes 2

**Question.** Does plain PPO learn a board game from nothing but games against itself, on a laptop's processor?

**What is paired with what.** A row of a `Batch` waits for one seat; the next observation of the row is
usually another seat's. So a transition is: a decision of one seat; all that *this seat* is paid from
then on up to its own next decision, also on the others' turns; and the value of that next decision, or
nothing if the game ends before. Advantages (GAE) run along the decisions of one seat in one game. At the
border of a rollout every seat has one decision whose successor is yet to come: these wait, with what they
were paid so far, and open the next rollout's storage. So no value is ever taken of a position
in which the seat has nothing to decide, and no decision is lost. There is no discount: games end.

**Network.** One small network shared by all things of the board (the game's first token set), its outputs laid
side by side and pooled; one layer over the rest; two joint layers; a logit for each action, the illegal ones
taken away; one value.

**Reward.** `win`, plus potential-based shaping by the running public score (`--shaping 0` turns it off),
which does not change what is best to play but says much earlier whether it went well.

**Measure.** The share of first places (a tie counts its share) against random opponents, before and after,
taking the most likely action, every deal from every seat; 95 % interval over deals.

**Results.** `python experiments/selfplay_ppo.py --players 2 --minutes 1.5`, the default game, seed 0, on two
busy cores: the untrained network's most likely actions won 31 % of 1,000 games against random play (28..34),
those of the trained one all of them (99.6..100), after some 170,000 decisions and 650 games.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from genesia_rl.core.game import Game
from genesia_rl.core.pieces import TokenSet
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import default_game, make_game
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.random import RandomPlayer
from genesia_rl.vector.batch import Batch

#: observations and masks -> actions, their log probabilities, and the values of the positions
Policy = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """The settings of a run."""
    parser = argparse.ArgumentParser(description="PPO by self-play")
    parser.add_argument("--game", default=default_game())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=2.0, help="of learning, evaluation not counted")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--num-games", type=int, default=128, help="games that are played side by side")
    parser.add_argument("--steps", type=int, default=64, help="decisions of each game in one rollout")
    parser.add_argument("--shaping", type=float, default=1.0)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--minibatch", type=int, default=1024)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--threads", type=int, default=1, help="of torch; more help on idle cores only")
    parser.add_argument("--eval-games", type=int, default=1000, help="against random, before and after")
    parser.add_argument("--log", type=Path, default=Path("runs/selfplay_ppo.csv"))
    parser.add_argument("--save", type=Path, help="where to put the trained network")
    return parser.parse_args(arguments)


# ---------------------------------------------------------------- the network


def layer(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    """A linear layer with orthogonal weights."""
    made = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(made.weight, gain)
    nn.init.zeros_(made.bias)
    return made


class Network(nn.Module):
    """Logits of the legal actions, and the value for the seat that sees the observation."""

    scale: Tensor

    def __init__(self, game: Game, tokens: int = 16, width: int = 192) -> None:
        super().__init__()
        everything = TokenSet("everything", 0, game.observation_size, 1)
        self.things: TokenSet = game.token_sets[0] if game.token_sets else everything
        rest = game.observation_size - self.things.stop + self.things.start
        self.register_buffer("scale", torch.from_numpy(1 / game.observation_scale()))
        self.thing = nn.Sequential(layer(self.things.planes, 32), nn.ReLU(), layer(32, tokens), nn.ReLU())
        self.board = layer((self.things.size + 2) * tokens, width)
        self.rest = layer(rest, width)
        self.joint = nn.Sequential(nn.ReLU(), layer(2 * width, width), nn.ReLU())
        self.actor, self.critic = layer(width, game.num_actions, 0.01), layer(width, 1, 1.0)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Log probabilities (of illegal actions: the lowest number there is) and values."""
        seen = observation.float() * self.scale
        start, stop = self.things.start, self.things.stop
        board, rest = seen[:, start:stop], torch.cat([seen[:, :start], seen[:, stop:]], 1)
        tokens = self.thing(board.reshape(-1, self.things.planes, self.things.size).transpose(1, 2))
        board = torch.cat([tokens.flatten(1), tokens.mean(1), tokens.amax(1)], 1)
        hidden = self.joint(torch.cat([self.board(board), self.rest(rest)], 1))
        logits = self.actor(hidden).masked_fill(mask == 0, torch.finfo(torch.float32).min)
        return logits.log_softmax(1), self.critic(hidden).squeeze(1)

    @torch.no_grad()
    def sample(self, observation: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions drawn from the policy, their log probabilities and the values: a `Policy`."""
        log_p, value = self(torch.from_numpy(observation), torch.from_numpy(mask))
        action = torch.multinomial(log_p.exp(), 1)
        return action[:, 0].numpy(), log_p.gather(1, action)[:, 0].numpy(), value.numpy()


class Likeliest(Player):
    """The network's most likely actions."""

    name = "network"

    def __init__(self, network: Network) -> None:
        self.network = network

    @torch.no_grad()
    def act_batch(self, decisions: DecisionBatch) -> np.ndarray:
        """An action for each row."""
        observation, mask = (torch.from_numpy(held) for held in (decisions.observation, decisions.mask))
        best: np.ndarray = self.network(observation, mask)[0].argmax(1).numpy()
        return best


# ---------------------------------------------------------------- decisions, and what came of them


class Storage:
    """The decisions of a rollout: rows of `seats + steps` slots, a column for each game.

    Slot s below `seats` holds the decision of seat s that was still open at the last border, if any
    (`taken`). `reward[slot, game, seat]` is what every seat was paid in that slot; in an open decision's
    slot, what its own seat was paid so far.
    """

    def __init__(self, game: Game, steps: int, num_games: int) -> None:
        self.seats, self.steps, self.num_games = game.num_seats, steps, num_games
        slots = self.seats + steps
        self.observation = np.zeros((slots, num_games, game.observation_size), np.int8)
        self.mask = np.zeros((slots, num_games, game.num_actions), np.int8)
        self.action = np.zeros((slots, num_games), np.int64)
        self.log_p, self.value = np.zeros((2, slots, num_games), np.float32)
        self.seat = np.zeros((slots, num_games), np.int64)
        self.reward = np.zeros((slots, num_games, self.seats), np.float32)
        self.done = np.zeros((slots, num_games), np.bool_)
        self.taken = np.zeros((slots, num_games), np.bool_)
        self.seat[: self.seats] = np.arange(self.seats)[:, None]
        # what `pair` finds for each decision
        self.closed = np.zeros((slots, num_games), np.bool_)
        self.paid, self.next_value, self.advantage = np.zeros((3, slots, num_games), np.float32)

    def put(self, slot: int, batch: Batch, action: np.ndarray, log_p: np.ndarray, value: np.ndarray) -> None:
        """What is decided in all games, before the step is made."""
        self.observation[slot], self.mask[slot], self.seat[slot] = batch.observation, batch.mask, batch.seat
        self.action[slot], self.log_p[slot], self.value[slot] = action, log_p, value
        self.taken[slot] = True

    def put_outcome(self, slot: int, batch: Batch) -> None:
        """What all seats were paid, after the step."""
        self.reward[slot], self.done[slot] = batch.reward, batch.done

    def pair(self, gae_lambda: float) -> None:
        """For each decision: is its successor known, what its seat was paid until then, its advantage.

        Backwards in time, with what lies ahead of each (game, seat): `paid` up to its next decision, that
        one's `value` and `advantage`, and whether there is one (or the end of the game) at all: `known`.
        """
        games = np.arange(self.num_games)
        paid, value, advantage = np.zeros((3, self.num_games, self.seats), np.float32)
        known = np.zeros((self.num_games, self.seats), np.bool_)
        for slot in reversed(range(self.seats + self.steps)):
            done = self.done[slot]
            for ahead in (paid, value, advantage):
                ahead[done] = 0  # nothing lies ahead: the next game begins
            known[done] = True
            paid += self.reward[slot]
            row = games[self.taken[slot]]
            own = row, self.seat[slot, row]
            self.closed[slot, row], self.paid[slot, row] = known[own], paid[own]
            self.next_value[slot, row] = value[own]
            delta = paid[own] + value[own] - self.value[slot, row]
            self.advantage[slot, row] = delta + gae_lambda * advantage[own]
            paid[own], value[own] = 0, self.value[slot, row]
            # the chain goes on only over decisions that are complete
            advantage[own] = np.where(known[own], self.advantage[slot, row], 0)
            known[own] = True

    def carry(self) -> None:
        """Begin a new rollout: decisions that are still open go to the slots of their seats."""
        slots, games = np.nonzero(self.taken & ~self.closed)
        seats = self.seat[slots, games]
        for held in (self.observation, self.mask, self.action, self.log_p, self.value):
            held[seats, games] = held[slots, games]
        paid = self.paid[slots, games]
        self.taken[:], self.done[:], self.closed[:], self.reward[:] = False, False, False, 0
        self.taken[seats, games] = True
        self.reward[seats, games, seats] = paid

    def complete(self) -> tuple[np.ndarray, np.ndarray]:
        """Slots and games of the decisions that can be learned from."""
        slots, games = np.nonzero(self.taken & self.closed)
        return slots, games


def collect(batch: Batch, storage: Storage, policy: Policy, gae_lambda: float) -> None:
    """Play one rollout; afterwards `storage.complete()` are the decisions to learn from."""
    storage.carry()
    for slot in range(storage.seats, storage.seats + storage.steps):
        action, log_p, value = policy(batch.observation, batch.mask)
        storage.put(slot, batch, action, log_p, value)
        batch.step(action)
        storage.put_outcome(slot, batch)
    storage.pair(gae_lambda)


# ---------------------------------------------------------------- learning


def losses(network: Network, rows: dict[str, Tensor], clip: float) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """PPO's clipped policy loss, the value loss, the entropy, and how far the policy has moved."""
    log_p, value = network(rows["observation"], rows["mask"])
    entropy = -(log_p.exp() * log_p).sum(1).mean()
    change = log_p.gather(1, rows["action"][:, None])[:, 0] - rows["log_p"]
    ratio, gain = change.exp(), rows["advantage"]
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()
    value_loss = (value - rows["advantage"] - rows["value"]).square().mean()
    return policy_loss, value_loss, entropy, (ratio - 1 - change).mean().detach()


def learn(
    network: Network, optimizer: torch.optim.Optimizer, storage: Storage, args: argparse.Namespace
) -> dict[str, float]:
    """A few passes over the complete decisions of a rollout."""
    slots, games = storage.complete()
    names = ("observation", "mask", "action", "log_p", "value", "advantage")
    data = {name: torch.from_numpy(getattr(storage, name)[slots, games]) for name in names}
    sums = np.zeros(4)
    passes = 0
    for _ in range(args.epochs):
        for chosen in torch.randperm(len(slots)).split(args.minibatch):
            if len(chosen) < 2:
                continue
            found = losses(network, {name: held[chosen] for name, held in data.items()}, args.clip)
            policy_loss, value_loss, entropy, _ = found
            optimizer.zero_grad()
            (policy_loss + 0.5 * value_loss - args.entropy * entropy).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
            sums += [float(x.detach()) for x in found]
            passes += 1
    return dict(zip(("policy_loss", "value_loss", "entropy", "kl"), sums / max(1, passes), strict=True))


# ---------------------------------------------------------------- the run


def write_row(log: Path, row: dict[str, Any]) -> None:
    """One more line of the log, which begins with the names."""
    is_new = row["update"] == 1
    with log.open("w" if is_new else "a", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        if is_new:
            writer.writeheader()
        writer.writerow({k: round(v, 5) if isinstance(v, float) else v for k, v in row.items()})


def train(network: Network, game: Game, args: argparse.Namespace) -> None:
    """Play and learn in turn until the time is up; the learning rate falls to nothing meanwhile."""
    batch = Batch(game, args.num_games, shaping=args.shaping)
    batch.reset(args.seed)
    storage = Storage(game, args.steps, args.num_games)
    optimizer = torch.optim.Adam(network.parameters(), args.learning_rate, eps=1e-5)
    start, update, spent = time.perf_counter(), 0, 0.0
    args.log.parent.mkdir(parents=True, exist_ok=True)
    while spent < 60 * args.minutes:
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - spent / (60 * args.minutes))
        collect(batch, storage, network.sample, args.gae_lambda)
        found = learn(network, optimizer, storage, args)
        update, spent = update + 1, time.perf_counter() - start
        decisions = update * args.steps * args.num_games
        row = {"update": update, "seconds": spent, "decisions": decisions,
               "games": int(batch.games["episode"].sum())} | found  # fmt: skip
        write_row(args.log, row)
        if update % 20 == 1:
            print("  ".join(f"{k} {v:.4g}" for k, v in row.items()), flush=True)


def measure(network: Network, game: Game, when: str, args: argparse.Namespace) -> None:
    """Print how often the most likely actions are first against random play."""
    found = evaluate(Likeliest(network), [RandomPlayer()], game, args.eval_games, args.seed + 1)
    print(found.text(when, "random"), flush=True)


def main(arguments: list[str] | None = None) -> None:
    """Evaluate, learn, evaluate."""
    args = parse_arguments(arguments)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    game = make_game(args.game, players=args.players)
    network = Network(game)
    measure(network, game, "before", args)
    train(network, game, args)
    measure(network, game, "after", args)
    if args.save:
        args.save.parent.mkdir(parents=True, exist_ok=True)
        torch.save(network.state_dict(), args.save)


if __name__ == "__main__":
    main()
