"""`tengen lab fit`: fits the engine's values to games it has played, and writes a values file."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from engine.files import check_replaceable, replacing
from engine.model import Rule
from engine.rulebook import INDEX_OF_NUMBER
from engine.values import (
    DEFAULT_FILE,
    RuleValues,
    decode,
    encode,
    load_body,
)
from tengen.common.terminal.options import usage_errors
from tengen.lab.train.order import LEAST_NODES, Order, choices_of, fit_order, order_rows, ranks
from tengen.lab.train.samples import Samples, games_of, read_samples
from tengen.lab.train.worth import Worth, cross_entropy, fit_worth, target, worth_rows
from tengen.lab.train.write import rule_values, worth_of

# One game in so many is held out: the fit does not use it, and the losses are measured on it.
TEST_GAMES = 10


@click.command("fit")
@click.argument(
    "runs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@click.option(
    "--base",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    default=DEFAULT_FILE,
    help="Values file for everything that is not fitted.  [default: the engine's]",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File to write.")
def fit_command(runs: tuple[Path, ...], base: Path, out: Path) -> None:
    """Fits the engine's values to games it has played, rule by rule.

    RUNS are folders written by `tengen match --out`. Rules without games keep the values of --base.
    To use the new values, copy the file to engine/data/values.bin and build; keep them if a match
    says that they are stronger. A new values file makes all nets unusable: train them again from
    random numbers (docs/TRAINING.md).
    """
    with usage_errors():
        check_replaceable(out)
        version, numbers = load_body(base)
        by_rule = read_samples(games_of(runs))
        if not by_rule:
            raise ValueError(
                "the runs hold no finished game in which a move has a reported value and nodes, so"
                " there is nothing to fit"
            )
        for samples in by_rule.values():
            _check(samples)
    rules = decode((version, numbers))
    console = Console(highlight=False, soft_wrap=True)
    table = Table("rule", "games", "positions", "value", "before", "order", box=None)
    for rule, samples in sorted(by_rule.items()):
        at = INDEX_OF_NUMBER[rule]
        with console.status(f"fitting {Rule(rule).name.lower()}: {len(samples)} positions"):
            rules[at], row = _fitted(samples, rules[at], rule == Rule.RENJU)
        table.add_row(Rule(rule).name.lower(), *row)
    with usage_errors():
        with replacing(out) as file:
            file.write(encode(rules, version + 1))
    console.print(table)
    console.print(
        "On held-out games. value: log loss of the new values; before: log loss of those of"
        " --base; order: how often the move that was played is ranked first, among the first three"
        f" and among the first eight.\nwrote {out}"
    )


def _held_out(samples: Samples) -> NDArray[np.bool_]:
    return np.asarray(samples.game % TEST_GAMES == TEST_GAMES - 1)


def _check(samples: Samples) -> None:
    """ValueError in one line if there is nothing to fit to or nothing to measure the losses on."""
    name, games = Rule(samples.rule).name.lower(), len(np.unique(samples.game))
    if games < TEST_GAMES:
        raise ValueError(f"{name}: {games} games, none held out; play at least {TEST_GAMES}")
    test = _held_out(samples)
    for rows, problem in (
        (worth_rows(samples), "no quiet position was searched"),
        (order_rows(samples), f"no move was searched with {LEAST_NODES:,} nodes or more"),
    ):
        for part, where in ((~test, "the games to fit to"), (test, "the games held out")):
            if not (rows & part).any():
                raise ValueError(f"{name}: {problem} in {where}")


def _fitted(
    samples: Samples, before: RuleValues, is_renju: bool
) -> tuple[RuleValues, tuple[str, ...]]:
    """The rule's new values, and its row of the table without the name."""
    test = _held_out(samples)
    worth = fit_worth(samples, worth_rows(samples) & ~test, is_renju)
    order = fit_order(samples, order_rows(samples) & ~test, is_renju)
    values = rule_values(before, worth, order, is_renju)
    judged = worth_rows(samples) & test
    row = (
        str(len(np.unique(samples.game))),
        str(len(samples)),
        f"{_loss(samples, worth, judged):.4f}",
        f"{_loss(samples, worth_of(before), judged):.4f}",
        _hits(samples, order, order_rows(samples) & test),
    )
    return values, row


def _loss(samples: Samples, worth: Worth, rows: NDArray[np.bool_]) -> float:
    return cross_entropy(worth.of(samples)[rows], target(samples)[rows])


def _hits(samples: Samples, order: Order, rows: NDArray[np.bool_]) -> str:
    choices = choices_of(samples, rows, len(order.attack))
    places = ranks(choices.scores(order), choices)
    return ", ".join(f"{np.mean(places < first) * 100:.0f} %" for first in (1, 3, 8))
