"""The threat solver: verdicts, proofs replayed against every reply, completeness, limits."""

from __future__ import annotations

import os
import random
import threading

import pytest

from engine.api import Engine
from engine.model import Limits, Point, Position, Rule, Solution, SolveLimits, Status, Stone
from engine.text import read_position
from tengen.game.proof import check_proof
from tests.engine.positions import (
    BUSY,
    engine_at,
    from_picture,
    probe_of,
    puzzle,
    random_position,
    referee_of,
    turned,
)
from tests.paths import ROOT
from tests.stopwatch import Stopwatch, in_time, timed


def require_proof(position: Position, solution: Solution) -> None:
    """AssertionError where the solution's win does not hold, or takes another number of stones."""
    assert solution.status is Status.WIN and solution.proof is not None
    assert solution.line[0] == solution.proof.move
    verdict = check_proof(
        referee_of(position), position.side_to_move, solution.proof, solution.plies
    )
    assert verdict.ok, (position, verdict.reason)
    assert verdict.plies == solution.plies


RULES = list(Rule)
LINE_THREES, LINE_FOURS = (9, 10), (11, 12, 13)
DOUBLE_FOUR, OPEN_FOUR, FIVE = 6, 7, 8


def some_position(rule: Rule, size: int, seed: int, stones: tuple[int, int]) -> Position:
    rnd = random.Random(f"{rule}/{size}/{seed}/vct")
    return random_position(rnd, rule, (size, size), stones, walls=False)


DOUBLE_THREE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . . X . . . .
    . . X X * . . . .
    . . . . . . . . .
    . O . . . . . O .
    . . . . . . . . .
    . . . . . . O . .
"""
COUNTER_FIVE = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . . X . . . .
    . . X X . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . O O O O . . . .
    . . . . . . . . X
"""
COUNTER_FOURS = """
    . . . . . . . . .
    . . . . . . . . .
    O . . . X . . . .
    O . . . X . . . .
    . . X X . . . . .
    . . . . . . . . .
    O . . . . . . . .
    . . . . . . . . .
    . O . O O . . . X
"""
OVERLINE = """
    . . . . . . . . .
    X X X . X X . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
BETWEEN_TWO_STONES = """
    . . . . . . . . .
    . O . X . X X . O
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""
BLOCK_IS_FORBIDDEN = """
    . . . . . . . . . . .
    . . . . . X . . . . .
    . . . . . X . . . . .
    . . . . # . O O O . X
    . . . . X . . . . . .
    . . . X . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
"""

# White threatens a four whose block is a foul of Black.
THREATENS_A_FOUL = """
    . . . . . . . . .
    . . . . . . . . .
    X . O X . . O . O
    O X . . O X . . .
    . . . . . X . . .
    . . . X O . . O .
    . . . . . . X . .
    O . . . . . . . X
    X . . . . . . . .
"""
THREATENS_ANOTHER = """
    . O X . O . . . . . .
    . . . . . . . . . . .
    X . O . . . . . . X .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . X . . . . . . . .
    . X . O . . X . . . .
    . X X O . . . . . O .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . O . . . .
"""

# Black stops a five where the table sees two threes, which are not real, and no four.
BLOCK_WITHOUT_A_FOUR = """
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . O .
    . . . . . . . . . . O . X . .
    . . . . . . . . . . . X . . .
    . . . . . . . . X . X O . . .
    . . . . . . X . O . . . . . .
    . . . . . X . . . . . . . . .
    . . . . . . . . O . . . . . .
    . . . . O X X X O . X . . . .
    . . . X . . . X . X . . . . .
    . . . X . . . O . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
"""


