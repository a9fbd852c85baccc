"""Which network learns fastest for its cost: the same minutes, seeds and settings for each, and a table.

    python -m genesia_rl.learn.compare --minutes 10 --seeds 0,1,2 --out runs/compare

A network is a kind with sizes behind it, `graph:rounds=1,tokens=48`. Runs that are finished are not made
again, so a comparison can be stopped and gone on with. The folder gets `table.md` and `table.csv`.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any

import numpy as np

from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.files import replace_text, replacing
from genesia_rl.core.registry import default_game, make_game
from genesia_rl.learn.presets import make_settings
from genesia_rl.learn.ready import able
from genesia_rl.learn.run import MODEL
from genesia_rl.learn.start import resumed, started
from genesia_rl.matches.evaluate import evaluate_codes
from genesia_rl.report.markdown import markdown

RESULT = "result.json"
#: The baseline first; each of about the same cost for a decision.
NETWORKS = ("flat:width=256", "regions", "graph:rounds=1", "graph")


def parse_network(text: str, game: str) -> dict[str, Any]:
    """`graph:rounds=1,tokens=48` as settings of a network that the game has enough for."""
    kind, _, sizes = text.partition(":")
    found: dict[str, Any] = {"kind": kind}
    for item in sizes.split(",") if sizes else ():
        name, equals, value = item.partition("=")
        if not (equals and value.isdigit()):
            raise ConfigError(f"network {text!r}: allowed is a kind, or kind:name=number,name=number")
        found[name] = int(value)
    make_settings(overrides={"network": found, "game": {"name": game}})
    return found


def parse_seeds(text: str) -> list[int]:
    """`0,1,2` as numbers."""
    if not all(item.strip().isdecimal() for item in text.split(",")):
        raise ConfigError(f"--seeds = {text!r}, allowed are integers from 0 on between commas")
    return [int(item) for item in text.split(",")]


def one_run(network: str, seed: int, args: argparse.Namespace) -> dict[str, Any]:
    """Train and measure one network with one seed, unless that was done before."""
    folder = Path(args.out) / f"{network.replace(':', '-').replace(',', '-').replace('=', '')}-seed{seed}"
    if (folder / RESULT).exists():
        return dict(json.loads((folder / RESULT).read_text()))
    if (folder / "checkpoint.npz").exists():
        run = resumed(str(folder), {})
    else:
        tables = {
            "network": parse_network(network, args.game),
            "game": {"name": args.game, "players": args.players},
            "run": {"minutes": args.minutes, "seed": seed},
        }  # fmt: skip
        run = started(args.preset, args.config, tables, str(folder))
    if not run.work():
        raise KeyboardInterrupt
    found: dict[str, Any] = {
        "network": network, "seed": seed, "minutes": round(run.spent / 60, 2),
        "weights": sum(w.size for w in run.network.numpy_weights().values()),
        "decisions": run.learner.decisions,
    }  # fmt: skip
    varied = bool(run.settings.game.varied)
    for code in args.against.split(","):
        agent = f"ppo:{folder / MODEL}"
        held = evaluate_codes(args.game, agent, code, args.players, args.games, seed=1, varied=varied)
        found[code] = [held.rate, *held.interval()]
    replace_text(folder / RESULT, json.dumps(found) + "\n")
    return found


def table(results: list[dict[str, Any]], against: list[str]) -> list[list[str]]:
    """A row a network: cost, what it saw, and the shares won, the mean over seeds and its extremes."""
    rows = [["network", "seeds", "weights", "decisions", *(f"first against {code}" for code in against)]]
    for network in dict.fromkeys(result["network"] for result in results):
        mine = [result for result in results if result["network"] == network]
        shares = [[result[code][0] for result in mine] for code in against]
        cells = [f"{100 * np.mean(s):.1f} % ({100 * min(s):.1f} .. {100 * max(s):.1f})" for s in shares]
        decisions = f"{np.mean([result['decisions'] for result in mine]):,.0f}"
        rows.append([network, str(len(mine)), f"{mine[0]['weights']:,}", decisions, *cells])
    return rows


def keep(rows: list[list[str]], folder: Path) -> None:
    """The table for people and for programs."""
    text = markdown(rows[0], rows[1:])
    replace_text(folder / "table.md", text + "\n")
    with replacing(folder / "table.csv") as file:
        csv.writer(file).writerows(rows)
    print(text, flush=True)


def main(arguments: list[str] | None = None) -> None:
    """All networks with the first seed, then with the next: a stopped comparison is a fair one."""
    parser = argparse.ArgumentParser(description="compare networks: same minutes, same seeds")
    parser.add_argument("--game", default=default_game())
    parser.add_argument("--networks", nargs="+", default=NETWORKS)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seeds", default="0,1")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--preset", default="standard")
    parser.add_argument("--config")
    parser.add_argument("--against", help="codes between commas; by default whoever teaches")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--out", default="runs/compare")
    args = parser.parse_args(arguments)
    try:
        for network in args.networks:
            parse_network(network, args.game)
        seeds = parse_seeds(args.seeds)
        if args.games < 1:
            raise ConfigError(f"--games = {args.games}, allowed is an integer from 1 on")
        args.against = (
            args.against or make_settings(overrides={"game": {"name": args.game}}).teacher.agent or "random"
        )
        game = make_game(args.game, players=args.players)
        for code in args.against.split(","):
            able(code, game)  # refused before anything is trained
        results = []
        for seed in seeds:
            for network in args.networks:
                results.append(one_run(network, seed, args))
                keep(table(results, args.against.split(",")), Path(args.out))
    except (GenesiaError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        parser.exit(130, "stopped; the same command goes on\n")


if __name__ == "__main__":
    main()
