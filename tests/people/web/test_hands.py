"""The page under a person's hands: layout, keys, focus, ways to look at the board; openings; the
next server on its port."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from engine.text import read_point
from protocol.opening_rules import Opening
from tests.people.web.browsing import (
    CROSS,
    Browser,
    Page,
    analyse,
    click,
    do,
    expect,
    needs_chromium,
    opened,
    paste,
    play_all,
)
from tests.people.web.running import PATIENCE_S, Running, until
from tests.people.web.test_lines import BLUNDERED

pytestmark = needs_chromium


@pytest.mark.parametrize("columns, rows", [(15, 15), (5, 22), (22, 5), (22, 22)])
def test_board_and_controls_are_in_view_together(browser: Browser, columns: int, rows: int) -> None:
    """Also while a position is set up."""
    with Running(width=columns, height=rows) as running, opened(browser, running) as page:
        for width, height in ((390, 844), (360, 640), (844, 390), (700, 450), (1400, 900)):
            page.set_viewport_size({"width": width, "height": height})
            page.click("#tab-play")
            parts = ("board svg", "black", "white", "undo", "hint", "resign", "back", "tab-play")
            for each in map("#{}".format, parts):
                expect(page.locator(each)).to_be_in_viewport(ratio=0.99)
            page.click("#tab-files")
            page.click("#begin-setup")
            for each in ("#board svg", "#setup legend"):
                expect(page.locator(each)).to_be_in_viewport(ratio=0.99)
            page.click("#setup-cancel")
            for each in ("document.querySelector('#side')", "document.scrollingElement"):
                page.evaluate(f"{each}.scrollTop = 0")


def test_keys_step_and_switch_the_analysis(page: Page) -> None:
    play_all(page, ((7, 7), (8, 8), (9, 9)))
    for key, number in (
        ("ArrowLeft", 2), ("ArrowLeft", 1), ("ArrowRight", 2), ("Home", 0), ("End", 3),
        ("Control+z", 2), ("Control+y", 3), ("Control+z", 2), ("Control+Shift+z", 3),
    ):  # fmt: skip
        page.keyboard.press(key)
        expect(page.locator("#number")).to_have_text(f"{number} / 3")
    page.keyboard.press("Space")
    expect(page.locator("#is-on")).to_be_checked()
    expect(page.locator("#board .candidate")).to_have_count(3)
    page.keyboard.press("Space")
    expect(page.locator("#is-on")).not_to_be_checked()
    # A field and a button keep their own keys.
    page.focus("#new [name=level]:checked")
    for key in ("Home", "ArrowLeft", "Space", "Control+z"):
        page.keyboard.press(key)
    page.focus("#tab-play")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-analyse")).to_be_focused()
    expect(page.locator("#number")).to_have_text("3 / 3")
    expect(page.locator("#is-on")).not_to_be_checked()


def test_focus_stays_where_lists_change(page: Page, running: Running) -> None:
    play_all(page, ((7, 7), (8, 8), (9, 9)))
    page.click("#tab-analyse")
    page.press("#tree .move >> nth=0", "Enter")
    expect(page.locator("#number")).to_have_text("1 / 3")
    expect(page.locator("#tree [aria-current]")).to_be_focused()
    page.click("#tab-play")
    page.press("#undo", "Enter")
    expect(page.locator("#number")).to_have_text("0 / 3")
    expect(page.locator("#hint")).to_be_focused()
    page.press("#last", "Enter")
    expect(page.locator("#back")).to_be_focused()
    page.click("#first")
    expect(page.locator("#number")).to_have_text("0 / 3")
    play_all(page, ((0, 0), (1, 1)))
    page.click("#tab-analyse")
    fold = page.locator("#tree .fold")
    expect(fold).to_be_disabled()  # one is in that line
    page.keyboard.press("Home")
    page.press("#tree .fold:enabled", "Enter")
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(fold).to_be_focused()
    until(lambda: not running.room.session.is_unsaved)
    page.click("#explored summary")
    page.locator("#played button").first.press("Enter")
    expect(page.locator("#number")).to_contain_text("1 / ")
    expect(page.locator("#explored :focus")).to_have_count(1)
    paste(page, BLUNDERED[:-6], 6)
    analyse(page, 3)
    moves = page.locator("#best li:nth-child(3) button")
    moves.nth(3).press("Enter")
    expect(moves.nth(3)).to_have_count(0)  # lines are shorter where more is won
    expect(page.locator("#best :focus")).to_have_count(1)


def test_the_list_follows_a_long_game(page: Page) -> None:
    columns = list(enumerate("abcdefghijkl"))
    text = "".join(f"{letter}{row + i % 2}" for row in range(1, 13, 2) for i, letter in columns)
    paste(page, text, 72)
    page.click("#tab-analyse")
    for key, number in (("Home", 0), ("End", 72), *(("ArrowLeft", n) for n in range(71, 66, -1))):
        page.keyboard.press(key)
        expect(page.locator("#number")).to_have_text(f"{number} / 72")
    current = page.locator("#tree [aria-current]")
    expect(current).to_have_text("67.g11")
    box, inner = page.locator("#tree").bounding_box(), current.bounding_box()
    assert box is not None and inner is not None
    assert box["y"] - 1 <= inner["y"] <= box["y"] + box["height"] - inner["height"] + 1


def test_the_board_is_turned_and_mirrored(browser: Browser) -> None:
    with (
        Running(seats=("you", "you"), width=12, height=9) as running,
        opened(browser, running) as page,
    ):
        play = page.locator("#board .stone")

        def centre(point: str) -> tuple[float, float]:
            """Of a stone, in parts of the picture."""
            picture = page.locator("#board svg").bounding_box()
            stone = page.locator(f"#board .stone[data-point={point}] .body").bounding_box()
            assert picture is not None and stone is not None
            return (
                (stone["x"] + stone["width"] / 2 - picture["x"]) / picture["width"],
                (stone["y"] + stone["height"] / 2 - picture["y"]) / picture["height"],
            )

        running.play((0, 0))
        expect(play).to_have_count(1)
        assert max(centre("a9")) < 0.2
        page.click("#view-open")
        page.click("#turn")
        assert centre("a9")[0] > 0.8 and centre("a9")[1] < 0.2
        page.uncheck("#coordinates")
        assert page.locator("#board .coordinate").count() == 0
        assert centre("a9")[0] > 0.8 and centre("a9")[1] < 0.2
        page.click("#mirror")
        assert max(centre("a9")) < 0.2
        page.click("#turn")
        page.keyboard.press("Escape")
        page.reload()
        expect(play).to_have_count(1)
        assert centre("a9")[0] > 0.8 and centre("a9")[1] < 0.2
        # A click and the arrow keys mean what one sees.
        stone = page.locator("#board .stone .body").bounding_box()
        assert stone is not None
        page.mouse.click(stone["x"] - 2 * stone["width"] * 32 / 28.4 + stone["width"] / 2,
            stone["y"] + stone["height"] / 2)  # fmt: skip
        expect(play).to_have_count(2)
        assert running.room.session.game.stones[1][:2] == (2, 0)
        page.keyboard.press("Enter")
        expect(page.locator("#cursor")).to_have_text("g5, empty")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#cursor")).to_have_text("h5, empty")
        page.keyboard.press("ArrowDown")
        expect(page.locator("#cursor")).to_have_text("h4, empty")


def test_the_stones_are_turned_mirrored_and_shifted(page: Page) -> None:
    """With all moves of the game, as far as there is room."""
    play_all(page, ((7, 7), (8, 6), (14, 0)))
    page.click("#back")
    expect(page.locator("#number")).to_have_text("2 / 3")
    page.click("#view-open")
    for word, points in (
        ("down", "h7 i8"), ("turn", "g8 h7"), ("mirror", "i8 h7"), ("left", "h8 g7"),
    ):  # fmt: skip
        page.click(f"#stones-{word}")
        for point in points.split():
            expect(page.locator(f"#board .stone[data-point={point}]")).to_have_count(1)
        expect(page.locator("#number")).to_have_text("2 / 3")
    for _ in range(2):
        page.click("#stones-left")
    expect(page.locator("#note.error")).to_have_text("There is no room for the stones.")


def test_forbidden_points_while_white_moves(browser: Browser) -> None:
    with Running(rule=4, seats=("you", "you")) as running, opened(browser, running) as page:
        play_all(page, (*CROSS, (2, 2)))
        mark = page.locator("#board .forbidden")
        expect(mark).to_have_count(0)
        page.click("#view-open")
        page.check("#all-fouls")
        expect(mark).to_have_count(1)


def test_numbers_from_a_move_on(page: Page) -> None:
    play_all(page, ((7, 7), (8, 8), (9, 9)))
    page.click("#view-open")
    page.check("#numbers")
    expect(page.locator("#board .number")).to_have_text(["1", "2", "3"])
    page.fill("#numbers-from", "3")
    page.locator("#numbers-from").blur()
    expect(page.locator("#board .number")).to_have_text(["3"])


def play(page: Page, words: str) -> None:
    for word in words.split():
        click(page, *read_point(word, 15, 15))


def says(page: Page, text: str) -> None:
    expect(page.locator("#status")).to_contain_text(text)


def has(page: Page, stones: int, marks: int = 0) -> None:
    expect(page.locator("#board .stone")).to_have_count(stones)
    expect(page.locator("#board .letter")).to_have_count(marks)


def test_two_people_agree_by_soosyrv(browser: Browser) -> None:
    new: dict[str, Any] = {"seats": ("you", "you"), "opening": Opening.SOOSYRV, "rule": 4}
    with Running(**new) as running, opened(browser, running) as page:
        expect(page.locator("#black .name")).to_have_text("First player")
        says(page, "Black: Put down the first three stones, in the middle")
        play(page, "h8 i9 j10")
        has(page, 3)
        says(page, "White: Play as White. Or change sides. First choose how many fifth moves")
        play(page, "a1")
        expect(page.locator("#note")).to_contain_text("say first how many fifth moves")
        do(page, "swap")
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


def test_the_other_player_begins_the_next_opening(browser: Browser) -> None:
    with Running(opening=Opening.SWAP2, time_s=0.2) as running, opened(browser, running) as page:
        play(page, "h8 a1 i9")
        expect(page.locator("#black .name")).to_have_text("Tengen 1")  # it takes the better side
        page.click("#resign")
        page.press("#again:not([hidden])", "Enter")
        expect(page.locator("#board")).to_be_focused()
        has(page, 3)  # of Tengen


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


def test_an_open_page_finds_the_next_server_on_its_port(browser: Browser, tmp_path: Path) -> None:
    # None that the system gives to others between the two servers.
    for port in random.sample(range(20_000, 30_000), 50):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            break
    context = browser.new_context()
    page = context.new_page()
    with _board(tmp_path, port) as address:
        page.goto(address)
        page.wait_for_selector("#board svg")
        page.click("#board")
        expect(page.locator("#board .stone").first).to_be_visible()
    expect(page.locator("#lost")).to_be_visible()
    assert page.locator("#board .wood").count() == 1
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
