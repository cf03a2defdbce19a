"""A game as it is played: stones put down, taken back without limit and brought back, and judged
by the referee. It knows neither people nor programs, only whose turn it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tengen.record.game import Move
from tengen.record.termination import Termination
from tengen.rules.points import point_name, point_names
from tengen.rules.referee import BLACK, WHITE, Cell, Referee


@dataclass(frozen=True)
class Outcome:
    """How a game has ended.

    winner       BLACK, WHITE, or 0 for a draw.
    termination  FIVE; FULL; FORBIDDEN: Black has made a foul, or has nothing else left to play.
    line         the cells of the winning line, from one end to the other.
    foul         the foul that was made, "" without one.
    """

    winner: int
    termination: Termination
    line: tuple[Cell, ...] = ()
    foul: str = ""


class Game:
    """One game. Raises ValueError for a board or a rule that does not exist."""

    def __init__(self, width: int, height: int, rule: int) -> None:
        self.board = Referee(width, height, rule)
        self._moves: list[Move] = []
        self._undone: list[Move] = []  # the one to come back first stands last
        self._outcome: Outcome | None = None

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
        """The number of the rule, as the referee has it."""
        return self.board.rule

    @property
    def moves(self) -> tuple[Move, ...]:
        """The stones on the board in the order they were played."""
        return tuple(self._moves)

    @property
    def undone(self) -> tuple[Move, ...]:
        """The stones that can be brought back, the next one first."""
        return tuple(reversed(self._undone))

    @property
    def to_move(self) -> int:
        """BLACK or WHITE; who would be next where the game is over."""
        return WHITE if len(self._moves) % 2 else BLACK

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended; None while it goes on."""
        return self._outcome

    def play(self, cell: Cell, elapsed_s: float = 0.0, *, may_foul: bool = False) -> Move:
        """Puts down a stone of the side to move, after `elapsed_s` seconds of thought.

        ValueError, the game as it was, when it is over, or the cell is taken or off the board. A
        foul is refused in the same way, with the reason; or, with `may_foul`, it stands and loses.
        Moves taken back are forgotten, unless this is the next of them.
        """
        name = point_name(cell, self.height)
        if self._outcome is not None:
            raise ValueError(f"{name} cannot be played: the game is over")
        if not self.board.legal(*cell):
            raise ValueError(f"{name} is taken; choose an empty point")
        if self.to_move == BLACK and not may_foul and self.board.foul(*cell) is not None:
            raise ValueError(self.foul_text(cell))
        next_undone = self._undone[-1:]
        if next_undone and (next_undone[0].x, next_undone[0].y) == cell:
            self._undone.pop()
        else:
            self._undone.clear()
        move = Move(*cell, self.to_move, elapsed_s)
        self._put(move)
        return move

    def undo(self) -> Move:
        """Takes the last stone back; IndexError without one."""
        move = self._moves.pop()
        self.board.undo()
        self._undone.append(move)
        self._outcome = None  # a game goes on only while it is not over
        return move

    def redo(self) -> Move:
        """Brings the stone back that was taken back last; IndexError without one."""
        move = self._undone.pop()
        self._put(move)
        return move

    def restart(self) -> None:
        """Takes all stones back; they can be brought back until another move is played."""
        while self._moves:
            self.undo()

    def foul_text(self, cell: Cell) -> str:
        """Why Black may not play at an empty cell: the foul, and the lines that make it. Empty if
        he may."""
        foul = self.board.foul(*cell)
        if foul is None:
            return ""
        lines = (point_names(line, self.height) for line in self.board.foul_lines(*cell))
        point = point_name(cell, self.height)
        return f"{point} is forbidden for Black: {foul_name(foul)}, {_listed(lines)}"

    def _put(self, move: Move) -> None:
        foul = self.board.foul(move.x, move.y) if move.colour == BLACK else None
        self.board.play(move.x, move.y, move.colour)
        self._moves.append(move)
        self._outcome = self._judge(move, foul)

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


def foul_name(foul: str) -> str:
    """`an overline`, `a double three`."""
    return f"{'an' if foul[0] in 'aeiou' else 'a'} {foul}"


def replay(width: int, height: int, rule: int, moves: Iterable[Move]) -> Game:
    """A game in which these cells were played in turns, fouls too, with the times of the moves.
    ValueError, naming the move, where one cannot be or comes after the end."""
    game = Game(width, height, rule)
    for number, move in enumerate(moves, start=1):
        if (outcome := game.outcome) is not None:
            who = "the board is full" if not outcome.winner else "the game is over"
            raise ValueError(f"move {number} comes after the end: {who} with move {number - 1}")
        try:
            game.play((move.x, move.y), move.elapsed_s, may_foul=True)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
    return game


def stones_of_turns(game: Game, people: frozenset[int], turns: int) -> int:
    """How many stones have to be taken back so that the people at the board, who play the colours
    `people`, can do their last `turns` moves anew: those and the answers of a program. Where no
    people play, or both colours, a turn is a stone. ValueError where there are not so many."""
    turns_found = stones = 0
    for move in reversed(game.moves):
        stones += 1
        turns_found += move.colour in people or not people
        if turns_found == turns:
            return stones
    whose = "" if len(people) != 1 else "of yours "
    raise ValueError(_too_many(turns, turns_found, f"{whose}to take back"))


def stones_of_redo(game: Game, people: frozenset[int], turns: int) -> int:
    """How many stones have to be brought back for so many turns, counted as `stones_of_turns`
    does. ValueError where there are not so many."""
    undone = game.undone
    turns_found = 0
    for number, _ in enumerate(undone, start=1):
        is_last = number == len(undone)
        # The turn is over when people are to move again.
        turns_found += is_last or not people or undone[number].colour in people
        if turns_found == turns:
            return number
    raise ValueError(_too_many(turns, turns_found, "to bring back"))


def _too_many(wanted: int, found: int, what: str) -> str:
    if found == 0:
        return f"there is no move {what}"
    return f"there {'is' if found == 1 else 'are'} only {found} {what}, not {wanted}"


def _listed(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
