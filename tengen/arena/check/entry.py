"""Checks the zip of a tournament entry for `tengen check`: the zip, then the program in it, which
plays sanity positions of every league, as the judge does (`scripts/entry.txt`).

The limits and the choice of the program are those of Gomocup and its public judge.
"""

from __future__ import annotations

import lzma
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO

import click
from rich.console import Console

from engine.files import open_file
from tengen.arena.check.checks import Outcome, Result, counts, find
from tengen.arena.check.conversation import Conversation, Failure, Knowledge, Settings, Skip
from tengen.arena.check.positions import LEAGUES, POSITIONS, League, SanityPosition
from tengen.arena.check.runner import Runner
from tengen.arena.check.script import Check, Group, Scripts, load_scripts
from tengen.arena.check.wine import (
    is_missing,
    windows_command,
    windows_path,
    wine_folders,
    wine_running,
)
from tengen.common.console import print_line
from tengen.game.values import Record, counted, json_text

# Changes when programs that read the document have to change.
JSON_FORMAT = 1
FOLDER_LIMIT_BYTES = 70 << 20
MEMORY_MIB = 350
ZIP_LIMIT_BYTES = 8_000_000
# A search of a minute, in a league of 15x15.
_SEARCH_LEAGUE = replace(LEAGUES[2], turn_ms=60_000)
# What zipfile raises for a zip, or a file in it, that it cannot read: damaged, packed in a way that
# it does not know, or with a password. Damage can also ask for memory without end.
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    MemoryError,
)
# What a zip may unpack to is limited by nobody; more than this is taken for a fault.
_UNPACKED_LIMIT_BYTES = 1 << 30

_ALLOWED = re.compile(r"[A-Za-z0-9._-]+")
# Windows keeps these names for devices, with any extension.
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"|?*\\]')
_AMD64 = 0x8664
# The head of a program that says what it is lies well within this.
_HEAD_BYTES = 1 << 16

_SUFFIX = re.compile(r"_(?:(freestyle|standard|renju|caro)(?:-(15|20))?|(15|20))$")


@dataclass(frozen=True)
class EntryProgram:
    """A program in the root of the zip. `rule` and `size` are those of its suffix, None where the
    name has none and the program plays all."""

    name: str
    rule: str | None
    size: int | None

    def fits(self, rule: str, size: int) -> int:
        """How well it fits a league, as the judge counts: 0 not at all, 4 made for it."""
        if self.rule not in (None, rule) or self.size not in (None, size):
            return 0
        return 1 + (self.size is not None) + 2 * (self.rule is not None)


