"""The page in a browser: games by mouse, by keys, on a phone, in two tabs."""

from __future__ import annotations

import base64
import re
from importlib import resources
from pathlib import Path

import pytest

from engine.api import Engine
from engine.model import Limits
from tengen.people.session.engine_player import position_of
from tests.people.web.browsing import (
    CROSS,
    PHONE,
    Browser,
    Page,
    analyse,
    click,
    do,
    expect,
    needs_chromium,
    opened,
    paste,
    place,
    play_all,
    stones,
)
from tests.people.web.running import Running
from tests.people.web.test_lines import BLUNDERED

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
pytestmark = needs_chromium


def test_a_whole_game_by_clicks(browser: Browser) -> None:
    """Against a level, with the moves of the whole engine."""
    engine, level = Engine(), 1
    with Running(level=level) as running, opened(browser, running) as page:
        expect(page.locator("#white .name")).to_have_text(f"Tengen {level}")
        while running.room.session.game.outcome is None:
            engine.set_position(position_of(running.room.session.game))
            count = stones(page)
            click(page, *engine.think(Limits(nodes=2000)).move)
            page.wait_for_function(
                "n => document.querySelectorAll('#board .stone').length >= n + 2"
                " || document.querySelector('#board .won')",
                arg=count,
            )
        expect(page.locator("#status")).to_contain_text("(you) wins with")
        expect(page.locator("#board .won-line")).to_have_count(1)
        assert page.locator("#hint").is_disabled()
        expect(page.locator("#sit")).to_be_disabled()
        expect(page.locator("#board .five")).to_have_count(5)
        page.click("#again")  # with colours exchanged
        expect(page.locator("#black .name")).to_have_text(f"Tengen {level}")


def test_hint_undo_and_redo(browser: Browser) -> None:
    with Running() as running, opened(browser, running) as page:
        click(page, 7, 7)
        expect(page.locator("#board .stone")).to_have_count(2)
        page.click("#hint")
        expect(page.locator("#note")).to_contain_text("Hint: ")
        expect(page.locator("#board .hinted")).to_have_count(1)
        page.click("#undo")
        expect(page.locator("#board .stone")).to_have_count(0)
        expect(page.locator("#board .hinted")).to_have_count(0)
        do(page, "redo")
        expect(page.locator("#board .stone")).to_have_count(2)
        do(page, "swap")
        expect(page.locator("#black .name")).to_have_text("Tengen 1")
        expect(page.locator("#board .stone")).to_have_count(3)


def test_a_foul_is_marked_and_explained(browser: Browser) -> None:
    with Running(rule=4, seats=("you", "you")) as running, opened(browser, running) as page:
        play_all(page, CROSS)
        mark = page.locator("#board .forbidden")
        expect(mark).to_have_count(1)
        assert "a double three" in (mark.locator("title").text_content() or "")
        click(page, 7, 7)
        expect(page.locator("#note.error")).to_contain_text("h8 is forbidden for Black")
        assert stones(page) == len(CROSS)


def test_a_game_by_keys_alone(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.locator("#cursor")).to_have_text("h8, empty")
    page.keyboard.press("Enter")
    expect(page.locator("#board .stone")).to_have_count(1)
    for key in ("ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.locator("#cursor")).to_have_text("i7, empty")
    page.keyboard.press("Space")
    expect(page.locator("#board .stone.white")).to_have_attribute("data-point", "i7")
    page.keyboard.press("Enter")
    expect(page.locator("#note.error")).to_contain_text("i7 is taken")
    while page.evaluate("document.activeElement.id") != "back":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#board .stone")).to_have_count(1)


def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser) -> None:
    look = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    with Running(lan="127.0.0.2") as running, opened(browser, running, **look) as page:
        assert page.evaluate("location.hostname") == "127.0.0.2"
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        box = page.locator("#board svg").bounding_box()
        assert box is not None and box["width"] > 330
        # The cells are small: a tap chooses a point, a second one there plays.
        at = place(page, 7, 7)
        page.touchscreen.tap(*place(page, 3, 7))
        expect(page.locator("#note")).to_contain_text("tap it again")
        page.touchscreen.tap(*at)
        expect(page.locator("#board .chosen")).to_have_attribute("data-point", "h8")
        expect(page.locator("#board .stone")).to_have_count(0)
        page.touchscreen.tap(*at)
        expect(page.locator("#board .stone")).to_have_count(2)
        assert (7, 7) == running.room.session.game.stones[0][:2]
        # A finger that slides plays where it is lifted.
        page.tap("#view-open")
        page.select_option("#touch", "slide")
        page.keyboard.press("Escape")
        page.touchscreen.tap(*place(page, 0, 0))
        expect(page.locator("#board .stone")).to_have_count(4)


