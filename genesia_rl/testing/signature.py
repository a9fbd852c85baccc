"""The signature: one number over every state of a fixed set of random games.

    python -m genesia_rl.testing.signature         every registered game
    python -m genesia_rl.testing.signature NAME    this one

It is made of texts (who is asked what, what is legal, what is chosen, the public state, the result), so
that it changes with the rules alone: not with the machine, the layout of the state or the numbering of
actions. A commit that changes it names the rule that has changed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from genesia_rl.core.game import Game
from genesia_rl.core.registry import game_names, make_game, variants
from genesia_rl.testing.stream import Stream

SEEDS = (1, 2, 3)


def signature(game_name: str, seeds: tuple[int, ...] = SEEDS) -> str:
    """64 bits in hexadecimal over a random game of every variant and seed."""
    digest = blake2b(digest_size=8)
    for variant, config in variants(game_name).items():
        game = make_game(game_name, **config)
        for seed in seeds:
            digest.update(game_signature(game, variant, seed).encode())
    return digest.hexdigest()


def game_signature(game: Game, variant: str, seed: int) -> str:
    """The signature of one game: to find out which games have changed."""
    digest = blake2b(digest_size=8)
    for item in transcript(game, variant, seed):
        digest.update(json.dumps(item, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return digest.hexdigest()


def transcript(game: Game, variant: str, seed: int) -> Iterator[Any]:
    """Everything that the signature covers, in order: the deal, each decision, the result."""
    states, stream = game.new_states(), Stream(seed)
    game.reset(states, 0, seed)
    yield [variant, seed, game.config_dict(), game.deal_dict(states, 0)]
    while not game.is_over(states, 0):
        legal = game.texts(game.legal_actions(states, 0))
        choice = legal[stream.below(len(legal))]
        yield [game.seat(states, 0), game.kind(states, 0), legal, choice, game.state_dict(states, 0)]
        game.step(states, 0, game.parse_action(choice))
    yield [game.state_dict(states, 0), game.result_dict(states, 0)]


def main(names: list[str]) -> None:
    """Print the signature of each game."""
    for name in names or game_names():
        print(f"{name} {signature(name)}")


if __name__ == "__main__":
    main(sys.argv[1:])