class ZipEntry:
    """A zip in an open file, its checks, and the programs found.

    can_be_unpacked  after `check`: unpacking is safe and there is a program to start.
    """

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self.programs: list[EntryProgram] = []
        self.can_be_unpacked = False
        self._file = file
        self._zip: zipfile.ZipFile | None = None

    def check(self) -> Iterator[Result]:
        """Checks the zip without starting anything; each result as it comes."""
        checks = (
            ("size of the zip", self._check_size),
            ("name of the zip", self._check_name),
            ("the zip can be unpacked", self._check_archive),
            ("names in the zip", self._check_names),
            ("one program for 64 bit in the root", self._check_programs),
            ("the program is a 64-bit Windows program", self._check_machine),
        )
        found = []
        for title, script in checks:
            found.append(find(_check(title), script))
            yield found[-1]
        is_safe = all(each.outcome is Outcome.PASS for each in found[2:4])
        self.can_be_unpacked = is_safe and bool(self.programs)

    def unpack(self, folder: Path) -> None:
        """Unpacks the zip into a folder; call it when `can_be_unpacked`."""
        self._opened().extractall(folder)

    def _check_size(self) -> str:
        size = self.path.stat().st_size
        if size > ZIP_LIMIT_BYTES:
            raise Failure(f"at most {ZIP_LIMIT_BYTES:,} bytes", f"{size:,} bytes")
        return f"{size:,} bytes, at most {ZIP_LIMIT_BYTES:,}"

    def _check_name(self) -> str:
        name = self.path.name
        if not _ALLOWED.fullmatch(name):
            raise Failure("letters A-Z a-z, digits, - _ and . only", repr(name))
        if name.lower().startswith("pbrain"):
            raise Failure("a name without the prefix pbrain, which is the program's", name)
        return name

    def _check_archive(self) -> str:
        try:
            self._zip = zipfile.ZipFile(self._file)
        except _UNREADABLE as error:
            raise Failure("a zip file", str(error)) from None
        files = self._zip.infolist()
        unpacked = sum(info.file_size for info in files)
        if unpacked > _UNPACKED_LIMIT_BYTES:
            raise Failure("at most 1 GB unpacked", f"{unpacked} bytes")
        for info in files:
            if info.flag_bits & 1:
                raise Failure("files without a password", info.filename)
        try:
            damaged = self._zip.testzip()
        except _UNREADABLE as error:
            raise Failure("files that can be unpacked", str(error)) from None
        if damaged is not None:
            raise Failure("files that can be unpacked", f"{damaged!r}, which is damaged")
        count = sum(not info.is_dir() for info in files)
        return f"{counted(count, 'file')}, {unpacked / (1 << 20):.2f} MB"

    def _check_names(self) -> str:
        seen: dict[str, str] = {}
        for info in self._opened().infolist():
            # The name as the zip has it: zipfile has turned backslashes of Windows into slashes.
            name = info.orig_filename
            if fault := _fault_of(name) or _fault_of_kind(info):
                raise Failure("names that Windows can unpack inside a folder", f"{name!r}: {fault}")
            key = name.rstrip("/").lower()
            if key in seen:
                raise Failure("names that differ, capitals aside", f"{seen[key]!r} and {name!r}")
            seen[key] = name
        return ""

    def _check_programs(self) -> str:
        names = [info.filename for info in self._opened().infolist() if not info.is_dir()]
        found = [name for name in names if "/" not in name and _is_program(name)]
        programs = [read_program_name(name) for name in found if "64" in name]
        wanted = "one program pbrain-*.exe with 64 in its name"
        if not programs:
            raise Failure(wanted, _what_else(names, found))
        for i, program in enumerate(programs):
            if not _ALLOWED.fullmatch(program.name):
                raise Failure("letters A-Z a-z, digits, - _ and . only", repr(program.name))
            for other in programs[:i]:
                if (program.rule, program.size) == (other.rule, other.size):
                    raise Failure(
                        f"{wanted} for each rule and size", f"{other.name} and {program.name}"
                    )
        self.programs = programs
        return ", ".join(program.name for program in programs)

    def _check_machine(self) -> str:
        if not self.programs:
            raise Skip("there is no program")
        for program in self.programs:
            try:
                with self._opened().open(program.name) as file:
                    head = file.read(_HEAD_BYTES)
            except _UNREADABLE:
                raise Skip(f"{program.name} cannot be unpacked") from None
            kind = _machine_of(head)
            if kind != "":
                raise Failure("a Windows program (PE) for x86-64", f"{program.name}, {kind}")
        return ""

    def _opened(self) -> zipfile.ZipFile:
        if self._zip is None:
            raise Skip("the zip cannot be read")
        return self._zip


def _check(title: str) -> Check:
    """A check of a zip: all of them are mandatory, and none has a number."""
    return Check(0, Group.MANDATORY, title, "", [])


def read_program_name(name: str) -> EntryProgram:
    """Reads the suffix of a program's name, as the judge does: `_{rule}-{size}`, `_{rule}` or
    `_{size}`, before the `64` that may end the name."""
    stem = re.sub(r"[_-]?64$", "", PurePosixPath(name).stem.lower())
    suffix = _SUFFIX.search(stem)
    if suffix is None:
        return EntryProgram(name, None, None)
    size = suffix[2] or suffix[3]
    return EntryProgram(name, suffix[1], int(size) if size else None)


def choose_program(programs: Sequence[EntryProgram], rule: str, size: int) -> EntryProgram | None:
    """The program that the judge runs in a league; None if none is made for it."""
    best = max(programs, key=lambda program: program.fits(rule, size), default=None)
    return best if best is not None and best.fits(rule, size) else None


def _is_program(name: str) -> bool:
    return name.lower().startswith("pbrain-") and name.lower().endswith(".exe")


def _what_else(names: Sequence[str], in_root: Sequence[str]) -> str:
    if in_root:
        return f"{', '.join(in_root)}, without 64"
    if deeper := [name for name in names if _is_program(PurePosixPath(name).name)]:
        return f"{deeper[0]}, which is not in the root of the zip"
    if others := [name for name in names if name.lower().endswith(".exe")]:
        return f"{others[0]}, whose name does not begin with pbrain-"
    return "no program"


