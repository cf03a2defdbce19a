"""What programs say of themselves before a run: names, versions, and settings they have from files.

Versions and settings are part of the plan, so that a run is not resumed with other programs, nor
with settings that nobody knows of: a file beside a program can decide a match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tengen.arena.match.plan import Plan
from tengen.arena.programs.program import Program, ProgramFailed, Timeouts
from tengen.arena.programs.spec import ProgramSpec

_NAME = re.compile(r'name\s*=\s*"([^"]+)"', re.IGNORECASE)
_MOST_CHARACTERS = 50
# How a program's `MESSAGE settings from FILE: level = 1` begins.
_SETTINGS = "message settings "


def with_names(programs: Sequence[ProgramSpec]) -> tuple[ProgramSpec, ...]:
    """The programs, each with a name of its own. One without is asked ABOUT; if it does not say,
    its file names it. A name that is taken gets a number. ValueError for a program that cannot be
    started."""
    taken = {program.name for program in programs}
    named = []
    for program in programs:
        if not program.name:
            name = _asked_name(program)
            numbered = (f"{name} {number}" for number in range(2, len(programs) + 2))
            free = next(each for each in (name, *numbered) if each not in taken)
            program = replace(program, name=free)
            taken.add(free)
        named.append(program)
    return tuple(named)


def introduce(plan: Plan) -> Plan:
    """The plan with what each of its programs answers to ABOUT, None without an answer, and the
    MESSAGE lines about settings that come before. ValueError, in one line, for a program that
    cannot be started."""
    versions, settings = {}, {}
    for program in plan.programs:
        versions[program.name], heard = _ask(program, plan.timeouts)
        if heard:
            settings[program.name] = "; ".join(dict.fromkeys(heard))
    return replace(plan, versions=tuple(versions.items()), settings=tuple(settings.items()))


def check_versions(plan: Plan) -> None:
    """ValueError when a program's answer to ABOUT, or what it says of its settings, differs from
    what it was when the plan was made."""
    now = introduce(plan)
    for (name, before), (_, version) in zip(plan.versions, now.versions, strict=True):
        if before != version:
            raise ValueError(
                f"--resume: {name} answered ABOUT with {before!r}, and now with {version!r}"
            )
        settings = [dict(each.settings).get(name, "no settings") for each in (plan, now)]
        if settings[0] != settings[1]:
            raise ValueError(f"--resume: {name} had {settings[0]}, and now has {settings[1]}")


def _ask(program: ProgramSpec, timeouts: Timeouts | None = None) -> tuple[str | None, list[str]]:
    """The answer to ABOUT, and what was said about settings before it."""
    heard: list[str] = []

    def hear(name: str, direction: str, line: str) -> None:
        if direction == "<" and line.strip().lower().startswith(_SETTINGS):
            heard.append(" ".join(line.split()[1:]))

    running = Program(program, timeouts)
    running.transcript = hear
    try:
        return running.about(), heard
    except ProgramFailed as failure:
        called = f"engine {program.name}" if program.name else "--engine"
        raise ValueError(f"{called}: {failure.detail}") from None
    finally:
        running.dispose()


def _asked_name(program: ProgramSpec) -> str:
    found = _NAME.search(_ask(program)[0] or "")
    words = [word for word in program.command if not word.startswith("-")]
    said = _as_name(found[1]) if found else ""
    return said or _as_name(Path(words[-1]).stem.removeprefix("pbrain-")) or "program"


def _as_name(text: str) -> str:
    """The text as `read_program` takes a name; empty if nothing is left of it."""
    words = "".join(c if c.isprintable() else " " for c in text).split()
    return " ".join(words)[:_MOST_CHARACTERS].rstrip()
