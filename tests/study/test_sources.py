"""Positions in all notations, and what is said about bad ones."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tengen.rules.picture import draw
from tengen.rules.referee import BLACK, WALL, WHITE
from tengen.study.puzzle import Puzzle
from tengen.study.sources import Wish, find_puzzles

NOTHING = Wish()
STONES = ((7, 7, BLACK), (8, 8, WHITE), (6, 6, BLACK))
PSQ = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,100\n7,7,5\nA\nB\n-1\n"
SGF = "(;FF[4]GM[4]SZ[15]RU[{}];B[hh];W[ii];B[gg])"
PICTURE = "rule: 4\n. . . . . .\n. X O . . .\n. . # . . .\n. . X . . .\n. . . . . .\n"


def one(*words: str, wish: Wish = NOTHING) -> Puzzle:
    found = find_puzzles(words, wish)
    assert not found.is_batch
    [puzzle] = found.puzzles
    return puzzle


@pytest.mark.parametrize(
    "words",
    [
        ("h8i9g7",),
        ("H8", "i9 G7"),
        ("7,7 8,8 6,6",),
        ("7,7", "8,8", "6,6"),
        ("7, 7; 8, 8; 6, 6",),
        ("7,7\n8,8\n6,6\n",),
    ],
)
def test_moves_on_the_command_line(words: tuple[str, ...]) -> None:
    puzzle = one(*words)
    assert puzzle.stones == STONES
    assert (puzzle.width, puzzle.height, puzzle.rule, puzzle.side) == (15, 15, 0, WHITE)


def test_more_moves_than_a_file_name_can_hold() -> None:
    cells = [(x, y) for y in range(0, 14, 2) for x in range(15)]
    text = " ".join(f"{x},{y}" for x, y in cells if (x + y // 2) % 3)
    assert len(text) > 255
    assert len(one(text, wish=Wish(rule=9)).stones) == 70


def test_what_can_be_wished() -> None:
    puzzle = one("h8i9g7", wish=Wish(8, (9, 10), BLACK, 2, True))
    assert puzzle.stones == ((7, 2, BLACK), (8, 1, WHITE))
    assert (puzzle.width, puzzle.height, puzzle.rule, puzzle.side) == (9, 10, 8, BLACK)
    assert one("7,7", wish=Wish(after=0)).stones == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("game.psq", PSQ),
        ("game.psq", "\ufeff" + PSQ.replace("\n", "\r\n")),
        ("game.sgf", SGF.format("freestyle")),
        ("game.sgf", SGF.format("0")),
        ("moves.txt", "h8i9\ng7\n"),
        ("moves", "7,7 8,8\n6,6\n"),
    ],
)
def test_files(tmp_path: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    puzzle = one(str(path))
    assert puzzle.stones == STONES and puzzle.side == WHITE and puzzle.name == str(path)
    assert one(str(path), wish=Wish(after=2)).side == BLACK
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert one("-").stones == STONES


@pytest.mark.parametrize(
    ("said", "rule"),
    [("standard", 1), ("Renju", 4), ("caro", 8), ("caro, exactly five", 9), ("4", 4)],
)
def test_the_rule_of_an_sgf_file(tmp_path: Path, said: str, rule: int) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(SGF.format(said))
    assert one(str(path)).rule == rule
    assert one(str(path), wish=Wish(rule=0)).rule == 0


def test_set_up_stones_of_an_sgf_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[4]SZ[9]AB[aa][bb]AW[cc]PL[B])")
    puzzle = one(str(path))
    assert puzzle.side == BLACK and len(puzzle.stones) == 3
    assert one(str(path), wish=Wish(side=WHITE)).side == WHITE


def test_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(PICTURE)
    puzzle = one(str(path))
    assert (puzzle.width, puzzle.height, puzzle.rule, puzzle.side) == (6, 5, 4, WHITE)
    assert (2, 2, WALL) in puzzle.stones
    assert draw(puzzle.referee()) == PICTURE
    assert puzzle.position().stones[-1].stone == WALL
    path.write_text("to move: Black\n" + PICTURE)
    assert one(str(path)).side == BLACK


def test_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    puzzle = {"rule": 1, "size": 15, "moves": [[7, 7], [8, 8]], "best": [6, 6], "mate": 7}
    other = {"size": [9, 7], "moves": [[0, 0]]}
    path.write_text(f"{json.dumps(puzzle)}\n\n{json.dumps(other)}\n")
    found = find_puzzles([str(path), str(path)], NOTHING)
    assert found.is_batch and len(found.puzzles) == 4
    first, second = found.puzzles[:2]
    assert (first.best, first.mate, first.rule, first.side) == ((6, 6), 7, 1, BLACK)
    assert first.name == f"{path}, line 1" and second.name == f"{path}, line 3"
    assert (second.width, second.height, second.best, second.side) == (9, 7, None, WHITE)


@pytest.mark.parametrize(
    ("words", "wish", "message"),
    [
        ((), NOTHING, "nothing to solve: name a file, or the moves of a position"),
        (("h8x",), NOTHING, "h8x: expected cells such as h8i9 or 7,7 8,8, or a file"),
        (("7,7 8",), NOTHING, "7,7 8: expected cells"),
        (("no/such.psq",), NOTHING, "no/such.psq: there is no such file"),
        (("h8", "game.psq"), NOTHING, "game.psq: there is no such file"),
        (("h8h8",), NOTHING, "position: the same cell twice"),
        (("h8i16",), NOTHING, "position: i16 is not on a 15x15 board"),
        (("7,7 7,7",), NOTHING, "position: 7,7 is not empty"),
        (("15,0",), NOTHING, "position: 15,0 is outside the 15x15 board"),
        (("7,7",), Wish(from_bottom=True), "position: --from-bottom is for cells such as h8"),
        (("7,7",), Wish(after=2), "position: --after 2: there are only 1 moves"),
        (
            ("0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0",),
            NOTHING,
            "position: the game is over, Black has won",
        ),
    ],
)
def test_bad_words(words: tuple[str, ...], wish: Wish, message: str) -> None:
    with pytest.raises(ValueError) as error:
        find_puzzles(words, wish)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "wish", "message"),
    [
        ("", NOTHING, "is empty; expected cells"),
        ("hello", NOTHING, "line 1: neither a row of a board nor"),
        (b"\xff\xfe\x00", NOTHING, "is no text"),
        ("Piskvorky\n", NOTHING, "psq, line 1: expected a header"),
        (PSQ, Wish(game=1), "--game is for the games.jsonl of a match"),
        (PSQ, Wish(size=(15, 15)), "says itself how large its board is: leave out --size"),
        (PSQ.replace("15x15", "4x15"), NOTHING, "psq, line 2"),
        ("Piskvorky 30x30, 11:11, 0\n", NOTHING, "board 30x30: sides must be 5 to 22"),
        (SGF.format("pente"), NOTHING, "the rule 'pente' is not known: name one with --rule"),
        ("(;GM[1])", NOTHING, "sgf: GM[1] is another game"),
        ("(;GM[4]SZ[9]AB[aa][bb])", NOTHING, "the stones do not tell whose turn it is"),
        (PICTURE, Wish(after=1), "a picture knows no order of moves"),
        ("to move: me\n" + PICTURE, NOTHING, "to move: me: expected black or white"),
        (PICTURE.replace("rule: 4", "rule: 5"), NOTHING, "rule 5 does not exist"),
        (PICTURE.replace("rule: 4", "rule: x"), NOTHING, "rule: x: expected a number"),
        (PICTURE + "\n" + PICTURE, NOTHING, "expected one picture, found 2"),
        (PICTURE.replace(". X O", ". X ."), Wish(), "the stones do not tell whose turn it is"),
        ("{\n", NOTHING, "line 1: is no JSON"),
        ("{}\n", NOTHING, "line 1: size: expected a number"),
        ('{"size": 15}\n', NOTHING, "line 1: moves: expected a list"),
        ('{"size": 15, "moves": [[7]]}\n', NOTHING, "line 1: [7] is no cell"),
        ('{"size": 15, "moves": [], "rule": "x"}\n', NOTHING, "line 1: rule: expected a whole"),
        ('{"size": 15, "moves": [], "rule": 2.5}\n', NOTHING, "line 1: rule: expected a whole"),
        ('{"size": 15, "moves": [], "mate": "9"}\n', NOTHING, "line 1: mate: expected a whole"),
        ('{"size": 99, "moves": []}\n', NOTHING, "line 1: board 99x99"),
        ('{"size": 15, "moves": [[7, 7]], "best": [7, 7]}', NOTHING, "line 1: best 7,7 is not"),
        ('{"size": 15, "moves": []}\n[]\n', NOTHING, "line 2: expected an object"),
        ('{"size": 15, "moves": []}\n', Wish(after=1), "line 1: --size, --side, --after and"),
    ],
)
def test_bad_files(tmp_path: Path, text: str | bytes, wish: Wish, message: str) -> None:
    path = tmp_path / "source"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError) as error:
        find_puzzles([str(path)], wish)
    said = str(error.value)
    assert said.removeprefix(str(path)).lstrip(":, ").startswith(message), said
    assert wish.game or said.startswith(str(path)) and "\n" not in said


def test_a_game_of_a_match(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    game = {"game": 0, "width": 15, "height": 15, "rule": 4, "moves": [s[:2] for s in STONES]}
    lines = ['{"format":2,"programs":[]}', json.dumps(game), '{"game":1,"mov']
    (folder / "games.jsonl").write_text("\n".join(lines))
    for path in (folder, folder / "games.jsonl"):
        puzzle = one(str(path), wish=Wish(game=1))
        assert (puzzle.stones, puzzle.rule, puzzle.side) == (STONES, 4, WHITE)
        assert one(str(path), wish=Wish(game=1, after=2, rule=0)).side == BLACK
        for wish, message in [
            (NOTHING, "holds 1 games: choose one with --game"),
            (Wish(game=2), "--game 2: there are 1 games"),
            (Wish(game=1, after=4), "--after 4: there are only 3 moves"),
            (Wish(game=1, size=(9, 9)), "leave out --size"),
        ]:
            with pytest.raises(ValueError, match=message):
                one(str(path), wish=wish)


def test_several_files(tmp_path: Path) -> None:
    psq, jsonl = tmp_path / "a.psq", tmp_path / "b.jsonl"
    psq.write_text(PSQ)
    jsonl.write_text('{"size": 15, "moves": []}\n')
    with pytest.raises(ValueError, match="only files of puzzles"):
        find_puzzles([str(psq), str(psq)], NOTHING)
    with pytest.raises(ValueError, match="holds no puzzles as JSON lines, as the others do"):
        find_puzzles([str(jsonl), str(psq)], NOTHING)
    with pytest.raises(ValueError, match="there is no such file"):
        find_puzzles([str(jsonl), "h8"], NOTHING)
    with pytest.raises(OSError, match="directory"):
        find_puzzles([str(tmp_path)], NOTHING)
