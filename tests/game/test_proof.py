"""Proofs and announced wins: right ones are confirmed, wrong ones refused with where they fail."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from engine.model import ProofNode
from engine.text import read_position
from tengen.game.proof import Verdict, check_proof, check_win
from tengen.game.proof_file import node_record, read_node, tree_size
from tengen.game.referee import BLACK, RULES, WHITE, Cell, Referee
from tests.game.boards import draw, referee_of
from tests.game.provers import (
    folded,
    longest_win,
    moves_of,
    nodes_of,
    open_position,
    prove,
    prove_quiet,
    replaced,
    small_ending,
)

FOUR_THREE = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . X . . . . .
. . . X . . . . .
O X X . X . . . .
. . . . . . . . .
. . . . . . . . .
"""


def leaf(x: int, y: int) -> ProofNode:
    return ProofNode((x, y), {})


def proof_of_four_three() -> ProofNode:
    # 3,5 is a four in the row, and after the block a three upwards becomes an open four.
    open_four = ProofNode((3, 2), {(3, 1): leaf(3, 6)}, leaf(3, 1))
    return ProofNode((3, 5), {(5, 5): open_four}, leaf(5, 5))


def check(picture: str, attacker: int, proof: ProofNode, plies: int | None = None) -> Verdict:
    board = referee_of(read_position(picture))
    before = draw(board)
    verdict = check_proof(board, attacker, proof, plies)
    assert draw(board) == before
    assert verdict.ok == (longest_win(board, attacker, proof) is not None) or plies
    return verdict


def test_a_good_proof() -> None:
    verdict = check(FOUR_THREE, BLACK, proof_of_four_three())
    assert (verdict.ok, verdict.plies, verdict.line, verdict.reason) == (True, 5, (), "")
    assert verdict.nodes < 10
    record: dict[str, Any] = node_record(proof_of_four_three())
    assert record["replies"][0]["then"]["otherwise"] == {
        "move": [3, 1], "replies": [], "otherwise": None,
    }  # fmt: skip
    board = referee_of(read_position(FOUR_THREE))
    assert check_proof(board, BLACK, read_node(record)).ok
    assert node_record(read_node(record)) == record
    assert tree_size(proof_of_four_three()) == 5


@pytest.mark.parametrize(
    ("proof", "line", "reason"),
    [
        # A reply left out, so that it is met by `otherwise`, or by nothing.
        (
            ProofNode((3, 5), {}, leaf(5, 5)),
            [(3, 5), (5, 5)],
            "the attacker's move f3 is not an empty cell",
        ),
        (
            ProofNode((3, 5), {(5, 5): leaf(3, 2)}),
            [(3, 5), (5, 5), (3, 2)],
            "the proof ends without a winning line",
        ),
        (
            ProofNode((3, 5), {(0, 0): leaf(5, 5)}),
            [(3, 5), (1, 0)],
            "the defence b8 is not answered",
        ),
        # The wrong one for the rest.
        (
            ProofNode((3, 5), proof_of_four_three().replies, leaf(6, 5)),
            [(3, 5), (0, 0), (6, 5)],
            "the proof ends without a winning line",
        ),
        (leaf(3, 5), [(3, 5)], "the proof ends without a winning line"),
        (leaf(3, 3), [], "the attacker's move d5 is not an empty cell"),
        (leaf(9, 3), [], "the attacker's move 9,3 is not an empty cell"),
    ],
)
def test_a_broken_tree(proof: ProofNode, line: list[Cell], reason: str) -> None:
    verdict = check(FOUR_THREE, BLACK, proof)
    assert not verdict.ok
    assert verdict.reason == reason
    assert list(verdict.line) == line


def test_the_length_counts() -> None:
    assert check(FOUR_THREE, BLACK, proof_of_four_three(), 5).ok
    verdict = check(FOUR_THREE, BLACK, proof_of_four_three(), 4)
    assert verdict.reason == "the win is longer than the 4 plies announced"
    assert verdict.line == ((3, 5), (5, 5), (3, 2), (3, 1))


