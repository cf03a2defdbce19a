"""The best lines of a position (Limits.lines) and points that are not played (Limits.excluded)."""

from __future__ import annotations

import random

import pytest

from engine.api import Engine
from engine.model import (
    Info,
    Limits,
    Placed,
    Point,
    Position,
    Result,
    Rule,
    SolveLimits,
    Stone,
)
from tengen.lab.bench.signature import QUIET, load_positions
from tests.engine.announced_wins import Announcement, check
from tests.engine.positions import (
    engine_at,
    random_position,
)
from tests.engine.searches import checked_think

RULES = list(Rule)
ATTACK = Limits(nodes=200_000)


def think(position: Position, limits: Limits) -> Result:
    """The result of a new engine, checked."""
    return checked_think(engine_at(position), limits)


def random_positions(seed: int, count: int) -> list[Position]:
    rnd = random.Random(seed)
    return [random_position(rnd, rnd.choice(RULES), stones=(0, 30)) for _ in range(count)]


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
    for position in load_positions(QUIET)[::8]:
        limits = Limits(depth_plies=7)
        one, several = (think(position, limits._replace(lines=n)) for n in (1, 4))
        scores = one.info.score, several.info.score
        if all(score.mate_plies is None for score in scores):
            compared += 1
            same += one.move == several.move
            difference += scores[1].value - scores[0].value
            assert one.info.nodes < several.info.nodes
            nodes = [nodes[0] + one.info.nodes, nodes[1] + several.info.nodes]
    assert nodes[1] < 6 * nodes[0]
    assert compared > 5 and same > compared * 0.6
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
    assert different <= compared // 8


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


def test_of_lines_that_are_alike_one_is_listed() -> None:
    lines = think(Position(15, 15), Limits(depth_plies=2, lines=40)).lines
    assert len(lines) == 36  # an eighth of the board, with edges


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_move_by_move_until_none_is_left(rule: Rule) -> None:
    cells = ((2, 2), (3, 2), (2, 3), (3, 3), (2, 4), (3, 4))
    stones = tuple(Placed(x, y, Stone.BLACK if x == 2 else Stone.WHITE) for x, y in cells)
    engine = engine_at(Position(6, 6, rule, stones))
    excluded: set[Point] = set()
    while len(excluded) < 30:
        excluded.add(checked_think(engine, Limits(nodes=300, excluded=excluded)).move)
    for limits in (Limits(excluded=excluded), Limits(excluded=excluded, lines=3)):
        with pytest.raises(ValueError, match="every empty point is excluded"):
            engine.think(limits)
    assert engine.think(Limits(nodes=300)).move in excluded


def test_a_win_that_begins_elsewhere_counts() -> None:
    """Whatever is announced without the best move is a win without it."""
    rnd = random.Random(40)
    checked = 0
    while checked < 12:
        position = random_position(rnd, Rule.FREESTYLE, stones=(4, 40), walls=False)
        engine = engine_at(position)
        if (engine.solve(SolveLimits(nodes=2000)).plies or 1) == 1:
            continue
        limits = Limits(nodes=3000, is_analysis=True)
        best = engine.think(limits)
        if best.info.score.mate_plies is None:
            continue
        result = checked_think(engine, limits._replace(excluded=(best.move,)))
        plies = result.info.score.mate_plies
        if plies is not None and 3 <= plies <= 7:
            verdict = check(Announcement(position, plies), ATTACK, result.move)
            assert verdict.ok, (position, best.move, result, verdict)
            checked += 1
