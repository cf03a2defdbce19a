"""Programs that misbehave, in real runs: each loses with the right termination and detail, the next
game is played, and no process is left running."""

from __future__ import annotations

import re
import sys
import threading
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tengen.arena.match.play_game import ProgramPool, Watcher
from tengen.arena.match.schedule import Job, Setting
from tengen.arena.programs.program import Timeouts
from tengen.arena.programs.spec import ProgramSpec
from tengen.game.game import Game
from tengen.game.played import Termination as T
from tengen.game.referee import BLACK, RENJU, WHITE
from tests.acting import AMPLE_S, IGNORE_END, INSTANT, acting
from tests.processes import processes_of
from tests.stopwatch import Late, timed

# A move of a program that fails to make one has 0.2 s; after another 1.5 s it is not waited for any
# more. Where a move that it does make takes longer, the test is tried again.
TURN_S = 0.2
NO_MOVE = r"no move in 1\.7 s"
PATIENCE = Timeouts(start_s=AMPLE_S, tolerance_s=1.0, late_s=0.5, exit_s=0.3)
# To one that is not going to start.
START_S = 0.5
# A late move must not count as a stall.
PATIENT = replace(PATIENCE, late_s=AMPLE_S)

SMALL = Setting(7, 7, 0)
RENJU_BOARD = Setting(15, 15, RENJU)

BLACK_ONLY = "on begin only_black = True"
# A move in two pieces.
SPLIT = """on move x, y = quiet()
os.write(1, b'%d,' % x)
time.sleep(0.05)
cell = str(y)
stones.append((x, y, 1))
"""
# A core is busy all the time.
PONDER = """on begin import threading
threading.Thread(target=exec, args=("while True: pass",), daemon=True).start()
"""
ABSURD = (
    "MESSAGE",
    "DEBUG",
    "message eval",
    "MESSAGE Depth \\x7c Eval \\x7c Node \\x7c ",
    "MESSAGE Depth 7-3 \\x7c Eval nan \\x7c Node -5 \\x7c Time -1ms \\x7c Z99",
    *(f"MESSAGE Depth {n} \\x7c Eval -{n}.5 \\x7c Node {n}G" for n in ("9" * 400, "9" * 5000)),
    f"MESSAGE Eval +M{'9' * 5000}",
    "MESSAGE [/red] %s {0} \\ \x1b[2J \x07",
)


@pytest.fixture
def label() -> Iterator[str]:
    """Marks the processes of a test; none of them may run after it."""
    text = f"misbehaving-{uuid.uuid4().hex}"
    yield text
    strays = processes_of(text)
    for process in strays:
        process.kill()
    assert not strays


def _program(name: str, label: str, *acts: str, **more: Any) -> ProgramSpec:
    acts = tuple(act.replace("LABEL", repr(repr(label))) for act in acts)
    return acting(name, f"on label {label}", *acts, **more)


