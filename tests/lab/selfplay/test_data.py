"""`tengen lab data`: what is counted, and which faults are found."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tengen.lab.selfplay.data import fault_of
from tengen.lab.selfplay.game import Setting, cell_number
from tengen.lab.selfplay.shards import (
    CHANCE,
    DEAD,
    DECIDED,
    DEEP,
    FIVE,
    FOUL,
    FULL,
    ONLY,
    PROVEN,
    SHORT,
    Move,
    PlayedGame,
    Shard,
    SidePosition,
    shard_name,
    write_shard,
)
from tests.commands import Run

HEAD = Setting(4, 15, 15, 3).head(0)


def game(
    winner: int, ending: int, cells: str, last: int = 0, flags: tuple[int, ...] = ()
) -> PlayedGame:
    """A game of points such as `h8 i9`, the first one of them the opening; `last` is the value of
    the last move, all others have 150."""
    points = [(ord(word[0]) - ord("a"), 15 - int(word[1:])) for word in cells.split()]
    numbers = [cell_number(point) for point in points]
    marks = [*flags, *[0] * (len(numbers) - 1 - len(flags))]
    moves = [Move(n, f, 150) for n, f in zip(numbers[1:], marks, strict=True)]
    if moves:
        moves[-1] = moves[-1]._replace(value=last)
    return PlayedGame(winner, ending, False, tuple(numbers[:1]), tuple(moves))


FIVE_OF_BLACK = "h8 a1 i8 c1 j8 e1 k8 g1 l8"
SIX_OF_BLACK = "h8 a1 i8 c1 j8 e1 k8 g1 m8 a3 l8"
DOUBLE_THREE = "h8 a1 i8 o1 j9 a15 j10 o15 j8"


@pytest.mark.parametrize(
    ("played", "fault"),
    [
        (game(1, FIVE, FIVE_OF_BLACK), None),
        (game(1, PROVEN, "h8 a1 i8", 29995), None),
        (game(2, PROVEN, "h8 a1 i8", -29994), None),
        (game(0, DEAD, "h8 a1 i8"), None),
        (game(2, FOUL, DOUBLE_THREE), None),
        (game(2, FOUL, SIX_OF_BLACK), None),
        (game(0, DEAD, "h8"), "it has no moves"),
        (game(0, DEAD, "h8 a1 h8"), "stone 3 is not on an empty cell"),
        (game(0, DEAD, f"{DOUBLE_THREE} o8"), "stone 9 is a double three"),
        (game(1, FIVE, f"{FIVE_OF_BLACK} a8"), "stone 9 wins, but play goes on"),
        (game(2, FIVE, FIVE_OF_BLACK), "its result does not follow from its last move"),
        (game(0, DEAD, FIVE_OF_BLACK), "its result does not follow from its last move"),
        (game(0, FIVE, "h8 a1 i8"), "it ended without a five"),
        (game(1, DEAD, "h8 a1 i8"), "its result does not follow from its last move"),
        (game(0, FULL, "h8 a1 i8"), "its board is not full"),
        (game(2, PROVEN, "h8 a1 i8", 29995), "its last value proves another result"),
        (game(1, PROVEN, "h8 a1 i8", 500), "its last value proves another result"),
        (game(0, PROVEN, "h8 a1 i8", 500), "its last value proves another result"),
        (
            game(0, DEAD, "h8 a1 i8", 29995),
            "its last move has a forced win or loss, but that is not how it ended",
        ),
        (game(2, FOUL, "h8 a1 i8"), "its last move is no foul"),
        (game(0, DEAD, DOUBLE_THREE), "it ends with a foul"),
        (
            replace(game(0, DEAD, "h8 a1 i8"), moves=(Move(1, 0, 29990), Move(2, 0, 5))),
            "move 1 has a forced win or loss, but the game goes on",
        ),
    ],
)
def test_each_fault_of_a_game_is_named(played: PlayedGame, fault: str | None) -> None:
    assert fault_of(HEAD, played) == fault


@pytest.mark.parametrize(
    ("line", "move", "fault"),
    [
        ("j8", "b1", None),
        ("j8 i8", "b1", None),
        ("j8 a1", "b1", "stone 4 is not on an empty cell"),
        ("j8 b1", "j8", "stone 5 is not on an empty cell"),
        ("i8 b1 j8 c1 k8 d1 l8", "e1", "stone 9 wins, but play goes on"),
        ("i8 o1 j9 a15 j10 o15 j8", "b1", "stone 9 is a double three"),
        ("i8 o1 j9 a15 j10 o15", "j8", None),
    ],
)
def test_each_fault_of_a_position_beside_a_game_is_named(
    line: str, move: str, fault: str | None
) -> None:
    """It leaves the game after the second stone, a1."""
    *stones, best = (each.cell for each in game(0, DEAD, f"h8 {line} {move}").moves)
    first = SidePosition(1, (cell_number((0, 0)),), Move(best, 0, 9))
    second = SidePosition(1, tuple(stones), Move(best, 0, 9))
    found = fault_of(HEAD, replace(game(0, DEAD, "h8 a1 i8"), side_positions=(first, second)))
    assert found == (fault and f"position 2 beside the game: {fault}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two shards with four good games, of which two have the same positions; one has three
    positions beside it."""
    one = game(1, FIVE, FIVE_OF_BLACK, 29999, flags=(0, CHANCE, 0, 0, 0, SHORT, ONLY, DECIDED))
    one = replace(one, ending=PROVEN)
    two = game(0, DEAD, "h8 a15 i8", 150)  # the same as the first, mirrored
    three = replace(game(2, PROVEN, "b2 c3 d5", -29990), is_book=True)
    beside = tuple(
        SidePosition(1, (cell_number((x, 9)),), Move(0, DEEP * (x == 1), 250)) for x in range(3)
    )
    three = replace(three, side_positions=beside)
    path = tmp_path / "run"
    path.mkdir()
    write_shard(path / shard_name(0), HEAD, [one, two])
    write_shard(path / shard_name(2), replace(HEAD, first=2), [three, two])
    return path


