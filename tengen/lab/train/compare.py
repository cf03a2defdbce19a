"""Compares forms of evaluation on the same positions: tables of values, and nets.

All are judged on the same held-out positions. The table fitted to the same training positions is
what a net has to beat. The engine's own net is judged beside them: which openings are held out does
not depend on the games, so it was not trained with these either.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from rich.table import Table
from scipy.sparse import csr_matrix

from engine import network, values
from engine.features import GameReader
from engine.hand_values import hand_values
from engine.rulebook import INDEX_OF_NUMBER
from engine.values import CODES, RuleValues
from tengen.lab.train.curves import ENGINE_NET, forms_chart
from tengen.lab.train.descent import Judged, Settings, Training
from tengen.lab.train.model import WIDTHS, Form, from_network
from tengen.lab.train.order import POINTS, Choices, Order, choice_loss, fit_choices, ranks
from tengen.lab.train.positions import Positions
from tengen.lab.train.worth import Worth, cross_entropy, fit_counts
from tengen.lab.train.write import worth_of

# How many positions tables are fitted to at most, and choices: they are taken evenly. The counts of
# a position take a kilobyte, its candidates four.
_MOST_COUNTS, _MOST_CHOICES = 400_000, 40_000

Report = Callable[[str, int, int], None]
Row = dict[str, str | float | int | None]


@dataclass(frozen=True)
class _Tables:
    """The data of the tables: counts of codes and choices, to train with and held out."""

    train: NDArray[np.int64]
    test: NDArray[np.int64]
    train_counts: csr_matrix
    test_counts: csr_matrix
    train_choices: Choices
    test_choices: Choices


def compare(positions: Positions, settings: Settings, jobs: int, report: Report) -> list[Row]:
    """The comparison, a row for each form: its name, losses and hit rates on held-out positions.

    report  called with what is being done, the steps done and all steps.

    ValueError as for Training, and if no position has a move to choose.
    """
    forms = [
        *((f"net, {width} wide", Form(positions.rule, width), settings) for width in WIDTHS),
        (
            "net, 32 wide, no policy",
            Form(positions.rule),
            replace(settings, with_policy=False),
        ),
        ("net, 32 wide, no table", Form(positions.rule), replace(settings, with_table=False)),
    ]
    first = Training(positions, Form(positions.rule), settings, 1)  # refuses too few positions
    rows = _table_rows(positions, report)
    engine = _engine_net(positions.rule)
    if engine is not None:
        judged = first.judge(first.test, from_network(engine))
        rows.append(_net_row(ENGINE_NET, judged, network.has_policy(engine)))
    first.close()
    for name, form, chosen in forms:
        training = Training(positions, form, chosen, jobs)
        try:
            for _ in training.run():
                report(name, training.step, training.steps)
            judged = training.judge(training.test)
            row = _net_row(name, judged, chosen.with_policy)
            row["positions"] = len(training.train)
            row["float_value_loss"] = training.judge_float(training.test).value_loss()
            rows.append(row)
        finally:
            training.close()
    return rows


def _engine_net(rule: int) -> network.Network | None:
    """The net that comes with the engine; None if the rule has none, or one that is not usable."""
    try:
        return network.load(network.default_file(rule), rule)
    except ValueError:
        return None


def _net_row(name: str, judged: Judged, has_policy: bool) -> Row:
    """The row of a net; `positions`, how many it was trained with here, is left to the caller."""
    return {
        "name": name,
        "positions": None,
        "value_loss": judged.value_loss(),
        "policy_loss": judged.policy_loss() if has_policy else None,
        "first": judged.hits(1) if has_policy else None,
        "three": judged.hits(3) if has_policy else None,
        "eight": judged.hits(8) if has_policy else None,
    }


def comparison_table(rows: list[Row]) -> Table:
    """The rows as a table for the terminal."""
    table = Table("evaluation", "positions", "value", "policy", "first", "three", "eight", box=None)
    for row in rows:
        cells = [
            f"{row['value_loss']:.5f}",
            *(f"{row[key]:.4f}" if row[key] is not None else "-" for key in ("policy_loss",)),
            *(f"{row[key]:.1%}" if row[key] is not None else "-" for key in _HITS),
        ]
        count = "-" if row["positions"] is None else str(row["positions"])
        table.add_row(str(row["name"]), count, *cells)
    return table


def comparison_chart(rows: list[Row], rule: str) -> str:
    """The value losses of the rows, and how often the move that was played is ranked first, as an
    SVG picture; `rule`: its name, for the titles."""
    losses = {str(row["name"]): float(row["value_loss"] or 0) for row in rows}
    hits = {str(row["name"]): row["first"] for row in rows}
    return forms_chart(
        [
            (f"{rule}: value loss on held-out positions, lower is better", losses, "{:.5f}"),
            (
                "How often the move that was played is ranked first, higher is better",
                {name: 100 * float(hit) for name, hit in hits.items() if hit is not None},
                "{:.1f} %",
            ),
        ]
    )


_HITS = ("first", "three", "eight")


def _table_rows(positions: Positions, report: Report) -> list[Row]:
    """The rows of the three tables: set by hand, the engine's, fitted to these positions."""
    is_renju = GameReader(positions.rule, 5, 5).sets == 2
    data = _tables_data(positions, report)
    at = INDEX_OF_NUMBER[positions.rule]
    engine = values.decode(values.load_body())[at]
    numbers = np.frombuffer(hand_values()[values.HEADER.size :], "<i2")
    by_hand = values.decode((0, array("h", numbers.tolist())))[at]
    target = positions.target(data.train)
    report("fitting the table", 0, 1)
    fitted = fit_counts(data.train_counts, positions.mask[data.train], target, is_renju)
    order = fit_choices(data.train_choices, is_renju)
    report("fitting the table", 1, 1)
    tables = 2 if is_renju else 1
    choices = data.test_choices
    rows: list[Row] = []
    for name, worth, scores in (
        ("table, set by hand", *_logits(by_hand, tables)),
        ("table, the engine's", *_logits(engine, tables)),
        ("table, fitted to these positions", fitted, order),
    ):
        logit = data.test_counts @ worth.codes.ravel()
        logit = logit + worth.masks[positions.mask[data.test]] + worth.tempo
        points = choices.scores(scores)
        place = ranks(points, choices)
        rows.append(
            {
                "name": name,
                "positions": len(data.train),
                "value_loss": cross_entropy(logit, positions.target(data.test)),
                "policy_loss": choice_loss(points, choices, choices.groups())[0],
                "first": float(np.mean(place < 1)),
                "three": float(np.mean(place < 3)),
                "eight": float(np.mean(place < 8)),
            }
        )
    return rows


