"""`tengen analyze`: what the engine thinks of a position, or of a whole game."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click
from rich.console import Console

from engine.files import replace_file
from tengen.arena.report.review import require_shown
from tengen.common.terminal.options import Count, Number, Seconds, usage_errors
from tengen.common.terminal.progress import counting_bar
from tengen.game.record.positions import (
    STDIN,
    Choice,
    find_position,
    read_game,
    read_position,
    read_text,
)
from tengen.game.record.recorded import RecordedGame
from tengen.game.rules.names import RULE_TITLES
from tengen.study.analysis import analyse
from tengen.study.analysis_show import analysis_record, print_analysis
from tengen.study.options import position_options, say_which
from tengen.study.puzzle import Puzzle, puzzle_of
from tengen.study.review import Budget, playable, review
from tengen.study.review_show import print_review, review_page, review_record, review_sgf
from tengen.study.solver import new_brain

POSITION_TIME_S, GAME_TIME_S = 5.0, 45.0
LINES = 3
LOSS_PERCENT = 20.0


@click.command("analyze")
@click.argument("words", metavar="FILE|POSITION...", nargs=-1)
@position_options
@click.option(
    "--time",
    "time_s",
    type=Seconds(0.01, 1_000_000),
    metavar="SECONDS",
    help=f"Time limit, for a game as a whole.  [default: {POSITION_TIME_S:g}, for a game"
    f" {GAME_TIME_S:g}, unless --nodes is given]",
)
@click.option("--nodes", type=Count(10), help="Node limit, for each position.")
@click.option(
    "--nbest", type=Count(1, 64), help=f"How many best moves of a position.  [default: {LINES}]"
)
@click.option(
    "--loss",
    "loss_percent",
    type=Number(1, 100),
    help="In a game, a move is a mistake if it loses more of the chance to win."
    f"  [default: {LOSS_PERCENT:g} per cent]",
)
@click.option(
    "--sgf", type=click.Path(path_type=Path), help="Write a game with notes and better lines."
)
@click.option("--report", type=click.Path(path_type=Path), help="Write a game as an HTML page.")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
def analyze_command(
    words: tuple[str, ...],
    choice: Choice,
    time_s: float | None,
    nodes: int | None,
    nbest: int | None,
    loss_percent: float | None,
    sgf: Path | None,
    report: Path | None,
    wants_json: bool,
) -> None:
    """Shows the best moves of a position, with values, win chances and lines, what both sides
    threaten, and the points that renju forbids. Of a recorded game, without --after, it shows the
    value of every move, mistakes, missed forced wins, and where the game turned.

    The position is a list of points, Black's first (h8i9g7, rows counted from the bottom, or
    "7,7 8,6 6,8" counted from zero at the top left), or a file: a game, a picture in text, or the
    folder of a match; `-` is standard input.

    \b
      tengen analyze h8i7h7h6g8
      tengen analyze game.psq --after 20 --rule renju --nbest 5
      tengen analyze game.sgf --sgf notes.sgf --report game.html
    """
    with usage_errors():
        found = _find(words, choice)
        if not isinstance(found, Puzzle):
            if nbest is not None:
                raise ValueError("--nbest is for a position: choose one of the game with --after")
            loss = (LOSS_PERCENT if loss_percent is None else loss_percent) / 100
            budget = Budget(_limit_ms(time_s, nodes, GAME_TIME_S), nodes)
            _analyze_game(*found, budget, loss, choice.rule is not None, sgf, report, wants_json)
            return
        if loss_percent is not None or sgf is not None or report is not None:
            raise ValueError("--loss, --sgf and --report are for a whole game")
        say_which(found)
    lines = LINES if nbest is None else nbest
    _analyze_position(
        found,
        _limit_ms(time_s, nodes, POSITION_TIME_S),
        nodes,
        lines,
        choice.rule is not None,
        wants_json,
    )


def _find(words: tuple[str, ...], choice: Choice) -> Puzzle | tuple[str, RecordedGame]:
    """The position that the words name, or the game with its name."""
    is_text = len(words) == 1 and (words[0] == STDIN or os.path.isfile(words[0]))
    if is_text or (len(words) == 1 and os.path.isdir(words[0])):
        text = read_text(words[0])
        if choice.after is None and choice.side is None:
            game = read_game(text, words[0], choice)
            if game is not None:
                return game
        if words[0] == STDIN:
            return puzzle_of(read_position(text, words[0], choice))
    return puzzle_of(find_position(*words, choice=choice))


def _limit_ms(time_s: float | None, nodes: int | None, default_s: float) -> int | None:
    if time_s is None:
        return None if nodes is not None else round(default_s * 1000)
    return max(1, round(time_s * 1000))


def _analyze_position(
    puzzle: Puzzle,
    time_ms: int | None,
    nodes: int | None,
    lines: int,
    is_rule_given: bool,
    wants_json: bool,
) -> None:
    analysis = analyse(new_brain(), puzzle, time_ms, nodes, lines)
    if wants_json:
        click.echo(json.dumps(analysis_record(analysis)))
        return
    console = Console(highlight=False, soft_wrap=True)
    if not (is_rule_given or puzzle.says_rule):
        console.print(_assumed(puzzle.name, puzzle.rule), markup=False)
    print_analysis(console, analysis)


def _analyze_game(
    name: str,
    game: RecordedGame,
    budget: Budget,
    loss: float,
    is_rule_given: bool,
    sgf: Path | None,
    report: Path | None,
    wants_json: bool,
) -> None:
    if report is not None:
        require_shown(playable(game)[0])
    with counting_bar() as progress:
        bar = progress.add_task("searching", total=None)
        found = review(
            new_brain(), new_brain(), name, game, budget, loss,
            lambda done, total: progress.update(bar, completed=done, total=total),
        )  # fmt: skip
    console = Console(highlight=False, soft_wrap=True)
    if wants_json:
        click.echo(json.dumps(review_record(found, name)))
    else:
        if not (is_rule_given or game.says_rule):
            console.print(_assumed(name, game.rule), markup=False)
        print_review(console, found, name)
    # After the output, which is not lost where a file cannot be written.
    if sgf is not None:
        replace_file(sgf, review_sgf(found))
    if report is not None:
        replace_file(report, review_page(found, name))


def _assumed(name: str, rule: int) -> str:
    return f"{name} names no rule; {RULE_TITLES[rule]} is assumed (see --rule)"
