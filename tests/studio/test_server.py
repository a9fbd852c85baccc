"""The server: who is answered, what it does with nonsense, and that nothing is lost between two browsers."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from genesia_rl.core.registry import default_game, game_names
from genesia_rl.core.scene import BYSTANDER
from genesia_rl.studio import server as module
from genesia_rl.studio.live import PERSON, LiveGame
from genesia_rl.studio.server import MOST_BODY, Rates, Server, packed, page_files, shared

GAME = default_game()
MOST_PAGE = 100_000  # bytes
Answer = tuple[int, dict[str, Any]]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests ask more often than people."""
    monkeypatch.setattr(module, "RATE", 10_000.0)
    monkeypatch.setattr(module, "BURST", 10_000.0)
    monkeypatch.setattr(module, "BEAT", 0.2)


def send(server: Server, method: str, path: str, body: bytes | None = None, /, **headers: str) -> Answer:
    """One request as it is, and the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_host="Host" in given)
    for name, value in given.items():
        connection.putheader(name, value)
    if body is not None and "Content-Length" not in given:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    kind = answer.headers.get_content_type()
    return answer.status, json.loads(text) if kind == "application/json" else {"bytes": text}


def get(server: Server, path: str, key: str, **headers: str) -> Answer:
    """What a page asks for."""
    return send(server, "GET", path, None, X_Key=key, **headers)


def post(server: Server, path: str, key: str, body: Any, **headers: str) -> Answer:
    """What a page wants done."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return send(server, "POST", path, data, X_Key=key, Content_Type="application/json", **headers)


@contextmanager
def stream(server: Server, name: str, key: str, eyes: int) -> Iterator[Iterator[dict[str, Any]]]:
    """The events of a game; signs of life are left out."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", f"/api/live/{name}/events?eyes={eyes}", headers={"X-Key": key})
    answer = connection.getresponse()

    def events() -> Iterator[dict[str, Any]]:
        while line := answer.readline():
            if line.startswith(b"data: ") and (event := json.loads(line[6:])):
                yield event

    yield events()
    if connection.sock is not None:
        connection.sock.close()
    answer.close()
    connection.close()


def state_of(live: LiveGame) -> bytes:
    """What must not change."""
    return packed({"steps": live.trace["steps"], "pace": live.pace}) + bytes(live.states.tobytes())


# ---------------------------------------------------------------- who is answered


def test_the_page_is_small_and_is_sent_as_it_is(server: Server) -> None:
    assert sum(len(data) for path, data in page_files().items() if path != "/") <= MOST_PAGE
    for path in page_files():
        status, answer = send(server, "GET", path)
        assert (status, answer["bytes"]) == (200, page_files()[path])


@pytest.mark.parametrize(
    "path",
    ["/../pyproject.toml", "/page/../server.py", "/%2e%2e/server.py", "/board.js/../../server.py", "//etc/passwd",
     "/server.py", "/__init__.py", "/secret", "/api", "/api/", "/api/live", "/api/none", "/\\..\\server.py"],
)  # fmt: skip
def test_no_other_file_is_ever_sent(path: str, server: Server, lobby: Any) -> None:
    status, answer = get(server, path, lobby.host_key)
    assert status in (403, 404) and set(answer) == {"error"}


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "", "localhost:99999", "[::"]
)
def test_other_names_of_the_machine_are_refused(host: str, server: Server) -> None:
    assert send(server, "GET", "/", Host=host)[0] == 403


def test_its_own_names_are_answered(server: Server) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]"):
        assert send(server, "GET", "/", Host=f"{host}:{server.port}")[0] == 200


def test_pages_from_elsewhere_are_refused(server: Server, lobby: Any) -> None:
    for origin in ("http://evil.example", "null", f"https://127.0.0.1:{server.port}", "http://127.0.0.1:1"):
        assert get(server, "/api/lobby", lobby.host_key, Origin=origin)[0] == 403
    assert get(server, "/api/lobby", lobby.host_key, Origin=f"http://127.0.0.1:{server.port}")[0] == 200


def test_a_server_on_all_addresses_answers_to_numbers_only(lobby: Any) -> None:
    """A name that leads here may be somebody's trick; a number cannot be."""
    made = Server(lobby, "0.0.0.0")
    try:
        assert made.knows(f"192.168.1.7:{made.port}") and made.knows(f"localhost:{made.port}")
        assert not made.knows(f"my-machine.example:{made.port}")
        assert made.url("k=1").startswith("http://127.0.0.1:")
    finally:
        made.server_close()


