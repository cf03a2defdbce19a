"""`tengen bench`: the engine's signature and its speed."""

from __future__ import annotations

import re
import time

import click

from engine.model import Position
from engine.net import NetFiles
from tengen.common.commands import Count, Seconds, command, option, refuse_without, usage_errors
from tengen.game.values import json_text
from tengen.lab.bench.figures import (
    MAX_THREADS,
    TARGET_PLIES,
    TREE_NODES,
    measure_trees,
    shares,
    speed_figures,
)
from tengen.lab.bench.signature import (
    DEPTH_PLIES,
    MIDDLE,
    POSITIONS,
    QUIET,
    check_checkout,
    load_positions,
    read_signature,
    search_all,
    write_signature,
)

_SPEED, _TREE = "Speed, which takes a minute", "Trees instead of the signature"


@command("bench")
@option("--depth", type=Count(1, 50), help=f"Plies to search.  [default: {DEPTH_PLIES}]")
@option("--positions", metavar="FILE", help="Search the positions of a file instead.")
@option("--update", is_flag=True, help="Write the number to tengen/lab/bench/SIGNATURE.")
@option("--json", "wants_json", is_flag=True, help="Print figures as one JSON object.")
@option("--speed", "wants_speed", is_flag=True, help="Also measure nodes a second.", heading=_SPEED)
@option(
    "--time",
    "time_s",
    type=Seconds(0.01),
    default=0.5,
    help="Seconds for each search.",
    heading=_SPEED,
)
@option(
    "--rounds",
    type=Count(1),
    default=5,
    help="How often each rule and size is measured.",
    heading=_SPEED,
)
@option(
    "--threads",
    type=Count(1, MAX_THREADS),
    help="Threads of each search.  [default: 1]",
    heading=_SPEED,
)
@option(
    "--tree",
    "wants_tree",
    is_flag=True,
    help="Search quiet positions and show depths and shares.",
    heading=_TREE,
)
@option(
    "--nodes",
    type=Count(1000),
    help=f"Nodes of each search.  [default: {TREE_NODES}]",
    heading=_TREE,
)
@click.pass_context
def bench_command(
    ctx: click.Context,
    depth: int | None,
    positions: str | None,
    update: bool,
    wants_json: bool,
    wants_speed: bool,
    time_s: float,
    rounds: int,
    threads: int | None,
    wants_tree: bool,
    nodes: int | None,
) -> None:
    """Searches a fixed set of positions to a fixed depth and counts the nodes.

    The last line, `Nodes searched: N`, is the engine's signature. It is the same on every machine;
    if it changes, the engine searches differently. --speed times the engine on one core, with
    several --threads on all; run nothing else meanwhile.
    """
    refuse_without(ctx, "--speed", wants_speed, "threads", "rounds", "time_s")
    refuse_without(ctx, "--tree", wants_tree, "nodes")
    if wants_tree:
        if wants_speed or update or depth is not None:
            raise click.UsageError("--tree cannot be used with --speed, --update or --depth")
        with usage_errors():
            searched = load_positions(positions or QUIET)
            _tell_unusable_nets(searched)
        _measure_trees(searched, nodes or TREE_NODES, wants_json)
        return
    if wants_json and not wants_speed:
        raise click.UsageError("--json needs --speed or --tree")
    is_standard = positions is None and depth is None
    if update and not is_standard:
        raise click.UsageError("--update cannot be used with --positions or --depth")
    with usage_errors():
        if update:
            check_checkout()  # before the search, not after
            if NetFiles().path is not None:
                raise ValueError(
                    "--update writes the signature of the nets that come with the engine, but"
                    " TENGEN_NET names another one"
                )
        searched = load_positions(positions or POSITIONS)
        _tell_unusable_nets(searched)
        total = _search(searched, depth or DEPTH_PLIES, shows_lines=not wants_speed)
    if wants_speed:
        quiet = load_positions(positions or MIDDLE)
        figures = speed_figures(quiet, rounds, round(1000 * time_s), threads or 1)
        if wants_json:
            click.echo(json_text({"nodes": total, **figures}, indent=2))
        else:
            _show(figures)
    if not wants_json:
        click.echo(f"Nodes searched: {total}")
    if update:
        write_signature(total)
    elif is_standard and (held := read_signature()) != total:
        why = "this version searches differently (--update writes the new number)"
        if NetFiles().path is not None:
            why = "it is for the nets that come with the engine, but TENGEN_NET names another one"
        click.echo(f"tengen/lab/bench/SIGNATURE holds {held or 'no number'}: {why}", err=True)


