"""Checks the zip of a tournament entry for `tengen check`: the zip, then the program in it, which
plays sanity positions of every league, as the judge does (`scripts/entry.txt`).

The limits and the choice of the program are those of Gomocup and its public judge.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO

from engine.files import open_file
from tengen.arena.check.checks import Outcome, Result, Run, find, skipped
from tengen.arena.check.conversation import Failure, Settings, Skip
from tengen.arena.check.positions import LEAGUES, POSITIONS, League
from tengen.arena.check.script import Check, Group, Scripts, Step
from tengen.game.values import counted

FOLDER_LIMIT_BYTES = 70 << 20
MEMORY_MIB = 350
# How long the search is whose memory is measured.
MEMORY_S = 3.0
ZIP_LIMIT_BYTES = 8_000_000
# A search of a minute, in a league of 15x15.
_SEARCH_LEAGUE = replace(LEAGUES[2], turn_ms=60_000)
# What a zip may unpack to is limited by nobody; more than this is taken for a fault.
_UNPACKED_LIMIT_BYTES = 1 << 30

# What is asked of each program at its start, and after its games.
_START = "starts and answers OK"
_RESOURCES = (
    "memory", "END ends it", "END ends it in mid-search", "killed in mid-search, nothing runs on",
)  # fmt: skip

_PROGRAM = re.compile(r"pbrain-(?=[^/]*64)[^/]*\.exe", re.IGNORECASE)
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
        with _reading("a zip file"):
            self._zip = zipfile.ZipFile(self._file)
        files = self._opened().infolist()
        unpacked = sum(info.file_size for info in files)
        if unpacked > _UNPACKED_LIMIT_BYTES:
            raise Failure("at most 1 GB unpacked", f"{unpacked} bytes")
        for info in files:
            if info.flag_bits & 1:
                raise Failure("files without a password", info.filename)
        with _reading("files that can be unpacked"):
            damaged = self._opened().testzip()
        if damaged is not None:
            raise Failure("files that can be unpacked", f"{damaged!r}, which is damaged")
        count = sum(not info.is_dir() for info in files)
        return f"{counted(count, 'file')}, {unpacked / (1 << 20):.2f} MB"

    def _check_names(self) -> None:
        seen: dict[str, str] = {}
        for info in self._opened().infolist():
            # The name as the zip has it: zipfile has turned backslashes of Windows into slashes.
            name = info.orig_filename
            fault = _fault_of(name)
            if info.external_attr >> 16 & 0o170000 not in (0, 0o100000, 0o040000):
                fault = fault or "is not a plain file"
            if fault:
                raise Failure("names that Windows can unpack inside a folder", f"{name!r}: {fault}")
            key = name.rstrip("/").lower()
            if key in seen:
                raise Failure("names that differ, capitals aside", f"{seen[key]!r} and {name!r}")
            seen[key] = name

    def _check_programs(self) -> str:
        names = [info.filename for info in self._opened().infolist()]
        found = [each for each in names if each.lower().endswith(".exe")]
        programs = [read_program_name(each) for each in found if _PROGRAM.fullmatch(each)]
        wanted = "one program pbrain-*.exe in the root, with 64 in its name"
        if not programs:
            raise Failure(wanted, ", ".join(found) or "no program")
        for i, program in enumerate(programs):
            if not _ALLOWED.fullmatch(program.name):
                raise Failure("letters A-Z a-z, digits, - _ and . only", repr(program.name))
            for other in programs[:i]:
                if (program.rule, program.size) == (other.rule, other.size):
                    raise Failure(
                        f"{wanted}, for each rule and size", f"{other.name} and {program.name}"
                    )
        self.programs = programs
        return ", ".join(program.name for program in programs)

    def _check_machine(self) -> None:
        if not self.programs:
            raise Skip("there is no program")
        for program in self.programs:
            with (
                _reading("a program that can be unpacked"),
                self._opened().open(program.name) as file,
            ):
                head = file.read(_HEAD_BYTES)
            if kind := _machine_of(head):
                raise Failure("a Windows program (PE) for x86-64", f"{program.name}, {kind}")

    def _opened(self) -> zipfile.ZipFile:
        if self._zip is None:
            raise Skip("the zip cannot be read")
        return self._zip


@contextmanager
def _reading(expected: str) -> Iterator[None]:
    """Failure for whatever zipfile and the libraries it unpacks with raise where a zip is damaged,
    packed in a way that they do not know, or has a password. Damage can also ask for memory without
    end."""
    try:
        yield
    except Exception as error:
        raise Failure(expected, str(error)) from None


def _check(title: str, *steps: str) -> Check:
    """A check of an entry: all of them are mandatory, and none has a number."""
    return Check(0, Group.MANDATORY, title, "", [Step(0, step) for step in steps])


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
    runner     the words that start the program, instead of wine; None = wine, where it is needed.
    is_static  the program is not started.
    """

    turn_ms: int | None = 1000
    runner: tuple[str, ...] | None = None
    is_static: bool = False

    @property
    def why_not_started(self) -> str:
        """Why the program is not started here; empty if it is."""
        if self.is_static:
            return "--static was given"
        is_wine_missing = sys.platform != "win32" and shutil.which("wine") is None
        return NO_WINE if self.runner is None and is_wine_missing else ""


