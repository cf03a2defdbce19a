"""Connects reader, session, brain and writer.

There are three threads: one reads lines, one searches and prints the move (with pondering, one more
for each move), and the main one, here, does everything else. It is never busy for long, so END,
EOF, STOP and INFO act during a search.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NoReturn

from engine.model import Limits
from protocol.brain import Brain
from protocol.commands import STOPPING_WORDS, Line
from protocol.messages import About, Reply
from protocol.pipes import Backlog, EndOfInput, Lost, Reader, Transcript, Writer
from protocol.pondering import start_searcher
from protocol.session import Session
from protocol.settings import MILLISECOND_NS, NO_FILE, FileSettings, with_whole_start
from protocol.start_up import StartUp, begin

# After EOF all moves still wanted are printed within 0.9 s, if there is time for each;
# stopping a search takes part of it.
EOF_BUDGET_NS = 850 * MILLISECOND_NS
# A step that takes more processor time hangs: the brain does not stop. Even a large table is made
# in less.
END_GIVE_UP_S = 0.25
EOF_GIVE_UP_S = 30.0
LOOK_S = 0.25
# A step that waits hangs after so many looks in which the process used less processor time: for
# something that never comes. Where other programs only kept it from running, it ran for longer.
STILL_S = 0.001
MOST_STILL_LOOKS = 240
# Giving up a file that is written may take so many looks, and so long.
FILE_LOOKS = 20
FILE_LOOK_S = 0.01
# These stop the work on a file, which a game that begins does not.
FILE_STOPPING_WORDS = ("STOP", "YXSTOP")


class SearchEnd:
    """The search is over and its move is printed."""


class BrokenOutput:
    """The manager no longer reads."""


Event = Line | Lost | EndOfInput | SearchEnd | BrokenOutput


class HangDetector:
    """Decides when a step hangs, by looks at what the process does. Time that passes says nothing:
    the machine can be busy, and the process can be stopped for a while.

    give_up_s  processor time that a step may take.
    """

    def __init__(self, give_up_s: float) -> None:
        self._give_up_s = give_up_s
        self._step: object = None
        self._used_s = 0.0
        self._still_looks = 0

    def is_over(self, step: object, used_s: float) -> bool:
        """A look. `step` differs when something has been done since the look before, and `used_s`
        is the processor time since then."""
        if step != self._step:
            self._step, self._used_s, self._still_looks = step, 0.0, 0
        self._used_s += used_s
        self._still_looks += used_s < STILL_S
        return self._used_s >= self._give_up_s or self._still_looks >= MOST_STILL_LOOKS


class Loop:
    """One conversation from its first line to END or EOF.

    `leave` ends the process with a status: 0 at END, 1 when answers are lost after the end of the
    input because a step hangs.
    """

    def __init__(
        self,
        make_brain: Callable[[], Brain],
        about: About,
        transcript: Transcript,
        input_descriptor: int,
        output_descriptor: int,
        leave: Callable[[int], object],
        file_settings: FileSettings = NO_FILE,
        start_up: StartUp | None = None,
    ) -> None:
        self._session = Session(make_brain, about, file_settings)
        self._transcript = transcript
        self._leave_at_once = leave
        self._inbox: SimpleQueue[Event] = SimpleQueue()
        self._requests: SimpleQueue[Limits] = SimpleQueue()
        self._waiting = Backlog()
        self._reader = Reader(input_descriptor, self._receive, start_up)
        self._writer = Writer(
            output_descriptor, lambda: self._inbox.put(BrokenOutput()), transcript
        )
        self._is_thinking = False
        self._is_over = False
        # No search runs, nor work on a file.
        self._rests = threading.Event()
        # Commands carried out and moves printed.
        self._steps = 0
        self._eof_ns: int | None = None
        # When a running search must be told to stop: after EOF, and after INFO sent meanwhile.
        self._stop_at_ns: int | None = None
        # When the clock of the running search began.
        self._started_ns = 0

    def serve(self) -> None:
        """Carry out commands until END, EOF or a manager that no longer reads. RuntimeError when
        the system cannot start the threads."""
        start_searcher(lambda: Thread(target=self._search, name="thinker", daemon=True))
        self._reader.start()
        while not self._is_over:
            if self._is_thinking or not self._carry_on():
                self._handle(self._next_event())
        self._give_up_file()
        self._transcript.close()

    def _carry_on(self) -> bool:
        """Carry out the next waiting line; end when no more can come. False: wait for an event."""
        if self._waiting:
            self._execute(self._waiting.popleft())
            return True
        if self._eof_ns is None:
            return False
        reply = self._session.close_block(self._eof_ns)
        self._answer(reply)
        if reply.limits is None:
            self._is_over = True
        return True

    def _next_event(self) -> Event | None:
        """The next event; None when it is time to stop the search first."""
        if self._stop_at_ns is None:
            return self._inbox.get()
        # A match with huge increments ends later than a queue can wait for.
        wait_s = min((self._stop_at_ns - time.perf_counter_ns()) / 1e9, threading.TIMEOUT_MAX)
        if wait_s <= 0:
            return None
        try:
            return self._inbox.get(timeout=wait_s)
        except Empty:
            return None

    def _handle(self, event: Event | None) -> None:
        match event:
            case Line():
                self._take_line(event)
            case Lost():
                self._waiting.append(event)
            case EndOfInput():
                self._eof_ns = event.read_ns
                if self._is_thinking:
                    self._stop_at(time.perf_counter_ns() + self._share_ns(self._eof_ns))
            case SearchEnd():
                self._is_thinking = False
                self._stop_at_ns = None
            case BrokenOutput():
                self._abandon()
            case None:
                self._stop_at_ns = None
                self._session.request_stop()

    def _take_line(self, line: Line) -> None:
        """Let END, and what ends or shortens a search, act at once; all but END is carried out in
        its turn too."""
        word = line.word
        if word == "END":
            self._abandon()
            return
        self._waiting.append(line)
        if not self._is_thinking:
            return
        if word in self._stopping_words:
            self._session.request_stop()
        elif word == "INFO":
            end_ns = self._session.end_of_search_ns(line, self._started_ns)
            if end_ns is not None:
                self._stop_at(end_ns)

    def _stop_at(self, end_ns: int) -> None:
        """End the running search by then, also if it was to end later."""
        if self._stop_at_ns is None or end_ns < self._stop_at_ns:
            self._stop_at_ns = end_ns

    def _execute(self, line: Line | Lost) -> None:
        if isinstance(line, Lost):
            self._answer(self._session.refuse_lost())
            return
        reply = self._session.execute(line)
        if reply.limits is not None and line.created_ns is not None:
            now_ns = time.perf_counter_ns()
            limits = with_whole_start(reply.limits, line.created_ns, now_ns)
            reply = reply._replace(limits=limits)
        self._answer(reply)

    def _answer(self, reply: Reply) -> None:
        self._writer.write(reply.lines)
        self._steps += 1
        if reply.limits is not None:
            self._think(reply.limits)

    def _think(self, limits: Limits) -> None:
        self._is_thinking = True
        now_ns = time.perf_counter_ns()
        self._started_ns = limits.started_ns or now_ns
        if self._eof_ns is not None:
            share_ns = self._share_ns(self._eof_ns)
            share_ms = share_ns // MILLISECOND_NS
            if limits.turn_ms is None or limits.turn_ms > share_ms:
                limits = limits._replace(turn_ms=share_ms, started_ns=now_ns)
            self._stop_at_ns = now_ns + share_ns
        self._rests.clear()
        self._requests.put(limits)
        if self._waiting.stopping and not self._session.is_filing:
            self._session.request_stop()

    @property
    def _stopping_words(self) -> tuple[str, ...]:
        """The words that end what runs now."""
        return FILE_STOPPING_WORDS if self._session.is_filing else STOPPING_WORDS

    def _give_up_file(self) -> None:
        """Before the process ends: leave no part of a file that is being written."""
        if self._is_thinking and self._session.is_filing:
            self._session.request_stop()
            any(self._rests.wait(FILE_LOOK_S) for _ in range(FILE_LOOKS))

    def _leave(self, status: int = 0) -> None:
        """End the process, from any thread; nothing more is printed."""
        self._writer.mute()
        self._give_up_file()
        self._leave_at_once(status)

    def _share_ns(self, eof_ns: int) -> int:
        """The time one search gets after EOF; those still waiting get as much each."""
        left_ns = max(0, eof_ns + EOF_BUDGET_NS - time.perf_counter_ns())
        return left_ns // (1 + self._waiting.searching)

    def _abandon(self) -> None:
        """Print nothing more and end, without waiting for a running search."""
        self._writer.mute()
        self._is_over = True
        if self._is_thinking:
            self._session.request_stop()

    def _search(self) -> None:
        """In the thinking thread: serve requests until the process ends, and print reports and
        moves without waiting for the main thread to wake."""
        session, write = self._session, self._writer.write
        while True:
            outcome = session.think(self._requests.get(), lambda info: write(session.report(info)))
            write(session.finish(outcome, time.perf_counter_ns()))
            self._steps += 1
            self._rests.set()
            if not self._waiting and self._eof_ns is None and not self._is_over:
                session.ponder()
            self._inbox.put(SearchEnd())

    def _receive(self, item: Line | EndOfInput) -> None:
        """In the reading thread: pass a line on, and make sure that the process ends at an end."""
        if isinstance(item, EndOfInput):
            self._inbox.put(item)
            self._watch(EOF_GIVE_UP_S, status=1)
            return
        self._transcript.received(item.text)
        word = item.word
        if word == "END":
            if self._is_thinking:
                # Freeing a big hash table takes time, and so does waking two threads.
                self._leave()
            self._inbox.put(item)
            self._watch(END_GIVE_UP_S, status=0)
            return
        admitted = self._waiting.admit(item)
        if admitted is not None:
            self._inbox.put(admitted)
        if admitted is not item and self._is_thinking and word in self._stopping_words:
            self._session.request_stop()

    def _watch(self, give_up_s: float, status: int) -> None:
        """In the reading thread, which has nothing more to read: end the process with this status
        when a step hangs. After the end of the input a manager may read as slowly as it likes;
        after END it need not read at all."""
        detector = HangDetector(give_up_s)
        last_s, last_line = time.process_time(), self._writer.lines
        while not self._is_over:
            time.sleep(LOOK_S)
            now_s, line = time.process_time(), self._writer.lines
            step: object = self._steps
            if self._writer.is_writing and line == last_line:
                if status == 0:
                    break
                step = object()
            # All threads of a search use it.
            used_s = (now_s - last_s) / self._session.game.settings.threads
            if detector.is_over(step, used_s):
                break
            last_s, last_line = now_s, line
        if not self._is_over:
            self._leave(status)


def run(
    make_brain: Callable[[], Brain],
    about: About,
    transcript: Transcript | None = None,
    file_settings: FileSettings = NO_FILE,
    start_up: StartUp | None = None,
) -> NoReturn:
    """Serve a manager on standard input and output, then end the process.

    The brain is made when the first game begins; `about` answers ABOUT. `start_up` was begun early
    in the process; None: it begins here.
    Ctrl-C and SIGTERM end it at once and print nothing. The process ends without Python's own
    clean-up, which can take long with a big hash table while the manager waits. Its status is 1,
    with a line on standard error, when answers are lost.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    loop = Loop(
        make_brain,
        about,
        transcript or Transcript(),
        input_descriptor=0,
        output_descriptor=1,
        leave=_leave,
        file_settings=file_settings,
        start_up=start_up or begin(os.getpid()),
    )
    try:
        loop.serve()
    except (MemoryError, RuntimeError) as problem:
        # Where a process may have only a few dozen megabytes.
        _leave(1, f"the program cannot run: {str(problem) or 'not enough memory'}")
    _leave(0)


def _leave(status: int, reason: str = "the search hangs: answers after it are lost") -> NoReturn:
    if status:
        os.write(2, f"{reason}\n".encode("ascii", "replace"))
    os._exit(status)
