"""A lock on a folder: only one run at a time writes into it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

_LOCK = ".lock"


def take_lock(folder: Path) -> IO[str]:
    """A file that the system keeps locked while it is open. The lock ends with this process, even
    if that is killed. ValueError if another process has it."""
    lock = (folder / _LOCK).open("w", encoding="ascii")
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise ValueError(f"{folder} is in use by another run") from None
    return lock
