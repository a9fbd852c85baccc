"""What must be finished before the turn goes on: a small stack, innermost task on top.

A played card's effects come before its copy window, a copier's effects before its small turn, a
crossing before everything (PROTOCOL 2, details). A task is pushed when it begins and popped when it
has nothing left to ask.
"""

from __future__ import annotations

from genesia_rl.core.compile import kernel


@kernel
def push(s, task):
    """This task comes next."""
    s["tasks"][s["depth"]] = task
    s["depth"] += 1


@kernel
def pop(s):
    """The innermost task is finished."""
    s["depth"] -= 1
    s["tasks"][s["depth"]] = 0