def _fault_of(name: str) -> str:
    """Why Windows cannot unpack this name, or would unpack it outside the folder; empty if it can
    be unpacked."""
    if name.startswith("/"):
        return "is absolute"
    if sign := _NOT_IN_NAMES.search(name):
        return f"holds {sign[0]!r}"
    for part in name.rstrip("/").split("/"):
        if part == "..":
            return "leaves the folder"
        if part in ("", "."):
            return "has an empty part"
        if part[-1] in ". ":
            return "has a part that ends with a full stop or a blank"
        if _DEVICES.fullmatch(part):
            return f"{part} is a device of Windows"
    return ""


def _fault_of_kind(info: zipfile.ZipInfo) -> str:
    kind = info.external_attr >> 16 & 0o170000
    return "is not a plain file" if kind not in (0, 0o100000, 0o040000) else ""


def _machine_of(head: bytes) -> str:
    """What a program is instead of one for 64-bit Windows; empty if it is one."""
    if head[:2] != b"MZ" or len(head) < 0x40:
        return "which is no Windows program"
    at = struct.unpack_from("<I", head, 0x3C)[0]
    if head[at : at + 4] != b"PE\0\0" or len(head) < at + 6:
        return "which is no Windows program"
    machine = struct.unpack_from("<H", head, at + 4)[0]
    return "" if machine == _AMD64 else f"which is for another processor ({machine:#06x})"


# ---- the program in it


@dataclass(frozen=True)
class EntryWish:
    """What is checked of an entry, and how.

    turn_ms    the time for a move; None = that of each league.
    memory_s   how long the search is whose memory is measured.
    runner     the words that start the program, instead of wine; None = wine, where it is needed.
    is_static  the program is not started.
    """

    turn_ms: int | None = 1000
    memory_s: float = 3.0
    runner: tuple[str, ...] | None = None
    is_static: bool = False


def check_entry(path: Path, wish: EntryWish, is_json: bool) -> int:
    """Checks a zip and prints what is found. The exit status: 0 if nothing has failed, 1 if
    something has, 2 if the program could not be started here. OSError for no file, and for a wine
    that does not start."""
    not_run = ""
    if wish.is_static:
        not_run = "--static was given"
    elif wish.runner is None and is_missing():
        not_run = "wine is missing (Debian, Ubuntu: apt-get install wine wine64)"
        click.echo(f"{not_run}: the program is not started, only the zip is checked", err=True)
    console = Console()
    results: list[Result] = []
    for result in _results(path, wish, bool(not_run)):
        results.append(result)
        if not is_json:
            _show(console, result)
    count = counts(result.outcome for result in results)
    if is_json:
        document: Record = {
            "format": JSON_FORMAT,
            "zip": str(path),
            "results": [result.as_record() for result in results],
            "summary": {
                **count,
                "not_started": not_run,
                "ok": not count["fail"] and not not_run,
            },
        }
        click.echo(json_text(document, indent=1))
    else:
        told = f"; the program was not started: {not_run}" if not_run else ""
        checks = counted(len(results), "check")
        line = f"{checks}: {count['pass']} passed, {count['skip']} skipped,"
        print_line(console, f"{line} {count['fail']} failed{told}")
    return 1 if count["fail"] else 2 if not_run and not wish.is_static else 0


def _results(path: Path, wish: EntryWish, is_static: bool) -> Iterator[Result]:
    with ExitStack() as stack:
        entry = ZipEntry(path, stack.enter_context(open_file(path)))
        yield from entry.check()
        if is_static:
            return
        if not entry.can_be_unpacked:
            note = "not started: see what has failed above"
            yield Result(check=_check("the program"), outcome=Outcome.SKIP, note=note)
            return
        # Windows may hold the file of a program a moment longer than the process lives.
        folder = tempfile.TemporaryDirectory(prefix="tengen-zip-", ignore_cleanup_errors=True)
        run = _EntryRun(entry.programs, Path(stack.enter_context(folder)).resolve(), wish)
        entry.unpack(run.folder)
        if wish.runner is None:
            stack.enter_context(wine_running())
        yield from run.checks()


def _show(console: Console, result: Result) -> None:
    line = result.outcome.text.append(f"  {result.check.title}", "default")
    if result.outcome is Outcome.FAIL:
        line.append(f": expected {result.expected}, received {result.received}", "default")
    elif result.note:
        line.append(f": {result.note}", "default")
    print_line(console, line)


