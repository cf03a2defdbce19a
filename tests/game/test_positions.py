"""Positions in all notations, and what is said about bad ones."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tengen.game.files.positions import Choice, StoredPosition, find_positions
from tengen.game.referee import BLACK, WHITE, Stone

NOTHING = Choice()
STONES = ((7, 7, BLACK), (8, 6, WHITE), (6, 8, BLACK))
PSQ = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,100\n7,9,5\nA\nB\n-1\n"
SGF = "(;FF[4]GM[4]SZ[15]RU[{}];B[hh];W[ig];B[gi])"
PICTURE = "rule: 4\n. . . . . .\n. X O . . .\n. . # . . .\n. . X . . .\n. . . . . .\n"


def one(*words: str, choice: Choice = NOTHING) -> StoredPosition:
    found = find_positions(words, choice)
    assert not found.is_batch
    [stored] = found.positions
    return stored


def stones_of(*words: str, choice: Choice = NOTHING) -> tuple[Stone, ...]:
    return one(*words, choice=choice).position.all_stones


def side_of(*words: str, choice: Choice = NOTHING) -> int:
    return one(*words, choice=choice).position.side


def test_more_moves_than_a_file_name_can_hold() -> None:
    cells = [(x, y) for y in range(0, 14, 2) for x in range(15)]
    text = " ".join(f"{x},{y}" for x, y in cells if (x + y // 2) % 3)
    assert len(text) > 255
    assert len(stones_of(text, choice=Choice(rule=9))) == 70


def test_what_can_be_chosen() -> None:
    at = one("h8i9g7", choice=Choice(8, (9, 10), BLACK, 2)).position
    assert at.all_stones == ((7, 2, BLACK), (8, 1, WHITE))
    assert (at.size, at.rule_number, at.side) == ((9, 10), 8, BLACK)
    assert stones_of("7,7", choice=Choice(after=0)) == ()
    top = stones_of("h8i9g7", choice=Choice(from_top=True))
    assert top == ((7, 7, BLACK), (8, 8, WHITE), (6, 6, BLACK))
    renju = SGF.format("renju")
    assert one(renju).position.rule_number == 4
    assert one(renju, choice=Choice(rule=0)).position.rule_number == 0
    set_up = "(;GM[4]SZ[9]AB[aa][bb]AW[cc]PL[B])"
    assert (side_of(set_up), len(stones_of(set_up))) == (BLACK, 3)
    assert side_of(set_up, choice=Choice(side=WHITE)) == WHITE
    assert side_of(PICTURE) == WHITE and side_of("to move: Black\n" + PICTURE) == BLACK


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("game.psq", PSQ),
        ("game.psq", "\ufeff" + PSQ.replace("\n", "\r\n")),
        ("game.sgf", SGF.format("0")),
        ("moves.txt", "h8i9\ng7\n"),
    ],
)
def test_files(tmp_path: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    puzzle = one(str(path))
    assert (puzzle.position.all_stones, puzzle.position.side) == (STONES, WHITE)
    assert puzzle.name == str(path) and side_of(str(path), choice=Choice(after=2)) == BLACK
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert stones_of("-") == STONES


def test_puzzles(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    puzzle = {"rule": 1, "size": 15, "moves": [[7, 7], [8, 8]], "best": [6, 6], "mate": 7}
    other = {"size": [9, 7], "moves": [[0, 0]]}
    path.write_text(f"{json.dumps(puzzle)}\n\n{json.dumps(other)}\n")
    found = find_positions([str(path), str(path)], NOTHING)
    assert found.is_batch and len(found.positions) == 4
    first, second = found.positions[:2]
    assert (first.best, first.mate, first.position.rule_number) == ((6, 6), 7, 1)
    assert first.name == f"{path}, line 1" and second.name == f"{path}, line 3"
    assert (second.position.size, second.best, second.position.turn) == ((9, 7), None, "white")


@pytest.mark.parametrize(
    ("words", "choice", "message"),
    [
        ((), NOTHING, "no position is given; expected points such as h8i9 or 7,7 8,8, or a file"),
        (("7,7 8",), NOTHING, "'7,7 8' is neither a file nor a position: move 2: '8' is not"),
        (("no/such.psq",), NOTHING, "no/such.psq: No such file or directory"),
        (("h8", "game.psq"), NOTHING, "game.psq: No such file or directory"),
        (("h8h8",), NOTHING, "position: move 2: 'h8' is occupied by move 1"),
        (("7,7",), Choice(from_top=True), "position: move 1: '7,7' has no row to count from"),
        (("7,7",), Choice(after=2), "position: --after 2: the game has 1 move"),
        (("7,7",), Choice(game=1), "--game is for the games.jsonl of a match"),
        (("PSQ", "PSQ"), NOTHING, "PSQ: expected one position; only files of puzzles"),
        (("PUZZLES", "PSQ"), NOTHING, "PSQ: expected puzzles as JSON lines, like the other files"),
        (("PUZZLES", "h8"), NOTHING, "h8: No such file or directory"),
    ],
)
def test_bad_words(
    words: tuple[str, ...],
    choice: Choice,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("PSQ").write_text(PSQ)
    Path("PUZZLES").write_text('{"size": 15, "moves": []}\n')
    with pytest.raises(ValueError) as error:
        find_positions(words, choice)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "choice", "message"),
    [
        ("", NOTHING, "is empty; expected points"),
        (b"\xff\xfe\x00", NOTHING, "is not text"),
        (PSQ, Choice(game=2), "--game 2: there is 1 game"),
        (PSQ, Choice(size=(15, 15)), "gives the size of its board: leave out --size"),
        ("Piskvorky 30x30, 11:11, 0\n", NOTHING, "board 30x30: sides must be 5 to 22"),
        ("(;GM[4]SZ[9]AB[aa][bb])", NOTHING, "the stones do not show whose turn it is"),
        (PICTURE, Choice(after=1), "a picture has no order of moves"),
        ("{\n", NOTHING, "line 1: is not JSON"),
        ("{}\n", NOTHING, "line 1: size: expected a number"),
        ('{"size": 15}\n', NOTHING, "line 1: moves: expected a list"),
        ('{"size": 15, "moves": [[7]]}\n', NOTHING, "line 1: [7] is not a cell"),
        ('{"size": 15, "moves": [], "rule": "x"}\n', NOTHING, "line 1: rule: expected a whole"),
        ('{"size": 15, "moves": [], "rule": 2.5}\n', NOTHING, "line 1: rule: expected a whole"),
        ('{"size": 15, "moves": [], "mate": "9"}\n', NOTHING, "line 1: mate: expected a whole"),
        ('{"size": 99, "moves": []}\n', NOTHING, "line 1: board 99x99"),
        ('{"size": 15, "moves": [[7, 7]], "best": [7, 7]}', NOTHING, "line 1: best 7,7 is not"),
        ('{"size": 15, "moves": []}\n[]\n', NOTHING, "line 2: expected an object"),
        ('{"size": 15, "moves": []}\n', Choice(after=1), "line 1: --size, --side, --after and"),
    ],
)
def test_bad_files(tmp_path: Path, text: str | bytes, choice: Choice, message: str) -> None:
    path = tmp_path / "source"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ValueError) as error:
        find_positions([str(path)], choice)
    said = str(error.value)
    assert said.removeprefix(str(path)).lstrip(":, ").startswith(message), said
    assert choice.game or said.startswith(str(path)) and "\n" not in said


def test_a_game_of_a_match(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    game = {"game": 0, "width": 15, "height": 15, "rule": 4, "moves": [s[:2] for s in STONES]}
    two = [json.dumps(game), json.dumps(game | {"game": 1, "moves": []})]
    lines = ['{"format":2,"programs":[]}', *two, '{"game":2,"mov']
    path = folder / "games.jsonl"
    path.write_text("\n".join(lines))
    for word in (str(folder), str(path)):
        stored = one(word, choice=Choice(game=1))
        assert (stored.position.all_stones, stored.position.rule) == (STONES, "renju")
        assert stored.says_rule and stored.name == f"{word}, game 1"
        assert side_of(word, choice=Choice(game=1, after=2, rule=0)) == BLACK
    for choice, message in [
        (NOTHING, "holds 2 games: choose one with --game"),
        (Choice(game=3), "--game 3: there are 2 games"),
        (Choice(game=1, after=4), "--after 4: the game has 3 moves"),
        (Choice(game=1, size=(9, 9)), "leave out --size"),
    ]:
        with pytest.raises(ValueError, match=message):
            one(str(folder), choice=choice)
    path.write_text("\n".join([lines[0], lines[1], ""]))
    assert stones_of(str(folder)) == STONES


def test_a_game_of_a_file(tmp_path: Path) -> None:
    text = "(;SZ[15]RU[0];B[hh];W[ii])\n(;SZ[9]RU[4];B[aa])\n"
    path = tmp_path / "two.sgf"
    path.write_text(text)
    for word, name in ((str(path), str(path)), (text, "position")):
        first = one(word)
        assert first.name == f"{name}, game 1 of 2; --game 2 for the next"
        assert len(first.position) == 2
        second = one(word, choice=Choice(game=2))
        assert (second.name, second.position.size) == (f"{name}, game 2 of 2", (9, 9))


def test_whose_turn_it_is_around_a_pass() -> None:
    text = "(;SZ[15]RU[renju];B[hh];W[ih];B[];W[hg];B[ii])"
    sides = [side_of(text, choice=Choice(after=after)) for after in range(5)]
    assert sides == [BLACK, WHITE, WHITE, BLACK, WHITE]
    assert side_of(text) == WHITE
