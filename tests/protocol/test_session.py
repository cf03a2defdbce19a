"""The state between commands, with a brain that does not think."""

from __future__ import annotations

import gc
import time
import tracemalloc
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.model import Info, Limits, Point, Position, Rule, Score, Stone
from protocol.commands import Line, is_command
from protocol.messages import About
from protocol.preferences import NO_PREFERENCES, Preferences
from protocol.session import URGENT_WORDS, Outcome, Session
from tengen.opponents.registry import create
from tests.protocol.fake_brain import FakeBrain

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL


class Talk:
    """A session whose requests to think are served at once, as the loop would."""

    def __init__(
        self, *options: str, preferences: Preferences = NO_PREFERENCES, brain: Any = None
    ) -> None:
        self.brain: Any = brain or FakeBrain(options=frozenset(options))
        self.session = Session(lambda: self.brain, About("Fake", "1", "nobody"), preferences)

    def say(self, text: str, read_ns: int = 0) -> list[str]:
        """All lines printed for a line."""
        reply = self.session.execute(Line(text, read_ns))
        if reply.limits is None:
            return list(reply.lines)
        printed = list(reply.lines)

        def on_info(info: Info) -> None:
            printed.extend(self.session.report(info))

        try:
            outcome: Outcome = self.session.thinks.think(reply.limits, on_info)
        except Exception as failure:
            outcome = failure
        return printed + list(self.session.finish(outcome, time.perf_counter_ns()))

    def answer(self, text: str) -> str:
        """The one answer to a command, reports left out."""
        lines = [line for line in self.say(text) if not line.startswith("MESSAGE ")]
        assert len(lines) == 1
        return lines[0]

    @property
    def position(self) -> Position:
        """What the brain was last told to think about."""
        position: Position = self.brain.position
        return position

    def told(self, name: str) -> list[object]:
        return [value for call, value in self.brain.calls if call == name]


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    assert talk.answer("START 15") == "OK"
    return talk


def colours(position: Position) -> list[Stone]:
    return [placed.stone for placed in position.stones]


def test_begin(talk: Talk) -> None:
    report, move = talk.say("BEGIN")
    assert report.startswith("MESSAGE Depth 1-1 | Eval 0 | Node 225 |")
    x, y = map(int, move.split(","))
    assert talk.position == Position(15, 15, Rule.FREESTYLE, (), BLACK)
    talk.say("TURN 0,0")
    assert talk.position.stones == ((x, y, BLACK), (0, 0, WHITE))
    assert talk.position.side_to_move is BLACK


def test_a_report_is_made_for_every_move_but_not_twice_in_a_row(talk: Talk) -> None:
    for x in range(5):
        lines = talk.say(f"TURN {x},0")
        assert [line.startswith("MESSAGE") for line in lines] == [True, False]
    info = Info(2, 2, Score(3), 1, 1, 1, (Point(1, 1),))
    assert len(talk.session.report(info)) == 1
    assert talk.session.report(info) == ()


def test_the_brain_is_made_when_a_game_begins() -> None:
    made: list[FakeBrain] = []

    def make() -> FakeBrain:
        made.append(FakeBrain())
        return made[-1]

    session = Session(make, About("Fake", "1", "nobody"))
    for text in ("ABOUT", "INFO rule 1", "START 99", "BEGIN", "STOP"):
        session.execute(Line(text))
    assert made == []
    for text in ("START 15", "RESTART", "START 20"):
        session.execute(Line(text))
    assert len(made) == 1


def test_the_brain_is_told_everything_before_it_thinks(talk: Talk) -> None:
    talk.say("INFO max_memory 367001600")
    talk.say("INFO timeout_turn 100")
    talk.say("INFO rule 4")
    talk.say("TURN 7,7", 12345)
    assert [name for name, _ in talk.brain.calls] == [
        "new_game",
        "set_position",  # an empty board of each rule, before the clock runs
        "set_position",
        "set_memory",
        "set_position",
        "think",
    ]
    assert talk.told("set_memory") == [(367001600, None)]
    assert talk.told("think") == [Limits(turn_ms=100, started_ns=12345)]
    assert talk.position.rule is Rule.RENJU


