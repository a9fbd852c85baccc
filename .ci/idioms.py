"""The first idioms of a user who has the wheel and no checkout: each works, or this ends with its traceback.

    python .ci/idioms.py FOLDER SIGNATURES      in an environment where the wheel is installed

FOLDER is for what is written; SIGNATURES is a file of games and their signatures, of which that of the default game has
to be what it is with this Python, these packages, on this system.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SMALL = "[learner]\nnum_games = 16\nsteps = 8\n[teacher]\nupdates = 1\nnum_games = 8\nsteps = 8\n"


@contextmanager
def idiom(name: str) -> Iterator[None]:
    """Say what is tried and how long it took."""
    start = time.perf_counter()
    yield
    print(f"  {name:<40}{time.perf_counter() - start:6.1f} s", flush=True)


def command(*arguments: str) -> None:
    """A command of the program, in this process."""
    from genesia_rl.cli.app import run

    code = run(arguments)
    if code:
        raise SystemExit(f"genesia {' '.join(arguments)}: exit code {code}")


def by_hand() -> None:
    """The first page: a game from its first decision to its end."""
    import genesia_rl

    play = genesia_rl.start(players=2, seed=7)
    assert play.legal and str(play)
    while not play.over:
        play.do(play.legal[0])
    assert len(play.scores) == 2


def environment() -> None:
    """PettingZoo's loop, and Gymnasium's."""
    import gymnasium
    import numpy as np

    import genesia_rl

    env = genesia_rl.make(players=2)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    learner = gymnasium.make("Genesia-v0", players=2)
    observation, _ = learner.reset(seed=7)
    over = False
    while not over:
        mask = np.asarray(learner.unwrapped.action_masks(), np.int8)
        observation, _, ended, cut, _ = learner.step(learner.action_space.sample(mask))
        over = ended or cut


def signed(signatures: dict[str, str]) -> None:
    """The same seeds and actions give the same games here as anywhere."""
    from genesia_rl.core.registry import default_game
    from genesia_rl.testing.signature import signature

    name = default_game()
    found = signature(name)
    assert found == signatures[name], f"{name}: signature {found}, everywhere else {signatures[name]}"


def main(folder: Path, signatures: dict[str, str]) -> None:
    """All of them."""
    import genesia_rl

    package = Path(genesia_rl.__file__).resolve().parent
    print(f"genesia_rl {genesia_rl.__version__} of {package.parent.name}, Python {sys.version.split()[0]}")
    if (package.parent / "pyproject.toml").exists():
        raise SystemExit("this is the checkout, not an installed wheel")
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    Path("small.toml").write_text(SMALL, encoding="utf-8")
    with idiom("a game by hand"):
        by_hand()
    with idiom("environments"):
        environment()
    with idiom("signature"):
        signed(signatures)
    for name, arguments in {
        "evaluate": "evaluate --agent greedy --against random --games 4",
        "train": "train --preset quick --config small.toml --minutes 0.05 --out run",
        "evaluate what was trained": "evaluate --agent ppo:run/model.npz --against random --games 2",
        "balance": "balance --policy random --players 2 --games 20 --parts first --out balance",
        "record": "record --games 1 --players 2 --out game.jsonl",
        "verify": "verify game.jsonl",
        "replay": "replay game.jsonl --out game.html",
    }.items():
        with idiom(name):
            command(*arguments.split())
    for made in ("run/model.npz", "balance/report.html", "game.html"):
        assert Path(made).stat().st_size > 1000, made


if __name__ == "__main__":
    lines = Path(sys.argv[2]).read_text(encoding="utf-8").split()
    main(Path(sys.argv[1]).resolve(), dict(zip(lines[::2], lines[1::2], strict=True)))
