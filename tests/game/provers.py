"""Proofs for the tests, found and checked by exhaustive search."""

from __future__ import annotations

import random
from collections.abc import Iterable

from engine.model import ProofNode
from tengen.game.referee import BLACK, WHITE, Cell, Referee, opponent_of

Rng = random.Random


def moves_of(board: Referee, colour: int) -> list[Cell]:
    """The empty cells, less those forbidden to `colour`."""
    return [
        cell for cell in board.empties() if colour == WHITE or board.foul(*cell) is None
    ]  # fmt: skip


def wins_of(board: Referee, colour: int) -> list[Cell]:
    return [cell for cell in board.empties() if board.makes_win(*cell, colour)]


# ---- checking


def longest_win(board: Referee, attacker: int, node: ProofNode) -> int | None:
    """How many stones the tree takes against the longest defence, every one of them played; None
    when it is no proof."""
    if not board.legal(*node.move):
        return None
    if board.makes_win(*node.move, attacker):
        return 1
    if attacker == BLACK and board.foul(*node.move) is not None:
        return None
    board.play(*node.move, attacker)
    try:
        if board.is_full():
            return None
        longest = 1
        for reply in moves_of(board, opponent_of(attacker)):
            answer = node.replies.get(reply, node.otherwise)
            if answer is None or board.makes_win(*reply, opponent_of(attacker)):
                return None
            board.play(*reply, opponent_of(attacker))
            try:
                plies = longest_win(board, attacker, answer)
            finally:
                board.undo()
            if plies is None:
                return None
            longest = max(longest, 2 + plies)
        return longest
    finally:
        board.undo()


# ---- proving


def prove(board: Referee, attacker: int, plies: int, fours_only: bool = False) -> ProofNode | None:
    """A proof, with every reply listed, that `attacker` wins within `plies` stones; None if there
    is none (or none by fours alone). The first move in order that does it."""
    moves = moves_of(board, attacker)
    for move in moves:
        if board.makes_win(*move, attacker):
            return ProofNode(move, {})
    if plies < 3:
        return None
    for move in moves:
        board.play(*move, attacker)
        try:
            if fours_only and not wins_of(board, attacker):
                continue
            if (replies := _refute_all(board, attacker, plies - 1, fours_only)) is not None:
                return ProofNode(move, replies)
        finally:
            board.undo()
    return None


def _refute_all(
    board: Referee, attacker: int, plies: int, fours_only: bool
) -> dict[Cell, ProofNode] | None:
    defender = opponent_of(attacker)
    if board.is_full() or wins_of(board, defender):
        return None
    replies = {}
    # Those that stop a win first: most attacks fail there.
    threats = wins_of(board, attacker)
    for reply in sorted(moves_of(board, defender), key=lambda cell: cell not in threats):
        board.play(*reply, defender)
        answer = prove(board, attacker, plies - 1, fours_only)
        board.undo()
        if answer is None:
            return None
        replies[reply] = answer
    return replies


def prove_quiet(board: Referee, attacker: int, plies: int, rng: Rng) -> ProofNode | None:
    """A proof that one of a few moves, by chance, wins by fours from the next move on, within
    `plies` stones; None if none of them does. Tried are moves that leave no time to pass."""
    moves = moves_of(board, attacker)
    for move in rng.sample(moves, min(6, len(moves))):
        board.play(*move, attacker)
        try:
            if board.winner() or prove(board, attacker, plies - 2, True) is None:
                continue
            if (replies := _refute_all(board, attacker, plies - 1, True)) is not None:
                return ProofNode(move, replies)
        finally:
            board.undo()
    return None


# ---- trees of other shapes


def folded(node: ProofNode, rng: Rng, share: float = 1.0) -> ProofNode:
    """The tree with the answer to one of its replies made `otherwise`, all the way down: mostly
    the winning stone that answers most of them. So large a `share` of the replies that begin with
    the same move is left out of the list; with luck that answer is one to them, too."""
    if not node.replies:
        return node
    answers = {reply: folded(answer, rng, share) for reply, answer in node.replies.items()}
    ends = [answer.move for answer in answers.values() if not answer.replies]
    if ends and rng.random() < 0.9:
        best = max(sorted(set(ends)), key=ends.count)
        otherwise = next(a for a in answers.values() if not a.replies and a.move == best)
    else:
        otherwise = rng.choice(list(answers.values()))
    same = [reply for reply, answer in answers.items() if answer.move == otherwise.move]
    left_out = {reply for reply in same if rng.random() < share}
    listed = {
        reply: answer
        for reply, answer in answers.items()
        if answer is not otherwise and reply not in left_out
    }
    return ProofNode(node.move, listed, otherwise)


def nodes_of(node: ProofNode) -> list[ProofNode]:
    """All nodes of a tree, from the top down."""
    below: Iterable[ProofNode] = [
        *node.replies.values(),
        *([node.otherwise] if node.otherwise else []),
    ]
    return [node, *(deeper for child in below for deeper in nodes_of(child))]


def replaced(tree: ProofNode, old: ProofNode, new: ProofNode) -> ProofNode:
    """The tree with one node changed for another."""
    if tree is old:
        return new
    otherwise = tree.otherwise
    return ProofNode(
        tree.move,
        {reply: replaced(answer, old, new) for reply, answer in tree.replies.items()},
        None if otherwise is None else replaced(otherwise, old, new),
    )


# ---- positions


def small_ending(
    rng: Rng, rule: int, fullness: tuple[float, ...] = (0.35, 0.5, 0.65)
) -> tuple[Referee, int]:
    """A crowded little board with a few empty cells, and the attacker's colour; neither side has
    won."""
    while True:
        width, height = rng.choice([(6, 5), (7, 5), (6, 6), (7, 7), (9, 5)])
        walls = rng.sample(
            [(x, y) for x in range(width) for y in range(height)], rng.choice((0, 2))
        )
        board = Referee(width, height, rule, walls)
        cells = board.empties()
        holes = set(rng.sample(cells, rng.randint(6, 9)))
        blackness = rng.choice(fullness)
        for cell in cells:
            if cell not in holes:
                board.play(*cell, BLACK if rng.random() < blackness else WHITE)
        attacker = rng.choice((BLACK, WHITE))
        if not board.winner_anywhere() and not wins_of(board, attacker):
            return board, attacker


def open_position(rng: Rng, rule: int, size: int = 7) -> tuple[Referee, int]:
    """A few stones on a small board with lines among them, and who attacks; nobody has won, and
    the defender does not win at once."""
    while True:
        board = Referee(size, size, rule)
        attacker = rng.choice((BLACK, WHITE))
        for colour, stones in ((attacker, rng.randint(6, 8)), (opponent_of(attacker), 5)):
            for _ in range(stones):
                board.play(*rng.choice(board.empties()), colour)
        if not board.winner_anywhere() and not wins_of(board, opponent_of(attacker)):
            return board, attacker