@pytest.mark.parametrize(
    ("said", "name", "told"),
    [
        (
            "BEGIN|RESTART|BEGIN|INFO hash_size 1024|RESTART|BEGIN|INFO max_memory 0|RESTART|BEGIN",
            "set_memory",
            [(None, None), (None, 2**20)],
        ),
        ("BEGIN|INFO thread_num 4|RESTART|BEGIN|RESTART|BEGIN", "set_threads", [4]),
        # What the memory allows may have changed.
        ("INFO thread_num 4|BEGIN|INFO max_memory 99999999|TURN 0,0", "set_threads", [4, 4]),
        ("INFO thread_num 4|BEGIN|INFO thread_num 1|TURN 0,0", "set_threads", [4, 1]),
        ("BEGIN|INFO strength 100|RESTART|BEGIN|INFO strength 7|RESTART", "set_strength", []),
        (
            "INFO strength 7|BEGIN|RESTART|BEGIN|INFO seed 3|INFO strength 100|RESTART|BEGIN",
            "set_strength",
            [(7, None), (100, 3)],
        ),
        (
            "INFO param.known 7|INFO PARAM.other 8|INFO param.known x|START 15|BEGIN|TURN 0,0",
            "set_parameter",
            [("known", 7), ("other", 8)],
        ),
    ],
)
def test_the_brain_is_told_what_has_changed(
    talk: Talk, said: str, name: str, told: list[object]
) -> None:
    for text in said.split("|"):
        talk.say(text)
    assert talk.told(name) == told


@pytest.mark.parametrize(
    ("said", "notice"),
    [
        ("INFO max_memory 1000", "1000 bytes of memory are too little for this brain"),
        (
            "INFO max_memory 33554432|INFO thread_num 33",
            "33554432 bytes of memory are too little for 33 threads",
        ),
        ("START 13", "this brain dislikes boards of 13"),
        ("INFO param.other 8", "INFO param.other: there is no parameter of that name"),
        ("INFO param.known x", 'INFO param.known needs a whole number, "x" is not one; the earlier'
         " value stays"),
    ],
)  # fmt: skip
def test_what_the_brain_says_comes_before_the_move(talk: Talk, said: str, notice: str) -> None:
    for text in said.split("|"):
        talk.say(text)
    first, report, move = talk.say("BEGIN")
    assert first == f"MESSAGE {notice}" and report.startswith("MESSAGE Depth") and "," in move
    talk.say("START 15")
    assert len(talk.say("TURN 0,0")) == 2  # once


def test_a_brain_with_one_strength_says_so_once() -> None:
    talk = Talk(brain=create("simple", 0))
    talk.say("INFO strength 7")
    talk.say("START 15")
    said = [line for line in talk.say("BEGIN") if "strength" in line]
    assert said == ["MESSAGE INFO strength has no effect: this program has one strength"]
    talk.say("RESTART")
    assert not any("strength" in line for line in talk.say("BEGIN"))


def test_what_is_wrong_with_the_preferences_comes_with_the_first_answer() -> None:
    talk = Talk(preferences=Preferences(notices=("first", "second")))
    assert talk.say("INFO rule 0") == []
    assert len(talk.say("ABOUT")) == 1
    assert talk.say("START 60")[:2] == ["MESSAGE first", "MESSAGE second"]
    assert talk.say("START 15") == ["OK"]


def test_the_clock_starts_when_the_command_is_read_but_not_during_the_search_before(
    talk: Talk,
) -> None:
    before_ns = time.perf_counter_ns()
    talk.say("BEGIN", 7)
    talk.say("TURN 0,0", 8)
    later_ns = time.perf_counter_ns() + 10**9
    talk.say("TURN 1,0", later_ns)
    starts = [limits.started_ns for limits in talk.told("think") if isinstance(limits, Limits)]
    assert starts[0] == 7
    assert starts[1] is not None and starts[1] >= before_ns
    assert starts[2] == later_ns


def test_the_clock_of_a_board_starts_with_done(talk: Talk) -> None:
    talk.session.execute(Line("BOARD", 1))
    talk.session.execute(Line("7,7,2", 2))
    reply = talk.session.execute(Line("DONE", 3))
    assert reply.limits is not None and reply.limits.started_ns == 3


def test_start_and_restart_keep_the_settings(talk: Talk) -> None:
    talk.say("INFO rule 1")
    talk.say("INFO timeout_turn 50")
    assert talk.answer("START 20 12") == "OK"
    talk.say("BEGIN")
    assert talk.answer("RESTART") == "OK"
    talk.say("TURN 19,11")
    assert (talk.position.width, talk.position.height) == (20, 12)
    assert talk.position.rule is Rule.STANDARD
    assert len(talk.told("new_game")) == 3
    assert [limits.turn_ms for limits in talk.told("think") if isinstance(limits, Limits)] == [
        50,
        50,
    ]


