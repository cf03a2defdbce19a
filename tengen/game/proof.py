"""Checks that a winning tree is complete: the referee replays it against every legal defence.

A proof is a tree of the attacker's moves. A move that completes a winning line ends its branch.
Otherwise the node holds the answers to the defender's replies: some replies are listed, each with
the node that answers it, and one node, `otherwise`, answers all the other replies.

A listed reply that cannot be played in the position of its node is ignored.

How all replies are checked without playing them all
----------------------------------------------------
`otherwise` has to win after each of some two hundred replies, and contains further nodes of the
same kind. So it is verified once as if the defender had passed. Meanwhile a *zone* of cells is
collected such that:

    If the node wins in a position in which the defender has passed k times, it also wins when the
    defender has put a stone on any k cells outside the zone instead.

Replies in the zone are then played one by one. If the node does not win after a pass, all replies
are. A win can depend on a cell being empty in five ways, which say what goes into the zone:

1. The cells where the attacker plays.
2. The attacker's winning lines. The defender's stones elsewhere neither lengthen nor shorten a row,
   so they do not change whether it wins, except in caro, where a five with opponent stones at both
   ends does not win: the empty ends of a five are in the zone. (Six or more always win in caro, and
   never in caro exact.)
3. The defender has no winning move. A winning line has five neighbouring stones. With k more stones
   and the winning one, the defender can only fill a row of five that has at most k + 1 empty cells
   and otherwise stones of its own; all cells of such rows are in the zone. A row of five that the
   defender could fill without winning (it is too long, or blocked at both ends) does not become
   better with more of the defender's stones: it gets no shorter, and its blocks stay.
4. In renju, an attacker's point is not a foul, or a defender's point is one. The answer depends
   only on the cells that are read to find it, and those are in the zone (`_foul_reads`). An
   attacker's point with too few black stones around it for any foul adds no cells, because the
   stones added are white.
5. The board is not full: if k more stones would fill it, all cells are in the zone.

In such a position the defender has fewer other replies than after a pass (all but the fouls of 4),
and each is answered by a node that was verified, with a zone that is part of this one.

A win that a program only announces is checked in the same way (`check_win`): the program is asked
for the attacker's move where a proof has a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from engine.model import ProofNode
from engine.text import name_or_pair
from tengen.game.referee import (
    BLACK,
    DIRECTIONS,
    EMPTY,
    Cell,
    Referee,
    opponent_of,
)

# Gives a node for a position and the stones that the win may still take.
Ask = Callable[[Referee, int], ProofNode]


@dataclass(frozen=True)
class Verdict:
    """The result of a check.

    ok      the attacker wins against every legal defence, within the plies announced.
    plies   stones that the tree needs at most, the winning one included; 0 when not ok.
    line    the moves to where the proof fails, the attacker's first; empty when ok.
    nodes   stones put on the board for the check.
    reason  empty when ok, otherwise what is wrong, in words.
    """

    ok: bool
    plies: int
    line: tuple[Cell, ...]
    nodes: int
    reason: str


def check_proof(
    board: Referee,
    attacker: int,
    proof: ProofNode,
    plies: int | None = None,
    max_nodes: int | None = None,
) -> Verdict:
    """Replays a proof that `attacker`, to move on `board`, wins whatever the opponent does.

    plies      the most stones that the win may take, both sides' together; None = any number.
    max_nodes  gives up, with ok False, after this many stones; None = never.

    In renju, forbidden points are not replies for Black: if Black has no other reply, Black has
    lost. The board is the same afterwards.
    """
    if board.winner_anywhere():
        return Verdict(False, 0, (), 0, "the game is over before the first move")
    return _Check(board, attacker, plies, max_nodes).verdict(proof)


def check_win(
    board: Referee,
    attacker: int,
    plies: int,
    ask: Ask,
    max_nodes: int | None = None,
) -> Verdict:
    """Plays out an announced win: `attacker`, to move on `board`, wins within `plies` stones (those
    of both sides, so an odd number) against every legal defence.

    ask  gives the attacker's move, as a node without an answer, or a whole proof, for a position in
         which the defender may have passed, and the stones that the win may still take. It leaves
         the board as it is. What it raises is passed on.

    Everything else is as for `check_proof`. ValueError for plies that are not an odd number above
    zero.
    """
    if plies < 1 or plies % 2 == 0:
        raise ValueError(f"plies {plies}: expected an odd number above zero")
    return _Check(board, attacker, plies, max_nodes, ask).verdict(None)


class _NotAWin(Exception):
    """The win does not hold: `line` leads to where it fails."""

    def __init__(self, line: Iterable[Cell], reason: str) -> None:
        super().__init__(reason)
        self.line = tuple(line)


class _Check:
    """One check. Every method leaves the board as it found it, unless it raises _NotAWin."""

    def __init__(
        self,
        board: Referee,
        attacker: int,
        plies: int | None,
        max_nodes: int | None,
        ask: Ask | None = None,
    ) -> None:
        self._board = board
        self._attacker = attacker
        self._defender = opponent_of(attacker)
        self._plies = plies
        self._max_nodes = max_nodes
        self._ask = ask
        self._nodes = 0  # stones put on the board so far
        self._line: list[Cell] = []  # those on the board now
        self._everywhere = frozenset(board.empties())
        self._rows = _Rows(board, self._defender)

    def verdict(self, node: ProofNode | None) -> Verdict:
        """Checks from the first move on; the board is the same afterwards."""
        try:
            longest, _ = self.verify(node, 0, 0)
        except _NotAWin as broken:
            return Verdict(False, 0, broken.line, self._nodes, str(broken))
        except RecursionError:
            raise ValueError("proof: is nested too deeply") from None
        finally:
            self._undo_to(0)
        return Verdict(True, longest, (), self._nodes, "")

    def verify(self, node: ProofNode | None, played: int, passes: int) -> tuple[int, set[Cell]]:
        """The attacker is to move after `played` stones, the defender's passes among them counted
        as stones; where there is no node, one is asked for. Returns how many stones the win takes
        from here at most, and the zone, which is complete only if there were passes. Raises NotAWin
        if the node does not win."""
        board = self._board
        if self._plies is not None and played >= self._plies:
            raise self._failed(f"the win is longer than the {self._plies} plies announced")
        if node is None:
            assert self._ask is not None and self._plies is not None
            node = self._ask(board, self._plies - played)
        move = node.move
        if not board.legal(*move):
            raise self._failed(f"the attacker's move {self._name(move)} is not an empty cell")
        zone = {move}
        if board.makes_win(*move, self._attacker):
            if passes and board.ends_block:
                zone |= self._ends_of_five(move)
            return 1, zone
        if self._attacker == BLACK and board.has_fouls:
            if (foul := board.foul(*move)) is not None:
                raise self._failed(f"the attacker's move {self._name(move)} is a foul: {foul}")
            if passes and board.may_be_foul(*move):
                zone |= _foul_reads(board, move)
        self._play(move, self._attacker)
        longest = 1 + self._verify_replies(node, played + 1, passes, zone)
        self._undo_to(len(self._line) - 1)
        return longest, zone

    def _verify_replies(self, node: ProofNode, played: int, passes: int, zone: set[Cell]) -> int:
        """The defender is to move after `node.move`. Adds to the zone and returns how many more
        stones the win takes."""
        board = self._board
        empty = len(self._everywhere) - len(self._line)
        if empty == 0:
            raise self._failed("the board is full: a draw")
        if wins := self._rows.wins(board):
            raise self._failed(f"the defence {self._name(wins[0])} wins", wins[0])
        if passes:
            if empty <= passes:
                zone |= self._everywhere
            for gaps in range(2, min(passes + 1, 5) + 1):
                zone |= self._rows.gaps(board, gaps)
        longest = 0
        for reply, answer in node.replies.items():
            if board.legal(*reply):
                empty -= 1
                longest = max(longest, self._verify_reply(reply, answer, played, passes, zone))
        if node.otherwise is None and self._ask is None:
            self._verify_all_listed(node, passes, zone)
            return longest
        after_pass, inner = self._verify_after_pass(node.otherwise, played, passes)
        others = [r for r in sorted(inner) if r not in node.replies and board.legal(*r)]
        for reply in others:
            taken = self._verify_reply(reply, node.otherwise, played, passes, zone)
            longest = max(longest, taken)
        zone |= inner
        return max(longest, after_pass) if empty > len(others) else longest

    def _verify_reply(
        self, reply: Cell, answer: ProofNode | None, played: int, passes: int, zone: set[Cell]
    ) -> int:
        """The same after a reply to an empty cell: the number of stones still to come, the reply
        included, or 0 if the reply is a foul."""
        if self._is_foul_reply(reply, passes, zone):
            return 0
        self._play(reply, self._defender)
        longest, inner = self.verify(answer, played + 1, passes)
        self._undo_to(len(self._line) - 1)
        if passes:
            zone |= inner
        return 1 + longest

    def _verify_after_pass(
        self, node: ProofNode | None, played: int, passes: int
    ) -> tuple[int, set[Cell] | frozenset[Cell]]:
        """The same when the defender passes. If the node does not win then, the zone is all cells:
        every reply has to be tried."""
        stones = len(self._line)
        try:
            longest, zone = self.verify(node, played + 1, passes + 1)
        except _NotAWin:
            self._undo_to(stones)
            return 0, self._everywhere
        return 1 + longest, zone

    def _verify_all_listed(self, node: ProofNode, passes: int, zone: set[Cell]) -> None:
        for reply in self._board.empties():
            if reply not in node.replies and not self._is_foul_reply(reply, passes, zone):
                if not node.replies:
                    raise self._failed("the proof ends without a winning line")
                raise self._failed(f"the defence {self._name(reply)} is not answered", reply)

    def _is_foul_reply(self, reply: Cell, passes: int, zone: set[Cell]) -> bool:
        if self._defender != BLACK or self._board.foul(*reply) is None:
            return False
        if passes:
            zone |= _foul_reads(self._board, reply)
        return True

    def _ends_of_five(self, move: Cell) -> set[Cell]:
        """The empty cells at both ends of the winning row that the attacker makes, if it is a five:
        stones there could keep it from winning."""
        board = self._board
        board.play(*move, self._attacker)
        (ax, ay), *_, (bx, by) = line = board.winning_line()
        board.undo()
        if len(line) > 5:
            return set()
        dx, dy = (bx - ax) // 4, (by - ay) // 4
        return {end for end in ((ax - dx, ay - dy), (bx + dx, by + dy)) if board.legal(*end)}

    def _play(self, cell: Cell, colour: int) -> None:
        self._nodes += 1
        if self._max_nodes is not None and self._nodes > self._max_nodes:
            raise self._failed(f"given up after {self._max_nodes} stones")
        self._board.play(*cell, colour)
        self._line.append(cell)
        self._rows.play(cell, colour)

    def _undo_to(self, stones: int) -> None:
        while len(self._line) > stones:
            cell = self._line.pop()
            self._rows.undo(cell, self._board.cell(*cell))
            self._board.undo()

    def _name(self, cell: Cell) -> str:
        """The cell as people write it."""
        return name_or_pair(cell, self._board.width, self._board.height)

    def _failed(self, reason: str, *last: Cell) -> _NotAWin:
        """The error that the win fails after the moves on the board, and then `last`."""
        return _NotAWin([*self._line, *last], reason)


# ---- what a foul depends on


def _foul_reads(board: Referee, cell: Cell) -> set[Cell]:
    """All cells whose stones `board.foul(cell)` may look at, and so all that its answer can
    depend on, beyond `cell` itself.

    Along each line it looks past the black row through `cell` to the gap where a stone might
    complete a four, and past the black row that follows that gap; and five cells far in any case.
    A three counts only if the stone that would make a straight four of it is no foul, so with a
    stone on `cell` the same holds for each gap that makes a row of four.
    """
    reads: set[Cell] = set()
    for dx, dy in DIRECTIONS:
        for towards in ((dx, dy), (-dx, -dy)):
            gap = 1 + _run(board, cell, towards)
            last = gap
            if board.cell(*_beyond(cell, towards, gap)) == EMPTY:
                last += 1 + _run(board, _beyond(cell, towards, gap), towards)
            reads.update(_beyond(cell, towards, i) for i in range(1, max(last, 5) + 1))
    board.play(*cell, BLACK)
    for dx, dy in DIRECTIONS:
        for towards in ((dx, dy), (-dx, -dy)):
            gap_cell = _beyond(cell, towards, 1 + _run(board, cell, towards))
            back = (-towards[0], -towards[1])
            if board.legal(*gap_cell):
                row = 1 + _run(board, gap_cell, towards) + _run(board, gap_cell, back)
                if row == 4:
                    reads |= _foul_reads(board, gap_cell) | {gap_cell}
    board.undo()
    return reads


def _run(board: Referee, cell: Cell, step: Cell) -> int:
    """How many black stones follow `cell` without a gap."""
    count = 0
    while board.cell(*_beyond(cell, step, count + 1)) == BLACK:
        count += 1
    return count


def _beyond(cell: Cell, step: Cell, count: int) -> Cell:
    return cell[0] + count * step[0], cell[1] + count * step[1]


class _Rows:
    """The rows of five of a board for one colour. The caller has to call `play` and `undo` here
    whenever it calls them for the board.

    Under every rule a winning line contains five neighbouring cells of one colour. So a colour's
    next stone can win only in a row of five in which the colour has four stones and nothing else
    stands. Without such a row there is no need to ask the referee about single cells.
    """

    def __init__(self, board: Referee, colour: int) -> None:
        self._colour = colour
        walls = frozenset(board.walls())
        self._cells, self._through = _rows_of(board.width, board.height, walls)
        self._own = [0] * len(self._cells)
        self._foreign = [0] * len(self._cells)
        # Rows without an opponent's stone or a wall, by the number of own stones.
        self._open: list[set[int]] = [set(range(len(self._cells))), *(set() for _ in range(5))]
        for x, y, stone in board.stones():
            self.play((x, y), stone)

    def play(self, cell: Cell, stone: int) -> None:
        """Records that a stone of the colour `stone` was put on the empty `cell`."""
        for row in self._through.get(cell, ()):
            if stone == self._colour:
                if not self._foreign[row]:
                    self._open[self._own[row]].discard(row)
                    self._open[self._own[row] + 1].add(row)
                self._own[row] += 1
            else:
                if not self._foreign[row]:
                    self._open[self._own[row]].discard(row)
                self._foreign[row] += 1

    def undo(self, cell: Cell, stone: int) -> None:
        """Records that this stone was taken off the board again."""
        for row in self._through.get(cell, ()):
            if stone == self._colour:
                self._own[row] -= 1
                if not self._foreign[row]:
                    self._open[self._own[row] + 1].discard(row)
                    self._open[self._own[row]].add(row)
            else:
                self._foreign[row] -= 1
                if not self._foreign[row]:
                    self._open[self._own[row]].add(row)

    def gaps(self, board: Referee, empty: int) -> set[Cell]:
        """The empty cells of all rows with exactly `empty` empty cells and otherwise own stones."""
        return {
            cell
            for row in self._open[5 - empty]
            for cell in self._cells[row]
            if board.cell(*cell) == EMPTY
        }

    def wins(self, board: Referee) -> list[Cell]:
        """The cells where the next stone of the colour wins, in order, as the referee decides."""
        if not self._open[4]:
            return []
        return [
            cell for cell in sorted(self.gaps(board, 1)) if board.makes_win(*cell, self._colour)
        ]


@lru_cache(maxsize=16)
def _rows_of(
    width: int, height: int, walls: frozenset[Cell]
) -> tuple[list[tuple[Cell, ...]], dict[Cell, list[int]]]:
    """The rows of five cells without a wall, and for each cell the numbers of those through it.
    Kept for the next board of this shape: making them takes longer than most checks."""
    cells: list[tuple[Cell, ...]] = []
    through: dict[Cell, list[int]] = {}
    for y in range(height):
        for x in range(width):
            for dx, dy in DIRECTIONS:
                row = tuple((x + i * dx, y + i * dy) for i in range(5))
                end_x, end_y = row[-1]
                if 0 <= end_x < width and 0 <= end_y < height and walls.isdisjoint(row):
                    for cell in row:
                        through.setdefault(cell, []).append(len(cells))
                    cells.append(row)
    return cells, through
