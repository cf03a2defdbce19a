"""The rules, from drawn positions and from properties that hold for every board."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text import RULE_NAMES, ParsedPosition, read_moves, read_position, read_rule
from tengen.game.referee import (
    BLACK,
    CONTINUOUS_BIT,
    DOUBLE_FOUR,
    DOUBLE_THREE,
    EMPTY,
    FREESTYLE,
    OVERLINE,
    RENJU,
    RULES,
    WALL,
    WHITE,
    Cell,
    Referee,
    set_up,
)
from tengen.game.rules import RULE_TEXTS, RULE_TITLES, open_four_points
from tests.game.boards import draw, referee_of

POSITIONS = Path(__file__).parents[1] / "positions"


def _drawings(folder: str) -> list[ParameterSet]:
    paths = sorted((POSITIONS / folder).glob("*.txt"))
    assert paths
    return [
        pytest.param(drawing, id=f"{path.stem}: {drawing.header['name']}")
        for path in paths
        for drawing in map(read_position, path.read_text(encoding="ascii").split("\n\n"))
    ]


def _check_wins(drawing: ParsedPosition, bit: int = 0) -> None:
    rule = (drawing.rule or 0) | bit
    board = set_up(drawing.width, drawing.height, rule, drawing.stones)
    colour = {"black wins": BLACK, "white wins": WHITE}[drawing.header["marks"]]
    assert {point for point in drawing.marked if board.makes_win(*point, colour)} == drawing.marked
    assert not {point for point in drawing.cleared if board.makes_win(*point, colour)}
    for x, y in drawing.marked | drawing.cleared:
        board.play(x, y, colour)
        won = (x, y) in drawing.marked
        assert board.winner() == (colour if won else 0)
        assert ((x, y) in board.winning_line()) == won
        board.undo()


@pytest.mark.parametrize(
    "drawing", [*_drawings("freestyle"), *_drawings("standard"), *_drawings("caro")]
)
def test_drawn_wins(drawing: ParsedPosition) -> None:
    for bit in (0, CONTINUOUS_BIT):
        _check_wins(drawing, bit)
    assert referee_of(drawing).forbidden_points() == set()


@pytest.mark.parametrize("drawing", _drawings("renju"))
def test_drawn_fouls(drawing: ParsedPosition) -> None:
    if "marks" in drawing.header:
        _check_wins(drawing)
        return
    board = referee_of(drawing)
    forbidden = board.forbidden_points()
    assert drawing.marked <= forbidden
    assert not drawing.cleared & forbidden
    for point in drawing.marked:
        assert board.foul(*point) == drawing.header["foul"]
        for line in board.foul_lines(*point):
            assert point in line and all(board.cell(*c) == BLACK for c in line if c != point)
    if "next" in drawing.header:
        # The point that would complete the three, once the marked stone stands.
        where, _, foul = drawing.header["next"].partition(" ")
        x, y = map(int, where.split(","))
        board.play(*next(iter(drawing.marked | drawing.cleared)), BLACK)
        assert (board.foul(x, y) or "none") == foul
    for rule in set(RULES) - {4}:
        other = set_up(drawing.width, drawing.height, rule, drawing.stones)
        assert other.forbidden_points() == set()
        assert all(other.foul(*point) is None for point in other.empties())


def test_winning_line_runs_from_end_to_end() -> None:
    board = Referee(15, 15, 0)
    for x, y in [(3, 3), (4, 4), (6, 6), (7, 7), (8, 8), (5, 5)]:
        assert board.winning_line() == []
        board.play(x, y, WHITE)
    assert board.winning_line() == [(3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8)]
    assert board.winner_anywhere() == WHITE
    board.play(0, 0, BLACK)
    assert board.winner() == 0
    assert board.winner_anywhere() == WHITE
    board.undo()
    assert board.winner() == WHITE


def test_bad_arguments_are_refused_and_change_nothing() -> None:
    board = Referee(6, 5, 4, walls=[(2, 2)])
    board.play(0, 0, BLACK)
    before = draw(board)
    for x, y in [(0, 0), (2, 2), (-1, 0), (6, 0), (0, 5)]:
        assert not board.legal(x, y)
        with pytest.raises(ValueError):
            board.play(x, y, WHITE)
        with pytest.raises(ValueError):
            board.foul(x, y)
        with pytest.raises(ValueError):
            board.makes_win(x, y, BLACK)
    for colour in (EMPTY, WALL, 7):
        with pytest.raises(ValueError, match="colour"):
            board.play(1, 1, colour)
    assert draw(board) == before
    for width, height, rule in [(4, 15, 0), (15, 23, 0), (15, 15, 3 + 4), (15, 15, 16)]:
        with pytest.raises(ValueError):
            Referee(width, height, rule)
    with pytest.raises(ValueError):
        Referee(5, 5, 0, walls=[(1, 1), (1, 1)])
    board.undo()
    with pytest.raises(IndexError):
        board.undo()


def test_full_board_counts_walls_as_occupied() -> None:
    board = Referee(5, 5, 1, walls=[(4, 4)])
    assert board.walls() == [(4, 4)]
    for x, y in board.empties():
        assert not board.is_full()
        board.play(x, y, BLACK if (x + y // 2) % 2 else WHITE)
    assert board.is_full()
    assert board.winner_anywhere() == 0
    assert len(board.stones()) == 24
    assert board.cell(4, 4) == WALL == board.cell(-1, 0) == board.cell(5, 5)


# ---- properties

Stones = dict[Cell, int]


@st.composite
def positions(draw_from: st.DrawFn) -> tuple[int, int, Stones]:
    """Crowded boards: lines, gaps and blocks of both colours turn up often."""
    width = draw_from(st.integers(5, 11))
    height = draw_from(st.integers(5, 11))
    signs = st.sampled_from((EMPTY, EMPTY, EMPTY, BLACK, BLACK, WHITE, WALL))
    cells = draw_from(st.lists(signs, min_size=width * height, max_size=width * height))
    return (
        width,
        height,
        {(i % width, i // width): stone for i, stone in enumerate(cells) if stone != EMPTY},
    )


def _set_up(width: int, height: int, rule: int, stones: Stones) -> Referee:
    board = Referee(width, height, rule, [cell for cell, s in stones.items() if s == WALL])
    for (x, y), stone in stones.items():
        if stone != WALL:
            board.play(x, y, stone)
    return board


@given(positions(), st.sampled_from(RULES))
@settings(max_examples=60, deadline=None)
def test_symmetries_change_no_judgement(position: tuple[int, int, Stones], rule: int) -> None:
    width, height, stones = position
    board = _set_up(width, height, rule, stones)

    def mirrored(x: int, y: int) -> Cell:
        return width - 1 - x, y

    def transposed(x: int, y: int) -> Cell:
        return y, x

    # These two generate all eight.
    for image, sides in ((mirrored, (width, height)), (transposed, (height, width))):
        other = _set_up(*sides, rule, {image(*cell): stone for cell, stone in stones.items()})
        assert other.winner_anywhere() == board.winner_anywhere()
        assert other.forbidden_points() == {image(*cell) for cell in board.forbidden_points()}
        for colour in (BLACK, WHITE):
            for x, y in board.empties():
                assert other.makes_win(*image(x, y), colour) == board.makes_win(x, y, colour)


class _Literal:
    """The renju definitions taken literally: a stone is tried on *every* cell of the line, and
    what it makes is read off the whole line. No shortcut of the referee is used."""

    def __init__(self, width: int, height: int, stones: Stones) -> None:
        self.cells = {(x, y): EMPTY for x in range(width) for y in range(height)} | stones

    def row(self, cell: Cell, step: Cell) -> list[Cell]:
        """The unbroken black row through `cell`, in order."""
        line = [cell]
        for sign in (1, -1):
            x, y = cell
            while self.cells.get((x := x + sign * step[0], y := y + sign * step[1])) == BLACK:
                line.append((x, y))
        return sorted(line, key=lambda c: c[0] * step[0] + c[1] * step[1])

    def line(self, cell: Cell, step: Cell) -> list[Cell]:
        return [
            at
            for i in range(-11, 12)
            if self.cells.get(at := (cell[0] + i * step[0], cell[1] + i * step[1])) == EMPTY
        ]

    def with_stone(self, at: Cell) -> _Literal:
        other = _Literal(0, 0, self.cells)
        other.cells[at] = BLACK
        return other

    def fours(self, cell: Cell, step: Cell) -> set[frozenset[Cell]]:
        """The sets of four stones, `cell` among them, that one stone makes an exact five."""
        found = set()
        for at in self.line(cell, step):
            row = self.with_stone(at).row(cell, step)
            if len(row) == 5 and at in row:
                found.add(frozenset(row) - {at})
        return found

    def straight_four(self, cell: Cell, step: Cell) -> set[Cell]:
        """The row through `cell` if it is a four that two different stones complete."""
        row = self.row(cell, step)
        if len(row) != 4:
            return set()
        fives = [at for at in self.line(cell, step)
                 if len(self.with_stone(at).row(cell, step)) == 5]  # fmt: skip
        return set(row) if len(fives) == 2 else set()

    def threes(self, cell: Cell, step: Cell) -> set[frozenset[Cell]]:
        """The sets of three stones, `cell` among them, that a stone makes a straight four of."""
        found = set()
        for at in self.line(cell, step):
            four = self.with_stone(at).straight_four(at, step)
            if {cell, at} <= four and not self.five(at) and self.foul(at) is None:
                found.add(frozenset(four) - {at})
        return found

    def overlines(self, cell: Cell, step: Cell) -> set[frozenset[Cell]]:
        row = self.row(cell, step)
        return {frozenset(row)} if len(row) > 5 else set()

    def five(self, at: Cell) -> bool:
        return any(len(self.with_stone(at).row(at, step)) == 5 for step in self.STEPS)

    def foul(self, at: Cell) -> str | None:
        if self.five(at):
            return None
        after = self.with_stone(at)
        if any(after.overlines(at, step) for step in self.STEPS):
            return OVERLINE
        if sum(len(after.fours(at, step)) for step in self.STEPS) >= 2:
            return DOUBLE_FOUR
        if sum(bool(after.threes(at, step)) for step in self.STEPS) >= 2:
            return DOUBLE_THREE
        return None

    def foul_lines(self, at: Cell, foul: str) -> set[frozenset[Cell]]:
        after = self.with_stone(at)
        kinds = {OVERLINE: after.overlines, DOUBLE_FOUR: after.fours, DOUBLE_THREE: after.threes}
        return set().union(*(kinds[foul](at, step) for step in self.STEPS))

    STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


@given(positions())
@settings(max_examples=60, deadline=None)
def test_fouls_agree_with_the_literal_definitions(position: tuple[int, int, Stones]) -> None:
    width, height, stones = position
    board = _set_up(width, height, 4, stones)
    before = draw(board)
    literal = _Literal(width, height, stones)
    fouls = {p: f for p in board.empties() if (f := board.foul(*p))}
    assert fouls == {p: f for p in board.empties() if (f := literal.foul(p))}
    for point, foul in fouls.items():
        lines = [frozenset(line) for line in board.foul_lines(*point)]
        assert len(set(lines)) == len(lines)
        assert set(lines) == literal.foul_lines(point, foul)
    board.winner_anywhere()
    assert draw(board) == before, "judging leaves the board alone"


# ---- names of rules


def test_rules_by_name_and_number() -> None:
    assert list(RULE_NAMES) == list(RULES)
    for rule, name in RULE_NAMES.items():
        for text in (name, name.upper(), f" {name.capitalize()} ", str(rule), RULE_TITLES[rule]):
            assert read_rule(text) == rule
        assert RULE_TEXTS[rule]
    assert read_rule("Gomoku") == 0


# ---- points of fives and of open fours


def board_of(rule: int, black: str, white: str = "") -> Referee:
    board = Referee(15, 15, rule)
    for colour, points in ((BLACK, black), (WHITE, white)):
        for x, y in cells(points):
            board.play(x, y, colour)
    return board


def cells(points: str) -> list[Cell]:
    return read_moves(points, 15, 15) if points else []


def test_open_fours_leave_two_points() -> None:
    board = board_of(FREESTYLE, "f8 g8 h8", "d8")
    before = board.stones()
    assert open_four_points(board, BLACK) == set(cells("i8"))
    assert open_four_points(board, WHITE) == set()
    assert board.stones() == before


def test_a_foul_is_no_open_four() -> None:
    # i8 is an open four and a four downwards as well.
    black = "f8 g8 h8 i9 i10 i11"
    assert cells("i8")[0] in open_four_points(board_of(FREESTYLE, black, "i12"), BLACK)
    assert cells("i8")[0] not in open_four_points(board_of(RENJU, black, "i12"), BLACK)
