"""An observation is sufficient: all that RULES 9 lets a seat know now can be rebuilt from its bytes.

The rebuilding (rebuilt.py) sees the observation and the static tables alone; what it finds is compared with every
field of the state that is public or the seat's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from games.genesia.eager import game_of, positions
from games.genesia.positions import Effect, Play, card, fight, fx, start
from games.genesia.rebuilt import differences

from genesia_rl.core.game import States
from genesia_rl.games.genesia.game import GenesiaGame
from genesia_rl.games.genesia.names import KINDS
from genesia_rl.games.genesia.state import FIELDS

PLAYED = ("players2", "players3", "players4", "players5", "promos5", "teams4", "all3", "all5", "attack_recruiting2",
          "no_objectives4", "decks2", "solo_beginner", "solo_heroic")  # fmt: skip
GAMES, OF_EACH = 16, 4
#: Pieces that say again, for those who learn, what follows from others or from the tables.
DERIVED = ("value", "homeland_of", "continent_of", "degree", "blocked", "toll", "can_recruit", "can_assault",
           "can_choose", "hand_size", "discards", "radiance", "conquest", "regions", "inventions", "is_team_mate",
           "legal", "my_decision", "worth")  # fmt: skip


@lru_cache(maxsize=len(PLAYED))
def played(variant: str) -> tuple[States, ...]:
    """Positions of every kind of decision in every Age."""
    return tuple(positions(game_of(variant), GAMES, OF_EACH))


def untold(game: GenesiaGame, states: States) -> Iterator[tuple[int, list[str]]]:
    """Seats with the fields that their observation does not tell."""
    for seat in range(game.num_seats):
        found = differences(game, states[0], seat, game.view(states, 0, seat)[1])
        if found:
            yield seat, found


def test_the_positions_are_thousands_and_of_every_kind() -> None:
    kinds = Counter(game_of(v).kind(s, 0) for v in PLAYED for s in played(v))
    assert set(kinds) == set(KINDS) and kinds.total() >= 2_000
    assert sum(game_of(v).num_seats * len(played(v)) for v in PLAYED) >= 6_000


@pytest.mark.parametrize("variant", PLAYED)
def test_all_that_a_seat_may_know_is_rebuilt_from_its_observation(variant: str) -> None:
    game = game_of(variant)
    for states in played(variant):
        assert list(untold(game, states)) == [], (game.kind(states, 0), game.draw(states, 0))


# ---------------------------------------------------------------- positions that games seldom reach


def all_told(play: Play) -> bool:
    """Is everything told, to every seat, at this decision?"""
    found = list(untold(play.game, play.states))
    assert found == [], found
    return True


def test_numbers_beyond_int8_are_told() -> None:
    game = start(players=3, age=3, coins=[1_000_000, 127, 128], conquests=[10_000, 200, 0], hands=[[61], [62], []],
                 progress=[[10_000, 300], [128, 127], [0, 255]])  # fmt: skip
    assert all_told(game)


def many(do: str) -> dict[int, Any]:
    """Card 61 with the same effect as often as a card may have it, for numbers that add up."""
    return {number: card("growth attack" if do in ("offence", "defence") else "growth expansion", fx(do, n=30))
            for number in (61, 63, 64, 65, 66)}  # fmt: skip


@pytest.mark.parametrize("do", ["offence", "defence", "moves"])
def test_sums_of_cards_beyond_int8_are_told(do: str) -> None:
    game = start(age=3, hands=[[61, 63, 64, 65, 66], [67]], cards=many(do), clans={0: {0: 1}})
    for number in (61, 63, 64, 65, 66):
        game.do(f"card:{number}")
        assert all_told(game)
    assert game.state["free_moves" if do == "moves" else do][0] == 150


@pytest.mark.parametrize("do", ["strike", "feint", "raid"])
def test_sums_of_an_assault_beyond_int8_are_told(do: str) -> None:
    cards = {number: card("attack", fx(do, n=30), timing="offence") for number in (61, 63, 64, 65, 66)}
    game = fight(3, 2, hands=[[61, 63, 64, 65, 66], [67]], cards=cards)
    for number in (61, 63, 64, 65):
        game.do(f"card:{number}")
    assert all_told(game.do("card:66")) and game.state[do] == 150


def test_every_copier_of_an_invention_is_told_and_whether_a_clan_marks_it() -> None:
    """Four seats have one Invention: played, copied with a clan, twice, and copied without one."""
    game = start(
        players=4, inventions=[[1], [1], [1], [1]], copied=[[], [1], [], [1]], hands=[[2], [3], [], []]
    )
    assert all_told(game)
    assert all_told(start(age=2, inventions=[[1, 9], [9]], copied=[[1, 9], [9]], hands=[[31], [32]]))


ALL_HOSTS: tuple[Effect, ...] = (
    fx("clans", n=3, at="frontier"), fx("relay", n=1), fx("leap", n=1, d=20), fx("host_coins", n=1),
    fx("city", n=1, at="foreign_homeland"),
)  # fmt: skip


def test_hosts_are_told_while_a_card_makes_them() -> None:
    """Hosts made by clans, a relay and a leap, at each decision of the card, and of its copy."""
    clans = {16: {0: 1}, 32: {0: 1}, 48: {1: 2}, 17: {1: 1}}
    game = start(players=4, age=3, hands=[[61, 98], [62, 80], [], []], cards={61: card("growth", *ALL_HOSTS)},
                 clans=clans).do("card:61")  # fmt: skip
    hosts, asked = set(), Counter[str]()
    rng = np.random.default_rng(3)
    while game.kind not in ("growth", "stance") and not game.over:
        assert all_told(game)
        hosts.add(int(game.state["hosts"]))
        asked[game.kind] += 1
        legal = [text for text in game.legal() if text != "end"] or ["end"]
        game.do(str(rng.choice(legal)))
    assert len(hosts) > 2 and {"place", "relay_from", "leap_to", "found", "copy"} <= set(asked)


def test_what_is_under_way_in_an_assault_is_told() -> None:
    """An empty target, a storm, a rout; a parry comes to no decision."""
    cards = {98: card("attack", fx("rout"), fx("storm"), timing="offence")}
    game = fight(3, 0, clans={1: {0: 3}}, cities={4: 1}, hands=[[98, 61], [81]], cards=cards)
    assert all_told(game.do("card:98")) and all_told(game.do("edge:1-4")) and game.state["target_was_empty"]


# ---------------------------------------------------------------- nothing of it is too much


def without(game: GenesiaGame, name: str) -> list[Any]:
    """The pieces of that name: of a seat's row those of all seats."""
    return [p for p in game.pieces if p.name.partition("_")[2] == name]


