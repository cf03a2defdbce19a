"""Programs that misbehave, in real runs: each loses with the right termination and detail, the next
game is played, and no process is left running."""

from __future__ import annotations

import re
import sys
import threading
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pytest

from tengen.arena.match.play_game import ProgramPool, Watcher
from tengen.arena.match.schedule import Job, Setting
from tengen.arena.programs.program import Timeouts
from tengen.arena.programs.spec import ProgramSpec
from tengen.game.game import Game
from tengen.game.played import Report, TimeControl
from tengen.game.played import Termination as T
from tengen.game.referee import BLACK, RENJU, WHITE
from tests.actor import AMPLE_S
from tests.misbehaving import COMMAND
from tests.processes import processes_of

# A move of a program that fails to make one has 0.2 s; after another 1.5 s it is not waited for any
# more. That is enough for the moves that it does make, also on a busy machine.
TURN_S = 0.2
NO_MOVE = r"no move in 1\.7 s"
PATIENCE = Timeouts(start_s=AMPLE_S, tolerance_s=1.0, late_s=0.5, exit_s=0.3)
# To one that is not going to start.
START_S = 0.5
# A late move must not count as a stall.
PATIENT = replace(PATIENCE, late_s=AMPLE_S)

SMALL = Setting(7, 7, 0)
RENJU_BOARD = Setting(15, 15, RENJU)


@pytest.fixture
def label() -> Iterator[str]:
    """Marks the processes of a test; none of them may run after it."""
    text = f"misbehaving-{uuid.uuid4().hex}"
    yield text
    strays = processes_of(text)
    for process in strays:
        process.kill()
    assert not strays


def _program(name: str, label: str, switches: str, **more: object) -> ProgramSpec:
    command = (*COMMAND, "--label", label, *switches.split())
    program = ProgramSpec(name, command, TimeControl(AMPLE_S))
    return replace(program, **more)  # type: ignore[arg-type]


