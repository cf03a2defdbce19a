"""Openings on the page, for two people and against a program, and balanced moves."""

from __future__ import annotations

from typing import Any

from engine.text import read_point
from protocol.opening_rules import Opening
from tests.people.web.browsing import Browser, Page, click, expect, needs_chromium, opened
from tests.people.web.running import Running

pytestmark = needs_chromium


def play(page: Page, words: str) -> None:
    for word in words.split():
        click(page, *read_point(word, 15, 15))


def says(page: Page, text: str) -> None:
    expect(page.locator("#status")).to_contain_text(text)


def has(page: Page, stones: int, marks: int = 0) -> None:
    expect(page.locator("#board .stone")).to_have_count(stones)
    expect(page.locator("#board .letter")).to_have_count(marks)


def for_two(opening: Opening) -> dict[str, Any]:
    return {"seats": ("you", "you"), "opening": opening, "rule": 4}


def test_two_people_agree_by_soosyrv(browser: Browser) -> None:
    with Running(**for_two(Opening.SOOSYRV)) as running, opened(browser, running) as page:
        expect(page.locator("#black .name")).to_have_text("First player")
        says(page, "Black: Put down the first three stones, in the middle")
        play(page, "h8 i9 j10")
        has(page, 3)
        says(page, "White: Play as White. Or change sides. First choose how many fifth moves")
        play(page, "a1")
        expect(page.locator("#note")).to_contain_text("say first how many fifth moves")
        page.click("#swap")
        expect(page.locator("#black .name")).to_have_text("Second player")
        expect(page.locator("#swap")).to_be_disabled()
        page.select_option("#fifths-count", "2")
        play(page, "a1")
        expect(page.locator("#fifths")).to_be_hidden()
        says(page, "Black: Fifth moves to offer: 2, none the same as another")
        play(page, "h6 g5")
        has(page, 4, marks=2)
        expect(page.locator("#white")).to_have_class("moves")
        says(page, "White: Take one of the fifth moves offered: h6 g5.")
        page.click("#undo")
        has(page, 4, marks=1)
        play(page, "g4 k11")
        expect(page.locator("#note")).to_contain_text("k11 is not offered; take one of h6 g4")
        play(page, "g4")
        has(page, 5)
        says(page, "White to move")
        play(page, "k3")
        has(page, 6)


def test_two_stones_are_added_by_clicks(browser: Browser) -> None:
    """In swap2, after the three stones that Tengen puts down."""
    new: dict[str, Any] = {"seats": ("tengen", "you"), "opening": Opening.SWAP2, "time_s": 0.2}
    with Running(level=10, **new) as running, opened(browser, running) as page:
        has(page, 3)
        taken = {(move.x, move.y) for move in running.room.session.game.moves}
        free = [cell for cell in ((0, 0), (14, 0), (0, 14), (14, 14)) if cell not in taken]
        page.click("#add")
        says(page, "Put down a white and a black stone; then the other player chooses a side.")
        for undone in (True, False):
            click(page, *free[0])
            has(page, 4)
            if undone:
                page.click("#undo")
                has(page, 3)
        click(page, *free[1])
        expect(page.locator("#add")).to_be_hidden()
        expect(page.locator("#note")).to_contain_text("Tengen")


def test_balanced_moves_are_played(browser: Browser) -> None:
    with Running(seats=("you", "you")) as running, opened(browser, running) as page:
        play(page, "h8")
        page.click("#tab-analyse")
        page.click("#balance-1")
        has(page, 2)
        expect(page.locator("#note")).to_contain_text("The value for the side that played first is")
        page.click("#balance-2")
        has(page, 4)
