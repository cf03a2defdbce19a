"""Puzzles from games: positions in which one first move wins by threats and no other does, or in
which one move alone stops the opponent's win. The solver proves both.

That no other move wins is proved move by move: the opponent has an answer to it after which the
solver, without meeting a limit, says that no threat wins. A win by quiet moves alone is outside
what it can prove or refute.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from math import inf

from engine.api import Engine
from tengen.game.arguments import whole
from tengen.game.files.positions import AS_IT_IS, read_puzzles
from tengen.game.game import Game
from tengen.game.keys import keys_for
from tengen.game.position import Point, Position
from tengen.game.referee import in_turns, opponent_of
from tengen.game.rules import five_points
from tengen.game.values import Record, json_text
from tengen.study.games import Games
from tengen.study.results import NO_WIN, UNKNOWN, cells_of
from tengen.study.solver import VCF, VCT, Effort, defend, solve, solve_all

FOURS, THREES, DEFENCE = "fours", "threes", "defence"
KINDS = {FOURS: "win by fours", THREES: "win by threes", DEFENCE: "the only defence"}
# Stones placed by the solver: to find a puzzle, and to judge one other move or an answer.
_FIND_NODES, _JUDGE_NODES = 10_000, 50_000
# What was judged is judged again: with more nodes the solver also looks for wins by quiet moves.
_SURE_NODES = 1_000_000
# Shorter wins, in stones of both colours, are seen at once.
_LEAST_PLIES = 5
# The end of a game, in moves, where its puzzles are, and the most puzzles of one game.
_LAST_MOVES = 12
# Positions of a game whose defences are looked for, which takes long.
_MOST_DEFENDED = 8


@dataclass(frozen=True)
class Puzzle:
    """A puzzle for the side to move.

    kind   of KINDS.
    move   the one that is right.
    plies  stones of both colours until the five, of the opponent's threat in a defence.
    game   the base's id of the game that it is from; 0 = none, as the puzzle's own `id`.
    """

    kind: str
    position: Position
    move: Point
    plies: int
    game: int = 0
    id: int = 0

    @property
    def moves(self) -> int:
        """Its length: how many stones the side that wins needs."""
        return (self.plies + 1) // 2

    def record(self) -> Record:
        """The puzzle as `tengen solve` reads it, of a game without stones that were set up."""
        [best] = cells_of([self.move])
        return {
            "rule": self.position.rule_number,
            "size": list(self.position.size),
            "moves": "".join(self.position.moves),
            "best": best,
            "kind": self.kind,
            "threat" if self.kind == DEFENCE else "mate": self.plies,
        }


@dataclass(frozen=True)
class Verdict:
    """What a move in a puzzle was worth.

    is_right   it is the one; later on, it still wins.
    reply      the opponent's best defence against it; None where the puzzle is over.
    """

    is_right: bool
    reply: Point | None = None


def puzzles_in(brain: Engine, game: Game, number: int = 0) -> Iterator[Puzzle]:
    """The puzzles of the last moves of a game, the shortest one of each kind; `number` is its id.
    Without those of games that set stones up or pass."""
    stones = game.stones
    if game.setup or stones != in_turns(stone[:2] for stone in stones):
        return
    found: set[str] = set()
    defended = 0
    position = game.position(len(stones))
    for _ in range(min(_LAST_MOVES, len(stones) - 4)):
        if position.is_over:
            position.undo()
        puzzle = _win_at(brain, position, found)
        if puzzle is None and DEFENCE not in found and defended < _MOST_DEFENDED:
            puzzle, is_threat = _defence_at(brain, position)
            defended += is_threat
        if puzzle is not None:
            found.add(puzzle.kind)
            yield replace(puzzle, game=number)
        position.undo()


def _win_at(brain: Engine, position: Position, known: Container[str]) -> Puzzle | None:
    for kind, method in ((FOURS, VCF), (THREES, "threes")):
        answer = solve(brain, position, Effort(method, nodes=_FIND_NODES))
        if answer.status == NO_WIN:
            continue
        plies = answer.plies or 0
        if kind in known or plies < _LEAST_PLIES:  # also if a limit was met
            return None
        move = answer.line[0]
        if not all(is_only_win(brain, position, move, n) for n in (_JUDGE_NODES, _SURE_NODES)):
            return None
        return Puzzle(kind, position.copy(), move, plies)
    return None


def _defence_at(brain: Engine, position: Position) -> tuple[Puzzle | None, bool]:
    """The puzzle, and whether there is a threat at all."""
    effort = Effort("threes", nodes=_FIND_NODES)
    threatened = position.copy()
    threatened.give_turn(opponent_of(position.side))
    threat = solve(brain, threatened, effort)
    plies = threat.plies or 0
    if plies < _LEAST_PLIES or solve(brain, position, effort).status != NO_WIN:
        return None, False
    move = only_defence(brain, position, threat.line)
    if move is None or only_defence(brain, position, (move,), _SURE_NODES) != move:
        return None, True
    return Puzzle(DEFENCE, position.copy(), move, plies), True


def only_defence(
    brain: Engine, position: Position, first: Sequence[Point] = (), nodes: int = _JUDGE_NODES
) -> Point | None:
    """The one move after which the opponent has no win by threats, where all others are proved to
    lose; None if there is no such move. Those of `first` are tried first."""
    found = None
    board = position.copy()
    for move in sorted(position.legal_moves(), key=lambda each: each not in first):
        board.play(move)
        status = UNKNOWN if board.is_over else solve(brain, board, Effort(VCT, nodes=nodes)).status
        board.undo()
        if status == UNKNOWN or (status == NO_WIN and found is not None):
            return None
        if status == NO_WIN:
            found = move
    return found


def is_only_win(brain: Engine, position: Position, move: Point, nodes: int = _JUDGE_NODES) -> bool:
    """Is no other first move a win by threats? Proved for each of them."""
    effort = Effort(VCT, nodes=nodes)
    if {answer.line[0] for answer in solve_all(brain, position, effort)} - {move}:
        return False
    board = position.copy()
    for other in position.legal_moves():
        if other != move:
            board.play(other)
            is_refuted = not board.is_over and _is_refuted(brain, board, move, effort)
            board.undo()
            if not is_refuted:
                return False
    return True


def _is_refuted(brain: Engine, board: Position, move: Point, effort: Effort) -> bool:
    """Has the side to move an answer after which the other side has no win by threats?"""
    referee = board.referee()
    empties = referee.empties()
    own, other = board.side, opponent_of(board.side)
    if five_points(referee, empties, own):
        return True
    forced = five_points(referee, empties, other)
    if len(forced) > 1:
        return False
    # The point of the one right move is nearly always an answer.
    board.play(forced[0] if forced else move)
    if board.is_over:
        is_refuted = board.winning_side == own
    else:
        is_refuted = solve(brain, board, effort).status == NO_WIN
    board.undo()
    return is_refuted


def judge(brain: Engine, puzzle: Puzzle, position: Position, move: Point) -> Verdict:
    """What a move is worth in a puzzle, whose moves so far have led to `position`."""
    if position == puzzle.position and move != puzzle.move:
        return Verdict(False)
    if puzzle.kind == DEFENCE:
        return Verdict(True)
    board = position.copy()
    board.play(move)
    if board.is_over:
        return Verdict(board.winning_side == position.side)
    # It wins if every reply leaves a win; that after the best reply takes longest.
    after = defend(brain, board, Effort(VCT, nodes=_SURE_NODES))
    if not after.threat.is_win or after.moves or after.unknown:
        return Verdict(False)
    replies = after.refuted
    return Verdict(True, max(replies, key=lambda reply: replies[reply].plies or 0, default=None))


@dataclass(frozen=True)
class Score:
    """How many puzzles are there, were solved and were missed at the last try, and how many were
    solved one after the other until now."""

    puzzles: int
    solved: int
    missed: int
    streak: int


class Puzzles:
    """The puzzles in a base, and how the user has done."""

    def __init__(self, games: Games) -> None:
        self._games = games

    def make(
        self,
        count: int,
        brain: Engine,
        on_progress: Callable[[int, int], None] = lambda made, searched: None,
        most_s: float = inf,
    ) -> list[Puzzle]:
        """Makes so many puzzles, or as many as the games have that were not searched yet, the
        newest first. on_progress: called after each game with what has been made and searched; what
        it raises ends it, and nothing is lost. After `most_s` seconds no other game is searched."""
        made: list[Puzzle] = []
        searched, ends = 0, time.monotonic() + most_s
        while len(made) < count and time.monotonic() < ends:
            with self._games.faults():
                row = self._games.db.execute(
                    "SELECT max(id) FROM games WHERE result IN (1, 2)"
                    " AND id NOT IN (SELECT game FROM searched)"
                ).fetchone()
            if row[0] is None:
                break
            game = self._games.moves_of(row[0])
            made += self._keep(row[0], [*puzzles_in(brain, game, row[0])])
            searched += 1
            on_progress(len(made), searched)
        return made

    def take_shipped(self, kind: str = "", rule: int = 0) -> list[Puzzle]:
        """Takes one into the base that comes with the program, for who has no games yet: a short
        one of that kind, if there is any by that rule. Empty if the base has all of them."""
        for puzzle in sorted(shipped(), key=lambda p: (p.position.rule_number != rule, p.moves)):
            if kind in ("", puzzle.kind) and (kept := self._keep(0, [puzzle])):
                return kept
        return []

    def _keep(self, game: int, found: list[Puzzle]) -> list[Puzzle]:
        """Writes puzzles; of two that are images of each other there is one."""
        kept = []
        with self._games.writing():
            db = self._games.db
            db.execute("INSERT OR IGNORE INTO searched VALUES (?)", (game,))
            for puzzle in found:
                position = puzzle.position
                keys = keys_for(*position.size, position.rule_number)
                key = keys.of(position.all_stones, position.side)
                row = key, game, puzzle.kind, puzzle.moves, json_text(puzzle.record())
                new = db.execute(
                    "INSERT OR IGNORE INTO puzzles VALUES (NULL, ?, ?, ?, ?, ?) RETURNING id", row
                ).fetchone()
                if new is not None:
                    kept.append(replace(puzzle, id=new[0]))
        return kept

    def next(self, kind: str = "", moves: int = 0, is_missed: bool = False) -> Puzzle | None:
        """A puzzle that was not tried, the shortest first, or one that was missed at the last try;
        of this kind and length, "" and 0 = of any. None if there is none."""
        last = "(SELECT solved FROM tries WHERE puzzle = p.id ORDER BY id DESC LIMIT 1)"
        with self._games.faults():
            row = self._games.db.execute(
                f"SELECT id, game, text FROM puzzles p WHERE {last} IS ?"
                " AND ? IN ('', kind) AND ? IN (0, moves) ORDER BY moves, id DESC LIMIT 1",
                (0 if is_missed else None, kind, whole("moves", moves, 0)),
            ).fetchone()
        return row and _stored(*row)

    def all(self) -> Iterator[Puzzle]:
        """All puzzles, the newest first."""
        query = "SELECT id, game, text FROM puzzles ORDER BY id DESC"
        with self._games.faults():
            rows = self._games.db.execute(query).fetchall()
        return (_stored(*row) for row in rows)

    def note(self, puzzle: Puzzle, is_solved: bool) -> None:
        """Keeps how a try has ended."""
        with self._games.writing():
            query = "INSERT INTO tries VALUES (NULL, ?, ?, ?)"
            self._games.db.execute(query, (puzzle.id, is_solved, time.time()))

    def score(self) -> Score:
        """How the user has done until now."""
        with self._games.faults():
            db = self._games.db
            (count,) = db.execute("SELECT count(*) FROM puzzles").fetchone()
            last = db.execute(
                "SELECT solved, count(*) FROM tries WHERE id IN"
                " (SELECT max(id) FROM tries GROUP BY puzzle) GROUP BY solved"
            )
            ends = dict(last.fetchall())
            (streak,) = db.execute(
                "SELECT count(*) FROM tries WHERE id >"
                " (SELECT coalesce(max(id), 0) FROM tries WHERE NOT solved)"
            ).fetchone()
        return Score(count, ends.get(1, 0), ends.get(0, 0), streak)


def _stored(number: int, game: int, text: str) -> Puzzle:
    [puzzle] = _puzzles_in(text)
    return replace(puzzle, game=game, id=number)


def shipped() -> Iterator[Puzzle]:
    """The puzzles that come with the program, of games of the engine against itself."""
    yield from _puzzles_in((resources.files("tengen.study") / "puzzles.jsonl").read_text("utf-8"))


def _puzzles_in(text: str) -> Iterator[Puzzle]:
    for stored, line in zip(read_puzzles(text, "it", AS_IT_IS), text.splitlines(), strict=True):
        record, position = json.loads(line), stored.position
        assert stored.best is not None
        plies = stored.mate or record.get("threat", _LEAST_PLIES)
        yield Puzzle(record["kind"], position, position.point(stored.best), plies)
