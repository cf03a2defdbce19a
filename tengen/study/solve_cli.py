"""`tengen solve`: is there a forced win, and which? `tengen judge`: proofs for a match."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click
from rich.progress import Progress

from engine.api import Engine
from engine.files import replace_file
from tengen.common.commands import Count, command, option, usage_errors
from tengen.common.console import counting_bar, working_sign
from tengen.game.files.positions import Choice, StoredPosition, find_positions, read_text
from tengen.game.position import Position
from tengen.game.proof_file import proof_record, read_asked, read_proof
from tengen.game.values import Json, Record, json_text
from tengen.study.options import (
    Resources,
    answers_at_once,
    limit_ms,
    position_options,
    resource_options,
    say_which,
    still_open,
    time_option,
)
from tengen.study.results import Solution, cells_of
from tengen.study.show import (
    all_text,
    answer_record,
    answer_text,
    check_record,
    check_text,
    defence_record,
    defence_text,
    first_of,
    proof_file,
    proof_of,
    solution_record,
    time_ms,
    tree_text,
)
from tengen.study.solver import (
    ANY,
    FULL,
    METHODS,
    VCT,
    Check,
    Effort,
    check_answer,
    defend,
    replay,
    solve,
    solve_all,
)

TIME_S = 5.0
_RESULT, _PROOF = "What is looked for", "Proofs"


@command("solve")
@position_options
@time_option(0.001, f"For each position.  [default: {TIME_S:g}; with --nodes none]")
@option("--nodes", type=Count(1), help="Limit for each position.")
@resource_options
@option("--jobs", type=Count(1, 256), default=1, help="How many puzzles at once.")
@option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
@option(
    "--method",
    type=click.Choice(METHODS),
    default=ANY,
    metavar="METHOD",
    heading=_RESULT,
    help="any, vct (threats), threes, vcf or full.",
)
@option("--moves", type=Count(1), heading=_RESULT, help="The most moves of the winner.")
@option("--shortest", is_flag=True, heading=_RESULT, help="Use all of the limit to shorten a win.")
@option("--all", "wants_all", is_flag=True, heading=_RESULT, help="Every first move that wins.")
@option(
    "--defend",
    "wants_defence",
    is_flag=True,
    heading=_RESULT,
    help="The moves that stop the opponent's win.",
)
@option("--tree", type=Count(1), heading=_PROOF, help="Print a tree of N moves of the winner.")
@option(
    "--save", type=click.Path(path_type=Path), heading=_PROOF, help="Write the proof to a file."
)
@option(
    "--check-wins",
    is_flag=True,
    heading=_PROOF,
    help="Let the referee replay a win against all defences.",
)
@option(
    "--check",
    "proof",
    metavar="FILE",
    heading=_PROOF,
    help="Only check a proof that --save has written.",
)
@click.pass_context
def solve_command(
    ctx: click.Context,
    words: tuple[str, ...],
    choice: Choice,
    time_s: float | None,
    nodes: int | None,
    resources: Resources,
    jobs: int,
    wants_json: bool,
    method: str,
    moves: int | None,
    shortest: bool,
    wants_all: bool,
    wants_defence: bool,
    tree: int | None,
    save: Path | None,
    check_wins: bool,
    proof: str | None,
) -> None:
    """Looks for a forced win of the side to move, and proves it.

    A position is points such as h8i9g7, a picture, a game, puzzles as JSON lines, a match, or -.
    The exit status is 1 if not all was solved.

    \b
      tengen solve game.psq --after 20 --rule renju --tree 3
      tengen solve puzzles.jsonl --time 1 --check-wins --jobs 2
    """
    if proof is not None:
        if words:
            raise click.UsageError("--check takes no position: the file of the proof has it")
        ctx.exit(_check_file(proof, wants_json))
    _require(not (wants_all and wants_defence), "give --all or --defend, not both")
    for is_given, name in ((wants_all, "--all"), (wants_defence, "--defend")):
        _require(not is_given or method != FULL, f"{name} cannot be used with --method full")
        _require(not (is_given and (tree or save)), f"{name} cannot be used with --tree or --save")
    _require(
        not (method == FULL and (tree or save)),
        "--method full finds no proof: leave out --tree and --save",
    )
    _require(not (wants_defence and check_wins), "--defend finds no win: leave out --check-wins")
    _require(
        not (shortest and (method == FULL or wants_all or wants_defence)),
        "--shortest is for one win by threats: leave out --method full, --all and --defend",
    )
    effort = Effort(method, limit_ms(time_s, nodes, TIME_S), nodes, moves, shortest)
    with usage_errors():
        found = find_positions(words, choice)
        say_which(found.positions[0])
        puzzles = [still_open(stored) for stored in found.positions]
        if found.is_batch:
            _require(
                not (wants_all or wants_defence or tree or save),
                "--all, --defend, --tree and --save are for one position, not for puzzles",
            )
            ctx.exit(_solve_batch(effort, resources, check_wins, puzzles, jobs, wants_json))
        _require(jobs == 1, "--jobs is for a file of puzzles")
        position = puzzles[0].position
        brain = resources.give(Engine())
        if wants_defence:
            ctx.exit(_defend(brain, position, effort, wants_json))
        if wants_all:
            ctx.exit(_solve_all(brain, position, effort, check_wins, wants_json))
        ctx.exit(_solve_one(brain, position, effort, check_wins, wants_json, tree, save))


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise click.UsageError(otherwise)


def _say(text: Sequence[str], record: Json, wants_json: bool) -> None:
    """Prints the text, or the record as JSON."""
    click.echo(json_text(record) if wants_json else "\n".join(text))


def _check_file(name: str, wants_json: bool) -> int:
    with usage_errors():
        text = read_text(name)
        try:
            file = read_proof(text)
            verdict = file.check()
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    check = Check(verdict.ok, verdict.nodes, verdict.reason, verdict.line)
    plies = verdict.plies if verdict.ok else None
    record = {"mate_plies": plies} | (check_record(check) or {})
    _say([check_text(check, file.position.height)], record, wants_json)
    return 0 if check.ok else 1


def _working(effort: Effort) -> Progress:
    """The sign that a search is under way."""
    sign = working_sign(None if effort.time_ms is None else effort.time_ms / 1000)
    sign.add_task("looking for a win")
    return sign


def _checked(check: Callable[[], Check], received: list[int]) -> Check | None:
    """A check, which is left out after Ctrl-C: the answer is not lost by it."""
    with _kept(received):
        return None if received else check()
    return None


def _solve_one(
    brain: Engine,
    position: Position,
    effort: Effort,
    checks: bool,
    wants_json: bool,
    tree: int | None,
    save: Path | None,
) -> int:
    check = None
    with _working(effort):
        with answers_at_once(brain) as received:
            answer = solve(brain, position, effort, lambda: not received)
        if checks and answer.is_win:
            check = _checked(lambda: replay(position, answer, effort, brain), received)
    text = answer_text(position, answer, effort)
    if tree is not None and answer.proof is not None:
        text += ["", *tree_text(answer.proof, tree, position.height)]
    if check is not None:
        text += ["", check_text(check, position.height)]
    record = answer_record(position, answer, effort) | {"check": check_record(check)}
    _say(text, record, wants_json)
    if save is not None:  # after the answer, which an error must not take away
        file = proof_file(position, answer)
        if file is None:
            click.echo(f"{save} was not written: there is no proof", err=True)
        else:
            replace_file(save, json_text(proof_record(file)) + "\n")
    return _status(received, answer.is_win and (check is None or check.ok is True))


def _solve_all(
    brain: Engine, position: Position, effort: Effort, checks: bool, wants_json: bool
) -> int:
    with _working(effort), answers_at_once(brain) as received:
        answers = solve_all(brain, position, effort)
    found = [
        (each, _checked(partial(check_answer, position, each), received) if checks else None)
        for each in answers
    ]
    records = [
        answer_record(position, answer, effort) | {"check": check_record(check)}
        for answer, check in found
    ]
    checked = [
        f"{answer.line[0]}: {check_text(check, position.height)}"
        for answer, check in found
        if check is not None
    ]
    record: Record = {"wins": records, "unknown": cells_of(answers.unknown)}
    _say([*all_text(position, answers), *checked], record, wants_json)
    return _status(received, answers and all(check is None or check.ok for _, check in found))


def _defend(brain: Engine, position: Position, effort: Effort, wants_json: bool) -> int:
    with _working(effort), answers_at_once(brain) as received:
        defence = defend(brain, position, effort)
    record = defence_record(position, defence, effort)
    _say(defence_text(position, defence, effort), record, wants_json)
    return _status(received, defence.moves)


def _solve_batch(
    effort: Effort,
    resources: Resources,
    checks: bool,
    puzzles: Sequence[StoredPosition],
    jobs: int,
    wants_json: bool,
) -> int:
    outcomes: list[Outcome] = []
    received: list[int] = []
    with counting_bar() as progress, _kept(received):
        bar = progress.add_task("solved 0", total=len(puzzles))
        for outcome in run_batch(effort, resources, checks, puzzles, jobs):
            outcomes.append(outcome)
            solved = sum(outcome.is_good for outcome in outcomes)
            progress.update(bar, advance=1, description=f"solved {solved}")
            if wants_json:
                click.echo(json_text(outcome_record(outcome)))
    _say(summary_text(outcomes), {"summary": summary_record(outcomes)}, wants_json)
    return _status(received, all(outcome.is_good for outcome in outcomes))


def _status(received: list[int], is_good: object) -> int:
    return 130 if received else 0 if is_good else 1


@contextmanager
def _kept(received: list[int]) -> Iterator[None]:
    """Ctrl-C ends what is inside, and what it has found is kept."""
    try:
        yield
    except KeyboardInterrupt:
        received.append(0)


# -- many puzzles


@dataclass(frozen=True)
class Outcome:
    """The answer to a puzzle and, if it was asked for, the referee's verdict on the win."""

    puzzle: StoredPosition
    answer: Solution
    check: Check | None

    @property
    def is_good(self) -> bool:
        """Is the puzzle solved, and did the check, if there was one, confirm it?"""
        return self.answer.is_win and (self.check is None or self.check.ok is True)

    @property
    def has_best_move(self) -> bool | None:
        """Does the win begin with the puzzle's best move? None without a win or a best move."""
        best = self.puzzle.best
        return None if best is None or not self.answer.is_win else first_of(self.answer) == best

    @property
    def surplus_plies(self) -> int | None:
        """How many stones the win is longer than the puzzle's; None if either is unknown."""
        plies, mate = self.answer.plies, self.puzzle.mate
        return None if mate is None or plies is None else plies - mate


