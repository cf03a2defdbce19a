"""Games of the engine against itself: legal, reproducible, and flagged as the docs say."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

import tengen.selfplay.game
from engine.model import Info, Limits, Line, Point, Position, Result, Score, Stone
from tengen.rules.referee import BLACK, RULES, WHITE, Cell, Referee
from tengen.selfplay.alternatives import MARGIN, alternatives
from tengen.selfplay.check import fault_of
from tengen.selfplay.game import play_game
from tengen.selfplay.openings import (
    BALANCE,
    BOOK_EVERY,
    JUDGE_NODES,
    draw_opening,
    find_opening,
    middle,
)
from tengen.selfplay.setting import Setting, cell_number, cell_of_number, new_engine, with_net
from tengen.selfplay.shards import (
    CHANCE,
    DEAD,
    DECIDED,
    FOUL,
    FULL,
    MATE_FLOOR,
    ONLY,
    PROVEN,
    PlayedGame,
    encode_shard,
)


@pytest.mark.parametrize(
    "setting",
    [
        *(Setting(rule, 15, 15, 5, 300) for rule in RULES),
        Setting(0, 9, 9, 5, 300),
        Setting(4, 20, 20, 5, 300),
        Setting(1, 7, 11, 5, 300),
        Setting(0, 22, 15, 5, 300),
    ],
    ids=lambda setting: f"rule {setting.rule}, {setting.width}x{setting.height}",
)
def test_games_are_legal_and_depend_on_their_number_alone(setting: Setting) -> None:
    used, numbers = new_engine(setting), [6, 7]
    played = {number: play_game(used, setting, number) for number in numbers}
    again = new_engine(setting)
    for number in reversed(numbers):
        assert play_game(again, setting, number) == played[number]
    for number, game in played.items():
        assert fault_of(setting.head(0), game) is None
        assert game.is_book == (number == BOOK_EVERY - 1)
        _check_flags(setting, game)
    encode_shard(setting.head(0), list(played.values()))
    assert len(set(played.values())) == len(numbers)


def _check_flags(setting: Setting, game: PlayedGame) -> None:
    """Compares what the flags say of each position with the referee's board."""
    board = Referee(setting.width, setting.height, setting.rule)
    cells = [cell_of_number(cell) for cell in (*game.opening, *(m.cell for m in game.moves))]
    for i, cell in enumerate(cells):
        mover = WHITE if i % 2 else BLACK
        if i >= len(game.opening):
            move = game.moves[i - len(game.opening)]
            fives = {
                colour: any(board.makes_win(*cell, colour) for cell in board.empties())
                for colour in (BLACK, WHITE)
            }
            if any(fives.values()):
                assert move.flags & DECIDED
            elif move.flags & DECIDED:  # by an open four
                assert move.flags & ONLY and move.value == 29997
            if fives[mover]:
                assert move.flags & ONLY and move.value == 29999
        board.play(*cell, mover)


def test_another_seed_plays_other_games() -> None:
    games = [
        play_game(new_engine(setting), setting, 0)
        for setting in (Setting(0, 15, 15, seed, 300) for seed in (1, 2))
    ]
    assert games[0].opening != games[1].opening


@pytest.mark.parametrize("size", [(7, 7), (9, 9), (15, 15), (20, 20), (22, 12)])
def test_openings_are_in_the_middle_near_each_other_and_legal(size: tuple[int, int]) -> None:
    setting, rng = Setting(4, *size), random.Random(1)
    found = [moves for _ in range(150) if (moves := draw_opening(setting, rng)) is not None]
    assert {len(moves) for moves in found} == set(range(3, 10))
    for moves in found:
        board = Referee(*size, 4)
        for i, (x, y) in enumerate(moves):
            assert x in middle(size[0]) and y in middle(size[1])
            near = [max(abs(x - a), abs(y - b)) for a, b in moves if (a, b) != (x, y)]
            assert min(near) <= 3
            assert i % 2 or board.foul(x, y) is None
            board.play(x, y, WHITE if i % 2 else BLACK)
            assert not board.winner()


def test_the_middle() -> None:
    assert [middle(side) for side in (5, 7, 9, 15, 20)] == [
        range(5), range(7), range(1, 8), range(3, 12), range(4, 16),
    ]  # fmt: skip


def test_openings_are_balanced_by_a_search_of_their_own() -> None:
    setting = Setting(0, 15, 15, 3)
    engine, judge = new_engine(setting), new_engine(setting)
    for number in range(BOOK_EVERY - 1):
        moves, is_book = find_opening(engine, setting, number, random.Random(number))
        judge.new_game()
        judge.set_position(setting.position(moves))
        score = judge.think(Limits(nodes=JUDGE_NODES)).info.score
        assert not is_book and score.mate_plies is None and abs(score.value) <= BALANCE


