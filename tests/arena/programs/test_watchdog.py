"""Programs end with the command that has started them, also when it is killed."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tengen.arena.programs import process as process_module
from tengen.arena.programs.process import Workdir, remove_leftovers
from tengen.arena.programs.watchdog import MARK, marked
from tengen.common.process import take_lock
from tests.paths import ROOT
from tests.processes import POSIX_ONLY, Runs, has_gone, runs, wait_until

__all__ = ["runs"]
pytestmark = POSIX_ONLY

# Writes its process id to the file that it is given, and reads nothing any more.
_LOOP = "import os, sys; print(os.getpid(), file=open(sys.argv[1], 'w'), flush=True)\nwhile 1: pass"
# The same after an answer to every line up to the first request for a move.
_BRAIN = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "ABOUT":
        print('name="Loop"', flush=True)
    elif word == "START":
        print("OK", flush=True)
    elif word in ("BEGIN", "BOARD", "TURN"):
        break
"""
_COMMAND = """
import sys, time
from tengen.arena.programs.process import EngineProcess
process = EngineProcess(["sh", "-c", sys.argv[2]])
while True:
    try:
        if open(sys.argv[1]).read():
            break
    except FileNotFoundError:
        time.sleep(0.01)
process.suspend()  # as programs are while their opponents think
print("started", flush=True)
time.sleep(600)
"""


def _pid(number: Path) -> int:
    return int(number.read_text(encoding="ascii"))


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("exec {loop}", id="the program itself"),
        pytest.param("{loop}; true", id="started by a script"),
        pytest.param("({loop} &) ; exec sleep 600", id="its parent has ended"),
        pytest.param("({loop} &)", id="the program has ended"),
        pytest.param("exec env -i {loop}", id="with another environment"),
        pytest.param("env -i {loop}; true", id="started with another environment"),
        pytest.param("env -i {loop} & exec sleep 600", id="in its group alone"),
        pytest.param("setsid {loop} & exec sleep 600", id="in a session of its own"),
        pytest.param("(setsid {loop} &)", id="with its mark alone"),
        pytest.param("trap '' TERM HUP INT; {loop}; true", id="deaf to signals"),
        pytest.param("exec {loop} </dev/null >/dev/null 2>&1", id="without our pipes"),
    ],
)
def test_a_program_ends_with_a_command_that_is_killed(tmp_path: Path, line: str) -> None:
    number = tmp_path / "pid"
    loop = shlex.join([sys.executable, "-SEc", _LOOP, str(number)])
    command = subprocess.Popen(
        [sys.executable, "-c", _COMMAND, str(number), line.format(loop=loop)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    assert command.stdout
    assert command.stdout.readline() == b"started\n"
    command.kill()
    command.communicate()
    pid = _pid(number)
    try:
        assert has_gone(pid)
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_what_has_ended_is_watched_no_more(tmp_path: Path) -> None:
    """A process id may belong to another process by then, and a mark to nobody."""
    number = tmp_path / "pid"
    other = subprocess.Popen(
        [sys.executable, "-SEc", _LOOP, str(number)], start_new_session=True, text=True
    )
    try:
        wait_until(lambda: number.exists() and number.read_text(encoding="ascii"), other)
        code = (
            "import os, sys\n"
            "from tengen.arena.programs.watchdog import Watchdog\n"
            "dog = Watchdog()\n"
            "dog.watch('x')\n"
            "dog.watch('x', int(sys.argv[1]))\n"
            "dog.forget('x')\n"
        )
        subprocess.run([sys.executable, "-c", code, str(other.pid)], cwd=ROOT, check=True)
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()


@pytest.mark.parametrize(("command", "is_wrapped"), [("match", True), ("check", False)])
def test_a_loop_in_a_game_ends_with_a_run_that_is_killed(
    runs: Runs, tmp_path: Path, command: str, is_wrapped: bool
) -> None:
    number = tmp_path / "pid"
    brain = tmp_path / "brain.py"
    brain.write_text(_BRAIN + _LOOP, encoding="ascii")
    start = shlex.join([sys.executable, "-SE", str(brain), str(number)])
    if is_wrapped:
        script = tmp_path / "brain.sh"
        script.write_text(f"#!/bin/sh\n{start}\ntrue\n", encoding="ascii")
        script.chmod(0o755)
        start = shlex.quote(str(script))
    words = {
        "match": ["--engine", "name=A", f"cmd={start}", "--engine", "name=B", f"cmd={start}"],
        "check": [start],
    }
    more = ["--turn", "500"] if command == "match" else ["--timeout", "500"]
    run = runs.start(command, *words[command], *more)
    wait_until(lambda: number.exists() and number.read_text(encoding="ascii"), run)
    runs.kill(run)
    assert has_gone(_pid(number))


class _Loading(psutil.Process):
    """A process as Linux shows it while its program is being loaded, which lasts some looks."""

    looks = 4

    def environ(self) -> dict[str, str]:
        self.looks -= 1
        return {} if self.looks > 0 else super().environ()

    def cmdline(self) -> list[str]:
        return [] if self.looks > 0 else super().cmdline()


def test_a_program_that_is_just_being_loaded_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.arena.programs.watchdog._LOAD_S", 60.0)
    with subprocess.Popen(["sleep", "600"], env=os.environ | {MARK: "loading"}) as process:
        only = _Loading(process.pid)
        monkeypatch.setattr(psutil, "process_iter", lambda: [only])
        found = marked(["loading"])
        process.kill()
    assert found == [only] and only.looks <= 0


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_the_folders_of_a_process_that_was_killed_are_removed(tmp_path: Path) -> None:
    code = (
        "import time; from tengen.arena.programs.process import Workdir\n"
        "workdir = Workdir(); print(workdir.path, flush=True); time.sleep(600)"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    own, command = Workdir(), [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        other = Path(process.stdout.readline().strip())
        (other / "work").mkdir()
        (other / "work" / "file").write_text("x")
        assert remove_leftovers() == [] and other.is_dir()
        process.kill()
    assert remove_leftovers() == [other]
    assert own.path.is_dir() and not other.exists()
    own.remove()
    assert not own.path.exists()


def test_what_has_no_lock_stays(tmp_path: Path) -> None:
    """It is just being made, or somebody else's."""
    for name in ("tengen-match-new", "another"):
        (tmp_path / name).mkdir()
    (tmp_path / "tengen-match-file").write_text("x")
    assert remove_leftovers() == []
    assert len(list(tmp_path.iterdir())) == 3


def test_another_run_that_looks_while_a_folder_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the first folder for a leftover; the second one is kept."""
    removed: list[Path] = []

    def take_late(folder: Path) -> object:
        monkeypatch.setattr(process_module, "take_lock", take_lock)
        (folder / ".lock").touch()
        removed.extend(remove_leftovers())
        raise ValueError("in use")

    monkeypatch.setattr(process_module, "take_lock", take_late)
    workdir = Workdir()
    assert len(removed) == 1 and not removed[0].exists()
    assert workdir.path.is_dir() and remove_leftovers() == []
    workdir.remove()
