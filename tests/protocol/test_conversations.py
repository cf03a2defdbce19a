"""Every script of tests/conversations against the real program, byte by byte, and a fake one; and
the dialogues of docs/PROTOCOL.md, played with the program as scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.protocol.conversation import FAKE, PROGRAM, REPORT, SCRIPTS, play

PROGRAMS = {"fake": FAKE, "tengen": PROGRAM}


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.txt")), ids=lambda path: path.stem)
@pytest.mark.parametrize("program", PROGRAMS)
def test_conversation(program: str, script: Path) -> None:
    play(PROGRAMS[program], script)


# -- the document


TEXT = (ROOT / "docs" / "PROTOCOL.md").read_text(encoding="ascii")
BLOCKS = re.findall(r"(?:^    [<>] .*\n)+", TEXT, flags=re.MULTILINE)


def script_of(block: str) -> str:
    """The script of a dialogue. Moves and figures are only examples: a move gets a name, by which
    later lines mean it, and a number in a MESSAGE may be any. Its times are short."""
    steps = ["> INFO timeout_turn 50"]
    names: dict[str, str] = {}
    remarks = 0
    for line in block.splitlines():
        mark, text = line.strip().split(" ", 1)
        if mark == ">":
            text = re.sub(r"\d+,\d+", lambda move: names.get(move[0], move[0]), text)
            steps.append("> " + re.sub(r"(timeout_turn) \d+", r"\1 50", text))
        elif text == "MESSAGE ..." or REPORT.fullmatch(text):
            remarks += 1
        elif re.fullmatch(r"\d+,\d+", text):
            name = chr(ord("A") + len(names))
            names[text] = f"{{{name}}}"
            steps.append(f"<move {name}")
            remarks = 0
        elif text.startswith("MESSAGE"):
            steps.append("<~ " + re.sub(r"-?\d+", r"-?\\d+", re.escape(text)))
        elif re.fullmatch(r"SWAP|[\d, ]+", text):
            # The oracle knows which answers there are.
            steps += ["<~ MESSAGE .*"] * remarks + ["<~ SWAP|[0-9, ]+"]
            remarks = 0
        else:
            steps.append(f"< {text}")
    return "\n".join(steps)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_a_dialogue(block: str) -> None:
    play(PROGRAM, script_of(block))


def test_there_are_dialogues_and_the_report_described_has_the_form_printed() -> None:
    assert len(BLOCKS) >= 6
    described = re.search(r"^    (MESSAGE .*)$", TEXT, flags=re.MULTILINE)
    assert described and REPORT.fullmatch(described[1])
