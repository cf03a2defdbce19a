"""Games as arrays: every number is compared with another function of the engine."""

from __future__ import annotations

import copy
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine._probe import ProbeBoard
from engine.values import CODES
from tengen.game.record.recorded import read_record
from tengen.lab.train.order import choices_of, order_rows, ranks
from tengen.lab.train.samples import ROW, games_of, read_samples
from tengen.lab.train.worth import CENTI_STONES, code_counts, target, worth_rows
from tests.lab.train.conftest import SIZE, write_run

Games = dict[int, list[dict[str, Any]]]
FIVE, OPEN_FOUR = 8, 7  # threats as patterns.pxd numbers them


@pytest.mark.parametrize("rule", [0, 4])
def test_each_sample_is_the_position_before_a_searched_move(games: Games, rule: int) -> None:
    samples = read_samples(map(read_record, games[rule]))[rule]
    at = 0
    for number, record in enumerate(games[rule]):
        board = ProbeBoard(SIZE, SIZE, rule)
        for i, ((x, y), report) in enumerate(zip(record["moves"], record["reports"], strict=True)):
            mover = 1 + i % 2
            if report is not None:
                assert samples.game[at] == number
                assert samples.mover[at] == mover
                assert samples.nodes[at] == report["nodes"]
                wins = record["winner"] == ("black", "white")[mover - 1]
                assert samples.result[at] == (0.5 if record["winner"] is None else wins)
                decided = (
                    board.count(1, FIVE) or board.count(2, FIVE) or board.count(mover, OPEN_FOUR)
                )
                assert samples.quiet[at] == (not decided)
                cells = samples.cells[samples.starts[at] : samples.starts[at + 1]]
                assert [(c % ROW, c // ROW) for c in cells[:, 0]] == board.empties()
                near = {(c % ROW, c // ROW) for c in cells[cells[:, 3] == 1, 0]}
                assert near == set(board.all_moves())
                assert samples.chosen[at] == y * ROW + x
                last_x, last_y = record["moves"][i - 1]
                assert samples.last[at] == last_y * ROW + last_x
                at += 1
            board.make(x, y, mover)
    assert at == len(samples) > 50


def test_the_value_is_what_was_reported(games: Games) -> None:
    samples = read_samples(map(read_record, games[0]))[0]
    reports = [said for record in games[0] for said in record["reports"] if said is not None]
    plain = [said["value"] for said in reports if "value" in said]
    assert list(samples.value[np.isfinite(samples.value)]) == plain
    mates = [said["mate_plies"] for said in reports if "mate_plies" in said]
    assert list(np.sign(samples.value[np.isinf(samples.value)])) == list(np.sign(mates))


def test_a_mate_without_a_stone_is_no_sample(games: Games) -> None:
    record = copy.deepcopy(games[0][0])
    at = next(i for i, said in enumerate(record["reports"]) if said and "value" in said)
    record["reports"][at]["mate_plies"] = 0
    before, after = (read_samples([read_record(each)])[0] for each in (games[0][0], record))
    assert len(after) == len(before) - 1 and not np.isnan(after.value).any()


def test_games_are_numbered_by_rule_and_without_those_that_say_nothing(games: Games) -> None:
    silent = copy.deepcopy(games[0][0])
    for said in silent["reports"]:
        if said:
            del said["nodes"]
    records = [silent, games[4][0], games[0][1], games[4][1], games[0][2]]
    found = read_samples(map(read_record, records))
    assert [sorted(set(found[rule].game.tolist())) for rule in (0, 4)] == [[0, 1], [0, 1]]
    assert read_samples([read_record(silent)]) == {}


def test_the_target_lies_between_result_and_value(games: Games) -> None:
    samples = read_samples(map(read_record, games[0]))[0]
    seen = 1 / (1 + np.exp(-samples.value / CENTI_STONES))
    wanted = target(samples)
    assert (np.minimum(seen, samples.result) <= wanted).all()
    assert (wanted <= np.maximum(seen, samples.result)).all()
    assert len(set(wanted)) > 20


@pytest.mark.parametrize("tables", [1, 2])
def test_codes_are_counted_for_and_against(games: Games, tables: int) -> None:
    samples = read_samples(map(read_record, games[4]))[4]
    counts = code_counts(samples, tables)
    for at in range(0, len(samples), 7):
        expected: Counter[int] = Counter()
        for _, black, white, _ in samples.cells[samples.starts[at] : samples.starts[at + 1]]:
            sign = 1 if samples.mover[at] == 1 else -1
            expected[int(black)] += sign
            expected[int(white) + (CODES if tables == 2 else 0)] -= sign
        row = counts[at].toarray().ravel()
        assert {int(i): row[i] for i in np.flatnonzero(row)} == {
            code: count for code, count in expected.items() if count
        }


def test_choices_hold_the_candidates_and_the_move(games: Games) -> None:
    samples = read_samples(map(read_record, games[4]))[4]
    rows = order_rows(samples)
    assert (samples.nodes[rows] >= 2000).all()
    choices = choices_of(samples, rows, 2)
    ends = np.append(choices.starts, len(choices.own))
    at = 0
    for i in np.flatnonzero(rows):
        cells = samples.cells[samples.starts[i] : samples.starts[i + 1]]
        cells = cells[cells[:, 3] == 1]
        if samples.chosen[i] not in cells[:, 0]:
            continue
        own, other = (1, 2) if samples.mover[i] == 1 else (2, 1)
        part = slice(ends[at], ends[at + 1])
        assert list(choices.own[part]) == [c[own] + (own - 1) * CODES for c in cells.astype(int)]
        assert list(choices.other[part]) == [
            c[other] + (other - 1) * CODES for c in cells.astype(int)
        ]
        assert cells[choices.chosen[at] - ends[at], 0] == samples.chosen[i]
        at += 1
    assert at == len(choices.starts) > 20


def test_ranks_count_who_is_ahead(games: Games) -> None:
    samples = read_samples(map(read_record, games[0]))[0]
    choices = choices_of(samples, order_rows(samples), 1)
    scores = np.random.default_rng(3).integers(0, 9, len(choices.own)).astype(np.float64)
    ends = np.append(choices.starts, len(choices.own))
    expected = [
        int((scores[ends[i] : ends[i + 1]] > scores[choices.chosen[i]]).sum())
        for i in range(len(choices.starts))
    ]
    assert list(ranks(scores, choices)) == expected


def test_what_was_decided_is_not_fitted(games: Games) -> None:
    samples = read_samples(map(read_record, games[0]))[0]
    rows = worth_rows(samples)
    assert rows.any() and not rows.all()
    assert (samples.quiet[rows] & (samples.nodes[rows] > 0)).all()


def test_games_broken_off_or_repeated_are_left_out(games: Games, tmp_path: Path) -> None:
    first, second, third = copy.deepcopy(games[0][:3])
    second["termination"] = "TIMEOUT"
    run = write_run(tmp_path / "a", [first, second, third])
    again = write_run(tmp_path / "b", [third])
    assert [[list(move) for move in game.moves] for game in games_of([run, again])] == [
        first["moves"],
        third["moves"],
    ]


def test_the_same_moves_under_another_rule_or_size_are_another_game(
    games: Games, tmp_path: Path
) -> None:
    game = games[0][0]
    others = [game | {"rule": 1}, game | {"width": SIZE + 1}, game | {"height": SIZE + 1}]
    found = list(games_of([write_run(tmp_path, [game, *others, game])]))
    assert [(each.rule, each.width, each.height) for each in found] == [
        (0, SIZE, SIZE),
        (1, SIZE, SIZE),
        (0, SIZE + 1, SIZE),
        (0, SIZE, SIZE + 1),
    ]
    assert read_samples(found[:2]).keys() == {0, 1}


def test_a_folder_without_games_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no games.jsonl"):
        list(games_of([tmp_path]))
