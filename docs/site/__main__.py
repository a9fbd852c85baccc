"""Lay out all pages, then have Sphinx build them; a warning is an error."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"  # some positions are played to: nothing is worth compiling for that

from docs.site.pages import EXTRA, lay_out

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Build the site and say where it is."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description="Build the documentation site.")
    parser.add_argument("--out", type=Path, default=Path("build/docs"), help="a folder of its own")
    out = parser.parse_args().out.resolve()
    try:
        from sphinx.cmd.build import main as build
    except ModuleNotFoundError as error:
        print(f'docs.site needs {error.name}: pip install "genesia-rl[docs]"', file=sys.stderr)
        return 2
    source, html = out / "source", out / "html"
    for folder in (source, html):
        shutil.rmtree(folder, ignore_errors=True)
    lay_out(source)
    settings = ["-c", str(HERE), "-d", str(out / "doctrees"), "-D", f"html_extra_path={source / EXTRA}"]
    code = int(build(["-q", "-W", "--keep-going", "-b", "html", *settings, str(source), str(html)]))
    if not code:
        print(f"{html / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
