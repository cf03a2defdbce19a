"""A run of `tengen lab mates`: games searched and judged, also in several processes, and its log.

The log is a file of JSON lines. The first one holds the settings of the run, each further line one
game with the mates announced in it and what became of them. A game is on the disk before the next
result is taken, so that a run that was killed goes on after the games that it has finished.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from engine.files import open_log, read_file
from engine.model import Limits
from tengen.game.record.games_jsonl import parse_records
from tengen.study.announcements import Source, announcements
from tengen.study.judge import PLAYED, PROVED, UNSETTLED, WRONG, judge, judgement_record
from tengen.study.solver import new_brain

_FORMAT = 1
_KIND = "tengen lab mates"

Record = dict[str, Any]


@dataclass(frozen=True)
class MatesPlan:
    """What decides the results of a run, besides its games.

    nodes        of the search of each position of a game.
    check_nodes  of the searches that judge an announcement (see judge.py).
    """

    nodes: int
    check_nodes: int


def examine(plan: MatesPlan, source: Source) -> Record:
    """Searches a game and judges the mates that are announced in it. The record of the game; it
    depends on the plan and the game only."""
    judged = [
        judgement_record(said, judge(new_brain(), said, plan.check_nodes))
        for said in announcements(new_brain(), source, Limits(nodes=plan.nodes))
    ]
    return {"game": source.name, "mates": judged}


def examine_all(
    plan: MatesPlan, sources: Iterable[Source], jobs: int
) -> Generator[Record, None, None]:
    """The records of the games, each as soon as it is ready; in order with one job. Sources may be
    without end: no more are taken than there are processes for. Closing the iterator ends the
    processes at once."""
    if jobs == 1:
        yield from map(partial(examine, plan), sources)
        return
    # New interpreters: a forked process would inherit the locks of our threads.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_process)
    others = set(multiprocessing.active_children())
    waiting = iter(sources)
    try:
        running: set[Future[Record]] = set()
        while True:
            for source in islice(waiting, jobs - len(running)):
                running.add(pool.submit(examine, plan, source))
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        pool.shutdown(cancel_futures=True)


def _begin_process() -> None:
    """For the processes of a run: Ctrl-C is for the one that started them, and they end with it,
    also when it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class MatesLog:
    """The log of a run, open for writing; without a path nothing is written. A context manager.

    games  the records of the games so far, those of earlier runs into the same file first.
    """

    def __init__(self, path: Path | None, plan: MatesPlan) -> None:
        """Opens a new log, or one to go on with. ValueError, naming the file, if it is not a log of
        a run with the same settings; OSError if it cannot be read or written."""
        self.games: list[Record] = []
        self._file: IO[str] | None = None
        if path is None:
            return
        try:
            kept = read_file(path, 1 << 30)
        except FileNotFoundError:
            kept = b""
        if kept:
            self.games = _read_log(kept.decode("utf-8", "replace"), path, plan)
            # A last line that was only half written is cut off.
            os.truncate(path, kept.rfind(b"\n") + 1)
        self._file = open_log(path)
        if not kept:
            self._write({"format": _FORMAT, "kind": _KIND, **asdict(plan)})

    def add(self, record: Record) -> None:
        """Writes the record of a game and waits until it is on the disk."""
        self.games.append(record)
        self._write(record)

    def _write(self, record: Record) -> None:
        if self._file is not None:
            self._file.write(json.dumps(record) + "\n")
            self._file.flush()
            os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()


def _read_log(text: str, path: Path, plan: MatesPlan) -> list[Record]:
    header, *games = parse_records(text, str(path)) or [{}]
    if header.get("kind") != _KIND or header.get("format") != _FORMAT:
        raise ValueError(f"{path}: is not a log of tengen lab mates")
    for name, value in asdict(plan).items():
        if header.get(name) != value:
            option = name.replace("_", "-")
            raise ValueError(
                f"{path}: was made with --{option} {header.get(name)}, not {value}; give the same"
                " or name another --out"
            )
    for number, game in enumerate(games, start=2):
        mates = game.get("mates")
        if not isinstance(mates, list) or not all(map(_is_judgement, mates)):
            raise ValueError(f"{path}, line {number}: is not a game of tengen lab mates")
    return games


def _is_judgement(mate: object) -> bool:
    """Does the value have all that the summary reads?"""
    if not isinstance(mate, dict) or type(mate.get("plies")) is not int:
        return False
    verdict, rule = mate.get("verdict"), mate.get("rule")
    return verdict in (PROVED, PLAYED, WRONG, UNSETTLED) and type(rule) is int


def mates_of(games: Iterable[Mapping[str, Any]]) -> list[Record]:
    """The announced mates of all games."""
    return [mate for game in games for mate in game["mates"]]