NAMES = sorted({p.name.partition("_")[2] for p in game_of("players3").pieces if p.used} - set(DERIVED))


def rare() -> list[Play]:
    """Positions in which cards have added all they can to an assault, and one of large numbers."""
    cards = {
        98: card("attack", *(fx(do, n=2) for do in ("strike", "feint", "raid")), fx("storm"), fx("rout"),
                 timing="offence"),
        81: card("attack", fx("ward", n=1), fx("fortify"), timing="defence"),
    }  # fmt: skip
    war = fight(3, 1, hands=[[98, 61], [81, 77]], cities={4: 1}, cards=cards).do(
        "card:98", "edge:1-4", "card:81"
    )
    return [war, start(coins=[200, 300], hands=[[1], [2]])]


@pytest.mark.parametrize("name", NAMES)
def test_without_a_piece_something_is_not_told(name: str) -> None:
    """Each piece that is not derived is needed; so the rebuilding does read the observation."""
    at_hand = [(play.game, play.states) for play in rare()]
    for game, states in (*at_hand, *((game_of(v), s) for v in ("players5", "all3") for s in played(v))):
        for seat in range(game.num_seats):
            seen = game.view(states, 0, seat)[1].copy()
            for piece in without(game, name):
                seen[piece.start : piece.stop] = 0
            if lacks(game, states, seat, seen):
                return
    pytest.fail(f"{name} is never needed")


def lacks(game: GenesiaGame, states: States, seat: int, seen: np.ndarray[Any, Any]) -> bool:
    """Is something not told, or what is told nonsense?"""
    try:
        return bool(differences(game, states[0], seat, seen))
    except (ValueError, StopIteration, IndexError):
        return True


def test_every_field_of_a_state_says_who_may_know_it() -> None:
    assert {knows for _, _, knows, _ in FIELDS} == {"public", "own", "hidden"}
