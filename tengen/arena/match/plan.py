"""Everything that decides what a run plays, as one value that can be written and read back.

Two runs with equal plans write the same games if the limits are in nodes or depth; with the opening
rule swap2 only if the programs repeat their openings (Tengen does with a limit in nodes). How a run
is carried out (how many games at a time, on which machines, how it is shown) is not part of it.

What programs say of themselves before a run, versions and settings that they have from files, is
part of the plan, so that a run is not resumed with other programs, nor with settings that nobody
knows of: a file beside a program can decide a match.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import chain, count
from pathlib import Path
from typing import Any

from tengen.arena.match.schedule import OpeningOrder, Schedule, Setting, jobs_of, meetings_of
from tengen.arena.programs.program import Program, ProgramFailed, Timeouts
from tengen.arena.programs.spec import ProgramSpec, as_record, from_record
from tengen.arena.stats.sprt import Model, Sprt
from tengen.game.openings import Opening
from tengen.game.values import Record, counted

FORMAT = 2


@dataclass(frozen=True)
class Plan:
    """What a run plays.

    programs   the entrants, each with its own name.
    setting    the board, the rule and the options of every game.
    openings   what games begin with; `order` and `seed` decide their order, and the run begins
               with the one at `start` in that order.
    kind       one of schedule.KINDS, with `games` for each pairing, and `seeds` of a gauntlet.
    sprt       the test that ends the run early, between two programs.
    versions   the programs' names with their answers to ABOUT, or None.
    settings   what programs have said of settings that they have from files, by name.
    """

    programs: tuple[ProgramSpec, ...]
    setting: Setting
    openings: tuple[Opening, ...]
    games: int
    kind: str = "roundrobin"
    seed: int = 1
    order: str = "random"
    start: int = 1
    seeds: int = 1
    timeouts: Timeouts = field(default_factory=Timeouts)
    sprt: Sprt | None = None
    versions: tuple[tuple[str, str | None], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> list[str]:
        """The programs' names."""
        return [program.name for program in self.programs]

    @property
    def by_name(self) -> dict[str, ProgramSpec]:
        """The programs by name."""
        return {program.name: program for program in self.programs}

    @cached_property
    def opening_order(self) -> OpeningOrder:
        """Made once: a book may have a million openings."""
        size = self.setting.width, self.setting.height
        return OpeningOrder(self.openings, *size, self.seed, self.order, self.start)

    def with_games(self, games: int, played: int) -> Plan:
        """The plan with another number of games of each pairing, after the first `played` games
        of the run. ValueError if those would be others."""
        plan = replace(self, games=games)
        before, after = (each.schedule().jobs[:played] for each in (self, plan))
        if before != after:
            raise ValueError(
                f"--games {games}: {counted(played, 'game')} of the run"
                f" {'is' if played == 1 else 'are'} played already, and would not be the same"
            )
        return plan

    def schedule(self) -> Schedule:
        """A new schedule; ValueError if the plan cannot be played."""
        if self.sprt is not None and len(self.programs) != 2:
            raise ValueError("sprt compares two programs")
        meetings = meetings_of(self.kind, self.names, self.seeds)
        return Schedule(jobs_of(meetings, self.games, self.opening_order))


def plan_record(plan: Plan) -> Record:
    """The plan as plain values: the first line of games.jsonl."""
    return {
        "format": FORMAT,
        "programs": [*map(as_record, plan.programs)],
        "versions": dict(plan.versions),
        "settings": dict(plan.settings),
        **asdict(plan.setting),
        "schedule": {key: getattr(plan, key) for key in ("kind", "games", "seeds")},
        "sprt": asdict(plan.sprt) | {"model": plan.sprt.model.value} if plan.sprt else None,
        "seed": plan.seed,
        "order": plan.order,
        "start": plan.start,
        "timeouts": asdict(plan.timeouts),
        "openings": [[*chain.from_iterable(opening.offsets)] for opening in plan.openings],
    }


def read_plan(record: Mapping[str, Any]) -> Plan:
    """Reads what `plan_record` returns, also in an earlier version, which wrote fewer keys.
    ValueError if it is not a plan of this format."""
    try:
        if record["format"] != FORMAT:
            raise ValueError(
                f"format {record['format']} is not {FORMAT}, the one this version reads"
            )
        sprt = record["sprt"]
        if sprt is not None:
            sprt = Sprt(**sprt | {"model": Model(sprt["model"])})
        schedule = dict(record["schedule"])
        schedule["games"] *= schedule.pop("rounds", 0) or 1  # of an earlier version
        return Plan(
            programs=tuple(map(from_record, record["programs"])),
            setting=Setting(
                **{key: record[key] for key in Setting.__dataclass_fields__ if key in record}
            ),
            openings=tuple(
                Opening(tuple(zip(flat[::2], flat[1::2], strict=True)), f"number {number}")
                for number, flat in enumerate(record["openings"], start=1)
            ),
            **schedule,
            **{key: record[key] for key in ("seed", "order", "start") if key in record},
            timeouts=Timeouts(**record.get("timeouts") or record["patience"]),
            sprt=sprt,
            versions=tuple(record["versions"].items()),
            settings=tuple(record["settings"].items()),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not the plan of a run: {error}") from None


_NAME = re.compile(r'name\s*=\s*"([^"]+)"', re.IGNORECASE)
_MOST_CHARACTERS = 50
# How a program's `MESSAGE settings from FILE: level = 1` begins.
_SETTINGS = "message settings "


def introduce(plan: Plan) -> Plan:
    """The plan with what each of its programs answers to ABOUT, None without an answer, and the
    MESSAGE lines about settings that come before. A program without a name gets that of the answer,
    or else of its file; one that is taken gets a number. ValueError, in one line, for a program
    that cannot be started."""
    taken = set(plan.names)
    programs, versions, settings = [], {}, {}
    for program in plan.programs:
        about, heard = _ask(program, plan.timeouts)
        if not program.name:
            name = _own_name(program, about or "")
            names = chain([name], (f"{name} {number}" for number in count(2)))
            program = replace(program, name=next(each for each in names if each not in taken))
            taken.add(program.name)
        programs.append(program)
        versions[program.name] = about
        if heard:
            settings[program.name] = "; ".join(dict.fromkeys(heard))
    return replace(
        plan,
        programs=tuple(programs),
        versions=tuple(versions.items()),
        settings=tuple(settings.items()),
    )


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


def _ask(program: ProgramSpec, timeouts: Timeouts) -> tuple[str | None, list[str]]:
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


def _own_name(program: ProgramSpec, about: str) -> str:
    found = _NAME.search(about)
    words = [word for word in program.command if not word.startswith("-")]
    said = _as_name(found[1]) if found else ""
    return said or _as_name(Path(words[-1]).stem.removeprefix("pbrain-")) or "program"


def _as_name(text: str) -> str:
    """The text as `read_program` takes a name; empty if nothing is left of it."""
    words = "".join(c if c.isprintable() else " " for c in text).split()
    return " ".join(words)[:_MOST_CHARACTERS].rstrip()
