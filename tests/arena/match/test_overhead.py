"""What `tengen match` itself costs, between two programs that answer at once."""

from __future__ import annotations

import statistics
import threading
import time

import pytest

from tengen.arena.match.players import Players
from tengen.arena.match.schedule import OpeningOrder, make_schedule
from tengen.arena.match.story import Nobody
from tengen.arena.programs.player import Patience
from tengen.arena.programs.program import Program
from tengen.game.record.game import Game, Job, Move, Setting
from tengen.game.record.openings import built_in_openings
from tengen.game.record.termination import Termination
from tengen.game.record.time_control import TimeControl
from tengen.game.rules.referee import Referee
from tests.misbehaving import COMMAND

BRAIN = (*COMMAND, "--instant")


class _Stopwatch(Nobody):
    """Measures the whole time from one move to the next, including that of the programs."""

    def __init__(self) -> None:
        self.gaps_s: list[float] = []
        self._last: float | None = None

    def game_started(self, job: Job, board: Referee) -> None:
        self._last = None

    def moved(self, job: Job, board: Referee, move: Move) -> None:
        now = time.perf_counter()
        if self._last is not None:
            self.gaps_s.append(now - self._last)
        self._last = now


def _play(games: int, rule: int, memory_bytes: int) -> tuple[list[float], float]:
    """Sorted milliseconds a move, and games a second from the second game on."""
    programs = {
        name: Program(name, BRAIN, TimeControl(5.0), memory_bytes=memory_bytes) for name in "AB"
    }
    order = OpeningOrder(built_in_openings(15, 15), 15, 15, 1)
    jobs = make_schedule("roundrobin", ["A", "B"], games + 1, 0, order).next_round({})
    players = Players(programs, Setting(15, 15, rule), Patience())
    watch = _Stopwatch()
    played: list[Game] = []
    try:
        players.play(jobs[0], Nobody(), threading.Event())
        began = time.perf_counter()
        for job in jobs[1:]:
            played.append(players.play(job, watch, threading.Event()))
        took_s = time.perf_counter() - began
    finally:
        players.close()
    # In renju a brain that does not look plays fouls, which are ends like others here.
    ends = {game.termination for game in played} - {Termination.FIVE, Termination.FORBIDDEN}
    assert not ends
    return sorted(1000 * gap for gap in watch.gaps_s), games / took_s


def test_a_move_costs_little() -> None:
    gaps_ms, _ = _play(20, 0, 0)
    # On a busy machine some moves of hundreds are undisturbed.
    assert gaps_ms[len(gaps_ms) // 50] < 2


@pytest.mark.verify
@pytest.mark.parametrize("rule", [0, 1, 4, 8])
@pytest.mark.parametrize("memory_mib", [0, 350])
def test_what_a_move_costs(rule: int, memory_mib: int) -> None:
    gaps_ms, games_per_s = _play(300, rule, memory_mib * 2**20)
    median, high = statistics.median(gaps_ms), gaps_ms[int(0.99 * len(gaps_ms))]
    print(
        f"rule {rule}, {f'{memory_mib} MiB' if memory_mib else 'no memory limit'}:"
        f" {len(gaps_ms)} moves, median {median:.3f} ms, 99 % below {high:.3f} ms,"
        f" {games_per_s:.0f} games/s"
    )
    if not memory_mib:
        assert median < 0.5 and high < 3
        assert games_per_s >= 20