def _run_task(
    effort: Effort, resources: Resources, checks: bool, puzzle: StoredPosition
) -> Outcome:
    """Solves one puzzle; if it `checks`, the referee replays the win. Each gets a new engine, so
    the outcomes do not depend on their order. The proof stays here: trees are large, and would have
    to be sent to another process."""
    brain, position = resources.give(Engine()), puzzle.position
    answer = solve(brain, position, effort)
    check = replay(position, answer, effort, brain) if checks and answer.is_win else None
    return Outcome(puzzle, replace(answer, proof=None), check)


def run_batch(
    effort: Effort,
    resources: Resources,
    checks: bool,
    puzzles: Sequence[StoredPosition],
    jobs: int = 1,
) -> Iterator[Outcome]:
    """The outcomes in the order of the puzzles, each as soon as it and all before it are ready.
    With more than one job the puzzles are solved in that many processes."""
    run = partial(_run_task, effort, resources, checks)
    if jobs == 1 or len(puzzles) == 1:
        yield from map(run, puzzles)
        return
    # A new interpreter for each: a forked process would inherit the locks of our threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(puzzles)), mp_context=context) as pool:
        try:
            yield from pool.map(run, puzzles)
        finally:
            pool.shutdown(cancel_futures=True)


def outcome_record(outcome: Outcome) -> Record:
    """An outcome as plain values, for a line of JSON."""
    return {
        "puzzle": outcome.puzzle.name,
        **solution_record(outcome.answer),
        "best": outcome.puzzle.best,
        "best_mate_plies": outcome.puzzle.mate,
        "check": check_record(outcome.check),
    }


