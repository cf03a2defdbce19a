"""How a player treats programs that behave and programs that do not, and that no process is left
running."""

from __future__ import annotations

import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.arena.programs.program import Clock, Program, ProgramFailed, Timeouts, read_message
from tengen.arena.programs.spec import ProgramSpec
from tengen.game.played import Move, Report, Termination, TimeControl
from tengen.game.referee import BLACK, WHITE, Referee
from tests.processes import is_alive
from tests.scripted import AMPLE_S, BRIEF_S, MakeProgram
from tests.stopwatch import HUNG_MS, Stopwatch


@contextmanager
def _player(program: ProgramSpec, timeouts: Timeouts) -> Iterator[Program]:
    player = Program(program, timeouts)
    try:
        yield player
    finally:
        tree = _tree(player)
        player.close()
        player.dispose()
        assert not [process for process in tree if is_alive(process)]


def _tree(player: Program) -> list[psutil.Process]:
    if player.pid is None or not psutil.pid_exists(player.pid):
        return []
    root = psutil.Process(player.pid)
    return [root, *root.children(recursive=True)]


def _ask(
    player: Program,
    board: Referee | None = None,
    colour: int = BLACK,
    turn_s: float = AMPLE_S,
) -> Move:
    return player.ask_move(board or Referee(15, 15, 0), colour, Clock(TimeControl(turn_s, 100.0)))


def test_folders_that_were_removed_are_made_again(
    scripted: MakeProgram, hasty: Timeouts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with _player(scripted("A", "7,7"), hasty) as player:
        player.new_game(15, 15, 0)
        (place,) = tmp_path.glob("tengen-match-*")
        player.close()
        shutil.rmtree(place)
        player.new_game(15, 15, 0)
        assert sorted(path.name for path in place.iterdir()) == ["keep", "work"]
    assert not place.exists()


def test_a_game_as_the_program_sees_it(
    scripted: MakeProgram, hasty: Timeouts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    monkeypatch.setenv("SCRIPT_LOG", str(log))
    program = scripted(
        "A",
        "7,7",
        "9,9",
        nodes=500,
        depth_plies=7,
        memory_bytes=70 * 2**20,
        threads=2,
        options=(("caution", "3"),),
    )
    board = Referee(15, 15, 4)
    with _player(program, hasty) as player:
        player.new_game(15, 15, 4)
        assert _ask(player, board).report is None
        board.play(7, 7, BLACK)
        board.play(8, 8, WHITE)
        answer = _ask(player, board)
        assert (answer.x, answer.y) == (9, 9)
        assert 0 <= answer.elapsed_s < 0.5
        # A second game in the same process, by BOARD because it begins with an opening.
        pid = player.pid
        player.new_game(15, 12, 1)
        board = Referee(15, 12, 1, walls=[(3, 3)])
        board.play(1, 2, BLACK)
        board.play(3, 4, WHITE)
        board.play(5, 6, BLACK)
        _ask(player, board, WHITE)
        assert player.pid == pid
    settings = (
        "INFO max_memory 73400320\nINFO timeout_turn 60000\nINFO timeout_match 0\n"
        "INFO game_type 1\nINFO rule {}\nINFO max_node 500\nINFO max_depth 7\n"
        "INFO thread_num 2\nINFO caution 3\n"
    )
    said = log.read_text()
    folders = set(re.findall("INFO folder (.*)\n", said))
    assert len(folders) == 1
    assert not Path(folders.pop()).exists(), "a folder was left behind"
    assert re.sub("INFO folder .*\n", "", said) == (
        f"START 15\n{settings.format(4)}"
        "INFO time_left 100000\nBEGIN\nINFO time_left 100000\nTURN 8,8\n"
        f"RECTSTART 15,12\n{settings.format(1)}"
        "INFO time_left 100000\nBOARD\n3,3,3\n1,2,2\n3,4,1\n5,6,2\nDONE\nEND\n"
    )


def test_reports_are_read_while_the_program_thinks(scripted: MakeProgram, hasty: Timeouts) -> None:
    said = (
        "MESSAGE Depth 3-9 | Eval 12 | Node 1000 | Speed 5 | Time 2ms | H8 H9;"
        "DEBUG 1,1;MESSAGE hello;MESSAGE Depth 4-11 | Eval +M5 | Node 2000; 7 , 7 "
    )
    heard: list[Report] = []
    with _player(scripted("A", said), hasty) as player:
        player.new_game(15, 15, 0)
        unlimited = Clock(TimeControl())
        answer = player.ask_move(Referee(15, 15, 0), BLACK, unlimited, heard.append)
    assert (answer.x, answer.y) == (7, 7)
    assert answer.report == Report(4, 11, None, 5, 2000, "H8 H9")
    assert [report.depth_plies for report in heard] == [3, 4]


@pytest.mark.parametrize(
    "answer",
    [
        *("ERROR what?", "UNKNOWN command", "unknown", " ERROR "),
        'UNKNOWN command "BEGIN": the commands are START INFO END',
        "unknown begin (not info)",
    ],
)
def test_a_refusal_ends_the_wait_at_once(
    scripted: MakeProgram, hasty: Timeouts, answer: str
) -> None:
    with _player(scripted("A", f"MESSAGE hm;{answer}", turn_s=None), hasty) as player:
        player.new_game(15, 15, 0)
        # Without a time limit a move is waited for ten minutes.
        watch = Stopwatch()
        with pytest.raises(ProgramFailed) as failure:
            player.ask_move(Referee(15, 15, 0), BLACK, Clock(TimeControl()))
        assert watch.ms() < HUNG_MS
    assert failure.value.termination is Termination.ILLEGAL
    assert failure.value.detail == f"answered BEGIN with {answer!r}"


@pytest.mark.parametrize("answer", ["UNKNOWN info", "UNKNOWN", "ERROR what is that"])
def test_an_answer_to_info_is_no_refusal_of_the_request(
    scripted: MakeProgram, hasty: Timeouts, answer: str
) -> None:
    program = scripted(
        "A", "sleep 0.1;7,7", "sleep 0.1;8,8", "ERROR no more", start=f"OK;info {answer}"
    )
    with _player(program, hasty) as player:
        player.new_game(15, 15, 0)
        # The answers to the settings are there before the first request is made.
        time.sleep(0.3)
        assert [_ask(player).x, _ask(player).x] == [7, 8]
        with pytest.raises(ProgramFailed, match="answered BEGIN with 'ERROR no more'"):
            _ask(player)


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        (("SUGGEST 7,7", "7,7"), (7, 7)),
        ((" suggest  7 , 7", "8,8"), (8, 8)),  # what it plays counts
        (
            ("SUGGEST 7,7", "ERROR no such command"),
            "answered PLAY 7,7 with 'ERROR no such command'",
        ),
        (("SUGGEST h8",), "but 'SUGGEST h8'"),
    ],
)
def test_what_a_program_suggests_it_is_told_to_play(
    scripted: MakeProgram, hasty: Timeouts, answers: tuple[str, ...], outcome: object
) -> None:
    with _player(scripted("A", *answers, turn_s=BRIEF_S), hasty) as player:
        player.new_game(15, 15, 0)
        if isinstance(outcome, str):
            with pytest.raises(ProgramFailed, match=outcome) as failure:
                _ask(player, turn_s=BRIEF_S)
            assert failure.value.termination is Termination.ILLEGAL
        else:
            answer = _ask(player)
            assert (answer.x, answer.y) == outcome