@pytest.mark.parametrize(
    ("picture", "rule", "side", "wins"),
    [
        (DOUBLE_THREE, Rule.FREESTYLE, Stone.BLACK, True),
        (DOUBLE_THREE, Rule.STANDARD, Stone.BLACK, True),
        (COUNTER_FIVE, Rule.FREESTYLE, Stone.BLACK, False),
        (COUNTER_FOURS, Rule.FREESTYLE, Stone.BLACK, False),
        *((OVERLINE, rule, Stone.BLACK, rule in (Rule.FREESTYLE, Rule.CARO)) for rule in Rule),
        *((BETWEEN_TWO_STONES, rule, Stone.BLACK, rule < Rule.RENJU)
          for rule in Rule if rule is not Rule.RENJU),
        (BLOCK_IS_FORBIDDEN, Rule.RENJU, Stone.WHITE, True),
        (BLOCK_IS_FORBIDDEN, Rule.FREESTYLE, Stone.WHITE, False),
        (BLOCK_WITHOUT_A_FOUR, Rule.RENJU, Stone.BLACK, True),
        (THREATENS_A_FOUL, Rule.RENJU, Stone.WHITE, True),
        (THREATENS_A_FOUL, Rule.STANDARD, Stone.WHITE, False),
        (THREATENS_ANOTHER, Rule.RENJU, Stone.WHITE, True),
        (THREATENS_ANOTHER, Rule.STANDARD, Stone.WHITE, False),
    ],
)  # fmt: skip
def test_pictures(picture: str, rule: Rule, side: Stone, wins: bool) -> None:
    position, _ = from_picture(picture, side, rule)
    solution = engine_at(position).solve(SolveLimits(nodes=300000))
    assert (solution.status == Status.WIN) == wins
    if wins:
        require_proof(position, solution)
    else:
        assert solution.proof is None and solution.plies is None and solution.line == ()


def test_all_first_moves_and_their_proofs() -> None:
    position, marks = from_picture(DOUBLE_THREE, Stone.BLACK)
    engine = engine_at(position)
    solutions = engine.solve_all(SolveLimits(nodes=2000000)).wins
    moves = {solution.line[0] for solution in solutions}
    assert marks["*"] <= moves and len(moves) == len(solutions)
    for solution in solutions:
        require_proof(position, solution)
    engine.check()


@pytest.mark.parametrize("moves", BUSY)
def test_a_first_move_that_takes_long_leaves_something_for_the_others(moves: str) -> None:
    position = Position.from_moves(moves, 20)
    engine = engine_at(position)
    found = engine.solve_all(SolveLimits(nodes=300_000))
    first = {win.line[0]: win for win in found.wins}
    shortest = min(win.plies or 0 for win in found.wins)
    assert len(first) == len(found.wins) >= 2 and not first.keys() & set(found.unknown)
    assert shortest == engine.solve(SolveLimits(nodes=300_000)).plies
    for win in found.wins:
        require_proof(position, win)


