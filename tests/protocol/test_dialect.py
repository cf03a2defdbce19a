"""The dialect of Yixin-Board and the web front ends: what its words do and print, and the squares
that it blocks."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from engine.api import Engine
from engine.model import MAX_LINES, Info, Limits, Line, Point, Result, Score, Stone
from protocol import dialect
from protocol.commands import Line as InputLine
from protocol.settings import FileSettings
from protocol.stones import MAX_PATHS
from tests.protocol.conversation import DETAIL
from tests.protocol.fake_brain import FakeBrain
from tests.protocol.test_session import Talk
from tests.protocol.test_session import talk as talk

BLACK, WHITE = Stone.BLACK, Stone.WHITE
TOP_RIGHT = "1,13,1 3,12,2"


class Seer(FakeBrain):
    """Plays the first free square not in the left column; forbids 9,2 and 10,2; sees as many
    lines as it is asked for."""

    def is_forbidden(self, x: int, y: int) -> bool:
        return (x, y) in self.forbidden_points()

    def forbidden_points(self) -> list[Point]:
        return [Point(9, 2), Point(10, 2)]

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        self.calls.append(("think", limits))
        taken = {(stone.x, stone.y) for stone in self.position.stones}
        points = [
            Point(x, y)
            for y in range(self.position.height)
            for x in range(1, self.position.width)
            if (x, y) not in taken
        ]
        lines = tuple(
            Line(Score(50 - 10 * i), 7, 12, (points[i], points[-1])) for i in range(limits.lines)
        )
        info = Info(7, 12, lines[0].score, 1234, 5000, 246, lines[0].pv, lines)
        if on_info is not None:
            on_info(info)
        return Result(lines[0].pv[0], info)


def seer_talk(*words: str, coordinates: str | None = None, size: str = "15") -> Talk:
    talk = Talk(file_settings=FileSettings(yixin_coordinates=coordinates), brain=Seer())
    for word in words:
        talk.say(word)
    assert talk.say(f"START {size}") == ["OK"]
    return talk


def analyse(talk: Talk, body: str = TOP_RIGHT, count: str = "1") -> list[str]:
    assert talk.say(f"YXBOARD {body} DONE") == []
    return talk.say(f"YXNBEST {count}")


# -- coordinates


@pytest.mark.parametrize(
    ("word", "coordinates", "is_row_first"),
    [
        ("yxshowinfo", None, True),
        ("yxshowinfo", "auto", True),
        ("YXSHOWINFO", None, False),
        ("YXSHOWINFO", "auto", False),
        ("INFO show_detail 1", None, False),
        ("yxstop", "auto", False),
        ("YXSHOWINFO", "row,col", True),
        ("", "row,col", True),
        ("yxshowinfo", "x,y", False),
    ],
)
def test_the_order_of_coordinates(word: str, coordinates: str | None, is_row_first: bool) -> None:
    """What one stone is depends on who the manager is, and so does everything printed."""
    talk = seer_talk(word, coordinates=coordinates)
    talk.say("INFO show_detail 3")
    talk.say("INFO rule 4")
    printed = analyse(talk)
    stones = [(1, 13, BLACK), (3, 12, WHITE)]
    if is_row_first:
        stones = [(y, x, stone) for x, y, stone in stones]
    assert talk.position.stones == tuple(stones)
    # The brain plays 1,0; the line of it ends at 14,14.
    move = "0,1" if is_row_first else "1,0"
    assert printed[-1] == move
    assert f"MESSAGE REALTIME BEST {move}" in printed
    assert f"INFO BESTLINE {move} 14,14" in printed
    # Names of squares are for people, and the same for all.
    assert printed[0].endswith("| B15 O1")
    assert talk.position.side_to_move is BLACK
    talk.say(f"YXBOARD {TOP_RIGHT} DONE")
    forbidden = "FORBID 02090210." if is_row_first else "FORBID 09021002."
    assert talk.say("YXSHOWFORBID") == [forbidden]


def test_who_tells_late_keeps_the_position() -> None:
    talk = Talk(brain=Seer())
    talk.say("START 15")
    talk.say("BOARD 3,12,2 DONE")
    before = talk.position.stones
    talk.say("yxshowinfo")
    talk.say("turn 14,0")
    assert talk.position.stones == (*before, (1, 0, WHITE), (0, 14, BLACK))


# -- yxboard and yxnbest


def test_nbest_asks_for_lines_and_an_exact_value(talk: Talk) -> None:
    for sent, lines in (("3", 3), ("1", 1), ("64", 64), ("65", MAX_LINES), ("99999", MAX_LINES)):
        analyse(talk, count=sent)
        assert (talk.limits[-1].lines, talk.limits[-1].is_analysis) == (lines, True)
    talk.answer("TURN 0,0")
    assert (talk.limits[-1].lines, talk.limits[-1].is_analysis) == (1, False)


def test_without_limits_an_analysis_goes_on_until_stopped(talk: Talk) -> None:
    analyse(talk)
    for sent in ("timeout_turn 50", "max_depth 3", "max_node 10", "time_left 50"):
        talk.say(f"INFO {sent}")
        analyse(talk)
        talk.say(f"INFO {sent.split()[0]} {2**31 - 1 if 'time' in sent else 0}")
    turns = [limits.turn_ms for limits in talk.limits]
    assert turns == [dialect.UNTIL_STOPPED_MS, 50, None, None, None]


# -- what is printed about a search


def test_details_only_on_request() -> None:
    talk = seer_talk()
    for detail, kinds in (("0", set()), ("1", {"MESSAGE"}), ("2", {"INFO"})):
        talk.say(f"INFO show_detail {detail}")
        assert {line.split()[0] for line in analyse(talk)[1:-1]} == kinds
    talk.say("INFO show_detail 3")
    printed = analyse(talk, count="2")
    assert printed[2:4] == ["MESSAGE REALTIME REFRESH", "MESSAGE REALTIME BEST 1,0"]
    first, second = (printed.index(f"INFO PV {number}") for number in (0, 1))
    said = dict(line.split(" ", 2)[1:] for line in printed[first:second])
    assert (said["NUMPV"], said["EVAL"], said["WINRATE"]) == ("2", "50", "0.5566")
    assert said["BESTLINE"] == "1,0 14,14" and "INFO EVAL 40" in printed[second:]
    assert all(DETAIL.fullmatch(line) for line in printed[1:-1])


def test_a_mate_in_the_details() -> None:
    info = Info(3, 9, Score(0, 5), 10, 10, 10, (Point(0, 0),))
    lines = dialect.detail_lines(info, dialect.SHOW_LINES, 15, lambda point: point)
    assert "INFO EVAL +M5" in lines and "INFO WINRATE 1.0000" in lines


# -- yxshowinfo, yxshowforbid, yxhashclear


@pytest.mark.parametrize(
    ("cores", "memory_bytes", "machine_bytes", "told"),
    [
        (6, 256 * 2**20, 16 * 2**30, (6, 17)),
        (500, None, 16 * 2**30, (64, 23)),
        (None, 1, 16 * 2**30, (1, 10)),
        (1, None, 0, (1, 21)),  # the system does not tell
    ],
)
def test_the_limits_of_threads_and_memory(
    monkeypatch: pytest.MonkeyPatch,
    cores: int | None,
    memory_bytes: int | None,
    machine_bytes: int,
    told: tuple[int, int],
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    threads, memory = dialect.capability_lines(memory_bytes, machine_bytes)
    assert threads == f"MESSAGE INFO MAX_THREAD_NUM {told[0]}"
    assert memory == f"MESSAGE INFO MAX_HASH_SIZE {told[1]}"


@pytest.mark.parametrize(
    ("score", "answer"),
    [
        (Score(1), "REJECT"),
        (Score(0), "REJECT"),
        (Score(-1), "ACCEPT"),
        (Score(0, 5), "REJECT"),
        (Score(0, -6), "ACCEPT"),
    ],
)
def test_a_draw_is_taken_where_less_is_seen(talk: Talk, score: Score, answer: str) -> None:
    assert talk.say("yxdraw") == ["MESSAGE DRAW REJECT"]
    talk.session.execute(InputLine("BEGIN"))
    move = Point(7, 7)
    talk.session.finish(Result(move, Info(1, 1, score, 1, 1, 1, (move,))), 0)
    assert talk.say("yxdraw") == [f"MESSAGE DRAW {answer}"]
    talk.say("START 15")
    assert talk.say("yxdraw") == ["MESSAGE DRAW REJECT"]


# -- options without an effect


@pytest.mark.parametrize(
    ("sent", "is_told"),
    [
        *((f"{key} {value}", True) for key, value in (
            ("caution_factor", 3), ("start_depth", 9), ("nbestsym", 1), ("checkmate", 1),
            ("usedatabase", 1), ("vcthread", 2))),
        *((f"{key} 0", False) for key in (
            "nbestsym", "checkmate", "usedatabase", "vcthread", "game_type")),
        ("start_depth 1", False),
    ],
)  # fmt: skip
def test_what_has_no_effect_is_told_once(talk: Talk, sent: str, is_told: bool) -> None:
    assert talk.say(f"INFO {sent}") == talk.say(f"INFO {sent}") == []
    remarks = [line for line in talk.say("RESTART") if line.startswith("MESSAGE ")]
    told = [bool(re.match(rf"MESSAGE INFO {sent} has no effect: \w+", line)) for line in remarks]
    assert told == [True] * is_told
    assert talk.all(f"INFO {sent}|RESTART") == ["OK"]


# -- yxblock, yxblockpath and their relatives


def excluded(said: str) -> list[tuple[int, ...]]:
    """What the last search of a conversation on 15x15 must not play. The brain would play 1,0, then
    2,0 and so on."""
    talk = Talk(brain=Seer())
    talk.all(f"START 15|{said}")
    return sorted((x, y) for x, y in talk.limits[-1].excluded)


STONES = "YXBOARD 7,7,1 8,8,2 DONE|YXNBEST 1"
PATH = "yxblockpath 7,7 8,8 9,9 done"
BLOCKED = [
    ("yxblock|3,4|5,6|done|BEGIN", [(3, 4), (5, 6)]),
    ("yxblock 3,4 5,6 done|yxblock 0,0 3,4 done|BEGIN", [(0, 0), (3, 4), (5, 6)]),
    ("yxblock 3,4 0,0 done|yxblockundo 3,4 9,9 done|BEGIN", [(0, 0)]),
    ("yxblock 3,4 done|yxblockreset|BEGIN", []),
    # Every search for a move keeps to it.
    *((f"yxblock 3,4 done|{request}", [(3, 4)]) for request in (
        "TURN 9,9", "BOARD 9,9,2 DONE", "YXNBEST 3", "YXSEARCHDEFEND", "BEGIN")),
    # Yixin-Board sends START before every search, and yxblockreset when the user wants it.
    ("yxblock 3,4 12,12 done|START 10|BOARD 2,2,2 DONE", [(3, 4)]),
    ("yxblock 3,4 12,12 done|START 10|RESTART|BEGIN", [(3, 4)]),
    # Rows first; who tells late keeps the squares.
    ("yxshowinfo|START 15|yxblock 3,4 done|BEGIN", [(4, 3)]),
    ("yxshowinfo|START 15|yxblock 3,4 done|YXSHOWINFO|BEGIN", [(4, 3)]),
    ("yxshowinfo|START 15|yxblockpath 0,5 1,5 2,9 done|YXBOARD 0,5,1 1,5,2 DONE|YXNBEST 1",
     [(9, 2)]),
    ("yxshowinfo|START 15|yxblockpath 0,5 1,5 2,9 done|YXSHOWINFO|YXBOARD 5,0,1 5,1,2 DONE"
     "|YXNBEST 1", [(9, 2)]),
    # A path blocks its end in one position.
    (f"yxblockpath|7,7|8,8|9,9|done|{STONES}", [(9, 9)]),
    (f"{PATH}|YXBOARD 8,8,2 7,7,1 DONE|YXNBEST 1", [(9, 9)]),
    *((f"{PATH}|YXBOARD {body} DONE|YXNBEST 1", []) for body in (
        "8,8,1 7,7,2", "7,7,2", "7,7,1 8,8,2 9,9,1 1,1,2")),
    (f"{PATH}|TURN 7,7", []),
    (f"{PATH}|yxblockpathundo 7,7 8,8 9,9 done|{STONES}", []),
    # Paths and squares are taken back by their own words.
    ("yxblockpath 4,4 done|yxblock 5,5 done|BEGIN", [(4, 4), (5, 5)]),
    ("yxblockpath 4,4 done|yxblock 5,5 done|yxblockreset|BEGIN", [(4, 4)]),
    ("yxblockpath 4,4 done|yxblock 5,5 done|yxblockpathreset|BEGIN", [(5, 5)]),
]  # fmt: skip


@pytest.mark.parametrize(("said", "points"), BLOCKED)
def test_what_is_blocked(said: str, points: list[tuple[int, int]]) -> None:
    assert excluded(said) == points


def test_all_paths_but_one_as_yixin_board_sends_them() -> None:
    """With the squares of a board of 22x22, whatever the size is."""
    others = [(x, y) for x in range(22) for y in range(22) if (x, y) != (6, 6)]
    paths = "|".join(f"yxblockpath 7,7 8,8 {x},{y} done" for x, y in others)
    found = {*excluded(f"{paths}|{STONES}")}
    left = {(x, y) for x in range(15) for y in range(15)} - found
    assert left == {(6, 6), (7, 7), (8, 8)}


def test_paths_have_a_limit(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_PATHS > 22 * 22
    monkeypatch.setattr("protocol.stones.MAX_PATHS", 3)
    for x in range(3):
        assert talk.say(f"yxblockpath {x},0 done") == []
    (line,) = talk.say("yxblockpath 3,0 done")
    assert line.startswith("ERROR 3 paths are blocked already")


def test_everything_blocked_is_one_error_and_keeps_the_position(talk: Talk) -> None:
    squares = " ".join(f"{x},{y}" for x in range(5) for y in range(5))
    talk.all(f"START 5|yxblock {squares} done|YXBOARD 2,2,2 DONE")
    for sent in ("YXNBEST 1", "YXSEARCHDEFEND", "TURN 1,1", "BOARD DONE"):
        (line,) = talk.say(sent)
        assert line.startswith("ERROR all free squares are blocked: send YXBLOCKRESET")
    talk.all("yxblockundo 1,3 done|YXNBEST 1")
    assert talk.position.stones == ((2, 2, BLACK),)


def test_a_brain_that_plays_a_blocked_square_is_not_followed() -> None:
    """A brain need not know of blocked squares; any other move is played then, and that is said."""
    talk = Talk(brain=Seer())
    *_, notice, move = talk.all("START 15|yxblock 1,0 7,7 done|BEGIN")
    assert notice == "MESSAGE the search failed, this is any legal move: 1,0 is blocked"
    assert move not in ("1,0", "7,7")


def test_defences_are_lines_of_their_own() -> None:
    """Against an open three: each move that stops it has a line, and none that is blocked."""
    talk = Talk(brain=Engine())
    talk.all("START 15|INFO max_depth 2|INFO show_detail 2")

    def defences() -> set[str]:
        printed = talk.all("YXBOARD 6,7,2 7,7,2 8,7,2 0,0,1 13,14,1 DONE|YXSEARCHDEFEND")
        begin = len(printed) - 1 - printed[::-1].index("INFO PV 0")
        lines = [line.split() for line in printed[begin:]]
        return {words[2] for words in lines if words[:2] == ["INFO", "BESTLINE"]}

    found = defences()
    assert {"5,7", "9,7"} <= found and len(found) <= 64
    talk.say("yxblock 5,7 done")
    assert defences() == found - {"5,7"}
