"""The page in a browser: the analysis, reviews, and what people write in a game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tengen.game.files.sgf import read_sgf
from tengen.game.node import Node
from tests.people.web.browsing import (
    Browser,
    Page,
    analyse,
    click,
    expect,
    needs_chromium,
    opened,
    paste,
    play_all,
)
from tests.people.web.running import Running, until
from tests.people.web.test_lines import BLUNDERED

pytestmark = needs_chromium


def test_values_stand_on_the_points(page: Page) -> None:
    """The same ones as in the list, while they change."""
    paste(page, "h8i9h7", 3)
    analyse(page, 3, values="stones", limit="depth 10")
    expect(page.locator("#depth")).to_have_text(re.compile("^10/"))
    shown = """() => ['#board .candidate text', '#best .score'].map((each) =>
        [...document.querySelectorAll(each)].map((one) => one.textContent))"""
    on_points, in_list = page.evaluate(shown)
    assert on_points == in_list and len(on_points) == 3
    assert all(re.fullmatch(r"-?M?\d+", text) for text in on_points)
    page.click("#engine-open")
    page.select_option("#values", "chance")
    on_points, in_list = page.evaluate(shown)
    assert on_points == in_list and all(text.isdecimal() for text in in_list)
    expect(page.locator("#board .candidate.best")).to_have_count(1)


def test_threads_and_memory_are_chosen(page: Page, running: Running) -> None:
    paste(page, "h8i9h7", 3)
    most = page.locator("#threads-used option").last.get_attribute("value") or ""
    analyse(page, 1, memory_used="64", threads_used=most)
    expect(page.locator("#board .candidate")).to_have_count(1)
    expect(page.locator("#board .root.now")).to_have_count(1)
    used = running.room._analyst.resources
    assert (str(used.threads), used.memory_mib) == (most, 64)
    expect(page.locator("#memory-used")).to_have_value("64")


def test_a_hidden_page_says_so(page: Page, running: Running) -> None:
    tell = """(is) => { Object.defineProperty(document, 'hidden', {value: is, configurable: true});
        document.dispatchEvent(new Event('visibilitychange')); }"""
    for is_hidden in (True, False):
        page.evaluate(tell, is_hidden)
        until(lambda: (running.room._pages.left_at is not None) == is_hidden)  # noqa: B023


def test_chart_and_bar_follow_the_analysis_through_the_game(page: Page) -> None:
    paste(page, "h8i9h7i8", 4)
    analyse(page, 1)
    for number in (3, 2, 1):
        expect(page.locator("#chance")).to_contain_text("Black" if number % 2 else "White")
        page.click("#back")
        expect(page.locator("#number")).to_have_text(f"{number} / 4")
        expect(page.locator("#board .candidate")).to_have_count(1)
    expect(page.locator("#chart .chance-line")).to_have_count(1)
    # What was found on the way is shown at once.
    page.click("#forward")
    expect(page.locator("#board .candidate")).to_have_count(1)
    click(page, 0, 0)
    expect(page.locator("#number")).to_have_text("3 / 3")
    page.click("#tab-learn")
    page.press("#chart", "ArrowLeft")
    expect(page.locator("#chart")).to_be_focused()
    expect(page.locator("#chart")).to_have_attribute("aria-valuenow", "2")
    expect(page.locator("#number")).to_have_text("2 / 3")


def test_one_learns_from_a_mistake(page: Page, running: Running) -> None:
    paste(page, BLUNDERED, 9)
    page.click("#tab-learn")
    page.click("#review")
    expect(page.locator("#lesson-begin")).to_be_visible()
    page.press("#lesson-begin", "Enter")
    expect(page.locator("#lesson-show")).to_be_focused()
    lesson = page.locator("#lesson-text")
    expect(lesson).to_contain_text("Find a better move.")
    while "a15" not in (before := lesson.text_content() or ""):  # a net may find others before
        page.press("#lesson-next", "Enter")
        expect(lesson).not_to_have_text(before)
    expect(lesson).to_have_text(re.compile(r"^(\d)/\1: White played a15\. Find a better move\.$"))
    expect(page.locator("#board .stone")).to_have_count(5)
    # Nothing shows the answer, not even an analysis.
    expect(page.locator("#findings")).not_to_contain_text("Better: ")
    analyse(page, 3)
    expect(page.locator("#depth")).to_contain_text("nodes/s")
    expect(page.locator("#board .candidate")).to_have_count(0)
    page.uncheck("#is-on")
    page.click("#tab-learn")
    click(page, 7, 7)
    expect(page.locator("#note.error")).to_contain_text("h8 is taken")
    expect(page.locator("#board .better")).to_have_count(0)
    for far in ((0, 0), (14, 14)):  # the mistake itself, and another one
        click(page, *far)
        expect(lesson).to_contain_text("Try another move.")
        expect(page.locator("#board .better")).to_have_count(2)  # with the engine's answer
        page.locator("#lesson-text").evaluate("each => { each.textContent = ''; }")
    click(page, 6, 7)
    expect(lesson).to_contain_text("Well done.")
    assert len(running.room.session.game.moves) == 5
    page.press("#lesson-next", "Enter")  # there is none
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#next-mistake")).to_be_focused()
    page.click("#next-mistake")
    expect(page.locator("#status")).to_contain_text("Better: ")
    # After that a click plays again.
    count = page.locator("#board .stone").count()
    click(page, 14, 14)
    expect(page.locator("#board .stone")).to_have_count(count + 1)


def _whole(node: Node) -> list[Any]:
    """The properties of a node, in their order, and the nodes after it."""
    return [{k: [*v] for k, v in node.properties.items()}, *map(_whole, node.children)]


def test_what_is_written_is_kept_and_opened_again(browser: Browser, tmp_path: Path) -> None:
    with Running(tmp_path, seats=("you", "you")) as running, opened(browser, running) as page:
        play_all(page, ((7, 7), (8, 8), (6, 7)))
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#number")).to_have_text("2 / 3")
        play_all(page, ((0, 0),))
        page.click("#tab-analyse")
        page.click("#written summary")
        page.fill("#comment", "too far away: [a15]")
        page.locator("#comment").blur()
        for kind, cell in (("triangle", (7, 7)), ("letter", (3, 3)), ("letter", (4, 4)),
                           ("colour", (5, 5)), ("square", (5, 5)), ("cross", (9, 9)),
                           ("cross", (9, 9))):  # fmt: skip
            page.select_option("#mark", kind)
            click(page, *cell)
        notes = page.locator("#board .note")
        expect(notes).to_have_count(4)
        expect(page.locator("#board .note.letter")).to_have_text(["A", "B"])
        expect(page.locator("#tree [aria-current]")).to_contain_text("3.a15")
        expect(page.locator("#tree .comment")).to_have_text(re.compile("too far away"))
        page.select_option("#mark", "")
        page.keyboard.press("Home")
        expect(notes).to_have_count(0)
        expect(page.locator("#comment")).to_have_value("")
        status, _, text = running.get("/game.sgf")
        assert status == 200 and text.count(";B[gh]") == text.count(";B[aa]") == 1
        page.click("#tab-play")
        page.click("#new button[type=submit]")
        expect(page.locator("#tree .move")).to_have_count(0)
        page.click("#tab-files")
        row = page.locator("#kept li")
        expect(row).to_contain_text("freestyle, 15x15, 3 moves")
        page.fill("#search", "renju")
        expect(row).to_have_count(0)
        page.fill("#search", "player")
        row.locator("button").first.click()
        expect(page.locator("#board .stone")).to_have_count(3)
        page.click("#tab-analyse")
        expect(page.locator("#comment")).to_have_value("too far away: [a15]")
        expect(notes).to_have_count(4)
        expect(page.locator("#tree .move")).to_have_count(4)
        page.click("#cut")
        expect(page.locator("#tree .move")).to_have_count(3)
        page.click("#tab-play")
        page.click("#new button[type=submit]")
        page.click("#tab-files")
        page.once("dialog", lambda dialog: dialog.accept())
        page.fill("#search", "")
        expect(row).to_have_count(2)
        row.locator("button").last.click()
        expect(row).to_have_count(1)
        assert len(list(tmp_path.glob("*.sgf"))) == 1


def test_what_is_being_written_stays_with_its_position(page: Page, running: Running) -> None:
    play_all(page, ((7, 7),))
    page.click("#tab-analyse")
    page.click("#written summary")
    comment = page.locator("#comment")
    comment.press_sequentially("a good")
    running.play((8, 8))
    expect(page.locator("#board .stone")).to_have_count(2)
    comment.press_sequentially(" move")
    expect(comment).to_have_value("a good move")
    comment.blur()
    expect(comment).to_have_value("")
    page.keyboard.press("ArrowLeft")
    expect(comment).to_have_value("a good move")
    assert ";B[hh]C[a good move];W[ii]" in running.get("/game.sgf")[2].replace("\n", "")


def test_a_file_is_saved_as_it_was(page: Page, running: Running) -> None:
    text = (
        "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]PB[Li]PW[Bo]RE[B+]GC[final]C[a game]"
        ";B[hh]C[first\\] \\\\ one]TR[hh][ii];W[hi](;B[ii]LB[gg:A][jj:1\\:2];W[jj])"
        "(;B[gi]C[direct]XX[own];W[aa](;B[bb])(;B[cc]BM[1]C[bad])))"
    )
    paste(page, text, 4)
    page.click("#tab-analyse")
    expect(page.locator("#tree .move")).to_have_count(8)
    expect(page.locator("#tree .marked")).to_contain_text("5.c13 ?")
    for key in ("Home", "End"):
        page.keyboard.press(key)
        expect(page.locator("#number")).to_have_text("0 / 4" if key == "Home" else "4 / 4")
    _, _, saved = running.get("/game.sgf")
    assert _whole(read_sgf(text)[0].root) == _whole(read_sgf(saved)[0].root)


def test_a_tree_of_many_thousand_nodes(page: Page) -> None:
    """All of it can be reached; a part is listed at once."""
    names = "abcdefghijklmno"
    cells = [f"{x}{y}" for x in names for y in names if (x, y) not in (("h", "h"),)]
    lines = "".join(
        f"(;W[{a}]" + "".join(f"(;B[{b}])" for b in cells if b != a) + ")" for a in cells[:100]
    )
    paste(page, f"(;GM[4]SZ[15];B[hh]{lines})", 3)
    page.click("#tab-analyse")
    expect(page.locator("#tree")).to_contain_text("and more")
    assert page.locator("#tree .move").count() <= 510
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#number")).to_have_text("2 / 3")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#number")).to_have_text("1 / 3")
