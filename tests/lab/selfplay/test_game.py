"""Games of the engine against itself: legal, reproducible, and flagged as the docs say."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

import pytest

import tengen.lab.selfplay.game
from engine.model import Info, Limits, Point, Position, Result, Score, Stone
from tengen.game.referee import BLACK, RULES, WHITE, Cell, Referee
from tengen.lab.selfplay.data import fault_of
from tengen.lab.selfplay.game import (
    BALANCE,
    BOOK_EVERY,
    CHANCE_VALUE,
    JUDGE_NODES,
    TEMPERATURE,
    Setting,
    cell_number,
    cell_of_number,
    draw_move,
    find_opening,
    new_engine,
    play_game,
    search,
    value_of,
    with_net,
)
from tengen.lab.selfplay.shards import (
    CHANCE,
    DEAD,
    DECIDED,
    DEEP,
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


def test_openings_are_balanced_by_a_search_of_their_own() -> None:
    setting = Setting(0, 15, 15, 3)
    engine, judge = new_engine(setting), new_engine(setting)
    for number in range(BOOK_EVERY - 1):
        moves, is_book = find_opening(engine, setting, number, random.Random(number))
        judge.new_game()
        judge.set_position(setting.position(moves))
        score = search(judge, JUDGE_NODES).info.score
        assert not is_book and score.mate_plies is None and abs(score.value) <= BALANCE


def test_a_board_without_balanced_openings_gets_those_of_the_book(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tengen.lab.selfplay.game.BALANCE", -1)
    monkeypatch.setattr("tengen.lab.selfplay.game._DRAWS", 3)
    setting = Setting(0, 15, 15)
    moves, is_book = find_opening(new_engine(setting), setting, 0, random.Random(1))
    assert is_book and len(moves) >= 2


SETTING = Setting(0, 15, 15, 5, 300)


@pytest.fixture(scope="module")
def games() -> list[PlayedGame]:
    """Games with more moves by chance, deep searches and positions inside than usual."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tengen.lab.selfplay.game, "CHANCE_PER_CENT", 50)
        patch.setattr(tengen.lab.selfplay.game, "CHANCE_STONES", 16)
        patch.setattr(tengen.lab.selfplay.game, "DEEP_EVERY", 3)
        patch.setattr(tengen.lab.selfplay.game, "INSIDE_EVERY", 100)
        engine = new_engine(SETTING)
        return [play_game(engine, SETTING, number) for number in range(16)]


def position_at(game: PlayedGame, after: int, line: Sequence[int] = ()) -> Position:
    numbers = [*game.opening, *(move.cell for move in game.moves[:after]), *line]
    return SETTING.position([cell_of_number(number) for number in numbers])


def test_the_position_after_a_move_by_chance_is_kept_unless_the_game_is_over(
    games: list[PlayedGame],
) -> None:
    """It is in the game, or beside it if it is worth more than CHANCE_VALUE for a side."""
    found = 0
    for game in games:
        assert fault_of(SETTING.head(0), game) is None
        for stones, (move, after) in enumerate(pairwise(game.moves), len(game.opening)):
            if move.flags & CHANCE:
                found += 1
                assert abs(after.value) <= CHANCE_VALUE and stones < 16
                assert abs(move.value) < MATE_FLOOR and not move.flags & ONLY
        assert not game.moves[-1].flags & CHANCE
    taken_back = [
        beside.move.value
        for game in games
        for beside in game.side_positions
        if len(beside.line) == 1 and abs(beside.move.value) > CHANCE_VALUE
    ]
    assert found >= 20 and len(taken_back) >= 10
    assert sum(len(game.opening) + len(game.moves) > 20 for game in games) >= 5
    values = [abs(move.value) for game in games for move in game.moves]
    assert max(value for value in values if value < MATE_FLOOR) > 200  # not only equal positions


def test_chances_are_drawn_by_the_policy_and_from_all_cells_near_stones() -> None:
    cells = [(7, 7), (8, 7), (8, 8)]
    engine = new_engine(Setting(0, 15, 15))
    engine.set_position(SETTING.position(cells))
    rng = random.Random(1)
    drawn = Counter(draw_move(engine, SETTING, cells, rng) for _ in range(4000))
    near = {
        (x, y)
        for x in range(15)
        for y in range(15)
        if any(max(abs(x - a), abs(y - b)) <= 2 for a, b in cells) and (x, y) not in cells
    }
    policy = dict(engine.policy())
    assert near <= set(drawn) <= near | set(policy)
    best, second = sorted(policy, key=policy.__getitem__)[:-3:-1]
    odds = math.exp((policy[best] - policy[second]) / TEMPERATURE)
    share = drawn[best] / (drawn[best] + drawn[second])
    assert abs(share - odds / (1 + odds)) < 0.05
    assert drawn[best] > 100 > 4 * min(drawn[each] for each in near)


