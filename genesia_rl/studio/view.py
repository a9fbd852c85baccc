"""What a browser or a terminal is told of a live game: what the eyes that it is for may know, and nothing else.

No seed, no deal, nobody else's options. That the same bytes come out when all that a seat cannot know is drawn anew
is tested for every game.
"""

from __future__ import annotations

from typing import Any

from genesia_rl.core.game import Game, States
from genesia_rl.core.scene import as_json, scene_of
from genesia_rl.studio.live import LiveGame


def view_of(live: LiveGame, eyes: int, log_from: int = 0) -> dict[str, Any]:
    """The game as these eyes see it; the log from an entry on."""
    with live.changed:
        first = min(max(0, log_from), live.steps)
        return {
            "step": live.steps,
            **position_of(live.game, live.states, eyes),
            "log": [lines[eyes] for lines in live.log[first:]],
            "log_from": first,
            "by": [step[0] for step in live.trace["steps"][first:]],
            "undo": eyes >= 0 and live.may_undo(eyes),
            "who": list(live.seating.who),
            "names": list(live.seating.names),
            "pace": live.pace,
            "trouble": live.trouble,
        }


def position_of(game: Game, states: States, eyes: int) -> dict[str, Any]:
    """What lies before these eyes."""
    return {
        "eyes": eyes,
        "seat": game.seat(states, 0),
        "over": game.is_over(states, 0),
        "scene": as_json(scene_of(game, states, 0, eyes)),
    }
