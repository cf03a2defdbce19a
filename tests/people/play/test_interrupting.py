"""`tengen play` while a program thinks: Ctrl-C, lines that are typed then, and the game at the
end."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tengen.people.play.prompt import Prompt
from tests.paths import ROOT
from tests.people.play.terminal import Terminal
from tests.processes import signal_in_a_finalizer

pytest.importorskip("termios", reason="needs a terminal as Unix has it")

LONG = ("--time", "600")
KEPT = re.compile(r"The game was not saved; it is now in (tengen-unsaved-[\d-]+\.sgf)\.\n")
# A program that does not end when it is told to.
DEAF = """
import sys, time
sys.path.insert(0, sys.argv.pop(1))
from tengen.opponents.registry import BRAINS, Entry
from tests.people.sitting.brains import Wild

class Deaf(Wild):
    def think(self, limits, on_info=None):
        time.sleep(3)
        return super().think(limits)

BRAINS["deaf"] = Entry("__main__:Deaf", "hears nothing")
from tengen.cli import main
main()
"""


def _kept(terminal: Terminal, folder: Path) -> list[str]:
    """The moves in the file that an unsaved game was written to at the end."""
    found = KEPT.search(terminal.shown)
    assert found, terminal.shown
    return re.findall(r";[BW]\[(\w\w)\]", (folder / found[1]).read_text())


def _thinks(terminal: Terminal, typed: str) -> None:
    """Types a line and waits until the program thinks about the answer."""
    terminal.type(f"{typed}\r")
    terminal.expect("Tengen thinks ...")


def _free(terminal: Terminal, *names: str) -> str:
    """One of the points that has not been mentioned."""
    return next(name for name in names if f" {name}" not in terminal.shown)


def test_ctrl_c_makes_the_program_move(tmp_path: Path) -> None:
    with Terminal("play", *LONG, kind="xterm", cwd=tmp_path) as terminal:
        terminal.prompt()
        _thinks(terminal, "h8")
        terminal.expect("Tengen thinks ... 2 s")  # it would take much longer
        terminal.type("\x03")
        said = terminal.prompt()
        assert "Tengen plays" in said and said.endswith("Black 3> ")
        # At the prompt it leaves, and the game is kept.
        assert terminal.interrupt() == 130
        assert terminal.settings() == terminal.settings_before
        assert "Traceback" not in terminal.shown and "Error" not in terminal.shown
        moves = _kept(terminal, tmp_path)
        assert moves[0] == "hh" and len(moves) == 2


def test_ctrl_c_twice_leaves(tmp_path: Path) -> None:
    (tmp_path / "deaf.py").write_text(DEAF)
    start = (str(tmp_path / "deaf.py"), str(ROOT))
    with Terminal("play", "--opponent", "deaf", cwd=tmp_path, start=start) as terminal:
        terminal.prompt()
        terminal.type("h8\r")
        terminal.expect("Deaf thinks ...")
        terminal.type("\x03")
        time.sleep(0.3)
        terminal.type("\x03")
        assert terminal.wait() == 130
        assert terminal.settings() == terminal.settings_before
        assert "plays" not in terminal.shown and "Traceback" not in terminal.shown
        assert _kept(terminal, tmp_path) == ["hh"]


def test_ctrl_c_ends_a_hint_and_not_the_program(tmp_path: Path) -> None:
    with Terminal("play", "--two", cwd=tmp_path) as terminal:
        terminal.prompt()
        terminal.enter("h8")
        for stop in ("\x03", "stop\r"):
            _thinks(terminal, "hint 600")
            terminal.type(stop)
            said = terminal.prompt()
            assert re.search(r"^Hint: \w+, ", said, re.MULTILINE) and said.endswith("White 2> ")
        terminal.type("quit\r")
        assert terminal.wait() == 0


def test_ctrl_c_stops_programs_that_play_each_other(tmp_path: Path) -> None:
    with Terminal("play", "--watch", "tengen", "tengen", *LONG, cwd=tmp_path) as terminal:
        terminal.expect("Tengen thinks ... 2 s")
        terminal.type("\x03")
        said = terminal.prompt()
        assert "Tengen: " in said and "The programs wait; type go to continue." in said
        terminal.type("go\r")
        terminal.expect("Tengen thinks ...")
        terminal.type("stop\r")
        assert "The programs wait; type go to continue." in terminal.prompt()
        assert terminal.interrupt() == 130
        assert len(_kept(terminal, tmp_path)) >= 2


@pytest.mark.parametrize("typed", ["stop\r", "\x03", "moves\r"])
def test_the_pause_of_programs_that_play_each_other(typed: str, tmp_path: Path) -> None:
    arguments = ("--watch", "random", "random", "--pause", "600", "--size", "9")
    with Terminal("play", *arguments, cwd=tmp_path) as terminal:
        terminal.expect("1. Black, Random: ")
        terminal.expect(" s\n")
        terminal.type(typed)
        if typed == "moves\r":
            # The line is answered, and the programs go on.
            terminal.expect("White 2> moves\n  1. ")
            terminal.expect("2. White, Random: ")
        else:
            terminal.expect("The programs wait; type go to continue.")
            terminal.prompt()


@pytest.mark.parametrize("kind", ["dumb", "xterm-256color"])
def test_lines_typed_while_a_program_thinks(kind: str, tmp_path: Path) -> None:
    """`undo`, `stop` and `quit` act at once, other lines after the program's move."""
    with Terminal("play", *LONG, "--no-numbers", kind=kind, cwd=tmp_path) as terminal:
        terminal.prompt()
        _thinks(terminal, "h8")
        # What is typed is shown after the line, and can be corrected.
        terminal.type("undx\x7f")
        terminal.expect("> und")
        terminal.type("o\r")
        said = terminal.prompt()
        assert "White 2> undo\n" in said and said.endswith("Black 1> ")
        assert terminal.enter("moves") == "No move has been played.\nBlack 1> "

        _thinks(terminal, "h8")
        terminal.type("moves\rlevel\rmove now\r")
        # Two prompts with the lines that were typed, and an empty one.
        said = terminal.expect("600 s a move.\nBlack 3> ")
        answers = r"Tengen plays \w+\.\nBlack 3> moves\n  1\. h8 .*\nBlack 3> level\n"
        assert re.search(answers, said)

        # What is not complete yet can be completed at the prompt.
        free = _free(terminal, "a1", "b1")
        _thinks(terminal, free)
        terminal.type("mov")
        terminal.expect("> mov")
        terminal.type("\x03")
        terminal.expect("Black 5> mov")
        terminal.type("es\r")
        assert f"3. {free}" in terminal.prompt()

        _thinks(terminal, _free(terminal, "c1", "d1"))
        terminal.type("q\r")
        assert terminal.wait() == 0
        assert terminal.shown.endswith("The game was not saved; save FILE would have kept it.\n")
        assert terminal.settings() == terminal.settings_before


