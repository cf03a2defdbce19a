"""The search: tactics, what is kept from move to move, limits, and random positions."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

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
from engine.parameters import PARAMS
from engine.text import read_moves
from tests.engine.announced_wins import Announcement, stubborn_defence
from tests.engine.positions import (
    SHAPES,
    engine_at,
    from_picture,
    from_pos,
    puzzle,
    random_position,
    referee_of,
)
from tests.engine.searches import Pondering, checked_think
from tests.paths import ROOT
from tests.stopwatch import Stopwatch, in_time, timed

RULES = list(Rule)


# Positions, each with the limits of a search and what it finds: the move is one of those that it
# `plays`, the `first` moves of its lines, their `scores`, its `nodes` and its `depth`.
ASKED = ("name", "limits", "without", "plays", "first", "scores", "nodes", "depth")
TEXTS = (ROOT / "tests" / "engine" / "searches.txt").read_text(encoding="ascii").split("\n\n")


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_what_a_search_finds(text: str) -> None:
    said = dict(line.split(": ") for line in text.splitlines() if ": " in line)
    kept = (line for line in text.splitlines() if line.split(": ")[0] not in ASKED)
    position = Position.from_text("\n".join(kept))
    without = read_moves(said.get("without", ""), position.width, position.height)
    limits: dict[str, Any] = {
        key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", said["limits"])
    }
    result = checked_think(engine_at(position), Limits(excluded=without, **limits))
    names = [position.name_of(line.pv[0]) for line in result.lines]
    found = {
        "plays": names[0] in said.get("plays", "").split() and said.get("plays"),
        "first": " ".join(sorted(names[: len(said.get("first", "").split())])),
        "scores": " ".join(str(line.score) for line in result.lines),
        "nodes": str(result.info.nodes),
        "depth": str(result.info.depth_plies),
    }
    wanted = {key: said[key] for key in found if key in said}
    assert wanted and {key: found[key] for key in wanted} == wanted


def test_a_full_board_is_refused() -> None:
    stones = tuple(Placed(x, y, Stone(1 + (x + y // 2) % 2)) for y in range(5) for x in range(5))
    engine = engine_at(Position(5, 5, Rule.FREESTYLE, stones, Stone.BLACK))
    with pytest.raises(ValueError, match="full"):
        engine.think(Limits(nodes=20_000))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_same_nodes_every_time_after_a_new_game(rule: Rule) -> None:
    """Two short games, then unrelated searches, then the same games: equal nodes and moves."""

    def play(engine: Engine, start: str) -> list[tuple[int, Point, str]]:
        engine.new_game()
        engine.set_position(from_pos(start, rule))
        record = []
        for nodes in (500, 3000, 1000, 2000):
            result = engine.think(Limits(nodes=nodes))
            engine.play(*result.move)
            record.append((result.info.nodes, result.move, str(result.info.score)))
        return record

    engine = Engine()
    first = [play(engine, "h8i9g9"), play(engine, "c3d4e3")]
    play(engine, "h8i8j9h10")
    assert [play(engine, "h8i9g9"), play(engine, "c3d4e3")] == first
    assert [play(Engine(), "h8i9g9"), play(Engine(), "c3d4e3")] == first


@timed
def test_the_time_limit_is_kept() -> None:
    engine = engine_at(from_pos("h8i9g9i7"))
    for turn_ms in (60, 150, 300):
        watch = Stopwatch()
        engine.think(Limits(turn_ms=turn_ms))
        in_time(watch.ms(), turn_ms + 50)


def _cross_of_walls() -> tuple[Placed, ...]:
    """Two black VCFs far apart, built so that only a stone between them stops both."""
    black = set()
    empty = {(0, 0)}
    for sign in (1, -1):
        for x, slope in ((1, 1), (2, -1), (3, 1), (4, -1)):
            empty |= {(sign * x, 0), (sign * (x + 1), slope)}
            black |= {(sign * (x + k), slope * k) for k in (2, 3, 4)}
    stones = []
    for y in range(21):
        for x in range(21):
            if (x - 10, y - 10) in black:
                stones.append(Placed(x, y, Stone.BLACK))
            elif (x - 10, y - 10) not in empty:
                stones.append(Placed(x, y, Stone.WALL))
    return tuple(stones)


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD, Rule.CARO])
def test_a_defence_far_from_every_stone_is_found(rule: Rule) -> None:
    engine = engine_at(Position(21, 21, rule, _cross_of_walls(), Stone.WHITE))
    result = engine.think(Limits(nodes=500_000))
    assert result.info.score.mate_plies is None
    assert result.move == (10, 10)


def test_an_analysis_asks_the_solver_again_when_the_search_finds_nothing() -> None:
    """A win by threes and fours that takes the solver 110,000 stones, and the search millions."""
    position = puzzle("wins-r0-s15", 5)
    engine = Engine()
    engine.set_parameter("use_net", 0)  # with a net the search finds it too
    found = {}
    for is_analysis in (True, False):
        engine.new_game()
        engine.set_position(position)
        result = engine.think(Limits(nodes=1_000_000, is_analysis=is_analysis))
        found[is_analysis] = result.info.score.mate_plies
    by_analysis, by_search = found[True], found[False]
    assert by_analysis is not None and by_analysis > 0
    assert by_search is None


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


THREADS = 3


def _limits(position: Position, best: tuple[int, int] | None, rnd: random.Random) -> Limits:
    """Some limits; `best` is the move of the last search, if it was one of this position."""
    free = referee_of(position).empties()
    excluded = set(rnd.sample(free, round(rnd.choice((0, 0, 0.1, 0.5, 1)) * len(free))))
    if best is not None and rnd.random() < 0.5:
        excluded.add(best)
    excluded.discard(rnd.choice([cell for cell in free if cell != best] or free))
    return Limits(
        nodes=rnd.choice((0, 1, 50, 400, 1500)),
        depth_plies=rnd.choice((None, None, None, 3)),
        is_analysis=rnd.random() < 0.3,
        lines=rnd.choice((1, 1, 1, 2, 5, 64)),
        mate_plies=rnd.choice((None, None, None, 3)),
        excluded=excluded,
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("positions", [40, pytest.param(1000, marks=pytest.mark.verify)])
def test_searches_of_random_positions(seed: int, positions: int) -> None:
    rnd = random.Random(f"{seed} {positions}")
    engine, mates = Engine(), 0
    for _ in range(positions):
        size = (
            (rnd.randint(5, 22), rnd.randint(5, 22)) if rnd.random() < 0.5 else rnd.choice(SHAPES)
        )
        # Long games are rare where lines are likely, so most positions have few stones.
        most = rnd.choice((8, 20, 60, size[0] * size[1]))
        position = random_position(rnd, rnd.choice(RULES), size, (0, most))
        engine.set_memory(None, rnd.choice((2**20, 2**20, 2**21, 2**24)))
        if rnd.random() < 0.7:
            engine.new_game()
        engine.set_strength(rnd.choice((100, 100, 100, rnd.randrange(100))), seed)
        threads = rnd.choice((1, 1, 1, 1, THREADS))
        engine.set_threads(threads)
        engine.set_position(position)
        best = None
        for _ in range(2):
            spare = 0 if threads == 1 else threads * 257
            result = checked_think(engine, _limits(position, best, rnd), spare)
            best = result.move
            mates += result.info.score.mate_plies is not None
    assert 0 < mates < 2 * positions


NODES = 200

ENDS = [(row.name, value) for row in PARAMS for value in (row.low, row.high)]

EXTREME_POSITIONS = (
    from_pos("h8i9g9i7j8h6", Rule.FREESTYLE),
    from_pos("h8i9g9i7j8h6g6f9", Rule.RENJU),
    # A double three is in the air, beside the edge and a wall.
    from_picture(
        """
        . . . . . . .
        . X . . O # .
        . X O . . . .
        . . X X O . .
        . O . . . . .
        """,
        Stone.BLACK,
        Rule.CARO,
    )[0],
)


def _search_all(engine: Engine) -> None:
    """Searches of all positions, and the threat solver."""
    for position in EXTREME_POSITIONS:
        engine.new_game()
        engine.set_position(position)
        checked_think(engine, Limits(nodes=NODES))
        # The table now holds entries, and the search begins again with other moves in front.
        checked_think(engine, Limits(nodes=NODES // 2, is_analysis=True))
        engine.solve(SolveLimits(nodes=NODES // 2))
        engine.check()


@pytest.mark.parametrize(("name", "value"), ENDS)
def test_a_parameter_at_the_end_of_its_range(name: str, value: int) -> None:
    engine = Engine()
    engine.set_memory(None, 2**20)
    engine.set_parameter(name, value)
    _search_all(engine)


def test_all_parameters_at_the_ends_of_their_ranges() -> None:
    """All at the low end, all at the high end, and ends chosen at random."""
    engine = Engine()
    engine.set_memory(None, 2**20)
    rnd = random.Random(5)
    for number in range(12):
        for row in PARAMS:
            ends = (row.low, row.high)
            engine.set_parameter(row.name, ends[number] if number < 2 else rnd.choice(ends))
        _search_all(engine)
