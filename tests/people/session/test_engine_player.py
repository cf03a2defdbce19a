"""Programs at the board: names, levels, searches that are stopped, and programs that fail."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from engine.model import Limits, Position, Stone
from tengen.people.session.engine_player import TENGEN, EnginePlayer, Level, PendingSearch
from tests.acting import command_of, noted
from tests.people.session.brains import Endless

PATIENCE_S = 60.0  # for a busy machine
# It needs thought.
OPENING = Position.from_moves("h8 i7")


def test_levels() -> None:
    assert Level().limits() == Limits(turn_ms=1000)
    assert Level(0.25).limits(is_analysis=True) == Limits(turn_ms=250, is_analysis=True)
    assert Level(nodes=5000).limits() == Limits(nodes=5000)
    assert (str(Level(1e6)), str(Level(0.25))) == ("1,000,000 s a move", "0.25 s a move")


def _running(player: EnginePlayer) -> PendingSearch:
    """A search of ten minutes that has begun; of Tengen, one that has finished an iteration."""
    thinking = player.start(OPENING, Limits(turn_ms=600_000))
    if isinstance(player._brain, Endless):
        assert player._brain.has_begun.wait(PATIENCE_S)
    else:
        while thinking.info is None:
            assert not thinking.wait(0.01) and thinking.elapsed_s < PATIENCE_S
    assert not thinking.is_over
    return thinking


@pytest.mark.parametrize("name", ["endless", TENGEN])
def test_a_stop_before_the_search_has_begun(name: str) -> None:
    player = EnginePlayer(name)
    first = _running(player)
    second = player.start(OPENING, Limits(turn_ms=600_000))
    # The second one waits for the first one, and ends at once as it begins.
    second.stop()
    assert not second.wait(0.05)
    first.stop()
    assert first.wait(PATIENCE_S) and second.wait(PATIENCE_S)


def test_a_late_stop_does_not_end_the_next_search() -> None:
    player = EnginePlayer("endless")
    first = _running(player)
    first.stop()
    assert first.wait(PATIENCE_S)
    second = _running(player)
    first.stop()
    assert not second.wait(0.3)
    second.stop()
    assert second.wait(PATIENCE_S)


# In the first the last stone is forbidden, in the second it is of the side to move: both have been
# set up, and are shown with the others.
@pytest.mark.parametrize(
    ("moves", "side"), [("h8 a1 i8 a2 j10 a3 j11 a4 j8", Stone.WHITE), ("h8 i9 g9", Stone.BLACK)]
)
def test_a_protocol_program_takes_stones_that_were_set_up(
    moves: str, side: Stone, tmp_path: Path
) -> None:
    player = EnginePlayer(f"cmd={shlex.join(command_of(row=0, log=tmp_path / 'log'))}")
    position = Position.from_moves(moves, rule="renju")._replace(side_to_move=side)
    thinking = player.start(position, Limits(turn_ms=60_000))
    assert thinking.wait(2 * PATIENCE_S) and thinking.result().move == (0, 0)
    player.close()
    told = noted("told", log=tmp_path / "log")
    assert told[told.index("BOARD") + 1 : told.index("DONE")] == [
        f"{x},{y},{1 if stone == side else 2}" for x, y, stone in position.stones
    ]


def test_a_new_game_is_forgotten_before_the_next_search() -> None:
    player = EnginePlayer("endless")
    brain = player._brain
    assert isinstance(brain, Endless)
    for wanted in (1, 2):
        player.new_game()
        assert brain.games == wanted - 1  # not while it may be searching
        thinking = _running(player)
        assert brain.games == wanted
        thinking.stop()
        thinking.wait(PATIENCE_S)
    _running(player).stop()
    assert brain.games == 2


def test_a_level_of_strength_has_its_name_and_repeats_with_a_seed() -> None:
    assert EnginePlayer(TENGEN).name == "Tengen"
    moves = []
    for seed in (4, 4):
        player = EnginePlayer(TENGEN, seed, 1 << 20, strength_level=3)
        assert player.name == "Tengen 3"
        thinking = player.start(Position(15, 15), Level(1.0).limits())
        assert thinking.wait(PATIENCE_S)
        moves.append(thinking.result().move)
    assert moves[0] == moves[1]
