"""`tengen openings`: makes a file of openings that tell programs apart. A program values random
candidates, and those with a value near zero are kept; fair ones are also played.

Each candidate is searched up to three times: a short search, a long one, and one after the move
that the long search found, because programs tend to value their own side to move too high. A
candidate is dropped at the first value that is too far from zero.

In some openings with such a value one colour wins whoever plays, so a pair of games says nothing
of the programs. An opening is fair if the program beats itself with a third of the nodes with
both colours.

With a node limit, and a program that plays the same after every START, the result depends only on
the request, not on how many programs search at a time.
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from threading import Event

import click

from engine.files import check_replaceable, replace_file
from tengen.arena.match.options import Execution, ManyWordsCommand, OpeningOptions, ProgramWords
from tengen.arena.match.play_game import ProgramPool, Watcher
from tengen.arena.match.schedule import Job, Setting
from tengen.arena.programs.program import Clock, Program, ProgramFailed, Timeouts
from tengen.arena.programs.spec import ProgramSpec, has_limit, read_program
from tengen.arena.programs.swap2 import illegal_move
from tengen.common import commands
from tengen.common.commands import RULE_HELP, Count, Read, Rule, Size, takes, usage_errors
from tengen.common.console import counting_bar
from tengen.common.process import signals_call
from tengen.common.tasks import LOOK_S
from tengen.game.openings import NOTATIONS, PLACES, Drawing, Notation, Opening, Place, draw_openings
from tengen.game.played import Move, Report
from tengen.game.referee import BLACK, WHITE, Referee, in_turns, set_up

# The short search takes this part of the nodes, and allows values this much further from zero.
_SHORT_PART = 10
_SHORT_LEAST_NODES = 500
_SHORT_LENIENCE = 2.5
# In a fair game the weaker side has this part of the nodes.
_WEAKER_PART = 3

# The names of the two that play.
_STRONGER, _WEAKER = "stronger", "weaker"

# Called with the number of candidates valued and of openings found so far.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class OpeningRequest:
    """The openings that are wanted.

    count       the number of openings.
    balance     the greatest distance of the value from zero, in the unit of the program.
    is_fair     only fair ones; the program must have a node limit.
    seed        decides what is drawn.
    candidates  the most openings to try.
    """

    drawing: Drawing
    count: int
    balance: int
    is_fair: bool = False
    seed: int = 1
    candidates: int = 10_000


@dataclass(frozen=True)
class Found:
    """The openings found, in the order of their candidates.

    tried    how many candidates were tried for them.
    signal   the signal that ended the search before its end; None otherwise.
    """

    openings: list[Opening]
    tried: int
    signal: int | None


class EvaluationFailed(Exception):
    """The program gives no values, or fails in a game; the message says why, in one line."""


def search_openings(
    request: OpeningRequest,
    program: ProgramSpec,
    concurrency: int = 1,
    on_progress: Progress | None = None,
) -> Found:
    """Fewer openings than `request.count` if too few candidates are good enough, or after SIGINT or
    SIGTERM. Values `concurrency` openings at a time and ends all programs afterwards.
    EvaluationFailed when the program fails or reports no values.
    """
    evaluators = [_Evaluator(request, program) for _ in range(concurrency)]
    idle: SimpleQueue[_Evaluator] = SimpleQueue()
    for evaluator in evaluators:
        idle.put(evaluator)

    def is_kept(opening: Opening) -> bool:
        evaluator = idle.get()
        try:
            return evaluator.is_balanced(opening) and (
                not request.is_fair or evaluator.is_fair(opening, stop)
            )
        finally:
            idle.put(evaluator)

    found: list[Opening] = []
    judged = 0
    candidates = draw_openings(request.drawing, request.seed, request.candidates)
    pending: deque[tuple[Opening, Future[bool]]] = deque()
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="evaluator")
    stop = Event()
    try:
        with signals_call(stop.set) as received:
            while len(found) < request.count:
                # Results are taken in the order of the candidates, not as they come.
                while len(pending) < 2 * concurrency and (opening := next(candidates, None)):
                    pending.append((opening, pool.submit(is_kept, opening)))
                if not pending:
                    break
                opening, verdict = pending.popleft()
                is_found = _result(verdict, stop)
                if is_found is None:
                    break
                if is_found:
                    found.append(opening)
                judged += 1
                if on_progress is not None:
                    on_progress(judged, len(found))
    finally:
        stop.set()
        for evaluator in evaluators:
            evaluator.interrupt()
        pool.shutdown(cancel_futures=True)
        for evaluator in evaluators:
            evaluator.dispose()
    return Found(found, judged, received[0] if received else None)


def _result(verdict: Future[bool], stop: Event) -> bool | None:
    """The verdict; None when `stop` is set before it is there."""
    while not verdict.done():
        if stop.is_set():
            return None
        wait([verdict], LOOK_S)
    return verdict.result()


class _Evaluator:
    """One running program that values openings, and two that play them."""

    def __init__(self, request: OpeningRequest, program: ProgramSpec) -> None:
        self._request = request
        self._program = program
        self._evaluator = Program(program)
        drawing = request.drawing
        # Games end early when both sides agree.
        setting = Setting(
            drawing.width, drawing.height, drawing.rule,
            resign_moves=2, resign_value=1000, draw_moves=5, draw_value=20,
        )  # fmt: skip
        weaker = None if program.nodes is None else max(1, program.nodes // _WEAKER_PART)
        sides = {_STRONGER: program, _WEAKER: replace(program, nodes=weaker)}
        self._players = ProgramPool(sides, setting, Timeouts())

    def interrupt(self) -> None:
        """Ends the programs at once; may be called in any thread."""
        self._evaluator.interrupt()
        self._players.interrupt()

    def dispose(self) -> None:
        """Ends the programs and removes their folders."""
        self._evaluator.dispose()
        self._players.close()

    def is_fair(self, opening: Opening, stop: Event) -> bool:
        """Does the program with more nodes win with both colours? False when `stop` is set."""
        drawing = self._request.drawing
        cells = opening.place(drawing.width, drawing.height)
        # The colour to move wins more often, so the other one decides sooner.
        colours = (BLACK, WHITE) if len(cells) % 2 else (WHITE, BLACK)
        for colour in colours:
            black, white = (_STRONGER, _WEAKER) if colour == BLACK else (_WEAKER, _STRONGER)
            game = self._players.play(Job(0, 0, black, white, cells), Watcher(), stop)
            if game.is_failure:
                raise EvaluationFailed(f"engine {self._program.name}: {game.detail}")
            if game.winner != colour:
                return False
        return True

    def is_balanced(self, opening: Opening) -> bool:
        """True when all values are near zero and none announces a win."""
        drawing, balance = self._request.drawing, self._request.balance
        size = drawing.width, drawing.height
        board = set_up(*size, drawing.rule, in_turns(opening.place(*size)))

        # A short search removes most candidates.
        nodes = self._program.nodes
        if nodes is not None and nodes >= _SHORT_PART * _SHORT_LEAST_NODES:
            short = replace(self._program, nodes=nodes // _SHORT_PART)
            if not self._is_near_zero(self._ask(board, short), _SHORT_LENIENCE * balance):
                return False

        # A long search decides.
        answer = self._ask(board, self._program)
        if not self._is_near_zero(answer, balance):
            return False

        # The value must also be near zero for the other side, after the best move.
        if not board.legal(answer.x, answer.y):
            fault = illegal_move((answer.x, answer.y), *size)
            raise EvaluationFailed(f"engine {self._program.name}: {fault}")
        board.play(answer.x, answer.y, _to_move(board))
        if board.winner():
            return False
        return self._is_near_zero(self._ask(board, self._program), balance)

    def _ask(self, board: Referee, program: ProgramSpec) -> Move:
        # The limits are sent after the next START.
        self._evaluator.spec = program
        try:
            self._evaluator.new_game(board.width, board.height, board.rule)
            return self._evaluator.ask_move(board, _to_move(board), Clock(program.control))
        except ProgramFailed as failure:
            raise EvaluationFailed(f"engine {failure}") from None

    def _is_near_zero(self, answer: Move, balance: float) -> bool:
        report = answer.report or Report()
        if report.mate_plies is not None:
            return False
        if report.value is None:
            raise EvaluationFailed(
                f"engine {self._program.name}: reports no value; expected a line such as"
                " MESSAGE Depth 5 | Eval 12 | Node 1000"
            )
        return abs(report.value) <= balance


def _to_move(board: Referee) -> int:
    return WHITE if board.stone_count % 2 else BLACK


DEFAULT_NODES = 50_000
# With --fair, where games decide.
FAIR_NODES = 12_000
# Of candidates, how many are tried for each opening that is wanted.
_TRIED, _FAIR_TRIED = 200, 2000
_RARER = "Rarer options"


def _read_stones(text: str) -> tuple[int, int]:
    """A number of stones, `4`, or the least and the greatest, `3-6`."""
    found = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", text, re.ASCII)
    if found is None:
        raise ValueError(f"{text!r}: expected a number of stones such as 4 or 3-6")
    return int(found[1]), int(found[2] or found[1])


@commands.command("openings", cls=ManyWordsCommand)
@commands.option("--rule", type=Rule(), default="freestyle", help=RULE_HELP)
@commands.option("--size", type=Size(), default="15", help="Side, or WxH.")
@commands.option("--count", type=Count(1), default=20, help="How many openings to find.")
@commands.option(
    "--balance",
    type=Count(0),
    help="The greatest value, in centi-stones.  [default: 60; with --fair 120]",
)
@commands.option(
    "--place",
    type=click.Choice(PLACES),
    default="anywhere",
    help="Where the stones lie.",
)
@commands.option(
    "--fair",
    "is_fair",
    is_flag=True,
    help="Only openings that three times the nodes win with both colours.",
)
@commands.option(
    "--stones",
    type=Read("stones", _read_stones),
    metavar="N-N",
    default="3-11",
    help="The number of stones in an opening.",
)
@commands.option(
    "--engine",
    "words",
    type=ProgramWords(),
    metavar="KEY=VALUE",
    help=(
        "The program that values them, as for tengen match."
        f"  [default: cmd=pbrain-tengen nodes={DEFAULT_NODES}; with --fair {FAIR_NODES}]"
    ),
)
@takes("how", Execution, "jobs", jobs={"help": "How many openings are valued at a time."})
@takes("draw", OpeningOptions, "seed", seed={"heading": _RARER})
@commands.option(
    "--candidates",
    type=Count(1),
    help="The most openings to try.  [default: 200 times --count; with --fair 2000]",
    heading=_RARER,
)
@commands.option(
    "--notation",
    type=click.Choice(NOTATIONS),
    metavar="KIND",
    default="offset",
    help="Of FILE: offset, pos (h8i7) or pos-top (rows from the top).",
    heading=_RARER,
)
@commands.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The file to write.  [default: the standard output]",
)
@click.pass_context
def openings_command(
    ctx: click.Context,
    rule: int,
    size: tuple[int, int],
    count: int,
    balance: int | None,
    place: Place,
    is_fair: bool,
    stones: tuple[int, int],
    words: list[str] | None,
    how: Execution,
    draw: OpeningOptions,
    candidates: int | None,
    notation: Notation,
    out: Path | None,
) -> None:
    """Makes a file of balanced openings.

    Openings are drawn at random, and kept if a program gives them a value near zero. In some of
    them one colour wins whoever plays; --fair keeps those in which the program beats itself with a
    third of its nodes with both colours. With a node limit the same seed gives the same file.
    Example:

    \b
      tengen openings --rule 4 --size 15 --count 100 --fair --jobs 2 --out renju.txt
    """
    with usage_errors():
        if out is not None:
            check_replaceable(out)  # before the search, not after
        request = OpeningRequest(
            Drawing(*size, rule, stones, place),
            count,
            balance if balance is not None else 120 if is_fair else 60,
            is_fair,
            draw.seed,
            candidates or count * (_FAIR_TRIED if is_fair else _TRIED),
        )
        program = _read_engine(words, FAIR_NODES if is_fair else DEFAULT_NODES)
        if is_fair and program.nodes is None:
            raise ValueError("--fair: the program needs a node limit, such as nodes=12000")
    try:
        found = _search(request, program, min(how.jobs, 4 * count))
    except EvaluationFailed as failure:
        raise click.ClickException(str(failure)) from None
    _write(found.openings, size, notation, out)
    told = f"{len(found.openings)} of {count} openings, {found.tried} candidates tried"
    if out is not None:
        told += f"; in {out}"
    if found.signal is not None:
        click.echo(f"{told}: stopped", err=True)
        ctx.exit(128 + found.signal)
    if len(found.openings) == count:
        click.echo(told, err=True)
        return
    click.echo(f"{told}: try a larger --balance or more --candidates", err=True)
    ctx.exit(1)


def _read_engine(words: list[str] | None, default_nodes: int) -> ProgramSpec:
    given = words or []
    keys = {word.partition("=")[0] for word in given}
    if "cmd" not in keys:
        given = [f'cmd="{sys.executable}" -m tengen.pbrain', *given]
    if "name" not in keys:
        given = ["name=for openings", *given]
    program = read_program(given)
    return program if has_limit(given) else replace(program, nodes=default_nodes)


def _search(request: OpeningRequest, program: ProgramSpec, concurrency: int) -> Found:
    with counting_bar() as progress:
        bar = progress.add_task("openings", total=request.count)

        def on_progress(tried: int, found: int) -> None:
            said = f"openings, of {tried} candidates"
            progress.update(bar, completed=found, description=said)

        return search_openings(request, program, concurrency, on_progress=on_progress)


def _write(
    openings: list[Opening], size: tuple[int, int], notation: Notation, out: Path | None
) -> None:
    text = "".join(opening.text(notation, *size) + "\n" for opening in openings)
    with usage_errors():
        try:
            if out is not None:
                return replace_file(out, text)
        except OSError:  # a full disk; what took long to find is printed
            click.echo(text, nl=False)
            raise
    click.echo(text, nl=False)