def test_giving_up() -> None:
    board = referee_of(read_position(FOUR_THREE))
    verdict = check_proof(board, BLACK, proof_of_four_three(), max_nodes=3)
    assert (verdict.ok, verdict.reason) == (False, "given up after 3 stones")
    assert check_proof(board, BLACK, proof_of_four_three(), max_nodes=verdict.nodes).ok


def test_a_defender_who_wins_first() -> None:
    picture = FOUR_THREE.replace(". . . . . . . . .", "O O O O . . . . .", 1)
    verdict = check(picture, BLACK, proof_of_four_three())
    assert verdict.reason == "the defence e8 wins"
    assert verdict.line == ((3, 5), (4, 0))


def test_a_finished_game_and_a_full_board() -> None:
    won = FOUR_THREE.replace("O X X . X", "X X X X X")
    assert check_proof(referee_of(read_position(won)), WHITE, leaf(0, 0)).reason == (
        "the game is over before the first move"
    )
    full = referee_of(read_position("X O X O X\nX O X O X\nO X O X O\nX O X O X\n. X O X O\n"))
    assert check_proof(full, BLACK, leaf(0, 4)).reason == "the board is full: a draw"


# ---- what is particular to a rule

ROW = """
rule: {}
. . . . . . . . . .
. . . . . . . . . .
. O . X X X . . . .
. . . . . . . . . .
. . . . . . . . . .
"""


def test_an_open_four_in_caro_can_be_held() -> None:
    # White at 7 and then at 2: both fives have a white stone at each end.
    proof = ProofNode((6, 2), {(7, 2): leaf(2, 2)}, leaf(7, 2))
    assert check(ROW.format(0), BLACK, proof).ok
    assert check(ROW.format(1), BLACK, proof).ok
    verdict = check(ROW.format(8), BLACK, proof)
    assert verdict.reason == "the proof ends without a winning line"
    assert verdict.line == ((6, 2), (7, 2), (2, 2))
    # With the end at 1 open, White holds only one of them.
    assert check(ROW.replace(". O .", ". . .").format(8), BLACK, proof).ok


def test_in_standard_six_are_nothing() -> None:
    picture = ". . . . . . . .\n. X X . X X X .\n. . . . . . . .\n" + ". . . . . . . .\n" * 2
    assert check(picture, BLACK, leaf(3, 1)).ok
    verdict = check("rule: 1\n" + picture, BLACK, leaf(3, 1))
    assert verdict.reason == "the proof ends without a winning line"
    assert check("rule: 8\n" + picture, BLACK, leaf(3, 1)).ok
    assert not check("rule: 9\n" + picture, BLACK, leaf(3, 1)).ok
    assert not check("rule: 4\n" + picture, BLACK, leaf(3, 1)).ok


RENJU_POINT = """
rule: 4
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . X . . . .
. . . . . . X . . . .
X . O O O . ! . . . .
. . . . . . X . . . .
. . . . . . X . . . .
. . . . . . X . . . .
. . . . . . . . . . .
"""


def test_fouls_in_renju() -> None:
    # White's four can be stopped at 6,4 only, where Black would make six.
    proof = ProofNode((5, 4), {}, leaf(6, 4))
    assert check(RENJU_POINT, WHITE, proof).ok
    assert not check(RENJU_POINT.replace("rule: 4", "rule: 0"), WHITE, proof).ok
    verdict = check(RENJU_POINT, BLACK, ProofNode((6, 4), {}, leaf(0, 0)))
    assert verdict.reason == "the attacker's move g5 is a foul: overline"


def test_black_with_nothing_but_fouls_has_lost() -> None:
    board = referee_of(read_position(RENJU_POINT))
    for x, y in board.empties():
        if (x, y) not in ((5, 4), (6, 4)):
            # No line of five, no six: pairs of colours in a pattern that has none.
            board.play(x, y, BLACK if (x + 2 * y) % 4 < 2 else WHITE)
    assert not board.winner_anywhere() and board.empties() == [(5, 4), (6, 4)]
    assert check_proof(board, WHITE, ProofNode((5, 4), {})).ok


