"""The state between commands, with a brain that does not think."""

from __future__ import annotations

import time
from typing import Any
from unittest.mock import patch

import pytest

from engine import net, network
from engine.api import Engine
from engine.model import Info, Limits, Point, Position, Result, Rule, Stone
from protocol.brain import Brain
from protocol.commands import Line
from protocol.messages import About, format_point
from protocol.session import Session
from protocol.settings import NO_FILE, FileSettings
from tengen.opponents.registry import create
from tests.protocol.fake_brain import FakeBrain

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL


class Talk:
    """A session whose requests to think are served at once, as the loop would."""

    def __init__(
        self,
        *options: str,
        file_settings: FileSettings = NO_FILE,
        brain: Any = None,
        is_hasty: bool = False,
    ) -> None:
        """`is_hasty`: no search has any time or nodes, whatever limits are sent."""
        self.brain: Any = brain or FakeBrain(options=frozenset(options))
        self.session = Session(lambda: self.brain, About("Fake", "1", "nobody"), file_settings)
        self._is_hasty = is_hasty

    def say(self, text: str, read_ns: int = 0) -> list[str]:
        """All lines printed for a line."""
        reply = self.session.execute(Line(text, read_ns))
        if reply.limits is None:
            return list(reply.lines)
        printed = list(reply.lines)
        limits = reply.limits._replace(turn_ms=0, nodes=1) if self._is_hasty else reply.limits

        def on_info(info: Info) -> None:
            printed.extend(self.session.report(info))

        outcome = self.session.think(limits, on_info)
        return printed + list(self.session.finish(outcome, time.perf_counter_ns()))

    def all(self, texts: str) -> list[str]:
        """All lines printed for the last of several lines, with | between them."""
        return [self.say(text) for text in texts.split("|")][-1]

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

    @property
    def limits(self) -> list[Limits]:
        """Those of all searches so far."""
        return [limits for limits in self.told("think") if isinstance(limits, Limits)]

    def told(self, name: str) -> list[object]:
        return [value for call, value in self.brain.calls if call == name]


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    assert talk.answer("START 15") == "OK"
    return talk


def colours(position: Position) -> list[Stone]:
    return [placed.stone for placed in position.stones]


@pytest.mark.parametrize(
    ("said", "stones"),
    [
        ("BEGIN|TURN 0,0", "BLACK WHITE"),
        # The colours alternate, whoever is to move.
        ("PLAY 7,7|PLAY 8,8|TURN 0,0", "BLACK WHITE BLACK"),
        ("BOARD 7,7,2 DONE|TURN 9,9", "BLACK WHITE BLACK"),
        ("SWAP2BOARD 7,7 8,8 5,9 DONE|PLAY 0,0|TURN 1,1", "BLACK WHITE BLACK WHITE BLACK"),
        # Our own line in a continuous game belongs to nobody.
        (
            "INFO rule 3|YXBOARD 0,0,1 1,0,1 2,0,1 3,0,1 9,8,2 DONE|PLAY 4,0|TURN 9,9",
            "WALL WALL WALL WALL WHITE WALL WHITE",
        ),
    ],
)
def test_whose_stones_they_are(talk: Talk, said: str, stones: str) -> None:
    talk.all(said)
    assert [stone.name for stone in colours(talk.position)] == stones.split()
    assert talk.position.side_to_move is colours(talk.position)[-1].opponent


@pytest.mark.parametrize(
    "opening",
    [
        *("YXBALANCEONE 0", "YXBALANCETWO 0", "SWAP2BOARD DONE", "SWAP2BOARD 7,7 8,8 5,9 DONE"),
        *("SWAP2BOARD 7,7 8,8 5,9 4,4 10,3 DONE", "YXSWAP2STEP1", "YXSOOSORVSTEP1"),
        *("YXSOOSORVSTEP4 2 7,7 7,6 7,5 8,8 DONE", "YXBOARD 7,7,2 8,8,1 5,9,2 DONE|YXSWAP2STEP2"),
        *("INFO rule 5|INFO swapable 1|BEGIN", "INFO rule 5|INFO swapable 1|TURN 7,7"),
    ],
)
@pytest.mark.parametrize(
    "then", ["TURN {}", "PLAY {}", "PLAY {}|PLAY {}", "YXNBEST 1", "YXBALANCEONE 0|PLAY {}"]
)
def test_the_colours_alternate_after_every_opening(talk: Talk, opening: str, then: str) -> None:
    talk.say("INFO max_node 100")
    for text in f"{opening}|{then}|YXNBEST 1".split("|"):
        stones = talk.session.game.stones
        assert stones is not None
        said = talk.say(text.format(format_point(next(stones.free()))))
        assert not any(line.startswith("ERROR") for line in said)
    names = [stone.name for stone in colours(talk.position)]
    assert names == (["BLACK", "WHITE"] * len(names))[: len(names)]


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
    talk.all("INFO max_memory 367001600|INFO timeout_turn 100|INFO rule 4")
    talk.say("TURN 7,7", 12345)
    # An empty board of each rule comes before the clock runs.
    names = "new_game set_position set_position set_memory set_position think"
    assert [name for name, _ in talk.brain.calls] == names.split()
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
    talk.all(said)
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
    first, report, move = talk.all(f"{said}|BEGIN")
    assert first == f"MESSAGE {notice}" and report.startswith("MESSAGE Depth") and "," in move
    talk.say("START 15")
    assert len(talk.say("TURN 0,0")) == 2  # once


