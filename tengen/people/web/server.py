"""The server of the board: the page, its files, and one websocket for each page that is open."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from typing import Any

from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from tengen.common.server import Guarded, LocalServer, SparingLog, Start
from tengen.people.web.requests import MOST_CHARACTERS, MOST_FILE_BYTES
from tengen.people.web.room import Room
from tengen.people.web.view import Message

# After a step that failed.
_AGAIN_S = 1.0
# What a websocket is closed with when its server ends.
_GOING = 1001
# Messages above this size end the connection.
MOST_BYTES = MOST_FILE_BYTES + MOST_CHARACTERS
# What the page is made of, by name: the package it is in, and its type.
_PAGE = "tengen.people.web"
_SHARED = "tengen.arena.report"
# The languages of the page, as texts.js names them.
LANGUAGES = ("en", "hant", "ja", "ko", "ru", "vi", "zh")
FILES = {
    "page.html": (_PAGE, "text/html"),
    "page.css": (_PAGE, "text/css"),
    "marks.css": (_PAGE, "text/css"),
    "icon.svg": (_PAGE, "image/svg+xml"),
    "manifest.json": (_PAGE, "application/manifest+json"),
    **{
        f"{name}.js": (_PAGE, "text/javascript")
        for name in (
            "page", "analyse", "boardview", "explorer", "learn", "library", "moves", "newgame",
            "pictures", "proof", "settings", "texts",
        )
    },
    **{f"texts/{language}.json": (_PAGE, "application/json") for language in LANGUAGES},
    "design.css": (_SHARED, "text/css"),
    "board.css": (_SHARED, "text/css"),
    "board.js": (_SHARED, "text/javascript"),
    "charts.js": (_SHARED, "text/javascript"),
    "dom.js": (_SHARED, "text/javascript"),
}  # fmt: skip


class Server:
    """A running server. ValueError, in one line, if it cannot listen on the port.

    port, log, token, lan   as for `LocalServer`.
    """

    def __init__(
        self,
        room: Room,
        port: int = 0,
        log: Callable[[str], None] = lambda line: None,
        token: str | None = None,
        lan: str | None = None,
    ) -> None:
        self.room = room
        log = SparingLog(log)
        self._open: set[_Socket] = set()
        self.http = LocalServer(
            [
                (r"/", _Page),
                (r"/socket", _Socket),
                (r"/game(\.sgf|\.psq)", _Record),
                (r"/((?:texts/)?[a-z]+\.[a-z]+)", _File),
            ],
            port,
            log,
            token,
            lan,
            websocket_max_message_size=MOST_BYTES,
            room=room,
            open_sockets=self._open,
        )
        self._loop = IOLoop.current()
        self._next: object | None = None  # the step that comes although there is no news
        self._is_due = False
        room.on_news = self._step_soon
        self._step_soon()

    def close(self) -> None:
        """Ends the server and the programs."""
        self.room.on_news = lambda: None
        self._wait_no_more()
        self.http.close()
        for page in list(self._open):
            page.close(_GOING)
        self.room.close()

    def _step_soon(self) -> None:
        """Has the loop call `_step`, once; from any thread."""
        if not self._is_due:
            self._is_due = True
            self._loop.add_callback(self._step)

    def _step(self) -> None:
        self._is_due = False
        self._wait_no_more()
        due_s: float | None = _AGAIN_S
        try:
            due_s = self.room.step()
        finally:
            if due_s is not None:
                self._next = self._loop.call_later(due_s, self._step)

    def _wait_no_more(self) -> None:
        if self._next is not None:
            self._loop.remove_timeout(self._next)
            self._next = None


class _Page(Start):
    def get(self) -> None:
        _send_file(self, "page.html")


class _File(Guarded):
    def get(self, name: str) -> None:
        if name not in FILES:
            raise HTTPError(404)
        _send_file(self, name)


class _Record(Guarded):
    """The game as a file to keep."""

    async def get(self, ending: str) -> None:
        room: Room = self.settings["room"]
        snapshot = room.session.snapshot()
        try:
            text = await IOLoop.current().run_in_executor(None, snapshot.text, ending)
        except ValueError as error:
            raise HTTPError(409, reason=str(error)) from None
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Content-Disposition", f'attachment; filename="game{ending}"')
        await self.finish(text)


class _Socket(Guarded, WebSocketHandler):
    """The conversation with one page."""

    def check_origin(self, origin: str) -> bool:
        return any(origin == f"http://{host}" for host in self.settings["hosts"])

    def get(self, *args: Any, **kwargs: Any) -> Any:
        self._is_guest = not self.is_from_here
        return WebSocketHandler.get(self, *args, **kwargs)

    def open(self, *args: str, **kwargs: str) -> None:
        self.set_nodelay(True)
        self.settings["open_sockets"].add(self)
        self._room.join(self._send, self._is_guest)

    def on_message(self, message: str | bytes) -> None:
        self._room.hear(message, self._send)

    def on_close(self) -> None:
        self.settings["open_sockets"].discard(self)
        self._room.leave(self._send)

    @property
    def _room(self) -> Room:
        room: Room = self.settings["room"]
        return room

    def _send(self, text: Message) -> None:
        try:
            sent = self.write_message(text)
        except WebSocketClosedError:
            self._room.leave(self._send)
        else:
            # One that closes meanwhile leaves by `on_close`; asyncio prints errors nobody asks for.
            sent.add_done_callback(lambda sent: sent.cancelled() or sent.exception())


def _send_file(handler: RequestHandler, name: str) -> None:
    package, kind = FILES[name]
    handler.set_header("Content-Type", f"{kind}; charset=utf-8")
    handler.finish((resources.files(package) / name).read_bytes())
