"""A local server: it serves who holds its token. It listens on this machine only, or at its address
in the local network too.

The address holds the token, which the first request turns into a cookie; without it nothing is
served. A page of another site can neither connect (Origin) nor reach the server by a name of its
own (Host).
"""

from __future__ import annotations

import contextlib
import errno
import hmac
import logging
import os
import re
import secrets
import signal
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.web import Application, HTTPError, RequestHandler

from tengen.common.process import hangups, signals_call

PAUSE_S = 60.0


class SparingLog:
    """Passes lines on. The cause of a line is its text before the first colon; the lines of a cause
    that were held back are counted in its next one."""

    def __init__(
        self, log: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._log = log
        self._clock = clock
        # By cause: when it was told, and how many lines were held back since.
        self._told: dict[str, tuple[float, int]] = {}

    def __call__(self, line: str) -> None:
        cause = line.partition(":")[0]
        now = self._clock()
        told_at, held_back = self._told.get(cause, (None, 0))
        if told_at is not None and now - told_at < PAUSE_S:
            self._told[cause] = told_at, held_back + 1
            return
        self._told[cause] = now, 0
        self._log(f"{line} (and {held_back} more before it)" if held_back else line)


class LogHandler(logging.Handler):
    """Tells what a library logs, errors without their traceback, in one line."""

    def __init__(self, log: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._tell = log

    def emit(self, record: logging.LogRecord) -> None:
        """Tells a record."""
        error = record.exc_info[1] if record.exc_info else None
        text = f"{type(error).__name__}: {error}" if error else record.getMessage()
        what = "failed" if error else "warns"
        self._tell(f"the server {what}: {' '.join(text.split())}")


ADDRESS = "127.0.0.1"
COOKIE = "tengen"
# How much of a request is told.
_SHOWN_CHARACTERS = 80
# What a request without a message may have.
_MOST_HEADER_BYTES = 8000
# Before the next attempt where not even the spare descriptor is there.
_NO_SPARE_S = 0.05


class Guarded(RequestHandler):
    """A request that names this server and shows the token."""

    # What the page may load and run.
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
        " img-src 'self' data:; manifest-src 'self'"
    )

    def prepare(self) -> None:
        if self.request.host not in self.settings["hosts"]:
            raise HTTPError(403, reason="This server has another name")
        if self.request.method not in ("GET", "HEAD"):
            raise HTTPError(405)
        if not self._is_token(self.get_cookie(self.settings["cookie"]) or ""):
            raise HTTPError(403, reason="Open the address that tengen has printed")

    @property
    def is_from_here(self) -> bool:
        """The request comes from this machine, by the address that no other can reach."""
        stream = self.request.connection.stream  # type: ignore[union-attr]
        return not stream.closed() and bool(stream.socket.getsockname()[0] == ADDRESS)

    def _is_token(self, shown: str) -> bool:
        return hmac.compare_digest(shown.encode(), self.settings["token"].encode())

    def set_default_headers(self) -> None:
        self.set_header("Server", "tengen")
        self.set_header("Content-Security-Policy", self.policy)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("Cache-Control", "no-store")

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """One line of text."""
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{self._reason}.\n")


class Start(Guarded):
    """The first page; with the token in the address, a cookie and the address without it."""

    def prepare(self) -> None:
        is_right = self._is_token(self.get_query_argument("token", ""))
        if is_right and self.request.host in self.settings["hosts"]:
            self.set_cookie(
                self.settings["cookie"],
                self.settings["token"],
                httponly=True,
                samesite="Strict",
                path="/",
            )
            self.redirect("/")
            return
        super().prepare()


class Nothing(Guarded):
    """What is not there."""

    def get(self) -> None:
        raise HTTPError(404)


def host_of(name: str, port: int) -> str:
    """What a browser calls a server: it leaves out the usual port."""
    return name if port == 80 else f"{name}:{port}"


class LocalServer:
    """A running server. ValueError, in one line, if it cannot listen on the port.

    handlers  what is served, by path, as for tornado; all of them are `Guarded`.
    port      0 = one that is free.
    token     who shows it is served; None = one that nobody knows yet.
    log       gets lines of requests that are refused and of failures, sparingly.
    lan       an address of this machine in the local network, where it listens too; None = it does
              not.
    more      further settings of tornado's Application.
    """

    def __init__(
        self,
        handlers: Sequence[tuple[str, type[RequestHandler]]],
        port: int = 0,
        log: Callable[[str], None] = lambda line: None,
        token: str | None = None,
        lan: str | None = None,
        **more: Any,
    ) -> None:
        self.token = token or _new_token()
        log = SparingLog(log)
        self._lan = lan
        listeners = list[_Listener]()
        try:
            for address in (ADDRESS, *filter(None, [lan])):
                listeners.append(_Listener(address, port, log))
                port = int(listeners[0].getsockname()[1])
        except OSError as error:
            for listener in listeners:
                listener.close()
            raise ValueError(f"port {port}: {error.strerror or error}") from None
        self.port = port
        # Cookies do not know ports, and two servers may run at a time.
        self.cookie = f"{COOKIE}-{self.port}"
        settings: dict[str, Any] = {
            "token": self.token,
            "cookie": self.cookie,
            "hosts": {host_of(name, port) for name in (ADDRESS, "localhost", lan) if name},
        }
        application = Application(
            [*handlers, (r".*", Nothing)],
            log_function=lambda handler: _log_refusal(handler, log),
            compress_response=True,
            **settings,
            **more,
        )
        self._http = HTTPServer(
            application, max_body_size=_MOST_HEADER_BYTES, max_header_size=_MOST_HEADER_BYTES
        )
        self._http.add_sockets(listeners)
        # What tornado logs of failures, which otherwise comes with a traceback each.
        self._handler = LogHandler(log)
        logging.getLogger("tornado").addHandler(self._handler)

    @property
    def address(self) -> str:
        """What to open in the browser."""
        return self._address(ADDRESS)

    @property
    def lan_address(self) -> str | None:
        """What to open on another device; None where it cannot reach this server."""
        return None if self._lan is None else self._address(self._lan)

    def _address(self, name: str) -> str:
        return f"http://{name}:{self.port}/?token={self.token}"

    def close(self) -> None:
        """Serves no new requests."""
        self._http.stop()
        logging.getLogger("tornado").removeHandler(self._handler)


class _Listener(socket.socket):
    """Where browsers connect. Without a free descriptor a connection would wait to be accepted, and
    the loop would ask for it again and again; the spare one takes it and closes it."""

    def __init__(self, address: str, port: int, log: Callable[[str], None]) -> None:
        plain = socket.create_server((address, port))
        super().__init__(plain.family, plain.type, plain.proto, plain.detach())
        self.setblocking(False)
        self._log = log
        self._spare = _spare()

    def accept(self) -> tuple[socket.socket, Any]:
        """A connection. BlockingIOError if none waits, or none can be served now."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in (errno.EMFILE, errno.ENFILE):
                raise
            self._log(f"a connection was refused: {error.strerror}")
        self._close_spare()
        try:
            super().accept()[0].close()
        except OSError:
            time.sleep(_NO_SPARE_S)  # another thread was sooner
        self._spare = _spare()
        raise BlockingIOError

    def close(self) -> None:
        """Listens no more."""
        self._close_spare()
        super().close()

    def _close_spare(self) -> None:
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None


def _spare() -> int | None:
    try:
        return os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return None


def find_lan() -> str:
    """The address of this machine in the local network. ValueError if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            # The way there begins at that address. Nothing is sent.
            asking.connect(("198.51.100.1", 9))
            found: str = asking.getsockname()[0]
        except OSError as error:
            raise ValueError(f"there is no local network: {error.strerror or error}") from None
    return found


def kept_token(path: Path) -> str:
    """The token in that file, which is written where there is none, for its owner alone. So pages
    that are open find the next server on the same port."""
    with contextlib.suppress(OSError, ValueError):  # it is written below, if that is possible
        token = path.read_text("ascii")
        if re.fullmatch(r"[\w-]{22}", token, re.ASCII):
            return token
        path.unlink()
    token = _new_token()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
            file.write(token)
    return token


def _new_token() -> str:
    return secrets.token_urlsafe(16)


def run(close: Callable[[], None]) -> None:
    """Serves until a signal ends the process; then calls `close`, and raises KeyboardInterrupt for
    Ctrl-C, SystemExit for another one."""
    loop = IOLoop.current()
    # As from another thread, which wakes the loop.
    call_soon = loop.asyncio_loop.call_soon_threadsafe  # type: ignore[attr-defined]
    try:
        with signals_call(lambda: call_soon(loop.stop), *hangups()) as received:
            loop.start()
    finally:
        close()
    if received:
        raise KeyboardInterrupt if received[0] == signal.SIGINT else SystemExit(128 + received[0])


def _log_refusal(handler: RequestHandler, log: Callable[[str], None]) -> None:
    status, request = handler.get_status(), handler.request
    if status >= 400:
        what = ascii(f"{request.method} {request.path}"[:_SHOWN_CHARACTERS])[1:-1]
        log(f"a request was refused: {what}, status {status}")
