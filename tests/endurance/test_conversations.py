"""Holds whole conversations with random lines, and judges every line of the answers.

    python -m tests.endurance.test_conversations --count 20000 --seed 1

Each conversation is a process of its own. A third waits for each answer as a manager does, a third
writes everything at once, and a third writes pieces that begin and end anywhere. Last comes END or
the end of the input. The run ends with one line of figures, or with the first conversation that
failed, which `--first N --count 1` repeats.

Starting Python and loading the engine takes longer than most conversations. So this process loads
everything and forks, and its child runs `tengen.pbrain.main` on pipes of its own. The parent must
have no other threads and must not have searched.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import traceback
from collections import Counter

import psutil
import pytest

# Loaded before the fork.
import engine.api  # noqa: F401
import protocol.loop  # noqa: F401
import protocol.openings  # noqa: F401
from tengen import pbrain
from tests.endurance.talk import PATIENCE_S, Running, Stuck, Talk
from tests.paths import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")

ENDINGS = (b"\n", b"\n", b"\r\n", b"\r")


def forked(*descriptors: int) -> psutil.Process:
    """A child that speaks the protocol on these: its input, its output and its errors."""
    if pid := os.fork():
        return psutil.Process(pid)
    try:
        os.setsid()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
        os.closerange(3, 1024)
        sys.argv = ["pbrain-tengen"]
        pbrain.main([])
    except BaseException:
        os.write(2, traceback.format_exc().encode("ascii", "replace"))
    finally:
        # Whatever happens, the child must not go on as the parent.
        os._exit(3)


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
    program.close_input()
    while not program.has_closed_output:
        if not talk.receive(PATIENCE_S) and not program.has_closed_output:
            raise Stuck(f"no end of the output within {PATIENCE_S} s")
    talk.oracle.check_over()
    program.end(0, PATIENCE_S)


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
        with Running(forked) as program:
            talk = Talk(rng, program, rng.choice(ENDINGS))
            try:
                hold(talk, program)
            except (AssertionError, OSError) as failure:
                lines = [*talk.log, f"! {failure}", f"! seed {seed}, conversation {number}"]
                raise AssertionError("\n".join(lines)) from failure
        figures.update({"lines sent": talk.sent, "received": talk.received, "moves": talk.moves})
    return figures


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=1000, help="conversations (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (default: 1)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (default: 0)")
    arguments = parser.parse_args()
    try:
        figures = run(arguments.count, arguments.seed, arguments.first)
    except AssertionError as failure:
        print(failure, file=sys.stderr)
        return 1
    print(", ".join(f"{count} {what}" for what, count in figures.items()))
    return 0


def converse(count: int, seed: int) -> str:
    """The figures of a run in a process of its own, which can fork."""
    command = [sys.executable, "-m", "tests.endurance.test_conversations"]
    command += ["--count", str(count), "--seed", str(seed)]
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
    sys.exit(main())
