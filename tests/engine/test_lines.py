"""The best lines of a position (Limits.lines): their order, their values, and where they end."""

from __future__ import annotations

import random

import pytest

from engine.api import Engine
from engine.model import Info, Limits, Placed, Position, Result, Rule, Score, SolveLimits, Stone
from tengen.lab.bench.signature import QUIET, load_records
from tests.engine.announced_wins import Announcement, check
from tests.engine.checked_search import checked_think
from tests.engine.positions import Cell, engine_at, from_picture, from_pos, random_position

RULES = list(Rule)
ATTACK = Limits(nodes=200_000)


def think(position: Position, limits: Limits) -> Result:
    """The result of a new engine, checked."""
    return checked_think(engine_at(position), limits)


def moves(result: Result) -> list[Cell]:
    return [line.pv[0] for line in result.lines]


def names(result: Result, position: Position) -> list[str]:
    return [position.name_of(move) for move in moves(result)]


def random_positions(seed: int, count: int) -> list[Position]:
    rnd = random.Random(seed)
    return [random_position(rnd, rnd.choice(RULES), stones=(0, 30)) for _ in range(count)]


def beside_a_stone(position: Position, cell: Cell) -> bool:
    return any(
        max(abs(stone.x - cell[0]), abs(stone.y - cell[1])) == 1
        for stone in position.stones
        if stone.stone is not Stone.WALL
    )


# -- what holds everywhere


def test_an_interrupted_search_has_lines_of_the_last_two_iterations() -> None:
    """Wherever it ends, each line is one that the whole search reports for the same depth."""
    compared = mixed = 0
    for position in random_positions(2, 16):
        engine = engine_at(position)
        reports: list[Info] = []
        engine.think(Limits(nodes=6000, lines=3), reports.append)
        known = {line for info in reports for line in info.lines}
        for nodes in range(50, reports[-1].nodes if reports else 0, 397):
            engine.new_game()
            result = checked_think(engine, Limits(nodes=nodes, lines=3))
            if result.lines[0].depth_plies:
                compared += 1
                assert known.issuperset(result.lines), (position, nodes)
                mixed += len({line.depth_plies for line in result.lines}) > 1
    assert compared > 40 and mixed > 5


def test_the_first_line_is_as_good_as_that_of_a_search_of_one_line() -> None:
    """They share a table, so its move is not always the same; its value is as high on average."""
    compared = same = difference = 0
    nodes = [0, 0]
    for record in load_records(QUIET)[::3]:
        limits = Limits(depth_plies=7)
        one, several = (think(record.position, limits._replace(lines=n)) for n in (1, 4))
        scores = one.info.score, several.info.score
        if all(score.mate_plies is None for score in scores):
            compared += 1
            same += one.move == several.move
            difference += scores[1].value - scores[0].value
            assert one.info.nodes < several.info.nodes
            nodes = [nodes[0] + one.info.nodes, nodes[1] + several.info.nodes]
    assert nodes[1] < 6 * nodes[0]
    assert compared > 15 and same > compared * 0.6
    assert abs(difference) < 20 * compared


def test_lines_have_the_values_of_their_moves_alone() -> None:
    """At depth 2 a line has the value that a search of depth 1 gives the position after its move.

    That search looks for wins by fours first, so values are compared unless it finds one. Both
    search every reply here, but of a line that is not better than the others the last replies may
    be left out.
    """
    compared = different = 0
    engine = Engine()
    for position in random_positions(4, 40):
        engine.new_game()
        engine.set_parameter("lmp_pv", 10_000)
        engine.set_position(position)
        for line in checked_think(engine, Limits(depth_plies=2, lines=4)).lines:
            if line.score.mate_plies is None and line.depth_plies == 2:
                engine.new_game()
                engine.set_position(position)
                engine.play(*line.pv[0])
                after = engine.think(Limits(depth_plies=1)).info
                if after.score.mate_plies is None and after.depth_plies == 1:
                    different += line.score != -after.score
                    compared += 1
    assert compared > 60
    assert different <= compared // 20


