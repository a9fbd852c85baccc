"""Checkpoints: arrays and a JSON header in one file, replaced in one step, so that it is always whole."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from genesia_rl.errors import DataError

Array = npt.NDArray[Any]
NAME = "checkpoint.npz"
FORMAT = 1


def write(folder: Path, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Replace the folder's checkpoint; whatever happens meanwhile, the old or the new one is there."""
    part = folder / f".{NAME}.part"
    text = np.frombuffer(json.dumps({"format": FORMAT, **header}).encode(), np.uint8)
    plain: dict[str, Any] = {"header": text} | {name: _plain(held) for name, held in arrays.items()}
    with part.open("wb") as file:
        np.savez(file, **plain)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, folder / NAME)


def read(folder: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """The header and the arrays of the last checkpoint."""
    path = folder / NAME
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        header = json.loads(bytes(arrays.pop("header")).decode())
    except FileNotFoundError:
        raise DataError(f"{path}: no such file, allowed is the folder of a run that has saved") from None
    except (zipfile.BadZipFile, ValueError, KeyError, EOFError) as error:
        raise DataError(f"{path}: not a checkpoint ({error}), allowed is one by genesia train") from None
    if header.get("format") != FORMAT:
        raise DataError(f"{path}: format {header.get('format')!r}, allowed is {FORMAT}")
    return header, arrays


def _plain(held: Array) -> Array:
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
    return {f"{k}/{name}": held.numpy() for k, kept in state.items() for name, held in kept.items()}


def put_optimizer(optimizer: torch.optim.Optimizer, arrays: Mapping[str, Array]) -> None:
    """Let an optimiser remember it again."""
    state: dict[int, dict[str, Any]] = {}
    for name, held in arrays.items():
        k, _, what = name.partition("/")
        state.setdefault(int(k), {})[what] = torch.from_numpy(held.copy())
    optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
