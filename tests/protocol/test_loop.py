"""The running program, with a slow brain: what acts in the middle of a search, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from protocol.loop import MOST_STILL_LOOKS, HangDetector
from tests.paths import ROOT
from tests.processes import POSIX_ONLY
from tests.protocol.conversation import FAKE, PATIENCE_S, Program, play
from tests.stopwatch import timed

SLOW = [*FAKE, "--slow"]


def thinking(program: Program, *infos: str) -> float:
    """Bring a slow program into a search of an hour; returns when it was asked."""
    program.tell("START 15")
    # What is sent before the first answer waits for the start of the program, which uses up the
    # time for the move; where programs start slowly, that can be all of it.
    program.expect("OK")
    begin = time.monotonic()
    program.tell("INFO timeout_turn 3600000", *infos, "BEGIN")
    program.expect("MESSAGE Depth 2-9 .*")  # it is under way
    return begin


def read_move_only(program: Program) -> str:
    """The next line that is no report."""
    while (line := program.read_line()) is not None:
        if not line.startswith("MESSAGE "):
            return line
    raise AssertionError("the output ended before a move")


SCENES = (ROOT / "tests" / "protocol" / "slow_brain.txt").read_text(encoding="ascii")
TITLES = re.findall("^== (.*)$", SCENES, flags=re.MULTILINE)[1:]


@timed
@pytest.mark.parametrize("title", TITLES)
def test_what_acts_in_mid_search(title: str) -> None:
    play(SLOW, SCENES, title)


def test_end_does_not_wait_for_a_brain_that_ignores_stops() -> None:
    with Program([*SLOW, "--deaf"]) as program:
        thinking(program)
        program.tell("END")
        assert program.process.wait(PATIENCE_S) == 0


# -- at the end of the input every answer comes, unless the brain hangs


@pytest.mark.parametrize("how", ["--spin", "--still"])
def test_a_brain_that_hangs_after_the_end_of_the_input_is_given_up_and_told(how: str) -> None:
    with Program([*SLOW, "--deaf", how, "--impatient"]) as program:
        program.tell("START 15", "BEGIN", "ABOUT")
        program.close()
        assert program.process.wait(PATIENCE_S) == 1
        assert program.process.stderr is not None
        said = program.process.stderr.read()
        assert said == b"the search hangs: answers after it are lost\n"
        assert [line for line in iter(program.read_line, None) if line[:7] != "MESSAGE"] == ["OK"]


def test_only_what_the_process_does_tells_that_it_hangs() -> None:
    detector = HangDetector(2.0)
    # A step that gets little of the processor, and that does nothing for a while.
    assert not any(detector.is_over(1, 0.01) for _ in range(190))
    assert not any(detector.is_over(2, 0.0) for _ in range(MOST_STILL_LOOKS - 1))
    assert detector.is_over(2, 0.0)
    assert not detector.is_over(3, 1.9)
    assert detector.is_over(3, 0.1)


def test_a_brain_that_is_made_late_loses_no_answer() -> None:
    with Program([*FAKE, "--late"]) as program:
        program.tell("START 15", "BEGIN", "ABOUT")
        program.close()
        program.expect("OK", "move", 'name="Fake".*')
        program.expect_exit()


@POSIX_ONLY
def test_a_process_that_is_stopped_for_a_while_loses_no_answer() -> None:
    with Program(SLOW) as program:
        thinking(program)
        program.send(b"ABOUT\n" * 3000)
        program.close()
        program.process.send_signal(signal.SIGSTOP)
        time.sleep(2)
        program.process.send_signal(signal.SIGCONT)
        assert read_move_only(program)
        assert len(list(iter(program.read_line, None))) == 3000
        assert program.process.wait(PATIENCE_S) == 0


@POSIX_ONLY
@pytest.mark.parametrize("is_blocking", [True, False])
def test_a_manager_that_reads_late_gets_every_answer(is_blocking: bool) -> None:
    """More than a pipe holds; another program can have set the pipes not to block."""
    (source, program_output), (program_input, sink) = os.pipe(), os.pipe()
    for descriptor in (program_output, program_input):
        os.set_blocking(descriptor, is_blocking)
    with subprocess.Popen(FAKE, stdin=program_input, stdout=program_output) as process:
        os.close(program_input)
        os.close(program_output)
        time.sleep(0.5)  # it finds nothing to read
        os.write(sink, b"START 15\n" + b"ABOUT\n" * 5000)
        os.close(sink)
        time.sleep(2 if is_blocking else 0.5)
        said = b"".join(iter(lambda: os.read(source, 65536), b""))
        os.close(source)
        assert said.count(b"\n") == 5001
        assert process.wait(PATIENCE_S) == 0


def test_other_commands_wait_for_the_move_and_are_answered_in_order() -> None:
    with Program(SLOW) as program:
        begin = thinking(program, "INFO timeout_turn 400")
        program.tell("ABOUT", "INFO timeout_turn 500", "TURN 99,0", "INFO rule 7", "TAKEBACK 0,0")
        program.tell("TURN 0,0", "HELLO")
        program.expect("move")
        assert time.monotonic() - begin > 0.35
        # INFO applies to what was sent after it only.
        program.expect('name="Fake".*', "ERROR 99,0 is off.*", "MESSAGE INFO rule 7.*", "ERROR .*")
        program.expect("move")
        assert time.monotonic() - begin > 0.8
        program.expect("UNKNOWN .*")


@pytest.mark.parametrize(("option", "why"), [("--crash", "no idea"), ("--occupy", "is occupied")])
def test_a_failing_search_costs_no_move_and_the_loop_goes_on(option: str, why: str) -> None:
    with Program([*FAKE, option]) as program:
        program.tell("START 15", "TURN 7,7", "ABOUT")
        program.close()
        *_, remark, move, about = iter(program.read_line, None)
        assert remark.startswith("MESSAGE the search failed") and why in remark
        assert move == "7,6" and about.startswith('name="Fake"')
        assert program.process.wait(PATIENCE_S) == 0


def test_end_works_though_nobody_reads() -> None:
    # The pipe is full, the main thread hangs in a write, and END is read nevertheless.
    process = subprocess.Popen(FAKE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin and process.stdout
    with process:
        process.stdin.write(b"START 15\n" + b"ABOUT\n" * 5000)
        time.sleep(0.3)
        process.stdin.write(b"END\n")
        assert process.wait(PATIENCE_S) == 0


@POSIX_ONLY
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("is_thinking", [False, True])
def test_signals_end_it_quietly(name: str, is_thinking: bool) -> None:
    number = getattr(signal, name)
    with Program(SLOW) as program:
        if is_thinking:
            thinking(program)
        else:
            program.tell("ABOUT")
            program.read_line()
        program.process.send_signal(number)
        assert program.process.wait(PATIENCE_S) == -number
        assert program.process.stderr is not None
        assert program.process.stderr.read() == b""


@pytest.mark.skipif(not hasattr(os, "O_DIRECT"), reason="packet pipes are a feature of Linux")
def test_each_line_is_one_write(tmp_path: Path) -> None:
    # A packet pipe keeps writes apart, as managers that do not join split lines see them.
    source, sink = os.pipe2(os.O_DIRECT)
    with subprocess.Popen(SLOW, stdin=subprocess.PIPE, stdout=sink, bufsize=0) as process:
        os.close(sink)
        process.communicate(b"START 15\nINFO timeout_turn 200\nBEGIN\nABOUT\nHELLO\n")
        writes = []
        while data := os.read(source, 65536):
            writes.append(data)
    os.close(source)
    assert writes[0] == b"OK\n"
    # A report at least: the start of the program uses up a part of the time, and on a busy machine
    # nearly all of it.
    assert len(writes) >= 5
    assert all(data.endswith(b"\n") and data.count(b"\n") == 1 for data in writes)
