"""Ends a search from outside: Ctrl-C, and the end of Python.

Python runs signal handlers in the main thread only, and only while that thread executes Python: a
search called there directly would delay Ctrl-C until its end. So the main thread starts the search
in another thread and waits. It checks for signals every POLL_S seconds, because on Windows a signal
does not interrupt a waiting thread. This is Cython and not Python, because no signal handler can run
between two lines of Cython: KeyboardInterrupt is raised only while waiting, where it is caught.

A search holds no lock of the interpreter, and takes it for each report. Python's end frees what
that needs, and waits for no daemon thread: a report after it would crash. So every work is listed
here while it runs. Before the end all are stopped and waited for, and from then on no other thread
begins one.
"""

from cpython.exc cimport PyErr_CheckSignals

import atexit
import os
import threading
import time
from _thread import allocate_lock, start_new_thread
from contextlib import contextmanager
from functools import partial
from queue import Empty, SimpleQueue

cdef double POLL_S = 0.1
# A recursive search is deeper than the default stack of a thread on some systems.
cdef size_t STACK_BYTES = 64 * 2**20
# Held while the stack of new threads is not the usual one.
cdef object stack_lock = allocate_lock()


def is_main_thread():
    """True in the thread in which Python runs signal handlers."""
    return threading.current_thread() is threading.main_thread()


def start_with_stack(stack_bytes, start):
    """start(), which makes threads, with a stack of so many bytes for each of them."""
    with stack_lock:
        usual_stack_bytes = threading.stack_size(stack_bytes)
        try:
            start()
        finally:
            threading.stack_size(usual_stack_bytes)


cdef class Listener:
    """One piece of work in a thread of its own, and the calling thread that waits for it."""

    cdef object stop        # called in the calling thread to make the work return soon
    cdef object calls       # what the calling thread shall call; None: the work is over
    cdef object answers     # one item for each call that has been made
    cdef object result
    cdef object error       # what the work raised, or None

    def __init__(self, stop):
        self.stop = stop
        self.calls = SimpleQueue()
        self.answers = SimpleQueue()

    def start(self, work):
        """Starts work() in another thread. Raises RuntimeError when the system cannot start one."""
        start_with_stack(STACK_BYTES, partial(start_new_thread, self._work, (work,)))

    def wait(self):
        """What work() returns, or what it raises.

        An exception in the calling thread, such as KeyboardInterrupt, stops the work and is
        raised when the work is over.
        """
        raised = None
        while True:
            try:
                if self._serve():
                    break
            except BaseException as error:
                raised = raised or error
                self.stop()
        if raised or self.error:
            raise raised or self.error
        return self.result

    def ask(self, call):
        """Called by the work: runs call() in the calling thread and returns when that is done."""
        self.calls.put(call)
        self.answers.get()

    cdef bint _serve(self) except -1:
        """Waits a moment for a call and makes it; True when the work is over."""
        PyErr_CheckSignals()
        try:
            call = self.calls.get(timeout=POLL_S)
        except Empty:
            return False
        if call is None:
            return True
        try:
            call()
        finally:
            self.answers.put(None)
        return False

    def _work(self, work):
        try:
            self.result = work()
        except BaseException as error:
            self.error = error
        self.calls.put(None)


# -- the end of Python --------------------------------------------------------------------------

STOP_SECONDS = 5.0  # a search stops within some ms; many times that in a build with sanitizers
LOOK_SECONDS = 0.001


_working = {}           # by id: what works, an engine.think.Thinker
_has_ended = False


@contextmanager
def listed(worker):
    """Lists `worker` while the block runs. After Python's end has begun, a thread other than the
    main one stays here for good, as it would wherever it asks for the interpreter then."""
    if _has_ended and threading.current_thread() is not threading.main_thread():
        threading.Event().wait()
    _working[id(worker)] = worker
    try:
        yield
    finally:
        _working.pop(id(worker), None)


def stop_all():
    """Stops all work and waits until it has ended, but no longer than STOP_SECONDS."""
    global _has_ended
    _has_ended = True
    end = time.monotonic() + STOP_SECONDS
    while _working and time.monotonic() < end:
        # Each time, because a work that had just begun may not have seen the stop before.
        for worker in list(_working.values()):
            worker.request_stop()
        time.sleep(LOOK_SECONDS)


atexit.register(stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_working.clear)  # their threads stayed in the parent
