"""`tengen lab mates`: are the mates that the engine announces right?"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import click

from engine.text import RULE_NAMES, point_names
from tengen.common.terminal.options import RULE_HELP, Count, Rule, Size, usage_errors
from tengen.common.terminal.progress import counting_bar
from tengen.game.rules.referee import RULES
from tengen.study.announcements import Source, recorded_games, self_games
from tengen.study.judge import PLAYED, PROVED, UNSETTLED, WRONG
from tengen.study.mates import MatesLog, MatesPlan, Record, examine_all, mates_of
from tengen.study.summary import quantile

DEFAULT_GAMES = 20
VERDICTS = (PROVED, PLAYED, WRONG, UNSETTLED)


@click.command("mates")
@click.argument("words", metavar="[FILE|FOLDER]...", nargs=-1)
@click.option(
    "--rule",
    type=Rule(),
    help=f"{RULE_HELP}  [default: as the files say; for self-games each in turn]",
)
@click.option("--size", type=Size(), help="Board of self-games.  [default: 15]")
@click.option("--games", type=Count(1), help=f"How many self-games.  [default: {DEFAULT_GAMES}]")
@click.option(
    "--mates", "wanted", type=Count(1), help="End when so many mates have been announced."
)
@click.option("--seed", type=Count(0), default=1, show_default=True, help="Of self-games.")
@click.option(
    "--nodes",
    type=Count(1),
    default=20_000,
    show_default=True,
    help="Of the search of each position.",
)
@click.option(
    "--check-nodes",
    type=Count(1),
    default=200_000,
    show_default=True,
    help="Of each search for a proof, and of the first search for the winner's move.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write each game to a file; go on after the games that are in it.",
)
@click.option(
    "--jobs",
    type=Count(1, 256),
    default=1,
    show_default=True,
    help="How many games are examined at a time.",
)
@click.option("--json", "wants_json", is_flag=True, help="Print JSON instead of text.")
@click.pass_context
def mates_command(
    ctx: click.Context,
    words: tuple[str, ...],
    rule: int | None,
    size: tuple[int, int] | None,
    games: int | None,
    wanted: int | None,
    seed: int,
    nodes: int,
    check_nodes: int,
    out: Path | None,
    jobs: int,
    wants_json: bool,
) -> None:
    """Checks mates that the engine announces, wins and losses.

    The engine searches every position of recorded games (the folder of a match, files of games),
    or of games with itself where none are named. The referee then tries every defence against each
    mate. The exit status is 0 if all of them are right, 1 if one is wrong or not settled, 2 for bad
    input.

    \b
      tengen lab mates --games 50 --jobs 2 --out mates.jsonl
      tengen lab mates games/first --nodes 100000
    """
    plan = MatesPlan(nodes, check_nodes)
    with usage_errors():
        if words and (games is not None or size is not None):
            raise ValueError("--games and --size are for self-games: leave out the files, or these")
        sources: Iterator[Source]
        total: int | None
        if words:
            recorded = recorded_games(words, rule)
            sources, total = iter(recorded), len(recorded)
        else:
            rules = RULES if rule is None else (rule,)
            sources = self_games(rules, size or (15, 15), seed)
            # Until there are enough mates, if nothing else is said.
            total = games or (DEFAULT_GAMES if wanted is None else None)
            sources = islice(sources, total)
        log = MatesLog(out, plan)
    with log:
        _examine(log, plan, sources, total, wanted, jobs, wants_json)
    mates = mates_of(log.games)
    if wants_json:
        click.echo(json.dumps({"summary": summary_record(log.games)}))
    else:
        click.echo("\n".join(summary_text(log.games)))
    ctx.exit(0 if all(mate["verdict"] in (PROVED, PLAYED) for mate in mates) else 1)


def _examine(
    log: MatesLog,
    plan: MatesPlan,
    sources: Iterator[Source],
    total: int | None,
    wanted: int | None,
    jobs: int,
    wants_json: bool,
) -> None:
    """Examines the games that are not in the log, until there are enough mates."""
    known = {game["game"] for game in log.games}
    found = len(mates_of(log.games))
    with counting_bar() as progress:
        by_games = wanted is None
        bar = progress.add_task("mates" if wanted else "games", total=wanted or total)

        def tell() -> None:
            wrong = sum(mate["verdict"] == WRONG for mate in mates_of(log.games))
            progress.update(
                bar,
                completed=len(log.games) if by_games else found,
                description=f"{len(log.games)} games, {found} mates, {wrong} wrong",
            )

        tell()
        if wanted is not None and found >= wanted:
            return
        new = (source for source in sources if source.name not in known)
        with closing(examine_all(plan, new, jobs)) as records:
            for record in records:
                log.add(record)
                found += len(record["mates"])
                tell()
                for mate in record["mates"]:
                    if wants_json:
                        click.echo(json.dumps(mate))
                    elif mate["verdict"] not in (PROVED, PLAYED):
                        click.echo(mate_text(mate))
                if wanted is not None and found >= wanted:
                    return


def mate_text(mate: Record) -> str:
    """One line that names a mate that is wrong or not settled, and says why."""
    height = mate["size"][1]
    said = "a win" if mate["plies"] > 0 else "a loss"
    failure = [(x, y) for x, y in mate["failure"]]
    where = f", after {point_names(failure, height)}" if failure else ""
    return (
        f"{mate['verdict'].upper()}: {mate['game']}, after {mate['after']} stones,"
        f" {mate['side']} to move, {said} with stone {abs(mate['plies'])}: {mate['reason']}{where};"
        f" {RULE_NAMES[mate['rule']]} {mate['size'][0]}x{height}"
        f" {' / '.join(mate['position'].splitlines())}"
    )


def summary_record(games: Sequence[Record]) -> dict[str, Any]:
    """The figures of a run as plain values."""
    mates = mates_of(games)
    distances = [abs(mate["plies"]) for mate in mates]
    return {
        "games": len(games),
        "announced": len(mates),
        "wins": sum(mate["plies"] > 0 for mate in mates),
        "losses": sum(mate["plies"] < 0 for mate in mates),
        **{_key(verdict): _count(mates, verdict) for verdict in VERDICTS},
        "median_plies": quantile(distances, 0.5),
        "longest_plies": max(distances, default=0),
        "rules": {
            RULE_NAMES[rule]: {
                "announced": sum(mate["rule"] == rule for mate in mates),
                **{
                    _key(verdict): _count([m for m in mates if m["rule"] == rule], verdict)
                    for verdict in VERDICTS
                },
            }
            for rule in RULES
            if any(mate["rule"] == rule for mate in mates)
        },
    }


def summary_text(games: Sequence[Record]) -> list[str]:
    """The figures of a run as a table."""
    figures = summary_record(games)
    lines = [
        f"announced        {figures['announced']} in {figures['games']} games:"
        f" {figures['wins']} wins, {figures['losses']} losses"
    ]
    lines += [f"{verdict:16} {figures[_key(verdict)]}" for verdict in VERDICTS]
    if figures["announced"]:
        lines.append(
            f"distance         median {figures['median_plies']} stones,"
            f" longest {figures['longest_plies']}"
        )
    for name, row in figures["rules"].items():
        parts = ", ".join(f"{row[_key(verdict)]} {verdict}" for verdict in VERDICTS)
        lines.append(f"{name:16} {row['announced']}: {parts}")
    return lines


def _key(verdict: str) -> str:
    return verdict.replace(" ", "_")


def _count(mates: Sequence[Record], verdict: str) -> int:
    return Counter(mate["verdict"] for mate in mates)[verdict]