@pytest.mark.parametrize("said", ["INFO pondering 0|TURN 0,0", "YXNBEST 1", "SWAP2BOARD DONE"])
def test_nothing_is_pondered_about_a_position_of_before(said: str) -> None:
    """Where a line waited nobody pondered; the next search has nothing to ponder about."""

    class Foreseeing(FakeBrain):
        def think(self, limits: Limits, on_info: Any = None) -> Result:
            found = super().think(limits, on_info)
            reply = Point(0, 14) if found.move == (0, 13) else Point(0, 13)
            return found._replace(info=found.info._replace(pv=(found.move, reply)))

    talk = Talk(brain=Foreseeing())
    with patch.object(talk.session.game.ponderer, "ponder") as ponder:
        talk.all("INFO pondering 1|START 15|BEGIN")
        talk.session.ponder()
        assert ponder.called
        talk.all("TURN 1,0|" + said)
        ponder.reset_mock()
        talk.session.ponder()
        assert not ponder.called


def test_blocked_squares_are_no_first_move_that_the_opponent_may_take() -> None:
    talk = Talk()
    talk.all("INFO rule 5|INFO swapable 1|INFO max_node 10|START 15")
    free = "1,2"
    cells = [f"{x},{y}" for x in range(15) for y in range(15) if f"{x},{y}" != free]
    talk.all("|".join(["yxblock", *cells, "done"]))
    assert talk.say("BEGIN")[-1] == free


@pytest.mark.parametrize("option", ["strength 7", "pondering 1"])
def test_a_program_that_cannot_do_it_says_so_once(option: str) -> None:
    talk = Talk(brain=create("simple", 0))
    said = "".join(talk.all(f"INFO {option}|START 15|BEGIN"))
    assert f"MESSAGE INFO {option.split()[0]} has no effect: this program " in said
    assert "no effect" not in "".join(talk.say("TURN 0,0"))


def test_the_clock_starts_when_the_command_is_read_but_not_in_a_search(talk: Talk) -> None:
    before_ns = time.perf_counter_ns()
    talk.say("BEGIN", 7)
    talk.say("TURN 0,0", 8)
    later_ns = time.perf_counter_ns() + 10**9
    talk.say("TURN 1,0", later_ns)
    starts = [limits.started_ns for limits in talk.limits]
    assert starts[0] == 7
    assert starts[1] is not None and starts[1] >= before_ns
    assert starts[2] == later_ns


def test_the_clock_of_a_board_starts_with_done_and_info_inside_is_info(talk: Talk) -> None:
    for number, text in enumerate(("BOARD", "INFO rule 4", "7,7,2", "YXSTOP")):
        assert talk.say(text, number) == []
    reply = talk.session.execute(Line("DONE", 9))
    assert reply.limits is not None and reply.limits.started_ns == 9
    assert talk.position.rule is Rule.RENJU and talk.position.stones == ((7, 7, BLACK),)


def test_start_and_restart_keep_the_settings(talk: Talk) -> None:
    talk.all("INFO rule 1|INFO timeout_turn 50|START 20 12|BEGIN|RESTART|TURN 19,11")
    assert (talk.position.width, talk.position.height) == (20, 12)
    assert talk.position.rule is Rule.STANDARD
    assert len(talk.told("new_game")) == 3
    assert [limits.turn_ms for limits in talk.limits] == [50, 50]


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
        assert talk.position.side_to_move is Stone.BLACK
        taken_back = talk.answer("TAKEBACK 7,7")
        assert taken_back == "OK" if rule == "0" else taken_back.startswith("ERROR 7,7 is of a")


def test_a_position_that_the_brain_refuses() -> None:
    talk = Talk("--standard-only")
    assert talk.all("START 15|TURN 0,0") == [
        "ERROR this position cannot be played: only standard is known to this brain"
    ]
    talk.all("INFO rule 1|TURN 0,0")
    assert talk.position.stones == ((0, 0, BLACK),)


