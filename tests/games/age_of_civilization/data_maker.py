"""Data files made at random within the rules of RULES 8 and 14, and a writer of TOML for them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from genesia_rl.core.reading import read_table
from genesia_rl.games.age_of_civilization.data.effects import (
    ALLOWED,
    COUNTED,
    INHERITED_WHENS,
    MAIN_WHENS,
    OF_ONE_ACTION,
    OPTIONAL_ENDS,
    THING_WHENS,
)
from genesia_rl.games.age_of_civilization.data.reading import FILES, PACKAGE_DATA
from genesia_rl.games.age_of_civilization.names import ACTIONS, COUNTS

Table = dict[str, Any]


# ---------------------------------------------------------------- TOML


def toml(table: Table) -> str:
    """A table as TOML: lists of tables at its end, everything below them inline."""
    plain = {key: value for key, value in table.items() if not is_tables(value)}
    lines = [f"{key} = {inline(value)}" for key, value in plain.items()]
    for key, value in table.items():
        if is_tables(value):
            for item in value:
                lines += [f"[[{key}]]", *(f"{name} = {inline(entry)}" for name, entry in item.items())]
    return "\n".join(lines) + "\n"


def is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def inline(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {inline(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


# ---------------------------------------------------------------- random effects


def random_effect(rng: random.Random, when: str, techs: list[str]) -> Table:
    """Some effect that is allowed at a moment."""
    do = rng.choice(ALLOWED[when])
    found: Table = {"do": do} if when == "always" else {"when": when, "do": do}
    if when == "act" or do in OF_ONE_ACTION:
        found["action"] = rng.choice(ACTIONS)
    counts = [word for word in COUNTS if word != "bonus" or when == "birth"]
    if do == "force":
        counts = [word for word in counts if word not in ("force", "strongest")]
    if do in COUNTED:
        found["n"] = rng.choice([1, 1, 1, 2, 3])
        if do in ("others_coins", "labour") and rng.random() < 0.5:
            found["n"] = -found["n"]
        if rng.random() < 0.3:
            # nothing grows with what it makes grow: coins per coins would have no bound
            found["per"] = rng.choice([word for word in counts if word not in ("coins", "points", "bonus")])
            found["div"], found["cap"] = rng.choice([1, 2, 3]), rng.choice([1, 2, 4])
    more: dict[str, Table] = {"deposit": {"n": 2, "points": 1}, "bonus_times": {"n": 2}}
    found |= {"what": rng.choice(ACTIONS)} if do == "perform" else more.get(do, {})
    if do == "discount" and rng.random() < 0.3:
        found["not_at_end"] = rng.random() < 0.7
    if found.get("action") == "research" and (do == "discount" or when == "act") and rng.random() < 0.5:
        found["techs"] = rng.sample(techs, 5)
    if rng.random() < 0.3:
        found["need"] = rng.choice(counts)
        found |= rng.choice([{}, {"min": 1}, {"max": 1}, {"min": 1, "max": 3}])
    return found


def random_ability(rng: random.Random, whens: tuple[str, ...], techs: list[str]) -> list[Table]:
    """One to four effects; an optional one at the end of a turn stays alone there."""
    found: list[Table] = []
    while len(found) < rng.choice([1, 1, 2, 2, 3, 4]):
        effect = random_effect(rng, rng.choice(whens), techs)
        ends = [other["do"] for other in [*found, effect] if other.get("when") == "turn_end"]
        if len(ends) < 2 or not set(ends) & set(OPTIONAL_ENDS):
            found.append(effect)
    return found


def random_folder(folder: Path, seed: int) -> Path:
    """All four files, with random abilities on every card, random effects of actions and random events."""
    rng = random.Random(seed)
    tables: dict[str, Table] = {name: read_table(PACKAGE_DATA / name) for name in FILES.names}
    techs = [tech["name"] for tech in tables["technologies.toml"]["technology"]]
    for card in tables["civilizations.toml"]["civilization"]:
        card["main"] = random_ability(rng, MAIN_WHENS, techs)
        card["inherited"] = random_ability(rng, INHERITED_WHENS, techs)
    for file, key in (("technologies.toml", "technology"), ("wonders.toml", "wonder")):
        for thing in tables[file][key]:
            thing["effects"] = random_ability(rng, THING_WHENS, techs)
    game = tables["game.toml"]
    for action in game["action"]:
        if action["name"] != "research" and rng.random() < 0.5:
            action["effects"].append(
                {"do": rng.choice(["coins", "points", "workers", "wonder"]), "n": rng.choice([1, 2])}
            )
    for event in game["event"]:
        who = rng.choice(["all", "most", "least"])
        of = {} if who == "all" else {"of": rng.choice([word for word in COUNTS if word != "bonus"])}
        do = rng.choice(["coins", "points", "workers"])
        event["effects"] = [
            {"who": who, **of, "do": do, "n": rng.choice([1, 2] if do == "points" else [-2, -1, 1])}
        ]
    for name, table in tables.items():
        (folder / name).write_text(toml(table), encoding="utf-8")
    return folder
