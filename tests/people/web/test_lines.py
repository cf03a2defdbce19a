"""Games from texts and files, lines that are tried, reviews, other players, by messages."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tengen.game.files.sgf import read_sgf
from tengen.people.session.files import Snapshot
from tengen.people.web import begin
from tengen.people.web.explorer import Explorer
from tengen.people.web.library import Library
from tengen.people.web.tree import MOST_WRITTEN
from tengen.people.web.view import MOST_NAME
from tests.people.web.running import PATIENCE_S, Running
from tests.people.web.talk import Page, has, open_page, with_page

# White's third move, a far corner, lets Black make an open four.
BLUNDERED = "h8i9i8i7j8a15k8g8l8"


@with_page(seats=("you", "you"), handicap=3)
async def test_handicap_stones_stand_on_the_board_and_white_begins(
    running: Running, page: Page
) -> None:
    await page.until(first="white")
    assert page.state["setup"] == [[3, 3, "black"], [11, 11, "black"], [11, 3, "black"]]
    assert page.state["to_move"] == "white" and page.state["handicap"] == 3
    await page.send(do="play", x=7, y=7)
    await page.hear("state", lambda state: state["to_move"] == "black")
    status, _, text = await asyncio.to_thread(running.get, "/game.psq")
    assert (status, text.count("\n")) == (409, 1)
    status, headers, text = await asyncio.to_thread(running.get, "/game.sgf")
    assert status == 200 and "AB[dd][ll][ld]" in text and ";W[hh]" in text
    assert headers["Content-Disposition"] == 'attachment; filename="game.sgf"'


@with_page()
async def test_games_are_opened_from_texts(running: Running, page: Page) -> None:
    await page.send(do="open", text="h8i9g7", rule=4, game=0)
    await page.hear("state", has(3))
    assert page.state["rule"] == 4
    await page.send(do="open", text="(;GM[4]SZ[19]RU[standard];B[aa];W[bb])", rule=4, game=0)
    await page.hear("state", lambda state: state["width"] == 19 and len(state["cells"]) == 2)
    assert page.state["rule"] == 1
    for text in ("hello", "", "(;GM[4]SZ[15];B[hh];B[ii])", "(;GM[1]SZ[15];B[hh])"):
        await page.send(do="open", text=text, rule=0, game=0)
        answer = (await page.hear("error"))["text"]
        assert answer.startswith("the text: ") and "\n" not in answer
    for start in ("(;GM[1]", "(;GM[4]RU[pente]", "(;GM[4];B[aa];W[]"):  # for the command line
        await page.send(do="open", text=f"{start};B[hh])", rule=0, game=0)
        answer = (await page.hear("error"))["text"]
        assert answer.endswith(", as in tengen board --rule renju FILE")
    assert page.state["width"] == 19


@with_page()
async def test_a_game_of_a_run_is_chosen(running: Running, page: Page) -> None:
    header = {"format": 1, "programs": [{"name": "A"}, {"name": "B"}]}
    games = [
        {"game": i, "black": "A", "white": "B", "winner": winner, "moves": [[7, 7], [8, i]]}
        for i, winner in enumerate(("black", None))
    ]
    text = "".join(json.dumps(line) + "\n" for line in (header, *games))
    await page.send(do="open", text=text, rule=0, game=0)
    runs = await page.hear("runs")
    assert [", ".join(game["text"]) for game in runs["games"]] == [
        "A - B, 2 moves, Black won", "A - B, 2 moves, drawn",
    ]  # fmt: skip
    await page.send(do="open", text=text, rule=0, game=2)
    await page.hear("state", lambda state: state["cells"] == [[7, 7], [8, 1]])
    await page.send(do="open", text=text, rule=0, game=3)
    assert "there are 2 games" in (await page.hear("error"))["text"]


@with_page()
async def test_a_game_of_a_file_is_chosen(running: Running, page: Page) -> None:
    """The page sends bytes, because only the server knows the encodings."""
    games = "(;CA[Shift_JIS]SZ[15]PB[表]PW[ゾ]RE[B+R];B[hh]C[能];W[ii])(;SZ[15]PB[b];B[aa])"
    data = games.encode("cp932")
    await page.send_file(data, "two.sgf")
    runs = await page.hear("runs")
    assert [", ".join(game["text"]) for game in runs["games"]] == [
        "表 - ゾ, 2 moves, B+R", "b - ?, one move",
    ]  # fmt: skip
    await page.send_file(data, "two.sgf", game=1)
    await page.hear("state", has(2))
    assert page.state["names"] == {"black": "表", "white": "ゾ"}
    assert page.state["players"] == {"black": "you", "white": "you"}
    await page.send_file(data, "two.sgf", game=2)
    await page.hear("state", has(1))
    assert page.state["names"] == {"black": "b", "white": "You"}
    for data, wrong in ((b"\xff\xfe\x00", "is not text"), (b"(;B[", "cannot be read")):
        await page.send_file(data, "x.txt")
        answer = (await page.hear("error"))["text"]
        assert answer.startswith("x.txt: ") and wrong in answer


@with_page()
async def test_what_was_not_read_as_it_stands_is_said(running: Running, page: Page) -> None:
    await page.send(do="open", text="(;SZ[15]PB[Ann];B[hh]W[ii])", rule=0, game=0)
    await page.hear("state", has(2))
    note = await page.hear("note")
    assert note["text"].startswith(
        "sgf: one node holds several moves; they are played in the order"
    )
    await page.send(do="open", text="Black: Ann\nWhite: Bob\n\nh8 i9 h9", rule=0, game=0)
    await page.hear("state", has(3))
    assert page.state["names"] == {"black": "Ann", "white": "Bob"}


@with_page()
async def test_the_variations_of_a_file_are_in_the_tree(running: Running, page: Page) -> None:
    text = "(;SZ[15];B[hh](;W[ii];B[jj])(;C[alone](;W[aa])(;W[hh])(;B[cc])(;W[zz])(;W[];B[dd])))"
    await page.send(do="open", text=text, rule=0, game=0)
    tree = await page.hear("tree", lambda tree: bool(tree["nodes"]))
    nodes = [node[1:4] for node in tree["nodes"]]
    assert nodes == [[0, 7, 7], [1, 8, 8], [1, 0, 0], [2, 9, 9]]


@with_page()
async def test_a_review_is_given_up(running: Running, page: Page) -> None:
    await page.send(do="review")
    assert "no move has been played" in (await page.hear("error"))["text"]
    await page.send(do="open", text=BLUNDERED, rule=0, game=0)
    await page.hear("state", has(9))
    await page.send(do="review")
    await page.until(work="review")
    await page.send(do="enough")
    await page.until(work="")


@with_page()
async def test_a_move_is_tried_without_being_played(running: Running, page: Page) -> None:
    """White's sixth move has to stop an open three."""
    await page.send(do="open", text=BLUNDERED, rule=0, game=0)
    state = await page.hear("state", has(9))
    cells = state["cells"][:5]
    for (x, y), is_good, said in (
        ((0, 0), False, r"White's a15 loses \d+ % of the chance to win. Try another move."),
        ((6, 7), True, r"White's g8 loses .+. Well done."),
    ):
        await page.send(do="try", cells=cells, x=x, y=y)
        told = await page.hear("tried")
        assert (told["cells"], told["cell"], told["is_good"]) == (cells, [x, y], is_good)
        assert re.fullmatch(said, told["text"]) and (told["loss"] > 0.2) != is_good
        await page.until(work="")
    await page.send(do="try", cells=cells[:4], x=cells[4][0], y=cells[4][1])
    assert (await page.hear("tried"))["text"].startswith("Black's j8 loses ")
    await page.send(do="try", cells=cells, x=7, y=7)
    assert (await page.hear("error"))["text"].startswith("h8 is taken")
    assert page.state["cells"] == state["cells"] and page.state["outcome"] == state["outcome"]


