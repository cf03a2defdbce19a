"""The local server: the page, its files, and one websocket for each page that is open.

It listens on this machine only. The address holds a token, which the first request turns into a
cookie; without it nothing is served. A page of another site can neither connect (Origin) nor reach
the server by a name of its own (Host).
"""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Callable
from importlib import resources
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop, PeriodicCallback
from tornado.web import Application, HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from tengen.web.room import Room
from tengen.web.wishes import MOST_OPENED

ADDRESS = "127.0.0.1"
COOKIE = "tengen"
# How often programs are asked what they have found.
STEP_MS = 15
# What a websocket is closed with when its server ends.
_GOING = 1001
# Messages above this size end the connection.
MOST_BYTES = 2 * MOST_OPENED
_SHOWN_CHARACTERS = 80
# What a request without a message may have.
_MOST_HEADER_BYTES = 8000
# What the page is made of, by name: the package it is in, and its type.
_PAGE = "tengen.web"
_SHARED = "tengen.report"
FILES = {
    "page.html": (_PAGE, "text/html"),
    "page.css": (_PAGE, "text/css"),
    **{
        f"{name}.js": (_PAGE, "text/javascript")
        for name in ("page", "boardview", "cursor", "library", "moves", "newgame", "proof", "setup")
    },
    "colours.css": (_SHARED, "text/css"),
    "board.css": (_SHARED, "text/css"),
    "board.js": (_SHARED, "text/javascript"),
    "charts.js": (_SHARED, "text/javascript"),
    "dom.js": (_SHARED, "text/javascript"),
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
)


class Server:
    """A running server. ValueError, in one line, if it cannot listen on the port.

    port   0 = one that is free.
    log    gets a line for each request that is refused.
    """

    def __init__(
        self, room: Room, port: int = 0, log: Callable[[str], None] = lambda line: None
    ) -> None:
        self.room = room
        self.token = secrets.token_urlsafe(16)
        try:
            listener = socket.create_server((ADDRESS, port))
        except OSError as error:
            raise ValueError(f"port {port}: {error.strerror or error}") from None
        listener.setblocking(False)
        self.port = int(listener.getsockname()[1])
        hosts = {f"{name}:{self.port}" for name in (ADDRESS, "localhost")}
        self._open: set[_Socket] = set()
        settings: dict[str, Any] = {
            "room": room, "token": self.token, "hosts": hosts, "open_sockets": self._open,
        }  # fmt: skip
        self._http = HTTPServer(
            Application(
                [
                    (r"/", _Start),
                    (r"/socket", _Socket),
                    (r"/game(\.sgf|\.psq)", _Record),
                    (r"/game\.(png|gif)", _Picture),
                    (r"/([a-z]+\.[a-z]+)", _File),
                    (r".*", _Nothing),
                ],
                log_function=lambda handler: _log_refusal(handler, log),
                websocket_max_message_size=MOST_BYTES,
                **settings,
            ),
            max_body_size=_MOST_HEADER_BYTES,
            max_header_size=_MOST_HEADER_BYTES,
        )
        self._http.add_sockets([listener])
        self._steps = PeriodicCallback(room.step, STEP_MS)
        self._steps.start()

    @property
    def address(self) -> str:
        """What to open in the browser."""
        return f"http://{ADDRESS}:{self.port}/?token={self.token}"

    def close(self) -> None:
        """Ends the server and the programs."""
        self._steps.stop()
        self._http.stop()
        for page in list(self._open):
            page.close(_GOING)
        self.room.close()


def serve(server: Server) -> None:
    """Serves until the process is interrupted."""
    try:
        IOLoop.current().start()
    finally:
        server.close()


class _Guarded(RequestHandler):
    """A request from this machine, by its own name, that shows the token."""

    def prepare(self) -> None:
        if self.request.host not in self.settings["hosts"]:
            raise HTTPError(403, reason="This server has another name")
        if self.request.method not in ("GET", "HEAD"):
            raise HTTPError(405)
        if not self._is_known():
            raise HTTPError(403, reason="Open the address that tengen board has printed")

    def _is_known(self) -> bool:
        shown = self.get_cookie(COOKIE) or ""
        return hmac.compare_digest(shown.encode(), self.settings["token"].encode())

    def set_default_headers(self) -> None:
        self.set_header("Server", "tengen")
        self.set_header("Content-Security-Policy", _POLICY)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-store")

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """One line of text."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{self._reason}.\n")


class _Start(_Guarded):
    """The page; with the token in the address, a cookie and the address without it."""

    def prepare(self) -> None:
        shown = self.get_query_argument("token", "")
        is_right = hmac.compare_digest(shown.encode(), self.settings["token"].encode())
        if is_right and self.request.host in self.settings["hosts"]:
            self.set_cookie(
                COOKIE, self.settings["token"], httponly=True, samesite="Strict", path="/"
            )
            self.redirect("/")
            return
        super().prepare()

    def get(self) -> None:
        _send_file(self, "page.html")


class _File(_Guarded):
    def get(self, name: str) -> None:
        if name not in FILES:
            raise HTTPError(404)
        _send_file(self, name)


class _Record(_Guarded):
    """The game as a file to keep."""

    def get(self, ending: str) -> None:
        room: Room = self.settings["room"]
        try:
            text = room.record(ending)
        except ValueError as error:
            raise HTTPError(409, reason=str(error)) from None
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Content-Disposition", f'attachment; filename="game{ending}"')
        self.finish(text)


class _Picture(_Guarded):
    """The position as PNG, or the game as GIF; with `?numbers=1`, numbers on the stones."""

    async def get(self, kind: str) -> None:
        from tengen.web import picture  # takes a while, and not everybody needs it

        room: Room = self.settings["room"]
        draw = picture.png if kind == "png" else picture.gif
        shows_numbers = self.get_query_argument("numbers", "") == "1"
        data = await IOLoop.current().run_in_executor(None, draw, room.copy(), shows_numbers)
        self.set_header("Content-Type", f"image/{kind}")
        self.set_header("Content-Disposition", f'attachment; filename="game.{kind}"')
        await self.finish(data)


class _Nothing(_Guarded):
    def get(self) -> None:
        raise HTTPError(404)


class _Socket(_Guarded, WebSocketHandler):
    """The conversation with one page."""

    def check_origin(self, origin: str) -> bool:
        return any(origin == f"http://{host}" for host in self.settings["hosts"])

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return WebSocketHandler.get(self, *args, **kwargs)

    def open(self, *args: str, **kwargs: str) -> None:
        self.set_nodelay(True)
        self.settings["open_sockets"].add(self)
        self._room.join(self._send)

    def on_message(self, message: str | bytes) -> None:
        self._room.hear(message, self._send)

    def on_close(self) -> None:
        self.settings["open_sockets"].discard(self)
        self._room.leave(self._send)

    @property
    def _room(self) -> Room:
        room: Room = self.settings["room"]
        return room

    def _send(self, text: str) -> None:
        try:
            self.write_message(text)
        except WebSocketClosedError:
            self._room.leave(self._send)


def _log_refusal(handler: RequestHandler, log: Callable[[str], None]) -> None:
    status, request = handler.get_status(), handler.request
    if status >= 400:
        what = ascii(f"{request.method} {request.path}"[:_SHOWN_CHARACTERS])[1:-1]
        log(f"a request was refused: {what}, status {status}")


def _send_file(handler: RequestHandler, name: str) -> None:
    package, kind = FILES[name]
    handler.set_header("Content-Type", f"{kind}; charset=utf-8")
    handler.finish((resources.files(package) / name).read_bytes())