def test_keys_without_a_meaning_do_no_harm(tmp_path: Path) -> None:
    """Arrow keys and the like while a program thinks, and the end of the input."""
    with Terminal("play", *LONG, cwd=tmp_path) as terminal:
        terminal.prompt()
        _thinks(terminal, "h8")
        terminal.type("\x1b[A\x1bOB\x1b[200~\x1bx\x07nonsense\x15s\x17sto\x1b[3~p\r")
        assert terminal.prompt().endswith("Black 3> ")
        assert "neither a point" not in terminal.shown
        _thinks(terminal, _free(terminal, "a1", "b1"))
        terminal.type("\x04")
        assert terminal.wait() == 0


@pytest.mark.parametrize("kind", ["dumb", "xterm-256color"])
@pytest.mark.parametrize(
    ("leave", "status"),
    [("interrupt", 130), ("terminate", 143), ("hang_up", 129), ("\x04", 0), ("quit\r", 0)],
)
def test_leaving_at_the_prompt(kind: str, leave: str, status: int, tmp_path: Path) -> None:
    """Ctrl-C and signals, in the middle of a line, save the game; Ctrl-D and `quit` do not."""
    with Terminal("play", "--two", kind=kind, cwd=tmp_path) as terminal:
        terminal.prompt()
        terminal.enter("h8")
        if status:
            terminal.type("half a line")
            assert getattr(terminal, leave)() == status
            assert _kept(terminal, tmp_path) == ["hh"]
        else:
            terminal.type(leave)
            assert terminal.wait() == status
            assert "The game was not saved; save FILE" in terminal.shown
            assert list(tmp_path.iterdir()) == []
        assert terminal.settings() == terminal.settings_before
        assert "Traceback" not in terminal.shown and "Error" not in terminal.shown
        assert terminal.shown.endswith("\n")


def test_leaving_without_a_game_keeps_nothing(tmp_path: Path) -> None:
    with Terminal("play", "--two", cwd=tmp_path) as terminal:
        terminal.prompt()
        assert terminal.interrupt() == 130
        assert "not saved" not in terminal.shown and list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        f"'{sys.executable}' -m tengen play --two >/dev/full", shell=True, cwd=tmp_path,
        input="h8\n", capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "tengen play: standard output: No space left on device\n"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_in_a_finalizer_ends_it_too(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    number = getattr(signal, name)
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_DFL)  # not started by nohup
    prompt = Prompt()
    with pytest.raises(SystemExit) as raised, prompt.listening():
        signal_in_a_finalizer(number)
        prompt.poll()
    assert raised.value.code == 128 + number
