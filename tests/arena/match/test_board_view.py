"""The board in the terminal."""

from __future__ import annotations

import io
import re

from rich.console import Console

from tengen.arena.match.board_view import BoardView
from tengen.game.record.game import Job, Move
from tengen.game.record.move_report import Report
from tengen.game.rules.referee import BLACK, WHITE, Referee

JOB = Job(2, 1, "Tengen", "Simple [x]", ((3, 2),))


def _console() -> Console:
    return Console(file=io.StringIO(), width=100, force_terminal=False, legacy_windows=False)


def _shown(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_board_with_both_programs() -> None:
    board = Referee(6, 5, 0, walls=[(0, 0)])
    view = BoardView("ascii")
    console = _console()
    console.print(view.render())
    board.play(3, 2, BLACK)
    view.game_started(JOB, board)
    view.report(JOB, WHITE, Report(8, 11, None, 7, 12345))
    board.play(5, 4, WHITE)
    view.moved(JOB, board, Move(5, 4, WHITE, 1.25))
    console.print(view.render())
    lines = [line.rstrip() for line in _shown(console).splitlines()]
    assert lines[0] == "starting the programs"
    assert [line[:17].rstrip() for line in lines[1:7]] == [
        " 5 # . . . . .  5",
        " 4 . . . . . .  4",
        " 3 . . . X . .  3",
        " 2 . . . . . .  2",
        " 1 . . . . .[O] 1",
        "   a b c d e f",
    ]
    text = "\n".join(lines)
    assert "game 3, move 3" in text
    assert "X Tengen   thinks 0.0 s" in text
    assert "O Simple [x]" in text
    assert "white   value +M7, depth 8, 12,345 nodes" in text
    assert "last move 1.25 s, all 1.2 s" in text


def test_the_last_stone_stands_out() -> None:
    board = Referee(5, 5, 0)
    view = BoardView()
    view.game_started(Job(0, 0, "A", "B", ()), board)
    for i, (x, y) in enumerate([(1, 1), (2, 2)]):
        board.play(x, y, 1 + i)
        view.moved(JOB, board, Move(x, y, 1 + i))
    console = Console(
        file=io.StringIO(), width=80, force_terminal=True, color_system="truecolor", no_color=False
    )
    console.print(view.render())
    shown = _shown(console)
    # Brackets in the colour of marks, and a stone of each colour.
    mark, black, white = (r"\x1b\[1;38;2;170;0;0;48;2;214;176;112m", "●", "○")
    assert re.search(rf"{mark}\[\x1b\[0m\x1b\[1;97;48;2;214;176;112m{white}\x1b\[0m{mark}\]", shown)
    assert shown.count(f"214;176;112m{black}") == 1
