"""What think() keeps from search to search, and that it does one thing at a time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.api import Engine
from engine.model import Info, Limits, Point, Position, Result, Rule
from tests.engine.announced_wins import Announcement, stubborn_defence
from tests.engine.during import Pondering
from tests.engine.positions import engine_at, from_pos

QUIET = from_pos("h8i9g9i7")
NO_LIMITS = Limits()
# Black wins, and has to answer fours before it does.
WON = Announcement(
    Position.from_moves(
        "9,9 4,5 7,7 9,5 6,3 6,6 8,9 7,6 10,9 11,9 10,10 8,6 9,6 4,6 5,6 4,8 4,7 5,7 7,5 3,5 2,4"
        " 1,5 2,5 2,6 7,9 6,9 3,7 1,7 0,8 6,5 8,8 11,11 8,7"
    ),
    plies=13,
)
ATTACK = Limits(nodes=200_000)


class PonderingEngine(Engine):
    """Before every move it ponders on a position that does not come."""

    def think(
        self, limits: Limits = NO_LIMITS, on_info: Callable[[Info], None] | None = None
    ) -> Result:
        position = self.get_position()
        self.set_position(QUIET)
        self.request_stop()
        super().think(Limits(is_ponder=True))
        self.set_position(position)
        return super().think(limits, on_info)


@pytest.mark.parametrize("kind", [Engine, PonderingEngine])
def test_an_announced_win_is_kept_through_forced_replies(kind: type[Engine]) -> None:
    """A forced reply is played without a search, which alone would know nothing of the win. What
    was pondered in vain announces nothing."""
    assert stubborn_defence(WON, kind(), ATTACK) >= 1


def test_a_win_ends_where_its_move_was_not_played() -> None:
    """The four that then forces the reply is the opponent's own."""
    engine = engine_at(Position(15, 15, Rule.FREESTYLE))
    for x, y in ((6, 7), (6, 2), (7, 7), (7, 2), (8, 7), (8, 2), (5, 2), (0, 0)):
        engine.play(x, y)
    result = engine.think(Limits(nodes=1000))
    assert (result.move.y, result.info.score.mate_plies) == (7, 3)
    engine.play(0, 14)
    engine.play(9, 2)
    result = engine.think(Limits(nodes=1000))
    assert (result.move, result.info.score.mate_plies) == (Point(10, 2), None)


@pytest.mark.parametrize("limits", [Limits(turn_ms=20_000), Limits(is_ponder=True)])
def test_a_second_task_is_refused_until_the_first_has_ended(limits: Limits) -> None:
    pondering = Pondering(engine_at(QUIET), limits)
    pondering.until_it_has_begun()
    engine = pondering.engine
    for call in (engine.think, engine.solve):
        with pytest.raises(RuntimeError, match="thinking already"):
            call()
    pondering.stop()
    assert engine.think(Limits(nodes=500)).info.nodes == 500
