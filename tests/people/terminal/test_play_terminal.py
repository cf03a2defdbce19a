"""`tengen play` in a real pseudo-terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.people.terminal.terminal import Terminal

pytest.importorskip("termios", reason="needs a terminal as Unix has it")

NODES = ("--nodes", "3000")


def _hinted(said: str) -> str:
    """The point of the hint in what was said."""
    found = re.search(r"^Hint: ([a-v]\d+), .+;\s.+\)?\.$", said, re.MULTILINE | re.DOTALL)
    assert found, said
    return found[1]


def test_a_game_that_is_saved_loaded_and_won(tmp_path: Path) -> None:
    """Against the simple opponent on 9x9, by following the hints."""
    arguments = ("play", "--opponent", "simple", "--size", "9", "--nodes", "20000", "--ascii")
    with Terminal(*arguments, cwd=tmp_path) as terminal:
        greeting = terminal.prompt()
        assert "You are Black, Simple is White; it has 20,000 nodes a move." in greeting
        said = terminal.enter("e5")
        assert re.search(r"\nSimple plays [a-i]\d\.\nBlack 3> $", said) and "O2]" in said
        one_pair = said.partition("Simple plays")[0].rpartition("\n\n 9")[2]
        assert not re.search(r"[XO]\d", terminal.enter("undo"))
        assert one_pair.strip() in terminal.enter("redo")

        # Every kind of bad input is one line, and the prompt is the same.
        (tmp_path / "broken.psq").write_text("Piskvorky 9x9, 11:11, 0\nnonsense, all of it\n")
        for typed, answer in (
            ("e5", "e5 is taken; choose an empty point"),
            ("fouls", "fouls: this rule forbids no points"),
            ("save no/such/folder.psq", "no/such/folder.psq: No such file or directory"),
            ("load broken.psq", "broken.psq: psq, line 2: expected "),
        ):
            said = terminal.enter(typed)
            assert said.startswith(answer) and said.count("\n") == 1, said
        assert "! the hint" in terminal.enter("hint 0.1")

        assert terminal.enter("save game.psq") == "Saved as game.psq.\nBlack 3> "
        said = terminal.enter("save game.psq")
        assert said.startswith("game.psq: the file exists; save! game.psq overwrites it\n")
        assert terminal.enter(_hinted(terminal.enter("hint"))).endswith("Black 5> ")
        assert terminal.enter("load game.psq").startswith("this game is not saved: save it first")
        said = terminal.enter("load! game.psq")
        assert one_pair.strip() in said and said.endswith("\nBlack 3> ")

        # White has wasted its moves in the corners.
        wasted = ("5,5", "1,1", "6,5", "9,1", "5,6", "1,9")
        lines = ["Piskvorky 9x9, 11:11, 0", *(f"{move},0" for move in wasted), "-1"]
        (tmp_path / "ahead.psq").write_text("\n".join(lines) + "\n")
        assert terminal.enter("load! ahead.psq").endswith("\nBlack 7> ")
        said = ""
        while not said.endswith("Game over> "):
            said = terminal.enter(_hinted(terminal.enter("hint")))
        assert "Black (you) wins with five in a row: " in said and said.count("*") == 4
        assert terminal.enter("a1").startswith("a1 cannot be played: the game is over\n")
        assert terminal.enter("hint").startswith("hint: the game is over\n")
        assert terminal.enter("save won.sgf").startswith("Saved as won.sgf.\n")
        assert terminal.enter("restart").endswith("Black 1> ")
        assert terminal.enter("load won.sgf").endswith("Game over> ")
        assert terminal.enter("swap").startswith("In the next game: You are White, Simple is B")
        assert "Simple plays e5." in terminal.enter("restart")
        terminal.type("quit\r")
        assert terminal.wait() == 0
        assert terminal.settings() == terminal.settings_before


def test_a_terminal_with_colours_and_keys_for_editing() -> None:
    with Terminal("play", "--size", "15", *NODES, kind="xterm-256color") as terminal:
        terminal.prompt()
        assert "\x1b[" in terminal.raw and "●" not in terminal.shown
        # A typing error, corrected with Backspace; then the up arrow brings the line back.
        said = terminal.enter("h9\x7f8")
        assert "Tengen plays" in said
        assert "h8 is taken" in terminal.enter("\x1b[A")


@pytest.mark.parametrize(("kind", "no_color"), [("dumb", ""), ("xterm-256color", "1")])
def test_a_terminal_without_colours(kind: str, no_color: str) -> None:
    with Terminal("play", *NODES, kind=kind, NO_COLOR=no_color) as terminal:
        terminal.prompt()
        said = terminal.enter("h8")
        assert "●1" in said and "○2]" in said
        boards = terminal.raw.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")
        assert "\x1b[3" not in boards and "\x1b[4" not in boards