def test_a_new_game_from_the_form(browser: Browser) -> None:
    with Running() as running, opened(browser, running) as page:
        expect(page.locator("#status")).to_have_text(re.compile("^Choose a point to begin"))
        page.click("#options-set")
        page.select_option("select[name=black]", "tengen")
        page.select_option("select[name=white]", "you")
        page.select_option("select[name=rule]", label="renju")
        page.fill("input[name=width]", "12")
        expect(page.locator("#options-set")).to_have_text("12×15 · renju · Tengen – You")
        page.check("input[name=level][value='2']")
        expect(page.locator("#white .name")).to_have_text("Tengen 2")  # at once
        page.click("#new button[type=submit]")
        expect(page.locator("#rule")).to_contain_text("12×15 · renju")
        expect(page.locator("#black .name")).to_have_text("Tengen 2")
        expect(page.locator("#board .stone")).to_have_count(1)
        page.click("#options-set")
        page.fill("input[name=width]", "23")
        page.click("#new button[type=submit]")  # the browser itself refuses it
        expect(page.locator("#rule")).to_contain_text("12×15")
        page.click("#rule-open")
        expect(page.locator("#rule-text")).to_contain_text("renju: Black wins with exactly five")


def test_the_best_moves_are_on_the_board(page: Page) -> None:
    click(page, 7, 7)
    analyse(page, 3)
    expect(page.locator("#board .candidate")).to_have_count(3)
    expect(page.locator("#best .score")).to_have_text([re.compile(r"^(\d+|-?M\d+)$")] * 3)
    expect(page.locator("#chance")).to_contain_text("White")
    # Pointed at a move of a line, the board is shown up to there; a double click goes there.
    expect(page.locator("#best li:nth-child(2) button:nth-child(3)")).to_be_visible()
    page.hover("#best li:nth-child(2) button:nth-child(2)")
    expect(page.locator("#board .better")).to_have_count(2)
    expect(page.locator("#board .candidate")).to_have_count(0)
    page.mouse.move(0, 0)
    expect(page.locator("#board .candidate")).to_have_count(3)
    page.dblclick("#best li:first-child button:nth-child(2)")
    expect(page.locator("#board .stone")).to_have_count(3)
    page.uncheck("#is-on")
    expect(page.locator("#board .candidate")).to_have_count(0)


