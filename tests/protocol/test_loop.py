"""The running program, with a slow brain: what acts in the middle of a search, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from protocol.loop import MOST_STILL_LOOKS, Patience
from tests.protocol.conversation import FAKE, PATIENCE_S, Program
from tests.stopwatch import Stopwatch, in_time, timed

SLOW = [*FAKE, "--slow"]
# Between a command and the proof that it acted.
SOON_MS = 500


def thinking(program: Program, *infos: str) -> float:
    """Bring a slow program into a search of an hour; returns when it was asked."""
    program.send(b"START 15\n")
    # What is sent before the first answer waits for the start of the program, which uses up the
    # time for the move; where programs start slowly, that can be all of it.
    assert program.read_line() == "OK"
    begin = time.monotonic()
    for line in ("INFO timeout_turn 3600000", *infos, "BEGIN"):
        program.send(line.encode() + b"\n")
    # Its first report shows that it is under way.
    assert (program.read_line() or "").startswith("MESSAGE Depth 2-9")
    return begin


def read_move_only(program: Program) -> str:
    """The next line that is no report."""
    while (line := program.read_line()) is not None:
        if not line.startswith("MESSAGE "):
            return line
    raise AssertionError("the output ended before a move")


def test_end_right_after_a_search_command_prints_no_move() -> None:
    with Program(SLOW) as program:
        program.send(b"START 15\n")
        assert program.read_line() == "OK"
        program.send(b"BEGIN\nABOUT\nEND\n")
        program.expect_exit()


@timed
def test_all_moves_asked_before_eof_share_its_second() -> None:
    with Program(SLOW) as program:
        program.send(b"START 15\nBEGIN\nTURN 0,0\nTURN 1,0\nBOARD 7,7,2 DONE\nABOUT\nRESTART\n")
        assert program.read_line() == "OK"
        program.close()
        watch = Stopwatch(program.process.pid)
        for _ in range(4):
            program.read_move()
        in_time(watch.ms(), 1000)
        assert (program.read_line() or "").startswith('name="Fake"')
        assert program.read_line() == "OK"
        own_ms = watch.ms_until_end(program.process)
        program.expect_exit()
    in_time(own_ms, 1200)


@timed
def test_eof_keeps_shorter_limits() -> None:
    with Program(SLOW) as program:
        program.send(b"START 15\nINFO timeout_turn 100\nBEGIN\n")
        program.close()
        assert program.read_line() == "OK"
        watch = Stopwatch(program.process.pid)
        program.read_move()
        in_time(watch.ms(), 100 + SOON_MS)


def test_end_does_not_wait_for_a_brain_that_ignores_stops() -> None:
    with Program([*SLOW, "--deaf"]) as program:
        thinking(program)
        program.send(b"END\n")
        assert program.process.wait(PATIENCE_S) == 0


# -- at the end of the input every answer comes, unless the brain hangs


@pytest.mark.parametrize("how", ["--spin", "--still"])
def test_a_brain_that_hangs_after_the_end_of_the_input_is_given_up_and_told(how: str) -> None:
    with Program([*SLOW, "--deaf", how, "--impatient"]) as program:
        program.send(b"START 15\nBEGIN\nABOUT\n")
        program.close()
        assert program.process.wait(PATIENCE_S) == 1
        assert program.process.stderr is not None
        said = program.process.stderr.read()
        assert said == b"the search hangs: answers after it are lost\n"
        assert [line for line in iter(program.read_line, None) if line[:7] != "MESSAGE"] == ["OK"]


def test_only_what_the_process_does_tells_that_it_hangs() -> None:
    patience = Patience(2.0)
    # A step that gets little of the processor, and that does nothing for a while.
    assert not any(patience.is_over(1, 0.01) for _ in range(190))
    assert not any(patience.is_over(2, 0.0) for _ in range(MOST_STILL_LOOKS - 1))
    assert patience.is_over(2, 0.0)
    assert not patience.is_over(3, 1.9)
    assert patience.is_over(3, 0.1)


def test_a_brain_that_is_made_late_loses_no_answer() -> None:
    with Program([*FAKE, "--late"]) as program:
        program.send(b"START 15\nBEGIN\nABOUT\n")
        program.close()
        assert program.read_line() == "OK"
        program.read_move()
        assert (program.read_line() or "").startswith('name="Fake"')
        program.expect_exit()


@pytest.mark.skipif(sys.platform == "win32", reason="stops a process as POSIX does")
def test_a_process_that_is_stopped_for_a_while_loses_no_answer() -> None:
    with Program(SLOW) as program:
        thinking(program)
        program.send(b"ABOUT\n" * 3000)
        program.close()
        program.process.send_signal(signal.SIGSTOP)
        time.sleep(4)
        program.process.send_signal(signal.SIGCONT)
        assert read_move_only(program)
        assert len(list(iter(program.read_line, None))) == 3000
        assert program.process.wait(PATIENCE_S) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes that do not block are of POSIX")
def test_pipes_that_do_not_block_lose_nothing() -> None:
    """Another program can have set them so. The output is more than a pipe holds."""
    (source, program_output), (program_input, sink) = os.pipe(), os.pipe()
    for descriptor in (program_output, program_input):
        os.set_blocking(descriptor, False)
    with subprocess.Popen(FAKE, stdin=program_input, stdout=program_output) as process:
        os.close(program_input)
        os.close(program_output)
        time.sleep(0.5)  # it finds nothing to read
        os.write(sink, b"START 15\n" + b"ABOUT\n" * 5000)
        os.close(sink)
        time.sleep(0.5)
        said = b"".join(iter(lambda: os.read(source, 65536), b""))
        os.close(source)
        assert said.count(b"\n") == 5001
        assert process.wait(PATIENCE_S) == 0


def test_a_manager_that_reads_late_gets_every_answer() -> None:
    """More than a pipe holds."""
    process = subprocess.Popen(FAKE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdin and process.stdout
    with process:
        process.stdin.write(b"START 15\n" + b"ABOUT\n" * 5000)
        process.stdin.close()
        time.sleep(4)
        said = b"".join(iter(lambda: process.stdout.read(65536), b""))  # type: ignore[union-attr]
        assert said.count(b"\n") == 5001
        assert process.wait(PATIENCE_S) == 0


@timed
@pytest.mark.parametrize("line", ["INFO timeout_turn 0", "info  TIMEOUT_TURN 0", "STOP", "yxstop"])
def test_move_now(line: str) -> None:
    with Program(SLOW) as program:
        thinking(program)
        watch = Stopwatch(program.process.pid)
        program.send(line.encode() + b"\r\n")
        program.read_move()
        in_time(watch.ms(), SOON_MS)
        # One move, no more.
        program.expect_quiet(0.1)
        begin = time.monotonic()
        program.send(b"INFO timeout_turn 150\nTURN 0,0\n")
        program.read_move()
        assert time.monotonic() - begin > 0.1
        program.send(b"END\n")
        program.expect_exit()


def test_stop_with_nothing_to_stop_is_silent() -> None:
    with Program(SLOW) as program:
        program.send(b"STOP\nYXSTOP\nSTART 15\nyxstop\nINFO timeout_turn 150\n")
        assert program.read_line() == "OK"
        begin = time.monotonic()
        program.send(b"TURN 0,0\n")
        program.read_move()
        assert time.monotonic() - begin > 0.1
        program.expect_quiet(0.1)


@timed
@pytest.mark.parametrize("line", ["START 20", "RECTSTART 12,9", "RESTART", "start x"])
def test_a_new_game_in_mid_search_comes_after_the_move(line: str) -> None:
    with Program(SLOW) as program:
        thinking(program)
        watch = Stopwatch(program.process.pid)
        program.send(line.encode() + b"\n")
        program.read_move()
        answer = program.read_line() or ""
        assert answer == "OK" or (line == "start x" and answer.startswith("ERROR"))
        in_time(watch.ms(), SOON_MS)


def test_other_commands_wait_for_the_move_and_are_answered_in_order() -> None:
    with Program(SLOW) as program:
        begin = thinking(program, "INFO timeout_turn 400")
        program.send(
            b"ABOUT\nINFO timeout_turn 500\nTURN 99,0\nINFO rule 7\nTAKEBACK 0,0\nTURN 0,0\nHELLO\n"
        )
        program.read_move()
        assert time.monotonic() - begin > 0.35
        assert (program.read_line() or "").startswith('name="Fake"')
        # INFO applies to what was sent after it only.
        assert (program.read_line() or "").startswith("ERROR 99,0 is off")
        assert (program.read_line() or "").startswith("MESSAGE INFO rule 7")
        assert (program.read_line() or "").startswith("ERROR")
        program.read_move()
        assert time.monotonic() - begin > 0.8
        assert (program.read_line() or "").startswith("UNKNOWN")


@timed
@pytest.mark.parametrize(
    "setting", ["timeout_turn 150", "time_left 150", "timeout_match 200", "time_left 0"]
)
def test_less_time_shortens_the_running_search(setting: str) -> None:
    with Program(SLOW) as program:
        thinking(program)
        watch = Stopwatch(program.process.pid)
        program.send(b"INFO %s\n" % setting.encode())
        program.read_move()
        in_time(watch.ms(), 200 + SOON_MS)


@timed
def test_more_time_does_not_lengthen_the_running_search() -> None:
    with Program(SLOW) as program:
        thinking(program, "INFO timeout_turn 400")
        watch = Stopwatch(program.process.pid)
        program.send(b"INFO timeout_turn 3600000\nINFO time_left 3600000\nINFO timeout_turn -1\n")
        program.read_move()
        in_time(watch.ms(), 400 + SOON_MS)


@timed
def test_stop_also_ends_the_searches_that_were_asked_for_before_it() -> None:
    with Program(SLOW) as program:
        thinking(program)
        watch = Stopwatch(program.process.pid)
        program.send(b"TURN 0,0\nBOARD 7,7,2 DONE\nSTOP\n")
        for _ in range(3):
            assert read_move_only(program)
        in_time(watch.ms(), SOON_MS)


def test_a_failing_search_costs_no_move_and_the_loop_goes_on() -> None:
    for option, reason in (("--crash", "no idea"), ("--occupy", "is occupied")):
        with Program([*FAKE, option]) as program:
            program.send(b"START 15\nTURN 7,7\nABOUT\n")
            program.close()
            *_, remark, move, about = iter(program.read_line, None)
            assert remark.startswith("MESSAGE the search failed") and reason in remark
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


@pytest.mark.skipif(sys.platform == "win32", reason="signals of this kind are POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("is_thinking", [False, True])
def test_signals_end_it_quietly(number: signal.Signals, is_thinking: bool) -> None:
    with Program(SLOW) as program:
        if is_thinking:
            thinking(program)
        else:
            program.send(b"ABOUT\n")
            program.read_line()
        program.process.send_signal(number)
        assert program.process.wait(PATIENCE_S) == -number
        assert program.process.stderr is not None
        assert program.process.stderr.read() == b""


def test_each_line_is_one_write(tmp_path: Path) -> None:
    # A packet pipe keeps writes apart, as managers that do not join split lines see them.
    if not hasattr(os, "O_DIRECT"):
        pytest.skip("packet pipes are a feature of Linux")
    source, sink = os.pipe2(os.O_DIRECT)
    with subprocess.Popen(SLOW, stdin=subprocess.PIPE, stdout=sink, bufsize=0) as process:
        os.close(sink)
        assert process.stdin
        process.stdin.write(b"START 15\nINFO timeout_turn 200\nBEGIN\nABOUT\nHELLO\n")
        process.stdin.close()
        writes = []
        while data := os.read(source, 65536):
            writes.append(data)
    os.close(source)
    assert writes[0] == b"OK\n"
    # A report at least: the start of the program uses up a part of the time, and on a busy machine
    # nearly all of it.
    assert len(writes) >= 5
    assert all(data.endswith(b"\n") and data.count(b"\n") == 1 for data in writes)
