"""Checkpoints: arrays and a JSON header in one file, replaced in one step, so that it is always whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from genesia_rl.core.arrays import read_arrays
from genesia_rl.core.bounds import digest
from genesia_rl.core.errors import DataError
from genesia_rl.core.files import replacing
from genesia_rl.core.game import Game
from genesia_rl.learn.actor import made_for as made_for

Array = npt.NDArray[Any]
NAME = "checkpoint.npz"
FORMAT = 3
OPEN = "env/open"
MOST_BYTES = 1 << 33
#: Arrays of which a checkpoint may hold more or fewer, by how their names begin: how many row groups a pass has
#: left, games that are learned from again, games that were never finished.
VARY = ("lessons/left", "replay/", OPEN)
#: What Adam remembers of a parameter, once there was a gradient for it.
ADAM = ("step", "exp_avg", "exp_avg_sq")


def write(folder: Path, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Replace the folder's checkpoint; whatever happens meanwhile, the old or the new one is there."""
    held: dict[str, Any] = {name: plain(array) for name, array in arrays.items()}
    whole = json.loads(json.dumps({"format": FORMAT, **header}))
    text = json.dumps({**whole, "digest": _digest(whole, held)}).encode()
    held["header"] = np.frombuffer(text, np.uint8)
    with replacing(folder / NAME, "wb") as file:
        np.savez(file, **held)


def read(folder: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """The header and the arrays of the last checkpoint."""
    path = folder / NAME
    arrays = read_arrays(
        path, "checkpoint", "genesia train, in the folder of a run that has saved", MOST_BYTES
    )
    try:
        header = json.loads(arrays.pop("header").tobytes().decode())
    except (KeyError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise DataError(f"{path}: not a checkpoint ({reason}), allowed is one by genesia train") from None
    found = header.get("format") if isinstance(header, dict) else None
    if found != FORMAT:
        raise DataError(f"{path}: format {found!r}, allowed is {FORMAT}: the run was made by another version")
    if header.pop("digest", None) not in (None, _digest(header, arrays)):  # earlier versions wrote none
        raise DataError(f"{path}: is damaged, allowed is a checkpoint as it was written")
    return header, arrays


def _digest(header: Mapping[str, Any], arrays: Mapping[str, Array]) -> str:
    """Of all that a checkpoint holds, whatever packed it."""
    parts = [json.dumps(header, sort_keys=True).encode()]
    for name, held in sorted(arrays.items()):
        parts += [f"{name} {held.dtype.str} {held.shape}".encode(), np.ascontiguousarray(held).tobytes()]
    return digest(*parts)


def check_game(path: Path, header: Mapping[str, Any], game: Game, mark: str = "") -> None:
    """Was the run made by this version of the game?"""
    found = header.get(f"{mark}made_for")
    for name, allowed in made_for(game).items():
        held = found.get(name) if isinstance(found, dict) else None
        if held != allowed:
            raise DataError(
                f"{path}: {name} = {held!r}, allowed is {allowed!r}: the run was made by another version"
            )


def check_names(path: Path, header: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Does the header have all that is expected?"""
    for name in sorted(expected.keys() - header.keys()):
        raise DataError(f"{path}: {name} is missing, allowed is a checkpoint of this version")


def check_pool(path: Path, pool: Any, expected: Mapping[str, Any]) -> None:
    """Are there as many members as places?"""
    for name, held in expected.items():
        found = pool.get(name) if isinstance(pool, dict) else None
        if isinstance(held, list) and (not isinstance(found, list) or len(found) != len(held)):
            members = f"{len(found)} members" if isinstance(found, list) else repr(found)
            raise DataError(f"{path}: pool.{name} = {members}, allowed are {len(held)}")


def check_arrays(path: Path, arrays: Mapping[str, Array], expected: Mapping[str, Array]) -> None:
    """Are these all the arrays that are expected, and no others? Each of its type and shape."""
    for name in sorted(arrays.keys() | expected.keys()):
        found, allowed = (_form(name, held.get(name)) for held in (arrays, expected))
        if found != allowed:
            raise DataError(f"{path}: {name} = {found}, allowed is {allowed}")


def _form(name: str, held: Array | None) -> str:
    if held is None:
        return "nothing"
    shape = f"{held.ndim} dimensions" if name.startswith(VARY) else f"shape {plain(held).shape}"
    return f"{plain(held).dtype} of {shape}"


def plain(held: Array) -> Array:
    """Records become bytes: files of plain numbers need no pickle."""
    return np.ascontiguousarray(held).view(np.uint8) if held.dtype.kind == "V" else held


def put(into: Array, held: Array) -> None:
    """Fill an array with what was kept of it."""
    into[...] = held.view(into.dtype).reshape(into.shape) if into.dtype.kind == "V" else held


def part_of(arrays: Mapping[str, Array], prefix: str) -> dict[str, Array]:
    """The arrays whose names begin with a prefix, without it."""
    return {name[len(prefix) :]: held for name, held in arrays.items() if name.startswith(prefix)}


def under(prefix: str, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays with a prefix before their names."""
    return {prefix + name: held for name, held in arrays.items()}


def optimizer_arrays(optimizer: torch.optim.Optimizer) -> dict[str, Array]:
    """What an optimiser remembers of each parameter."""
    state = optimizer.state_dict()["state"]
    return {f"{k}/{name}": held.cpu().numpy() for k, kept in state.items() for name, held in kept.items()}


def optimizer_like(optimizer: torch.optim.Optimizer, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """What an optimiser would remember of the parameters that the arrays speak of."""
    shapes = [p.detach().cpu().numpy() for group in optimizer.param_groups for p in group["params"]]
    known = {name.partition("/")[0] for name in arrays}
    return {
        f"{k}/{name}": np.zeros((), np.float32) if name == "step" else held
        for k, held in enumerate(shapes)
        for name in ADAM
        if str(k) in known
    }


def put_optimizer(optimizer: torch.optim.Optimizer, arrays: Mapping[str, Array]) -> None:
    """Let an optimiser remember it again."""
    state: dict[int, dict[str, Any]] = {}
    for name, held in arrays.items():
        k, _, what = name.partition("/")
        state.setdefault(int(k), {})[what] = torch.from_numpy(held.copy())
    optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