def _logits(of: RuleValues, tables: int) -> tuple[Worth, Order]:
    """Values of a file as logits; of the tables that are equal for both colours only one."""
    worth = worth_of(of)
    colours = of.colours[:tables]
    order = Order(
        np.array([colour.attack for colour in colours]) / POINTS,
        np.array([colour.defend for colour in colours]) / POINTS,
        of.scalars["near_bonus"] / POINTS,
    )
    return replace(worth, codes=worth.codes[:tables]), order


def _tables_data(positions: Positions, report: Report) -> _Tables:
    train, test = np.flatnonzero(~positions.is_test), np.flatnonzero(positions.is_test)
    with_choice = positions.chosen >= 0
    choose = [_some(rows[with_choice[rows]], _MOST_CHOICES) for rows in (train, test)]
    train = _some(train, _MOST_COUNTS)
    report("reading tables", 0, 4)
    train_counts = counts_of(positions, train)
    report("reading tables", 1, 4)
    test_counts = counts_of(positions, test)
    report("reading tables", 2, 4)
    train_choices = _choices(positions, choose[0], "trained with")
    report("reading tables", 3, 4)
    test_choices = _choices(positions, choose[1], "held out")
    report("reading tables", 4, 4)
    return _Tables(train, test, train_counts, test_counts, train_choices, test_choices)


