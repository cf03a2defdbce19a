"""The board of a game at the prompt: stones, marks, widths, with colours and without."""

from __future__ import annotations

import io
import random
import re
from typing import Literal

import pytest
from rich.console import Console

from engine.text import read_point
from tengen.game.referee import BLACK, WHITE, Cell
from tengen.people.session.game import Game
from tengen.people.terminal.table import Look, draw_game

ASCII_LOOK = Look(only_ascii=True)
ColorSystem = Literal["standard", "256", "truecolor"]


def _console(width: int = 100, color_system: ColorSystem | None = None) -> Console:
    in_colour = color_system is not None
    return Console(
        file=io.StringIO(), width=width, force_terminal=in_colour, color_system=color_system,
        no_color=False, legacy_windows=False,
    )  # fmt: skip


def _game(words: str, rule: int = 0, size: tuple[int, int] = (9, 9)) -> Game:
    game = Game(*size, rule)
    for word in words.split():
        game.play(read_point(word, *size))
    return game


def _random_game(size: int, moves: int, rule: int = 1) -> Game:
    game = Game(size, size, rule)
    cells = game.board.empties()
    random.Random(size).shuffle(cells)
    for cell in cells:
        if len(game.moves) < moves and game.board.foul(*cell) is None:
            game.play(cell)
    assert len(game.moves) == moves and game.outcome is None
    return game


def test_a_board_with_numbers_and_the_last_move_marked() -> None:
    text = draw_game(_console(), _game("e5 f6 a1", size=(7, 6)), ASCII_LOOK)
    assert text.plain == (
        " 6   .   .   .   .   .  O2   .  6\n"
        " 5   .   .   .   .  X1   .   .  5\n"
        " 4   .   .   .   .   .   .   .  4\n"
        " 3   .   .   .   .   .   .   .  3\n"
        " 2   .   .   .   .   .   .   .  2\n"
        " 1[ X3]  .   .   .   .   .   .  1\n"
        "     a   b   c   d   e   f   g\n"
        "   X Black  O White"
    )  # fmt: skip


def test_a_board_without_numbers_in_other_signs() -> None:
    text = draw_game(_console(), _game("e5 f6 a1", size=(7, 6)), Look(numbers=False), (6, 5))
    assert text.plain == (
        " 6 · · · · · ○ ·  6\n"
        " 5 · · · · ● · ·  5\n"
        " 4 · · · · · · ·  4\n"
        " 3 · · · · · · ·  3\n"
        " 2 · · · · · · ·  2\n"
        " 1[●]· · · · · !  1\n"
        "   a b c d e f g\n"
        "   ● Black  ○ White  ! the hint"
    )  # fmt: skip


def test_the_winning_line_and_forbidden_points_are_marked() -> None:
    won = draw_game(_console(), _game("a1 a9 b2 b9 c3 c9 d4 d9 e5"), ASCII_LOOK).plain
    rows = won.splitlines()
    assert rows[4] == " 5   .   .   .   .[ X9]  .   .   .   .  5"
    assert rows[5] == " 4   .   .   .* X7   .   .   .   .   .  4"
    assert rows[8] == " 1* X1   .   .   .   .   .   .   .   .  1"
    # A double three at c5; once the game is over nothing is forbidden any more.
    words = "d5 a1 e5 a9 c4 i1 c3 i9"
    foul = draw_game(_console(), _game(words, rule=4), ASCII_LOOK).plain
    assert foul.splitlines()[4].startswith(" 5   .   .   f  X1  X3")
    assert foul.endswith("   X Black  O White  f forbidden for Black")
    assert "f  X1" not in draw_game(_console(), _game(words, 4), Look(fouls=False)).plain
    game = _game(words, rule=4)
    game.play(read_point("c5", 9, 9), may_foul=True)
    assert "forbidden" not in draw_game(_console(), game, ASCII_LOOK).plain


def _read(text: str, game: Game) -> dict[Cell, int]:
    """The stones of a drawing with signs, whatever its layout, by the labels they stand at."""
    rows = text.splitlines()
    # A column's letter stands under the last character of its cells.
    columns = {m.start(): ord(m[0]) - ord("a") for m in re.finditer("[a-z]", rows[game.height])}
    found = {}
    for row in rows[: game.height]:
        label = row.split()[-1]
        assert row[:2] == label.rjust(2)
        for stone in re.finditer(r"([XO●○])\d*", row[: -len(label)]):
            cell = columns[stone.end() - 1], game.height - int(label)
            found[cell] = BLACK if stone[1] in "X●" else WHITE
    return found


@pytest.mark.parametrize(
    ("size", "look", "layouts"),
    [
        # Numbers in full, with two digits, stones alone, stones without blanks between.
        (22, ASCII_LOOK, 4),
        (22, Look(), 4),
        (22, Look(numbers=False), 2),
        (15, Look(), 3),
        (15, Look(numbers=False), 2),
        (5, Look(), 1),
        (5, Look(numbers=False), 1),
    ],
)
def test_every_layout_shows_every_stone_within_the_width(
    size: int, look: Look, layouts: int
) -> None:
    game = _random_game(size, size * size // 4)
    stones = {(move.x, move.y): move.colour for move in game.moves}
    seen = set()
    for width in range(29, 130):
        text = draw_game(_console(width), game, look).plain
        seen.add(text)
        assert max(map(len, text.splitlines()[: size + 1])) <= width
        assert _read(text, game) == stones
    assert len(seen) == layouts


def test_long_numbers_lose_their_hundreds_where_they_do_not_fit() -> None:
    game = _random_game(22, 121)
    wide = draw_game(_console(120), game, ASCII_LOOK).plain
    narrow = draw_game(_console(95), game, ASCII_LOOK).plain
    assert "[X121]" in wide and "O100" in wide
    assert "[X21]" in narrow and "O00" in narrow


@pytest.mark.parametrize("color_system", ["standard", "256", "truecolor"])
def test_black_and_white_differ_in_every_palette(color_system: ColorSystem) -> None:
    for look in (Look(), Look(numbers=False)):
        console = _console(color_system=color_system)
        styles = {
            text.plain[span.start : span.end].strip(): span.style
            for text in [draw_game(console, _game("e5 f6"), look)]
            for span in text.spans
        }
        signs = ("1", "2") if look.numbers else ("●", "○")
        codes = [console.get_style(styles[sign]).render("x") for sign in signs]
        assert codes[0] != codes[1]
