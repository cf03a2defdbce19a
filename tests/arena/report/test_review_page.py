"""The page of a review in a real browser: findings, marks, better lines, and steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.arena.report.compact import Remark
from tengen.arena.report.page import make_review_page
from tengen.arena.report.review import review_data
from tengen.game.record.move_report import Report
from tengen.game.record.recorded import RecordedGame
from tests.arena.report.test_report_page import BROWSER, browse, title_of

GAME = RecordedGame(
    "", "A <b>bold</b>", 15, 15, 4, ((7, 7), (8, 8), (6, 6), (0, 0)), winner="black",
    reports=(Report(5, None, 10, None, 100), Report(5, None, -200, None, 100), None, None),
)  # fmt: skip
REMARKS = (
    Remark(2, "?", "White loses <i>30 %</i> of the chance", ((6, 6), (7, 8))),
    Remark(4, "??", "White misses a win"),
)

needs_browser = pytest.mark.skipif(BROWSER is None, reason="no browser here")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    data = review_data(GAME, "g.psq <x>", "renju", ["the game turned at move 2"], REMARKS)
    path = tmp_path / "review.html"
    path.write_text(make_review_page(data), encoding="utf-8")
    return path


@needs_browser
def test_findings_and_marks(page: Path) -> None:
    dom = browse(page)
    assert title_of(dom) == "g.psq <x> · Tengen game review"
    assert dom.by_id("sentences") == "the game turned at move 2"
    assert "2Whitei7?White loses <i>30 %</i> of the chanceg9 h7" in dom.by_id("remarks")
    assert "4Whitea15??White misses a win" in dom.by_id("remarks")
    rows = [text for own, text in dom.of_class("marked") if "move" in own["class"].split()]
    assert [row[0] for row in rows] == ["2", "4"] and "\u2212200 ?" in rows[0]
    assert dom.stones() == [] and "Black" in dom.by_id("players")


@needs_browser
def test_a_better_line_stands_on_the_board(page: Path) -> None:
    dom = browse(page, "#move=2")
    assert len(dom.stones()) == 2 and "White loses" in dom.by_id("caption")
    assert [own["data-point"] for own, _ in dom.of_class("better")] == ["g9", "h7"]
    assert [own for own, _ in browse(page, "#move=3").of_class("better")] == []


def test_only_games_that_the_page_can_show() -> None:
    for game in (
        RecordedGame("A", "B", 15, 15, 0, ((7, 7),), setup=((1, 1, 1),)),
        RecordedGame("A", "B", 15, 15, 0, ((7, 7),), colours=(2,)),
    ):
        with pytest.raises(ValueError, match="begin with Black on the empty board"):
            review_data(game, "t", "", [], [])
