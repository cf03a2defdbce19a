"""The base of games beside those that the board keeps: what was played in the position on the
board, the list of all games, and puzzles made from them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from engine.api import Engine
from tengen.common.tasks import run_apart
from tengen.common.translation import tr
from tengen.game.files.sgf import write_sgf
from tengen.game.position import Position
from tengen.game.referee import Cell
from tengen.game.values import Record
from tengen.people.session.files import read_loaded
from tengen.people.session.game import Game
from tengen.people.session.session import GameSession
from tengen.people.web.begin import for_two
from tengen.people.web.library import Library
from tengen.people.web.requests import Find, Puzzle
from tengen.people.web.work import Progress
from tengen.study.base import NAME, PATIENCE_S
from tengen.study.collect import Added
from tengen.study.games import Games
from tengen.study.puzzles import Puzzle as Found
from tengen.study.puzzles import Puzzles, Score, Verdict, judge
from tengen.study.results import cells_of
from tengen.study.review import Review

_MOST_LISTED = 200
_MOST_BEHIND = 20
# How long an answer waits for other programs, and for how long it does without newly kept games.
_SHORT_S, _REST_S = 0.02, 10.0
# How long puzzles are looked for in games while there are others.
_SOON_S = 3.0


class Explorer:
    """The base in the folder of a library. Its methods take a while, and are for any thread; what
    they raise is a ValueError in one line."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._read_at = float("-inf")

    @contextmanager
    def open(self, patience_s: float = PATIENCE_S) -> Iterator[Games]:
        """The base, which waits so long for others that write it."""
        path = self._library.folder / NAME
        try:
            with Games(path, patience_s=patience_s) as games:
                yield games
        except OSError as error:
            raise ValueError(f"{error.filename or path}: {error.strerror or error}") from None

    def read_kept(self, games: Games, rest_s: float = 0.0) -> None:
        """Reads the games kept since, unless that was done a while ago: it takes longer than an
        answer, which may do without them."""
        if time.monotonic() >= self._read_at + rest_s:
            with suppress(ValueError):
                games.add(self._library.folder, jobs=1)
            self._read_at = time.monotonic()

    def find(self, request: Find) -> Record:
        """The newest games with some words, for the page."""
        with self.open(_SHORT_S) as games:
            self.read_kept(games, _REST_S if request.words else 0.0)
            found = games.find(request.words, _MOST_LISTED)
            return {
                "games": [self._library.shown(game) for game in found],
                "folder": str(self._library.folder),
                "total": len(games),
            }

    def explore(self, position: Position, own: Collection[Cell]) -> Record:
        """What was played in a position, for the page; `own` as in `Games.explore`."""
        with self.open(_SHORT_S) as games:
            self.read_kept(games, _REST_S)
            found = games.explore(position, _MOST_BEHIND, own)
        return {
            "count": found.count,
            "libraries": found.libraries,
            "moves": [
                [(m.move.x, m.move.y), m.count, m.black, m.drawn, m.white, m.chance, m.libraries]
                for m in found.moves
            ],
            "games": [self._library.shown(game) for game in found.games],
        }

    def forget(self, name: str) -> None:
        """A game that is no longer in the folder."""
        with self.open() as games:
            games.remove(self._library.folder / name)

    def session(self, number: int) -> GameSession:
        """A session of two people with a game of the base."""
        with self.open() as games:
            game = games.game(number)
        return for_two(read_loaded(write_sgf(game), f"game {number}", game.rule_number).game)

    def add(self, path: str, note: Callable[[str], None], tell: Progress) -> Callable[[], None]:
        """Work: reads a file or a folder, and notes what came of it."""
        step = tr("reading games")

        def hear(added: Added) -> None:
            tell(step, added.games, 0)

        with self.open() as games:  # which may refuse
            added = run_apart(_add, (games.path, os.path.expanduser(path)), hear)
        faults = "; ".join(added.faults[:3])
        return partial(note, f"{added}{': ' if faults else ''}{faults}")

    def keep_review(self, found: Review) -> None:
        """Keeps the chances that a review has found."""
        position = found.game.start()
        chances = {step.number: step.black_chance for step in found.moves}
        with self.open() as games:
            for number, stone in enumerate(found.stones, 1):
                position.play_stones([stone])
                if number in chances:
                    games.note(position, chances[number])


def _add(base: Path, path: str, tell: Callable[[Added], None]) -> Added:
    with Games(base) as games:
        return games.add(path, on_progress=tell)


