"""`ppo:hf://OWNER/REPO/FILE`: a model of the Hugging Face hub. It is fetched once, kept in the hub's own cache, and
read as any other file is (learned.py): a model holds numbers only, and no size is believed before it is checked.

`hf://OWNER/REPO@REVISION/FILE` names a branch, a tag or a commit; without one it is what the repository has now. What
is fetched is told by its commit first, so that a file that is too large is not fetched at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from genesia_rl.core.errors import ConfigError, DataError

SCHEME = "hf://"
USAGE = f"{SCHEME}OWNER/REPO/FILE or {SCHEME}OWNER/REPO@REVISION/FILE"
#: What a file may have: as much as a model may unpack to.
MOST_BYTES = 1 << 30
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}"
_ADDRESS = re.compile(rf"{SCHEME}({_NAME}/{_NAME})(?:@({_NAME}))?/([^/\\@]+(?:/[^/\\@]+)*)")


class Address(NamedTuple):
    """A file of a repository."""

    repository: str
    revision: str | None
    file: str


def is_address(path: str) -> bool:
    """Does it name a file of the hub?"""
    return path.startswith(SCHEME)


def address_of(path: str) -> Address:
    """The parts of an address."""
    match = _ADDRESS.fullmatch(path)
    if match is None or ".." in match[3].split("/") or not match[3].isprintable():
        raise ConfigError(f"agent {f'ppo:{path}'!r}: allowed is ppo:{USAGE}")
    return Address(*match.groups())


@cache
def fetched(path: str) -> Path:
    """Where the file of an address is on this machine; fetched if it is not there, asked for once."""
    asked = address_of(path)
    try:
        from huggingface_hub import hf_hub_download
    except ModuleNotFoundError as error:
        raise ConfigError(f'agent ppo:{path} needs {error.name}: pip install "genesia-rl[hub]"') from None
    try:
        found = _found(hf_hub_download, asked)
    except _TooLarge as error:
        raise DataError(f"{path}: has {error} bytes, allowed are at most {MOST_BYTES}") from None
    except Exception as error:  # the network, the hub and its package raise nearly anything
        raise DataError(f"{path}: cannot be fetched ({_reason(error)}), allowed is {USAGE}") from None
    return Path(found)


class _TooLarge(Exception):
    """Of so many bytes."""


def _found(download: Callable[..., Any], asked: Address) -> str:
    """The file as it is in one commit: what has been looked at is what is fetched."""
    about = download(asked.repository, asked.file, revision=asked.revision, dry_run=True)
    if (about.file_size or 0) > MOST_BYTES:
        raise _TooLarge(about.file_size)
    return str(download(asked.repository, asked.file, revision=about.commit_hash))


def _reason(error: Exception) -> str:
    """The first of what was raised, on one line: the hub's messages go on with advice."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__