def test_a_review_marks_the_mistake(browser: Browser) -> None:
    with Running() as running, opened(browser, running) as page:
        paste(page, BLUNDERED, 9)
        page.click("#tab-learn")
        page.click("#review")
        # A net may find mistakes before it.
        finding = page.locator("#findings li .found", has_text="6a15")
        expect(finding).to_have_text(re.compile(r"^\?!?6a15\u2212\d+.%$"))
        expect(page.locator("#tree .marked").last).to_have_text(re.compile(r"^6\.a15 \?!?$"))
        expect(page.locator("#tree .comment").last).to_contain_text("a15 loses")
        expect(page.locator("#chart .chance-line")).to_have_count(1)
        with opened(browser, running) as late:
            other = late.locator("#findings li .found").last
            expect(other).to_have_text(finding.text_content() or "")
        finding.click()
        expect(page.locator("#number")).to_have_text("5 / 9")
        expect(page.locator("#board .instead.white")).to_have_count(1)
        expect(page.locator("#status")).to_contain_text("a15 loses")
        dot = page.locator("#chart .finding").last.get_attribute("cx") or ""
        expect(page.locator("#chart .here")).to_have_attribute("x1", dot)
        expect(page.locator("#board .better").first).to_be_visible()
        expect(page.locator("#board .sign")).to_have_text(re.compile(r"^\?!?$"))
        page.click("#forward")
        expect(page.locator("#board .better")).to_have_count(0)
        # Play on from here, against the engine.
        page.click("#back")
        expect(page.locator("#number")).to_have_text("5 / 9")
        page.click("#tab-play")
        page.click("#options-set")
        page.select_option("select[name=black]", "tengen")
        page.select_option("select[name=white]", "you")
        page.fill("input[name=time_s]", "0.1")
        page.click("#sit")
        expect(page.locator("#black .name")).to_have_text("Tengen 1")
        click(page, 10, 7)
        expect(page.locator("#board .stone")).to_have_count(7)


def test_lines_that_were_tried_are_listed(page: Page) -> None:
    play_all(page, ((7, 7), (8, 8), (6, 7)))
    page.click("#first")
    expect(page.locator("#board .stone")).to_have_count(0)
    page.click("#forward")
    expect(page.locator("#board .stone")).to_have_count(1)
    play_all(page, ((0, 0),))
    page.click("#tab-analyse")
    expect(page.locator("#tree > .move")).to_have_text(["1.h8", "2.i7", "3.g8"])
    expect(page.locator("#tree ul .move")).to_have_text(["2.a15"])
    page.click("#written summary")
    page.click("#promote")
    expect(page.locator("#tree > .move")).to_have_text(["1.h8", "2.a15"])
    page.locator("#tree ul .move", has_text="3.g8").click()
    expect(page.locator("#number")).to_have_text("3 / 3")
    page.click("#promote")
    expect(page.locator("#tree > .move")).to_have_text(["1.h8", "2.i7", "3.g8"])
    page.click("#tree > .move:last-of-type")
    expect(page.locator("#tree [aria-current]")).to_have_text("3.g8")


def test_a_forced_win_is_stepped_through(page: Page) -> None:
    paste(page, "h8a1i8a3j8a5", 6)
    page.click("#tab-analyse")
    page.click("#solve")
    expect(page.locator("#proof-text")).to_contain_text("Choose White's answer")
    expect(page.locator("#board .stone")).to_have_count(7)
    click(page, 14, 14)
    expect(page.locator("#proof-text")).to_contain_text("has won")
    expect(page.locator("#board .stone")).to_have_count(9)
    page.click("#proof-back")
    expect(page.locator("#board .stone")).to_have_count(7)
    page.locator("#defences button").first.click()
    expect(page.locator("#board .stone")).to_have_count(9)
    page.click("#proof-leave")
    expect(page.locator("#board .stone")).to_have_count(6)
    assert page.locator("#proof").is_hidden()
    click(page, 14, 14)
    page.click("#solve")
    expect(page.locator("#note")).to_contain_text("No forced win of White was found")


