"""yxblock, yxblockpath and their relatives: squares that Tengen does not play."""

from __future__ import annotations

import pytest

from engine.api import Engine
from engine.model import Point, Stone
from protocol.stones import MAX_PATHS
from tests.protocol.test_session import Talk
from tests.protocol.test_yixin import Seer


@pytest.fixture
def talk() -> Talk:
    """The brain would play 1,0, then 2,0 and so on, whatever is excluded."""
    talk = Talk(brain=Seer())
    assert talk.answer("START 15") == "OK"
    return talk


def excluded(talk: Talk) -> list[Point]:
    return sorted(Point(*point) for point in talk.limits[-1].excluded)


def search(talk: Talk, request: str = "YXNBEST 1", body: str = "7,7,1 8,8,2") -> list[Point]:
    """What a request for a move excludes."""
    talk.say(f"YXBOARD {body} DONE")
    talk.say(request)
    return excluded(talk)


def test_block_undo_and_reset(talk: Talk) -> None:
    for sent in ("yxblock", "3,4", "5,6", "done"):
        assert talk.say(sent) == []
    assert search(talk) == [(3, 4), (5, 6)]
    assert talk.say("yxblock 0,0 3,4 done") == []
    assert search(talk) == [(0, 0), (3, 4), (5, 6)]
    assert talk.say("yxblockundo 3,4 9,9 done") == []
    assert search(talk) == [(0, 0), (5, 6)]
    assert talk.say("yxblockreset") == []
    assert search(talk) == []


@pytest.mark.parametrize(
    "request_", ["TURN 9,9", "BOARD 9,9,2 DONE", "YXNBEST 3", "YXSEARCHDEFEND", "BEGIN"]
)
def test_every_search_for_a_move_keeps_to_it(talk: Talk, request_: str) -> None:
    talk.say("yxblock 3,4 done")
    talk.say(request_)
    assert excluded(talk) == [(3, 4)]


def test_start_and_board_keep_it(talk: Talk) -> None:
    """Yixin-Board sends START before every search, and yxblockreset when the user wants it."""
    talk.say("yxblock 3,4 12,12 done")
    talk.say("START 10")
    talk.say("BOARD 2,2,2 DONE")
    assert excluded(talk) == [(3, 4)]
    talk.say("RESTART")
    talk.say("BEGIN")
    assert excluded(talk) == [(3, 4)]


def test_the_order_of_coordinates() -> None:
    talk = Talk(brain=Seer())
    talk.say("yxshowinfo")
    talk.say("START 15")
    talk.say("yxblock 3,4 done")
    assert search(talk) == [(4, 3)]
    talk.say("yxblockpath 0,5 1,5 2,9 done")
    assert search(talk, body="0,5,1 1,5,2") == [(4, 3), (9, 2)]
    # Who tells late keeps the squares.
    talk.say("YXSHOWINFO")
    assert search(talk) == [(4, 3)]
    assert search(talk, body="5,0,1 5,1,2") == [(4, 3), (9, 2)]


def test_a_path_blocks_its_end_in_one_position(talk: Talk) -> None:
    for sent in ("yxblockpath", "7,7", "8,8", "9,9", "done"):
        assert talk.say(sent) == []
    assert search(talk, body="7,7,1 8,8,2") == [(9, 9)]
    assert search(talk, body="8,8,2 7,7,1") == [(9, 9)]
    assert search(talk, body="8,8,1 7,7,2") == []
    assert search(talk, body="7,7,2") == []
    assert search(talk, body="7,7,1 8,8,2 9,9,1 1,1,2") == []
    talk.say("START 15")
    talk.say("TURN 7,7")
    assert excluded(talk) == []
    talk.say("BOARD 7,7,1 8,8,2 DONE")
    assert excluded(talk) == [(9, 9)]
    talk.say("yxblockpathundo 7,7 8,8 9,9 done")
    assert search(talk) == []


def test_paths_and_squares_are_taken_back_by_their_own_words(talk: Talk) -> None:
    talk.say("yxblockpath 4,4 done")
    talk.say("yxblock 5,5 done")
    assert search(talk, body="") == [(4, 4), (5, 5)]
    talk.say("yxblockreset")
    assert search(talk, body="") == [(4, 4)]
    talk.say("yxblock 5,5 done")
    talk.say("yxblockpathreset")
    assert search(talk, body="") == [(5, 5)]


def test_all_paths_but_one_as_yixin_board_sends_them(talk: Talk) -> None:
    """With the squares of a board of 22x22, whatever the size is."""
    for x in range(22):
        for y in range(22):
            if (x, y) != (6, 6):
                assert talk.say(f"yxblockpath 7,7 8,8 {x},{y} done") == []
    left = {(x, y) for x in range(15) for y in range(15)} - set(search(talk))
    assert left == {(6, 6), (7, 7), (8, 8)}


def test_paths_have_a_limit(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.stones.MAX_PATHS", 3)
    for x in range(3):
        assert talk.say(f"yxblockpath {x},0 done") == []
    (line,) = talk.say("yxblockpath 3,0 done")
    assert line.startswith("ERROR 3 paths are blocked already")
    assert MAX_PATHS > 22 * 22


def test_everything_blocked_is_one_error_and_keeps_the_position(talk: Talk) -> None:
    squares = [f"{x},{y}" for x in range(5) for y in range(5)]
    talk.say("START 5")
    talk.say(f"yxblock {' '.join(squares)} done")
    talk.say("YXBOARD 2,2,2 DONE")
    for sent in ("YXNBEST 1", "YXSEARCHDEFEND", "TURN 1,1", "BOARD DONE"):
        (line,) = talk.say(sent)
        assert line.startswith("ERROR all free squares are blocked: send YXBLOCKRESET")
    talk.say("yxblockundo 1,3 done")
    talk.say("YXNBEST 1")
    assert talk.position.stones == ((2, 2, Stone.BLACK),)


def test_a_brain_that_plays_a_blocked_square_is_not_followed(talk: Talk) -> None:
    """A brain need not know of blocked squares; any other move is played then, and that is said."""
    talk.say("yxblock 1,0 7,7 done")
    *_, notice, move = talk.say("BEGIN")
    assert notice == "MESSAGE the search failed, this is any legal move: 1,0 is blocked"
    assert move not in ("1,0", "7,7")


def test_defences_are_lines_of_their_own() -> None:
    """Against an open three: each move that stops it has a line, and none that is blocked."""
    talk = Talk(brain=Engine())
    talk.say("START 15")
    talk.say("INFO max_depth 2")
    talk.say("INFO show_detail 2")
    body = "6,7,2 7,7,2 8,7,2 0,0,1 13,14,1"

    def defences() -> set[str]:
        talk.say(f"YXBOARD {body} DONE")
        printed = talk.say("YXSEARCHDEFEND")
        assert printed[-1] == printed[-2].split()[2] or printed[-2] == "INFO PV DONE"
        begin = len(printed) - 1 - printed[::-1].index("INFO PV 0")
        lines = [line.split() for line in printed[begin:]]
        return {words[2] for words in lines if words[:2] == ["INFO", "BESTLINE"]}

    found = defences()
    assert {"5,7", "9,7"} <= found and len(found) <= 64
    talk.say("yxblock 5,7 done")
    assert defences() == found - {"5,7"}
