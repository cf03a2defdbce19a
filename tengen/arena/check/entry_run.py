"""Starts the program of an entry and plays sanity positions of every league, as the judge does.

The judge starts a new process for each game, writes START and the INFO lines without waiting, stops
the process at once, and lets it run only during its own turns; so starting is part of the first
move.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from engine.text import point_name
from tengen.arena.check.conversation import Conversation, Knowledge, Settings, Stone
from tengen.arena.check.entry import EntryProgram, choose_program
from tengen.arena.check.finding import Failure, Finding, Outcome, Skip, find
from tengen.arena.check.leagues import (
    LEAGUES,
    POSITIONS,
    League,
    SanityPosition,
    judge_move,
    set_up,
)
from tengen.arena.check.moves import opening_stones
from tengen.arena.programs.player import OPPONENT, OWN
from tengen.game.record.numbers import counted
from tengen.game.rules.referee import BLACK, Cell, Referee, opponent_of

MEMORY_LIMIT_BYTES = 350 << 20
FOLDER_LIMIT_BYTES = 70 << 20
# The judge kills the program this long after END.
_END_S = 0.5
# A process is gone from the system's list a moment after it has ended.
_GONE_S = 1.0
_SUSPENDED_S = 0.1
_LONG_TURN_MS = 60_000
_NO_LIMIT = 2_147_483_647
_ABOUT = re.compile(r'(\w+)\s*=\s*"([^"]*)"')


@dataclass(frozen=True)
class Workplace:
    """Where an entry is unpacked and runs.

    program    the folder of the unpacked zip.
    data       the folder that the program may write to.
    data_name  its name for INFO folder.
    start      the words that start a program file.
    watched    other folders in which nothing may be written.
    """

    program: Path
    data: Path
    data_name: str
    start: Callable[[Path], tuple[str, ...]]
    watched: Sequence[Path] = ()


class EntryRun:
    """Runs the checks of an unpacked entry.

    turn_ms   the time for a move; None = that of each league.
    memory_s  how long the search is whose memory is measured.
    """

    def __init__(
        self,
        programs: Sequence[EntryProgram],
        place: Workplace,
        turn_ms: int | None,
        memory_s: float,
    ) -> None:
        self._programs = programs
        self._place = place
        self._turn_ms = turn_ms
        self._memory_s = memory_s
        self._before = _snapshot([place.program, *place.watched])

    def checks(self) -> Iterator[Finding]:
        """Every check, each finding as it comes. No process is left running."""
        for program in self._programs:
            of = f" ({program.name})" if len(self._programs) > 1 else ""
            started = find(f"starts and answers OK{of}", self._starts, program)
            yield started
            if started.outcome is Outcome.FAIL:
                continue
            yield find(f"answers ABOUT{of}", self._about, program)
            for league in LEAGUES:
                if choose_program(self._programs, league.word, league.size) is program:
                    yield from self._league(league, program)
            yield find(f"memory{of}", self._memory, program)
            yield find(f"END ends it{of}", self._end, program, False)
            yield find(f"END ends it in mid-search{of}", self._end, program, True)
            yield find(f"killed in mid-search, nothing runs on{of}", self._kill, program)
        for league in LEAGUES:
            if choose_program(self._programs, league.word, league.size) is None:
                note = "no program is named for this league"
                yield Finding(title=league.name, outcome=Outcome.SKIP, note=note)
        yield find("size of its folder", self._folder_size)
        yield find("nothing written outside its folder", self._nothing_written)

    # ---- the checks

    def _starts(self, program: EntryProgram) -> str:
        with self._talk(program) as talk:
            talk.request("START 20")
            talk.expect_ok()
            return f"{talk.elapsed_s:.2f} s"

    def _about(self, program: EntryProgram) -> str:
        with self._talk(program) as talk:
            talk.request("ABOUT")
            expected = 'a line name="...", version="...", author="..."'
            text = talk.expect_plain(expected)
            facts = dict(_ABOUT.findall(text))
            if not (facts.get("name") and facts.get("version")):
                raise Failure(expected, repr(text[:200]))
            return ", ".join(f"{key} {value}" for key, value in facts.items() if value)

    def _league(self, league: League, program: EntryProgram) -> Iterator[Finding]:
        yield find(f"{league.name}: an empty board, then TURN", self._opens, program, league)
        for position in POSITIONS:
            if league.rule in position.rules:
                title = f"{league.name}: {position.title}"
                yield find(title, self._sanity, program, league, position)

    def _opens(self, program: EntryProgram, league: League) -> str:
        with self._talk(program) as talk:
            board = Referee(league.size, league.size, league.rule)
            talk.end = "\r\n"
            self._open(talk, league)
            first = self._ask(talk, league, talk.board_lines([]))
            _judge(board, first, BLACK, "a legal move")
            board.play(*first, BLACK)
            first_s = talk.elapsed_s
            reply = talk.free_cell()
            board.play(*reply, opponent_of(BLACK))
            second = self._ask(talk, league, [talk.turn_line(reply)])
            _judge(board, second, BLACK, "a legal move")
            names = point_name(first, league.size), point_name(second, league.size)
            return f"{names[0]} in {first_s:.2f} s, {names[1]} in {talk.elapsed_s:.2f} s"

    def _sanity(self, program: EntryProgram, league: League, position: SanityPosition) -> str:
        board, colour = set_up(position, league.size, league.rule)
        stones: list[Stone] = [
            (x, y, OWN if stone == colour else OPPONENT) for x, y, stone in board.stones()
        ]
        with self._talk(program) as talk:
            talk.end = "\r\n"
            self._open(talk, league)
            cell = self._ask(talk, league, talk.board_lines(stones))
            _judge(board, cell, colour, position.expected)
            if fault := position.judge(board, cell, colour):
                raise Failure(position.expected, f"{point_name(cell, board.height)}, {fault}")
            return f"{point_name(cell, league.size)} in {talk.elapsed_s:.2f} s"

    def _memory(self, program: EntryProgram) -> str:
        peak = 0
        with self._talk(program) as talk:
            self._search(talk, LEAGUES[0])
            deadline = time.perf_counter() + self._memory_s
            while time.perf_counter() < deadline and not talk.process.wait(0.05):
                peak = max(peak, talk.process.uss_bytes() or talk.process.rss_bytes())
        if not peak:
            raise Skip("this system does not tell the memory of a process")
        if peak > MEMORY_LIMIT_BYTES:
            limit = f"at most {MEMORY_LIMIT_BYTES >> 20} MB"
            raise Failure(limit, f"{peak >> 20} MB in a search of {self._memory_s:g} s")
        return f"at most {peak >> 20} MB in a search of {self._memory_s:g} s"

    def _end(self, program: EntryProgram, is_searching: bool) -> str:
        with self._talk(program) as talk:
            if is_searching:
                self._enter_search(talk)
            else:
                talk.request("START 15")
                talk.expect_ok()
            talk.send("END")
            return _expect_gone(talk, talk.expect_exit(_END_S))

    def _kill(self, program: EntryProgram) -> str:
        """Piskvork kills the process that it has started, and no children."""
        with self._talk(program) as talk:
            self._enter_search(talk)
            with suppress(psutil.NoSuchProcess):
                psutil.Process(talk.process.pid).kill()
            return _expect_gone(talk, talk.expect_exit(_GONE_S))

    def _folder_size(self) -> str:
        files = _snapshot([self._place.data])
        size = sum(size for size, _ in files.values())
        if size > FOLDER_LIMIT_BYTES:
            limit = f"at most {FOLDER_LIMIT_BYTES >> 20} MB in the folder of INFO folder"
            raise Failure(limit, f"{size >> 20} MB")
        return f"{counted(len(files), 'file')}, {size / (1 << 20):.1f} MB"

    def _nothing_written(self) -> str:
        after = _snapshot([self._place.program, *self._place.watched])
        changed = sorted(
            str(path)
            for path in self._before.keys() | after.keys()
            if self._before.get(path) != after.get(path)
        )
        if changed:
            more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            raise Failure("files only in the folder of INFO folder", changed[0] + more)
        return ""

    # ---- talking as the judge does

    def _talk(self, program: EntryProgram) -> Conversation:
        command = self._place.start(self._place.program / program.name)
        # The judge runs a program in the folder it was unpacked to.
        return Conversation(Settings(command, folder=self._place.program), Knowledge())

    def _open(self, talk: Conversation, league: League, turn_ms: int | None = None) -> None:
        is_searching = turn_ms is not None
        turn_ms = turn_ms or self._turn_ms or league.turn_ms
        talk.send(
            f"START {league.size}",
            f"INFO timeout_turn {turn_ms}",
            f"INFO timeout_match {league.match_ms}",
            f"INFO max_memory {MEMORY_LIMIT_BYTES}",
            "INFO game_type 3",
            f"INFO rule {league.rule}",
            f"INFO folder {self._place.data_name}",
        )
        talk.clear(league.size, league.size)
        talk.turn_s = turn_ms / 1000
        if not is_searching:
            talk.process.suspend(with_children=False)
            time.sleep(_SUSPENDED_S)

    def _ask(self, talk: Conversation, league: League, lines: Sequence[str]) -> Cell:
        talk.request(f"INFO time_left {league.match_ms}", *lines)
        talk.process.resume()
        return talk.expect_move_in(talk.turn_s)

    def _search(self, talk: Conversation, league: League) -> None:
        """Begins a search of a minute."""
        self._open(talk, league, _LONG_TURN_MS)
        talk.request(f"INFO time_left {_NO_LIMIT}", *talk.board_lines(opening_stones()))

    def _enter_search(self, talk: Conversation) -> None:
        """Brings the program into the middle of a search."""
        self._search(talk, LEAGUES[2])
        if talk.process.wait(1.0):
            raise Failure("a search of a minute", "the end of the process")


def _judge(board: Referee, cell: Cell, colour: int, expected: str) -> None:
    if fault := judge_move(board, cell, colour):
        raise Failure(expected, f"{point_name(cell, board.height)}, {fault}")


def _expect_gone(talk: Conversation, took_s: float) -> str:
    deadline = time.perf_counter() + _GONE_S
    while (left := talk.process.stragglers()) and time.perf_counter() < deadline:
        time.sleep(0.02)
    if left:
        names = ", ".join(f"process {process.pid}" for process in left)
        raise Failure("no process of the program", names)
    return f"{took_s:.2f} s"


def _snapshot(folders: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """Size and time of every file in some folders."""
    found = {}
    for folder in folders:
        for path in folder.rglob("*"):
            with suppress(OSError):
                if path.is_file() and not path.is_symlink():
                    status = path.stat()
                    found[path] = (status.st_size, status.st_mtime_ns)
    return found
