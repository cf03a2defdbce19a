"""`tengen play` in a real pseudo-terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.text import read_point
from tests.people.terminal.terminal import Terminal

pytest.importorskip("termios", reason="needs a terminal as Unix has it")

NODES = ("--nodes", "3000")


def _stones(picture: str, sign: str) -> int:
    """How many stones of a sign stand on the last board of what was shown."""
    board = re.split(r"\n\n", picture.strip("\n"))
    last = next(part for part in reversed(board) if "Black  " in part)
    return sum(row.count(sign) for row in last.splitlines()[:-1])


def _hinted(said: str) -> str:
    """The point of the hint in what was said."""
    found = re.search(r"^Hint: ([a-v]\d+), .+;\s.+\)?\.$", said, re.MULTILINE | re.DOTALL)
    assert found, said
    return found[1]


def test_a_whole_game_with_all_that_can_be_typed(tmp_path: Path) -> None:
    """Against the simple opponent on 9x9: every command, and a win by following the hints."""
    arguments = ("play", "--opponent", "simple", "--size", "9", "--nodes", "20000", "--ascii")
    with Terminal(*arguments, cwd=tmp_path) as terminal:
        greeting = terminal.prompt()
        assert "9x9, freestyle: five or more in a row win." in greeting
        assert "You are Black, Simple is White; it has 20,000 nodes a move." in greeting
        assert "     a   b   c   d   e   f   g   h   i\n" in greeting
        assert greeting.endswith("Black 1> ")

        # Nothing can be taken back or brought back yet.
        assert terminal.enter("undo") == "undo: there is no move of yours to take back\nBlack 1> "
        assert terminal.enter("redo") == "redo: there is no move to bring back\nBlack 1> "
        assert terminal.enter("moves") == "No move has been played.\nBlack 1> "
        assert terminal.enter("restart") == "restart: the board is empty\nBlack 1> "

        # A move, its answer, and both back and again.
        said = terminal.enter("e5")
        assert re.search(r"\nSimple plays [a-i]\d\.\nBlack 3> $", said)
        assert " X1 " in said and "O2]" in said
        one_pair = said.partition("Simple plays")[0].rpartition("\n\n 9")[2]
        assert _stones(terminal.enter("undo"), "X") == 0
        back = terminal.enter("redo")
        assert one_pair.strip() in back and back.endswith("Black 3> ")

        # Every kind of bad input is one line, and the prompt is the same.
        (tmp_path / "broken.psq").write_text("Piskvorky 9x9, 11:11, 0\nnonsense, all of it\n")
        for typed, answer in (
            ("e5", "e5 is taken; choose an empty point"),
            ("j5", "'j5' is not on this 9x9 board; try e5"),
            ("gibberish", "'gibberish' is neither a point such as e5 nor a command; help lists"),
            ("redo 2", "redo: there is no move to bring back"),
            ("fouls", "fouls: this rule forbids no points"),
            ("go", "go: it is not a program's turn; hint shows a move, swap changes sides"),
            ("save game.txt", "game.txt: expected a name that ends in .psq or .sgf"),
            ("save no/such/folder.psq", "no/such/folder.psq: No such file or directory"),
            ("load missing.psq", "missing.psq: No such file or directory"),
            ("load broken.psq", "broken.psq: psq, line 2: expected "),
        ):
            said = terminal.enter(typed)
            assert said.startswith(answer) and said.count("\n") == 1, said
            assert said.endswith("\nBlack 3> "), said

        # A hint is marked, and following the hints wins.
        said = terminal.enter("hint 0.1")
        assert "  !" in said and "! the hint" in said
        assert "9x9" not in terminal.enter("") and "O2" in terminal.shown

        # Saved, played on, loaded: the game that was saved.
        assert terminal.enter("save game.psq") == "Saved as game.psq.\nBlack 3> "
        said = terminal.enter("save game.psq")
        assert said.startswith("game.psq: the file exists; save! game.psq overwrites it\n")
        assert terminal.enter("save! game.psq") == "Saved as game.psq.\nBlack 3> "
        assert terminal.enter(_hinted(terminal.enter("hint"))).endswith("Black 5> ")
        said = terminal.enter("load game.psq")
        assert said.startswith(
            "this game is not saved: save it first, or type load! game.psq to discard it\n"
        )
        assert said.endswith("\nBlack 5> ")
        said = terminal.enter("load! game.psq")
        assert "2 moves, freestyle, as the file names no rule. You are Black, Simple" in said
        assert one_pair.strip() in said and said.endswith("\nBlack 3> ")

        # White has wasted its moves in the corners.
        wasted = ("5,5", "1,1", "6,5", "9,1", "5,6", "1,9")
        lines = ["Piskvorky 9x9, 11:11, 0", *(f"{move},0" for move in wasted), "-1"]
        (tmp_path / "ahead.psq").write_text("\n".join(lines) + "\n")
        assert terminal.enter("load! ahead.psq").endswith("\nBlack 7> ")
        said = ""
        for _ in range(9):
            said = terminal.enter(_hinted(terminal.enter("hint")))
            if said.endswith("Game over> "):
                break
        won = re.search(r"\nBlack \(you\) wins with five in a row: ((?:[a-i]\d ?){5})\.\n", said)
        assert won, said
        assert said.count("*") == 4  # the line, but for its last stone
        assert "[" in said

        # After the end one can only look, go back, save or begin again.
        assert terminal.enter("a1").startswith("a1 cannot be played: the game is over\n")
        assert terminal.enter("hint").startswith("hint: the game is over\n")
        moves = terminal.enter("moves")
        assert moves.startswith("  1. e5 ") and moves.count(".") >= 3
        assert terminal.enter("save won.sgf").startswith("Saved as won.sgf.\n")
        assert not terminal.enter("undo").endswith("Game over> ")
        assert terminal.enter("redo").endswith("Game over> ")
        last = won[1].split()
        assert terminal.enter("restart").endswith("Black 1> ")
        assert terminal.enter("load won.sgf").endswith("Game over> ")
        assert set(last) <= set(re.findall(r"[a-i]\d", terminal.enter("moves")))

        # The other colour.
        assert terminal.enter("swap").startswith("In the next game: You are White, Simple is B")
        assert "Black (you) wins with" in terminal.enter("board")
        said = terminal.enter("restart")
        assert "Simple plays e5." in said and said.endswith("White 2> ")
        terminal.type("quit\r")
        assert terminal.wait() == 0
        assert terminal.shown.endswith("The game was not saved; save FILE would have kept it.\n")
        assert terminal.settings() == terminal.settings_before
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["ahead.psq", "broken.psq", "game.psq", "won.sgf"]


def test_renju_explains_its_fouls(tmp_path: Path) -> None:
    with Terminal("play", "--two", "--rule", "renju", "--ascii", cwd=tmp_path) as terminal:
        assert "Black wins with exactly five and may not make an overline" in terminal.prompt()
        for name in "f8 a1 g8 o15 h9 a15".split():
            assert "forbidden" not in terminal.enter(name)
        said = terminal.enter("h10")
        assert (
            "\n 8   .   .   .   .   .  X1  X3   f   . " in said and "f forbidden for Black" in said
        )
        terminal.enter("o1")
        assert terminal.enter("h8") == (
            "h8 is forbidden for Black: a double three, f8 g8 h8 and h10 h9 h8\nBlack 9> "
        )
        assert "f forbidden" not in terminal.enter("fouls")
        assert "f forbidden" in terminal.enter("fouls")
        assert "wins" not in terminal.enter("a8")
        # White may play there.
        assert terminal.enter("h8").endswith("Black 11> ")
        said = terminal.enter("save game.psq")
        assert said.startswith("Saved as game.psq.\nA psq file does not name the rule: give --rule")
        terminal.type("\x04")
        assert terminal.wait() == 0
        assert terminal.shown.endswith("Black 11> \n")
    with Terminal("play", "--load", "game.psq", "--rule", "4", cwd=tmp_path) as terminal:
        assert "renju" in terminal.prompt()
        assert terminal.enter("moves").startswith("  1. f8   a1      3. g8   o15 ")


def test_two_people_draw_on_a_full_board() -> None:
    black = "a1 c1 e1 a2 d2 b3 c3 e3 a4 d4 b5 c5 e5".split()
    white = "b1 d1 b2 c2 e2 a3 d3 b4 c4 e4 a5 d5".split()
    with Terminal("play", "--two", "--size", "5", "--no-numbers") as terminal:
        assert "Two people play, Black first" in terminal.prompt()
        for number, name in enumerate(black):
            # Both notations are used; x,y counts from the top left.
            x, y = read_point(name, 5, 5)
            assert f"{x},{y} is {name}." in terminal.enter(f"{x},{y}")
            if number < len(white):
                assert terminal.enter(white[number].upper()).endswith(f"Black {2 * number + 3}> ")
        assert "The board is full and neither side has won: a draw." in terminal.shown
        assert _stones(terminal.enter("board"), "●") == 13
        assert terminal.enter("undo").endswith("Black 25> ")
        assert terminal.enter("undo 23").endswith("White 2> ")
        assert terminal.enter("redo 20").endswith("White 22> ")
        assert terminal.enter("swap").startswith("swap: there is no program to change sides with")
        hint = terminal.enter("hint 0.1")
        assert _hinted(hint) in white + black
        terminal.type("q\r")
        assert terminal.wait() == 0


def test_undo_and_redo_as_far_as_possible(tmp_path: Path) -> None:
    arguments = ("play", "--opponent", "simple", "--size", "9", *NODES)
    with Terminal(*arguments, cwd=tmp_path) as terminal:
        terminal.prompt()
        terminal.enter("e5")
        terminal.enter("a1")
        moves = terminal.enter("moves")
        said = terminal.enter("undo 99")
        assert "Only 2 of your moves could be taken back: there are no more.\nBlack 1> " in said
        said = terminal.enter("redo 99")
        assert "Only 2 moves could be brought back: there are no more.\nBlack 5> " in said
        assert terminal.enter("moves") == moves
        assert "Only" not in terminal.enter("undo all")
        assert terminal.enter("redo all").endswith("Black 5> ")
        assert "A new game; redo brings the old one back." in terminal.enter("restart")
        assert terminal.enter("redo").endswith("Black 5> ")
        assert terminal.enter("moves") == moves
        terminal.type("quit\r")
        assert terminal.wait() == 0


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
