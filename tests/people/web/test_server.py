"""The server of the board: who is let in, and a game by messages."""

from __future__ import annotations

import asyncio
import gc
import http.client
import json
import random
import socket
import struct
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tornado.httpclient import HTTPClientError
from tornado.websocket import WebSocketClosedError

from tengen.common.server import ADDRESS, COOKIE, SparingLog, host_of
from tengen.game.referee import WHITE
from tengen.people.web.server import FILES, MOST_BYTES
from tests.people.web.running import PATIENCE_S, Running
from tests.people.web.talk import Page, has, open_page, with_page

# -- who is let in


def test_the_token_of_the_address_becomes_a_cookie() -> None:
    with Running() as running:
        status, headers, _ = running.get(f"/?token={running.server.http.token}", Cookie="")
        assert (status, headers["Location"]) == (302, "/")
        cookie = headers["Set-Cookie"]
        assert cookie.startswith(f"{running.cookie}; ")
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        status, headers, text = running.get("/")
        assert status == 200 and "<title>Tengen</title>" in text
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        for name in FILES:
            assert running.get(f"/{name}")[0] == 200


@pytest.mark.parametrize("path", ["/", "/page.js", "/game.sgf", "/socket", "/nothing"])
def test_without_the_token_nothing_is_served(path: str) -> None:
    with Running() as running:
        name = running.server.http.cookie
        for cookie in ("", f"{name}=", f"{COOKIE}={'x' * 22}", f"{name}=\xe9"):
            status, _, text = running.get(path, Cookie=cookie)
            assert (status, text.count("\n")) == (403, 1)
        assert running.get("/?token=wrong", Cookie="")[0] == 403
        assert running.get("/")[0] == 200  # a refusal is told a moment after its answer
        assert running.log == [f"a request was refused: GET {path}, status 403"]


def test_a_browser_leaves_out_the_usual_port() -> None:
    assert [host_of("localhost", port) for port in (80, 8080)] == ["localhost", "localhost:8080"]


def test_another_name_of_the_machine_is_refused() -> None:
    """A page that lets its own name point to this machine."""
    with Running() as running:
        port = running.server.http.port
        for host in ("evil.example", f"evil.example:{port}", f"{ADDRESS}:1", ""):
            assert running.get("/", Host=host)[0] in (400, 403)
            path = f"/?token={running.server.http.token}"
            assert running.get(path, Host=host, Cookie="")[0] in (400, 403)
        assert running.get("/", Host=f"localhost:{port}")[0] == 200


def test_files_of_the_machine_are_not_served() -> None:
    with Running() as running:
        for path in ("/../setup.py", "/%2e%2e/setup.py", "/view.py", "/page.py", "//etc/passwd"):
            assert running.get(path)[0] == 404
        assert running.get("/", "POST")[0] == 405
        assert running.get("/", "DELETE")[0] == 405


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1"},
        {"Host": "evil.example"},
    ],
)
def test_pages_of_other_sites_cannot_connect(headers: dict[str, str]) -> None:
    async def run() -> None:
        with pytest.raises(HTTPClientError) as error:
            await open_page(running, **headers)
        assert error.value.code == 403
        await asyncio.sleep(0.05)

    with Running() as running:
        asyncio.run(run())


def test_it_listens_on_this_machine_only() -> None:
    with Running() as running:
        for each in running.server.http._http._sockets.values():
            assert each.getsockname()[0] == ADDRESS


def test_a_port_that_is_taken_is_named() -> None:
    from tengen.people.web.server import Server

    async def run() -> None:
        with pytest.raises(ValueError, match=rf"^port {running.server.http.port}: "):
            Server(running.room, running.server.http.port)

    with Running() as running:
        asyncio.run(run())


# -- a game

NEW = {
    "do": "new", "width": 12, "height": 9, "rule": 1, "black": "tengen", "white": "you",
    "level": 2, "time_s": 0.1, "clock_s": 60, "handicap": 0, "opening": None,
}  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"do": "play", "x": 7, "y": 7}, "h8 is taken; choose an empty point"),
        ({"do": "now"}, "no program is thinking"),
        ({"do": "go"}, "it is not a program's turn"),
        (NEW | {"opening": "soosyrv8"}, "soosyrv8 is an opening of renju on 15x15"),
        (NEW | {"opening": "balance", "handicap": 2}, "an opening or handicap stones, not both"),
    ],
)
@with_page()
async def test_what_cannot_be_done_is_told_in_a_line(
    running: Running, page: Page, asked: dict[str, Any], reason: str
) -> None:
    await page.send(do="play", x=7, y=7)
    await page.hear("state", lambda state: len(state["cells"]) == 2 and not state["thinks"])
    before = page.state
    await page.send(**asked)
    text = (await page.hear("error"))["text"]
    assert reason in text and "\n" not in text
    await page.send(do="hint")
    await page.hear("hint")
    assert page.state["cells"] == before["cells"]


@with_page(level=10, time_s=600.0)
async def test_a_search_is_ended_or_given_up(running: Running, page: Page) -> None:
    await page.send(do="play", x=7, y=7)
    await page.hear("thinking")
    await page.send(do="now")
    await page.hear("state", has(2))
    await page.send(do="play", x=0, y=0)
    await page.hear("thinking")
    await page.send(do="undo")
    await page.hear("state", lambda state: len(state["cells"]) == 2 and not state["thinks"])


# -- quiet


