"""The base of games at the board: what was played, all games found and opened, and puzzles."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tengen import Engine, Game, Point, Position, parse_game, write_game
from tengen.people.web import explorer, studies
from tengen.people.web.explorer import Explorer
from tengen.study import puzzles
from tengen.study.base import NAME
from tengen.study.collect import Added
from tengen.study.puzzles import DEFENCE, THREES, Puzzle, Puzzles, Verdict
from tengen.study.review import Review
from tests.people.web.browsing import expect, needs_chromium
from tests.people.web.running import Running
from tests.people.web.talk import read
from tests.people.web.test_library import Board
from tests.study.test_puzzles import THREES_OF_GAME

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path / "games")
    yield board
    board.room.close()


def asked(board: Board, do: str, kind: str, **values: Any) -> Any:
    assert not board.request(do, **values)
    return board.all_told(kind)[-1]


def work(board: Board, do: str, **values: Any) -> None:
    """A request that a search carries out."""
    assert not board.request(do, **values)
    while board.room._work is not None:
        board.room.step()
    board.wait()


def test_games_of_files_are_found_explored_and_opened(board: Board, tmp_path: Path) -> None:
    game = Game("h8 i9 g7 f6", black="Ann", white="Ben")
    game.result = "black"
    write_game(game, tmp_path / "ann.sgf")
    work(board, "gather", path=str(tmp_path / "ann.sgf"))
    assert board.all_told("note")[-1]["text"] == "1 game of 1 file added"
    for x, y in ((7, 7), (6, 8)):  # a game of its own, which is the same turned
        board.request("play", x=x, y=y)
    found = asked(board, "find", "games", words="")
    assert [(each["black"], each["result"]) for each in found["games"]] == [
        ("Player", ""),
        ("Ann", "Black won"),
    ]
    assert [bool(each["name"]) for each in found["games"]] == [True, False] and found["total"] == 2
    [ann] = asked(board, "find", "games", words="ann ben")["games"]
    explored = asked(board, "explore", "explored")
    assert explored["after"] == [[7, 7], [6, 8]] and explored["count"] == 2
    assert explored["moves"] == [[[8, 6], 1, 1, 0, 0, None, 0]]
    assert len(explored["games"]) == 2
    board.request("undo")  # the row is that of the game on the board, not an image of it
    assert asked(board, "explore", "explored")["moves"][0][0] == [6, 8]
    # The game from the file does not take the place of that on the board, nor is it deleted.
    assert not board.request("known", game=ann["id"])
    assert board.all_told("state")[-1]["cells"] == [[7, 7], [8, 6], [6, 8], [5, 9]]
    assert "there is no game" in board.request("known", game=9)
    own = found["games"][0]["name"]
    assert not board.request("delete", name=own)
    assert asked(board, "find", "games", words="")["total"] == 1
    assert parse_game((tmp_path / "ann.sgf").read_bytes()).black == "Ann"


def test_a_guest_adds_no_files_and_a_bad_base_is_told_in_one_line(
    board: Board, tmp_path: Path
) -> None:
    for path, text in (("", "expected a path"), ("~no.one/games", "No such file")):
        work(board, "gather", path=path)
        assert text in board.all_told("note")[-1]["text"]
    told: list[str] = []
    board.room.join(told.append, is_guest=True)
    board.room.hear('{"do": "gather", "path": "/etc"}', told.append)
    assert "only on the machine itself" in told[-1]
    board.request("play", x=7, y=7)
    base = tmp_path / "games" / NAME
    base.write_bytes(b"no base" * 1000)
    for do, values in (("find", {"words": ""}), ("explore", {}), ("known", {"game": 1})):
        assert board.request(do, **values).startswith(f"{base}: is no base of games")
    assert not board.request("play", x=8, y=8)  # the game goes on, and is kept
    assert base.read_bytes() == b"no base" * 1000
    assert [*(tmp_path / "games").glob("*.sgf")]
    work(board, "puzzle", kind="", is_missed=False)
    assert "is no base" in board.all_told("note")[-1]["text"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_games_are_found_beside_files_with_any_names_and_a_base_that_cannot_be_made_is_told(
    board: Board, tmp_path: Path
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("a.sgf", "z\udcff.sgf"):
        write_game(Game("h8", black=name[0]), folder / name)
    (folder / "loop.sgf").symlink_to("loop.sgf")
    found = asked(board, "find", "games", words="")["games"]
    assert {each["black"] for each in found} == {"a", "z"}
    assert asked(board, "explore", "explored")["count"] == 2
    board.room._library.folder = Path("/proc")
    for do, values in (("find", {"words": ""}), ("explore", {})):
        assert board.request(do, **values).startswith(f"/proc/{NAME}: its folder cannot be written")


def begin_puzzle(board: Board) -> tuple[Point, ...]:
    """Asks for the one puzzle that there is, and returns its answer."""
    position = Position(THREES_OF_GAME[0])
    solution = Engine().solve(position, nodes=100_000).line
    with Explorer(board.room._library).open() as games:
        puzzle = Puzzle(THREES, position, solution[0], 2 * len(solution) - 1, 1)
        [kept] = Puzzles(games)._keep(1, [puzzle])
        assert Puzzles(games).next(THREES) == kept and Puzzles(games).next(DEFENCE) is None
    work(board, "puzzle", kind="threes", is_missed=False)
    return solution


def test_a_puzzle_waits_for_nothing_that_happens_while_an_answer_is_judged(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    right, *_ = begin_puzzle(board)
    may_judge = threading.Event()

    def judge(*asked: Any) -> Verdict:
        may_judge.wait()
        return puzzles.judge(*asked)

    monkeypatch.setattr(explorer, "judge", judge)
    for does in ("undo", "enough"):
        may_judge.clear()
        assert not board.request("play", x=right.x, y=right.y)
        assert board.room._work is not None
        assert not board.request(does)
        may_judge.set()
        while board.room._work is not None:
            board.room.step()
        board.wait()
        assert not board.all_told("state")[-1]["cells"]
        assert board.all_told("puzzle")[-1]["state"] == "asked"
    work(board, "play", x=right.x, y=right.y)
    assert board.all_told("puzzle")[-1]["state"] == "right"
    # A stone of the other side is no answer.
    board.request("undo")
    board.request("play", x=0, y=0)
    assert board.room._work is None and board.all_told("puzzle")[-1]["missed"] == 0


def test_who_plays_on_from_a_puzzle_plays_a_game_that_is_kept(board: Board) -> None:
    begin_puzzle(board)
    assert not board.request("sit", black="you", white="simple", time_s=0.01, level=10)
    assert board.all_told("puzzle")[-1]["state"] == ""
    assert not board.request("play", x=0, y=0)
    board.wait()
    assert [*board.room._library.folder.glob("*.sgf")]


def test_a_puzzle_is_played_out_and_counted(board: Board) -> None:
    solution = begin_puzzle(board)
    shown = board.all_told("puzzle")[-1]
    assert (shown["state"], shown["side"], shown["streak"]) == ("asked", "black", 0)
    work(board, "play", x=0, y=0)
    assert board.all_told("puzzle")[-1]["state"] == "wrong"
    assert not board.all_told("state")[-1]["cells"]
    for number, point in enumerate(solution[::2]):
        work(board, "play", x=point.x, y=point.y)
        if board.all_told("puzzle")[-1]["state"] == "solved":
            break
        assert board.all_told("puzzle")[-1]["state"] == "right"
        assert len(board.all_told("state")[-1]["cells"]) == 2 * number + 2
    shown = board.all_told("puzzle")[-1]
    assert (shown["state"], shown["missed"], shown["streak"]) == ("solved", 1, 0)
    # It was missed, so it comes again; found at once it is solved.
    work(board, "puzzle", kind="", is_missed=True)
    for point in solution[::2]:
        if board.all_told("puzzle")[-1]["state"] != "solved":
            work(board, "play", x=point.x, y=point.y)
    shown = board.all_told("puzzle")[-1]
    assert (shown["solved"], shown["missed"], shown["streak"]) == (1, 0, 1)
    # A puzzle is no game to keep; another game ends it.
    assert not [*board.room._library.folder.glob("*.sgf")]
    board.begin()
    assert board.all_told("puzzle")[-1]["state"] == ""
    assert "no puzzle" in board.request("answer")
    work(board, "puzzle", kind="", is_missed=True)
    assert board.all_told("note")[-1]["text"] == "no puzzle was missed"


def test_a_library_is_shown_as_one_and_opened(board: Board, tmp_path: Path) -> None:
    lines = parse_game("(;GM[4]SZ[15];B[hh];W[gg](;B[ig];W[cc])(;B[aa]))")
    write_game(lines, tmp_path / "lines.lib")
    with board.room._explorer.open() as games:
        assert games.add(tmp_path / "lines.lib", rule="freestyle").libraries == 1
    [shown] = asked(board, "find", "games", words="lines.lib")["games"]
    assert (shown["black"], shown["white"], shown["result"]) == ("lines.lib", "", "a library")
    for x, y in ((7, 7), (8, 8)):
        board.request("play", x=x, y=y)
    asked(board, "find", "games", words="")
    explored = asked(board, "explore", "explored")
    assert (explored["count"], explored["libraries"]) == (1, 1)
    assert [(count, libraries) for _, count, *_, libraries in explored["moves"]] == [(0, 1)] * 2
    assert not board.request("known", game=shown["id"])
    assert len(board.all_told("tree")[-1]["nodes"]) == 5


def test_an_answer_does_not_wait_for_a_program_that_writes(board: Board) -> None:
    board.request("play", x=7, y=7)
    with board.room._explorer.open() as games:
        games.db.execute("BEGIN IMMEDIATE")  # and a game is kept that is to be read
        assert asked(board, "find", "games", words="")["total"] == 0
        assert asked(board, "explore", "explored")["count"] == 0
        games.db.execute("ROLLBACK")
    assert asked(board, "find", "games", words="")["total"] == 1
    assert asked(board, "explore", "explored")["count"] == 1


def test_the_chances_of_a_review_are_told_while_it_runs(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    for x, y in ((7, 7), (8, 8), (6, 6)):
        board.request("play", x=x, y=y)
    reviewed, is_found, may_end = studies.reviewed, threading.Event(), threading.Event()

    def review(*asked: Any) -> Review:
        found = reviewed(*asked)
        is_found.set()
        may_end.wait()
        return found

    monkeypatch.setattr(studies, "reviewed", review)
    board.request("review")
    assert is_found.wait(60)
    board.step()
    kinds = [read(text)["kind"] for text in board._told]
    assert "nodes" in kinds[kinds.index("work") :] and "review" not in kinds
    may_end.set()
    while board.room._work is not None:
        board.room.step()
    assert board.all_told("review")


@needs_chromium
def test_what_was_begun_is_stopped_where_it_was_begun(
    page: Page, running: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(function: object, args: object, on_progress: Callable[[Added], None]) -> None:
        while True:  # until it is stopped
            on_progress(Added(games=7))
            time.sleep(0.01)

    monkeypatch.setattr(explorer, "run_apart", read)
    page.click("#tab-files")
    page.fill("#add-files [name=path]", str(tmp_path))
    page.click("#add-files button")
    expect(page.locator("#files #work-step")).to_have_text("reading games")
    page.click("#files #enough")
    expect(page.locator("#enough")).to_be_hidden()
    page.click("#tab-learn")
    page.click("#puzzle-new")  # without a game
    expect(page.locator("#puzzle-text")).to_contain_text("to move: win with")


@needs_chromium
def test_the_page_shows_what_was_played_and_a_puzzle(
    page: Page, running: Running, tmp_path: Path
) -> None:
    game = Game(THREES_OF_GAME[0], black="Ann", white="Ben")
    game.result = "black"
    write_game(game, tmp_path / "ann.sgf")
    page.click("#tab-files")
    page.fill("#add-files [name=path]", str(tmp_path / "ann.sgf"))
    page.click("#add-files button")
    expect(page.locator("#note")).to_have_text("1 game of 1 file added")
    page.fill("#search", "ann")
    expect(page.locator("#kept li")).to_contain_text("Ann - Ben")
    page.click("#tab-analyse")
    page.click("#explored summary")
    expect(page.locator("#played b")).to_have_text("g10")  # its image
    page.click("#played button")
    expect(page.locator("#played b")).to_have_text("g14")
    page.click("#behind button:has-text('Ann')")
    expect(page.locator("#explored-count")).to_have_text("Games that reached it: 1")
    expect(page.locator("#board .stone")).to_have_count(len(game))
    page.click("#tab-learn")
    page.click("#puzzle-new")
    expect(page.locator("#puzzle-text")).to_contain_text("Black to move: win with threes")
    page.click("#puzzle-answer")
    expect(page.locator("#puzzle-text")).to_have_text(f"The answer: {THREES_OF_GAME[1]}.")
    expect(page.locator("#puzzle-score")).to_contain_text("Solved 0 of 1")
