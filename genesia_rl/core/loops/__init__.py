"""Compiled loops that are written once and filled with each game's rules.

A template is a file beside this one. `fill` executes it inside the module of a game, which has imported what
the template calls (listed below):

    from genesia_rl.core.loops import fill
    from genesia_rl.games.NAME.observe import observe
    from genesia_rl.games.NAME.resample import resample
    from genesia_rl.games.NAME.rules import kernel as rules

    KERNELS = fill(globals(), "games")

What the templates call, by the module that offers it (`s` is one state, `t` one configuration; outputs come last):

    rules     deal(states, i, tables, seed)      a new game, dealt; nobody has been asked yet
              start(states, i, tables)           from a deal or a position to the first decision, or the end
              step(states, i, tables, action)    a legal action, and on to the next decision or the end
              put_scores(states, i, tables, parts, totals, ranks)
              num_seats(t)
              put_order(s, t, order)             the seats in the first turn order, right after the deal
              to_view, from_view(t, seat, action)     left out: actions are the same in every seat's numbering
              put_extra(s, t, result)            left out: a result has no further fields
    observe(s, t, seat, out)                     what a seat sees
    resample(states, i, into, j, tables, seat, seed)    another game that the seat cannot tell from this one
    score_actions, choose                        of a mind; left out: all actions look alike
    put_traits(states, i, tables, p, scratch, j, actions, scores, traits)   of a mind; left out: what the scores say
    take(states, i, tables, keys, action)        of a mind; left out: everybody sees every action
    broken(s, t)                                 of the invariants; left out: a game declares none of its own

`guided` is filled behind `search` and `selfplay`: it calls what they define.

Why not functions that take kernels as arguments, or closures: numba caches neither. What a template makes is
compiled in an importable module of the game, so that every process after the first finds it on disk.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

TEMPLATES = Path(__file__).parent
#: What every module and every template has.
MAY_CHANGE = frozenset(("__doc__", "__annotations__"))


def fill(namespace: dict[str, Any], template: str) -> Any:
    """Execute a template in a module's namespace; returns what it leaves as `FILLED`.

    Compiled functions look their names up when they are first called. So no template may give a name of another one, or
    of the module, another meaning.
    """
    path = TEMPLATES / f"{template}.py"
    before = dict(namespace)
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec", dont_inherit=True), namespace)
    changed = [
        name for name, held in before.items() if namespace[name] is not held and name not in MAY_CHANGE
    ]
    if changed:
        raise RuntimeError(
            f"template {template}: gives {', '.join(changed)} another meaning, allowed are new names"
        )
    return namespace.pop("FILLED")
