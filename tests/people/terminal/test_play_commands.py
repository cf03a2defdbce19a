"""The prompt: what can be typed, the board that it shows, and the examples of docs/PLAY.md."""

from __future__ import annotations

import io
import random
import re
import shlex
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from engine.text import read_point
from tengen import cli as tengen
from tengen.game.referee import BLACK, WHITE, Cell
from tengen.people.session.game import Game
from tengen.people.session.session import ALL_TURNS
from tengen.people.terminal.commands import WORDS, Command, parse
from tengen.people.terminal.table import Look, draw_game
from tests.manual import Manual

NEITHER = "is neither a point such as h6 nor a command; help lists the commands"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("u", Command("undo", 1)),
        ("UNDO 12", Command("undo", 12)),
        ("undo all", Command("undo", ALL_TURNS)),
        ("red", Command("redo", 1)),
        ("redo 3", Command("redo", 3)),
        ("redo ALL", Command("redo", ALL_TURNS)),
        ("time 0.5", Command("time", 0.5)),
        ("t 0", Command("time", 0.0)),
        ("nodes 2.5e6", Command("nodes", 2_500_000)),
        ("save game.psq", Command("save", text="game.psq")),
        ("sa! my game.sgf", Command("save", text="my game.sgf", insists=True)),
        ('save "my game.sgf"', Command("save", text="my game.sgf")),
        ("load  a b.sgf ", Command("load", text="a b.sgf")),
        ("add", Command("add")),
        ("fifths 3", Command("fifths", 3)),
        ("balance", Command("balance", 1)),
        ("balance 2", Command("balance", 2)),
        ("   ", Command("board")),
        ("hi", Command("hint")),
        ("hint 10", Command("hint", 10.0)),
        ("?", Command("help")),
        ("exit", Command("quit")),
    ],
)
def test_what_is_understood(line: str, command: Command) -> None:
    assert parse(line, 15, 15) == command


def test_every_word_is_understood_as_it_is_written() -> None:
    for word, (argument, _) in WORDS.items():
        given = {"": "", "FILE": " x.psq"}.get(argument, " 2")
        assert parse(word + given, 15, 15).word == word


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("xyzzy", f"'xyzzy' {NEITHER}"),
        ("h8h9", f"'h8h9' {NEITHER}"),
        ("h", "h can mean hint or help: type more of it"),
        ("re", "re can mean redo, resign or restart: type more of it"),
        ("undo x", "undo: expected a whole number such as undo 3, not 'x'"),
        ("redo 1.5", "redo: expected a whole number such as redo 3, not '1.5'"),
        ("nodes", "nodes: expected a whole number such as nodes 5000 or nodes 1e6"),
        (
            "nodes 9999999999999999",
            "nodes: expected a whole number such as nodes 5000 or nodes 1e6, not"
            " '9999999999999999'",
        ),
        ("time", "time: expected seconds such as time 0.5"),
        ("time -1", "time: expected seconds such as time 0.5, not '-1'"),
        ("time nan", "time: expected seconds such as time 0.5, not 'nan'"),
        ("save", "save: expected a file such as save game.psq"),
        ('save ""', "save: expected a file such as save game.psq"),
        ("hint now", "hint: expected seconds such as hint 0.5, not 'now'"),
        ("level 3", "level takes no argument such as '3'"),
        ("hint!", "hint!: only save and load take a !"),
        ("quux\x07", f"'quux?' {NEITHER}"),
        ("restrat", "'restrat' is neither a point such as h6 nor a command; did you mean restart?"),
        ("x" * 500, f"'{'x' * 37}...' {NEITHER}"),
    ],
)
def test_what_is_not_understood_is_answered(line: str, answer: str) -> None:
    with pytest.raises(ValueError) as refused:
        parse(line, 15, 12)
    assert str(refused.value) == answer


@given(st.one_of(st.text(), st.text("abcdehloprsuv0123456789,!?- ", max_size=12)))
def test_anything_is_read_or_refused_in_one_line(line: str) -> None:
    try:
        command = parse(line, 22, 5)
    except ValueError as error:
        assert str(error).isprintable() and len(str(error)) < 200
    else:
        assert all(x < 22 and y < 5 for x, y in command.cells)


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


MANUAL = Manual("PLAY.md")
TYPED = re.compile(r"^(?:(?:Black|White) \d+|Game over)> (.*)$", re.MULTILINE)
# What is typed where the page has three dots before the first line that it shows.
LEFT_OUT = {"White 6> a7": "c3 g7 d3 g1 e3", "White 8> i9": "d6 a1 e6 a9 f8 i1 f7"}


@pytest.mark.parametrize("session", MANUAL.sessions, ids=range(len(MANUAL.sessions)))
def test_a_session(
    session: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    first, _, wanted = session.partition("\n")
    typed = TYPED.findall(wanted)
    for shown, before in LEFT_OUT.items():
        if shown in wanted:
            typed = [*before.split(), *typed]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
    assert first.startswith("$ tengen ")
    assert tengen.run(shlex.split(first.removeprefix("$ tengen "))) == 0
    MANUAL.assert_shown(wanted, capsys)