# -- games kept, pictures


def test_games_are_kept_and_found_again(tmp_path: Path) -> None:
    async def run() -> None:
        page = await open_page(running)
        await page.play((7, 7), (8, 8), (6, 6))
        await page.send(do="open", text="a1b2", rule=0, game=0)
        await page.hear("state", has(2))
        await page.send(do="find", words="")
        told = await page.hear("games")
        (kept,) = told["games"]
        assert told["folder"] == str(tmp_path / "games")
        await page.send(do="load", name=kept["name"])
        await page.hear("state", lambda state: state["cells"] == [[7, 7], [8, 8], [6, 6]])
        for name in ("../secret.sgf", "game-00000000-000000.sgf", "/etc/passwd"):
            await page.send(do="load", name=name)
            assert (await page.hear("error"))["text"].startswith("there is no game ")
        await page.play((0, 0))
        await page.close()

    with Running(tmp_path / ".." / tmp_path.name / "games", seats=("you", "you")) as running:
        asyncio.run(run())
    names = sorted(path.name for path in (tmp_path / "games").glob("*.sgf"))
    assert len(names) == 2  # opened again, it was another game
    library = Library(tmp_path / "games")
    assert len(library.load(names[-1]).game.moves) + len(library.load(names[0]).game.moves) == 7


