"""What chance deals in Genesia."""

from __future__ import annotations

from genesia_rl.core.registry import make_game


def test_every_turn_order_and_every_first_pack_is_dealt() -> None:
    """All chance is in the deal: no seat and no card is favoured visibly."""
    game = make_game("genesia", players=3)
    states = game.new_states()
    orders, first_cards = set(), set()
    for seed in range(300):
        game.reset(states, 0, seed)
        orders.add(tuple(states[0]["order"][:3].tolist()))
        first_cards.add(int(states[0]["packs"][0, 0, 0]))
    assert len(orders) == 6 and first_cards == set(range(1, 19))
