"""The dialogues of docs/PROTOCOL.md, played with a brain that makes the moves written there."""

from __future__ import annotations

import re

import pytest

from engine.model import Info, Point, Result, Score
from protocol.choices import Answer, Balancing, Question
from protocol.commands import Line
from protocol.messages import About
from protocol.session import Outcome, Session
from tests.paths import ROOT
from tests.protocol.conversation import REPORT
from tests.protocol.fake_brain import FakeBrain

TEXT = (ROOT / "docs" / "PROTOCOL.md").read_text(encoding="ascii")
# Any version will do in an example.
VERSION = re.findall(r'version="([0-9.]+)"', TEXT)[-1]
REMARKS = ("MESSAGE Swap2: ", "MESSAGE Balance: ")
ABOUT = About("Tengen", VERSION, "the Tengen authors")


def dialogues() -> list[list[str]]:
    """The dialogues as lists of lines, marks included; each begins with a line that is sent."""
    blocks = re.findall(r"(?:^    [<>] .*\n)+", TEXT, flags=re.MULTILINE)
    return [[line.strip() for line in block.splitlines()] for block in blocks]


def outcome(session: Session, text: str) -> Outcome:
    """What the brain, or what uses it, has found where `text` is the answer."""
    points = [Point(*map(int, word.split(","))) for word in text.split(" ") if "," in word]
    if isinstance(session.game.question, Question | Balancing):
        return Answer(tuple(points), "as in the text")
    move = session.game.exchange(points[0])
    return Result(move, Info(0, 0, Score(0), 0, 0, 0, (move,)))


class Brain(FakeBrain):
    """A brain on the machine of the dialogues."""

    def machine_bytes(self) -> int:
        return 16 * 2**30


def play(lines: list[str]) -> None:
    session = Session(Brain, ABOUT)
    printed: list[str] = []
    waits_for_move = False
    for line in lines:
        mark, text = line.split(" ", 1)
        if mark == ">":
            # The judge sends its first lines without waiting for OK.
            reply = session.execute(Line(text))
            printed += reply.lines
            waits_for_move = reply.limits is not None
        elif printed and printed[0] == text:
            printed.pop(0)
        elif text.startswith("MESSAGE"):
            assert waits_for_move
            assert text == "MESSAGE ..." or text.startswith(REMARKS) or REPORT.fullmatch(text)
        elif waits_for_move and not printed:
            *reports, played = session.finish(outcome(session, text), 0)
            for report in reports:
                assert report.startswith(REMARKS) or REPORT.fullmatch(report)
            assert played == text
            waits_for_move = False
        else:
            raise AssertionError(f"{text!r} is in the text, {printed} was printed")
    assert not printed and not waits_for_move


def test_the_dialogues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    found = dialogues()
    assert len(found) >= 9
    for lines in found:
        play(lines)


def test_the_report_described_has_the_form_printed() -> None:
    described = re.search(r"^    (MESSAGE .*)$", TEXT, flags=re.MULTILINE)
    assert described and REPORT.fullmatch(described[1])
