"""Programs on pipes, started by fork: as many whole conversations as time allows.

Starting Python and loading the engine takes longer than most conversations. Here a process that
has loaded everything forks, and its child runs `tengen.pbrain.main` on pipes of its own. The parent
must have no other threads and must not have searched.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
import traceback

# Loaded before the fork.
import engine.api  # noqa: F401
import protocol.loop  # noqa: F401
import protocol.openings  # noqa: F401
from tengen import pbrain
from tests.endurance.pipes import CHUNK_BYTES, Pipes, Stuck


class Forked(Pipes):
    """A child that speaks the protocol. Leaving the `with` block kills it if need be."""

    def __init__(self) -> None:
        their_input, to_program = os.pipe()
        from_program, their_output = os.pipe()
        self._error, their_error = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            _run_program(their_input, their_output, their_error)
        for descriptor in (their_input, their_output, their_error):
            os.close(descriptor)
        super().__init__(to_program, from_program)

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        self.close()
        os.close(self._error)

    def end(self, patience_s: float) -> None:
        """The program must end by itself with status 0 and without a word on standard error."""
        end = time.monotonic() + patience_s
        while (found := os.waitpid(self._pid, os.WNOHANG))[0] == 0:
            if time.monotonic() > end:
                raise Stuck(f"the program has not ended after {patience_s} s")
            time.sleep(0.0005)
        self._pid = 0
        said = b""
        while chunk := os.read(self._error, CHUNK_BYTES):
            said += chunk
        if found[1] or said:
            raise AssertionError(f"ended with wait status {found[1]}, said {said.decode()!r}")


def _run_program(*descriptors: int) -> None:
    """In the child: become the program, and never return."""
    try:
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
        os.closerange(3, min(1024, resource.getrlimit(resource.RLIMIT_NOFILE)[0]))
        sys.argv = ["pbrain-tengen"]
        pbrain.main([])
    except BaseException:
        os.write(2, traceback.format_exc().encode("ascii", "replace"))
    finally:
        # Whatever happens, the child must not go on as the parent.
        os._exit(3)
