"""The fits: exact gradients, known values are recovered, and the engine can read the file."""

from __future__ import annotations

import copy
import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from engine import values
from engine.hand_values import hand_values
from engine.values import CODES
from tengen.game.record.recorded import read_record
from tengen.lab.train.cli import fit_command
from tengen.lab.train.order import choices_of, fit_order, order_rows, ranks
from tengen.lab.train.ridge import fit
from tengen.lab.train.samples import read_samples
from tengen.lab.train.shapes import CodeTables, bits_of_masks, shapes_of_codes, threats_of_codes
from tengen.lab.train.worth import CENTI_STONES, cross_entropy, fit_worth, target, worth_rows
from tengen.lab.train.write import rule_values
from tests.lab.train.conftest import write_run

Games = dict[int, list[dict[str, Any]]]


@pytest.mark.parametrize("is_renju", [False, True])
def test_the_slopes_of_tables_belong_to_their_numbers(is_renju: bool) -> None:
    tables = CodeTables(is_renju, 1e-5, 1e-3)
    rng = np.random.default_rng(1)
    parameters = rng.normal(size=tables.size)
    slopes = rng.normal(size=(tables.tables, CODES))
    forwards = np.sum(tables.numbers(parameters) * slopes)
    backwards = parameters @ tables.gradient(slopes)
    assert forwards == pytest.approx(backwards)
    assert tables.usual(np.abs(slopes)).shape == tables.penalty.shape == (tables.size,)


def test_shapes_say_what_a_code_is_made_of() -> None:
    shapes = shapes_of_codes()
    assert (shapes[:, :15].sum(axis=1) == 4).all()
    assert (shapes[:, 15:135].sum(axis=1) == 6).all()
    assert (shapes[:, 135:].sum(axis=1) == 1).all()
    assert len(np.unique(shapes[:, :15], axis=0)) == CODES
    assert "forbidden" in threats_of_codes(is_black_in_renju=True)
    assert "forbidden" not in threats_of_codes()
    assert list(bits_of_masks()[0b10000010]) == [0, 1, 0, 0, 0, 0, 0, 1]


def test_the_optimiser_reaches_the_bottom_whatever_the_scale() -> None:
    usual = np.array([100.0, 1.0, 0.05])
    bottom = np.array([0.3, -2.0, 40.0])

    def loss(numbers: np.ndarray[Any, np.dtype[np.float64]]) -> Any:
        away = (numbers - bottom) * usual
        return float(away @ away), 2 * away * usual

    assert fit(loss, usual, np.zeros(3)) == pytest.approx(bottom, rel=1e-3)
    penalised = fit(loss, usual, np.array([0.0, 1.0, 0.0]))
    assert penalised == pytest.approx([0.3, -1.0, 40.0], rel=1e-3)


@pytest.mark.parametrize("rule", [0, 4])
def test_a_fitted_value_tells_games_apart(games: Games, rule: int) -> None:
    samples = read_samples(map(read_record, games[rule]))[rule]
    rows = worth_rows(samples)
    worth = fit_worth(samples, rows, rule == 4)
    assert worth.codes.shape == (2 if rule == 4 else 1, CODES)
    wanted = target(samples)[rows]
    share = wanted.mean()
    constant = cross_entropy(np.full(len(wanted), np.log(share / (1 - share))), wanted)
    assert cross_entropy(worth.of(samples)[rows], wanted) < constant - 0.005


def test_values_put_in_come_out(games: Games) -> None:
    """Search values computed from a known table: the fit recovers the table."""
    samples = read_samples(map(read_record, games[0]))[0]
    rng = np.random.default_rng(2)
    true_codes = shapes_of_codes()[:, :15] @ rng.normal(scale=0.02, size=15)
    start = fit_worth(samples, worth_rows(samples), False)
    truth = dataclasses.replace(start, codes=true_codes[None], masks=np.zeros(256), tempo=0.4)
    logits = truth.of(samples)
    told = dataclasses.replace(
        samples, value=logits * CENTI_STONES, result=1 / (1 + np.exp(-logits))
    )
    rows = worth_rows(told)
    found = fit_worth(told, rows, False).of(told)[rows]
    assert np.corrcoef(found, logits[rows])[0, 1] > 0.98