def _run(
    bad: ProgramSpec,
    good: ProgramSpec,
    setting: Setting,
    timeouts: Timeouts = PATIENCE,
    games: int = 2,
) -> list[Game]:
    """Games in which `bad` is Black first, then White, and so on."""
    names = [(bad.name, good.name), (good.name, bad.name)]
    jobs = [Job(i, i // 2, *names[i % 2], ()) for i in range(games)]
    return _played(jobs, bad, good, setting, timeouts)


def _played(
    jobs: Sequence[Job], one: ProgramSpec, other: ProgramSpec, setting: Setting, timeouts: Timeouts
) -> list[Game]:
    """Plays as a worker of a run does: the programs stay alive from game to game."""
    players = ProgramPool({one.name: one, other.name: other}, setting, timeouts)
    try:
        return [players.play(job, Watcher(), threading.Event()) for job in jobs]
    finally:
        players.close()


@dataclass(frozen=True)
class Case:
    """Switches, and how a game with them ends; `detail` is a pattern for the whole text."""

    switches: str
    termination: T
    detail: str
    timeouts: Timeouts = PATIENCE
    setting: Setting = SMALL
    start_s: float | None = None


FAILURES = (
    Case("--crash 3", T.CRASH, "ended with status 3: fatal: something broke on move 3"),
    Case("--exit 2", T.CRASH, "ended with status 0"),
    Case("--abort 1", T.CRASH, f"ended with status {3 if sys.platform == 'win32' else -6}"),
    Case("--closes-output 2", T.CRASH, "closed its output"),
    Case("--stall 2", T.STALL, NO_MOVE),
    Case("--no-line-end 1", T.STALL, NO_MOVE),
    Case("--flood", T.STALL, NO_MOVE),
    Case("--flood-stderr 2", T.STALL, NO_MOVE),
    Case("--endless-line", T.STALL, NO_MOVE),
    Case(
        "--late 2 --late-by 1.4",
        T.TIMEOUT,
        r"took (1\.[6-9]|[2-9]\.|\d\d\.)\d* s of 0\.200 s",
        PATIENT,
    ),
    Case("--garbage 2", T.ILLEGAL, NO_MOVE + r", but 'I resign, well played'"),
    Case("--error 2", T.ILLEGAL, r"answered TURN \d,\d with 'ERROR no move found'"),
    Case("--error 1", T.ILLEGAL, "answered BEGIN with 'ERROR no move found'"),
    Case("--illegal 1", T.ILLEGAL, "played a7, a cell that is not empty"),
    Case("--illegal 4", T.ILLEGAL, "played a7, a cell that is not empty"),
    Case("--off-board 1", T.ILLEGAL, "played 7,0, off the board"),
    Case("--children 3 --crash 2", T.CRASH, "ended with status 3: .*"),
    # Children that hold the output open turn its end into a stall.
    Case("--children 2 --closes-output 2", T.STALL, NO_MOVE),
    # The answer stands; the next request cannot be made.
    Case("--closes-input 2", T.CRASH, ".*"),
    Case("--forbidden 1", T.FORBIDDEN, "played h8: double three", setting=RENJU_BOARD),
)


@pytest.mark.parametrize("case", FAILURES, ids=lambda case: case.switches)
def test_misbehaving_as_black_loses_that_game_and_the_next_is_played(
    label: str, case: Case
) -> None:
    switches = f"{case.switches} --only-as black"
    bad = _program("bad", label, switches, control=TimeControl(TURN_S))
    failed, played = _run(bad, _program("good", label, ""), case.setting, case.timeouts)
    assert (failed.winner, failed.termination) == (WHITE, case.termination)
    assert re.fullmatch(case.detail, failed.detail)
    assert (played.winner, played.termination, played.detail) == (0, T.FULL, "")


STARTS = (
    Case("--no-ok", T.STALL, rf"no OK to START 7 in {START_S} s", start_s=START_S),
    Case("--slow-start 60", T.STALL, rf"no OK to START 7 in {START_S} s", start_s=START_S),
    Case(
        "--error-on-start",
        T.ILLEGAL,
        "answered START 7 with 'ERROR size 7 is not supported'",
    ),
    Case(
        "--dead-on-arrival",
        T.CRASH,
        "ended with status 127: error while loading shared libraries: .*",
    ),
)


@pytest.mark.parametrize("case", STARTS, ids=lambda case: case.switches)
def test_a_program_that_does_not_get_ready_loses_with_both_colours(label: str, case: Case) -> None:
    bad = _program("bad", label, case.switches, start_s=case.start_s)
    games = _run(bad, _program("good", label, ""), SMALL, case.timeouts)
    assert [game.winner for game in games] == [WHITE, BLACK]
    for game in games:
        assert game.termination is case.termination
        assert re.fullmatch(case.detail, game.detail)
        assert len(game) == 0


def test_a_program_that_dies_on_the_second_start_of_a_process_loses_every_other_game(
    label: str,
) -> None:
    """It is started again for the game after that."""
    bad = _program("bad", label, "--dies-on-second-start")
    games = _run(bad, _program("good", label, ""), SMALL, games=4)
    assert [game.termination for game in games] == [T.FULL, T.CRASH, T.FULL, T.CRASH]
    assert {game.detail for game in games if game.detail} == {
        "ended with status 4: fatal: the board is in use"
    }


@pytest.mark.parametrize(
    "switches",
    [
        "",
        "--instant",
        "--slow-start 0.3",
        "--ignore-end",
        "--children 3",
        "--children 2 --ignore-end",
        "--two-moves 1",
        "--suggest 1",
        "--split 20",
        "--long-line 22",
        "--binary 1",
        "--absurd 2",
        "--answers-info",
        "--banner --chatty-ok --plain-text --blanks",
        "--crlf --nodes-report",
        "--crlf --two-moves 1",
        "--stderr",
        "--ponder",
        "--think 0.005",
        "--memory-hog 20 --memory-at 2 --leak 1",
    ],
)
def test_what_is_only_odd_is_accepted(label: str, switches: str) -> None:
    for game in _run(_program("bad", label, switches), _program("good", label, ""), SMALL):
        assert game.detail == ""
        assert game.termination in (T.FULL, T.FIVE)
        assert game.termination is T.FULL or switches == "--instant"


@pytest.mark.parametrize(
    ("switches", "held", "moves"),
    [
        ("--memory-hog 150 --memory-at 3", r"1[5-9]\d", 4),
        ("--leak 40", r"1[2-4]\d", 4),
        ("--children 2 --child-memory 60", r"1[2-7]\d", 0),
    ],
)
def test_too_much_memory_loses(label: str, switches: str, held: str, moves: int) -> None:
    bad = _program("bad", label, f"{switches} --only-as black", memory_bytes=100 * 2**20)
    game = _run(bad, _program("good", label, ""), SMALL, games=1)[0]
    assert (game.winner, game.termination) == (WHITE, T.MEMORY)
    assert re.fullmatch(rf"held {held} MiB of 100 MiB", game.detail)
    assert len(game) == moves
    assert game.match is not None
    black_bytes, white_bytes = game.match.peak_bytes
    assert black_bytes and white_bytes and black_bytes > 100 * 2**20 > white_bytes


def test_memory_within_the_limit_is_no_failure(label: str) -> None:
    bad = _program("bad", label, "--memory-hog 60", memory_bytes=150 * 2**20)
    unlimited = _program("other", label, "--memory-hog 60", memory_bytes=0)
    for game in _run(bad, unlimited, SMALL):
        assert game.termination is T.FULL


def test_reports_reach_the_record(label: str) -> None:
    good = _program("good", label, "--nodes-report")
    game = _run(good, _program("other", label, ""), SMALL, games=1)[0]
    assert game[0].report == Report(1, 3, 10, None, 1000, "H8 H9")
    assert game[4].report == Report(3, 5, 30, None, 3000, "H8 H9")
    assert game[1].report is None
