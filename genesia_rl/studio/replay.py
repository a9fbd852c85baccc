"""A game as one page that needs nothing else: opened from the disk, it shows every step to whichever eyes."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Mapping
from typing import Any

from genesia_rl.core.game import Game
from genesia_rl.core.registry import game_info
from genesia_rl.studio.frames import film
from genesia_rl.studio.palette import page_text

#: What the page is made of, in this order.
STYLES = ("palette.css", "board.css", "replay.css")
MODULES = ("board.js", "review.js", "replay.js", "replay_file.js")

_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_SLOT = re.compile(r"\{(title|head|heading|subtitle|film|script)\}")
_ALONE = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:\">"
)


def replay_page(game: Game, trace: Mapping[str, Any], layer: Mapping[str, Any] | None = None) -> str:
    """The page of a game that was recorded, with the layer of a review if it has one."""
    title = game_info(game.name).title
    style = "".join(map(page_text, STYLES))
    made = film(game, trace)
    content = packed(made if layer is None else {**made, "review": layer})
    return _filled(
        title=f"{title}: a game" if layer is None else f"{title}: a game, reviewed",
        head=f"{_ALONE}\n<style>{style}</style>",
        heading=html.escape(title),
        subtitle=html.escape(_subtitle(game, trace)),
        film=f'<script type="application/octet-stream" id="film">{content}</script>',
        script=f'<script type="module">{one_module(*MODULES)}</script>',
    )


def page_at_the_table() -> str:
    """The same page as a server sends it: it asks for the film, and its parts are files of their own."""
    styles = "\n".join(f'<link rel="stylesheet" href="{name}">' for name in STYLES)
    script = '<script type="module" src="replay_live.js"></script>'
    return _filled(title="A replay", head=styles, heading="Replay", subtitle="", film="", script=script)


def _filled(**slots: str) -> str:
    return _SLOT.sub(lambda match: slots[match[1]], page_text("replay.html"))


def packed(content: Any) -> str:
    """Something as JSON, packed, in letters that a page may hold. The same content gives the same letters."""
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def one_module(*names: str) -> str:
    """Modules of the page as one: what they export to one another has the same names everywhere."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", page_text(name))) for name in names)


def _subtitle(game: Game, trace: Mapping[str, Any]) -> str:
    seats, steps = game.num_seats, len(trace["steps"])
    seed = f", seed {trace['seed']}" if "seed" in trace else ""
    return f"{seats} seats, {steps} decisions{seed}"
