"""Goes through a recorded game: the value of every move, mistakes, and missed forced wins.

The positions are searched from the last to the first, and the table is kept, so that what a later
position has shown is known to the earlier ones. Then

* where the threat solver proves a win for the side to move, and the move that was played does not
  keep it, the move has missed a forced win. The referee checks the proof, and a longer search of
  the position after the move must not find that it wins all the same;
* a move that loses more of the chance to win than a threshold is a mistake, and one that loses
  more than half of that an inaccuracy, if longer searches, of the position before it and of the one
  after it, say so too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from engine.api import Engine
from engine.model import Info, Limits, Score, win_chance
from engine.text import name_or_pair
from tengen.common.translation import tr
from tengen.game.game import Game
from tengen.game.position import COLOURS, Point, Position
from tengen.game.referee import BLACK, COLOUR_NAMES, Cell, Stone, opponent_of
from tengen.study.results import UNKNOWN, Line, Solution, cells_of
from tengen.study.review import (
    FOUL,
    INACCURACY,
    INACCURATE,
    MISSED_WIN,
    MISTAKE,
    Review,
    ReviewedMove,
)
from tengen.study.solver import Check, Effort, check_answer, solve

# What a review does, in this order, as it tells its progress.
VALUES, WINS = tr("values of the moves"), tr("forced wins")
DOUBTS = tr("doubtful moves again")
# Called with one of these, how much of it is done, and how much there is.
Tell = Callable[[str, int, int], None]
TellChance = Callable[[int, float], None]

# How the time of a game is used: parts for the first searches, the same for every position, and for
# the questions to the solver; the rest is for the searches that confirm.
_SEARCH_SHARE, _SOLVER_SHARE = 0.3, 0.35
# A search that confirms gets so many times the limits of the first one, less where time runs out.
_DEEPER, _LEAST_DEEPER = 4, 2
# The solver gets so many times its limits where a program has announced a win.
_ANNOUNCED = 4
# A win of so many nodes of the solver is found however little time there is, as on a busy machine.
# On a free one they take a tenth of a second.
_LEAST_NODES = 60_000
# The check of a proof is given up after so many stones, a second or two.
_CHECKED_STONES = 50_000


@dataclass(frozen=True)
class Budget:
    """Limits of a review; None = no limit of that kind.

    time_ms  for the whole game.
    nodes    of the first search of each position; the solver gets as many.
    """

    time_ms: int | None = None
    nodes: int | None = None


class ReviewInterrupted(KeyboardInterrupt):
    """Ctrl-C has ended a review; `review` is of the moves that were searched until then, the last
    ones of the game."""

    def __init__(self, review: Review) -> None:
        super().__init__()
        self.review = review


def review(
    brain: Engine,
    solver: Engine,
    name: str,
    game: Game,
    budget: Budget,
    threshold: float,
    tell: Tell = lambda what, done, total: None,
    tell_chance: TellChance = lambda number, chance: None,
) -> Review:
    """Goes through a game.

    brain, solver  two engines: one searches, and keeps its table; the other looks for wins.
    name           of the game, for errors.
    threshold      a loss of the chance to win above it is a mistake.
    tell           called before each search; what it raises ends the review.
    tell_chance    called with a number of moves and Black's chance to win after them, as found.
    ValueError, in one line, if there is no move that can be analysed. ReviewInterrupted after
    Ctrl-C, with what was found until then.
    """
    return _Reviewer(brain, solver, name, game, budget, threshold, tell, tell_chance).run()


class _Reviewer:
    """One review. Positions are named by the number of moves before them."""

    def __init__(
        self, brain: Engine, solver: Engine, name: str, game: Game, budget: Budget,
        threshold: float, tell: Tell, tell_chance: TellChance,
    ) -> None:  # fmt: skip
        self._tell, self._tell_chance = tell, tell_chance
        self._brain, self._solver = brain, solver
        self._name, self._budget, self._threshold = name, budget, threshold
        try:
            self._game = game
            self._moves, self._fault, self._end = playable(game)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
        self._first = min(game.opening_moves, len(self._moves))
        if self._first == len(self._moves):
            raise ValueError(f"{name}: {self._fault or 'there is no move to analyse'}")
        count = len(self._moves) - self._first + 1
        self._search_ms = self._part_ms(_SEARCH_SHARE / count)
        self._solver_ms = self._part_ms(_SOLVER_SHARE / count)
        self._began_at = time.monotonic()
        self._seen: dict[int, Info] = {}  # what the last search of a position has said
        self._unpassed: dict[int, Info] = {}  # the same where the other side then passed
        # Wins that the solver has proved, by position; positions whose move has missed a win; those
        # whose move was searched again.
        self._wins: dict[int, tuple[Solution, Check]] = {}
        self._missed: set[int] = set()
        self._confirmed: set[int] = set()

    def run(self) -> Review:
        """The whole review."""
        try:
            self._go_through()
        except KeyboardInterrupt:
            if (first := min(self._seen, default=len(self._moves))) >= len(self._moves):
                raise
            self._first = first
            raise ReviewInterrupted(self._review()) from None
        return self._review()

    def _review(self) -> Review:
        steps = tuple(self._steps())
        return Review(self._game, self._moves, self._fault, self._end, steps, self._threshold)

    def _go_through(self) -> None:
        self._brain.new_game()
        last = len(self._moves) - (self._end is not None)
        total = last - self._first + 1
        for done, i in enumerate(range(last, self._first - 1, -1)):
            self._tell(VALUES, done, total)
            self._search(i, 1)
        # From the last move, because a win that is proved counts for the moves before it too.
        for done, i in enumerate(reversed(range(self._first, len(self._moves)))):
            self._tell(WINS, done, len(self._moves) - self._first)
            self._look_for_missed_win(i)
        self._confirm_doubts()
        # The longer searches may have found wins too.
        for step in reversed(self._steps()):
            if _wins(step.best.score) and step.kind != MISSED_WIN:
                self._tell(WINS, len(self._moves) - step.number, len(self._moves))
                self._look_for_missed_win(step.number - 1)

    # -- asking the engine

    def _search(self, i: int, times: float) -> None:
        """Searches a position, with so many times the limits of the first search; also as it was
        before a pass."""
        position = self._position(i)
        seen = self._info_of(position, times)
        if 0 < i < len(self._moves) and self._moves[i - 1][2] == self._moves[i][2]:
            self._unpassed[i] = self._info_of(self._position(i, is_passed=False), times)
        self._seen[i] = seen
        chance = win_chance(seen.score)
        self._tell_chance(i, chance if position.side == BLACK else 1 - chance)

    def _info_of(self, position: Position, times: float) -> Info:
        self._brain.set_position(position.to_model())
        nodes, ms = self._budget.nodes, self._search_ms
        limits = Limits(
            turn_ms=None if ms is None else max(1, round(ms * times)),
            nodes=None if nodes is None else round(nodes * times),
            is_analysis=True,
        )
        return self._brain.think(limits).info

    def _left_ms(self, share: float) -> float:
        """What is left of this part of the whole time, counted from the beginning."""
        used_ms = (time.monotonic() - self._began_at) * 1000
        return (self._part_ms(share) or 0) - used_ms

    def _solve(self, i: int) -> tuple[Solution, Check] | None:
        """A win by threats of the side to move, with the referee's verdict on its proof; None where
        none is proved."""
        report = self._game[i].report
        announced = report is not None and (report.mate_plies or 0) > 0
        times = _ANNOUNCED if announced else 1
        ms, nodes = self._solver_ms, self._budget.nodes
        if ms is not None:
            # Most positions are settled sooner, which leaves more for the others.
            ms = max(ms, self._left_ms(_SEARCH_SHARE + _SOLVER_SHARE) / (i - self._first + 1))
        effort = Effort(
            "vct",
            None if ms is None else max(1, round(ms * times)),
            None if nodes is None else nodes * times,
        )
        position = self._position(i)
        answer = solve(self._solver, position, effort)
        if ms is not None and answer.status == UNKNOWN and answer.nodes < _LEAST_NODES:
            answer = solve(self._solver, position, Effort("vct", nodes=_LEAST_NODES))
        if not answer.is_win:
            return None
        check = check_answer(position, answer, _CHECKED_STONES)
        return None if check.ok is False else (answer, check)

    def _position(self, i: int, is_passed: bool = True) -> Position:
        game, is_last = self._game, i == len(self._moves)
        side = opponent_of(self._moves[i - 1][2]) if is_last or not is_passed else self._moves[i][2]
        stones = (*game.setup, *self._moves[:i])
        return Position.begin(game.size, game.rule_number, stones, side)

    def _part_ms(self, share: float) -> float | None:
        return None if self._budget.time_ms is None else self._budget.time_ms * share

    # -- judging the moves

    def _look_for_missed_win(self, i: int) -> None:
        if self._is_winning(i):
            return
        if (found := self._solve(i)) is not None:
            self._wins[i] = found
        elif not _wins(self._seen[i].score):
            return
        # The proof may begin with the move that was played.
        if not self._is_winning(i) and i + 1 in self._seen:
            self._search(i + 1, _DEEPER)
        if not self._is_winning(i):
            self._missed.add(i)

    def _is_winning(self, i: int) -> bool:
        return _wins(self._steps(i)[0].played)

    def _confirm_doubts(self) -> None:
        while waiting := [step for step in self._steps() if self._is_doubtful(step)]:
            times = self._times_left(len(waiting))
            if times is None:
                return
            i = max(waiting, key=lambda step: step.loss).number - 1
            done = len(self._confirmed)
            self._tell(DOUBTS, done, done + len(waiting))
            # The later position first: what it shows helps the search of the earlier one.
            for at in (i + 1, i):
                if at in self._seen:
                    self._search(at, times)
            self._confirmed.add(i)

    def _is_doubtful(self, step: ReviewedMove) -> bool:
        is_judged = step.number - 1 in self._confirmed or step.kind in (MISSED_WIN, FOUL)
        return not is_judged and self._grade(step) != ""

    def _times_left(self, count: int) -> float | None:
        """How many times its first limits a search may have, where `count` moves wait for two
        each; None if too little time is left."""
        if self._search_ms is None:
            return _DEEPER
        left_ms = self._left_ms(1)
        if left_ms < 2 * _LEAST_DEEPER * self._search_ms:
            return None
        return max(_LEAST_DEEPER, min(_DEEPER, left_ms / (2 * count * self._search_ms)))

    def _steps(self, first: int | None = None) -> list[ReviewedMove]:
        """The moves from `first` on (None = from the first), by all that is known now."""
        steps: list[ReviewedMove] = []
        played, rest = self._after_last()
        for i in range(len(self._moves) - 1, (self._first if first is None else first) - 1, -1):
            seen, found = self._seen[i], self._wins.get(i)
            cell = self._moves[i][:2]
            best: Score = seen.score
            line: tuple[Cell, ...] = seen.pv
            if found is not None and found[0].plies is not None:
                proved = Score(0, found[0].plies)
                if cells_of(found[0].line[:1]) == [cell]:
                    played = max(played, proved)
                if proved > best:
                    best, line = proved, tuple(cells_of(found[0].line))
            if played > best:
                best, line = played, (cell, *rest)
            height, colour = self._game.height, COLOURS[self._moves[i][2]]
            pv = tuple(_point(x, y, height) for x, y in line or (cell,))
            line_of_best = Line(best, seen.depth_plies, pv)
            step = ReviewedMove(
                i + 1, _point(*cell, height), colour, line_of_best, played, seen.nodes
            )
            self._judge(step, i)
            steps.append(step)
            played, rest = before(best), line
            if (unpassed := self._unpassed.get(i)) is not None:  # the pass is not this move's
                played, rest = before(unpassed.score), unpassed.pv
        return steps[::-1]

    def _judge(self, step: ReviewedMove, i: int) -> None:
        if i in self._missed:
            step.kind = MISSED_WIN
            step.win, step.check = self._wins.get(i, (None, None))
        elif i == len(self._moves) - 1 and self._end == opponent_of(self._moves[i][2]):
            step.kind = FOUL
        elif step.is_decisive or i in self._confirmed:
            step.kind = self._grade(step)
        else:
            step.is_unsure = self._grade(step) == MISTAKE

    def _grade(self, step: ReviewedMove) -> str:
        """What the loss makes of a move; one grade worse where it is proved that it loses."""
        least = step.loss > self._threshold * INACCURATE
        grade = least + (step.loss > self._threshold) + step.is_decisive
        return ("", INACCURACY, MISTAKE, MISTAKE)[grade]

    def _after_last(self) -> tuple[Score, tuple[Cell, ...]]:
        """The value of the last move for the side that has played it, and what is expected
        after it."""
        if self._end is None:
            seen = self._seen[len(self._moves)]
            return before(seen.score), seen.pv
        if self._end == 0:
            return Score(0), ()
        return Score(0, 1 if self._end == self._moves[-1][2] else -2), ()


@lru_cache(maxsize=2048)
def _point(x: int, y: int, height: int) -> Point:
    return Point(x, y, height)


def before(score: Score) -> Score:
    """The value of a move for the side that plays it, from that of the position after it."""
    plies = score.mate_plies
    if plies is None:
        return Score(-score.value)
    return Score(0, 1 - plies if plies < 0 else -1 - plies)


def _wins(score: Score) -> bool:
    return score.mate_plies is not None and score.mate_plies > 0


def playable(game: Game) -> tuple[tuple[Stone, ...], str, int | None]:
    """The moves up to the first one that cannot be played or is not in turn; why the rest is left
    out, empty if nothing is; and the winner where the game is over after these moves (0 for a full
    board), else None."""
    colour = game.first_side
    for number, (x, y, own) in enumerate(game.stones, start=1):
        if game.line.passes.count(number - 1) % 2:
            colour = opponent_of(colour)
        if own != colour:
            name = name_or_pair((x, y), game.width, game.height)
            fault = (
                f"move {number}, {name}, is {COLOUR_NAMES[own]}'s, but it is"
                f" {COLOUR_NAMES[colour]}'s turn"
            )
            return game.stones[: number - 1], fault, None
        colour = opponent_of(own)
    end = game.end.position()
    return game.stones, game.fault, end.winning_side if end.is_over else None
