"""A live game: who may decide when, what may be taken back, and that it goes on from the disk."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genesia_rl.core.errors import ActionError, ConfigError, GenesiaError
from genesia_rl.core.player import Player
from genesia_rl.core.registry import game_names, make_game, variants
from genesia_rl.core.trace import verify
from genesia_rl.studio.live import PERSON, LiveGame, reveals, sight
from genesia_rl.studio.lobby import Lobby, allowed_code, configured
from genesia_rl.studio.saved import Folder
from genesia_rl.studio.view import view_of

GAMES = game_names()


def choose(live: LiveGame, rng: np.random.Generator) -> None:
    """A person decides anything."""
    legal = live.game.legal_actions(live.states, 0)
    live.act(live.seat, legal[int(rng.integers(len(legal)))], live.steps)


def wait(live: LiveGame) -> None:
    """Until a person is asked, or the game is over."""
    with live.changed:
        assert live.changed.wait_for(lambda: not live.waits_for_agent, timeout=120)


@pytest.mark.parametrize("game", GAMES)
def test_people_and_agents_play_a_whole_game_that_the_disk_has(game: str, begin: Any, lobby: Lobby) -> None:
    name, live = begin(game, [PERSON, "random"])
    rng = np.random.default_rng(1)
    wait(live)
    while not live.over:
        assert live.seat == 0
        choose(live, rng)
        wait(live)
    kept = lobby.folder.read(name)
    assert len(kept["steps"]) == live.steps and kept["play"]["seats"] == [PERSON, "random"]
    assert not verify(kept).differences


@pytest.mark.parametrize("game", GAMES)
def test_a_killed_server_loses_nothing(game: str, begin: Any, lobby: Lobby) -> None:
    """The game is opened anew from the disk at every decision, and what each seat sees is the same."""
    name, live = begin(game, [PERSON, PERSON])
    rng = np.random.default_rng(2)
    for _ in range(6):
        choose(live, rng)
        again = Lobby(Folder(lobby.folder.path)).live(name).result(timeout=60)
        again.pace = live.pace
        for eyes in range(2):
            assert view_of(again, eyes) == view_of(live, eyes)


def test_only_the_seat_that_is_asked_decides_and_each_decision_once(begin: Any) -> None:
    _, live = begin(GAMES[0], [PERSON, PERSON])
    action = live.game.legal_actions(live.states, 0)[0]
    other = 1 - live.seat
    with pytest.raises(ActionError, match=rf"seat {other}: it is the turn of seat {live.seat}"):
        live.act(other, action, 0)
    for illegal in (live.game.num_actions - 1, -1, 10**6):
        with pytest.raises(ActionError, match="allowed are"):
            live.act(live.seat, illegal, 0)
    live.act(live.seat, action, 0)
    with pytest.raises(ActionError, match=r"step 0: the game has gone on, allowed is 1"):
        live.act(live.seat, action, 0)
    assert live.steps == 1


@pytest.mark.parametrize("game", GAMES)
def test_what_is_taken_back_leaves_the_game_as_it_was(game: str, begin: Any) -> None:
    """And it may be taken back only when its own seat and all others know what they knew before."""
    _, live = begin(game, [PERSON, PERSON])
    rng = np.random.default_rng(3)
    taken = 0
    for _ in range(60):
        if live.over:
            break
        before, seat = [view_of(live, eyes)["scene"] for eyes in range(2)], live.seat
        choose(live, rng)
        assert not live.may_undo(1 - seat)
        if live.may_undo(seat):
            live.undo(seat, live.steps)
            taken += 1
            assert [view_of(live, eyes)["scene"] for eyes in range(2)] == before
            choose(live, rng)
        elif not live.over:
            with pytest.raises(ActionError, match="allowed until something is revealed"):
                live.undo(seat, live.steps)
    assert taken


def test_a_throw_reveals_a_die_that_nobody_knew() -> None:
    """In the game of the tests: to throw shows a die, and to hold lets the next seat throw at once."""
    game = make_game("toy")
    states = game.new_states()
    game.reset(states, 0, 3)
    for text in ("roll", "hold"):
        assert reveals(game, states, game.parse_action(text))


@pytest.mark.parametrize("game", GAMES)
def test_what_does_not_reveal_changes_no_sight_that_could_be_different(game: str) -> None:
    """Against the definition: with fresh draws, an action that `reveals` lets pass shows its seat one thing only."""
    made, rng = make_game(game), np.random.default_rng(4)
    states = made.new_states()
    made.reset(states, 0, 11)
    passed = 0
    for _ in range(80):
        if made.is_over(states, 0):
            break
        legal, seat = made.legal_actions(states, 0), made.seat(states, 0)
        action = legal[int(rng.integers(len(legal)))]
        free = not reveals(made, states, action)
        after = states.copy()
        made.step(after, 0, action)
        if free:
            passed += 1
            other = made.resample_hidden(states, 0, seat, rng)
            made.step(other, 0, action)
            assert sight(made, other, seat) == sight(made, after, seat)
        states = after
    assert passed


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_legal_and_changes_nothing(game: str, begin: Any) -> None:
    _, live = begin(game, [PERSON, PERSON])
    before = live.states.tobytes()
    found = live.hint(live.seat, 0, "mcts:20")
    assert found in live.game.legal_actions(live.states, 0)
    assert (live.states.tobytes(), live.steps) == (before, 0)


def test_agents_wait_for_the_pace(begin: Any) -> None:
    _, live = begin(GAMES[0], ["random", "random"])
    wait(live)
    assert live.over
    _, live = begin(GAMES[0], [PERSON, PERSON])
    with pytest.raises(ConfigError, match=r"pace = 11"):
        live.set_pace(11)


def test_an_agent_that_fails_is_told_and_people_are_not_ended(begin: Any, lobby: Lobby) -> None:
    class Broken(Player):
        def act(self, decision: Any) -> int:
            raise GenesiaError("it is out of order")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("genesia_rl.studio.live.make_player", lambda code, game: Broken())
        _, live = begin(GAMES[0], ["random", PERSON])
        with live.changed:
            assert live.changed.wait_for(lambda: live.trouble, timeout=60)
    assert live.trouble == "random cannot decide: it is out of order"


def test_many_who_decide_at_once_decide_once(begin: Any) -> None:
    """Sixteen threads send the same decision: one is taken, the others are told that the game has gone on."""
    _, live = begin(GAMES[0], [PERSON, PERSON])
    seat, action, refused = live.seat, live.game.legal_actions(live.states, 0)[0], []

    def send() -> None:
        try:
            live.act(seat, action, 0)
        except ActionError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=send) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert live.steps == 1 and len(refused) == 15


@pytest.mark.parametrize("game", GAMES)
def test_every_variant_can_be_played(game: str, lobby: Lobby) -> None:
    """All numbers of players, teams, solo, every option: people on all seats see their first decision."""
    for config in variants(game).values():
        made = make_game(game, **config)
        live = lobby.live(lobby.create(made, [PERSON] * made.num_seats, seed=5)).result(timeout=600)
        told = view_of(live, live.seat)
        assert told["scene"]["decision"]["options"] and len(told["names"]) == made.num_seats
        lobby._open.clear()


# ---------------------------------------------------------------- what a page may ask for


def test_options_of_a_page_are_those_of_the_game() -> None:
    for game in GAMES:
        assert configured(game, {"players": 3}).num_seats == 3
        with pytest.raises(ConfigError, match=r"option 'nonsense': unknown, allowed are players"):
            configured(game, {"nonsense": 1})
        with pytest.raises(ConfigError, match="option 'data': unknown"):
            configured(game, {"data": "/etc"})
        with pytest.raises(ConfigError, match=r"option players = 'three', allowed is Number of players"):
            configured(game, {"players": "three"})


@pytest.mark.parametrize(
    "code", ["ppo:/etc/passwd", "ppo:../../x.npz", "mcts:999999", "mcts:1 00", "", None, 7]
)
def test_agents_that_read_files_or_never_end_are_not_for_a_page(code: Any) -> None:
    with pytest.raises(ConfigError, match="allowed here are person and agents"):
        allowed_code(code)


@pytest.mark.parametrize("name", ["../secret", "a/b", "", ".hidden", "A", "x" * 81, "secret\0"])
def test_names_of_games_lead_nowhere_else(name: str, tmp_path: Path) -> None:
    with pytest.raises(GenesiaError, match="no such name"):
        Folder(tmp_path).file(name)


def test_the_secret_of_a_folder_stays_and_is_for_nobody_else(tmp_path: Path) -> None:
    first, again = Lobby(Folder(tmp_path)), Lobby(Folder(tmp_path))
    assert first.host_key == again.host_key and len(first.host_key) == 32
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0
    other = Lobby(Folder(tmp_path / "other"))
    assert first.host_key != other.host_key
    assert len({first.seat_key("a", 0), first.seat_key("a", 1), first.seat_key("b", 0), first.host_key}) == 4