def _tell_unusable_nets(positions: list[Position]) -> None:
    """A line on stderr for each net that comes with the engine, is for a rule of these positions
    and cannot be used, as all of them after a change of the patterns. The table plays there, so
    that the figures are those of something else; the engine says so once and plays on.

    ValueError in one line if TENGEN_NET names a file that cannot be used.
    """
    files = NetFiles()
    files.check()
    rules = sorted({position.rule for position in positions})
    problems = (files.find(rule)[1] for rule in rules)
    for problem in dict.fromkeys(problem for problem in problems if problem is not None):
        click.echo(problem, err=True)


def _search(positions: list[Position], depth: int, shows_lines: bool) -> int:
    """Searches all positions, and prints a line for each if wanted; returns the sum of nodes."""
    total = 0
    started_s = time.perf_counter()
    for number, found in enumerate(search_all(positions, depth), start=1):
        total += found.nodes
        if shows_lines and number == 1:  # the first position could be set up
            click.echo(" #  rule        size   stones     nodes  value  move")
        if shows_lines:
            at = found.position
            click.echo(
                f"{number:2}  {at.rule.name.lower():10}  {at.width}x{at.height:<2}"
                f"  {len(at.stones):6}  {found.nodes:8}  {found.value!s:>5}"
                f"  {found.move.x},{found.move.y}"
            )
    if shows_lines:
        click.echo(f"{time.perf_counter() - started_s:.1f} s", err=True)
    return total


def _measure_trees(positions: list[Position], nodes: int, wants_json: bool) -> None:
    """Searches the positions and prints the figures of --tree."""

    def tell(group: str) -> None:
        click.echo(f"searching {group}", err=True)

    trees = measure_trees(positions, nodes, tell)
    figures = {group: tree.figures() for group, tree in trees.items()}
    found = shares(trees.values())
    if wants_json:
        click.echo(json_text({"nodes": nodes, "groups": figures, "shares": _keys(found)}, indent=2))
        return
    target = f"to depth {TARGET_PLIES}"
    click.echo(f"{nodes} nodes each; depth and selective depth in plies, means; {target}: total")
    click.echo(f"group         positions  mates  depth  selective  branching  {target:>15}    time")
    for group, row in figures.items():
        click.echo(
            f"{group:14}{row['positions']:9}{row['mates']:7}{_text(row['depth_plies']):>7}"
            f"{_text(row['seldepth_plies']):>11}{_text(row['branching']):>11}"
            f"{row['nodes_to_target']:17,}{row['to_target_s']:6} s"
        )
    click.echo("\nall groups")
    for name, share in found.items():
        click.echo(f"  {share:7.2%}  {name}")


def _keys(found: dict[str, float]) -> dict[str, float]:
    """The same with words for JSON: `nodes ended by: the table` is `nodes_ended_by_the_table`."""
    return {re.sub(r"\W+", "_", name).lower(): share for name, share in found.items()}


def _text(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.2f}"


def _show(figures: dict[str, dict[str, float | int | None]]) -> None:
    """Prints the figures as a table and a line about the machine."""
    click.echo("group           make+undo/s     nodes/s  in VCF")
    for name, pairs in figures["make_undo_pairs_per_s"].items():
        nodes, vcf_share = figures["nodes_per_s"][name], figures["vcf_share"][name]
        click.echo(f"{name:14}  {pairs:11,}  {nodes:10,}  {vcf_share:6.0%}")
    about = figures["machine"]
    where = "core" if about["pinned_to"] is None else f"core {about['pinned_to']}"
    if about["threads"] != 1:
        where = f"all with {about['threads']} threads"
    load = "unknown" if about["load"] is None else about["load"]
    click.echo(
        f"load {load} on {about['cores']} cores; ran on {where},"
        f" had {about['core_share']:.0%} of {'it' if about['threads'] == 1 else 'a core'}"
    )