@pytest.mark.parametrize("key", ["", "x", "0" * 32, "é", "\x7f" * 3])
def test_nothing_is_told_without_a_key(key: str, server: Server, begin: Any) -> None:
    name, live = begin(GAME, [PERSON, PERSON])
    before = state_of(live)
    encoded = key.encode().decode("latin-1")
    for path in ("/api/lobby", f"/api/live/{name}", f"/api/live/{name}/events?eyes=0", "/api/live/none"):
        assert get(server, path, encoded)[0] == 403
    for verb in ("act", "undo", "hint", "pace"):
        body = {"seat": 0, "step": 0, "action": 1, "seconds": 1}
        assert post(server, f"/api/live/{name}/{verb}", encoded, body)[0] == 403
    assert post(server, "/api/new", encoded, {"game": GAME, "seats": [PERSON, PERSON]})[0] == 403
    assert state_of(live) == before


def test_the_key_of_a_seat_is_for_that_seat_of_that_game(server: Server, lobby: Any, begin: Any) -> None:
    name, live = begin(GAME, [PERSON, PERSON])
    other, _ = begin(GAME, [PERSON, PERSON])
    key = lobby.seat_key(name, 1)
    assert get(server, f"/api/live/{name}", key)[1] == {"seats": [1], "keys": {}, "host": False}
    assert get(server, "/api/lobby", key)[0] == 403
    assert get(server, f"/api/live/{other}", key)[0] == 403
    with stream(server, name, key, 0) as events:
        assert next(events) == {"error": "seat 0: is not yours"}
    body = {"seat": 0, "step": 0, "action": live.game.legal_actions(live.states, 0)[0]}
    assert post(server, f"/api/live/{name}/act", key, body)[0] == 403
    assert live.steps == 0


# ---------------------------------------------------------------- nonsense

NONSENSE: list[Any] = [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"seat": 0', b"[" * 9000, {}, {"seat": "0", "step": 0, "action": 1},
    {"seat": 0, "step": 0, "action": "card:1"}, {"seat": 0, "step": 0}, {"seat": 0, "step": -1, "action": 1},
    {"seat": 0, "step": 0, "action": 1e99}, {"seat": 0, "step": 0, "action": -5},
    {"seat": 0, "step": 0, "action": 10**30},
    {"seat": True, "step": 0, "action": 1}, {"seat": 99, "step": 0, "action": 1}, {"seat": -2, "step": 0, "action": 1},
    {"seconds": "x"}, {"seconds": -1}, {"seconds": 1e9}, {"agent": "ppo:/etc/passwd", "seat": 0, "step": 0},
]  # fmt: skip


@pytest.mark.parametrize("verb", ["act", "undo", "hint", "pace", "none"])
def test_nonsense_gets_an_error_and_the_game_goes_on(
    verb: str, server: Server, lobby: Any, begin: Any
) -> None:
    name, live = begin(GAME, [PERSON, PERSON])
    before = state_of(live)
    for body in NONSENSE:
        if (
            verb == "hint"
            and isinstance(body, dict)
            and (body.get("seat"), body.get("step")) == (live.seat, 0)
        ):
            body = {**body, "agent": "nobody"}
        status, answer = post(server, f"/api/live/{name}/{verb}", lobby.host_key, body)
        assert 400 <= status < 500, (body, answer)
        assert set(answer) == {"error"} and "Traceback" not in answer["error"]
    assert state_of(live) == before
    body = {"seat": live.seat, "step": 0, "action": live.game.legal_actions(live.states, 0)[0]}
    assert post(server, f"/api/live/{name}/act", lobby.host_key, body) == (200, {"step": 1})


def test_what_is_too_large_is_not_read(server: Server, lobby: Any) -> None:
    for length in (str(MOST_BODY + 1), "99999999999", "-1", "x", ""):
        answer = post(server, "/api/new", lobby.host_key, b"", Content_Length=length)
        assert answer[0] == 413
    assert post(server, "/api/new", lobby.host_key, b"a" * (MOST_BODY + 1))[0] == 413


def test_what_is_no_http_ends_its_connection_only(server: Server) -> None:
    for words in (
        b"\x16\x03\x01\x02\x00",
        b"GET\r\n\r\n",
        b"A" * 70_000 + b"\r\n",
        b"POST / HTTP/9.9\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
            connection.sendall(words)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65_536):
                pass
    assert send(server, "GET", "/")[0] == 200