def _sgf(node_num: int, comment: str = "") -> bytes:
    """A game with so many nodes: a tree, most of whose lines have two moves."""
    cells = [a + b for a in "abcdefghijklmno" for b in "abcdefghijklmno"][1:]
    lines = [f"(;W[{a}];B[{b}])" for a in cells for b in cells if a != b][: (node_num - 2) // 2]
    return f"(;GM[4]SZ[15]C[{comment}];B[aa]{''.join(lines)})".encode()


@pytest.mark.parametrize("asked", ["file", "open", "load", "find", "resume"])
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
    monkeypatch.setattr(Explorer, "find", late(Explorer.find))
    other = await open_page(running)
    if asked == "file":
        await page.send_file(_sgf(10), "a.sgf")
    else:
        known: dict[str, dict[str, Any]] = {
            "open": {"text": "h8i9", "rule": 0, "game": 0}, "load": {"name": name},
            "find": {"words": ""},
            "resume": {"time_s": 1},
        }  # fmt: skip
        await page.send(do=asked, **known[asked])
    await other.play((7, 7), (8, 8), (6, 6))
    assert not is_read.is_set()
    is_read.set()
    if asked == "find":
        assert [kept["name"] for kept in (await page.hear("games"))["games"]]
    else:
        cells = [[7, 7], [8, 6]] if asked == "open" else [[0, 0], [0, 1], [0, 2]]
        await page.hear("state", lambda state: state["cells"] == cells)
        # The game that was played meanwhile is kept.
        await page.send(do="find", words="")
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
    for cell in ((7, 7), (8, 8), (6, 6)):
        await page.play(cell)
        while not running.room._library._writing:
            await asyncio.sleep(0.01)
    assert not list(running.room._library.folder.glob("*.sgf"))
    await page.send(do="setup", width=9, height=9, rule=0, black=[], white=[], first="black")
    await page.hear("state", lambda state: state["width"] == 9)
    await page.play((4, 4))
    may_write.set()
    await page.send(do="find", words="")
    games = (await page.hear("games"))["games"]
    while len(games) < 2:
        await page.send(do="find", words="")
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
    await asyncio.to_thread(running.room._reader._thread.submit(int).result)
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
    await page.play((7, 7))
    many = 20_000
    for data in (
        b"no game " * many, b"\0" * many, b"(" * many, b"(;" * 10_000, b"(;B[" + b"\\]" * many,
        b"<game " * many, b"{" * many, b"h8i9" * many, b"1," * many, b"Piskvorky 15x15,\n" * many,
    ):  # fmt: skip
        await page.send_file(data, "none.sgf")
        text = (await page.hear("error"))["text"]
        assert "\n" not in text and len(text) < 300, text[:300]
    assert page.state["cells"] == [[7, 7]]


@pytest.mark.parametrize(
    ("names", "players", "level"),
    [
        ("PB[Player]PW[Tengen 3]", {"black": "you", "white": "tengen"}, 3),
        ("PB[Simple]PW[Player]", {"black": "simple", "white": "you"}, None),
        ("PB[Anna]PW[Tengen]", {"black": "you", "white": "tengen"}, 10),
        ("PB[Anna]PW[Tengen \u00b2]", {"black": "you", "white": "tengen"}, 10),
        ("PB[Anna]PW[wine other.exe]", {"black": "you", "white": "you"}, None),
        ("", {"black": "you", "white": "you"}, None),
    ],
)
def test_the_last_game_is_offered_and_goes_on(
    tmp_path: Path, names: str, players: dict[str, str], level: int | None
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
        assert (page.state["players"], page.state["level"]) == (players, level)
        assert page.state["unfinished"] is None
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
