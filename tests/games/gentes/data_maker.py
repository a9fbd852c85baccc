"""Data files made at random within the rules of RULES 9 and 12, and a writer of TOML for them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from genesia_rl.core.reading import read_table
from genesia_rl.games.gentes.data.effects import GAIN_KEYS, LASTING_KEYS
from genesia_rl.games.gentes.data.reading import FILES, PACKAGE_DATA
from genesia_rl.games.gentes.names import (
    ACTS,
    COUNTERS,
    DECLINE_GAINS,
    GAINS,
    LASTING,
    REGIONS,
    REWARDS,
    SYMBOLS,
    SYNERGIES,
    TYPES,
)

Table = dict[str, Any]

# ---------------------------------------------------------------- TOML


def toml(table: Mapping[str, Any]) -> str:
    """A table as TOML: tables and lists of tables at its end, everything below them inline."""
    lines = []
    for key, value in table.items():
        entries = value if isinstance(value, list) else [value]
        mark = f"[[{key}]]" if isinstance(value, list) else f"[{key}]"
        for item in entries:
            lines += [mark, *(f"{name} = {inline(entry)}" for name, entry in item.items())]
    return "\n".join(lines) + "\n"


def inline(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {inline(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


def write_folder(folder: Path, tables: Mapping[str, Table]) -> Path:
    """A folder with these files."""
    folder.mkdir(exist_ok=True)
    for name, table in tables.items():
        (folder / name).write_text(toml(table), encoding="utf-8")
    return folder


def our_tables() -> dict[str, Table]:
    """The three files of the package."""
    return {name: read_table(PACKAGE_DATA / name) for name in FILES.names}


# ---------------------------------------------------------------- random cards


def random_gain(rng: random.Random, allowed: tuple[str, ...]) -> Table:
    """Some gain."""
    do = rng.choice(allowed)
    found: Table = {"do": do}
    must, may = GAIN_KEYS[do]
    if "n" in must:
        found["n"] = rng.choice([1, 1, 2, 3, 5])
    if "type" in must:
        found["type"] = rng.choice([*TYPES, "any", "any"])
    if "symbol" in must:
        found["symbol"] = rng.choice([*SYMBOLS, "any"])
    if "first" in must:
        found["first"] = rng.randint(1, 8)
    if may and rng.random() < 0.5:
        found["per"] = rng.choice(COUNTERS)
        # nothing grows with what it makes grow: coins per coins would have no bound
        found |= {"div": rng.randint(1, 3), "cap": rng.randint(1, 12)}
    return found


def random_effect(rng: random.Random, dos: tuple[str, ...], when: str | None) -> Table:
    """Some lasting effect; without `when` that of a Home."""
    do = rng.choice(dos)
    times, must, _ = LASTING_KEYS[do]
    found: Table = (
        {"do": do} if when is None else {"when": rng.choice([t for t in times if t == when]), "do": do}
    )
    acts = {
        "extra": ACTS[:1],
        "amount": ACTS[:2],
        "double": ACTS[5:],
        "action": ACTS[:4],
        "discount": ACTS[:4],
    }
    if "action" in must:
        found["action"] = rng.choice(acts.get(do, ACTS))
    if do == "action":
        found |= {"coins": rng.randint(1, 10), "hours": rng.randint(0, 3)}
        if found["action"] == "navigator":
            found["symbol"] = rng.choice([*SYMBOLS, "any"])
    if do == "hours" and when == "each" and found["action"] == "tax":
        found["action"] = "scribe"
    if "what" in must:
        found["what"] = rng.choice(REWARDS)
    if "type" in must:
        found["type"] = rng.choice(TYPES)
    if "n" in must:
        found["n"] = rng.choice([1, 1, 2, 3])
    if "max" in must:
        found["max"] = rng.randint(1, 10)
    return found


def random_lasting(rng: random.Random) -> list[Table]:
    """Effects of each time, and at most one that is used once a round."""
    each = tuple(do for do in LASTING if "each" in LASTING_KEYS[do][0])
    once = tuple(do for do in LASTING if "once" in LASTING_KEYS[do][0])
    found = [random_effect(rng, each, "each") for _ in range(rng.choice([0, 0, 1, 1, 2]))]
    if rng.random() < 0.7:
        found.append(random_effect(rng, once, "once"))
    return found


def random_card(rng: random.Random, card: Table) -> None:
    """Other needs, gains and effects on a card."""
    card["needs"] = {kind: rng.randint(1, 3) for kind in rng.sample(TYPES, rng.randint(0, 3))}
    card["cities"] = [rng.choice(SYMBOLS) for _ in range(rng.choice([0, 0, 0, 1, 2]))]
    card["points"] = rng.randint(0, 20)
    card["synergy"] = [] if card["era"] == 3 else rng.sample(SYNERGIES, rng.randint(0, 2))
    card["gains"] = [random_gain(rng, GAINS) for _ in range(rng.choice([0, 0, 1, 2, 3]))]
    card["lasting"] = random_lasting(rng)
    card["decline"] = [random_gain(rng, DECLINE_GAINS) for _ in range(rng.choice([0, 0, 0, 1, 2]))]
    card |= {"source": "reconstructed", "facts": []}


# ---------------------------------------------------------------- random boards


def random_row(rng: random.Random) -> Table:
    """Two sides that go together: an action and an ability, or abilities of two actions."""
    once = tuple(do for do in LASTING if "once" in LASTING_KEYS[do][0] and do != "action")
    while True:
        left, right = (random_effect(rng, (*once, "action"), None) for _ in range(2))
        if "navigator" in (side["action"] for side in (left, right) if side["do"] == "action"):
            continue
        actions = [side["do"] == "action" for side in (left, right)]
        if not all(actions) and (any(actions) or left["action"] != right["action"]):
            return {"left": left, "right": right}


def rising(rng: random.Random, number: int, least: list[int] | None = None) -> list[int]:
    """Prices that do not fall, each not below another."""
    found = sorted(rng.randint(1, 10) for _ in range(number))
    return found if least is None else sorted(max(a, b) for a, b in zip(found, least, strict=False))


def random_board(rng: random.Random, board: Table) -> None:
    """Other numbers, prices, rows, Homes and cities."""
    board["game"] |= {
        "start_coins": rng.randint(0, 30), "start_citizens": rng.randint(0, 6), "hand_limit": rng.randint(0, 5),
        "tokens": rng.randint(1, 9), "cube_slots": rng.randint(1, 9), "leader_coins": rng.randint(0, 9),
        "coins_per_point": rng.randint(1, 12), "cubes_per_point": rng.randint(1, 4), "hire_cubes": rng.randint(1, 3),
    }  # fmt: skip
    spaces = rng.randint(4, 12)
    board["track"] |= {
        "spaces": spaces,
        "locks": rng.randint(0, min(5, spaces - 3)),
        "hourglasses": rng.randint(0, 2),
    }
    board["track"]["penalty"] = [rng.randint(0, 9) for _ in range(rng.randint(1, 6))]
    types = rng.sample(TYPES, 6)
    board["citizens"] |= {"pairs": [types[:2], types[2:4], types[4:]], "room": rng.randint(6, 9)}
    one = rising(rng, 6)
    board["recruiting"] |= {"one": one, "two": rising(rng, 6, one), "solo_slot": rng.randint(1, 6)}
    shown = rising(rng, 8)
    two = rising(rng, rng.randint(0, 8), shown)
    three = rising(rng, rng.randint(0, len(two)), two)
    board["display"] |= {
        "one": shown,
        "two": two,
        "three": three,
        "discard": [rng.randint(1, 10) for _ in range(2)],
    }
    board["display"]["marked"] = sorted(rng.sample(range(1, 9), rng.randint(0, 5)))
    for tax in board["tax"]:
        tax |= {"hours": rng.randint(1, 2), "coins": rng.randint(1, 9)}
    for row in board["row"]:
        row |= random_row(rng)
    for home in board["home"]:
        home["row"] = rng.randint(1, 3)
        for side in ("large", "small"):
            home[side] = rng.sample(SYMBOLS, rng.randint(0, 2))
    for place, symbol in enumerate(SYMBOLS):
        board["home"][place] |= {"large": [symbol], "small": [symbol]}
    regions = rng.sample(REGIONS * 6, 18)
    for place, city in enumerate(board["city"]):
        symbol = SYMBOLS[place] if place < 3 else rng.choice(SYMBOLS)
        city |= {
            "region": regions[place],
            "symbol": symbol,
            "reward": rng.choice(REWARDS),
            "n": rng.randint(1, 5),
        }
    least = {name: rng.randint(1, 18) for name in ("cards", "citizens", "cities")}
    for bonus in board["bonus"]:
        bonus |= {"least": least[bonus["condition"]], "points": rng.randint(1, 20)}


def random_tiles(rng: random.Random, tiles: list[Table]) -> None:
    """Other costs, hourglasses and symbols."""
    for tile in tiles:
        if tile["action"] == "leader":
            tile["hours"] = rng.randint(0, 3)
            continue
        tile |= {"coins": rng.randint(1, 10), "hours": rng.randint(0, 3)}
        if tile.get("symbol", "any") != "any":
            tile["symbol"] = rng.choice(SYMBOLS)


def random_folder(folder: Path, seed: int) -> Path:
    """All three files, with other numbers and effects everywhere."""
    rng = random.Random(seed)
    tables = our_tables()
    for card in tables["cards.toml"]["card"]:
        random_card(rng, card)
    random_tiles(rng, tables["tiles.toml"]["tile"])
    random_board(rng, tables["board.toml"])
    return write_folder(folder, tables)