def test_a_board_without_balanced_openings_gets_those_of_the_book(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tengen.selfplay.openings.BALANCE", -1)
    monkeypatch.setattr("tengen.selfplay.openings._DRAWS", 3)
    setting = Setting(0, 15, 15)
    moves, is_book = find_opening(new_engine(setting), setting, 0, random.Random(1))
    assert is_book and len(moves) >= 2


def test_alternatives_are_nearly_as_good() -> None:
    setting = Setting(0, 15, 15)
    engine = new_engine(setting)
    engine.set_position(Position.from_moves("h8 i9 j8"))
    best = engine.think(Limits(nodes=5000)).move
    found = alternatives(engine, best, 5000)
    assert 1 <= len(found) <= 2 and best not in found
    assert engine.get_position() == Position.from_moves("h8 i9 j8")
    other = new_engine(setting)
    values = []
    for move in (best, *found):
        other.set_position(engine.get_position())
        other.play(*move)
        values.append(-other.think(Limits(nodes=20_000)).info.score.value)
    assert all(value >= values[0] - 2 * MARGIN for value in values)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((5, 5 - MARGIN, 4 - MARGIN), [1]),
        ((5, 4, 3), [1, 2]),
        ((5, Score(0, -6), 3), [2]),
        ((Score(0, 9), 5, 3), []),
        ((5,), []),
        ((), []),
    ],
)
def test_alternatives_are_within_the_margin(
    scores: tuple[int | Score, ...], expected: list[int]
) -> None:
    """The number of a move is its place."""
    lines = [
        Line(each if isinstance(each, Score) else Score(each), 3, 3, (Point(i, 0),))
        for i, each in enumerate(scores)
    ]

    class Lines:
        def think(self, limits: Limits) -> Result:
            assert (limits.nodes, limits.lines) == (700, 3)
            return Result(Point(0, 0), Info(3, 3, Score(5), 1, 1, 1, (), tuple(lines)))

    found = alternatives(Lines(), Point(0, 0), 700)  # type: ignore[arg-type]
    assert found == [(i, 0) for i in expected]


def test_another_first_move_is_an_alternative() -> None:
    lines = [Line(Score(9 - i), 3, 3, (Point(i, 0),)) for i in range(3)]

    class Lines:
        def think(self, limits: Limits) -> Result:
            return Result(Point(0, 0), Info(3, 3, Score(9), 1, 1, 1, (), tuple(lines)))

    found = alternatives(Lines(), Point(9, 9), 700)  # type: ignore[arg-type]
    assert found == [(0, 0), (1, 0)]


def test_moves_by_chance_are_flagged_and_have_the_value_of_the_best_move() -> None:
    setting = Setting(0, 15, 15, 5, 300)
    engine = new_engine(setting)
    found = 0
    for number in range(12):
        game = play_game(engine, setting, number)
        for i, move in enumerate(game.moves):
            if move.flags & CHANCE:
                found += 1
                assert abs(move.value) < MATE_FLOOR and not move.flags & ONLY
                assert i + 1 < len(game.moves)
    assert 1 <= found < 40


def test_games_from_one_opening_of_the_book_differ_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = Setting(0, 15, 15, 1, 400)
    opening = setting.position([(7, 7), (8, 6), (8, 8), (6, 6)])
    cells = [(stone.x, stone.y) for stone in opening.stones]
    monkeypatch.setattr(tengen.selfplay.game, "find_opening", lambda *_: (cells, True))
    engine = new_engine(setting)
    games = [play_game(engine, setting, number) for number in range(12)]
    early = {tuple(move.cell for move in game.moves[:7]) for game in games}
    assert len(early) >= 6


class Script:
    """In place of an engine: plays moves in order, with the same value for all."""

    def __init__(self, moves: Sequence[Cell], score: Score, forbids: bool = False) -> None:
        self._moves = iter(moves)
        self._score = score
        self._forbids = forbids

    def new_game(self) -> None:
        pass

    def set_position(self, position: Position) -> None:
        self.stones = len(position.stones)

    def think(self, limits: Limits) -> Result:
        move = Point(*next(self._moves))
        return Result(move, Info(3, 3, self._score, limits.nodes or 0, 1, 1, (move,)))

    def play(self, x: int, y: int) -> None:
        self.stones += 1

    def winner(self) -> Stone | None:
        return None

    def is_forbidden(self, x: int, y: int) -> bool:
        return self._forbids


Play = Callable[..., PlayedGame]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Plays a script on a 7x7 board from an opening of one stone, without chance."""
    opening: list[Cell] = [(0, 0)]
    monkeypatch.setattr(tengen.selfplay.game, "CHANCE_PER_CENT", 0)
    monkeypatch.setattr(tengen.selfplay.game, "find_opening", lambda *_: (opening, False))

    def play(moves: Sequence[Cell], rule: int = 4, **more: object) -> PlayedGame:
        script = Script(moves, **more)  # type: ignore[arg-type]
        return play_game(script, Setting(rule, 7, 7), 0)  # type: ignore[arg-type]

    return play


ALL = [(x, y) for y in range(7) for x in range(7)]


def test_a_full_board_is_a_draw(play: Play) -> None:
    game = play(ALL[1:], rule=0, score=Score(50))
    assert (game.ending, game.winner, len(game.moves)) == (FULL, 0, 48)


def test_a_dead_position_is_a_draw(play: Play) -> None:
    game = play(ALL[1:], rule=0, score=Score(-20))
    assert (game.ending, game.winner, len(game.moves)) == (DEAD, 0, 21)  # 22 of 49 stones


@pytest.mark.parametrize(("plies", "winner", "value"), [(7, 2, 29993), (-8, 1, -29992)])
def test_a_forced_win_ends_the_game(play: Play, plies: int, winner: int, value: int) -> None:
    game = play([(3, 3)], score=Score(0, plies))
    assert (game.ending, game.winner, len(game.moves)) == (PROVEN, winner, 1)
    assert game.moves[0] == (cell_number((3, 3)), 0, value)


def test_black_loses_by_a_foul(play: Play) -> None:
    game = play([(1, 0), (2, 0)], score=Score(5), forbids=True)
    assert (game.ending, game.winner, len(game.moves)) == (FOUL, 2, 2)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_plays_with_the_net_that_comes_with_the_engine(rule: int) -> None:
    setting = with_net(Setting(rule, 9, 9, seed=1, nodes=100), None)
    assert setting.net_file is not None
    assert fault_of(setting.head(0), play_game(new_engine(setting), setting, 0)) is None