def test_a_move_without_a_search_is_not_forbidden() -> None:
    class Knowing(FakeBrain):
        def is_forbidden(self, x: int, y: int) -> bool:
            return (x, y) != (1, 2)

    talk = Talk(brain=Knowing(options=frozenset({"--crash"})))
    talk.say("START 15")
    assert talk.answer("BEGIN") == "1,2"
    # All that is left is forbidden, and still a move must come.
    assert talk.answer("TURN 0,0") == "7,7"


# -- the time of a game


def test_the_time_of_a_game_is_counted_where_the_manager_does_not(talk: Talk) -> None:
    talk.say("INFO timeout_match 100000")
    lefts: list[int | None] = []
    grows = "INFO time_increment 250"  # from here on, after each own move
    for command in ("BEGIN", "TURN 0,0", grows, "TURN 0,1", "TURN 0,2", "RESTART", "BEGIN"):
        reply = talk.session.execute(Line(command, (begin := 10**15 + len(lefts) * 10**9)))
        if reply.limits is None:
            continue
        left = reply.limits.match_ms if reply.limits.left_ms is None else reply.limits.left_ms
        lefts.append(left)
        move = talk.brain.think(reply.limits)
        talk.session.finish(move, begin + 10**9)
    assert lefts == [100000, 99000, 98000, 97250, 100000]
    end_ns = talk.session.end_of_search_ns(Line("INFO timeout_match 2000", 10**16), 10**16)
    assert end_ns == 10**16 + (2000 - 750 - 30) * 10**6
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
        ("timeout_match 500", 420),
        ("timeout_match 0", None),
        ("time_left 500", 570),
        ("time_left -20", 50),
        ("time_left 2147483647", None),
        ("rule 7", None),
    ],
)
def test_when_an_info_ends_the_running_search(talk: Talk, setting: str, end_ms: int | None) -> None:
    talk.session.game.used_ns = 50 * 10**6  # by the earlier moves
    line = Line(f"INFO {setting}", 10**9 + 100 * 10**6)
    end_ns = talk.session.end_of_search_ns(line, 10**9)
    assert end_ns == (None if end_ms is None else 10**9 + end_ms * 10**6)


@pytest.mark.parametrize("word", ["yxshowinfo", "YXSTOP", "info show_detail 1"])
def test_two_means_renju_after_any_yixin_word(talk: Talk, word: str) -> None:
    rules = []
    for said in ("INFO rule 2|BEGIN", f"RESTART|{word}|BEGIN"):
        talk.all(said)
        rules.append(talk.position.rule)
    assert rules == [Rule.FREESTYLE, Rule.RENJU]


# -- START where the engine cannot be made, and what it makes ready


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (MemoryError(), "not enough memory"),
        (ImportError("DLL load failed"), "DLL load failed"),
        (ValueError("values.bin: the checksum is wrong"), "values.bin: the checksum is wrong"),
    ],
)
def test_it_is_one_error(problem: Exception, reason: str) -> None:
    def make() -> Brain:
        raise problem

    session = Session(make, About("Fake", "1", "nobody"))
    for _ in range(2):
        assert session.execute(Line("START 15", 0)).lines == (
            f"ERROR the engine cannot start: {reason}",
        )
    assert session.execute(Line("ABOUT", 0)).lines[0].startswith("name=")


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("is_first", [True, False])
def test_no_first_move_waits_for_what_a_rule_needs(
    monkeypatch: pytest.MonkeyPatch, rule: Rule, is_first: bool
) -> None:
    """Tables and net are made when the rule is known, before the command that starts the clock."""
    shown: list[Position] = []

    class Watched(Engine):
        def set_position(self, position: Position) -> str | None:
            shown.append(position)
            return super().set_position(position)

    def load(path: str, rule: int) -> None:
        raise AssertionError("a net is loaded within the clock")

    monkeypatch.setattr(net, "_shipped", {})
    session = Session(Watched, About("Fake", "1", "nobody"))
    lines = ["START 20", f"INFO rule {int(rule)}"]
    for line in lines[::-1] if is_first else lines:
        session.execute(Line(line, 0))
    assert shown[-1].rule == rule and not shown[-1].stones
    # A rule that is sent again takes no time.
    session.execute(Line(f"INFO rule {int(rule)}", 0))
    assert len(shown) == (1 if is_first or rule is Rule.FREESTYLE else 2)
    monkeypatch.setattr(network, "load", load)
    assert session.execute(Line("TURN 5,5", 0)).limits is not None
    assert session.game.brain.think(Limits(nodes=100)).info.nodes


def test_a_rule_that_cannot_be_prepared_is_told_when_a_move_is_asked_for() -> None:
    talk = Talk()
    with patch.object(talk.brain, "set_position", side_effect=MemoryError):
        assert talk.say("START 15") == ["OK"]
    assert talk.answer("BEGIN")