def test_no_other_move_is_better_than_the_lines() -> None:
    """At depth 1 a move is worth the static value after it, unless a four or an open three has to
    be answered or the opponent wins by fours. Few moves come so late in the order that they are
    not searched though they are better."""
    compared = missed = 0
    engine = Engine()
    for position in random_positions(5, 60):
        result = think(position, Limits(depth_plies=1, lines=3))
        if len(result.lines) < 3 or any(line.score.mate_plies for line in result.lines):
            continue
        listed = moves(result)
        for cell in ((x, y) for y in range(position.height) for x in range(position.width)):
            engine.set_position(position)
            if not beside_a_stone(position, cell) or engine.is_forbidden(*cell):
                continue
            if any((stone.x, stone.y) == cell for stone in position.stones):
                continue
            engine.play(*cell)
            value = -engine.static_value()
            if threatens_to_win(engine) or engine.solve(SolveLimits(method="vcf")).plies:
                continue
            if cell in listed:
                assert result.lines[listed.index(cell)].score == Score(value), (position, cell)
            else:
                missed += Score(value) > result.lines[-1].score
            compared += 1
    assert compared > 300
    assert missed <= compared // 50


def threatens_to_win(engine: Engine) -> bool:
    """True when the side that has just moved could make a five or an open four now."""
    position = engine.get_position()
    engine.set_position(position._replace(side_to_move=position.side_to_move.opponent))
    wins = engine.solve(SolveLimits(method="vcf", moves=2)).plies in (1, 3)
    engine.set_position(position)
    return wins


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_a_line_that_announces_a_win_is_one(rule: Rule) -> None:
    checked, rnd = 0, random.Random(10 + rule)
    while checked < 6:
        position = random_position(rnd, rule, stones=(4, 30), walls=False)
        for line in think(position, Limits(nodes=3000, lines=6)).lines:
            plies = line.score.mate_plies
            if plies is not None and 3 <= plies <= 7:
                verdict = check(Announcement(position, plies), ATTACK, line.pv[0])
                assert verdict.ok, (position, line, verdict)
                checked += 1


# -- positions made by hand


def test_every_five_is_a_line_and_then_the_open_fours() -> None:
    position, marks = from_picture("""
        . . . . . . . . . .
        . . . . . . . . . .
        . O . . . . . . O .
        . . . . . . . . . .
        . . * X X X X * . .
        . . . . . . . . . .
        . O . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
    """)
    result = think(position, Limits(depth_plies=3, lines=4))
    assert [str(line.score) for line in result.lines] == ["+M1", "+M1", "+M3", "+M3"]
    assert set(moves(result)[:2]) == marks["*"]
    # Where the board is its own mirror image, the two fives are one line.
    symmetric = tuple(stone for stone in position.stones if stone.y in (2, 4))
    result = think(position._replace(stones=symmetric), Limits(depth_plies=3, lines=2))
    assert [str(line.score) for line in result.lines] == ["+M1", "+M3"]


