"""The analysis on the page in a browser: values on the points, what it may use, reviews."""

from __future__ import annotations

import re
import time

from tests.people.web.browsing import Page, click, expect, needs_chromium, paste
from tests.people.web.running import PATIENCE_S, Running
from tests.people.web.test_lines import BLUNDERED

pytestmark = needs_chromium


def test_values_stand_on_the_points(page: Page) -> None:
    """The same ones as in the list, while they change."""
    paste(page, "h8i9h7", 3)
    page.click("#tab-analyse")
    page.select_option("#lines", "3")
    expect(page.locator("#depth")).to_have_text(re.compile("^depth ([6-9]|1)"))
    page.select_option("#threads-used", "1")
    shown = """() => ['#board .candidate text', '#best .score'].map((each) =>
        [...document.querySelectorAll(each)].map((one) => one.textContent))"""
    on_points, in_list = page.evaluate(shown)
    assert on_points == in_list and len(on_points) == 3
    assert all(re.fullmatch(r"[+-]M?\d+", text) for text in on_points)
    expect(page.locator("#board .candidate.best")).to_have_count(1)


def test_threads_and_memory_are_chosen(page: Page, running: Running) -> None:
    paste(page, "h8i9h7", 3)
    page.click("#tab-analyse")
    page.select_option("#memory-used", "64")
    most = page.locator("#threads-used option").last.get_attribute("value")
    page.select_option("#threads-used", most)
    page.select_option("#lines", "1")
    expect(page.locator("#best button")).to_have_count(1)
    used = running.room._analyst.resources
    assert (str(used.threads), used.memory_mib) == (most, 64)
    expect(page.locator("#memory-used")).to_have_value("64")


def test_a_hidden_page_says_so(page: Page, running: Running) -> None:
    tell = """(is) => { Object.defineProperty(document, 'hidden', {value: is, configurable: true});
        document.dispatchEvent(new Event('visibilitychange')); }"""
    for is_hidden in (True, False):
        page.evaluate(tell, is_hidden)
        ends_at = time.monotonic() + PATIENCE_S
        while (running.room._left_at is not None) != is_hidden:
            assert time.monotonic() < ends_at
            time.sleep(0.01)


def test_chart_and_bar_follow_the_analysis_through_the_game(page: Page) -> None:
    paste(page, "h8i9h7i8", 4)
    page.click("#tab-analyse")
    page.select_option("#lines", "1")
    for number in (3, 2, 1):
        expect(page.locator("#chance")).to_contain_text("Black")
        page.click("#back")
        expect(page.locator("#number")).to_have_text(f"{number} / 4")
        expect(page.locator("#best button")).to_have_count(1)
    expect(page.locator("#chart .chance-line")).to_have_count(1)
    # What was found on the way is shown at once.
    page.click("#forward")
    expect(page.locator("#best button")).to_have_count(1)
    click(page, 0, 0)
    expect(page.locator("#number")).to_have_text("3 / 3")


def test_a_better_move_is_looked_for(page: Page, running: Running) -> None:
    paste(page, BLUNDERED, 9)
    page.click("#tab-analyse")
    page.click("#review")
    mistake = page.locator("#findings li", has_text="6 a15 ?")
    expect(mistake.locator(".found")).to_contain_text("White loses")
    mistake.get_by_role("button", name="Try again").click()
    expect(page.locator("#board .stone")).to_have_count(5)
    expect(page.locator("#note")).to_have_text("Find a better move than a15: click on it.")
    expect(page.locator("#board .better")).to_have_count(0)
    click(page, 14, 14)
    expect(page.locator("#note")).to_contain_text("Try another move.")
    click(page, 10, 7)
    expect(page.locator("#note")).to_contain_text("Well done.")
    assert len(running.room.session.game.moves) == 5
    # After that a click plays again.
    click(page, 14, 14)
    expect(page.locator("#board .stone")).to_have_count(6)