@pytest.fixture
def data(run: Run) -> Run:
    """Runs `tengen lab data`."""
    return partial(run, "lab", "data")


def record(data: Run, *words: str | Path) -> Any:
    return json.loads(data(*words, "--json").good)


def test_everything_is_counted(folder: Path, data: Run) -> None:
    read = record(data, folder)
    assert read["faults"] == []
    [found] = read["counts"]
    assert (found["rule"], found["width"], found["height"]) == (4, 15, 15)
    size = sum(path.stat().st_size for path in folder.glob("*.games"))
    assert found["files"] == {"shards": 2, "bytes": size}
    assert found["games"] == {"games": 4, "with_a_book_opening": 1, "held_out": 1}
    assert found["winners"] == {"draw": 2, "black": 1, "white": 1}
    assert found["endings"]["forced_win"] == 2 and found["endings"]["dead_position"] == 2
    assert found["positions"] == {
        "kept": 9,
        "forced_win_or_loss": 2,
        "a_five_or_open_four_to_make": 0,
        "no_search_needed": 1,
        "few_nodes_searched": 1,
        "duplicate": 4,
    }
    # The first game: a1 after h8 and the move by chance have no result.
    assert found["kept"] == {"deep": 1, "beside_game": 3, "value_only": 5}


def test_a_shard_without_games_is_counted(tmp_path: Path, data: Run) -> None:
    write_shard(tmp_path / shard_name(0), HEAD, [])
    [found] = record(data, tmp_path)["counts"]
    assert (found["files"]["shards"], found["games"]["games"]) == (1, 0)
    assert "renju 15x15" in data(tmp_path, "--check").good


def test_ctrl_c_shows_what_was_read(
    folder: Path, data: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(shard: Shard) -> None:
        if shard.head.first:
            raise KeyboardInterrupt

    monkeypatch.setattr("tengen.lab.selfplay.data.find_fault", find)
    status, said, errors = data(folder, "--check")
    assert (status, errors) == (130, "stopped: these are 2 of 2 files\n")
    assert "renju 15x15" in said and "nothing is wrong" not in said


def test_folders_and_rules_are_told_apart(folder: Path, tmp_path: Path, data: Run) -> None:
    other = tmp_path / "other"
    other.mkdir()
    write_shard(other / shard_name(0), replace(HEAD, rule=0), [game(0, DEAD, "h8 a15 i8")])
    read = record(data, folder, other)
    assert [(each["rule"], each["games"]["games"]) for each in read["counts"]] == [(4, 4), (0, 1)]
    said = data(folder, other, "--check").good
    assert "renju 15x15" in said and "freestyle 15x15" in said
    assert "every game was replayed; nothing is wrong" in said


def test_faults_are_named_and_everything_else_is_counted(folder: Path, data: Run) -> None:
    bad = folder / shard_name(0)
    bad.write_bytes(bad.read_bytes()[:-1])
    wrong = folder / shard_name(7)
    write_shard(
        wrong,
        replace(HEAD, first=7),
        [game(0, DEAD, "h8 a1 i8"), game(2, PROVEN, "h8 a1 i8", 29995)],
    )
    status, said, errors = data(folder, "--check")
    assert status == 1 and "nothing is wrong" not in said
    assert errors.splitlines() == [
        f"{bad}: cut off, {bad.stat().st_size} of {bad.stat().st_size + 1} bytes",
        f"{wrong}: game 8: its last value proves another result",
    ]
    status, _, errors = data(folder)
    assert status == 1 and errors.count("\n") == 1  # the damaged file alone


def test_a_folder_without_shards_is_refused(tmp_path: Path, data: Run) -> None:
    assert "holds no shards" in data(tmp_path).refusal
    assert "does not exist" in data(tmp_path / "none").refusal
