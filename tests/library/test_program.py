"""`tengen.Program`: any program that speaks the protocol, driven from Python."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.game.played import Report
from tengen.game.position import Position
from tengen.library.program import Program, ProgramFailed
from tests.acting import IGNORE_END, command_of, noted
from tests.paths import ROOT
from tests.processes import PATIENCE_S, POSIX_ONLY, has_gone

# Plays h8, i8 and so on along the row.
RECORDER = """on move
say("MESSAGE thinking hard")
say("MESSAGE Depth 3-5 \\x7c Eval 12 \\x7c Node 20K \\x7c H8")
cell = next(each for each in free() if each >= (7, 7) == (each[0], 7))
"""


def actor(*acts: str, **options: float) -> Program:
    """The program for tests, with much patience for a busy machine unless a test has less."""
    patience = {"tolerance_s": PATIENCE_S, "start_s": PATIENCE_S}
    return Program(command_of(*acts), **patience | options)  # type: ignore[arg-type]


@pytest.fixture
def recorder(tmp_path: Path) -> tuple[Sequence[str], Path]:
    return command_of(RECORDER, log=(log := tmp_path / "log")), log


def sent_to(log: Path) -> list[str]:
    """The lines since the last time, without those that are the same in every game."""
    lines: list[str] = noted("told", log=log)
    log.write_text("", encoding="ascii")
    fixed = ("INFO folder", "INFO game_type", "INFO rule")
    return [line for line in lines if not line.startswith(fixed)]


def test_a_move_comes_with_what_was_said_about_it(
    recorder: tuple[Sequence[str], Path],
) -> None:
    heard: list[Report] = []
    with Program(recorder[0], tolerance_s=PATIENCE_S) as program:
        move = program.play(Position("a1"), turn_s=5, on_report=heard.append)
        pid = program.pid
    assert move == "h8" and (move.x, move.y) == (7, 7) and move.elapsed_s >= 0
    assert move.report == Report(3, 5, 12, nodes=20_000, line="H8") == heard[-1]
    assert move.messages == ("thinking hard", "Depth 3-5 | Eval 12 | Node 20K | H8")
    assert program.pid is None and has_gone(pid)


def test_a_game_goes_on_by_turn_and_any_other_position_is_a_new_one(
    recorder: tuple[Sequence[str], Path],
) -> None:
    command, log = recorder
    with Program(command, tolerance_s=PATIENCE_S, options={"caution": 3}, threads=2) as program:
        assert program.about() == 'name="Actor"'
        position = Position()
        for answer in ("a1", "b1"):
            position.play(program.play(position, turn_s=2.5))
            position.play(answer)
        program.play(position, turn_s=1, left_s=30)
        first = ["ABOUT", "START 15", "INFO thread_num 2", "INFO caution 3"]
        left = "INFO time_left 2147483647"
        times = ["INFO timeout_turn 2500", "INFO timeout_match 0"]
        assert sent_to(log) == [
            *first, *times, left, "BEGIN", left, "TURN 0,14", "INFO timeout_turn 1000",
            "INFO timeout_match 30000", "INFO time_left 30000", "TURN 1,14",
        ]  # fmt: skip
        program.play(Position("h8 i9 j9", size="15x12", rule="renju"), turn_s=1)
        assert sent_to(log) == [
            "RECTSTART 15,12", *first[2:], "INFO timeout_turn 1000", times[1], left,
            "BOARD", "7,4,2", "8,3,1", "9,3,2", "DONE",
        ]  # fmt: skip


def test_each_limit_is_sent_and_one_that_is_left_out_ends_the_process(
    recorder: tuple[Sequence[str], Path],
) -> None:
    command, log = recorder
    with Program(command, tolerance_s=PATIENCE_S) as program:
        position = Position()
        position.play(program.play(position, left_s=60, nodes=100, depth_plies=4))
        position.play("a1")
        sent = sent_to(log)[1:]
        assert sent == [
            "INFO max_node 100", "INFO max_depth 4", "INFO timeout_turn 60000",
            "INFO timeout_match 60000", "INFO time_left 60000", "BEGIN",
        ]  # fmt: skip
        pid = program.pid
        position.play(program.play(position, left_s=50.5, nodes=100, depth_plies=4))
        assert sent_to(log) == ["INFO timeout_turn 50500", "INFO time_left 50500", "TURN 0,14"]
        position.play("b1")
        program.play(position, left_s=50, nodes=100)
        assert "START 15" in sent_to(log) and program.pid != pid and has_gone(pid)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("die()", "crash"),
        ("time.sleep(0.8)", "timeout"),
        ("on START skip = True", "stall"),
        ("on move cell = '0,0'", "illegal"),
        ("hoard.append(b'x' * (300 << 20))", "memory"),
    ],
)
def test_each_failure_has_its_reason_and_leaves_no_process(act: str, reason: str) -> None:
    limit = {"memory_mb": 100} if reason == "memory" else {}
    start = {"start_s": 1.0} if reason == "stall" else {}
    turn_s, tolerance_s = (0.3, 0.2) if reason == "timeout" else (60, 60)
    pids = []
    with actor(act, **limit, **start, tolerance_s=tolerance_s) as program:
        # A late move must not count as a stall.
        program._driver._timeouts = replace(program._driver._timeouts, late_s=PATIENCE_S)
        position = Position()
        with pytest.raises(ProgramFailed) as failed:
            for _ in range(2):
                position.play(program.play(position, turn_s=turn_s))
                pids.append(program.pid)
                position.play(position.legal_moves()[-1])
        assert (failed.value.reason, failed.value.name) == (reason, "actor")
        assert failed.value.detail and str(failed.value).startswith(f"actor: {reason}: ")
        assert program.pid is None
    assert all(map(has_gone, pids))


def test_after_a_failure_it_starts_again() -> None:
    with actor("pass", "die()") as program:
        position = Position()
        position.play(program.play(position, turn_s=1))
        position.play("o15")
        with pytest.raises(ProgramFailed, match="crash"):
            program.play(position, turn_s=1)
        assert program.play(position, turn_s=1) in position.legal_moves()


def test_what_cannot_be_asked_is_refused_and_the_game_goes_on(
    recorder: tuple[Sequence[str], Path],
) -> None:
    with Program(recorder[0], tolerance_s=PATIENCE_S) as program:
        position = Position()
        program.play(position, turn_s=1)
        pid = program.pid
        for limits, message in (
            ({}, "a move needs a limit: turn_s, left_s, nodes or depth_plies"),
            ({"turn_s": -1}, "turn_s=-1: expected seconds from 0"),
            ({"nodes": 0}, "nodes=0: expected a whole number from 1"),
        ):
            with pytest.raises(ValueError, match=message):
                program.play(position, **limits)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="the game is over"):
            program.play(Position("h8 a1 i8 a2 j8 a3 k8 a4 l8"), turn_s=1)
        assert program.pid == pid


@pytest.mark.parametrize("command", ["no-such-program", ["no-such-program", "x"], "", [], "a 'b"])
def test_a_program_that_is_not_there_fails_at_once(command: str | list[str]) -> None:
    with pytest.raises(ProgramFailed) as failed:
        Program(command)
    assert failed.value.reason == "crash" and "\n" not in str(failed.value)


def test_it_ends_with_its_object() -> None:
    program = actor()
    program.play(Position(), turn_s=5)
    pid = program.pid
    del program
    gc.collect()
    assert has_gone(pid)


@POSIX_ONLY
@pytest.mark.parametrize("how", ["return", "exception", "kill"])
def test_it_ends_with_its_caller(how: str) -> None:
    code = (
        "import sys, time; from tengen.library.program import Program, ProgramFailed\n"
        "from tengen.game.position import Position\n"
        f"program = Program({command_of(*IGNORE_END)!r}, tolerance_s=60)\n"
        "program.play(Position(), turn_s=5); print(program.pid, flush=True)\n"
    )
    code += {"return": "", "exception": "raise KeyError\n", "kill": "time.sleep(600)\n"}[how]
    caller = subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert caller.stdout is not None
    with caller:
        pid = int(caller.stdout.readline())
        if how == "kill":
            os.kill(caller.pid, signal.SIGKILL)
        caller.wait(PATIENCE_S)
    assert has_gone(pid)


def test_programs_play_at_once_in_async_code() -> None:
    async def game() -> tuple[Position, list[int | None]]:
        position = Position(size=5)
        async with actor("on move time.sleep(0.01)") as black, actor() as white:
            pids: list[int | None] = []
            while not position.is_over:
                mover = black if position.turn == "black" else white
                position.play(await mover.play(position, turn_s=30))
                pids = [black.pid, white.pid]
            # At once: the two answers do not wait for each other.
            both = await asyncio.gather(
                black.play(Position(), turn_s=30), white.play(Position(), turn_s=30)
            )
            assert len(both) == 2
        return position, pids

    position, pids = asyncio.run(game())
    assert position.is_over and all(map(has_gone, pids))


def test_an_interrupt_ends_this_question_or_the_next() -> None:
    with actor("pass", "time.sleep(600)") as program:
        position = Position()
        position.play(program.play(position, turn_s=30))
        position.play("o15")
        timer = threading.Timer(0.2, program.interrupt)
        timer.start()
        with pytest.raises(ProgramFailed, match="crash: "):
            program.play(position, turn_s=500)
        program.interrupt()
        with pytest.raises(ProgramFailed, match="crash: was interrupted"):
            program.play(Position(), turn_s=30)
        program.interrupt()
        program.close()
        assert program.play(Position(), turn_s=30)


def test_a_cancelled_question_ends_the_program_and_the_next_one_starts_it() -> None:
    async def ask() -> list[int | None]:
        has_begun, loop = asyncio.Event(), asyncio.get_running_loop()

        def heard(_: Report) -> None:
            loop.call_soon_threadsafe(has_begun.set)

        async with actor("pass", "say('MESSAGE Depth 1-1')|time.sleep(600)") as program:
            position = Position()
            position.play(await program.play(position, turn_s=30))
            position.play("o15")
            first = program.pid
            asked = asyncio.create_task(program.play(position, turn_s=500, on_report=heard))
            await asyncio.wait_for(has_begun.wait(), PATIENCE_S)
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            await program.play(Position(), turn_s=30)
            return [first, program.pid]

    first, second = asyncio.run(ask())
    assert first != second and has_gone(first) and has_gone(second)