def test_one_sees_what_stops_a_win_and_why_other_moves_do_not(browser: Browser) -> None:
    """By fingers and by the keyboard."""
    with Running(seats=("you", "you")) as running, opened(browser, running, **PHONE) as page:
        paste(page, "h8a1i8a3j8", 5)
        page.click("#tab-analyse")
        page.click("#defend")
        text, about = page.locator("#proof-text"), page.locator("#proof-about")
        expect(about).to_have_text(
            "Black threatens to win with stone 3. Moves that stop it: 2; undecided: 0."
        )
        stops = page.locator("#board .answer.stops")
        assert [each.get_attribute("data-point") for each in stops.all()] == ["g8", "k8"]
        page.touchscreen.tap(*place(page, 14, 14))  # it has no sign
        expect(about).to_have_text(re.compile("^Black wins with stone 3 at the latest"))
        expect(text).to_contain_text("Choose White's answer")
        expect(page.locator("#board .stone")).to_have_count(7)
        page.touchscreen.tap(*place(page, 0, 1))
        expect(text).to_contain_text("has won")
        for _ in range(2):
            page.tap("#proof-back")
        expect(page.locator("#board .stone")).to_have_count(5)
        page.locator("#defences button", has_text="○").first.press("Enter")
        expect(text).to_contain_text("Choose White's answer")
        expect(page.locator("#defences button:focus")).to_have_count(1)
        page.locator("#proof-back").press("Enter")
        page.focus("#board")
        page.keyboard.press("Enter")
        expect(page.locator("#cursor")).to_have_text("h8, black stone")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#cursor")).to_contain_text("g8 stops every win found")
        for _ in range(2):
            page.keyboard.press("Enter")
            expect(text).to_contain_text("g8 stops every win found")
        expect(page.locator("#proof")).to_be_hidden()
        assert running.room.session.game.stones[-1][:2] == (6, 7)
        page.click("#defend")
        expect(page.locator("#note")).to_contain_text("No forced win of White was found")
        page.tap("#tab-files")
        page.evaluate("scrollTo(0, 10_000)")
        expect(page.locator("#kept")).to_be_in_viewport()
        expect(page.locator("#board svg")).to_be_in_viewport(ratio=0.99)


def test_a_position_is_set_up(page: Page) -> None:
    play_all(page, ((7, 7), (8, 8)))
    page.click("#tab-files")
    page.click("#begin-setup")
    click(page, 6, 6)  # a black one
    page.check("#setup input[value=white]")
    click(page, 5, 6)
    click(page, 7, 7)  # instead of the black one
    page.check("#setup input[value='']")
    click(page, 8, 8)
    expect(page.locator("#board .stone")).to_have_count(3)
    page.select_option("#to-move", "white")
    page.click("#setup-done")
    expect(page.locator("#status")).to_contain_text("White to move")
    expect(page.locator("#board .set.white")).to_have_count(2)
    expect(page.locator("#setup")).to_be_hidden()
    click(page, 0, 0)
    expect(page.locator("#board .stone.white")).to_have_count(3)
    expect(page.locator("#psq")).to_be_hidden()


def test_what_is_too_large_is_refused_in_one_line(browser: Browser, tmp_path: Path) -> None:
    path, large = tmp_path / "game.sgf", tmp_path / "large.sgf"
    for each, size in ((path, 4), (large, 17)):  # three bytes a character
        comment = "\N{CJK UNIFIED IDEOGRAPH-68CB}" * 1_000_000 * size
        each.write_text(f"(;GM[4]SZ[9];B[ee]C[{comment}])", "utf-8")
    with Running(seats=("you", "you")) as running, opened(browser, running) as page:
        page.click("#tab-files")
        page.set_input_files("#file", large)
        expect(page.locator("#note.error")).to_contain_text("too large for the page")
        page.set_input_files("#file", path)
        expect(page.locator("#board .stone")).to_have_count(1)
        expect(page.locator("#comment")).not_to_be_editable()
        expect(page.locator("#note")).to_be_empty()
        page.evaluate("document.querySelector('#paste [name=text]').value = 'h8'.repeat(2_000_000)")
        page.click("#paste button")
        expect(page.locator("#note.error")).to_contain_text("too large for the page")
        expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator("#board .stone")).to_have_count(1)


def test_a_position_that_is_refused_can_be_mended(page: Page) -> None:
    page.click("#tab-files")
    page.click("#begin-setup")
    for x in range(5):
        click(page, x, 0)
    page.click("#setup-done")
    expect(page.locator("#note")).to_contain_text("five")
    expect(page.locator("#board .stone")).to_have_count(5)
    page.check("#setup input[value='']")
    click(page, 2, 0)
    page.click("#setup-done")
    expect(page.locator("#setup")).to_be_hidden()
    expect(page.locator("#board .set.black")).to_have_count(4)
    page.click("#begin-setup")
    page.click("#setup-done")  # the same position again
    expect(page.locator("#setup")).to_be_hidden()
    expect(page.locator("#board .set.black")).to_have_count(4)


