"""Lines typed at the board are read, or refused with the reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.people.session.session import ALL_TURNS
from tengen.people.terminal.commands import WORDS, Command, parse

NEITHER = "is neither a point such as h6 nor a command; help lists the commands"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("h8", Command("play", cells=((7, 7),), text="h8")),
        (" O15 ", Command("play", cells=((14, 0),), text="O15")),
        ("0, 14", Command("play", cells=((0, 14),), text="0, 14")),
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
        given = {"": "", "FILE": " x.psq", "P P": " c3 d5"}.get(argument, " 2")
        assert parse(word + given, 15, 15).word == word


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (
            "p8",
            "'p8' is not on this 15x12 board; try h6; the last column is o, rows are 1 to 12 from"
            " the bottom",
        ),
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
