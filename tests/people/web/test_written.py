"""What people write in a game: variations, comments and marks, kept and saved without loss."""

from __future__ import annotations

from pathlib import Path

from tengen.game.files.sgf import read_sgf
from tengen.game.node import Node
from tests.people.web.browsing import (
    Browser,
    Page,
    click,
    expect,
    needs_chromium,
    opened,
    paste,
    play_all,
)
from tests.people.web.running import Running

pytestmark = needs_chromium


def _same(one: Node, other: Node) -> bool:
    """The same nodes with the same properties, in the same order."""
    waiting = [(one, other)]
    while waiting:
        first, second = waiting.pop()
        texts = [{k: list(v) for k, v in node.properties.items()} for node in (first, second)]
        if texts[0] != texts[1] or len(first.children) != len(second.children):
            return False
        waiting += zip(first.children, second.children, strict=True)
    return True


def test_what_is_written_is_kept_and_opened_again(browser: Browser, tmp_path: Path) -> None:
    with Running(tmp_path, seats=("you", "you")) as running, opened(browser, running) as page:
        play_all(page, ((7, 7), (8, 8), (6, 7)))
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#number")).to_have_text("2 / 3")
        play_all(page, ((0, 0),))
        page.click("#tab-analyse")
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
        expect(page.locator("#tree [aria-current]")).to_contain_text("…")
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
        page.fill("#search", "freestyle 15x15")
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
        before = len(list(tmp_path.iterdir()))
        expect(row).to_have_count(before)
        row.locator("button").last.click()
        expect(row).to_have_count(before - 1)
        assert len(list(tmp_path.iterdir())) == before - 1


def test_what_is_being_written_stays_with_its_position(page: Page, running: Running) -> None:
    play_all(page, ((7, 7),))
    page.click("#tab-analyse")
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
    assert _same(read_sgf(text)[0].root, read_sgf(saved)[0].root)


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
