"""What the fuzzing of the parser tries with each input, and what it begins with."""

from __future__ import annotations

from protocol.commands import KNOWN_WORDS
from protocol.reader import LineSplitter
from tests.endurance.lines import JUNK, SETTINGS, YIXIN
from tests.endurance.oracle import Oracle
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
