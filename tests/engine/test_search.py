"""The search: tactics, what is kept from move to move, limits, and random positions."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.api import Engine
from engine.model import (
    Info,
    Limits,
    Placed,
    Point,
    Position,
    ProofNode,
    Result,
    Rule,
    Score,
    SolveLimits,
    Stone,
)
from engine.parameters import PARAMS
from tengen.game.proof import check_win
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
from tests.stopwatch import HUNG_MS, Stopwatch, in_time, timed

RULES = list(Rule)

# Basic tactical positions: the move after 0.1 s.
CHECKS = [
    *((rule, "h8h9i8i9j8j9k8k9", {"g8", "l8"}) for rule in RULES),
    (Rule.STANDARD, "h8h9i8h10g8h11j13h12g14h14i15", {"f8", "j8"}),
    (Rule.CARO, "h8f8g8f9i8f7j8l8", {"f5", "f6", "f10", "f11"}),
    (Rule.CARO_EXACT, "h8f8g8f9i8f7j8l8", {"f5", "f6", "f10", "f11"}),
]


def _name(point: tuple[int, int]) -> str:
    return f"{chr(97 + point[0])}{point[1] + 1}"


@pytest.mark.parametrize(("rule", "pos", "expected"), CHECKS)
def test_check_positions(rule: Rule, pos: str, expected: set[str]) -> None:
    engine = engine_at(from_pos(pos, rule))
    assert _name(engine.think(Limits(nodes=20_000)).move) in expected


@pytest.mark.parametrize(
    ("size", "centre"), [((15, 15), (7, 7)), ((20, 20), (10, 10)), ((5, 6), (2, 3))]
)
def test_the_first_move_is_the_centre_at_once(size: tuple[int, int], centre: object) -> None:
    result = engine_at(Position(*size)).think(Limits(turn_ms=5000))
    assert result.move == centre
    assert result.info.nodes == 0


FORBIDDEN_DEFENCE = """
    . . . . . . . . . . .
    . . . . . X . . . . .
    . . . . . X . . . . .
    . . . . . * O O O O X
    . . . . X . . . . . .
    . . . X . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
"""


def test_black_answers_at_once_when_the_only_defence_is_forbidden() -> None:
    """White threatens a five on `*`, where Black may not play (a double three)."""
    position, marks = from_picture(FORBIDDEN_DEFENCE, Stone.BLACK, Rule.RENJU)
    engine = engine_at(position)
    ((x, y),) = marks["*"]
    assert engine.is_forbidden(x, y)
    watch = Stopwatch()
    result = engine.think(Limits(turn_ms=600_000))
    assert watch.ms() < HUNG_MS
    assert result.info.score == Score(0, -2)
    assert not engine.is_forbidden(*result.move)


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


@pytest.mark.parametrize("nodes", [1, 2, 77, 5000])
def test_node_limit(nodes: int) -> None:
    engine = engine_at(from_pos("h8i9g9"))
    result = engine.think(Limits(nodes=nodes))
    assert result.info.nodes == nodes


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
    """A win by threes and fours that takes the solver 150,000 stones, and the search millions."""
    position = puzzle("wins-r0-s15", 37)
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


# `*` makes an overline of Black. The second picture also has White make a row of seven there.
NO_THREAT = """
    X O X O X O X
    O X O X O X O
    X O O O O X O
    X X X * X X X
    O X O O O X O
    O X O X O X O
    X O X O X O X
"""
# White can choose which of two points is the last one.
TWO_POINTS = """
    X O X O X O X
    + X O X O X O
    X O O O O X O
    X X X * X X X
    O X O O O X O
    O X O X O X O
    X O X O X O X
"""


@pytest.mark.parametrize("is_analysis", [False, True])
def test_the_last_point_is_a_foul(is_analysis: bool) -> None:
    position, marks = from_picture(NO_THREAT, Stone.BLACK, Rule.RENJU)
    assert referee_of(position).foul(*min(marks["*"])) == "overline"
    result = engine_at(position).think(Limits(nodes=100, is_analysis=is_analysis))
    assert result.move == min(marks["*"])
    assert result.info.score == Score(0, -2)


def test_white_leaves_black_the_forbidden_point() -> None:
    position, marks = from_picture(TWO_POINTS, Stone.WHITE, Rule.RENJU)
    [free] = marks["+"]
    assert check_win(referee_of(position), Stone.WHITE, 3, lambda *_: ProofNode(free, {})).ok
    engine = engine_at(position)
    result = engine.think(Limits(nodes=1000))
    assert (tuple(result.move), result.info.score) == (free, Score(0, 3))
    # For Black the free point is a draw.
    engine.new_game()
    engine.set_position(position._replace(side_to_move=Stone.BLACK))
    result = engine.think(Limits(nodes=1000))
    assert tuple(result.move) == free and result.info.score.mate_plies is None


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


@pytest.mark.parametrize("size", [(5, 5), (5, 22), (22, 5), (22, 22)])
@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_the_smallest_and_largest_boards(size: tuple[int, int], rule: Rule) -> None:
    """From the empty board, and with two empty cells left."""
    engine = Engine()
    engine.set_memory(None, 2**20)
    engine.set_position(Position(*size, rule))
    for _ in range(4):
        engine.play(*checked_think(engine, Limits(nodes=NODES)).move)
    width, height = size
    # Pairs of a colour, shifted from row to row: no five anywhere.
    stones = [
        Placed(x, y, Stone(1 + (x // 2 + y) % 2)) for y in range(height) for x in range(width)
    ]
    for side in (Stone.BLACK, Stone.WHITE):
        engine.new_game()
        engine.set_position(Position(*size, rule, stones[:-2], side))
        assert engine.winner() is None
        for _ in range(2):
            engine.play(*checked_think(engine, Limits(nodes=NODES)).move)