@pytest.mark.parametrize("every", [1, 10**9], ids=["from all cells", "from the policy"])
def test_no_chance_is_forbidden(monkeypatch: pytest.MonkeyPatch, every: int) -> None:
    """Black's twos in a row and a column meet at h8."""
    monkeypatch.setattr("tengen.lab.selfplay.game.UNIFORM_EVERY", every)
    setting = Setting(4, 15, 15)
    cells = [(5, 7), (0, 0), (6, 7), (14, 0), (7, 5), (0, 14), (7, 6), (14, 14)]
    engine = new_engine(setting)
    engine.set_position(setting.position(cells))
    assert [tuple(point) for point in engine.forbidden_points()] == [(7, 7)]
    rng = random.Random(2)
    drawn = {draw_move(engine, setting, cells, rng) for _ in range(500)}
    assert len(drawn) > 5 and not drawn & {None, (7, 7)}


def test_labels_are_searches_of_few_nodes_and_of_many(games: list[PlayedGame]) -> None:
    """A deep search of a position inside says what a search of so many nodes says."""
    moves = [move for game in games for move in game.moves]
    moves += [beside.move for game in games for beside in game.side_positions]
    deep = sum(move.flags & DEEP != 0 for move in moves)
    assert 0.25 < deep / len(moves) < 0.42
    assert (SETTING.nodes, SETTING.deep_nodes) == (300, 2000)
    engine, errors = new_engine(SETTING), []
    for game in games:
        for beside in game.side_positions:
            if not beside.move.flags & DEEP and abs(beside.move.value) < MATE_FLOOR:
                engine.new_game()
                engine.set_position(position_at(game, beside.after, beside.line))
                errors.append(beside.move.value - value_of(search(engine, 300)))
    assert len(errors) > 20 and median(map(abs, errors)) < 80


def test_positions_inside_searches_are_those_that_a_search_asks_about(
    games: list[PlayedGame],
) -> None:
    lines = [beside.line for game in games for beside in game.side_positions]
    moves = sum(len(game.moves) for game in games)
    assert moves / 3 < len(lines) < 6 * moves
    assert max(map(len, lines)) > 4
    inside = [
        beside.move for game in games for beside in game.side_positions if len(beside.line) > 1
    ]
    assert not any(move.flags & DECIDED for move in inside)


class Script:
    """In place of an engine: plays moves in order, with the same value for all."""

    def __init__(self, moves: Sequence[Cell], score: Score, forbids: bool = False) -> None:
        self._moves = iter(moves)
        self._score = score
        self._forbids = forbids

    def set_position(self, position: Position) -> None:
        self.stones = len(position.stones)

    def think(self, limits: Limits) -> Result:
        move = Point(*next(self._moves))
        return Result(move, Info(3, 3, self._score, limits.nodes or 0, 1, 1, (move,)))

    last_samples = ()

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Anything else is done, and changes nothing."""
        return lambda *_: None

    def play(self, x: int, y: int) -> None:
        self.stones += 1

    def winner(self) -> Stone | None:
        return None

    def is_forbidden(self, x: int, y: int) -> bool:
        return self._forbids and self.stones % 2 == 0  # to Black


Play = Callable[..., PlayedGame]


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Play:
    """Plays a script on a 7x7 board from an opening of one stone, without chance."""
    opening: list[Cell] = [(0, 0)]
    monkeypatch.setattr(tengen.lab.selfplay.game, "CHANCE_PER_CENT", 0)
    monkeypatch.setattr(tengen.lab.selfplay.game, "find_opening", lambda *_: (opening, False))

    def play(moves: Sequence[Cell], rule: int = 4, **more: object) -> PlayedGame:
        script = Script(moves, **more)  # type: ignore[arg-type]
        return play_game(script, Setting(rule, 7, 7), 0)  # type: ignore[arg-type]

    return play


ALL = [(x, y) for y in range(7) for x in range(7)]


@pytest.mark.parametrize(
    ("moves", "script", "ended"),
    [
        (ALL[1:], {"rule": 0, "score": Score(50)}, (FULL, 0, 48)),
        (ALL[1:], {"rule": 0, "score": Score(-20)}, (DEAD, 0, 21)),  # 22 of 49 stones
        ([(3, 3)], {"score": Score(0, 7)}, (PROVEN, 2, 1)),
        ([(3, 3)], {"score": Score(0, -8)}, (PROVEN, 1, 1)),
        ([(1, 0), (2, 0)], {"score": Score(5), "forbids": True}, (FOUL, 2, 2)),
    ],
    ids=["full", "dead", "a forced win", "a forced loss", "a foul"],
)
def test_how_a_game_ends(
    moves: Sequence[Cell], script: dict[str, Any], ended: tuple[int, int, int], play: Play
) -> None:
    game = play(moves, **script)
    assert (game.ending, game.winner, len(game.moves)) == ended
    if game.ending == PROVEN:
        value = 29993 if game.winner == WHITE else -29992
        assert (game.moves[0].cell, game.moves[0].value) == (cell_number((3, 3)), value)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_plays_with_the_net_that_comes_with_the_engine(rule: int) -> None:
    setting = with_net(Setting(rule, 9, 9, seed=1, nodes=100), None)
    assert setting.net_file is not None
    assert fault_of(setting.head(0), play_game(new_engine(setting), setting, 0)) is None
