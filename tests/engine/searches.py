"""Searches for tests: fixed, checked by the referee, and with something that happens meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from engine.api import Engine
from engine.model import Info, Limits, Line, Position, Result, Rule, Stone
from tests.engine.positions import referee_of
from tests.stopwatch import Stopwatch

# Static values stay within this; the largest value that is no mate.
VALUE_LIMIT = 29_000


def checked_think(engine: Engine, limits: Limits, spare_nodes: int = 0) -> Result:
    """The result of a search of the engine's position. AssertionError where a move or a line is
    illegal or excluded, a value is out of bounds, lines are not in order, depths or nodes of the
    reports go back, a limit is exceeded or the board is not as it was.

    spare_nodes  what the limit of nodes may be exceeded by.
    """
    position = engine.get_position()
    reports: list[Info] = []
    result = engine.think(limits, reports.append)
    engine.check()
    assert engine.get_position() == position
    assert result.move == result.info.pv[0] == result.lines[0].pv[0]
    for info in (*reports, result.info):
        assert (info.lines[0].score, info.lines[0].pv) == (info.score, info.pv)
        assert 1 <= len({line.pv[0] for line in info.lines}) == len(info.lines) <= limits.lines
        scores = [line.score for line in info.lines]
        assert scores == sorted(scores, reverse=True)
        for line in info.lines:
            assert line.depth_plies <= info.depth_plies + 1
            assert line.depth_plies == 0 or line.seldepth_plies >= len(line.pv)
            _check_moves(position, line, limits)
            _check_score(position, line)
        if limits.nodes is not None:
            assert info.nodes <= max(1, limits.nodes) + spare_nodes
        assert limits.depth_plies is None or info.depth_plies <= limits.depth_plies
    depths = [info.depth_plies for info in reports]
    assert depths == sorted(set(depths))
    for name in ("seldepth_plies", "nodes", "time_ms"):
        values = [getattr(info, name) for info in (*reports, result.info)]
        assert values == sorted(values), (name, values)
    return result


def _check_moves(position: Position, line: Line, limits: Limits) -> None:
    """Every stone of the line is on an empty cell and none follows a five. Black makes no foul
    where another move is left."""
    referee, colour = referee_of(position), position.side_to_move
    assert line.pv and line.pv[0] not in limits.excluded
    for number, (x, y) in enumerate(line.pv):
        assert number == 0 or not referee.winner(), f"{line} goes on after a five"
        assert referee.legal(x, y), f"{x},{y} of {line} is not empty"
        if colour is Stone.BLACK and referee.foul(x, y) is not None:
            left = set(referee.empties()) - (set() if number else set(limits.excluded))
            assert all(referee.foul(*cell) for cell in left), f"{x},{y} is a foul"
        referee.play(x, y, colour)
        colour = colour.opponent


def _check_score(position: Position, line: Line) -> None:
    mate = line.score.mate_plies
    if mate is None:
        assert abs(line.score.value) < VALUE_LIMIT
        return
    assert mate % 2 == (mate > 0), f"a mate with stone {mate}"
    assert len(line.pv) <= abs(mate)
    empties = len(referee_of(position).empties())
    # Where only forbidden points are left, Black counts as lost with the second stone.
    room = empties + (position.rule is Rule.RENJU)
    assert abs(mate) <= room, f"a mate with stone {mate} on {empties} empty cells"


PONDER = Limits(is_ponder=True)
OFTEN_S = 0.002


def think_while(act: Callable[[], object], engine: Engine, limits: Limits) -> Result:
    """Thinks in this thread; `act` runs in another one after the first report."""
    begun = threading.Event()

    def wait() -> None:
        begun.wait()
        act()

    other = threading.Thread(target=wait)
    other.start()
    try:
        return engine.think(limits, lambda _: begun.set())
    finally:
        begun.set()
        other.join()


class Pondering:
    """A think() in another thread."""

    def __init__(self, engine: Engine, limits: Limits = PONDER) -> None:
        self.engine = engine
        self.reports: list[Info] = []
        pool = ThreadPoolExecutor(1)
        self._result = pool.submit(engine.think, limits, self.reports.append)
        pool.shutdown(wait=False)

    def until_it_has_begun(self, depth_plies: int = 1) -> None:
        while len(self.reports) < depth_plies:
            time.sleep(OFTEN_S)

    def is_over(self) -> bool:
        return self._result.done()

    def end(self) -> tuple[Result, float]:
        """Waits for the result; with it, how long that took in milliseconds."""
        took_ms = Stopwatch().ms_until(self.is_over)
        return self._result.result(), took_ms

    def stop(self) -> Result:
        self.engine.request_stop()
        return self.end()[0]


# Without a net, and with the numbers from before the first tuning that was kept.
FIXED = {
    "use_net": 0,
    "error_share": 0,
    "lmp_pv": 10000,
    "old_move_reduction": 0,
    "razor_margin": 120,
    "futility_margin": 70,
    "lmp_linear": 130,
    "lmr_scale": 200,
    "lmr_base": 20,
    "lmr_cut": 100,
}


def fix_search(engine: Engine) -> None:
    """Sets the numbers of the search to FIXED."""
    for name, value in FIXED.items():
        engine.set_parameter(name, value)
