"""Pictures as pixels: PNG files, and the frames of films."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import NotOffered
from genesia_rl.core.scene import Scene
from genesia_rl.studio.svg import svg_of

NEEDED = 'pictures as pixels need resvg-py and matplotlib: pip install "genesia-rl[picture]"'
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
FRAME_ZOOM = 0.7  # of the picture's own size: a film of whole games stays small


def png_of(svg: str, zoom: float = 1.0) -> bytes:
    """A picture as the bytes of a PNG file."""
    try:
        import resvg_py
    except ModuleNotFoundError as error:
        raise NotOffered(NEEDED) from error
    fonts = [str(path) for path in _fonts()]
    drawn: Any = resvg_py.svg_to_bytes(
        svg_string=svg, width=round(_width(svg) * zoom), font_files=fonts, skip_system_fonts=bool(fonts)
    )
    return bytes(drawn)


def pixels_of(scene: Scene, theme: str = "light") -> npt.NDArray[np.uint8]:
    """A scene without its cards as height x width x 3 bytes; all scenes of a game are of one size."""
    try:
        from PIL import Image
    except ModuleNotFoundError as error:
        raise NotOffered(NEEDED) from error
    file = BytesIO(png_of(svg_of(scene, theme, cards=False), FRAME_ZOOM))
    with Image.open(file) as image:
        return np.asarray(image.convert("RGB"), np.uint8)


def _width(svg: str) -> float:
    return float(svg.partition('width="')[2].partition('"')[0])


@cache
def _fonts() -> tuple[Path, ...]:
    """The font that matplotlib ships, so that pictures are the same on every machine; else the system's."""
    spec = find_spec("matplotlib")
    places = spec.submodule_search_locations if spec else None
    return (
        tuple(sorted(Path(places[0], "mpl-data", "fonts", "ttf").glob("DejaVuSans*.ttf"))) if places else ()
    )
