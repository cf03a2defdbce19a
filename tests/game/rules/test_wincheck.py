"""Announced wins: true ones pass, false ones are detected, and the shortcuts change nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from engine.text import read_position
from tengen.game.rules.referee import BLACK, RULES, WHITE, Cell, Referee, opponent_of
from tengen.game.rules.wincheck import Proved, Verdict, check_loss, check_win
from tests.game.rules.boards import draw, referee_of
from tests.game.rules.provers import moves_of, wins_of

Chooser = Callable[[Referee], Cell]


def greedy(colour: int, *plan: Cell) -> Chooser:
    """An attacker that wins when it can, stops a win when it must, makes two ways to win when it
    can, and otherwise plays the first cell of its plan that is still empty (or makes a four)."""

    def choose(board: Referee) -> Cell:
        if wins := wins_of(board, colour):
            return wins[0]
        if stops := wins_of(board, opponent_of(colour)):
            return stops[0]
        best = next((cell for cell in plan if board.legal(*cell)), (-1, -1))
        for cell in moves_of(board, colour):
            board.play(*cell, colour)
            ways = len(wins_of(board, colour))
            board.undo()
            if ways >= 2:
                return cell
        return best

    return choose


def _check(picture: str, colour: int, plies: int, choose: Chooser) -> Verdict:
    board = referee_of(read_position(picture))
    before = draw(board)
    verdict = check_win(board, colour, plies, choose)
    assert draw(board) == before
    return verdict


OPEN_THREE = """
. . . . . . . . .
. . . . . . . . .
. . O . . . . . .
. . . X X X . . .
. . . . O . . . .
. . . . . . . . .
. . . . . . . . .
"""


def test_a_stone_thatwins_of() -> None:
    picture = OPEN_THREE.replace("X X X .", "X X X X")
    verdict = _check(picture, BLACK, 1, greedy(BLACK))
    assert (verdict.ok, verdict.asked, verdict.reason) == (True, 1, "")
    assert verdict.line in (((2, 3),), ((7, 3),))


def test_an_open_three_wins_in_three() -> None:
    verdict = _check(OPEN_THREE, BLACK, 3, greedy(BLACK))
    assert verdict.ok
    assert verdict.line in (((2, 3),), ((6, 3),))
    assert verdict.asked == 1


def test_the_announced_length_counts() -> None:
    verdict = _check(OPEN_THREE, BLACK, 1, greedy(BLACK))
    assert not verdict.ok
    assert "does not win" in verdict.reason
    with pytest.raises(ValueError, match="odd"):
        _check(OPEN_THREE, BLACK, 2, greedy(BLACK))


def test_four_three_wins_in_five() -> None:
    # The stone at 3,5 makes a four in the row, which White must stop, and a three upwards.
    picture = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X . . . . .
    . . . X . . . . .
    O X X . X . . . .
    . . . . . . . . .
    . . . . . . . . .
    """
    verdict = _check(picture, BLACK, 5, greedy(BLACK, (3, 5)))
    assert verdict.ok
    assert verdict.line[:2] == ((3, 5), (5, 5))
    assert verdict.asked == 2
    assert not _check(picture, BLACK, 3, greedy(BLACK, (3, 5))).ok


