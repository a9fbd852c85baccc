"""What is under way can be seen by every seat, in its own numbering of the regions."""

from __future__ import annotations

import numpy as np
from games.genesia.positions import Play, card, fx, start


def marks(play: Play, seat: int, name: str) -> list[int]:
    """The regions, in absolute numbers, that a plane marks for a seat."""
    game, out = play.game, np.zeros(play.game.observation_size, np.int8)
    game.kernels.view(play.states, 0, game.tables, seat, np.zeros(game.num_actions, np.int8), out)
    plane = game.named(out)[f"region_{name}"].ravel()
    view = play.game.tables[0]["region_to_view"][seat]
    return [region for region in range(plane.size) if plane[view[region]]]


def test_where_a_relay_begins_and_where_it_leads_are_told_apart() -> None:
    play = start(hands=[[93, 2], []], clans={4: {0: 2}, 9: {0: 5}}, cities={12: 0}).do("card:93")
    for region, begins, leads in ((None, [], []), (9, [9], []), (4, [9], [4])):
        if region is not None:
            play.do(f"region:{region}")
        for seat in (0, 1):
            assert (marks(play, seat, "chosen"), marks(play, seat, "chosen_goal")) == (begins, leads)
    play.do("amount:1")
    assert marks(play, 0, "chosen") == marks(play, 0, "chosen_goal") == []


def test_where_a_leap_begins_and_where_it_leads_are_told_apart() -> None:
    play = start(age=2, phase="expansion", hands=[[33, 59], []], clans={38: {0: 5}},
                 cards={33: card("expansion", fx("leap", n=2, d=1))})  # fmt: skip
    play.do("card:33", "region:38", "region:36")
    for seat in (0, 1):
        assert (marks(play, seat, "chosen"), marks(play, seat, "chosen_goal")) == ([38], [36])