# The last frame of a picture, and how many it has.
DECODED = """async ([kind, base64]) => {
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: `image/${kind}` });
    await Promise.all([decoder.completed, decoder.tracks.ready]);
    const count = decoder.tracks.selectedTrack.frameCount;
    const { image } = await decoder.decode({ frameIndex: count - 1 });
    const context = new OffscreenCanvas(64, 64).getContext("2d");
    // Of a good quality: else thin lines come and go with the size.
    const size = { resizeWidth: 64, resizeHeight: 64, resizeQuality: "high" };
    context.drawImage(await createImageBitmap(image, size), 0, 0);
    image.close();
    return [count, [...context.getImageData(0, 0, 64, 64).data]];
}"""


def test_pictures_of_the_game(page: Page) -> None:
    """The moving picture ends as the other one, and has a frame for every move."""
    paste(page, "h8a1i8a3j8a5", 6)
    page.click("#tab-files")
    page.click("#view-open")
    page.check("#numbers")
    page.keyboard.press("Escape")
    ends = []
    for kind, frames in (("png", 1), ("gif", 7)):
        with page.expect_download() as download:
            page.click(f"#{kind}")
        data = base64.b64encode(download.value.path().read_bytes()).decode()
        count, pixels = page.evaluate(DECODED, [kind, data])
        assert count == frames
        ends.append(pixels)
    differences = [abs(one - other) for one, other in zip(*ends, strict=True)]
    assert sum(differences) / len(differences) < 2 and all(min(pixels) < 60 for pixels in ends)


def test_threats_and_the_worth_of_cells_are_shown(page: Page) -> None:
    paste(page, "h8a1i8a3j8a5", 6)
    page.click("#tab-analyse")
    page.click("#engine-open")
    page.check("#threats")
    expect(page.locator("#board .threat.black.open-four")).to_have_count(2)
    page.check("#cell_values")
    expect(page.locator("#legend")).to_contain_text("Static value")
    assert page.locator("#board .cell-value.good").count() > 5
    page.keyboard.press("Escape")
    click(page, 6, 7)
    expect(page.locator("#board .threat.black.five")).to_have_count(2)
    page.click("#engine-open")
    page.uncheck("#threats")
    expect(page.locator("#board .threat")).to_have_count(0)


def test_what_was_chosen_stays_chosen(page: Page) -> None:
    page.click("#view-open")
    page.check("#numbers")
    page.keyboard.press("Escape")
    page.click("#options-set")
    page.select_option("#new [name=white]", "simple")
    page.check("#new [name=level][value='3']")
    page.fill("#new [name=time_s]", "3")
    page.locator("#new [name=time_s]").blur()
    page.select_option("#new [name=black]", "")
    page.reload()
    page.click("#options-set")
    expect(page.locator("#new [name=white]")).to_have_value("simple")
    expect(page.locator("#new [name=level][value='3']")).to_be_checked()
    expect(page.locator("#numbers")).to_be_checked()
    expect(page.locator("#black-command")).to_be_visible()
    # A browser knows cookies on every port.
    with Running() as next_one:
        page.goto(next_one.server.http.address)
        expect(page.locator("#new [name=time_s]")).to_have_value("3")
        expect(page.locator("#new [name=level][value='1']")).to_be_checked()  # as the game here
        page.goto("about:blank")  # or it would look for the server that has ended


