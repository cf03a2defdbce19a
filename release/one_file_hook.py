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

# How often the parent is looked for, where the system cannot report its end.
POLL_S = 0.2


def watch_parent() -> None:
    """Starts a thread that ends this process as soon as its parent has ended."""
    watch = _wait_for_handle if sys.platform == "win32" else _wait_for_adoption
    threading.Thread(target=watch, args=(os.getppid(),), name="parent", daemon=True).start()


def _wait_for_handle(parent: int) -> None:
    """Windows: a process can be waited for by its handle."""
    import _winapi

    try:
        handle = _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, parent)
        _winapi.WaitForSingleObject(handle, _winapi.INFINITE)
    except OSError:
        pass  # it cannot be opened because it has already ended
    os._exit(1)


def _wait_for_adoption(parent: int) -> None:
    """Elsewhere: a process whose parent has ended gets another one."""
    while os.getppid() == parent:
        time.sleep(POLL_S)
    os._exit(1)


watch_parent()
