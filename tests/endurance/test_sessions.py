"""A session with the engine against the oracle, line by line; what fails, hypothesis reduces to a
shortest conversation. And the oracle itself: it finds each kind of wrong conversation.

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
from tests.endurance.oracle import Oracle, Wrong
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


# -- the oracle


def follow(talk: str) -> None:
    """Shows an oracle a conversation of `> line` and `< line`, separated by semicolons."""
    oracle = Oracle()
    for step in talk.split("; "):
        if step == "close":
            oracle.close()
        elif step.startswith("> "):
            oracle.send(step[2:])
        else:
            oracle.receive(step[2:])
    oracle.check_over()


WRONG = {
    "no answer": "> START 5",
    "two answers": "> START 5; < OK; < OK",
    "an answer to INFO": "> START 5; < OK; > INFO rule 1; < OK",
    "a message unasked": "> START 5; < OK; < MESSAGE x",
    "an error for nothing": "> START 5; < ERROR x",
    "OK without a board": "> RESTART; < OK",
    "an occupied square": "> START 5; < OK; > TURN 1,1; < 1,1",
    "an occupied square of a board": "> START 5; < OK; > BOARD 1,1,2 DONE; < 1,1",
    "off the board": "> START 5; < OK; > BEGIN; < 5,0",
    "a blocked square": "> START 5; < OK; > YXBLOCK 2,2 DONE; > BEGIN; < 2,2",
    "a position lost": "> START 5; < OK; > TURN 1,1; < 2,2; > TAKEBACK 1,1; < ERROR x",
    "a position kept": "> START 5; < OK; > TURN 1,1; < 2,2; > RESTART; < OK; > TAKEBACK 1,1; < OK",
    "an error that placed a stone": "> START 5; < OK; > TURN 9,9; < 2,2",
    "an echo of another square": "> START 5; < OK; > PLAY 1,1; < 1,2",
    "no answer before the end": "> START 5; < OK; > BOARD; > 1,1,2; close",
    "something after END": "> START 5; < OK; > END; < OK",
    "an unknown word obeyed": "> HELLO; < OK",
    "too many stones": "> START 5; < OK; > SWAP2BOARD DONE; < 1,1 2,2",
    "a swap unasked": "> START 5; < OK; > INFO rule 5; > TURN 2,2; < SWAP",
    "a swap of two stones": "> START 5; < OK; > INFO rule 5; > INFO swapable 1; > TURN 2,2; < 3,3;"
    " > TURN 1,1; < SWAP",
    "an opening on a stone": "> START 5; < OK; > SWAP2BOARD 1,1 2,2 3,3 DONE; < 1,1",
    "details unasked": "> START 5; < OK; > BEGIN; < INFO PV 0",
    "one line of two": "> yxshowinfo; < MESSAGE INFO MAX_THREAD_NUM 2",
}


@pytest.mark.parametrize("case", WRONG)
def test_it_finds_what_is_wrong(case: str) -> None:
    with pytest.raises(Wrong):
        follow(WRONG[case])