def quantile(values: Sequence[float], percent: int) -> float:
    """The smallest value that at least so many of the values do not exceed; 0 without values."""
    return sorted(values)[-(-percent * len(values) // 100) - 1] if values else 0


def summary_record(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The figures as plain values. A win that the referee refuted does not count as solved. Time
    and nodes are those of all puzzles, solved or not."""
    solved = [
        outcome
        for outcome in outcomes
        if outcome.answer.is_win and (outcome.check is None or outcome.check.ok is not False)
    ]
    moves = [outcome.has_best_move for outcome in solved if outcome.has_best_move is not None]
    surplus = [outcome.surplus_plies for outcome in solved if outcome.surplus_plies is not None]
    checks = [outcome.check for outcome in outcomes if outcome.check is not None]
    nodes = [outcome.answer.nodes for outcome in outcomes]
    times_ms = [time_ms(outcome.answer) for outcome in outcomes]
    return {
        "puzzles": len(outcomes),
        "solved": len(solved),
        "same_move": sum(moves),
        "with_move": len(moves),
        "shorter": sum(plies < 0 for plies in surplus),
        "equal": sum(plies == 0 for plies in surplus),
        "longer": sum(plies > 0 for plies in surplus),
        "checked": len(checks),
        "wrong": sum(check.ok is False for check in checks),
        "unsettled": sum(check.ok is None for check in checks),
        "median_nodes": quantile(nodes, 50),
        "p95_nodes": quantile(nodes, 95),
        "median_time_ms": quantile(times_ms, 50),
        "p95_time_ms": quantile(times_ms, 95),
    }


def summary_text(outcomes: Sequence[Outcome]) -> list[str]:
    """The figures as a table, and a line for each win that the referee did not confirm."""
    figures = summary_record(outcomes)
    rows = {"solved": _share(figures["solved"], figures["puzzles"])}
    if figures["with_move"]:
        rows["same first move"] = _share(figures["same_move"], figures["with_move"])
    if figures["shorter"] + figures["equal"] + figures["longer"]:
        rows["length"] = (
            f"{figures['shorter']} shorter than given, {figures['equal']} the same,"
            f" {figures['longer']} longer"
        )
    if figures["checked"]:
        rows["checked"] = f"{figures['checked']} wins, {figures['wrong']} wrong"
        if figures["unsettled"]:
            rows["checked"] += f", {figures['unsettled']} not decided"
    rows["nodes"] = f"median {figures['median_nodes']:,}, 95 % within {figures['p95_nodes']:,}"
    rows["time"] = (
        f"median {figures['median_time_ms']:,} ms, 95 % within {figures['p95_time_ms']:,} ms"
    )
    wrong = [
        f"{outcome.puzzle.name}: {check_text(outcome.check, outcome.puzzle.position.height)}"
        for outcome in outcomes
        if outcome.check is not None and not outcome.check.ok
    ]
    return [*wrong, *(f"{name:16} {text}" for name, text in rows.items())]


def _share(part: float, whole: float) -> str:
    return f"{part} of {whole} ({part / whole:.1%})"


# -- proofs for a match


@command("judge")
@option("--nodes", type=Count(1), default=20_000, help="Limit for each position.")
def judge_command(nodes: int) -> None:
    """Ends games that are won: answers positions on standard input by proofs.

    It is started by a match. Each line of input is a position, and each line of output a proof
    that the side to move wins, or null (docs/MATCH.md).

    \b
      tengen match --judge "tengen judge" --engine cmd=a --engine cmd=b
    """
    brain, effort = Engine(), Effort(VCT, nodes=nodes)
    with usage_errors():
        for line in sys.stdin:
            print(json_text(_proof(brain, line, effort)), flush=True)


def _proof(brain: Engine, line: str, effort: Effort) -> Record | None:
    try:
        position = read_asked(line)
    except ValueError as error:
        raise ValueError(f"the line {error}") from None
    return proof_of(position, solve(brain, position, effort))
