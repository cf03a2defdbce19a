"""Temporary folders that programs run in, and the removal of those that a killed run has left.

A process keeps a lock in each of its folders. A run that ends removes its folders itself; after a
kill -9 the next run does, which can take their locks then. That holds in every container and on
every machine that shares the temporary files, whatever their clocks say.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import IO

from tengen.common.process import take_lock

_PREFIX = "tengen-match-"


class Workdir:
    """A new folder of this process; `path` is where it is."""

    def __init__(self) -> None:
        self._lock: IO[str] | None = None
        while self._lock is None:
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
            try:
                self._lock = take_lock(self.path)
            except ValueError:
                pass  # another run has looked just now, and removes the folder
            except OSError:
                break  # a file system without locks: nobody else removes the folder either

    def remove(self) -> None:
        """Removes the folder with all that is in it, as far as nobody still writes there."""
        if self._lock is not None:
            self._lock.close()  # Windows removes no file that is open
        rmtree(self.path, ignore_errors=True)


def remove_leftovers() -> list[Path]:
    """Removes the folders of processes that run no more; returns those that are gone."""
    removed = []
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # One without the file is just being made.
        with suppress(ValueError, OSError):
            take_lock(folder, "r+").close()
            rmtree(folder)
            removed.append(folder)
    return removed
