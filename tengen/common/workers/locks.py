"""A lock on a folder: only one run at a time writes into it."""

from __future__ import annotations

import sys
from errno import EACCES, EAGAIN, EDEADLK
from pathlib import Path
from typing import IO

_LOCK = ".lock"
# What the systems say when another process has the lock.
_TAKEN = (EACCES, EAGAIN, EDEADLK)


def take_lock(folder: Path, mode: str = "w") -> IO[str]:
    """A file that the system keeps locked while it is open. The lock ends with this process, even
    if that is killed. With the mode `r+` the file must be there already. ValueError if another
    process has the lock, OSError where there is no file or files cannot be locked."""
    lock = (folder / _LOCK).open(mode, encoding="ascii")
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        if error.errno not in _TAKEN:
            raise
        raise ValueError(f"{folder} is in use by another run") from None
    return lock
