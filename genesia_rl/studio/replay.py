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

_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_SLOT = re.compile(r"\{(title|style|heading|subtitle|film|script)\}")


def replay_page(game: Game, trace: Mapping[str, Any]) -> str:
    """The page of a game that was recorded."""
    title = game_info(game.name).title
    slots = {
        "title": f"{title}: a game",
        "heading": html.escape(title),
        "subtitle": html.escape(_subtitle(game, trace)),
        "style": "".join(map(page_text, ("palette.css", "board.css", "replay.css"))),
        "film": packed(film(game, trace)),
        "script": one_module("board.js", "replay.js"),
    }
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