def test_a_five_comes_first_also_where_the_opponent_has_two() -> None:
    position, marks = from_picture("""
        . . . . . . . . .
        . . O O O O . . .
        . . . . . . . . .
        . . * X X X X O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    result = think(position, Limits(nodes=500, lines=3))
    assert result.lines[0].score == Score(0, 1)
    assert {result.move} == marks["*"]
    # Every other move leaves a five to the opponent.
    assert len(result.lines) == 1


def test_a_forced_reply_is_the_only_line_at_once() -> None:
    position = from_pos("h8h7i8i7j8j7k8")._replace(side_to_move=Stone.WHITE)
    stones = (*position.stones, Placed(11, 7, Stone.WHITE))
    position = position._replace(stones=stones, side_to_move=Stone.WHITE)
    result = think(position, Limits(turn_ms=5000, lines=8))
    assert names(result, position) == ["g8"]
    assert result.info.nodes == 0
    looked_at = think(position, Limits(nodes=3000, lines=8, is_analysis=True))
    assert names(looked_at, position) == ["g8"]
    assert looked_at.info.nodes > 0


def test_only_defences_are_lines_against_an_open_three() -> None:
    position, marks = from_picture(
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . * X X X * . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . O . O . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
        Stone.WHITE,
    )
    result = think(position, Limits(depth_plies=4, lines=64))
    near = {(2, 4), (8, 4), (3, 4), (7, 4)}
    assert marks["*"] <= set(moves(result)) <= near
    assert len(result.lines) < 64


def test_of_symmetric_moves_one_is_a_line() -> None:
    lines = think(from_pos("h8"), Limits(depth_plies=3, lines=64)).lines
    folded = [(min(x, 14 - x), min(y, 14 - y)) for x, y in (line.pv[0] for line in lines)]
    corners = {(min(cell), max(cell)) for cell in folded}
    assert len(corners) == len(lines) > 3


def test_an_empty_board_has_lines() -> None:
    result = think(Position(15, 15), Limits(depth_plies=2, lines=40))
    assert len(result.lines) == 36  # an eighth of the board, with its edges
    assert think(Position(15, 15), Limits(depth_plies=2)).info.nodes == 0


def test_lost_lines_come_the_longest_first_and_the_search_ends() -> None:
    """White can only delay the five by fours; every line is lost."""
    position, _ = from_picture(
        """
        . . . . . . . . . . .
        . . . . . . . . . . .
        . O O O X . . . . . .
        . . . . . . . . . . .
        . . . X X X X . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """,
        Stone.WHITE,
    )
    result = think(position, Limits(turn_ms=20_000, lines=5))
    assert [str(line.score) for line in result.lines] == ["-M2"]
    stones = tuple(stone for stone in position.stones if (stone.x, stone.y) != (6, 4))
    position = position._replace(stones=stones)
    result = think(position, Limits(nodes=300_000, lines=64))
    plies = [line.score.mate_plies for line in result.lines]
    assert len(plies) == 2 and all(n is not None and n < 0 for n in plies)
    assert result.info.nodes < 300_000


def test_a_search_ends_when_every_line_is_proven() -> None:
    """Black has an open four in several ways; White has nothing."""
    position, _ = from_picture("""
        . . . . . . . . .
        . . . . . . . . .
        O . . . . . . . O
        . . . X X X . . .
        . . . . . . . . .
        O . . X X X . . O
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    result = think(position, Limits(turn_ms=20_000, lines=4))
    assert len(result.lines) == 4
    assert all(line.score >= Score(0, 7) for line in result.lines)
    assert result.info.time_ms < 5000


WIN_BY_FOURS = """
    . . . . . . . . . . .
    . . . . . q X X X O .
    . O X X X p r . . . .
    . . . . . X . . . . .
    . . . . O X . . . . .
    . . . . . O . . . . .
    . . . . . . . . . . .
    . . . O . . . . . . .
    . . . . . . O . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
"""


def test_a_win_that_is_too_long_to_end_the_search_stays_a_line() -> None:
    """Black makes fours on p and q. A search for a shorter win (mate_plies) goes on after that, and
    must not forget it, whatever its iterations find."""
    position, marks = from_picture(WIN_BY_FOURS)
    found = think(position, Limits(nodes=1000)).info
    assert (found.depth_plies, found.score) == (0, Score(0, 5))
    for nodes in (100, 500, 4000):
        result = think(position, Limits(nodes=nodes, lines=3, mate_plies=1))
        assert result.info.score == Score(0, 5)
    assert len(result.lines) == 3


def test_a_win_by_fours_is_the_first_line() -> None:
    position, marks = from_picture(WIN_BY_FOURS)
    result = think(position, Limits(nodes=2000, lines=3))
    assert result.lines[0].pv == think(position, Limits(nodes=2000)).info.pv
    assert {result.move} <= marks["p"] | marks["q"] | marks["r"]
    assert [line.depth_plies for line in result.lines] == [0, 1, 1]


def test_proven_losses_stay_lines_and_are_not_searched_again() -> None:
    position, _ = from_picture(WIN_BY_FOURS, Stone.WHITE)
    lines = think(position, Limits(depth_plies=9, lines=12)).lines
    assert len(lines) == 12
    lost = [line for line in lines if line.score == Score(0, -6)]
    assert lost and {line.depth_plies for line in lost} == {7}  # no defence could last longer


def test_an_analysis_lists_the_solvers_win_first() -> None:
    position = Position.from_moves("g10 j10 g9 f10 f9 h11 e9 h9 g8")
    position = position._replace(side_to_move=Stone.BLACK)
    plain = think(position, Limits(nodes=20_000, is_analysis=True))
    several = think(position, Limits(nodes=20_000, is_analysis=True, lines=3))
    assert plain.info.score.mate_plies is not None and plain.info.score.mate_plies > 0
    assert several.info.score >= plain.info.score
    assert len(several.lines) == 3
