"""The numbers of actions, of games in which they need no translation."""

from __future__ import annotations

from typing import Any

from genesia_rl.core.compile import kernel


@kernel
def same_action(t: Any, seat: Any, action: Any) -> Any:
    """Actions have the same number in every seat's numbering."""
    return action
