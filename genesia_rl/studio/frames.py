"""A whole game as pictures: what each pair of eyes sees before every decision, written as what changes.

The pictures of those who see everything are kept as differences from one step to the next, those of a seat as
differences from what everybody's are at the same step: little is left of a game of hundreds of decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from genesia_rl.core.errors import GenesiaError, TraceError
from genesia_rl.core.game import Game, States
from genesia_rl.core.scene import EVERYTHING, Scene, as_json, scene_of, tell
from genesia_rl.core.trace import begin

#: A difference is one of these, or None for "the same": replaced by a value; fields changed and taken away; a list
#: of keyed things, their order if that has changed, and what has changed in them; items changed by place.
VALUE, FIELDS, GONE, ORDER, KEYED, ITEMS, LENGTH = "=", "o", "-", "k", "t", "l", "n"


def film(game: Game, trace: Mapping[str, Any]) -> dict[str, Any]:
    """All that a page needs to show a game: for each pair of eyes the pictures, the log, what was chosen."""
    eyes = (EVERYTHING, *range(game.num_seats))
    made = {seen: _Reel() for seen in eyes}
    whole: Any = None
    for states, action in positions(game, trace):
        for seen in eyes:  # those who see everything come first
            scene = scene_of(game, states, 0, seen)
            picture = made[seen].show(scene, whole)
            whole = picture if seen == EVERYTHING else whole
            if action is not None:
                made[seen].take(scene, tell(game, states, 0, action, seen), action)
    return {
        "game": game.name,
        "config": game.config_dict(),
        "steps": len(trace["steps"]),
        "eyes": list(eyes),
        "reels": [vars(made[seen]) for seen in eyes],
    }


def film_seen(game: Game, moments: Iterable[tuple[States, int | None]], eyes: int) -> dict[str, Any]:
    """What one pair of eyes has seen of a game so far: one reel, each picture as what differs from the one before.

    The moments are positions with the action that was taken in them, the last one with none.
    """
    reel, last = _Reel(), None
    for states, action in moments:
        scene = scene_of(game, states, 0, eyes)
        last = reel.show(scene, last)
        if action is not None:
            reel.take(scene, tell(game, states, 0, action, eyes), action)
    return {"game": game.name, "steps": len(reel.log), "eyes": [eyes], "reels": [vars(reel)]}


class _Reel:
    """What one pair of eyes sees: pictures, log lines, and the keys of what was chosen at each step."""

    def __init__(self) -> None:
        self.scenes: list[Any] = []
        self.log: list[str] = []
        self.chosen: list[list[str]] = []

    def show(self, scene: Scene, base: Any) -> Any:
        """The next picture, kept as what differs from the base."""
        picture = as_json(_without_options(scene))
        self.scenes.append(difference(base, picture))
        return picture

    def take(self, scene: Scene, words: str, action: int) -> None:
        """What is chosen now, as these eyes may know it."""
        self.log.append(words)
        options = scene.decision.options if scene.decision else ()
        self.chosen.append([key for option in options if option.action == action for key in option.keys])


def _without_options(scene: Scene) -> Scene:
    """In a film nothing can be chosen."""
    return scene if scene.decision is None else replace(scene, decision=replace(scene.decision, options=()))


def positions(game: Game, trace: Mapping[str, Any]) -> Iterator[tuple[States, int | None]]:
    """Every position with the action that is taken in it, and the last one with none."""
    states = begin(game, trace)
    for number, step in enumerate(trace["steps"]):
        action = _legal(game, states, step, number)
        yield states, action
        game.step(states, 0, action)
    yield states, None


def _legal(game: Game, states: States, step: Any, number: int) -> int:
    try:
        action = game.parse_action(step[2])
        if action not in game.legal_actions(states, 0):
            raise TraceError(game.why_illegal(states, 0, action))
    except GenesiaError as error:
        raise TraceError(f"step {number}: {error}; genesia verify says more") from None
    return action


# ---------------------------------------------------------------- differences


def difference(old: Any, new: Any) -> Any:
    """What turns the old value into the new one; None if they are the same."""
    if type(old) is type(new) and old == new:
        return None
    if isinstance(old, dict) and isinstance(new, dict):
        return _of_tables(old, new)
    if isinstance(old, list) and isinstance(new, list):
        return _of_keyed(old, new) if _keyed(old) and _keyed(new) else _of_lists(old, new)
    return {VALUE: new}


def _of_tables(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    changed = {key: difference(old[key], new[key]) if key in old else {VALUE: new[key]} for key in new}
    found: dict[str, Any] = {FIELDS: {key: change for key, change in changed.items() if change is not None}}
    if gone := [key for key in old if key not in new]:
        found[GONE] = gone
    return found


def _keyed(items: list[Any]) -> bool:
    return all(isinstance(item, dict) and "key" in item for item in items)


def _of_keyed(old: list[Any], new: list[Any]) -> dict[str, Any]:
    before = {item["key"]: item for item in old}
    changed = {item["key"]: difference(before.get(item["key"]), item) for item in new}
    found: dict[str, Any] = {KEYED: {key: change for key, change in changed.items() if change is not None}}
    if [item["key"] for item in old] != [item["key"] for item in new]:
        found[ORDER] = [item["key"] for item in new]
    return found


def _of_lists(old: list[Any], new: list[Any]) -> dict[str, Any]:
    changed = [difference(a, b) for a, b in zip(old, new, strict=False)]
    changed += [{VALUE: item} for item in new[len(old) :]]
    found: dict[str, Any] = {ITEMS: [[place, c] for place, c in enumerate(changed) if c is not None]}
    if len(old) != len(new):
        found[LENGTH] = len(new)
    return found


def patched(old: Any, change: Any) -> Any:
    """The new value, from the old one and what has changed (replay.js does the same)."""
    if change is None:
        return old
    if VALUE in change:
        return change[VALUE]
    if FIELDS in change:
        kept = {key: value for key, value in old.items() if key not in change.get(GONE, ())}
        return kept | {key: patched(old.get(key), c) for key, c in change[FIELDS].items()}
    if KEYED in change:
        before = {item["key"]: item for item in old}
        order = change.get(ORDER, list(before))
        return [patched(before.get(key), change[KEYED].get(key)) for key in order]
    items = list(old[: change.get(LENGTH, len(old))])
    for place, c in change[ITEMS]:
        items[place : place + 1] = [patched(items[place] if place < len(items) else None, c)]
    return items
