"""Command line: `python -m games.genesis.referee verify FILE...` and `... record --games N --out FILE`."""

from __future__ import annotations

import argparse
import json
import sys

from .modes import MODES
from .policies import POLICIES
from .traces import mode_of, record_random, verify_trace


def verify(options: argparse.Namespace) -> int:
    games = bad = 0
    for name in options.files:
        with open(name, encoding="utf-8") as file:
            for line_number, line in enumerate(file, 1):
                if not line.strip():
                    continue
                games += 1
                differences = verify_trace(json.loads(line), options.data)
                bad += bool(differences)
                for difference in differences[: options.show]:
                    print(f"{name}:{line_number}: {difference}")
                if len(differences) > options.show:
                    print(f"{name}:{line_number}: and {len(differences) - options.show} more differences")
    print(f"{games} games, {bad} with differences")
    return 1 if bad else 0


def record(options: argparse.Namespace) -> int:
    with open(options.out, "w", encoding="utf-8") as file:
        for i in range(options.games):
            trace = record_random(
                mode_of(i, options.mode),
                options.seed + i,
                options.positions,
                options.policy,
                options.data,
                not options.no_legal,
                not options.no_states,
            )
            file.write(json.dumps(trace, separators=(",", ":")) + "\n")
    print(f"{options.games} games written to {options.out}")
    return 0


def parser() -> argparse.ArgumentParser:
    main_parser = argparse.ArgumentParser(prog="games.genesis.referee", description=__doc__)
    main_parser.add_argument("--data", help="folder of board.toml and pieces.toml")
    commands = main_parser.add_subparsers(required=True)
    p = commands.add_parser("verify", help="replay traces and print every difference")
    p.add_argument("files", nargs="+")
    p.add_argument("--show", type=int, default=10, help="differences printed for a game")
    p.set_defaults(run=verify)
    p = commands.add_parser("record", help="write random games as traces")
    p.add_argument("--games", type=int, required=True)
    p.add_argument("--seed", type=int, default=0, help="seed of the first game; the next has seed + 1")
    p.add_argument("--out", required=True)
    p.add_argument("--mode", default="mixed", choices=["mixed", *MODES])
    p.add_argument("--positions", action="store_true", help="begin from random positions")
    p.add_argument("--policy", default="mixed", choices=["mixed", *POLICIES])
    p.add_argument("--no-legal", action="store_true")
    p.add_argument("--no-states", action="store_true")
    p.set_defaults(run=record)
    for command in commands.choices.values():
        command.add_argument("--data", default=argparse.SUPPRESS, help="folder of the data files")
    return main_parser


if __name__ == "__main__":
    arguments = parser().parse_args()
    sys.exit(arguments.run(arguments))
