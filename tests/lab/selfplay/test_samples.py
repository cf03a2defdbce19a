"""Games of a match as samples for training."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tengen.game.record.move_report import Report
from tengen.game.record.recorded import RecordedGame
from tengen.lab.selfplay.check import fault_of, find_fault
from tengen.lab.selfplay.keep import FEW_NODES, IS_DECIDED, KEPT, MATE_VALUE, reasons
from tengen.lab.selfplay.samples import SOURCE, played_game, write_samples
from tengen.lab.selfplay.shards import (
    AGREED,
    DECIDED,
    FIVE,
    MATE,
    MATE_FLOOR,
    ONLY,
    PROVEN,
    SHORT,
    Head,
    read_shard,
)
from tests.lab.command import Run

HEAD = Head(0, 15, 15, 0, 0, 0, 0, SOURCE, 0, 0)
# Black makes a row; its four, with the seventh stone, has two ends.
MOVES = tuple((i // 2 + 5, 5 if i % 2 == 0 else 9 + i % 3) for i in range(9))


def game(*reports: Report | None, **more: object) -> RecordedGame:
    """A game with two stones of an opening, which Black wins with its fifth stone."""
    given: dict[str, object] = {
        "winner": "black",
        "termination": "FIVE",
        "opening_moves": 2,
        "reports": (None, None, *reports),
        **more,
    }
    return RecordedGame("A", "B", 15, 15, 0, MOVES, **given)  # type: ignore[arg-type]


def test_values_are_those_that_were_reported() -> None:
    found = played_game(game(Report(9, value=40), Report(9, value=-35), Report(0, value=50)))
    assert found is not None
    assert (found.winner, found.ending, len(found.opening)) == (1, FIVE, 2)
    assert [move.value for move in found.moves] == [40, -35, 50, 0, 0, 0, 0]
    flags = [move.flags & ~DECIDED for move in found.moves]
    assert flags == [0, 0, ONLY, SHORT, SHORT, SHORT, SHORT]
    # Black's open four, then White's reply to a four, then the five.
    assert [bool(move.flags & DECIDED) for move in found.moves[4:]] == [True, True, True]
    assert fault_of(HEAD, found) is None


def test_a_game_ends_with_the_first_mate_that_comes() -> None:
    lost = Report(9, mate_plies=-6)
    found = played_game(game(Report(9, mate_plies=-5), lost, Report(9, mate_plies=5)))
    assert found is not None
    # Black's first loss did not come, White's did.
    assert [(move.value, move.flags) for move in found.moves] == [(0, SHORT), (6 - MATE, 0)]
    assert (found.winner, found.ending) == (1, PROVEN)
    assert fault_of(HEAD, found) is None


@pytest.mark.parametrize("plies", [0, MATE - MATE_FLOOR + 1, 10**9])
def test_a_mate_that_no_shard_can_hold_is_no_value(plies: int) -> None:
    found = played_game(game(Report(9, mate_plies=plies)))
    assert found is not None and found.moves[0][1:] == (SHORT, 0)


def test_a_value_beyond_all_others_is_the_largest() -> None:
    found = played_game(game(Report(9, value=10**9), Report(9, value=-(10**9))))
    assert found is not None
    assert [move.value for move in found.moves[:2]] == [MATE_FLOOR - 1, 1 - MATE_FLOOR]


def test_values_of_one_program() -> None:
    reports = [Report(9, value=value) for value in (40, -35, 50, -60)]
    found = played_game(game(*reports), "B")
    assert found is not None
    assert [(move.value, move.flags & SHORT) for move in found.moves[:4]] == [
        (0, SHORT), (-35, 0), (0, SHORT), (-60, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("ending", ["TIMEOUT", "CRASH", "FORBIDDEN", "INTERRUPTED", "NEW WORD"])
def test_a_game_that_ended_by_a_failure_is_left_out(ending: str) -> None:
    assert played_game(game(termination=ending)) is None


def test_a_game_that_was_agreed_on() -> None:
    agreed = replace(game(termination="ADJUDICATED"), moves=MOVES[:6])
    found = played_game(agreed)
    assert found is not None and found.ending == AGREED
    assert fault_of(HEAD, found) is None
    whole = played_game(game(termination="ADJUDICATED"))
    assert whole is not None and fault_of(HEAD, whole) == "it has a winning line"


def test_a_shard_is_read_as_what_was_written(tmp_path: Path) -> None:
    one = game(Report(9, value=40), Report(9, value=-35))
    written = write_samples([one, game(termination="CRASH"), one], tmp_path)
    assert written == (2, 4)
    shard = read_shard(tmp_path / "000000000.games")
    assert find_fault(shard) is None
    why = reasons(shard)
    assert np.bincount(why).tolist()[: MATE_VALUE + 1] == [4, 0]
    assert set(why.tolist()) == {KEPT, IS_DECIDED, FEW_NODES}
    # The same run once more, longer.
    assert write_samples([one] * 3, tmp_path).games == 3
    assert len(read_shard(tmp_path / "000000000.games")) == 3


def test_samples_of_a_shorter_run_replace_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tengen.lab.selfplay.samples.GAMES_PER_SHARD", 2)
    write_samples([game(Report(9, value=40))] * 5, tmp_path)
    assert len(list(tmp_path.iterdir())) == 3
    write_samples([game(Report(9, value=30))] * 3, tmp_path)
    assert [path.name for path in sorted(tmp_path.iterdir())] == [
        "000000000.games",
        "000000002.games",
    ]


@pytest.mark.parametrize("more", [{"rule": 1}, {"width": 16}])
def test_samples_of_another_rule_or_size_are_kept(tmp_path: Path, more: dict[str, int]) -> None:
    write_samples([game(Report(9, value=40))], tmp_path)
    before = (tmp_path / "000000000.games").read_bytes()
    with pytest.raises(ValueError, match=r"holds games of another rule or size; name another"):
        write_samples([replace(game(Report(9, value=40)), **more)], tmp_path)  # type: ignore[arg-type]
    assert (tmp_path / "000000000.games").read_bytes() == before


def write_run(folder: Path, *endings: str) -> None:
    header = {"format": 1, "programs": [{"name": "A"}, {"name": "B"}]}
    record = {
        "black": "A", "white": "B", "width": 15, "height": 15, "rule": 0, "opening_moves": 2,
        "winner": "black", "moves": MOVES, "reports": [None, None, {"value": 40}],
    }  # fmt: skip
    lines = [header]
    lines += [{**record, "game": i, "termination": end} for i, end in enumerate(endings)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "games.jsonl").write_text(text, encoding="ascii")


def test_the_command(tmp_path: Path, run: Run) -> None:
    write_run(tmp_path, "FIVE", "CRASH")
    folder = tmp_path / "samples"
    words = ("lab", "data", tmp_path, "--write", folder)
    said = run(*words).good
    assert f"samples in {folder}: 1 of 2 games, 1 positions with a value" in said
    assert "every game was replayed" in run("lab", "data", folder, "--check").good
    assert "1 of 2 games, 0 positions" in run(*words, "--of", "b").good


def test_bad_input_of_the_command(tmp_path: Path, run: Run) -> None:
    write_run(tmp_path, "CRASH")
    match, new, other = tmp_path, tmp_path / "new", tmp_path / "other"
    other.mkdir()
    (other / "000000000.games").write_bytes(b"TGN")
    for words, error in (
        ((match, "--write", new), "no game of the run can be used"),
        ((match, "--write", new, "--of", "C"), "there is no program 'C'; there are A, B"),
        ((match, "--of", "A"), "--of needs --write"),
        ((match, "--write", new, "--json"), "--write takes one folder, of a match, and no --check"),
        ((match, match, "--write", new), "--write takes one folder"),
        ((other, "--write", new), "other: holds no games.jsonl"),
    ):
        assert error in run("lab", "data", *words).refusal
    write_run(tmp_path, "FIVE")
    assert "cut off" in run("lab", "data", match, "--write", other).refusal
    assert not new.exists()