def _run(
    bad: ProgramSpec,
    good: ProgramSpec,
    setting: Setting,
    timeouts: Timeouts = PATIENCE,
    games: int = 2,
) -> list[Game]:
    """Games in which `bad` is Black first, then White, and so on, as a worker of a run plays them:
    the programs stay alive from game to game."""
    names = [(bad.name, good.name), (good.name, bad.name)]
    jobs = [Job(i, i // 2, *names[i % 2], ()) for i in range(games)]
    players = ProgramPool({bad.name: bad, good.name: good}, setting, timeouts)
    try:
        return [players.play(job, Watcher(), threading.Event()) for job in jobs]
    finally:
        players.close()


@dataclass(frozen=True)
class Case:
    """What a program does (tests/actor.py), and how a game with it ends; `detail` is a pattern for
    the whole text."""

    acts: tuple[str, ...]
    termination: T
    detail: str
    timeouts: Timeouts = PATIENCE
    setting: Setting = SMALL
    start_s: float | None = None


# The first child leaves the process group and the session, as daemons do.
CHILDREN = "[child(LABEL, stdout=None, start_new_session=i == 0) for i in range(3)]"
FAILURES = (
    Case(
        ("pass", "pass", "die(3, f'fatal: something broke on move {move + 1}')"),
        T.CRASH,
        "ended with status 3: fatal: something broke on move 3",
    ),
    Case(("pass", "os._exit(0)"), T.CRASH, "ended with status 0"),
    Case(("os.abort()",), T.CRASH, f"ended with status {3 if sys.platform == 'win32' else -6}"),
    Case(("pass", "os.close(1)|time.sleep(600)"), T.CRASH, "closed its output"),
    Case(("pass", "time.sleep(600)"), T.STALL, NO_MOVE),
    Case(("os.write(1, b'3,3')|cell = ''",), T.STALL, NO_MOVE),
    Case(("while True: os.write(1, b'MESSAGE still thinking\\n' * 2000)",), T.STALL, NO_MOVE),
    Case(("pass", "while True: os.write(2, b'still thinking\\n' * 2000)"), T.STALL, NO_MOVE),
    Case(("while True: os.write(1, b'x' * 65536)",), T.STALL, NO_MOVE),
    Case(
        ("pass", f"time.sleep({TURN_S + 1.4})"),
        T.TIMEOUT,
        r"took (1\.[2-9]|[2-9]\.|\d\d\.)\d* s of 0\.200 s",
        PATIENT,
    ),
    Case(
        ("pass", "cell = 'ERROR no move'"), T.ILLEGAL, r"answered TURN \d,\d with 'ERROR no move'"
    ),
    Case(("pass", "cell = '0,0'"), T.ILLEGAL, "played a7, a cell that is not empty"),
    Case(("cell = '7,0'",), T.ILLEGAL, "played 7,0, off the board"),
    Case((CHILDREN, "die()"), T.CRASH, "ended with status 3: .*"),
    # Children that hold the output open turn its end into a stall.
    Case((CHILDREN, "os.close(1)|time.sleep(600)"), T.STALL, NO_MOVE),
    # The answer stands; the next request cannot be made.
    Case(("pass", "os.close(0)|say('%d,%d' % quiet())|time.sleep(600)"), T.CRASH, ".*"),
    Case(
        tuple(f"cell = {x}, {y}" for x, y in ((6, 7), (8, 7), (7, 6), (7, 8), (7, 7))),
        T.FORBIDDEN,
        "played h8: double three",
        setting=RENJU_BOARD,
    ),
)


@timed
@pytest.mark.parametrize("case", FAILURES, ids=lambda case: case.acts[-1])
def test_misbehaving_as_black_loses_that_game_and_the_next_is_played(
    label: str, case: Case
) -> None:
    turn_s = AMPLE_S if case.termination is T.CRASH else TURN_S
    bad = _program("bad", label, BLACK_ONLY, *case.acts, turn_s=turn_s)
    failed, played = _run(bad, _program("good", label), case.setting, case.timeouts)
    late = {T.TIMEOUT, T.STALL}
    if played.termination in late or failed.termination in late - {case.termination}:
        raise Late(f"{failed.termination}, {played.termination}")
    assert (failed.winner, failed.termination) == (WHITE, case.termination)
    assert re.fullmatch(case.detail, failed.detail)
    assert (played.winner, played.termination, played.detail) == (0, T.FULL, "")


LATE = rf"no OK to START 7 in {START_S} s"
STARTS = (
    Case(("on START skip = True",), T.STALL, LATE, start_s=START_S),
    Case(("on begin time.sleep(60)",), T.STALL, LATE, start_s=START_S),
    Case(
        ("on START skip = True|say('ERROR no size 7')",),
        T.ILLEGAL,
        "answered START 7 with 'ERROR no size 7'",
    ),
    Case(("on begin die(127, 'no library')",), T.CRASH, "ended with status 127: no library"),
)


@pytest.mark.parametrize("case", STARTS, ids=lambda case: case.acts[-1])
def test_a_program_that_does_not_get_ready_loses_with_both_colours(label: str, case: Case) -> None:
    bad = _program("bad", label, *case.acts, start_s=case.start_s)
    games = _run(bad, _program("good", label), SMALL, case.timeouts)
    assert [game.winner for game in games] == [WHITE, BLACK]
    for game in games:
        assert game.termination is case.termination
        assert re.fullmatch(case.detail, game.detail)
        assert len(game) == 0


def test_a_program_that_dies_on_the_second_start_of_a_process_loses_every_other_game(
    label: str,
) -> None:
    """It is started again for the game after that."""
    bad = _program("bad", label, "on START if starts > 1: die(4, 'the board is in use')")
    games = _run(bad, _program("good", label), SMALL, games=4)
    assert [game.termination for game in games] == [T.FULL, T.CRASH, T.FULL, T.CRASH]
    assert {game.detail for game in games if game.detail} == {
        "ended with status 4: the board is in use"
    }


@pytest.mark.parametrize(
    "acts",
    [
        (INSTANT,),
        ("on begin time.sleep(0.3)",),
        (CHILDREN,),
        (CHILDREN, *IGNORE_END),
        ("on begin end = '\\r\\n'", "on move more = end + '0,0'"),
        (SPLIT,),
        ("on move if move == 21: say('MESSAGE ' + 'x' * 1_000_000)",),
        ("on move os.write(1, bytes(range(128, 256)) + b'\\0\\7\\n')",),
        ("pass", f"say(*{ABSURD!r})"),
        ("on begin say('Misbehaving 1.0')", "on START skip = True|say('OK - everything is fine')"),
        (PONDER,),
        ("pass", "hoard.append(b'x' * (20 << 20))", "on move hoard.append(b'x' * (1 << 20))"),
    ],
)
def test_what_is_only_odd_is_accepted(label: str, acts: tuple[str, ...]) -> None:
    for game in _run(_program("bad", label, *acts), _program("good", label), SMALL):
        assert game.detail == ""
        assert game.termination in (T.FULL, T.FIVE)
        assert game.termination is T.FULL or acts == (INSTANT,)


@pytest.mark.parametrize(
    ("acts", "held", "moves"),
    [
        (("pass", "pass", "hoard.append(b'x' * (150 << 20))"), r"1[5-9]\d", 4),
        (("on move hoard.append(b'x' * (40 << 20))",), r"1[2-4]\d", 4),
        (("[child('b = b\"x\" * (60 << 20);' + LABEL) for i in range(2)]",), r"1[2-7]\d", 0),
    ],
)
def test_too_much_memory_loses(label: str, acts: tuple[str, ...], held: str, moves: int) -> None:
    bad = _program("bad", label, BLACK_ONLY, *acts, memory_bytes=100 * 2**20)
    game = _run(bad, _program("good", label), SMALL, games=1)[0]
    assert (game.winner, game.termination) == (WHITE, T.MEMORY)
    assert re.fullmatch(rf"held {held} MiB of 100 MiB", game.detail)
    assert len(game) == moves
    assert game.match is not None
    black_bytes, white_bytes = game.match.peak_bytes
    assert black_bytes and white_bytes and black_bytes > 100 * 2**20 > white_bytes


def test_memory_within_the_limit_is_no_failure(label: str) -> None:
    act = "hoard.append(b'x' * (60 << 20))"
    bad = _program("bad", label, act, memory_bytes=150 * 2**20)
    unlimited = _program("other", label, act, memory_bytes=0)
    for game in _run(bad, unlimited, SMALL):
        assert game.termination is T.FULL
