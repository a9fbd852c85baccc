"""What holds in every state of Pig."""

from genesia_rl.core.compile import kernel
from toy.config import DICE

INVARIANTS = (
    "no more dice are thrown than there are",
    "nobody has the target's points before the game is over",
    "what a turn has brought are dice that were thrown in it, of which none is a 1",
)


@kernel
def broken(s, t):
    """The first of them that does not hold, counted from 1."""
    if s["used"] < 0 or s["used"] > DICE:
        return 1
    for seat in range(t["players"]):
        if s["points"][seat] >= t["target"] > t["later"] and not s["over"]:
            return 2
    left, place = s["turn"], s["used"]
    while left > 0 and place > 0:
        place -= 1
        if s["dice"][place] == 1:
            return 3
        left -= s["dice"][place]
    return 3 if left != 0 else 0
