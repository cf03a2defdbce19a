"""`tengen analyze`: what the engine thinks of a position, or of a whole game."""

from __future__ import annotations

import os
from pathlib import Path

import click
from rich.console import Console

from engine.api import Engine
from engine.breakdown import break_down
from engine.net import LoadedNet, NetFiles, load_net
from tengen.common.commands import Count, Number, command, is_given, option, usage_errors
from tengen.common.console import working_sign
from tengen.game.files.positions import (
    STDIN,
    Choice,
    StoredPosition,
    choose_game,
    find_position,
    read_position,
    read_text,
)
from tengen.game.game import Game
from tengen.game.rules import RULE_TITLES
from tengen.game.values import json_text
from tengen.study.analysis import Study, analyse
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
from tengen.study.review_games import ReviewOptions, find_games, review_games
from tengen.study.reviewer import Budget
from tengen.study.show import analysis_record, breakdown_record, print_analysis, print_breakdown

POSITION_TIME_S, GAME_TIME_S = 5.0, 45.0
LINES = 3
LOSS_PERCENT = 20.0
_GAME, _VALUE = "For a whole game", "The static value"


@command("analyze")
@position_options
@time_option(
    0.01,
    f"All searches.  [default: {POSITION_TIME_S:g}; a game {GAME_TIME_S:g}; with --nodes none]",
)
@option("--nodes", type=Count(10), help="Limit for each position.")
@option(
    "--multipv",
    type=Count(1, 64),
    default=LINES,
    help="How many best moves of a position.",
)
@resource_options
@option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
@option(
    "--review",
    "wants_review",
    is_flag=True,
    heading=_GAME,
    help="Go through all games of files and folders, or pasted points.",
)
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
    multipv: int,
    resources: Resources,
    wants_json: bool,
    wants_review: bool,
    loss_percent: float,
    sgf: Path | None,
    report: Path | None,
    explain: bool,
    net: str | None,
    no_net: bool,
) -> None:
    """Shows the best moves of a position, with values and lines, what both sides threaten, and what
    renju forbids; of a recorded game without --after, the value of every move, mistakes, missed
    wins, and where the game turned.

    A position is points such as h8i9g7, a picture, a game, a match, or -.

    \b
      tengen analyze game.psq --after 20 --rule renju --multipv 5
      tengen analyze --review my-games --sgf notes
    """

    def given(*names: str) -> list[str]:
        """Those of these parameters that were given."""
        return [name for name in names if is_given(ctx, name)]

    with usage_errors():
        if explain:
            if given("time_s", "nodes", "multipv", "loss_percent", "sgf", "report"):
                raise ValueError(
                    "--explain searches nothing: only the position and a net go with it"
                )
            if no_net and net is not None:
                raise ValueError("give --net or --no-net, not both")
            _explain(still_open(find_position(*words, choice=choice)), net, no_net, wants_json)
            return
        if given("net", "no_net"):
            raise ValueError("--net and --no-net need --explain")
        console = Console(highlight=False, soft_wrap=True)

        def say_if_assumed(name: str, position: StoredPosition | Game) -> None:
            if choice.rule is None and not position.says_rule:
                game = position.position if isinstance(position, StoredPosition) else position
                rule = RULE_TITLES[game.rule_number]
                text = f"{name} names no rule; {rule} is assumed (see --rule)"
                console.print(text, markup=False)

        found = None if wants_review else _find(words, choice)
        if isinstance(found, StoredPosition):
            if given("loss_percent", "sgf", "report"):
                raise ValueError("--loss, --sgf and --report are for a whole game")
            say_which(found)
            time_ms = limit_ms(time_s, nodes, POSITION_TIME_S)
            analysis, received = _analyse(resources, found, time_ms, nodes, multipv)
            if wants_json:
                click.echo(json_text(analysis_record(found, analysis)))
            else:
                say_if_assumed(found.name, found)
                print_analysis(console, analysis)
            ctx.exit(130 if received else 0)
        if given("multipv"):
            raise ValueError("--multipv is for a position: choose one of the game with --after")
        if wants_review and (choice.after is not None or choice.side is not None):
            raise ValueError("--review goes through whole games: leave out --after and --side")
        games = find_games(words, choice) if found is None else [found]
        budget = Budget(limit_ms(time_s, nodes, GAME_TIME_S), nodes)
        loss = loss_percent / 100
        options = ReviewOptions(budget, loss, resources, wants_json, sgf, report, say_if_assumed)
        ctx.exit(review_games(console, games, options))


def _find(words: tuple[str, ...], choice: Choice) -> StoredPosition | tuple[str, Game]:
    """The position that the words name, or the game with its name."""
    is_text = len(words) == 1 and (words[0] == STDIN or os.path.isfile(words[0]))
    if is_text or (len(words) == 1 and os.path.isdir(words[0])):
        text = read_text(words[0])
        if choice.after is None and choice.side is None:
            game = choose_game(text, words[0], choice)
            if game is not None:
                return game
        if words[0] == STDIN:
            return still_open(read_position(text, words[0], choice))
    return still_open(find_position(*words, choice=choice))


def _analyse(
    resources: Resources, stored: StoredPosition, time_ms: int | None, nodes: int | None, lines: int
) -> tuple[Study, list[int]]:
    """The analysis, and the signals received: after Ctrl-C it is what was found until then."""
    brain = resources.give(Engine())
    sign = working_sign(None if time_ms is None else time_ms / 1000)
    task = sign.add_task("")

    def tell(text: str) -> None:
        sign.update(task, description=text)
        if received:
            brain.request_stop()  # each of the searches that follow

    with answers_at_once(brain) as received, sign:
        return analyse(brain, stored.position, time_ms, nodes, lines, tell), received


def _explain(stored: StoredPosition, net: str | None, no_net: bool, wants_json: bool) -> None:
    say_which(stored)
    position = stored.position.to_model()
    found = break_down(position, None if no_net else _net_for(position.rule, net))
    if wants_json:
        click.echo(json_text(breakdown_record(stored, found)))
    else:
        print_breakdown(Console(highlight=False, soft_wrap=True), stored.position, found)


def _net_for(rule: int, path: str | None) -> LoadedNet | None:
    """The net in the file or, without one, that which the engine would use. ValueError for a file
    that cannot be used."""
    if path is not None:
        return load_net(path, rule)
    loaded, problem = NetFiles().find(rule)
    if problem is not None:
        raise ValueError(problem)
    return loaded
