"""What one network for several numbers of players costs against a network for each of them.

    python -m experiments.common runs/common/model.npz runs/two/model.npz runs/three/model.npz --out common.json

For each number of players that both have: how often the common network is first against so many of the game's first
character, how often the separate one is, and how often each is at a table of the other; over all that varies in the
game, every deal from every seat, intervals over deals. The table is printed; `--out` keeps the figures.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from experiments.models import percent
from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.files import replace_text
from genesia_rl.core.registry import make_game
from genesia_rl.learn.members import characters_of
from genesia_rl.matches.evaluate import against_panel
from genesia_rl.players.codes import make_player
from genesia_rl.players.learned import load_model
from genesia_rl.report.markdown import markdown

#: Of a row: who is first how often.
PAIRS = ("common against the character", "separate against the character", "common against separate",
         "separate against common")  # fmt: skip


def measured(common: Path, separate: list[Path], games: int, seed: int) -> list[dict[str, Any]]:
    """A row for each number of players that both have."""
    whole, rows = load_model(common), []
    name = str(whole.header["game"])
    for path in separate:
        (players,) = load_model(path).tables
        if players not in whole.tables:
            raise ConfigError(f"{path}: {players} players, allowed are {', '.join(map(str, whole.tables))}")
        game = make_game(name, players=players)
        character = characters_of(game)[0]
        one, other = f"ppo:{common}", f"ppo:{path}"
        meetings = ((one, character), (other, character), (one, other), (other, one))
        row: dict[str, Any] = {"players": players}
        for words, (agent, against) in zip(PAIRS, meetings, strict=True):
            found = against_panel(make_player(agent, name), game, [against], games, seed, varied=True)
            row[words] = found[against]
        rows.append(row)
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """As a page has it."""
    return markdown(
        ["players", "an even share", *PAIRS],
        [
            [str(row["players"]), f"{100 / row['players']:.1f} %", *(percent(row[words]) for words in PAIRS)]
            for row in rows
        ],
    )


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="one network for several numbers of players against several networks"
    )
    parser.add_argument("common", type=Path)
    parser.add_argument("separate", type=Path, nargs="+")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args(arguments)
    try:
        rows = measured(args.common, args.separate, args.games, args.seed)
    except (GenesiaError, OSError) as error:
        parser.error(str(error))
    print(table(rows))
    if args.out is not None:
        replace_text(args.out, json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
