"""A game being played: stones are placed, taken back without limit and brought back, and the
referee judges. It does not depend on whether people or programs play.

All of it is in the tree of a Game of `tengen.game`, that of its file if it is from one: a move goes
to the node that has it, or to a new one, and to take it back is to go to the node before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.text import point_name, point_names
from tengen.common.translation import listed, tr
from tengen.game.game import PERSON_NAME
from tengen.game.game import Game as FileGame
from tengen.game.node import Node, first_properties, move_properties
from tengen.game.played import Move, Termination
from tengen.game.position import Position
from tengen.game.referee import BLACK, COLOUR_NAMES, WHITE, Cell, Stone, opponent_of, set_up
from tengen.game.rules import RULE_TITLES

FOUL_NAMES = {
    "overline": tr("an overline"),
    "double four": tr("a double four"),
    "double three": tr("a double three"),
}


@dataclass(frozen=True)
class Outcome:
    """How a game has ended.

    winner       BLACK, WHITE, or 0 for a draw.
    termination  FIVE; FULL; FORBIDDEN: Black made a foul, or every empty point is forbidden;
                 RESIGNED or TIMEOUT: the loser gave up, or had no time left;
                 or the reason why a program has failed.
    line         the cells of the winning line, from one end to the other.
    foul         the foul that Black made; "" for none.
    detail       how the loser has failed; "" for none.
    """

    winner: int
    termination: Termination
    line: tuple[Cell, ...] = ()
    foul: str = ""
    detail: str = ""


class Game:
    """One game. ValueError for a size or a rule that does not exist, and for stones that cannot be
    set up.

    setup   stones that stand on the board before the first move, and `first`, who makes it; on an
            empty board it is Black.
    record  the tree of its file; None = a new one.
    before  those of the file's moves that are among the stones set up, because turns were passed
            after them; the moves of the game come after the node `base`.

    outcome  how the game ended; None while it is not over.
    changes  how often something was written in the tree besides the moves: a line that divides, a
             comment, a mark.
    """

    def __init__(
        self,
        width: int,
        height: int,
        rule: int,
        setup: Sequence[Stone] = (),
        first: int = BLACK,
        record: FileGame | None = None,
        before: Sequence[Stone] = (),
    ) -> None:
        self.board = set_up(width, height, rule, setup)
        if self.board.winner_anywhere():
            raise ValueError(tr("the stones that are set up hold a five"))
        if setup and not self.board.empties():
            raise ValueError(tr("the stones that are set up fill the board"))
        self.setup = tuple(setup)
        self.first = first
        if record is None:
            info = {"RU": RULE_TITLES[rule]} | ({"PL": COLOUR_NAMES[first][0]} if setup else {})
            record = FileGame.of("", first_properties(info, (width, height), setup))
        self.record = record
        self.before = tuple(before)
        self.base = record.root
        for stone in before:
            self.base = _child(self.base, stone) or self.base
        self.changes = 0
        # The moves with their nodes; from `_at` on, those that can be brought back.
        self._line: list[tuple[Move, Node]] = []
        self._at = 0
        self.outcome: Outcome | None = None
        # The moves after which somebody gave up or ran out of time, and that outcome.
        self._end: tuple[tuple[Cell, ...], Outcome] | None = None

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self.board.width

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self.board.height

    @property
    def rule(self) -> int:
        """The number of the rule, as in the protocol."""
        return self.board.rule

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves on the board, in order."""
        return tuple(move for move, _ in self._line[: self._at])

    @property
    def stones(self) -> tuple[Stone, ...]:
        """All stones on the board: those that were set up, then the moves in order."""
        return (*self.setup, *((move.x, move.y, move.colour) for move in self.moves))

    @property
    def node(self) -> Node:
        """The node of the position on the board."""
        return self._line[self._at - 1][1] if self._at else self.base

    @property
    def last_node(self) -> Node:
        """The node after all moves that can be brought back."""
        return self._line[-1][1] if self._line else self.base

    def nodes_along(self, cells: Iterable[Cell]) -> list[Node]:
        """The nodes of these moves from the beginning, for as long as the tree has them."""
        nodes: list[Node] = []
        for number, cell in enumerate(cells):
            here = nodes[-1] if nodes else self.base
            if (node := _child(here, (*cell, self.colour_of(number)))) is None:
                break
            nodes.append(node)
        return nodes

    @property
    def names(self) -> dict[int, str]:
        """The players' names by colour, where the file has them."""
        named = zip((BLACK, WHITE), self.record.names, strict=True)
        return {colour: name for colour, name in named if name and name != PERSON_NAME}

    @property
    def undone(self) -> tuple[Move, ...]:
        """The moves that can be brought back, the next one first."""
        return tuple(move for move, _ in self._line[self._at :])

    @property
    def to_move(self) -> int:
        """BLACK or WHITE; after the end, the side that would be next."""
        return self.colour_of(self._at)

    def colour_of(self, count: int) -> int:
        """BLACK or WHITE: the side to move after so many moves."""
        return opponent_of(self.first) if count % 2 else self.first

    def line(self) -> tuple[tuple[Move, ...], Outcome | None]:
        """The moves on the board and those that can be brought back, as far as somebody gave up or
        ran out of time, and that outcome; None if nobody did."""
        moves = tuple(move for move, _ in self._line)
        if self._end is not None:
            count = len(self._end[0])
            if count >= self._at and _cells_of(moves[:count]) == self._end[0]:
                return moves[:count], self._end[1]
        return moves, None

    def kept(self) -> tuple[object, ...]:
        """What is to be saved; another value when something of it has changed."""
        return (*self.line(), self.changes)

    def forget_undone(self) -> None:
        """The moves that were taken back can no longer be brought back."""
        del self._line[self._at :]

    def whole(self) -> Game:
        """Another game, at the end of `line`."""
        moves, end = self.line()
        game = self.copy(moves)
        game.record, game.before, game.changes = self.record, self.before, self.changes
        if end is not None:
            game.outcome, game._end = end, (_cells_of(moves), end)
        return game

    def copy(self, moves: Iterable[Move] | None = None) -> Game:
        """Another game from the same stones, with these moves; None = those on the board."""
        game = Game(self.width, self.height, self.rule, self.setup, self.first)
        return game.replay(self.moves if moves is None else moves)

    def replay(self, moves: Iterable[Move]) -> Game:
        """Plays these moves in turns, with their times; fouls are allowed. Returns the game.
        ValueError, naming the move, for one that cannot be played or comes after the end."""
        for number, move in enumerate(moves, start=1):
            if (outcome := self.outcome) is not None:
                end = "the board is full" if not outcome.winner else "the game is over"
                raise ValueError(f"move {number} comes after the end: {end} with move {number - 1}")
            try:
                self.play((move.x, move.y), move.elapsed_s, may_foul=True)
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from None
        return self

    def play(self, cell: Cell, elapsed_s: float = 0.0, *, may_foul: bool = False) -> Move:
        """Plays a move of the side to move, which took `elapsed_s` seconds.

        Moves that were taken back can no longer be brought back, unless this is the next of them.
        ValueError, and the game is unchanged, if the game is over or the cell is taken or off the
        board. A foul is refused in the same way, with the reason; with `may_foul` it is played and
        loses.
        """
        if self.outcome is not None:
            name = point_name(cell, self.height)
            raise ValueError(tr("{point} cannot be played: the game is over", point=name))
        if not self.board.legal(*cell):
            name = point_name(cell, self.height)
            raise ValueError(tr("{point} is taken; choose an empty point", point=name))
        if self.to_move == BLACK and not may_foul and self.board.foul(*cell) is not None:
            raise ValueError(self.foul_text(cell))
        stone = (*cell, self.to_move)
        ahead = self._line[self._at : self._at + 1]
        if ahead and (ahead[0][0].x, ahead[0][0].y) == cell:
            node = ahead[0][1]
        else:
            self.forget_undone()
            node = self._node_of(stone)
        if elapsed_s:
            node.time_s = elapsed_s
        move = Move(*stone, node.time_s or 0.0)
        self._line[self._at : self._at + 1] = [(move, node)]
        self._put(move)
        return move

    def _node_of(self, stone: Stone) -> Node:
        """The node of a move in this position; a new one where no line has it."""
        if (node := _child(self.node, stone)) is not None:
            return node
        here = self.node
        while here.children and here.children[0].stone is None:
            here = here.children[0]  # a comment alone or a pass, before the next move
        self.changes += bool(here.children)
        return here.append(move_properties(*stone))

    def end(self, loser: int, termination: Termination, detail: str = "") -> None:
        """Ends the game because `loser` gave up, ran out of time or failed. It is over whenever
        these moves are on the board; after `undo` other moves can be played. ValueError if it is
        over already."""
        if self.outcome is not None:
            raise ValueError(tr("the game is over"))
        self.outcome = Outcome(opponent_of(loser), termination, detail=detail)
        self._end = (self.cells, self.outcome)

    def jump(self, cells: Sequence[Cell]) -> None:
        """Goes to the position after these moves. Moves on the way that can be brought back are,
        others are played; those beyond can be brought back later. ValueError, and the game is
        unchanged, for a move that cannot be played."""
        self.copy(Move(*cell, BLACK) for cell in cells)
        while self.cells != tuple(cells[: self._at]):
            self.undo()
        steps = cells[self._at :]
        if steps:
            self.outcome = None
        end, self._end = self._end, None  # who gave up on the way does not stop it
        for cell in steps:
            self.play(cell, may_foul=True)
        self._end = end
        self._recall_end()

    def undo(self) -> Move:
        """Takes the last move back and returns it; IndexError if there is none."""
        if not self._at:
            raise IndexError("there is no move to take back")
        self._at -= 1
        self.board.undo()
        self.outcome = None  # a game goes on only while it is not over
        self._recall_end()
        return self._line[self._at][0]

    def redo(self) -> Move:
        """Brings the next move back and returns it; IndexError if there is none."""
        move = self._line[self._at][0]
        self._put(move)
        return move

    def foul_text(self, cell: Cell) -> str:
        """Why Black may not play at an empty cell: the foul and the lines that make it; "" if
        Black may."""
        foul = self.board.foul(*cell)
        if foul is None:
            return ""
        lines = [point_names(line, self.height) for line in self.board.foul_lines(*cell)]
        return tr(
            "{point} is forbidden for Black: {foul}, {lines}",
            point=point_name(cell, self.height), foul=FOUL_NAMES[foul], lines=listed(lines),
        )  # fmt: skip

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the moves on the board."""
        return _cells_of(self.moves)

    def position(self) -> Position:
        """The position on the board, also at the end of a game; it does not know the moves."""
        return Position.begin((self.width, self.height), self.rule, self.stones, self.to_move)

    def _put(self, move: Move) -> None:
        foul = self.board.foul(move.x, move.y) if move.colour == BLACK else None
        self.board.play(move.x, move.y, move.colour)
        self._at += 1
        self.outcome = self._judge(move, foul)
        self._recall_end()

    def _recall_end(self) -> None:
        if self._end is not None and self._end[0] == self.cells:
            self.outcome = self._end[1]

    def _judge(self, last: Move, foul: str | None) -> Outcome | None:
        if foul is not None:
            return Outcome(WHITE, Termination.FORBIDDEN, foul=foul)
        if self.board.winner():
            return Outcome(last.colour, Termination.FIVE, tuple(self.board.winning_line()))
        empties = self.board.empties()
        if not empties:
            return Outcome(0, Termination.FULL)
        if last.colour == WHITE and all(self.board.foul(*cell) for cell in empties):
            return Outcome(WHITE, Termination.FORBIDDEN)
        return None


def _child(node: Node, stone: Stone) -> Node | None:
    return next((each for each in node.next_moves() if each.stone == stone), None)


def _cells_of(moves: Sequence[Move]) -> tuple[Cell, ...]:
    return tuple((move.x, move.y) for move in moves)


class Steps(NamedTuple):
    """Part of a game to take back or to bring back.

    turns   of the people at the board, in an opening also what they said; of programs where no
            people play.
    stones  those, with the answers of a program.
    """

    turns: int
    stones: int


def steps_forward(game: Game, people: frozenset[int], turns: int) -> Steps:
    """The next `turns` turns of those taken back, or as many as there are: of the people, who play
    the colours `people`, each to where they are to move again."""
    undone = game.undone
    found = Steps(0, 0)
    for stones in range(1, len(undone) + 1):
        if found.turns == turns:
            break
        is_last = stones == len(undone)
        if is_last or not people or undone[stones].colour in people:
            found = Steps(found.turns + 1, stones)
    return found
