"""A browser, and the page of a game in it. Tests that use them import `browsing`, which skips them
where there is no playwright."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from engine.model import Limits
from tengen.people.web import studies
from tengen.study.reviewer import Budget
from tengen.study.solver import Effort
from tests.people.web.running import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(autouse=True)
def _by_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews and the solver find the same on a busy machine."""
    monkeypatch.setattr(studies, "REVIEW", Budget(nodes=20_000))
    monkeypatch.setattr(studies, "TRIAL", Limits(nodes=50_000, is_analysis=True))
    monkeypatch.setattr(studies, "EFFORT", Effort("vct", nodes=1_000_000))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    from tests.people.web.browsing import CHROMIUM, PATIENCE_MS

    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def running() -> Iterator[Running]:
    """A game of two people."""
    with Running(seats=("you", "you")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, running: Running) -> Iterator[Page]:
    """The page of that game."""
    from tests.people.web.browsing import opened

    with opened(browser, running) as page:
        yield page
