"""A server of the board in a thread of the test process."""

from __future__ import annotations

import asyncio
import http.client
import json
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tengen.common.server import ADDRESS
from tengen.people.web.begin import new_session
from tengen.people.web.library import Library
from tengen.people.web.requests import New
from tengen.people.web.room import Room
from tengen.people.web.server import Server

PATIENCE_S = 60.0


def until(is_so: Callable[[], object], step: Callable[[], object] = lambda: None) -> None:
    """Calls `step` until something is so."""
    ends_at = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < ends_at
        step()
        time.sleep(0.001)


class Running:
    """A server that runs until the end of the `with` block, and keeps its games in the folder, or
    in one of its own. `room` belongs to its thread; a test may read its session while nothing
    changes."""

    def __init__(
        self,
        folder: Path | None = None,
        seats: tuple[str, str] = ("you", "tengen"),
        lan: str | None = None,
        **new: Any,
    ) -> None:
        black, white = seats
        fields = dict[str, Any](level=1, time_s=1.0, width=15, height=15, rule=0) | new
        request = New(black=black, white=white, **fields)
        self.log: list[str] = []
        self._lan = lan
        self._folder = tempfile.TemporaryDirectory()
        library = Library(folder or Path(self._folder.name))
        self.room = Room(new_session(request), library, self.log.append, 0.1)
        self.server: Server
        self._has_begun = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Running:
        self._thread.start()
        assert self._has_begun.wait(PATIENCE_S)
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
        self._folder.cleanup()

    def _run(self) -> None:
        self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._begin())
        self._has_begun.set()
        self._loop.run_forever()
        self.server.close()
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _begin(self) -> None:
        self.server = Server(self.room, log=self.log.append, lan=self._lan)

    def play(self, cell: tuple[int, int]) -> None:
        """Plays a stone of the side to move."""
        text = json.dumps({"do": "play", "x": cell[0], "y": cell[1]})
        self._loop.call_soon_threadsafe(self.room.hear, text, lambda message: None)

    @property
    def cookie(self) -> str:
        return f"{self.server.http.cookie}={self.server.http.token}"

    def get(
        self, path: str, method: str = "GET", **headers: str
    ) -> tuple[int, dict[str, str], str]:
        """The status, headers and text of an answer, with the cookie unless `Cookie` is given."""
        status, found, data = self.get_bytes(path, method, **headers)
        return status, found, data.decode()

    def get_bytes(
        self, path: str, method: str = "GET", **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """The same with the bytes of the answer; asked at `address`, if it is given."""
        address = headers.pop("address", ADDRESS)
        connection = http.client.HTTPConnection(address, self.server.http.port, timeout=PATIENCE_S)
        connection.request(method, path, headers={"Cookie": self.cookie, **headers})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), data