def test_board_replaces_the_position_and_errors_do_not(talk: Talk) -> None:
    talk.say("TURN 0,0")
    before = talk.session.game.stones
    for body in ("x", "7,7,1 7,7,1", "15,15,1", "0,0,7"):
        assert talk.answer(f"BOARD {body} DONE").startswith("ERROR ")
    assert talk.session.game.stones == before
    talk.say("BOARD 7,7,2 DONE")
    assert talk.position.stones == ((7, 7, BLACK),)


def test_the_first_thing_wrong_with_a_board_is_told(talk: Talk) -> None:
    assert "15,0 is off" in talk.answer("BOARD 15,0,1 x 0,0,1 0,0,1 DONE")
    assert '"x" is not a stone' in talk.answer("BOARD 1,0,1 x 15,0,1 DONE")


def test_info_inside_a_block_is_info(talk: Talk) -> None:
    assert talk.say("BOARD") == []
    assert talk.say("INFO rule 4") == []
    assert talk.say("7,7,2") == []
    assert talk.say("YXSTOP") == []
    talk.answer("DONE")
    assert talk.position.rule is Rule.RENJU
    assert talk.position.stones == ((7, 7, BLACK),)


def test_a_wall_cannot_be_taken_back_but_a_new_position_has_none(talk: Talk) -> None:
    talk.say("INFO rule 2")
    for clearing in ("START 15", "RESTART", "BOARD 0,0,2 DONE"):
        talk.say("BOARD 5,5,3 DONE")
        assert talk.answer("TAKEBACK 5,5").startswith("ERROR 5,5 is of a finished line")
        talk.say(clearing)
        assert talk.answer("TURN 5,5").count(",") == 1


def test_the_stones_of_a_line_belong_to_nobody_in_a_continuous_game(talk: Talk) -> None:
    row = "3,7,2 4,7,2 5,7,2 6,7,2 3,8,1 4,8,1 5,8,1 6,8,1"
    line = [(x, 7) for x in range(3, 8)]
    for rule, wall_count in (("0", 0), ("2", 5), ("6", 5), ("11", 5)):
        talk.say(f"INFO rule {rule}")
        talk.say(f"BOARD {row} 0,0,2 14,0,1 DONE")
        assert WALL not in colours(talk.position)
        talk.say("TURN 7,7")
        walls = [(x, y) for x, y, stone in talk.position.stones if stone is WALL]
        assert sorted(walls) == line[:wall_count]
        assert talk.position.side_to_move is talk.session.game.stones.own  # type: ignore[union-attr]
        taken_back = talk.answer("TAKEBACK 7,7")
        assert taken_back == "OK" if rule == "0" else taken_back.startswith("ERROR 7,7 is of a")


def test_our_own_line_belongs_to_nobody_too(talk: Talk) -> None:
    talk.say("INFO rule 3")
    for x in range(5):
        talk.say(f"PLAY {x},0")
    talk.say("TURN 9,9")
    assert colours(talk.position) == [WALL] * 5 + [WHITE]
    assert talk.position.side_to_move is BLACK


def test_a_position_leaves_no_memory_behind(talk: Talk) -> None:
    # The interpreter keeps the room of tuples by their length. When tuple() reads an iterator it
    # takes that of another length than it gives back, so its memory grows with every command.
    body = " ".join(f"{i},{i % 2},{1 + i % 2}" for i in range(14))
    for _ in range(20):
        talk.say(f"BOARD {body} DONE")
    talk.brain.calls.clear()
    gc.collect()
    gc.disable()
    tracemalloc.start()
    try:
        for _ in range(500):
            talk.say(f"BOARD {body} DONE")
            talk.brain.calls.clear()
        assert tracemalloc.get_traced_memory()[0] < 20_000
    finally:
        tracemalloc.stop()
        gc.enable()


def test_play_puts_our_stone(talk: Talk) -> None:
    assert talk.say("PLAY 7,7") == ["7,7"]
    talk.say("TURN 0,0")
    assert talk.position.stones == ((7, 7, BLACK), (0, 0, WHITE))
    # Once more without the opponent's move between: still our stone.
    assert talk.say("PLAY 1,1") == ["1,1"]
    talk.say("TURN 0,1")
    assert colours(talk.position)[-2:] == [BLACK, WHITE]


def test_a_position_that_the_brain_refuses(talk: Talk) -> None:
    talk = Talk("--standard-only")
    talk.say("START 15")
    assert talk.answer("TURN 0,0") == (
        "ERROR this position cannot be played: only standard is known to this brain"
    )
    talk.say("INFO rule 1")
    talk.answer("TURN 0,0")
    assert talk.position.stones == ((0, 0, BLACK),)


