"""Points of fives and of open fours."""

from __future__ import annotations

from engine.text import read_moves
from tengen.game.referee import BLACK, FREESTYLE, RENJU, STANDARD, WHITE, Cell, Referee
from tengen.game.threats import five_points, open_four_points


def board_of(rule: int, black: str, white: str = "") -> Referee:
    board = Referee(15, 15, rule)
    for colour, points in ((BLACK, black), (WHITE, white)):
        for x, y in cells(points):
            board.play(x, y, colour)
    return board


def cells(points: str) -> list[Cell]:
    return read_moves(points, 15, 15) if points else []


def test_fives_of_the_rule() -> None:
    for rule, wanted in ((FREESTYLE, "d8 i8"), (STANDARD, "i8"), (RENJU, "i8")):
        board = board_of(rule, "b8 c8 e8 f8 g8 h8")
        assert sorted(five_points(board, board.empties(), BLACK)) == cells(wanted)
        assert five_points(board, board.empties(), WHITE) == []


def test_open_fours_leave_two_points() -> None:
    board = board_of(FREESTYLE, "f8 g8 h8", "d8")
    before = board.stones()
    assert open_four_points(board, BLACK) == set(cells("i8"))
    assert open_four_points(board, WHITE) == set()
    assert board.stones() == before


def test_a_foul_is_no_open_four() -> None:
    # i8 is an open four and a four downwards as well.
    black = "f8 g8 h8 i9 i10 i11"
    assert cells("i8")[0] in open_four_points(board_of(FREESTYLE, black, "i12"), BLACK)
    assert cells("i8")[0] not in open_four_points(board_of(RENJU, black, "i12"), BLACK)
