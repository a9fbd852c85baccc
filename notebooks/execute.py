"""Execute the notebooks in place, so that what they show is what they do.

python notebooks/execute.py                       # all of them
python notebooks/execute.py balance               # one
python notebooks/execute.py --to runs/notebooks   # into a folder, the kept ones stay as they are

Code comes from this checkout. Notebooks write what they make into an empty folder that is taken away.
"""

from __future__ import annotations

import argparse
import base64
import io
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image
from traitlets.config import Config

HERE = Path(__file__).resolve().parent
#: By name: those of any game here, those of one game in its folder.
PATHS = {path.stem: path for path in sorted(HERE.glob("*.ipynb")) + sorted(HERE.glob("*/*.ipynb"))}
NAMES = tuple(sorted(PATHS))
SECONDS = 3600  # for one cell
PNG, COLOURS = "image/png", 48
#: What nbclient writes beside outputs, and what differs from machine to machine.
UNWANTED = ("execution", "ExecuteTime")


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of this run; an error in a cell ends it."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as own:
        os.environ["IPYTHONDIR"] = own  # whoever executes it may have settings of their own
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(
            notebook, timeout=SECONDS, startup_timeout=SECONDS, resources=resources,
            kernel_name="python3", coalesce_streams=True, config=_private(own),
        )  # fmt: skip
        client.execute()
    for cell in notebook.cells:
        for name in UNWANTED:
            cell.metadata.pop(name, None)
        for output in cell.get("outputs", []):
            if PNG in output.get("data", {}):
                output.data[PNG] = smaller(output.data[PNG])
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def smaller(picture: str) -> str:
    """A plot with few colours: it looks the same and takes a third of the room."""
    file = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(picture))) as image:
        image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def _private(folder: str) -> Config:
    """Where there are sockets in the file system, nobody else's process can talk to the kernel."""
    sockets = {"transport": "ipc", "ip": f"{folder}/kernel"}
    return Config({"KernelManager": sockets if os.name == "posix" else {}})


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="execute notebooks in place")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="write them there instead")
    args = parser.parse_args()
    if unknown := [name for name in args.names if name not in NAMES]:
        parser.error(f"notebook {unknown[0]!r}: allowed are {', '.join(NAMES)}")
    paths = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    for name in args.names or NAMES:
        goal = PATHS[name] if args.to is None else args.to / f"{name}.ipynb"
        goal.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(executed(PATHS[name]), goal)
        print(f"{goal}: {goal.stat().st_size // 1024} KB", file=sys.stderr)


if __name__ == "__main__":
    main()
