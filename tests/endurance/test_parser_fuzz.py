"""Coverage-guided fuzzing of all code between the manager's bytes and the brain, by atheris.

    python -m tests.endurance.test_parser_fuzz -runs=1000000 -seed=1

Inputs are bytes that a manager could send. Those that reach branches of `protocol/` that no
earlier one reached are kept and changed further; the first ones are from `tests/conversations/`.
The oracle judges the answers to every input. The brain is one that does not search. The options
are libFuzzer's. A wrong input is written to a file crash-..., whose name, as the only argument,
tries it again.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

if __name__ == "__main__":
    import atheris

    # What is imported here reports the branches that it takes.
    with atheris.instrument_imports(include=["protocol"]):
        import protocol.session  # noqa: F401

from protocol.commands import KNOWN_WORDS
from protocol.pipes import LineSplitter
from tests.endurance.lines import JUNK, SETTINGS, YIXIN
from tests.endurance.oracle import Oracle
from tests.paths import ROOT
from tests.protocol.conversation import SCRIPTS
from tests.protocol.test_session import Talk

MOST_BYTES = 600
# Blanks to Python, and not to the protocol: which of the two, docs/PROTOCOL.md leaves open.
OTHER_BLANKS = bytes.maketrans(b"\x1c\x1d\x1e\x1f\x85\xa0", b"??????")
# What the input may begin with, and is dropped.
MARK = b"\xef\xbb\xbf"


def judge(data: bytes) -> None:
    """Send bytes to a session; AssertionError if an answer is wrong or missing."""
    data = data.translate(OTHER_BLANKS).removeprefix(MARK)
    talk, oracle = Talk(is_hasty=True), Oracle()
    for text in ("INFO max_node 1", "START 6", *_lines_of(data)):
        oracle.send(text)
        if oracle.has_ended:
            # The loop, which is not asked here, ends the program.
            break
        for printed in talk.say(text):
            oracle.receive(printed)
        oracle.check_over()
        assert (talk.session.game.stones is None) == (oracle.size is None)
        if talk.session.game.stones is not None:
            assert set(talk.session.game.stones.placed) == oracle.taken


def _lines_of(data: bytes) -> list[str]:
    """The lines of an input, which must not depend on the pieces in which it comes."""
    whole = LineSplitter()
    lines = [*whole.feed(data), *whole.flush()]
    splitter = LineSplitter()
    at = len(data) // 3
    assert [*splitter.feed(data[:at]), *splitter.feed(data[at:]), *splitter.flush()] == lines
    return [text for text, _ in lines]


def first_inputs() -> list[bytes]:
    """What managers send, from the scripts, in pieces of a size that is quickly tried."""
    inputs = []
    for script in sorted(SCRIPTS.glob("*.txt")):
        steps = script.read_text(encoding="utf-8").splitlines()
        sent = [step[2:] for step in steps if step.startswith("> ")]
        inputs += ["\n".join(sent[i : i + 12]) for i in range(0, len(sent), 12)]
    return [text.encode("latin-1", "replace")[:MOST_BYTES] for text in inputs]


def dictionary() -> str:
    """Words for libFuzzer to insert."""
    words = {*KNOWN_WORDS, "DONE", "\n", *(f"INFO {setting}\n" for setting in SETTINGS)}
    words |= {f"{line}\n" for line in (*YIXIN, *JUNK)} - {"\n"}
    return "".join(f'"{_escaped(word)}"\n' for word in sorted(words))


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode("latin-1"))


# It has no version for other systems (pyproject.toml).
needs_atheris = pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="needs atheris"
)


def fuzz(inputs: int, folder: Path) -> str:
    """Try so many inputs; what libFuzzer says about them."""
    command = [sys.executable, "-m", "tests.endurance.test_parser_fuzz"]
    command += [f"-runs={inputs}", "-seed=1", f"-artifact_prefix={folder}/"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stderr


def test_the_first_inputs_are_answered_as_the_oracle_says() -> None:
    inputs = first_inputs()
    assert len(inputs) > 30
    for data in inputs:
        judge(data)


@needs_atheris
def test_inputs_that_reach_new_branches_are_answered_too(tmp_path: Path) -> None:
    said = fuzz(600, tmp_path)
    assert "DONE" in said and "NEW" in said


@needs_atheris
@pytest.mark.verify
def test_a_million_inputs(tmp_path: Path) -> None:
    said = fuzz(1_000_000, tmp_path)
    print(next(line for line in said.splitlines() if "DONE" in line))


def main() -> None:
    """Fuzz until libFuzzer ends the process, with status 0 if nothing was found."""
    with tempfile.TemporaryDirectory(prefix="tengen-fuzz-") as name:
        corpus, words = Path(name, "corpus"), Path(name, "words")
        corpus.mkdir()
        for number, data in enumerate(first_inputs()):
            (corpus / str(number)).write_bytes(data)
        words.write_text(dictionary(), encoding="ascii")
        options = [f"-dict={words}", f"-max_len={MOST_BYTES}", "-timeout=20"]
        inputs = [] if any(not arg.startswith("-") for arg in sys.argv[1:]) else [str(corpus)]
        atheris.Setup([sys.argv[0], *options, *sys.argv[1:], *inputs], judge)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