def check_entry(path: Path, wish: EntryWish, scripts: Scripts) -> Iterator[Result]:
    """Checks a zip and, if it can be unpacked and started here, the programs in it; each result as
    it comes. OSError for no file, and for a wine that does not start."""
    with ExitStack() as stack:
        entry = ZipEntry(path, stack.enter_context(open_file(path)))
        yield from entry.check()
        if wish.why_not_started:
            return
        if not entry.can_be_unpacked:
            yield skipped(_check("the program"), "not started: see what has failed above")
            return
        # Windows may hold the file of a program a moment longer than the process lives.
        folder = tempfile.TemporaryDirectory(prefix="tengen-zip-", ignore_cleanup_errors=True)
        run = _EntryRun(entry.programs, Path(stack.enter_context(folder)).resolve(), wish, scripts)
        entry.unpack(run.folder)
        if wish.runner is None:
            stack.enter_context(wine_running())
        yield from run.checks()


class _EntryRun:
    """The checks of the programs of an entry. The zip is to be unpacked into `folder`, and nothing
    may be written there."""

    def __init__(
        self, programs: Sequence[EntryProgram], top: Path, wish: EntryWish, scripts: Scripts
    ) -> None:
        self._programs = programs
        self._wish = wish
        self._scripts = scripts
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
            started = self._play(f"{_START}{of}", program, _START)
            yield started
            if started.outcome is Outcome.FAIL:
                continue
            yield self._play(f"answers ABOUT{of}", program, "answers ABOUT")
            for league in LEAGUES:
                if choose_program(self._programs, league.word, league.size) is program:
                    yield from self._league(league, program)
            for title in _RESOURCES:
                yield self._play(f"{title}{of}", program, title)
        for league in LEAGUES:
            if choose_program(self._programs, league.word, league.size) is None:
                yield skipped(_check(league.name), "no program is named for this league")
        yield find(_check("size of its folder"), self._folder_size)
        yield find(_check("nothing written outside its folder"), _expect_unchanged, watched, before)

    def _league(self, league: League, program: EntryProgram) -> Iterator[Result]:
        limited = replace(league, turn_ms=self._wish.turn_ms or league.turn_ms)
        title = "an empty board, then TURN"
        yield self._play(f"{league.name}: {title}", program, title, league=limited)
        for i, position in enumerate(POSITIONS):
            if league.rule in position.rules:
                title = f"{league.name}: {position.title}"
                steps = f"position {i}", "the judge asks for a move"
                yield self._play(title, program, *steps, league=limited)

    def _play(
        self, title: str, program: EntryProgram, *steps: str, league: League = _SEARCH_LEAGUE
    ) -> Result:
        """The result of these steps, in a search of a minute if there is one."""
        file = self.folder / program.name
        runner = self._wish.runner
        command = windows_command(file) if runner is None else (*runner, str(file))
        values = {
            "size": str(league.size),
            "rule": str(league.rule),
            "turn_ms": str(league.turn_ms),
            "match_ms": str(league.match_ms),
            "folder": str(self._data) if runner else windows_path(self._data),
            "memory": f"{MEMORY_MIB} {MEMORY_S:g}",
        }
        # The judge runs a program in the folder it was unpacked to.
        run = Run(Settings(command, folder=self.folder), self._scripts)
        return run.play_once(_check(title, *steps), values)

    def _folder_size(self) -> str:
        files = _snapshot([self._data])
        size = sum(size for size, _ in files.values())
        if size > FOLDER_LIMIT_BYTES:
            limit = f"at most {FOLDER_LIMIT_BYTES >> 20} MB in the folder of INFO folder"
            raise Failure(limit, f"{size >> 20} MB")
        return f"{counted(len(files), 'file')}, {size / (1 << 20):.1f} MB"


