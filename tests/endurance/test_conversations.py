"""Holds whole conversations with random lines, and judges every line of the answers.

    python -m tests.endurance.test_conversations 20000 1

holds that many conversations with that seed, each in a process of its own. A third waits for each
answer as a manager does, a third writes everything at once, and a third writes pieces that begin
and end anywhere. Last comes END or the end of the input. The run ends with one line of figures, or
with the first conversation that failed; a third number says with which one to begin.

Starting Python and loading the engine takes longer than most conversations. So this process loads
everything and forks, and its child runs `tengen.pbrain.main` on pipes of its own. The parent must
have no other threads and must not have searched.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter

import pytest

# Loaded before the fork.
import engine.api  # noqa: F401
import protocol.loop  # noqa: F401
import protocol.openings  # noqa: F401
from tests.endurance.talk import PATIENCE_S, Running, Stuck, Talk
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")

ENDINGS = (b"\n", b"\n", b"\r\n", b"\r")


def hold(talk: Talk, program: Running) -> None:
    """From the first line to the end of the process; AssertionError if anything is wrong."""
    rng, lines = talk.rng, talk.lines
    count = rng.choice((5, 20, 40, 40, 80))
    talk.send(lines.first())
    match rng.randrange(3):
        case 0:
            for _ in range(count):
                talk.send(lines.draw())
                talk.settle()
        case 1:
            talk.send([line for _ in range(count) for line in lines.draw()])
        case _:
            for _ in range(count):
                _send_pieces(talk, program)
    if rng.random() < 0.3:
        if rng.random() < 0.5:
            talk.settle()
            _take_all_back(talk)
        talk.send(["END"])
    else:
        talk.oracle.close()
    program.close()
    while not program.has_closed_output:
        if not talk.receive(PATIENCE_S) and not program.has_closed_output:
            raise Stuck(f"no end of the output within {PATIENCE_S} s")
    talk.oracle.check_over()
    program.expect_end(0)


def _send_pieces(talk: Talk, program: Running) -> None:
    """A command in pieces of any length, with pauses; answers are read meanwhile."""
    data = talk.encode(talk.lines.draw())
    while data:
        piece = talk.rng.randint(1, len(data))
        program.send(data[:piece])
        data = data[piece:]
        if talk.rng.random() < 0.2:
            talk.receive(talk.rng.choice((0.0, 0.0005, 0.01)))


def _take_all_back(talk: Talk) -> None:
    """Is the position the one that the oracle knows? Each stone can be taken back, and then the
    board is empty."""
    squares = [f"TAKEBACK {x},{y}" for x, y in sorted(talk.oracle.taken)]
    for line in ("INFO rule 0", "DONE", "yxblockreset", *squares):
        talk.send([line])
        talk.settle()
    if not talk.oracle.taken:
        talk.send(["BEGIN"])
        talk.settle()


def run(count: int, seed: int, first: int = 0) -> Counter[str]:
    """Hold so many conversations, each with its own random numbers; how much was said. At the first
    that goes wrong AssertionError, with all of it."""
    figures = Counter(conversations=count)
    for number in range(first, first + count):
        rng = random.Random(f"{seed} {number}")
        with Running() as program:
            talk = Talk(rng, program, rng.choice(ENDINGS))
            try:
                hold(talk, program)
            except (AssertionError, OSError) as failure:
                lines = [*talk.log, f"! {failure}", f"! seed {seed}, conversation {number}"]
                raise AssertionError("\n".join(lines)) from failure
        figures.update({"lines sent": talk.sent, "received": talk.received, "moves": talk.moves})
    return figures


def converse(count: int, seed: int) -> str:
    """The figures of a run in a process of its own, which can fork."""
    command = [sys.executable, "-m", "tests.endurance.test_conversations", str(count), str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_conversations_of_random_lines() -> None:
    assert converse(25, seed=2).startswith("25 conversations, ")


@pytest.mark.verify
def test_twenty_thousand_conversations() -> None:
    print(converse(20_000, seed=1))


if __name__ == "__main__":
    os.environ.pop("TENGEN_LOG", None)
    figures = run(*map(int, sys.argv[1:]))
    print(", ".join(f"{count} {what}" for what, count in figures.items()))
