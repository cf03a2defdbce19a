"""Lines that are tried, reviews, positions set up, other games and players, by messages."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import sys
from pathlib import Path

from tengen.people.web.library import Library
from tests.people.web.running import Running
from tests.people.web.talk import Page, has, is_answered, open_page, with_page
from tests.scripted import SCRIPTED

# White's third move, a far corner, lets Black make an open four.
BLUNDERED = "h8i9i8h7j8a15k8g8l8"


@with_page(seats=("you", "you"), handicap=3)
async def test_handicap_stones_stand_on_the_board_and_white_begins(
    running: Running, page: Page
) -> None:
    await page.until(first="white")
    assert page.state["setup"] == [[3, 3, "black"], [11, 11, "black"], [11, 3, "black"]]
    assert page.state["to_move"] == "white"
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
    assert page.state["seats"] == {"black": "You", "white": "You"}
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
        ((10, 7), True, r"White's k8 loses .+. Well done."),
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


@with_page()
async def test_a_protocol_program_that_fails_loses(
    running: Running, page: Page, tmp_path: Path
) -> None:
    path = tmp_path / "scripted.py"
    path.write_text(SCRIPTED, encoding="ascii")
    command = shlex.join([sys.executable, str(path), "OK", "7,7", "crash"])
    await page.send(do="sit", black="you", white=f"cmd={command}", level=1, time_s=1)
    await page.until(turn="you")
    assert not page.state["can"]["now"]
    await page.send(do="play", x=0, y=0)
    await page.hear("state", is_answered(2))
    await page.send(do="play", x=0, y=1)
    await page.hear("state", lambda state: state["turn"] == "over")
    assert "ended with status 3: something broke" in page.state["outcome"]
    await page.send(do="sit", black="cmd=no-such-program", white="you", level=1, time_s=1)
    assert (await page.hear("error"))["text"] == "there is no program 'no-such-program'"


# -- games kept, pictures


def test_games_are_kept_and_found_again(tmp_path: Path) -> None:
    async def run() -> None:
        page = await open_page(running)
        for number, (x, y) in enumerate(((7, 7), (8, 8), (6, 6)), start=1):
            await page.send(do="play", x=x, y=y)
            await page.hear("state", has(number))
        await page.send(do="open", text="a1b2", rule=0, game=0)
        await page.hear("state", has(2))
        await page.send(do="games")
        told = await page.hear("games")
        (kept,) = told["games"]
        assert told["folder"] == str(tmp_path / "games")
        await page.send(do="load", name=kept["name"])
        await page.hear("state", lambda state: state["cells"] == [[7, 7], [8, 8], [6, 6]])
        for name in ("../secret.sgf", "game-00000000-000000.sgf", "/etc/passwd"):
            await page.send(do="load", name=name)
            assert (await page.hear("error"))["text"].startswith("there is no game ")
        await page.send(do="play", x=0, y=0)
        await page.hear("state", has(4))
        await page.close()

    with Running(tmp_path / "games", seats=("you", "you")) as running:
        asyncio.run(run())
    names = sorted(path.name for path in (tmp_path / "games").iterdir())
    assert len(names) == 2  # opened again, it was another game
    library = Library(tmp_path / "games")
    assert len(library.load(names[-1]).game.moves) + len(library.load(names[0]).game.moves) == 7
