"""Lines that wait: their counts, and the bounds of their number."""

from __future__ import annotations

import subprocess

from hypothesis import given
from hypothesis import strategies as st

from protocol.commands import Line
from protocol.reader import LINE_BYTES, SEARCHING_WORDS, STOPPING_WORDS, Backlog, Intake, Lost
from tests.protocol.conversation import FAKE, PATIENCE_S, Program

lines = st.sampled_from(["TURN 0,0", "board", "7,7,1", "STOP", "restart", "ABOUT", ""]).map(Line)


@given(st.lists(lines | st.just(None), max_size=30))
def test_the_counts_are_those_of_the_lines(steps: list[Line | None]) -> None:
    backlog = Backlog()
    kept: list[Line] = []
    for step in steps:
        if step is not None:
            backlog.append(step)
            kept.append(step)
        elif kept:
            assert backlog.popleft() is kept.pop(0)
        words = [line.word for line in kept]
        assert len(backlog) == len(kept)
        assert backlog.searching == sum(word in SEARCHING_WORDS for word in words)
        assert backlog.stopping == sum(word in STOPPING_WORDS for word in words)


def test_too_many_lines_are_lost_once_and_then_there_is_room_again() -> None:
    line = Line("x" * LINE_BYTES)
    intake = Intake(max_bytes=10 * 2 * LINE_BYTES)
    assert [intake.admit(line) for _ in range(11)] == [line] * 11
    assert isinstance(intake.admit(line), Lost)
    for _ in range(3):
        assert intake.admit(line) is None
        intake.release(line)
    # Half of the memory must be free first, so that the losses come in few pieces.
    for _ in range(3):
        intake.release(line)
    assert intake.admit(line) is line


def test_every_one_of_many_boards_is_answered_after_the_end_of_the_input() -> None:
    count = 3000
    text = b"START 15\n" + b"BOARD\n7,7,2\nDONE\n" * count
    done = subprocess.run(FAKE, input=text, capture_output=True, timeout=PATIENCE_S)
    moves = [line for line in done.stdout.splitlines()[1:] if not line.startswith(b"MESSAGE")]
    assert len(moves) == count and all(line.count(b",") == 1 for line in moves)


def test_of_a_flood_during_a_search_one_error_tells_what_was_lost() -> None:
    # Long lines: few fill the memory, and their answers are short.
    sent, kept_at_most = 400, 280
    with Program([*FAKE, "--slow"]) as program:
        program.send(b"START 15\nINFO timeout_turn 60000\n")
        assert program.read_line() == "OK"
        program.send(b"BEGIN\n" + (b"X" * 30_000 + b"\n") * sent + b"STOP\n")
        program.read_move()
        answers = [program.read_line() or ""]
        while answers[-1].startswith("UNKNOWN"):
            answers.append(program.read_line() or "")
        assert answers[-1].startswith("ERROR too many lines wait")
        assert 200 < len(answers) <= kept_at_most
        program.send(b"ABOUT\n")
        assert (program.read_line() or "").startswith('name="Fake"')
        program.send(b"END\n")
        program.expect_exit()
