"""The pages of a run and of a review in a browser: what they show, steps, and downloads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tengen.arena.report.data import Remark, load_match, report_data, review_data
from tengen.arena.report.page import make_page
from tengen.game.files.sgf import write_sgf
from tengen.game.game import Game
from tengen.game.played import Report
from tests.arena.report.report_sample import (
    BLACK_WINS,
    WHITE_WINS,
    eight_games,
    game,
    header,
    write_run,
)
from tests.people.web.browsing import PATIENCE_MS, needs_chromium
from tests.people.web.conftest import browser as browser

pytestmark = needs_chromium
NAMES = ("A <b>bold</b>", "</script><script>document.title='bad'</script>", "C & co")
# Opens a file at a fragment of its address, in a window of some width: a page of playwright.
Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Fails if a console has anything to say."""
    said: list[str] = []
    with ExitStack() as stack:

        def open_it(file: Path, fragment: str = "", width: int = 1280, **more: Any) -> Any:
            context = browser.new_context(viewport={"width": width, "height": 900}, **more)
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE_MS)
            page = context.new_page()
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            page.goto(file.as_uri() + fragment)
            return page

        yield open_it
    assert said == []


def write_page(folder: Path) -> Path:
    """The page of the run in a folder."""
    path = folder / "report.html"
    path.write_text(make_page(report_data(*load_match(folder))), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of three programs and nine games."""
    folder = tmp_path_factory.mktemp("report")
    games = eight_games(*NAMES)
    values = [{"value": 10 * (-1) ** i, "depth_plies": i, "nodes": 1000} for i in range(10)]
    games[1]["reports"] = [None, *values[1:]]
    games.append(game(8, NAMES[0], NAMES[1], "black", moves=BLACK_WINS))
    write_run(folder, header(*NAMES), games, {4: "ended with <i>status</i> 3"})
    return write_page(folder)


def stones(page: Any) -> list[tuple[int, str, str]]:
    """The stones on the board: (number, colour, point)."""
    found = page.eval_on_selector_all(
        "#board .stone", "all => all.map(({dataset: d, classList: c}) =>"
        " [Number(d.move), c.contains('black') ? 'black' : 'white', d.point])",
    )  # fmt: skip
    return [tuple(stone) for stone in found]


def played(moves: list[list[int]]) -> list[tuple[int, str, str]]:
    """Moves on a board of 15 rows, as `stones` gives them."""
    return [
        (i + 1, "white" if i % 2 else "black", f"{chr(ord('a') + x)}{15 - y}")
        for i, (x, y) in enumerate(moves)
    ]


def follow(page: Any, link: str) -> None:
    """Clicks a link to another place of the page, which is told of it a moment later."""
    page.evaluate(
        "() => { window.told = new Promise("
        "done => addEventListener('hashchange', done, {once: true})).then(() => null); }"
    )
    page.locator(link).first.click()
    page.evaluate("window.told")


def texts(page: Any, selector: str) -> list[str]:
    return list(page.locator(selector).all_text_contents())


def test_the_address_opens_a_game(report: Path, open_page: Open) -> None:
    for fragment, shown, count in (
        ("", "Game 1 ", 0), ("#game=3&move=999", "Game 3 ", 10), ("#game=99&move=x", "Game 1 ", 0),
    ):  # fmt: skip
        page = open_page(report, fragment)
        assert shown in page.locator("#players").text_content()
        assert len(stones(page)) == count
        assert ("Before the first move" in texts(page, "#caption")) == (count == 0)


def test_the_tables_and_the_end_of_a_game(report: Path, open_page: Open) -> None:
    page = open_page(report, "#game=1&move=9")
    assert stones(page) == played(BLACK_WINS)
    assert (page.locator(".won").count(), page.locator(".won-line").count()) == (5, 1)
    (players,) = texts(page, "#players")
    assert "Game 1" in players and "five · 9 stones" in players
    assert [own.get_attribute("data-move") for own in page.locator(".opening").all()] == ["1"]
    # Each program's row has the strip of its own rating.
    strips = page.locator(".interval[aria-label]").all()
    labels = [strip.get_attribute("aria-label").split(": Elo")[0] for strip in strips]
    assert labels == texts(page, "#ratings tbody .name")
    # The whole cross table: each program's points against each, then all together.
    cells = [re.sub(r"\s", "", text) for text in texts(page, ".met")]
    assert sorted(cells) == sorted(["3.53–1–1", "1.51–3–1", "11–1–0", "11–1–0", "22–0–0", "00–2–0"])
    assert sorted(texts(page, ".total")) == ["1of 4", "3.5of 7", "4.5of 7"]
    # Names are text, whatever they look like.
    assert texts(page, "#title") == ["3 programs, round robin"]
    assert page.title().startswith("3 programs")
    assert NAMES[1] in labels and "<i>status</i>" in texts(page, "#failures")[0]


def test_a_move_with_its_values(report: Path, open_page: Open) -> None:
    page = open_page(report, "#game=2&move=7")
    assert stones(page) == played(WHITE_WINS[:7])
    assert page.locator(".won").count() == 0
    assert page.locator(".last").get_attribute("data-move") == "7"
    assert texts(page, "#caption") == [
        "Move 7 of 10 · Black g15 · value +10 · depth 6 · 1,000 nodes · 600\xa0ms"
    ]
    assert page.locator(".move[aria-current=true]").get_attribute("data-move") == "7"
    # Both programs have a dot on the curve for every move but the opening, and one in the legend.
    assert [page.locator(f"circle.of-{colour}").count() for colour in ("black", "white")] == [5, 6]


def test_keys_buttons_slider_moves_and_curve(report: Path, open_page: Open) -> None:
    page = open_page(report, "#game=2&move=5")
    seen = []

    def press(*keys: str) -> None:
        for key in keys:
            page.keyboard.press(key)
        seen.append(len(stones(page)))

    press("ArrowRight")
    press("ArrowLeft", "ArrowLeft")
    page.get_by_label("First position (Home)").click()
    press()
    page.get_by_role("slider").fill("8")
    press()
    page.locator("#moves [data-move='3']").click()
    press()
    page.locator("#curve > svg").click()  # in the middle
    press()
    press("n")
    press("End")
    assert seen == [6, 4, 0, 8, 3, 5, 0, 10]
    assert page.evaluate("location.hash") == "#game=3&move=10"


def test_a_swipe_steps_through_the_game(report: Path, open_page: Open) -> None:
    script = """() => {
      const seen = [];
      const send = (kind, x, y, more) => document.querySelector("#board svg").dispatchEvent(
        new PointerEvent(kind, { pointerId: 5, pointerType: "touch", isPrimary: true,
          bubbles: true, clientX: x, clientY: y, ...more }));
      const swipe = (right, down, more, last = "pointerup") => {
        send("pointerdown", 200, 300, more);
        send("pointermove", 200 + right / 2, 300 + down / 2, more);
        send(last, 200 + right, 300 + down, more);
        seen.push(document.querySelectorAll(".stone").length);
      };
      swipe(-60, 10); swipe(-200, -30); swipe(-80, 0); swipe(80, 20);
      // No swipes: a tap, a move that scrolls the page, one that the browser took, a second finger,
      // the mouse.
      swipe(-5, 0); swipe(-40, 90); swipe(-80, 0, {}, "pointercancel");
      swipe(-80, 0, { isPrimary: false, pointerId: 6 }); swipe(-80, 0, { pointerType: "mouse" });
      swipe(300, 0); swipe(300, 0); swipe(300, 0);
      return `${seen.join(" ")} ${getComputedStyle(document.getElementById("board")).touchAction}`;
    }"""
    assert open_page(report).evaluate(script) == "1 2 3 2 2 2 2 2 2 1 0 0 pan-y pinch-zoom"


def test_filters_list_what_they_say(report: Path, open_page: Open) -> None:
    page = open_page(report)
    counts = []
    for label, value in (("Ended by", "five"), ("Program", NAMES[0]), ("Result", "program won"),
                         ("Opponent", NAMES[2])):  # fmt: skip
        page.select_option(f"#filters label:has(span:text-is('{label}')) select", label=value)
        counts += texts(page, "#count")
    page.get_by_text("Show all").click()
    assert [*counts, *texts(page, "#count")] == [f"{count} of 9 games" for count in (6, 5, 3, 0, 9)]


def test_the_other_game_of_the_pair_is_shown_at_the_same_move(
    report: Path, open_page: Open
) -> None:
    page = open_page(report, "#game=1&move=3")
    beside = page.locator("#beside .stone")
    assert (len(stones(page)), beside.count()) == (3, 0)
    page.get_by_label("Other game of the pair").check()
    assert beside.count() == 3 and "Game 2" in texts(page, "#beside .caption")[0]
    page.keyboard.press("ArrowLeft")
    assert beside.count() == 2
    follow(page, "#beside a")
    assert "Game 1" in texts(page, "#beside .caption")[0]


def test_a_download_is_the_sgf_file_of_the_game(report: Path, open_page: Open) -> None:
    page = open_page(report, "#game=2")
    page.evaluate("""() => {
      window.saved = [];
      URL.createObjectURL = (blob) => { saved.push(blob); return "data:,"; };
      HTMLAnchorElement.prototype.click = function () { saved.push(this.download); };
    }""")
    page.get_by_text("Download sgf").click()
    text, name = page.evaluate("() => Promise.all([saved[0].text(), saved[1]])")
    assert (text, name) == (write_sgf(load_match(report.parent)[1][1]), "game-2.sgf")
    assert "C[10/6 600 ms]" in text


def test_the_ratings_stand_on_one_scale(report: Path, open_page: Open) -> None:
    page = open_page(report)
    assert texts(page, ".axis text") == ["\u2212500", "0", "500"]
    ratings: Any = report_data(*load_match(report.parent))["ratings"]
    script = """(name) => [...document.querySelectorAll(".interval[aria-label]")].map((strip) =>
      [...strip.querySelectorAll(name)].map((mark) => parseFloat(mark.getAttribute("x1")
        || mark.getAttribute("cx"))))"""
    points, whiskers, zeros = (
        page.evaluate(script, name) for name in (".point", ".whisker", ".zero")
    )
    for rating, [point], ends, [zero] in zip(ratings, points, whiskers, zeros, strict=True):
        expected = [zero + rating[key] / 2000 * 100 for key in ("elo", "low", "high")]
        assert [point, *ends[1:]] == pytest.approx(expected, abs=0.01)


# -- a review

REVIEWED = Game("7,7 8,8 6,6 0,0", rule="renju", white="A <b>bold</b>")
REVIEWED.result = "black"
REVIEWED[0].report = Report(5, None, 10, None, 100)
REVIEWED[1].report = Report(5, None, -200, None, 100)
REMARKS = (
    Remark(2, "?", "White loses <i>30 %</i> of the chance", ((6, 6), (7, 8))),
    Remark(4, "\u00d7", "White makes a foul", (*((x, 1) for x in range(6)), (0, 0), (1, 0))),
)


def test_a_review_shows_findings_marks_and_better_lines(tmp_path: Path, open_page: Open) -> None:
    data = review_data(REVIEWED, "An analyst", "g.psq <x>", "renju", ["it turned"], REMARKS)
    path = tmp_path / "review.html"
    path.write_text(make_page(data), encoding="utf-8")
    page = open_page(path)
    assert page.title() == "g.psq <x> · Tengen game review"
    assert texts(page, "#sentences") == ["it turned"]
    (remarks,) = texts(page, "#remarks")
    assert "2Whitei7?White loses <i>30 %</i> of the chanceg9 h7" in remarks
    assert "4Whitea15\u00d7White makes a foula14 b14 c14 d14 e14 f14 a15 b15" in remarks
    rows = texts(page, ".move.marked")
    # All values are Black's, and one analyst has one curve.
    assert [row[0] for row in rows] == ["2", "4"] and "+200 ?" in rows[0]
    assert texts(page, "#curve-legend .series") == ["An analyst"]
    assert page.locator("#curve path").count() == 1
    assert stones(page) == [] and "Black" in texts(page, "#players")[0]
    follow(page, "#remarks a")
    # The position before the mistake, which is a faint stone with its sign.
    assert len(stones(page)) == 1 and "White loses" in texts(page, "#caption")[0]
    assert page.locator(".instead.white").count() == 1 and texts(page, ".sign.mistake") == ["?"]
    better = page.locator(".better")
    assert [own.get_attribute("data-point") for own in better.all()] == ["g9", "h7"]
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == "#game=1&move=3"
    assert page.locator(":is(.better, .sign)").count() == 0
    page.keyboard.press("ArrowRight")
    assert (len(stones(page)), better.count(), texts(page, ".sign.foul")) == (3, 5, ["\u00d7"])
    page.keyboard.press("End")  # the position after a mistake that is the last move
    assert (len(stones(page)), better.count(), texts(page, ".sign.foul")) == (4, 0, ["\u00d7"])
    # As docs/ANALYSIS.md writes the address of a move.
    assert len(stones(open_page(path, "#move=3"))) == 3
