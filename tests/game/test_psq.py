"""Piskvork's files and the lines of a match: what is written is read."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.files.jsonl import (
    game_record,
    load_run,
    parse_records,
    read_record,
    read_whole_record,
    timing_record,
)
from tengen.game.files.positions import find_position
from tengen.game.files.psq import read_psq, write_psq
from tengen.game.files.sgf import write_sgf
from tengen.game.game import PERSON_NAME, Game
from tengen.game.played import Termination, TimeControl
from tengen.game.referee import BLACK, WHITE
from tests.game.sample_games import (
    MOVES,
    assert_read_or_refused,
    assert_refused,
    cells,
    game,
    games,
    read_saved_game,
    times,
)
from tests.game.sample_games import game as sample

HEADER = "Piskvorky 15x15, 11:11, 0\n"


def test_as_piskvork_writes_it() -> None:
    assert write_psq(sample()) == (
        f"{HEADER}8,8,0\n9,9,12\n7,1,1500\n15,15,250\n"
        "Tengen\nSimple\n0\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("turns", "people", "levels"),
    [
        ((0.1, 1.2), (), "1:4"),
        ((0.01, None), (), "1:11"),
        ((0.1, 1.2), ("Simple",), "1:0"),
    ],
)
def test_levels_of_time(
    turns: tuple[float | None, ...], people: Collection[str], levels: str
) -> None:
    controls = {
        name: TimeControl(turn, 60) for name, turn in zip(("Tengen", "Simple"), turns, strict=True)
    }
    text = write_psq(sample(), controls, people)
    assert text.startswith(f"Piskvorky 15x15, {levels}, 0\n")
    assert read_psq(text).people == frozenset({WHITE} if people else ())


@pytest.mark.parametrize(
    ("termination", "code"),
    [
        (Termination.FIVE, 0),
        (Termination.TIMEOUT, 15),
        (Termination.CRASH, -2),
        (Termination.FORBIDDEN, -2),
        (Termination.ADJUDICATED, -1),
        (Termination.INTERRUPTED, -1),
    ],
)
def test_how_a_game_ended(termination: Termination, code: int) -> None:
    assert write_psq(sample("white", termination)).endswith(f"\n{code}\n")


def test_who_began_is_black() -> None:
    text = "Piskvorky 15x15, 0:3, 1\n8,8,900\nhomo-1\npbrain\n0\n"
    game = read_saved_game(text)
    assert (game.names, game.people) == (("pbrain", "homo-1"), frozenset([WHITE]))
    assert read_saved_game(text.replace("0:3", "3:0")).people_sides == {BLACK}


@pytest.mark.parametrize(
    ("tail", "names"),
    [
        ("", ""),
        ("-1\n\n", ""),
        ("A\nB\n", "A B"),
        ("7\n8\n0\n", "7 8"),
        ("-1\n2,Renju\n", ""),
        ("0\n1,2\n", ""),
        ("A\nB\n-1\n1,2,3\n", "A B"),
        ("A\r\nB\r\n-1\r\n1,Freestyle1\r\n", "A B"),
    ],
)
def test_names_a_code_and_the_line_of_a_manager_may_follow(tail: str, names: str) -> None:
    game = read_saved_game(f"\ufeffPiskvorky 15x12, 11:11, 0\n 8, 8\n{tail}")
    assert (game.width, game.height, cells(game), times(game)) == (15, 12, ((7, 7),), (None,))
    assert " ".join(filter(None, game.names)) == names


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "line 1: expected a header"),
        ("Gomoku 15x15\n", "line 1: expected a header"),
        ("Piskvorky 15x15, 11:11, 2\n", "line 1: player 2 began"),
        (HEADER + "8,8,0\n16,1,0\n", "line 3: the move is outside the 15x15 board"),
        (HEADER + "0,1,0\n", "line 2: the move is outside"),
        (HEADER + "8,8,0\n8,8,0\n", "line 3: the move is played on a stone"),
        (HEADER + "8;8\n", "line 2: expected a move, or the code"),
        (HEADER + "A\nB\nC\n", "line 4: expected the code of the end"),
        (HEADER + "A\nB\n0\n1,x\nmore\n", "line 6: nothing may follow"),
    ],
)
def test_what_is_wrong_is_named(text: str, wrong: str) -> None:
    assert_refused(read_saved_game if text.startswith("Piskvorky") else read_psq, text, wrong)


@pytest.mark.parametrize(
    ("time", "ms"),
    [
        ("", None), (",", None), (",12", 12), (",0", 0), (", 12 ", 12), (",-15", None),
        (",12.5", None), (",4294967295", None), (",-2147483648", None), (",1e3", None),
        (",soon", None), (",12,13", None), (",+5", None), (",99999999999999999999", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_move_with_any_time_is_a_move(time: str, ms: int | None, end: str) -> None:
    lines = ("Piskvorky 15x15, 11:11, 0", "8,8,0", f" 9 , 9{time}", "", "10,10,7", "A", "B", "0")
    game = read_saved_game(end.join(lines))
    assert cells(game) == ((7, 7), (8, 8), (9, 9)) and game.names == ("A", "B")
    assert times(game) == (0, None if ms is None else ms / 1000, 0.007)


@pytest.mark.parametrize(
    "header",
    ["Piskvorky 15x15, 11:11, 0", "Piskvorky 15x15,11:11,0", "Piskvorky  15 x 15 , -1 : 0 , 1",
     " Piskvorky 15x15, 11:11, 0  ", "Piskvorky\t15x15,\t11:11,\t0"],
)  # fmt: skip
def test_headers_with_any_spaces(header: str) -> None:
    assert cells(read_saved_game(f"{header}\n8,8,0\n")) == ((7, 7),)


@pytest.mark.parametrize("line", ["9;9", "9,x,0", "x", "-1,9,0", "9.5,9,0"])
@pytest.mark.parametrize("rest", ["10,10,0\n", "10,10,0\nA\nB\n0\n", "10,10,0\n11,11,0\n0\n"])
def test_an_error_names_its_own_line(line: str, rest: str) -> None:
    text = f"{HEADER}8,8,0\n{line}\n{rest}"
    assert_refused(read_psq, text, f"psq, line 3: expected a move, found '{line}'")


# Also names that look like moves.
NAMES = st.text(min_size=1, max_size=12).filter(lambda text: text.split()) | st.sampled_from(
    ["1,2", "3,4,5", "7"]
)


@given(games(NAMES))
def test_what_is_written_is_read(game: Game) -> None:
    read = read_saved_game(write_psq(game))
    assert (read.size, read.stones) == (game.size, game.stones)
    assert times(read) == tuple(round((s or 0) * 1000) / 1000 for s in times(game))
    for written, name in zip(read.names, game.names, strict=True):
        # A name is one line, and has quotes where it would look like a move.
        assert written.strip('"') == " ".join(name.split()).strip('"')


@given(st.text(max_size=60) | st.text(max_size=60).map("Piskvorky 15x15, 1:1, 0\n".__add__))
def test_anything_is_read_or_refused_in_one_line(text: str) -> None:
    assert_read_or_refused(read_psq, text, "psq, line ")


# ---- the same game from every record


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
