"""Figures as SVG inside a page: the same figure gives the same bytes, and nothing points outside."""

from __future__ import annotations

import io
from typing import Any
from xml.etree import ElementTree

from matplotlib import rc_context
from matplotlib.figure import Figure

from genesia_rl.report.style import STYLE

#: Text stays text: it can be found and copied, and the file is small. Ids come from content, not chance.
OUTPUT: Any = {**STYLE, "svg.fonttype": "none", "svg.hashsalt": "genesia_rl", "svg.image_inline": True}
UNDATED = {"Date": None, "Creator": None, "Format": None, "Type": None}
DROPPED = ("metadata", "style")  # what a page needs not, or has for all plots at once
LEAST = 0.75  # of the natural width: narrower pages scroll the plot, its words stay readable


def svg_of(figure: Figure, name: str, alt: str) -> str:
    """An `<svg>` element whose ids begin with the name, which makes them unique in the page."""
    file = io.BytesIO()
    with rc_context(OUTPUT):
        figure.savefig(file, format="svg", metadata=UNDATED)
    root = ElementTree.fromstring(file.getvalue())
    for parent in list(root.iter()):
        for child in [child for child in parent if _bare(child.tag) in DROPPED]:
            parent.remove(child)
    for element in root.iter():
        _localize(element, name)
    _describe(root, alt)
    return ElementTree.tostring(root, encoding="unicode")


def _bare(name: str) -> str:
    """Without the namespace, which a page does not write."""
    return name.rpartition("}")[2]


def _localize(element: ElementTree.Element, name: str) -> None:
    """Let ids and the references to them belong to this plot."""
    element.tag = _bare(element.tag)
    for key, value in list(element.attrib.items()):
        del element.attrib[key]
        short = _bare(key)
        if short == "id":
            value = f"{name}-{value}"
        elif short == "href" and value.startswith("#"):
            value = f"#{name}-{value[1:]}"
        element.attrib[short] = value.replace("url(#", f"url(#{name}-")


def _describe(root: ElementTree.Element, alt: str) -> None:
    """Its size on pages of any width, and what those hear who do not see it."""
    width = float(root.attrib.pop("width").removesuffix("pt")) * 96 / 72
    del root.attrib["height"], root.attrib["version"]
    root.attrib |= {
        "role": "img",
        "aria-label": alt,
        "style": f"width:{width:.0f}px;min-width:{LEAST * width:.0f}px",
    }
