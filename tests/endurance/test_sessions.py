"""A session with the engine against the oracle, line by line. What fails, hypothesis reduces to a
shortest conversation.

After every line the squares that are taken must be those that the oracle knows, and at the end each
stone can be taken back.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.api import Engine
from tests.endurance.lines import Lines
from tests.endurance.oracle import Oracle
from tests.protocol.test_session import Talk


def hold(seeds: list[int]) -> None:
    """A conversation; each command of it is drawn by a number of its own."""
    talk, oracle, rng = Talk(brain=Engine()), Oracle(), random.Random(0)
    lines = Lines(rng, oracle)

    def say(texts: list[str]) -> None:
        for text in texts:
            oracle.send(text)
            for printed in talk.say(text):
                oracle.receive(printed)
            # A command that is answered is answered at once here.
            oracle.check_over()
            stones = talk.session.game.stones
            assert (set(stones.placed) if stones else set()) == oracle.taken

    say(lines.first())
    for seed in seeds:
        rng.seed(seed)
        say(lines.draw())
    # What is left of an open block, of a wrong rule and of blocked squares.
    say(["DONE", "INFO rule 0", "DONE", "YXBLOCKRESET", "YXBLOCKPATHRESET"])
    say([f"TAKEBACK {x},{y}" for x, y in sorted(oracle.taken)])
    say(["BEGIN"])


def run(conversations: int, commands: int) -> None:
    seeds = st.lists(st.integers(0, 2**32), min_size=commands // 2, max_size=commands)
    settings(max_examples=conversations, deadline=None)(given(seeds)(hold))()


def test_a_session_is_what_the_oracle_says() -> None:
    run(100, 25)


@pytest.mark.verify
def test_a_session_is_what_the_oracle_says_for_a_million_lines() -> None:
    run(20_000, 50)