def test_a_fitted_order_names_the_move(games: Games) -> None:
    samples = read_samples(map(read_record, games[0]))[0]
    rows = order_rows(samples)
    order = fit_order(samples, rows, False)
    choices = choices_of(samples, rows, 1)
    fitted = ranks(choices.scores(order), choices)
    chance = ranks(np.random.default_rng(4).normal(size=len(choices.own)), choices)
    assert np.mean(fitted < 3) > np.mean(chance < 3) + 0.3


def test_written_values_are_the_fitted_ones(games: Games, tmp_path: Path) -> None:
    samples = read_samples(map(read_record, games[4]))[4]
    path = tmp_path / "hand.bin"
    path.write_bytes(hand_values())
    before = values.decode(values.load_body(path))[2]
    worth = fit_worth(samples, worth_rows(samples), True)
    order = fit_order(samples, order_rows(samples), True)
    written = rule_values(before, worth, order, True)
    for colour in range(2):
        exact = worth.codes[colour] * CENTI_STONES * values.VALUE_FRACTION
        exact = exact.clip(-4000, 4000)
        assert np.abs(exact - written.colours[colour].value).max() <= 0.5
        kept = [
            threat in ("five", "open_four", "double_four", "forbidden")
            for threat in threats_of_codes(colour == 0)
        ]
        assert 0 < sum(kept) < CODES
        for code in np.flatnonzero(kept):
            assert written.colours[colour].attack[code] == before.colours[colour].attack[code]
        assert written.colours[colour].attack[0] == 0
    assert written.scalars["killer_bonus"] == before.scalars["killer_bonus"]
    assert written.scalars["tempo"] == round(worth.tempo * CENTI_STONES)


def test_the_command_writes_a_file_of_the_rules_it_saw(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "values.bin"
    result = CliRunner().invoke(fit_command, [str(run), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "freestyle" in result.output and "renju" in result.output
    old = values.load_body()
    new = values.load_body(out)
    assert new[0] == old[0] + 1
    changed = [a != b for a, b in zip(values.decode(old), values.decode(new), strict=True)]
    assert changed == [True, False, True, False, False]


def test_the_command_says_what_it_lacks(tmp_path: Path) -> None:
    out = str(tmp_path / "values.bin")
    result = CliRunner().invoke(fit_command, [str(tmp_path), "--out", out])
    assert result.exit_code == 2 and "holds no games.jsonl" in result.output
    empty = write_run(tmp_path / "empty", [])
    result = CliRunner().invoke(fit_command, [str(empty), "--out", out])
    assert result.exit_code == 2 and "hold no finished game" in result.output
    assert not Path(out).exists()


def cut(games: list[dict[str, Any]], **report: int) -> list[dict[str, Any]]:
    """The games with other reports; a number below zero takes an entry away."""
    found = copy.deepcopy(games)
    for record in found:
        for said in filter(None, record["reports"]):
            said.update(report)
            for key in [key for key in said if report.get(key, 0) < 0]:
                del said[key]
    return found


def test_too_few_games_or_nodes_are_refused_in_one_line(games: Games, tmp_path: Path) -> None:
    out = tmp_path / "values.bin"
    for number, (records, expected) in enumerate(
        (
            (games[0][:8], "freestyle: 8 games, none held out; play at least 10"),
            ([*games[0], *games[4][:9]], "renju: 9 games, none held out; play at least 10"),
            (cut(games[0], nodes=-1), "in which a move has a reported value and nodes"),
            (cut(games[0], nodes=0), "freestyle: no quiet position was searched in the games to"),
            (
                cut(games[0], nodes=1999),
                "freestyle: no move was searched with 2,000 nodes or more in the games to fit to",
            ),
            (
                [*games[0][:9], *cut(games[0][9:10], nodes=1999)],
                "freestyle: no move was searched with 2,000 nodes or more in the games held out",
            ),
        )
    ):
        run = write_run(tmp_path / str(number), records)
        result = CliRunner().invoke(fit_command, [str(run), "--out", str(out)])
        assert result.exit_code == 2 and expected in " ".join(result.output.split())
        assert not out.exists()


def test_a_file_that_cannot_be_written_is_told_before_games_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        pytest.fail("games were read")

    monkeypatch.setattr("tengen.lab.train.cli.games_of", fail)
    out = tmp_path / "none" / "values.bin"
    result = CliRunner().invoke(fit_command, [str(tmp_path), "--out", str(out)])
    assert result.exit_code == 2 and "values.bin: No such file or directory" in result.output
