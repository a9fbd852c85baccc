"""The server of `genesia play`: the page, and what it asks for, over HTTP on this machine.

    GET  /                          the page; /NAME its other files
    GET  /api/lobby                 the host: what may be played, and the games there are
    POST /api/new                   the host: {game, options, seats, names} -> {name}
    GET  /api/live/NAME             {seats, keys}: the seats that the key plays, and for the host everybody's keys;
                                    {waiting} while the game is being opened
    GET  /api/live/NAME/events?eyes=SEAT    server-sent events: the game as a seat sees it, whenever it changes
    GET  /api/live/NAME/replay      {page} of a game that is over
    GET  /api/live/NAME/film?eyes=SEAT      {film, title, words, branch}: what the seat has seen so far; of a game that
                                    is over all that there is to see
    POST /api/live/NAME/branch      the host: {step} of a game that is over -> {name} of a new one that goes on there
    POST /api/live/NAME/act         {seat, step, action}; undo {seat, step}; hint {seat, step}; pace {seconds}

Every request of the interface carries a key in the header `X-Key`. A page from elsewhere cannot send one, and
requests are answered only for the names that this server is known by (`Host`) and for its own pages (`Origin`).
What is wrong gets an error with a reason and changes nothing.
"""

from __future__ import annotations

import ipaddress
import json
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlsplit

from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.game import Game
from genesia_rl.core.registry import default_game, game_info, game_names
from genesia_rl.core.scene import BYSTANDER
from genesia_rl.studio.frames import film, film_seen
from genesia_rl.studio.live import PERSON, LiveGame
from genesia_rl.studio.lobby import Lobby, allowed_code, configured, offers_of
from genesia_rl.studio.replay import page_at_the_table, replay_page
from genesia_rl.studio.view import view_of

MOST_BODY = 16_384  # bytes
MOST_CONNECTIONS = 64
MOST_STREAMS = 32
RATE, BURST = 40.0, 120.0  # requests a second of one address, and at once
IDLE = 30.0  # seconds after which a connection that says nothing is closed
SOON = 0.5  # seconds that a game may take to open until a word is said about it
BEAT = 10.0  # seconds between two signs of life on a stream
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

Json = dict[str, Any]


