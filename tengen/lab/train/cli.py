"""`tengen lab train`: trains a net with games of self-play, and writes its file."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from rich.console import Console

from engine import network
from engine.files import check_replaceable, replace_file
from engine.network import Network
from engine.text import RULE_NAMES
from tengen.common.commands import RULE_HELP, Count, Number, Rule, command, option, usage_errors
from tengen.common.console import timed_bar
from tengen.lab.train.curves import calibration_chart, curve_charts, training_page
from tengen.lab.train.model import Form, from_network, to_network
from tengen.lab.train.optimizer import (
    CHUNKS,
    Evaluation,
    Settings,
    Training,
    usual_batch,
    usual_beginning,
)
from tengen.lab.train.positions import cross_entropy, read_positions
from tengen.lab.train.warm_start import describe, read_warm_start

# Passes over the positions: to train a net, and to go on with one.
_PASSES, _PASSES_ON = 12, 3
_LEARNING = "How it learns"
_NAME = "tengen"  # in the file
# The endings of what is written beside OUT: the page and the checkpoint.
_PAGE, _CHECKPOINT = ".html", ".checkpoint"


@dataclass(frozen=True)
class _Result:
    """A trained net, and its losses on held-out positions in float and as integers; `before`: those
    of the net it began with."""

    net: Network
    in_float: Evaluation
    in_integers: Evaluation
    before: Evaluation | None


@command("train")
@click.argument(
    "folders",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
@option("--rule", required=True, type=Rule(), help=RULE_HELP)
@option("--out", required=True, type=click.Path(path_type=Path), metavar="FILE", help="The net.")
@option(
    "--begin",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Begin with this net, not with random numbers.",
)
@option(
    "--judge",
    "judges",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Measure losses with these games.  [default: one opening in ten]",
)
@option(
    "--jobs",
    type=Count(1, 256),
    help=f"How many threads train, at most {CHUNKS}.  [default: all cores]",
)
@option(
    "--passes",
    type=Count(1, 1000),
    help=f"Passes over all positions.  [default: {_PASSES}; with --begin {_PASSES_ON}]",
    heading=_LEARNING,
)
@option(
    "--batch",
    type=Count(1, 1_000_000),
    help="Positions in a step.  [default: by their number]",
    heading=_LEARNING,
)
@option(
    "--rate",
    type=Number(1e-5, 1, min_open=True),
    metavar="RATE",
    help="Highest learning rate.  [default: by their number]",
    heading=_LEARNING,
)
@option(
    "--share",
    type=Number(0, 1),
    default=Settings.share,
    metavar="SHARE",
    help="Weight of the result in the target; the search has the rest.",
    heading=_LEARNING,
)
@option(
    "--seed",
    type=Count(0, 2**32 - 1),
    default=1,
    help="Random seed of the training.",
    heading=_LEARNING,
)
def train_command(
    folders: tuple[Path, ...],
    rule: int,
    out: Path,
    begin: Path | None,
    judges: tuple[Path, ...],
    jobs: int | None,
    passes: int | None,
    batch: int | None,
    rate: float | None,
    share: float,
    seed: int,
) -> None:
    """Trains the net of a rule with games of self-play.

    FOLDERS are those of `tengen lab selfplay`. Beside OUT two more files are written: a page with
    the curves of the training (.html in place of .bin), and after each pass a checkpoint
    (.checkpoint), from which the same command continues a training that was stopped. The same seed
    and the same positions give the same net.
    """
    console = Console(highlight=False, soft_wrap=True)
    jobs = jobs or os.cpu_count() or 1
    with usage_errors():
        check_replaceable(out)  # a folder may have no name to make others of
        page, checkpoint = (_beside(out, each) for each in (_PAGE, _CHECKPOINT))
        if out.suffix.lower() in (_PAGE, _CHECKPOINT):
            raise ValueError(
                f"--out: expected a name such as net.bin; {out.suffix} is the ending of a file"
                " that is written beside it"
            )
        beginning = read_warm_start(begin, rule) if begin else None
        for path in (page, checkpoint):
            check_replaceable(path)  # before hours of training
        with timed_bar(console) as progress:
            task = progress.add_task("reading games", total=None)
            positions = read_positions(
                folders,
                rule,
                lambda n, total: progress.update(task, completed=n, total=total),
                judges,
            )
    count = int((~positions.is_test).sum())
    usual = usual_beginning(count) if beginning else usual_batch(count)
    settings = Settings(
        passes=passes or (_PASSES_ON if beginning else _PASSES),
        batch=batch or usual[0],
        rate=rate or usual[1],
        seed=seed,
        share=share,
    )
    with usage_errors():
        training = Training(positions, Form(rule), settings, jobs, beginning)
        try:
            if training.resume(checkpoint):
                console.print(f"goes on from {checkpoint}")
            _train(training, checkpoint, console)
            result = _result(training, _next_version(out, rule, beginning))
        except KeyboardInterrupt:
            done = training.step // training.steps_a_pass
            kept = f"the same command goes on after pass {done}" if done else "nothing is kept"
            click.echo(f"stopped; {kept}")
            raise
        finally:
            training.close()
        replace_file(out, network.encode(result.net))
        facts = _facts(training, result)
        charts = [*curve_charts(training.curve), calibration_chart(result.in_integers)]
        replace_file(page, training_page("Training of a net", facts, charts))
        checkpoint.unlink(missing_ok=True)
    for key, value in facts.items():
        console.print(f"{key}: {value}")
    console.print(f"wrote {out} and {page}")


def _beside(out: Path, ending: str) -> Path:
    """The name of another file beside OUT: the ending of a net is replaced, so that net.bin has
    net.html; it is added to any other name."""
    return out.with_name((out.stem if out.suffix.lower() == ".bin" else out.name) + ending)


def _train(training: Training, checkpoint: Path, console: Console) -> None:
    """Trains to the end, with a checkpoint and a line after each pass."""
    passes = training.settings.passes
    with timed_bar(console) as progress:
        task = progress.add_task("training", total=training.steps, completed=training.step)
        known = len(training.curve.value)
        for loss in training.run():
            progress.update(task, completed=training.step, description=f"training, loss {loss:.4f}")
            if len(training.curve.value) > known:
                known = len(training.curve.value)
                training.save(checkpoint)
                console.print(
                    f"pass {known} of {passes}: value {training.curve.value[-1]:.5f}, policy"
                    f" {training.curve.policy[-1]:.4f}"
                )


def _result(training: Training, version: int) -> _Result:
    weights = training.model.weights(training.parameters, rounding=True)
    net = to_network(training.form, weights, version, _NAME)
    beginning = training.beginning
    return _Result(
        net,
        training.evaluate_float(training.test),
        training.evaluate(training.test, from_network(net)),
        training.evaluate(training.test, from_network(beginning)) if beginning else None,
    )


def _next_version(out: Path, rule: int, beginning: Network | None) -> int:
    """One more than the version of the net that is replaced, or of the engine's where none is, and
    than that of the net that the training began with."""
    least = beginning.version if beginning else 0
    for path in (out, Path(network.default_file(rule))):
        with suppress(network.NetError):
            of_rule, version = network.rule_and_version(path)
            if of_rule == rule:
                return max(least, version) + 1
    return least + 1


def _facts(training: Training, result: _Result) -> dict[str, str]:
    """What is printed at the end, and stands on the page."""
    settings, exact, rounded = training.settings, result.in_float, result.in_integers
    facts = {
        "rule": RULE_NAMES[training.form.rule],
        "positions": f"{len(training.train)} trained with, {len(training.test)} of games held out",
        "training": f"{settings.passes} pass{'es' * (settings.passes != 1)}, batches of"
        f" {training.batch}, rate {settings.rate:g}, seed {settings.seed}, share"
        f" {settings.share:g}",
        "begun with": describe(training.beginning),
        "value loss, held out": f"{rounded.value_loss():.5f} in integers,"
        f" {exact.value_loss():.5f} in float",
    }
    sizes = np.unique(training.positions.size, axis=0).tolist()
    for width, height in sizes if len(sizes) > 1 else ():
        here = (training.positions.size[rounded.rows] == (width, height)).all(axis=1)
        text = "no position of this size is held out"
        if here.any():
            loss = cross_entropy(rounded.logit[here], rounded.target[here])
            text = f"{loss:.5f} in integers; {here.sum()} held out"
        facts[f"value loss, {width}x{height}"] = text
    if before := result.before:
        facts["before the training"] = (
            f"value loss {before.value_loss():.5f}, cross-entropy of the policy"
            f" {before.policy_loss():.4f}"
        )
    facts["policy, held out"] = (
        f"cross-entropy {rounded.policy_loss():.4f} in integers, {exact.policy_loss():.4f} in"
        f" float; the move is first in {rounded.hits(1):.1%}, among the first three in"
        f" {rounded.hits(3):.1%}, among eight in {rounded.hits(8):.1%}"
    )
    return facts
