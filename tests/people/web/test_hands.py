"""The page under a person's hands: layout, keys, focus, ways to look at the board."""

from __future__ import annotations

import pytest

from tests.people.web.browsing import (
    CROSS,
    Browser,
    Page,
    expect,
    needs_chromium,
    opened,
    paste,
    play_all,
)
from tests.people.web.running import Running

pytestmark = needs_chromium


@pytest.mark.parametrize("columns, rows", [(15, 15), (5, 22), (22, 5), (22, 22)])
def test_board_and_controls_are_in_view_together(browser: Browser, columns: int, rows: int) -> None:
    """Also while a position is set up."""
    with (
        Running(seats=("you", "you"), width=columns, height=rows) as running,
        opened(browser, running) as page,
    ):
        for width, height in ((390, 844), (360, 640), (844, 390), (1400, 900)):
            page.set_viewport_size({"width": width, "height": height})
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
    expect(page.locator("#lines")).to_have_value("3")
    expect(page.locator("#board .candidate")).to_have_count(3)
    page.keyboard.press("Space")
    expect(page.locator("#lines")).to_have_value("0")
    # A field and a button keep their own keys.
    page.focus("#new [name=level]")
    for key in ("Home", "ArrowLeft", "Space", "Control+z"):
        page.keyboard.press(key)
    page.focus("#tab-play")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tab-analyse")).to_be_focused()
    expect(page.locator("#number")).to_have_text("3 / 3")
    expect(page.locator("#lines")).to_have_value("0")


def test_focus_stays_where_lists_change(page: Page) -> None:
    play_all(page, ((7, 7), (8, 8), (9, 9)))
    page.click("#tab-analyse")
    page.select_option("#lines", "3")
    expect(page.locator("#best button")).to_have_count(3)
    page.locator("#best button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#board .stone")).to_have_count(4)
    expect(page.locator("#best button").first).to_be_focused()
    page.locator("#tree .move").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#number")).to_have_text("1 / 4")
    expect(page.locator("#tree [aria-current]")).to_be_focused()
    page.focus("#undo")
    page.keyboard.press("Enter")
    expect(page.locator("#number")).to_have_text("0 / 4")
    expect(page.locator("#hint")).to_be_focused()


def test_the_list_follows_a_long_game(page: Page) -> None:
    columns = list(enumerate("abcdefghijkl"))
    text = "".join(f"{letter}{row + i % 2}" for row in range(1, 13, 2) for i, letter in columns)
    paste(page, text, 72)
    page.click("#tab-analyse")
    for key in ("Home", "End", *["ArrowLeft"] * 5):
        page.keyboard.press(key)
    expect(page.locator("#number")).to_have_text("67 / 72")
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


def test_forbidden_points_while_white_moves(browser: Browser) -> None:
    with (
        Running(rule=4, seats=("you", "you")) as running,
        opened(browser, running) as page,
    ):
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
