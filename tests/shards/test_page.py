"""The page of the shards says what is so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")

from genesia_rl.shards import store as stores

ROOT = Path(stores.__file__).resolve().parents[2]
PAGE = Path(stores.__file__).with_name("README.md").read_text(encoding="utf-8")


def test_the_job_of_the_page_runs(tmp_path: Path) -> None:
    (block, *_) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "coins.py").write_text(block)
    done = subprocess.run(
        [sys.executable, "coins.py"], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert 0.49 < float(done.stdout) < 0.51
    assert stores.open_store(tmp_path / "runs/coins").num_shards == 100


def test_the_layout_of_the_page_is_that_of_the_store() -> None:
    assert stores.__doc__ is not None
    shown = [line for line in stores.__doc__.splitlines() if line.startswith("    ")]
    assert len(shown) == 6 and all(line in PAGE for line in shown)
