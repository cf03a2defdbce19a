"""Checks the zip of a tournament entry for `tengen check`: the zip, then the program in it, which
plays sanity positions of every league, as the judge does.

The judge starts a new process for each game, writes START and the INFO lines without waiting, stops
the process at once, and lets it run only during its own turns; so starting is part of the first
move.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import click
import psutil
from rich.console import Console

from engine.files import open_file
from engine.text import point_name
from tengen.arena.check.conversation import (
    Conversation,
    Failure,
    Knowledge,
    Settings,
    Skip,
    Stone,
)
from tengen.arena.check.entry import EntryProgram, ZipEntry, choose_program
from tengen.arena.check.games import (
    LEAGUES,
    POSITIONS,
    League,
    SanityPosition,
    expect_good,
    set_up,
)
from tengen.arena.check.limits import expect_gone
from tengen.arena.check.managers import MEMORY_BYTES, open_as_judge, suspend
from tengen.arena.check.moves import opening_stones
from tengen.arena.check.registry import Finding, Outcome, counts, find
from tengen.arena.match.summary import print_line
from tengen.arena.programs.program import OPPONENT, OWN
from tengen.arena.programs.wine import (
    is_missing,
    windows_command,
    windows_path,
    wine_folders,
    wine_running,
)
from tengen.game.json_text import Record, json_text
from tengen.game.record.numbers import counted
from tengen.game.referee import BLACK, Cell, Referee, opponent_of

# Changes when programs that read the document have to change.
JSON_FORMAT = 1
FOLDER_LIMIT_BYTES = 70 << 20
# The judge kills the program this long after END.
_END_S = 0.5
# A killed process is gone from the system's list a moment later.
_KILLED_S = 1.0
_SUSPENDED_S = 0.1
_LONG_TURN_MS = 60_000
_NO_LIMIT = 2_147_483_647
_ABOUT = re.compile(r'(\w+)\s*=\s*"([^"]*)"')


@dataclass(frozen=True)
class EntryWish:
    """What is checked of an entry, and how.

    turn_ms    the time for a move; None = that of each league.
    memory_s   how long the search is whose memory is measured.
    runner     the words that start the program, instead of wine; None = wine, where it is needed.
    is_static  the program is not started.
    """

    turn_ms: int | None = 1000
    memory_s: float = 3.0
    runner: tuple[str, ...] | None = None
    is_static: bool = False


def check_entry(path: Path, wish: EntryWish, is_json: bool) -> int:
    """Checks a zip and prints what is found. The exit status: 0 if nothing has failed, 1 if
    something has, 2 if the program could not be started here. OSError for no file, and for a wine
    that does not start."""
    not_run = ""
    if wish.is_static:
        not_run = "--static was given"
    elif wish.runner is None and is_missing():
        not_run = "wine is missing (Debian, Ubuntu: apt-get install wine wine64)"
        click.echo(f"{not_run}: the program is not started, only the zip is checked", err=True)
    console = Console()
    findings: list[Finding] = []
    for finding in _findings(path, wish, bool(not_run)):
        findings.append(finding)
        if not is_json:
            _show(console, finding)
    count = counts(finding.outcome for finding in findings)
    if is_json:
        document: Record = {
            "format": JSON_FORMAT,
            "zip": str(path),
            "results": [finding.as_record() for finding in findings],
            "summary": {
                **count,
                "not_started": not_run,
                "ok": not count["fail"] and not not_run,
            },
        }
        click.echo(json_text(document, indent=1))
    else:
        told = f"; the program was not started: {not_run}" if not_run else ""
        checks = counted(len(findings), "check")
        line = f"{checks}: {count['pass']} passed, {count['skip']} skipped,"
        print_line(console, f"{line} {count['fail']} failed{told}")
    return 1 if count["fail"] else 2 if not_run and not wish.is_static else 0


def _findings(path: Path, wish: EntryWish, is_static: bool) -> Iterator[Finding]:
    with ExitStack() as stack:
        entry = ZipEntry(path, stack.enter_context(open_file(path)))
        yield from entry.check()
        if is_static:
            return
        if not entry.can_be_unpacked:
            note = "not started: see what has failed above"
            yield Finding(title="the program", outcome=Outcome.SKIP, note=note)
            return
        # Windows may hold the file of a program a moment longer than the process lives.
        folder = tempfile.TemporaryDirectory(prefix="tengen-zip-", ignore_cleanup_errors=True)
        run = _EntryRun(entry.programs, Path(stack.enter_context(folder)).resolve(), wish)
        entry.unpack(run.folder)
        if wish.runner is None:
            stack.enter_context(wine_running())
        yield from run.checks()


def _show(console: Console, finding: Finding) -> None:
    line = finding.outcome.text.append(f"  {finding.title}", "default")
    if finding.outcome is Outcome.FAIL:
        line.append(f": expected {finding.expected}, received {finding.received}", "default")
    elif finding.note:
        line.append(f": {finding.note}", "default")
    print_line(console, line)


class _EntryRun:
    """The checks of the programs of an entry. The zip is to be unpacked into `folder`, and nothing
    may be written there."""

    def __init__(self, programs: Sequence[EntryProgram], top: Path, wish: EntryWish) -> None:
        self._programs = programs
        self._wish = wish
        self.folder = top / "program"
        # For INFO folder.
        self._data = top / "data"
        self._data.mkdir()

    def checks(self) -> Iterator[Finding]:
        """Every check, each finding as it comes. No process is left running."""
        watched = [self.folder, *([] if self._wish.runner else wine_folders())]
        before = _snapshot(watched)
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
        yield find("nothing written outside its folder", _expect_unchanged, watched, before)

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
            first = self._play(talk, league, [])
            expect_good(board, first, BLACK, "a legal move")
            board.play(*first, BLACK)
            first_s = talk.elapsed_s
            reply = talk.free_cell()
            board.play(*reply, opponent_of(BLACK))
            second = self._ask(talk, league, [talk.turn_line(reply)])
            expect_good(board, second, BLACK, "a legal move")
            names = point_name(first, league.size), point_name(second, league.size)
            return f"{names[0]} in {first_s:.2f} s, {names[1]} in {talk.elapsed_s:.2f} s"

    def _sanity(self, program: EntryProgram, league: League, position: SanityPosition) -> str:
        board, colour = set_up(position, league.size, league.rule)
        stones: list[Stone] = [
            (x, y, OWN if stone == colour else OPPONENT) for x, y, stone in board.stones()
        ]
        with self._talk(program) as talk:
            cell = self._play(talk, league, stones)
            expect_good(board, cell, colour, position.expected, position.judge)
            return f"{point_name(cell, league.size)} in {talk.elapsed_s:.2f} s"

    def _memory(self, program: EntryProgram) -> str:
        peak = 0
        with self._talk(program) as talk:
            self._search(talk, LEAGUES[0])
            deadline = time.perf_counter() + self._wish.memory_s
            while time.perf_counter() < deadline and not talk.process.wait(0.05):
                peak = max(peak, talk.process.uss_bytes() or talk.process.rss_bytes())
        if not peak:
            raise Skip("this system does not tell the memory of a process")
        if peak > MEMORY_BYTES:
            limit = f"at most {MEMORY_BYTES >> 20} MB"
            raise Failure(limit, f"{peak >> 20} MB in a search of {self._wish.memory_s:g} s")
        return f"at most {peak >> 20} MB in a search of {self._wish.memory_s:g} s"

    def _end(self, program: EntryProgram, is_searching: bool) -> str:
        with self._talk(program) as talk:
            if is_searching:
                self._enter_search(talk)
            else:
                talk.request("START 15")
                talk.expect_ok()
            talk.send("END")
            return expect_gone(talk, _END_S)

    def _kill(self, program: EntryProgram) -> str:
        """Piskvork kills the process that it has started, and no children."""
        with self._talk(program) as talk:
            self._enter_search(talk)
            with suppress(psutil.NoSuchProcess):
                psutil.Process(talk.process.pid).kill()
            return expect_gone(talk, _KILLED_S)

    def _folder_size(self) -> str:
        files = _snapshot([self._data])
        size = sum(size for size, _ in files.values())
        if size > FOLDER_LIMIT_BYTES:
            limit = f"at most {FOLDER_LIMIT_BYTES >> 20} MB in the folder of INFO folder"
            raise Failure(limit, f"{size >> 20} MB")
        return f"{counted(len(files), 'file')}, {size / (1 << 20):.1f} MB"

    # ---- talking as the judge does

    def _talk(self, program: EntryProgram) -> Conversation:
        file = self.folder / program.name
        runner = self._wish.runner
        command = windows_command(file) if runner is None else (*runner, str(file))
        # The judge runs a program in the folder it was unpacked to.
        return Conversation(Settings(command, folder=self.folder), Knowledge())

    def _open(self, talk: Conversation, league: League, turn_ms: int) -> None:
        data = str(self._data) if self._wish.runner else windows_path(self._data)
        open_as_judge(talk, league.size, league.rule, turn_ms, league.match_ms, data)

    def _play(self, talk: Conversation, league: League, stones: Sequence[Stone]) -> Cell:
        """The first move, with these stones on the board."""
        self._open(talk, league, self._wish.turn_ms or league.turn_ms)
        suspend(talk, _SUSPENDED_S)
        return self._ask(talk, league, talk.board_lines(stones))

    def _ask(self, talk: Conversation, league: League, lines: Sequence[str]) -> Cell:
        talk.request(f"INFO time_left {league.match_ms}", *lines)
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


def _expect_unchanged(folders: Sequence[Path], before: dict[Path, tuple[int, int]]) -> str:
    after = _snapshot(folders)
    changed = sorted(
        str(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)
    )
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        raise Failure("files only in the folder of INFO folder", changed[0] + more)
    return ""


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
