"""The lower bounds that pyproject.toml states, as constraints for pip: `numpy==2.0`, a line each.

    python .ci/lowest.py [EXTRA ...] >lowest.txt

Of a package that several extras name the highest bound counts. What the project itself brings is left out.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[([a-z0-9,]+)\])?(?:>=([0-9.]+))?$")


def bounds(extras: list[str], project: dict[str, object]) -> dict[str, str]:
    """Package -> its lowest version, for the package itself with some extras."""
    optional = project["optional-dependencies"]
    assert isinstance(optional, dict)
    found: dict[str, str] = {}
    left, seen = [None, *extras], set()
    while left:
        extra = left.pop()
        if extra in seen:
            continue
        seen.add(extra)
        for text in project["dependencies"] if extra is None else optional[extra]:  # type: ignore[attr-defined]
            match = REQUIREMENT.match(text)
            if match is None:
                raise SystemExit(
                    f"pyproject.toml: requirement {text!r}, allowed is name>=version or name[extras]"
                )
            name, more, version = match.groups()
            if name == project["name"]:
                left += more.split(",")
            elif version is None:
                raise SystemExit(f"pyproject.toml: {text!r} has no lower bound, allowed is name>=version")
            elif name not in found or _key(version) > _key(found[name]):
                found[name] = version
    return found


def _key(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def main(extras: list[str]) -> None:
    """Print them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name, version in sorted(bounds(extras, project).items()):
        print(f"{name}=={version}")


if __name__ == "__main__":
    main(sys.argv[1:])