def test_a_cause_is_told_once_a_minute() -> None:
    now, told = 0.0, list[str]()
    log = SparingLog(told.append, lambda: now)
    for now in (0.0, 1.0, 59.0, 61.0, 62.0, 200.0):
        log(f"a request was refused: GET /{now:g}")
        log(f"a message was refused: {now:g}")
    assert told[::2] == [
        "a request was refused: GET /0",
        "a request was refused: GET /61 (and 2 more before it)",
        "a request was refused: GET /200 (and 1 more before it)",
    ]
    assert [line.split(": ")[1] for line in told[1::2]] == [
        line.split("/")[1] for line in told[::2]
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit of descriptors")
def test_without_free_descriptors_the_server_waits(tmp_path: Path) -> None:
    """It tells so once, leaves no connection waiting, for which the loop would ask again and again,
    and goes on when there are some."""
    words = [sys.executable, "-m", "tengen", "board", "--no-browser", "--out", str(tmp_path)]
    command = ["sh", "-c", 'ulimit -n 40; exec "$@"', "sh", *words]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process,
        ExitStack() as ends,
    ):
        ends.callback(process.terminate)  # also where something below fails
        assert process.stdout is not None
        address = urlsplit(process.stdout.readline().split()[-1])
        where = (ADDRESS, address.port)
        with ExitStack() as stack:
            for _ in range(60):
                last = stack.enter_context(socket.create_connection(where, PATIENCE_S))
            # They are taken in turns, and the last one is closed.
            assert last.recv(1) == b""
        status, gives_up_at = 0, time.monotonic() + PATIENCE_S
        while not status and time.monotonic() < gives_up_at:
            # Refused until the server has seen that the others are gone.
            with suppress(ConnectionError):
                connection = http.client.HTTPConnection(*where, timeout=PATIENCE_S)
                connection.request("GET", f"/?{address.query}")
                status = connection.getresponse().status
            connection.close()
        assert status == 302
        process.terminate()
        _, told = process.communicate(timeout=PATIENCE_S)
    assert told == "a connection was refused: Too many open files\n"


@pytest.mark.parametrize("is_reset", [False, True])
@pytest.mark.parametrize("reads", [0, 10, 200])
def test_a_connection_that_closes_right_after_joining_says_nothing(
    caplog: pytest.LogCaptureFixture, is_reset: bool, reads: int
) -> None:
    with Running() as running:
        place = f"{ADDRESS}:{running.server.http.port}"
        lines = (
            "GET /socket HTTP/1.1", f"Host: {place}", f"Origin: http://{place}",
            f"Cookie: {running.cookie}", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "", "",
        )  # fmt: skip
        for _ in range(20):
            with socket.create_connection((ADDRESS, running.server.http.port)) as page:
                page.sendall("\r\n".join(lines).encode())
                if reads:
                    page.recv(reads)
                if is_reset:  # as a phone that loses its network
                    page.setsockopt(
                        socket.SOL_SOCKET,
                        socket.SO_LINGER,
                        struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0),
                    )
        assert running.get("/")[0] == 200
    gc.collect()  # asyncio tells of errors that nobody has asked for
    assert not running.log and not caplog.records


# -- bad messages


@with_page(seats=("you", "you"))
async def test_five_hundred_bad_messages_leave_the_game_as_it_is(
    running: Running, page: Page
) -> None:
    rng = random.Random(3)
    good = '{"do":"new","width":15,"height":15,"rule":0,"black":"you","white":"you","level":5}'

    def bad() -> str | bytes:
        kind = rng.randrange(4)
        if kind == 0:
            return "".join(chr(rng.randrange(1, 0x2FF)) for _ in range(rng.randrange(60)))
        if kind == 1:
            return bytes(rng.randrange(256) for _ in range(rng.randrange(60)))
        if kind == 2:
            at = rng.randrange(len(good))
            return good[:at] + rng.choice('"{}[],:x9') + good[at + rng.randrange(1, 9) :]
        value: Any = rng.choice([None, -1, 1.5, "7", [], {}, True, 10**30])
        return json.dumps({"do": rng.choice(["play", "new", "undo", 5]), "x": value, "y": 0})

    await page.play((7, 7))
    for _ in range(500):
        await page.send_raw(bad())
        text = (await page.hear("error"))["text"]
        assert text and "\n" not in text
    assert len(running.log) == 1 and "\n" not in running.log[0]
    other = await open_page(running)
    await other.hear("state", lambda state: state["cells"] == [[7, 7]])
    await other.close()


@with_page(seats=("you", "you"))
async def test_a_message_that_is_too_large_ends_only_its_connection(
    running: Running, page: Page
) -> None:
    other = await open_page(running)
    with pytest.raises((AssertionError, WebSocketClosedError)):
        await other.send_raw("x" * (MOST_BYTES + 1))
        await other.hear("error")
    other.drop()
    await page.play((7, 7))


@with_page()
async def test_a_program_that_fails_is_told(
    running: Running, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = running.room.session.seats[WHITE]
    assert player is not None

    def fail(*arguments: object) -> None:
        raise OSError("it has gone")

    monkeypatch.setattr(player, "_brain", type("Broken", (), {"clear_stop": fail})())
    await page.send(do="play", x=7, y=7)
    note = await page.hear("note")
    assert "failed: OSError: it has gone" in note["text"]
    await page.until(turn="waiting")
    await page.send(do="undo")
    await page.hear("state", lambda state: state["cells"] == [])


def test_the_page_is_sent_in_few_bytes() -> None:
    with Running() as running:
        sizes = [
            len(running.get_bytes("/page.js", **{"Accept-Encoding": encoding})[2])
            for encoding in ("identity", "gzip")
        ]
    assert sizes[1] < sizes[0] / 2