class Practice:
    """The puzzle on the board, and what came of it: `state` is "" without one, "asked", "right" (it
    goes on), "wrong" (one more try), "shown" or "solved"."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self.state = ""
        # Takes the last answer back, if it still stands there.
        self.take_back: Callable[[], None] = lambda: None
        self._puzzle: Found | None = None
        self._is_noted = False
        self._score = Score(0, 0, 0, 0)

    @property
    def is_asking(self) -> bool:
        """Is the next move an answer?"""
        return self.state in ("asked", "right", "wrong")

    def end(self) -> None:
        """There is no puzzle any more."""
        self.state, self._puzzle = "", None

    def find(
        self, request: Puzzle, rule: int, begin: Callable[[GameSession], None], tell: Progress
    ) -> Callable[[], None]:
        """Work: finds a puzzle, or makes one, and begins it; where making takes long, one that
        comes with the program, by this rule if there is any."""
        step = tr("making a puzzle")

        def hear(made: int, searched: int) -> None:
            tell(step, searched, 0)

        with self._explorer.open() as games:
            self._explorer.read_kept(games)
            puzzles = Puzzles(games)
            engine = Engine()
            while (puzzle := puzzles.next(request.kind, is_missed=request.is_missed)) is None:
                if request.is_missed:
                    raise ValueError(tr("no puzzle was missed"))
                made = puzzles.make(1, engine, hear, _SOON_S)
                made = made or puzzles.take_shipped(request.kind, rule)
                if not (made or puzzles.make(1, engine, hear)):
                    raise ValueError(
                        tr("puzzles are made from games: play one, or add some under Games")
                    )
            self._score = puzzles.score()
        position = puzzle.position
        game = Game(*position.size, position.rule_number, position.all_stones, position.side)

        def show() -> None:
            session = for_two(game)
            session.is_kept = False
            begin(session)  # which ends the puzzle before
            self._puzzle, self.state, self._is_noted = puzzle, "asked", False

        return show

    def play(
        self,
        session: GameSession,
        cell: Cell,
        start: Callable[[str, Callable[[Progress], Callable[[], None]]], None],
    ) -> None:
        """A stone of a person. An answer to a puzzle is work to `start`: if it is wrong, or the
        work is given up, it is taken back, else the best defence follows."""
        game, puzzle = session.game, self._puzzle
        if not self.is_asking or puzzle is None or game.to_move != puzzle.position.side:
            session.play(cell)
            return
        before, cells = game.position(), game.cells

        def take_back() -> None:
            if self._puzzle is puzzle and game.cells == (*cells, cell):
                session.jump(cells)
                game.forget_undone()

        def take(verdict: Verdict) -> None:
            if self._puzzle is not puzzle or game.cells != (*cells, cell):
                return  # meanwhile something else has happened on the board
            self.state = "solved" if verdict.reply is None else "right"
            if not verdict.is_right:
                self.state = "wrong"
                take_back()
            elif verdict.reply is not None:
                session.play((verdict.reply.x, verdict.reply.y))

        session.play(cell)
        self.take_back = take_back
        try:
            start("judge", lambda tell: partial(take, self._judge(before, cell)))
        except ValueError:  # another search is under way
            take_back()
            raise

    def _judge(self, position: Position, cell: Cell) -> Verdict:
        puzzle = self._puzzle
        assert puzzle is not None
        verdict = judge(Engine(), puzzle, position, position.point(cell))
        if not verdict.is_right or verdict.reply is None:
            self.note(verdict.is_right)
        return verdict

    def note(self, is_solved: bool) -> None:
        """Keeps how the puzzle went, the first time."""
        if not self._is_noted and self._puzzle is not None:
            self._is_noted = True
            with self._explorer.open() as games:
                Puzzles(games).note(self._puzzle, is_solved)
                self._score = Puzzles(games).score()

    def show(self) -> None:
        """The answer is shown, so it was not found. ValueError without a puzzle."""
        if self._puzzle is None:
            raise ValueError(tr("there is no puzzle on the board"))
        self.note(is_solved=False)
        self.state = "shown"

    def shown(self) -> Record:
        """What pages show of it."""
        puzzle, score = self._puzzle, self._score
        if puzzle is None:
            return {"state": ""}
        return {
            "state": self.state,
            "side": puzzle.position.turn,
            "what": puzzle.kind,
            "moves": puzzle.moves,
            "last": cells_of(puzzle.position.moves[-1:]),
            "answer": puzzle.move if self.state == "shown" else "",
            "streak": score.streak,
            "solved": score.solved,
            "missed": score.missed,
        }
