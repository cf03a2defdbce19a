"""`tengen solve`: is there a forced win, and which?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from engine.files import replace_file
from engine.text import point_name
from tengen.common.terminal.options import Count, Seconds, refuse_without, usage_errors
from tengen.common.terminal.progress import counting_bar
from tengen.game.record.positions import Choice, find_positions, read_text
from tengen.game.rules.proof_file import proof_record, read_proof
from tengen.study.batch import Outcome, Task, outcome_record, run_batch
from tengen.study.checks import Check, check_answer, replay
from tengen.study.options import position_options, say_which
from tengen.study.puzzle import Puzzle, puzzle_of
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
from tengen.study.solver import FULL, METHODS, Effort, defend, new_brain, solve, solve_all
from tengen.study.summary import summary_record, summary_text

DEFAULT_TIME_S = 5.0
DEFAULT_TREE_DEPTH = 3


@click.command("solve")
@click.argument("words", metavar="FILE|POSITION...", nargs=-1)
@position_options
@click.option(
    "--time",
    "time_s",
    type=Seconds(0.001, 1_000_000),
    metavar="SECONDS",
    help=f"Time limit for each position.  [default: {DEFAULT_TIME_S:g}, unless --nodes is given]",
)
@click.option("--nodes", type=Count(1), help="Node limit for each position.")
@click.option("--moves", type=Count(1), help="The most moves of the attacker in a win.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default=METHODS[0],
    show_default=True,
    help="Fours and threes (vct), fours only (vcf), or vct and then the full search (any).",
)
@click.option("--full", is_flag=True, help="The full search only; it finds quiet moves as well.")
@click.option("--all", "wants_all", is_flag=True, help="List every first move that wins.")
@click.option(
    "--defend", "wants_defence", is_flag=True, help="List the moves that stop the opponent's win."
)
@click.option("--tree", "wants_tree", is_flag=True, help="Print the winning tree.")
@click.option(
    "--tree-depth",
    type=Count(1),
    default=DEFAULT_TREE_DEPTH,
    show_default=True,
    help="How many of the attacker's moves --tree shows.",
)
@click.option("--save", type=click.Path(path_type=Path), help="Write the proof to a file.")
@click.option(
    "--check", "proof", metavar="FILE", help="Replay the proof in a file, and nothing else."
)
@click.option("--check-proofs", is_flag=True, help="Replay the proof of every win found.")
@click.option(
    "--check-wins", is_flag=True, help="With --full: test every win against all defences; slow."
)
@click.option(
    "--jobs",
    type=Count(1, 256),
    default=1,
    show_default=True,
    help="How many puzzles are solved at a time.",
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def solve_command(
    ctx: click.Context,
    words: tuple[str, ...],
    choice: Choice,
    time_s: float | None,
    nodes: int | None,
    moves: int | None,
    method: str,
    full: bool,
    wants_all: bool,
    wants_defence: bool,
    wants_tree: bool,
    tree_depth: int,
    save: Path | None,
    proof: str | None,
    check_proofs: bool,
    check_wins: bool,
    jobs: int,
    wants_json: bool,
) -> None:
    """Looks for a forced win of the side to move, and proves it.

    The position is a list of points, Black's first (h8i9g7, rows counted from the bottom, or
    "7,7 8,6 6,8" counted from zero at the top left), or a file: a game, a picture in text,
    puzzles as JSON lines, or the folder of a match; `-` is standard input. The exit status is 0 if
    everything was solved, 1 if not, 2 for bad input.

    \b
      tengen solve h8i7h7h6g8
      tengen solve game.psq --after 20 --rule renju --tree
      tengen solve puzzles.jsonl --time 1 --check-proofs --jobs 2
    """
    if proof is not None:
        if words:
            raise click.UsageError("--check takes no position: the file of the proof has it")
        ctx.exit(_check_file(proof, wants_json))
    refuse_without(ctx, "--tree", wants_tree, "tree_depth")
    _require(not (wants_all and wants_defence), "give --all or --defend, not both")
    _require(
        not (full and (wants_all or wants_defence)), "--full cannot be used with --all or --defend"
    )
    _require(not full or method == METHODS[0], "give --full or --method, not both")
    _require(check_wins <= full, "--check-wins needs --full; without it use --check-proofs")
    _require(not (full and check_proofs), "--full finds no proofs: use --check-wins")
    _require(
        not (full and (wants_tree or save)), "--full finds no proof: leave out --tree and --save"
    )
    _require(
        not (wants_all or wants_defence) or not (wants_tree or save),
        "--tree and --save cannot be used with --all or --defend",
    )
    _require(
        not (wants_defence and check_proofs), "--defend finds no proofs: leave out --check-proofs"
    )
    if time_s is None and nodes is None:
        time_s = DEFAULT_TIME_S
    time_ms = None if time_s is None else max(1, round(time_s * 1000))
    effort = Effort(FULL if full else method, time_ms, nodes, moves)
    checks = check_proofs or check_wins
    with usage_errors():
        found = find_positions(words, choice)
        say_which(found.positions[0])
        puzzles = [puzzle_of(position) for position in found.positions]
        if found.is_batch:
            _require(
                not (wants_all or wants_defence or wants_tree or save),
                "--all, --defend, --tree and --save are for one position, not for puzzles",
            )
            ctx.exit(_solve_batch(Task(effort, checks), puzzles, jobs, wants_json))
        _require(jobs == 1, "--jobs is for a file of puzzles")
        [puzzle] = puzzles
        if wants_defence:
            ctx.exit(_defend(puzzle, effort, wants_json))
        if wants_all:
            ctx.exit(_solve_all(puzzle, effort, checks, wants_json))
        ctx.exit(
            _solve_one(puzzle, effort, checks, wants_json, tree_depth if wants_tree else None, save)
        )


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise click.UsageError(otherwise)


def _say(lines: Sequence[str]) -> None:
    click.echo("\n".join(lines))


def _say_json(record: object) -> None:
    click.echo(json.dumps(record))


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
        _say_json({**check_record(check), "plies": verdict.plies if verdict.ok else None})
    else:
        _say([check_text(check, file.height)])
    return 0 if check.ok else 1


def _solve_one(
    puzzle: Puzzle,
    effort: Effort,
    checks: bool,
    wants_json: bool,
    tree_depth: int | None,
    save: Path | None,
) -> int:
    brain = new_brain()
    answer = solve(brain, puzzle, effort)
    check = replay(puzzle, answer, effort, brain) if checks and answer.is_win else None
    if wants_json:
        record = answer_record(puzzle, answer, effort)
        _say_json(record | {"check": None if check is None else check_record(check)})
    else:
        _say(answer_text(puzzle, answer, effort))
        if tree_depth is not None and answer.proof is not None:
            _say(["", *tree_text(answer.proof, tree_depth, puzzle.height)])
        if check is not None:
            _say(["", check_text(check, puzzle.height)])
    if save is not None:  # after the answer, which an error must not take away
        file = proof_file(puzzle, answer)
        if file is None:
            click.echo(f"{save} was not written: there is no proof", err=True)
        else:
            replace_file(save, json.dumps(proof_record(file)) + "\n")
    return 0 if answer.is_win and (check is None or check.ok is True) else 1


def _solve_all(puzzle: Puzzle, effort: Effort, checks: bool, wants_json: bool) -> int:
    answers = [a for a in solve_all(new_brain(), puzzle, effort) if a.is_win]
    verdicts = [check_answer(puzzle, answer) for answer in answers] if checks else []
    if wants_json:
        records: list[dict[str, Any]] = [
            answer_record(puzzle, answer, effort) for answer in answers
        ]
        for record, verdict in zip(records, verdicts, strict=False):
            record["check"] = check_record(verdict)
        _say_json({"wins": records})
    else:
        _say(all_text(puzzle, answers))
        for answer, verdict in zip(answers, verdicts, strict=False):
            point = point_name(answer.line[0], puzzle.height)
            _say([f"{point}: {check_text(verdict, puzzle.height)}"])
    return 0 if answers and all(verdict.ok is True for verdict in verdicts) else 1


def _defend(puzzle: Puzzle, effort: Effort, wants_json: bool) -> int:
    defence = defend(new_brain(), puzzle, effort)
    if wants_json:
        _say_json(defence_record(puzzle, defence, effort))
    else:
        _say(defence_text(puzzle, defence, effort))
    return 0 if defence.moves else 1


def _solve_batch(task: Task, puzzles: Sequence[Puzzle], jobs: int, wants_json: bool) -> int:
    outcomes: list[Outcome] = []
    with counting_bar() as progress:
        bar = progress.add_task("solved 0", total=len(puzzles))
        for outcome in run_batch(task, puzzles, jobs):
            outcomes.append(outcome)
            solved = sum(outcome.is_good for outcome in outcomes)
            progress.update(bar, advance=1, description=f"solved {solved}")
            if wants_json:
                _say_json(outcome_record(outcome))
    if wants_json:
        _say_json({"summary": summary_record(outcomes)})
    else:
        _say(summary_text(outcomes))
    return 0 if all(outcome.is_good for outcome in outcomes) else 1
