"""`tengen solve`: is there a forced win, and which?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import click
from rich.progress import Progress

from engine.api import Engine
from engine.files import replace_file
from engine.text import point_name
from tengen.common.commands import Count, command, option, usage_errors
from tengen.common.console import counting_bar, working_sign
from tengen.game.json_text import Json, json_text
from tengen.game.proof_file import proof_record, read_proof
from tengen.game.record.positions import Choice, find_positions, read_text
from tengen.study.batch import (
    Outcome,
    outcome_record,
    run_batch,
    summary_record,
    summary_text,
)
from tengen.study.checks import Check, check_answer, replay
from tengen.study.options import (
    limit_ms,
    position_options,
    resource_options,
    say_which,
    time_option,
)
from tengen.study.puzzle import Puzzle, puzzle_of
from tengen.study.resources import Resources, answers_at_once
from tengen.study.show import (
    all_text,
    answer_record,
    answer_text,
    check_record,
    check_text,
    defence_record,
    defence_text,
    proof_file,
    tree_text,
)
from tengen.study.solver import ANY, FULL, METHODS, Effort, defend, solve, solve_all

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
    heading=_RESULT,
    help="Threats (vct), fours (vcf), the full search; any: vct, then full.",
)
@option("--moves", type=Count(1), heading=_RESULT, help="The most moves of the winner.")
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
    effort = Effort(method, limit_ms(time_s, nodes, TIME_S), nodes, moves)
    with usage_errors():
        found = find_positions(words, choice)
        say_which(found.positions[0])
        puzzles = [puzzle_of(position) for position in found.positions]
        if found.is_batch:
            _require(
                not (wants_all or wants_defence or tree or save),
                "--all, --defend, --tree and --save are for one position, not for puzzles",
            )
            ctx.exit(_solve_batch(effort, resources, check_wins, puzzles, jobs, wants_json))
        _require(jobs == 1, "--jobs is for a file of puzzles")
        [puzzle] = puzzles
        brain = resources.give(Engine())
        if wants_defence:
            ctx.exit(_defend(brain, puzzle, effort, wants_json))
        if wants_all:
            ctx.exit(_solve_all(brain, puzzle, effort, check_wins, wants_json))
        ctx.exit(_solve_one(brain, puzzle, effort, check_wins, wants_json, tree, save))


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise click.UsageError(otherwise)


def _say(lines: Sequence[str]) -> None:
    click.echo("\n".join(lines))


def _say_json(record: Json) -> None:
    click.echo(json_text(record))


def _check_file(name: str, wants_json: bool) -> int:
    with usage_errors():
        text = read_text(name)
        try:
            file = read_proof(text)
            verdict = file.check()
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    check = Check(verdict.ok, verdict.nodes, verdict.reason, verdict.line)
    if wants_json:
        plies = verdict.plies if verdict.ok else None
        _say_json({"mate_plies": plies} | (check_record(check) or {}))
    else:
        _say([check_text(check, file.height)])
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
    puzzle: Puzzle,
    effort: Effort,
    checks: bool,
    wants_json: bool,
    tree: int | None,
    save: Path | None,
) -> int:
    check = None
    with _working(effort):
        with answers_at_once(brain) as received:
            answer = solve(brain, puzzle, effort, lambda: not received)
        if checks and answer.is_win:
            check = _checked(lambda: replay(puzzle, answer, effort, brain), received)
    if wants_json:
        _say_json(answer_record(puzzle, answer, effort) | {"check": check_record(check)})
    else:
        _say(answer_text(puzzle, answer, effort))
        if tree is not None and answer.proof is not None:
            _say(["", *tree_text(answer.proof, tree, puzzle.height)])
        if check is not None:
            _say(["", check_text(check, puzzle.height)])
    if save is not None:  # after the answer, which an error must not take away
        file = proof_file(puzzle, answer)
        if file is None:
            click.echo(f"{save} was not written: there is no proof", err=True)
        else:
            replace_file(save, json_text(proof_record(file)) + "\n")
    return _status(received, Outcome(puzzle, answer, check).is_good)


def _solve_all(
    brain: Engine, puzzle: Puzzle, effort: Effort, checks: bool, wants_json: bool
) -> int:
    with _working(effort), answers_at_once(brain) as received:
        answers = [answer for answer in solve_all(brain, puzzle, effort) if answer.is_win]
    found = [
        (each, _checked(partial(check_answer, puzzle, each), received) if checks else None)
        for each in answers
    ]
    if wants_json:
        records = [
            answer_record(puzzle, answer, effort) | {"check": check_record(check)}
            for answer, check in found
        ]
        _say_json({"wins": records})
    else:
        _say(all_text(puzzle, answers))
        for answer, check in found:
            if check is not None:
                point = point_name(answer.line[0], puzzle.height)
                _say([f"{point}: {check_text(check, puzzle.height)}"])
    return _status(received, answers and all(check is None or check.ok for _, check in found))


def _defend(brain: Engine, puzzle: Puzzle, effort: Effort, wants_json: bool) -> int:
    with _working(effort), answers_at_once(brain) as received:
        defence = defend(brain, puzzle, effort)
    if wants_json:
        _say_json(defence_record(puzzle, defence, effort))
    else:
        _say(defence_text(puzzle, defence, effort))
    return _status(received, defence.moves)


def _solve_batch(
    effort: Effort,
    resources: Resources,
    checks: bool,
    puzzles: Sequence[Puzzle],
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
                _say_json(outcome_record(outcome))
    if wants_json:
        _say_json({"summary": summary_record(outcomes)})
    else:
        _say(summary_text(outcomes))
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
