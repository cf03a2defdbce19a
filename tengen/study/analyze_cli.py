"""`tengen analyze`: what the engine thinks of a position, or of a whole game."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click
from rich.console import Console

from engine.api import Engine
from engine.breakdown import break_down
from engine.files import replace_file
from engine.net import LoadedNet, NetFiles, load_net
from tengen.arena.report.review import require_shown
from tengen.common.terminal.commands import command, option
from tengen.common.terminal.options import Count, Number, is_given, usage_errors
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
from tengen.study.explain_show import breakdown_record, print_breakdown
from tengen.study.options import limit_ms, position_options, say_which, time_option
from tengen.study.puzzle import Puzzle, puzzle_of
from tengen.study.review import Budget, Review, playable, review
from tengen.study.review_show import print_review, review_page, review_record, review_sgf

POSITION_TIME_S, GAME_TIME_S = 5.0, 45.0
LINES = 3
LOSS_PERCENT = 20.0
_GAME, _VALUE = "For a whole game", "The static value"


@command("analyze")
@position_options
@time_option(
    0.01,
    f"For all searches.  [default: {POSITION_TIME_S:g}; a game {GAME_TIME_S:g}; with --nodes none]",
)
@option("--nodes", type=Count(10), help="Limit for each position.")
@option(
    "--nbest",
    type=Count(1, 64),
    default=LINES,
    help="How many best moves of a position.",
)
@option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
@option(
    "--loss",
    "loss_percent",
    type=Number(1, 100),
    default=LOSS_PERCENT,
    metavar="PERCENT",
    heading=_GAME,
    help="The loss of win chance that is a mistake.",
)
@option("--sgf", type=click.Path(path_type=Path), heading=_GAME, help="Write the game and notes.")
@option("--report", type=click.Path(path_type=Path), heading=_GAME, help="Write an HTML page.")
@option(
    "--explain", is_flag=True, heading=_VALUE, help="Show what each cell adds, without a search."
)
@option("--net", metavar="FILE", heading=_VALUE, help="Use this net, not the engine's.")
@option("--no-net", is_flag=True, heading=_VALUE, help="Use the table of values alone.")
@click.pass_context
def analyze_command(
    ctx: click.Context,
    words: tuple[str, ...],
    choice: Choice,
    time_s: float | None,
    nodes: int | None,
    nbest: int,
    wants_json: bool,
    loss_percent: float,
    sgf: Path | None,
    report: Path | None,
    explain: bool,
    net: str | None,
    no_net: bool,
) -> None:
    """Shows the best moves of a position, with values and lines, what both sides threaten, and the
    points that renju forbids. For a recorded game without --after, it shows the value of every
    move, mistakes, missed forced wins, and where the game turned.

    A position is points such as h8i9g7, a picture, a game, the folder of a match, or - for
    standard input.

    \b
      tengen analyze game.psq --after 20 --rule renju --nbest 5
      tengen analyze game.sgf --sgf notes.sgf --report game.html
    """

    def given(*names: str) -> list[str]:
        """Those of these parameters that were given."""
        return [name for name in names if is_given(ctx, name)]

    with usage_errors():
        if explain:
            if given("time_s", "nodes", "nbest", "loss_percent", "sgf", "report"):
                raise ValueError(
                    "--explain searches nothing: only the position and a net go with it"
                )
            if no_net and net is not None:
                raise ValueError("give --net or --no-net, not both")
            _explain(puzzle_of(find_position(*words, choice=choice)), net, no_net, wants_json)
            return
        if given("net", "no_net"):
            raise ValueError("--net and --no-net need --explain")
        found = _find(words, choice)
        if isinstance(found, Puzzle):
            if given("loss_percent", "sgf", "report"):
                raise ValueError("--loss, --sgf and --report are for a whole game")
            say_which(found)
        elif given("nbest"):
            raise ValueError("--nbest is for a position: choose one of the game with --after")
        elif report is not None:
            require_shown(playable(found[1])[0])
        console = Console(highlight=False, soft_wrap=True)

        def say_if_assumed(name: str, position: Puzzle | RecordedGame) -> None:
            if choice.rule is None and not position.says_rule:
                rule = RULE_TITLES[position.rule]
                text = f"{name} names no rule; {rule} is assumed (see --rule)"
                console.print(text, markup=False)

        if isinstance(found, Puzzle):
            time_ms = limit_ms(time_s, nodes, POSITION_TIME_S)
            analysis = analyse(Engine(), found, time_ms, nodes, nbest)
            if wants_json:
                click.echo(json.dumps(analysis_record(analysis)))
            else:
                say_if_assumed(found.name, found)
                print_analysis(console, analysis)
            return
        name, game = found
        budget = Budget(limit_ms(time_s, nodes, GAME_TIME_S), nodes)
        reviewed = _review(name, game, budget, loss_percent / 100)
        if wants_json:
            click.echo(json.dumps(review_record(reviewed, name)))
        else:
            say_if_assumed(name, game)
            print_review(console, reviewed, name)
        # After the output, which is not lost where a file cannot be written.
        if sgf is not None:
            replace_file(sgf, review_sgf(reviewed))
        if report is not None:
            replace_file(report, review_page(reviewed, name))


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


def _review(name: str, game: RecordedGame, budget: Budget, loss: float) -> Review:
    with counting_bar() as progress:
        bar = progress.add_task("searching", total=None)
        return review(
            Engine(),
            Engine(),
            name,
            game,
            budget,
            loss,
            lambda done, total: progress.update(bar, completed=done, total=total),
        )


def _explain(puzzle: Puzzle, net: str | None, no_net: bool, wants_json: bool) -> None:
    say_which(puzzle)
    position = puzzle.position()
    found = break_down(position, None if no_net else _net_for(position.rule, net))
    if wants_json:
        click.echo(json.dumps(breakdown_record(puzzle, found)))
    else:
        print_breakdown(Console(highlight=False, soft_wrap=True), puzzle, found)


def _net_for(rule: int, path: str | None) -> LoadedNet | None:
    """The net in the file or, without one, that which the engine would use. ValueError for a file
    that cannot be used."""
    if path is not None:
        return load_net(path, rule)
    loaded, problem = NetFiles().find(rule)
    if problem is not None:
        raise ValueError(problem)
    return loaded