def test_new_games_of_nonsense_are_refused_with_the_reason(server: Server, lobby: Any) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"game": "none", "seats": [PERSON]}, "unknown, allowed are"),
        ({"game": GAME, "seats": []}, "agent ''"),
        ({"game": GAME, "seats": [PERSON] * 9}, "seats: 9 of them"),
        ({"game": GAME, "seats": ["none", PERSON]}, "agent 'none': unknown"),
        ({"game": GAME, "seats": PERSON}, "seats and names as lists"),
        ({"game": GAME, "options": {"players": 99}, "seats": [PERSON]}, "players = 99"),
        ({"game": GAME, "options": {"data": "/etc"}, "seats": [PERSON]}, "option 'data': unknown"),
    ]
    for body, reason in wrong:
        status, answer = post(server, "/api/new", lobby.host_key, body)
        assert status == 400 and reason in answer["error"], answer
    assert not lobby.folder.names()


def test_an_error_of_ours_shows_nobody_its_inside(
    server: Server, lobby: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("/home/somebody/secret")

    monkeypatch.setattr(lobby, "listing", broken)
    status, answer = get(server, "/api/lobby", lobby.host_key)
    assert (status, answer) == (500, {"error": "something went wrong here; the game goes on"})


def test_who_asks_too_often_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RATE", 0.001)
    monkeypatch.setattr(module, "BURST", 5.0)
    rates = Rates()
    assert [rates.allow("a") for _ in range(7)] == [True] * 5 + [False] * 2
    assert rates.allow("b")


# ---------------------------------------------------------------- playing


@pytest.mark.parametrize("game", game_names())
def test_a_game_begun_from_a_page_is_played_by_two_browsers(game: str, server: Server, lobby: Any) -> None:
    body: dict[str, Any] = {
        "game": game,
        "options": {"players": 2},
        "seats": [PERSON, PERSON],
        "names": ["Ann", "Bo"],
    }
    status, answer = post(server, "/api/new", lobby.host_key, body)
    assert status == 200
    name = answer["name"]
    live = lobby.live(name).result(timeout=600)
    keys = get(server, f"/api/live/{name}", lobby.host_key)[1]["keys"]
    with stream(server, name, keys["0"], 0) as ann, stream(server, name, keys["1"], 1) as bo:
        seen = [next(ann), next(bo)]
        for step in range(8):
            assert [told["step"] for told in seen] == [step, step]
            seat = seen[0]["seat"]
            options = seen[seat]["scene"]["decision"]["options"]
            assert "options" not in seen[1 - seat]["scene"]["decision"]
            body = {"seat": seat, "step": step, "action": options[-1]["action"]}
            assert post(server, f"/api/live/{name}/act", keys[str(seat)], body) == (200, {"step": step + 1})
            seen = [next(ann), next(bo)]
            assert [told["log_from"] for told in seen] == [step, step] and len(seen[0]["log"]) == 1
    assert live.steps == 8 and seen[0]["names"] == ["Ann", "Bo"]


def test_a_lost_connection_is_told_everything_again(server: Server, lobby: Any, begin: Any) -> None:
    name, live = begin(GAME, [PERSON, PERSON])
    for step in range(3):
        live.act(live.seat, live.game.legal_actions(live.states, 0)[0], step)
    with stream(server, name, lobby.host_key, BYSTANDER) as events:
        assert len(next(events)["log"]) == 3
    with stream(server, name, lobby.host_key, BYSTANDER) as events:
        told = next(events)
        assert (told["step"], told["log_from"], len(told["log"])) == (3, 0, 3)


def test_a_replay_is_for_games_that_are_over(server: Server, lobby: Any, begin: Any) -> None:
    name, _ = begin(GAME, [PERSON, PERSON])
    status, answer = get(server, f"/api/live/{name}/replay", lobby.host_key)
    assert status == 403 and "would show everything" in answer["error"]
    name, live = begin(GAME, ["random", "random"])
    with live.changed:
        assert live.changed.wait_for(lambda: live.over, timeout=120)
    status, answer = get(server, f"/api/live/{name}/replay", lobby.host_key)
    assert status == 200 and answer["page"].startswith("<!doctype html>")


def test_the_log_is_sent_from_where_it_differs() -> None:
    a, b, c = {0: "a"}, {0: "b"}, {0: "b"}
    assert [shared([], [a]), shared([a], [a, b]), shared([a, b], [a]), shared([a, b], [a, c])] == [0, 1, 1, 1]


def test_the_lobby_tells_of_games_and_of_what_may_be_played(server: Server, lobby: Any, begin: Any) -> None:
    name, _ = begin(GAME, [PERSON, "random"])
    (lobby.folder.path / "broken.jsonl").write_text("{}\n")
    told = get(server, "/api/lobby", lobby.host_key)[1]
    assert [game["name"] for game in told["games"]] == list(game_names())
    found = {game["name"]: game for game in told["live"]}
    assert found[name]["names"] == ["Player 1", "random"] and not found[name]["over"]
    assert "cannot be read" in found["broken"]["title"]
    assert get(server, "/api/live/broken", lobby.host_key)[0] == 400