def test_a_position_in_the_address(browser: Browser, running: Running) -> None:
    look = {"permissions": ["clipboard-read", "clipboard-write"]}
    with opened(browser, running, **look) as page:
        play_all(page, ((7, 7), (8, 8), (9, 9)))
        page.click("#back")
        expect(page.locator("#board .stone")).to_have_count(2)
        page.click("#tab-files")
        copied = "() => navigator.clipboard.readText()"
        page.click("#copy-moves")
        expect(page.locator("#note")).to_have_text("The moves are copied.")
        assert page.evaluate(copied) == "h8i7"
        page.click("#copy-address")
        expect(page.locator("#note")).to_contain_text("The link is copied")
        address = page.evaluate(copied)
        assert address == running.server.http.address.split("?")[0] + "#15x15,0,h8i7j6,2"
        # A position of the game on the board does not end it.
        page.evaluate("address => { location.href = address; }", address)
        expect(page).to_have_url(running.server.http.address.split("?")[0])
        expect(page.locator("#number")).to_have_text("2 / 3")
        page.click("#tab-play")
        page.click("#new button[type=submit]")
        expect(page.locator("#board .stone")).to_have_count(0)
        # That of another site, and one that is pasted.
        page.evaluate("location.hash = '#/h8h9j8g8'")
        expect(page.locator("#board .stone")).to_have_count(4)
        page.click("#tab-files")
        page.fill("#paste textarea", "http://127.0.0.1:1/#9x9,4,e5a1,1,a9b9,c9,white")
        page.click("#paste button")
        expect(page.locator("#rule")).to_have_text("9×9 · renju")
        expect(page.locator("#board .stone")).to_have_count(4)
        expect(page.locator("#number")).to_have_text("1 / 2")
        page.goto("about:blank")
        page.goto(address)
        expect(page.locator("#number")).to_have_text("2 / 3")
        expect(page).to_have_url(running.server.http.address.split("?")[0])
        page.click("#tab-files")
        page.click("#copy-picture")
        expect(page.locator("#note")).to_have_text("The picture is copied.")
        kinds = page.evaluate("async () => (await navigator.clipboard.read())[0].types")
        assert kinds == ["image/png"]


def test_without_a_clipboard_nothing_can_be_copied(page: Page) -> None:
    """Browsers have none for a page in the local network, which is not encrypted."""
    for name in ("Navigator.prototype.clipboard", "window.ClipboardItem"):
        page.add_init_script(f"delete {name}")
    page.reload()
    page.click("#tab-files")
    expect(page.locator("#sgf")).to_be_visible()
    for what in ("moves", "address", "picture"):
        expect(page.locator(f"#copy-{what}")).to_be_hidden()


def test_the_clock_is_shown(browser: Browser) -> None:
    with Running(seats=("you", "you"), clock_s=90) as running, opened(browser, running) as page:
        expect(page.locator("#white .clock")).to_have_text("1:30 left")
        # It runs; how far it has come depends on how busy the machine is.
        expect(page.locator("#black .clock")).to_have_text(re.compile(r"^(1:[012]|0:)\d+ left$"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessibility(browser: Browser, scheme: str) -> None:
    """axe-core finds nothing serious, with everything open."""
    with (
        Running(seats=("you", "you"), rule=4) as running,
        opened(browser, running, color_scheme=scheme) as page,
    ):
        paste(page, "h8a1i8a3j8", 5)
        page.click("#tab-analyse")
        page.click("#defend")
        expect(page.locator("#board .answer.stops")).to_have_count(2)
        analyse(page, 2)
        expect(page.locator("#best .at")).to_have_text([re.compile("/")] * 2)
        # By the debugger, because the page allows no scripts from elsewhere.
        page.evaluate(AXE)
        opens = "tab-play tab-analyse engine-open tab-learn view-open rule-open tab-files"
        for name in (*opens.split(), "begin-setup"):
            page.keyboard.press("Escape")
            page.click(f"#{name}")
            found = page.evaluate("async () => (await axe.run()).violations")
            bad = [
                (each["id"], [node["target"] for node in each["nodes"]])
                for each in found
                if each["impact"] in ("serious", "critical")
            ]
            assert bad == []


def test_programs_are_watched_and_paused(browser: Browser) -> None:
    seats = ("tengen", "tengen")
    with Running(seats=seats, level=10, time_s=3) as running, opened(browser, running) as page:
        page.click("#wait")
        expect(page.locator("#go")).to_be_enabled()
        expect(page.locator("#status")).to_contain_text("Paused")
        page.click("#go")
        expect(page.locator("#wait")).to_be_enabled()
