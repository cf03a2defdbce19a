"""`tengen play` while a program thinks: Ctrl-C, and the game at the end."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tengen.people.terminal.prompt import Prompt
from tests.paths import ROOT
from tests.people.terminal.terminal import Terminal
from tests.processes import signal_in_a_finalizer

pytest.importorskip("termios", reason="needs a terminal as Unix has it")

LONG = ("--time", "600", "--ponder")
KEPT = re.compile(r"The game was not saved; it is now in (tengen-unsaved-[\d-]+\.sgf)\.\n")
# A program that does not end when it is told to.
DEAF = """
import sys, time
sys.path.insert(0, sys.argv.pop(1))
from tengen.opponents.registry import BRAINS, Entry
from tengen.people.session import session
from tests.people.session.brains import Wild

session._STOP_S = 0.1

class Deaf(Wild):
    def request_stop(self):
        print("It was told.", flush=True)

    def think(self, limits, on_info=None):
        time.sleep(600)
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


def test_ctrl_c_makes_the_program_move(tmp_path: Path) -> None:
    with Terminal("play", *LONG, kind="xterm", cwd=tmp_path) as terminal:
        terminal.prompt()
        _thinks(terminal, "h8")
        terminal.expect("Tengen thinks ... ")  # with the seconds; it would take many
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
        terminal.expect("It was told.")
        terminal.type("\x03")
        assert terminal.wait() == 130
        assert terminal.settings() == terminal.settings_before
        assert "plays" not in terminal.shown and "Traceback" not in terminal.shown
        assert _kept(terminal, tmp_path) == ["hh"]


def test_ctrl_c_ends_a_hint_and_not_the_program(tmp_path: Path) -> None:
    with Terminal("play", "--two", cwd=tmp_path) as terminal:
        terminal.prompt()
        terminal.enter("h8")
        _thinks(terminal, "hint 600")
        terminal.type("\x03")
        said = terminal.prompt()
        assert re.search(r"^Hint: \w+, ", said, re.MULTILINE) and said.endswith("White 2> ")
        terminal.type("quit\r")
        assert terminal.wait() == 0


def test_lines_that_are_typed_ahead_wait_for_the_move(tmp_path: Path) -> None:
    with Terminal("play", "--nodes", "3000", cwd=tmp_path) as terminal:
        terminal.prompt()
        terminal.type("h8\rmoves\r")
        terminal.expect("Tengen plays ")
        terminal.expect("  1. h8")
        terminal.prompt()  # before it the terminal takes the key for itself
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
        prompt.take_interrupts()
    assert raised.value.code == 128 + number