def _choices(positions: Positions, rows: NDArray[np.int64], use: str) -> Choices:
    """ValueError if there is nothing to choose in any of the positions, which are those for this
    use."""
    found = choices_of_positions(positions, rows) if len(rows) else None
    if found is None or not len(found.starts):
        raise ValueError(
            f"in no position that is {use} a move was chosen among several; play more games"
        )
    return found


def _some(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """At most so many of the rows, taken evenly."""
    return rows[np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(np.int64)]


def _games(
    positions: Positions, rows: NDArray[np.int64]
) -> list[tuple[GameReader, NDArray[np.uint16], NDArray[np.uint8]]]:
    """The games of positions in ascending order: a reader, the stones, where the positions are."""
    readers: dict[tuple[int, int], GameReader] = {}
    cuts = np.flatnonzero(np.diff(positions.start[rows])) + 1
    games = []
    for some in np.split(rows, cuts):
        plies = positions.ply[some].astype(np.int64)
        start = positions.start[some[0]]
        size = int(positions.size[some[0], 0]), int(positions.size[some[0], 1])
        if size not in readers:
            readers[size] = GameReader(positions.rule, *size)
        wanted = np.zeros(plies[-1] + 1, np.uint8)
        wanted[plies] = 1
        games.append((readers[size], positions.stones[start : start + len(wanted)], wanted))
    return games


def counts_of(positions: Positions, rows: NDArray[np.int64]) -> csr_matrix:
    """How often each code occurs in the positions, which are in ascending order: as
    worth.code_counts gives it for samples of matches."""
    lengths: list[NDArray[np.int64]] = []
    columns: list[NDArray[np.int32]] = []
    numbers: list[NDArray[np.float64]] = []
    tables = 1
    for reader, stones, wanted in _games(positions, rows):
        tables = reader.sets
        some, codes, counts = reader.codes(stones, wanted)
        lengths.append(np.array(some, np.int64))
        columns.append(np.array(codes, np.int32))
        numbers.append(np.array(counts, np.float64))
    starts = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
    return csr_matrix(
        (np.concatenate(numbers), np.concatenate(columns), starts),
        shape=(len(rows), tables * CODES),
    )


def choices_of_positions(positions: Positions, rows: NDArray[np.int64]) -> Choices:
    """The candidates of positions in ascending order, as order.choices_of gives them for samples of
    matches. Positions whose move is not a candidate are left out."""
    lengths: list[NDArray[np.int64]] = []
    found: list[NDArray[np.int16]] = []
    tables = 1
    for reader, stones, wanted in _games(positions, rows):
        tables = reader.sets
        some, numbers = reader.choices(stones, wanted)
        lengths.append(np.array(some, np.int64))
        found.append(np.array(numbers, np.int16).reshape(-1, 5))
    sizes, cells = np.concatenate(lengths), np.concatenate(found)
    sample = np.repeat(np.arange(len(rows)), sizes)
    is_black = positions.ply[rows][sample] % 2 == 0
    has_choice = np.bincount(sample, cells[:, 4], len(rows)) == 1
    kept = has_choice[sample] & (sizes[sample] > 1)
    cells, sample, is_black = cells[kept], sample[kept], is_black[kept]
    codes = cells[:, 1:3].astype(np.int64) + [0, CODES if tables == 2 else 0]
    return Choices(
        np.flatnonzero(np.diff(sample, prepend=-1)),
        np.where(is_black, codes[:, 0], codes[:, 1]),
        np.where(is_black, codes[:, 1], codes[:, 0]),
        cells[:, 3].astype(np.float64),
        np.flatnonzero(cells[:, 4]),
    )
