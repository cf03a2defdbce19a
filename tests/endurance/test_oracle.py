"""The oracle finds each kind of wrong conversation. (Right ones are held by all who ask it.)"""

from __future__ import annotations

import pytest

from tests.endurance.oracle import Oracle, Wrong


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