def _expect_unchanged(folders: Sequence[Path], before: dict[Path, tuple[int, int]]) -> None:
    after = _snapshot(folders)
    changed = sorted(
        str(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise Failure("files only in the folder of INFO folder", changed[0] + more)


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


# ---- how a Windows program is started on another system: by wine

# No debug lines, no offers to install what wine lacks, nothing added to the menus of the desktop.
_SETTINGS = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe="}
NO_WINE = "wine is missing (Debian, Ubuntu: apt-get install wine wine64)"
# The first start of all makes wine's own Windows.
_FIRST_START_S = 300


def windows_command(program: Path) -> tuple[str, ...]:
    """The words that start a Windows program here. OSError if wine is needed and missing."""
    if sys.platform == "win32":
        return (str(program),)
    wine = shutil.which("wine")
    if wine is None:
        raise FileNotFoundError(NO_WINE)
    return (wine, str(program))


def windows_path(path: Path) -> str:
    """An absolute path as a Windows program knows it; wine shows the root as drive Z."""
    return str(path) if sys.platform == "win32" else "Z:" + str(path).replace("/", "\\")


def wine_folders() -> list[Path]:
    """The folders of wine's own Windows where programs keep temporary files and settings; none on
    Windows itself."""
    if sys.platform == "win32":
        return []
    prefix = os.environ.get("WINEPREFIX") or Path.home() / ".wine"
    folders = [Path(prefix, "drive_c", *rest) for rest in (("users",), ("windows", "temp"))]
    return [folder for folder in folders if folder.is_dir()]


@contextmanager
def wine_running() -> Iterator[None]:
    """Keeps wine's own processes running inside the context; does nothing on Windows. OSError if
    wine cannot be started.

    If a program under test had to start them, they would inherit its pipes and hold them open, and
    would be taken for processes of that program.
    """
    if sys.platform == "win32":
        yield
        return
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)  # for all that is started from now on
    nowhere = subprocess.DEVNULL
    idle = subprocess.Popen(
        windows_command(Path("cmd.exe")), stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere
    )
    try:
        # Ends when the start that `idle` has begun is over.
        try:
            subprocess.run(
                [*windows_command(Path("cmd.exe")), "/c", "exit"],
                stdin=nowhere,
                stdout=nowhere,
                stderr=nowhere,
                check=False,
                timeout=_FIRST_START_S,
            )
        except subprocess.TimeoutExpired:
            idle.kill()
            raise TimeoutError(f"wine has not started within {_FIRST_START_S} s") from None
        yield
    finally:
        assert idle.stdin
        idle.stdin.close()
        idle.wait()
