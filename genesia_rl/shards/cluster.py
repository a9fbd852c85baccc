"""A cluster of Ray: how one is found or begun, and how what runs there is started.

Nodes need the project and the same Python, but no disk in common.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import ConfigError

PATIENCE = 10.0  # seconds for a first answer
ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS",
     "VECLIB_MAXIMUM_THREADS"),
    "1",
)  # fmt: skip


@contextmanager
def connected(ray: Any, address: str | None, workers: int | None) -> Iterator[None]:
    """A connection to Ray: the one there is, or one for now (of no address: a Ray of our own)."""
    if ray.is_initialized():
        there = ray.get_runtime_context().gcs_address
        if address not in (None, "auto", there):
            raise ConfigError(f"address = {address!r}, allowed is {there} to which Ray is connected already")
        yield
        return
    if address not in (None, "auto"):
        _require_answer(str(address))
    wanted: dict[str, Any] = {"address": address} if address else {"address": "local", "num_cpus": workers}
    try:
        ray.init(
            **wanted,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level="error",
        )
    except (ConnectionError, RuntimeError) as error:  # nobody there, or a Ray of another version
        raise ConfigError(
            f"address = {address!r}: {error}, allowed is auto or host:port of a Ray that runs"
        ) from None
    try:
        yield
    finally:
        ray.shutdown()


def _require_answer(address: str) -> None:
    """Refuse an address that nobody listens at: Ray itself would try it for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if not (host and port.isdecimal()):
            raise OSError("no host and port")
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise ConfigError(
            f"address = {address!r}: {error}, allowed is auto or host:port of a Ray that runs"
        ) from None


def environment() -> dict[str, Any]:
    """What workers are started with: one thread each, and our paths before those of their node."""
    paths = os.pathsep.join([*_paths(), "${PYTHONPATH}"])
    return {"env_vars": ONE_THREAD | {"PYTHONPATH": paths}}


def _paths() -> list[str]:
    """Where the project and the job are, if that is not where Python itself looks."""
    own = {str(ROOT): None}
    for entry in sys.path:
        inside = any(Path(entry).is_relative_to(base) for base in (sys.prefix, sys.base_prefix))
        if entry and Path(entry).is_dir() and not inside:
            own[str(Path(entry).resolve())] = None
    return list(own)


def the_ray() -> Any:
    """Ray, if it is installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise ConfigError(
            "backend = 'ray': ray is not installed, allowed after pip install genesia-rl[ray]"
        ) from None
    return ray
