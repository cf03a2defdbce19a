"""The command that starts a program, and why it cannot start one, in one line for people."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from errno import ENOENT, ENOEXEC
from itertools import pairwise
from pathlib import Path

# How files begin that systems start, by the system.
_SYSTEMS = {
    b"MZ": "Windows",
    b"\x7fELF": "Linux",
    b"\xcf\xfa\xed\xfe": "macOS",
    b"\xca\xfe\xba\xbe": "macOS",
}
_HEAD_BYTES = 256


class CannotStart(OSError):
    """A program cannot be started; the text says why."""


def read_command(text: str) -> tuple[str, ...]:
    """The words of a command, the first as the absolute path of the program. Files that others
    name are absolute as well, so that the program finds them from any folder. ValueError, in one
    line, if there is no such program."""
    words = split_command(text)
    try:
        found = find_program(words[0])
    except ValueError as error:
        for count in range(2, len(words) + 1):
            if os.path.isfile(path := " ".join(words[:count])):
                raise ValueError(f"{error}; put quotes around the path {path!r}") from None
        raise
    rest = (
        # What follows -m is a module of Python, also where a folder has its name.
        str(Path(word).absolute()) if before != "-m" and os.path.exists(word) else word
        for before, word in pairwise(words)
    )
    return (found, *rest)


def split_command(text: str, is_windows: bool = os.name == "nt") -> list[str]:
    """The words of a command as a shell would read them, one at least; on Windows a backslash is an
    ordinary character. ValueError for no word, for a quote that is not closed, and for a null
    character."""
    if "\0" in text:
        raise ValueError(f"{text!r}: a command has no null characters")
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if is_windows:
        lexer.escape = ""
    try:
        words = list(lexer)
    except ValueError:
        raise ValueError(f"{text}: a quote is not closed, or nothing follows a backslash") from None
    if not words or not words[0]:
        raise ValueError("the command is empty; expected one that starts a program")
    return words


def find_program(word: str) -> str:
    """The absolute path of a program, found as a shell would find it, or among the commands of the
    Python that runs, whose environment need not be activated. ValueError, in one line, if there is
    none or it may not be started."""
    own = os.pathsep.join((os.path.dirname(sys.executable), sysconfig.get_path("scripts")))
    if found := shutil.which(word) or shutil.which(word, path=own):
        # Links are not resolved: an interpreter knows its environment by the link it is called
        # through.
        return str(Path(found).absolute())
    if not os.path.exists(word):
        is_relative = os.path.dirname(word) and not os.path.isabs(word)
        raise ValueError(
            f"there is no program {word!r}" + (f" in {Path.cwd()}" if is_relative else "")
        )
    if os.path.isdir(word):
        raise ValueError(f"{word!r} is a folder, not a program")
    if not os.path.isfile(word):
        raise ValueError(f"{word!r} is no plain file, so it is no program")
    if not os.path.dirname(word):
        here = os.path.join(os.curdir, word)
        raise ValueError(f"there is no program {word!r}; for the file in this folder write {here}")
    if system := _system(Path(word)):
        raise ValueError(f"{word!r} is not executable; it is a program for {system}")
    raise ValueError(
        f"{word!r} is not executable; name what runs it, such as python {word}, or chmod +x it"
    )


def why_not_started(command: Sequence[str], error: OSError) -> str:
    """Why the system has refused to start a program, in one line."""
    try:
        path = Path(find_program(command[0]))
    except ValueError as reason:
        return str(reason)
    word, head = command[0], _head(path)
    if error.errno == ENOENT and error.filename == command[0]:
        if head.startswith(b"#!"):
            first = head[2:].split(b"\n")[0].decode("utf-8", "replace")
            because = ": its lines end in CR LF" if first.endswith("\r") else ""
            return f"{word!r} is to be run by {first.strip(' ')!r}, which is missing{because}"
        return f"{word!r} is made for another system: what loads it is missing here"
    if error.errno == ENOEXEC:
        if not head:
            return f"{word!r} is an empty file"
        if not (system := _system(path)):
            return f"{word!r} has no first line such as #!/bin/sh; name what runs it"
        if system == "Windows":
            return f"{word!r} is a program for Windows; start it by wine"
        return f"{word!r} is a program for another system or processor ({system})"
    return f"{error.filename or word}: {error.strerror}"


def _system(path: Path) -> str:
    """The system that a file's first bytes belong to; empty for a script or a text."""
    head = _head(path)
    return next((name for magic, name in _SYSTEMS.items() if head.startswith(magic)), "")


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES)
    except OSError:  # it may be run and not read
        return b""
