"""Large files and texts that are no games: the server answers meanwhile, and nothing is lost."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tengen.game.files.sgf import read_sgf
from tengen.people.session.files import Snapshot
from tengen.people.web import begin
from tengen.people.web.tree import MOST_WRITTEN
from tengen.people.web.view import MOST_NAME
from tests.people.web.running import PATIENCE_S, Running
from tests.people.web.talk import Page, has, open_page, with_page


def _sgf(node_num: int, comment: str = "") -> bytes:
    """A game with so many nodes: a tree, most of whose lines have two moves."""
    cells = [a + b for a in "abcdefghijklmno" for b in "abcdefghijklmno"][1:]
    lines = [f"(;W[{a}];B[{b}])" for a in cells for b in cells if a != b][: (node_num - 2) // 2]
    return f"(;GM[4]SZ[15]C[{comment}];B[aa]{''.join(lines)})".encode()


@pytest.mark.parametrize("asked", ["file", "open", "load", "games", "resume"])
@with_page(seats=("you", "you"))
async def test_the_server_answers_while_it_reads(
    running: Running, page: Page, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    """The reader stands still until the others were answered, however long that takes."""
    is_read = threading.Event()
    library = running.room._library
    library.folder.mkdir(exist_ok=True)
    name = "game-20260101-000000.sgf"
    (library.folder / name).write_bytes(_sgf(10))
    running.room._unfinished = library.unfinished()

    def late(find: Callable[..., Any]) -> Callable[..., Any]:
        def found(*args: Any) -> Any:
            assert is_read.wait(PATIENCE_S)
            return find(*args)

        return found

    monkeypatch.setattr(begin, "_text_of", late(begin._text_of))
    monkeypatch.setattr(library, "load", late(library.load))
    monkeypatch.setattr(library, "_newest_first", late(library._newest_first))
    other = await open_page(running)
    if asked == "file":
        await page.send_file(_sgf(10), "a.sgf")
    else:
        known: dict[str, dict[str, Any]] = {
            "open": {"text": "h8i9", "rule": 0, "game": 0}, "load": {"name": name}, "games": {},
            "resume": {"time_s": 1},
        }  # fmt: skip
        await page.send(do=asked, **known[asked])
    for number, cell in enumerate(((7, 7), (8, 8), (6, 6)), start=1):
        await other.send(do="play", x=cell[0], y=cell[1])
        await other.hear("state", has(number))
    assert not is_read.is_set()
    is_read.set()
    if asked == "games":
        assert [kept["name"] for kept in (await page.hear("games"))["games"]]
    else:
        cells = [[7, 7], [8, 6]] if asked == "open" else [[0, 0], [0, 1], [0, 2]]
        await page.hear("state", lambda state: state["cells"] == cells)
        # The game that was played meanwhile is kept.
        await page.send(do="games")
        kept = (await page.hear("games"))["games"]
        assert sorted(each["moves"] for each in kept) == ["3 moves", "3 moves"]
    await other.close()


@with_page(seats=("you", "you"))
async def test_the_server_answers_while_it_writes(
    running: Running, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is played meanwhile is written later, also where another game has begun by then."""
    may_write, save = threading.Event(), Snapshot.save

    def late(snapshot: Snapshot, name: str, **more: Any) -> Path:
        assert may_write.wait(PATIENCE_S)
        return save(snapshot, name, **more)

    monkeypatch.setattr(Snapshot, "save", late)
    monkeypatch.setattr("tengen.people.web.library._PAUSE_S", 0.01)
    monkeypatch.setattr("tengen.people.web.library.time.strftime", lambda _: "20260101-000000")
    for number, cell in enumerate(((7, 7), (8, 8), (6, 6)), start=1):
        await page.send(do="play", x=cell[0], y=cell[1])
        await page.hear("state", has(number))
        while not running.room._library._writing:
            await asyncio.sleep(0.01)
    assert not list(running.room._library.folder.glob("*.sgf"))
    await page.send(do="setup", width=9, height=9, rule=0, black=[], white=[], first="black")
    await page.hear("state", lambda state: state["width"] == 9)
    await page.send(do="play", x=4, y=4)
    await page.hear("state", has(1))
    may_write.set()
    await page.send(do="games")
    games = (await page.hear("games"))["games"]
    while len(games) < 2:
        await page.send(do="games")
        games = (await page.hear("games"))["games"]
    assert sorted((kept["size"], kept["moves"]) for kept in games) == [
        ("15x15", "3 moves"),
        ("9x9", "one move"),
    ]


@with_page(seats=("you", "you"))
async def test_a_tree_of_a_hundred_thousand_nodes(running: Running, page: Page) -> None:
    data = _sgf(100_000)
    await page.send_file(data, "large.sgf")
    node = (await page.hear("state", has(3)))["node"]
    await page.send(do="comment", node=node, text="here")
    await page.hear("remarks", lambda remarks: remarks["comment"] == "here")
    text = running.get("/game.sgf")[2]
    (tree,) = read_sgf(text)
    count, waiting = 0, [tree.root]
    while waiting:
        count += 1
        waiting += waiting.pop().children
    assert count >= 99_000 and text.count("C[here]") == 1
    assert gc.isenabled()