def test_after_a_failing_search_any_legal_move_is_played() -> None:
    for option, text in (("--crash", "no idea"), ("--occupy", "is occupied")):
        talk = Talk(option)
        talk.say("START 15")
        lines = talk.say("TURN 7,7")
        remark, move = lines[-2:]
        assert remark.startswith("MESSAGE the search failed") and text in remark
        assert move == "7,6"
        talk.say("TURN 0,0")
        assert colours(talk.position) == [BLACK, WHITE, BLACK]


def test_a_move_without_a_search_is_not_forbidden() -> None:
    class Knowing(FakeBrain):
        def is_forbidden(self, x: int, y: int) -> bool:
            return (x, y) != (1, 2)

        def forbidden_points(self) -> list[Point]:
            return []

    talk = Talk()
    talk.brain = Knowing(options=frozenset({"--crash"}))
    talk.say("START 15")
    assert talk.answer("BEGIN") == "1,2"
    # All that is left is forbidden, and still a move must come.
    assert talk.answer("TURN 0,0") == "7,7"


# -- a block that is broken off


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("START 20", "OK"),
        ("restart", "OK"),
        ("ABOUT", 'name="Fake", version="1", author="nobody"'),
        ("PLAY 4,4", "4,4"),
        ("TAKEBACK 0,0", "OK"),
        ("TURN 99,0", "ERROR 99,0 is off the board"),
    ],
)
def test_a_command_ends_a_block_that_has_no_done(talk: Talk, line: str, answer: str) -> None:
    talk.say("TURN 0,0")
    for text in ("BOARD", "7,7,2"):
        assert talk.say(text) == []
    error, answered = talk.say(line)
    word = line.split()[0].upper()
    assert error == f"ERROR BOARD: {word} came before DONE; the position stays as it was"
    assert answered.startswith(answer)
    assert talk.answer("DONE").startswith("ERROR ")


def test_a_search_or_a_block_can_end_a_block(talk: Talk) -> None:
    talk.say("BOARD 7,7,2")
    lines = talk.say("BEGIN")
    assert lines[0].startswith("ERROR BOARD: BEGIN came") and lines[-1].count(",") == 1
    talk.say("BOARD x")
    (error,) = talk.say("BOARD 1,1,2")
    assert error.startswith('ERROR BOARD: "x" is not a stone')
    talk.say("DONE")
    assert talk.position.stones == ((1, 1, BLACK),)


# -- the time of a game


def test_the_time_of_a_game_is_counted_where_the_manager_does_not(talk: Talk) -> None:
    second_ns = 10**9
    talk.say("INFO timeout_match 100000")
    lefts: list[int | None] = []
    for command in ("BEGIN", "TURN 0,0", "TURN 0,1", "RESTART", "BEGIN"):
        reply = talk.session.execute(Line(command, (begin := 10**15 + len(lefts) * second_ns)))
        if reply.limits is None:
            continue
        left = reply.limits.match_ms if reply.limits.left_ms is None else reply.limits.left_ms
        lefts.append(left)
        move = talk.brain.think(reply.limits)
        talk.session.finish(move, begin + second_ns)
    assert lefts == [100000, 99000, 98000, 100000]
    talk.say("INFO time_left 5000")
    reply = talk.session.execute(Line("TURN 0,0", 10**16))
    assert reply.limits is not None and reply.limits.left_ms == 5000


@pytest.mark.parametrize(
    ("setting", "end_ms"),
    [
        ("timeout_turn 0", -30),
        ("timeout_turn 500", 470),
        ("timeout_turn -1", None),
        ("timeout_turn 2147483647", None),
        ("timeout_turn soon", None),
        ("timeout_match 500", 470),
        ("timeout_match 0", None),
        ("time_left 500", 570),
        ("time_left -20", 50),
        ("time_left 2147483647", None),
        ("rule 7", None),
    ],
)
def test_when_an_info_ends_the_running_search(talk: Talk, setting: str, end_ms: int | None) -> None:
    line = Line(f"INFO {setting}", 10**9 + 100 * 10**6)
    end_ns = talk.session.end_of_search_ns(line, 10**9)
    assert end_ns == (None if end_ms is None else 10**9 + end_ms * 10**6)


