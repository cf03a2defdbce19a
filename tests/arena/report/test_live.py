"""The page of a run that goes on: made anew as games end, and served to this machine only."""

from __future__ import annotations

import asyncio
import http.client
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tengen.arena.report.live import LivePage, live_server
from tengen.common.server import ADDRESS
from tests.arena.report.report_sample import game, header, write_run

PATIENCE_S = 60.0


def _run(folder: Path, games: int) -> Path:
    return write_run(folder, header("A", "B"), [game(i, "A", "B", "black") for i in range(games)])


def test_the_page_follows_the_games(tmp_path: Path) -> None:
    live = LivePage(_run(tmp_path / "run", 0))
    first = live.text()
    assert "location.reload" in first and live.text() is first
    _run(tmp_path / "run", 3)
    assert live.text() != first and f'known = "{live.version()}"' in live.text()


def test_the_page_stays_while_the_games_cannot_be_read(tmp_path: Path) -> None:
    folder = _run(tmp_path / "run", 2)
    live = LivePage(folder)
    page, version = live.text(), live.version()
    folder.rename(tmp_path / "away")
    assert (live.text(), live.version()) == (page, version)
    (tmp_path / "away").rename(folder)
    games = (folder / "games.jsonl").read_text()
    (folder / "games.jsonl").write_text(games[:20])
    assert live.text() == page
    (folder / "games.jsonl").write_text(games)
    _run(folder, 3)
    assert live.text() != page
    with pytest.raises(ValueError, match="nothing: No such file"):
        live_server(tmp_path / "nothing")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_it_is_served_without_a_standard_input(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tengen", "report", str(_run(tmp_path / "run", 1)), "--live"]
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as page:
        assert page.stdout is not None
        said = page.stdout.readline()
        page.terminate()
    assert said.startswith("The report is at ")


def test_only_who_has_the_token_sees_it(tmp_path: Path) -> None:
    async def ask() -> None:
        server = live_server(_run(tmp_path / "run", 2))

        def get(path: str, **headers: str) -> tuple[int, str]:
            connection = http.client.HTTPConnection(ADDRESS, server.port, timeout=PATIENCE_S)
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            status, text = answer.status, answer.read().decode()
            connection.close()
            return status, text

        cookie = {"Cookie": f"{server.cookie}={server.token}"}
        for path, part in (("/", "Tengen match report"), ("/version", str(_size(tmp_path)))):
            assert (await asyncio.to_thread(get, path))[0] == 403
            status, text = await asyncio.to_thread(partial(get, path, **cookie))
            assert status == 200 and part in text
        assert (await asyncio.to_thread(partial(get, "/games.jsonl", **cookie)))[0] == 404
        server.close()

    asyncio.run(ask())


def _size(tmp_path: Path) -> int:
    return (tmp_path / "run" / "games.jsonl").stat().st_size


def test_the_page_ends_with_its_input(tmp_path: Path) -> None:
    folder = _run(tmp_path / "run", 1)
    command = [sys.executable, "-m", "tengen", "report", str(folder), "--live"]
    read_end, write_end = os.pipe()
    with subprocess.Popen(command, stdin=read_end, stdout=subprocess.PIPE, text=True) as page:
        os.close(read_end)
        assert page.stdout is not None
        assert page.stdout.readline().startswith("The report is at http://127.0.0.1:")
        assert page.poll() is None
        os.close(write_end)
        assert page.wait(PATIENCE_S) == 0
