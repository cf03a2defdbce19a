"""The board for other devices: the local network, here another address of this machine."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import pytest
import segno
from tornado.httpclient import HTTPClientError

from tengen import cli as tengen
from tengen.common.server import ADDRESS
from tests.people.web.running import Running
from tests.people.web.talk import has, open_page

LAN = "127.0.0.2"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="has one address of its own only")


def test_both_addresses_are_served_by_their_own_names() -> None:
    with Running(lan=LAN) as running:
        http = running.server.http
        assert http.lan_address == f"http://{LAN}:{http.port}/?token={http.token}"
        for address in (ADDRESS, LAN):
            path = f"/?token={http.token}"
            assert running.get(path, address=address, Cookie="")[0] == 302
            assert running.get("/", address=address)[0] == 200
            assert running.get("/", address=address, Cookie="")[0] == 403
            for host in ("evil.example", f"evil.example:{http.port}", f"{LAN}:1"):
                assert running.get("/", address=address, Host=host)[0] == 403
                assert running.get(path, address=address, Host=host, Cookie="")[0] == 403


def test_only_its_own_pages_connect() -> None:
    async def run() -> None:
        for address in (ADDRESS, LAN):
            for headers in ({"Origin": "http://evil.example"}, {"Cookie": "x=y"}):
                with pytest.raises(HTTPClientError) as error:
                    await open_page(running, address, **headers)
                assert error.value.code == 403
            page = await open_page(running, address)
            await page.hear("state")
            await page.close()
        await asyncio.sleep(0.05)

    with Running(lan=LAN) as running:
        asyncio.run(run())


def test_a_guest_plays_and_starts_no_program_by_its_command() -> None:
    async def run() -> None:
        guest, host = await open_page(running, LAN), await open_page(running)
        await guest.send(do="play", x=7, y=7)
        await host.hear("state", has(1))
        command = f"cmd={sys.executable} -c pass"
        request = {"do": "sit", "black": "you", "white": command, "level": 1, "time_s": 1}
        await guest.send(**request)
        assert "only on the machine itself" in (await guest.hear("error"))["text"]
        new = {"do": "new", "width": 15, "height": 15, "rule": 0}
        await guest.send(**request | new)
        assert "only on the machine itself" in (await guest.hear("error"))["text"]
        await host.send(**request)
        await host.hear("state", lambda state: state["players"]["white"] != "you")
        await host.close()
        await guest.close()

    with Running(seats=("you", "you"), lan=LAN) as running:
        asyncio.run(run())


@pytest.mark.parametrize("words", [["--lan"], []])
def test_the_address_is_shown_with_a_code_and_a_warning(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
) -> None:
    monkeypatch.setattr("tengen.people.web.cli.find_lan", lambda: LAN)
    monkeypatch.setattr("tengen.people.web.cli.run", lambda close: close())
    asyncio.set_event_loop(loop := asyncio.new_event_loop())
    assert tengen.run(["board", "--no-browser", f"--out={tmp_path}", *words]) == 0
    loop.close()
    told = capsys.readouterr().out
    assert (LAN in told) == ("among people you trust" in told) == bool(words)
    if words:
        (address,) = re.findall(rf"http://{LAN}\S+", told)
        # Two rows of the code in each line, light ones drawn, with the margin that readers need.
        rows = [[*row] for row in segno.make(address, error="l").matrix_iter(border=4)]
        signs = {(1, 1): " ", (1, 0): "▄", (0, 1): "▀", (0, 0): "█"}
        pairs = zip(rows[::2], [*rows[1::2], [1] * len(rows)], strict=False)
        for upper, lower in pairs:
            line = "".join(signs[bool(a), bool(b)] for a, b in zip(upper, lower, strict=True))
            assert line in told


def test_without_a_network_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(self: object, address: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("tengen.common.server.socket.socket.connect", refuse)
    assert tengen.run(["board", "--lan", "--no-browser", f"--out={tmp_path}"]) == 2
    assert "there is no local network: Network is unreachable" in capsys.readouterr().err
