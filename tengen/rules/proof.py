"""Is a winning tree complete? Replayed by the referee against every legal defence.

A proof says how the attacker wins. Each node is his move; if it completes a winning line, that is
the end. Otherwise it says what he does after each reply: some replies are listed, each with the
node that answers it, and one node, `otherwise`, answers all the others alike.

    {"move": [x, y], "replies": [{"move": [x, y], "then": NODE}, ...], "otherwise": NODE or null}

A listed reply that cannot be played where the node is reached says nothing, and does no harm.

How all replies are tried without playing them all
--------------------------------------------------
`otherwise` has to hold after each of two hundred replies, and within it there are others. So it is
verified once as if the defender had passed, and that keeps a *zone* of cells, such that:

    If the node holds in a position in which the defender has passed k times, it also holds when he
    has put a stone on any k cells instead, none of them in the zone.

Replies in the zone are then played one by one, as are all of them if the node does not hold after
a pass. What the node may owe to a cell's being empty, and what goes into the zone therefore:

1. The cells where the attacker plays.
2. His winning lines. The defender's stones elsewhere neither lengthen nor shorten a row, so they
   never make it win or keep it from winning, but in caro, where a five with opponent stones at
   both ends does not win: the empty ends of a five are in the zone. (Six or more win in caro
   whatever stands there, and in caro exact never.)
3. That the defender has no winning move. A winning line has five neighbouring stones. With k more
   stones and the winning one, only a row of five with at most k + 1 empty cells and no stone or
   wall that is not his can be filled; all cells of such rows are in the zone. A row of five that
   he could fill already without a win (too long, or blocked at both ends) is no better with more
   stones of his around: it gets no shorter, and what blocks it stays.
4. In renju, that an attacker's point is no foul, or that a defender's is. The answer follows from
   the cells that are read to find it, and those are in the zone (`_foul_reads`). An attacker's
   point with too few black stones around for any foul needs none, as the stones added are white.
5. That the board is not full: where k stones more would fill it, the zone is everything.

The other replies that he has in such a position are fewer than after a pass (all but the foul ones
of 4), and each is met by a node that was verified, with a zone that is part of this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tengen.rules.points import name_or_pair, pair_text
from tengen.rules.referee import (
    BLACK,
    CARO,
    CARO_EXACT,
    DIRECTIONS,
    EMPTY,
    RENJU,
    Cell,
    Referee,
    opponent_of,
)
from tengen.rules.rows import Rows


@dataclass(frozen=True, eq=False)
class Node:
    """The attacker's move, the answers to some replies, and the answer to all others (None where
    there are none to be answered)."""

    move: Cell
    replies: Mapping[Cell, Node]
    otherwise: Node | None = None


@dataclass(frozen=True)
class Verdict:
    """What came of a check.

    ok      the attacker wins against every legal defence, within the plies announced.
    plies   stones that the tree needs at most, the winning one included; 0 when not ok.
    line    where it breaks, the attacker's move first; empty when ok.
    nodes   stones put on the board for the check.
    reason  empty when ok, otherwise what is wrong, in words.
    """

    ok: bool
    plies: int
    line: tuple[Cell, ...]
    nodes: int
    reason: str


class _Broken(Exception):
    """The proof is none: `line` leads to where it breaks."""

    def __init__(self, line: Iterable[Cell], reason: str) -> None:
        super().__init__(reason)
        self.line = tuple(line)
        self.reason = reason


def check_proof(
    board: Referee,
    attacker: int,
    proof: Node | Mapping[str, Any],
    plies: int | None = None,
    max_nodes: int | None = None,
) -> Verdict:
    """Replays a proof that `attacker`, to move on `board`, wins whatever the opponent does.

    plies      the win takes so many stones at most, both sides' together; None = any number.
    max_nodes  gives up, with ok False, after so many stones; None = never.

    In renju a defender who plays Black has no forbidden points among his replies, and has lost
    when nothing else is left. The board is as before afterwards. ValueError if `proof` is a mapping
    that is no proof.
    """
    node = proof if isinstance(proof, Node) else read_node(proof)
    check = _Check(board, attacker, plies, max_nodes)
    stones = len(board.stones())
    try:
        if board.winner_anywhere():
            raise _Broken((), "the game is over before the first move")
        longest, _ = check.verify(node, 0, 0)
    except _Broken as broken:
        return Verdict(False, 0, broken.line, check.nodes, broken.reason)
    except RecursionError:
        raise ValueError("proof: is nested too deeply") from None
    finally:
        while len(board.stones()) > stones:
            board.undo()
    return Verdict(True, longest, (), check.nodes, "")


def read_node(proof: Mapping[str, Any]) -> Node:
    """The tree that the plain values of a JSON document stand for; ValueError, in one line, if it
    is none."""
    try:
        return _read_node(proof, {})
    except RecursionError:
        raise ValueError("proof: is nested too deeply") from None


def node_record(node: Node) -> dict[str, Any]:
    """The tree as plain values."""
    return {
        "move": list(node.move),
        "replies": [
            {"move": list(reply), "then": node_record(answer)}
            for reply, answer in sorted(node.replies.items())
        ],
        "otherwise": None if node.otherwise is None else node_record(node.otherwise),
    }


def tree_size(node: Node) -> int:
    """How many nodes the tree has once nothing in it is shared."""
    sizes: dict[Node, int] = {}

    def count(node: Node) -> int:
        if node not in sizes:
            below = [*node.replies.values(), *([node.otherwise] if node.otherwise else [])]
            sizes[node] = 1 + sum(map(count, below))
        return sizes[node]

    return count(node)


def _read_node(record: object, known: dict[int, Node]) -> Node:
    # Subtrees may be shared in memory, where they come from a solver and not from a file.
    if id(record) in known:
        return known[id(record)]
    if not isinstance(record, Mapping):
        raise ValueError(f"proof: {_shown(record)} is no node")
    if unknown := set(record) - {"move", "replies", "otherwise"}:
        raise ValueError(f"proof: a node has no field {min(map(str, unknown))!r}")
    replies: dict[Cell, Node] = {}
    listed = record.get("replies", [])
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise ValueError(f"proof: replies {_shown(listed)}: expected a list")
    for entry in listed:
        if not isinstance(entry, Mapping) or set(entry) != {"move", "then"}:
            raise ValueError(f"proof: reply {_shown(entry)}: expected move and then")
        reply = read_cell(entry["move"])
        if reply in replies:
            raise ValueError(f"proof: the reply {pair_text(reply)} is listed twice")
        replies[reply] = _read_node(entry["then"], known)
    other = record.get("otherwise")
    if "move" not in record:
        raise ValueError("proof: a node without a move")
    otherwise = None if other is None else _read_node(other, known)
    node = Node(read_cell(record["move"]), replies, otherwise)
    known[id(record)] = node
    return node


def read_cell(value: object) -> Cell:
    """A cell written [x, y]; ValueError if it is none."""
    if isinstance(value, Sequence) and len(value) == 2 and all(type(n) is int for n in value):
        return value[0], value[1]
    raise ValueError(f"{_shown(value)} is no cell; expected such as [7, 7]")


def _shown(value: object) -> str:
    """The beginning of a value, for an error."""
    text = repr(value)
    return text if len(text) <= 30 else f"{text[:27]}..."


class _Check:
    """One check. Every method leaves the board as it found it, unless it raises _Broken."""

    def __init__(
        self, board: Referee, attacker: int, plies: int | None, max_nodes: int | None
    ) -> None:
        self.nodes = 0
        self._max_nodes = max_nodes
        self._board = board
        self._attacker = attacker
        self._defender = opponent_of(attacker)
        self._plies = plies
        self._is_renju = board.rule == RENJU
        self._is_caro = board.rule in (CARO, CARO_EXACT)
        self._everywhere = frozenset(board.empties())
        self._rows = Rows(board, self._defender)
        self._line: list[Cell] = []

    def verify(self, node: Node, played: int, passes: int) -> tuple[int, set[Cell]]:
        """The attacker is to move after `played` stones, the defender's passes among them counted
        as such. Returns how many stones the win takes from here at most, and the zone, which is
        only complete where there were passes. Raises _Broken if the node does not hold."""
        board, move = self._board, node.move
        if self._plies is not None and played >= self._plies:
            raise self._broken(f"the win is longer than the {self._plies} plies announced")
        if not board.legal(*move):
            raise self._broken(f"the attacker's move {self._name(move)} is not an empty cell")
        zone = {move}
        if board.makes_win(*move, self._attacker):
            if passes and self._is_caro:
                zone |= self._ends_of_five(move)
            return 1, zone
        if self._attacker == BLACK and self._is_renju:
            foul = board.foul(*move)
            if foul is not None:
                raise self._broken(f"the attacker's move {self._name(move)} is a foul: {foul}")
            if passes and _may_be_foul(board, move):
                zone |= _foul_reads(board, move)
        self._play(move, self._attacker)
        longest = 1 + self._verify_replies(node, played + 1, passes, zone)
        self._undo()
        return longest, zone

    def _verify_replies(self, node: Node, played: int, passes: int, zone: set[Cell]) -> int:
        """The defender is to move after `node.move`. Returns how many stones the win still takes,
        and adds to the zone."""
        board = self._board
        empty = len(self._everywhere) - len(self._line)
        if empty == 0:
            raise self._broken("the board is full: a draw")
        if wins := self._rows.wins(board):
            raise self._broken(f"the defence {self._name(wins[0])} wins", wins[0])
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
        if node.otherwise is None:
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
        self, reply: Cell, answer: Node, played: int, passes: int, zone: set[Cell]
    ) -> int:
        """The same after a reply to an empty cell: the stones still to come, the reply included; 0
        if he may not play there."""
        if self._is_foul_reply(reply, passes, zone):
            return 0
        self._play(reply, self._defender)
        longest, inner = self.verify(answer, played + 1, passes)
        self._undo()
        if passes:
            zone |= inner
        return 1 + longest

    def _verify_after_pass(
        self, node: Node, played: int, passes: int
    ) -> tuple[int, set[Cell] | frozenset[Cell]]:
        """The same when the defender passes; what does not hold then has to be tried everywhere."""
        stones = len(self._line)
        try:
            longest, zone = self.verify(node, played + 1, passes + 1)
        except _Broken:
            while len(self._line) > stones:
                self._undo()
            return 0, self._everywhere
        return 1 + longest, zone

    def _verify_all_listed(self, node: Node, passes: int, zone: set[Cell]) -> None:
        for reply in self._board.empties():
            if reply not in node.replies and not self._is_foul_reply(reply, passes, zone):
                if not node.replies:
                    raise self._broken("the proof ends without a winning line")
                raise self._broken(f"the defence {self._name(reply)} is not answered", reply)

    def _is_foul_reply(self, reply: Cell, passes: int, zone: set[Cell]) -> bool:
        if self._defender != BLACK or self._board.foul(*reply) is None:
            return False
        if passes:
            zone |= _foul_reads(self._board, reply)
        return True

    def _ends_of_five(self, move: Cell) -> set[Cell]:
        """The empty cells at both ends of the winning five that the attacker makes, if it is one
        that they matter to."""
        board = self._board
        board.play(*move, self._attacker)
        (ax, ay), *_, (bx, by) = line = board.winning_line()
        board.undo()
        if len(line) > 5:
            return set()
        dx, dy = (bx - ax) // 4, (by - ay) // 4
        return {end for end in ((ax - dx, ay - dy), (bx + dx, by + dy)) if board.legal(*end)}

    def _play(self, cell: Cell, colour: int) -> None:
        self.nodes += 1
        if self._max_nodes is not None and self.nodes > self._max_nodes:
            raise self._broken(f"given up after {self._max_nodes} stones")
        self._board.play(*cell, colour)
        self._rows.play(cell, colour)
        self._line.append(cell)

    def _undo(self) -> None:
        cell = self._line.pop()
        self._rows.undo(cell, self._board.cell(*cell))
        self._board.undo()

    def _name(self, cell: Cell) -> str:
        return name_or_pair(cell, self._board.width, self._board.height)

    def _broken(self, reason: str, *last: Cell) -> _Broken:
        return _Broken([*self._line, *last], reason)


# ---- what a foul depends on


def _may_be_foul(board: Referee, cell: Cell) -> bool:
    """False when there are too few black stones around for a foul, whatever white ones there are.

    An overline and two fours in one line need four more stones within five cells of a line;
    anything else needs two lines with two more stones within four cells each.
    """
    lines_with_two = 0
    for step in DIRECTIONS:
        near = [i for i in range(-5, 6) if board.cell(*_beyond(cell, step, i)) == BLACK]
        lines_with_two += sum(-4 <= i <= 4 for i in near) >= 2
        if len(near) >= 4:
            return True
    return lines_with_two >= 2


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
