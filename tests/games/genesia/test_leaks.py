"""No seat is shown what it may not know: whatever the resampling changes, its view stays the same.

A position is resampled for a seat: all that is hidden from it is drawn anew. What the seat is shown may
then not differ by a byte. That this finds leaks is tested with views that have one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from env_tools import random_action
from games.genesia.eager import VARIANTS, game_of, play_eagerly

from genesia_rl import genesia_v0
from genesia_rl.core.bits import members
from genesia_rl.core.game import States
from genesia_rl.games.genesia.game import GenesiaGame
from genesia_rl.games.genesia.names import KINDS
from genesia_rl.games.genesia.state import FIELDS

#: What a seat is shown, as bytes: of a game, its states, and the seat.
View = Callable[[GenesiaGame, States, int], bytes]

TABLES = ("players2", "players3", "players4", "players5", "promos3", "promos5", "teams4", "teams5", "all3")
PLAYED = (*TABLES, "solo_beginner", "solo_heroic")
OF_EACH_KIND, GAMES = 12, 30
RESAMPLED_HEADER = ("seat", "kind", "over", "steps")


# ---------------------------------------------------------------- positions


@lru_cache(maxsize=len(PLAYED))
def positions(variant: str) -> tuple[States, ...]:
    """So many positions of every kind of decision, four of a kind from one game at most."""
    game, found = game_of(variant), defaultdict[str, list[States]](list)
    for seed in range(GAMES):
        left = Counter(dict.fromkeys(KINDS, 4))
        for number, states in enumerate(play_eagerly(game, seed)):
            kind = game.kind(states, 0)
            often = kind in ("draft", "growth", "expansion", "stance", "assault")
            if often and (number + seed) % 9:  # not the first ones only
                continue
            if left[kind] and len(found[kind]) < OF_EACH_KIND:
                found[kind].append(game.clone(states))
                left[kind] -= 1
    return tuple(states for kept in found.values() for states in kept)


def of_kind(variant: str, *kinds: str) -> list[States]:
    """The positions of these kinds."""
    return [states for states in positions(variant) if game_of(variant).kind(states, 0) in kinds]


def draws(game: GenesiaGame, states: States, seat: int, times: int = 60) -> list[Any]:
    """So many resampled records, each of a seed of its own."""
    return [game.resample_hidden(states, 0, seat, np.random.default_rng(seed))[0] for seed in range(times)]


# ---------------------------------------------------------------- the checker


def honest(game: GenesiaGame, states: States, seat: int) -> bytes:
    """Mask and observation as the game shows them."""
    mask, observation = game.view(states, 0, seat)
    return mask.tobytes() + observation.tobytes()


def leaks(game: GenesiaGame, states: States, view: View, rng: np.random.Generator) -> list[str]:
    """Which seats could tell a resampled game from the true one, and at which bytes of the view."""
    found = []
    for seat in range(game.num_seats):
        other = game.resample_hidden(states, 0, seat, rng)
        shown, again = view(game, states, seat), view(game, other, seat)
        if shown != again:
            places = [k for k, (a, b) in enumerate(zip(shown, again, strict=True)) if a != b]
            found.append(f"{game.kind(states, 0)}: seat {seat}, bytes {places[:5]}")
    return found


def all_leaks(variant: str, view: View) -> list[str]:
    """The leaks in all positions of a variant."""
    rng = np.random.default_rng(1)
    return [leak for states in positions(variant) for leak in leaks(game_of(variant), states, view, rng)]


# ---------------------------------------------------------------- nothing is shown


def test_the_positions_are_many_and_of_every_kind() -> None:
    kinds = {game_of(variant).kind(states, 0) for variant in PLAYED for states in positions(variant)}
    assert kinds == set(KINDS)
    assert sum(len(positions(variant)) for variant in PLAYED) >= 2000


@pytest.mark.parametrize("variant", PLAYED)
def test_no_seat_can_tell_a_resampled_game_from_the_true_one(variant: str) -> None:
    assert all_leaks(variant, honest) == []


@pytest.mark.parametrize("variant", PLAYED)
def test_a_resampled_game_asks_the_same_seat_the_same_and_is_consistent(variant: str) -> None:
    game, rng = game_of(variant), np.random.default_rng(2)
    for states in positions(variant):
        for seat in range(game.num_seats):
            other = game.resample_hidden(states, 0, seat, rng)
            assert all(other[0][field] == states[0][field] for field in RESAMPLED_HEADER)
            assert game.check_state(other, 0) == []


@pytest.mark.parametrize("variant", PLAYED)
def test_the_seat_to_act_has_the_same_legal_actions_in_a_resampled_game(variant: str) -> None:
    game, rng = game_of(variant), np.random.default_rng(3)
    for states in positions(variant):
        if not game.is_over(states, 0):
            other = game.resample_hidden(states, 0, game.seat(states, 0), rng)
            assert game.legal_actions(other, 0) == game.legal_actions(states, 0)


@pytest.mark.parametrize("variant", PLAYED)
def test_a_resampled_game_can_be_played_to_its_end(variant: str) -> None:
    game, rng = game_of(variant), np.random.default_rng(4)
    for states in positions(variant)[::8]:
        other = game.resample_hidden(states, 0, int(rng.integers(game.num_seats)), rng)
        while not game.is_over(other, 0):
            game.step(other, 0, int(rng.choice(game.legal_actions(other, 0))))
        assert other[0]["steps"] <= game.max_decisions and game.check_state(other, 0) == []


# ---------------------------------------------------------------- what is known stays


@pytest.mark.parametrize("variant", PLAYED)
def test_a_resampled_game_keeps_all_that_is_public_and_all_that_is_the_seats_own(variant: str) -> None:
    game, rng = game_of(variant), np.random.default_rng(5)
    for states in positions(variant):
        for seat in range(game.num_seats):
            other = game.resample_hidden(states, 0, seat, rng)
            for name, _, knows, _ in FIELDS:
                before, after = states[0][name], other[0][name]
                same = knows == "hidden" or np.array_equal(before, after)
                assert same or (knows == "own" and np.array_equal(before[seat], after[seat])), name


@pytest.mark.parametrize("variant", PLAYED)
def test_a_resampled_game_keeps_how_many_cards_and_objectives_everybody_has(variant: str) -> None:
    game, rng = game_of(variant), np.random.default_rng(6)
    for states in positions(variant):
        for seat in range(game.num_seats):
            other = game.resample_hidden(states, 0, seat, rng)
            assert sizes(game, other) == sizes(game, states)


def sizes(game: GenesiaGame, states: States) -> list[int]:
    """How many there are of what is hidden."""
    sets = [
        states[0][field][seat] for field in ("hand", "discarded", "held") for seat in range(game.num_seats)
    ]
    numbers = [(states[0][field] > 0).sum() for field in ("kept", "dealt", "picks", "packs", "stance")]
    return [len(members(words)) for words in sets] + [int(number) for number in numbers]


# ---------------------------------------------------------------- what is hidden varies


@pytest.mark.parametrize("variant", TABLES)
def test_the_hands_objectives_and_later_packs_of_others_vary(variant: str) -> None:
    game = game_of(variant)
    states = next(s for s in of_kind(variant, "growth") if s[0]["age"] == 0)
    for seat in range(game.num_seats):
        drawn = draws(game, states, seat)
        assert len({s["packs"][1:].tobytes() for s in drawn}) == len(drawn)
        for other in set(range(game.num_seats)) - {seat}:
            for field in ("hand", "kept", "dealt"):
                values = {s[field][other].tobytes() for s in drawn}
                assert len(values) > 1 or not states[0][field][other].any(), (seat, other, field)


@pytest.mark.parametrize("variant", TABLES)
def test_a_stance_that_is_not_revealed_is_either_for_others_and_fixed_for_its_own_seat(variant: str) -> None:
    game, tried = game_of(variant), 0
    for states in of_kind(variant, "stance"):
        chosen = states[0]["stance"] > 0
        free = (states[0]["pacifist"] == 0) & (states[0]["spent"] == 0)
        for owner in np.flatnonzero(chosen & free).tolist():
            tried += 1
            for seat in range(game.num_seats):
                values = {int(s["stance"][owner]) for s in draws(game, states, seat)}
                assert values == ({int(states[0]["stance"][owner])} if seat == owner else {1, 2})
    assert tried


@pytest.mark.parametrize("kind", ["copy", "defence", "reinforce"])
def test_the_hand_of_a_seat_that_is_asked_for_a_card_varies_for_others(kind: str) -> None:
    """Hands without such a card are rejected; that may not end with the true hand every time."""
    varied = tried = 0
    for variant in TABLES:
        game = game_of(variant)
        for states in of_kind(variant, kind):
            asked = game.seat(states, 0)
            seat = (asked + 1) % game.num_seats
            tried += 1
            varied += len({s["hand"][asked].tobytes() for s in draws(game, states, seat, 10)}) > 1
    assert tried >= 10 and varied > tried / 4


# ---------------------------------------------------------------- the checker finds leaks


def shows(field: str) -> View:
    """A view with one more byte: of what belongs to the left neighbour."""

    def view(game: GenesiaGame, states: States, seat: int) -> bytes:
        theirs = states[0][field][(seat + 1) % game.num_seats]
        value = sum(members(theirs)) if field in ("hand", "held", "discarded") else int(np.sum(theirs))
        return honest(game, states, seat) + bytes([value % 256])

    return view


def shows_next_pack(game: GenesiaGame, states: States, seat: int) -> bytes:
    """A view with one more byte: the first card that the seat will be dealt in the last Age."""
    return honest(game, states, seat) + bytes([int(states[0]["packs"][2, seat, 0])])


def shows_num_legal(game: GenesiaGame, states: States, seat: int) -> bytes:
    """A view with one more byte: how many legal actions there are, for whoever is asked."""
    return honest(game, states, seat) + bytes([int(states[0]["num_legal"]) % 256])


@pytest.mark.parametrize("field", ["hand", "held", "discarded", "kept", "dealt", "picks", "stance"])
@pytest.mark.parametrize("variant", ["players3", "players4", "teams4"])
def test_a_view_that_tells_something_of_another_seat_is_found(variant: str, field: str) -> None:
    assert all_leaks(variant, shows(field))


@pytest.mark.parametrize("view", [shows_next_pack, shows_num_legal])
def test_a_view_that_tells_something_hidden_of_the_game_is_found(view: View) -> None:
    assert all_leaks("players3", view)


@pytest.mark.parametrize("field", ["played", "coins", "progress"])
def test_a_view_that_tells_something_public_of_another_seat_is_no_leak(field: str) -> None:
    def view(game: GenesiaGame, states: States, seat: int) -> bytes:
        told: bytes = states[0][field][(seat + 1) % game.num_seats].tobytes()
        return honest(game, states, seat) + told

    assert all_leaks("players3", view) == []


# ---------------------------------------------------------------- the same through the environment


def shown(env: Any, agent: str) -> list[bytes]:
    """All that an agent is given by its environment."""
    seen, info = env.observe(agent), env.infos[agent]
    rest = repr((sorted(info.items()), env.rewards[agent], env.terminations[agent], env.truncations[agent]))
    return [seen["observation"].tobytes(), seen["action_mask"].tobytes(), rest.encode()]


@pytest.mark.parametrize("variant", ["players2", "players5", "promos3", "teams4", "solo_heroic"])
def test_no_agent_of_the_environment_can_tell_a_resampled_game_from_the_true_one(variant: str) -> None:
    env, rng = genesia_v0.raw_env(**VARIANTS[variant]), np.random.default_rng(7)
    env.reset(seed=7)
    for number in range(400):
        if env.terminations[env.agent_selection]:
            break
        if number % 10 == 0:
            for seat, agent in enumerate(env.possible_agents):
                other = env.clone()
                other.states[:] = env.game.resample_hidden(env.states, 0, seat, rng)
                other.restore(other.save())  # nothing is remembered of the true game
                assert shown(other, agent) == shown(env, agent)
        env.step(random_action(env.observe(env.agent_selection)["action_mask"], rng))
