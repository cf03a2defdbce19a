"""The zip of a tournament entry: what is in it, which program a league runs, and unpacking it.

The limits and the choice of the program are those of Gomocup and its public judge.
"""

from __future__ import annotations

import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from tengen.arena.check.conversation import Failure, Skip
from tengen.arena.check.registry import Finding, Outcome, find
from tengen.game.record.numbers import counted

ZIP_LIMIT_BYTES = 8_000_000
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

    def check(self) -> Iterator[Finding]:
        """Checks the zip without starting anything; each finding as it comes."""
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
            found.append(find(title, script))
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
