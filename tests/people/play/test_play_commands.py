"""Lines typed at the board are read, or refused with the reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.people.play.commands import WORDS, Add, Command, FileWord, Play, Word, parse
from tengen.people.sitting.sitting import ALL_TURNS

NEITHER = "is neither a point such as h6 nor a command; help lists the commands"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("h8", Play((7, 7), "h8")),
        (" H8 ", Play((7, 7), "H8")),
        ("a1", Play((0, 14), "a1")),
        ("o15", Play((14, 0), "o15")),
        ("7,7", Play((7, 7), "7,7")),
        ("0, 14", Play((0, 14), "0, 14")),
        ("undo", Word("undo", 1)),
        ("UNDO 12", Word("undo", 12)),
        ("u", Word("undo", 1)),
        ("redo", Word("redo")),
        ("redo 3", Word("redo", 3)),
        ("red", Word("redo")),
        ("undo all", Word("undo", ALL_TURNS)),
        ("redo ALL", Word("redo", ALL_TURNS)),
        ("time 0.5", Word("time", 0.5)),
        ("t 0", Word("time", 0.0)),
        ("nodes 5000", Word("nodes", 5000)),
        ("nodes 2.5e6", Word("nodes", 2_500_000)),
        ("save game.psq", FileWord("save", "game.psq", False)),
        ("save! game.psq", FileWord("save", "game.psq", True)),
        ("sa! my game.sgf", FileWord("save", "my game.sgf", True)),
        ('save "my game.sgf"', FileWord("save", "my game.sgf", False)),
        ("load  a b.sgf ", FileWord("load", "a b.sgf", False)),
        ("load! game.psq", FileWord("load", "game.psq", True)),
        ("", Word("board")),
        ("   ", Word("board")),
        ("hi", Word("hint")),
        ("hint 10", Word("hint", 10.0)),
        ("stop", Word("stop")),
        ("now", Word("stop")),
        ("Move  Now", Word("stop")),
        ("he", Word("help")),
        ("?", Word("help")),
        ("exit", Word("quit")),
        ("q", Word("quit")),
    ],
)
def test_what_is_understood(line: str, command: Command) -> None:
    assert parse(line, 15, 15) == command


def test_every_word_is_understood_as_it_is_written() -> None:
    arguments = {
        "": "",
        "[N]": " 2",
        "[S]": " 2",
        "S": " 2",
        "N": " 2",
        "FILE": " x.psq",
        "P P": " c3 d5",
    }
    for word, (argument, _) in WORDS.items():
        command = parse(word + arguments[argument], 15, 15)
        if word == "add":
            assert command == Add(((2, 12), (3, 10)))
        else:
            assert isinstance(command, FileWord | Word) and command.word == word


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (
            "p8",
            "'p8' is not on this 15x12 board; try h6; the last column is o, rows are 1 to 12 from"
            " the bottom",
        ),
        (
            "15,3",
            "'15,3' is not on this 15x12 board; try 7,6; x,y go from 0,0 at the top left to 14,11",
        ),
        ("xyzzy", f"'xyzzy' {NEITHER}"),
        ("h8 h9", f"'h8 h9' {NEITHER}"),
        ("8h", f"'8h' {NEITHER}"),
        ("h8h9", f"'h8h9' {NEITHER}"),
        ("!", f"'!' {NEITHER}"),
        ("h", "h can mean hint or help: type more of it"),
        ("re", "re can mean redo, resign or restart: type more of it"),
        ("undo x", "undo: expected a whole number such as undo 3, not 'x'"),
        ("undo 0", "undo: expected a whole number such as undo 3, not '0'"),
        ("undo -1", "undo: expected a whole number such as undo 3, not '-1'"),
        ("redo 1.5", "redo: expected a whole number such as redo 3, not '1.5'"),
        ("nodes", "nodes: expected a whole number such as nodes 5000 or nodes 1e6"),
        (
            "nodes 9999999999999999",
            "nodes: expected a whole number such as nodes 5000 or nodes 1e6, not"
            " '9999999999999999'",
        ),
        ("nodes 0", "nodes: expected a whole number such as nodes 5000 or nodes 1e6, not '0'"),
        ("time", "time: expected seconds such as time 0.5"),
        ("time soon", "time: expected seconds such as time 0.5, not 'soon'"),
        ("time -1", "time: expected seconds such as time 0.5, not '-1'"),
        ("time inf", "time: expected seconds such as time 0.5, not 'inf'"),
        ("time nan", "time: expected seconds such as time 0.5, not 'nan'"),
        ("save", "save: expected a file such as save game.psq"),
        ('save ""', "save: expected a file such as save game.psq"),
        ("load", "load: expected a file such as load game.psq"),
        ("hint now", "hint: expected seconds such as hint 0.5, not 'now'"),
        ("level 3", "level takes no argument such as '3'"),
        ("hint!", "hint!: only save and load take a !"),
        ("quux\x07", f"'quux?' {NEITHER}"),
        ("restrat", "'restrat' is neither a point such as h6 nor a command; did you mean restart?"),
        (
            "x" * 500,
            f"'{'x' * 37}...' {NEITHER}",
        ),
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