# ---- documents that are no proof


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (None, "proof: None is not a node"),
        ({"replies": []}, "proof: a node without a move"),
        ({"move": [1]}, r"\[1\] is not a cell; expected a pair such as \[7, 7\]"),
        ({"move": [1, True]}, "is not a cell"),
        ({"move": [1, 2], "reply": []}, "a node has no field 'reply'"),
        ({"move": [1, 2], "replies": {}}, "expected a list"),
        ({"move": [1, 2], "replies": [[1, 2]]}, "expected move and then"),
        ({"move": [1, 2], "replies": [{"move": [1, 2]}]}, "expected move and then"),
        ({"move": [1, 2], "otherwise": [1, 2]}, r"proof: \[1, 2\] is not a node"),
        (
            {"move": [1, 2], "replies": [{"move": [3, 3], "then": {"move": [4, 4]}}] * 2},
            "the reply 3,3 is listed twice",
        ),
    ],
)
def test_no_tree(record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        read_node(record)
    assert "\n" not in str(error.value)


def test_endless_trees() -> None:
    deep: dict[str, Any] = {"move": [0, 0]}
    for _ in range(5000):
        deep = {"move": [0, 0], "replies": [], "otherwise": deep}
    with pytest.raises(ValueError, match="nested too deeply"):
        read_node(deep)


# ---- against checking by trying everything


def _mutated(tree: ProofNode, board: Referee, rng: random.Random) -> ProofNode:
    """The tree with one thing in it changed: a move, a reply left out, another `otherwise`."""
    old = rng.choice(nodes_of(tree))
    what = rng.choice(("move", "reply", "otherwise", "first"))
    if what == "first":
        return ProofNode(rng.choice(board.empties()), {}, tree)
    if what == "move":
        new = ProofNode(rng.choice(board.empties()), old.replies, old.otherwise)
    elif what == "reply" and old.replies:
        left_out = rng.choice(list(old.replies))
        new = ProofNode(
            old.move, {r: a for r, a in old.replies.items() if r != left_out}, old.otherwise
        )
    else:
        new = ProofNode(old.move, old.replies, rng.choice([None, *nodes_of(tree)]))
    return replaced(tree, old, new)


def compare(seed: int, positions: int, trees: int) -> Counter[tuple[int, bool]]:
    """Fast against plain checking of proofs, whole and broken, in positions by chance."""
    rng = random.Random(seed)
    verdicts: Counter[tuple[int, bool]] = Counter()
    for i in range(positions):
        rule = RULES[i % len(RULES)]
        proof = None
        while proof is None or not proof.replies:
            kind = rng.choice(("ending", "fours", "fours", "quiet"))
            if kind == "ending":
                board, attacker = small_ending(rng, rule)
                proof = prove(board, attacker, rng.choice((3, 5)))
            else:
                board, attacker = open_position(rng, rule)
                if kind == "fours":
                    proof = prove(board, attacker, 7, fours_only=True)
                else:
                    proof = prove_quiet(board, attacker, 5, rng)
        whole = check_proof(board, attacker, proof)
        assert whole.ok and whole.plies == longest_win(board, attacker, proof)
        for _ in range(trees):
            tree = folded(proof, rng, rng.choice((0.0, 0.3, 0.6, 1.0)))
            if rng.random() < 0.5:
                tree = _mutated(tree, board, rng)
            stones = len(board.stones())
            if rng.random() < 0.5:
                board.play(*rng.choice(board.empties()), rng.choice((BLACK, WHITE)))
            if not board.winner_anywhere():
                plies = longest_win(board, attacker, tree)
                verdict = check_proof(board, attacker, tree)
                where = f"{draw(board)}\n{attacker} {node_record(tree)}\n{verdict}"
                assert verdict.ok == (plies is not None), where
                if plies is not None:
                    assert plies <= verdict.plies, where
                    assert check_proof(board, attacker, tree, plies).ok, where
                    assert not check_proof(board, attacker, tree, plies - 1).ok, where
                verdicts[rule, verdict.ok] += 1
            while len(board.stones()) > stones:
                board.undo()
    return verdicts


def test_the_verdict_is_that_of_trying_everything() -> None:
    verdicts = compare(seed=1, positions=15, trees=16)
    for rule in RULES:
        assert verdicts[rule, True] > 5 and verdicts[rule, False] > 5, verdicts


@pytest.mark.slow
def test_the_verdict_is_that_of_trying_everything_many_times() -> None:
    verdicts = compare(seed=2, positions=150, trees=60)
    for rule in RULES:
        assert verdicts[rule, True] >= 300 and verdicts[rule, False] >= 300, verdicts


# ---- wins that are announced

# A quiet stone at 5,6: each of the many defences must be met, few of them by asking.
QUIET = """
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


def announced(
    picture: str, plies: int, choose: Callable[[Referee, int], Cell], most: int | None = None
) -> Verdict:
    """The check of a win of Black, whose moves are chosen for a board and the plies left."""
    board = referee_of(read_position(picture))
    before = draw(board)
    try:
        return check_win(board, BLACK, plies, lambda *at: ProofNode(choose(*at), {}), most)
    finally:
        assert draw(board) == before


@pytest.mark.parametrize(
    ("picture", "first", "most"), [(FOUR_THREE, (3, 5), 6), (QUIET, (5, 6), 40)]
)
def test_a_win_holds_within_its_plies_with_few_questions(
    picture: str, first: Cell, most: int
) -> None:
    asked: list[Referee] = []

    def choose(board: Referee, plies: int) -> Cell:
        asked.append(board)
        if board.legal(*first):
            return first
        proof = prove(board, BLACK, plies, fours_only=True)
        return board.empties()[0] if proof is None else proof.move

    verdict = announced(picture, 5, choose)
    assert (verdict.ok, verdict.plies, verdict.reason) == (True, 5, "")
    assert len(asked) <= most
    short = announced(picture, 3, choose)
    assert short.reason == "the win is longer than the 3 plies announced"
    with pytest.raises(ValueError, match="odd"):
        announced(picture, 4, choose)


@pytest.mark.parametrize(
    ("moves", "reason", "line"),
    [
        ([(4, 5)], "the attacker's move e3 is not an empty cell", []),
        ([(-1, 0)], "the attacker's move -1,0 is not an empty cell", []),
        ([(3, 5), (0, 0), (0, 0)], "the attacker's move a8 is not an empty cell", [(3, 5)]),
    ],
)
def test_what_is_no_win_is_named(moves: list[Cell], reason: str, line: list[Cell]) -> None:
    left = iter(moves)
    verdict = announced(FOUR_THREE, 5, lambda *_: next(left, moves[-1]))
    assert (verdict.ok, verdict.reason) == (False, reason)
    assert list(verdict.line[: len(line)]) == line


def test_giving_up_and_an_exception_leave_the_board_alone() -> None:
    verdict = announced(FOUR_THREE, 3, lambda *_: (3, 5), most=0)
    assert (verdict.ok, verdict.reason) == (False, "given up after 0 stones")

    def fail(*_: object) -> Cell:
        raise RuntimeError("gone")

    with pytest.raises(RuntimeError, match="gone"):
        announced(FOUR_THREE, 3, fail)


def test_the_verdict_is_that_of_a_full_search() -> None:
    rng = random.Random(4)
    verdicts: Counter[tuple[int, bool]] = Counter()
    for i in range(500):
        board, attacker = small_ending(rng, RULES[i % len(RULES)])

        def ask(board: Referee, plies: int, attacker: int = attacker) -> ProofNode:
            """A move with which nothing says how to go on."""
            if (proof := prove(board, attacker, plies)) is not None:
                return ProofNode(proof.move, {})
            return ProofNode(next(iter(moves_of(board, attacker)), board.empties()[0]), {})

        plies = rng.choice((3, 5))
        verdict = check_win(board, attacker, plies, ask)
        assert verdict.ok == (prove(board, attacker, plies) is not None), draw(board)
        assert not verdict.ok or 1 <= verdict.plies <= plies
        verdicts[plies, verdict.ok] += 1
    assert min(verdicts[3, True], verdicts[5, True]) >= 5
    assert min(verdicts[3, False], verdicts[5, False]) >= 100
