"""Files that are replaced as a whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Gives a file to write; at the end it is put on the disk and takes the place of `path`. After
    an error `path` is what it was, and nothing else is left."""
    part = _part(path)
    try:
        with part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        # Of a full disk the system says no name. An error without a text of the system's is ours.
        if isinstance(error, OSError) and error.strerror and error.filename is None:
            error.filename = str(path)
        raise


def replace_text(path: Path, text: str) -> None:
    """Writes a text file as `replacing` does, in UTF-8 and with plain line feeds. What is no plain
    file, such as /dev/stdout or a link, is written in place."""
    data = text.encode("utf-8")
    if path.is_symlink() or (path.exists() and not path.is_file()):
        path.write_bytes(data)
        return
    with replacing(path) as file:
        file.write(data)


def check_replaceable(path: Path) -> None:
    """OSError if `replacing` could not write that file. One that is there stays as it is."""
    if not path.name:  # such as `.` and `/`
        raise OSError(EINVAL, "not a file", str(path))
    for each in (path, _part(path)):
        is_new = not each.exists()
        if not is_new and not each.is_file():  # a folder or a device, such as /dev/null
            raise OSError(EINVAL, "not a file", str(each))
        with each.open("ab"):
            pass
        if is_new:
            each.unlink()


def _part(path: Path) -> Path:
    return path.with_name(path.name + ".part")
