"""A page that stays open while its server ends and begins again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.people.web.browsing import Browser, expect, needs_chromium
from tests.people.web.running import PATIENCE_S

pytestmark = needs_chromium


@contextmanager
def _board(folder: Path, port: int) -> Iterator[str]:
    """The command, as a person starts it; its address."""
    words = ["board", "--no-browser", "--port", str(port), "--out", str(folder / "games")]
    with subprocess.Popen(
        [sys.executable, "-m", "tengen", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"XDG_CONFIG_HOME": str(folder), "HOME": str(folder)},
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()
        _, told = process.communicate(timeout=PATIENCE_S)
        assert told == ""


def test_an_open_page_finds_the_next_server_on_its_port(
    browser: Browser,
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    context = browser.new_context()
    page = context.new_page()
    with _board(tmp_path, port) as address:
        page.goto(address)
        page.click("#board")
        expect(page.locator("#board .stone").first).to_be_visible()
    expect(page.locator("#lost")).to_be_visible()
    with _board(tmp_path, port) as again:
        assert again == address
        expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator("#board .stone")).to_have_count(0)
        # The game that was played is offered.
        expect(page.locator("#resume")).to_contain_text(": Player - Tengen 5, ")
        page.click("#resume")
        expect(page.locator("#board .stone").first).to_be_visible()
        expect(page.locator("#white .name")).to_have_text("Tengen 5")
        expect(page.locator("#resume")).to_be_hidden()
    context.close()
    token = next(tmp_path.rglob("board-token"))
    assert token.stat().st_mode & 0o777 == 0o600 and address.endswith(token.read_text())
