"""The two games of a pair side by side, in a browser."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tengen.arena.report.data import report_data
from tengen.arena.report.page import make_page
from tengen.game.record.run_folder import load_run
from tests.arena.report.report_sample import eight_games, header, write_run

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or CHROMIUM is None, reason="needs playwright and Chromium"
)


def test_the_other_game_of_the_pair_is_shown_at_the_same_move(tmp_path: Path) -> None:
    from playwright.sync_api import expect, sync_playwright

    folder = write_run(tmp_path, header(), eight_games())
    page_file = folder / "report.html"
    page_file.write_text(make_page(report_data(load_run(folder))), encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(page_file.as_uri() + "#game=1&move=3")
        expect(page.locator("#board .stone")).to_have_count(3)
        expect(page.locator("#beside .stone")).to_have_count(0)
        page.get_by_label("Other game of the pair").check()
        expect(page.locator("#beside .stone")).to_have_count(3)
        expect(page.locator("#beside .caption")).to_contain_text("Game 2")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#beside .stone")).to_have_count(2)
        page.locator("#beside a").click()
        expect(page.locator("#beside .caption")).to_contain_text("Game 1")
        browser.close()