def test_two_threes_win_against_every_defence() -> None:
    # A quiet stone: each of the many defences must be met, few of them by asking.
    picture = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . X . . . . .
    . . . . . X . . . . .
    . . . X X . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """
    verdict = _check(picture, BLACK, 5, greedy(BLACK, (5, 6)))
    assert verdict.ok
    assert 2 <= verdict.asked < 20
    assert verdict.line[0] == (5, 6)
    # One three is not enough.
    verdict = _check(picture.replace("X X . .", "X O . ."), BLACK, 5, greedy(BLACK, (5, 6)))
    assert not verdict.ok
    assert verdict.reason


def test_a_defence_that_wins_first() -> None:
    picture = """
    . . . . . . . . .
    . . . . . . . . .
    . . O O O O . . .
    . . . X X X . . .
    . . . . . . . . .
    """
    verdict = _check(picture, BLACK, 3, lambda board: (2, 3))
    assert not verdict.ok
    assert verdict.reason in ("the defence b3 wins", "the defence g3 wins")
    assert verdict.line[0] == (2, 3) and len(verdict.line) == 2


@pytest.mark.parametrize(
    ("move", "name"), [((4, 3), "e4"), ((9, 3), "9,3"), ((-1, 0), "-1,0"), ((0, 0), "a7")]
)
def test_moves_that_are_none(move: Cell, name: str) -> None:
    # The last is one at first, but not again.
    verdict = _check(OPEN_THREE, BLACK, 3, lambda board: move)
    assert not verdict.ok
    assert verdict.reason == f"the attacker's move {name} is not an empty cell"


def test_a_move_that_threatens_nothing() -> None:
    moves = iter([(0, 0), (2, 3)])
    verdict = _check(OPEN_THREE, BLACK, 3, lambda board: next(moves))
    assert not verdict.ok
    assert verdict.reason == "the attacker's move c4 does not win"


RENJU_POINT = """
rule: 4
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . X . . . .
. . . . . . X . . . .
. O O O . . ! . . . .
. . . . . . X . . . .
. . . . . . X . . . .
. . . . . . X . . . .
. . . . . . . . . . .
"""


def test_a_forbidden_point_is_no_defence() -> None:
    # White's four can be stopped at 6,4 only, where Black would make six.
    picture = RENJU_POINT.replace(". O O O . .", "X . O O O .")
    assert referee_of(read_position(picture)).foul(6, 4) == "overline"

    def attack(board: Referee) -> Cell:
        wins = wins_of(board, WHITE)
        return wins[0] if wins else (5, 4)

    assert _check(picture, WHITE, 3, attack).ok
    free = picture.replace("rule: 4", "rule: 0")
    assert not _check(free, WHITE, 3, attack).ok


def test_a_foul_is_no_attack() -> None:
    picture = RENJU_POINT.replace(". O O O . .", ". . . . . .")
    verdict = _check(picture, BLACK, 5, lambda board: (6, 4))
    assert not verdict.ok
    assert verdict.reason == "the attacker's move g5 is a foul: overline"


def test_in_caro_a_stone_beside_the_row_defends() -> None:
    # A four with two ways to five, but White at 1 holds one end of each after taking the other.
    picture = """
    rule: {}
    . . . . . . . . . .
    . . . . . . . . . .
    . O . X X X . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    """

    def attack(board: Referee) -> Cell:
        return (wins_of(board, BLACK) or [(6, 2)])[0]

    assert _check(picture.format(0), BLACK, 3, attack).ok
    verdict = _check(picture.format(8), BLACK, 3, attack)
    assert not verdict.ok
    assert verdict.line[:2] == ((6, 2), (7, 2))


def test_giving_up_and_full_boards() -> None:
    board = referee_of(read_position(OPEN_THREE))
    before = draw(board)
    verdict = check_win(board, BLACK, 3, greedy(BLACK), max_nodes=0)
    assert (verdict.ok, verdict.reason) == (False, "given up after 0 stones")
    assert draw(board) == before
    full = referee_of(read_position("X O X O X\nX O X O X\nO X O X O\nX O X O X\n. X O X O\n"))
    verdict = check_win(full, BLACK, 3, lambda board: (0, 4))
    assert verdict.reason == "the board is full: a draw"


def test_an_exception_of_the_attacker_is_passed_on() -> None:
    board = referee_of(read_position(OPEN_THREE))
    before = draw(board)

    def fail(board: Referee) -> Cell:
        raise RuntimeError("gone")

    with pytest.raises(RuntimeError, match="gone"):
        check_win(board, BLACK, 3, fail)
    assert draw(board) == before


# ---- against a solver that knows no shortcut


def _solve(board: Referee, colour: int, plies: int) -> Cell | None:
    """A move of `colour` that wins within `plies` stones against everything, or None."""
    opponent = opponent_of(colour)
    for move in moves_of(board, colour):
        if board.makes_win(*move, colour):
            return move
        if plies < 3:
            continue
        board.play(*move, colour)
        won = not board.is_full()
        for reply in moves_of(board, opponent):
            if board.makes_win(*reply, opponent):
                won = False
                break
            board.play(*reply, opponent)
            won = _solve(board, colour, plies - 2) is not None
            board.undo()
            if not won:
                break
        board.undo()
        if won:
            return move
    return None


def _small_ending(rng: random.Random) -> tuple[Referee, int]:
    """A crowded little board with a few empty cells, and the attacker's colour; neither side wins
    at once."""
    while True:
        width, height = rng.choice([(6, 5), (7, 5), (6, 6), (7, 7)])
        board = Referee(width, height, rng.choice(RULES))
        cells = board.empties()
        holes = set(rng.sample(cells, rng.randint(6, 9)))
        blackness = rng.choice((0.35, 0.5, 0.65))
        for cell in cells:
            if cell not in holes:
                board.play(*cell, BLACK if rng.random() < blackness else WHITE)
        attacker = rng.choice((BLACK, WHITE))
        if not wins_of(board, attacker):
            return board, attacker


def test_the_verdict_is_that_of_a_full_search() -> None:
    rng = random.Random(4)
    verdicts: Counter[tuple[int, bool]] = Counter()
    for _ in range(500):
        board, attacker = _small_ending(rng)

        def choose(board: Referee, attacker: int = attacker) -> Cell:
            for plies in (1, 3, 5):
                if (move := _solve(board, attacker, plies)) is not None:
                    return move
            return next(iter(moves_of(board, attacker)), board.empties()[0])

        plies = rng.choice((3, 5))
        verdict = check_win(board, attacker, plies, choose)
        assert verdict.ok == (_solve(board, attacker, plies) is not None), draw(board)
        assert not verdict.ok or 1 <= len(verdict.line) <= plies
        verdicts[plies, verdict.ok] += 1
    assert min(verdicts[3, True], verdicts[5, True]) >= 5
    assert min(verdicts[3, False], verdicts[5, False]) >= 100


# ---- losses, and positions settled by proofs


TWO_THREES = """
O . . . . . . . O
. . . . . . . . .
. . . X . . . . .
O . . X . . . . .
. . . X . . . . .
. . . . . . . . .
O . . . . . . . .
. . . . X X X . .
O . . . . . . . .
"""


def test_a_loss_holds_against_every_move() -> None:
    board = referee_of(read_position(TWO_THREES))
    before = draw(board)
    verdict = check_loss(board, WHITE, 4, greedy(BLACK))
    assert verdict.ok, verdict
    assert (len(verdict.line), verdict.asked > 0) == (2, True)
    assert draw(board) == before
    too_short = check_loss(board, WHITE, 2, greedy(BLACK))
    assert not too_short.ok and draw(board) == before


def test_a_loss_that_is_none_names_the_defence() -> None:
    board = referee_of(read_position(OPEN_THREE))
    verdict = check_loss(board, WHITE, 4, greedy(BLACK))
    assert not verdict.ok
    assert verdict.line[0] in ((1, 3), (2, 3), (6, 3), (7, 3))
    # The side to move wins itself.
    board = referee_of(read_position(OPEN_THREE.replace("X X X .", "X X X X")))
    verdict = check_loss(board, BLACK, 4, greedy(WHITE))
    assert verdict.line in (((2, 3),), ((7, 3),)) and verdict.reason.endswith(" wins")
    for plies in (0, 3):
        with pytest.raises(ValueError, match="even"):
            check_loss(board, BLACK, plies, greedy(WHITE))


def test_black_without_a_legal_move_has_lost() -> None:
    picture = """
    rule: 4
    X O X O X O X
    O X O O O X O
    O X O O O X O
    X X X . X X X
    O X O O O X O
    O X O O O X O
    X O X O X O X
    """
    board = referee_of(read_position(picture))
    assert board.foul(3, 3) == "overline"
    assert check_loss(board, BLACK, 2, greedy(WHITE)).ok
    free = referee_of(read_position(picture.replace("rule: 4", "rule: 0")))
    assert not check_loss(free, BLACK, 2, greedy(WHITE)).ok


def test_a_proof_settles_a_position_within_its_plies() -> None:
    asked: list[int] = []

    def prove(board: Referee, plies: int) -> Proved | None:
        asked.append(plies)
        return Proved((2, 3), 3) if plies >= 3 else None

    board = referee_of(read_position(OPEN_THREE))
    verdict = check_win(board, BLACK, 3, greedy(BLACK), prove=prove)
    assert (verdict.ok, verdict.asked, verdict.nodes, asked) == (True, 0, 0, [3])
    verdict = check_win(board, BLACK, 1, greedy(BLACK), prove=prove)
    assert not verdict.ok and asked[-1] == 1
    board = referee_of(read_position(TWO_THREES))
    asked.clear()
    verdict = check_loss(board, WHITE, 4, greedy(BLACK), prove=prove)
    assert verdict.ok and verdict.asked == 0 and set(asked) == {3}