class _EntryRun:
    """The checks of the programs of an entry. The zip is to be unpacked into `folder`, and nothing
    may be written there."""

    def __init__(self, programs: Sequence[EntryProgram], top: Path, wish: EntryWish) -> None:
        self._programs = programs
        self._wish = wish
        self._scripts: Scripts = load_scripts()
        self.folder = top / "program"
        # For INFO folder.
        self._data = top / "data"
        self._data.mkdir()

    def checks(self) -> Iterator[Result]:
        """Every check, each result as it comes. No process is left running."""
        watched = [self.folder, *([] if self._wish.runner else wine_folders())]
        before = _snapshot(watched)
        for program in self._programs:
            of = f" ({program.name})" if len(self._programs) > 1 else ""
            started = self._find("starts and answers OK", program, of)
            yield started
            if started.outcome is Outcome.FAIL:
                continue
            yield self._find("answers ABOUT", program, of)
            for league in LEAGUES:
                if choose_program(self._programs, league.word, league.size) is program:
                    yield from self._league(league, program)
            yield self._find("memory", program, of)
            for title in (
                "END ends it",
                "END ends it in mid-search",
                "killed in mid-search, nothing runs on",
            ):
                yield self._find(title, program, of)
        for league in LEAGUES:
            if choose_program(self._programs, league.word, league.size) is None:
                note = "no program is named for this league"
                yield Result(check=_check(league.name), outcome=Outcome.SKIP, note=note)
        yield find(_check("size of its folder"), self._folder_size)
        yield find(_check("nothing written outside its folder"), _expect_unchanged, watched, before)

    def _find(self, title: str, program: EntryProgram, of: str) -> Result:
        """The result of the section with this title, in a search of a minute if there is one."""
        return find(_check(f"{title}{of}"), self._play, title, program, _SEARCH_LEAGUE)

    def _league(self, league: League, program: EntryProgram) -> Iterator[Result]:
        limited = replace(league, turn_ms=self._wish.turn_ms or league.turn_ms)
        title = "an empty board, then TURN"
        yield find(_check(f"{league.name}: {title}"), self._play, title, program, limited)
        for position in POSITIONS:
            if league.rule in position.rules:
                title = f"{league.name}: {position.title}"
                asks = "the judge asks for a move"
                yield find(_check(title), self._play, asks, program, limited, position)

    def _play(
        self,
        section: str,
        program: EntryProgram,
        league: League,
        position: SanityPosition | None = None,
    ) -> str:
        file = self.folder / program.name
        runner = self._wish.runner
        command = windows_command(file) if runner is None else (*runner, str(file))
        values = {
            "size": str(league.size),
            "rule": str(league.rule),
            "turn_ms": str(league.turn_ms),
            "match_ms": str(league.match_ms),
            "folder": str(self._data) if runner else windows_path(self._data),
            "memory_mib": str(MEMORY_MIB),
            "memory_s": str(self._wish.memory_s),
        }
        # The judge runs a program in the folder it was unpacked to.
        with Conversation(Settings(command, folder=self.folder), Knowledge()) as talk:
            script = Runner(talk, self._scripts, values)
            if position is not None:
                script.set_position(position, league.rule)
            return script.note_of(self._scripts.sections[section])

    def _folder_size(self) -> str:
        files = _snapshot([self._data])
        size = sum(size for size, _ in files.values())
        if size > FOLDER_LIMIT_BYTES:
            limit = f"at most {FOLDER_LIMIT_BYTES >> 20} MB in the folder of INFO folder"
            raise Failure(limit, f"{size >> 20} MB")
        return f"{counted(len(files), 'file')}, {size / (1 << 20):.1f} MB"


def _expect_unchanged(folders: Sequence[Path], before: dict[Path, tuple[int, int]]) -> str:
    after = _snapshot(folders)
    changed = sorted(
        str(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise Failure("files only in the folder of INFO folder", changed[0] + more)
    return ""


def _snapshot(folders: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """Size and time of every file in some folders."""
    found = {}
    for folder in folders:
        for path in folder.rglob("*"):
            with suppress(OSError):
                if path.is_file() and not path.is_symlink():
                    status = path.stat()
                    found[path] = (status.st_size, status.st_mtime_ns)
    return found
