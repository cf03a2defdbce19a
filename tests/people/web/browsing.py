"""What tests of the page in a browser share: the browser's page, and what a person does there."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.people.web.running import Running

if sys.platform != "linux":
    pytest.skip("playwright is installed on Linux only", allow_module_level=True)

from playwright.sync_api import Browser as Browser
from playwright.sync_api import Page as Page
from playwright.sync_api import expect as expect

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
PATIENCE_MS = 120_000  # for a busy machine
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
CROSS = ((6, 7), (0, 0), (8, 7), (14, 0), (7, 6), (0, 14), (7, 8), (14, 14))


@contextmanager
def opened(browser: Browser, running: Running, **look: Any) -> Iterator[Page]:
    """The page, at the address for other devices if there is one; nothing may be said on its
    console, and no script may fail."""
    context = browser.new_context(**look)
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(running.server.http.lan_address or running.server.http.address)
    page.wait_for_selector("#board svg")
    yield page
    context.close()
    assert said == [], said


def click(page: Page, x: int, y: int) -> None:
    """A click on a point of the board, of the size 15x15."""
    page.locator("#board").scroll_into_view_if_needed()
    page.mouse.click(*place(page, x, y))


def place(page: Page, x: int, y: int) -> tuple[float, float]:
    """Where a point of the board, which is not turned, is in the window."""
    # In one step: an analysis draws the board again and again. The lines are 32 units apart.
    found: list[float] = page.evaluate(
        """([x, y]) => { const svg = document.querySelector("#board svg");
        const at = new DOMPoint(32 * x, 32 * y).matrixTransform(svg.getScreenCTM());
        return [at.x, at.y]; }""",
        [x, y],
    )
    return found[0], found[1]


def do(page: Page, word: str) -> None:
    """Presses a button of the game, also one of those that are not shown at once."""
    page.click("#tab-play")
    button = page.locator(f"#{word}")
    if not button.is_visible():
        page.click("#more")
    button.click()


def analyse(page: Page, lines: int, **settings: str) -> None:
    """Switches the analysis on with so many lines, and other settings by their fields."""
    page.click("#tab-analyse")
    page.click("#engine-open")
    page.select_option("#lines", str(lines))
    for name, value in settings.items():
        page.select_option(f"#{name.replace('_', '-')}", value)
    page.keyboard.press("Escape")
    page.click("#is-on")
    expect(page.locator("#is-on")).to_be_checked()


def stones(page: Page) -> int:
    return page.locator("#board .stone").count()


def play_all(page: Page, cells: tuple[tuple[int, int], ...]) -> None:
    for number, cell in enumerate(cells, start=stones(page) + 1):
        click(page, *cell)
        expect(page.locator("#board .stone")).to_have_count(number)


def paste(page: Page, text: str, count: int) -> None:
    """Opens a game from its moves."""
    page.click("#tab-files")
    page.fill("#paste textarea", text)
    page.click("#paste button")
    expect(page.locator("#board .stone")).to_have_count(count)
