"""What is typed at the board, read or answered with what is wrong about it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.play.commands import (
    WORDS,
    Command,
    Load,
    Play,
    Redo,
    Save,
    SetNodes,
    SetTime,
    Undo,
    Word,
    parse,
)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("h8", Play((7, 7), "h8")),
        (" H8 ", Play((7, 7), "H8")),
        ("a1", Play((0, 14), "a1")),
        ("o15", Play((14, 0), "o15")),
        ("7,7", Play((7, 7), "7,7")),
        ("0, 14", Play((0, 14), "0, 14")),
        ("undo", Undo(1)),
        ("UNDO 12", Undo(12)),
        ("u", Undo(1)),
        ("redo 3", Redo(3)),
        ("red", Redo(1)),
        ("time 0.5", SetTime(0.5)),
        ("t 0", SetTime(0.0)),
        ("nodes 5000", SetNodes(5000)),
        ("save game.psq", Save("game.psq", False)),
        ("save! game.psq", Save("game.psq", True)),
        ("sa! my game.sgf", Save("my game.sgf", True)),
        ('save "my game.sgf"', Save("my game.sgf", False)),
        ("load  a b.sgf ", Load("a b.sgf", False)),
        ("load! game.psq", Load("game.psq", True)),
        ("", Word("board")),
        ("   ", Word("board")),
        ("hi", Word("hint")),
        ("he", Word("help")),
        ("?", Word("help")),
        ("exit", Word("quit")),
        ("q", Word("quit")),
    ],
)
def test_what_is_understood(line: str, command: Command) -> None:
    assert parse(line, 15, 15) == command


def test_every_word_is_understood_as_it_is_written() -> None:
    arguments = {"": "", "[N]": " 2", "S": " 2", "N": " 2", "FILE": " x.psq"}
    for word, (argument, _) in WORDS.items():
        command = parse(word + arguments[argument], 15, 15)
        assert not isinstance(command, Word) or command == Word(word)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (
            "p8",
            "'p8' is not a point on this board; try h6 (columns a to o, rows 1 to 12 from the"
            " bottom)",
        ),
        (
            "15,3",
            "'15,3' is not a point on this board; try 7,6 (x,y from 0,0 at the top left to 14,11)",
        ),
        ("xyzzy", "'xyzzy' is no point such as h6 and no command; help lists them"),
        ("h8 h9", "'h8 h9' is no point such as h6 and no command; help lists them"),
        ("8h", "'8h' is no point such as h6 and no command; help lists them"),
        ("h8h9", "'h8h9' is no point such as h6 and no command; help lists them"),
        ("!", "'!' is no point such as h6 and no command; help lists them"),
        ("h", "h can mean hint or help: type more of it"),
        ("re", "re can mean redo or restart: type more of it"),
        ("undo x", "undo: expected a whole number such as undo 3, not 'x'"),
        ("undo 0", "undo: expected a whole number such as undo 3, not '0'"),
        ("undo -1", "undo: expected a whole number such as undo 3, not '-1'"),
        ("redo 1.5", "redo: expected a whole number such as redo 3, not '1.5'"),
        ("nodes", "nodes: expected a whole number such as nodes 5000"),
        (
            "nodes 9999999999999999",
            "nodes: expected a whole number such as nodes 5000, not '9999999999999999'",
        ),
        ("time", "time: expected seconds such as time 0.5"),
        ("time soon", "time: expected seconds such as time 0.5, not 'soon'"),
        ("time -1", "time: expected seconds such as time 0.5, not '-1'"),
        ("time inf", "time: expected seconds such as time 0.5, not 'inf'"),
        ("time nan", "time: expected seconds such as time 0.5, not 'nan'"),
        ("save", "save: expected a file such as save game.psq"),
        ('save ""', "save: expected a file such as save game.psq"),
        ("load", "load: expected a file such as load game.psq"),
        ("hint now", "hint stands alone, without 'now'"),
        ("hint!", "hint!: only save and load take a !"),
        ("quit\x07", "'quit?' is no point such as h6 and no command; help lists them"),
        ("x" * 500, f"'{'x' * 37}...' is no point such as h6 and no command; help lists them"),
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
        assert not isinstance(command, Play) or command.cell[0] < 22 and command.cell[1] < 5
