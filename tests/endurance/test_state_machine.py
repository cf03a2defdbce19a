"""A session with the engine against the oracle, step by step (hypothesis's state machines).

What fails is reduced to a shortest conversation. After every step the squares that are taken must
be those that the oracle knows, and at the end each stone can be taken back.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from engine.api import Engine
from tests.endurance import lines as lines_of_chance
from tests.endurance.oracle import Oracle, Point
from tests.protocol.test_session import Talk

coordinates = st.integers(0, 7)
points = st.tuples(coordinates, coordinates)
far_points = points | st.tuples(st.integers(-1, 23), st.integers(-1, 23))
sizes = st.integers(5, 8) | st.sampled_from([4, 15, 22, 23])
boards = st.lists(st.tuples(points, st.integers(1, 2)), max_size=30, unique_by=lambda e: e[0])
entries = st.tuples(far_points, st.integers(0, 4))
ways = st.booleans()


def square(point: Point) -> str:
    return f"{point[0]},{point[1]}"


class SessionMachine(RuleBasedStateMachine):
    """Sends lines to a session and shows the oracle what comes."""

    def __init__(self) -> None:
        super().__init__()
        self.talk = Talk(brain=Engine())
        self.oracle = Oracle()

    def say(self, *texts: str) -> None:
        for text in texts:
            self.oracle.send(text)
            for printed in self.talk.say(text):
                self.oracle.receive(printed)
            # A command that is answered is answered at once here.
            self.oracle.check_over()

    def block(self, word: str, body: list[str], is_one_line: bool, done: str = "DONE") -> None:
        parts = [word, *body, done]
        self.say(*([" ".join(parts)] if is_one_line else parts))

    @initialize(width=sizes, height=sizes)
    def begin(self, width: int, height: int) -> None:
        self.say(*lines_of_chance.LIMITS)
        self.start(width, height)

    @rule(width=sizes, height=sizes)
    def start(self, width: int, height: int) -> None:
        self.say(f"START {width}" if width == height else f"RECTSTART {width},{height}")

    @rule(word=st.sampled_from(["BEGIN", "RESTART", "ABOUT", "STOP", "begin"]))
    def plain(self, word: str) -> None:
        self.say(word)

    @rule(word=st.sampled_from(["TURN", "TURN", "PLAY", "TAKEBACK"]), point=far_points)
    def move(self, word: str, point: Point) -> None:
        self.say(f"{word} {square(point)}")

    @rule(data=st.data(), word=st.sampled_from(["TAKEBACK", "TAKEBACK", "TURN", "PLAY"]))
    def move_to_a_stone(self, data: st.DataObject, word: str) -> None:
        if self.oracle.taken:
            point = data.draw(st.sampled_from(sorted(self.oracle.taken)))
            self.say(f"{word} {square(point)}")

    @rule(
        word=st.sampled_from(["BOARD", "YXBOARD", "board"]),
        body=boards | st.lists(entries, max_size=6),
        is_one_line=ways,
    )
    def board(self, word: str, body: list[tuple[Point, int]], is_one_line: bool) -> None:
        self.block(word, [f"{square(point)},{kind}" for point, kind in body], is_one_line)

    @rule(
        word=st.sampled_from(["SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO", "YXBLOCKPATH"]),
        body=st.lists(far_points, max_size=6),
        is_one_line=ways,
    )
    def squares(self, word: str, body: list[Point], is_one_line: bool) -> None:
        self.block(word, list(map(square, body)), is_one_line)

    @rule(body=boards, word=st.sampled_from(["TURN 0,0", "START 6", "INFO rule 4", "yxdraw", "x"]))
    def broken_block(self, body: list[tuple[Point, int]], word: str) -> None:
        self.say("BOARD", *(f"{square(point)},{kind}" for point, kind in body), word, "DONE")

    @rule(setting=st.sampled_from(lines_of_chance.SETTINGS))
    def info(self, setting: str) -> None:
        self.say(f"INFO {setting}")

    @rule(line=st.sampled_from(lines_of_chance.YIXIN + lines_of_chance.JUNK))
    def line(self, line: str) -> None:
        self.say(line)

    @invariant()
    def no_stone_is_lost(self) -> None:
        stones = self.talk.session.game.stones
        assert (set(stones.placed) if stones else set()) == self.oracle.taken

    def teardown(self) -> None:
        # What is left of an open block, of a wrong rule and of blocked squares.
        self.say("DONE", "INFO rule 0", "DONE", "YXBLOCKRESET", "YXBLOCKPATHRESET")
        for point in sorted(self.oracle.taken):
            self.say(f"TAKEBACK {square(point)}")
            self.no_stone_is_lost()
        self.say("BEGIN")


def run(conversations: int, steps: int) -> None:
    run_machine(
        SessionMachine,
        settings=settings(max_examples=conversations, stateful_step_count=steps, deadline=None),
    )


def test_a_session_is_what_the_oracle_says() -> None:
    run(40, 25)


@pytest.mark.verify
def test_a_session_is_what_the_oracle_says_for_a_million_lines() -> None:
    run(20_000, 50)
