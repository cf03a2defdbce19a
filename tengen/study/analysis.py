"""What the engine thinks of a position: its best moves, and what both sides threaten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.api import Engine
from engine.model import Info, Limits
from engine.text import point_name
from tengen.game.position import Point, Position
from tengen.game.referee import BLACK, WHITE, Cell, Referee
from tengen.game.rules import five_points, open_four_points
from tengen.game.values import Record
from tengen.study.results import Analysis, Defences, Solution, analysis_of, score_text
from tengen.study.solver import Check, Effort, check_answer, defend, solve

# So many parts of the limits go to each of two questions to the threat solver: does the side to
# move win by threats, and would the opponent? The rest goes to the search.
_PARTS = 8


@dataclass(frozen=True)
class Threats:
    """What the stones of one colour threaten, by the referee.

    fives       the points where it wins.
    open_fours  the points where it may play and then has two points to win at or more.
    """

    fives: tuple[Cell, ...]
    open_fours: tuple[Cell, ...]


@dataclass(frozen=True)
class Study:
    """One position.

    search       the best moves.
    win          the forced win of the side to move that the threat solver has looked for, and
                 `check`, the referee's verdict on its proof; None without a win.
    defence      the win that the opponent would have if it were to move, and what stops it.
    threats      by colour.
    forbidden    the points where Black would make a foul, row by row.
    """

    position: Position
    search: Analysis
    win: Solution
    check: Check | None
    defence: Defences
    threats: dict[int, Threats]
    forbidden: tuple[Point, ...]


def analyse(
    brain: Engine,
    position: Position,
    time_ms: int | None,
    nodes: int | None,
    lines: int,
    tell: Callable[[str], None] = lambda text: None,
) -> Study:
    """Analyses a position.

    time_ms, nodes  limits for everything together, None = no limit of that kind.
    lines           so many best moves are searched, 1 to 64.
    tell            called with what is done, or what was found, in a few words.
    """
    part = Effort("vct", _share(time_ms, 1), _share(nodes, 1))
    tell("a win by threats")
    win = solve(brain, position, part)
    tell("the opponent's threats")
    defence = defend(brain, position, part)
    tell("the best moves")
    brain.new_game()
    brain.set_position(position.to_model())
    limits = Limits(
        turn_ms=_share(time_ms, _PARTS - 2),
        nodes=_share(nodes, _PARTS - 2),
        lines=lines,
        is_analysis=True,
    )
    info = brain.think(limits, lambda info: tell(info_text(info, position.height))).info
    board = position.referee()
    return Study(
        position,
        analysis_of(info, position.height),
        win,
        check_answer(position, win) if win.is_win else None,
        defence,
        {colour: threats_of(board, colour) for colour in (BLACK, WHITE)},
        tuple(position.forbidden()),
    )


def info_text(info: Info, height: int) -> str:
    """What a search has found so far: `depth 14, h8 +35`."""
    best = f", {point_name(info.pv[0], height)} {score_text(info.score)}" if info.pv else ""
    return f"depth {info.depth_plies}{best}"


def threats_record(threats: Threats) -> Record:
    """Threats as plain values."""
    return {"fives": threats.fives, "open_fours": threats.open_fours}


def threats_of(board: Referee, colour: int) -> Threats:
    """The points of `colour` on this board, each kind row by row. A point that is forbidden to
    Black is none of its points."""
    empties = board.empties()
    fives = five_points(board, empties, colour)
    open_fours = open_four_points(board, colour) - set(fives)
    return Threats(tuple(fives), tuple(cell for cell in empties if cell in open_fours))


def _share(limit: int | None, parts: int) -> int | None:
    return None if limit is None else max(1, limit * parts // _PARTS)
