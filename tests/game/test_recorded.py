"""The one reader of recorded games: the same game from every kind of record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tengen.game.files.jsonl import (
    game_record,
    load_run,
    parse_records,
    read_record,
    read_whole_record,
    timing_record,
)
from tengen.game.files.positions import find_position
from tengen.game.files.psq import write_psq
from tengen.game.files.sgf import write_sgf
from tengen.game.game import PERSON_NAME
from tengen.game.referee import BLACK, WHITE
from tests.game.sample_games import MOVES, game, read_saved_game, times

PLAYED = game(names=("Tengen", PERSON_NAME), rule=4)
STONES = tuple(move[:3] for move in MOVES)


def test_the_same_game_from_every_record() -> None:
    line = read_record(game_record(PLAYED), timing_record(PLAYED))
    psq = read_saved_game(write_psq(PLAYED))
    sgf = read_saved_game(write_sgf(PLAYED))
    for found in (line, psq, sgf):
        assert found.stones == STONES
        assert (found.width, found.height) == (15, 15)
        assert found.names == ("Tengen", PERSON_NAME)
        assert len(found) == len(MOVES)
    assert (line.rule_number, psq.rule_number, sgf.rule_number) == (4, 0, 4)
    assert (line.says_rule, psq.says_rule, sgf.says_rule) == (True, False, True)
    assert psq.people_sides == sgf.people_sides == {WHITE}
    assert times(line)[1] == 0.0124 and times(psq)[1] == 0.012 and times(sgf)[1] is None
    assert read_saved_game(write_sgf(PLAYED), rule=1).rule_number == 1


def test_what_a_record_leaves_out_is_unknown() -> None:
    found = read_record({"game": 4, "moves": [[7, 7], [8, 8]]})
    assert (found.number, found.pair, found.winner, found.ending) == (5, None, 0, "UNKNOWN")
    assert [node.report for node in found] == [None, None]
    assert times(found) == (None, None)
    assert not found.says_rule
    # A game is finished before its time is known in full, and the other way round.
    assert read_record({"game": 0, "moves": [[1, 1]]}, {"elapsed_s": [1, 2, 3]})[0].time_s == 1.0


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"moves": []}, "is not a game: 'game' is missing"),
        ({"game": 0}, "is not a game: 'moves' is missing"),
        ({"game": 0, "moves": [7]}, "is not a game: "),
        ({"game": 0, "moves": [[7, "x"]]}, "is not a game: "),
        ({"game": 0, "moves": [[1, 1]], "reports": [3]}, "is not a game: "),
    ],
)
def test_what_is_not_a_game(record: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as error:
        read_record(record)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


@pytest.mark.parametrize("key", ["pair", "black", "reports", "opening", "termination", "winner"])
def test_a_run_is_not_resumed_from_incomplete_records(key: str) -> None:
    record: dict[str, Any] = game_record(PLAYED)
    timing = timing_record(PLAYED)
    assert game_record(read_whole_record(record, timing)) == record
    with pytest.raises(ValueError, match="no record of a game"):
        read_whole_record({k: v for k, v in record.items() if k != key}, timing)
    for shorter in ({**record, "reports": []}, {**record, "moves": record["moves"][:2]}):
        with pytest.raises(ValueError, match="no record of a game"):
            read_whole_record(shorter, timing)


def test_the_lines_of_a_run(tmp_path: Path) -> None:
    head = '{"format":2,"programs":[{"name":"Tengen"}]}'
    line = json.dumps(game_record(PLAYED))
    (tmp_path / "games.jsonl").write_text(f"{head}\n{line}\n{line[:30]}", encoding="ascii")
    run = load_run(tmp_path)
    assert run.names == ("Tengen", PERSON_NAME) and len(run.games) == 1
    position = find_position(str(tmp_path)).position
    assert position.all_stones == STONES and position.side == BLACK and position.rule == "renju"
    with pytest.raises(ValueError, match="games, line 2: is not a record"):
        parse_records("{}\n[]\n", "games")


@pytest.mark.parametrize(
    ("result", "winner"),
    [
        ("RE[B+Resign]", BLACK),
        ("RE[ w+T]", WHITE),
        ("RE[0]", 0),
        ("RE[Black]", 0),
        ("", 0),
    ],
)
def test_the_winner_that_an_sgf_file_names(result: str, winner: int) -> None:
    assert read_saved_game(f"(;GM[4]SZ[11]{result};B[ff])").winner == winner