@with_page(seats=("you", "you"))
async def test_a_comment_of_megabytes_and_a_long_name(running: Running, page: Page) -> None:
    comment = "x" * 5_000_000
    data = f"(;GM[4]SZ[15]PB[{'n' * 1_000_000}]C[{comment}];B[hh]C[short])".encode()
    await page.send_file(data, "large.sgf")
    await page.hear("state", has(1))
    assert len(page.state["names"]["black"]) == MOST_NAME
    await page.send(do="undo")
    remarks = await page.hear("remarks", lambda remarks: remarks["node"] == 0)
    assert remarks["is_cut"] and set(remarks["comment"]) == {"x"}
    assert len(remarks["comment"]) == 2 * MOST_WRITTEN
    for node, text in ((0, "another"), (1, "y" * (MOST_WRITTEN + 1))):
        await page.send(do="comment", node=node, text=text)
        assert "stays as it is" in (await page.hear("error"))["text"]
    # What is written here can be changed here.
    for text in ("]" * MOST_WRITTEN, "short again"):
        await page.send(do="comment", node=1, text=text)
        await page.send(do="redo")
        remarks = await page.hear("remarks", lambda remarks: remarks["node"] == 1)
        assert remarks["comment"] == text and not remarks["is_cut"]
        await page.send(do="undo")
        await page.hear("remarks", lambda remarks: remarks["node"] == 0)
    assert f"C[{comment}]" in running.get("/game.sgf")[2]


@with_page(seats=("you", "you"))
async def test_what_is_no_game_is_one_line(running: Running, page: Page) -> None:
    await page.send(do="play", x=7, y=7)
    await page.hear("state", has(1))
    many = 100_000
    for data in (
        b"no game " * many, b"\0" * many, b"(" * many, b"(;" * 10_000, b"(;B[" + b"\\]" * many,
        b"<game " * many, b"{" * many, b"h8i9" * many, b"1," * many, b"Piskvorky 15x15,\n" * many,
    ):  # fmt: skip
        await page.send_file(data, "none.sgf")
        text = (await page.hear("error"))["text"]
        assert "\n" not in text and len(text) < 300, text[:300]
    assert page.state["cells"] == [[7, 7]]


@pytest.mark.parametrize(
    ("names", "seats"),
    [
        ("PB[Player]PW[Tengen 3]", {"black": "You", "white": "Tengen 3"}),
        ("PB[Simple]PW[Player]", {"black": "Simple", "white": "You"}),
        ("PB[Anna]PW[Tengen]", {"black": "You", "white": "Tengen"}),
        ("PB[Anna]PW[Tengen \u00b2]", {"black": "You", "white": "Tengen"}),
        ("PB[Anna]PW[wine other.exe]", {"black": "You", "white": "You"}),
        ("", {"black": "You", "white": "You"}),
    ],
)
def test_the_last_game_is_offered_and_goes_on(
    tmp_path: Path, names: str, seats: dict[str, str]
) -> None:
    (tmp_path / "game-20260101-000000.sgf").write_text("(;GM[4]SZ[15]RE[B+];B[aa])")
    last = tmp_path / "game-20260102-000000.sgf"
    last.write_text(f"(;GM[4]SZ[15]RU[renju]{names};B[hh];W[ii];B[jj];W[kk])", encoding="utf-8")

    async def run(running: Running) -> None:
        page = await open_page(running)
        state = await page.hear("state")
        assert (
            state["unfinished"]["name"] == last.name and state["unfinished"]["moves"] == "4 moves"
        )
        await page.send(do="resume", time_s=0.1)
        await page.hear("state", lambda state: len(state["cells"]) >= 4 and state["rule"] == 4)
        assert (page.state["seats"], page.state["unfinished"]) == (seats, None)
        await page.send(do="resume", time_s=0.1)
        assert "no game to go on with" in (await page.hear("error"))["text"]
        await page.close()

    with Running(folder=tmp_path) as running:
        asyncio.run(run(running))


@pytest.mark.parametrize(
    "newest", ["(;GM[4]SZ[15]RE[W+R];B[hh])", "(;GM[4]SZ[15])", "(;GM[4]SZ[15]RE[0];B[hh])"]
)
def test_a_game_that_is_over_or_empty_is_not_offered(tmp_path: Path, newest: str) -> None:
    (tmp_path / "game-20260101-000000.sgf").write_text("(;GM[4]SZ[15];B[aa])")
    (tmp_path / "game-20260102-000000.sgf").write_text(newest)
    with Running(folder=tmp_path) as running:
        assert running.room._state()["unfinished"] is None
