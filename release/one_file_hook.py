"""Ends a one-file program when its parent ends. build_exe.spec puts it into the one-file build.

PyInstaller's one-file program runs as two processes: the parent, which the manager started, unpacks
the files and waits; the child plays. A manager that kills the parent would leave the child running.
So this runs in the child, before the program does, and watches the parent in a thread.
"""

from __future__ import annotations

import os
import sys
import threading
import time

# The time between two looks at the parent, on systems other than Windows.
POLL_S = 0.2


def watch_parent() -> None:
    """Starts a thread that ends this process as soon as its parent has ended."""
    thread = threading.Thread(target=_end_after, args=(os.getppid(),), name="parent", daemon=True)
    thread.start()


def _end_after(parent: int) -> None:
    """Waits until the parent, given by its process id, has ended, and ends this process."""
    if sys.platform == "win32":
        import _winapi

        try:
            handle = _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, parent)
            _winapi.WaitForSingleObject(handle, _winapi.INFINITE)
        except OSError:
            pass  # it cannot be opened because it has already ended
    else:
        # A process whose parent has ended gets another one.
        while os.getppid() == parent:
            time.sleep(POLL_S)
    os._exit(1)


watch_parent()
