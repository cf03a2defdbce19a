"""The language of conversations with a program: files of steps, and the checks written in them.

A file is a list of **steps**, one to a line; `#` begins a comment line, and what is indented under
a step belongs to it. `runner.py` plays them, docs/CHECK.md says what they do.

A line that begins with `==` begins a **section**: a check with its number, group and title, then
the reason for it up to an empty line, then its steps:

    == 32 mandatory: one answer to one request
    A manager reads a second line as the answer to its next request.

    game
    > BEGIN
    <move
    <none

`mandatory in one piece` marks a check that is about lines sent together. A section without a number
is no check, but its title is a step that plays its steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from engine.files import read_file

_HEAD = re.compile(r"==\s+(?:(\d{1,6})\s+(\w+)( in one piece)?:\s*)?(\S.*)")
_MAX_BYTES = 1 << 20
OWN_SCRIPTS = Path(__file__).with_name("scripts")


class Group(Enum):
    """Whether a program must pass a check. The values are what lists and records show."""

    MANDATORY = "mandatory"  # a manager may do this, and every program must cope with it
    OPTIONAL = "optional"  # UNKNOWN is allowed, a wrong answer is not
    YIXIN = "yixin"  # the dialect of Yixin-Board and the web front ends; checked on request


@dataclass
class Step:
    """One step: its line in the file, its text, and the steps indented under it."""

    line: int
    text: str
    body: list[Step] = field(default_factory=list)
    file: str = ""


class ScriptError(ValueError):
    """What is wrong with a step, whatever the program does."""

    def __init__(self, step: Step, problem: str) -> None:
        where = f"{step.file}, line {step.line}".removeprefix(", ")
        super().__init__(f"{where}, {step.text!r}: {problem}")


@dataclass(frozen=True)
class Check:
    """One check. `why` says which manager needs it, for `--list` and the documentation. One that
    `is_burst` is about lines that are sent in one piece."""

    number: int
    group: Group
    title: str
    why: str
    steps: list[Step] = field(compare=False)
    is_burst: bool = False


@dataclass
class Scripts:
    """What some files hold: the checks by number, and the other sections by title."""

    checks: dict[int, Check] = field(default_factory=dict)
    sections: dict[str, list[Step]] = field(default_factory=dict)

    def add(self, text: str, name: str) -> None:
        """Adds what is in a file of this name. ValueError, naming file and line, for a wrong head,
        a number that another check has, or a title that another section has."""
        lines = text.splitlines()
        starts = [i for i, line in enumerate(lines) if line.startswith("==")]
        if not starts:
            raise ValueError(f"{name}: there is no check; one begins with == NUMBER GROUP: TITLE")
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            try:
                self._add_section(lines, start, end, name)
            except ValueError as error:
                raise ValueError(f"{name}, line {start + 1}: {error}") from None

    def _add_section(self, lines: list[str], start: int, end: int, name: str) -> None:
        head = _HEAD.fullmatch(lines[start].rstrip())
        if head is None:
            raise ValueError("expected == NUMBER GROUP: TITLE, or == TITLE")
        number, group, is_burst, title = head.groups()
        if not number:
            if title in self.sections:
                raise ValueError(f"there is another section {title!r}")
            self.sections[title] = read_steps(lines[start + 1 : end], start + 2, name)
            return
        if group not in {each.value for each in Group}:
            raise ValueError(f"{group}: expected {', '.join(each.value for each in Group)}")
        if int(number) in self.checks:
            raise ValueError(f"another check has the number {number}")
        body = next((i for i in range(start + 1, end) if not lines[i].strip()), end)
        why = " ".join(line.strip() for line in lines[start + 1 : body])
        steps = read_steps(lines[body:end], body + 1, name)
        self.checks[int(number)] = Check(
            int(number), Group(group), title, why, steps, bool(is_burst)
        )


def read_steps(lines: Iterable[str], first: int = 1, file: str = "") -> list[Step]:
    """The steps of some lines, of which the first is line number `first` of that file."""
    steps: list[Step] = []
    # The lists that are open, each with its indentation.
    levels: list[tuple[int, list[Step]]] = [(0, steps)]
    for number, line in enumerate(lines, first):
        text = line.lstrip(" ")
        if not text.strip() or text.startswith("#"):
            continue
        indent = len(line) - len(text)
        if indent > levels[-1][0] and levels[-1][1]:
            levels.append((indent, levels[-1][1][-1].body))
        while indent < levels[-1][0]:
            levels.pop()
        levels[-1][1].append(Step(number, text, file=file))
    return steps


def load_scripts(*folders: Path) -> Scripts:
    """Tengen's own checks, and those in the files `*.txt` of other folders. ValueError or OSError,
    naming the file, for one that cannot be read."""
    scripts = Scripts()
    for folder in (OWN_SCRIPTS, *folders):
        files = sorted(folder.glob("*.txt"))
        if not files:
            raise ValueError(f"{folder}: there are no scripts *.txt")
        for path in files:
            try:
                text = read_file(path, _MAX_BYTES).decode("utf-8-sig")
            except UnicodeDecodeError:
                raise ValueError(f"{path.name}: is not text in UTF-8") from None
            scripts.add(text, path.name)
    scripts.checks = dict(sorted(scripts.checks.items()))
    return scripts