def test_two_means_renju_after_any_yixin_word() -> None:
    for word in ("yxshowinfo", "YXSTOP", "info show_detail 1"):
        talk = Talk()
        talk.say("START 15")
        talk.say("INFO rule 2")
        talk.say("BEGIN")
        rules = [talk.position.rule]
        talk.say("RESTART")
        assert all(line.startswith("MESSAGE INFO MAX") for line in talk.say(word))
        talk.say("BEGIN")
        rules.append(talk.position.rule)
        assert rules == [Rule.FREESTYLE, Rule.RENJU]


def test_the_body_of_a_yixin_word_is_silent_and_only_that(talk: Talk) -> None:
    for text in ("yxnosuchword", "7,7,1", "8,8,2", "done"):
        assert talk.say(text) == []
    assert talk.answer("TURN 7,7").count(",") == 1
    assert talk.answer("7,7,1").startswith("ERROR ")
    for text in ("yxhashclear", "yxnosuchword"):
        assert talk.say(text) == []
    assert talk.answer("HELLO").startswith("UNKNOWN ")
    assert talk.answer("DONE").startswith("ERROR ")


def test_problems_come_first_and_once(talk: Talk) -> None:
    talk.say("INFO rule 7")
    assert talk.answer("ABOUT").startswith('name="Fake"')
    assert talk.answer("HELLO").startswith("UNKNOWN ")
    told, answer = talk.say("TURN 99,99")
    assert told.startswith("MESSAGE INFO rule 7 ") and talk.say("TURN 99,99") == [answer]


words = st.sampled_from(
    "START RECTSTART RESTART BEGIN TURN BOARD SWAP2BOARD DONE INFO ABOUT TAKEBACK PLAY STOP YXSTOP"
    " yxboard yxshowinfo YXSHOWINFO yxnbest yxshowforbid yxhashclear yxnosuchword"
    " HELLO 7,7,1 1,2".split()
)
arguments = st.sampled_from(
    ["", "5", "6 5", "15", "60", "rule 4", "rule 5", "rule x", "max_memory 5", "timeout_turn 0"]
) | st.lists(
    st.sampled_from([f"{x},{y}" for x in range(-1, 6) for y in range(6)] + ["x", ",", "DONE"])
    | st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 4)).map(
        lambda triple: ",".join(map(str, triple))
    ),
    max_size=4,
).map(" ".join)
likely_lines = st.tuples(words, arguments).map(" ".join)
odd_lines = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=30)

SILENT = ("", "END", "INFO", "STOP")
DIALECT = ("YXBOARD", "YXNBEST", "YXSHOWFORBID", "YXSHOWINFO")  # others have no answer
# Answered by one line that is no move, or by lines that are remarks.
SHOWING = ("YXSHOWFORBID", "YXSHOWINFO")


@settings(max_examples=300, deadline=None)
@given(st.lists(likely_lines | odd_lines, max_size=25))
@example(["YX", "YXDRAW"])
def test_every_command_has_exactly_one_answer(lines: list[str]) -> None:
    talk = Talk()
    talk.say("START 5")
    for text in lines:
        was_open = talk.session._block is not None
        block = talk.session._block
        was_silent = block is not None and block.word == "YXBOARD"
        was_yixin = talk.session._is_after_yixin
        before = talk.session.game.stones and talk.session.game.stones.copy()
        printed = talk.say(text)
        is_open = talk.session._block is not None
        word = Line(text).word
        if was_open and is_command(word) and word not in URGENT_WORDS:
            # The command ends the block, and is obeyed as without it.
            assert block is not None
            assert printed.pop(0).startswith(f"ERROR {block.word}: ")
            was_open = was_silent = False
        answers = [line for line in printed if not line.startswith("MESSAGE ")]
        is_silent = word in SILENT or (word.startswith("YX") and word not in DIALECT)
        if is_open or (is_silent and not was_open):
            assert printed == ["MESSAGE DRAW REJECT"] * (word == "YXDRAW" and not is_open)
        elif word in SHOWING and not was_open:
            assert [line.startswith(("FORBID ", "ERROR ")) for line in answers] in ([], [True])
        elif was_silent or (word == "YXBOARD" and not was_open):
            assert [line.startswith("ERROR ") for line in printed] in ([], [True])
            continue
        elif was_yixin and not was_open and (word == "DONE" or word[0] in "-0123456789"):
            assert printed == []
        else:
            assert len(answers) == 1
            assert printed[-1] == answers[0]
        if word == "YXSHOWINFO" and not was_open:
            # It can tell that columns and rows are the other way round.
            assert talk.session.game.stones in (before, before and before.transposed())
        elif not answers or answers[0].startswith(("ERROR", "UNKNOWN")):
            assert talk.session.game.stones == before
