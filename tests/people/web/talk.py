"""The messages of pages that are open, as a test sends and hears them."""

from __future__ import annotations

import asyncio
import inspect
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

from tornado.httpclient import HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

from tengen.common.server import ADDRESS
from tengen.common.translation import tr
from tests.people.web.running import PATIENCE_S, Running


def read(text: str | bytes) -> dict[str, Any]:
    """A message of the server, with its sentences in English."""
    message: dict[str, Any] = json.loads(text, object_hook=_in_english)
    return message


def _in_english(found: dict[str, Any]) -> dict[str, Any] | str:
    return tr(found["tr"], **found["values"]) if found.keys() == {"tr", "values"} else found


class Page:
    """The messages of a page that is open."""

    def __init__(self, socket: WebSocketClientConnection) -> None:
        self._socket = socket
        self.state: dict[str, Any] = {}
        self._is_closed = False

    async def send(self, **request: Any) -> None:
        await self._socket.write_message(json.dumps(request))

    async def play(self, *cells: tuple[int, int]) -> None:
        """Plays stones, each when the one before it is on the board."""
        for number, (x, y) in enumerate(cells, len(self.state.get("cells", ())) + 1):
            await self.send(do="play", x=x, y=y)
            await self.hear("state", has(number))

    async def send_file(self, data: bytes, name: str, game: int = 0) -> None:
        request = json.dumps({"do": "file", "name": name, "rule": 0, "game": game})
        await self.send_raw(request.encode() + b"\n" + data)

    async def send_raw(self, text: str | bytes) -> None:
        await self._socket.write_message(text, binary=isinstance(text, bytes))

    async def hear(self, kind: str, is_wanted: Callable[[dict[str, Any]], bool] = bool) -> Any:
        """The next message of that kind that is wanted."""
        ends_at = time.monotonic() + PATIENCE_S
        while True:
            text = await asyncio.wait_for(
                self._socket.read_message(), max(0.1, ends_at - time.monotonic())
            )
            if text is None:
                self._is_closed = True
                raise AssertionError("the connection is closed")
            message = read(text)
            if message["kind"] == "state":
                self.state = message
            if message["kind"] == kind and is_wanted(message):
                return message

    async def until(self, **wanted: Any) -> dict[str, Any]:
        """The state when it is as wanted."""

        def fits(state: dict[str, Any]) -> bool:
            return all(state[key] == value for key, value in wanted.items())

        if not self.state or not fits(self.state):
            await self.hear("state", fits)
        return self.state

    def drop(self) -> None:
        """Forgets a connection that the server has closed."""
        self._socket.close()

    async def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        self._socket.close()
        while await asyncio.wait_for(self._socket.read_message(), PATIENCE_S) is not None:
            pass
        await asyncio.sleep(0.01)


async def open_page(running: Running, address: str = ADDRESS, **headers: str) -> Page:
    """A page; the headers are those of its browser unless others are given."""
    place = f"{address}:{running.server.http.port}"
    request = HTTPRequest(
        f"ws://{place}/socket",
        headers={"Cookie": running.cookie, "Origin": f"http://{place}", **headers},
    )
    return Page(await websocket_connect(request))


def has(count: int) -> Callable[[dict[str, Any]], bool]:
    """So many stones are on the board."""
    return lambda state: len(state["cells"]) == count


def with_page(**new: Any) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Gives a test a server with a new game and a page of it, before its fixtures."""

    def wrap(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        async def run(running: Running, fixtures: dict[str, Any]) -> None:
            page = await open_page(running)
            try:
                await asyncio.wait_for(test(running, page, **fixtures), 3 * PATIENCE_S)
            finally:
                await page.close()

        def wrapped(**fixtures: Any) -> None:
            with Running(**new) as running:
                asyncio.run(run(running, fixtures))

        asked = list(inspect.signature(test).parameters.values())[2:]
        setattr(wrapped, "__signature__", inspect.Signature(asked))  # noqa: B010
        wrapped.__doc__ = test.__doc__
        return wrapped

    return wrap