class Refused(Exception):
    """A request that is answered with an error: its status and the reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def page_files() -> dict[str, bytes]:
    """The files of the page, by their path on the server: nothing else is ever sent."""
    found = {
        f"/{file.name}": file.read_bytes()
        for file in files("genesia_rl.studio").joinpath("page").iterdir()
        if file.name.endswith(tuple(KINDS))
    }
    return {**found, "/": found["/index.html"], "/replay.html": page_at_the_table().encode()}


class Rates:
    """How many requests each address may still make."""

    def __init__(self) -> None:
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def allow(self, address: str) -> bool:
        """May it make one more now?"""
        with self._lock:
            if len(self._left) > 1_000:
                self._left.clear()
            now = monotonic()
            left, since = self._left.get(address, (BURST, now))
            left = min(BURST, left + (now - since) * RATE)
            self._left[address] = max(0.0, left - 1), now
            return left >= 1


class Server(ThreadingHTTPServer):
    """Listens, and bounds how many are heard at once."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, lobby: Lobby, host: str = "127.0.0.1", port: int = 0) -> None:
        self.lobby, self.host = lobby, host
        self.pages, self.rates = page_files(), Rates()
        self.streams = threading.BoundedSemaphore(MOST_STREAMS)
        self._connections = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self.closing = False
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), Handler)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def url(self, fragment: str, host: str | None = None) -> str:
        """The address of the page; what stands behind # is never sent to a server."""
        name = host or ("127.0.0.1" if is_everywhere(self.host) else self.host)
        return f"http://{f'[{name}]' if ':' in name else name}:{self.port}/#{fragment}"

    def knows(self, host: str) -> bool:
        """Is this a name of this server? Other names that lead here may be somebody's trick (DNS rebinding)."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port or 80
        except ValueError:
            return False
        if port != self.port:
            return False
        if name in ("localhost", self.host):
            return True
        return is_address(name) and (is_everywhere(self.host) or ipaddress.ip_address(name).is_loopback)

    def process_request(self, request: Any, client_address: Any) -> None:
        """A thread for the connection, unless there are too many."""
        if not self._connections.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """What the thread does."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._connections.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """One who leaves in the middle is no error; whatever else goes wrong is told in a line."""
        error = sys.exception()
        if not isinstance(error, OSError):
            print(f"genesia: a request failed: {type(error).__name__}: {error}", file=sys.stderr)

    def close(self) -> None:
        """End streams and agents, and listen no more."""
        self.closing = True
        self.lobby.close()
        self.server_close()


def is_address(name: str) -> bool:
    """Is this the number of a machine and not a name?"""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_everywhere(host: str) -> bool:
    """Does the server listen on all addresses of the machine?"""
    return is_address(host) and ipaddress.ip_address(host).is_unspecified


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "genesia", ""
    timeout = IDLE

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is written about what is asked."""

    def do_GET(self) -> None:
        """A file of the page, or something of the interface."""
        self._answered(self._get)

    def do_POST(self) -> None:
        """Something that changes."""
        self._answered(self._post)

    def _answered(self, work: Callable[[str, dict[str, list[str]]], Json | None]) -> None:
        """Check who asks, do the work, send what comes out of it."""
        try:
            self._check()
            parts = urlsplit(self.path)
            answer = work(parts.path, parse_qs(parts.query, max_num_fields=8))
        except Refused as error:
            return self._send_json({"error": str(error)}, error.status)
        except (GenesiaError, ModuleNotFoundError, OSError) as error:
            if isinstance(error, ConnectionError | TimeoutError):
                raise
            return self._send_json({"error": str(error)}, 400)
        except Exception as error:  # a mistake of ours: the game goes on, and nobody is shown its inside
            print(f"genesia: a request failed: {type(error).__name__}: {error}", file=sys.stderr)
            return self._send_json({"error": "something went wrong here; the game goes on"}, 500)
        if answer is not None:
            self._send_json(answer)
        return None

    def _check(self) -> None:
        if not self.server.rates.allow(self.client_address[0]):
            raise Refused(429, "too many requests: try again in a moment")
        host = self.headers.get("Host", "")
        if not self.server.knows(host):
            raise Refused(403, "host: this server is not known by that name")
        origin = self.headers.get("Origin")
        if origin is not None and origin != f"http://{host}":
            raise Refused(403, "origin: a page from elsewhere may not ask")

    # ---- what is asked

    def _get(self, path: str, query: dict[str, list[str]]) -> Json | None:
        if not path.startswith("/api/"):
            self._send_page(path)
            return None
        if path == "/api/lobby":
            self._check_host()
            return {
                "games": [offers_of(name) for name in game_names()],
                "default": default_game(),
                "live": self.server.lobby.listing(),
            }
        name, verb = self._named(path)
        if verb == "events":
            self._stream(name, _number(query, "eyes"))
            return None
        if verb == "replay":
            return {"page": self._replay(self._live(name))}
        if verb == "film":
            return self._film(self._live(name), name, _number(query, "eyes"))
        if verb:
            raise Refused(404, "there is nothing of that name")
        future = self.server.lobby.live(name)
        wait([future], timeout=SOON)
        if not future.done():
            return {"waiting": self.server.lobby.word_of_waiting(name)}
        live = future.result()
        mine = list(self.server.lobby.seats(self._key(), name, live))
        host = self.server.lobby.is_host(self._key())
        keys = self.server.lobby.invitations(name, live) if host else {}
        return {"seats": mine, "keys": keys, "host": host}

    def _replay(self, live: LiveGame) -> str:
        """The page that replays a game to all eyes."""
        with live.changed:
            if not live.over:
                raise Refused(403, "the game goes on: its replay would show everything")
            trace = dict(live.trace)
        return replay_page(live.game, trace)

    def _film(self, live: LiveGame, name: str, eyes: int) -> Json:
        """The game so far as the eyes have seen it; to all eyes when it is over."""
        told = {"title": game_info(live.game.name).title, "words": ", ".join(live.seating.names)}
        if live.over:
            with live.changed:
                trace = dict(live.trace)
            return {"film": film(live.game, trace), **told, "branch": self.server.lobby.is_host(self._key())}
        if eyes != BYSTANDER and eyes not in self.server.lobby.seats(self._key(), name, live):
            raise Refused(403, f"seat {eyes}: is not yours")
        return {"film": film_seen(live.game, live.moments(), eyes), **told, "branch": False}

    def _post(self, path: str, query: dict[str, list[str]]) -> Json:
        body = self._body()
        if path == "/api/new":
            self._check_host()
            return {"name": self._created(body)}
        name, verb = self._named(path)
        live = self._live(name)
        mine = self.server.lobby.seats(self._key(), name, live)
        if verb == "pace":
            live.set_pace(_float(body, "seconds"))
            return {}
        if verb == "branch":
            self._check_host()
            return {"name": self.server.lobby.branch(live, _int(body, "step"))}
        seat, step = _int(body, "seat"), _int(body, "step")
        if seat not in mine:
            raise Refused(403, f"seat {seat}: is not yours")
        if verb == "act":
            live.act(seat, _int(body, "action"), step)
        elif verb == "undo":
            live.undo(seat, step)
        elif verb == "hint":
            return self._hinted(live, seat, step, body)
        else:
            raise Refused(404, "there is nothing of that name")
        return {"step": live.steps}

    def _created(self, body: Json) -> str:
        options, seats, names = body.get("options", {}), body.get("seats"), body.get("names", [])
        if not isinstance(options, dict) or not isinstance(seats, list) or not isinstance(names, list):
            raise Refused(400, "allowed are options as a table, seats and names as lists")
        game = configured(_text(body, "game"), options)
        who = [allowed_code(code) for code in seats]
        return self.server.lobby.create(game, filled(who, game), filled([str(name) for name in names], game))

    def _hinted(self, live: LiveGame, seat: int, step: int, body: Json) -> Json:
        code = body.get("agent")
        named = None if code is None else allowed_code(code)
        if named == PERSON:
            raise Refused(400, "agent: a person gives no hints")
        return {"action": live.hint(seat, step, named)}

    # ---- who asks

    def _key(self) -> str:
        return self.headers.get("X-Key", "")[:64]

    def _check_host(self) -> None:
        if not self.server.lobby.is_host(self._key()):
            raise Refused(403, "key: this is for whoever started the server")

    def _named(self, path: str) -> tuple[str, str]:
        """The name of a game and what is to be done, for one who has a key of it."""
        parts = path.removeprefix("/api/live/").split("/")
        if not path.startswith("/api/live/") or len(parts) > 2:
            raise Refused(404, "there is nothing of that name")
        if not self.server.lobby.has_key(self._key(), parts[0]):
            raise Refused(403, "key: none of this game")
        return parts[0], parts[1] if len(parts) == 2 else ""

    def _live(self, name: str) -> LiveGame:
        try:
            return self.server.lobby.live(name).result(timeout=SOON)
        except TimeoutError:
            raise Refused(503, self.server.lobby.word_of_waiting(name)) from None

    def _body(self) -> Json:
        """What was sent: a table in JSON, of bounded size."""
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or int(length) > MOST_BODY:
            raise Refused(413, f"body: allowed are {MOST_BODY} bytes, their number told")
        if self.headers.get_content_type() != "application/json":
            raise Refused(415, "body: allowed is application/json")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise Refused(400, "body: is no JSON") from None
        if not isinstance(body, dict):
            raise Refused(400, "body: allowed is an object")
        return body

    # ---- what is sent

    def _head(self, status: int, kind: str, length: int | None) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        if length is not None:
            self.send_header("Content-Length", str(length))
        if length is None or status >= 400:  # of what is refused the body may not have been read
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()

    def _send_json(self, answer: Json, status: int = 200) -> None:
        data = packed(answer)
        self._head(status, "application/json", len(data))
        self.wfile.write(data)

    def _send_page(self, path: str) -> None:
        data = self.server.pages.get(path)
        if data is None:
            raise Refused(404, "there is nothing of that name")
        kind = KINDS.get("." + path.rpartition(".")[2], "text/html")
        self._head(200, kind, len(data))
        self.wfile.write(data)

    def _stream(self, name: str, eyes: int) -> None:
        """The game as the eyes see it, now and after every change, until somebody leaves."""
        if not self.server.streams.acquire(blocking=False):
            raise Refused(503, f"{MOST_STREAMS} browsers look on, allowed are no more")
        try:
            self._head(200, "text/event-stream", None)
            live = self._waited_for(name)
            if live is not None:
                self._follow(live, name, eyes)
        except TimeoutError:
            pass
        finally:
            self.server.streams.release()

    def _waited_for(self, name: str) -> LiveGame | None:
        """The game when it is ready; until then a word on why it is not."""
        future = self.server.lobby.live(name)
        while not self.server.closing:
            try:
                return future.result(timeout=SOON)
            except TimeoutError:
                self._event({"waiting": self.server.lobby.word_of_waiting(name)})
            except GenesiaError as error:
                self._event({"error": str(error)})
                return None
        return None

    def _follow(self, live: LiveGame, name: str, eyes: int) -> None:
        if eyes != BYSTANDER and eyes not in self.server.lobby.seats(self._key(), name, live):
            self._event({"error": f"seat {eyes}: is not yours"})
            return
        seen, sent = -1, list[object]()
        while not self.server.closing:
            told: Json = {}
            with live.changed:
                if live.version != seen or live.changed.wait(BEAT):
                    told = view_of(live, eyes, shared(sent, live.log))
                    seen, sent = live.version, list(live.log)
            self._event(told)

    def _event(self, told: Json) -> None:
        self.wfile.write(b"data: " + packed(told) + b"\n\n")
        self.wfile.flush()