def test_a_program_that_obeys_end_is_given_time_to_exit(
    scripted: MakeProgram, hasty: Timeouts
) -> None:
    player = Program(scripted("A", "7,7"), replace(hasty, exit_s=10 * AMPLE_S))
    player.new_game(15, 15, 0)
    watch = Stopwatch(player.pid)
    player.close()
    assert watch.ms() < HUNG_MS
    assert player.pid is None


def test_interrupt_from_another_thread_also_before_the_start(
    scripted: MakeProgram, hasty: Timeouts
) -> None:
    with _player(scripted("A", "7,7"), hasty) as player:
        player.interrupt()
        with pytest.raises(ProgramFailed, match="interrupted"):
            player.new_game(15, 15, 0)


@pytest.mark.parametrize(
    ("text", "report"),
    [
        (
            "Depth 12-20 | Eval 35 | Node 123456 | Speed 1000000 | Time 812ms | H8 H9 I10",
            Report(12, 20, 35, None, 123456, "H8 H9 I10"),
        ),
        ("Depth 12-20 | Eval -35 | Time 812ms | H8", Report(12, 20, -35, None, None, "H8")),
        ("Speed 3M | Depth 5 | Eval +M 7 | Node 123K | Time 1s", Report(5, None, None, 7, 123000)),
        ("eval -m4 | nodes 2.5M", Report(None, None, None, -4, 2_500_000)),
        ("Eval 0|Depth 0-0||", Report(0, 0, 0)),
        ("hello | world", None),
        ("Time 3ms | H8", None),
        ("Depth deep | Eval good | Node many", None),
        ("", None),
    ],
)
def test_messages(text: str, report: Report | None) -> None:
    assert read_message(text) == report


def test_later_messages_add_to_earlier_ones() -> None:
    first = read_message("Depth 3-4 | Eval 10 | Node 99 | H8")
    assert read_message("thinking", first) is first
    assert read_message("Depth 4-6 | Eval +M5", first) == Report(4, 6, None, 5, 99, "H8")


@given(st.text(st.sampled_from("DepthEvalNod M+-.0123456789|KH "), max_size=60))
def test_no_message_breaks_the_reader(text: str) -> None:
    read_message(text)