@pytest.mark.parametrize(
    ("moves", "rule", "most_plies"),
    [
        ("d5 g12 j12 k12 e7 i10 h11 j10 h10 h9 j11", Rule.RENJU, 19),
        ("l5 i12 f12 e12 k7 g10 h11 f10 h10 h9 f11", Rule.RENJU, 19),
        ("d12 i8 l12 d7 e5 f7 f6 h8 f8", Rule.FREESTYLE, 17),
    ],
)
def test_a_win_that_begins_quietly_is_found_within_a_limit_of_moves(
    moves: str, rule: Rule, most_plies: int
) -> None:
    position = Position.from_moves(moves, rule=rule)
    for limits in (
        SolveLimits(nodes=1_000_000, moves=(most_plies + 1) // 2),
        SolveLimits(nodes=2_000_000, shortest=True),
    ):
        solution = engine_at(position).solve(limits)
        require_proof(position, solution)
        assert solution.plies is not None and solution.plies <= most_plies


def test_a_limit_of_moves_is_named_only_where_it_was_met() -> None:
    """A threatened win by fours that is too long says nothing about others."""
    position = some_position(Rule.RENJU, 13, 5281, (50, 90))
    for moves in (4, 5, None):
        solution = engine_at(position).solve(SolveLimits(nodes=300_000, moves=moves))
        assert solution.status is Status.NO_WIN and solution.limit is None


def test_no_win_speaks_only_of_the_moves_it_names() -> None:
    """First moves that threaten a win by threes are not among them: some win with more nodes."""
    position = Position.from_moves("d5 g12 j12 k12 e7 i10 h11 j10 h10 h9 j11", rule=Rule.RENJU)
    few, more = (engine_at(position).solve(SolveLimits(nodes=n)) for n in (5_000, 300_000))
    assert few.status is Status.NO_WIN
    require_proof(position, more)
    threes = engine_at(position).solve(SolveLimits(nodes=300_000, method="threes"))
    assert threes.status is Status.NO_WIN


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_what_solve_finds_is_among_all_first_moves(rule: Rule) -> None:
    for seed in range(30):
        engine = engine_at(some_position(rule, 9, seed, (8, 20)))
        one = engine.solve(SolveLimits(nodes=20_000))
        found = engine.solve_all(SolveLimits(nodes=60_000))
        if one.status == Status.WIN:
            assert one.line[0] in {win.line[0] for win in found.wins}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
@pytest.mark.parametrize(
    ("size", "count"), [(7, 30), (9, 8), pytest.param(9, 300, marks=pytest.mark.verify)]
)
def test_proofs_hold_against_every_reply(rule: Rule, size: int, count: int) -> None:
    checked = 0
    for seed in range(count):
        position = some_position(rule, size, seed, (6, 16))
        engine = engine_at(position)
        solution = engine.solve(SolveLimits(nodes=100000))
        engine.check()
        assert engine.get_position() == position
        if solution.status == Status.WIN:
            require_proof(position, solution)
            checked += 1
    assert checked >= count // 20


class Exhaustive:
    """The same sets of moves searched with everything tried on a bare board."""

    def __init__(self, position: Position, method: str) -> None:
        self.board = probe_of(position)
        self.side = int(position.side_to_move)
        self.other = 3 - self.side
        self.method = method
        self.known: dict[tuple[int, int], bool] = {}
        self.fours = self
        if method == "vct":
            self.fours = Exhaustive(position, "vcf")
            self.fours.board = self.board

    def has_won_four(self, side: int) -> bool:
        return self.board.count(side, OPEN_FOUR) + self.board.count(side, DOUBLE_FOUR) > 0

    def wins(self, left: int) -> bool:
        """Does the attacker, who is to move, complete a five with at most `left` stones?"""
        board, side = self.board, self.side
        if left < 1:
            return False
        if board.count(side, FIVE):
            return True
        key = (board.hash, left)
        if key not in self.known:
            self.known[key] = any(self.wins_by(x, y, left) for x, y in board.empties())
        return self.known[key]

    def wins_by(self, x: int, y: int, left: int) -> bool:
        board, side, other = self.board, self.side, self.other
        lines = [board.line(x, y, d, side) for d in range(4)]
        stops = board.count(other, FIVE) > 0
        is_four = any(pattern in LINE_FOURS for pattern in lines)
        is_three = any(pattern in LINE_THREES for pattern in lines)
        listed = {"vcf": is_four, "threes": is_four or is_three, "vct": True}[self.method]
        if not (listed or stops) or left < 2 or board.is_forbidden(x, y, side):
            return False
        board.make(x, y, side)
        four = board.count(side, FIVE) > 0
        threat = four or self.threatens(left)
        won = threat and board.count(other, FIVE) == 0
        for reply in board.empties() if won else ():
            if board.is_forbidden(*reply, other):
                continue
            board.make(*reply, other)
            if four:
                lost = board.count(side, FIVE) > 0
            else:
                lost = self.has_won_four(side) and board.count(other, FIVE) == 0 and left >= 3
            won = lost or self.wins(left - 1)
            board.undo()
            if not won:
                break
        board.undo()
        return won

    def threatens(self, left: int) -> bool:
        """Would another move win, by a four that cannot be stopped or by fours?"""
        if self.method == "vcf" or left < 3:
            return False
        return self.has_won_four(self.side) or (self.method == "vct" and self.fours.wins(left - 1))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
@pytest.mark.parametrize(
    ("method", "count"),
    [
        ("vcf", 30),
        ("threes", 20),
        ("vct", 8),
        pytest.param("vcf", 2000, marks=pytest.mark.verify),
        pytest.param("threes", 500, marks=pytest.mark.verify),
        pytest.param("vct", 100, marks=pytest.mark.verify),
    ],
)
def test_it_finds_what_an_exhaustive_search_finds(rule: Rule, method: str, count: int) -> None:
    """Also the least number of stones, where the solver says that it has found it."""
    wins, most = 0, 4 if method == "vct" else 5
    for seed in range(count):
        position = some_position(rule, 7, 10000 + seed, (8, 18))
        limits = SolveLimits(moves=most, method=method, shortest=True)
        solution = engine_at(position).solve(limits)
        exhaustive = Exhaustive(position, method)
        least = next((left for left in range(1, most + 1) if exhaustive.wins(left)), None)
        text = f"{rule.name} {method} seed {seed}"
        if solution.plies is not None and (least is None or solution.plies < 2 * least - 1):
            # It begins with a quiet move.
            require_proof(position, solution)
            assert method == "vct" and not solution.is_shortest, text
            continue
        assert (solution.status == Status.WIN) == (least is not None), text
        if method == "vcf":
            plies = probe_of(position).vcf(fours_limit=4)[0]
            assert plies > 9 or bool(plies) == (least is not None), text
        if least is not None:
            wins += 1
            assert solution.is_shortest and solution.plies == 2 * least - 1, text
    assert wins >= count // 100


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_defences_are_all_there_are(rule: Rule) -> None:
    """On a small board every cell is tried; `defences` tries only some."""
    found = 0
    for seed in range(60):
        position = some_position(rule, 7, 20000 + seed, (6, 14))
        engine = engine_at(position)
        defences = engine.defences(SolveLimits(nodes=400000, method="threes"))
        engine.check()
        if defences.threat.status != Status.WIN or defences.unknown:
            continue
        found += 1
        side = position.side_to_move
        for move, refutation in defences.refuted.items():
            engine.set_position(position)
            engine.play(*move)
            require_proof(engine.get_position(), refutation)
        expected = set()
        for x, y in referee_of(position).empties():
            if engine.is_forbidden(x, y) and side == Stone.BLACK:
                continue
            engine.set_position(position)
            engine.play(x, y)
            if engine.winner() or engine.solve(SolveLimits(method="threes")).status != Status.WIN:
                expected.add(Point(x, y))
        engine.set_position(position)
        assert set(defences.moves) == expected, f"{rule.name} seed {seed}"
        assert not expected & set(defences.refuted)
        if found == 4:
            return
    assert found > 0


def hard_position() -> Position:
    """Many stones and no quick verdict."""
    return some_position(Rule.FREESTYLE, 15, 3, (24, 24))


def test_the_same_nodes_twice_and_after_other_games() -> None:
    """In the last one, positions drive each other out of the table."""
    positions = [some_position(rule, 9, 7, (9, 12)) for rule in RULES]
    positions.append(puzzle("wins-r4-s15", 60))
    limits = SolveLimits(nodes=80_000)
    engine = Engine()

    def game() -> list[Solution]:
        engine.new_game()
        found = []
        for position in positions:
            engine.set_position(position)
            found.append(engine.solve(limits)._replace(elapsed_us=0))
        return found

    first = game()
    engine.set_position(hard_position())
    engine.solve(limits)
    engine.solve_all(limits)
    assert game() == first
    assert game() == first


def test_an_analysis_does_not_depend_on_what_the_solver_did_before() -> None:
    """Its look with quiet threats has the same budgets in a new engine and after a solve."""
    position, _ = from_picture(THREATENS_A_FOUL, Stone.WHITE, Rule.RENJU)
    found = []
    for solves in (False, True):
        engine = engine_at(position)
        if solves:
            engine.solve(SolveLimits(nodes=1000))
            engine.new_game()
            engine.set_position(position)
        info = engine.think(Limits(nodes=30_000, is_analysis=True)).info
        found.append((info.nodes, info.score, info.pv))
    assert found[0] == found[1]


@timed
def test_a_stop_ends_it() -> None:
    engine = engine_at(hard_position())
    engine.request_stop()
    assert engine.solve().nodes < 1000
    engine.clear_stop()
    timer = threading.Timer(0.1, engine.request_stop)
    timer.start()
    watch = Stopwatch()
    engine.solve_all(SolveLimits(time_ms=600_000))
    took_ms = watch.ms()
    timer.join()
    engine.clear_stop()
    in_time(took_ms, 5000)


@pytest.mark.parametrize("number", [8, 53, 73, 92, 100, 102, 115, 156])
def test_a_block_that_is_a_foul_only_for_now_is_answered(number: int) -> None:
    """In each of these a stone that needs no answer makes a block legal that was a foul."""
    position = puzzle("wins-r4-s15", number)
    require_proof(position, engine_at(position).solve(SolveLimits(nodes=200_000)))


# Of games of the engine: the win that a move threatens has several answers to a four.
CARO_GAMES = (
    "l5 l6 m7 k7 k5 k6 j5 m5 j8 j6 m6 h7 i6 g7 i7 i5 h4 h6 f8 g6 f5 f6 h8 g8 g9 e7 e6 d7 c7 "
    "k4 m9 e11 k8 m8 j9 l7 k9 n9 o10 g4 g3 j4",
    "i4 k6 k5 m7 k9 k7 k8 m6 j6",
)


@pytest.mark.parametrize("moves", CARO_GAMES)
def test_what_a_quiet_move_threatens_is_proved_by_the_lines_of_its_zone(moves: str) -> None:
    position = Position.from_moves(moves, rule=Rule.CARO)
    require_proof(position, engine_at(position).solve(SolveLimits(nodes=3_000_000)))


# Black wins with 65 stones of its own, each of them a four but the last.
SIXTY_FIVE = """
    O O O O X X O . . X X X O X X
    X O X X X O X O . O O . O . .
    X O X X X O X O O X O . . O X
    X O O O O X X O X X X X O . .
    X X O X X O X X O X X . . . .
    O . . X . . O O . O . . . O .
    X . . . . O . . X . . . . . .
    . X . . . . . X . . . . O . .
    . . . . . . . . . . . . . . .
    X . . . . . . . . . . . . O .
    . . . . . . . . . . . . . . X
    O . . . . . . O O . . . . . .
    O . . . . . . O X O . . . . .
    O . . . . . X . O . . . . . .
    X . X . X . . O O O X O . X O
"""


LONGEST, _ = from_picture(SIXTY_FIVE, Stone.BLACK, Rule.RENJU)


@pytest.mark.parametrize("way", [0, 6])
@pytest.mark.parametrize("method", ["vct", "threes", "vcf"])
def test_the_solver_finds_a_win_with_65_own_stones(method: str, way: int) -> None:
    position = turned(LONGEST, way)[0]
    solution = engine_at(position).solve(SolveLimits(nodes=300_000, method=method))
    require_proof(position, solution)
    assert solution.plies == 129


# Boards with one long win by fours, put together by chance. Each four needs the stone of the four
# before it, and each has one block. Cells that take no part are walls, so there are few other wins.
LONG = (ROOT / "tests" / "positions" / "long" / "fours.txt").read_text("ascii").split("\n\n")


@pytest.mark.parametrize("text", LONG, ids=lambda text: text[6:14])
def test_wins_of_many_lengths_are_found(text: str) -> None:
    position, plies = Position.from_text(text), int(read_position(text).header["plies"])
    for limits in (SolveLimits(nodes=300_000), SolveLimits(nodes=300_000, method="vcf")):
        solution = engine_at(position).solve(limits)
        require_proof(position, solution)
        assert solution.plies is not None and solution.plies <= plies
    info = engine_at(position).think(Limits(nodes=60_000)).info
    assert info.score.mate_plies and 0 < info.score.mate_plies <= plies


@pytest.mark.parametrize("vcf_nodes", [20_000, 0], ids=["vcf", "proof numbers"])
def test_a_long_win_takes_little_of_the_stack(vcf_nodes: int) -> None:
    """Threads of some systems have half a megabyte, and a win may be four times as long."""
    engine = engine_at(LONGEST)
    engine.set_parameter("solver_root_vcf_nodes", vcf_nodes)
    engine.set_parameter("solver_vcf_nodes", 0)
    found: list[Solution] = []
    # A debug build and the sanitizers need twice as much.
    usual = threading.stack_size((256 if "TENGEN_DEBUG" in os.environ else 128) * 1024)
    try:
        thread = threading.Thread(target=lambda: found.append(engine.solve(SolveLimits())))
        thread.start()
    finally:
        threading.stack_size(usual)
    thread.join()
    require_proof(LONGEST, found[0])


@timed
@pytest.mark.parametrize(
    ("limits", "met"),
    [
        *((SolveLimits(nodes=nodes), "nodes") for nodes in (0, 1, 50, 500)),
        (SolveLimits(nodes=500, method="vcf"), "nodes"),
        (SolveLimits(time_ms=0), "time"),
        *((SolveLimits(moves=4, method=method), "moves") for method in ("vct", "vcf")),
        *((SolveLimits(moves=moves), "budget") for moves in (None, 1000)),
    ],
    ids=str,
)
def test_an_open_answer_names_the_limit_that_was_met(limits: SolveLimits, met: str) -> None:
    engine, watch = engine_at(LONGEST), Stopwatch()
    if met == "budget":
        engine.set_position(Position.from_moves("h8 i9 h7 i10 g7"))
        engine.set_parameter("solver_threat_vcf_nodes", 0)  # no threat of a VCF is ever seen
        for name in ("threes", "level", "threat", "reply", "root_vcf"):
            engine.set_parameter(f"solver_{name}_nodes", 1)
    solution = engine.solve(limits)
    in_time(watch.ms(), 5000)
    assert (solution.status, solution.limit) == (Status.UNKNOWN, met)
    # What one position costs may go beyond.
    assert limits.nodes is None or solution.nodes <= limits.nodes + 300
    with pytest.raises(ValueError, match="method"):
        engine.solve(SolveLimits(method="magic"))