def filled(given: Sequence[str], game: Game) -> list[str]:
    """One for every seat: where one leads several seats, the last that was named has the rest."""
    return [*given, *[given[-1] if given else ""] * (game.num_seats - len(given))]


def shared(sent: Sequence[object], log: Sequence[object]) -> int:
    """How many entries of the log the other side has: what was taken back since is sent anew."""
    pairs = zip(sent, log, strict=False)
    return next((k for k, (theirs, ours) in enumerate(pairs) if theirs is not ours), min(len(sent), len(log)))


def packed(answer: Json) -> bytes:
    """JSON as short as it can be."""
    return json.dumps(answer, separators=(",", ":"), ensure_ascii=False).encode()


def _number(query: dict[str, list[str]], name: str) -> int:
    """A number of the address, 0 if it is not there."""
    text = query.get(name, ["0"])[0]
    if not text.removeprefix("-").isdigit() or not text.isascii() or len(text) > 9:
        raise Refused(400, f"{name} = {text[:80]!r}, allowed is a number")
    return int(text)


def _int(body: Json, name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Refused(400, f"{name} = {str(value)[:80]!r}, allowed is an integer")
    return value


def _float(body: Json, name: str) -> float:
    value = body.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise Refused(400, f"{name} = {str(value)[:80]!r}, allowed is a number")
    return float(value)


def _text(body: Json, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or len(value) > 200:
        raise Refused(400, f"{name} = {str(value)[:80]!r}, allowed is a short text")
    return value
