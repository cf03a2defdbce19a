"""The language of the checks, and checks that somebody adds."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tengen.arena.check.cli import check_command
from tengen.arena.check.script import Scripts, load_scripts, read_steps
from tests.arena.check.simulated import simulate
from tests.paths import ROOT

# Plays the cells 0,0, 1,0, 2,0 and so on, and answers anything else by what it was sent.
_BRAIN = """
pending, n = b"", 0

def feed(chunk):
    global pending, n
    *lines, pending = (pending + chunk).split(b"\\n")
    for line in lines:
        if line.startswith(b"START"):
            os.write(1, b"OK\\n")
        elif line.startswith((b"BEGIN", b"TURN")):
            os.write(1, b"%d,0\\n" % n)
            n += 1
        elif not line.startswith(b"INFO"):
            os.write(1, line + b"\\n")
"""


def _added(tmp_path: Path, steps: str) -> str:
    """What is said of a check with these steps, which is run alone."""
    text = f"== 1001 mandatory: our check\nOur reason.\n\n{steps}\n"
    (tmp_path / "ours.txt").write_text(text, encoding="utf-8")
    words = ["brain", "--scripts", str(tmp_path), "--only", "1001"]
    return CliRunner().invoke(check_command, words).output


@pytest.mark.usefixtures("patient")
def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "CHECK.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```\n(== .*?)^```", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "ours.txt").write_text(example, encoding="utf-8")
    words = [f"{sys.executable} -m tengen.pbrain", "--scripts", str(tmp_path), "--only", "1001"]
    assert "mandatory  pass  the second move answers a four" in (
        CliRunner().invoke(check_command, words).output
    )


def test_blanks_at_the_end_of_a_line_to_send_belong_to_it() -> None:
    assert [step.text for step in read_steps([">   a ", ">"])] == [">   a ", ">"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("==", "ours.txt, line 1: expected == NUMBER GROUP: TITLE"),
        ("== 7 urgent: title", "urgent: expected mandatory, optional, yixin"),
        ("== 7 yixin: a\n== 7 yixin: b", "line 2: another check has the number 7"),
        ("== a\n== a", "line 2: there is another section 'a'"),
        ("> ABOUT", "ours.txt: there is no check; one begins with =="),
    ],
)
def test_a_head_that_cannot_be_read(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Scripts().add(text, "ours.txt")


def test_files_of_every_editor_are_read_or_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("== 7001 yixin: ours\nwhy\n\n> ABOUT\n", encoding="utf-8-sig")
    assert load_scripts(tmp_path).checks[7001].title == "ours"
    (tmp_path / "b.txt").write_bytes(b"== 7002 yixin: \xfc\n")
    with pytest.raises(ValueError, match=r"b\.txt: is not text in UTF-8"):
        load_scripts(tmp_path)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("game\n> BEGIN\n<move A\n> TURN {free}\n<move\nnote {A}", "pass  our check  (0,0)"),
        ("> ABC\nexpect the word\n< DEF", "expected  the word\n       received  'ABC'"),
        ("> ABC\n<~ [A-C]+\n> A B\n<first X|A", "pass  our check"),
        (">? UNKNOWN this\n<line OK", "skip  our check  (UNKNOWN this: UNKNOWN this)"),
        ("each a b | c\n  > {each}\n  < {each}", "pass  our check"),
        (">\\ \\x41\\tB\n< A\tB\n>* 3 ab\n< ababab", "pass  our check"),
        ("eol none\n> A\nwait 0.1\neol lf\n> B\n< AB", "pass  our check"),
        (">\\ \\x7bA\\x7d\n<any\nnote {answer}", "pass  our check  ({A})"),
        ("> A\n> B\n< A\n< B\n<quiet 0.1", "pass  our check"),
        ("> A\n<quiet 0.1", "expected  silence\n       received  'A'"),
        ("> DEBUG A\n<none 0.1\n> MESSAGE A\n> B\n< B", "pass  our check"),
        ("game\n> BOARD 0,0,1 DONE\n<any\n> TURN 1,1\n<move", "where a stone stands"),
    ],
)
def test_steps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, steps: str, said: str) -> None:
    simulate(monkeypatch, _BRAIN)
    assert said in _added(tmp_path, steps)


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        *((step, "there is no such step") for step in ("no such step", "<no 1")),
        *(("> {what}", "there is no value {what}"), ("> {quiet}", "there is no value {quiet}")),
        *((">* ab", ">* takes a number and a text"), ("let A", "let takes a name and a text")),
        *((step, f"{step[:4]} takes a ") for step in ("note", "some", "wait", "wait x", "wait 1+")),
        *(("clock", "clock takes a time, such as "), ("rounds 3", "rounds takes a number of")),
        *(("each", "each takes values"), ("eol", "eol takes lf, crlf, cr or none")),
        *((step, "if takes refused, none, slower S,") for step in ("if", "if slower", "if same")),
        *(("<exit", "<exit takes a time, "), ("<quiet x", "<quiet takes a time, or nothing")),
        *((f"<move {text}", "<move takes a name or ") for text in ("A within xx", "within")),
        *(("<swap2", "<swap2 takes SWAP, "), ("memory x", "memory takes MiB, "), ("<~ (", "")),
        *(("position 99", "position takes 0 to "), ("position 0", "expected let rule N before")),
        ("good", "there is no position before it"),
    ],
)
def test_a_step_that_cannot_be_carried_out_is_a_fault_of_the_script(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, step: str, problem: str
) -> None:
    simulate(monkeypatch, _BRAIN)
    assert f"Error: ours.txt, line 4, '{step}': {problem}" in _added(tmp_path, step)
