"""A search whose reports and move are checked by the referee."""

from __future__ import annotations

from collections.abc import Sequence

from engine.api import Engine
from engine.model import Info, Limits, Placed, Point, Position, Result, Stone
from tengen.game.rules.referee import Referee

# Static values stay within this; the largest value that is no mate.
VALUE_LIMIT = 29_000


def referee_of(position: Position) -> Referee:
    """A referee's board with the stones and walls of the position."""
    walls = [(x, y) for x, y, stone in position.stones if stone == Stone.WALL]
    referee = Referee(position.width, position.height, position.rule, walls)
    for x, y, stone in position.stones:
        if stone != Stone.WALL:
            referee.play(x, y, stone)
    return referee


def checked_think(engine: Engine, limits: Limits) -> Result:
    """The result of a search of the engine's position. AssertionError where a move or a line is
    illegal, a value is out of bounds, depths or nodes of the reports go back, the node limit is
    exceeded or the board is not as it was."""
    position = engine.get_position()
    reports: list[Info] = []
    result = engine.think(limits, reports.append)
    engine.check()
    assert engine.get_position() == position
    assert result.info.pv[0] == result.move
    for info in (*reports, result.info):
        _check_line(position, info.pv)
        _check_score(position, info)
        if limits.nodes is not None:
            assert info.nodes <= max(1, limits.nodes)
    depths = [info.depth_plies for info in reports]
    assert depths == sorted(set(depths))
    for name in ("seldepth_plies", "nodes", "time_ms"):
        values = [getattr(info, name) for info in reports]
        assert values == sorted(values), (name, values)
    return result


def _check_line(position: Position, line: Sequence[Point]) -> None:
    """Every stone of the line is on an empty cell and none follows a five. Black makes no foul
    where another move is left."""
    referee, colour = referee_of(position), position.side_to_move
    assert line
    for number, (x, y) in enumerate(line):
        assert number == 0 or not referee.winner(), f"{line} goes on after a five"
        assert referee.legal(x, y), f"{x},{y} of {line} is not empty"
        if colour == Stone.BLACK and referee.foul(x, y) is not None:
            assert all(referee.foul(*cell) for cell in referee.empties()), f"{x},{y} is a foul"
        referee.play(x, y, colour)
        colour = colour.opponent


def _check_score(position: Position, info: Info) -> None:
    mate = info.score.mate_plies
    if mate is None:
        assert abs(info.score.value) < VALUE_LIMIT
        return
    assert mate % 2 == (mate > 0), f"a mate with stone {mate}"
    assert len(info.pv) <= abs(mate)
    empties = len(referee_of(position).empties())
    # Where only forbidden points are left, Black counts as lost with the second stone.
    room = empties + (position.rule == 4)
    assert abs(mate) <= room, f"a mate with stone {mate} on {empties} empty cells"


def placed(stones: Sequence[tuple[int, int, int]]) -> tuple[Placed, ...]:
    """The stones as the engine takes them."""
    return tuple(Placed(x, y, Stone(stone)) for x, y, stone in stones)
