"""Files that people name, read and written so that no name can do harm.

What is read is a regular file of bounded size, and what is written is one or does not exist yet:
a pipe could make the program wait for ever, a device or a file of gigabytes fill the memory. Every
other name ends in an OSError whose `strerror` is a sentence in the style of the system's own ("this
is a pipe, not a file") and whose `filename` is the name, so that `f"{name}: {error.strerror}"`
serves both. No function raises ValueError.

Standard library only, and little of it: the program imports this while its clock is running.
"""

from __future__ import annotations

import errno
import io
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

Name = str | os.PathLike[str]

# Opening waits for nothing, and no terminal that is opened becomes the one of the program.
_FLAGS = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY"))
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode), "a device"),
)
_PART = ".tengen-", ".part"
_STALE_S = 3600


def read_file(name: Name, limit_bytes: int) -> bytes:
    """All of a regular file. OSError for anything else and for more than `limit_bytes`, also where
    the file grows while it is read or is one of the system's that tells no size."""
    with open_file(name) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limit_bytes:
            raise _too_large(name, size, limit_bytes)
        try:
            data = file.read(size + 1) or b""
            while len(data) > size:  # it has grown or has not told its size
                if len(data) > limit_bytes:
                    raise _too_large(name, len(data), limit_bytes)
                size = len(data)
                data += file.read(limit_bytes + 1 - size) or b""
        except MemoryError:
            raise OSError(
                errno.ENOMEM, "not enough memory to read this file", _text(name)
            ) from None
    return data


def open_file(name: Name) -> IO[bytes]:
    """A regular file, opened to be read. OSError for anything else."""
    return os.fdopen(_open(name, os.O_RDONLY), "rb")


def open_log(name: Name) -> IO[str]:
    """A text file to write on at its end, in UTF-8; it need not exist. OSError if what is there is
    not a regular file."""
    descriptor = _open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    return io.TextIOWrapper(os.fdopen(descriptor, "ab"), encoding="utf-8")


@contextmanager
def replacing(name: Name) -> Iterator[IO[bytes]]:
    """Gives a file to write; at the end it is put on the disk and takes the place of the file
    `name`, or of the one that a link of that name leads to. After an error that file is what it was
    and nothing else is left. Any number of processes may do this at once: the last one wins.

    What is written waits in the same folder under a name of its own, `.tengen-*.part`. One that a
    killed program has left there for an hour is removed.
    """
    path = os.path.realpath(_text(name))
    folder = os.path.dirname(path)
    part = os.path.join(folder, os.urandom(8).hex().join(_PART))
    try:
        mode = _mode_of(path)
        _remove_stale(folder)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FLAGS, 0o666)
        with os.fdopen(descriptor, "wb") as file:
            if mode is not None:
                with suppress(OSError):
                    os.chmod(part, mode)
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(part)
        # Of a full disk the system says no name. An error without a text of the system's is ours.
        if isinstance(error, OSError) and error.strerror and error.filename in (None, part, path):
            error.filename, error.filename2 = _text(name), None
        raise


def replace_file(name: Name, data: bytes | str) -> None:
    """Writes a whole file as `replacing` does; text in UTF-8 and with its line ends as they are."""
    with replacing(name) as file:
        file.write(data.encode("utf-8") if isinstance(data, str) else data)


def check_replaceable(name: Name) -> None:
    """OSError if `replacing` could not write that file. One that is there stays as it is."""
    with suppress(_Checked), replacing(name):
        raise _Checked


class _Checked(Exception):
    pass


def _open(name: Name, flags: int) -> int:
    """A descriptor of a regular file. OSError for anything else, which is not opened at all: that
    alone can wind a tape."""
    text = _text(name)
    with suppress(FileNotFoundError):
        _refuse(os.stat(text), name)
    descriptor = os.open(text, flags | _FLAGS, 0o666)
    try:
        _refuse(os.fstat(descriptor), name)  # also where it was exchanged meanwhile
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _mode_of(path: str) -> int | None:
    """The permissions of a file that is to be replaced; None if there is none. OSError if it may
    not be written."""
    try:
        descriptor = _open(path, os.O_WRONLY | os.O_APPEND)
    except FileNotFoundError:
        return None
    try:
        return stat.S_IMODE(os.fstat(descriptor).st_mode)
    finally:
        os.close(descriptor)


def _refuse(status: os.stat_result, name: Name) -> None:
    for is_kind, kind in _KINDS:
        if is_kind(status.st_mode):
            raise OSError(errno.EINVAL, f"this is {kind}, not a file", _text(name))


def _text(name: Name) -> str:
    text = os.fspath(name)
    with suppress(UnicodeEncodeError):
        if b"\0" not in os.fsencode(text):
            return text
    raise OSError(errno.EINVAL, "no file can have this name", text)


def _too_large(name: Name, size: int, limit: int) -> OSError:
    text = f"this file has {_amount(size)}; at most {_amount(limit)} are read"
    return OSError(errno.EFBIG, text, _text(name))


def _amount(size: int) -> str:
    for unit, shift in (("GB", 30), ("MB", 20), ("KB", 10)):
        if size >> shift:
            return f"{size / (1 << shift):.3g} {unit}"
    return f"{size} bytes"


def _remove_stale(folder: str) -> None:
    first, last = _PART
    oldest = time.time() - _STALE_S
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(first) and entry.name.endswith(last):
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_mtime < oldest:
                        os.unlink(entry.path)
